package steppe

import (
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
)

// groundAt is the terrain of a hex as it lies now: frozen marsh is clear.
//
// Steppe 3.1/12
func (s *State) groundAt(i int) Terrain {
	t := s.sc.land.ground[i]
	if t.Name == marsh && s.Ground == frozen {
		return s.sc.Terrain[clear]
	}
	return t
}

// entryPrice is the price of the hex alone.
//
// Steppe 9.0/4
func (s *State) entryPrice(i int, motorized bool) int { return s.groundAt(i).price(motorized) }

// words is the line of the terrain chart as players read it: minor river.
func (t Terrain) words() string { return strings.ReplaceAll(t.Name, "-", " ") }

// price is what the terrain costs a unit.
func (t Terrain) price(motorized bool) int {
	if motorized {
		return t.Motorized
	}
	return t.Other
}

// price is the movement points of a step from a hex in a direction; barred: a Major
// River without a bridge, which has rules of its own. Frozen rivers cost nothing.
//
// Steppe 9.0/5
// Steppe 3.1/12
func (s *State) price(i int, d hex.Dir, motorized bool) (cost int, barred bool) {
	l := s.sc.land
	cost = s.entryPrice(int(l.near[i][d]), motorized)
	if l.water[i][d] == dry || s.Ground == frozen {
		return cost, false
	}
	side := s.hexside(i, d)
	if side == majorRiver {
		return cost, true
	}
	return cost + s.sc.Terrain[side].price(motorized), false
}

// hexside is the line of the terrain chart for a river, or for the bridge over it that
// stands.
func (s *State) hexside(i int, d hex.Dir) string {
	bridged := s.intact(i, d)
	switch {
	case s.sc.land.water[i][d] == minor:
		if bridged {
			return minorBridge
		}
		return minorRiver
	case bridged:
		return majorBridge
	}
	return majorRiver
}

// walk is a movement of one unit, or of a stack at the pace of its slowest.
type walk struct {
	s         *State
	side      Side
	motorized bool
	mp        int
	start     int  // index of the hex that it begins in; -1 off the map
	free      bool // overrun movement: hexes instead of points
	tight     bool // where it ends there must be room now, not when all have moved

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

// newWalk is the walk of a unit that begins its Move mode where it stands, with its
// whole allowance: points are neither saved nor lent.
//
// Steppe 9.0/7
func (s *State) newWalk(u *Unit) *walk {
	w := &walk{s: s, side: u.c.Side, motorized: u.c.Motorized, start: -1}
	w.mp = s.allowance(u)
	if u.Where == OnMap {
		w.start = s.ix(u.Hex)
	}
	return w.ready()
}

// leave is the price of stepping from i in a direction with so many points left:
// what is left, and whether the walk ends there. Not ok is an illegal step.
//
// reading Steppe 9.1: the one hex that a unit may always move is for any lack of
// points, but never over a Major River into a zone of control nor into an enemy hex.
// Crossing without a bridge begins in a hex, and ends in one, free of enemy zones.
func (w *walk) leave(i int, d hex.Dir, left int) (rest int, ends, ok bool) {
	s, l := w.s, w.s.sc.land
	j := int(l.near[i][d])
	if s.holderIx(j) == w.foe {
		return 0, false, false
	}
	zone, cost := w.zone[j] > 0, int(w.steps[i][d])
	barred := cost == barredStep
	if len(s.Blown) > 0 && l.bridge[i][d] {
		cost, barred = s.price(i, d, w.motorized)
	}
	first := left == w.mp // no step has been taken yet: each costs a point
	if barred {
		mayCross := first && w.mayCross(i, zone)
		return 0, mayCross, mayCross // Steppe 9.1/2
	}
	if w.free {
		cost = 1
	}
	if w.zone[i] > 0 {
		cost++ // Steppe 8.0/8
	}
	// A unit that enters a zone of control stops there, from one to another as well.
	//
	// Steppe 8.0/6
	// Steppe 8.0/7
	if cost <= left {
		return left - cost, zone, true
	}
	// It has not the points, but may always move one hex.
	//
	// Steppe 9.0/6
	// Steppe 9.1/4
	return 0, first, first
}

// mayCross tells whether the first step of a walk may go over a Major River without a
// bridge, so that the unit begins its activation beside it: not in an overrun movement,
// and neither out of a zone of control nor into one.
//
// Steppe 9.1/1
// Steppe 9.1/6
// Steppe 8.0/9
func (w *walk) mayCross(i int, intoZone bool) bool {
	if w.free {
		return false
	}
	return !intoZone && w.zone[i] == 0
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
				if j < 0 || int(f.left[j]) >= w.most(i, hex.Dir(d), left) {
					continue // it was come to as cheaply
				}
				if rest, ends, ok := w.leave(i, hex.Dir(d), left); ok {
					f.add(int(j), rest, d, ends)
				}
			}
		}
	}
	return f
}

