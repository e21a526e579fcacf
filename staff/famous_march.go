package staff

import (
	"strings"

	"fieldpost/adjudicator/famous"
	"fieldpost/adjudicator/hex"
)

// bringOn enters a reinforcement, by the letter that brings it nearest to its goal.
func (k *task) bringOn(p famous.Piece) {
	bestZone, best, most := "", hex.None, -1<<30
	for _, z := range p.Entry {
		for _, h := range k.t.a.EntryReach(p.ID, z) {
			if n := k.value(p, h); n > most {
				bestZone, best, most = z, h, n
			}
		}
	}
	if best != hex.None && !k.do("ENTER %s AT %s TO %v", p.Name, bestZone, best) {
		k.do("ENTER %s AT %s", p.Name, bestZone)
	}
}

// lead moves the headquarters first, to where all its attacks are in range, and out
// of the enemy's way.
func (k *task) lead(storms []*storm) {
	for _, p := range k.pieces {
		if !p.HQ || p.Hex == hex.None {
			continue
		}
		best, most := p.Hex, -1<<30
		for _, h := range k.reach[p.ID] {
			n := k.value(p, h) - k.stray(p, h)
			for _, s := range storms {
				for _, q := range s.posts {
					if k.t.g.Distance(h, q.From) > k.radius {
						n -= 200
					}
				}
			}
			if h == p.Hex {
				n += 3
			}
			if n > most {
				best, most = h, n
			}
		}
		if best != p.Hex {
			k.move(p, best)
		}
	}
	k.hq, k.radius = k.t.a.Command(k.bn)
}

// exposed is the danger from which a hex is gone round.
const exposed = 12

// move orders a unit to a hex: out of the enemy's fire if there is such a way.
func (k *task) move(p famous.Piece, to hex.Hex) bool {
	way := k.t.a.Detour(p.ID, to, func(h hex.Hex) bool { return k.t.risk(h) >= exposed })
	var path []string
	for _, h := range way {
		path = append(path, h.String())
	}
	return len(path) > 1 && k.do("MOVE %s %s", p.Name, strings.Join(path, "-")) || k.do("MOVE %s TO %v", p.Name, to)
}

// stray is what it costs a headquarters to leave its companies behind: who cannot
// come into its range again now does nothing when the next chit comes.
func (k *task) stray(hq famous.Piece, h hex.Hex) (n int) {
	for _, p := range k.t.a.Pieces() {
		if p.Battalion != hq.Battalion || p.HQ || p.Hex == hex.None {
			continue
		}
		far := k.t.g.Distance(h, p.Hex) - k.radius
		if far <= 0 {
			continue
		}
		for _, r := range k.reach[p.ID] {
			far = min(far, k.t.g.Distance(h, r)-k.radius)
		}
		n += 15 * max(0, far)
	}
	return n
}

// post is where a unit without an attack should stand.
func (k *task) post(p famous.Piece) hex.Hex {
	best, most := p.Hex, -1<<30
	for _, h := range k.reach[p.ID] {
		if !k.room(p, h, 0) {
			continue
		}
		n := k.value(p, h)
		if h == p.Hex {
			n += 3
		}
		if n > most {
			best, most = h, n
		}
	}
	return best
}

// value is how good a hex is for a unit.
func (k *task) value(p famous.Piece, h hex.Hex) int {
	t := k.t
	near, foe := t.nearest(h)
	n := 0
	if near <= 6 {
		n += 4 * t.a.Cover(h)
	}
	if h != p.Hex {
		n -= t.risk(h) / 3
	}
	if halves, ours := t.a.Own(h); ours && h != p.Hex {
		n -= halves
	}
	if k.hq != hex.None && k.radius > 0 && !p.HQ {
		if d := t.g.Distance(h, k.hq); d > k.radius {
			n -= 25 * (d - k.radius)
		}
	}
	if p.Direct > 0 && near <= p.Direct {
		n += k.view(p, h) / 2
	}
	goal := 0
	if k.goal.Hex != hex.None {
		goal = t.way(p.Class, k.goal.Hex).At(h)
	}
	switch {
	case p.HQ:
		if near <= 3 {
			n -= 40 * (4 - near)
		}
		return n - 2*goal
	case p.Gun > 0:
		if near <= 3 {
			n -= 30 * (4 - near)
		}
		return n - 6*max(0, near-p.Gun/2) - goal/2
	case t.bold:
		n -= 3*goal - t.seize(h)
		if near == 1 && h != p.Hex {
			n -= 15 + foe.Attack/2
		}
		if k.stays(p, h) {
			n += 60
		}
	default:
		n -= 6 * t.guard(h)
		if near == 1 && h != p.Hex {
			n -= 25
		}
	}
	return n
}

// view is the best chance in percent that a unit's fire would do harm from a hex.
func (k *task) view(p famous.Piece, h hex.Hex) (best int) {
	for _, f := range k.t.foes {
		if k.t.g.Distance(h, f.Hex) <= p.Direct {
			best = max(best, k.t.a.ChanceFrom(p.ID, h, f.Hex))
		}
	}
	return best
}

// seize is what it is worth to walk into a hex of points that nobody holds.
func (t *tactics) seize(h hex.Hex) int { return 80 * t.worth(h) }

// stays tells whether the unit holds a goal of ours that the enemy could walk into.
func (k *task) stays(p famous.Piece, h hex.Hex) bool {
	if h != p.Hex {
		return false
	}
	for _, g := range k.t.goals {
		if halves, ours := k.t.a.Own(h); g.Hex == h && ours && halves <= 2 {
			near, _ := k.t.nearest(h)
			return near <= 6
		}
	}
	return false
}

// guard is the distance to the nearest goal that nobody of ours holds now.
func (t *tactics) guard(h hex.Hex) int {
	best := 30
	for _, g := range t.goals {
		halves, ours := t.a.Own(g.Hex)
		d := t.g.Distance(h, g.Hex)
		if ours && halves >= 4 && d > 0 {
			d += 2
		}
		best = min(best, d)
	}
	return best
}
