package staff

import (
	"slices"

	"fieldpost/adjudicator/hex"
)

// garrison puts somebody on each hex worth holding that stands open, and enough
// on those that the game hangs on, where the enemy is near; before all else.
func (p *wb95Plan) garrison() {
	if p.as.craft {
		p.garrisonEvenly()
		return
	}
	for _, g := range p.goals {
		if !p.threatened(g) {
			continue
		}
		want := p.garrisonOf(g)
		for _, have := p.others(g.Hex, nil); have < want; {
			u := p.guard(g)
			if u == nil || !p.send(u, g.Hex, "") {
				break
			}
			have += u.Defence
		}
	}
}

// garrisonEvenly sends a garrison always where most of it is missing, until all are strong enough or
// nobody is left: the first hexes of the list do not strip the others.
func (p *wb95Plan) garrisonEvenly() {
	given := map[hex.Hex]bool{} // nobody more can be sent there
	for {
		worst := unless[*wb95Goal](nil, 0)
		for _, g := range p.goals {
			if !given[g.Hex] && p.threatened(g) {
				worst.offer(g, p.missing(g))
			}
		}
		g := worst.best
		if g == nil {
			return
		}
		if u := p.guard(g); u == nil || !p.send(u, g.Hex, "") {
			given[g.Hex] = true
		}
	}
}

// missing is how much of the garrison that is wanted a hex lacks, of a thousand.
func (p *wb95Plan) missing(g *wb95Goal) int {
	want := max(1, p.garrisonOf(g))
	_, have := p.others(g.Hex, nil)
	return 1000 * (want - have) / want
}

// threatened tells whether the enemy is near a hex worth holding, where we can stand.
func (p *wb95Plan) threatened(g *wb95Goal) bool {
	near := 7
	if g.Strategic {
		near = 5
	}
	return g.Ours && p.toFoe(g.Hex) <= near && p.safe(g.Hex)
}

// garrisonOf is the strength in defence that is wanted on a hex that is threatened.
func (p *wb95Plan) garrisonOf(g *wb95Goal) int {
	if g.Strategic && p.toFoe(g.Hex) <= 3 {
		return p.might(g.Hex, 3) / 2
	}
	return 1
}

// tooPrecious is the price from which on no unit is taken for a garrison.
const tooPrecious = 400

// guard is the unit that can best be spared to stand on a hex, nil if none can.
func (p *wb95Plan) guard(g *wb95Goal) *wb95Unit {
	best := unless[*wb95Unit](nil, -tooPrecious)
	for _, u := range p.pieces {
		if !p.canGarrison(u, g.Hex) {
			continue
		}
		s := -10*u.Attack - p.leaving(u, g.Hex)
		if s-p.awayAtLeast(u, g.Hex)/4 > best.score {
			best.offer(u, s-p.away(u, g.Hex)/4)
		}
	}
	return best.best
}

// canGarrison tells whether a unit can be sent to a hex to hold it.
func (p *wb95Plan) canGarrison(u *wb95Unit, h hex.Hex) bool {
	if _, reached := u.cost(h); !reached {
		return false
	}
	switch {
	case u.done, !u.Regular, u.at == h:
		return false
	case p.as.craft && p.guards(u) && (p.alone(u) || p.manned(h)): // they would only change places
		return false
	}
	return p.room(h) >= u.Steps
}

// guards tells whether a unit stands on a hex that the game hangs on, with the enemy near.
func (p *wb95Plan) guards(u *wb95Unit) bool {
	g := p.goalAt(u.at)
	return g != nil && g.vital() && p.threatened(g)
}

// strips tells whether a unit is the last one to leave for an assault of those who hold a hex that the game hangs
// on. For one who stands alone [wb95Plan.leaving] has the price.
func (p *wb95Plan) strips(s *assault, u *wb95Unit) bool {
	if !p.as.craft || !p.guards(u) || p.alone(u) {
		return false
	}
	for _, o := range p.pieces {
		if o == u || o.at != u.at || !o.Regular {
			continue
		}
		if goes := slices.Contains(s.units, o) && s.from[o] != u.at; !goes {
			return false
		}
	}
	return true
}

// manned tells whether somebody of ours holds a hex in the plan.
func (p *wb95Plan) manned(h hex.Hex) bool {
	n, _ := p.others(h, nil)
	return n > 0
}
