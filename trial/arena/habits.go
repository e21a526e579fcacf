package arena

import (
	"fmt"
	"io"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// habits are what a good player does less of, counted in the views and sheets of one seat.
type habits struct {
	sheets int
	toFro  int // a unit is back where it stood two turns ago, and was elsewhere between
	corner int // units within two hexes of a corner of the map that were not there before
	single int // attacks by one unit alone
	passed int // own chits that a sheet says nothing to
	cut    int // units out of supply
	lost   int // units lost

	seats map[string]*seat // by side
}

// seat is what is remembered of a side: where its units stood when its last sheets were
// written, and how many it had lost.
type seat struct {
	was [3]map[string]hex.Hex
	end int
}

// add adds what was counted elsewhere.
func (h *habits) add(o habits) {
	h.sheets, h.toFro, h.corner, h.single = h.sheets+o.sheets, h.toFro+o.toFro, h.corner+o.corner, h.single+o.single
	h.passed, h.cut, h.lost = h.passed+o.passed, h.cut+o.cut, h.lost+o.lost
	for _, s := range o.seats {
		h.lost += s.end
	}
}

// look counts the habits of a sheet and of the view that it was written on.
func (h *habits) look(v *view.View, sheet string) {
	if v.Turn < 1 {
		return
	}
	if h.seats == nil {
		h.seats = map[string]*seat{}
	}
	if h.seats[v.Side] == nil {
		h.seats[v.Side] = &seat{}
	}
	s := h.seats[v.Side]
	h.sheets++
	now := map[string]hex.Hex{}
	for _, u := range v.Units {
		now[u.ID] = u.Hex
		if u.OutOfSupply > 0 {
			h.cut++
		}
		if s.was[0] == nil || u.Hex == hex.None {
			continue
		}
		last, known := s.was[0][u.ID]
		if known && cornered(v, u.Hex) && !cornered(v, last) {
			h.corner++
		}
		if before, ok := s.was[1][u.ID]; ok && known && before == u.Hex && last != u.Hex {
			h.toFro++
		}
	}
	s.was = [3]map[string]hex.Hex{now, s.was[0], s.was[1]}
	s.end = len(v.Lost)
	h.orders(v, sheet)
}

// cornered tells whether a hex lies in a corner of the map.
func cornered(v *view.View, h hex.Hex) bool {
	g := v.Board.Grid
	col := min(h.Col()-g.ColMin, g.ColMax-h.Col())
	row := min(h.Row()-g.RowMin, g.RowMax-h.Row())
	return max(col, row) <= 2
}

// orders counts what the sheet itself shows.
func (h *habits) orders(v *view.View, sheet string) {
	chits := map[string]bool{}
	for _, l := range strings.Split(sheet, "\n") {
		if name, ok := strings.CutPrefix(l, "CHIT "); ok {
			name, _, _ = strings.Cut(name, " MOVE THEN ATTACK")
			chits[strings.ToUpper(name)] = true
		}
		_, with, found := strings.Cut(l, " WITH ")
		attack := found && (strings.Contains(l, "ATTACK ") || strings.HasPrefix(l, "    "))
		if with, _, _ = strings.Cut(with, ";"); attack && !strings.Contains(with, ",") {
			h.single++
		}
	}
	if v.Chits == nil {
		return
	}
	for _, g := range v.Chits.Groups {
		for _, own := range g.Own {
			if !chits[strings.ToUpper(own)] {
				h.passed++
			}
		}
	}
}

// habitsTable prints what was counted, for a hundred sheets.
func habitsTable(out io.Writer, o Options, of [2]habits) {
	fmt.Fprintf(out, "\n| for 100 sheets | %s | %s against itself |\n| --- | --- | --- |\n", o.A, o.B)
	row := func(what string, n func(h habits) int) {
		each := func(h habits) float64 { return 100 * float64(n(h)) / float64(max(1, h.sheets)) }
		fmt.Fprintf(out, "| %s | %.1f | %.1f |\n", what, each(of[0]), each(of[1]))
	}
	row("units back where they were two turns ago", func(h habits) int { return h.toFro })
	row("units gone into a corner of the map", func(h habits) int { return h.corner })
	row("attacks ordered by one unit alone", func(h habits) int { return h.single })
	row("own chits without a programme", func(h habits) int { return h.passed })
	row("units out of supply", func(h habits) int { return h.cut })
	row("units lost", func(h habits) int { return h.lost })
}
