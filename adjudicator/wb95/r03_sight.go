package wb95

import (
	"cmp"
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// whereabouts notes where the units of a side stand, in the order of s.Units.
func (s *State) whereabouts(side Side) []hex.Hex {
	out := make([]hex.Hex, len(s.Units))
	for i := range s.Units {
		if u := &s.Units[i]; u.Where == OnMap && u.c.Side == side {
			out[i] = u.Hex
		}
	}
	return out
}

// showMoves tells the enemy what is seen of a phase of movement: the hexes where
// stacks began and ended, not what is in them. Units that went together are one
// stack.
//
// reading WB-95 16.1.1: where the enemy has stacks is public, what is in them is not, as on the
// table (option fog).
func (s *State) showMoves(side Side, before []hex.Hex, tell teller) {
	type way struct{ from, to hex.Hex }
	ways := make([]way, 0, len(s.Units))
	for i := range s.Units {
		u := &s.Units[i]
		if u.Where != OnMap || u.Hex == before[i] {
			continue
		}
		if u.c.Side == side {
			ways = append(ways, way{before[i], u.Hex})
		}
	}
	slices.SortFunc(ways, func(a, b way) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	other := s.sc.Other(side)
	audience := to(other)
	for _, w := range slices.Compact(ways) {
		// reading WB-95 16.1.1: in a blind game only what is in sight is seen (option fog).
		if !s.sees(other, w.to) {
			continue
		}
		if !s.sees(other, w.from) {
			w.from = hex.None
		}
		e := view.Event{Kind: "seen-moving", To: audience, Hexes: append(s.room.hexes.Take(2), w.from, w.to), Mark: "move", Side: string(side),
			Facts: append(s.room.names.Take(4), "from", w.from.String(), "to", w.to.String())}
		if w.from == hex.None {
			e.Kind, e.Hexes, e.Mark = "seen-arriving", e.Hexes[1:], ""
		}
		tell.tell(e)
	}
}
