package staff

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
)

// What a chief has learnt is of sides that there are. Who has a name that others have, too, plays like them.
func TestExperienceIsOfSides(t *testing.T) {
	for id, sides := range experience {
		g := load(t, id)
		for side, as := range sides {
			if !slices.Contains(g.Sides(), adjudicator.Side(side)) {
				t.Errorf("%s has no side %s", id, side)
			}
			system := systemOf(t, id).ID()
			if as.name == cadets || !slices.Contains(Plans(system), as.name) { // whose names are explained
				t.Errorf("%s, %s: %q is no plan but the cadet's", id, side, as.name)
			}
			for _, other := range tempers(system, nil) {
				if other.name == as.name && !reflect.DeepEqual(other, as) {
					t.Errorf("%s, %s: there is another temper %q", id, side, as.name)
				}
			}
		}
	}
}

// Without room for a rehearsal a chief plays as they have learnt to, and an officer as usual, in the turn and at its
// chits; of a side that nothing is known about both write the same.
func TestChiefsHaveExperience(t *testing.T) {
	learnt := 0
	for _, id := range []string{"gd-mischurin-rog", "gd-lutchessa"} {
		for _, s := range sittings(t, id, "ASK", 2) {
			answer := func(strength Strength, plan string) string {
				text, err := Officer{Game: s.game, Strength: strength, Holds: true, Mode: "ASK", Units: 100, Plan: plan}.Sheet(s.view, 7)
				if err != nil {
					t.Fatal(err)
				}
				return text
			}
			sheet := func(strength Strength) string { return answer(strength, "") }
			_, known := experience[id][s.view.Side]
			differ := sheet(Chief) != sheet(Captain)
			if differ && !known {
				t.Errorf("%s: a chief plays otherwise than an officer, from no experience", s.label)
			}
			if s.view.Asked != nil && answer(Chief, cadets) != answer(Captain, cadets) {
				t.Errorf("%s: a chief who took the cadet's plan in the turn does not answer by it", s.label)
			}
			if differ {
				learnt++
			}
		}
	}
	if learnt < 10 {
		t.Errorf("experience tells in %d sheets and answers", learnt)
	}
}

// Whoever has a usual plan of their own plays by it, whatever the scenario: an officer as a chief who has learnt that
// plan, a chief as an officer who knows of none. A plan that the system does not have is told with those that it has.
func TestUsualPlans(t *testing.T) {
	differ := 0
	for _, s := range sittings(t, "kharkov-1943", "", 2) {
		sheet := func(strength Strength, usual string) string {
			text, err := Officer{Game: s.game, Strength: strength, Units: 100, Usual: usual}.Sheet(s.view, 7)
			if err != nil {
				t.Fatal(err)
			}
			return text
		}
		if s.view.Side == "SOVIET" && sheet(Captain, "careful") != sheet(Chief, "") {
			t.Errorf("%s: a careful officer plays otherwise than a chief, who is careful here", s.label)
		}
		if sheet(Chief, cadets) != sheet(Captain, "") {
			t.Errorf("%s: a chief without experience plays otherwise than an officer", s.label)
		}
		if sheet(Chief, "careful") != sheet(Chief, cadets) {
			differ++
		}
		_, err := Officer{Game: s.game, Strength: Captain, Usual: "bald"}.Sheet(s.view, 7)
		if err == nil || !strings.Contains(err.Error(), `"bald" is not a plan of the staff's for wb95: write one of ["as the cadet" "careful"`) {
			t.Errorf("%s: of an unknown plan: %v", s.label, err)
		}
	}
	if differ == 0 {
		t.Error("no sheet depends on the usual plan")
	}
}
