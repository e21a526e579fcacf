package staff

import (
	"fmt"
	"slices"

	"fieldpost/adjudicator/hex"
)

// The fewest guns that a barrage on a hex takes, and the most that it gets.
const (
	fewestGuns = 2
	mostGuns   = 4
)

// barrage spends the ammunition units that there are where most guns bear: they
// fire with double strength before anybody moves, and support no assault in this
// turn.
func (p *wb95Plan) barrage() {
	left := 0
	for _, a := range p.v.Assets {
		if a.Kind == "ammunition units" {
			left += a.Count
		}
	}
	var fired []hex.Hex
	for left >= fewestGuns {
		target, guns := p.bombard(min(left, mostGuns), fired)
		if target == hex.None {
			return
		}
		var names []string
		for _, u := range guns {
			names = append(names, u.Name)
			u.done, u.Fire, p.busy[u.ID] = true, 0, true
		}
		left -= len(guns)
		fired = append(fired, target)
		p.barrages = append(p.barrages, fmt.Sprintf("%s AT %v", fit(names, lineRoom-len(" AT 0000")), target))
	}
}

// bombard is the enemy hex, other than those that were fired at, on which a barrage of at
// most so many guns does most, and the guns; None if it would do nothing anywhere.
func (p *wb95Plan) bombard(most int, fired []hex.Hex) (hex.Hex, []*wb95Unit) {
	best := unless(hex.None, 0)
	for _, h := range p.foeAt {
		if slices.Contains(fired, h) {
			continue
		}
		if guns, fire := p.bearing(h, most); len(guns) >= fewestGuns {
			best.offer(h, 2*fire-p.a.Ground(h))
		}
	}
	if best.best == hex.None {
		return hex.None, nil
	}
	guns, _ := p.bearing(best.best, most)
	return best.best, guns
}

// bearing are the guns that bear on a hex, and the strength of their fire.
func (p *wb95Plan) bearing(h hex.Hex, most int) (guns []*wb95Unit, fire int) {
	for _, u := range p.pieces {
		if len(guns) == most {
			break
		}
		switch {
		case !u.Gun, u.Fire == 0, u.done, u.Hex == hex.None:
			continue
		}
		if p.bears(u.Hex, h) {
			guns, fire = append(guns, u), fire+u.Fire
		}
	}
	return guns, fire
}

// bears tells whether a gun on one hex can fire at another one: not at what is beside it.
func (p *wb95Plan) bears(from, target hex.Hex) bool {
	d := p.g.Distance(from, target)
	return 2 <= d && d <= p.a.GunRange()
}
