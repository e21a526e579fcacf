package staff

import (
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/wb95"
)

// closed is the distance of what cannot be got to, in twelfths of a movement point.
const closed = 1 << 20

// point is a movement point in twelfths.
const point = 12

// ground is the map as the officer weighs it: what lies how far from what.
type ground struct {
	a        *wb95.Adviser
	g        *hex.Grid
	networks map[string]*network // by class
	// obstacles is what the enemy on or beside a hex makes the step out of it weigh, by grid index.
	obstacles []int
	zones     map[hex.Hex][]hex.Hex
	foes      map[hex.Hex]*wb95.Foe
	foeAt     []hex.Hex // in order
	near      []int     // by grid index: hexes to the nearest enemy stack
}

func newGround(a *wb95.Adviser) *ground {
	gr := &ground{a: a, g: a.Grid(), networks: map[string]*network{},
		zones: map[hex.Hex][]hex.Hex{}, foes: map[hex.Hex]*wb95.Foe{}}
	foes := a.Foes()
	for i := range foes {
		gr.foes[foes[i].Hex] = &foes[i]
		gr.foeAt = append(gr.foeAt, foes[i].Hex)
	}
	gr.near = gr.spread(gr.foeAt)
	return gr
}

// spread counts the hexes from each hex of the map to the nearest of some.
func (gr *ground) spread(from []hex.Hex) []int {
	out := make([]int, gr.g.Len())
	for i := range out {
		out[i] = 99
	}
	queue := slices.Clone(from)
	for _, h := range from {
		out[gr.g.Index(h)] = 0
	}
	for len(queue) > 0 {
		h := queue[0]
		queue = queue[1:]
		for _, n := range gr.g.Neighbours(h) {
			if d := out[gr.g.Index(h)] + 1; d < out[gr.g.Index(n)] {
				out[gr.g.Index(n)] = d
				queue = append(queue, n)
			}
		}
	}
	return out
}

// toFoe is the hexes from a hex to the nearest enemy stack.
func (gr *ground) toFoe(h hex.Hex) int { return gr.near[gr.g.Index(h)] }

// zonesOn lists the enemy hexes with a zone of control on the hex.
func (gr *ground) zonesOn(h hex.Hex) []hex.Hex {
	z, ok := gr.zones[h]
	if !ok {
		z = gr.a.Zones(h)
		gr.zones[h] = z
	}
	return z
}

// What an enemy in the way weighs like, in twelfths.
const (
	priceOfZone = 2 * point
	priceOfFoe  = 6 * point
	priceOfFort = 10 * point
)

// network is the map as a class goes about on it.
func (gr *ground) network(class string) *network {
	n := gr.networks[class]
	if n == nil {
		if gr.obstacles == nil {
			for i := range gr.near {
				gr.obstacles = append(gr.obstacles, gr.obstacle(gr.g.At(i)))
			}
		}
		n = gr.newNetwork(gr.a.Steps(class, false), gr.obstacles)
		gr.networks[class] = n
	}
	return n
}

// far is what the way from a hex to a goal costs, enemies in the way weighed as detours.
func (gr *ground) far(from, to hex.Hex, by *network) int {
	return int(by.field(gr.g.Index(to))[gr.g.Index(from)])
}

// home is what the way from a hex costs to where supply reaches and no enemy stands near.
func (gr *ground) home(from hex.Hex, by *network) int {
	if by.refuge == nil {
		var to []int
		for i := range gr.near {
			if gr.near[i] > 2 && gr.a.InSupply(gr.g.At(i)) {
				to = append(to, i)
			}
		}
		by.refuge = by.search(to)
	}
	return int(by.refuge[gr.g.Index(from)])
}

// obstacle is what the enemy on or beside a hex makes a step out of it weigh, in twelfths of a point.
func (gr *ground) obstacle(h hex.Hex) int {
	switch foe := gr.foes[h]; {
	case foe != nil && foe.Fort:
		return priceOfFort
	case foe != nil && !foe.Lone:
		return priceOfFoe
	case len(gr.zonesOn(h)) > 0:
		return priceOfZone
	}
	return 0
}

// might adds up the attack strength of the enemy within some hexes.
func (gr *ground) might(h hex.Hex, within int) int {
	n := 0
	for _, e := range gr.foeAt {
		if gr.g.Distance(h, e) <= within {
			n += gr.foes[e].Attack
		}
	}
	return n
}
