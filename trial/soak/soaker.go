package soak

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/orders"
)

// Soaker tries the rules for as long as one likes. What it finds it says with the
// seed that shows it again.
type Soaker struct {
	Load         func(id string) (adjudicator.Game, orders.Vocabulary, error)
	IDs          []string          // of the scenarios, played in turn
	Games, Count int               // to play; mutants to try
	Seed         int               // number of the first game
	Options      map[string]string // of the games
	Out          io.Writer
	Progress     io.Writer
}

// Random plays games of random legal orders over the scenarios in turn.
func (s *Soaker) Random(ctx context.Context) error {
	began, counts := time.Now(), map[string][2]int{}
	var lock sync.Mutex
	phases, done, ends := 0, 0, map[string]int{}
	_, err := PlayAll(ctx, s.Games, func(n int) Match {
		number := s.Seed + n - 1
		id := s.IDs[number%len(s.IDs)]
		m, mine := s.variant(id, number), map[string][2]int{}
		m.Audit = true
		for _, side := range m.Game.Sides() {
			m.Players[side] = NewRandom(m.Game, number, side, mine)
		}
		m.Ended = func(r Result) {
			lock.Lock()
			defer lock.Unlock()
			for k, c := range mine {
				counts[k] = [2]int{counts[k][0] + c[0], counts[k][1] + c[1]}
			}
			phases += r.Phases
			ends[id]++
		}
		return m
	}, func(Result) {
		if done++; done%25 == 0 {
			fmt.Fprintf(s.Progress, "%d of %d games\n", done, s.Games)
		}
	})
	if err != nil {
		return fmt.Errorf("%w (game 1 is --seed %d)", err, s.Seed)
	}
	fmt.Fprint(s.Out, CountTable(counts))
	fmt.Fprintf(s.Out, "\n%d games of random legal orders to the verdict, seeds %d to %d, %d phases, every one audited and repeated from its journal: nothing amiss (%v)\n",
		s.Games, s.Seed, s.Seed+s.Games-1, phases, time.Since(began).Round(time.Second))
	for _, id := range s.IDs {
		fmt.Fprintf(s.Out, "  %-14s %d\n", id, ends[id])
	}
	return nil
}

func (s *Soaker) match(id string, number int) Match {
	game, words, err := s.Load(id)
	if err != nil {
		panic(err) // the list of scenarios was read from the same shelf
	}
	if game, err = adjudicator.Under(game, s.Options); err != nil {
		panic(err) // the options were checked
	}
	return Match{Game: game, Vocabulary: words, Number: number, Players: map[adjudicator.Side]Player{}}
}

// variant is the match, for some numbers with the set-up as the players choose it:
// for each scenario in every third game that it gets.
func (s *Soaker) variant(id string, number int) Match {
	m := s.match(id, number)
	if number/len(s.IDs)%3 != 1 {
		return m
	}
	options := map[string]string{"set-up": "choose"}
	maps.Copy(options, s.Options)
	game, err := adjudicator.Under(m.Game, options)
	if err != nil {
		panic(err) // a value that the setting lists
	}
	m.Game = game
	return m
}

// Mutants tries orders that something makes illegal.
func (s *Soaker) Mutants(ctx context.Context) error {
	began, tried := time.Now(), map[string]Tried{}
	total, accepted := 0, 0
	for n := 0; total < s.Count; n++ {
		if n > 50*len(s.IDs) && total == 0 {
			return fmt.Errorf("no mutation of %s finds a case", strings.Join(s.IDs, ", "))
		}
		m := s.variant(s.IDs[n%len(s.IDs)], s.Seed+n)
		more, err := Mutate(ctx, m, rand.New(rand.NewPCG(uint64(s.Seed+n), 7)))
		if err != nil {
			return err
		}
		for k, t := range more {
			tried[k] = tried[k].Add(t)
			total += t.Count
			accepted += len(t.Accepted)
		}
		fmt.Fprintf(s.Progress, "%d of %d mutants\n", total, s.Count)
	}
	fmt.Fprint(s.Out, TriedTable(tried))
	fmt.Fprintf(s.Out, "\n%d mutated orders of %d kinds, %d accepted (%v)\n", total, len(tried), accepted, time.Since(began).Round(time.Second))
	if accepted > 0 {
		return fmt.Errorf("%d illegal orders were accepted", accepted)
	}
	return nil
}

// Staff plays the staff officer from each side against random orders and against
// a side that does nothing.
func (s *Soaker) Staff(ctx context.Context) error {
	fmt.Fprintln(s.Out, "| scenario | staff plays | against | games | staff won | drawn | lost |\n| --- | --- | --- | --- | --- | --- | --- |")
	for _, id := range s.IDs {
		for _, side := range s.match(id, 1).Game.Sides() {
			for _, against := range []string{"random orders", "nobody"} {
				results, err := PlayAll(ctx, s.Games, func(n int) Match {
					m := s.match(id, s.Seed+n-1)
					for _, other := range m.Game.Sides() {
						switch {
						case other == side:
						case against == "nobody":
							m.Players[other] = Passive{}
						default:
							m.Players[other] = NewRandom(m.Game, m.Number, other, map[string][2]int{})
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
				fmt.Fprintf(s.Out, "| %s | %s | %s | %d | %d | %d | %d |\n", id, side, against, s.Games, won, drawn, s.Games-won-drawn)
			}
		}
	}
	return nil
}
