package staff

import (
	"slices"

	"fieldpost/adjudicator/famous"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// When infantry gets off its tanks, when a bridge is worth building, and when
// engineers clear.
const (
	alightWithin = 6 // hexes to the enemy
	spanGain     = 8 // half movement points of the way to the goal that it saves
	workBehind   = 4 // hexes to the enemy, from which on engineers have time to clear
)

// alight has riders get off their tanks before the enemy is reached: who rides fights
// not and is hit with the tank.
func (k *chitPlan) alight() {
	for _, u := range k.t.v.Units {
		if u.Aboard == "" {
			continue
		}
		if d, _ := k.t.nearest(u.Hex); d <= alightWithin {
			k.do("DISMOUNT %s", u.Name)
		}
	}
}

// works has engineers without an attack bridge the river before them, which takes no
// movement, and behind the fighting clear the enemy's works that nobody holds.
func (k *chitPlan) works() {
	for _, p := range k.pieces {
		idle := p.Hex != hex.None && !k.busy[p.ID]
		if !p.Engineer || !idle {
			continue
		}
		if over, gain := k.span(p.Class, p.Hex); gain >= spanGain {
			k.do("PONTOON %v WITH %s", hex.Between(p.Hex, over), p.Name)
		}
		if near, _ := k.t.nearest(p.Hex); near >= workBehind {
			k.clear(p)
		}
	}
}

// clear has engineers clear works of the enemy on their hex or beside it, if there are any.
func (k *chitPlan) clear(p famous.Piece) {
	for _, f := range k.t.v.Forts {
		if f.Side == k.t.v.Side {
			continue
		}
		if k.t.g.Distance(p.Hex, f.Hex) > 1 {
			continue
		}
		if k.do("CLEAR %v WITH %s", f.Hex, p.Name) {
			k.busy[p.ID] = true
			return
		}
	}
}

// span is the hex beside one, over water that nothing bridges, from which the way to
// the goal is shortest, and what is gained by it in half movement points.
func (k *chitPlan) span(class string, h hex.Hex) (over hex.Hex, gain int) {
	if !k.t.attacker || k.goal.Hex == hex.None {
		return hex.None, 0
	}
	way := k.t.way(class, k.goal.Hex)
	best := unless(hex.None, 0)
	for _, n := range k.t.g.Neighbours(h) {
		if k.unbridged(hex.Between(h, n)) {
			best.offer(n, way.At(h)-way.At(n))
		}
	}
	return best.best, best.score
}

// unbridged tells whether a hexside is a river or canal over which no bridge stands or is
// being built.
func (k *chitPlan) unbridged(e hex.Edge) bool {
	switch k.t.v.Board.River(e) {
	case "river", "canal":
	default:
		return false
	}
	bridge := func(b view.Bridge) bool { return b.Stands && b.Edge == e }
	pontoon := func(p view.Pontoon) bool { return p.Edge == e }
	return !slices.ContainsFunc(k.t.v.Bridges, bridge) && !slices.ContainsFunc(k.t.v.Pontoons, pontoon)
}
