package famous

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// otherwise heads a programme without a condition behind one that has one.
const otherwise = "OTHERWISE"

// variants are the guarded programmes of a chit, as an answer writes them: a line
// "IF ..." or "UNLESS ..." heads each that has a condition.
func variants(answer string) (out []variant) {
	for _, l := range lines(answer) {
		switch word, _, _ := strings.Cut(l, " "); word {
		case "IF", "UNLESS":
			out = append(out, variant{guard: l})
			continue
		case otherwise:
			out = append(out, variant{})
			continue
		}
		if len(out) == 0 {
			out = append(out, variant{})
		}
		v := &out[len(out)-1]
		v.lines = append(v.lines, l)
	}
	return out
}

type variant struct {
	guard string
	lines []string
}

// choose is the first variant whose guard holds.
func (p *parser) choose(answer string) []string {
	for _, v := range variants(answer) {
		if v.guard == "" {
			return v.lines
		}
		g, bad := p.guard(wordsOf(v.guard))
		if bad == nil && (g == nil || g.holds(p.s, p.side)) {
			return v.lines
		}
	}
	return nil
}

// programme carries out the orders of an activation: all movement first, then
// barrages, fire and attacks as they are written, movement after overruns last.
//
// GD 2.5/3
// GD 3.4/2
// GD 3.4/5
// GD 6.0/10
// GD 9.0/16
// GD 9.0/17
func (s *State) programme(r *adjudicator.Run, p *parser, texts []string) {
	var moves, fights []*instruction
	for _, t := range texts {
		in, v := p.parse(t)
		if v != nil {
			s.skipFor(r, p.side, t, v)
			continue
		}
		if in.moves() {
			moves = append(moves, in)
		} else {
			fights = append(fights, in)
		}
	}
	for _, in := range moves {
		if v := s.doMove(r, p, in); v != nil {
			s.skipFor(r, p.side, in.text, v)
		}
	}
	s.enforceStacking(r)
	var later []func()
	for _, in := range fights {
		then, v := s.doFight(r, p, in)
		if v != nil {
			s.skipFor(r, p.side, in.text, v)
		}
		if then != nil {
			later = append(later, then)
		}
	}
	for _, f := range later {
		f()
	}
}

// doMove carries out an order of the movement part.
func (s *State) doMove(r *adjudicator.Run, p *parser, in *instruction) *rule.Violation {
	switch in.verb {
	case "MOVE", "ENTER", "EXIT", "DEBARK":
		return s.doMarch(r, in)
	case "MOUNT":
		if in.at != hex.None {
			for _, u := range []*Unit{in.units[0], in.tank} {
				if u.Hex == in.at {
					continue
				}
				if _, v := s.carryOut(r, moveOrder{text: in.text, units: []*Unit{u}, to: in.at}, false); v != nil {
					return v
				}
			}
		}
		v := s.mount(in.units[0], in.tank)
		if v == nil {
			s.tellOwn(r, p.side, "mounted", "GD 9.5", in.tank.Hex, map[string]string{"unit": in.units[0].c.Name, "tank": in.tank.c.Name})
		}
		return v
	case "DISMOUNT", "EMBARK":
		for _, u := range in.units {
			do := s.dismount
			if in.verb == "EMBARK" {
				do = s.embark
			}
			if v := do(u); v != nil {
				return v
			}
			s.tellOwn(r, p.side, strings.ToLower(in.verb), "GD 9.5", u.Hex, map[string]string{"unit": u.c.Name, "hex": u.Hex.String()})
		}
	case "CLEAR":
		return s.clear(r, in.units[0], in.at)
	case "BLOW":
		return s.blow(r, in.work)
	case "PONTOON":
		return s.bridge(r, in.work)
	}
	return nil
}

