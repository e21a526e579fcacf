package wb95

import (
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// stackLimit is the most steps a hex holds at the end of a phase.
//
// WB-95 3.2.1
const stackLimit = 8

// stackSteps counts the steps on a hex.
//
// WB-95 3.2.2
// reading WB-95 3.2.1: every ground counter counts its steps; towed guns have one.
func (s *State) stackSteps(h hex.Hex) int {
	n := 0
	for _, u := range s.unitsAt(h) {
		n += u.Steps
	}
	return n
}

// roomFor tells whether the unit could end a phase in the hex: no enemy in it,
// and the stack with the unit within the limit.
func (s *State) roomFor(h hex.Hex, u *Unit) bool {
	steps := u.Steps
	for _, v := range s.unitsAt(h) {
		if v.c.Side != u.c.Side || s.sc.strangers(u.c, v.c) {
			return false
		}
		if v != u {
			steps += v.Steps
		}
	}
	return steps <= stackLimit
}

// overfull lists the hexes where the side has more than the limit, in order.
func (s *State) overfull(side Side) []hex.Hex {
	var out []hex.Hex
	for _, u := range s.onMap(side) {
		if s.tooMany(u.Hex) {
			out = append(out, u.Hex)
		}
	}
	return sorted(out)
}

// tooMany tells whether not all units on the hex can stay: there are too many steps, or
// friends that do not share a hex.
func (s *State) tooMany(h hex.Hex) bool { return s.stackSteps(h) > stackLimit || s.mixedAt(h) }

// trek is the way a unit took in this phase, first hex included; None stands
// for off the map.
type trek struct {
	unit *Unit
	path []hex.Hex
}

// from is the hex where the way began, None for off the map.
func (t trek) from() hex.Hex {
	if len(t.path) == 0 {
		return hex.None
	}
	return t.path[0]
}

// unstack restores the limit at the end of a phase.
//
// reading WB-95 3.2.1: units that came last go back along their way to the last
// hex with room; what then is still too much loses steps, the weakest first.
func (s *State) unstack(side Side, treks []trek, tell teller) {
	for i := len(treks) - 1; i >= 0; i-- {
		if u := treks[i].unit; u.Where == OnMap && s.tooMany(u.Hex) {
			s.goBack(treks[i], tell)
		}
	}
	for _, h := range s.overfull(side) {
		for s.stackSteps(h) > stackLimit {
			u := s.weakest(h)
			tell.tell(view.Event{Kind: "crowded", Clause: "WB-95 3.2.1", To: to(side), Hexes: []hex.Hex{h},
				Facts: map[string]string{"unit": u.c.Name, "hex": h.String()}})
			s.loseStep(u)
		}
	}
}

// goBack takes one unit back to the last hex of its way with room.
func (s *State) goBack(t trek, tell teller) {
	u, full := t.unit, t.unit.Hex
	for j := len(t.path) - 1; j >= 0; j-- {
		h := t.path[j]
		where := h.String()
		switch {
		case h == hex.None:
			s.lift(u)
			u.Where, u.Hex, u.Active, u.Through, u.Batch = Later, hex.None, false, hex.None, 0
			where = "off the map"
		case h == full, !s.roomFor(h, u):
			continue
		default:
			s.put(u, h)
		}
		tell.tell(view.Event{Kind: "back", Clause: "WB-95 3.2.1", To: to(u.c.Side), Hexes: []hex.Hex{full},
			Facts: map[string]string{"unit": u.c.Name, "hex": full.String(), "to": where}})
		return
	}
}

// weakest is the unit on the hex that an overfull stack loses a step of.
func (s *State) weakest(h hex.Hex) *Unit {
	strength := func(u *Unit) int {
		if u.c.Type == HQ {
			return 1000 // headquarters last
		}
		return u.c.Strength[u.Steps-1]
	}
	return slices.MinFunc(s.unitsAt(h), func(a, b *Unit) int {
		if d := strength(a) - strength(b); d != 0 {
			return d
		}
		return strings.Compare(a.ID, b.ID)
	})
}

// to is the audience of one side.
func to(side Side) []string { return []string{string(side)} }
