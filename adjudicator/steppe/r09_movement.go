package steppe

import (
	"slices"

	"fieldpost/adjudicator/hex"
)

// entryPrice is the price of the hex alone.
//
// Steppe 9.0/4
// Steppe 3.1/12
func (s *State) entryPrice(i int, motorized bool) int {
	t := s.sc.land.ground[i]
	if t.Name == marsh && s.Ground == frozen {
		t = s.sc.Terrain[clear]
	}
	if motorized {
		return t.Motorized
	}
	return t.Other
}

// price is the movement points of a step from a hex in a direction; barred: a Major
// River without a bridge, which has rules of its own.
//
// Steppe 9.0/5
// Steppe 3.1/12
func (s *State) price(i int, d hex.Dir, motorized bool) (cost int, barred bool) {
	l := s.sc.land
	cost = s.entryPrice(int(l.near[i][d]), motorized)
	var t Terrain
	switch w := l.water[i][d]; {
	case w == dry || s.Ground == frozen:
		return cost, false
	case w == minor && s.intact(i, d):
		t = s.sc.Terrain[minorBridge]
	case w == minor:
		t = s.sc.Terrain[minorRiver]
	case s.intact(i, d):
		t = s.sc.Terrain[majorBridge]
	default:
		return cost, true
	}
	if motorized {
		return cost + t.Motorized, false
	}
	return cost + t.Other, false
}

// walk is a movement of one unit, or of a stack at the pace of its slowest.
type walk struct {
	s         *State
	side      Side
	motorized bool
	mp        int
	oneHex    bool
	start     int  // index of the hex that it begins in; -1 off the map
	free      bool // overrun movement: hexes instead of points

	foe   Side
	zone  []int8    // enemy zones of control
	steps [][6]int8 // prices
}

// ready looks up what every step needs; nothing on the map changes while a walk is tried.
func (w *walk) ready() *walk {
	w.foe = other(w.side)
	w.zone = w.s.zones(w.foe)
	f, m := 0, 0
	if w.s.Ground == frozen {
		f = 1
	}
	if w.motorized {
		m = 1
	}
	w.steps = w.s.sc.land.step[f][m]
	return w
}

// newWalk is the walk of a unit that begins its Move mode where it stands.
//
// Steppe 9.0/7
func (s *State) newWalk(u *Unit) *walk {
	w := &walk{s: s, side: u.c.Side, motorized: u.c.Motorized, start: -1}
	w.mp, w.oneHex = s.allowance(u)
	if u.Where == OnMap {
		w.start = s.ix(u.Hex)
	}
	return w.ready()
}

// leave is the price of stepping from i in a direction with so many points left:
// what is left, and whether the walk ends there. Not ok is an illegal step.
//
// Steppe 8.0/6
// Steppe 8.0/7
// Steppe 8.0/8
// Steppe 8.0/9
// Steppe 9.0/6
// Steppe 9.1/1
// Steppe 9.1/2
// Steppe 9.1/4
//
// reading Steppe 9.1: the one hex that a unit may always move is for any lack of
// points, but never over a Major River into a zone of control nor into an enemy hex.
// Crossing without a bridge begins in a hex, and ends in one, free of enemy zones.
func (w *walk) leave(i int, d hex.Dir, left int) (rest int, ends, ok bool) {
	s, l := w.s, w.s.sc.land
	j := int(l.near[i][d])
	if j < 0 || s.holderIx(j) == w.foe {
		return 0, false, false
	}
	zone, cost := w.zone[j] > 0, int(w.steps[i][d])
	barred := cost == barredStep
	if len(s.Blown) > 0 && l.bridge[i][d] {
		cost, barred = s.price(i, d, w.motorized)
	}
	if barred {
		if w.free || i != w.start || zone || w.zone[i] > 0 {
			return 0, false, false
		}
		return 0, true, true
	}
	if w.free {
		cost = 1
	}
	if w.zone[i] > 0 {
		cost++
	}
	first := i == w.start && left == w.mp
	switch {
	case w.oneHex && !first:
		return 0, false, false
	case w.oneHex:
		return 0, true, true
	case cost > left && first && !w.free:
		return 0, true, true
	case cost > left:
		return 0, false, false
	}
	return left - cost, zone, true
}

// field is where a walk can get to. It is good until the next search on the position.
type field struct {
	w    *walk
	left []int8  // by grid index: points left there; -1 out of reach
	back []int8  // the direction it was entered by
	ends []bool  // the walk goes no farther
	seen []int16 // the hexes in reach, in the order in which they were found
	next [][]int16
}

// search finds everything that the walk reaches, cheapest ways first: the hexes with
// most points left are gone on from before those with fewer.
//
// Steppe 9.0/3
func (w *walk) search(seeds ...seed) *field {
	f := w.field()
	if len(seeds) == 0 {
		f.add(w.start, w.mp, -1, false)
	}
	for _, sd := range seeds {
		f.add(sd.at, sd.left, -1, sd.ends)
	}
	for left := w.mp; left >= 0; left-- {
		for k := 0; k < len(f.next[left]); k++ {
			i := int(f.next[left][k])
			if int(f.left[i]) != left || f.ends[i] {
				continue
			}
			for d, j := range w.s.sc.land.near[i] {
				if j < 0 || int(f.left[j]) >= left {
					continue // it was come to more cheaply
				}
				if rest, ends, ok := w.leave(i, hex.Dir(d), left); ok {
					f.add(int(j), rest, d, ends)
				}
			}
		}
	}
	return f
}