// doMarch moves, debarks and leaves the map.
func (s *State) doMarch(r *adjudicator.Run, in *instruction) *rule.Violation {
	o := in.move
	if len(o.units) > 1 && o.enter != "" && o.to == hex.None && len(o.path) == 0 {
		// Units that only enter may come one at a time.
		for _, u := range o.units {
			one := o
			one.units = []*Unit{u}
			if _, v := s.carryOut(r, one, false); v != nil {
				return v
			}
		}
		return nil
	}
	if in.verb == "DEBARK" {
		// On foot first, then the way.
		for _, u := range o.units {
			if v := s.debark(r, u); v != nil {
				return v
			}
		}
		if o.to == hex.None && len(o.path) == 0 {
			return nil
		}
		o.debark = false
	}
	if o.exit != "" {
		return s.leave(r, o)
	}
	m := &march{units: o.units}
	if o.to != hex.None || len(o.path) > 0 || o.enter != "" {
		var v *rule.Violation
		if m, v = s.carryOut(r, o, false); v != nil {
			return v
		}
	}
	if o.debark {
		for _, u := range m.units {
			if v := s.debark(r, u); v != nil {
				return v
			}
		}
	}
	return nil
}

// leave moves units to an entry hex and off the map. It costs what the next road
// or clear hex would.
//
// GD 18.3/2
// GD 19.3/2
// GD 20.3/2
// reading GD 18.3: leaving takes one movement point in the entry hex.
func (s *State) leave(r *adjudicator.Run, o moveOrder) *rule.Violation {
	z := s.sc.Board.Zone(o.exit)
	if z == nil {
		return &rule.Violation{Clause: "GD 18.3", Why: fmt.Sprintf("no entry hex %q", o.exit)}
	}
	side := o.units[0].c.Side
	if !slices.ContainsFunc(s.sc.Exits, func(e RoadPoints) bool {
		return e.Side == side && slices.ContainsFunc(e.Zones, func(id string) bool { return strings.EqualFold(id, o.exit) })
	}) {
		return &rule.Violation{Clause: "GD 18.3", Why: fmt.Sprintf("your units gain nothing by leaving the map at %s", z.ID)}
	}
	if !slices.Contains(z.Hexes, o.units[0].Hex) {
		walk := o
		walk.to = z.Hexes[0]
		for _, h := range z.Hexes {
			if s.sc.Board.Grid.Distance(o.units[0].Hex, h) < s.sc.Board.Grid.Distance(o.units[0].Hex, walk.to) {
				walk.to = h
			}
		}
		walk.exit = ""
		m, v := s.carryOut(r, walk, false)
		if v != nil {
			return v
		}
		o.units = m.units
	}
	for _, u := range o.units {
		switch {
		case u.Where != OnMap || !slices.Contains(z.Hexes, u.Hex):
			return &rule.Violation{Clause: "GD 18.3", Why: u.c.Name + " did not get to the edge of the map"}
		case s.threatened(u.idx, u.c.side) && u.started:
			return &rule.Violation{Clause: "GD 8.0", Why: u.c.Name + " was stopped by an enemy zone of control"}
		}
		if !u.started {
			if v := s.mayMove(u); v != nil {
				return v
			}
		}
		if v := s.afford(u, One, "GD 9.0"); v != nil {
			return v
		}
	}
	for _, u := range o.units {
		h := u.Hex
		if rd := s.rider(u); rd != nil {
			s.lift(rd)
			rd.Where, rd.Left, rd.Aboard = Exited, z.ID, ""
		}
		s.lift(u)
		u.Where, u.Left = Exited, z.ID
		if r != nil {
			r.Tell(view.Event{Kind: "exit", Clause: "GD 18.3", Hexes: []hex.Hex{h}, Facts: map[string]string{"unit": u.c.Name, "zone": z.ID, "side": string(side)}})
		}
	}
	return nil
}

