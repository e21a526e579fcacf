package staff

import (
	"slices"

	"fieldpost/adjudicator/hex"
)

// frontline is the distance to the enemy, in hexes, within which a stack stands
// in the line and is not left.
const frontline = 3

// How the guard of what the game hangs on is kept, in hexes from it: whom it is
// taken from, how far it may go, and the enemies that count.
const (
	guardFrom  = 8
	guardRange = 4
	guardSight = 9
)

// tether keeps a guard near the hexes that the enemy would win the game by: the
// nearest units, a third of what the enemy has in the neighbourhood.
func (p *plan) tether() {
	var keep []hex.Hex
	for _, g := range p.goals {
		if g.Strategic && g.Ours {
			keep = append(keep, g.Hex)
		}
	}
	if len(keep) == 0 {
		return
	}
	from := p.spread(keep)
	away := func(h hex.Hex) int { return from[p.g.Index(h)] }
	want := 0
	for _, h := range p.foeAt {
		if away(h) <= guardSight {
			want += p.foes[h].Attack
		}
	}
	want /= 3
	var near []*piece
	for _, u := range p.pieces {
		if u.at != hex.None && u.Regular && away(u.at) <= guardFrom {
			near = append(near, u)
		}
	}
	slices.SortStableFunc(near, func(a, b *piece) int { return away(a.at) - away(b.at) })
	for _, u := range near {
		if want <= 0 {
			return
		}
		want -= u.Defence
		u.places = slices.DeleteFunc(u.places, func(h hex.Hex) bool {
			gone := h != u.at && away(h) > guardRange
			if gone {
				delete(u.reach, h)
			}
			return gone
		})
	}
}

// garrison puts somebody on each hex worth holding that stands open, and enough
// on those that the game hangs on, where the enemy is near; before all else.
func (p *plan) garrison() {
	for _, g := range p.goals {
		near := 7
		if g.Strategic {
			near = 5
		}
		if !g.Ours || p.toFoe(g.Hex) > near || !p.safe(g.Hex) {
			continue
		}
		want := 1
		if g.Strategic && p.toFoe(g.Hex) <= 3 {
			want = p.might(g.Hex, 3) / 2
		}
		for _, have := p.others(g.Hex, nil); have < want; {
			u := p.guard(g)
			if u == nil || !p.send(u, g.Hex, "") {
				break
			}
			have += u.Defence
		}
	}
}

// guard is the unit that can best be spared to stand on a hex, nil if none can.
func (p *plan) guard(g *goal) *piece {
	var best *piece
	least := 400
	for _, u := range p.pieces {
		if _, ok := u.reach[g.Hex]; !ok || u.done || !u.Regular || u.at == g.Hex || p.room(g.Hex) < u.Steps {
			continue
		}
		if c := 10*u.Attack + p.leaving(u, g.Hex) + p.away(u, g.Hex)/4; c < least {
			best, least = u, c
		}
	}
	return best
}

// hold settles the stacks that do not attack and that the enemy's zones touch:
// they dig in, or go back, or the rules make them attack.
func (p *plan) hold() {
	for _, u := range p.pieces {
		if u.done || u.at == hex.None || p.safe(u.at) {
			continue
		}
		if d := p.canDig(u.at); d != nil && p.entrench(d) {
			continue
		}
		if u.fights || !u.Movable || !u.Fights || p.leaving(u, hex.None) > 300 {
			continue
		}
		p.withdraw(u)
	}
}

