package staff

import (
	"slices"
	"strings"

	"fieldpost/adjudicator/famous"
	"fieldpost/adjudicator/hex"
)

// bringOn enters a reinforcement, by the letter that brings it nearest to its goal.
func (k *chitPlan) bringOn(p famous.Piece) {
	type entrance struct {
		zone string
		to   hex.Hex
	}
	best := unless(entrance{to: hex.None}, -1<<30)
	for _, z := range p.Entry {
		for _, h := range k.t.a.EntryReach(p.ID, z) {
			best.offer(entrance{z, h}, k.value(p, h))
		}
	}
	in := best.best
	if in.to == hex.None {
		return
	}
	if !k.do("ENTER %s AT %s TO %v", p.Name, in.zone, in.to) {
		k.do("ENTER %s AT %s", p.Name, in.zone)
	}
}

// moveHQ moves the headquarters first, to where all its attacks are in range, and out
// of the enemy's way.
func (k *chitPlan) moveHQ(attacks []*famousAttack) {
	for _, p := range k.pieces {
		if !p.HQ || p.Hex == hex.None {
			continue
		}
		best := unless(p.Hex, -1<<30)
		mates := k.mates(p)
		for _, h := range k.reach[p.ID] {
			n := k.value(p, h) - k.stray(mates, h) - 200*k.outside(h, attacks)
			if h == p.Hex {
				n += 3
			}
			best.offer(h, n)
		}
		if best.best != p.Hex {
			k.move(p, best.best)
		}
	}
	k.hq, k.radius = k.t.a.Command(k.bn)
}

// outside counts the attackers who would be out of range of a headquarters on a hex.
func (k *chitPlan) outside(h hex.Hex, attacks []*famousAttack) (n int) {
	for _, s := range attacks {
		for _, q := range s.posts {
			if k.t.g.Distance(h, q.From) > k.radius {
				n++
			}
		}
	}
	return n
}

// exposed is the danger from which a hex is gone round.
const exposed = 12

// move orders a unit to a hex: out of the enemy's fire if there is such a way.
func (k *chitPlan) move(p famous.Piece, to hex.Hex) bool {
	way := k.t.a.Detour(p.ID, to, func(h hex.Hex) bool { return k.t.risk(h) >= exposed })
	var path []string
	for _, h := range way {
		path = append(path, h.String())
	}
	if len(path) > 1 && k.do("MOVE %s %s", p.Name, strings.Join(path, "-")) {
		return true
	}
	return k.do("MOVE %s TO %v", p.Name, to)
}

// mates are the companies on the map of a headquarters' battalion.
func (k *chitPlan) mates(hq famous.Piece) (out []famous.Piece) {
	for _, p := range k.t.a.Pieces() {
		if p.Battalion == hq.Battalion && !p.HQ && p.Hex != hex.None {
			out = append(out, p)
		}
	}
	return out
}

// stray is what it costs a headquarters to leave its companies behind: who cannot
// come into its range again now does nothing when the next chit comes.
func (k *chitPlan) stray(mates []famous.Piece, h hex.Hex) (n int) {
	for _, p := range mates {
		far := k.t.g.Distance(h, p.Hex) - k.radius
		if far <= 0 {
			continue
		}
		for _, r := range k.reach[p.ID] {
			if far <= 0 {
				break
			}
			far = min(far, k.t.g.Distance(h, r)-k.radius)
		}
		n += 15 * max(0, far)
	}
	return n
}

// post is where a unit without an attack should stand.
func (k *chitPlan) post(p famous.Piece) hex.Hex {
	best := unless(p.Hex, -1<<30)
	if k.t.as.stance != press {
		return p.Hex
	}
	for _, h := range k.reach[p.ID] {
		if !k.room(p, h, 0) {
			continue
		}
		n := k.value(p, h)
		if h == p.Hex {
			n += 3
		}
		best.offer(h, n)
	}
	return best.best
}