// doFight carries out an order of the fighting part; then is movement that an
// overrun has earned.
func (s *State) doFight(r *adjudicator.Run, p *parser, in *instruction) (then func(), v *rule.Violation) {
	switch in.verb {
	case "BARRAGE":
		return nil, s.barrage(r, in.barrage)
	case "FIRE":
		return nil, s.fire(r, in.fire)
	}
	if in.attack.atWill {
		s.atWill(r, p.side, in.attack)
		return nil, nil
	}
	b, v := s.attack(r, p.side, in.attack)
	if v != nil || b == nil || in.attack.then == nil {
		return nil, v
	}
	return func() { s.overrunMove(r, p.side, b) }, nil
}

// atWill attacks, best odds first, wherever units of the activation stand beside
// an enemy and have the odds that the order asks for.
func (s *State) atWill(r *adjudicator.Run, side Side, o attackOrder) {
	done := map[hex.Hex]bool{}
	for {
		best := attackOrder{min: -1}
		col := -1
		for i := range s.at {
			h := s.sc.Board.Grid.At(i)
			if s.holds(i) != 1-s.sc.number(side) || done[h] {
				continue
			}
			var us []*Unit
			for _, n := range s.sc.Board.Grid.Neighbours(h) {
				for _, u := range s.on(n) {
					if u.c.Side == side && s.mayAttack(u, h) == nil && u.attack() > 0 && (len(o.units) == 0 || slices.Contains(o.units, u)) {
						us = append(us, u)
					}
				}
			}
			if len(us) == 0 {
				continue
			}
			d := assumedDefence
			if s.watches(side, h) {
				d = 0
				for _, u := range (&battle{s: s, defenders: s.on(h)}).foes() {
					d += u.defence()
				}
			}
			if c := ratio(sumAttack(us), d); c > col {
				col = c
				best = attackOrder{text: o.text, target: h, units: us, auto: o.auto, guns: o.guns, min: o.min, overrun: o.overrun, advanceSet: o.advanceSet, advances: o.advances}
			}
		}
		if best.target == hex.None {
			return
		}
		done[best.target] = true
		if _, v := s.attack(r, side, best); v != nil && col >= o.min {
			s.skipFor(r, side, o.text, v)
		}
	}
}

// overrunMove goes on with what is left of the allowance of the tanks that
// overran; an enemy zone of control stops them again.
//
// GD 2.6/5
// GD 9.4/5
// GD 9.4/8
// GD 9.4/9
// GD 9.4/10
// reading GD 9.4: first the advance, then what is left of the movement points; and no second attack.
func (s *State) overrunMove(r *adjudicator.Run, side Side, b *battle) {
	stacks := map[hex.Hex][]*Unit{}
	var at []hex.Hex
	for _, u := range b.tanks() {
		if u.Where != OnMap || !u.Overrun || u.Pinned {
			continue
		}
		if stacks[u.Hex] == nil {
			at = append(at, u.Hex)
		}
		stacks[u.Hex] = append(stacks[u.Hex], u)
	}
	slices.SortFunc(at, func(a, b hex.Hex) int { return cmp.Compare(a, b) })
	for _, h := range at {
		o := *b.order.then
		o.units = stacks[h]
		for _, u := range o.units {
			u.stopped = false
		}
		if _, v := s.carryOut(r, o, true); v != nil {
			s.skipFor(r, side, o.text, v)
		}
	}
}

// skipFor tells a side that an order of its was passed over.
func (s *State) skipFor(r *adjudicator.Run, side Side, text string, v *rule.Violation) {
	s.plansFor = side
	s.skip(r, text, v)
}

// skip tells a side that an order of its was passed over.
func (s *State) skip(r *adjudicator.Run, text string, v *rule.Violation) {
	if r == nil {
		return
	}
	side := s.plansFor
	r.Tell(view.Event{Kind: "skipped", Clause: v.Clause, To: []string{string(side)}, Facts: map[string]string{"order": text, "why": v.Why}})
}

func (s *State) tellOwn(r *adjudicator.Run, side Side, kind string, clause rule.Clause, h hex.Hex, facts map[string]string) {
	if r != nil {
		r.Tell(view.Event{Kind: kind, Clause: clause, To: []string{string(side)}, Hexes: []hex.Hex{h}, Facts: facts})
	}
}
