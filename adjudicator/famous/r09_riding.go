package famous

import (
	"cmp"
	"fmt"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// afford takes points from a unit's allowance, or says that it has too few.
func (s *State) afford(u *Unit, c Cost, clause rule.Clause) *rule.Violation {
	v := s.short(u, c, clause)
	if v == nil {
		u.pay(c)
	}
	return v
}

// short says that a unit has too few points left, if so.
func (s *State) short(u *Unit, c Cost, clause rule.Clause) *rule.Violation {
	if left := s.left(u); left < c {
		return &rule.Violation{Clause: clause, Why: fmt.Sprintf("%s has %s left and needs %s", u.c.Name, points(left), points(c))}
	}
	return nil
}

func (u *Unit) pay(c Cost) { u.did.spent += c }

// mount puts a leg unit on a tank.
//
// GD 9.5/1: a leg unit on a tracked one, of any battalion
// GD 9.6/12: a debarked unit is a leg unit
// reading GD 9.5: a tank carries one unit; a rider of another battalion must not have been activated this turn, and counts as activated with the tank.
func (s *State) mount(u, tank *Unit) *rule.Violation {
	no := func(f string, a ...any) *rule.Violation {
		return &rule.Violation{Clause: "GD 9.5", Why: fmt.Sprintf(f, a...)}
	}
	if s.mayJoin(u, tank) {
		u.did.active = tank.did.active // GD 9.5/3: the rider is activated with its tank
	}
	for _, v := range []*Unit{u, tank} {
		if bad := s.mayMoveStopped(v); bad != nil {
			return bad
		}
	}
	switch {
	case tank.c.Class != Tracked:
		return no("%s is not a tracked unit", tank.c.Name)
	case u.class() != Leg:
		return no("%s is not a leg unit", u.c.Name)
	case u.Hex != tank.Hex:
		return no("%s and %s are not in one hex", u.c.Name, tank.c.Name)
	case s.rider(tank) != nil:
		return no("%s carries a unit already", tank.c.Name)
	}
	// GD 9.5/2: both pay a point
	if v := cmp.Or(s.short(u, One, "GD 9.5"), s.short(tank, One, "GD 9.5")); v != nil {
		return v
	}
	u.pay(One)
	tank.pay(One)
	s.project(u, -1)
	u.Aboard, u.Used = tank.ID, true // GD 9.5/4: from now on it goes where the tank goes
	u.did.stopped, u.did.started, tank.did.started = true, true, true
	return nil
}

// mayJoin: a unit that has not been activated this turn acts with a tank of its side.
func (s *State) mayJoin(u, tank *Unit) bool {
	idle := !u.did.active && !u.Used
	return idle && u.onMap() && u.c.side == tank.c.side
}

// mayMoveStopped is mayMove, but for units that stand in a stack that has moved
// there to mount.
func (s *State) mayMoveStopped(u *Unit) *rule.Violation {
	was := u.did.stopped
	if was {
		u.did.stopped = s.threatened(max(0, u.idx), u.c.side)
	}
	v := s.mayMove(u)
	u.did.stopped = was
	if v == nil {
		u.did.stopped = false
	}
	return v
}

// dismount takes a rider off its tank. Each pays a point.
//
// GD 9.5/9
// GD 9.5/10: it draws no opportunity fire
func (s *State) dismount(u *Unit) *rule.Violation {
	tank := s.unit(u.Aboard)
	if tank == nil {
		return &rule.Violation{Clause: "GD 9.5", Why: u.c.Name + " rides on no tank"}
	}
	if !tank.did.active {
		return &rule.Violation{Clause: "GD 9.5", Why: tank.c.Name + " is not activated"}
	}
	u.Aboard = ""
	fits := s.fits(u.idx)
	u.Aboard = tank.ID
	if !fits {
		return &rule.Violation{Clause: "GD 7.1", Why: fmt.Sprintf("%v has no room for %s", u.Hex, u.c.Name)}
	}
	// In games begun before the third version a rider got off without a point left.
	if v := s.short(u, One, "GD 9.5"); v != nil && !s.sc.before(3) {
		return v
	}
	if v := s.afford(tank, One, "GD 9.5"); v != nil {
		return v
	}
	u.pay(One)
	s.jumpOff(u)
	u.did.active = true
	// GD 9.5/13: on its way the tank goes on without it
	if tank.did.last && !s.threatened(tank.idx, tank.c.side) {
		tank.did.stopped = false
	}
	return nil
}

// jumpOff ends the ride.
func (s *State) jumpOff(u *Unit) {
	u.Aboard = ""
	s.project(u, 1)
}

// pin stops a unit that was hit while it moved, and whoever rode on it when it was.
//
// GD 11.3/18
func (s *State) pin(u, rider *Unit) {
	s.news(u.c.Side, newsPinned)
	if u.onMap() {
		u.Pinned, u.did.stopped = true, true
	}
	// GD 9.5/8: its rider is pinned too, and jumps off
	if rider != nil && rider.onMap() {
		rider.Pinned, rider.did.stopped = true, true
		if rider.rides() {
			s.jumpOff(rider)
		}
	}
}

// debark puts a wheeled unit on foot for half its printed allowance; then it has
// four points of its own.
//
// reading GD 9.6: whoever has less than half the printed allowance before the first step, as on a rainy night, cannot debark.
// GD 9.6/16: who has embarked in the same activation may
func (s *State) debark(r *adjudicator.Run, u *Unit) *rule.Violation {
	if v := s.mayMoveStopped(u); v != nil {
		return v // GD 9.6/2: a pinned unit does not debark
	}
	switch {
	case u.c.Class != Wheeled:
		// GD 9.6/1: wheeled units go on foot
		// GD 9.6/13: tracked ones do not
		return &rule.Violation{Clause: "GD 9.6", Why: u.c.Name + " is not a wheeled unit"}
	case u.Debarked:
		return &rule.Violation{Clause: "GD 9.6", Why: u.c.Name + " is on foot already"}
	case u.did.spent > u.printed()/2: // GD 9.6/8
		return &rule.Violation{Clause: "GD 9.6", Why: fmt.Sprintf("%s has spent %s, more than half its allowance", u.c.Name, points(u.did.spent))}
	}
	// GD 9.6/3: it costs half the allowance printed on the counter
	// GD 9.6/14: which night, weather and supply may have left it without
	if v := s.afford(u, u.printed()/2, "GD 9.6"); v != nil {
		return v
	}
	// GD 9.6/7: the points on foot may be used at once
	u.Debarked, u.Road = true, false
	u.did.started, u.did.spent = true, 0
	if r != nil {
		r.Tell(view.Event{Kind: "debark", Clause: "GD 9.6", To: []string{string(u.c.Side)}, Hexes: []hex.Hex{u.Hex}, Facts: view.Pairs{"unit", u.c.Name, "hex", u.Hex.String()}})
		// GD 9.6/4: for opportunity fire it is movement
		s.fireUpon(r, &march{s: s, r: r, units: []*Unit{u}, path: []hex.Hex{u.Hex}}, u.Hex)
	}
	return nil
}

// embark puts a unit back on its wheels, at the start of a later activation.
//
// GD 9.6/9
//
// reading GD 9.6: to embark costs nothing and comes before the first step: the book asks no price for it and gives the unit its whole allowance afterwards.
func (s *State) embark(u *Unit) *rule.Violation {
	ridden := u.Aboard
	u.Aboard = "" // who rides may embark too
	v := s.mayMove(u)
	u.Aboard = ridden
	if v != nil {
		return v
	}
	switch {
	case !u.Debarked:
		return &rule.Violation{Clause: "GD 9.6", Why: u.c.Name + " is not on foot"}
	case u.did.started: // GD 9.6/11: nobody debarks and embarks in one activation
		return &rule.Violation{Clause: "GD 9.6", Why: u.c.Name + " embarks only at the start of a later activation"}
	case u.outOfSupply(): // GD 9.6/10
		return &rule.Violation{Clause: "GD 9.6", Why: u.c.Name + " is out of supply"}
	case s.sc.ground[u.idx].price[Wheeled].Closed:
		return &rule.Violation{Clause: "GD 9.6", Why: fmt.Sprintf("%v is closed to wheels", u.Hex)}
	}
	u.Debarked = false
	if u.rides() {
		s.jumpOff(u) // GD 9.6/15: on its own wheels it rides no longer
	}
	return nil
}
