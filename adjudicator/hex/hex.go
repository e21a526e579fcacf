// Package hex is the geometry of a hex map: numbers, neighbours, distances,
// hexsides and directions. It knows no game.
//
// All maps are flat-topped. A hex number is two digits of column and two of
// row; columns run to the right and rows run down. Whether odd columns sit half
// a hex lower or higher is a property of the map (Grid.OddLow).
package hex

import (
	"fmt"
	"slices"
	"strings"
)

// Hex is a hex number, column*100+row. The zero value is no hex at all: no map
// has a column 0.
type Hex int16

// None is the hex of a unit that is not on the map.
const None Hex = 0

// New returns the hex in the given column and row.
func New(col, row int) Hex { return Hex(col*100 + row) }

// Col is the column of the hex.
func (h Hex) Col() int { return int(h) / 100 }

// Row is the row of the hex.
func (h Hex) Row() int { return int(h) % 100 }

// String prints the number with its leading zero, or "----" for None.
func (h Hex) String() string {
	if h == None {
		return "----"
	}
	at := int(uint16(h)) % 10000 * 4
	return numbers[at : at+4]
}

// numbers are 0000 to 9999 one behind the other, so that to print one takes no memory.
var numbers = func() string {
	b := make([]byte, 0, 40000)
	for n := range 10000 {
		b = append(b, byte('0'+n/1000), byte('0'+n/100%10), byte('0'+n/10%10), byte('0'+n%10))
	}
	return string(b)
}()

// Parse reads a hex number with or without its leading zero: 304 is 0304.
func Parse(s string) (Hex, error) {
	if !AllDigits(s) || len(s) < 3 || len(s) > 4 {
		return None, fmt.Errorf("%q is not a hex number: three or four digits are", s)
	}
	n := 0
	for i := range len(s) {
		n = 10*n + int(s[i]-'0')
	}
	if n < 100 {
		return None, fmt.Errorf("%q is not a hex number: columns start at 1", s)
	}
	return Hex(n), nil
}

// AllDigits tells whether a text has nothing but the digits of hex numbers.
func AllDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// MarshalText writes the four digits; None is the empty text.
func (h Hex) MarshalText() ([]byte, error) {
	if h == None {
		return nil, nil
	}
	return []byte(h.String()), nil
}

// UnmarshalText reads what MarshalText writes.
func (h *Hex) UnmarshalText(b []byte) error {
	if len(b) == 0 {
		*h = None
		return nil
	}
	v, err := Parse(string(b))
	*h = v
	return err
}

// Dir is one of the six directions across a hexside, clockwise from the top.
type Dir int8

// The directions. With columns to the right and rows down, N is towards the
// lower row; what the compass says is a matter of the map.
const (
	N Dir = iota
	NE
	SE
	S
	SW
	NW
)

// Opposite is the direction back.
func (d Dir) Opposite() Dir { return (d + 3) % 6 }

// Edge is a hexside, named by the two hexes it parts, the lower one first.
type Edge struct{ A, B Hex }

// Between is the hexside between two adjacent hexes, in canonical order.
func Between(a, b Hex) Edge {
	if b < a {
		a, b = b, a
	}
	return Edge{a, b}
}

// String prints a hexside as 1602/1603.
func (e Edge) String() string { return e.A.String() + "/" + e.B.String() }

// Other is the hex on the other side of the hexside, or None if h is not beside it.
func (e Edge) Other(h Hex) Hex {
	switch h {
	case e.A:
		return e.B
	case e.B:
		return e.A
	}
	return None
}

// ParseEdge reads 1602/1603 or 1602-1603, in either order.
func ParseEdge(s string) (Edge, error) {
	i := strings.IndexAny(s, "/-")
	if i < 0 {
		return Edge{}, fmt.Errorf("%q is not a hexside: two hex numbers such as 1602/1603 are", s)
	}
	a, err := Parse(s[:i])
	if err != nil {
		return Edge{}, err
	}
	b, err := Parse(s[i+1:])
	if err != nil {
		return Edge{}, err
	}
	return Between(a, b), nil
}

// MarshalText writes 1602/1603.
func (e Edge) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (e *Edge) UnmarshalText(b []byte) error {
	v, err := ParseEdge(string(b))
	*e = v
	return err
}

