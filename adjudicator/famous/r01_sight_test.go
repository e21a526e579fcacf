package famous

import (
	"math/rand/v2"
	"testing"

	"fieldpost/adjudicator/hex"
)

// plane is the centre of a hex on paper, in units that make a hex the six corners
// (±2, 0) and (±1, ±1) around it.
func plane(h hex.Hex) (x, y int) { return 3 * h.Col(), 2*h.Row() + h.Col()&1 }

// inside tells whether the segment from (ax, ay) to (bx, by) passes through the
// inside of the hex around (cx, cy): it clips the segment at the six sides.
func inside(ax, ay, bx, by, cx, cy int) bool {
	lo, hi := [2]int{0, 1}, [2]int{1, 1} // fractions of the way
	for _, side := range [6][3]int{{0, 1, 1}, {0, -1, 1}, {1, 1, 2}, {1, -1, 2}, {-1, 1, 2}, {-1, -1, 2}} {
		// The inside is where nx*x + ny*y < reach, around the centre.
		at := side[0]*(ax-cx) + side[1]*(ay-cy)
		slope := side[0]*(bx-ax) + side[1]*(by-ay)
		gap := side[2] - at // gap > t*slope
		switch {
		case slope == 0 && gap <= 0:
			return false
		case slope > 0 && gap*hi[1] < hi[0]*slope:
			hi = [2]int{gap, slope}
		case slope < 0 && -gap*lo[1] > lo[0]*-slope:
			lo = [2]int{-gap, -slope}
		}
	}
	return lo[0]*hi[1] < hi[0]*lo[1]
}

// brute draws the line on paper and looks at every hex of the map.
func brute(sc *Scenario, from, to hex.Hex) bool {
	g := sc.Board.Grid
	ax, ay := plane(from)
	bx, by := plane(to)
	for i := range g.Len() {
		h := g.At(i)
		if h == from || h == to || !sc.Board.On(h) || g.Distance(from, h) > g.Distance(from, to) {
			continue
		}
		blocks := false
		for _, k := range sc.Board.Kinds(h) {
			blocks = blocks || sc.Terrain[k].Blocks
		}
		if blocks && sc.Board.Is(from, "peak") && g.Adjacent(from, h) {
			blocks = false
		}
		cx, cy := plane(h)
		if blocks && inside(ax, ay, bx, by, cx, cy) {
			return false
		}
	}
	return true
}

// Lines of sight agree with a drawing on paper, and are mutual where no peak is at
// either end.
func TestSightAgainstPaper(t *testing.T) {
	pairs := 400
	if testing.Short() {
		pairs = 200
	}
	if soak() {
		pairs = 25000 // on each of the four maps
	}
	for _, id := range ids {
		sc := load(t, id)
		g := sc.Board.Grid
		r := rand.New(rand.NewPCG(1, 2))
		seen := 0
		for n := 0; n < pairs; n++ {
			a := g.At(r.IntN(g.Len()))
			near := g.Within(a, sightRange)
			b := near[r.IntN(len(near))]
			i, j := g.Index(a), g.Index(b)
			got := sc.sees(i, j)
			if want := brute(sc, a, b); got != want {
				t.Fatalf("%s: %v to %v: sight %v, on paper %v", id, a, b, got, want)
			}
			if !sc.ground[i].peak && !sc.ground[j].peak && sc.sees(j, i) != got {
				t.Fatalf("%s: %v sees %v: %v, the other way it does not agree", id, a, b, got)
			}
			seen += b2i(got)
		}
		if seen == 0 || seen == pairs {
			t.Errorf("%s: %d of %d pairs see each other: the test compares nothing", id, seen, pairs)
		}
	}
	t.Logf("%d pairs of hexes: sight and paper agree on all", pairs*len(ids))
}
