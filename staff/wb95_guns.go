package staff

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/wb95"
)

// batteries is the most guns that one assault is planned with.
const batteries = 3

// battery lists the guns that an assault may count on: in combat set-up, within
// range of the places it attacks from, and not assigned for another one.
func (p *wb95Plan) battery(s *assault) []string {
	var ids []string
	for _, u := range p.pieces {
		if len(ids) == batteries {
			break
		}
		if p.counts(u, s) {
			ids = append(ids, u.ID)
		}
	}
	return ids
}

// counts tells whether an assault may count on a gun.
func (p *wb95Plan) counts(u *wb95Unit, s *assault) bool {
	switch {
	case !u.Gun, !u.Firing, u.Fire <= 0:
		return false
	case u.fires != nil && u.fires.target != s.target:
		return false
	}
	return p.ranges(u, s)
}

// ranges tells whether the gun is near enough to one of the attackers.
func (p *wb95Plan) ranges(u *wb95Unit, s *assault) bool {
	for _, a := range s.units {
		if p.g.Distance(u.at, s.from[a]) <= p.a.GunRange() {
			return true
		}
	}
	return false
}

// assign assigns the guns for an assault that has been decided on.
func (p *wb95Plan) assign(s *assault) {
	for _, id := range p.battery(s) {
		p.byID[id].fires, p.byID[id].done = s, true
	}
}

// guns moves the guns that no assault counts on to where they can support, and
// sets them up there.
func (p *wb95Plan) guns() {
	line := p.line()
	for _, u := range p.pieces {
		if !u.Gun || u.done {
			continue
		}
		p.lookGun(u)
		p.emplace(u, p.emplacement(u, line))
	}
}

// emplacement is the best hex that a gun can get to, or where it is if none is better by
// what it costs to go.
func (p *wb95Plan) emplacement(u *wb95Unit, line []hex.Hex) hex.Hex {
	now := -closed
	if u.onMap() {
		now = p.site(u, u.at, line)
	}
	best := unless(u.at, now+15)
	for _, h := range u.places {
		switch {
		case h == u.at, p.room(h) < u.Steps, !p.safe(h):
			continue
		}
		s := p.site(u, h, line)
		if !u.inTime(h) {
			s -= 10
		}
		best.offer(h, s)
	}
	return best.best
}

// inTime tells whether a gun that goes to a hex has the point left that it takes to unlimber.
func (u *wb95Unit) inTime(h hex.Hex) bool {
	cost, _ := u.cost(h)
	return cost+point <= u.Moves
}

// lookGun finds out where a gun can get to; limbering is in the price.
func (p *wb95Plan) lookGun(u *wb95Unit) {
	u.Movable = true
	p.look(u)
}

// line lists the hexes of our line that the enemy touches.
func (p *wb95Plan) line() []hex.Hex {
	var out []hex.Hex
	for _, u := range p.pieces {
		if !u.Regular || !u.onMap() {
			continue
		}
		if p.toFoe(u.at) == 1 && !slices.Contains(out, u.at) {
			out = append(out, u.at)
		}
	}
	return out
}

// site is how good a hex is for a gun: how much of the line it can support, how
// far it is from the enemy, who stands with it.
func (p *wb95Plan) site(u *wb95Unit, h hex.Hex, line []hex.Hex) int {
	n := 0
	for _, k := range line {
		if p.g.Distance(h, k) <= p.a.GunRange() {
			n++
		}
	}
	s := 12*min(n, 4) - p.peril(u, h)
	if _, with := p.others(h, u); with > 0 {
		s += 4
	}
	if n == 0 {
		s -= 3 * max(0, p.toFoe(h)-3)
	}
	if !p.a.InSupply(h) {
		s -= 40
	}
	return s
}

// peril is what speaks against a gun so near the enemy, with those who would cover it.
func (p *wb95Plan) peril(u *wb95Unit, h hex.Hex) (s int) {
	if p.as.craft && p.bare(u, h) {
		return bareGun
	}
	d := p.toFoe(h)
	_, with := p.others(h, u)
	switch {
	case d <= 1 && !p.a.Fort(h):
		s += 30
	case d <= 2 && with == 0:
		s += 40
	}
	if d <= 1 && with < 4 {
		s += 60
	}
	return s
}

// ridesDown is how far off, in hexes, the enemy may be who rides down a gun that stands alone, and
// bareGun what speaks against standing so.
const (
	ridesDown = 4
	bareGun   = 70
)

// bare tells whether a gun stands on a hex where the first enemy who comes has it.
func (p *wb95Plan) bare(u *wb95Unit, h hex.Hex) bool {
	n, _ := p.others(h, u)
	return n == 0 && p.toFoe(h) <= ridesDown
}

