package famous

import (
	"fmt"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// barrage fires a gun's barrage at a hex. The Violation says why it does not fire.
//
// GD 10.3/21
// GD 11.2/1
// GD 11.2/8
// GD 11.2/9
// GD 11.2/10
// GD 11.2/11
// GD 11.2/12
// GD 11.2/13
// GD 11.2/16
func (s *State) barrage(r *adjudicator.Run, o barrageOrder) *rule.Violation {
	for _, u := range o.guns {
		if v := s.mayBarrage(u, o.target); v != nil {
			if len(o.guns) == 1 {
				return v
			}
			s.skip(r, o.text, v)
			continue
		}
		u.Fired, u.barraged, u.started, u.stopped = true, true, true, true
		s.shell(r, u, o.target)
	}
	return nil
}

// mayBarrage tells why a gun may not fire a barrage.
//
// GD 5.3/8
// GD 11.2/1
// GD 11.2/3
func (s *State) mayBarrage(u *Unit, target hex.Hex) *rule.Violation {
	side := u.c.Side
	switch {
	case !u.active:
		return &rule.Violation{Clause: "GD 11.2", Why: u.c.Name + " is not activated"}
	case u.fought:
		return &rule.Violation{Clause: "GD 11.2", Why: u.c.Name + " has attacked"}
	case u.Where == OnMap && !s.inCommand(u):
		return &rule.Violation{Clause: "GD 6.0", Why: u.c.Name + " is out of its headquarters' activation range"}
	}
	if v := s.maySupport(u, target, false); v != nil {
		return v
	}
	switch {
	case s.holder(target) != s.sc.Other(side):
		return &rule.Violation{Clause: "GD 11.2", Why: fmt.Sprintf("no enemy stands on %v", target)}
	case !s.observed(side, target):
		return &rule.Violation{Clause: "GD 11.2", Why: fmt.Sprintf("no unit observes %v", target), Instead: "Some unit must see the hex from at most ten hexes, at night from beside it."}
	case s.part().Name == "Night" && s.sc.Switches.NightGunAdjacent && s.gunDistance(u, target) > 1:
		return &rule.Violation{Clause: "GD 11.2", Why: u.c.Name + " is not beside the hex, and it is night"}
	}
	return nil
}

// observed tells whether any unit of a side sees an enemy hex: from ten hexes, at
// night from beside it.
//
// GD 11.2/2
// GD 11.2/3
// reading GD 11.2: at night the observer must stand beside the target, wherever the gun is.
func (s *State) observed(side Side, target hex.Hex) bool {
	n, t := int8(s.sc.number(side)), s.sc.Board.Grid.Index(target)
	night := s.part().Name == "Night"
	for i := range s.Units {
		u := &s.Units[i]
		if u.Where != OnMap || u.c.side != n || !s.sc.sees(u.idx, t) {
			continue
		}
		if !night || s.sc.Board.Grid.Adjacent(u.Hex, target) {
			return true
		}
	}
	return false
}

// shell throws the dice of one gun: three, more together than the distance, and
// equal ones among them do harm.
func (s *State) shell(r *adjudicator.Run, u *Unit, target hex.Hex) {
	label := s.label("barrage %s %v", u.c.Name, target)
	dice := r.Roll("GD 11.2", label, 3, 6)
	dist := s.gunDistance(u, target)
	hit, harm := barrageHarm(dice, dist)
	s.reveal(s.sc.Other(u.c.Side), []*Unit{u})
	from := u.Hex
	if u.Where == Beside {
		from = s.sc.Off.Hex
	}
	r.Tell(view.Event{Kind: "barrage", Clause: "GD 11.2", Hexes: []hex.Hex{target, from}, Mark: "fire", Side: string(u.c.Side), Rolls: []string{label},
		Facts: map[string]string{"unit": u.c.Name, "hex": target.String(), "dice": diceText(dice), "label": label, "distance": fmt.Sprint(dist), "hit": yesNo(hit), "harm": fmt.Sprint(harm)}})
	s.suffer(r, target, harm)
}

// barrageHarm is how many units suffer.
func barrageHarm(dice []int, distance int) (hit bool, harm int) {
	if dice[0]+dice[1]+dice[2] <= distance {
		return false, 0
	}
	switch {
	case dice[0] == dice[1] && dice[1] == dice[2]:
		return true, 2
	case dice[0] == dice[1], dice[1] == dice[2], dice[0] == dice[2]:
		return true, 1
	}
	return true, 0
}

// suffer takes casualties of one barrage from a hex; the owner chooses. A tracked
// unit, or any in the hex of a bunker or trench, is never eliminated by it.
//
// GD 9.5/11
// GD 11.2/17
// GD 11.2/18
// GD 11.2/19
func (s *State) suffer(r *adjudicator.Run, target hex.Hex, harm int) {
	i := s.sc.Board.Grid.Index(target)
	side := s.holder(target)
	hitUnits := map[*Unit]bool{}
	for n := 0; n < harm; n++ {
		us := slices.DeleteFunc(s.on(target), func(u *Unit) bool { return u.Aboard != "" || hitUnits[u] })
		if fighters := slices.DeleteFunc(slices.Clone(us), func(u *Unit) bool { return u.c.HQ }); len(fighters) > 0 {
			us = fighters
		} else if len(hitUnits) > 0 {
			us = nil // a headquarters suffers only alone
		}
		alone := len(us) == 1 && n == 0 && harm == 2
		safe := func(u *Unit) bool { return u.c.Class == Tracked || s.sheltered(i) }
		us = slices.DeleteFunc(us, func(u *Unit) bool { return safe(u) && u.Steps == 1 })
		if len(us) == 0 {
			return
		}
		u := s.chooseLoss(r, side, us, false, "barrage")
		hitUnits[u] = true
		s.lose(r, u, alone && !safe(u), "barrage")
	}
}
