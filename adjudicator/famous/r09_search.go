package famous

import "fieldpost/adjudicator/hex"

// field is the result of a search: what a stack has spent when it gets to a hex.
type field struct {
	spent []Cost  // by hex index, unreached if it was not reached
	from  []int32 // the hex before, startHere at the start
	order []int   // those from which it has gone on, in order of price

	heap    costHeap // those to go on from
	touched []int    // reached, from whatever side, for whoever clears the field
}

// What a field says of hexes without a price, and of those without one before them.
const (
	unreached Cost  = -1
	startHere int32 = -1
)

// newField is a field of n hexes, cleared.
func newField(n int) *field {
	f := &field{spent: make([]Cost, n), from: make([]int32, n)}
	for i := range n {
		f.spent[i], f.from[i] = unreached, startHere
	}
	return f
}

// done gives a field back for later searches. Nobody may look at it any more.
func (sc *Scenario) done(f *field) {
	for _, i := range f.touched {
		f.spent[i], f.from[i] = unreached, startHere
	}
	f.order, f.heap, f.touched = f.order[:0], f.heap[:0], f.touched[:0]
	sc.fields.Put(f)
}

// reached tells whether a way leads to a hex.
func (f *field) reached(i int) bool { return f.spent[i] != unreached }

// starts tells whether the search began on a hex that it has reached.
func (f *field) starts(i int) bool { return f.from[i] == startHere }

// reach notes a price for a hex, and the hex before it.
func (f *field) reach(i int, spent Cost, from int32) {
	if !f.reached(i) {
		f.touched = append(f.touched, i)
	}
	f.spent[i], f.from[i] = spent, from
	f.heap.push(spent, i)
}

// terms are what a search has to keep to.
type terms struct {
	roadOnly bool             // road steps alone
	shun     func(i int) bool // hexes to stay out of
	offRoad  bool             // no hex is entered at the rate of a road
	crowded  hex.Hex          // nor is this one, if the others are
	goal     hex.Hex          // the search ends where it is reached; None: it finds all there is
}

// search finds the cheapest ways of a unit. Enemy hexes are never entered, enemy
// zones end a way. Only roads: road steps alone.
func (s *State) search(u *Unit, start int, roadOnly bool) *field {
	return s.searchOn(u, start, terms{roadOnly: roadOnly})
}

// searchOn is a search on certain terms.
func (s *State) searchOn(u *Unit, start int, on terms) *field {
	f := s.sc.fields.Get().(*field)
	w, g := s.purse(u), s.gaitOf(u)
	goal, crowded := s.sc.place(on.goal), s.sc.place(on.crowded)
	f.reach(start, w.spent, startHere)
	for len(f.heap) > 0 {
		c, i := f.heap.pop()
		if c != f.spent[i] {
			continue // a cheaper way has led on from here
		}
		f.order = append(f.order, i)
		if i == goal {
			break
		}
		begins := f.starts(i)
		g.leaving = s.threatened(i, g.side)
		if g.leaving && !begins {
			continue
		}
		w.spent, w.started = c, u.did.started || !begins
		for d := hex.N; d <= hex.NW; d++ {
			j := s.sc.edges[i*6+int(d)].to
			if j < 0 || s.enemyOn(j, g.side) {
				continue
			}
			if on.shun != nil && !f.reached(j) && on.shun(j) {
				continue
			}
			g.offRoad = on.offRoad || j == crowded
			p, road := s.step(g, i, d)
			if on.roadOnly && !road {
				continue
			}
			if spent, ok := w.pay(p); ok && f.cheaper(spent, j) {
				f.reach(j, spent, int32(i))
			}
		}
	}
	return f
}

// place is the index of a hex, -1 of none.
func (sc *Scenario) place(h hex.Hex) int {
	if h == hex.None {
		return -1
	}
	return sc.Board.Grid.Index(h)
}

// cheaper tells whether a price for a hex beats the one that was found before.
func (f *field) cheaper(c Cost, i int) bool { return !f.reached(i) || c < f.spent[i] }

// way is the path to a hex, without the start; nil if it was not reached.
func (f *field) way(g *hex.Grid, to int) []hex.Hex {
	if !f.reached(to) {
		return nil
	}
	n := 0
	for i := to; !f.starts(i); i = int(f.from[i]) {
		n++
	}
	out := make([]hex.Hex, n)
	for i := to; !f.starts(i); i = int(f.from[i]) {
		n--
		out[n] = g.At(i)
	}
	return out
}

// costHeap is a heap of hexes by price, then number: the price is the upper half of each.
type costHeap []uint64

func (h *costHeap) push(c Cost, i int) {
	*h = append(*h, uint64(c)<<32|uint64(i))
	list := *h
	for k := len(list) - 1; k > 0 && list[k] < list[(k-1)/2]; k = (k - 1) / 2 {
		list[k], list[(k-1)/2] = list[(k-1)/2], list[k]
	}
}

func (h *costHeap) pop() (Cost, int) {
	list := *h
	top, n := list[0], len(list)-1
	list[0] = list[n]
	list = list[:n]
	*h = list
	for k := 0; ; {
		c := 2*k + 1
		if c >= n {
			break
		}
		if other := c + 1; other < n && list[other] < list[c] {
			c = other
		}
		if list[k] <= list[c] {
			break
		}
		list[k], list[c] = list[c], list[k]
		k = c
	}
	return Cost(top >> 32), int(uint32(top))
}
