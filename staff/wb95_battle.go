package staff

import (
	"cmp"
	"maps"
	"slices"

	"fieldpost/adjudicator/hex"
)

// assault is an attack on one enemy hex that the officer plans, with the places
// from which its units attack.
type assault struct {
	target hex.Hex
	units  []*wb95Unit
	from   map[*wb95Unit]hex.Hex
	value  int
}

func (s *assault) copy() *assault {
	c := *s
	c.units = slices.Clone(s.units)
	c.from = maps.Clone(s.from)
	return &c
}

// idea is a change of the plan of battle: an assault that is new or stronger,
// and the small ones that its places make necessary.
type idea struct {
	main  *assault
	sides []*assault
	digs  map[hex.Hex]*wb95Unit // who entrenches where it attacks from
	gain  int
}

// worthwhile is the least gain for which an attack is made.
const worthwhile = 90

// mostRounds is how often the plan of battle is changed at most.
const mostRounds = 40

// mostUnits is how many units one assault has at most.
const mostUnits = 12

// battle plans attacks: always the one with the best gain first, until none is
// worth while.
func (p *wb95Plan) battle() {
	gain := map[hex.Hex]int{}
	fresh := map[hex.Hex]int{}
	for _, h := range p.foeAt {
		gain[h], fresh[h] = closed, -1
	}
	for round := 0; round < mostRounds; {
		best := unless(hex.None, p.as.least(worthwhile)-1)
		for _, h := range p.foeAt {
			best.offer(h, gain[h])
		}
		target := best.best
		if target == hex.None {
			return
		}
		i := p.consider(target)
		switch {
		case fresh[target] != round: // the gain is of an earlier round: reckoned again
			fresh[target], gain[target] = round, 0
			if i != nil {
				gain[target] = p.as.biased(target, i.gain)
			}
		case i != nil && p.commit(i):
			round++
		default:
			gain[target] = 0
		}
	}
}

// option is a unit that could join an assault, and the hexes it could do it from.
type option struct {
	u    *wb95Unit
	from []hex.Hex
}

// consider works out the best way to attack a hex.
func (p *wb95Plan) consider(target hex.Hex) *idea {
	now := p.against(target)
	try := &assault{target: target, from: map[*wb95Unit]hex.Hex{}}
	before := 0
	if now != nil {
		try, before = now.copy(), now.value
	}
	pool := p.pool(target)
	if len(pool) == 0 {
		return nil
	}
	load := map[hex.Hex]int{}
	used := map[hex.Hex]bool{}
	for _, u := range try.units {
		used[try.from[u]] = true
	}
	var undo []func()
	defer func() {
		for _, f := range slices.Backward(undo) {
			f()
		}
	}()
	var best choice[*idea]
	price := 0
	for _, o := range pool {
		if len(try.units) >= mostUnits {
			break
		}
		h := p.choose(o, target, used, load)
		if h == hex.None {
			continue
		}
		if h != o.u.at {
			load[h] += o.u.Steps
			price += p.leaving(o.u, h)
			if p.strips(try, o.u) {
				price += p.holding(o.u.at)
			}
		}
		price += 2 * o.u.Attack // it fights once a turn only
		used[h] = true
		try.units = append(try.units, o.u)
		try.from[o.u] = h
		undo = append(undo, p.a.Suppose(o.u.ID, h))
		i := p.weigh(try, used)
		i.gain -= before + price
		best.offer(i, i.gain)
	}
	return best.best
}

// against is the planned assault on a hex.
func (p *wb95Plan) against(h hex.Hex) *assault {
	for _, s := range p.assaults {
		if s.target == h {
			return s
		}
	}
	return nil
}

