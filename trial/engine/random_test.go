package engine

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/trial/systems"
)

func TestRandomPlay(t *testing.T) {
	for _, id := range []string{"black-snow", "nysa-1945"} {
		m := newMatch(t, id)
		m.Turns = 6
		counts := map[string][2]int{}
		for _, s := range m.Game.Sides() {
			m.Players[s] = NewRandom(m.Game, 1, s, counts)
		}
		m, err := Audited(m)
		if err != nil {
			t.Fatal(err)
		}
		r, err := m.Play(context.Background())
		t.Logf("%s: %+v\n%s", id, r, CountTable(counts))
		if err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// A sample of the mutated orders: none may stand. The whole number is run by
// fieldpost-trial mutants.
func TestMutants(t *testing.T) {
	for _, id := range []string{"kharkov-1942", "two-stars"} {
		m := newMatch(t, id)
		m.Turns = 2
		tried, err := Mutate(context.Background(), m, rand.New(rand.NewPCG(1, 7)))
		if err != nil {
			t.Fatal(err)
		}
		if len(tried) < 50 {
			t.Errorf("%s: only %d kinds of mutants found a case", id, len(tried))
		}
		for kind, x := range tried {
			if len(x.Accepted) > 0 {
				t.Errorf("%s (%s): %d of %d accepted, such as\n%s", kind, x.Clause, len(x.Accepted), x.Count, x.Accepted[0])
			}
		}
	}
}

// In a game that begins with the choices of the set-up none may stand that the book
// does not leave, and no order of a later turn.
func TestSetUpMutants(t *testing.T) {
	all := map[string]Tried{}
	for number, id := range []string{"kharkov-1942", "nysa-1945", "gd-kursk", "gd-lutchessa", "gd-mischurin-rog"} {
		m := newMatch(t, id)
		var err error
		if m.Game, err = adjudicator.Under(m.Game, map[string]string{"set-up": "choose"}); err != nil {
			t.Fatal(err)
		}
		m.Turns = 1
		tried, err := Mutate(context.Background(), m, rand.New(rand.NewPCG(uint64(number), 7)))
		if err != nil {
			t.Fatal(err)
		}
		for kind, x := range tried {
			all[kind] = all[kind].Add(x)
		}
	}
	for _, m := range slices.Concat(systems.Table["wb95"].SetUp, systems.Table["famous"].SetUp) {
		x := all[m.Kind]
		if x.Count == 0 {
			t.Errorf("%s: no case was found", m.Kind)
		}
		if len(x.Accepted) > 0 {
			t.Errorf("%s (%s): %d of %d accepted, such as\n%s", m.Kind, m.Clause, len(x.Accepted), x.Count, x.Accepted[0])
		}
	}
}
