package staff

import (
	"math"

	"fieldpost/adjudicator/hex"
)

// network is the map as the units of a class go about on it: what lies how far from what.
type network struct {
	// into is, by grid index, where the roads that lead to a hex begin; they end where the next ones begin.
	into   []int32
	roads  []road
	fields [][]int32 // by grid index: the distances of all hexes to that one; nil: not reckoned yet
	refuge []int32   // the distances of all hexes to safety; nil: not reckoned yet
	least  int       // what the cheapest road weighs
	ring   [][]int32 // the frontier of a search, by cost; empty between two searches
}

// road is a step into a hex from a neighbour, and what it weighs. It is small, so that the roads of a map are near at hand.
type road struct{ from, cost uint16 }

// newNetwork has the steps of a class that the map leaves open, each with what the enemy adds to its weight:
// obstacles has that by the grid index of the hex in which a step begins.
func (gr *ground) newNetwork(steps [][6]int16, obstacles []int) *network {
	n := &network{into: make([]int32, 1, gr.g.Len()+1), roads: make([]road, 0, 6*gr.g.Len()), fields: make([][]int32, gr.g.Len())}
	least, dearest := uint16(math.MaxUint16), uint16(0)
	for i := range gr.g.Len() {
		to := gr.g.At(i)
		for d := hex.N; d <= hex.NW; d++ {
			from := gr.g.Step(to, d)
			if !gr.g.Contains(from) {
				continue
			}
			k := gr.g.Index(from)
			if c := steps[k][d.Opposite()]; c >= 0 {
				r := road{uint16(k), uint16(int(c) + obstacles[k])}
				n.roads = append(n.roads, r)
				least, dearest = min(least, r.cost), max(dearest, r.cost)
			}
		}
		n.into = append(n.into, int32(len(n.roads)))
	}
	n.least = int(least)
	n.ring = make([][]int32, int(dearest)+1)
	return n
}

// field is the distance of all hexes to one, by grid index.
func (n *network) field(to int) []int32 {
	if n.fields[to] == nil {
		n.fields[to] = n.search([]int{to})
	}
	return n.fields[to]
}

// search is Dijkstra's, from the goals outwards. The frontier is kept by cost, as a
// ring that is as long as the dearest road.
func (n *network) search(to []int) []int32 {
	f := make([]int32, len(n.fields))
	for i := range f {
		f[i] = closed
	}
	here := 0
	for _, k := range to {
		f[k] = 0
		n.ring[here] = append(n.ring[here], int32(k))
	}
	ring, roads, into := n.ring, n.roads, n.into
	for cost, idle := int32(0), 0; idle < len(ring); cost++ {
		idle++
		for k := 0; k < len(ring[here]); k++ { // it grows by roads that cost nothing
			idle = 0
			at := ring[here][k]
			if f[at] < cost {
				continue
			}
			for _, r := range roads[into[at]:into[at+1]] {
				c := cost + int32(r.cost)
				if c >= f[r.from] {
					continue
				}
				f[r.from] = c
				slot := here + int(r.cost)
				if slot >= len(ring) {
					slot -= len(ring)
				}
				ring[slot] = append(ring[slot], int32(r.from))
			}
		}
		ring[here] = ring[here][:0]
		if here++; here == len(ring) {
			here = 0
		}
	}
	return f
}