// Grid is the extent of a map and the way its columns are staggered.
type Grid struct {
	ColMin, ColMax int
	RowMin, RowMax int
	OddLow         bool // odd columns sit half a hex lower (towards higher rows)
	// FoldCol and FoldRow join two printed maps on one grid: the columns beyond
	// FoldCol, an even number, lie below the others, in the same places as those
	// FoldCol lower, and their row 00 is what row FoldRow would be there. 0: one map.
	FoldCol int `json:"FoldCol,omitempty"`
	FoldRow int `json:"FoldRow,omitempty"`
}

// folded tells whether two maps are joined.
func (g *Grid) folded() bool { return g.FoldCol > 0 }

// Place is the column and row of a hex on the ground: its number, but for a hex
// beyond the fold.
func (g *Grid) Place(h Hex) (c, r int) {
	c, r = h.Col(), h.Row()
	if g.folded() && c > g.FoldCol {
		return c - g.FoldCol, r + g.FoldRow
	}
	return c, r
}

// Number is the inverse of Place; None for what has no number.
func (g *Grid) Number(c, r int) Hex {
	if g.folded() && r >= g.FoldRow {
		c, r = c+g.FoldCol, r-g.FoldRow
	}
	switch {
	case c < 1, r < 0, r > 99:
		return None
	}
	return New(c, r)
}

// Extent is the first and last column and row on the ground: those of the numbers,
// but where two maps are joined of both together.
func (g Grid) Extent() (colMin, colMax, rowMin, rowMax int) {
	if g.folded() {
		return min(g.ColMin, g.FoldCol), max(g.FoldCol-1, g.ColMax-g.FoldCol), g.RowMin, g.RowMax + g.FoldRow
	}
	return g.ColMin, g.ColMax, g.RowMin, g.RowMax
}

// Border tells whether a hex lies on an edge of the grid: "top", "bottom", "left"
// or "right". Where two maps are joined there is none.
func (g Grid) Border(h Hex, side string) bool {
	if g.folded() {
		return g.borderOfBoth(h, side)
	}
	switch side {
	case "top":
		return h.Row() == g.RowMin
	case "bottom":
		return h.Row() == g.RowMax
	case "left":
		return h.Col() == g.ColMin
	case "right":
		return h.Col() == g.ColMax
	}
	return false
}

// borderOfBoth is Border on two joined maps. The second has the columns beyond the
// fold and lies below the first: its top is no border.
func (g Grid) borderOfBoth(h Hex, side string) bool {
	second := h.Col() > g.FoldCol
	switch side {
	case "top":
		return h.Row() == g.RowMin && !second
	case "bottom":
		return h.Row() == g.RowMax
	case "left":
		return h.Col() == g.ColMin || second && h.Col() == g.ColMin+g.FoldCol
	case "right":
		return h.Col() == g.ColMax || h.Col() == g.ColMax-g.FoldCol
	}
	return false
}

// Contains tells whether the hex is on the map.
func (g *Grid) Contains(h Hex) bool {
	_, ok := g.Find(h)
	return ok
}

// Len is the number of hexes of the full rectangle.
func (g *Grid) Len() int { return (g.ColMax - g.ColMin + 1) * (g.RowMax - g.RowMin + 1) }

// Index numbers the hexes of the grid from 0, column by column. The hex must be on the map.
func (g *Grid) Index(h Hex) int {
	return (h.Col()-g.ColMin)*(g.RowMax-g.RowMin+1) + h.Row() - g.RowMin
}

// Find is the Index of a hex, and whether it is on the map.
func (g *Grid) Find(h Hex) (i int, ok bool) {
	c, r := h.Col(), h.Row()
	switch {
	case h == None, c < g.ColMin, c > g.ColMax, r < g.RowMin, r > g.RowMax:
		return 0, false
	case g.FoldCol > 0 && c <= g.FoldCol && r >= g.FoldRow:
		return 0, false // under the second map, which has numbers of its own
	}
	return g.Index(h), true
}

// At is the inverse of Index.
func (g *Grid) At(i int) Hex {
	rows := g.RowMax - g.RowMin + 1
	return New(g.ColMin+i/rows, g.RowMin+i%rows)
}

