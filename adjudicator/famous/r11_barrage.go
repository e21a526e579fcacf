package famous

import (
	"fmt"
	"math/bits"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// barrage fires the guns' barrages at a hex.
func (s *State) barrage(r *adjudicator.Run, o barrageOrder) (fired bool) {
	asked := o.guns
	if o = s.withAllGuns(o); len(o.guns) == 0 {
		s.skip(r, o.text, s.noGun(asked, o.target))
		return false
	}
	for _, u := range o.guns { // GD 11.2/13: each rolls for itself
		if v := s.mayBarrage(u, o.target); v != nil {
			s.skip(r, o.text, v)
			continue
		}
		u.Fired, u.did.barraged, u.did.started, u.did.stopped = true, true, true, true // GD 11.2/16
		s.shell(r, u, o.target)
		fired = true
	}
	return fired
}

// withAllGuns is a barrage WITH ALL by the guns that can fire it now.
func (s *State) withAllGuns(o barrageOrder) barrageOrder {
	if o.all {
		o.guns = slices.DeleteFunc(slices.Clone(o.guns), func(u *Unit) bool { return s.mayBarrage(u, o.target) != nil })
	}
	return o
}

// mayBarrage tells why a gun may not fire a barrage.
//
// GD 11.2/1
func (s *State) mayBarrage(u *Unit, target hex.Hex) *rule.Violation {
	side := u.c.Side
	switch {
	case !u.did.active:
		return &rule.Violation{Clause: "GD 11.2", Why: u.c.Name + " is not activated"}
	case u.onMap() && !s.inCommand(u):
		return &rule.Violation{Clause: "GD 6.0", Why: u.c.Name + " is out of its headquarters' activation range"}
	}
	if v := s.maySupport(u, target); v != nil {
		return v
	}
	switch {
	case s.holder(target) != s.sc.Other(side):
		return &rule.Violation{Clause: "GD 11.2", Why: fmt.Sprintf("no enemy stands on %v", target)}
	case !s.observed(side, target):
		return &rule.Violation{Clause: "GD 11.2", Why: fmt.Sprintf("no unit observes %v", target), Instead: "Some unit must see the hex from at most ten hexes, at night from beside it."}
	case s.tooFarAtNight(u, target):
		return &rule.Violation{Clause: "GD 11.2", Why: u.c.Name + " is not beside the hex, and it is night"}
	}
	return nil
}

// tooFarAtNight: by a switch of the rules guns too must be beside their target at night.
func (s *State) tooFarAtNight(u *Unit, target hex.Hex) bool {
	if !s.sc.Switches.NightGunAdjacent || !s.night() {
		return false
	}
	return s.gunDistance(u, target) > 1
}

// observed tells whether any unit of a side sees an enemy hex: from ten hexes, at
// night from beside it.
//
// GD 11.2/2
// reading GD 11.2: at night the observer must stand beside the target, wherever the gun is: the
// sentence is about observation (switch night_barrage_gun_adjacent).
func (s *State) observed(side Side, target hex.Hex) bool {
	t, night := s.sc.Board.Grid.Index(target), s.night()
	for u := range s.onMap(side) {
		if night && !s.sc.Board.Grid.Adjacent(u.Hex, target) {
			continue // GD 11.2/3
		}
		if s.sc.sees(u.idx, t) {
			return true
		}
	}
	return false
}

// shell throws the dice of one gun: three, more together than the distance, and
// equal ones among them do harm.
//
// GD 10.3/21: no event chits are drawn, nor for direct fire
func (s *State) shell(r *adjudicator.Run, u *Unit, target hex.Hex) {
	label := s.label("barrage %s %v", u.c.Name, target)
	dice := r.Roll("GD 11.2", label, 3, 6)
	dist := s.gunDistance(u, target)
	hit, harm := barrageHarm(dice, dist)
	s.reveal(s.sc.Other(u.c.Side), []*Unit{u})
	r.Tell(view.Event{Kind: "barrage", Clause: "GD 11.2", Hexes: []hex.Hex{target, s.gunHex(u)}, Mark: "fire", Side: string(u.c.Side), Rolls: []string{label},
		Facts: view.Pairs{"unit", u.c.Name, "hex", target.String(), "dice", diceText(dice), "label", label, "distance", fmt.Sprint(dist), "hit", yesNo(hit), "harm", fmt.Sprint(harm)}})
	s.suffer(r, target, harm)
}

// barrageHarm is how many units suffer.
func barrageHarm(dice []int, distance int) (hit bool, harm int) {
	// GD 11.2/8: three dice above the distance hit
	// GD 11.2/12: equal to it they miss
	if dice[0]+dice[1]+dice[2] <= distance {
		return false, 0
	}
	switch different(dice) {
	case 1:
		return true, 2 // GD 11.2/9: three equal dice
	case 2:
		return true, 1 // GD 11.2/10: two equal dice
	}
	return true, 0 // GD 11.2/11
}

// different counts the numbers that some dice show.
func different(dice []int) int {
	var shown uint8
	for _, n := range dice {
		shown |= 1 << n
	}
	return bits.OnesCount8(shown)
}

// suffer takes casualties of one barrage from a hex; the owner chooses.
//
// GD 9.5/11
func (s *State) suffer(r *adjudicator.Run, target hex.Hex, harm int) {
	side := s.holder(target)
	hit := map[*Unit]bool{}
	alone := s.aloneOn(target)
	for range harm {
		able := s.exposed(target, hit)
		able = slices.DeleteFunc(able, func(u *Unit) bool { return s.safe(u) && u.Steps == 1 })
		if len(able) == 0 {
			return // GD 11.2/19
		}
		u := s.chooseLoss(r, side, able, false, loss{"GD 11.2", "barrage"})
		hit[u] = true
		whole := alone && harm == 2 && !s.safe(u) // GD 11.2/20: one alone is eliminated
		s.lose(r, u, whole, "barrage")
	}
}

// aloneOn tells whether a single unit stands on a hex, headquarters counted; a tank and
// its rider are one.
//
// reading GD 11.2: a headquarters on the hex of a company suffers nothing from a barrage, but the
// company is not alone with it.
func (s *State) aloneOn(h hex.Hex) bool {
	return len(slices.DeleteFunc(s.on(h), (*Unit).rides)) == 1
}

// exposed are the units on a hex that the barrage may hit and has not hit. A headquarters
// suffers only if nobody else is there.
func (s *State) exposed(target hex.Hex, hit map[*Unit]bool) []*Unit {
	us := slices.DeleteFunc(combatants(s.on(target)), func(u *Unit) bool { return hit[u] })
	if len(hit) > 0 {
		us = slices.DeleteFunc(us, func(u *Unit) bool { return u.c.HQ })
	}
	return us
}

// safe: one barrage never eliminates the unit.
func (s *State) safe(u *Unit) bool {
	// GD 11.2/17: a tracked one
	// GD 11.2/18: one in the hex of a bunker or trench
	return u.c.Class == Tracked || s.sheltered(u.idx)
}
