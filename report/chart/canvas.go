package chart

import (
	"image/color"
	"math"
)

// pt is a point of the picture in pixels, y downwards.
type pt struct{ X, Y float64 }

func (a pt) add(b pt) pt            { return pt{a.X + b.X, a.Y + b.Y} }
func (a pt) sub(b pt) pt            { return pt{a.X - b.X, a.Y - b.Y} }
func (a pt) mul(k float64) pt       { return pt{a.X * k, a.Y * k} }
func (a pt) mix(b pt, k float64) pt { return pt{a.X + (b.X-a.X)*k, a.Y + (b.Y-a.Y)*k} }
func (a pt) len() float64           { return math.Hypot(a.X, a.Y) }

// unit is the direction of a, or nothing for the zero vector.
func (a pt) unit() pt {
	if l := a.len(); l > 1e-9 {
		return pt{a.X / l, a.Y / l}
	}
	return pt{}
}

// left is a turned a quarter to the left as seen on the picture.
func (a pt) left() pt { return pt{a.Y, -a.X} }

// box is a rectangle of the picture.
type box struct{ X0, Y0, X1, Y1 float64 }

// centred is the rectangle that reaches so far from its middle.
func centred(m, half pt) box { return box{m.X - half.X, m.Y - half.Y, m.X + half.X, m.Y + half.Y} }

// cornered is the rectangle between two of its corners.
func cornered(a, b pt) box {
	return box{min(a.X, b.X), min(a.Y, b.Y), max(a.X, b.X), max(a.Y, b.Y)}
}

// nowhere is the rectangle that joined to another is the other.
func nowhere() box { return box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)} }

func (a box) meets(b box) bool {
	return a.X0 < b.X1 && b.X0 < a.X1 && a.Y0 < b.Y1 && b.Y0 < a.Y1
}

// overlap is the common area of two rectangles.
func (a box) overlap(b box) float64 {
	w := min(a.X1, b.X1) - max(a.X0, b.X0)
	h := min(a.Y1, b.Y1) - max(a.Y0, b.Y0)
	if w <= 0 || h <= 0 {
		return 0
	}
	return w * h
}

func (a box) grow(d float64) box { return box{a.X0 - d, a.Y0 - d, a.X1 + d, a.Y1 + d} }

// encloses tells whether all of b lies in a.
func (a box) encloses(b box) bool {
	return b.X0 >= a.X0 && b.X1 <= a.X1 && b.Y0 >= a.Y0 && b.Y1 <= a.Y1
}

func (a box) holds(p pt) bool { return p.X >= a.X0 && p.X <= a.X1 && p.Y >= a.Y0 && p.Y <= a.Y1 }

// path is a sequence of sub-paths: M moves, L line, Q quadratic, C cubic, Z close.
type path struct {
	v []byte
	p []pt
}

func (p *path) move(a pt) *path { p.v = append(p.v, 'M'); p.p = append(p.p, a); return p }
func (p *path) line(a pt) *path { p.v = append(p.v, 'L'); p.p = append(p.p, a); return p }
func (p *path) quad(c, a pt) *path {
	p.v = append(p.v, 'Q')
	p.p = append(p.p, c, a)
	return p
}
func (p *path) cube(c, d, a pt) *path {
	p.v = append(p.v, 'C')
	p.p = append(p.p, c, d, a)
	return p
}
func (p *path) close() *path { p.v = append(p.v, 'Z'); return p }

// join adds the sub-paths of another path.
func (p *path) join(o *path) *path {
	p.v = append(p.v, o.v...)
	p.p = append(p.p, o.p...)
	return p
}

// poly is the closed polygon through the points.
func poly(ps ...pt) *path {
	p := polyline(ps...)
	return p.close()
}

// polyline is the open line through the points.
func polyline(ps ...pt) *path {
	p := &path{}
	for i, a := range ps {
		if i == 0 {
			p.move(a)
		} else {
			p.line(a)
		}
	}
	return p
}

// rect is a rectangle with rounded corners of radius r (0 for sharp ones).
func rect(b box, r float64) *path {
	if r <= 0 {
		return poly(pt{b.X0, b.Y0}, pt{b.X1, b.Y0}, pt{b.X1, b.Y1}, pt{b.X0, b.Y1})
	}
	p := (&path{}).move(pt{b.X0 + r, b.Y0}).line(pt{b.X1 - r, b.Y0}).quad(pt{b.X1, b.Y0}, pt{b.X1, b.Y0 + r})
	p.line(pt{b.X1, b.Y1 - r}).quad(pt{b.X1, b.Y1}, pt{b.X1 - r, b.Y1})
	p.line(pt{b.X0 + r, b.Y1}).quad(pt{b.X0, b.Y1}, pt{b.X0, b.Y1 - r})
	return p.line(pt{b.X0, b.Y0 + r}).quad(pt{b.X0, b.Y0}, pt{b.X0 + r, b.Y0}).close()
}

// chamfered is a rectangle whose corners are cut off.
func chamfered(b box, k float64) *path {
	return poly(pt{b.X0 + k, b.Y0}, pt{b.X1 - k, b.Y0}, pt{b.X1, b.Y0 + k}, pt{b.X1, b.Y1 - k},
		pt{b.X1 - k, b.Y1}, pt{b.X0 + k, b.Y1}, pt{b.X0, b.Y1 - k}, pt{b.X0, b.Y0 + k})
}

