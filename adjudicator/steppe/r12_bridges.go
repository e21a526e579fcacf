package steppe

import (
	"fmt"
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// blow tries to demolish a bridge.
//
// Steppe 12.0/1
// Steppe 12.0/2
// Steppe 12.0/3
// Steppe 12.0/4
// Steppe 12.0/5
// Steppe 12.0/6
//
// reading Steppe 12.0: both hexes of the bridge's hexside are beside it, and no others;
// a unit may try once in an activation and may still attack.
func (a *activation) blow(in instruction) {
	s := a.s
	for _, u := range in.units {
		why := a.mayMove(u)
		switch {
		case why != "":
		case !u.combat():
			why = "is a headquarters"
		case a.did(u).begun != u.Hex || u.Hex != in.edge.A && u.Hex != in.edge.B:
			why = "did not begin beside the bridge"
		case slices.Contains(s.Blown, in.edge):
			why = "finds no bridge: it is down"
		}
		if why != "" {
			a.dropped(in.text, u.c.Name+" "+why)
			continue
		}
		a.did(u).spent = true
		label := fmt.Sprintf("bridge %v %s", in.edge, u.c.Name)
		die := a.r.Roll("Steppe 12.0", label, 1, 6)[0]
		e := view.Event{Kind: "bridge-stands", Clause: "Steppe 12.0", Side: string(a.side), Hexes: []hex.Hex{in.edge.A, in.edge.B}, Rolls: []string{label},
			Facts: map[string]string{"unit": u.c.Name, "edge": in.edge.String(), "die": fmt.Sprint(die), "label": label}}
		if die >= blownFrom {
			e.Kind = "bridge-blown"
			s.Blown = append(s.Blown, in.edge)
			slices.SortFunc(s.Blown, func(x, y hex.Edge) int { return int(x.A)*10000 + int(x.B) - int(y.A)*10000 - int(y.B) })
			s.changed()
		}
		a.r.Tell(e)
	}
}

// blownFrom is the lowest die that demolishes a bridge.
const blownFrom = 2
