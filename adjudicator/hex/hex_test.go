package hex

import "testing"

var grids = []Grid{
	{ColMin: 1, ColMax: 64, RowMin: 0, RowMax: 36, OddLow: true},
	{ColMin: 1, ColMax: 31, RowMin: 0, RowMax: 27, OddLow: false},
}

func TestNumbersReadWithAndWithoutLeadingZero(t *testing.T) {
	for in, want := range map[string]Hex{"304": 304, "0304": 304, "6436": 6436, "100": 100} {
		if h, err := Parse(in); err != nil || h != want {
			t.Errorf("%q reads as %v, %v; want %v", in, h, err, want)
		}
	}
	for _, in := range []string{"", "12", "12345", "12a4", "0004", "-304", "+304"} {
		if h, err := Parse(in); err == nil {
			t.Errorf("%q was read as hex %v", in, h)
		}
	}
	if e, err := ParseEdge("2204-2104"); err != nil || e.String() != "2104/2204" {
		t.Errorf("2204-2104 reads as %v, %v", e, err)
	}
}

// The rulebook's bridge between 2104 and 2204 and the neighbours that the WB-95
// supply example implies.
func TestNeighboursOfTheRulebook(t *testing.T) {
	g := grids[0]
	for _, p := range [][2]Hex{{2104, 2204}, {1602, 1603}, {1902, 1903}, {4303, 4404}, {3132, 3233}} {
		if !g.Adjacent(p[0], p[1]) {
			t.Errorf("%v and %v should be adjacent", p[0], p[1])
		}
	}
	if g.Adjacent(2104, 2203) {
		t.Error("2104 lies in a low column: its right neighbours are 2204 and 2205, not 2203")
	}
}

func TestEveryHexOfEveryGrid(t *testing.T) {
	for _, g := range grids {
		for _, h := range []Hex{None, New(g.ColMin-1, g.RowMin), New(g.ColMin, g.RowMin-1), New(g.ColMax+1, g.RowMax), New(g.ColMax, g.RowMax+1)} {
			if at, ok := g.Find(h); ok || g.Contains(h) {
				t.Fatalf("%v lies off the map and is found at %d", h, at)
			}
		}
		for i := range g.Len() {
			h := g.At(i)
			folded := g.FoldCol > 0 && h.Col() <= g.FoldCol && h.Row() >= g.FoldRow
			if at, ok := g.Find(h); ok == folded || ok && at != i || g.Contains(h) == folded {
				t.Fatalf("%v is found at %d, %v; it has index %d, folded away: %v", h, at, ok, i, folded)
			}
			if g.Index(h) != i {
				t.Fatalf("%v has index %d, not %d", h, g.Index(h), i)
			}
			for d := N; d <= NW; d++ {
				n := g.Step(h, d)
				if !g.Contains(n) {
					continue
				}
				if g.Step(n, d.Opposite()) != h {
					t.Fatalf("from %v one step %d and back ends in %v", h, d, g.Step(n, d.Opposite()))
				}
				if g.Distance(h, n) != 1 || g.Distance(n, h) != 1 {
					t.Fatalf("%v and %v are neighbours at distance %d", h, n, g.Distance(h, n))
				}
				if back, ok := g.Direction(h, n); !ok || back != d {
					t.Fatalf("direction from %v to %v is %d, not %d", h, n, back, d)
				}
			}
		}
	}
}

// Distance must be what a walk over neighbours finds.
func TestDistanceIsTheShortestWalk(t *testing.T) {
	for _, g := range grids {
		for _, from := range []Hex{g.At(0), g.At(g.Len() / 2), g.At(g.Len() - 1)} {
			dist := map[Hex]int{from: 0}
			for q := []Hex{from}; len(q) > 0; q = q[1:] {
				for _, n := range g.Neighbours(q[0]) {
					if _, seen := dist[n]; !seen {
						dist[n] = dist[q[0]] + 1
						q = append(q, n)
					}
				}
			}
			for i := range g.Len() {
				if h := g.At(i); g.Distance(from, h) != dist[h] {
					t.Fatalf("distance %v to %v is %d, the walk takes %d", from, h, g.Distance(from, h), dist[h])
				}
			}
			if n := len(g.Within(from, 3)); n < 10 || n > 37 {
				t.Errorf("%d hexes within 3 of %v", n, from)
			}
		}
	}
}

// Two maps on one grid, the second below the first: what is true of one map of the
// same ground is true of them.
func TestJoinedMapsAreOneGround(t *testing.T) {
	g := Grid{ColMin: 1, ColMax: 63, RowMin: 0, RowMax: 36, OddLow: true, FoldCol: 32, FoldRow: 28}
	one := Grid{ColMin: 1, ColMax: 31, RowMin: 0, RowMax: 64, OddLow: true}
	on := func(h Hex) Hex { // the same hex of the one map
		if h.Col() > 32 {
			return New(h.Col()-32, h.Row()+28)
		}
		return h
	}
	for _, p := range [][2]Hex{{1027, 4200}, {1127, 4300}, {1127, 4200}, {1127, 4400}} {
		if !g.Adjacent(p[0], p[1]) {
			t.Errorf("%v and %v should be adjacent", p[0], p[1])
		}
	}
	if g.Contains(128) || g.Contains(3128) || !g.Contains(3300) {
		t.Error("the northern map ends with row 27")
	}
	if c0, c1, r0, r1 := g.Extent(); c0 != 1 || c1 != 31 || r0 != 0 || r1 != 64 {
		t.Errorf("the ground runs from column %d to %d and from row %d to %d", c0, c1, r0, r1)
	}
	for i := range g.Len() {
		h := g.At(i)
		if !g.Contains(h) || h.Col() == 32 {
			continue
		}
		for d := N; d <= NW; d++ {
			n := g.Step(h, d)
			in := g.Contains(n) && n.Col() != 32
			if m := one.Step(on(h), d); one.Contains(m) != in || in && on(n) != m {
				t.Fatalf("from %v one step %d ends in %v, on one map in %v", h, d, n, m)
			}
			if in && (g.Distance(h, n) != 1 || g.Step(n, d.Opposite()) != h) {
				t.Fatalf("%v and %v are no good neighbours", h, n)
			}
		}
	}
	if got, want := len(g.Within(1126, 3)), len(one.Within(1126, 3)); got != want {
		t.Errorf("%d hexes within 3 of 1126, want %d", got, want)
	}
	if g.Border(3300, "top") || !g.Border(100, "top") || !g.Border(3105, "right") || !g.Border(6336, "right") || !g.Border(3305, "left") || g.Border(127, "bottom") {
		t.Error("the edges are those of the joined ground")
	}
}

// The nearest hex is as far as the least of the distances.
func TestNearest(t *testing.T) {
	g := Grid{ColMin: 1, ColMax: 20, RowMin: 1, RowMax: 20}
	others := []Hex{305, 1812, 1101}
	near := g.Nearest(others, 99)
	for i := range g.Len() {
		from, want := g.At(i), 99
		for _, h := range others {
			want = min(want, g.Distance(from, h))
		}
		if got := near[i]; got != want {
			t.Errorf("from %s it is %d, want %d", from, got, want)
		}
	}
	if got := g.Nearest(nil, 99)[g.Index(505)]; got != 99 {
		t.Errorf("of none it is %d", got)
	}
}
