package chart

import (
	"math"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
)

// Frame is the part of the map that is shown, a rectangle of hexes with both
// ends, in columns and rows on the ground (hex.Grid.Place). The zero Frame is the
// whole map.
type Frame struct {
	ColMin, ColMax int
	RowMin, RowMax int
}

// extent is the frame that holds the whole grid.
func extent(g hex.Grid) Frame {
	var f Frame
	f.ColMin, f.ColMax, f.RowMin, f.RowMax = g.Extent()
	return f
}

// Whole tells whether the frame is the zero one.
func (f Frame) Whole() bool { return f == Frame{} }

// vertex is a corner of hexes in lattice units: a quarter of a hex's width to
// the right, half its height down. Corners that hexes share are equal.
type vertex struct{ X, Y int }

// corners of a hex from its middle, clockwise from the upper left one; the
// hexside in direction d lies between the d-th and the next.
var corners = [6]vertex{{-1, -1}, {1, -1}, {2, 0}, {1, 1}, {-1, 1}, {-2, 0}}

// layout places hexes on the picture. All lattice steps are whole pixels, so
// that equal hexes are painted equally and the PNG compresses well.
type layout struct {
	b      *board.Board
	frame  Frame
	q, h   float64 // a lattice unit in pixels
	origin pt      // of the lattice
	field  box     // the part of the picture that shows map
	w, ht  int     // of the whole picture
	margin float64
	head   float64 // height of the title strip
	whole  bool
	paper  bool      // to be printed
	rivers []written // the names of rivers, set with the base
	signs  Signs     // of the printed map
}

func newLayout(b *board.Board, scale float64, f Frame) *layout {
	g := b.Grid
	whole := f.Whole()
	all := extent(g)
	if whole {
		f = all
	}
	f.ColMin, f.ColMax = max(f.ColMin, all.ColMin), min(f.ColMax, all.ColMax)
	f.RowMin, f.RowMax = max(f.RowMin, all.RowMin), min(f.RowMax, all.RowMax)
	l := &layout{b: b, frame: f, whole: whole}
	l.q = math.Max(3, math.Round(scale/4))
	l.h = math.Max(5, math.Round(scale*math.Sqrt(3)/4))
	// Margins carry letters, not hexes: a close-up needs no larger ones, and its title stands
	// in rows.
	l.margin = math.Round(min(scale*0.75, 36))
	l.head = math.Round(min(max(40, scale*1.25), 64))
	if !whole {
		l.margin, l.head = 12, 30
	}
	cols, rows := float64(f.ColMax-f.ColMin), float64(f.RowMax-f.RowMin)
	x0, y0 := l.margin, l.head+l.margin
	l.origin = pt{x0 + 2*l.q - 3*float64(f.ColMin)*l.q, y0 + l.h - 2*float64(f.RowMin)*l.h}
	x1, y1 := x0+(3*cols+4)*l.q, y0+(2*rows+3)*l.h
	l.field = box{x0, y0, x1, y1}
	l.w, l.ht = int(x1+l.margin), int(y1+l.margin)
	return l
}

// scale is the width of a hex in pixels.
func (l *layout) scale() float64 { return 4 * l.q }

// low tells whether the column sits half a hex lower.
func (l *layout) low(col int) bool { return (col&1 == 1) == l.b.Grid.OddLow }

// middle is the lattice point in the middle of a hex.
func (l *layout) middle(h hex.Hex) vertex {
	col, row := l.b.Grid.Place(h)
	v := vertex{3 * col, 2 * row}
	if l.low(col) {
		v.Y++
	}
	return v
}

// corner is the i-th corner of a hex.
func (l *layout) corner(h hex.Hex, i int) vertex {
	m, c := l.middle(h), corners[i%6]
	return vertex{m.X + c.X, m.Y + c.Y}
}

// at is where a lattice point lies on the picture.
func (l *layout) at(v vertex) pt {
	return pt{l.origin.X + float64(v.X)*l.q, l.origin.Y + float64(v.Y)*l.h}
}

// centre is the middle of a hex on the picture.
func (l *layout) centre(h hex.Hex) pt { return l.at(l.middle(h)) }

// shape is the outline of a hex, k times its size.
func (l *layout) shape(h hex.Hex, k float64) *path {
	c := l.centre(h)
	var ps []pt
	for i := range 6 {
		ps = append(ps, c.mix(l.at(l.corner(h, i)), k))
	}
	return poly(ps...)
}

// side is the two corners of a hexside and the middles of its hexes; ok is false
// for what is no hexside.
func (l *layout) side(e hex.Edge) (a, b vertex, ok bool) {
	d, ok := l.b.Grid.Direction(e.A, e.B)
	if !ok {
		return a, b, false
	}
	return l.corner(e.A, int(d)), l.corner(e.A, int(d)+1), true
}

// shown tells whether a hex of the map lies in the frame.
func (l *layout) shown(h hex.Hex) bool { return l.frame.holds(l.b.Grid, h) && l.b.On(h) }

// near tells whether a hex lies in the frame or beside it, where its rivers,
// roads and woods still show.
func (l *layout) near(h hex.Hex) bool {
	f := l.frame
	return Frame{f.ColMin - 1, f.ColMax + 1, f.RowMin - 1, f.RowMax + 1}.holds(l.b.Grid, h) && l.b.On(h)
}

// hexes lists the hexes of the map in and beside the frame.
func (l *layout) hexes(in func(hex.Hex) bool) []hex.Hex {
	var out []hex.Hex
	for i := range l.b.Grid.Len() {
		if h := l.b.Grid.At(i); in(h) {
			out = append(out, h)
		}
	}
	return out
}

// neighbour is the hex in direction d, also where it is off the map.
func (l *layout) neighbour(h hex.Hex, d int) hex.Hex { return l.b.Grid.Step(h, hex.Dir(d)) }

// hash is a number of a hex that looks like chance and is always the same.
func hash(h hex.Hex, salt int) uint32 {
	x := uint32(h)*2654435761 + uint32(salt)*2246822519
	x ^= x >> 15
	x *= 2246822519
	x ^= x >> 13
	x *= 3266489917
	return x ^ x>>16
}

// chance is hash as a number from 0 to 1.
func chance(h hex.Hex, salt int) float64 { return float64(hash(h, salt)%10000) / 10000 }
