package chart

import (
	"slices"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
)

// The least and the greatest close-up in hexes.
const (
	closeMinCols, closeMinRows = 13, 9
	closeMaxCols, closeMaxRows = 20, 14
)

// CloseUp chooses a frame around the hexes of events: all of them with a border
// if they lie together, otherwise the window that holds the most. Without hexes
// it is the zero Frame, the whole map.
func CloseUp(b *board.Board, hexes []hex.Hex) Frame {
	g, all := b.Grid, extent(b.Grid)
	var on []hex.Hex
	for _, h := range hexes {
		if h != hex.None && g.Contains(h) {
			on = append(on, h)
		}
	}
	if len(on) == 0 {
		return Frame{}
	}
	f := around(g, on[0])
	for _, h := range on {
		col, row := g.Place(h)
		f.ColMin, f.ColMax = min(f.ColMin, col), max(f.ColMax, col)
		f.RowMin, f.RowMax = min(f.RowMin, row), max(f.RowMax, row)
	}
	f = Frame{f.ColMin - 2, f.ColMax + 2, f.RowMin - 2, f.RowMax + 2}
	if f.ColMax-f.ColMin >= closeMaxCols || f.RowMax-f.RowMin >= closeMaxRows {
		f = densest(g, on)
	}
	cols := span{f.ColMin, f.ColMax}.fit(closeMinCols, span{all.ColMin, all.ColMax})
	rows := span{f.RowMin, f.RowMax}.fit(closeMinRows, span{all.RowMin, all.RowMax})
	return Frame{cols.lo, cols.hi, rows.lo, rows.hi}
}

// CloseUps chooses up to n frames for the hexes of events: the first as CloseUp
// does, the next for what the ones before it leave out.
func CloseUps(b *board.Board, hexes []hex.Hex, n int) []Frame {
	var out []Frame
	for len(out) < n {
		f := CloseUp(b, hexes)
		if f.Whole() {
			break
		}
		out = append(out, f)
		done := func(h hex.Hex) bool { return f.holds(b.Grid, h) || !b.Grid.Contains(h) }
		hexes = slices.DeleteFunc(slices.Clone(hexes), done)
	}
	return out
}

// around is the frame of one hex.
func around(g hex.Grid, h hex.Hex) Frame {
	col, row := g.Place(h)
	return Frame{col, col, row, row}
}

// holds tells whether a hex lies in the frame.
func (f Frame) holds(g hex.Grid, h hex.Hex) bool {
	col, row := g.Place(h)
	return col >= f.ColMin && col <= f.ColMax && row >= f.RowMin && row <= f.RowMax
}

// Holds tells whether the frame shows the whole board.
func (f Frame) Holds(b *board.Board) bool {
	all := extent(b.Grid)
	return f.ColMin <= all.ColMin && f.ColMax >= all.ColMax && f.RowMin <= all.RowMin && f.RowMax >= all.RowMax
}

// FitScale is the greatest scale, up to the usual one, at which the whole map is
// at most so many pixels wide.
func FitScale(b *board.Board, width int) float64 {
	for s := float64(DefaultScale); s > 12; s -= 4 {
		if newLayout(b, s, Frame{}).w <= width {
			return s
		}
	}
	return 12
}

// densest is the greatest window with the most of the hexes in it; the first of
// equals, in the order of the events, wins.
func densest(g hex.Grid, on []hex.Hex) Frame {
	var best Frame
	most := 0
	for _, c := range on {
		for _, r := range on {
			col, row := around(g, c).ColMin, around(g, r).RowMin
			f := Frame{col - 2, col - 3 + closeMaxCols, row - 2, row - 3 + closeMaxRows}
			inner := Frame{f.ColMin + 1, f.ColMax - 1, f.RowMin + 1, f.RowMax - 1}
			n := 0
			for _, h := range on {
				if inner.holds(g, h) {
					n++
				}
			}
			if n > most {
				best, most = f, n
			}
		}
	}
	return best
}

// span is a range of columns or rows, both ends included.
type span struct{ lo, hi int }

// fit widens a range to at least n and moves it onto the map.
func (s span) fit(n int, onto span) span {
	for s.hi-s.lo+1 < n {
		if s.hi++; s.hi-s.lo+1 < n {
			s.lo--
		}
	}
	if s.lo < onto.lo {
		s.lo, s.hi = onto.lo, s.hi+onto.lo-s.lo
	}
	if s.hi > onto.hi {
		s.lo, s.hi = s.lo-(s.hi-onto.hi), onto.hi
	}
	return span{max(s.lo, onto.lo), min(s.hi, onto.hi)}
}
