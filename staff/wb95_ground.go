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
	a      *wb95.Adviser
	g      *hex.Grid
	roads  map[string][][]road // by class, and by grid index of the hex that they lead to
	fields map[way][]int
	zones  map[hex.Hex][]hex.Hex
	foes   map[hex.Hex]*wb95.Foe
	foeAt  []hex.Hex // in order
	near   []int     // by grid index: hexes to the nearest enemy stack
}

// road is a step into a hex from a neighbour, and what it weighs.
type road struct{ from, cost int }

// way names a field of distances: to a hex, for a class.
type way struct {
	to    hex.Hex
	class string
}

func newGround(a *wb95.Adviser) *ground {
	gr := &ground{a: a, g: a.Grid(), roads: map[string][][]road{}, fields: map[way][]int{},
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

// roadsFor are the steps that the map leaves open to a class, with what the enemy
// makes each of them weigh.
func (gr *ground) roadsFor(class string) [][]road {
	if into, ok := gr.roads[class]; ok {
		return into
	}
	into := make([][]road, gr.g.Len())
	for i := range into {
		from := gr.g.At(i)
		for d := hex.N; d <= hex.NW; d++ {
			to := gr.g.Step(from, d)
			if !gr.g.Contains(to) {
				continue
			}
			if c := gr.a.Step(class, from, d); c >= 0 {
				k := gr.g.Index(to)
				into[k] = append(into[k], road{i, c + gr.obstacle(from)})
			}
		}
	}
	gr.roads[class] = into
	return into
}

// What an enemy in the way weighs like, in twelfths.
const (
	priceOfZone = 2 * point
	priceOfFoe  = 6 * point
	priceOfFort = 10 * point
)

// far is what the way from a hex to a goal costs a class, enemies in the way
// weighed as detours.
func (gr *ground) far(from, to hex.Hex, class string) int {
	return gr.field(to, class)[gr.g.Index(from)]
}

// field is the distance of all hexes to one.
func (gr *ground) field(to hex.Hex, class string) []int {
	k := way{to, class}
	if f, ok := gr.fields[k]; ok {
		return f
	}
	f := gr.search([]hex.Hex{to}, class)
	gr.fields[k] = f
	return f
}

// home is the distance of all hexes to where supply reaches and no enemy stands near.
func (gr *ground) home(class string) []int {
	k := way{hex.None, class}
	if f, ok := gr.fields[k]; ok {
		return f
	}
	var from []hex.Hex
	for i := range gr.near {
		if h := gr.g.At(i); gr.near[i] > 2 && gr.a.InSupply(h) {
			from = append(from, h)
		}
	}
	f := gr.search(from, class)
	gr.fields[k] = f
	return f
}

// search is Dijkstra's, from the goals outwards. The frontier is kept by cost, as a
// ring that is as long as the dearest road.
func (gr *ground) search(to []hex.Hex, class string) []int {
	into := gr.roadsFor(class)
	f := make([]int, gr.g.Len())
	for i := range f {
		f[i] = closed
	}
	ring := make([][]int, dearest(into)+1)
	reach := func(at, cost int) {
		f[at] = cost
		ring[cost%len(ring)] = append(ring[cost%len(ring)], at)
	}
	for _, h := range to {
		reach(gr.g.Index(h), 0)
	}
	for cost, idle := 0, 0; idle < len(ring); cost++ {
		idle++
		here := cost % len(ring)
		for k := 0; k < len(ring[here]); k++ { // it grows by roads that cost nothing
			idle = 0
			at := ring[here][k]
			if f[at] < cost {
				continue
			}
			for _, r := range into[at] {
				if c := cost + r.cost; c < f[r.from] {
					reach(r.from, c)
				}
			}
		}
		ring[here] = ring[here][:0]
	}
	return f
}

// dearest is the cost of the road that weighs most.
func dearest(into [][]road) int {
	most := 0
	for _, roads := range into {
		for _, r := range roads {
			most = max(most, r.cost)
		}
	}
	return most
}

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
