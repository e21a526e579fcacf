package famous

import (
	"slices"

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

// unblocked draws the line between the centres of two hexes.
func (sc *Scenario) unblocked(from, to hex.Hex) bool {
	g := &sc.Board.Grid
	if g.Distance(from, to) <= 1 {
		return true
	}
	l := sightLine{sc: sc, from: from, to: to, a: cubeOf(g, from), b: cubeOf(g, to)}
	queue := []hex.Hex{from} // a line passes few hexes
	for k := 0; k < len(queue); k++ {
		for dir := hex.N; dir <= hex.NW; dir++ {
			n := g.Step(queue[k], dir)
			if slices.Contains(queue, n) || !l.passes(n) {
				continue
			}
			if l.blockedBy(n) {
				return false
			}
			queue = append(queue, n)
		}
	}
	// A line that begins along a hexside enters no neighbour's inside: go round it.
	return l.alongside()
}

// sightLine is a line of sight that is being drawn.
type sightLine struct {
	sc       *Scenario
	from, to hex.Hex
	a, b     cube // the same
}

// passes tells whether the line goes through the inside of a hex between its ends. A line
// exactly along its hexside does not.
//
// GD 11.2/6
func (l *sightLine) passes(h hex.Hex) bool {
	g := &l.sc.Board.Grid
	return h != l.to && crosses(l.a, l.b, cubeOf(g, h))
}

// blockedBy tells whether a hex that the line goes through ends it. Height never helps,
// but on a peak the hexes beside it do not count; works and units are no matter.
//
// GD 11.2/4
// GD 15.0/3
// reading GD 11.2: the peak helps the unit that looks from it, not the one that is looked at.
func (l *sightLine) blockedBy(h hex.Hex) bool {
	g := &l.sc.Board.Grid
	if !l.sc.ground[g.Index(h)].blocks {
		return false
	}
	fromPeak := l.sc.ground[g.Index(l.from)].peak
	return !fromPeak || !g.Adjacent(l.from, h) // GD 11.2/5
}

// alongside looks at the hexes that the flood from the first hex cannot reach,
// because the line runs along hexsides between them.
func (l *sightLine) alongside() bool {
	dx, dy, dz := l.b.x-l.a.x, l.b.y-l.a.y, l.b.z-l.a.z
	if dx != dy && dy != dz && dz != dx {
		return true // it runs along no hexside
	}
	g := &l.sc.Board.Grid
	d := g.Distance(l.from, l.to)
	for _, n := range g.Within(l.from, d) {
		if n == l.from || g.Distance(n, l.to) >= d {
			continue
		}
		if l.passes(n) && l.blockedBy(n) {
			return false
		}
	}
	return true
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

// distance is the number of hexes from one to another, by index.
func (sc *Scenario) distance(from, to int) int {
	a, b := &sc.cubes[from], &sc.cubes[to]
	return max(apart(a.x, b.x), apart(a.y, b.y), apart(a.z, b.z))
}

// apart is how far apart two numbers are.
func apart(a, b int) int { return max(a-b, b-a) }

// crosses tells whether the line from the centre of a to that of b goes through
// the inside of h. In cube coordinates the inside of a hex is where the three
// differences of the offsets from its centre lie strictly between -1 and 1; the
// line is inside where three open intervals of its parameter t overlap.
func crosses(a, b, h cube) bool {
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
	dx, dy, dz := a.x-h.x, a.y-h.y, a.z-h.z
	sx, sy, sz := b.x-a.x, b.y-a.y, b.z-a.z
	return clip(dx-dy, sx-sy) && clip(dy-dz, sy-sz) && clip(dz-dx, sz-sx)
}
