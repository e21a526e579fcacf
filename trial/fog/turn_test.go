package fog

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/famous"
	"fieldpost/playtest"
	"fieldpost/trial/engine"
)

// turnsOf compares the whole turns of the beginning of a game, and no single positions.
func turnsOf(m playtest.Match, turns int, seed uint64) (Pairs, error) {
	m.Turns = turns
	for _, side := range m.Game.Sides() {
		m.Players[side] = engine.Passive{}
	}
	return Compare(context.Background(), m, rand.New(rand.NewPCG(2, seed)), 1<<30, 1)
}

// A sample of whole turns, with fire at who marches past and orders that are not carried
// out: by what a side is told and asked it cannot tell what it has not met. fieldpost-trial
// fog plays more of them.
func TestWholeTurnsHideWhatTheyMust(t *testing.T) {
	for _, g := range []struct{ id, fog string }{{"gd-kursk", ""}, {"gd-mischurin-rog", ""}, {"gd-kursk", "blind"}} {
		m := randomMatch(t, g.id)
		game, err := adjudicator.Under(m.Game, map[string]string{"fog": g.fog})
		if err != nil {
			t.Fatal(err)
		}
		m.Game = game
		// A sample that happens to lack something is followed by another one.
		n := Pairs{}
		for seed := uint64(16); seed > 12 && (n.Twins == 0 || n.Fired == 0 || n.Refused == 0); seed-- {
			more, err := turnsOf(m, 3, seed)
			if err != nil {
				t.Errorf("%s %s: %v", g.id, g.fog, err)
			}
			n = n.Add(more)
		}
		if n.Turns < 12 || n.Twins == 0 || n.Fired == 0 || n.Refused == 0 || n.Met > n.Turns/4 {
			t.Errorf("%s %s: %+v", g.id, g.fog, n)
		}
	}
}

// loose is a game with a hole in what it tells: who marched out of sight.
type loose struct{ famous.Tried }

func (l loose) Play(position []byte, journal []adjudicator.Entry, dice adjudicator.Dice, a adjudicator.Answerer) (adjudicator.Outcome, error) {
	out, err := l.Game.Play(position, journal, dice, a)
	for i, e := range out.Events {
		if e.Kind == "move" {
			out.Events[i].To = nil
		}
	}
	return out, err
}

// The comparison of turns finds a hole.
func TestAHoleInATurnIsFound(t *testing.T) {
	m := randomMatch(t, "gd-kursk")
	m.Game = loose{famous.Tried{Game: m.Game.(*famous.Game)}}
	if n, err := turnsOf(m, 3, 16); err == nil || !strings.Contains(err.Error(), "can tell two turns apart in turn") {
		t.Errorf("the hole is not found: %+v, %v", n, err)
	}
}

// Exchanged orders name the other unit wherever they name one, and no unit whose name
// holds its name.
func TestExchangedOrders(t *testing.T) {
	got := exchanged(map[string]string{"chit 3Rif": "MOVE 1/3RIF TO 1213\nMOVE 11/3RIF TO 1/3RIF\nATTACK 1415 WITH 2/3RIF,1/3RIF; ADVANCE 2/3RIF"}, [][2]string{{"1/3Rif", "2/3Rif"}})
	if want := "MOVE 2/3RIF TO 1213\nMOVE 11/3RIF TO 2/3RIF\nATTACK 1415 WITH 1/3RIF,2/3RIF; ADVANCE 1/3RIF"; got["chit 3Rif"] != want {
		t.Errorf("%q", got)
	}
}
