package wb95

import (
	"strconv"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// onePanther tells a counter of Panthers with a single step.
func onePanther(c Counter) bool { return c.Panther && c.Steps() == 1 }

// panthers rolls for every unit with Panthers that has moved or attacked in this
// half turn, in order of id.
//
// WB-95 22.1.1
// WB-95 22.1.2
// reading WB-95 22.1.1: these dice are thrown after those for mines, and the loss is
// the unit's own; building fortifications is neither moving nor attacking.
func (s *State) panthers(r *adjudicator.Run, side Side) {
	for _, u := range s.onMap(side) {
		if !u.c.Panther || !u.Ran {
			continue
		}
		label := "panthers " + u.c.Name
		die := r.Roll("WB-95 22.1.1", label, 1, 6)[0]
		breaks := ""
		if die <= 3 {
			breaks = "yes"
		}
		r.Tell(view.Event{Kind: "panthers", Clause: "WB-95 22.1.1", To: to(side), Hexes: []hex.Hex{u.Hex}, Rolls: []string{label},
			Facts: view.Pairs{"unit", u.c.Name, "hex", u.Hex.String(), "die", strconv.Itoa(die), "label", label, "breaks", breaks}})
		if die <= 3 {
			s.loseTo(r, u, "panther-loss", "WB-95 22.1.1")
		}
	}
}