// spare takes units with a last step out of the enemy's reach where each one lost
// counts: those that stand alone, and on nothing worth more than they are.
func (p *plan) spare() {
	if !p.a.Thrift() {
		return
	}
	for _, u := range p.pieces {
		if u.done || u.at == hex.None || !u.Movable || !u.Regular || u.Steps != 1 || p.toFoe(u.at) >= outOfReach || p.load[u.at] > 3 {
			continue
		}
		if g := p.goalAt(u.at); g != nil && g.worth > pointWorth {
			continue
		}
		best, most := hex.None, min(p.toFoe(u.at), outOfReach)*closed
		for _, h := range u.places {
			if s := min(p.toFoe(h), outOfReach)*closed - u.reach[h]; s > most && p.room(h) >= u.Steps && p.safe(h) && p.a.InSupply(h) {
				best, most = h, s
			}
		}
		if best != hex.None {
			p.send(u, best, "")
		}
	}
}

// outOfReach is the distance to the enemy, in hexes, at which a unit is left alone.
const outOfReach = 4

// withdraw takes a unit out of the enemy's zones, to the best hex nearby.
func (p *plan) withdraw(u *piece) {
	best, most := hex.None, -closed
	for _, h := range u.places {
		if h == u.at || !p.safe(h) || p.room(h) < u.Steps {
			continue
		}
		s := 10*p.a.Cover(h) - 12*p.g.Distance(u.at, h) - 2*p.might(h, 2)
		if p.a.InSupply(h) {
			s += 60
		}
		if p.a.Fort(h) {
			s += 20
		}
		if s > most {
			best, most = h, s
		}
	}
	if best != hex.None {
		p.send(u, best, "")
	}
}

// march sends the units that the line does not need to where they are wanted.
func (p *plan) march() {
	p.wants()
	var free []*piece
	for _, u := range p.pieces {
		if !u.done && !u.fights && u.Movable && !u.HQ && len(u.places) > 0 && !p.needed(u) {
			free = append(free, u)
		}
	}
	for len(free) > 0 {
		u, g := p.match(free)
		free = slices.DeleteFunc(free, func(f *piece) bool { return f == u })
		if g != nil {
			g.need -= max(u.Attack, u.Defence)
		}
		p.advance(u, g)
	}
}

// needed tells whether the unit must stay to hold its hex: it stands in the line
// and those that stay with it do not suffice.
func (p *plan) needed(u *piece) bool {
	if u.at == hex.None || !u.Regular || p.toFoe(u.at) > frontline && p.goalAt(u.at) == nil {
		return false
	}
	if !u.Supplied && p.goalAt(u.at) == nil {
		return false // it is time to go
	}
	want := 1
	if p.toFoe(u.at) <= 2 {
		want = max(1, p.might(u.at, 2)/6)
	}
	if g := p.goalAt(u.at); g != nil {
		if p.toFoe(u.at) > 9 {
			return false
		}
		want = max(1, p.might(u.at, 3)/3)
	}
	have := 0
	for _, o := range p.pieces {
		if o == u || o.at != u.at || !o.Regular {
			continue
		}
		// Who comes later in the list may still go; the stronger of two stays.
		if o.done || o.fights || !o.Movable || o.Defence > u.Defence || o.Defence == u.Defence && o.ID < u.ID {
			have += o.Defence
		}
	}
	return have < want
}

func (p *plan) goalAt(h hex.Hex) *goal {
	for _, g := range p.goals {
		if g.Hex == h {
			return g
		}
	}
	return nil
}

// wants reckons how much strength is wanted at each goal.
func (p *plan) wants() {
	for _, g := range p.goals {
		have, within := 0, 3
		if g.Ours && p.toFoe(g.Hex) <= 7 {
			within = 0 // with the enemy so near somebody must stand on it
		}
		for _, u := range p.pieces {
			if u.at != hex.None && (u.done || u.fights || p.needed(u)) && p.g.Distance(u.at, g.Hex) <= within {
				have += max(u.Attack, u.Defence)
			}
		}
		switch {
		case g.Ours && p.toFoe(g.Hex) > 12:
			g.need = 0
		case g.Ours:
			g.need = max(3, p.might(g.Hex, 6)/2) - have
		default:
			g.need = 12 + 2*p.might(g.Hex, 3) - have
		}
	}
}

