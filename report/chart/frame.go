package chart

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// The size of a close-up in hexes, where the map is no smaller: as wide as a telephone.
const closeCols, closeRows = 7, 7

// CloseUp chooses a frame around the hexes of events: all of them with a border
// if they lie together, otherwise the window that holds the most. Without hexes
// it is the zero Frame, the whole map.
func CloseUp(b *board.Board, hexes []hex.Hex) Frame {
	return window{closeCols, closeRows}.around(b, hexes)
}

// Glimpse chooses a frame as CloseUp does, for one thing that happened: a low one.
func Glimpse(b *board.Board, hexes []hex.Hex) Frame {
	return window{leastCols, leastRows}.around(b, hexes)
}

// window is the size of a frame in columns and rows, where the map is no smaller.
type window struct{ cols, rows int }

// around chooses the frame of this size around hexes.
func (w window) around(b *board.Board, hexes []hex.Hex) Frame {
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
	if f.ColMax-f.ColMin >= w.cols || f.RowMax-f.RowMin >= w.rows {
		f = w.densest(g, on)
	}
	cols := span{f.ColMin, f.ColMax}.fit(w.cols, span{all.ColMin, all.ColMax}).onRaster(all.ColMin)
	rows := span{f.RowMin, f.RowMax}.fit(w.rows, span{all.RowMin, all.RowMax}).onRaster(all.RowMin)
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

// aroundHexes is how far a part of the map reaches from the hex or place that it is named by.
const aroundHexes = 4

// ParseFrame reads a part of a map: two opposite corners ("1800-2806"), or a hex or place
// ("2306", "Zmijew") and what lies around it; in "AROUND 2306 5" up to five hexes away.
func ParseFrame(b *board.Board, text string) (Frame, error) {
	if first, second, ok := strings.Cut(text, "-"); ok && isHex(first) && isHex(second) {
		return between(b, first, second)
	}
	words := strings.Fields(text)
	reach := aroundHexes
	if len(words) > 1 && strings.EqualFold(words[0], "AROUND") {
		words = words[1:]
		if n, err := strconv.Atoi(words[len(words)-1]); err == nil && len(words) > 1 && n >= 1 && n < 100 {
			words, reach = words[:len(words)-1], n
		}
	}
	var list []orders.Word
	for _, w := range words {
		list = append(list, orders.Word{Text: w})
	}
	r := phrase.New(list)
	hexes, wrong := phrase.Area(b, &r)
	if wrong == nil && !r.End() {
		wrong = &rule.Violation{Why: fmt.Sprintf("%q is too much", phrase.Join(r.Words))}
	}
	if wrong != nil {
		return Frame{}, fmt.Errorf("%w (a part of the map is two corners as in 1800-2806, a hex, a place, or AROUND one of them and how far)", wrong)
	}
	f := around(b.Grid, hexes[0])
	for _, h := range hexes {
		o := around(b.Grid, h)
		f = Frame{min(f.ColMin, o.ColMin), max(f.ColMax, o.ColMax), min(f.RowMin, o.RowMin), max(f.RowMax, o.RowMax)}
	}
	return Frame{f.ColMin - reach, f.ColMax + reach, f.RowMin - reach, f.RowMax + reach}.onto(b), nil
}

func isHex(text string) bool {
	_, err := hex.Parse(text)
	return err == nil
}

// between is the frame between two corners.
func between(b *board.Board, first, second string) (Frame, error) {
	var f [2]Frame
	for i, text := range []string{first, second} {
		h, err := hex.Parse(text)
		if err != nil {
			return Frame{}, err
		}
		if !b.Grid.Contains(h) {
			all := extent(b.Grid)
			return Frame{}, fmt.Errorf("%v is not on the map, which goes from %v to %v", h, b.Grid.Number(all.ColMin, all.RowMin), b.Grid.Number(all.ColMax, all.RowMax))
		}
		f[i] = around(b.Grid, h)
	}
	return Frame{min(f[0].ColMin, f[1].ColMin), max(f[0].ColMax, f[1].ColMax), min(f[0].RowMin, f[1].RowMin), max(f[0].RowMax, f[1].RowMax)}.onto(b), nil
}

// The least part of a map that is drawn, for less has no room for its title.
const leastCols, leastRows = 7, 5

// onto widens a frame to the least part of a map, and leaves away what is off the board.
func (f Frame) onto(b *board.Board) Frame {
	all := extent(b.Grid)
	cols := span{f.ColMin, f.ColMax}.fit(leastCols, span{all.ColMin, all.ColMax})
	rows := span{f.RowMin, f.RowMax}.fit(leastRows, span{all.RowMin, all.RowMax})
	return Frame{cols.lo, cols.hi, rows.lo, rows.hi}
}

// The most hexes of a sheet of a part of the map.
const sheetCols, sheetRows = 10, 16

// Sheets parts a frame into close-ups of one size, from the upper left to the lower right.
func (f Frame) Sheets() []Frame {
	cols, rows := f.ColMax-f.ColMin+1, f.RowMax-f.RowMin+1
	across, down := (cols+sheetCols-1)/sheetCols, (rows+sheetRows-1)/sheetRows
	var out []Frame
	for r := range down {
		for c := range across {
			out = append(out, Frame{f.ColMin + cols*c/across, f.ColMin + cols*(c+1)/across - 1, f.RowMin + rows*r/down, f.RowMin + rows*(r+1)/down - 1})
		}
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

// Shows tells whether a hex of a board lies in the frame.
func (f Frame) Shows(b *board.Board, h hex.Hex) bool { return f.holds(b.Grid, h) }

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
func (w window) densest(g hex.Grid, on []hex.Hex) Frame {
	var best Frame
	most := 0
	for _, c := range on {
		for _, r := range on {
			col, row := around(g, c).ColMin, around(g, r).RowMin
			f := Frame{col - 2, col - 3 + w.cols, row - 2, row - 3 + w.rows}
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

// onRaster moves a range by one so that it begins an even number after the map does: then
// the same parts of a map come again, and what is drawn of the board is kept.
func (s span) onRaster(first int) span {
	if (s.lo-first)%2 != 0 {
		return span{s.lo - 1, s.hi - 1}
	}
	return s
}

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
