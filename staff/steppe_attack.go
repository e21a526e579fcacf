package staff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/steppe"
)

// steppeAttack is an attack that a headquarters could make.
type steppeAttack struct {
	target hex.Hex
	units  []*steppeUnit
	from   map[*steppeUnit]hex.Hex
	odds   steppe.Odds
	worth  int
}

const (
	mostSteppeAttacks = 5  // of a headquarters in a turn
	outreach          = 6  // hexes beyond its range in which a headquarters looks for targets
	assembly          = 11 // hexes from which units are called to an attack
	evenOdds          = 3  // the level 1:1
	twiceOdds         = 5  // the level 2:1
	enoughOdds        = 8  // the level 5:1: more units than it takes stay free
	leastSteppe       = 60 // by which bolder and more careful officers differ in what an attack must be worth
	leastRetreat      = 18 // ways of 36 in which the defender must retreat
)

// attacks plans the attacks of a headquarters, the most worthy first, as long as one is
// worth its losses.
func (d *steppePlan) attacks(hq *steppeUnit) {
	for range d.as.most(mostSteppeAttacks) {
		best := unless[*steppeAttack](nil, 0)
		for i := range d.foes {
			if s := d.attackOn(hq, &d.foes[i]); s != nil {
				best.offer(s, s.worth)
			}
		}
		if best.best == nil {
			return
		}
		d.order(hq, best.best)
	}
}

// attackOn gathers the units of a headquarters that can come beside a hex and weighs the
// attack.
func (d *steppePlan) attackOn(hq *steppeUnit, f *steppe.Foe) *steppeAttack {
	if d.grid.Distance(hq.Hex, f.Hex) > hq.Range+outreach {
		return nil
	}
	s := &steppeAttack{target: f.Hex, from: map[*steppeUnit]hex.Hex{}}
	room := map[hex.Hex]int{}
	attack := 0
	around := d.grid.Neighbours(f.Hex)
	for _, u := range d.assembled(hq, f.Hex) {
		at := d.besideFor(u, f.Hex, around, room)
		if at == hex.None || d.as.craft && !d.commands(hq, append(d.stands(s), at)) {
			continue
		}
		s.units, s.from[u] = append(s.units, u), at
		room[at] += u.Steps
		attack += u.Attack
		s.odds = d.a.Odds(attack, f.Defence, -d.a.Shelter(f.Hex, d.stands(s)), 0)
		if s.odds.Level >= enoughOdds {
			break
		}
	}
	if len(s.units) == 0 {
		return nil
	}
	s.odds = d.a.Odds(attack, f.Defence, -d.a.Shelter(f.Hex, d.stands(s)), min(hq.Support, 2))
	s.worth = d.value(f, s)
	if d.as.craft && !d.comesOff(s) {
		return nil
	}
	return s
}

// comesOff tells whether the odds of an attack are those at least below which it is off.
func (d *steppePlan) comesOff(s *steppeAttack) bool {
	if d.as.sure {
		return s.odds.Level >= twiceOdds
	}
	return s.odds.Level >= evenOdds
}

// assembled lists the units of a headquarters that could attack a hex, the strongest first.
func (d *steppePlan) assembled(hq *steppeUnit, target hex.Hex) (out []*steppeUnit) {
	for _, u := range d.pieces {
		able := u.Attack > 0 && !u.busy
		if u.hq != hq || !able {
			continue
		}
		if d.grid.Distance(u.Hex, target) <= assembly {
			out = append(out, u)
		}
	}
	slices.SortStableFunc(out, func(a, b *steppeUnit) int { return cmp.Or(b.Attack-a.Attack, strings.Compare(a.ID, b.ID)) })
	return out
}

func (d *steppePlan) stands(s *steppeAttack) []hex.Hex {
	var out []hex.Hex
	for _, u := range s.units {
		out = append(out, s.from[u])
	}
	return out
}

// besideFor is the hex from which a unit would attack: where it stands, else the one with
// the least water before it.
func (d *steppePlan) besideFor(u *steppeUnit, target hex.Hex, around []hex.Hex, room map[hex.Hex]int) hex.Hex {
	best := unless(hex.None, -1<<20)
	for _, h := range around {
		if d.a.Holder(h) < 0 || !contains(u.reach, h) {
			continue
		}
		steps := d.load[h] + room[h] + u.Steps
		if u.at == h {
			steps -= u.Steps
		}
		if steps > d.a.StackLimit() {
			continue
		}
		n := -10 * d.a.Shelter(target, []hex.Hex{h})
		if h == u.at {
			n += 5
		}
		best.offer(h, n)
	}
	return best.best
}

// contains tells whether a hex is in a list in ascending order.
func contains(list []hex.Hex, h hex.Hex) bool {
	_, found := slices.BinarySearch(list, h)
	return found
}

// value is what an attack is worth: ground and steps of the enemy against our own.
func (d *steppePlan) value(f *steppe.Foe, s *steppeAttack) int {
	o := s.odds
	if o.Retreat < leastRetreat {
		return 0
	}
	gain := 2 + d.prize(f.Hex)
	if d.encircled(f.Hex, s) {
		gain += 6 * f.Steps // a stack without a way back dies
	}
	return gain*o.Retreat + 6*o.Theirs - d.as.price(7)*o.Ours - d.as.least(leastSteppe) + leastSteppe
}

// prize is what a hex is worth by the places on it and around.
func (d *steppePlan) prize(h hex.Hex) (gain int) {
	for _, g := range d.goals {
		switch n := d.grid.Distance(g.Hex, h); {
		case n == 0:
			gain += 16
		case n <= 2:
			gain += 4
		case n <= 5 && !g.Ours:
			gain += 2
		}
		if g.Hex == d.as.focus && d.grid.Distance(g.Hex, h) <= 5 {
			gain += 6
		}
	}
	return gain
}

// encircled tells whether an attack leaves the defender of a hex one way back at most.
func (d *steppePlan) encircled(target hex.Hex, s *steppeAttack) bool {
	shut := 0
	for _, n := range d.grid.Neighbours(target) {
		if d.covered(n, s) {
			shut++
		}
	}
	return shut >= 5
}

// covered tells whether our zones of control would lie on a hex.
func (d *steppePlan) covered(h hex.Hex, s *steppeAttack) bool {
	if d.load[h] > 0 {
		return true
	}
	for _, n := range append(d.grid.Neighbours(h), h) {
		if d.load[n] > 0 {
			return true
		}
		for _, at := range s.from {
			if at == n {
				return true
			}
		}
	}
	return false
}

// order writes an attack into the programme of its headquarters.
func (d *steppePlan) order(hq *steppeUnit, s *steppeAttack) {
	var names []string
	for _, u := range s.units {
		d.move(u, s.from[u], "PUSH")
		u.busy = true
		names = append(names, u.Name)
	}
	text := fmt.Sprintf("ATTACK %v WITH %s; MIN %s", s.target, strings.Join(names, ", "), d.as.floor("1:1"))
	for _, g := range d.goals {
		if g.Hex == s.target {
			text += "; KEY; ADVANCE " + s.units[0].Name
		}
	}
	hq.attacks = append(hq.attacks, text)
	hq.stands = append(hq.stands, d.stands(s)...)
	d.foes = slices.DeleteFunc(slices.Clone(d.foes), func(f steppe.Foe) bool { return f.Hex == s.target })
	d.near = nil
}
