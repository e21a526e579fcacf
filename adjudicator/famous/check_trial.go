package famous

import (
	"cmp"
	"fmt"
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
)

// trial does an order without dice and says how it is understood.
func (s *State) trial(p *parser, in *instruction) (string, *rule.Violation) {
	switch in.verb {
	case verbPass, verbHold, verbStack:
		return "noted", nil
	case verbAsk:
		return in.Understood(), nil
	case verbBarrage:
		return s.tryBarrage(in.barrage)
	case verbFire:
		return s.tryFire(in.fire, p.side)
	case verbSupport:
		return s.tryKeeping(in)
	case verbAttack, verbOverrun:
		return s.weigh(p.side, in.attack)
	}
	if in.late {
		return s.tryDemolition(in.work)
	}
	before := map[*Unit]Cost{}
	for _, u := range in.move.units {
		before[u] = u.did.spent
	}
	if v := s.doMove(nil, p, in); v != nil {
		return "", v
	}
	if len(in.move.units) == 0 {
		return "noted", nil
	}
	u := in.move.units[0]
	text := fmt.Sprintf("%s of %s", points(u.did.spent-before[u]), points(s.allowance(u)))
	if !u.onMap() {
		return text, nil
	}
	text = fmt.Sprintf("to %s, %s", s.describeHex(u.Hex), text)
	if s.threatened(u.idx, u.c.side) {
		text += ", " + inEnemyZone
	}
	return text, nil
}

// noGun says that none of the guns can shell a hex, and why the nearest one cannot.
func (s *State) noGun(guns []*Unit, target hex.Hex) *rule.Violation {
	none := &rule.Violation{Clause: "GD 11.2", Why: fmt.Sprintf("no gun of the chit can shell %v", target)}
	guns = slices.DeleteFunc(slices.Clone(guns), func(u *Unit) bool { return !u.isGun() })
	if len(guns) == 0 {
		return none
	}
	grid := s.sc.Board.Grid
	nearest := slices.MinFunc(guns, func(a, b *Unit) int {
		return cmp.Compare(grid.Distance(a.Hex, target), grid.Distance(b.Hex, target))
	})
	if why := s.mayBarrage(nearest, target); why != nil {
		none.Why += ": " + why.Why
		none.Instead = why.Instead
	}
	return none
}

func (s *State) tryBarrage(o barrageOrder) (string, *rule.Violation) {
	asked := o.guns
	if o = s.withAllGuns(o); len(o.guns) == 0 {
		return "", s.noGun(asked, o.target)
	}
	for _, u := range o.guns {
		if v := s.mayBarrage(u, o.target); v != nil {
			return "", v
		}
		u.Fired, u.did.barraged, u.did.stopped = true, true, true
	}
	return fmt.Sprintf("range %d, three dice above it hit", s.gunDistance(o.guns[0], o.target)), nil
}

// tryKeeping judges that guns are kept for a battalion.
func (s *State) tryKeeping(in *instruction) (string, *rule.Violation) {
	for _, u := range in.units {
		if v := s.mayBeKept(u); v != nil {
			return "", v
		}
	}
	for _, u := range in.units {
		u.KeptFor = in.keptFor
	}
	return "kept for the attacks of " + in.keptFor + " in this turn", nil
}

func (s *State) tryFire(o fireOrder, side Side) (string, *rule.Violation) {
	if o.anywhere {
		n := 0
		for u, _ := s.bestShot(side, o.prefer); u != nil; u, _ = s.bestShot(side, o.prefer) {
			u.did.shot, u.did.stopped = true, true
			n++
		}
		return fmt.Sprintf("each at whom it has the best chance to harm; %d could fire as things stand", n), nil
	}
	for _, u := range o.units {
		if v := s.mayFire(u, o.target); v != nil {
			return "", v
		}
		u.did.shot, u.did.stopped = true, true
	}
	return fmt.Sprintf("range %d", s.sc.Board.Grid.Distance(o.units[0].Hex, o.target)), nil
}

