package wb95

import (
	"fmt"
	"strconv"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// supplyPhase is phases 6 and 12: supply, surrender, control, and the end of the
// half turn.
//
// WB-95 2.2/7
// reading WB-95 2.2/7: all units are checked at once, from one position.
func supplyPhase(r *adjudicator.Run, s *State) {
	p := s.mover()
	// reading WB-95 18.1.4: mines and Panthers come before the check of supply.
	var wishes []standingOrder
	if p == s.sc.Scorer {
		wishes = s.wishes(r, p)
	}
	s.mines(r, p, wishes)
	s.panthers(r, p)
	s.checkSupply(p, r.Tell)
	s.repairs(r, p, wishes)
	s.surrenders(r, p)
	s.claim(p, r.Tell)
	s.openArrivals(r.Tell)
	s.camp(s.moving())
	s.endHalfTurn()
}

// checkSupply looks for a line to every unit of the side and sets its level.
//
// WB-95 10.1.2: lines are looked for in the Supply Phase of their side
// reading WB-95 10.2.1: time alone raises no level; what raises it is 10.2.3 and 10.2.4, the text
// lists nothing else (option supply-tick).
func (s *State) checkSupply(side Side, tell teller) {
	l := s.linesOfSupply(side)
	for _, u := range s.moving() {
		old := u.OoS
		if u.Supplied = l.reaches(u) || s.alwaysSupplied(u); u.Supplied {
			// WB-95 10.2.7: a line takes four levels off
			// WB-95 10.2.8: at none the unit is itself again
			u.OoS = max(0, u.OoS-4)
		} else {
			// WB-95 10.2.1: without one the level is 1
			u.OoS = max(1, u.OoS+btoi(s.sc.Readings.SupplyTick))
		}
		kind := ""
		switch {
		case u.OoS > old:
			kind = "cut-off"
		case u.OoS < old:
			kind = "resupplied"
		}
		if kind != "" {
			tell.tell(view.Event{Kind: kind, Clause: "WB-95 10.2.1", To: to(side), Hexes: []hex.Hex{u.Hex},
				Facts: view.Pairs{"unit", u.c.Name, "hex", u.Hex.String(), "level", level(u.OoS)}})
		}
	}
}

// level is the level as a fact of an event, "" in supply.
func level(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// surrenders rolls for the units without a line, in order of id.
//
// WB-95 10.2.6
// reading WB-95 10.2.6: a unit surrenders if the roll is below its level, so levels
// 1 and 2 never do and are not rolled for.
func (s *State) surrenders(r *adjudicator.Run, side Side) {
	for _, u := range s.moving() {
		if u.Supplied || u.OoS <= 2 {
			continue
		}
		name := "surrender " + u.c.Name
		dice := r.Roll("WB-95 10.2.6", name, 2, 6)
		gives := u.OoS-dice[0]-dice[1] > 0
		facts := view.Pairs{"unit", u.c.Name, "hex", u.Hex.String(), "level", strconv.Itoa(u.OoS),
			"dice", fmt.Sprintf("dice %d %d (%s)", dice[0], dice[1], name), "gives", ""}
		h := []hex.Hex{u.Hex}
		if gives {
			facts = facts.With("gives", "yes")
			r.Tell(view.Event{Kind: "seen-surrender", Clause: "WB-95 10.2.6", To: to(s.sc.Other(side)), Hexes: h,
				Facts: view.Pairs{"hex", u.Hex.String(), "side", s.sc.nameOf(side)}})
			// WB-95 4.3.4
			s.remove(u)
		}
		r.Tell(view.Event{Kind: "surrender", Clause: "WB-95 10.2.6", To: to(side), Hexes: h, Facts: facts, Rolls: []string{name}})
	}
}

// endHalfTurn takes off the marks that last for a half turn.
func (s *State) endHalfTurn() {
	for i := range s.Units {
		s.Units[i].Active, s.Units[i].Strategic = false, false
		s.Units[i].Ran, s.Units[i].Mined = false, false
	}
}