// ellipse is an ellipse around c with half axes rx and ry.
func ellipse(c pt, rx, ry float64) *path {
	const k = 0.5522847498 // the cubic that follows a quarter of a circle
	at := func(x, y float64) pt { return pt{c.X + x*rx, c.Y + y*ry} }
	p := (&path{}).move(at(1, 0))
	p.cube(at(1, k), at(k, 1), at(0, 1)).cube(at(-k, 1), at(-1, k), at(-1, 0))
	return p.cube(at(-1, -k), at(-k, -1), at(0, -1)).cube(at(k, -1), at(1, -k), at(1, 0)).close()
}

// circle is a circle of radius r.
func circle(c pt, r float64) *path { return ellipse(c, r, r) }

// star is a star with n points.
func star(c pt, n int, outer, inner float64) *path {
	p := &path{}
	for i := range 2 * n {
		r := outer
		if i%2 == 1 {
			r = inner
		}
		s, co := math.Sincos(float64(i)*math.Pi/float64(n) - math.Pi/2)
		a := pt{c.X + r*co, c.Y + r*s}
		if i == 0 {
			p.move(a)
		} else {
			p.line(a)
		}
	}
	return p.close()
}

// plain tells whether the path is a rectangle whose edges lie between pixels.
func (p *path) plain() bool {
	if string(p.v) != "MLLLZ" {
		return false
	}
	b := p.bounds()
	for _, a := range p.p {
		whole := a.X == math.Trunc(a.X) && a.Y == math.Trunc(a.Y)
		corner := (a.X == b.X0 || a.X == b.X1) && (a.Y == b.Y0 || a.Y == b.Y1)
		if !whole || !corner {
			return false
		}
	}
	return p.p[0] != p.p[2] && p.p[1] != p.p[3]
}

// bounds is the rectangle around all points, control points included.
func (p *path) bounds() box {
	b := nowhere()
	for _, a := range p.p {
		b = box{min(b.X0, a.X), min(b.Y0, a.Y), max(b.X1, a.X), max(b.Y1, a.Y)}
	}
	return b
}

// shade is a colour with opacity.
type shade = color.NRGBA

// rgb reads a colour such as 0xF4EDD6.
func rgb(v uint32) shade { return shade{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 255} }

// alpha is the colour with the opacity, 0 to 255.
func alpha(c shade, a uint8) shade { c.A = a; return c }

// blend goes from a to b, k in 256ths.
func blend(a, b shade, k int) shade {
	f := func(x, y uint8) uint8 { return uint8((int(x)*(256-k) + int(y)*k) / 256) }
	return shade{R: f(a.R, b.R), G: f(a.G, b.G), B: f(a.B, b.B), A: f(a.A, b.A)}
}

type opKind uint8

const (
	opFill opKind = iota
	opStroke
	opText
	opGroup // a named group begins
	opEnd   // and ends
	opClip  // only the rectangle is drawn from here
	opFree  // until here
)

// op is an entry of the display list.
type op struct {
	kind  opKind
	path  *path
	ink   shade
	width float64 // of the stroke, or of the halo of a text
	dash  []float64
	butt  bool
	halo  shade
	text  string
	about about // of a group
	font  fontID
	size  float64
	at    pt // the left end of the base line, or the clip's corner
	angle float64
	clip  box
}

// canvas is a display list in the order of painting.
type canvas struct{ ops []op }

func (c *canvas) fill(p *path, ink shade) {
	c.ops = append(c.ops, op{kind: opFill, path: p, ink: ink})
}

func (c *canvas) stroke(p *path, width float64, ink shade, dash ...float64) {
	c.ops = append(c.ops, op{kind: opStroke, path: p, ink: ink, width: width, dash: dash})
}

// bar is a stroke with flat ends.
func (c *canvas) bar(p *path, width float64, ink shade) {
	c.ops = append(c.ops, op{kind: opStroke, path: p, ink: ink, width: width, butt: true})
}

// dashes are a broken stroke with flat ends.
func (c *canvas) dashes(p *path, width float64, ink shade, dash ...float64) {
	c.ops = append(c.ops, op{kind: opStroke, path: p, ink: ink, width: width, dash: dash, butt: true})
}

// both fills a shape and draws its outline.
func (c *canvas) both(p *path, ink shade, width float64, line shade) {
	c.fill(p, ink)
	c.stroke(p, width, line)
}

// about says of a group what it shows, for programs and for readers that cannot see it.
type about struct {
	hex, unit, title string
}

// groupOf begins a group that shows something; it has no name.
func (c *canvas) groupOf(a about) { c.ops = append(c.ops, op{kind: opGroup, about: a}) }

func (c *canvas) group(name string) { c.ops = append(c.ops, op{kind: opGroup, text: name}) }
func (c *canvas) end()              { c.ops = append(c.ops, op{kind: opEnd}) }
func (c *canvas) clip(b box)        { c.ops = append(c.ops, op{kind: opClip, clip: b}) }
func (c *canvas) free()             { c.ops = append(c.ops, op{kind: opFree}) }

// letters says how a text is set. Anchor is 0 for left, 0.5 for the middle, 1 for right.
type letters struct {
	font   fontID
	size   float64
	ink    shade
	halo   shade
	width  float64 // of the halo
	anchor float64
	angle  float64
}

// text sets a line of text with its base line at p.
func (c *canvas) text(p pt, s string, l letters) {
	if s == "" || l.size <= 0 {
		return
	}
	w := measure(l.font, l.size, s) * l.anchor
	sin, cos := math.Sincos(l.angle)
	c.ops = append(c.ops, op{kind: opText, text: s, at: pt{p.X - w*cos, p.Y - w*sin}, font: l.font, size: l.size,
		ink: l.ink, halo: l.halo, width: l.width, angle: l.angle})
}
