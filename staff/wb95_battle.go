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
	units  []*piece
	from   map[*piece]hex.Hex
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
	digs  map[hex.Hex]*piece // who entrenches where it attacks from
	gain  int
}

// worthwhile is the least gain for which an attack is made.
const worthwhile = 90

// battle plans attacks: always the one with the best gain first, until none is
// worth while.
func (p *plan) battle() {
	gain := map[hex.Hex]int{}
	fresh := map[hex.Hex]int{}
	for _, h := range p.foeAt {
		gain[h], fresh[h] = closed, -1
	}
	for round := 0; round < 40; {
		best := hex.None
		for _, h := range p.foeAt {
			if gain[h] >= worthwhile && (best == hex.None || gain[h] > gain[best]) {
				best = h
			}
		}
		if best == hex.None {
			return
		}
		if fresh[best] == round {
			i := p.consider(best)
			if i != nil && p.commit(i) {
				round++
			} else {
				gain[best] = 0
			}
			continue
		}
		fresh[best], gain[best] = round, 0
		if i := p.consider(best); i != nil {
			gain[best] = i.gain
		}
	}
}

// option is a unit that could join an assault, and the hexes it could do it from.
type option struct {
	u    *piece
	from []hex.Hex
}

// consider works out the best way to attack a hex.
func (p *plan) consider(target hex.Hex) *idea {
	now := p.against(target)
	try := &assault{target: target, from: map[*piece]hex.Hex{}}
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
	var best *idea
	price := 0
	for _, o := range pool {
		h := p.choose(o, target, used, load)
		if h == hex.None || len(try.units) >= 12 {
			continue
		}
		if h != o.u.at {
			load[h] += o.u.Steps
			price += p.leaving(o.u, h)
		}
		price += 2 * o.u.Attack // it fights once a turn only
		used[h] = true
		try.units = append(try.units, o.u)
		try.from[o.u] = h
		undo = append(undo, p.a.Suppose(o.u.ID, h))
		i := p.weigh(try, used)
		if i.gain -= before + price; best == nil || i.gain > best.gain {
			best = i
		}
	}
	return best
}

// against is the planned assault on a hex.
func (p *plan) against(h hex.Hex) *assault {
	for _, s := range p.war {
		if s.target == h {
			return s
		}
	}
	return nil
}