// low tells whether the column is one that sits half a hex lower.
func (g *Grid) low(col int) bool { return (col&1 == 1) == g.OddLow }

// Step is the neighbour of h in direction d, which may lie off the map: test
// with Contains. A step to column 0 or a negative row is None.
func (g *Grid) Step(h Hex, d Dir) Hex {
	c, r := g.Place(h)
	switch d {
	case N:
		r--
	case S:
		r++
	case NE, NW:
		if !g.low(c) {
			r--
		}
	case SE, SW:
		if g.low(c) {
			r++
		}
	}
	switch d {
	case NE, SE:
		c++
	case NW, SW:
		c--
	}
	if c < 1 || r < 0 {
		return None
	}
	return g.Number(c, r)
}

// Neighbours are the up to six adjacent hexes on the map, clockwise from the top.
func (g *Grid) Neighbours(h Hex) []Hex {
	out := make([]Hex, 0, 6)
	for d := N; d <= NW; d++ {
		if n := g.Step(h, d); g.Contains(n) {
			out = append(out, n)
		}
	}
	return out
}

// Cube is the hex in cube coordinates, of which the third is -x-y: the distance of two
// hexes is the greatest difference of the three.
func (g *Grid) Cube(h Hex) (x, y int) {
	c, r := g.Place(h)
	return c, g.half(c) - r - c
}

// half is how many rows lower a column begins, were all hexes of a row in one line of cube coordinates.
func (g *Grid) half(c int) int {
	if g.OddLow {
		return c >> 1 // "odd-q"
	}
	return (c + 1) >> 1 // "even-q"
}

// Distance is the number of hexes from a to b, 0 for the hex itself.
func (g *Grid) Distance(a, b Hex) int {
	ac, ar := g.Place(a)
	bc, br := g.Place(b)
	x, z := ac-bc, g.half(ac)-g.half(bc)-ar+br
	return max(abs(x), abs(z), abs(z-x))
}

// Nearest is, by index, the distance from each hex of the grid to the nearest of some; of
// none it is most.
func (g *Grid) Nearest(some []Hex, most int) []int {
	type cube struct{ x, y int }
	at := make([]cube, len(some))
	for i, h := range some {
		at[i].x, at[i].y = g.Cube(h)
	}
	out := make([]int, g.Len())
	for i := range out {
		x, y := g.Cube(g.At(i))
		out[i] = most
		for _, c := range at {
			out[i] = min(out[i], max(abs(x-c.x), abs(y-c.y), abs(x+y-c.x-c.y)))
		}
	}
	return out
}

// Adjacent tells whether two hexes share a hexside.
func (g *Grid) Adjacent(a, b Hex) bool { return a != b && g.Distance(a, b) == 1 }

// Direction is the direction from a to the adjacent hex b; ok is false if they
// are not adjacent.
func (g *Grid) Direction(a, b Hex) (d Dir, ok bool) {
	for d = N; d <= NW; d++ {
		if g.Step(a, d) == b {
			return d, true
		}
	}
	return 0, false
}

// Within lists the hexes of the map at most n away from h, h among them, in ascending
// order of their numbers.
func (g *Grid) Within(h Hex, n int) []Hex {
	if g.FoldCol > 0 {
		return g.withinFolded(h, n)
	}
	var out []Hex
	for c := max(g.ColMin, h.Col()-n); c <= min(g.ColMax, h.Col()+n); c++ {
		for r := max(g.RowMin, h.Row()-n-1); r <= min(g.RowMax, h.Row()+n+1); r++ {
			if k := New(c, r); g.Distance(h, k) <= n {
				out = append(out, k)
			}
		}
	}
	return out
}

// withinFolded is Within on joined maps.
func (g *Grid) withinFolded(h Hex, n int) []Hex {
	var out []Hex
	col, row := g.Place(h)
	for c := max(1, col-n); c <= col+n; c++ {
		for r := max(0, row-n-1); r <= row+n+1; r++ {
			if k := g.Number(c, r); g.Contains(k) && g.Distance(h, k) <= n {
				out = append(out, k)
			}
		}
	}
	slices.Sort(out)
	return out
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
