package wb95

import (
	"cmp"
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

// Crowd is a stack that the set-up prints over the limit: so many steps may stay there.
type Crowd struct {
	Hex   hex.Hex `json:"hex"`
	Steps int     `json:"steps"`
}

// noteCrowds finds the stacks that begin over the limit.
//
// reading WB-95 3.2.1: a set-up is law: what it prints over the limit is legal as long as
// nobody comes in; such a stack may shrink, and never grows.
func (s *State) noteCrowds() {
	if s.sc.before(2) {
		return
	}
	s.Crowds = nil
	for h := range s.stacks() {
		if n := s.stackSteps(h); n > stackLimit {
			s.Crowds = append(s.Crowds, Crowd{h, n})
		}
	}
	slices.SortFunc(s.Crowds, func(a, b Crowd) int { return cmp.Compare(a.Hex, b.Hex) })
}

// thinCrowds lowers them, as a phase ends, to what still stands there.
func (s *State) thinCrowds() {
	for i := range s.Crowds {
		s.Crowds[i].Steps = min(s.Crowds[i].Steps, s.stackSteps(s.Crowds[i].Hex))
	}
	s.Crowds = slices.DeleteFunc(s.Crowds, func(c Crowd) bool { return c.Steps <= stackLimit })
}

// mayStay is how many steps may stay in the hex, if nobody comes in.
func (s *State) mayStay(h hex.Hex) int {
	for _, c := range s.Crowds {
		if c.Hex == h {
			return c.Steps
		}
	}
	return stackLimit
}

// overfull lists the hexes where more of the side stand than may stay, in order.
func (s *State) overfull(side Side) []hex.Hex {
	var out []hex.Hex
	for h, us := range s.stacks() {
		ours := slices.ContainsFunc(us, func(u *Unit) bool { return u.c.Side == side })
		if ours && (s.stackSteps(h) > s.mayStay(h) || s.mixedAt(h)) {
			out = append(out, h)
		}
	}
	return out
}

// tooMany tells whether not all units on the hex could have come there: there are too many
// steps, or friends that do not share a hex.
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

// cameIn tells whether the unit has walked to where its way ends.
func (t trek) cameIn() bool { return len(t.path) > 1 }

// unstack restores the limit at the end of a phase.
//
// reading WB-95 3.2.1: units that came last go back along their way to the last
// hex with room; what then is still too much loses steps, the weakest first.
func (s *State) unstack(player Side, treks []trek, tell teller) {
	side := s.sc.camp(player)
	for i := len(treks) - 1; i >= 0; i-- {
		if u := treks[i].unit; u.Where == OnMap && treks[i].cameIn() && s.tooMany(u.Hex) {
			s.goBack(treks[i], tell)
		}
	}
	for _, h := range s.overfull(side) {
		for s.stackSteps(h) > s.mayStay(h) {
			u := s.weakest(h, player)
			if u == nil {
				break
			}
			tell.tell(view.Event{Kind: "crowded", Clause: "WB-95 3.2.1", To: to(side), Hexes: []hex.Hex{h},
				Facts: view.Pairs{"unit", u.c.Name, "hex", h.String()}})
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
		case h == full, !s.roomFor(h, u) && !(j == 0 && s.roomAgain(h, u)):
			continue
		default:
			s.put(u, h)
		}
		tell.tell(view.Event{Kind: "back", Clause: "WB-95 3.2.1", To: to(u.c.Side), Hexes: []hex.Hex{full},
			Facts: view.Pairs{"unit", u.c.Name, "hex", full.String(), "to", where}})
		return
	}
}

// roomAgain tells whether a unit that has left a stack printed over the limit may be put
// back there.
func (s *State) roomAgain(h hex.Hex, u *Unit) bool {
	return s.mayStay(h) > stackLimit && s.holder(h) == u.c.Side && s.stackSteps(h)+u.Steps <= s.mayStay(h)
}

// weakest is the unit on the hex that an overfull stack loses a step of as the player's
// Movement Phase ends, nil for none.
//
// reading WB-95 3.2.1: units that the scenario does not let move lose nothing for it, nor, in a game for three,
// those of the ally who is not on move.
func (s *State) weakest(h hex.Hex, player Side) *Unit {
	strength := func(u *Unit) int {
		if u.c.Type == HQ {
			return 1000 // headquarters last
		}
		return u.c.Strength[u.Steps-1]
	}
	us := slices.Clone(s.unitsAt(h))
	if !s.sc.before(2) {
		us = slices.DeleteFunc(us, func(u *Unit) bool { return s.still(u.c) != nil || s.share(u) == noMoves })
	}
	if !s.sc.before(4) {
		us = slices.DeleteFunc(us, func(u *Unit) bool { return s.sc.owner(u.c) != player })
	}
	if len(us) == 0 {
		return nil
	}
	return slices.MinFunc(us, func(a, b *Unit) int {
		return cmp.Or(cmp.Compare(strength(a), strength(b)), strings.Compare(a.ID, b.ID))
	})
}

// ownCrowds is what a side is told of its own hexes over the limit: how many may stay, and
// who loses steps if nobody leaves before its next Movement Phase ends.
func (s *State) ownCrowds(player Side) []view.Crowd {
	if s.sc.before(2) {
		return nil
	}
	var out []view.Crowd
	side := s.sc.camp(player)
	var after *State
	for _, h := range sorted(hexesUnder(s.onMap(side))) {
		if s.stackSteps(h) <= stackLimit || s.sc.owner(s.unitsAt(h)[0].c) != player {
			continue
		}
		c := view.Crowd{Hex: h, Steps: s.stackSteps(h), MayStay: s.mayStay(h)}
		if c.Steps > c.MayStay {
			if after == nil {
				after = s.clone()
			}
			c.Loses = after.crowdedOut(player, nil)[h]
		}
		out = append(out, c)
	}
	return out
}

// crowdedOut ends a player's Movement Phase and says by hex whose steps are lost for the limit.
func (s *State) crowdedOut(player Side, treks []trek) map[hex.Hex][]string {
	lost := map[hex.Hex][]string{}
	s.unstack(player, treks, func(e view.Event) {
		if e.Kind == "crowded" {
			lost[e.Hexes[0]] = append(lost[e.Hexes[0]], e.Facts.Get("unit"))
		}
	})
	return lost
}

// to is the audience of one side.
func to(side Side) []string { return []string{string(side)} }
