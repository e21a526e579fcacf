package chart

import (
	"fmt"
	"image"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// shapeOf is a path as SVG writes it.
func shapeOf(p *path) string { return svgPath(p) }

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestPoints(t *testing.T) {
	a, b := pt{3, 4}, pt{1, -2}
	for name, c := range map[string]struct{ got, want pt }{
		"add": {a.add(b), pt{4, 2}}, "sub": {a.sub(b), pt{2, 6}}, "mul": {a.mul(2), pt{6, 8}},
		"mix": {a.mix(b, 0.5), pt{2, 1}}, "unit": {a.unit(), pt{0.6, 0.8}}, "unit of nothing": {pt{}.unit(), pt{}},
		"left of east is up": {pt{1, 0}.left(), pt{0, -1}}, "left of up is west": {pt{0, -1}.left(), pt{-1, 0}},
	} {
		if c.got.sub(c.want).len() > 1e-9 {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
	if a.len() != 5 {
		t.Errorf("length %v", a.len())
	}
}

func TestBoxes(t *testing.T) {
	a := box{0, 0, 10, 4}
	for _, c := range []struct {
		b       box
		meets   bool
		overlap float64
	}{
		{box{5, 2, 20, 20}, true, 10}, {box{10, 0, 12, 4}, false, 0}, {box{0, 4, 10, 8}, false, 0},
		{box{2, 1, 3, 3}, true, 2}, {box{-5, -5, 50, 50}, true, 40}, {box{20, 20, 30, 30}, false, 0},
	} {
		if got := a.meets(c.b); got != c.meets || c.b.meets(a) != c.meets {
			t.Errorf("%v meets %v: %v", a, c.b, got)
		}
		if got := a.overlap(c.b); got != c.overlap || c.b.overlap(a) != c.overlap {
			t.Errorf("%v and %v share %v", a, c.b, got)
		}
	}
	if a.area() != 40 || (box{5, 5, 1, 9}).area() != 0 || a.grow(1) != (box{-1, -1, 11, 5}) || a.join(box{-3, 1, 2, 9}) != (box{-3, 0, 10, 9}) {
		t.Error("area, grow or join")
	}
	for p, want := range map[pt]bool{{0, 0}: true, {10, 4}: true, {10.1, 0}: false, {5, -0.1}: false} {
		if a.holds(p) != want {
			t.Errorf("%v in %v: %v", p, a, !want)
		}
	}
}

func TestShapesOfTheCanvas(t *testing.T) {
	for name, c := range map[string]struct {
		p    *path
		want string
	}{
		"polyline":       {polyline(pt{0, 0}, pt{1, 2}, pt{3, 4}), "M0 0L1 2L3 4"},
		"no polyline":    {polyline(), ""},
		"polygon":        {poly(pt{0, 0}, pt{1, 2}, pt{3, 4}), "M0 0L1 2L3 4Z"},
		"rectangle":      {rect(box{1, 2, 5, 4}, 0), "M1 2L5 2L5 4L1 4Z"},
		"round corners":  {rect(box{0, 0, 10, 8}, 2), "M2 0L8 0Q10 0 10 2L10 6Q10 8 8 8L2 8Q0 8 0 6L0 2Q0 0 2 0Z"},
		"circle":         {circle(pt{10, 10}, 10), "M20 10C20 15.5 15.5 20 10 20C4.5 20 0 15.5 0 10C0 4.5 4.5 0 10 0C15.5 0 20 4.5 20 10Z"},
		"star":           {star(pt{0, 0}, 4, 10, 2), "M0 -10L1.4 -1.4L10 0L1.4 1.4L0 10L-1.4 1.4L-10 0L-1.4 -1.4Z"},
		"joined":         {polyline(pt{0, 0}, pt{1, 1}).join(poly(pt{2, 2}, pt{3, 3})), "M0 0L1 1M2 2L3 3Z"},
		"curves":         {(&path{}).move(pt{0, 0}).quad(pt{1, 2}, pt{3, 4}).cube(pt{5, 6}, pt{7, 8}, pt{9, 10}), "M0 0Q1 2 3 4C5 6 7 8 9 10"},
		"a soft line":    {softLine([]pt{{0, 0}, {10, 0}, {10, 10}}), "M0 0L5 0Q10 0 10 5L10 10"},
		"a soft ring":    {softLine([]pt{{0, 0}, {10, 0}, {10, 10}, {0, 0}}), "M5 0Q10 0 10 5Q10 10 5 5Q0 0 5 0Z"},
		"a short line":   {softLine([]pt{{0, 0}, {10, 0}}), "M0 0L10 0"},
		"less than that": {softLine([]pt{{4, 5}}), "M4 5"},
	} {
		if got := shapeOf(c.p); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	if b := poly(pt{3, -1}, pt{-2, 5}).bounds(); b != (box{-2, -1, 3, 5}) {
		t.Errorf("bounds %v", b)
	}
}

// An ellipse made of cubics stays within a thousandth of its true curve.
func TestEllipsesAreRound(t *testing.T) {
	for _, line := range flatten(ellipse(pt{50, 50}, 40, 20)) {
		for _, p := range line {
			if r := math.Hypot((p.X-50)/40, (p.Y-50)/20); math.Abs(r-1) > 1e-3 {
				t.Errorf("%v lies at %.4f of the radius", p, r)
			}
		}
	}
}

func TestPlainRectangles(t *testing.T) {
	for name, c := range map[string]struct {
		p    *path
		want bool
	}{
		"whole pixels":     {rect(box{1, 2, 5, 4}, 0), true},
		"half a pixel":     {rect(box{1, 2.5, 5, 4}, 0), false},
		"round":            {rect(box{0, 0, 9, 9}, 2), false},
		"open":             {polyline(pt{0, 0}, pt{4, 0}, pt{4, 4}, pt{0, 4}), false},
		"slanted":          {poly(pt{0, 0}, pt{4, 1}, pt{4, 4}, pt{0, 4}), false},
		"a bow":            {poly(pt{0, 0}, pt{4, 0}, pt{0, 0}, pt{0, 4}), false},
		"the other way":    {poly(pt{0, 0}, pt{0, 4}, pt{4, 4}, pt{4, 0}), true},
		"with five points": {poly(pt{0, 0}, pt{4, 0}, pt{4, 4}, pt{2, 4}, pt{0, 4}), false},
	} {
		if got := c.p.plain(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestColoursAreMixed(t *testing.T) {
	black, red := rgb(0), rgb(0xFF0000)
	if rgb(0x123456) != (shade{R: 0x12, G: 0x34, B: 0x56, A: 255}) || alpha(red, 7) != (shade{R: 255, A: 7}) {
		t.Error("a colour is read wrongly")
	}
	if blend(black, red, 0) != black || blend(black, red, 256) != red || blend(black, alpha(red, 155), 128) != (shade{R: 127, A: 205}) {
		t.Errorf("half way lies %v", blend(black, alpha(red, 155), 128))
	}
}

func TestTextsAreAnchored(t *testing.T) {
	w := measure(bold, 20, "Izjum")
	for anchor, want := range map[float64]float64{0: 100, 0.5: 100 - w/2, 1: 100 - w} {
		c := &canvas{}
		c.text(pt{100, 50}, "Izjum", letters{font: bold, size: 20, anchor: anchor})
		if at := c.ops[0].at; !near(at.X, want) || at.Y != 50 {
			t.Errorf("anchored at %v it begins at %v", anchor, at)
		}
	}
	c := &canvas{}
	c.text(pt{100, 50}, "Izjum", letters{font: bold, size: 20, anchor: 1, angle: math.Pi / 2})
	if at := c.ops[0].at; !near(at.X, 100) || !near(at.Y, 50-w) {
		t.Errorf("downwards it begins at %v", at)
	}
	c = &canvas{}
	c.text(pt{}, "", letters{size: 20})
	c.text(pt{}, "x", letters{})
	if len(c.ops) != 0 {
		t.Error("nothing is written")
	}
}

// The widths of letters that are written down are those of the fonts.
func TestWidthsAreThoseOfTheFonts(t *testing.T) {
	read()
	var b strings.Builder
	for f := range fonts {
		last := rune(-1)
		write := func(r rune, g sfnt.GlyphIndex) {
			a, err := typeface.font[f].GlyphAdvance(&typeface.buf, g, fixed.I(metric), font.HintingNone)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case r == 0:
				fmt.Fprintf(&b, "%x:%d", r, a)
			case r == last+1:
				fmt.Fprintf(&b, ",%d", a)
			default:
				fmt.Fprintf(&b, " %x:%d", r, a)
			}
			last = r
		}
		write(0, 0)
		for r := rune(2); r <= unicode.MaxRune; r++ {
			if g, err := typeface.font[f].GlyphIndex(&typeface.buf, r); err == nil && g > 0 {
				write(r, g)
			}
		}
		b.WriteString("\n")
	}
	if *update {
		if err := os.WriteFile("advances.txt", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if b.String() != advances {
		t.Error("advances.txt is not what the fonts say: go test ./report/chart -run WidthsAreThose -update")
	}
}

func TestWidthsOfTexts(t *testing.T) {
	if a, b := measure(regular, 10, "Ab"), measure(regular, 30, "Ab"); !near(3*a, b) {
		t.Errorf("%v and %v are not in proportion", a, b)
	}
	if measure(regular, 10, "") != 0 || !near(measure(italic, 9, "ab"), measure(italic, 9, "a")+measure(italic, 9, "b")) {
		t.Error("a text is not as wide as its letters")
	}
	if measure(bold, 10, "mmm") <= measure(bold, 10, "iii") {
		t.Error("all letters are of one width")
	}
}

// drawn paints shapes in black on white and writes the picture in letters: # for a pixel
// that is dark, + for one half so, . for a light one.
func drawn(w, h int, draw func(c *canvas)) string {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	c := &canvas{}
	c.fill(rect(box{0, 0, float64(w), float64(h)}, 0), white)
	draw(c)
	newPainter(img).paint(c.ops)
	var rows []string
	for y := range h {
		row := make([]byte, w)
		for x := range w {
			row[x] = "##++.."[min(5, int(img.RGBAAt(x, y).G)*6/256)]
		}
		rows = append(rows, string(row))
	}
	return strings.Join(rows, "\n")
}

var black = rgb(0)

// Small pictures, pixel by pixel.
func TestPictures(t *testing.T) {
	for name, c := range map[string]struct {
		draw func(c *canvas)
		want string
	}{
		"a rectangle": {func(c *canvas) { c.fill(rect(box{1, 1, 5, 3}, 0), black) }, `
........
.####...
.####...
........`},
		"half a pixel": {func(c *canvas) { c.fill(rect(box{1.5, 1, 5, 3}, 0), black) }, `
........
.+###...
.+###...
........`},
		"a hole": {func(c *canvas) {
			c.fill(poly(pt{0, 0}, pt{8, 0}, pt{8, 4}, pt{0, 4}).join(poly(pt{2, 1}, pt{2, 3}, pt{6, 3}, pt{6, 1})), black)
		}, `
########
##....##
##....##
########`},
		"a bar": {func(c *canvas) { c.bar(polyline(pt{2, 2}, pt{6, 2}), 2, black) }, `
........
..####..
..####..
........`},
		"two bars that part": {func(c *canvas) {
			c.bar(polyline(pt{0, 1}, pt{3, 1}).join(polyline(pt{5, 3}, pt{8, 3})), 2, black)
		}, `
###.....
###.....
.....###
.....###`},
		"dashes": {func(c *canvas) {
			c.ops = append(c.ops, op{kind: opStroke, path: polyline(pt{0, 2}, pt{8, 2}), ink: black, width: 2, dash: []float64{2, 1}, butt: true})
		}, `
........
##.##.##
##.##.##
........`},
		"a clip": {func(c *canvas) {
			c.clip(box{2, 1, 4, 3})
			c.fill(rect(box{0, 0, 8, 4}, 0), black)
			c.free()
			c.fill(rect(box{7, 0, 8, 1}, 0), black)
		}, `
.......#
..##....
..##....
........`},
		"an outline over its shape": {func(c *canvas) { c.both(rect(box{1, 1, 7, 4}, 0), white, 2, black) }, `
########
########
##....##
########`},
		"nothing": {func(c *canvas) {
			c.fill(&path{}, black)
			c.fill(rect(box{1, 1, 5, 3}, 0), shade{})
			c.fill(rect(box{20, 20, 30, 30}, 0), black)
			c.stroke(polyline(pt{1, 1}), 0.5, black)
		}, `
........
........
........
........`},
	} {
		if got := drawn(8, 4, c.draw); got != c.want[1:] {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

func TestRoundPictures(t *testing.T) {
	for name, c := range map[string]struct {
		draw func(c *canvas)
		want string
	}{
		"a disc": {func(c *canvas) { c.fill(circle(pt{5, 5}, 4), black) }, `
..........
...+##+...
..######..
.+######+.
.########.
.########.
.+######+.
..######..
...+##+...
..........`},
		"a dot of a round pen": {func(c *canvas) { c.stroke(polyline(pt{4, 5}, pt{6, 5}), 4, black) }, `
..........
..........
..........
...####...
..######..
..######..
...####...
..........
..........
..........`},
		"a star": {func(c *canvas) { c.fill(star(pt{5, 5}, 4, 5, 2), black) }, `
..........
....++....
....##....
...+##+...
.+######+.
.+######+.
...+##+...
....##....
....++....
..........`},
		"a bend": {func(c *canvas) { c.stroke(polyline(pt{2, 8}, pt{2, 2}, pt{8, 2}), 2, black) }, `
..........
.########.
.########.
.##.......
.##.......
.##.......
.##.......
.##.......
.##.......
..........`},
	} {
		if got := drawn(10, 10, c.draw); got != c.want[1:] {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

// A pen that shines through is even where its line crosses itself or turns.
func TestPaleLinesAreEven(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 40, 40))
	c := &canvas{}
	c.fill(rect(box{0, 0, 40, 40}, 0), white)
	c.stroke(polyline(pt{5, 5}, pt{35, 35}, pt{35, 5}, pt{5, 35}), 6, alpha(black, 128))
	newPainter(img).paint(c.ops)
	for y := range 40 {
		for x := range 40 {
			if g := img.RGBAAt(x, y).G; g < 126 {
				t.Fatalf("the pixel %d,%d is twice as dark: %d", x, y, g)
			}
		}
	}
	if g := img.RGBAAt(20, 20).G; g > 128 {
		t.Errorf("the crossing is pale: %d", g)
	}
}

// Long opaque lines are painted in pieces; no seam shows.
func TestPiecesOfALineLeaveNoSeam(t *testing.T) {
	var ps []pt
	for i := range 120 {
		ps = append(ps, pt{10 + float64(i)*5, 100 + 60*math.Sin(float64(i)/7)})
	}
	c := &canvas{}
	c.stroke(polyline(ps...), 5, black)
	tiled, whole := image.NewRGBA(image.Rect(0, 0, 640, 200)), image.NewRGBA(image.Rect(0, 0, 640, 200))
	newPainter(tiled).paint(c.ops)
	newPainter(whole).fill(strokePath(c.ops[0].path, 5, nil, true), black)
	if len(lineTiles(strokedLines(c.ops[0].path, nil))) < 3 {
		t.Fatal("the line is painted in one piece")
	}
	for i := 3; i < len(whole.Pix); i += 4 { // how much of the pixel is covered
		if whole.Pix[i] == 0 && tiled.Pix[i] > 2 || tiled.Pix[i] < whole.Pix[i]-min(8, whole.Pix[i]) {
			t.Fatalf("byte %d is %d, not %d", i, tiled.Pix[i], whole.Pix[i])
		}
	}
	if slices.Max(tiled.Pix) == 0 {
		t.Fatal("nothing is painted")
	}
}

// A text in pixels covers about the room that is measured for it, whichever way it runs.
func TestTextsFillTheirRoom(t *testing.T) {
	for _, angle := range []float64{0, 0.3, math.Pi / 2} {
		c := &canvas{}
		c.text(pt{60, 60}, "Merefa", letters{font: bold, size: 24, ink: black, halo: white, width: 2, anchor: 0.5, angle: angle})
		img := image.NewRGBA(image.Rect(0, 0, 120, 120))
		newPainter(img).paint(c.ops)
		var ink box
		first := true
		for y := range 120 {
			for x := range 120 {
				if px := img.RGBAAt(x, y); px.A > 128 && px.G < 128 {
					b := box{float64(x), float64(y), float64(x + 1), float64(y + 1)}
					if first {
						ink, first = b, false
					}
					ink = ink.join(b)
				}
			}
		}
		sin, cos := math.Sincos(angle)
		w := measure(bold, 24, "Merefa")
		if got, want := math.Hypot(ink.X1-ink.X0, ink.Y1-ink.Y0), math.Hypot(w*cos+24*0.72*sin, w*sin+24*0.72*cos); math.Abs(got-want) > 6 {
			t.Errorf("at %.1f the text is %.0f across, not %.0f", angle, got, want)
		}
	}
}
