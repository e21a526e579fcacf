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
// GD 11.3/3
// GD 11.3/11
// GD 11.3/12
// GD 13.1/3
// GD 13.2/4
// GD 14.1/3
// GD 14.1/8
// GD 14.1/15
func (s *State) fireDie() (n int, ok bool) {
	w, p := s.weather(), s.part()
	return w.FireDie + p.FireDie, w.Fire && p.Fire
}

// mayShoot tells whether a unit could hit a hex with direct fire at all: range,
// sight, supply and weather.
//
// GD 5.3/7
// GD 11.3/1
// GD 11.3/2
// GD 11.3/4
func (s *State) mayShoot(u *Unit, target int) bool {
	if u.c.Direct == 0 || u.Where != OnMap || u.Aboard != "" || u.Unsupplied >= 2 {
		return false
	}
	if _, ok := s.fireDie(); !ok {
		return false
	}
	g := s.sc.Board.Grid
	return g.Distance(u.Hex, g.At(target)) <= u.c.Direct && s.sc.sees(u.idx, target)
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

// shotResult reads the two dice of a shot. Both must exceed the range to hit;
// together they must reach defence and range to do harm.
//
// GD 11.3/7
// GD 11.3/8
// GD 11.3/10
// GD 11.3/13
// GD 11.3/15
// GD 11.3/16
// reading GD 11.3: where the text prints > and says "equal to or greater" the words count.
func shotResult(a, b, mod, distance, shield int) (hit, harm bool) {
	a, b = a+mod, b+mod
	hit = a > distance && b > distance
	return hit, hit && a+b >= shield+distance
}

// chances are the ways of 36 to hit and to do harm.
func chances(mod, distance, shield int) (hit, harm int) {
	for a := 1; a <= 6; a++ {
		for b := 1; b <= 6; b++ {
			h, k := shotResult(a, b, mod, distance, shield)
			hit, harm = hit+b2i(h), harm+b2i(k)
		}
	}
	return hit, harm
}

// shotMod is what is added to each die of a shot at a hex.
//
// GD 9.2/4
// GD 11.3/6
// GD 11.3/14
// reading GD 11.3: fortifications do not help against direct fire.
func (s *State) shotMod(target int) int {
	n, _ := s.fireDie()
	if s.sc.ground[target].blocks {
		n--
	}
	return n
}

// shoot throws the dice of one shot and does what they say. A unit hit while it
// moves is pinned.
//
// GD 11.3/9
// GD 11.3/18
// GD 11.3/20
func (s *State) shoot(r *adjudicator.Run, u, target *Unit, moving bool) {
	d := s.sc.Board.Grid.Distance(u.Hex, target.Hex)
	label := s.label("shot %s %v", u.c.Name, target.Hex)
	dice := r.Roll("GD 11.3", label, 2, 6)
	hit, harm := shotResult(dice[0], dice[1], s.shotMod(target.idx), d, shieldOf(target))
	s.reveal(s.sc.Other(u.c.Side), []*Unit{u})
	s.reveal(u.c.Side, []*Unit{target})
	f := map[string]string{"unit": u.c.Name, "target": target.c.Name, "hex": target.Hex.String(), "from": u.Hex.String(), "dice": diceText(dice), "label": label,
		"distance": fmt.Sprint(d), "hit": yesNo(hit), "harm": yesNo(harm), "moving": yesNo(moving), "mod": ""}
	if m := s.shotMod(target.idx); m != 0 {
		f["mod"] = fmt.Sprintf("%+d", m)
	}
	clause := rule.Clause("GD 11.3")
	if moving {
		clause = "GD 11.4"
	}
	r.Tell(view.Event{Kind: "shot", Clause: clause, Hexes: []hex.Hex{target.Hex, u.Hex}, Mark: "fire", Side: string(u.c.Side), Rolls: []string{label}, Facts: f})
	if hit && moving {
		s.pin(target)
	}
	if harm {
		s.lose(r, target, false, "direct fire")
	}
}

// fire is direct fire by an activated unit.
//
// GD 3.4/6
// GD 11.3/21
// GD 11.3/22
// GD 11.3/23
// GD 11.3/24
// GD 11.3/25
func (s *State) fire(r *adjudicator.Run, o fireOrder) *rule.Violation {
	for _, u := range o.units {
		if v := s.mayFire(u, o.target); v != nil {
			if len(o.units) == 1 {
				return v
			}
			s.skip(r, o.text, v)
			continue
		}
		us := s.targets(s.on(o.target))
		if len(us) == 0 {
			return nil
		}
		best := s.pick(u, us, o.prefer)
		u.shot, u.started, u.stopped = true, true, true
		s.shoot(r, u, best, false)
	}
	return nil
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
	case u.Where != OnMap, u.Aboard != "":
		return no("GD 11.3", "cannot fire")
	case !u.active:
		return no("GD 6.0", "is not activated")
	case u.shot:
		return no("GD 11.3", "has fired already")
	case u.fought:
		return no("GD 11.3", "has attacked; it fires before, not after")
	case !ok:
		return no("GD 11.3", "cannot fire at night, in fog or storm")
	case u.Unsupplied >= 2:
		return no("GD 5.3", "is out of supply")
	case s.holder(target) != s.sc.Other(u.c.Side):
		return no("GD 11.3", fmt.Sprintf("has no enemy on %v", target))
	case s.sc.Board.Grid.Distance(u.Hex, target) > u.c.Direct:
		return no("GD 11.3", fmt.Sprintf("has a range of %d, %v is %d away", u.c.Direct, target, s.sc.Board.Grid.Distance(u.Hex, target)))
	case !s.sc.sees(u.idx, t):
		return no("GD 11.3", fmt.Sprintf("does not see %v", target))
	case !s.inCommand(u):
		return no("GD 6.0", "is out of its headquarters' activation range")
	}
	return nil
}

