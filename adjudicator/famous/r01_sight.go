package famous

import (
	"iter"
	"sync"

	"fieldpost/adjudicator/hex"
)

// sightRange is how far stacks are inspected and targets observed.
//
// GD 1.1/1
// GD 11.2/2
const sightRange = 10

// sees tells whether a unit on one hex has an unblocked line to another one at
// most ten hexes away. The hexes at both ends never block.
//
// GD 1.1/2
// GD 11.2/7: units never do
// GD 11.3/5: for direct fire too
func (sc *Scenario) sees(from, to int) bool {
	return sc.view(from).has(to)
}

// hexes are a set of hexes, a bit for each by its index.
type hexes []uint64

// has tells whether a hex is in the set.
func (l hexes) has(i int) bool { return l[i>>6]&(1<<(i&63)) != 0 }

// add puts those of another set into the set.
func (l hexes) add(others hexes) {
	for k, bits := range others {
		l[k] |= bits
	}
}

// view is what a unit on a hex sees.
func (sc *Scenario) view(from int) hexes {
	row := sc.sight[from].Load()
	if row == nil {
		row = sc.lookAround(from)
	}
	return *row
}

// lookAround draws the lines of sight from a hex, once; the terrain never changes.
func (sc *Scenario) lookAround(i int) *hexes {
	g := &sc.Board.Grid
	row := make(hexes, (g.Len()+63)/64)
	if sc.ground[i].on {
		for _, h := range g.Within(g.At(i), sightRange) {
			j := g.Index(h)
			if sc.ground[j].on && sc.unblocked(g.At(i), h) {
				row[j>>6] |= 1 << (j & 63)
			}
		}
	}
	sc.sight[i].Store(&row)
	return &row
}

// unblocked tells whether no hex on the line between the centres of two hexes ends it. They
// are at most sightRange apart.
func (sc *Scenario) unblocked(from, to hex.Hex) bool {
	g := &sc.Board.Grid
	begin := cubeOf(g, from)
	for _, h := range sightLines()[cubeOf(g, to).minus(begin)] {
		if sc.endsSight(from, h.plus(begin).on(g)) {
			return false
		}
	}
	return true
}

// sightLines are the hexes through whose inside a line goes between its ends, as offsets from
// the hex in which it begins, by the offset of the one in which it ends. A line exactly along a
// hexside goes through neither of its hexes. Lines are alike wherever they begin.
//
// GD 11.2/6
var sightLines = sync.OnceValue(func() map[cube][]cube {
	lines := map[cube][]cube{}
	for end := range within(sightRange) {
		far := end.length()
		for h := range within(far) {
			between := h.length() > 0 && end.minus(h).length() > 0
			if between && crosses(end, h) {
				lines[end] = append(lines[end], h)
			}
		}
	}
	return lines
})

// endsSight tells whether a hex that the line goes through ends it. Height never helps,
// but on a peak the hexes beside it do not count; works and units are no matter.
//
// GD 11.2/4
// GD 15.0/3
// reading GD 11.2: the peak helps the unit that looks from it, not the one that is looked at.
func (sc *Scenario) endsSight(from, h hex.Hex) bool {
	g := &sc.Board.Grid
	if !sc.ground[g.Index(h)].blocks {
		return false
	}
	fromPeak := sc.ground[g.Index(from)].peak
	return !fromPeak || !g.Adjacent(from, h) // GD 11.2/5
}

// cube is a hex in cube coordinates; the three always sum to zero.
type cube struct{ x, y, z int }

func cubeOf(g *hex.Grid, h hex.Hex) cube {
	c, r := h.Col(), h.Row()
	shift := c + c&1
	if g.OddLow {
		shift = c - c&1
	}
	z := r - shift/2
	return cube{c, -c - z, z}
}

// on is the hex of the cube coordinates.
func (c cube) on(g *hex.Grid) hex.Hex {
	shift := c.x + c.x&1
	if g.OddLow {
		shift = c.x - c.x&1
	}
	return hex.New(c.x, c.z+shift/2)
}

func (c cube) plus(o cube) cube  { return cube{c.x + o.x, c.y + o.y, c.z + o.z} }
func (c cube) minus(o cube) cube { return cube{c.x - o.x, c.y - o.y, c.z - o.z} }

// length is how far the offset goes, in hexes.
func (c cube) length() int { return max(apart(c.x, 0), apart(c.y, 0), apart(c.z, 0)) }

// within are the offsets of at most n hexes.
func within(n int) iter.Seq[cube] {
	return func(yield func(cube) bool) {
		for x := -n; x <= n; x++ {
			for z := max(-n, -n-x); z <= min(n, n-x); z++ {
				if !yield(cube{x, -x - z, z}) {
					return
				}
			}
		}
	}
}

// distance is the number of hexes from one to another, by index.
func (sc *Scenario) distance(from, to int) int {
	a, b := &sc.cubes[from], &sc.cubes[to]
	return max(apart(a.x, b.x), apart(a.y, b.y), apart(a.z, b.z))
}

// apart is how far apart two numbers are.
func apart(a, b int) int { return max(a-b, b-a) }

// crosses tells whether the line from the centre of the hex at no offset to that of end goes
// through the inside of h. In cube coordinates the inside of a hex is where the three
// differences of the offsets from its centre lie strictly between -1 and 1; the
// line is inside where three open intervals of its parameter t overlap.
func crosses(end, h cube) bool {
	loN, loD, hiN, hiD := 0, 1, 1, 1 // t from 0 to 1, as fractions
	clip := func(k0, slope int) bool {
		// -1 < k0 + t*slope < 1
		if slope == 0 {
			return k0 > -1 && k0 < 1
		}
		n1, n2, den := -1-k0, 1-k0, slope
		if slope < 0 {
			n1, n2, den = k0-1, k0+1, -slope
		}
		if n1*loD > loN*den {
			loN, loD = n1, den
		}
		if n2*hiD < hiN*den {
			hiN, hiD = n2, den
		}
		return loN*hiD < hiN*loD
	}
	return clip(h.y-h.x, end.x-end.y) && clip(h.z-h.y, end.y-end.z) && clip(h.x-h.z, end.z-end.x)
}
