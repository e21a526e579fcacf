package chart

import (
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
	f := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: float64(wide) * pdfPixel, Ht: float64(high) * pdfPixel}})
	f.SetCreationDate(time.Unix(0, 0).UTC()) // a map has no clock
	f.SetModificationDate(time.Unix(0, 0).UTC())
	f.SetCatalogSort(true)
	f.SetMargins(0, 0, 0)
	f.SetAutoPageBreak(false, 0)
	for i, ttf := range [fonts][]byte{goregular.TTF, gobold.TTF, goitalic.TTF} {
		f.AddUTF8FontFromBytes("Go", pdfStyles[i], ttf)
	}
	f.AddPage()
	d := &pdfPage{f}
	d.paint(p.base.ops)
	d.paint(p.ops)
	return f.Output(w)
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
