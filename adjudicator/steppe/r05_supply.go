package steppe

import (
	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// sources are the entry hexes of a side that no enemy unit occupies.
//
// Steppe 5.1/2
func (s *State) sources(side Side) []int16 {
	var out []int16
	for _, i := range s.sc.land.entry[sideIndex(side)] {
		if h := s.holderIx(int(i)); h == "" || h == side {
			out = append(out, i)
		}
	}
	return out
}

// supplied finds the hexes that a supply path of a side reaches, of any length. The
// slice must not be changed.
//
// Steppe 5.1/1
// Steppe 5.1/3
// Steppe 5.1/4
// Steppe 5.1/5
// Steppe 5.1/6
// Steppe 8.0/5
//
// reading Steppe 5.1: a source in an enemy zone of control is a source still; a unit's
// own hex may be in one.
func (s *State) supplied(side Side) []bool {
	k := sideIndex(side)
	if s.reach[k] != nil {
		return s.reach[k]
	}
	l, zone := s.sc.land, s.zones(other(side))
	seen := make([]bool, len(zone))
	queue := make([]int16, 0, len(zone))
	reach := func(i int16) {
		seen[i] = true
		queue = append(queue, i)
	}
	for _, i := range s.sources(side) {
		reach(i)
	}
	for next := 0; next < len(queue); next++ {
		i := int(queue[next])
		for d, j := range l.near[i] {
			if j >= 0 && !seen[j] && !s.shut(int(j), side, zone) && !s.barred(i, hex.Dir(d)) {
				reach(j)
			}
		}
	}
	s.reach[k] = seen
	return seen
}

// shut tells whether a hex is closed to the supply of a side, the zones of control of
// its enemy given. They do not shut a source.
func (s *State) shut(i int, side Side, zone []int8) bool {
	if holder := s.holderIx(i); holder != "" {
		return holder != side
	}
	return zone[i] > 0
}

// linked tells of one hex what supplied finds for all. Nothing is kept: it looks for a
// path from the hex, first where the sources are nearer, and stops at the first.
func (s *State) linked(side Side, i int) bool {
	k := sideIndex(side)
	if s.reach[k] != nil {
		return s.reach[k][i]
	}
	l, zone := s.sc.land, s.zones(other(side))
	source := func(i int) bool { return l.isEntry[k][i] && s.holderIx(i) != other(side) }
	if s.shut(i, side, zone) {
		return source(i)
	}
	seen := make([]bool, len(zone))
	if source(i) {
		return true
	}
	seen[i] = true
	list := make([]int16, 1, 64) // the last is gone on from first
	list[0] = int16(i)
	for len(list) > 0 {
		i := int(list[len(list)-1])
		list = list[:len(list)-1]
		for _, nearer := range []bool{false, true} {
			for d, j := range l.near[i] {
				switch {
				case j < 0 || seen[j] || nearer != (l.afar[k][j] < l.afar[k][i]) || s.barred(i, hex.Dir(d)):
				case source(int(j)):
					return true
				case !s.shut(int(j), side, zone):
					seen[j] = true
					list = append(list, j)
				}
			}
		}
	}
	return false
}

// audit checks the supply of every unit: all on the same map, then all states change,
// then attrition.
//
// Steppe 5.0/1
// Steppe 5.2/1
// Steppe 5.2/2
// Steppe 5.2/3
// Steppe 3.1/15
//
// reading Steppe 5.2: a path at any audit clears the count; the third failed audit in a
// row and each later one cost a step; headquarters are audited too.
func (s *State) audit(r *adjudicator.Run) {
	reach := map[Side][]bool{German: s.supplied(German), Soviet: s.supplied(Soviet)}
	var starved []*Unit
	for i := range s.Units {
		u := &s.Units[i]
		if u.Where != OnMap {
			continue
		}
		was := u.Cut
		if reach[u.c.Side][s.ix(u.Hex)] {
			u.Cut = 0
		} else if u.Cut++; u.Cut >= 3 {
			starved = append(starved, u)
		}
		if u.Cut != was && u.Cut < 3 {
			r.Tell(view.Event{Kind: "supply", Clause: "Steppe 5.2", Hexes: []hex.Hex{u.Hex}, Side: string(u.c.Side),
				Facts: map[string]string{"unit": u.c.Name, "hex": s.spot(u.Hex), "state": supplyWords(u.Cut)}})
		}
	}
	for _, u := range starved {
		r.Tell(view.Event{Kind: "attrition", Clause: "Steppe 5.2", Hexes: []hex.Hex{u.Hex}, Side: string(u.c.Side), Facts: map[string]string{"unit": u.c.Name, "hex": s.spot(u.Hex)}})
		s.loseStep(r, u)
	}
}

// supplyWords is the state of supply in words.
func supplyWords(cut int) string {
	switch cut {
	case 0:
		return "in supply"
	case 1:
		return "Low Supply"
	}
	return "Out of Supply"
}

// attack is the unit's Attack Strength as it is supplied; each unit is halved for
// itself.
//
// Steppe 5.2/4
// Steppe 5.2/6
func (u *Unit) attack() int {
	a := u.face().Attack
	switch {
	case !u.combat():
		return 0
	case u.Cut == 1:
		return (a + 1) / 2
	case u.Cut >= 2:
		return a / 2
	}
	return a
}

// defence is the unit's Defense Strength as it is supplied.
//
// Steppe 5.2/6
func (u *Unit) defence() int {
	if u.Cut >= 2 {
		return u.face().Defence / 2
	}
	return u.face().Defence
}

// support is the number of artillery markers of a headquarters.
//
// Steppe 5.2/9
// Steppe 2.4/6
func (u *Unit) support() int {
	if u.Cut >= 2 {
		return 0
	}
	return u.c.Artillery
}

// allowance is the movement points of a unit; oneHex: it may only move one hex.
//
// Steppe 3.1/10
// Steppe 3.1/11
// Steppe 5.2/5
// Steppe 5.2/7
// Steppe 5.2/8
// Steppe 9.1/5
//
// reading Steppe 9.1: Out of Supply in mud is one hex (5.2), not a quarter; the quarter
// is Low Supply in mud.
func (s *State) allowance(u *Unit) (mp int, oneHex bool) {
	mp = u.face().Moves
	wheels := u.c.Motorized || u.c.Mech || u.c.Type == HQ
	if s.Ground == mud {
		if u.c.Side == Soviet {
			mp++
		}
		mp /= 2
	}
	switch {
	case !wheels || u.Cut == 0:
	case u.Cut >= 2 && s.Ground == mud:
		return 1, true
	case u.Cut >= 2, s.Ground == mud:
		mp = (mp + 1) / 2
	}
	return mp, false
}
