package staff

import (
	"container/heap"
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
	g      hex.Grid
	steps  map[string][][6]int // by class, grid index and direction; negative: closed
	fields map[way][]int
	zones  map[hex.Hex][]hex.Hex
	foes   map[hex.Hex]*wb95.Foe
	foeAt  []hex.Hex // in order
	near   []int     // by grid index: hexes to the nearest enemy stack
}

// way names a field of distances: to a hex, for a class.
type way struct {
	to    hex.Hex
	class string
}

func newGround(a *wb95.Adviser) *ground {
	gr := &ground{a: a, g: a.Grid(), steps: map[string][][6]int{}, fields: map[way][]int{},
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

// prices are the steps of the map for a class.
func (gr *ground) prices(class string) [][6]int {
	if t, ok := gr.steps[class]; ok {
		return t
	}
	t := make([][6]int, gr.g.Len())
	for i := range t {
		for d := hex.N; d <= hex.NW; d++ {
			t[i][d] = -1
			if gr.g.Contains(gr.g.Step(gr.g.At(i), d)) {
				t[i][d] = gr.a.Step(class, gr.g.At(i), d)
			}
		}
	}
	gr.steps[class] = t
	return t
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

// search is Dijkstra's, from the goals outwards.
func (gr *ground) search(to []hex.Hex, class string) []int {
	steps := gr.prices(class)
	f := make([]int, gr.g.Len())
	for i := range f {
		f[i] = closed
	}
	q := &queue{}
	for _, h := range to {
		f[gr.g.Index(h)] = 0
		heap.Push(q, entry{gr.g.Index(h), 0})
	}
	for q.Len() > 0 {
		e := heap.Pop(q).(entry)
		if f[e.at] < e.cost {
			continue
		}
		here := gr.g.At(e.at)
		for d := hex.N; d <= hex.NW; d++ {
			n := gr.g.Step(here, d)
			if !gr.g.Contains(n) {
				continue
			}
			i := gr.g.Index(n)
			c := steps[i][d.Opposite()]
			if c < 0 {
				continue
			}
			if c += e.cost + gr.obstacle(n); c < f[i] {
				f[i] = c
				heap.Push(q, entry{i, c})
			}
		}
	}
	return f
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

// entry and queue are the frontier of a search: cheapest first, then by index.
type entry struct{ at, cost int }

type queue []entry

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return q[i].cost < q[j].cost || q[i].cost == q[j].cost && q[i].at < q[j].at
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push implements heap.Interface.
func (q *queue) Push(x any) { *q = append(*q, x.(entry)) }

// Pop implements heap.Interface.
func (q *queue) Pop() any {
	old := *q
	e := old[len(old)-1]
	*q = old[:len(old)-1]
	return e
}
