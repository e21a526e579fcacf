package famous

import (
	"slices"

	"fieldpost/adjudicator/hex"
)

// field is the result of a search: what a stack has spent when it gets to a hex.
type field struct {
	spent []Cost // -1: not reached
	from  []int  // the hex before, -1 at the start
	order []int  // reached, in order of price
}

// terms are what a search has to keep to.
type terms struct {
	roadOnly bool             // road steps alone
	shun     func(i int) bool // hexes to stay out of
	offRoad  func(i int) bool // hexes that are not entered at the rate of a road
}

// search finds the cheapest ways of a unit. Enemy hexes are never entered, enemy
// zones end a way. Only roads: road steps alone.
func (s *State) search(u *Unit, starts []int, roadOnly bool) *field {
	return s.searchOn(u, starts, terms{roadOnly: roadOnly})
}

// searchOn is a search on certain terms.
func (s *State) searchOn(u *Unit, starts []int, on terms) *field {
	n := len(s.at)
	f := &field{spent: make([]Cost, n), from: make([]int, n)}
	done := make([]bool, n)
	for i := range f.spent {
		f.spent[i], f.from[i] = -1, -1
		done[i] = on.shun != nil && on.shun(i)
	}
	w, g := s.purse(u), s.gaitOf(u)
	ferries := g.class == Leg && anyOf(s.onMap(u.c.Side), func(v *Unit) bool { return v.c.Raft })
	var heap costHeap
	for _, i := range starts {
		f.spent[i], done[i] = w.spent, false
		heap.push(w.spent, i)
	}
	for len(heap) > 0 {
		c, i := heap.pop()
		if done[i] {
			continue
		}
		done[i] = true
		f.order = append(f.order, i)
		start := f.from[i] < 0
		g.leaving = s.threatened(i, g.side)
		if g.leaving && !start {
			continue
		}
		w.spent, w.started = c, u.did.started || !start
		for d := hex.N; d <= hex.NW; d++ {
			j := s.sc.edges[i*6+int(d)].to
			if j < 0 || done[j] || s.enemyOn(j, g.side) {
				continue
			}
			g.raft = ferries && s.rafted(g.side, i, d)
			g.offRoad = on.offRoad != nil && on.offRoad(j)
			p, road := s.step(g, i, d)
			if on.roadOnly && !road {
				continue
			}
			if spent, ok := w.pay(p); ok && f.cheaper(spent, j) {
				f.spent[j], f.from[j] = spent, i
				heap.push(spent, j)
			}
		}
	}
	return f
}

// cheaper tells whether a price for a hex beats the one that was found before.
func (f *field) cheaper(c Cost, i int) bool { return f.spent[i] < 0 || c < f.spent[i] }

// way is the path to a hex, without the start; nil if it was not reached.
func (f *field) way(g *hex.Grid, to int) []hex.Hex {
	if f.spent[to] < 0 {
		return nil
	}
	var out []hex.Hex
	for i := to; f.from[i] >= 0; i = f.from[i] {
		out = append(out, g.At(i))
	}
	slices.Reverse(out)
	return out
}

// costHeap is a heap of hexes by price, then number.
type costHeap []struct {
	c Cost
	i int
}

func (h costHeap) less(a, b int) bool {
	if h[a].c != h[b].c {
		return h[a].c < h[b].c
	}
	return h[a].i < h[b].i
}

func (h *costHeap) push(c Cost, i int) {
	*h = append(*h, struct {
		c Cost
		i int
	}{c, i})
	for k := len(*h) - 1; k > 0 && h.less(k, (k-1)/2); k = (k - 1) / 2 {
		(*h)[k], (*h)[(k-1)/2] = (*h)[(k-1)/2], (*h)[k]
	}
}

func (h *costHeap) pop() (Cost, int) {
	top := (*h)[0]
	n := len(*h) - 1
	(*h)[0] = (*h)[n]
	*h = (*h)[:n]
	for k := 0; ; {
		c := 2*k + 1
		if c >= n {
			break
		}
		if other := c + 1; other < n && h.less(other, c) {
			c = other
		}
		if !h.less(c, k) {
			break
		}
		(*h)[k], (*h)[c] = (*h)[c], (*h)[k]
		k = c
	}
	return top.c, top.i
}
