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
	g := b.Grid
	var on []hex.Hex
	for _, h := range hexes {
		if h != hex.None && g.Contains(h) {
			on = append(on, h)
		}
	}
	if len(on) == 0 {
		return Frame{}
	}
	f := Frame{on[0].Col(), on[0].Col(), on[0].Row(), on[0].Row()}
	for _, h := range on {
		f.ColMin, f.ColMax = min(f.ColMin, h.Col()), max(f.ColMax, h.Col())
		f.RowMin, f.RowMax = min(f.RowMin, h.Row()), max(f.RowMax, h.Row())
	}
	f = Frame{f.ColMin - 2, f.ColMax + 2, f.RowMin - 2, f.RowMax + 2}
	if f.ColMax-f.ColMin >= closeMaxCols || f.RowMax-f.RowMin >= closeMaxRows {
		f = densest(on)
	}
	f.ColMin, f.ColMax = fit(f.ColMin, f.ColMax, closeMinCols, g.ColMin, g.ColMax)
	f.RowMin, f.RowMax = fit(f.RowMin, f.RowMax, closeMinRows, g.RowMin, g.RowMax)
	return f
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
		hexes = slices.DeleteFunc(slices.Clone(hexes), func(h hex.Hex) bool { return f.holds(h) || !b.Grid.Contains(h) })
	}
	return out
}

// holds tells whether a hex lies in the frame.
func (f Frame) holds(h hex.Hex) bool {
	return h.Col() >= f.ColMin && h.Col() <= f.ColMax && h.Row() >= f.RowMin && h.Row() <= f.RowMax
}

// Holds tells whether the frame shows the whole board.
func (f Frame) Holds(b *board.Board) bool {
	g := b.Grid
	return f.ColMin <= g.ColMin && f.ColMax >= g.ColMax && f.RowMin <= g.RowMin && f.RowMax >= g.RowMax
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
func densest(on []hex.Hex) Frame {
	var best Frame
	most := 0
	for _, c := range on {
		for _, r := range on {
			f := Frame{c.Col() - 2, c.Col() - 3 + closeMaxCols, r.Row() - 2, r.Row() - 3 + closeMaxRows}
			n := 0
			for _, h := range on {
				if h.Col() >= f.ColMin+1 && h.Col() <= f.ColMax-1 && h.Row() >= f.RowMin+1 && h.Row() <= f.RowMax-1 {
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

// fit widens a range to at least n and moves it onto the map.
func fit(lo, hi, n, mapLo, mapHi int) (int, int) {
	for hi-lo+1 < n {
		if hi++; hi-lo+1 < n {
			lo--
		}
	}
	if lo < mapLo {
		lo, hi = mapLo, hi+mapLo-lo
	}
	if hi > mapHi {
		lo, hi = lo-(hi-mapHi), mapHi
	}
	return max(lo, mapLo), min(hi, mapHi)
}
