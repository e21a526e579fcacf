package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/systems"
	"fieldpost/dice/vrf"
	"fieldpost/orders"
	"fieldpost/scenarios"
	"fieldpost/staff"
)

// sheets answers a side's turn decisions by its checked sheet.
type sheets map[adjudicator.Side]map[string]string

func (s sheets) Answer(d adjudicator.Decision) (answer, source string, known bool) {
	if filed, ok := s[d.Side]; d.Turn && ok {
		return filed[d.Answers()], "sheet", true
	}
	return adjudicator.Standing{}.Answer(d)
}

// One game is looked at and played by many at once, as the daemon's web page, status
// and turn loop do: what each gets is what one alone gets. With -race this also shows
// that none writes what another reads:
//
//	go test -race -run ServesMany ./trial/engine
func TestAGameServesManyAtOnce(t *testing.T) {
	for system, scenario := range map[string]string{"wb95": "kharkov-1942", "steppe": "star-and-gallop", "famous": "gd-lutchessa"} {
		t.Run(system, func(t *testing.T) {
			load := func() (adjudicator.Game, adjudicator.System) {
				t.Helper()
				sys, _ := systems.Get(system)
				pack, err := scenarios.Open(scenario)
				if err != nil {
					t.Fatal(err)
				}
				game, err := sys.Load(pack)
				if err != nil {
					t.Fatal(err)
				}
				return game, sys
			}
			game, sys := load()
			alone, sheet, positions := course(t, game, sys, nil)
			if len(positions) < 4 {
				t.Fatalf("only %d positions were looked at", len(positions))
			}
			// Another game with nothing read yet, so that all meet what is worked out once.
			game, sys = load()
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() {
					if got, _, _ := course(t, game, sys, sheet); got != alone {
						t.Error("a phase played beside others came out otherwise")
					}
				})
				all.Go(func() {
					for _, position := range positions {
						for _, side := range game.Sides() {
							v, err := game.View(position, side)
							if err != nil {
								t.Error(err)
								return
							}
							if _, err := json.Marshal(v); err != nil {
								t.Error(err)
							}
						}
						if _, err := game.At(position); err != nil {
							t.Error(err)
						}
					}
				})
			}
			all.Wait()
		})
	}
}

// course plays some phases, with sheets of staff officers where none are given, and
// sums up what came of them.
func course(t *testing.T, game adjudicator.Game, sys adjudicator.System, given map[string]string) (sum string, texts map[string]string, positions [][]byte) {
	position, err := game.Opening()
	if err != nil {
		t.Error(err)
		return "", nil, nil
	}
	texts = map[string]string{}
	key := vrf.NewKey([32]byte{1})
	var told bytes.Buffer
	filed := sheets{}
	for n := range 8 {
		positions = append(positions, position)
		at, err := game.At(position)
		if err != nil || at.Over {
			break
		}
		for _, side := range game.Sides() {
			v, err := game.View(position, side)
			if err != nil {
				t.Error(err)
				return "", nil, nil
			}
			if len(v.Due) == 0 {
				continue
			}
			name := fmt.Sprint(n, side)
			text, have := given[name]
			if !have {
				if text, err = (staff.Officer{Game: game}).Sheet(v, n+1); err != nil {
					t.Error(err)
					return "", nil, nil
				}
			}
			texts[name] = text
			parsed, _ := orders.Parse(orders.Canonical(text), sys.Vocabulary())
			filed[side] = game.Check(v, parsed).Answers
		}
		out, err := game.Play(position, nil, vrf.Thrower{Key: key, Game: "RACE", Phase: at.Label, Root: make([]byte, 32)}, filed)
		if err != nil {
			t.Error(err)
			return "", nil, nil
		}
		fmt.Fprintf(&told, "%s %d %x\n", at.Label, len(out.Events), out.Position)
		if len(out.Pending) > 0 {
			break
		}
		position = out.Position
	}
	return told.String(), texts, positions
}
