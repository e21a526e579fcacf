package staff

import (
	"slices"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// opening is a side's View of the opening of a scenario.
func opening(t testing.TB, id string, side adjudicator.Side) *view.View {
	t.Helper()
	g := load(t, id)
	pos, err := g.Opening()
	if err != nil {
		t.Fatal(err)
	}
	return look(t, g, pos, side)
}

// lone is the View of an opening with nobody on the map but some units of the side, by name
// and hex, and enemy stacks; no works, and nobody due.
func lone(t testing.TB, id string, side adjudicator.Side, units map[string]hex.Hex, enemy ...view.Stack) *view.View {
	t.Helper()
	v := opening(t, id, side)
	all := append(v.Units, v.Arrivals...)
	v.Units, v.Arrivals, v.Enemy, v.Forts = nil, nil, enemy, nil
	for _, u := range all {
		if at, ok := units[u.Name]; ok {
			u.Hex, u.Entry, u.Due, u.Turn = at, nil, "", 0
			v.Units = append(v.Units, u)
		}
	}
	if len(v.Units) != len(units) {
		t.Fatalf("%d of %d units are in %s", len(v.Units), len(units), id)
	}
	return v
}

// seen is an enemy stack of WB-95 of so many units of infantry of two steps, as a contact
// report tells of it.
func seen(side string, at hex.Hex, units int) view.Stack {
	return view.Stack{Hex: at, Side: side, Seen: "12 May 1942", Closer: true,
		Units: slices.Repeat([]view.Sight{{Type: "INF", Steps: 2}}, units)}
}

// owner gives an objective to a side.
func owner(t testing.TB, v *view.View, at hex.Hex, side string) {
	t.Helper()
	for i := range v.Objectives {
		if v.Objectives[i].Hex == at {
			v.Objectives[i].Owner = side
			return
		}
	}
	t.Fatalf("no objective on %v", at)
}
