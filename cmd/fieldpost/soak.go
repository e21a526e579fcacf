package main

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/internal/soak"
	"fieldpost/umpire"
)

// soakCommand plays and tries the rules for as long as one likes. What it finds it
// says with the seed that shows it again.
func soakCommand(ctx context.Context, args []string) error {
	f := flags("soak")
	var where shelfFlags
	where.add(f)
	system := f.String("system", "wb95", "rules system")
	id := f.String("scenario", "", "only this scenario (default: all of the system in turn)")
	games := f.Int("games", 100, "games to play; of staff: games of each staff against each opponent")
	count := f.Int("count", 10000, "mutated orders to try")
	seed := f.Int("seed", 1, "number of the first game: the seed of its dice and orders")
	words, err := parse(f, args)
	if err != nil || len(words) != 1 {
		return orUsage(err, "say which soak: random, mutants or staff")
	}
	shelf, err := where.open()
	if err != nil {
		return err
	}
	s := soaker{shelf: shelf, games: *games, count: *count, seed: *seed, began: time.Now()}
	if s.ids, err = s.scenarios(*system, *id); err != nil {
		return err
	}
	switch words[0] {
	case "random":
		return s.random(ctx)
	case "mutants":
		return s.mutants(ctx)
	case "staff":
		return s.staff(ctx)
	}
	return usagef("no soak %q: random, mutants or staff", words[0])
}

type soaker struct {
	shelf              *umpire.Shelf
	ids                []string
	games, count, seed int
	began              time.Time
}

func (s *soaker) scenarios(system, id string) ([]string, error) {
	infos, err := s.shelf.List()
	if err != nil {
		return nil, err
	}
	var out []string
	for _, in := range infos {
		if in.System == system && (id == "" || in.ID == id) {
			out = append(out, in.ID)
		}
	}
	if len(out) == 0 {
		return nil, usagef("no scenario %s of %s", id, system)
	}
	return out, nil
}

// random plays games of random legal orders over the scenarios in turn.
func (s *soaker) random(ctx context.Context) error {
	counts := map[string][2]int{}
	var lock sync.Mutex
	phases, done, ends := 0, 0, map[string]int{}
	_, err := soak.PlayAll(ctx, s.games, func(n int) soak.Match {
		number := s.seed + n - 1
		id := s.ids[number%len(s.ids)]
		m, mine := s.match(id, number), map[string][2]int{}
		m.Audit = true
		for _, side := range m.Game.Sides() {
			m.Players[side] = soak.NewRandom(m.Game, number, side, mine)
		}
		m.Ended = func(r soak.Result) {
			lock.Lock()
			defer lock.Unlock()
			for k, c := range mine {
				counts[k] = [2]int{counts[k][0] + c[0], counts[k][1] + c[1]}
			}
			phases += r.Phases
			ends[id]++
		}
		return m
	}, func(soak.Result) {
		if done++; done%25 == 0 {
			fmt.Fprintf(os.Stderr, "%d of %d games\n", done, s.games)
		}
	})
	if err != nil {
		return fmt.Errorf("%w (game 1 is --seed %d)", err, s.seed)
	}
	fmt.Print(soak.CountTable(counts))
	fmt.Printf("\n%d games of random legal orders to the verdict, seeds %d to %d, %d phases, every one audited and repeated from its journal: nothing amiss (%v)\n",
		s.games, s.seed, s.seed+s.games-1, phases, time.Since(s.began).Round(time.Second))
	for _, id := range s.ids {
		fmt.Printf("  %-14s %d\n", id, ends[id])
	}
	return nil
}

func (s *soaker) match(id string, number int) soak.Match {
	game, words, err := s.shelf.Game(id)
	if err != nil {
		panic(err) // the list of scenarios was read from the same shelf
	}
	return soak.Match{Game: game, Vocabulary: words, Number: number, Players: map[adjudicator.Side]soak.Player{}}
}

// mutants tries orders that something makes illegal.
func (s *soaker) mutants(ctx context.Context) error {
	tried := map[string]soak.Tried{}
	total, accepted := 0, 0
	for n := 0; total < s.count; n++ {
		if n > 50*len(s.ids) && total == 0 {
			return fmt.Errorf("no mutation of %s finds a case", strings.Join(s.ids, ", "))
		}
		m := s.match(s.ids[n%len(s.ids)], s.seed+n)
		more, err := soak.Mutate(ctx, m, rand.New(rand.NewPCG(uint64(s.seed+n), 7)))
		if err != nil {
			return err
		}
		for k, t := range more {
			tried[k] = tried[k].Add(t)
			total += t.Count
			accepted += len(t.Accepted)
		}
		fmt.Fprintf(os.Stderr, "%d of %d mutants\n", total, s.count)
	}
	fmt.Print(soak.TriedTable(tried))
	fmt.Printf("\n%d mutated orders of %d kinds, %d accepted (%v)\n", total, len(maps.Collect(maps.All(tried))), accepted, time.Since(s.began).Round(time.Second))
	if accepted > 0 {
		return fmt.Errorf("%d illegal orders were accepted", accepted)
	}
	return nil
}

// staff plays the staff officer from each side against random orders and against
// a side that does nothing.
func (s *soaker) staff(ctx context.Context) error {
	fmt.Println("| scenario | staff plays | against | games | staff won | drawn | lost |\n| --- | --- | --- | --- | --- | --- | --- |")
	for _, id := range s.ids {
		for _, side := range s.match(id, 1).Game.Sides() {
			for _, against := range []string{"random orders", "nobody"} {
				results, err := soak.PlayAll(ctx, s.games, func(n int) soak.Match {
					m := s.match(id, s.seed+n-1)
					for _, other := range m.Game.Sides() {
						switch {
						case other == side:
						case against == "nobody":
							m.Players[other] = soak.Passive{}
						default:
							m.Players[other] = soak.NewRandom(m.Game, m.Number, other, map[string][2]int{})
						}
					}
					return m
				}, nil)
				if err != nil {
					return err
				}
				won, drawn := 0, 0
				for _, r := range results {
					switch r.Winner {
					case string(side):
						won++
					case "":
						drawn++
					}
				}
				fmt.Printf("| %s | %s | %s | %d | %d | %d | %d |\n", id, side, against, s.games, won, drawn, s.games-won-drawn)
			}
		}
	}
	return nil
}
