package wb95

import (
	"cmp"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
)

// planned is a combat that is to be fought: as declared, or made by the rules.
type planned struct {
	order attackOrder
	made  bool
	// What the completion changed in a combat, for the player to read.
	joinedUnits []*Unit
	joinedHexes []hex.Hex
	left        []*Unit
	leftHexes   []hex.Hex
	forUnit     *Unit // a made combat: the bound unit it was made for, nil if for its hex
}

// plan is a set of combats of one Combat Phase: each unit and each hex in one at
// most, and each a star (5.1.5). complete makes it satisfy 5.1.3 and 5.1.4.
type plan struct {
	s       *State
	side    Side
	combats []*planned
	bound   []*Unit
	// fireOrders are the ranged attacks of the set; shelled are hexes that have
	// been fired at already in this phase (6.4.5).
	fireOrders []*fireOrder
	shelled    []hex.Hex
}

// declare adds an attack as ordered, as far as it is legal.
func (p *plan) declare(o attackOrder) (kept attackOrder, fell []*rule.Violation, whole *rule.Violation) {
	if o.fire != nil {
		kept = o
		f, fell, whole := p.declareFire(*o.fire)
		kept.fire = &f
		return kept, fell, whole
	}
	kept, fell, whole = p.refuse(o)
	if whole == nil {
		p.combats = append(p.combats, &planned{order: kept})
	}
	return kept, fell, whole
}

// against is the combat that attacks the hex; with is the one the unit attacks in.
func (p *plan) against(h hex.Hex) *planned {
	return p.find(func(c *planned) bool { return slices.Contains(c.order.targets, h) })
}

func (p *plan) with(u *Unit) *planned {
	return p.find(func(c *planned) bool { return slices.Contains(c.order.units, u) })
}

func (p *plan) find(ok func(*planned) bool) *planned {
	for _, c := range p.combats {
		if ok(c) {
			return c
		}
	}
	return nil
}

func (p *plan) adjacent(a, b hex.Hex) bool { return p.s.sc.Board.Grid.Adjacent(a, b) }

// complete makes a set legal that leaves duties open: always in the same way, so
// that the attacker can foresee it. It prefers to change nothing that was ordered.
//
// WB-95 5.1.7
// reading WB-95 5.1.3: attacks that are due and not ordered are made by the rules.
// There always is a legal set: every bound unit has beside it the enemy whose zone
// binds it, and every due hex the bound unit.
func (p *plan) complete(bound []*Unit, due []hex.Hex) {
	p.bound = bound
	given := p.combats
	p.fill(due, true)
	if p.undone() == 0 {
		return
	}
	other := &plan{s: p.s, side: p.side, combats: given, bound: bound, fireOrders: p.fireOrders, shelled: p.shelled}
	if other.fill(due, false); other.undone() < p.undone() {
		p.combats = other.combats
	}
}

// fill sees to the due hexes and then to the bound units. With widening it first
// tries to have a declared combat attack a due hex as well, else units that do
// nothing yet.
func (p *plan) fill(due []hex.Hex, widening bool) {
	p.combats = slices.Clone(p.combats)
	for i, c := range p.combats {
		cp := *c
		p.combats[i] = &cp
	}
	for _, h := range due {
		if p.against(h) == nil {
			p.cover(h, widening)
		}
	}
	var open []*Unit
	for _, u := range p.bound {
		if p.with(u) == nil && !p.employ(u) {
			open = append(open, u)
		}
	}
	p.split(open)
}

// undone counts the pairs of a unit and a hex that were ordered and are no more.
func (p *plan) undone() int {
	n := 0
	for _, c := range p.combats {
		n += len(c.left)*len(c.order.targets) + len(c.leftHexes)*len(c.order.units)
	}
	return n
}

// cover has a due hex attacked: by a declared combat from one hex beside it, by
// units that do nothing yet, or by one that its own combat can spare.
func (p *plan) cover(h hex.Hex, widening bool) {
	beside := func(c *planned) bool {
		from := hexesUnder(c.order.units)
		return len(from) == 1 && p.adjacent(from[0], h)
	}
	declared := p.find(func(c *planned) bool { return !c.made && beside(c) })
	idle := p.idle(h)
	switch {
	case declared != nil && widening:
		p.widen(declared, h)
	case len(idle) > 0:
		p.make(h, p.enough(idle, h), nil)
	case declared != nil:
		p.widen(declared, h)
	default:
		if p.spare(h) {
			return
		}
		if c := p.find(beside); c != nil {
			p.widen(c, h)
		}
	}
}

// spare takes a unit out of a combat of several to attack the hex. It reports false if no
// combat can spare one.
func (p *plan) spare(h hex.Hex) bool {
	for _, c := range p.combats {
		i := slices.IndexFunc(c.order.units, func(u *Unit) bool { return p.adjacent(u.Hex, h) })
		if i < 0 || len(c.order.units) == 1 {
			continue
		}
		u := c.order.units[i]
		c.order.units = slices.DeleteFunc(slices.Clone(c.order.units), func(v *Unit) bool { return v == u })
		if !c.made {
			c.left = append(c.left, u)
		}
		p.make(h, []*Unit{u}, nil)
		return true
	}
	return false
}

// widen adds a hex to a combat.
func (p *plan) widen(c *planned, h hex.Hex) {
	c.order.targets = sorted(append(slices.Clone(c.order.targets), h))
	if !c.made {
		c.joinedHexes = append(c.joinedHexes, h)
	}
}