// most is the most that a step can leave of so many points, wherever the enemy is.
func (w *walk) most(i int, d hex.Dir, left int) int {
	switch {
	case w.free:
		return max(0, left-1)
	case len(w.s.Blown) > 0:
		return left // a bridge may be gone
	}
	return max(0, left-max(0, int(w.steps[i][d])))
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
// to it outside enemy zones of control (with PUSH also inside). The hexes of VIA are legs of the one movement, and a unit stays in one
// that ends it, PUSH or not.
func (s *State) follow(u *Unit, w *walk, c course, seeds ...seed) (way []hex.Hex, short bool) {
	if way := s.written(u, w, c); way != nil {
		return way, false
	}
	if len(c.via) > 0 && s.sc.before(2) {
		if way, short := s.throughAfresh(u, w, c, seeds); way != nil {
			return way, short
		}
		c.via = nil
	}
	way, seeds = s.through(w, c.via, seeds)
	f := w.search(seeds...)
	goal := s.ix(c.goal())
	if f.left[goal] >= 0 && w.mayEnd(goal, u) {
		return joined(way, f.path(goal)), false
	}
	near := f.nearest(u, goal, c.push)
	if near >= 0 && near != w.start {
		way = joined(way, f.path(near))
	}
	if len(way) < 2 && w.start >= 0 {
		return nil, true // it stays where it is
	}
	return way, true
}

// through is the way to the last of the hexes that a course leads by, and what is left of
// the walk there. All of them are legs of one movement: one that ends the walk, or takes
// its last point, is where the unit stays. One that cannot be come to is passed over.
func (s *State) through(w *walk, via []hex.Hex, seeds []seed) (way []hex.Hex, rest []seed) {
	for _, h := range via {
		f := w.search(seeds...)
		i := s.ix(h)
		if f.left[i] < 0 {
			continue
		}
		way = joined(way, f.path(i))
		seeds = []seed{{at: i, left: int(f.left[i]), ends: f.ends[i]}}
	}
	return way, seeds
}

// joined is a way and the next leg of it, which begins where the way ends.
func joined(way, leg []hex.Hex) []hex.Hex {
	if len(way) == 0 {
		return leg
	}
	return append(way, leg[1:]...)
}

// nearest is the hex in reach that is nearest to a goal and has room, of several the one
// with most points left, then the lowest; -1 if there is none. Zones of control are
// shunned, unless the order pushes or there is nowhere else to come on to the map.
func (f *field) nearest(u *Unit, goal int, push bool) int {
	w := f.w
	shun := !push && (w.start >= 0 || f.hasOpen(u))
	best, score := -1, 1<<30
	for _, k := range f.seen {
		i := int(k)
		if shun && i != w.start && w.zone[i] > 0 {
			continue
		}
		n := w.s.sc.land.distance(i, goal)*1000 - int(f.left[i])
		better := n < score || n == score && i < best
		if better && w.mayEnd(i, u) {
			best, score = i, n
		}
	}
	return best
}

// hasOpen tells whether there is room in reach outside the zones of control.
func (f *field) hasOpen(u *Unit) bool {
	return slices.ContainsFunc(f.seen, func(k int16) bool { return f.w.zone[k] == 0 && f.w.mayEnd(int(k), u) })
}

// written checks a way that was written hex by hex.
func (s *State) written(u *Unit, w *walk, c course) []hex.Hex {
	switch {
	case len(c.path) < 2, w.start < 0:
		return nil
	case s.ix(c.path[0]) != w.start:
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
	if !w.mayEnd(i, u) {
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
