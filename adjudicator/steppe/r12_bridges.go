package steppe

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// blow tries to demolish a bridge: a die for each unit that is named. Enemy zones of
// control do not matter.
//
// Steppe 12.0/1
// Steppe 12.0/4
//
// reading Steppe 12.0: both hexes of the bridge's hexside are beside it, and no others;
// a unit may try once in an activation and may still attack.
func (a *activation) blow(in instruction) {
	for _, u := range in.units {
		if why := a.mayBlow(u, in.edge); why != "" {
			a.dropped(in.text, u.c.Name+" "+why)
			continue
		}
		a.did(u).spent = true // Steppe 12.0/3
		a.tryBridge(u, in.edge)
	}
}

// mayBlow says why a unit may not try to blow a bridge: it must stand beside it since
// its Move mode began.
//
// Steppe 12.0/2
func (a *activation) mayBlow(u *Unit, bridge hex.Edge) string {
	if why := a.mayMove(u); why != "" {
		return why
	}
	beside := u.Hex == bridge.A || u.Hex == bridge.B
	switch {
	case !u.combat():
		return "is a headquarters"
	case !beside: // it has not moved
		return "did not begin beside the bridge"
	case slices.Contains(a.s.Blown, bridge):
		return "finds no bridge: it is down"
	}
	return ""
}

// blownFrom is the lowest die that demolishes a bridge.
const blownFrom = 2

// tryBridge throws a unit's die.
//
// Steppe 12.0/5
func (a *activation) tryBridge(u *Unit, bridge hex.Edge) {
	label := fmt.Sprintf("bridge %v %s", bridge, u.c.Name)
	die := a.r.Roll("Steppe 12.0", label, 1, 6)[0]
	e := view.Event{Kind: "bridge-stands", Clause: "Steppe 12.0", Side: string(a.side),
		Hexes: []hex.Hex{bridge.A, bridge.B}, Rolls: []string{label},
		Facts: view.Pairs{"unit", u.c.Name, "edge", bridge.String(), "die", strconv.Itoa(die), "label", label}}
	if die >= blownFrom {
		e.Kind = "bridge-blown"
		a.s.demolish(bridge)
	}
	a.tell(e)
}

// demolish takes a bridge down, for the rest of the game.
//
// Steppe 12.0/6
func (s *State) demolish(bridge hex.Edge) {
	s.Blown = append(s.Blown, bridge)
	slices.SortFunc(s.Blown, func(x, y hex.Edge) int { return cmp.Or(int(x.A)-int(y.A), int(x.B)-int(y.B)) })
	s.changed()
}