// emplace writes the order for a gun: where to, and its set-up.
func (p *wb95Plan) emplace(u *wb95Unit, to hex.Hex) {
	if to == hex.None {
		return
	}
	var parts []string
	ready := u.inTime(to) && p.toFoe(to) <= 8
	switch {
	case to == u.at && u.Firing:
		return
	case to == u.at:
		if !ready {
			return
		}
		parts = []string{u.Name + " UNLIMBER"}
	case !u.onMap():
		parts = []string{fmt.Sprintf("%s ENTER %s TO %v", u.Name, u.by[to], to)}
	case u.Firing:
		parts = []string{fmt.Sprintf("%s LIMBER, TO %v", u.Name, to)}
	default:
		parts = []string{fmt.Sprintf("%s TO %v", u.Name, to)}
	}
	if to != u.at && ready {
		parts = append(parts, "UNLIMBER")
	}
	text := strings.Join(parts, ", ")
	if _, err := p.a.Order(text); err != nil {
		return
	}
	if u.onMap() {
		p.load[u.at] -= u.Steps
	}
	p.load[to] += u.Steps
	u.Firing = ready || to == u.at
	u.at, u.done = to, true
	p.moves = append(p.moves, text)
}

// support assigns the guns for the attacks of the sheet: first those that were
// planned for one to that one, then any where they raise the column. A gun that
// raises nothing stays free.
func (p *wb95Plan) support(all []wb95.Attack) [][]string {
	out := make([][]string, len(all))
	at := make(map[string]hex.Hex)
	for _, u := range p.a.Pieces() {
		if u.Gun && u.Fire > 0 {
			at[u.ID] = u.Hex
		}
	}
	for _, planned := range []bool{true, false} {
		for n, a := range all {
			var can []string
			for _, u := range p.pieces {
				h, fires := at[u.ID]
				if !fires || p.busy[u.ID] {
					continue
				}
				if u.meantFor(a) == planned && p.inRange(h, a) {
					can = append(can, u.ID)
				}
			}
			more := p.raising(a, out[n], can)
			for _, id := range more {
				p.busy[id] = true
			}
			out[n] = append(out[n], more...)
		}
	}
	return out
}

// meantFor tells whether a gun was assigned to the assault that an attack carries out.
func (u *wb95Unit) meantFor(a wb95.Attack) bool {
	return u.fires != nil && slices.Contains(a.Targets, u.fires.target)
}

// raising are as few of the guns as raise the column of an attack, beside those that
// support it already, as far as all of them would.
func (p *wb95Plan) raising(a wb95.Attack, have, can []string) []string {
	level := func(guns []string) int {
		return p.a.OddsWith(a.Units, slices.Concat(have, guns), a.Targets).Level
	}
	best := level(nil)
	var take, all []string
	for _, id := range can {
		all = append(all, id)
		if now := level(all); now > best {
			best, take = now, slices.Clone(all)
		}
	}
	for _, id := range slices.Clone(take) {
		less := slices.DeleteFunc(slices.Clone(take), func(x string) bool { return x == id })
		if level(less) == best {
			take = less
		}
	}
	return take
}

func (p *wb95Plan) inRange(h hex.Hex, a wb95.Attack) bool {
	for _, id := range a.Units {
		if p.g.Distance(h, p.a.Where(id)) <= p.a.GunRange() {
			return true
		}
	}
	return false
}

// named are the names of units.
func (p *wb95Plan) named(ids []string) []string {
	var out []string
	for _, id := range ids {
		out = append(out, p.byID[id].Name)
	}
	return out
}

// leastVolley is the strength, ground deducted, above which guns fire at a hex.
const leastVolley = 2

// shoot lets the guns that support nothing fire at what nobody attacks, as many
// as can on one hex.
func (p *wb95Plan) shoot(all []wb95.Attack, due []hex.Hex) {
	idle := p.idle()
	targets := p.unattacked(all, due)
	for len(idle) > 0 {
		best := unless(hex.None, leastVolley)
		for _, h := range targets {
			best.offer(h, p.volley(idle, h))
		}
		target := best.best
		if target == hex.None {
			return
		}
		var names []string
		idle = slices.DeleteFunc(idle, func(g wb95.Piece) bool {
			fires := p.bears(g.Hex, target)
			if fires {
				names = append(names, g.Name)
			}
			return fires
		})
		slices.Sort(names)
		p.attacks = append(p.attacks, fmt.Sprintf("FIRE %s AT %v", fit(names, lineRoom-len("FIRE  AT 0000")), target))
		targets = slices.DeleteFunc(targets, func(h hex.Hex) bool { return h == target })
	}
}

// idle lists the guns that can fire and support nothing.
func (p *wb95Plan) idle() (out []wb95.Piece) {
	for _, u := range p.a.Pieces() {
		if !u.Gun || u.Fire <= 0 {
			continue
		}
		if !p.busy[u.ID] {
			out = append(out, u)
		}
	}
	return out
}

// unattacked lists the enemy hexes that no attack of the sheet is on and none must be on.
func (p *wb95Plan) unattacked(all []wb95.Attack, due []hex.Hex) []hex.Hex {
	busy := slices.Clone(due)
	for _, a := range all {
		busy = append(busy, a.Targets...)
	}
	return slices.DeleteFunc(slices.Clone(p.foeAt), func(h hex.Hex) bool { return slices.Contains(busy, h) })
}

// volley is the strength of the fire of guns at a hex, what its ground takes off deducted.
func (p *wb95Plan) volley(guns []wb95.Piece, h hex.Hex) int {
	n := -p.a.Ground(h)
	for _, g := range guns {
		if p.bears(g.Hex, h) {
			n += g.Fire
		}
	}
	return n
}