// pool lists who could join an attack on the hex: who stands beside it first,
// then the strongest, then the nearest.
func (p *wb95Plan) pool(target hex.Hex) []option {
	var out []option
	around := p.g.Neighbours(target)
	for _, u := range p.pieces {
		if !p.mayJoin(u) {
			continue
		}
		if from := p.standsFor(u, target, around); len(from) > 0 {
			out = append(out, option{u, from})
		}
	}
	away := func(o option) int {
		if o.u.beside(p.g, target) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(out, func(a, b option) int {
		return cmp.Or(away(a)-away(b), b.u.Attack-a.u.Attack, cmp.Compare(a.u.ID, b.u.ID))
	})
	return out
}

// mayJoin tells whether a unit can be spared for an attack: where every lost unit counts,
// one on its last step fights only if the enemy touches it.
func (p *wb95Plan) mayJoin(u *wb95Unit) bool {
	switch {
	case !u.Fights, u.fights, u.Attack == 0:
		return false
	case u.Steps == 1 && p.a.Thrift():
		return u.onMap() && p.toFoe(u.at) <= 1
	}
	return true
}

// standsFor lists the hexes around a target that a unit could attack it from.
func (p *wb95Plan) standsFor(u *wb95Unit, target hex.Hex, around []hex.Hex) (from []hex.Hex) {
	if u.done || !u.Movable {
		if u.beside(p.g, target) {
			return []hex.Hex{u.at}
		}
		return nil
	}
	if u.onMap() && p.g.Distance(u.at, target) > u.radius+1 {
		return nil
	}
	for _, h := range around {
		if _, ok := u.cost(h); ok && p.foes[h] == nil {
			from = append(from, h)
		}
	}
	return from
}

// beside tells whether the unit stands next to a hex in the plan.
func (u *wb95Unit) beside(g *hex.Grid, h hex.Hex) bool { return u.onMap() && g.Adjacent(u.at, h) }

// tooDear is the score below which no unit goes to attack from a hex.
const tooDear = -250

// choose is the best hex for a unit to attack from, None if there is none.
func (p *wb95Plan) choose(o option, target hex.Hex, used map[hex.Hex]bool, load map[hex.Hex]int) hex.Hex {
	best := unless(hex.None, -closed)
	for _, h := range o.from {
		if h != o.u.at && p.room(h)-load[h] < o.u.Steps {
			continue
		}
		s := p.stand(o.u, h, target)
		if !used[h] {
			s += 25 - 90*len(p.duties(h, target))
		}
		best.offer(h, s)
	}
	if best.best != o.u.at && best.score < tooDear {
		return hex.None
	}
	return best.best
}

// stand is how good a hex is for a unit to attack another one from: cover, nobody to be
// missed where it stood, no water to cross, supply.
func (p *wb95Plan) stand(u *wb95Unit, h, target hex.Hex) int {
	s := 10*p.a.Cover(h) - p.leaving(u, h)
	if h == u.at {
		s += 40
	}
	if p.a.Wet(h, target) {
		s -= 30
	}
	if !p.a.InSupply(h) && p.toFoe(h) <= 1 {
		s -= 20
	}
	return s
}

// duties lists the enemy hexes that units on h would have to attack besides the
// target and what is attacked already.
func (p *wb95Plan) duties(h, target hex.Hex) []hex.Hex {
	if p.safe(h) || p.canDig(h) != nil {
		return nil
	}
	var out []hex.Hex
	for _, z := range p.zonesOn(h) {
		if z == target {
			continue
		}
		if p.against(z) == nil {
			out = append(out, z)
		}
	}
	return out
}

// weigh works out what an assault is worth with the small attacks that it needs:
// for each hex that becomes due the weakest unit beside it is detached.
func (p *wb95Plan) weigh(s *assault, used map[hex.Hex]bool) *idea {
	i := &idea{main: s.copy(), digs: map[hex.Hex]*wb95Unit{}}
	var due []hex.Hex
	for _, h := range p.g.Neighbours(s.target) {
		if !used[h] {
			continue
		}
		if d := p.digger(i.main, h); d != nil {
			i.digs[h] = d
			continue
		}
		for _, z := range p.duties(h, s.target) {
			if !slices.Contains(due, z) {
				due = append(due, z)
			}
		}
	}
	for _, z := range due {
		if side := p.detach(i.main, z); side != nil {
			i.sides = append(i.sides, side)
			i.gain += side.value
		} else {
			i.gain -= 500
		}
	}
	i.main.value = p.value(i.main)
	i.gain += i.main.value
	return i
}

// digger is who may entrench on a hex that an assault is made from so that nothing else
// must be attacked from there: not who goes to attack from another hex. Nil if that is not
// needed or nobody can.
func (p *wb95Plan) digger(s *assault, h hex.Hex) *wb95Unit {
	if p.safe(h) {
		return nil
	}
	d := p.canDig(h)
	if d == nil {
		return nil
	}
	switch s.from[d] {
	case h, hex.None:
		return d
	}
	return nil
}

// detach takes the weakest unit out of an assault to attack another hex.
func (p *wb95Plan) detach(s *assault, z hex.Hex) *assault {
	var weakest choice[*wb95Unit]
	for _, u := range s.units {
		if !u.fights && p.g.Adjacent(s.from[u], z) {
			weakest.offer(u, -u.Attack)
		}
	}
	who := weakest.best
	if who == nil || len(s.units) < 2 {
		return nil
	}
	side := &assault{target: z, units: []*wb95Unit{who}, from: map[*wb95Unit]hex.Hex{who: s.from[who]}}
	s.units = slices.DeleteFunc(s.units, func(u *wb95Unit) bool { return u == who })
	delete(s.from, who)
	side.value = p.value(side)
	return side
}

// value is what an assault may be expected to bring, with a wing where it is planned with one.
func (p *wb95Plan) value(s *assault) int {
	n, _ := p.flown(s)
	return n
}

// wingPrice is what a wing must bring that no other assault can have then.
const wingPrice = 60

// flown is what an assault brings, and whether a wing flies for it.
func (p *wb95Plan) flown(s *assault) (value int, flies bool) {
	if w := p.flights[s.target]; w > 0 {
		return p.onWings(s, w), true
	}
	value = p.onFoot(s)
	if len(p.wings) == 0 {
		return value, false
	}
	if with := p.onWings(s, p.wings[0]) - wingPrice; with > value {
		return with, true
	}
	return value, false
}

// onFoot is what an assault brings as things stand.
func (p *wb95Plan) onFoot(s *assault) int {
	foe := p.foes[s.target]
	ids := make([]string, len(s.units))
	ours, steps := 0, 0
	for i, u := range s.units {
		ids[i] = u.ID
		ours += u.Attack
		steps += u.Steps
	}
	if steps == 0 {
		return -500
	}
	o := p.a.OddsWith(ids, p.battery(s), []hex.Hex{s.target})
	their := 100 * max(foe.Defence, foe.Steps) / max(1, foe.Steps)
	our := 100 * ours / steps
	ourHead, theirHead := p.a.Heads()
	their, our = their*p.lasting()/10, our*p.lasting()/10
	their += theirHead * pointWorth / 2 // most units have two steps
	our += p.lossWorth(ourHead) * pointWorth * len(s.units) / steps
	v := o.TheirSteps * their
	v += o.Retreats * (p.prize(s.target) + 60)
	v += o.TheirHexes * their * p.trapped(s) / 100
	v -= o.OurSteps * p.as.price(our) * 11 / 10
	v -= o.Repulsed * 80
	return v / 36
}

// prize is what taking a hex is worth.
func (p *wb95Plan) prize(h hex.Hex) int {
	v := 40
	if p.foes[h].Fort {
		v += 60
	}
	toward := 0
	for _, g := range p.goals {
		d := p.g.Distance(h, g.Hex)
		switch {
		case g.Ours && d <= 3:
			toward = max(toward, g.worth/(4+2*d))
		case g.Ours:
		case d == 0:
			v += g.worth
		default:
			toward = max(toward, g.worth*4/(10+3*d))
		}
	}
	return v + toward
}

// trapped is how far, in percent, the retreat from the hex is closed.
func (p *wb95Plan) trapped(s *assault) int {
	open := 0
	for _, h := range p.g.Neighbours(s.target) {
		if p.a.On(h) && !p.shut(h, s) {
			open++
		}
	}
	return max(5, 90-40*open)
}

// shut tells whether nobody retreats to a hex once an assault has come up: we hold it, or
// our zones of control lie on it.
func (p *wb95Plan) shut(h hex.Hex, s *assault) bool {
	if p.load[h] > 0 {
		return true
	}
	for _, f := range s.from {
		if p.g.Distance(f, h) <= 1 {
			return true
		}
	}
	return p.a.Covered(h)
}

// commit makes an idea part of the plan.
func (p *wb95Plan) commit(i *idea) bool {
	for _, h := range p.g.Neighbours(i.main.target) {
		d := i.digs[h]
		if d == nil || d.done {
			continue
		}
		if !p.entrench(d) {
			return false
		}
	}
	kept := i.main.units[:0:0]
	for _, u := range i.main.units {
		if u.fights || u.done || p.send(u, i.main.from[u], "") {
			kept = append(kept, u)
			u.fights = true
		}
	}
	for _, s := range i.sides {
		u := s.units[0]
		if u.done || p.send(u, s.from[u], "") {
			u.fights = true
			p.assaults = append(p.assaults, s)
		}
	}
	i.main.units = kept
	if len(kept) == 0 {
		return false
	}
	p.assign(i.main)
	if _, flies := p.flown(i.main); flies && p.flights[i.main.target] == 0 {
		p.flyTo(i.main)
	}
	for k, s := range p.assaults {
		if s.target == i.main.target {
			p.assaults[k] = i.main
			return true
		}
	}
	p.assaults = append(p.assaults, i.main)
	return true
}

// lossWorth is what a lost unit counts in points.
func (p *wb95Plan) lossWorth(head int) int {
	if p.a.Thrift() {
		return 3 * head
	}
	return head
}

// lasting is how much of its worth, in tenths, an army has left after the turn: in the last ones nobody needs it
// but for the points that are counted by it. A cadet does not look at the clock.
func (p *wb95Plan) lasting() int {
	if !p.as.craft {
		return 10
	}
	return min(10, 2+2*(p.v.Turns-p.v.Turn))
}
