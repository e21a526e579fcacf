package samples

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fieldpost/trial"
	"fieldpost/trial/referee"
)

// Engine and referee agree on every move of some games. The whole number is judged by
// fieldpost-trial referee.
func TestEngineAndRefereeAgree(t *testing.T) {
	l, open := library(t)
	for _, c := range []struct {
		scenarios string
		seed      int // the staff play in games 4 and 5, at random in the others
		turns     int
	}{
		{"black-snow prokhorovka", 1, 6},
		{"nysa-1945 kursk", 4, 4},
		{"star-and-gallop backhand-blow", 1, 0},
		{"gd-akhtyrka gd-lutchessa", 1, 4},
	} {
		var out bytes.Buffer
		try := &trial.Trial{Load: l.Game, Scenarios: strings.Fields(c.scenarios), Games: 2, Seed: c.seed, Turns: c.turns, Out: &out, Progress: &out}
		err := referee.Run(context.Background(), try, open)
		t.Log(out.String())
		if err != nil {
			t.Errorf("%s: %v", c.scenarios, err)
		}
	}
}

// A referee who never disagrees is worth nothing: the same moves with a walk back and forth
// written into them are noticed, all of them.
func TestWhatIsWrongInAMoveIsNoticed(t *testing.T) {
	l, open := library(t)
	for _, id := range []string{"black-snow", "star-and-gallop", "gd-lutchessa"} {
		try := &trial.Trial{Load: l.Game, Scenarios: []string{id}, Turns: 3}
		m, err := referee.Seated(try, 4)
		if err != nil {
			t.Fatal(err)
		}
		system, src, err := open(id)
		if err != nil {
			t.Fatal(err)
		}
		j, err := referee.NewJudge(system, src)
		if err != nil {
			t.Fatal(err)
		}
		tried, noticed := 0, 0
		m.Each = func(before []byte, out adjudicator.Outcome) error {
			at, err := m.Game.At(before)
			if err != nil {
				return err
			}
			for i, e := range out.Events {
				wrong, ok := backAndForth(e)
				if !ok {
					continue
				}
				tampered := out
				tampered.Events = append([]view.Event{}, out.Events...)
				tampered.Events[i] = wrong
				_, faults, err := j.Phase(at, before, tampered)
				if err != nil {
					return err
				}
				if tried++; len(faults) > 0 {
					noticed++
				} else {
					t.Errorf("%s, %s: %v passes for right", id, at.Label, wrong)
				}
			}
			return nil
		}
		if _, err := m.Play(context.Background()); err != nil {
			t.Fatal(err)
		}
		if tried < 20 {
			t.Errorf("%s: %d moves were tried", id, tried)
		}
		t.Logf("%s: %d of %d noticed", id, noticed, tried)
	}
}

// backAndForth is the event of a move with its first step gone twenty times more; ok is false
// for other events.
func backAndForth(e view.Event) (wrong view.Event, ok bool) {
	turns := func(path []hex.Hex) []hex.Hex {
		var out []hex.Hex
		for range 20 {
			out = append(out, path[0], path[1])
		}
		return append(out, path...)
	}
	switch e.Kind {
	case "move":
		if len(e.Hexes) > 1 {
			e.Hexes = turns(e.Hexes)
			return e, true
		}
	case "moved":
		path, moved := referee.Way(e.Facts.Get("text"))
		if moved && len(path) > 1 && !strings.Contains(e.Facts.Get("units"), ", ") {
			text := strings.Replace(e.Facts.Get("text"), referee.Trail(path), referee.Trail(turns(path)), 1)
			e.Facts = view.Pairs{"units", e.Facts.Get("units"), "text", text}
			return e, true
		}
	}
	return e, false
}