// tryDemolition judges a demolition below an attack: where the engineer then stands, and
// who then threatens it, nobody knows.
func (s *State) tryDemolition(o workOrder) (string, *rule.Violation) {
	if v := cmp.Or(s.engineerAble(o.unit, "GD 12.0"), s.demolishable(o)); v != nil {
		return "", v
	}
	o.unit.did.worked = true
	return "when the fighting above it is over", nil
}

// weigh judges an attack and says what it comes to as far as its side knows.
func (s *State) weigh(side Side, o attackOrder) (string, *rule.Violation) {
	if o.atWill {
		return "wherever the odds are " + columns[max(0, o.min)] + " or better", nil
	}
	o = s.withAll(o)
	if v := cmp.Or(s.judgeAttackers(side, o), s.judgeGuns(o), s.judgeAdvances(o)); v != nil {
		return "", v
	}
	b := &battle{s: s, side: side, target: o.target, order: o, overrun: o.overrun, units: o.units, guns: o.guns, where: map[*Unit]hex.Hex{}}
	b.defenders = s.on(o.target)
	if v := b.mayOverrun(); v != nil {
		return "", v
	}
	a, d := b.strengths()
	known := "at most as we know"
	if !s.watches(side, o.target) {
		d, known = assumedDefence, "reckoned, nobody sees them"
	}
	for _, u := range slices.Concat(o.units, o.guns) {
		if !slices.Contains(o.guns, u) {
			u.did.fought = true
		}
		if u.isGun() {
			u.Fired = true
		}
		u.did.stopped = true
	}
	b.modifiers()
	who := ""
	if o.all {
		who = names(o.units) + ": "
	}
	return who + fmt.Sprintf("%d against %d (%s): %s, %+d to the dice before the chits", a, d, known, columns[ratio(a, d)], b.drm()), nil
}

// judgeAttackers tells why an attack cannot be made by its units.
func (s *State) judgeAttackers(side Side, o attackOrder) *rule.Violation {
	if s.holder(o.target) != s.sc.Other(side) {
		return &rule.Violation{Clause: "GD 10.1", Why: fmt.Sprintf("no enemy stands on %v", o.target)}
	}
	if len(o.units) == 0 {
		return &rule.Violation{Clause: "GD 10.0", Why: fmt.Sprintf("nobody of the chit stands beside %v and can attack it", o.target)}
	}
	for _, u := range o.units {
		if v := s.mayAttack(u, o.target); v != nil {
			return v
		}
	}
	return nil
}

// judgeGuns tells why an attack cannot have the artillery that its order asks for.
func (s *State) judgeGuns(o attackOrder) *rule.Violation {
	if o.overrun && o.wantsGuns() {
		return &rule.Violation{Clause: "GD 9.4", Why: "no artillery takes part in an overrun"}
	}
	for _, g := range o.guns {
		if v := s.mayJoinAttack(g, o.target); v != nil {
			return v
		}
		if slices.Contains(o.units, g) {
			return &rule.Violation{Clause: "GD 10.2", Why: g.c.Name + " attacks itself"}
		}
	}
	return nil
}

// judgeAdvances tells why the advance after an attack cannot go as ordered.
func (s *State) judgeAdvances(o attackOrder) *rule.Violation {
	for _, a := range o.advances {
		if !slices.Contains(o.units, a.unit) {
			return &rule.Violation{Clause: "GD 10.6", Why: a.unit.c.Name + " does not attack, so it cannot advance"}
		}
		if a.on == hex.None {
			continue
		}
		if a.unit.class() == Leg || !s.sc.Board.Grid.Adjacent(a.on, o.target) {
			return &rule.Violation{Clause: "GD 10.6", Why: fmt.Sprintf("%s cannot go on to %v", a.unit.c.Name, a.on)}
		}
	}
	return nil
}
