package engine

import (
	"context"
	"math/rand/v2"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/famous"
	"fieldpost/playtest"
	"fieldpost/scenarios"
	"fieldpost/staff"
	"fieldpost/trial"
)

// famousMatch seats players of one kind for a few turns of a battle.
func famousMatch(t *testing.T, id string, turns int, seat func(g adjudicator.Game, side adjudicator.Side) playtest.Player) playtest.Match {
	t.Helper()
	p, err := scenarios.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	g, err := famous.System{}.Load(p)
	if err != nil {
		t.Fatal(err)
	}
	m := trial.NewMatch(g, famous.Vocabulary, 1)
	m.Turns = turns
	for _, side := range g.Sides() {
		m.Players[side] = seat(g, side)
	}
	if m, err = Audited(m); err != nil {
		t.Fatal(err)
	}
	return m
}

var battles = []string{"gd-kursk", "gd-akhtyrka", "gd-mischurin-rog", "gd-lutchessa"}

// Two officers play the battles of Grossdeutschland without a refused order, every
// phase audited: two turns of each here, whole games by fieldpost-trial random.
func TestGrossdeutschlandStaffs(t *testing.T) {
	for _, id := range battles {
		m := famousMatch(t, id, 2, func(g adjudicator.Game, _ adjudicator.Side) playtest.Player { return staff.Officer{Game: g} })
		r, err := m.Play(context.Background())
		if err != nil {
			t.Errorf("%s: %v", id, err)
		}
		if r.Refused > 0 {
			t.Errorf("%s: %d orders of the staffs were refused", id, r.Refused)
		}
	}
}

// Random programmes keep the invariants, and no mutated order stands.
func TestGrossdeutschlandMutants(t *testing.T) {
	tried, accepted := 0, 0
	for n, id := range battles {
		m := famousMatch(t, id, 1, func(adjudicator.Game, adjudicator.Side) playtest.Player { return nil })
		kinds, err := Mutate(context.Background(), m, rand.New(rand.NewPCG(uint64(n), 3)))
		if err != nil {
			t.Errorf("%s: %v", id, err)
		}
		for kind, k := range kinds {
			tried += k.Count
			accepted += len(k.Accepted)
			for _, sheet := range k.Accepted {
				t.Errorf("%s: %s stood:\n%s", id, kind, sheet)
			}
		}
	}
	if tried < 500 {
		t.Errorf("only %d mutants were tried", tried)
	}
}
