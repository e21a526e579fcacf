package staff

import (
	"fmt"
	"slices"

	"fieldpost/adjudicator/hex"
)

// moveHQ moves a headquarters so that its units stay in range and it stays out of reach.
func (d *steppePlan) moveHQ(hq *steppeUnit) {
	if !hq.onMap() {
		return
	}
	var own []*steppeUnit
	for _, u := range d.pieces {
		if u.hq == hq {
			own = append(own, u)
		}
	}
	if d.as.craft {
		own = append(own, d.unled(hq)...)
	}
	best := unless(hq.Hex, d.seat(hq, hq.Hex, own)+2)
	for _, h := range hq.reach {
		if d.a.Holder(h) >= 0 {
			best.offer(h, d.seat(hq, h, own))
		}
	}
	hq.at = best.best
	if hq.at != hq.Hex && hq.Range < fixed {
		hq.moves = append([]string{fmt.Sprintf("HQ TO %v", hq.at)}, hq.moves...)
	}
}

// unled are the units near a headquarters that it does not move now, and that no other one reaches: those
// that have acted, and those that are out of its own range.
func (d *steppePlan) unled(hq *steppeUnit) (out []*steppeUnit) {
	for _, u := range d.pieces {
		foreign := u.HQ || u.Hungarian || u.Command != hq.Command
		if foreign || u.hq == hq || !u.onMap() || d.grid.Distance(u.at, hq.Hex) > hq.Range+outreach {
			continue
		}
		led := slices.ContainsFunc(d.hqs, func(o *steppeUnit) bool {
			return o != hq && o.onMap() && o.Command == u.Command && d.grid.Distance(o.Hex, u.at) <= o.Range
		})
		if !led {
			out = append(out, u)
		}
	}
	return out
}

// seat is how good a hex is for a headquarters with these units.
func (d *steppePlan) seat(hq *steppeUnit, h hex.Hex, own []*steppeUnit) (s int) {
	for _, u := range own {
		n := d.grid.Distance(h, u.at)
		s -= n
		if n > hq.Range-1 && hq.Range < fixed {
			s -= 20
		}
	}
	switch n := d.threat(h); {
	case n <= 1:
		s -= 40
	case n == 2:
		s -= 12
	}
	if d.load[h] > 0 {
		s += 12
	}
	if d.as.craft && !d.reaches(hq, h, hq.stands) {
		s -= offDuty
	}
	return s - d.unguarded(h)
}

// unguarded is what it costs an officer who looks ahead that a headquarters would stand alone on a hex in
// the enemy's reach.
func (d *steppePlan) unguarded(h hex.Hex) int {
	if !d.as.craft || d.load[h] > 0 {
		return 0
	}
	return 10 * max(0, 6-d.threat(h))
}

// offDuty is what it costs that a headquarters is out of range of an attack of its own: more than anything else.
const offDuty = 1000

// commands tells whether a headquarters can go where it reaches these hexes and those from which its other
// attacks are made.
func (d *steppePlan) commands(hq *steppeUnit, stands []hex.Hex) bool {
	stands = slices.Concat(stands, hq.stands)
	here := d.reaches(hq, hq.Hex, stands)
	if here || hq.Range >= fixed {
		return here
	}
	return slices.ContainsFunc(hq.reach, func(h hex.Hex) bool {
		return d.a.Holder(h) >= 0 && d.threat(h) > 1 && d.reaches(hq, h, stands)
	})
}

// reaches tells whether all these hexes are in range of a headquarters that stands on another one.
func (d *steppePlan) reaches(hq *steppeUnit, from hex.Hex, stands []hex.Hex) bool {
	return !slices.ContainsFunc(stands, func(h hex.Hex) bool { return d.grid.Distance(from, h) > hq.Range })
}
