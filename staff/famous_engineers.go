package staff

import "fieldpost/adjudicator/hex"

// When infantry gets off its tanks, when a bridge is worth building, and when
// engineers clear.
const (
	alightWithin = 6 // hexes to the enemy
	spanGain     = 8 // half movement points of the way to the goal that it saves
	workBehind   = 4 // hexes to the enemy, from which on engineers have time to clear
)

// alight has riders get off their tanks before the enemy is reached: who rides fights
// not and is hit with the tank.
func (k *task) alight() {
	for _, u := range k.t.v.Units {
		if d, _ := k.t.nearest(u.Hex); u.Aboard != "" && d <= alightWithin {
			k.do("DISMOUNT %s", u.Name)
		}
	}
}

// works has engineers without an attack bridge the river before them, which takes no
// movement, and behind the fighting clear the enemy's works that nobody holds.
func (k *task) works() {
	for _, p := range k.pieces {
		if !p.Engineer || p.Hex == hex.None || k.busy[p.ID] {
			continue
		}
		if over, gain := k.span(p.Class, p.Hex); gain >= spanGain {
			k.do("PONTOON %v WITH %s", hex.Between(p.Hex, over), p.Name)
		}
		if near, _ := k.t.nearest(p.Hex); near < workBehind {
			continue
		}
		for _, f := range k.t.v.Forts {
			if f.Side != k.t.v.Side && k.t.g.Distance(p.Hex, f.Hex) <= 1 && k.do("CLEAR %v WITH %s", f.Hex, p.Name) {
				k.busy[p.ID] = true
				break
			}
		}
	}
}

// span is the hex beside one, over water that nothing bridges, from which the way to
// the goal is shortest, and what is gained by it in half movement points.
func (k *task) span(class string, h hex.Hex) (over hex.Hex, gain int) {
	if !k.t.bold || k.goal.Hex == hex.None {
		return hex.None, 0
	}
	way := k.t.way(class, k.goal.Hex)
	for _, n := range k.t.g.Neighbours(h) {
		e := hex.Between(h, n)
		if water := k.t.v.Board.River(e); water != "river" && water != "canal" || k.bridged(e) {
			continue
		}
		if g := way.At(h) - way.At(n); g > gain {
			over, gain = n, g
		}
	}
	return over, gain
}

// bridged tells whether a bridge stands over a hexside or is being built there.
func (k *task) bridged(e hex.Edge) bool {
	for _, b := range k.t.v.Bridges {
		if b.Edge == e && b.Stands {
			return true
		}
	}
	for _, p := range k.t.v.Pontoons {
		if p.Edge == e {
			return true
		}
	}
	return false
}
