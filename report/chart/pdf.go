package chart

import (
	"fmt"
	"io"
	"math"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/goregular"

	"fieldpost/adjudicator/hex"
)

// pdfPixel is the width of a pixel of the picture on the paper, in points: a hex
// of the usual size is 33 points wide.
const pdfPixel = 0.75

// pdfStyles name the typefaces in the library's words.
var pdfStyles = [fonts]string{regular: "", bold: "B", italic: "I"}

// PDF writes the picture as a PDF of one page, as large as the picture: shapes
// stay shapes and text can be searched. The same picture gives the same bytes.
func (p *Picture) PDF(w io.Writer) error {
	wide, high := p.Size()
	d := newPDF(pt{float64(wide), float64(high)}.mul(pdfPixel))
	d.AddPage()
	d.paint(p.base.ops)
	d.paint(p.ops)
	return d.Output(w)
}

// newPDF is a PDF without pages, which are of a size in points.
func newPDF(size pt) *pdfPage {
	f := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: size.X, Ht: size.Y}})
	f.SetCreationDate(time.Unix(0, 0).UTC()) // a map has no clock
	f.SetModificationDate(time.Unix(0, 0).UTC())
	f.SetCatalogSort(true)
	f.SetMargins(0, 0, 0)
	f.SetAutoPageBreak(false, 0)
	for i, ttf := range [fonts][]byte{goregular.TTF, gobold.TTF, goitalic.TTF} {
		f.AddUTF8FontFromBytes("Go", pdfStyles[i], ttf)
	}
	return &pdfPage{f}
}

// Paper is a size of paper that a map is printed on, in points, upright.
type Paper struct{ wide, high float64 }

// Papers are the sizes that there are.
var Papers = map[string]Paper{"a4": {595.28, 841.89}, "a3": {841.89, 1190.55}}

// Measures of a printed sheet in points: what printers leave white, and what a sheet repeats
// of the next one, to be glued.
const (
	printMargin  = 28
	printOverlap = 24
	cutMark      = 14
)

// Print writes the picture as a PDF of sheets of paper, as few as hold it, upright or across.
// Each repeats a strip of the next ones; marks say where to cut.
func (p *Picture) Print(w io.Writer, on Paper) error {
	wide, high := p.Size()
	size := pt{float64(wide), float64(high)}.mul(pdfPixel)
	sheets := on.parts(size)
	if across := (Paper{on.high, on.wide}); len(across.parts(size)) < len(sheets) {
		on, sheets = across, across.parts(size)
	}
	d := newPDF(pt{on.wide, on.high})
	for i, s := range sheets {
		d.AddPage()
		d.TransformBegin()
		d.ClipRect(printMargin, printMargin, s.X1-s.X0, s.Y1-s.Y0, false)
		d.TransformTranslate(printMargin-s.X0, printMargin-s.Y0)
		window := box{s.X0 / pdfPixel, s.Y0 / pdfPixel, s.X1 / pdfPixel, s.Y1 / pdfPixel}
		d.paint(within(p.base.ops, window))
		d.paint(within(p.ops, window))
		d.ClipEnd()
		d.TransformEnd()
		d.SetFontSize(1)
		d.cutMarks(box{printMargin, printMargin, printMargin + s.X1 - s.X0, printMargin + s.Y1 - s.Y0}, s, size)
		note := fmt.Sprintf("sheet %d of %d", i+1, len(sheets))
		d.paint([]op{{kind: opText, text: note, at: pt{printMargin + 12, printMargin - 10}.mul(1 / pdfPixel), size: 10, ink: ink}})
	}
	return d.Output(w)
}

// parts are the parts of a picture of a size, in points, that go on the sheets.
func (on Paper) parts(size pt) []box {
	room := pt{on.wide - 2*printMargin, on.high - 2*printMargin}
	count := func(length, room float64) int {
		return max(1, int(math.Ceil((length-printOverlap)/(room-printOverlap))))
	}
	var out []box
	for r := range count(size.Y, room.Y) {
		for c := range count(size.X, room.X) {
			x, y := float64(c)*(room.X-printOverlap), float64(r)*(room.Y-printOverlap)
			out = append(out, box{x, y, min(x+room.X, size.X), min(y+room.Y, size.Y)})
		}
	}
	return out
}