// match finds the unit and the goal that want each other most.
func (p *plan) match(free []*piece) (*piece, *goal) {
	var who *piece
	var where *goal
	most := -1
	for _, u := range free {
		for _, g := range p.goals {
			if s := p.pull(u, g); s > most {
				who, where, most = u, g, s
			}
		}
	}
	if who == nil {
		return free[0], nil
	}
	return who, where
}

// pull is how much a goal draws a unit.
func (p *plan) pull(u *piece, g *goal) int {
	if g.Ours && g.need <= 0 {
		return -1
	}
	t := p.away(u, g.Hex)
	if t >= closed || u.Moves == 0 {
		return -1
	}
	turns := 10 * t / u.Moves // tenths
	s := 100 * g.worth / (20 + turns)
	if g.need <= 0 {
		s /= 4
	}
	return s
}

// away is the way that a unit has to a goal: from where it stands, or from the
// best hex it can come in at.
func (p *plan) away(u *piece, to hex.Hex) int {
	if u.at != hex.None {
		return p.far(u.at, to, u.Class)
	}
	best := closed
	for _, h := range u.places {
		best = min(best, p.far(h, to, u.Class)+u.Moves)
	}
	return best
}

// advance moves a unit towards a goal, as far as it may without having to attack.
func (p *plan) advance(u *piece, g *goal) {
	for range 4 {
		best, most := hex.None, -closed
		for _, h := range u.places {
			if s, ok := p.merit(u, g, h); ok && s > most {
				best, most = h, s
			}
		}
		if best == hex.None || best == u.at {
			return
		}
		how := ""
		if u.at != hex.None && p.reserve(u, best) {
			how = "STRATEGIC"
		}
		if how != "" {
			if p.later(u, best) {
				return
			}
		}
		if p.send(u, best, "") {
			return
		}
		u.places = slices.DeleteFunc(u.places, func(h hex.Hex) bool { return h == best })
	}
}

// merit is how good a hex is for a unit on its way to a goal.
func (p *plan) merit(u *piece, g *goal, h hex.Hex) (int, bool) {
	if h != u.at && (p.room(h) < u.Steps || p.foes[h] != nil || !p.safe(h)) {
		return 0, false
	}
	s := 8*p.a.Cover(h) - 3*p.load[h]
	if h == u.at {
		s += 3*u.Steps + 6
	}
	switch {
	case !u.Supplied:
		s -= 10 * p.home(u.Class)[p.g.Index(h)] / point
	case g != nil:
		s -= 10 * p.far(h, g.Hex, u.Class) / point
	}
	if !p.a.InSupply(h) {
		s -= 60
	}
	if p.toFoe(h) <= 2 {
		_, with := p.others(h, u)
		if threat := p.might(h, 2); threat > 3*(with+u.Defence) {
			s -= 40
		}
	}
	return s, true
}

// reserve tells whether a move far behind the line can wait for the Strategic
// Movement Phase: the unit then follows what the attacks have brought.
func (p *plan) reserve(u *piece, to hex.Hex) bool {
	return p.toFoe(u.at) > 8 && p.toFoe(to) > 5 && u.reach[to] <= u.Moves-2*point
}

// later keeps a unit for strategic movement.
func (p *plan) later(u *piece, to hex.Hex) bool {
	text := u.Name + " TO " + to.String() + " STRATEGIC"
	if _, err := p.a.Order(text); err != nil {
		return false
	}
	p.load[to] += u.Steps // nobody else counts on the room; the old place stays taken as well
	u.done = true
	p.moves = append(p.moves, text)
	return true
}

// dig entrenches what stays in the line in the open.
func (p *plan) dig() {
	for _, u := range p.pieces {
		if u.at == hex.None || u.done || p.toFoe(u.at) > frontline || p.digs[u.at] {
			continue
		}
		if d := p.canDig(u.at); d != nil {
			p.entrench(d)
		}
	}
}
