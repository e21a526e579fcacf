//go:build !js

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

// parts are the parts of a picture of a size, in points, that go on the sheets: of equal size,
// so that none is a strip with a column of hexes.
func (on Paper) parts(size pt) []box {
	room := pt{on.wide - 2*printMargin, on.high - 2*printMargin}
	count := func(length, room float64) int {
		return max(1, int(math.Ceil((length-printOverlap)/(room-printOverlap))))
	}
	cols, rows := count(size.X, room.X), count(size.Y, room.Y)
	wide := (size.X + float64(cols-1)*printOverlap) / float64(cols)
	high := (size.Y + float64(rows-1)*printOverlap) / float64(rows)
	var out []box
	for r := range rows {
		for c := range cols {
			x, y := float64(c)*(wide-printOverlap), float64(r)*(high-printOverlap)
			out = append(out, box{x, y, x + wide, y + high})
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