// cutMarks draws, around the part of the picture on a sheet, where to cut: in the middle of
// the strip that the next sheet has as well, at the picture's edge elsewhere.
func (d *pdfPage) cutMarks(at, part box, size pt) {
	cut := at
	const half = printOverlap / 2.0
	if part.X0 > 0 {
		cut.X0 += half
	}
	if part.Y0 > 0 {
		cut.Y0 += half
	}
	if part.X1 < size.X {
		cut.X1 -= half
	}
	if part.Y1 < size.Y {
		cut.Y1 -= half
	}
	marks := &path{}
	for _, x := range []float64{cut.X0, cut.X1} {
		marks.move(pt{x, at.Y0 - 2}).line(pt{x, at.Y0 - cutMark}).move(pt{x, at.Y1 + 2}).line(pt{x, at.Y1 + cutMark})
	}
	for _, y := range []float64{cut.Y0, cut.Y1} {
		marks.move(pt{at.X0 - 2, y}).line(pt{at.X0 - cutMark, y}).move(pt{at.X1 + 2, y}).line(pt{at.X1 + cutMark, y})
	}
	for i := range marks.p {
		marks.p[i] = marks.p[i].mul(1 / pdfPixel)
	}
	d.paint([]op{{kind: opStroke, path: marks, width: 0.7, ink: ink, butt: true}})
}

// within leaves away what lies outside of a window.
func within(ops []op, window box) []op {
	var out []op
	for _, o := range ops {
		if o.path == nil || o.path.bounds().grow(o.width).meets(window) {
			out = append(out, o)
		}
	}
	return out
}

// unprinted are the tints that white paper does without: what they say is hatched.
var unprinted = map[shade]bool{paper: true, clearLand: true, offMap: true, hillLow: true, hillHigh: true, woodGround: true, orchard: true,
	marsh: true, urban: true, roadCore: true, mainCase: true, zoneTint: true, treeLight: true}

// onPaper is a display list for white paper: without tints, the counters white.
func onPaper(ops []op) []op {
	plain := func(c shade) shade {
		bare := c
		if bare.A = 255; unprinted[bare] {
			return alpha(white, c.A)
		}
		return c
	}
	blank := map[shade]bool{woodEdge: true}
	for _, n := range nations {
		for _, c := range []shade{n.face, n.box, blend(n.face, paper, 150), blend(n.box, paper, 128), blend(n.face, paper, 120)} {
			blank[c] = true
		}
	}
	out := make([]op, len(ops))
	for i, o := range ops {
		o.ink, o.halo = plain(o.ink), plain(o.halo)
		bare := o.ink
		bare.A = 255
		if o.kind == opFill && blank[bare] {
			o.ink = white
		}
		if o.kind == opFill && bare == shadow {
			o.ink.A = 0
		}
		out[i] = o
	}
	return out
}

// hatch draws lines over hexes, at an angle, so many to a hex, clipped to their shapes.
func (l *layout) hatch(c *canvas, set map[hex.Hex]bool, angle float64, lines int) {
	p := &path{}
	sin, cos := math.Sincos(angle)
	dir := pt{cos, sin}
	for _, h := range sorted(set) {
		var corners [6]pt
		for i := range corners {
			corners[i] = l.at(l.corner(h, i))
		}
		m := l.centre(h)
		step := l.scale() / float64(lines)
		// The lines of all hexes lie on one raster.
		first := math.Ceil((m.X*-sin + m.Y*cos - l.scale()) / step)
		for k := range 2*lines + 1 {
			off := (first + float64(k)) * step
			var ends []pt
			for i, a := range corners {
				b := corners[(i+1)%6]
				da, db := a.X*-sin+a.Y*cos-off, b.X*-sin+b.Y*cos-off
				if da*db < 0 {
					ends = append(ends, a.mix(b, da/(da-db)))
				}
			}
			if len(ends) == 2 && ends[1].sub(ends[0]).len() > 1 {
				if d := ends[1].sub(ends[0]); d.X*dir.X+d.Y*dir.Y < 0 {
					ends[0], ends[1] = ends[1], ends[0]
				}
				p.move(ends[0]).line(ends[1])
			}
		}
	}
	if len(p.v) > 0 {
		c.stroke(p, max(0.6, l.scale()*0.012), neutral)
	}
}

