package famous

import (
	"iter"

	"fieldpost/adjudicator/hex"
)

// army are the units of a side, wherever they are, in order of id.
func (s *State) army(side Side) iter.Seq[*Unit] {
	n := int8(s.sc.number(side))
	if side != s.sc.Sides[n] {
		n = -1 // nobody's
	}
	return func(yield func(*Unit) bool) {
		for i := range s.Units {
			if u := &s.Units[i]; u.c.side == n && !yield(u) {
				return
			}
		}
	}
}

// onMap are the units of a side on the map, in order of id.
func (s *State) onMap(side Side) iter.Seq[*Unit] {
	n := int8(s.sc.number(side))
	return func(yield func(*Unit) bool) {
		for i := range s.Units {
			u := &s.Units[i]
			if u.c.side != n || u.Where != OnMap {
				continue
			}
			if !yield(u) {
				return
			}
		}
	}
}

// battalion are the units of a battalion, wherever they are, in order of id.
func (s *State) battalion(side Side, name string) iter.Seq[*Unit] {
	return func(yield func(*Unit) bool) {
		for u := range s.army(side) {
			if u.c.Battalion == name && !yield(u) {
				return
			}
		}
	}
}

// anyOf tells whether one of some units is such a one.
func anyOf(units iter.Seq[*Unit], such func(*Unit) bool) bool {
	for u := range units {
		if such(u) {
			return true
		}
	}
	return false
}

func (u *Unit) onMap() bool { return u.Where == OnMap }

// stands: on the map, or beside it as artillery may.
func (u *Unit) stands() bool {
	switch u.Where {
	case OnMap, Beside:
		return true
	}
	return false
}

// outOfPlay: eliminated, or led off the map.
func (u *Unit) outOfPlay() bool {
	switch u.Where {
	case Gone, Exited:
		return true
	}
	return false
}

// rides tells whether the unit is carried by a tank.
func (u *Unit) rides() bool { return u.Aboard != "" }

// fights: a combat unit, no headquarters, not riding.
func (u *Unit) fights() bool { return !u.c.HQ && !u.rides() }

// canAct: on the map, and on its own feet or wheels.
func (u *Unit) canAct() bool { return u.onMap() && !u.rides() }

// isGun: its artillery supports combats and fires barrages.
func (u *Unit) isGun() bool { return u.c.Artillery > 0 }

// depleted: turned over to its weaker figures.
//
// GD 2.3/3
func (u *Unit) depleted() bool { return u.c.TwoSteps && u.Steps < 2 }

// Supply Phases in a row without a path.
const (
	lowSupply   = 1
	outOfSupply = 2
	starving    = 3
)

// outOfSupply: for the second phase in a row, or longer.
//
// GD 5.3/2
func (u *Unit) outOfSupply() bool { return u.Unsupplied >= outOfSupply }

// combatants are those of some units that fight for the hex they share: no riders, and
// headquarters only if nobody else is there.
func combatants(us []*Unit) []*Unit {
	var fighters, hqs []*Unit
	for _, u := range us {
		switch {
		case u.rides():
		case u.c.HQ:
			hqs = append(hqs, u)
		default:
			fighters = append(fighters, u)
		}
	}
	if len(fighters) > 0 {
		return fighters
	}
	return hqs
}

// left is what a unit still has of its allowance.
func (s *State) left(u *Unit) Cost { return s.allowance(u) - u.did.spent }

// enemyOn tells whether the enemy of a side holds a hex, by index.
func (s *State) enemyOn(i int, side int8) bool { return s.holds(i) == int(1-side) }

// carry moves a unit to a hex, with whoever rides on it.
func (s *State) carry(u *Unit, h hex.Hex) {
	rider := s.rider(u)
	s.put(u, h)
	if rider != nil {
		s.put(rider, h)
	}
}
