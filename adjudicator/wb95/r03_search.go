package wb95

import (
	"math/bits"
	"slices"

	"fieldpost/adjudicator/hex"
)

// field is what a search found: the hexes a unit can get to, at what price, and
// how. A node is a hex on one of three layers, because the side road bonus
// depends on the whole way: the way so far was mixed, was side road only, or
// ended with the free step.
type field struct {
	m     *march
	cost  []Cost // by node, Closed where nothing leads
	from  []int32
	hops  []int16
	start []bool // by node: the unit stands there at the beginning of the phase
	// reached are the nodes to which something leads: what the next search wipes.
	reached []int32
	// buckets are the nodes by cost while the search runs.
	buckets [][]int32
}

// spent are a few fields that nobody looks at any more: a sheet makes hundreds of them,
// each as long as the map, and one after the other.
var spent = make(chan *field, 4)

// newField is a field of n nodes to which nothing leads yet.
func newField(m *march, n int) *field {
	var f *field
	select {
	case f = <-spent:
	default:
		f = new(field)
	}
	if f.m = m; len(f.cost) != n {
		f.cost, f.from, f.hops, f.start = make([]Cost, n), make([]int32, n), make([]int16, n), make([]bool, n)
		for i := range f.cost {
			f.cost[i] = Closed
		}
	} else {
		for _, i := range f.reached {
			f.cost[i], f.from[i], f.hops[i], f.start[i] = Closed, 0, 0, false
		}
	}
	f.reached = f.reached[:0]
	for i := range f.buckets {
		f.buckets[i] = f.buckets[i][:0]
	}
	return f
}

// release gives the field back. It must not be used afterwards.
func (f *field) release() {
	f.m = nil
	select {
	case spent <- f:
	default: // there are enough
	}
}

const (
	mixed = iota
	pureRoad
	freeStep
	layers
)

// seed is where a search begins: a node with what was spent up to it.
type seed struct {
	node int32
	cost Cost
}

// far is a limit that stops no search.
const far = Cost(1 << 20)

// reach is every hex that the unit can get to in this phase by its movement
// points, terrain and enemy zones; the unit's own hex is in it at no cost. Whether
// a hex has room for it is for the caller to ask (roomFor): the limit counts at
// the phase's end.
func (s *State) reach(u *Unit, full bool) *field {
	m := s.newMarch(u, full)
	if rooted(u) {
		m.spent += setupPrice // it limbers first (6.2.4)
	}
	return m.search(m.seeds(), m.start, true)
}

// seeds is the place of a unit that is on the map.
func (m *march) seeds() []seed {
	if m.at == hex.None {
		return nil
	}
	layer := mixed
	if m.pure {
		layer = pureRoad
	}
	m.from[0] = seed{int32(m.s.sc.Board.Grid.Index(m.at)*layers + layer), m.spent}
	return m.from[:]
}

// search is Dijkstra's, over costs that are small whole numbers: a bucket for
// each cost. Among ways of one price the one with fewer hexes wins, then the one
// through the lower hex numbers. Standing tells that the seeds are where the unit
// stands, so that an enemy zone there does not hold it (4.2.4).
func (m *march) search(seeds []seed, limit Cost, standing bool) *field {
	m.seeking = true
	defer func() { m.seeking = false }()
	n := len(m.net.next) * layers
	f := newField(m, n)
	push := func(node int32, c Cost) {
		for int(c) >= len(f.buckets) {
			f.buckets = append(f.buckets, nil)
		}
		f.buckets[c] = append(f.buckets[c], node)
	}
	for _, s := range seeds {
		if f.cost[s.node] == Closed || s.cost < f.cost[s.node] {
			f.reached = append(f.reached, s.node)
			f.cost[s.node], f.from[s.node], f.start[s.node] = s.cost, -1, standing
			push(s.node, s.cost)
		}
	}
	goal := m.last()
	for c := Cost(0); int(c) < len(f.buckets); c++ {
		if goal >= 0 && f.settled(goal, c) {
			break
		}
		for k := 0; k < len(f.buckets[c]); k++ {
			node := f.buckets[c][k]
			if f.cost[node] != c || node%layers == freeStep {
				continue
			}
			f.expand(node, limit, push)
		}
	}
	return f
}

// last is the grid index of the only hex that the search is for, -1 where it is for
// many or for a way through.
func (m *march) last() int {
	if m.target == hex.None {
		return -1
	}
	return m.s.sc.Board.Grid.Index(m.target)
}

// settled tells whether the cheapest way to the hex costs less than c: no way that
// is found from here on is as cheap.
func (f *field) settled(i int, c Cost) bool {
	for layer := range layers {
		if got := f.cost[i*layers+layer]; got != Closed && got < c {
			return true
		}
	}
	return false
}

