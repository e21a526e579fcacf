package staff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/wb95"
)

// batteries is the most guns that one assault is planned with.
const batteries = 3

// battery lists the guns that an assault may count on: in combat set-up, within
// range of the places it attacks from, and not told off for another one.
func (p *plan) battery(s *assault) []string {
	var ids []string
	for _, u := range p.pieces {
		if len(ids) == batteries {
			break
		}
		if u.Gun && u.Firing && u.Fire > 0 && (u.fires == nil || u.fires.target == s.target) && p.ranges(u, s) {
			ids = append(ids, u.ID)
		}
	}
	return ids
}

// ranges tells whether the gun is near enough to one of the attackers.
func (p *plan) ranges(u *piece, s *assault) bool {
	for _, a := range s.units {
		if p.g.Distance(u.at, s.from[a]) <= p.a.GunRange() {
			return true
		}
	}
	return false
}

// assign tells the guns off for an assault that has been decided on.
func (p *plan) assign(s *assault) {
	for _, id := range p.battery(s) {
		p.byID[id].fires, p.byID[id].done = s, true
	}
}

// guns moves the guns that no assault counts on to where they can support, and
// sets them up there.
func (p *plan) guns() {
	line := p.line()
	for _, u := range p.pieces {
		if !u.Gun || u.done {
			continue
		}
		p.lookGun(u)
		now := -closed
		if u.at != hex.None {
			now = p.site(u, u.at, line)
		}
		best, most := u.at, now+15 // to go costs time
		for _, h := range u.places {
			if h == u.at || p.room(h) < u.Steps || !p.safe(h) {
				continue
			}
			s := p.site(u, h, line)
			if u.reach[h]+point > u.Moves {
				s -= 10 // it will not be ready
			}
			if s > most || u.at == hex.None && best == hex.None {
				best, most = h, s
			}
		}
		p.emplace(u, best)
	}
}

// lookGun finds out where a gun can get to; limbering is in the price.
func (p *plan) lookGun(u *piece) {
	u.Movable = true
	p.look(u)
}

// line lists the hexes of our line that the enemy touches.
func (p *plan) line() []hex.Hex {
	var out []hex.Hex
	for _, u := range p.pieces {
		if u.Regular && u.at != hex.None && p.toFoe(u.at) == 1 && !slices.Contains(out, u.at) {
			out = append(out, u.at)
		}
	}
	return out
}

// site is how good a hex is for a gun: how much of the line it can support, how
// far it is from the enemy, who stands with it.
func (p *plan) site(u *piece, h hex.Hex, line []hex.Hex) int {
	n := 0
	for _, k := range line {
		if p.g.Distance(h, k) <= p.a.GunRange() {
			n++
		}
	}
	s := 12 * min(n, 4)
	d := p.toFoe(h)
	_, with := p.others(h, u)
	switch {
	case d <= 1 && !p.a.Fort(h):
		s -= 30
	case d <= 2 && with == 0:
		s -= 40
	}
	if d <= 1 && with < 4 {
		s -= 60
	}
	if with > 0 {
		s += 4
	}
	if n == 0 {
		s -= 3 * max(0, d-3)
	}
	if !p.a.InSupply(h) {
		s -= 40
	}
	return s
}

// emplace writes the order for a gun: where to, and its set-up.
func (p *plan) emplace(u *piece, to hex.Hex) {
	if to == hex.None {
		return
	}
	var parts []string
	ready := u.reach[to]+point <= u.Moves && p.toFoe(to) <= 8
	switch {
	case to == u.at && u.Firing:
		return
	case to == u.at:
		if !ready {
			return
		}
		parts = []string{u.Name + " UNLIMBER"}
	case u.at == hex.None:
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
	if u.at != hex.None {
		p.load[u.at] -= u.Steps
	}
	p.load[to] += u.Steps
	u.Firing = ready || to == u.at
	u.at, u.done = to, true
	p.moves = append(p.moves, text)
}

// support tells the guns off for the attacks of the sheet: first those that were
// planned for one to that one, then any where they raise the column. A gun that
// raises nothing stays free.
func (p *plan) support(all []wb95.Attack) [][]string {
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
				h, ok := at[u.ID]
				meant := u.fires != nil && slices.Contains(a.Targets, u.fires.target)
				if ok && !p.busy[u.ID] && p.inRange(h, a) && meant == planned {
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

// raising are as few of the guns as raise the column of an attack, beside those that
// support it already, as far as all of them would.
func (p *plan) raising(a wb95.Attack, have, can []string) []string {
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

func (p *plan) inRange(h hex.Hex, a wb95.Attack) bool {
	for _, id := range a.Units {
		if p.g.Distance(h, p.a.Where(id)) <= p.a.GunRange() {
			return true
		}
	}
	return false
}

// named are the names of units.
func (p *plan) named(ids []string) []string {
	var out []string
	for _, id := range ids {
		out = append(out, p.byID[id].Name)
	}
	return out
}

// shoot lets the guns that support nothing fire at what nobody attacks, as many
// as can on one hex.
func (p *plan) shoot(all []wb95.Attack, due []hex.Hex) {
	busy := slices.Clone(due)
	for _, a := range all {
		busy = append(busy, a.Targets...)
	}
	type gun struct {
		name string
		at   hex.Hex
		fire int
	}
	var idle []gun
	for _, u := range p.a.Pieces() {
		if u.Gun && u.Fire > 0 && !p.busy[u.ID] {
			idle = append(idle, gun{u.Name, u.Hex, u.Fire})
		}
	}
	targets := slices.DeleteFunc(slices.Clone(p.foeAt), func(h hex.Hex) bool { return slices.Contains(busy, h) })
	for len(idle) > 0 {
		best, most := hex.None, 2
		for _, h := range targets {
			n := -p.a.Ground(h)
			for _, g := range idle {
				if d := p.g.Distance(g.at, h); d >= 2 && d <= p.a.GunRange() {
					n += g.fire
				}
			}
			if n > most {
				best, most = h, n
			}
		}
		if best == hex.None {
			return
		}
		var names []string
		idle = slices.DeleteFunc(idle, func(g gun) bool {
			d := p.g.Distance(g.at, best)
			in := d >= 2 && d <= p.a.GunRange()
			if in {
				names = append(names, g.name)
			}
			return in
		})
		slices.SortFunc(names, cmp.Compare[string])
		p.attacks = append(p.attacks, fmt.Sprintf("FIRE %s AT %v", fit(names, lineRoom-len("FIRE  AT 0000")), best))
		targets = slices.DeleteFunc(targets, func(h hex.Hex) bool { return h == best })
	}
}
