package chart

import (
	"math"
	"testing"
)

func TestFlattenKeepsTheEndsOfCurves(t *testing.T) {
	p := (&path{}).move(pt{0, 0}).line(pt{4, 0}).quad(pt{8, 0}, pt{8, 8}).cube(pt{8, 12}, pt{0, 12}, pt{0, 8})
	lines := flatten(p)
	if len(lines) != 1 {
		t.Fatalf("%d lines", len(lines))
	}
	l := lines[0]
	if l[0] != (pt{0, 0}) || l[1] != (pt{4, 0}) || l[len(l)-1].sub(pt{0, 8}).len() > 1e-9 {
		t.Errorf("%v", l)
	}
	for _, a := range l {
		if !(box{0, 0, 8, 12}).holds(a) {
			t.Errorf("%v lies outside of the curve's points", a)
		}
	}
}

func TestFlattenClosesAndParts(t *testing.T) {
	p := poly(pt{0, 0}, pt{4, 0}, pt{4, 4}).join(polyline(pt{9, 9}, pt{10, 10})).join(polyline(pt{1, 1}))
	lines := flatten(p)
	if len(lines) != 2 || len(lines[0]) != 4 || lines[0][3] != lines[0][0] || len(lines[1]) != 2 {
		t.Errorf("%v", lines)
	}
	// A ring that ends where it begins has no point twice.
	if l := flatten(poly(pt{0, 0}, pt{4, 0}, pt{0, 0})); len(l) != 1 || len(l[0]) != 3 {
		t.Errorf("%v", l)
	}
	// What follows a closed ring without a move goes on from its beginning.
	if l := flatten(poly(pt{1, 1}, pt{4, 0}, pt{4, 4}).line(pt{9, 9})); len(l) != 2 || l[1][0] != (pt{1, 1}) || l[1][1] != (pt{9, 9}) {
		t.Errorf("%v", l)
	}
}

func TestPiecesOfCurves(t *testing.T) {
	for length, want := range map[float64]int{0: 2, 1: 2, 16: 5, 100: 13, 10000: 16} {
		if got := pieces(length); got != want {
			t.Errorf("a curve of %v is cut in %d", length, got)
		}
	}
}

// lengthOf is the length of lines.
func lengthOf(lines [][]pt) float64 {
	sum := 0.0
	for _, l := range lines {
		for i := 1; i < len(l); i++ {
			sum += l[i].sub(l[i-1]).len()
		}
	}
	return sum
}

func TestDashesGoRoundCorners(t *testing.T) {
	line := [][]pt{{{0, 0}, {10, 0}, {10, 10}}}
	got := dashed(line, []float64{4, 2})
	want := [][]pt{{{0, 0}, {4, 0}}, {{6, 0}, {10, 0}}, {{10, 2}, {10, 6}}, {{10, 8}, {10, 10}}}
	if len(got) != len(want) {
		t.Fatalf("%v", got)
	}
	for i := range want {
		first, last := got[i][0], got[i][len(got[i])-1]
		if first.sub(want[i][0]).len() > 1e-9 || last.sub(want[i][1]).len() > 1e-9 {
			t.Errorf("dash %d runs from %v to %v", i, first, last)
		}
	}
	bent := dashed(line, []float64{8, 4})
	if len(bent) != 2 || len(bent[0]) != 2 || lengthOf(bent) != 8+8 {
		t.Errorf("%v", bent)
	}
	over := dashed(line, []float64{12, 4})
	if len(over) != 2 || len(over[0]) != 3 || over[0][1] != (pt{10, 0}) {
		t.Errorf("a dash around the corner: %v", over)
	}
	// A pattern of nothing ends.
	if got := dashed(line, []float64{0, 0}); len(got) == 0 || len(got) > 40 {
		t.Errorf("%d dashes", len(got))
	}
}

// turning is twice the area of a closed ring, positive where it turns clockwise as seen.
func turning(l []pt) float64 {
	sum := 0.0
	for i := range l {
		a, b := l[i], l[(i+1)%len(l)]
		sum += a.X*b.Y - b.X*a.Y
	}
	return sum
}

// All pieces of a stroke turn the same way, so that none takes away from another.
func TestPiecesOfAStrokeTurnOneWay(t *testing.T) {
	lines := [][]pt{{{0, 0}, {20, 0}, {20, 20}, {0, 20}, {0, 0}}, {{30, 30}, {50, 35}, {30, 31}}, {{5, 5}, {5, 5}, {9, 9}}}
	for _, l := range flatten(strokeLines(lines, 6, true)) {
		if turning(l) >= 0 {
			t.Errorf("%v turns the other way", l)
		}
	}
}