// idle lists the units that could attack the hex and do nothing yet: those that
// are bound first, then the strongest.
func (p *plan) idle(h hex.Hex) []*Unit {
	var out []*Unit
	for _, n := range p.s.beside(h) {
		for _, u := range p.s.unitsAt(n) {
			if p.badAttacker(u, []hex.Hex{h}) == nil {
				out = append(out, u)
			}
		}
	}
	isBound := func(u *Unit) int { return btoi(slices.Contains(p.bound, u)) }
	slices.SortFunc(out, func(a, b *Unit) int {
		return cmp.Or(isBound(b)-isBound(a), b.attackSP(false)-a.attackSP(false), strings.Compare(a.ID, b.ID))
	})
	return p.s.ofOneGroup(out)
}

// enough is the shortest beginning of the list that attacks at 1:1 or better.
func (p *plan) enough(us []*Unit, h hex.Hex) []*Unit {
	even := slices.Index(p.s.sc.Combat.Columns, "1:1")
	for n := 1; n < len(us); n++ {
		if p.s.odds(p.side, us[:n], []hex.Hex{h}).column >= even {
			return us[:n]
		}
	}
	return us
}

func (p *plan) make(h hex.Hex, us []*Unit, forUnit *Unit) {
	p.combats = append(p.combats, &planned{made: true, forUnit: forUnit,
		order: attackOrder{targets: []hex.Hex{h}, units: slices.Clone(us), stars: answerNo}})
}

// employ finds an attack for a bound unit: in a combat against one hex beside it,
// else on a hex that nobody attacks, the weakest to the eye, else in the combat
// of its own hex. It reports false if there is none without changing others.
func (p *plan) employ(u *Unit) bool {
	if p.join(u, func(c *planned) bool { return len(c.order.targets) == 1 && p.adjacent(u.Hex, c.order.targets[0]) }) {
		return true
	}
	var free []hex.Hex
	for _, h := range p.enemies(u) {
		if p.against(h) == nil {
			free = append(free, h)
		}
	}
	if len(free) > 0 {
		p.make(slices.MinFunc(free, func(a, b hex.Hex) int { return p.s.looksLike(a) - p.s.looksLike(b) }), []*Unit{u}, u)
		return true
	}
	return p.join(u, func(c *planned) bool {
		from := hexesUnder(c.order.units)
		return len(from) == 1 && from[0] == u.Hex
	})
}

func (p *plan) join(u *Unit, ok func(*planned) bool) bool {
	c := p.find(ok)
	if c == nil {
		return false
	}
	c.order.units = append(slices.Clone(c.order.units), u)
	if !c.made {
		c.joinedUnits = append(c.joinedUnits, u)
	}
	return true
}

// looksLike is the weight of a stack as its neighbours see it (16.1.4): the steps
// of an open one, two for each counter of a fortified one.
func (s *State) looksLike(h hex.Hex) int {
	us := s.fresh(h)
	if s.fortified(h, s.holder(h)) {
		return 2 * len(us)
	}
	return steps(us)
}

// enemies lists the hexes beside the unit that may be attacked, in order.
func (p *plan) enemies(u *Unit) []hex.Hex {
	var out []hex.Hex
	for _, h := range p.s.beside(u.Hex) {
		if p.s.attackable(h, p.side) && !p.firedAt(h) {
			out = append(out, h)
		}
	}
	return sorted(out)
}

// cut is a way to employ open units: the hex that each of them attacks.
type cut struct {
	hexes []hex.Hex
	cost  int // how many pairs of a unit and a hex that were ordered it undoes
}

// split is the last resort, for bound units beside which every hex is attacked by
// a combat against several: a hex is taken out of such a combat, which keeps
// another. Of all ways it takes the one that undoes least of what was ordered,
// of equal ones the one with the lowest hexes.
func (p *plan) split(open []*Unit) {
	best := cut{cost: -1}
	p.try(open, cut{}, &best)
	for i, h := range best.hexes {
		u, c := open[i], p.against(h)
		if len(c.order.targets) == 1 {
			p.join(u, func(d *planned) bool { return d == c })
			continue
		}
		c.order.targets = slices.DeleteFunc(slices.Clone(c.order.targets), func(t hex.Hex) bool { return t == h })
		if i := slices.Index(c.joinedHexes, h); i >= 0 {
			c.joinedHexes = slices.Delete(c.joinedHexes, i, i+1)
		} else if !c.made {
			c.leftHexes = append(c.leftHexes, h)
		}
		p.make(h, []*Unit{u}, u)
	}
}

// try goes through the ways of employing the open units one after the other.
func (p *plan) try(open []*Unit, sofar cut, best *cut) {
	if best.cost >= 0 && sofar.cost >= best.cost {
		return
	}
	i := len(sofar.hexes)
	if i == len(open) {
		*best = cut{slices.Clone(sofar.hexes), sofar.cost}
		return
	}
	for _, h := range p.enemies(open[i]) {
		c := p.against(h)
		if c == nil {
			continue
		}
		cost := 0
		if !slices.Contains(sofar.hexes, h) && c.remaining(sofar.hexes) > 1 {
			cost = c.ordered(h)
		}
		p.try(open, cut{append(slices.Clone(sofar.hexes), h), sofar.cost + cost}, best)
	}
}

// remaining counts the combat's hexes that are not among those given away.
func (c *planned) remaining(given []hex.Hex) int {
	n := 0
	for _, t := range c.order.targets {
		n += btoi(!slices.Contains(given, t))
	}
	return n
}

// ordered counts the units of the combat that were ordered against the hex.
func (c *planned) ordered(h hex.Hex) int {
	if c.made || slices.Contains(c.joinedHexes, h) {
		return 0
	}
	return len(c.order.units) - len(c.joinedUnits)
}
