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
		if s.holderIx(int(i)) != other(side) {
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
			if j < 0 || seen[j] {
				continue
			}
			if s.shut(int(j), side, zone) || s.barred(i, hex.Dir(d)) {
				continue // Steppe 5.1/6
			}
			reach(j)
		}
	}
	s.reach[k] = seen
	return seen
}

// shut tells whether a hex is closed to the supply of a side, the zones of control of
// its enemy given. They shut neither a source nor a hex that a friendly unit holds.
//
// Steppe 5.1/5
func (s *State) shut(i int, side Side, zone []int8) bool {
	if holder := s.holderIx(i); holder != "" {
		return holder != side // Steppe 5.1/4
	}
	return zone[i] > 0 // Steppe 8.0/5
}

// linked tells of one hex what supplied finds for all. Nothing is kept: it looks for a
// path from the hex, first where the sources are nearer, and stops at the first.
func (s *State) linked(side Side, i int) bool {
	k := sideIndex(side)
	if s.reach[k] != nil {
		return s.reach[k][i]
	}
	if s.isSource(i, side) {
		return true
	}
	l, zone := s.sc.land, s.zones(other(side))
	if s.shut(i, side, zone) {
		return false
	}
	seen := make([]bool, len(zone))
	seen[i] = true
	list := make([]int16, 1, 64) // the last is gone on from first
	list[0] = int16(i)
	for len(list) > 0 {
		i := int(list[len(list)-1])
		list = list[:len(list)-1]
		for _, nearer := range []bool{false, true} {
			for d, j := range l.near[i] {
				if j < 0 || seen[j] || nearer != (l.afar[k][j] < l.afar[k][i]) {
					continue
				}
				switch {
				case s.barred(i, hex.Dir(d)):
				case s.isSource(int(j), side):
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

// isSource tells whether a hex is a source of supply of a side.
func (s *State) isSource(i int, side Side) bool {
	return s.sc.land.isEntry[sideIndex(side)][i] && s.holderIx(i) != other(side)
}

// The states of supply, as Unit.Cut counts them.
const (
	lowSupply   = 1
	outOfSupply = 2
	starving    = 3
)

// audit checks the supply of every unit: all on the same map, then all states change,
// then attrition. The ground is still that of the turn.
//
// Steppe 5.0/1
// Steppe 3.1/15
//
// reading Steppe 5.2: a path at any audit clears the count; the third failed audit in a
// row and each later one cost a step; headquarters are audited too.
func (s *State) audit(r *adjudicator.Run) {
	reach := map[Side][]bool{German: s.supplied(German), Soviet: s.supplied(Soviet)}
	var starved []*Unit
	for u := range s.onMap() {
		was := u.Cut
		if reach[u.c.Side][s.ix(u.Hex)] {
			u.Cut = 0
		} else {
			// The first failed audit is Low Supply, the second Out of Supply.
			//
			// Steppe 5.2/1
			// Steppe 5.2/2
			u.Cut++
		}
		switch {
		case u.Cut >= starving:
			starved = append(starved, u)
		case u.Cut != was:
			r.Tell(view.Event{Kind: "supply", Clause: "Steppe 5.2", Hexes: []hex.Hex{u.Hex}, Side: string(u.c.Side),
				Facts: view.Pairs{"unit", u.c.Name, "hex", s.spot(u.Hex), "state", supplyWords(u.Cut)}})
		}
	}
	for _, u := range starved {
		r.Tell(view.Event{Kind: "attrition", Clause: "Steppe 5.2", Hexes: []hex.Hex{u.Hex}, Side: string(u.c.Side),
			Facts: view.Pairs{"unit", u.c.Name, "hex", s.spot(u.Hex)}})
		s.loseStep(r, u) // Steppe 5.2/3
	}
}

// supplyWords is the state of supply in words.
func supplyWords(cut int) string {
	switch cut {
	case 0:
		return "in supply"
	case lowSupply:
		return "Low Supply"
	}
	return "Out of Supply"
}

// attack is the unit's Attack Strength as it is supplied; each unit is halved for
// itself.
func (u *Unit) attack() int {
	a := u.face().Attack
	switch u.Cut {
	case 0:
		return a
	case lowSupply: // Steppe 5.2/4
		return (a + 1) / 2
	}
	return a / 2 // Steppe 5.2/6
}

// defence is the unit's Defense Strength as it is supplied.
//
// Steppe 5.2/6
func (u *Unit) defence() int {
	if u.Cut >= outOfSupply {
		return u.face().Defence / 2
	}
	return u.face().Defence
}

// support is the number of artillery markers of a headquarters: its batteries are no
// pieces of their own.
//
// Steppe 2.4/6
func (u *Unit) support() int {
	if u.Cut >= outOfSupply {
		return 0 // Steppe 5.2/9
	}
	return u.c.Artillery
}

// allowance is the movement points of a unit. One point is one hex, whatever it costs.
//
// Steppe 9.1/5
//
// reading Steppe 9.1: Out of Supply in mud is one hex (5.2), not a quarter; the quarter
// is Low Supply in mud.
func (s *State) allowance(u *Unit) int {
	mp := u.face().Moves
	if s.Ground == mud {
		mp = halvedByMud(u.c.Side, mp)
	}
	switch {
	case u.Cut == 0, !u.wheels():
		return mp
	case s.Ground != mud:
		if u.Cut >= outOfSupply {
			mp = (mp + 1) / 2 // Steppe 5.2/7
		}
		return mp
	case u.Cut >= outOfSupply: // Steppe 5.2/8
		return 1
	}
	return (mp + 1) / 2 // Steppe 5.2/5
}

// halvedByMud: Germans drop the fraction, Soviets keep it.
//
// Steppe 3.1/10
// Steppe 3.1/11
func halvedByMud(side Side, mp int) int {
	if side == Soviet {
		mp++
	}
	return mp / 2
}

// wheels tells whether lack of supply slows a unit: mechanized and motorized ones and
// headquarters.
func (u *Unit) wheels() bool { return !u.combat() || u.fast() }
