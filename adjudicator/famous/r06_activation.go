package famous

import (
	"maps"
	"slices"

	"fieldpost/adjudicator/hex"
)

// inCommand tells whether a unit is now within the activation range of the
// headquarters that activated it.
//
// GD 4.0/3: reinforcements are in their first turn
// GD 6.0/8: as all units that come on
func (s *State) inCommand(u *Unit) bool {
	switch {
	case u.did.entered, s.commander == "":
		return true
	}
	return s.inRange(s.unit(s.commander), u)
}

// inRange: ground, enemies and zones do not matter.
//
// GD 6.0/5
func (s *State) inRange(hq, u *Unit) bool {
	if !hq.onMap() {
		return false
	}
	return s.sc.Board.Grid.Distance(hq.Hex, u.Hex) <= hq.c.Command // GD 3.4/3
}

// activation is what a chit activates.
type activation struct {
	side      Side
	battalion string
	by        *Unit   // the headquarters that activates, nil for a battalion that has none
	stack     hex.Hex // the stack of such a battalion that may act; None for all of it
}

// activate marks the units that may act now.
//
// GD 6.0/1
// reading GD 6.0: range counts at the activation, and again at the moment of an attack or shot.
func (s *State) activate(a activation) (out []*Unit) {
	s.commander = ""
	if a.by != nil {
		s.commander = a.by.ID // GD 2.4/1
	}
	for u := range s.army(a.side) {
		if u.Used || u.rides() {
			continue // GD 6.0/7: no unit is activated twice in a turn
		}
		// GD 6.0/15: a headquarters never activates units of another battalion
		if u.c.Battalion != a.battalion && u != a.by {
			continue
		}
		if u.did.active = s.activates(a, u); u.did.active {
			out = append(out, u)
		}
	}
	s.activateRiders()
	return out
}

// activates tells whether an activation reaches a unit of its battalion.
func (s *State) activates(a activation, u *Unit) bool {
	switch u.Where {
	case Later:
		return s.due(u)
	case Beside:
		return true
	case OnMap:
		if a.by != nil {
			// GD 3.4/1: only units in its range may act
			// GD 6.0/3: only they are activated
			return s.inRange(a.by, u)
		}
		return u.Hex == a.stack // GD 6.0/14
	}
	return false
}

// activateRiders: who rides a tank is activated with it.
//
// GD 9.5/3
func (s *State) activateRiders() {
	for i := range s.Units {
		tank := &s.Units[i]
		if !tank.did.active {
			continue
		}
		if r := s.rider(tank); r != nil {
			r.did.active = true
		}
	}
}

// bestStack is the stack of a battalion without headquarters that acts if its
// owner names none: beside an enemy key hex, else the strongest.
func (s *State) bestStack(side Side, battalion string) hex.Hex {
	sums := map[hex.Hex]int{}
	for u := range s.battalion(side, battalion) {
		if u.canAct() {
			sums[u.Hex] += 1 + u.attack() + 100*s.enemyGoalsBeside(u)
		}
	}
	best := hex.None
	for _, h := range slices.Sorted(maps.Keys(sums)) {
		if sums[h] > sums[best] {
			best = h
		}
	}
	return best
}

// enemyGoalsBeside counts the hexes of objectives beside a unit that the enemy holds.
func (s *State) enemyGoalsBeside(u *Unit) (n int) {
	foe := s.sc.Other(u.c.Side)
	for _, o := range s.sc.Objectives {
		for _, h := range o.Hexes {
			n += b2i(s.holder(h) == foe && s.sc.Board.Grid.Adjacent(h, u.Hex))
		}
	}
	return n
}

// chits lists the chits that are in the cup this turn: of battalions with a unit
// on the map or due.
//
// GD 2.0/1: all chits go into one cup
// reading GD 4.0: the chit of reinforcements is in the cup from the turn they are due; they enter when it is drawn.
// reading GD 3.5: a battalion of which its headquarters alone is left is not eliminated.
func (s *State) chits() []string {
	here := map[string]bool{}
	for i := range s.Units {
		u := &s.Units[i]
		// GD 2.5/1: the chit of reinforcements waits until they arrive
		// GD 4.0/2: it is in the cup from their turn on
		// GD 4.0/10: and while they are held back
		// GD 2.4/4: a battalion that has lost its headquarters keeps its chit
		// GD 3.5/3: all chits go back but those of eliminated battalions
		// GD 6.0/12: which are out of the game
		// GD 6.0/13: a battalion with its headquarters alone keeps its chit
		if u.stands() || s.due(u) {
			here[u.key()] = true
		}
	}
	return slices.Sorted(maps.Keys(here))
}
