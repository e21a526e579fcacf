package staff

import (
	"slices"
	"testing"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fieldpost/adjudicator/wb95"
)

// planAs is the plan of an officer, or of a cadet, on a View.
func planAs(t testing.TB, v *view.View, craft bool) *wb95Plan {
	t.Helper()
	a, err := load(t, v.Scenario).(*wb95.Game).Advise(v)
	if err != nil {
		t.Fatal(err)
	}
	return newWB95Plan(v, a, temper{craft: craft})
}

// An officer goes for what earns an award, here a road that leaves the map, a cadet for places alone.
func TestAwardsAreGoals(t *testing.T) {
	v := opening(t, "two-stars", "SOVIET")
	for craft, want := range map[bool]int{false: 0, true: 10 * pointWorth} {
		worth := 0
		for _, g := range planAs(t, v, craft).goals {
			if g.Hex == 4036 {
				worth = max(worth, g.worth)
			}
		}
		if worth != want {
			t.Errorf("craft %v: the road at 4036 is worth %d, not %d", craft, worth, want)
		}
	}
}

// What is for one nation alone draws nobody else.
func TestNationsHaveGoalsOfTheirOwn(t *testing.T) {
	p := planAs(t, opening(t, "two-stars", "AMERICAN"), true)
	for _, u := range p.pieces {
		p.look(u)
		if !u.onMap() || u.Nation != "German" {
			continue
		}
		for _, g := range p.goals {
			if g.nations != nil && !slices.Contains(g.nations, "German") && p.pull(u, g) >= 0 {
				t.Fatalf("%s is drawn to %v, which is for %v", u.Name, g.Hex, g.nations)
			}
		}
		return
	}
	t.Fatal("no Germans")
}

// Towards the end armies are worth less, and an attack that costs as much as it takes is worth
// more than before; a cadet does not look at the clock.
func TestLastTurns(t *testing.T) {
	here := map[string]hex.Hex{"201/23 ARM": 1221, "126/23": 1221, "211/71": 1121}
	for _, tc := range []struct {
		turn  int
		craft bool
		want  int
	}{{5, true, 10}, {13, true, 10}, {14, true, 8}, {17, true, 2}, {17, false, 10}} {
		p := plain(t, here, seen("SOVIET", 1222, 2))
		p.v.Turn, p.as.craft = tc.turn, tc.craft
		if got := p.lasting(); got != tc.want {
			t.Errorf("turn %d of 17, craft %v: %d tenths last, not %d", tc.turn, tc.craft, got, tc.want)
		}
	}
	value := func(turn int) int {
		p := plain(t, here, seen("SOVIET", 1222, 6))
		p.v.Turn, p.as.craft = turn, true
		return p.value(p.attackBy(t, 1222, "211/71"))
	}
	if early, late := value(5), value(17); early >= late {
		t.Errorf("a bad attack is worth %d in turn 5 and %d in the last", early, late)
	}
}

// An officer counts on a wing where an assault gains by it, once for each wing, and flies it there;
// what is left goes where it gains most.
func TestWingsFlyWhereTheyCount(t *testing.T) {
	v := opening(t, "prokhorovka", "GERMAN")
	p := planAs(t, v, true)
	if len(p.wings) < 2 {
		t.Fatalf("wings: %v", p.wings)
	}
	if cadet := planAs(t, v, false); cadet.wings != nil {
		t.Errorf("a cadet plans with %v", cadet.wings)
	}
	p.think()
	own, _ := p.airPhases()
	var at []hex.Hex
	for h, n := range p.flights {
		if n > 0 {
			at = append(at, h)
		}
	}
	if len(at) == 0 || len(p.air[own.Phase]) != len(at) {
		t.Errorf("flights for %v, orders %q", at, p.air[own.Phase])
	}
	for _, h := range at {
		s := p.against(h)
		if s == nil {
			t.Errorf("nobody attacks %v, where aircraft fly", h)
			continue
		}
		if with, without := p.onWings(s, p.flights[h]), p.onFoot(s); with <= without {
			t.Errorf("on %v the assault brings %d with a wing and %d without", h, with, without)
		}
	}
}

// A town that points and a strategic victory hang on is one goal of an officer's, worth both.
func TestATownIsOneGoal(t *testing.T) {
	v := opening(t, "black-snow", "GERMAN")
	p := planAs(t, v, true)
	places, both := map[hex.Hex]int{}, 0
	for _, o := range v.Objectives {
		places[o.Hex] = pointWorth * abs(o.Points)
	}
	seen := map[hex.Hex]bool{}
	for _, g := range p.goals {
		if seen[g.Hex] {
			t.Errorf("%v is a goal twice", g.Hex)
		}
		seen[g.Hex] = true
		if g.Strategic && places[g.Hex] > 0 {
			both++
			if g.worth < places[g.Hex]+150 {
				t.Errorf("%v is worth %d, of which %d for points", g.Hex, g.worth, places[g.Hex])
			}
		}
	}
	if both == 0 {
		t.Error("no town is both")
	}
}
