package engine

import (
	"context"
	"math/rand/v2"
	"testing"
)

// A sample of random play and of mutants; the whole numbers are run by
//
//	fieldpost-trial random --system steppe --games 1000
//	fieldpost-trial mutants --system steppe --count 100000
func TestSteppeRandomPlay(t *testing.T) {
	m := newMatch(t, "winter-campaign")
	m.Turns = 3
	counts := map[string][2]int{}
	for _, s := range m.Game.Sides() {
		m.Players[s] = NewRandom(m.Game, 1, s, counts)
	}
	m, err := Audited(m)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Play(context.Background()); err != nil {
		t.Error(err)
	}
	for _, kind := range []string{"move", "attack", "enter", "overrun", "condition", "standing", "reaction retreat"} {
		if counts[kind][0] == 0 {
			t.Errorf("no %s stood: the sample proves nothing of it", kind)
		}
	}
}

func TestSteppeMutants(t *testing.T) {
	m := newMatch(t, "backhand-blow")
	tried, err := Mutate(context.Background(), m, rand.New(rand.NewPCG(1, 7)))
	if err != nil {
		t.Fatal(err)
	}
	if len(tried) < 35 {
		t.Errorf("only %d kinds of mutants found a case", len(tried))
	}
	for kind, x := range tried {
		if len(x.Accepted) > 0 {
			t.Errorf("%s (%s): %d of %d accepted, such as\n%s", kind, x.Clause, len(x.Accepted), x.Count, x.Accepted[0])
		}
	}
}
