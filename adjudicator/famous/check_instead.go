package famous

import (
	"fmt"
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
)

// belowMin warns of an attack that would not be fought as its side knows the defender: the
// odds of it, with the guns that it asks for, are below its MIN.
func (s *State) belowMin(side Side, o attackOrder) string {
	if o.atWill || o.min < 0 {
		return ""
	}
	is, possible := s.prospectOf(side, o)
	if !possible || is.column >= o.min {
		return ""
	}
	return fmt.Sprintf("%d against %d is %s, below its MIN of %s: nothing is fought (GD 10.1). MIN %s would be met", is.attack, is.defence, columns[is.column], columns[o.min], columns[is.column])
}

// prospect is what an attack comes to as its side knows the defender, with the guns that it asks for.
type prospect struct{ attack, defence, column int }

// prospectOf is that of an attack on one hex; possible is false where nobody attacks.
func (s *State) prospectOf(side Side, o attackOrder) (is prospect, possible bool) {
	if o = s.withAll(o); len(o.units) == 0 {
		return is, false
	}
	b := &battle{s: s, side: side, target: o.target, order: o, overrun: o.overrun, units: o.units, where: map[*Unit]hex.Hex{}, defenders: s.on(o.target)}
	if !o.overrun {
		b.guns = slices.Concat(b.raise(o.auto), o.guns)
		if kept := b.kept(); !o.wantsGuns() {
			b.guns = b.raiseOf(kept, len(kept))
		}
	}
	is.attack, is.defence = b.strengths()
	if !s.watches(side, o.target) {
		is.defence = assumedDefence
	}
	is.column = ratio(is.attack, is.defence)
	return is, true
}

// withNearest adds to a refusal without an alternative what its units could do nearest to
// the order.
func (s *State) withNearest(in *instruction, v *rule.Violation) *rule.Violation {
	if v.Instead != "" {
		return v
	}
	says := ""
	switch in.verb {
	case verbAttack, verbOverrun:
		says = s.nearestDeed(in.attack.units, in.attack.target, "attack", s.mayAttack)
	case verbFire:
		says = s.nearestDeed(in.fire.units, in.fire.target, "fire at", s.mayFire)
	case verbBarrage:
		says = s.nearestDeed(in.barrage.guns, in.barrage.target, "shell", s.mayBarrage)
	case verbMove:
		for _, u := range in.move.units {
			if says = s.outOfCommand(u); says != "" {
				break
			}
		}
	}
	if says == "" {
		return v
	}
	told := *v
	told.Instead = says
	return &told
}

// nearestDeed names the enemy nearest to a target that a unit could attack or fire at from
// where it stands, of the first unit that cannot do what the order says.
func (s *State) nearestDeed(units []*Unit, target hex.Hex, deed string, may func(*Unit, hex.Hex) *rule.Violation) string {
	k := slices.IndexFunc(units, func(u *Unit) bool { return may(u, target) != nil })
	if k < 0 {
		return ""
	}
	u := units[k]
	if says := s.outOfCommand(u); says != "" {
		return says
	}
	grid := s.sc.Board.Grid
	best := hex.None
	for e := range s.onMap(s.sc.Other(u.c.Side)) {
		nearer := best == hex.None || grid.Distance(e.Hex, target) < grid.Distance(best, target)
		if nearer && may(u, e.Hex) == nil {
			best = e.Hex
		}
	}
	if best == hex.None {
		return ""
	}
	if !u.onMap() {
		return fmt.Sprintf("%s may %s %v.", u.c.Name, deed, best)
	}
	return fmt.Sprintf("From %v %s may %s %v.", u.Hex, u.c.Name, deed, best)
}

// outOfCommand says by how much a unit is out of the range of the headquarters that
// activates it, or whose chit it waits for.
func (s *State) outOfCommand(u *Unit) string {
	hq := s.unit(s.commander)
	switch {
	case !u.onMap(), hq == nil, !hq.onMap():
		return ""
	case !u.did.active && u.c.Battalion != hq.c.Battalion:
		return fmt.Sprintf("%s belongs to %s: its orders stand below CHIT %s.", u.c.Name, u.c.Battalion, u.c.Battalion)
	case s.inCommand(u):
		return ""
	}
	return fmt.Sprintf("%s on %v is %d hexes from %s on %v, which reaches %d: HQ TO a nearer hex above this line.",
		u.c.Name, u.Hex, s.sc.Board.Grid.Distance(u.Hex, hq.Hex), hq.c.Name, hq.Hex, hq.c.Command)
}