// value is how good a hex is for a unit.
func (k *chitPlan) value(p famous.Piece, h hex.Hex) int {
	t := k.t
	near, foe := t.nearest(h)
	contact := near == 1 && h != p.Hex // it would walk up to the enemy
	n := k.comfort(p, h, near) - 8*t.as.undone(p.ID, p.Hex, h)
	switch {
	case p.HQ:
		return n - 40*max(0, 4-near) - 2*k.toGoal(p, h) - t.inSight(h)
	case p.Gun > 0:
		return n - 30*max(0, 4-near) - 6*max(0, near-p.Gun/2) - k.toGoal(p, h)/2
	case t.attacker:
		n += t.seize(h) - 3*k.toGoal(p, h)
		if contact {
			n -= 15 + foe.Attack/2
		}
		if k.stays(p, h) {
			n += 60
		}
	default:
		n -= 6 * t.guard(h)
		if contact {
			n -= 25
		}
	}
	return n
}

// inSight is what it costs an officer who looks ahead that a headquarters ends where the enemy can
// fire at it, be it where it stands: its companies do nothing without it.
func (t *famousPlan) inSight(h hex.Hex) int {
	if t.as.craft {
		return 2 * t.risk(h)
	}
	return 0
}

// comfort is what every unit asks of a hex with the enemy some hexes away: cover, no fire on
// the way, few others, a headquarters in range, and something to fire at.
func (k *chitPlan) comfort(p famous.Piece, h hex.Hex, near int) (n int) {
	t := k.t
	if near <= 6 {
		n += 4 * t.a.Cover(h)
	}
	if h != p.Hex {
		n -= t.risk(h)/3 + k.crowd(h)
	}
	if !p.HQ {
		n -= 25 * k.outOfCommand(h)
	}
	if p.Direct > 0 && near <= p.Direct {
		n += k.view(p, h) / 2
	}
	return n
}

// crowd is what stands on a hex of ours already, in halves of units.
func (k *chitPlan) crowd(h hex.Hex) int {
	halves, ours := k.t.a.Own(h)
	if !ours {
		return 0
	}
	return halves
}

// outOfCommand is how many hexes a hex is out of the range of the headquarters.
func (k *chitPlan) outOfCommand(h hex.Hex) int {
	if k.hq == hex.None || k.radius <= 0 {
		return 0
	}
	return max(0, k.t.g.Distance(h, k.hq)-k.radius)
}

// toGoal is the unit's way from a hex to the battalion's goal in half movement points.
func (k *chitPlan) toGoal(p famous.Piece, h hex.Hex) int {
	if k.goal.Hex == hex.None {
		return 0
	}
	return k.t.way(p.Class, k.goal.Hex).At(h)
}

// view is the best chance in percent that a unit's fire would do harm from a hex.
func (k *chitPlan) view(p famous.Piece, h hex.Hex) (best int) {
	for _, f := range k.t.foes {
		if k.t.g.Distance(h, f.Hex) <= p.Direct {
			best = max(best, k.t.a.ChanceFrom(p.ID, h, f.Hex))
		}
	}
	return best
}

// seize is what it is worth to walk into a hex of points that nobody holds.
func (t *famousPlan) seize(h hex.Hex) int { return 80 * t.worth(h) }

// stays tells whether the unit holds a goal of ours that the enemy could walk into.
func (k *chitPlan) stays(p famous.Piece, h hex.Hex) bool {
	if h != p.Hex || !k.t.isGoal(h) {
		return false
	}
	halves, ours := k.t.a.Own(h)
	near, _ := k.t.nearest(h)
	return ours && halves <= 2 && near <= 6
}

// isGoal tells whether points hang on a hex, whoever holds it.
func (t *famousPlan) isGoal(h hex.Hex) bool {
	return slices.ContainsFunc(t.goals, func(g famous.Goal) bool { return g.Hex == h })
}

// guard is the distance to the nearest goal that nobody of ours holds now.
func (t *famousPlan) guard(h hex.Hex) int {
	best := 30
	for _, g := range t.goals {
		d := t.g.Distance(h, g.Hex)
		if d > 0 && t.manned(g.Hex) {
			d += 2
		}
		best = min(best, d)
	}
	return best
}

// manned tells whether enough of ours stand on a hex to hold it.
func (t *famousPlan) manned(h hex.Hex) bool {
	halves, ours := t.a.Own(h)
	return ours && halves >= 4
}
