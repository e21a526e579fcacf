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
func (p *plan) barrage() {
	left := 0
	for _, a := range p.v.Assets {
		if a.Kind == "ammunition units" {
			left += a.Count
		}
	}
	var fired []hex.Hex
	for left >= fewestGuns {
		var best []*piece
		target, most := hex.None, 0
		for _, h := range p.foeAt {
			if slices.Contains(fired, h) {
				continue
			}
			guns, fire := p.bearing(h, min(left, mostGuns))
			if n := 2*fire - p.a.Ground(h); len(guns) >= fewestGuns && n > most {
				best, target, most = guns, h, n
			}
		}
		if target == hex.None {
			return
		}
		var names []string
		for _, u := range best {
			names = append(names, u.Name)
			u.done, u.Fire, p.busy[u.ID] = true, 0, true
		}
		left -= len(best)
		fired = append(fired, target)
		p.barrages = append(p.barrages, fmt.Sprintf("%s AT %v", fit(names, lineRoom-len(" AT 0000")), target))
	}
}

// bearing are the guns that bear on a hex, and the strength of their fire.
func (p *plan) bearing(h hex.Hex, most int) (guns []*piece, fire int) {
	for _, u := range p.pieces {
		if len(guns) == most {
			break
		}
		if !u.Gun || u.Fire == 0 || u.done || u.Hex == hex.None {
			continue
		}
		if d := p.g.Distance(u.Hex, h); d >= 2 && d <= p.a.GunRange() {
			guns, fire = append(guns, u), fire+u.Fire
		}
	}
	return guns, fire
}
