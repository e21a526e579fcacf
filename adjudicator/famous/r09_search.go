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

// search finds the cheapest ways of a unit. Enemy hexes are never entered, enemy
// zones end a way. Only roads: road steps alone.
func (s *State) search(u *Unit, starts []int, roadOnly bool) *field {
	return s.searchBut(u, starts, roadOnly, nil)
}

// searchBut is a search that stays out of some hexes.
func (s *State) searchBut(u *Unit, starts []int, roadOnly bool, shun func(i int) bool) *field {
	n := len(s.at)
	f := &field{spent: make([]Cost, n), from: make([]int, n)}
	for i := range f.spent {
		f.spent[i], f.from[i] = -1, -1
	}
	printed, allowance := u.printed(), s.allowance(u)
	var heap costHeap
	for _, i := range starts {
		f.spent[i] = u.spent
		heap.push(u.spent, i)
	}
	class, side := u.class(), u.c.side
	raft := class == Leg && s.hasRaft(side)
	done := make([]bool, n)
	for len(heap) > 0 {
		c, i := heap.pop()
		if done[i] || c > f.spent[i] {
			continue
		}
		done[i] = true
		f.order = append(f.order, i)
		start := f.from[i] < 0
		leaving := s.threatened(i, side)
		if leaving && !start {
			continue
		}
		for d := hex.N; d <= hex.NW; d++ {
			j := s.sc.edges[i*6+int(d)].to
			if j < 0 || done[j] || s.holds(j) == int(1-side) {
				continue
			}
			p, road := s.step(class, side, i, d, leaving, raft && s.rafted(side, i, d))
			if roadOnly && !road || shun != nil && shun(j) {
				continue
			}
			spent, ok := pay(p, printed, allowance, c, u.started || !start)
			if ok && (f.spent[j] < 0 || spent < f.spent[j]) {
				f.spent[j], f.from[j] = spent, i
				heap.push(spent, j)
			}
		}
	}
	return f
}

func (s *State) hasRaft(side int8) bool {
	for i := range s.Units {
		if u := &s.Units[i]; u.c.Raft && u.c.side == side && u.Where == OnMap {
			return true
		}
	}
	return false
}

// way is the path to a hex, without the start; nil if it was not reached.
func (f *field) way(g hex.Grid, to int) []hex.Hex {
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

func (h costHeap) less(a, b int) bool { return h[a].c < h[b].c || h[a].c == h[b].c && h[a].i < h[b].i }

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
		if c+1 < n && h.less(c+1, c) {
			c++
		}
		if !h.less(c, k) {
			break
		}
		(*h)[k], (*h)[c] = (*h)[c], (*h)[k]
		k = c
	}
	return top.c, top.i
}
