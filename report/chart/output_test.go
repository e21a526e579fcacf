package chart

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

func TestNumbersOfSVG(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 1: "1", -1.04: "-1", 2.25: "2.2", 2.26: "2.3", -0.04: "0", 100.96: "101", 0.05: "0.1", -12.5: "-12.5"} {
		if got := num(v); got != want {
			t.Errorf("%v is written %s", v, got)
		}
	}
}

// Each entry of a display list in SVG.
func TestEntriesOfSVG(t *testing.T) {
	for name, c := range map[string]struct {
		draw func(c *canvas)
		want string
	}{
		"fill": {func(c *canvas) { c.fill(poly(pt{0, 0}, pt{1.25, 2}, pt{3, 4}), rgb(0xAB0012)) }, `<path d="M0 0L1.2 2L3 4Z" fill="#ab0012"/>`},
		"pale": {func(c *canvas) { c.fill(polyline(pt{0, 0}), alpha(black, 51)) }, `<path d="M0 0" fill="#000000" fill-opacity="0.20"/>`},
		"stroke": {func(c *canvas) { c.stroke(polyline(pt{0, 0}, pt{1, 1}), 1.25, white, 3, 1.5) },
			`<path d="M0 0L1 1" fill="none" stroke="#ffffff" stroke-width="1.2" stroke-linecap="round" stroke-linejoin="round" stroke-dasharray="3 1.5"/>`},
		"bar":   {func(c *canvas) { c.bar(polyline(pt{0, 0}, pt{1, 1}), 2, white) }, `<path d="M0 0L1 1" fill="none" stroke="#ffffff" stroke-width="2"/>`},
		"group": {func(c *canvas) { c.group(`a"<b>&`); c.end() }, "<g id=\"a&quot;&lt;b&gt;&amp;\">\n</g>"},
		"clip": {func(c *canvas) { c.clip(box{1, 2, 11, 22}); c.free() },
			"<clipPath id=\"clip1\"><rect x=\"1\" y=\"2\" width=\"10\" height=\"20\"/></clipPath><g clip-path=\"url(#clip1)\">\n</g>"},
		"text": {func(c *canvas) { c.text(pt{10, 20}, "a<b", letters{font: regular, size: 9, ink: black}) },
			`<text x="10" y="20" font-size="9" fill="#000000" textLength="` + num(measure(regular, 9, "a<b")) + `" lengthAdjust="spacingAndGlyphs">a&lt;b</text>`},
		"bold with a halo": {func(c *canvas) {
			c.text(pt{1, 2}, "N", letters{font: bold, size: 8, ink: black, halo: white, width: 1.5})
		},
			`<text x="1" y="2" font-size="8" fill="#000000" font-weight="bold" stroke="#ffffff" stroke-width="3" stroke-linejoin="round" paint-order="stroke" textLength="` +
				num(measure(bold, 8, "N")) + `" lengthAdjust="spacingAndGlyphs">N</text>`},
		"slanted": {func(c *canvas) { c.text(pt{1, 2}, "N", letters{font: italic, size: 8, ink: black, angle: math.Pi / 2}) },
			`<text x="1" y="2" font-size="8" fill="#000000" font-style="italic" transform="rotate(90 1 2)" textLength="` + num(measure(italic, 8, "N")) +
				`" lengthAdjust="spacingAndGlyphs">N</text>`},
	} {
		cv := &canvas{}
		c.draw(cv)
		x := &svgText{}
		if x.list(cv.ops); x.String() != c.want+"\n" {
			t.Errorf("%s: %s", name, x)
		}
	}
}