func TestEndsAndBendsOfAStroke(t *testing.T) {
	rings := func(round bool, width float64, l ...pt) int {
		return len(flatten(strokeLines([][]pt{l}, width, round)))
	}
	for name, c := range map[string]struct{ got, want int }{
		"flat ends":              {rings(false, 4, pt{0, 0}, pt{9, 0}), 1},
		"round ends":             {rings(true, 4, pt{0, 0}, pt{9, 0}), 3},
		"a thin pen is not":      {rings(true, 1, pt{0, 0}, pt{9, 0}), 1},
		"a corner is filled":     {rings(false, 4, pt{0, 0}, pt{9, 0}, pt{9, 9}), 3},
		"a straight one is not":  {rings(false, 4, pt{0, 0}, pt{9, 0}, pt{18, 0}), 2},
		"a thin corner is not":   {rings(false, 1.2, pt{0, 0}, pt{9, 0}, pt{9, 9}), 2},
		"a ring has no ends":     {rings(true, 4, pt{0, 0}, pt{9, 0}, pt{9, 9}, pt{0, 0}), 6},
		"the way back is filled": {rings(false, 4, pt{0, 0}, pt{9, 0}, pt{0, 0.01}), 3},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d pieces, want %d", name, c.got, c.want)
		}
	}
}

func TestBends(t *testing.T) {
	l := []pt{{0, 0}, {10, 0}, {20, 1}, {20, 11}}
	if bend(l, 1, 2) || !bend(l, 1, 10) || !bend(l, 2, 2) || !bend(l, 0, 2) {
		t.Error("a bend is not what its pen shows")
	}
}

// The area that a pen covers is its width times the line's length, and its ends.
func TestAreaOfAStroke(t *testing.T) {
	for _, l := range flatten(strokeLines([][]pt{{{3, 3}, {33, 43}}}, 8, false)) {
		if a := math.Abs(turning(l)) / 2; math.Abs(a-8*50) > 1e-6 {
			t.Errorf("area %v", a)
		}
	}
	disc0 := &path{}
	disc(disc0, pt{5, 5}, 8)
	if a := math.Abs(turning(flatten(disc0)[0])) / 2; a > math.Pi*64 || a < math.Pi*64*0.97 {
		t.Errorf("a disc of radius 8 has the area %v", a)
	}
}

func TestShapesApart(t *testing.T) {
	small := func(x, y float64) *path { return rect(box{x, y, x + 20, y + 20}, 0) }
	parts := func(ps ...*path) int {
		all := &path{}
		for _, p := range ps {
			all.join(p)
		}
		return len(apart(all))
	}
	hole := poly(pt{5, 5}, pt{5, 15}, pt{15, 15}, pt{15, 5})
	for name, c := range map[string]struct{ got, want int }{
		"near each other":  {parts(small(0, 0), small(40, 0)), 1},
		"far apart":        {parts(small(0, 0), small(900, 900)), 2},
		"a hole stays":     {parts(small(0, 0), hole, small(900, 900)), 2},
		"touching ones":    {parts(small(0, 0), small(21, 0), small(900, 900)), 2},
		"a chain of three": {parts(small(0, 0), small(900, 900), small(30, 0), small(15, 10)), 2},
		"met late":         {parts(small(100, 0), small(115, 0), small(85, 0), small(900, 900)), 2},
		"without a move":   {len(apart(&path{v: []byte("LL"), p: []pt{{0, 0}, {900, 900}}})), 1},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d pieces, want %d", name, c.got, c.want)
		}
	}
	var many []*path
	for i := range 301 {
		many = append(many, small(float64(i)*50, 0))
	}
	if parts(many...) != 1 || parts(many[:300]...) != 300 {
		t.Error("shapes without number are parted")
	}
}

// Tiles of lines hold every piece of them and are small, but for single pieces.
func TestTilesOfLines(t *testing.T) {
	var long []pt
	for i := range 200 {
		long = append(long, pt{float64(i) * 7, float64(i%5) * 9})
	}
	lines := [][]pt{long, {{0, 0}, {5000, 5000}}, {{1, 1}, {2, 2}}}
	seen := map[[2]pt]bool{}
	for _, tileOf := range lineTiles(lines) {
		around := boundsOf(tileOf[0])
		n := 0
		for _, l := range tileOf {
			around = around.join(boundsOf(l))
			n += len(l) - 1
			for i := 1; i < len(l); i++ {
				seen[[2]pt{l[i-1], l[i]}] = true
			}
		}
		if around.area() > tile && n > 1 {
			t.Errorf("%d pieces cover %v", n, around)
		}
	}
	for _, l := range lines {
		for i := 1; i < len(l); i++ {
			if !seen[[2]pt{l[i-1], l[i]}] {
				t.Errorf("the piece from %v to %v is lost", l[i-1], l[i])
			}
		}
	}
}
