package famous

import (
	"cmp"
	"fmt"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// fireDie is what is added to each die of direct fire, and whether there is any now.
//
// GD 11.3/10: modifiers add up
// GD 11.3/13
func (s *State) fireDie() (n int, ok bool) {
	// GD 11.3/3: none in fog, storm and at night
	// GD 13.2/4: night
	// GD 14.1/3: fog
	// GD 14.1/8: a storm
	// GD 11.3/11: snow takes one off each die
	// GD 14.1/15: as the weather says
	// GD 11.3/12: so does the evening
	// GD 13.1/3: as its rules say
	w, p := s.weather(), s.part()
	return w.FireDie + p.FireDie, w.Fire && p.Fire
}

// mayShoot tells whether a unit could hit a hex with direct fire at all: range,
// sight, supply and weather.
//
// GD 5.3/7: not out of supply
// GD 11.3/1: within its range
func (s *State) mayShoot(u *Unit, target int) bool {
	if !s.commands(u, target) || !u.canAct() || u.outOfSupply() {
		return false
	}
	_, ok := s.fireDie()
	return ok
}

// commands: the hex is in the range and the sight of a unit's direct fire.
//
// GD 11.3/2: the range counts the target's hex and not the firer's
// GD 11.3/4
func (s *State) commands(u *Unit, target int) bool {
	return s.inFireRange(u, target) && s.sc.sees(u.idx, target)
}

// inFireRange: the hex is in the range of a unit's direct fire, in sight or not.
func (s *State) inFireRange(u *Unit, target int) bool {
	return s.sc.distance(u.idx, target) <= u.c.Direct
}

// shieldOf is the defence that direct fire must overcome.
//
// GD 11.3/17
func shieldOf(u *Unit) int {
	if u.c.Flak {
		return u.c.Reduced.Defence
	}
	return u.values().Defence
}

// shot is what the dice of direct fire have to overcome.
//
// GD 11.0/1
type shot struct {
	mod      int // added to each die
	distance int
	shield   int // the defence of the target
}

// shotAt is a shot of a unit at another.
func (s *State) shotAt(u, target *Unit) shot {
	return shot{s.shotMod(target.idx), s.sc.Board.Grid.Distance(u.Hex, target.Hex), shieldOf(target)}
}

// result reads the two dice of a shot. A hit without harm pins.
//
// GD 11.3/16
// reading GD 11.3: where the text prints > and says "equal to or greater" the words count.
func (t shot) result(a, b int) (hit, harm bool) {
	a, b = a+t.mod, b+t.mod
	if min(a, b) <= t.distance {
		// GD 11.3/7: both must exceed the range to hit
		// GD 11.3/8: otherwise nothing happens
		return false, false
	}
	return true, a+b >= t.shield+t.distance // GD 11.3/15
}

// chances are the ways of 36 to hit and to do harm.
func (t shot) chances() (hit, harm int) {
	for a := 1; a <= 6; a++ {
		for b := 1; b <= 6; b++ {
			h, k := t.result(a, b)
			hit, harm = hit+b2i(h), harm+b2i(k)
		}
	}
	return hit, harm
}

// percent is the chance in a hundred of so many ways of 36.
func percent(ways int) int { return 100 * ways / 36 }

// shotMod is what is added to each die of a shot at a hex.
//
// GD 9.2/4: on a road a unit defends as in the other terrain of the hex
// GD 11.3/14: fortifications do not help
// reading GD 11.3: fortifications do not help against direct fire.
func (s *State) shotMod(target int) int {
	n, _ := s.fireDie()
	if s.sc.ground[target].blocks {
		n-- // GD 11.3/6
	}
	return n
}

// shoot throws the dice of one shot and does what they say. A unit hit while it
// moves is pinned.
//
// GD 11.3/9: no event chits are drawn
func (s *State) shoot(r *adjudicator.Run, u, target *Unit, moving bool) {
	label := s.label("shot %s %v", u.c.Name, target.Hex)
	dice := r.Roll("GD 11.3", label, 2, 6)
	t := s.shotAt(u, target)
	hit, harm := t.result(dice[0], dice[1])
	s.reveal(s.sc.Other(u.c.Side), []*Unit{u})
	s.reveal(u.c.Side, []*Unit{target})
	f := view.Pairs{"unit", u.c.Name, "target", target.c.Name, "hex", target.Hex.String(), "from", u.Hex.String(), "dice", diceText(dice), "label", label,
		"distance", fmt.Sprint(t.distance), "hit", yesNo(hit), "harm", yesNo(harm), "moving", yesNo(moving), "mod", ""}
	if t.mod != 0 {
		f = f.With("mod", fmt.Sprintf("%+d", t.mod))
	}
	clause := rule.Clause("GD 11.3")
	if moving {
		clause = "GD 11.4"
	}
	r.Tell(view.Event{Kind: "shot", Clause: clause, Hexes: []hex.Hex{target.Hex, u.Hex}, Mark: "fire", Side: string(u.c.Side), Rolls: []string{label}, Facts: f})
	rider := s.rider(target)
	if harm {
		s.lose(r, target, false, "direct fire") // GD 9.5/12: and its rider a step
	}
	if hit && moving { // GD 11.3/20: who was not moving is not pinned
		s.pin(target, rider)
	}
}

// fire is direct fire by activated units.
//
// GD 3.4/6
// GD 11.3/25: it is not added to attacks
func (s *State) fire(r *adjudicator.Run, o fireOrder, side Side) (fired bool) {
	for o.anywhere {
		u, target := s.bestShot(side, o.prefer)
		if u == nil {
			return fired
		}
		fired = s.fire(r, fireOrder{text: o.text, units: []*Unit{u}, target: target, prefer: o.prefer}, side) || fired
	}
	for _, u := range o.units {
		if v := s.mayFire(u, o.target); v != nil {
			s.skip(r, o.text, v)
			continue
		}
		best := s.pick(u, s.targets(s.on(o.target)), o.prefer)
		// GD 11.3/22: it may have moved before, and moves no more
		// GD 11.3/23: it may attack afterwards
		u.did.shot, u.did.started, u.did.stopped = true, true, true
		s.shoot(r, u, best, false)
		fired = true
	}
	return fired
}

// bestShot is the unit that may fire with the best chance of harm, and at which hex: at equal chances at
// tracks first, then at the lower hex. It looks at stacks that its side sees; nil: nobody has a chance.
func (s *State) bestShot(side Side, prefer preference) (best *Unit, at hex.Hex) {
	var rank []int
	for u := range s.onMap(side) {
		if u.c.Direct == 0 || !u.did.active {
			continue
		}
		for e := range s.onMap(s.sc.Other(side)) {
			if !s.watches(side, e.Hex) || s.mayFire(u, e.Hex) != nil {
				continue
			}
			target := s.pick(u, s.targets(s.on(e.Hex)), prefer)
			_, harm := s.odds(u, target)
			now := []int{harm, b2i(prefers(prefer, target)), b2i(target.c.Class == Tracked), -int(e.Hex)}
			if harm > 0 && slices.Compare(now, rank) > 0 {
				best, at, rank = u, e.Hex, now
			}
		}
	}
	return best, at
}

// mayFire tells why an activated unit may not fire at a hex.
func (s *State) mayFire(u *Unit, target hex.Hex) *rule.Violation {
	no := func(clause rule.Clause, why string) *rule.Violation {
		return &rule.Violation{Clause: clause, Why: u.c.Name + " " + why}
	}
	t := s.sc.Board.Grid.Index(target)
	_, ok := s.fireDie()
	switch {
	case u.c.Direct == 0:
		return no("GD 11.3", "has no direct fire")
	case !u.canAct():
		return no("GD 11.3", "cannot fire")
	case !u.did.active:
		return no("GD 6.0", "is not activated")
	case u.did.shot: // GD 11.3/21
		return no("GD 11.3", "has fired already")
	case u.did.fought: // GD 11.3/24
		return no("GD 11.3", "has attacked; it fires before, not after")
	case !ok:
		return no("GD 11.3", "cannot fire at night, in fog or storm")
	case u.outOfSupply():
		return no("GD 5.3", "is out of supply")
	case s.holder(target) != s.sc.Other(u.c.Side):
		return no("GD 11.3", fmt.Sprintf("has no enemy on %v", target))
	case s.sc.Board.Grid.Distance(u.Hex, target) > u.c.Direct:
		return no("GD 11.3", fmt.Sprintf("has a range of %d, %v is %d away", u.c.Direct, target, s.sc.Board.Grid.Distance(u.Hex, target)))
	case !s.sc.sees(u.idx, t):
		return no("GD 11.3", fmt.Sprintf("does not see %v", target))
	case len(s.targets(s.on(target))) == 0:
		return no("GD 11.4", fmt.Sprintf("finds no unit that is a target on %v", target))
	case !s.inCommand(u):
		return no("GD 6.0", "is out of its headquarters' activation range")
	}
	return nil
}

// pick chooses a target: the preferred kind first, then the best chance of harm
// weighed with what it would destroy.
func (s *State) pick(u *Unit, us []*Unit, prefer preference) *Unit {
	return slices.MaxFunc(us, func(a, b *Unit) int {
		return cmp.Or(cmp.Compare(b2i(prefers(prefer, a)), b2i(prefers(prefer, b))), cmp.Compare(s.worth(u, a), s.worth(u, b)), cmp.Compare(b.ID, a.ID))
	})
}

// odds are the ways of 36 of a unit to hit another and to harm it.
func (s *State) odds(u, target *Unit) (hit, harm int) { return s.shotAt(u, target).chances() }

// worth is the ways of 36 to do harm, times the attack that it would hurt.
func (s *State) worth(u, target *Unit) int {
	_, harm := s.odds(u, target)
	return harm * (1 + target.values().Attack)
}

func prefers(what preference, u *Unit) bool {
	switch what {
	case preferTracked, preferTank, preferTanks:
		return u.c.Class == Tracked
	case preferLeg:
		return u.class() == Leg
	case preferWheeled:
		return u.class() == Wheeled
	}
	return false
}

// targets are those of some units on a hex at whom direct fire may be aimed.
//
// GD 11.4/8: a headquarters that is the only unit there
// GD 11.4/12: and no other, whoever of them moves
// reading GD 9.5: a rider is not a target of its own.
func (s *State) targets(us []*Unit) []*Unit {
	return slices.DeleteFunc(slices.Clone(us), func(u *Unit) bool {
		covered := u.c.HQ && !s.alone(u)
		return u.rides() || covered
	})
}

// alone: nobody else is on the unit's hex.
func (s *State) alone(u *Unit) bool { return s.at[u.idx] == u.n && s.behind[u.n] == noOne }

// fireUpon is the opportunity fire at a stack that has entered a hex. It reports
// whether any of it goes on; pinned and lost units leave the march.
//
// GD 11.4/2: the mover halts until the fire is resolved
// GD 11.4/4: in the next hex it may be fired at again
// GD 11.4/9: it is decided now, not afterwards
// GD 11.4/10: and before the mover fires
// GD 11.4/11: who does not move is not fired at
func (s *State) fireUpon(r *adjudicator.Run, m *march, at hex.Hex) bool {
	if _, ok := s.fireDie(); !ok {
		return true
	}
	mover := m.units[0].c.side
	guns := s.watchers(mover, s.sc.Board.Grid.Index(at))
	if len(guns) == 0 {
		return true
	}
	if len(s.targets(m.units)) == 0 {
		return true
	}
	s.bestFirst(guns, m.units)
	st := s.plan(r, s.sc.Sides[1-mover])
	fired := false
	for _, u := range guns {
		us := s.targets(m.units)
		if len(us) == 0 {
			break
		}
		target := s.holdOrFire(r, st, question{u, us, at})
		if target == nil {
			continue
		}
		fired = true
		name := target.c.Name
		s.shoot(r, u, target, true)
		m.units = slices.DeleteFunc(m.units, func(u *Unit) bool { return u.Pinned || !u.onMap() }) // GD 11.4/3
		if len(m.units) == 0 {
			m.stop = name + " was hit"
		}
	}
	if fired && m.order.ifFired {
		m.stop = "fired at"
		return false
	}
	return len(m.units) > 0
}

// watchers are the units that may fire at a march of the other side on a hex.
//
// GD 11.4/1
// reading GD 11.4: a retreat is no movement and costs no points: it draws no fire, as an advance draws none.
// reading GD 11.4: whoever fires at movement may be pinned, in enemy zones or have been activated.
func (s *State) watchers(mover int8, at int) (out []*Unit) {
	for k := range s.Units {
		if u := &s.Units[k]; u.c.side != mover && s.mayShoot(u, at) {
			out = append(out, u)
		}
	}
	return out
}

// bestFirst puts those first who would harm a march most.
func (s *State) bestFirst(guns, marching []*Unit) {
	if len(guns) < 2 {
		return
	}
	targets, worth := s.targets(marching), map[*Unit]int{}
	for _, u := range guns {
		worth[u] = s.worth(u, s.pick(u, targets, ""))
	}
	slices.SortStableFunc(guns, func(a, b *Unit) int { return worth[b] - worth[a] })
}

// question is whether a unit fires at the units that enter a hex.
type question struct {
	u  *Unit
	us []*Unit
	at hex.Hex
}

// holdOrFire asks the owner of a unit whether it fires, and at whom; nil is nobody.
//
// GD 11.4/6: of a stack one unit is chosen
// GD 11.4/7: by who fires
func (s *State) holdOrFire(r *adjudicator.Run, st *standing, q question) *Unit {
	rule := st.opportunity(q.u)
	target := s.pick(q.u, q.us, rule.prefer)
	hit, harm := s.odds(q.u, target)
	if hit == 0 {
		return nil
	}
	d := adjudicator.Decision{Label: s.label("opportunity %s %v", q.u.c.Name, q.at), Kind: kindOpportunity, Side: q.u.c.Side, Clause: "GD 11.4", Proposal: "HOLD", Source: st.source(rule.set)}
	seen := sighting{
		distance: s.sc.Board.Grid.Distance(q.u.Hex, target.Hex),
		chance:   percent(harm),
		spotted:  s.watches(target.c.Side, q.u.Hex),
	}
	if rule.fires(seen) {
		d.Proposal = target.c.Name
	}
	return s.called(q.us, r.Ask(d)[0])
}