// expand tries the six steps out of a node.
func (f *field) expand(node int32, limit Cost, push func(int32, Cost)) {
	m, i, layer := f.m, int(node/layers), int(node%layers)
	// WB-95 4.2.1
	// WB-95 4.2.4
	if m.enemy.on[i] && !f.start[node] && !m.blind {
		return
	}
	c := f.cost[node]
	// WB-95 3.1.13/2
	canPay := m.start > 0 || limit == far || m.least && f.start[node]
	for d := range hex.Dir(6) {
		if m.bar(i, d) != "" {
			continue
		}
		next, side := m.net.next[i][d], m.alongSideRoad(i, d)
		if m.shuns(int(next)) {
			continue
		}
		to := mixed
		if side {
			to = layer // pure so far stays pure
		}
		if sum := c + m.total(i, d, c); canPay && sum <= limit {
			f.relax(node, next*layers+int32(to), sum, push)
			continue
		}
		// Footnote 2 of the terrain table: one more hex along the side road.
		if sum := c + m.extra(i, d); to == pureRoad && sum <= limit {
			f.relax(node, next*layers+freeStep, sum, push)
		}
	}
}

// shuns tells that a way that the staff finds does not lead into the hex: it
// holds enemies, and the order did not name it.
//
// reading WB-95 6.1.7: nobody rides guns or headquarters down by the way; the order must lead there.
func (m *march) shuns(i int) bool {
	if m.sought == nil || m.blind {
		return false
	}
	return m.held[i] != heldNot && !slices.Contains(m.sought, m.s.sc.Board.Grid.At(i))
}

// relax notes a way to a node if it is better than the one known.
func (f *field) relax(node, next int32, sum Cost, push func(int32, Cost)) {
	hops := f.hops[node] + 1
	switch old := f.cost[next]; {
	case old == Closed || sum < old:
		if old == Closed {
			f.reached = append(f.reached, next)
		}
		f.cost[next], f.from[next], f.hops[next], f.start[next] = sum, node, hops, false
		push(next, sum)
	case sum == old && f.straighter(next, node, hops):
		f.from[next], f.hops[next] = node, hops
	}
}

// straighter tells whether a way of the same price by another node is the better one: it
// has fewer hexes, or as many and lower numbers. Where a search begins it stays.
func (f *field) straighter(next, by int32, hops int16) bool {
	switch {
	case f.from[next] < 0:
		return false
	case hops != f.hops[next]:
		return hops < f.hops[next]
	}
	return by < f.from[next]
}

// node is the cheapest node of a hex, -1 if nothing leads there.
func (f *field) node(h hex.Hex) int32 {
	i, on := f.m.s.sc.Board.Grid.Find(h)
	if !on {
		return -1
	}
	return f.nodeAt(i)
}

// nodeAt is the cheapest node of a hex by its number, -1 if nothing leads there.
func (f *field) nodeAt(i int) int32 {
	best := int32(-1)
	for n := int32(i * layers); n < int32((i+1)*layers); n++ {
		switch {
		case f.cost[n] == Closed:
		case best < 0, f.cost[n] < f.cost[best]:
			best = n
		}
	}
	return best
}

// to is the price of getting to the hex; ok is false if the unit cannot.
func (f *field) to(h hex.Hex) (c Cost, ok bool) {
	n := f.node(h)
	if n < 0 {
		return Closed, false
	}
	return f.cost[n], true
}

// trace is the way to a node, and the node where it began.
func (f *field) trace(n int32) (path []hex.Hex, root int32) {
	if n >= 0 {
		path = f.m.s.room.hexes.Take(int(f.hops[n]) + 1)
	}
	for ; n >= 0; n = f.from[n] {
		path, root = append(path, f.m.s.sc.Board.Grid.At(int(n/layers))), n
	}
	slices.Reverse(path)
	return path, root
}

// hexes lists the hexes the unit can get to, in ascending order.
func (f *field) hexes() []hex.Hex {
	g := &f.m.s.sc.Board.Grid
	const wide = 64
	on := make([]uint64, g.Len()/wide+1)
	for _, n := range f.reached {
		i := int(n) / layers
		on[i/wide] |= 1 << (i % wide)
	}
	out := make([]hex.Hex, 0, len(f.reached))
	for k, word := range on {
		for ; word != 0; word &= word - 1 {
			if h := g.At(k*wide + bits.TrailingZeros64(word)); g.Contains(h) {
				out = append(out, h)
			}
		}
	}
	return out
}

// seedsAt turns what a search found in a hex into the beginning of the next one.
func (f *field) seedsAt(h hex.Hex) []seed {
	var out []seed
	i := f.m.s.sc.Board.Grid.Index(h)
	for layer := range freeStep {
		if n := int32(i*layers + layer); f.cost[n] != Closed {
			out = append(out, seed{n, f.cost[n]})
		}
	}
	return out
}
