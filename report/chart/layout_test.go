package chart

import (
	"math"
	"slices"
	"testing"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// plainBoard is a map of clear hexes; fill may add to it.
func plainBoard(t testing.TB, g hex.Grid, fill func(b *board.Board)) *board.Board {
	t.Helper()
	b := &board.Board{ID: "plain", Title: "Plain", Grid: g, Legend: []board.Terrain{{Code: ".", Kinds: []string{"clear"}}},
		Compass: board.Compass{North: "top", East: "right", South: "bottom", West: "left"}}
	for range g.RowMax - g.RowMin + 1 {
		b.Rows = append(b.Rows, string(slices.Repeat([]byte("."), g.ColMax-g.ColMin+1)))
	}
	if fill != nil {
		fill(b)
	}
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	return b
}

// layouts are maps of several kinds, at several scales and in several frames.
func layouts(t *testing.T) map[string]*layout {
	even := plainBoard(t, hex.Grid{ColMin: 1, ColMax: 9, RowMin: 0, RowMax: 7}, nil)
	odd := plainBoard(t, hex.Grid{ColMin: 2, ColMax: 9, RowMin: 1, RowMax: 7, OddLow: true}, nil)
	return map[string]*layout{
		"even":          newLayout(even, 44, Frame{}),
		"odd":           newLayout(odd, 44, Frame{}),
		"large":         newLayout(odd, 120, Frame{}),
		"tiny":          newLayout(even, 1, Frame{}),
		"a frame":       newLayout(even, 60, Frame{3, 6, 2, 5}),
		"a great frame": newLayout(odd, 60, Frame{-4, 60, -3, 50}),
	}
}

func TestHexesAndTheirNeighboursShareAnEdge(t *testing.T) {
	for name, l := range layouts(t) {
		for _, h := range l.hexes(l.b.On) {
			for d := range 6 {
				n := l.neighbour(h, d)
				if !l.b.On(n) {
					continue
				}
				if l.corner(h, d) != l.corner(n, d+4) || l.corner(h, d+1) != l.corner(n, d+3) {
					t.Errorf("%s: %v and %v do not share the side %d", name, h, n, d)
				}
				a, b, ok := l.side(hex.Between(h, n))
				if ends := [2]vertex{a, b}; !ok || ends != [2]vertex{l.corner(h, d), l.corner(h, d+1)} && ends != [2]vertex{l.corner(h, d+1), l.corner(h, d)} {
					t.Errorf("%s: the side of %v and %v runs from %v to %v", name, h, n, a, b)
				}
			}
		}
	}
}

// The middle of a hex is nearer to it than to any other, and so are points close to it.
func TestEveryPointLiesInItsHex(t *testing.T) {
	for name, l := range layouts(t) {
		all := l.hexes(l.b.On)
		for _, h := range all {
			for d := range 6 {
				p := l.centre(h).mix(l.at(l.corner(h, d)), 0.8)
				nearest, best := hex.None, math.Inf(1)
				for _, o := range all {
					if away := l.centre(o).sub(p).len(); away < best {
						nearest, best = o, away
					}
				}
				if nearest != h {
					t.Errorf("%s: a point of %v lies in %v", name, h, nearest)
				}
			}
		}
	}
}

// Hexes are as wide as the scale, regular within half a pixel, and begin and end with the field.
func TestSizeOfHexes(t *testing.T) {
	for name, l := range layouts(t) {
		h := l.hexes(l.shown)[0]
		if w := l.at(l.corner(h, 2)).X - l.at(l.corner(h, 5)).X; w != l.scale() {
			t.Errorf("%s: a hex is %v wide at the scale %v", name, w, l.scale())
		}
		if name != "tiny" && math.Abs(l.h*2-l.scale()*math.Sqrt(3)/2) > 1 {
			t.Errorf("%s: a hex is %v high", name, l.h*2)
		}
		var all box
		for i, h := range l.hexes(l.shown) {
			b := l.shape(h, 1).bounds()
			if all = all.join(b); i == 0 {
				all = b
			}
			if b.X0 < l.field.X0 || b.X1 > l.field.X1 || b.Y0 < l.field.Y0 || b.Y1 > l.field.Y1 {
				t.Errorf("%s: %v stands out of the field", name, h)
			}
		}
		if all != l.field {
			t.Errorf("%s: the hexes fill %v of %v", name, all, l.field)
		}
		if l.field.X1+l.margin != float64(l.w) || l.field.Y1+l.margin != float64(l.ht) || l.field.Y0 != l.head+l.margin {
			t.Errorf("%s: the field %v in %d x %d", name, l.field, l.w, l.ht)
		}
	}
}

func TestFramesOfALayout(t *testing.T) {
	all := layouts(t)
	if l := all["a frame"]; l.frame != (Frame{3, 6, 2, 5}) || !l.shown(302) || l.shown(202) || !l.near(202) || l.near(102) || !l.near(605) {
		t.Errorf("%+v", l.frame)
	}
	if l := all["a great frame"]; l.frame != (Frame{2, 9, 1, 7}) {
		t.Errorf("%+v", l.frame)
	}
	if l := all["even"]; l.frame != (Frame{1, 9, 0, 7}) {
		t.Errorf("%+v", l.frame)
	}
	if _, _, ok := all["even"].side(hex.Edge{A: 101, B: 303}); ok {
		t.Error("what is not a hexside has corners")
	}
}

// Two maps joined on one grid lie where their printed ones meet.
func TestJoinedMapsLieBelowEachOther(t *testing.T) {
	g := hex.Grid{ColMin: 1, ColMax: 8, RowMin: 1, RowMax: 4, FoldCol: 4, FoldRow: 4}
	l := newLayout(plainBoard(t, g, nil), 40, Frame{})
	for _, h := range l.hexes(l.b.On) {
		col, row := g.Place(h)
		if m := l.middle(h); m.X != 3*col || m.Y/2 != row {
			t.Errorf("%v lies at %v", h, m)
		}
	}
	if l.centre(501).X != l.centre(101).X || l.centre(501).Y <= l.centre(104).Y {
		t.Errorf("0501 lies at %v, 0101 at %v", l.centre(501), l.centre(101))
	}
}

func TestOutlinesOfSets(t *testing.T) {
	l := newLayout(plainBoard(t, hex.Grid{ColMin: 1, ColMax: 7, RowMin: 1, RowMax: 7}, nil), 40, Frame{})
	set := func(hs ...hex.Hex) map[hex.Hex]bool {
		out := map[hex.Hex]bool{}
		for _, h := range hs {
			out[h] = true
		}
		return out
	}
	ring := set(l.b.Grid.Neighbours(404)...)
	for name, c := range map[string]struct {
		set     map[hex.Hex]bool
		corners []int
	}{
		"nothing": {set(), nil}, "one": {set(404), []int{6}}, "two": {set(404, 405), []int{10}},
		"two apart": {set(202, 606), []int{6, 6}}, "a ring": {ring, []int{18, 6}},
	} {
		var got []int
		for _, loop := range l.loops(c.set) {
			got = append(got, len(loop))
		}
		slices.SortFunc(got, func(a, b int) int { return b - a })
		if !slices.Equal(got, c.corners) {
			t.Errorf("%s: loops of %v corners", name, got)
		}
	}
	for _, loop := range l.loops(ring) {
		clockwise := turning(l.points(loop)) > 0
		if outside := len(loop) == 18; clockwise != outside {
			t.Errorf("a loop of %d corners turns clockwise: %v", len(loop), clockwise)
		}
		if soft := l.soft(loop, 0); len(soft.p) != 2*len(loop)+1 {
			t.Errorf("the soft outline has %d points", len(soft.p))
		}
	}
	if a, b := shapeOf(l.area(ring, 0.2)), shapeOf(l.area(ring, 0.2)); a != b || a == shapeOf(l.area(ring, 0)) {
		t.Error("the outline of a wood is not the same each time, or as drawn with a ruler")
	}
}

func TestChainsOfLines(t *testing.T) {
	v := func(x int) vertex { return vertex{x, 0} }
	line := func(a, b int) [2]vertex { return [2]vertex{v(a), v(b)} }
	for name, c := range map[string]struct {
		in   [][2]vertex
		want [][]int
	}{
		"nothing":    {nil, nil},
		"one":        {[][2]vertex{line(1, 2)}, [][]int{{1, 2}}},
		"mixed up":   {[][2]vertex{line(3, 2), line(4, 3), line(1, 2)}, [][]int{{4, 3, 2, 1}}},
		"a junction": {[][2]vertex{line(1, 2), line(2, 3), line(2, 4)}, [][]int{{1, 2}, {2, 3}, {2, 4}}},
		"a ring":     {[][2]vertex{line(1, 2), line(2, 3), line(3, 1)}, [][]int{{1, 2, 3, 1}}},
		"two":        {[][2]vertex{line(1, 2), line(7, 8), line(2, 3)}, [][]int{{1, 2, 3}, {7, 8}}},
	} {
		var got [][]int
		for _, ch := range chains(c.in) {
			var xs []int
			for _, p := range ch {
				xs = append(xs, p.X)
			}
			got = append(got, xs)
		}
		if !slices.EqualFunc(got, c.want, slices.Equal) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestChanceOfAHexIsAlwaysTheSame(t *testing.T) {
	if got := []uint32{hash(2306, 1), hash(2306, 2), hash(101, 1)}; !slices.Equal(got, []uint32{1586630930, 3510647258, 3507247014}) {
		t.Errorf("hexes have other numbers than on the maps that were mailed: %v", got)
	}
	sum, seen := 0.0, map[float64]bool{}
	for i := range 1000 {
		c := chance(hex.Hex(i), 7)
		if c < 0 || c >= 1 {
			t.Fatalf("%v", c)
		}
		sum += c
		seen[c] = true
	}
	if sum < 450 || sum > 550 || len(seen) < 900 {
		t.Errorf("the mean is %.3f of %d numbers", sum/1000, len(seen))
	}
}

func TestCloseUpsShowWhatTheOnesBeforeLeaveOut(t *testing.T) {
	b := bigBoard(t)
	events := []hex.Hex{505, 506, 607, 5530, 5531, 9999, hex.None}
	frames := CloseUps(b, events, 3)
	if len(frames) != 2 {
		t.Fatalf("%+v", frames)
	}
	for _, h := range []hex.Hex{505, 506, 607} {
		if !frames[0].holds(b.Grid, h) {
			t.Errorf("%v is not in %+v", h, frames[0])
		}
	}
	if !frames[1].holds(b.Grid, 5530) || !frames[1].holds(b.Grid, 5531) {
		t.Errorf("%+v", frames[1])
	}
	if got := CloseUps(b, events, 1); len(got) != 1 || got[0] != frames[0] {
		t.Errorf("%+v", got)
	}
	if events[0] != 505 || len(events) != 7 {
		t.Errorf("the events are now %v", events)
	}
	if CloseUps(b, nil, 3) != nil {
		t.Error("nothing happened, and it is shown")
	}
}

func TestFittingARange(t *testing.T) {
	for _, c := range [][7]int{ // from, to, at least, of the map; from, to
		{10, 12, 3, 1, 60, 10, 12}, {10, 10, 3, 1, 60, 9, 11}, {10, 10, 4, 1, 60, 9, 12}, {1, 1, 5, 1, 60, 1, 5},
		{60, 60, 5, 1, 60, 56, 60}, {2, 3, 9, 1, 4, 1, 4}, {-1, 3, 2, 1, 60, 1, 5},
	} {
		if got := (span{c[0], c[1]}).fit(c[2], span{c[3], c[4]}); got != (span{c[5], c[6]}) {
			t.Errorf("%v: %+v", c, got)
		}
	}
}

func TestDensestWindow(t *testing.T) {
	g := hex.Grid{ColMin: 1, ColMax: 64, RowMin: 0, RowMax: 36}
	w := window{closeCols, closeRows}
	f := w.densest(g, []hex.Hex{101, 3010, 3111, 3212, 6030})
	for _, h := range []hex.Hex{3010, 3111, 3212} {
		if !f.holds(g, h) {
			t.Errorf("%v is not in %+v", h, f)
		}
	}
	if f.ColMax-f.ColMin+1 != closeCols || f.RowMax-f.RowMin+1 != closeRows {
		t.Errorf("the window is %+v", f)
	}
	if f := w.densest(g, []hex.Hex{101, 6030}); !f.holds(g, 101) {
		t.Errorf("of equals the first is not shown but %+v", f)
	}
}

func TestScalesThatFit(t *testing.T) {
	b := bigBoard(t)
	for _, width := range []int{600, 1000, 1600, 2600, 9000} {
		s := FitScale(b, width)
		w := newLayout(b, s, Frame{}).w
		if w > width && s > 12 {
			t.Errorf("%d pixels: a scale of %v needs %d", width, s, w)
		}
		if next := newLayout(b, s+4, Frame{}).w; s < DefaultScale && next <= width {
			t.Errorf("%d pixels: a scale of %v is less than could be", width, s)
		}
	}
	if s := FitScale(b, 10); s != 12 {
		t.Errorf("the least scale is %v", s)
	}
}

func TestFramesOfTheWholeBoard(t *testing.T) {
	b := plainBoard(t, hex.Grid{ColMin: 1, ColMax: 9, RowMin: 0, RowMax: 7}, nil)
	for f, want := range map[Frame]bool{{1, 9, 0, 7}: true, {0, 20, -5, 7}: true, {2, 9, 0, 7}: false, {1, 8, 0, 7}: false, {1, 9, 1, 7}: false, {1, 9, 0, 6}: false} {
		if f.Holds(b) != want {
			t.Errorf("%+v holds the board: %v", f, !want)
		}
	}
	if !(Frame{}).Whole() || (Frame{1, 9, 0, 7}).Whole() {
		t.Error("only the zero frame is the whole map")
	}
}

// frontOf draws a map of control and is the drawing.
func frontOf(t *testing.T, control ...string) *drawing {
	t.Helper()
	b := plainBoard(t, hex.Grid{ColMin: 1, ColMax: len(control[0]), RowMin: 1, RowMax: len(control)}, nil)
	v := &view.View{Board: b, Side: "GERMAN", Mover: "SOVIET", Control: control}
	d := &drawing{layout: newLayout(b, 40, Frame{}), c: &canvas{}, v: v}
	d.drawFront()
	return d
}

// No front runs around ground that a side has left amid the other's: it is hatched, until a
// unit stands on it.
func TestNoFrontAroundWhatWasLeft(t *testing.T) {
	control := []string{"GGGGSS", "GSGGSS", "GGGGSS", "GGGGSS"}
	b := plainBoard(t, hex.Grid{ColMin: 1, ColMax: 6, RowMin: 1, RowMax: 4}, nil)
	for name, c := range map[string]struct {
		enemy []view.Stack
		lines int
		left  bool
	}{
		"left": {nil, 2, true},
		"held": {[]view.Stack{{Hex: 202, Side: "SOVIET"}}, 4, false},
	} {
		d := &drawing{layout: newLayout(b, 40, Frame{}), c: &canvas{}, v: &view.View{Board: b, Side: "GERMAN", Mover: "SOVIET", Control: control, Enemy: c.enemy}}
		d.drawFront()
		lines := 0
		for _, o := range opsOf(d.c.ops, "front") {
			if o.kind == opStroke {
				lines++
			}
		}
		if lines != c.lines || d.signs["enemy left"] != c.left || (opsOf(d.c.ops, "left-s") != nil) != c.left {
			t.Errorf("%s: %d lines, %v", name, lines, d.signs)
		}
	}
}

func TestFrontLiesBetweenTheSides(t *testing.T) {
	for name, c := range map[string]struct {
		control []string
		lines   int
	}{
		"two halves":              {[]string{"GGSS", "GGSS", "GGSS"}, 2},
		"one side":                {[]string{"GGGG", "GGGG", "GGGG"}, 0},
		"nobody":                  {[]string{"....", "    ", "...."}, 0},
		"a pocket":                {[]string{"GGGGG", "GGGGG", "GGSGG", "GGGGG", "GGGGG"}, 2},
		"no man's land":           {[]string{"G.S.", "G.S.", "G.S."}, 2},
		"too wide for a front":    {[]string{"G...S", "G...S", "G...S"}, 0},
		"a side that is not told": {[]string{"GGXX", "GGXX"}, 2},
	} {
		d := frontOf(t, c.control...)
		n := 0
		for _, o := range d.c.ops {
			if o.kind == opStroke {
				n++
			}
		}
		if n != c.lines {
			t.Errorf("%s: %d lines", name, n)
		}
	}
}

// Each side's colour lies on its own bank.
func TestFrontColoursTheirOwnBank(t *testing.T) {
	d := frontOf(t, "GGSS", "GGSS", "GGSS", "GGSS")
	middle := (d.centre(203).X + d.centre(303).X) / 2
	for _, o := range d.c.ops {
		if o.kind != opStroke {
			continue
		}
		sum := 0.0
		for _, p := range o.path.p {
			sum += p.X - middle
		}
		if german := o.ink == nations["German"].line; german != (sum < 0) {
			t.Errorf("a line of %v lies %.0f to the right of the front", o.ink, sum/float64(len(o.path.p)))
		}
	}
}

func TestBesideMovesToTheRight(t *testing.T) {
	line := beside([]pt{{0, 0}, {10, 0}, {20, 0}}, 2)
	for i, p := range line {
		if p.sub(pt{float64(i) * 10, 2}).len() > 1e-9 {
			t.Errorf("%v", line)
		}
	}
	ring := beside([]pt{{0, 0}, {10, 0}, {10, 10}, {0, 10}, {0, 0}}, 1)
	if ring[0] != ring[4] || !(box{0, 0, 10, 10}).holds(ring[0]) {
		t.Errorf("a ring that turns clockwise moves out, or is open: %v", ring)
	}
}

func TestWorksHaveTheirGroundOnTheRight(t *testing.T) {
	b := plainBoard(t, hex.Grid{ColMin: 1, ColMax: 6, RowMin: 1, RowMax: 6}, func(b *board.Board) {
		for _, col := range []int{4, 3, 2} {
			b.Print("fortified line", "Stalin line", "SOVIET", board.Facing{Hex: hex.New(col, 4), From: hex.New(col, 3)})
		}
	})
	l := newLayout(b, 40, Frame{})
	lines := l.facings(&b.Works[0])
	if len(lines) != 3 {
		t.Fatalf("%v", lines)
	}
	for _, line := range lines {
		a, z := l.at(line[0]), l.at(line[len(line)-1])
		if right := a.mix(z, 0.5).sub(z.sub(a).unit().left().mul(5)); right.Y <= a.Y {
			t.Errorf("the ground behind %v lies at %v", line, right)
		}
	}
	c := &canvas{}
	if l.drawWorks(c); len(c.ops) != 2+2*3 || c.ops[1].ink != worksInk("SOVIET") {
		t.Errorf("%d strokes", len(c.ops))
	}
	if worksInk("") != fortInk || worksInk("SOVIET") != alpha(nations["Soviet"].line, 190) {
		t.Error("works are of the wrong colour")
	}
	// Hexsides that join are one line, in whatever order they are printed.
	angle := &board.Works{Kind: "fort", Facing: []board.Facing{{Hex: 404, From: 504}, {Hex: 404, From: 403}}}
	if lines := l.facings(angle); len(lines) != 1 || len(lines[0]) != 3 {
		t.Errorf("an angle: %v", lines)
	}
	// All hexsides of a hex make a ring.
	all := &board.Works{Kind: "fort"}
	for _, n := range b.Grid.Neighbours(303) {
		all.Facing = append(all.Facing, board.Facing{Hex: 303, From: n})
	}
	all.Facing = append(all.Facing, board.Facing{Hex: 303, From: 606})
	if ring := l.facings(all); len(ring) != 1 || len(ring[0]) != 7 || ring[0][0] != ring[0][6] {
		t.Errorf("a ring: %v", ring)
	}
}