// targets are the units that direct fire may choose: no riders, and headquarters
// only alone.
//
// GD 11.4/7
// GD 11.4/8
// reading GD 9.5: a rider is not a target of its own.
func (s *State) targets(us []*Unit) []*Unit {
	us = slices.DeleteFunc(slices.Clone(us), func(u *Unit) bool { return u.Aboard != "" })
	if fighters := slices.DeleteFunc(slices.Clone(us), func(u *Unit) bool { return u.c.HQ }); len(fighters) > 0 {
		return fighters
	}
	return us
}

// pick chooses a target: the preferred kind first, then the best chance of harm
// weighed with what it would destroy.
func (s *State) pick(u *Unit, us []*Unit, prefer string) *Unit {
	return slices.MaxFunc(us, func(a, b *Unit) int {
		return cmp.Or(cmp.Compare(b2i(prefers(prefer, a)), b2i(prefers(prefer, b))), cmp.Compare(s.worth(u, a), s.worth(u, b)), cmp.Compare(b.ID, a.ID))
	})
}

// worth is the ways of 36 to do harm, times the attack that it would hurt.
func (s *State) worth(u, target *Unit) int {
	_, harm := chances(s.shotMod(target.idx), s.sc.Board.Grid.Distance(u.Hex, target.Hex), shieldOf(target))
	return harm * (1 + target.values().Attack)
}

func prefers(what string, u *Unit) bool {
	switch what {
	case "":
		return false
	case "TRACKED", "TANK", "TANKS":
		return u.c.Class == Tracked
	case "LEG":
		return u.class() == Leg
	case "WHEELED":
		return u.class() == Wheeled
	}
	return false
}

// fireUpon is the opportunity fire at a stack that has entered a hex. It reports
// whether any of it goes on; pinned and lost units leave the march.
//
// GD 9.6/4
// GD 11.4/1
// GD 11.4/2
// GD 11.4/3
// GD 11.4/4
// GD 11.4/6
// GD 11.4/9
// GD 11.4/10
// reading GD 11.4: the firer may be pinned, in enemy zones or have been activated.
func (s *State) fireUpon(r *adjudicator.Run, m *march, at hex.Hex) bool {
	if _, ok := s.fireDie(); !ok {
		return true
	}
	mover := m.units[0].c.side
	i := s.sc.Board.Grid.Index(at)
	type shot struct {
		u     *Unit
		worth int
	}
	var shots []shot
	for k := range s.Units {
		if u := &s.Units[k]; u.c.Direct > 0 && u.c.side != mover && s.mayShoot(u, i) {
			best := s.pick(u, s.targets(m.units), "")
			shots = append(shots, shot{u, s.worth(u, best)})
		}
	}
	if len(shots) == 0 {
		return true
	}
	slices.SortStableFunc(shots, func(a, b shot) int { return b.worth - a.worth })
	st := s.plan(r, s.sc.Sides[1-mover])
	fired := false
	for _, sh := range shots {
		us := s.targets(m.units)
		if len(us) == 0 {
			break
		}
		target := s.holdOrFire(r, st, sh.u, us, at)
		if target == nil {
			continue
		}
		fired = true
		name := target.c.Name
		s.shoot(r, sh.u, target, true)
		m.units = slices.DeleteFunc(m.units, func(u *Unit) bool { return u.Pinned || u.Where != OnMap })
		if len(m.units) == 0 {
			m.stop = name + " was hit"
		}
	}
	if fired && m.order.ifFired {
		m.stop = "fired at"
		for _, u := range m.units {
			u.stopped = true
		}
		return false
	}
	return len(m.units) > 0
}

// holdOrFire asks the owner of a unit whether it fires, and at whom.
func (s *State) holdOrFire(r *adjudicator.Run, st *standing, u *Unit, us []*Unit, at hex.Hex) *Unit {
	rule := st.opportunity(u)
	target := s.pick(u, us, rule.prefer)
	hit, harm := chances(s.shotMod(target.idx), s.sc.Board.Grid.Distance(u.Hex, target.Hex), shieldOf(target))
	fires := hit > 0 && rule.fires(s, u, target, harm)
	if hit == 0 {
		return nil
	}
	d := adjudicator.Decision{Label: s.label("opportunity %s %v", u.c.Name, at), Kind: kindOpportunity, Side: u.c.Side, Clause: "GD 11.4", Proposal: "HOLD", Source: st.source(rule.set)}
	if fires {
		d.Proposal = target.c.Name
	}
	return s.called(us, r.Ask(d)[0])
}