// pool lists who could join an attack on the hex: who stands beside it first,
// then the strongest, then the nearest.
func (p *plan) pool(target hex.Hex) []option {
	var out []option
	beside := p.g.Neighbours(target)
	for _, u := range p.pieces {
		if !u.Fights || u.fights || u.Attack == 0 || u.Steps == 1 && p.a.Thrift() && (u.at == hex.None || p.toFoe(u.at) > 1) {
			continue
		}
		if u.done || !u.Movable {
			if u.at != hex.None && p.g.Adjacent(u.at, target) {
				out = append(out, option{u, []hex.Hex{u.at}})
			}
			continue
		}
		o := option{u: u}
		for _, h := range beside {
			if _, ok := u.reach[h]; ok && p.foes[h] == nil {
				o.from = append(o.from, h)
			}
		}
		if len(o.from) > 0 {
			out = append(out, o)
		}
	}
	at := func(o option) int {
		if o.u.at != hex.None && p.g.Adjacent(o.u.at, target) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(out, func(a, b option) int {
		return cmp.Or(at(a)-at(b), b.u.Attack-a.u.Attack, cmp.Compare(a.u.ID, b.u.ID))
	})
	return out
}

// choose is the best hex for a unit to attack from, None if there is none.
func (p *plan) choose(o option, target hex.Hex, used map[hex.Hex]bool, load map[hex.Hex]int) hex.Hex {
	best, most := hex.None, -closed
	for _, h := range o.from {
		if h != o.u.at && p.room(h)-load[h] < o.u.Steps {
			continue
		}
		s := 10*p.a.Cover(h) - p.leaving(o.u, h)
		if h == o.u.at {
			s += 40
		}
		if !used[h] {
			s += 25 - 90*len(p.duties(h, target))
		}
		if p.a.Wet(h, target) {
			s -= 30
		}
		if !p.a.InSupply(h) && p.toFoe(h) <= 1 {
			s -= 20
		}
		if s > most {
			best, most = h, s
		}
	}
	if best != o.u.at && most < -250 {
		return hex.None
	}
	return best
}

// duties lists the enemy hexes that units on h would have to attack besides the
// target and what is attacked already.
func (p *plan) duties(h, target hex.Hex) []hex.Hex {
	if p.safe(h) || p.canDig(h) != nil {
		return nil
	}
	var out []hex.Hex
	for _, z := range p.zonesOn(h) {
		if z != target && p.against(z) == nil {
			out = append(out, z)
		}
	}
	return out
}

// weigh works out what an assault is worth with the small attacks that it needs:
// for each hex that becomes due the weakest unit beside it is told off.
func (p *plan) weigh(s *assault, used map[hex.Hex]bool) *idea {
	i := &idea{main: s.copy(), digs: map[hex.Hex]*piece{}}
	var due []hex.Hex
	for _, h := range p.g.Neighbours(s.target) {
		if !used[h] {
			continue
		}
		if !p.safe(h) {
			if d := p.canDig(h); d != nil && (i.main.from[d] == h || i.main.from[d] == hex.None) {
				i.digs[h] = d
				continue
			}
		}
		for _, z := range p.duties(h, s.target) {
			if !slices.Contains(due, z) {
				due = append(due, z)
			}
		}
	}
	for _, z := range due {
		if side := p.tellOff(i.main, z); side != nil {
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

// tellOff takes the weakest unit out of an assault to attack another hex.
func (p *plan) tellOff(s *assault, z hex.Hex) *assault {
	var who *piece
	for _, u := range s.units {
		if p.g.Adjacent(s.from[u], z) && !u.fights && (who == nil || u.Attack < who.Attack) {
			who = u
		}
	}
	if who == nil || len(s.units) < 2 {
		return nil
	}
	side := &assault{target: z, units: []*piece{who}, from: map[*piece]hex.Hex{who: s.from[who]}}
	s.units = slices.DeleteFunc(s.units, func(u *piece) bool { return u == who })
	delete(s.from, who)
	side.value = p.value(side)
	return side
}

// value is what an assault may be expected to bring.
func (p *plan) value(s *assault) int {
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
	their += theirHead * pointWorth / 2 // most units have two steps
	our += p.thrift(ourHead) * pointWorth * len(s.units) / steps
	v := o.TheirSteps * their
	v += o.Retreats * (p.prize(s.target) + 60)
	v += o.TheirHexes * their * p.trapped(s) / 100
	v -= o.OurSteps * our * 11 / 10
	v -= o.Repulsed * 80
	return v / 36
}

// prize is what taking a hex is worth.
func (p *plan) prize(h hex.Hex) int {
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
func (p *plan) trapped(s *assault) int {
	open := 0
	for _, h := range p.g.Neighbours(s.target) {
		held := p.load[h] > 0
		for _, f := range s.from {
			held = held || f == h || p.g.Adjacent(f, h)
		}
		if !held && !p.a.Covered(h) && p.a.On(h) {
			open++
		}
	}
	return max(5, 90-40*open)
}

// commit makes an idea part of the plan.
func (p *plan) commit(i *idea) bool {
	for _, h := range p.g.Neighbours(i.main.target) {
		if d := i.digs[h]; d != nil && !d.done && !p.entrench(d) {
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
			p.war = append(p.war, s)
		}
	}
	i.main.units = kept
	if len(kept) == 0 {
		return false
	}
	p.assign(i.main)
	for k, s := range p.war {
		if s.target == i.main.target {
			p.war[k] = i.main
			return true
		}
	}
	p.war = append(p.war, i.main)
	return true
}

// thrift is what a lost unit counts in points.
func (p *plan) thrift(head int) int {
	if p.a.Thrift() {
		return 3 * head
	}
	return head
}
