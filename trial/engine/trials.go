package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"fieldpost/playtest"
	"fieldpost/trial"
)

// RandomPlay plays games of random legal orders over the scenarios in turn.
func RandomPlay(ctx context.Context, t *trial.Trial) error {
	began, counts := time.Now(), map[string][2]int{}
	var lock sync.Mutex
	phases, done, ends := 0, 0, map[string]int{}
	_, err := playtest.PlayAll(ctx, t.Games, func(n int) (playtest.Match, error) {
		number := t.Seed + n - 1
		m, err := t.Variant(t.Scenario(number), number)
		if err != nil {
			return m, err
		}
		mine := map[string][2]int{}
		for _, side := range m.Game.Sides() {
			m.Players[side] = NewRandom(m.Game, number, side, mine)
		}
		m.Ended = func(r playtest.Result) {
			lock.Lock()
			defer lock.Unlock()
			for k, c := range mine {
				counts[k] = [2]int{counts[k][0] + c[0], counts[k][1] + c[1]}
			}
			phases += r.Phases
			ends[t.Scenario(number)]++
		}
		return Audited(m)
	}, func(playtest.Result) {
		if done++; done%25 == 0 {
			fmt.Fprintf(t.Progress, "%d of %d games\n", done, t.Games)
		}
	})
	if err != nil {
		return fmt.Errorf("%w (game 1 is --seed %d)", err, t.Seed)
	}
	fmt.Fprint(t.Out, CountTable(counts))
	fmt.Fprintf(t.Out, "\n%d games of random legal orders to the verdict, seeds %d to %d, %d phases, every one audited and repeated from its journal: nothing amiss (%v)\n",
		t.Games, t.Seed, t.Seed+t.Games-1, phases, time.Since(began).Round(time.Second))
	for _, id := range t.Scenarios {
		fmt.Fprintf(t.Out, "  %-14s %d\n", id, ends[id])
	}
	return nil
}

// Mutants tries orders that something makes illegal.
func Mutants(ctx context.Context, t *trial.Trial) error {
	began, tried := time.Now(), map[string]Tried{}
	total, accepted := 0, 0
	for n := 0; total < t.Count; n++ {
		if n > 50*len(t.Scenarios) && total == 0 {
			return fmt.Errorf("no mutation of %s finds a case", strings.Join(t.Scenarios, ", "))
		}
		m, err := t.Variant(t.Scenarios[n%len(t.Scenarios)], t.Seed+n)
		if err != nil {
			return err
		}
		m.Turns = t.Turns
		more, err := Mutate(ctx, m, rand.New(rand.NewPCG(uint64(t.Seed+n), 7)))
		if err != nil {
			return err
		}
		for k, of := range more {
			tried[k] = tried[k].Add(of)
			total += of.Count
			accepted += len(of.Accepted)
		}
		fmt.Fprintf(t.Progress, "%d of %d mutants\n", total, t.Count)
	}
	fmt.Fprint(t.Out, TriedTable(tried))
	fmt.Fprintf(t.Out, "\n%d mutated orders of %d kinds, %d accepted (%v)\n", total, len(tried), accepted, time.Since(began).Round(time.Second))
	if accepted > 0 {
		return fmt.Errorf("%d illegal orders were accepted", accepted)
	}
	return nil
}

// Staff plays the staff officer from each side against random orders and against
// a side that does nothing.
func Staff(ctx context.Context, t *trial.Trial) error {
	fmt.Fprintln(t.Out, "| scenario | staff plays | against | games | staff won | drawn | lost |\n| --- | --- | --- | --- | --- | --- | --- |")
	for _, id := range t.Scenarios {
		first, err := t.Match(id, 1)
		if err != nil {
			return err
		}
		for _, side := range first.Game.Sides() {
			for _, against := range []string{"random orders", "nobody"} {
				results, err := playtest.PlayAll(ctx, t.Games, func(n int) (playtest.Match, error) {
					m, err := t.Match(id, t.Seed+n-1)
					if err != nil {
						return m, err
					}
					for _, other := range m.Game.Sides() {
						switch {
						case other == side:
						case against == "nobody":
							m.Players[other] = Passive{}
						default:
							m.Players[other] = NewRandom(m.Game, m.Number, other, map[string][2]int{})
						}
					}
					return m, nil
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
				fmt.Fprintf(t.Out, "| %s | %s | %s | %d | %d | %d | %d |\n", id, side, against, t.Games, won, drawn, t.Games-won-drawn)
			}
		}
	}
	return nil
}