// A picture in SVG is XML, closes what it opens and gives each clip a name of its own.
func TestSVGIsWellFormed(t *testing.T) {
	v := smallView(t)
	v.Title, v.Units[0].Name, v.Board.Places[0].Name = `<&">`, `"&`, `Żm<ij>ew`
	text := svgOf(t, v, Options{Scale: 80, Marks: smallMarks, Note: "a & b"})
	z := xml.NewDecoder(strings.NewReader(text))
	depth := 0
	for {
		token, err := z.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
	if depth != 0 {
		t.Errorf("%d elements are open", depth)
	}
	seen := map[string]bool{}
	for _, m := range regexp.MustCompile(`<clipPath id="(\w+)">`).FindAllStringSubmatch(text, -1) {
		if seen[m[1]] || !strings.Contains(text, "url(#"+m[1]+")") {
			t.Errorf("the clip %s is not one of its own, or not used", m[1])
		}
		seen[m[1]] = true
	}
	if len(seen) != 2 {
		t.Errorf("%d clips", len(seen))
	}
}

// PNG, SVG and PDF of a drawing are of one size.
func TestOneSizeInEveryFormat(t *testing.T) {
	v := smallView(t)
	for _, o := range []Options{{}, {Scale: 30}, {Scale: 100, Frame: Frame{2, 6, 1, 4}}} {
		p := Render(v, o)
		w, h := p.Size()
		var raster, page, text bytes.Buffer
		if err := errors.Join(p.PNG(&raster), p.PDF(&page), p.SVG(&text)); err != nil {
			t.Fatal(err)
		}
		if c, err := png.DecodeConfig(&raster); err != nil || c.Width != w || c.Height != h {
			t.Errorf("the PNG is %d x %d, not %d x %d: %v", c.Width, c.Height, w, h, err)
		}
		if want := fmt.Sprintf(`width="%d" height="%d" viewBox="0 0 %d %d"`, w, h, w, h); !strings.Contains(text.String(), want) {
			t.Errorf("the SVG is not %s", want)
		}
		m := regexp.MustCompile(`/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]`).FindSubmatch(page.Bytes())
		if m == nil {
			t.Fatal("the PDF has no size")
		}
		pw, _ := strconv.ParseFloat(string(m[1]), 64)
		ph, _ := strconv.ParseFloat(string(m[2]), 64)
		if math.Abs(pw-float64(w)*pdfPixel) > 0.01 || math.Abs(ph-float64(h)*pdfPixel) > 0.01 {
			t.Errorf("the PDF is %v x %v points for %d x %d pixels", pw, ph, w, h)
		}
	}
}

// Writers that fail fail the picture.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

func TestFaultsOfWritersAreTold(t *testing.T) {
	p := Render(smallView(t), Options{Scale: 20})
	for name, write := range map[string]func(io.Writer) error{"PNG": p.PNG, "SVG": p.SVG, "PDF": p.PDF,
		"GIF": func(w io.Writer) error { return Animate(w, []*Picture{p}, 10) }} {
		if err := write(broken{}); err == nil || !strings.Contains(err.Error(), "the disk is full") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is written as PNG is read back pixel by pixel, by a reader that is not ours.
func TestPNGIsReadBack(t *testing.T) {
	img := image.NewPaletted(image.Rect(0, 0, 7, 5), color.Palette{color.RGBA{1, 2, 3, 255}, color.RGBA{250, 128, 0, 255}, color.Gray{77}})
	for i := range img.Pix {
		img.Pix[i] = uint8(i * i % 3)
	}
	var b bytes.Buffer
	if err := writePNG(&b, img, mailedLevel); err != nil {
		t.Fatal(err)
	}
	raw := bytes.Clone(b.Bytes())
	got, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	for y := range 5 {
		for x := range 7 {
			if r, g, bl, _ := got.At(x, y).RGBA(); color.NRGBA64Model.Convert(img.At(x, y)) != (color.NRGBA64{uint16(r), uint16(g), uint16(bl), 0xffff}) {
				t.Errorf("the pixel %d,%d is %v, not %v", x, y, got.At(x, y), img.At(x, y))
			}
		}
	}
	var kinds []string
	for raw = raw[8:]; len(raw) > 0; {
		n := binary.BigEndian.Uint32(raw)
		body, sum := raw[4:8+n], binary.BigEndian.Uint32(raw[8+n:])
		if crc32.ChecksumIEEE(body) != sum {
			t.Errorf("%s has a wrong sum", body[:4])
		}
		kinds = append(kinds, string(body[:4]))
		raw = raw[12+n:]
	}
	if got := strings.Join(kinds, " "); got != "IHDR PLTE IDAT IEND" {
		t.Error(got)
	}
}

func TestInksOfThePaletteAreExact(t *testing.T) {
	q := quantiser()
	if len(q.palette) != 256 {
		t.Errorf("the palette has %d colours", len(q.palette))
	}
	seen := map[color.Color]bool{}
	for _, c := range q.palette {
		if seen[c] {
			t.Errorf("%v is twice in the palette", c)
		}
		seen[c] = true
	}
	exact := func(name string, c shade) {
		got := q.palette[q.of(c.R, c.G, c.B)].(color.RGBA)
		// Two inks may share a bin of 5, 6 and 5 bits; then they differ by less than its width.
		if d := max(dist(got.R, c.R), dist(got.G, c.G), dist(got.B, c.B)); d > 7 || !seen[color.RGBA{c.R, c.G, c.B, 255}] {
			t.Errorf("%s %v is painted %v", name, c, got)
		}
	}
	for _, c := range inks {
		exact("ink", c)
	}
	for _, n := range nationOrder {
		exact(n, nations[n].face)
		exact(n, nations[n].box)
		exact(n, nations[n].line)
	}
}

func dist(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

// A colour is painted as the nearest of the palette, or as an ink that it nearly is.
func TestEveryColourHasTheNearest(t *testing.T) {
	q := quantiser()
	away := func(r, g, b int, c color.Color) int {
		e := c.(color.RGBA)
		return 3*(r-int(e.R))*(r-int(e.R)) + 4*(g-int(e.G))*(g-int(e.G)) + 2*(b-int(e.B))*(b-int(e.B))
	}
	for i := 0; i < len(q.index); i += 97 {
		r, g, b := i>>11<<3|4, i>>5&63<<2|2, i&31<<3|4
		if bin(uint8(r), uint8(g), uint8(b)) != i {
			t.Fatalf("%d %d %d does not lie in its bin", r, g, b)
		}
		got := q.palette[q.of(uint8(r), uint8(g), uint8(b))]
		for _, c := range q.palette {
			if away(r, g, b, c) < away(r, g, b, got) && away(r, g, b, got) > 9*25 {
				t.Errorf("%d %d %d is painted %v, but %v is nearer", r, g, b, got, c)
			}
		}
	}
	for _, over := range []shade{ink, mainRoad, waterEdge, hillInk, fortInk, nations["German"].line, nations["Soviet"].line} {
		half := blend(clearLand, over, 128)
		got := q.palette[q.of(half.R, half.G, half.B)].(color.RGBA)
		if d := max(dist(got.R, half.R), dist(got.G, half.G), dist(got.B, half.B)); d > 8 {
			t.Errorf("the edge of %v is painted %v, not %v", over, got, half)
		}
	}
}

// light is the relative luminance of a colour.
func light(c shade) float64 {
	part := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*part(c.R) + 0.7152*part(c.G) + 0.0722*part(c.B)
}

// contrast is that of two colours as people see it, 1 to 21.
func contrast(a, b shade) float64 {
	x, y := light(a), light(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestInksCanBeReadOnTheirGround(t *testing.T) {
	check := func(name string, on, what shade, least float64) {
		if c := contrast(on, what); c < least {
			t.Errorf("%s has a contrast of %.1f", name, c)
		}
	}
	for name, n := range nations {
		check(name+": figures on the counter", n.face, ink, 4.5)
		check(name+": the symbol in its box", n.box, ink, 7)
		check(name+": figures of a star", n.line, white, 4.5)
		check(name+": the front on clear land", clearLand, n.line, 4.5)
		check(name+": an unknown stack seen earlier", blend(n.face, paper, 150), blend(ink, paper, 45), 4.5)
	}
	check("names", paper, ink, 7)
	check("the title", paper, titleInk, 7)
	check("signs of works", paper, fortInk, 7)
	check("letters of zones", zoneTint, zoneInk, 4.5)
	check("out of supply", alarm, white, 4.5)
	check("disorganized", warning, ink, 7)
	check("retreated", paper, ink, 7)
	check("a burst", burst, ink, 7)
	check("rivers", clearLand, waterEdge, 4.5)
	check("main roads", roadCore, mainRoad, 4.5)
}

// seenBy are the ways in which colours are seen that a map must stand: by most, by who lacks
// the cones for green or for red (Machado, Oliveira and Fernandes 2009, severity 1), in grey.
var seenBy = map[string][3][3]float64{
	"most":         {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"grey":         {{0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}},
}

// seenAs is a colour as somebody sees it.
func seenAs(c shade, eyes [3][3]float64) shade {
	linear := func(v uint8) float64 { return light(shade{R: v, G: v, B: v}) }
	in := [3]float64{linear(c.R), linear(c.G), linear(c.B)}
	var out [3]uint8
	for i, row := range eyes {
		x := max(0, min(1, row[0]*in[0]+row[1]*in[1]+row[2]*in[2]))
		if x <= 0.0031308 {
			x *= 12.92
		} else {
			x = 1.055*math.Pow(x, 1/2.4) - 0.055
		}
		out[i] = uint8(x*255 + 0.5)
	}
	return shade{R: out[0], G: out[1], B: out[2], A: 255}
}

// What must be told apart is: by lightness, in the eyes of everybody.
func TestColoursAreToldApartByEverybody(t *testing.T) {
	type pair struct {
		what  string
		a, b  shade
		least float64
	}
	var pairs []pair
	for name, g := range map[string]shade{"clear land": clearLand, "hills": hillLow, "heights": hillHigh, "woods": woodGround, "marsh": marsh,
		"orchards": orchard, "a city": urban, "thick woods": woodEdge} {
		pairs = append(pairs, pair{"numbers of hexes on " + name, g, numberInk, 4.5})
	}
	for name, n := range nations {
		pairs = append(pairs, pair{name + ": names and figures", n.face, ink, 4.5}, pair{name + ": arrows and fronts", clearLand, n.line, 3},
			pair{name + ": the core of an arrow", white, n.line, 3}, pair{name + ": a hollow star", white, n.line, 3})
	}
	pairs = append(pairs, pair{"main roads", roadCore, mainRoad, 3}, pair{"main roads on clear land", clearLand, mainRoad, 3}, pair{"the number of a fight", burst, ink, 4.5},
		pair{"out of supply", alarm, white, 3}, pair{"rivers", clearLand, waterEdge, 3}, pair{"works", clearLand, fortInk, 3}, pair{"grid", clearLand, gridLine, 1.8},
		pair{"contours on the lower step", hillLow, contourInk, 3}, pair{"contours on the higher step", hillHigh, contourInk, 3},
		pair{"hatching on paper", white, neutral, 3}, pair{"contours on paper", white, contourInk, 3}, pair{"numbers of hexes on paper", white, numberInk, 4.5})
	for eyes, m := range seenBy {
		for _, p := range pairs {
			if c := contrast(seenAs(p.a, m), seenAs(p.b, m)); c < p.least {
				t.Errorf("%s, %s: a contrast of %.2f, not %.1f", p.what, eyes, c, p.least)
			}
		}
	}
}

// The sides are told apart by form: painted in one colour, what is theirs is not drawn as ours.
func TestSidesDifferInForm(t *testing.T) {
	one := nations["German"]
	b := plainBoard(t, hex.Grid{ColMin: 1, ColMax: 6, RowMin: 1, RowMax: 6}, nil)
	drawn := func(draw func(c *canvas)) string {
		c := &canvas{}
		draw(c)
		return string(svg(100, 100, c.ops))
	}
	forms := map[string]func(enemy bool, c *canvas){
		"counter": func(enemy bool, c *canvas) {
			drawCounter(c, pt{50, 50}, 30, counter{nation: one, kind: "INF", foot: "?", enemy: enemy})
		},
		"unknown stack": func(enemy bool, c *canvas) {
			drawUnknown(c, pt{50, 50}, 30, counter{nation: one, kind: "?", enemy: enemy})
		},
		"card of a close-up": func(enemy bool, c *canvas) {
			d := drawingOf(&view.View{Board: b}, Options{Scale: closeUp})
			d.c = c
			d.drawCard(box{20, 20, 60, 60}, counter{nation: one, kind: "INF", enemy: enemy}, nil)
		},
		"star": func(enemy bool, c *canvas) {
			objective(c, pt{50, 50}, 10, prize{"2", map[bool]holder{false: heldByOwn, true: heldByEnemy}[enemy], one.line})
		},
		"arrow": func(enemy bool, c *canvas) {
			d := drawingOf(&view.View{Board: b, Side: map[bool]string{false: "GERMAN", true: "AXIS"}[enemy]}, Options{})
			d.c = c
			d.arrow(trail{Mark{Kind: MarkMove, From: 202, To: 404, Side: "GERMAN"}, 1})
		},
		"front": func(enemy bool, c *canvas) {
			// The whole front in one colour: which bank is whose shows by the teeth alone.
			v := &view.View{Board: b, Side: map[bool]string{false: "GERMAN", true: "AXIS"}[enemy], Control: []string{"GGGAAA", "GGGAAA", "GGGAAA"}}
			d := drawingOf(v, Options{})
			d.c = c
			d.drawFront()
		},
		"overview": func(enemy bool, c *canvas) {
			d := drawingOf(&view.View{Board: b}, Options{Scale: 20})
			d.c = c
			d.dot(stack{hex: 303, enemy: enemy, counters: []counter{{nation: one}}})
		},
	}
	for what, draw := range forms {
		ours := drawn(func(c *canvas) { draw(false, c) })
		theirs := drawn(func(c *canvas) { draw(true, c) })
		if ours == theirs || !strings.Contains(ours, "<path") {
			t.Errorf("a %s of the enemy is drawn as our own", what)
		}
	}
	// A main road is a line within a line, as nothing of a side is.
	d := drawingOf(&view.View{Board: plainBoard(t, b.Grid, func(b *board.Board) { b.Roads = []board.Road{{Kind: "main road", Path: []hex.Hex{202, 203, 204}}} })}, Options{})
	d.drawRoads(d.c)
	last := d.c.ops[len(d.c.ops)-1]
	for _, o := range d.c.ops {
		if o.kind == opStroke && len(o.path.v) > 0 {
			last = o
		}
	}
	if last.ink != roadCore {
		t.Errorf("the core of a main road is %v", last.ink)
	}
}

func TestColoursOfNations(t *testing.T) {
	for _, c := range []struct{ name, side, want string }{
		{"German", "SOVIET", "German"}, {"German SS", "", "German"}, {"GERMAN", "", "German"}, {"Martian", "SOVIET", "Soviet"}, {"", "axis", "Axis"},
	} {
		if got := nationOf(c.name, c.side); got != nations[c.want] {
			t.Errorf("%q of %q is not %s", c.name, c.side, c.want)
		}
	}
	if got := nationOf("Martian", "Mars"); got != nationOf("", "") {
		t.Errorf("the neutral colour is %v", got)
	}
	for _, n := range nationOrder {
		if _, ok := nations[n]; !ok {
			t.Errorf("%s has no colours", n)
		}
	}
	for in, want := range map[string]string{"": "", "a": "A", "SOVIET": "Soviet", "german": "German"} {
		if got := title(in); got != want {
			t.Errorf("%q is spelled %q", in, got)
		}
	}
}

// played are the pictures of an animation as they are seen, one painted on the other.
func played(t *testing.T, g *gif.GIF) []*image.RGBA {
	t.Helper()
	var out []*image.RGBA
	now := image.NewRGBA(image.Rect(0, 0, g.Config.Width, g.Config.Height))
	for _, frame := range g.Image {
		b := frame.Bounds()
		for y := b.Min.Y; y < b.Max.Y; y++ {
			for x := b.Min.X; x < b.Max.X; x++ {
				if c := color.RGBAModel.Convert(frame.At(x, y)).(color.RGBA); c.A > 0 {
					now.SetRGBA(x, y, c)
				}
			}
		}
		shot := image.NewRGBA(now.Bounds())
		copy(shot.Pix, now.Pix)
		out = append(out, shot)
	}
	return out
}

func TestAnimationShowsEveryPicture(t *testing.T) {
	v := smallView(t)
	o := Options{Scale: 30, Bare: true}
	pics := []*Picture{Render(v, o)}
	v.Units[0].Hex = 303
	pics = append(pics, Render(v, o), Render(v, o))
	v.Units, v.Enemy, v.Turn = nil, nil, 4
	pics = append(pics, Render(v, o))
	var b bytes.Buffer
	if err := Animate(&b, pics, 20); err != nil {
		t.Fatal(err)
	}
	g, err := gif.DecodeAll(&b)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(g.Delay); got != "[20 20 20 100]" {
		t.Errorf("the pictures stay for %s", got)
	}
	w, h := pics[0].Size()
	if g.Image[1].Bounds().Dx()*g.Image[1].Bounds().Dy() > w*h/2 {
		t.Errorf("of the second picture %v is stored", g.Image[1].Bounds())
	}
	if g.Image[2].Bounds().Dx() != 1 || g.Image[2].Bounds().Dy() != 1 {
		t.Errorf("of an equal picture %v is stored", g.Image[2].Bounds())
	}
	for i, shown := range played(t, g) {
		want := pics[i].paletted()
		wrong := 0
		for y := range h {
			for x := range w {
				a, c := shown.RGBAAt(x, y), color.RGBAModel.Convert(want.At(x, y)).(color.RGBA)
				if a != c && dist(a.R, c.R)+dist(a.G, c.G)+dist(a.B, c.B) > 60 {
					wrong++
				}
			}
		}
		if wrong > 0 {
			t.Errorf("%d pixels of picture %d are wrong", wrong, i+1)
		}
	}
}

// The layers of boards are kept, the last used ones longest, within the room for them.
func TestKeptLayersOfBoards(t *testing.T) {
	b := oneHex(t, "clear")
	before := keep
	defer func() { keep = before }()
	get := func(salt int) *base { return baseOf(baseKey{b: b, scale: 40 + float64(salt)/10000}) }
	first := get(1)
	keep = 6 * first.size()
	for i := range 5 {
		get(50 + i)
	}
	if get(1) != first {
		t.Error("a layer that is used again is drawn again")
	}
	for i := range 5 {
		get(70 + i)
	}
	if get(1) != first {
		t.Error("the last used layer is not kept")
	}
	for i := range 6 {
		get(90 + i)
	}
	if get(1) == first {
		t.Error("more layers are kept than there is room for")
	}
	bases.Lock()
	sum := 0
	for _, n := range bases.all {
		sum += n.size()
	}
	if bases.size > keep || sum != bases.size || len(bases.keys) != len(bases.all) {
		t.Errorf("%d keys, %d layers of %d bytes, counted as %d; there is room for %d", len(bases.keys), len(bases.all), sum, bases.size, keep)
	}
	bases.Unlock()
	keep = 1
	get(1000)
	if get(1000); len(bases.keys) != 1 {
		t.Error("one that is larger than the room is not kept for its picture")
	}
}

// Text of a PDF can be searched: the words of the map stand in it.
func TestPDFKeepsItsShapes(t *testing.T) {
	b := oneHex(t, "clear")
	var bare, full bytes.Buffer
	if err := Render(&view.View{Board: b}, Options{Scale: 30}).PDF(&bare); err != nil {
		t.Fatal(err)
	}
	v := &view.View{Board: b, Side: "GERMAN", Units: []view.Unit{{Hex: 202, Type: "INF", Attack: 4, Defence: 4, Moves: 5}}}
	marks := []Mark{{Kind: MarkRetreat, From: 101, To: 202, Side: "GERMAN"}, {Kind: MarkCombat, To: 202, Label: "1"}}
	if err := Render(v, Options{Scale: 30, Marks: marks}).PDF(&full); err != nil {
		t.Fatal(err)
	}
	if full.Len() < bare.Len()+200 || bytes.Contains(full.Bytes(), []byte("/Subtype /Image")) {
		t.Errorf("%d bytes without, %d with a counter", bare.Len(), full.Len())
	}
}
