package fog

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/playtest"
	"fieldpost/trial"
	"fieldpost/trial/engine"
	"fieldpost/trial/systems"
	"fieldpost/umpire/match"
)

// newMatch is a match of a scenario between two staffs.
func newMatch(t *testing.T, id string) playtest.Match {
	t.Helper()
	game, words, err := new(match.Library).Game(id)
	if err != nil {
		t.Fatal(err)
	}
	return trial.NewMatch(game, words, 1)
}

func randomMatch(t *testing.T, id string) playtest.Match {
	m := newMatch(t, id)
	m.Number = 3
	for _, side := range m.Game.Sides() {
		m.Players[side] = engine.NewRandom(m.Game, 3, side, map[string][2]int{})
	}
	return m
}

// A sample of the pairs of positions; fieldpost-trial fog compares 10,000.
func TestFogHidesWhatItMust(t *testing.T) {
	for _, g := range []struct{ id, fog string }{{"kharkov-1942", ""}, {"nysa-1945", "blind"}, {"star-and-gallop", ""}, {"winter-campaign", "blind"}, {"gd-lutchessa", ""}, {"gd-kursk", "blind"}} {
		m := randomMatch(t, g.id)
		game, err := adjudicator.Under(m.Game, map[string]string{"fog": g.fog})
		if err != nil {
			t.Fatal(err)
		}
		m.Game, m.Turns = game, 1
		for _, side := range game.Sides() {
			m.Players[side] = engine.NewRandom(game, 3, side, map[string][2]int{})
		}
		n, err := Compare(context.Background(), m, rand.New(rand.NewPCG(1, 16)), 1, 60)
		if err != nil {
			t.Errorf("%s %s: %v", g.id, g.fog, err)
		}
		if n.Pairs != 60 || n.PNG == 0 || n.Sheets == 0 || n.Alike > 0 || n.Asked+n.Next == 0 {
			t.Errorf("%s %s: %+v", g.id, g.fog, n)
		}
	}
}

// leaky is a game whose fog has a hole: the date tells the steps of the enemy.
type leaky struct{ adjudicator.Game }

func (l leaky) Disguise(position []byte, side adjudicator.Side, n func(int) int) ([]byte, error) {
	return systems.Inside(l.Game).(disguiser).Disguise(position, side, n)
}

func (l leaky) View(position []byte, side adjudicator.Side) (*view.View, error) {
	v, err := l.Game.View(position, side)
	for _, other := range l.Sides() {
		if other != side && err == nil {
			var o *view.View
			if o, err = l.Game.View(position, other); err == nil {
				v.Date = fmt.Sprint(o.Units[0].Hex)
			}
		}
	}
	return v, err
}

// The comparison finds a hole.
func TestAHoleInTheFogIsFound(t *testing.T) {
	m := randomMatch(t, "kharkov-1942")
	m.Game = leaky{m.Game}
	if _, err := Compare(context.Background(), m, rand.New(rand.NewPCG(1, 16)), 1, 60); err == nil || !strings.Contains(err.Error(), "can tell two positions apart by the view") {
		t.Errorf("the hole is not found: %v", err)
	}
}