// drawHatching says on white paper what tints say elsewhere.
func (l *layout) drawHatching(c *canvas, s [grounds]map[hex.Hex]bool) {
	c.group("hatching")
	for _, of := range []struct {
		g     ground
		angle float64
		lines int
	}{{forest, math.Pi / 4, 5}, {thicket, math.Pi / 4, 9}, {hills, -math.Pi / 4, 4}, {swamp, 0, 6}, {lake, 0, 10}, {city, math.Pi / 2, 6}, {orchards, math.Pi / 2, 4}} {
		l.hatch(c, s[of.g], of.angle, of.lines)
	}
	c.end()
}

// pdfPage is the PDF back end: it writes a display list on a page.
type pdfPage struct{ *fpdf.Fpdf }

func (d *pdfPage) paint(ops []op) {
	for i := range ops {
		o := &ops[i]
		switch o.kind {
		case opFill:
			d.ink(o.ink)
			d.trace(o.path)
			d.DrawPath("F")
		case opStroke:
			d.line(o.ink, o.width, !o.butt, o.dash)
			d.trace(o.path)
			d.DrawPath("D")
		case opText:
			d.text(o)
		case opClip:
			c := o.clip
			d.ClipRect(c.X0*pdfPixel, c.Y0*pdfPixel, (c.X1-c.X0)*pdfPixel, (c.Y1-c.Y0)*pdfPixel, false)
		case opFree:
			d.ClipEnd()
			d.SetFontSize(1) // the end of a clip forgets the font, which the library does not notice
		}
	}
}

func (d *pdfPage) ink(c shade) {
	d.SetAlpha(float64(c.A)/255, "Normal")
	d.SetFillColor(int(c.R), int(c.G), int(c.B))
}

func (d *pdfPage) line(c shade, width float64, round bool, dash []float64) {
	d.SetAlpha(float64(c.A)/255, "Normal")
	d.SetDrawColor(int(c.R), int(c.G), int(c.B))
	d.SetLineWidth(width * pdfPixel)
	cut, join := "butt", "miter"
	if round {
		cut, join = "round", "round"
	}
	d.SetLineCapStyle(cut)
	d.SetLineJoinStyle(join)
	var scaled []float64
	for _, v := range dash {
		scaled = append(scaled, v*pdfPixel)
	}
	d.SetDashPattern(scaled, 0)
}

// trace writes the segments of a path.
func (d *pdfPage) trace(a *path) {
	at := func(i int) (x, y float64) { return a.p[i].X * pdfPixel, a.p[i].Y * pdfPixel }
	i := 0
	for _, v := range a.v {
		switch v {
		case 'M':
			d.MoveTo(at(i))
			i++
		case 'L':
			d.LineTo(at(i))
			i++
		case 'Q':
			cx, cy := at(i)
			x, y := at(i + 1)
			d.CurveTo(cx, cy, x, y)
			i += 2
		case 'C':
			cx, cy := at(i)
			dx, dy := at(i + 1)
			x, y := at(i + 2)
			d.CurveBezierCubicTo(cx, cy, dx, dy, x, y)
			i += 3
		case 'Z':
			d.ClosePath()
		}
	}
}

// text writes a line of text, its halo first.
func (d *pdfPage) text(o *op) {
	x, y := o.at.X*pdfPixel, o.at.Y*pdfPixel
	d.SetFont("Go", pdfStyles[o.font], o.size*pdfPixel)
	d.TransformBegin()
	if o.angle != 0 {
		d.TransformRotate(-o.angle*180/math.Pi, x, y)
	}
	if o.halo.A > 0 && o.width > 0 {
		d.line(o.halo, 2*o.width, true, nil)
		d.SetTextRenderingMode(1)
		d.Text(x, y, o.text)
	}
	d.ink(o.ink)
	d.SetTextColor(int(o.ink.R), int(o.ink.G), int(o.ink.B))
	d.SetTextRenderingMode(0)
	d.Text(x, y, o.text)
	d.TransformEnd()
}
