package famous

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// otherwise heads a programme without a condition behind one that has one.
const otherwise = "OTHERWISE"

// variants are the guarded programmes of a chit, as an answer writes them: a line
// "IF ..." or "UNLESS ..." heads each that has a condition.
func variants(answer string) (out []variant) {
	for _, l := range phrase.Lines(answer) {
		word, _, _ := strings.Cut(l, " ")
		switch {
		case phrase.Opens(word):
			out = append(out, variant{guard: l})
			continue
		case l == otherwise:
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
		if g, bad := p.guard(v.guard); bad == nil && p.s.meets(g, p.side) {
			return v.lines
		}
	}
	return nil
}

// programme carries out the orders of an activation: all movement first, then
// barrages, fire and attacks as they are written, movement after overruns last.
//
// GD 2.5/3
// reading GD 3.4: fire and barrages are attacks, as 11.0 calls them: all movement of the activation
// comes before them, that of other units too, and a MOVE that stands below them in a sheet is played
// before them.
func (s *State) programme(r *adjudicator.Run, p *parser, list []phrase.Written) {
	c := s.conducts(r, p, s.unfolded(r, p, list, p.bn))
	// GD 9.0/16: one unit or stack after the other
	c.each(false, func(k int) {
		in := c.all[k]
		s.come(c.ahead[k])
		c.inTurn(k, func() *rule.Violation { return s.doMove(r, p, in) })
	})
	s.enforceStacking(r)
	s.partStacks(r)
	s.endSilence(p)
	// GD 3.4/2: all movement comes before the first attack
	// GD 3.4/6: and before fire and barrages
	// GD 9.0/17: and ends before attacks begin
	c.moved = true
	var later []func()
	c.each(true, func(k int) {
		in := c.all[k]
		c.inTurn(k, func() *rule.Violation {
			then, v := c.doFight(in)
			if then != nil {
				later = append(later, then)
			}
			return v
		})
		s.partStacks(r)
	})
	for _, f := range later {
		f()
		s.partStacks(r)
	}
}

// endSilence lets the guns of a battalion that began on the road fire, in this activation
// already: its movement of the first turn is over. In games begun before the fourth version
// of the rules they waited for the end of the activation.
//
// GD 20.4/3
func (s *State) endSilence(p *parser) {
	if s.sc.before(4) {
		return
	}
	key := chitKey(p.side, p.bn)
	s.Quiet = slices.DeleteFunc(s.Quiet, func(k string) bool { return k == key })
}

// doMove carries out an order of the movement part.
func (s *State) doMove(r *adjudicator.Run, p *parser, in *instruction) *rule.Violation {
	switch in.verb {
	case verbMove, verbEnter, verbExit, verbDebark:
		return s.doMarch(r, in)
	case verbMount:
		return s.doMount(r, p.side, in)
	case verbDismount:
		return s.doEach(r, in, s.dismount)
	case verbEmbark:
		return s.doEach(r, in, s.embark)
	case verbClear:
		return s.clear(r, in.units[0], in.at)
	case verbBlow:
		return s.blow(r, in.work)
	case verbPontoon:
		return s.bridge(r, in.work)
	}
	return nil
}

// doMount has a unit ride on a tank, both coming to a hex first if the order names one.
func (s *State) doMount(r *adjudicator.Run, side Side, in *instruction) *rule.Violation {
	rider, tank := in.units[0], in.tank
	if in.at != hex.None {
		for _, u := range []*Unit{rider, tank} {
			if u.Hex == in.at {
				continue
			}
			if _, v := s.carryOut(r, moveOrder{text: in.text, units: []*Unit{u}, to: in.at}); v != nil {
				return v
			}
		}
	}
	if v := s.mount(rider, tank); v != nil {
		return v
	}
	s.tellOwn(r, side, view.Event{Kind: "mounted", Clause: "GD 9.5", Hexes: []hex.Hex{tank.Hex}, Facts: view.Pairs{"unit", rider.c.Name, "tank", tank.c.Name}})
	return nil
}

// doEach has the units of an order do the same one after the other.
func (s *State) doEach(r *adjudicator.Run, in *instruction, do func(*Unit) *rule.Violation) *rule.Violation {
	for _, u := range in.units {
		if v := do(u); v != nil {
			return v
		}
		s.tellDone(r, in.verb, u)
	}
	return nil
}

// tellDone tells the owner of a unit that it has dismounted or embarked.
func (s *State) tellDone(r *adjudicator.Run, did verb, u *Unit) {
	s.tellOwn(r, u.c.Side, view.Event{Kind: strings.ToLower(string(did)), Clause: "GD 9.5", Hexes: []hex.Hex{u.Hex},
		Facts: view.Pairs{"unit", u.c.Name, "hex", u.Hex.String()}})
}

// doMarch moves, debarks and leaves the map.
func (s *State) doMarch(r *adjudicator.Run, in *instruction) *rule.Violation {
	o := in.move
	if o.onlyEnters() && len(o.units) > 1 {
		return s.enterSingly(r, o)
	}
	if in.verb == verbDebark {
		// On foot first, then the way.
		if v := s.debarkAll(r, o.units); v != nil || !o.goesOn() {
			return v
		}
		o.debark = false
	}
	if o.leaves() {
		return s.leave(r, o)
	}
	moved := o.units
	if o.goesOn() || o.enters() {
		m, v := s.carryOut(r, o)
		if v != nil {
			return v
		}
		moved = m.units
	}
	if o.debark {
		return s.debarkAll(r, moved)
	}
	return nil
}

func (s *State) debarkAll(r *adjudicator.Run, us []*Unit) *rule.Violation {
	for _, u := range us {
		if v := s.debark(r, u); v != nil {
			return v
		}
	}
	return nil
}

// enterSingly brings units on that go no further: they may come one at a time.
func (s *State) enterSingly(r *adjudicator.Run, o moveOrder) *rule.Violation {
	for _, u := range o.units {
		one := o
		one.units = []*Unit{u}
		if _, v := s.carryOut(r, one); v != nil {
			return v
		}
	}
	return nil
}

// leave moves units to an entry hex and off the map.
//
// GD 18.3/2
func (s *State) leave(r *adjudicator.Run, o moveOrder) *rule.Violation {
	z := s.sc.Board.Zone(o.exit)
	if z == nil {
		return &rule.Violation{Clause: "GD 18.3", Why: fmt.Sprintf("no entry hex %q", o.exit)}
	}
	if !s.exitFor(o.units[0].c.Side, o.exit) {
		return &rule.Violation{Clause: "GD 18.3", Why: fmt.Sprintf("your units gain nothing by leaving the map at %s", z.ID)}
	}
	if !slices.Contains(z.Hexes, o.units[0].Hex) {
		m, v := s.carryOut(r, s.toEdge(o, z.Hexes))
		if v != nil {
			return v
		}
		o.units = m.units
	}
	for _, u := range o.units {
		if v := s.payExit(u, z.Hexes); v != nil {
			return v
		}
	}
	for _, u := range o.units {
		h := u.Hex
		s.goOff(u, z.ID)
		if r != nil {
			r.Tell(view.Event{Kind: "exit", Clause: "GD 18.3", Hexes: []hex.Hex{h}, Facts: view.Pairs{"unit", u.c.Name, "zone", z.ID, "side", string(u.c.Side)}})
		}
	}
	return nil
}

// exitFor tells whether units of a side make points when they leave by an entry hex.
//
// GD 19.3/2
// GD 20.3/2
func (s *State) exitFor(side Side, zone string) bool {
	named := func(id string) bool { return strings.EqualFold(id, zone) }
	return slices.ContainsFunc(s.sc.Exits, func(e RoadPoints) bool {
		return e.Side == side && slices.ContainsFunc(e.Zones, named)
	})
}

// toEdge is the march to the nearest hex of those by which an order leaves the map.
func (s *State) toEdge(o moveOrder, edge []hex.Hex) moveOrder {
	from := o.units[0].Hex
	o.exit = ""
	roads := slices.DeleteFunc(slices.Clone(edge), func(h hex.Hex) bool { return s.leadsNowhere(h) })
	if len(roads) > 0 {
		edge = roads
	}
	o.to = slices.MinFunc(edge, func(a, b hex.Hex) int {
		return s.sc.Board.Grid.Distance(from, a) - s.sc.Board.Grid.Distance(from, b)
	})
	return o
}

// leadsNowhere: no road leads into the hex, by which it could be joined with an entry. In games
// begun before the fourth version of the rules the road to another hex of the entry would do.
//
// GD 20.3/7
func (s *State) leadsNowhere(h hex.Hex) bool {
	return !s.sc.onRoad(s.sc.Board.Grid.Index(h)) && !s.sc.before(4)
}

// payExit has a unit pay for leaving the map, or tells why it cannot leave.
//
// reading GD 18.3: leaving takes one movement point in the entry hex.
func (s *State) payExit(u *Unit, edge []hex.Hex) *rule.Violation {
	if !u.onMap() || !slices.Contains(edge, u.Hex) {
		return &rule.Violation{Clause: "GD 18.3", Why: u.c.Name + " did not get to the edge of the map"}
	}
	if s.leadsNowhere(u.Hex) {
		return &rule.Violation{Clause: "GD 20.3", Why: fmt.Sprintf("no road leads to %v: whoever leaves there makes no point", u.Hex)}
	}
	if u.did.started {
		if s.threatened(u.idx, u.c.side) {
			return &rule.Violation{Clause: "GD 8.0", Why: u.c.Name + " was stopped by an enemy zone of control"}
		}
	} else if v := s.mayMove(u); v != nil {
		return v
	}
	return s.afford(u, One, "GD 9.0")
}

// goOff takes a unit off the map by an entry, with its rider.
func (s *State) goOff(u *Unit, zone string) {
	if rider := s.rider(u); rider != nil {
		s.lift(rider)
		rider.Aboard = ""
		rider.exitBy(zone, s.exitHex(u))
	}
	s.lift(u)
	u.exitBy(zone, s.exitHex(u))
}

// exitBy notes by which entry a unit has left the map, and from which hex.
func (u *Unit) exitBy(zone string, from hex.Hex) { u.Where, u.Left, u.LeftFrom = Exited, zone, from }

// exitHex is the hex that is noted of a unit that leaves the map.
func (s *State) exitHex(u *Unit) hex.Hex {
	if s.sc.before(4) {
		return hex.None
	}
	return u.Hex
}

// cameToNothing is why fire or a barrage of which nothing came is not done: who could not has
// been told already.
var cameToNothing = &rule.Violation{}

// doFight carries out an order of the fighting part; then is movement that an
// overrun has earned.
func (c *conduct) doFight(in *instruction) (then func(), v *rule.Violation) {
	s, p, r := c.p.s, c.p, c.r
	switch in.verb {
	case verbBarrage:
		return nil, attempted(s.barrage(r, in.barrage))
	case verbFire:
		return nil, attempted(s.fire(r, in.fire, p.side))
	case verbBlow:
		return nil, s.blow(r, in.work)
	case verbSupport:
		return nil, s.keepGuns(r, in)
	}
	if in.attack.atWill {
		return nil, attempted(c.atWill(in.attack))
	}
	b, v := s.attack(r, p.side, in.attack)
	if v != nil {
		return nil, v
	}
	c.askAfter(b.target)
	if in.attack.then == nil {
		return nil, nil
	}
	return func() { s.overrunMove(r, p.side, b) }, nil
}

// atWill attacks, best odds first, wherever units of the activation stand beside
// an enemy and have the odds that the order asks for.
func (c *conduct) atWill(o attackOrder) (fought bool) {
	s, r, side := c.p.s, c.r, c.p.side
	done := map[hex.Hex]bool{}
	for {
		best, col := s.bestAttack(side, o, done)
		if best.target == hex.None {
			return fought
		}
		done[best.target] = true
		_, v := s.attack(r, side, best)
		fought = fought || v == nil
		if v == nil && c.askAfter(best.target) {
			return true // other orders stand in its place
		}
		if v != nil && col >= o.min {
			s.skipFor(r, side, o.text, v)
		}
	}
}

// bestAttack is the attack with the best odds that the units of an order could make on a
// hex that is not done, and its column; its target is None if there is no such.
func (s *State) bestAttack(side Side, o attackOrder, done map[hex.Hex]bool) (best attackOrder, col int) {
	col = -1
	for i := range s.at {
		h := s.sc.Board.Grid.At(i)
		if s.holds(i) != 1-s.sc.number(side) || done[h] {
			continue
		}
		us := s.attackersBeside(side, o, h)
		if len(us) == 0 {
			continue
		}
		if c := ratio(sumAttack(us), s.knownDefence(side, h)); c > col {
			best, col = o, c
			best.atWill, best.then = false, nil
			best.target, best.units = h, us
		}
	}
	return best, col
}

// attackersBeside are the units beside a hex that an order lets attack it.
func (s *State) attackersBeside(side Side, o attackOrder, h hex.Hex) (us []*Unit) {
	for _, n := range s.sc.Board.Grid.Neighbours(h) {
		for _, u := range s.on(n) {
			if u.c.Side != side || u.attack() == 0 {
				continue
			}
			if s.mayAttack(u, h) == nil && o.takes(u) {
				us = append(us, u)
			}
		}
	}
	return us
}

// takes: the order names the unit, or nobody.
func (o *attackOrder) takes(u *Unit) bool { return len(o.units) == 0 || slices.Contains(o.units, u) }

// knownDefence is the defence of an enemy hex as far as a side sees it.
func (s *State) knownDefence(side Side, h hex.Hex) (d int) {
	if !s.watches(side, h) {
		return assumedDefence
	}
	for _, u := range combatants(s.on(h)) {
		d += u.defence()
	}
	return d
}

// overrunMove goes on with what is left of the allowance of the tanks that
// overran.
//
// GD 9.4/8
// reading GD 9.4: after an overrun comes first the advance, then what is left of the movement
// points; and no second attack.
func (s *State) overrunMove(r *adjudicator.Run, side Side, b *battle) {
	stacks := map[hex.Hex][]*Unit{}
	for _, u := range b.tanks() {
		if u.Overrun { // GD 2.6/5
			stacks[u.Hex] = append(stacks[u.Hex], u)
		}
	}
	for _, h := range slices.Sorted(maps.Keys(stacks)) {
		o := *b.order.then
		o.units = stacks[h]
		for _, u := range o.units {
			u.did.stopped = false
		}
		if _, v := s.carryOut(r, o); v != nil {
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
	r.Tell(view.Event{Kind: "skipped", Clause: v.Clause, To: []string{string(side)}, Facts: view.Pairs{"order", text, "why", v.Why}})
}

// tellOwn tells a side what its own unit did.
func (s *State) tellOwn(r *adjudicator.Run, side Side, e view.Event) {
	if r != nil {
		e.To = []string{string(side)}
		r.Tell(e)
	}
}
