package staff

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/famous"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fieldpost/scenarios"
)

// planned is the programme that a staff officer writes for a battalion of the opening of a
// battle, changed by mend.
func planned(t *testing.T, id, side, battalion string, mend func(v *view.View)) string {
	t.Helper()
	pack, err := scenarios.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	g, err := famous.System{}.Load(pack)
	if err != nil {
		t.Fatal(err)
	}
	position, err := g.Opening()
	if err != nil {
		t.Fatal(err)
	}
	var v *view.View
	for _, s := range g.Sides() {
		if string(s) == side {
			if v, err = g.View(position, s); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range v.Chits.Groups {
		if v.Chits.Groups[i].Side == side {
			v.Chits.Groups[i].Own = []string{battalion}
		}
	}
	mend(v)
	a, err := g.(*famous.Game).Advise(v)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(newFamousPlan(v, a, temper{}).programme(battalion), "\n")
}

func unitNamed(t *testing.T, v *view.View, name string) *view.Unit {
	t.Helper()
	i := slices.IndexFunc(v.Units, func(u view.Unit) bool { return u.Name == name })
	if i < 0 {
		t.Fatalf("no %s", name)
	}
	return &v.Units[i]
}

// Infantry on tanks gets off where the enemy are near, and rides on where they are not.
func TestRidersAlight(t *testing.T) {
	for far, want := range map[bool]bool{false: true, true: false} {
		orders := planned(t, "gd-kursk", "GERMAN", "1Pz", func(v *view.View) {
			rider, tank := unitNamed(t, v, "1K/1Fus"), unitNamed(t, v, "1K/1Pz")
			rider.Hex, rider.Aboard = tank.Hex, tank.ID
			v.Enemy = []view.Stack{{Hex: tank.Hex + 5, Side: "SOVIET"}}
			if far {
				v.Enemy[0].Hex = tank.Hex + 15
			}
		})
		if got := strings.Contains(orders, "DISMOUNT 1K/1Fus"); got != want {
			t.Errorf("enemy far %v: dismounts %v\n%s", far, got, orders)
		}
	}
}

// Engineers clear works of the enemy beside them that nobody holds, not their own.
func TestEngineersClear(t *testing.T) {
	for _, side := range []string{"SOVIET", "GERMAN"} {
		var at hex.Hex
		orders := planned(t, "gd-kursk", "GERMAN", "Eng", func(v *view.View) {
			v.Enemy = nil
			at = unitNamed(t, v, "1K/Eng").Hex + 1
			v.Forts = []view.Fort{{Hex: at, Kind: "Minefield", Side: side, Face: 1}}
		})
		if got := strings.Contains(orders, fmt.Sprintf("CLEAR %v WITH ", at)); got != (side == "SOVIET") {
			t.Errorf("mines of the %s: cleared %v\n%s", side, got, orders)
		}
	}
}

// Engineers before a river without bridges lay one; where a bridge stands they do not.
func TestEngineersBridge(t *testing.T) {
	for _, blown := range []bool{true, false} {
		orders := planned(t, "gd-kursk", "GERMAN", "Eng", func(v *view.View) {
			v.Enemy = nil
			for i := range v.Bridges {
				v.Bridges[i].Stands = !blown
			}
			u := unitNamed(t, v, "1K/Eng")
			u.Hex = hex.New(33, 32)
		})
		if got := strings.Contains(orders, "PONTOON "); got != blown {
			t.Errorf("bridges blown %v: a pontoon %v\n%s", blown, got, orders)
		}
	}
}

// What a bridge is worth: the way that it saves, only over water that nothing bridges.
func TestSpan(t *testing.T) {
	v := lone(t, "gd-kursk", "GERMAN", map[string]hex.Hex{"HQ Eng": 3330, "1K/Eng": 3332})
	k := battle(t, v).chit("Eng")
	var wet hex.Edge
	for _, b := range v.Bridges {
		if k.t.v.Board.River(b.Edge) == "river" {
			wet = b.Edge
		}
	}
	if wet == (hex.Edge{}) {
		t.Fatal("no bridge over a river")
	}
	set := func(stands bool) {
		for i := range v.Bridges {
			v.Bridges[i].Stands = stands
		}
	}
	if set(true); k.unbridged(wet) {
		t.Errorf("no bridge over %v", wet)
	}
	if set(false); !k.unbridged(wet) {
		t.Errorf("a bridge over %v", wet)
	}
	v.Pontoons = []view.Pontoon{{Edge: wet}}
	if k.unbridged(wet) {
		t.Errorf("nobody builds a bridge over %v", wet)
	}
	if k.unbridged(hex.Between(3330, 3331)) {
		t.Error("dry land wants a bridge")
	}
	k.goal.Hex = hex.None
	if over, gain := k.span("wheeled", wet.A); over != hex.None || gain != 0 {
		t.Errorf("without a goal a bridge to %v gains %d", over, gain)
	}
}

// Engineers clear on their hex and beside it, once in a programme, and not when they attack.
func TestClear(t *testing.T) {
	v := lone(t, "gd-kursk", "GERMAN", map[string]hex.Hex{"HQ Eng": 3330, "1K/Eng": 3332})
	for _, tc := range []struct {
		at    hex.Hex
		busy  bool
		enemy hex.Hex
		want  bool
	}{{3333, false, 4551, true}, {3335, false, 4551, false}, {3333, true, 4551, false}, {3333, false, 3335, false}} {
		v.Forts = []view.Fort{{Hex: tc.at, Kind: "Minefield", Side: "SOVIET", Face: 1}, {Hex: tc.at, Kind: "Trench", Side: "SOVIET", Face: 1}}
		v.Enemy = []view.Stack{{Hex: tc.enemy, Side: "SOVIET"}}
		k := battle(t, v).chit("Eng")
		k.busy[k.piece(t, "1K/Eng").ID] = tc.busy
		k.works()
		if got := strings.Count(strings.Join(k.orders, "\n"), "CLEAR "); got != map[bool]int{true: 1}[tc.want] {
			t.Errorf("works on %v, busy %v, enemy on %v: %q", tc.at, tc.busy, tc.enemy, k.orders)
		}
	}
}