// field is an empty field: that of the last search, with what it found wiped out.
func (w *walk) field() *field {
	f := w.s.found
	if f == nil {
		n := len(w.zone)
		f = &field{left: slices.Repeat([]int8{-1}, n), back: make([]int8, n), ends: make([]bool, n)}
		w.s.found = f
	}
	for _, i := range f.seen {
		f.left[i] = -1
	}
	for k := range f.next {
		f.next[k] = f.next[k][:0]
	}
	for len(f.next) <= w.mp {
		f.next = append(f.next, nil)
	}
	f.w, f.seen = w, f.seen[:0]
	return f
}

// add notes a way to a hex if it leaves more points than the ways before it.
func (f *field) add(i, left, dir int, ends bool) {
	if int(f.left[i]) >= left {
		return
	}
	if f.left[i] < 0 {
		f.seen = append(f.seen, int16(i))
	}
	f.left[i], f.back[i], f.ends[i] = int8(left), int8(dir), ends
	f.next[left] = append(f.next[left], int16(i))
}

// seed is a hex in which a walk comes on to the map.
type seed struct {
	at, left int
	ends     bool
}

// path is the way to a hex, the start included.
func (f *field) path(to int) []hex.Hex {
	out := []hex.Hex{f.w.s.hexAt(to)}
	for f.back[to] >= 0 {
		to = int(f.w.s.sc.land.near[to][hex.Dir(f.back[to]).Opposite()])
		out = append(out, f.w.s.hexAt(to))
	}
	slices.Reverse(out)
	return out
}

// course is what a movement order asks of a unit.
type course struct {
	path []hex.Hex // hex by hex, or
	to   hex.Hex
	via  []hex.Hex
	push bool // may end out of reach of its goal in an enemy zone of control
}

// goal is where the course leads.
func (c course) goal() hex.Hex {
	if len(c.path) > 0 {
		return c.path[len(c.path)-1]
	}
	return c.to
}

// follow finds the way that a unit takes: the written one, else the cheapest to the
// goal, else as near to it as it may. Nil: it stays. short tells that it is not the goal.
//
// deviation Steppe 9.0: movement is written in advance. Where the map has changed, a
// unit takes the cheapest legal way to its goal, or stops at the reachable hex nearest
// to it outside enemy zones of control (with PUSH also inside); where its goal is full,
// one hex short.
//
// Steppe 7.1/3
func (s *State) follow(u *Unit, w *walk, c course, seeds ...seed) (way []hex.Hex, short bool) {
	if way := s.written(u, w, c); way != nil && len(seeds) == 0 {
		return way, false
	}
	if len(c.via) > 0 {
		f := w.search(seeds...)
		if i := s.ix(c.via[0]); f.left[i] > 0 {
			head := f.path(i)
			rest := *w
			rest.mp, rest.start = int(f.left[i]), i
			tail, short := s.follow(u, &rest, course{to: c.goal(), via: c.via[1:], push: c.push})
			if tail != nil {
				return append(head, tail[1:]...), short
			}
		}
	}
	f := w.search(seeds...)
	goal := c.goal()
	if i := s.ix(goal); f.left[i] >= 0 && s.room(i, u) && (i != w.start || len(seeds) > 0) {
		return f.path(i), false
	}
	best, score := -1, 1<<30
	open := w.start >= 0 || slices.ContainsFunc(f.seen, func(k int16) bool { return s.room(int(k), u) && w.zone[k] == 0 })
	for _, k := range f.seen {
		i := int(k)
		n := s.sc.land.distance(i, s.ix(goal))*1000 - int(f.left[i])
		switch {
		case n > score || n == score && i > best:
		case !c.push && i != w.start && w.zone[i] > 0 && open:
		case s.room(i, u):
			best, score = i, n
		}
	}
	if best < 0 || best == w.start {
		return nil, true
	}
	return f.path(best), true
}

// written checks a way that was written hex by hex.
func (s *State) written(u *Unit, w *walk, c course) []hex.Hex {
	if len(c.path) < 2 || w.start < 0 || s.ix(c.path[0]) != w.start {
		return nil
	}
	left, i, ended := w.mp, w.start, false
	for _, h := range c.path[1:] {
		d, near := s.sc.land.grid.Direction(s.hexAt(i), h)
		if !near || ended {
			return nil
		}
		rest, ends, ok := w.leave(i, d, left)
		if !ok {
			return nil
		}
		left, ended, i = rest, ends, s.ix(h)
	}
	if !s.room(i, u) {
		return nil
	}
	return c.path
}

// march carries a unit along a way and gives the hexes to its side.
//
// Steppe 16.0/4
func (s *State) march(u *Unit, way []hex.Hex) {
	for _, h := range way {
		s.take(h, u.c.Side)
	}
	s.put(u, way[len(way)-1])
}
