package chart

import (
	"encoding/binary"
	"image"
	"image/draw"
	"math"

	"golang.org/x/image/vector"
)

// painter is the PNG back end: it paints a display list on an image.
type painter struct {
	img  *image.RGBA
	clip image.Rectangle
	ras  vector.Rasterizer
	mask []byte
	src  image.Uniform
}

func newPainter(img *image.RGBA) *painter {
	return &painter{img: img, clip: img.Bounds()}
}

// paint paints the display list from its first to its last entry.
func (p *painter) paint(ops []op) {
	for i := range ops {
		o := &ops[i]
		switch o.kind {
		case opFill:
			for _, a := range apart(o.path) {
				p.fill(a, o.ink)
			}
		case opStroke:
			p.stroke(o)
		case opText:
			p.text(o)
		case opClip:
			p.clip = image.Rect(int(math.Round(o.clip.X0)), int(math.Round(o.clip.Y0)),
				int(math.Round(o.clip.X1)), int(math.Round(o.clip.Y1))).Intersect(p.img.Bounds())
		case opFree:
			p.clip = p.img.Bounds()
		}
	}
}

// stroke paints a line; one that hides what is below it, piece by piece.
func (p *painter) stroke(o *op) {
	lines := strokedLines(o.path, o.dash)
	if o.ink.A < 255 {
		p.fill(strokeLines(lines, o.width, !o.butt), o.ink)
		return
	}
	for _, some := range lineTiles(lines) {
		p.fill(strokeLines(some, o.width, !o.butt), o.ink)
	}
}

// fill fills a path with a colour. The rasteriser works on the rectangle around
// the path only, which keeps the many small shapes of a map cheap.
func (p *painter) fill(a *path, ink shade) {
	if len(a.p) == 0 || ink.A == 0 {
		return
	}
	b := a.bounds()
	r := image.Rect(int(math.Floor(b.X0)), int(math.Floor(b.Y0)), int(math.Ceil(b.X1)), int(math.Ceil(b.Y1)))
	r = r.Intersect(p.clip)
	if r.Empty() {
		return
	}
	if ink.A == 255 && a.plain() {
		p.src.C = ink
		draw.Draw(p.img, r, &p.src, image.Point{}, draw.Src)
		return
	}
	p.ras.Reset(r.Dx(), r.Dy())
	p.ras.DrawOp = draw.Src
	trace(&p.ras, a, pt{float64(-r.Min.X), float64(-r.Min.Y)})
	mask := p.covered(r.Dx(), r.Dy())
	p.ras.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	p.blend(mask, r.Min, ink)
}

// covered is room for how much of each pixel a shape covers, what it holds is of no meaning yet.
func (p *painter) covered(w, h int) *image.Alpha {
	if w*h > cap(p.mask) {
		p.mask = make([]byte, w*h)
	}
	return &image.Alpha{Pix: p.mask[:w*h], Stride: w, Rect: image.Rect(0, 0, w, h)}
}

// blend lays an ink over the picture where a mask covers it. Most of a mask is empty: a road is
// a thin line through the rectangle around it.
func (p *painter) blend(mask *image.Alpha, at image.Point, ink shade) {
	r, g, b, a := ink.RGBA()
	whole := binary.NativeEndian.Uint32([]byte{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), uint8(a >> 8)})
	for y := range mask.Rect.Max.Y {
		row := mask.Pix[y*mask.Stride:][:mask.Stride]
		pix := p.img.Pix[p.img.PixOffset(at.X, at.Y+y):]
		for x := 0; x < len(row); x++ {
			if len(row)-x >= 8 && binary.NativeEndian.Uint64(row[x:]) == 0 {
				x += 7
				continue
			}
			m := uint32(row[x]) * 0x101
			if m == 0 {
				continue
			}
			to := pix[4*x:][:4:4]
			under := 0xffff - a*m/0xffff
			if under == 0 {
				binary.NativeEndian.PutUint32(to, whole)
				continue
			}
			to[0] = mixed(to[0], under, r, m)
			to[1] = mixed(to[1], under, g, m)
			to[2] = mixed(to[2], under, b, m)
			to[3] = mixed(to[3], under, a, m)
		}
	}
}

// mixed is what shows of a pixel's part and of the ink over it, of which m of 0xffff is there.
func mixed(part uint8, under, ink, m uint32) uint8 {
	return uint8((uint32(part)*0x101*under + ink*m) / 0xffff >> 8)
}

// trace hands a path to the rasteriser, moved by off.
func trace(z *vector.Rasterizer, a *path, off pt) {
	f := func(q pt) (float32, float32) { return float32(q.X + off.X), float32(q.Y + off.Y) }
	i := 0
	for _, v := range a.v {
		switch v {
		case 'M':
			z.MoveTo(f(a.p[i]))
			i++
		case 'L':
			z.LineTo(f(a.p[i]))
			i++
		case 'Q':
			cx, cy := f(a.p[i])
			x, y := f(a.p[i+1])
			z.QuadTo(cx, cy, x, y)
			i += 2
		case 'C':
			cx, cy := f(a.p[i])
			dx, dy := f(a.p[i+1])
			x, y := f(a.p[i+2])
			z.CubeTo(cx, cy, dx, dy, x, y)
			i += 3
		case 'Z':
			z.ClosePath()
		}
	}
}

// glyphKey names a letter as it is painted: the size in quarters of a pixel, the
// halo in eighths, the place between two pixels in quarters.
type glyphKey struct {
	font   fontID
	sub    uint8
	size   uint16
	halo   uint16
	letter rune
}

// glyph is the painted letter: its mask and where the mask sits.
type glyph struct {
	mask *image.Alpha
	off  image.Point
}

// text paints a line of text, its halo first.
func (p *painter) text(o *op) {
	if o.angle != 0 {
		p.turned(o)
		return
	}
	typeface.Lock()
	defer typeface.Unlock()
	for pass := range 2 {
		ink, halo := o.ink, 0.0
		if pass == 0 {
			if ink, halo = o.halo, o.width; ink.A == 0 || halo == 0 {
				continue
			}
		}
		x := o.at.X
		y := int(math.Round(o.at.Y))
		p.src.C = ink
		for _, r := range o.text {
			q := int(math.Floor(x*4 + 0.5))
			key := glyphKey{font: o.font, sub: uint8(q & 3), size: uint16(o.size*4 + 0.5), halo: uint16(halo*8 + 0.5), letter: r}
			g := letter(key)
			if g.mask != nil {
				at := image.Pt(q>>2, y).Add(g.off)
				dr := g.mask.Bounds().Add(at).Intersect(p.clip)
				draw.DrawMask(p.img, dr, &p.src, image.Point{}, g.mask, dr.Min.Sub(at), draw.Over)
			}
			x += advance(o.font, r) * o.size
		}
	}
}

// letter is the painted letter from the cache. The caller holds the lock.
func letter(k glyphKey) *glyph {
	read()
	if g, ok := typeface.glyphs[k]; ok {
		return g
	}
	g := &glyph{}
	typeface.glyphs[k] = g
	a := outline(k.font, float64(k.size)/4, k.letter)
	if len(a.p) == 0 {
		return g
	}
	halo := float64(k.halo) / 8
	b := a.bounds().grow(halo + 1)
	g.off = image.Pt(int(math.Floor(b.X0)), int(math.Floor(b.Y0)))
	w, h := int(math.Ceil(b.X1))-g.off.X+1, int(math.Ceil(b.Y1))-g.off.Y
	off := pt{float64(-g.off.X) + float64(k.sub)/4, float64(-g.off.Y)}
	g.mask = image.NewAlpha(image.Rect(0, 0, w, h))
	z := vector.NewRasterizer(w, h)
	trace(z, a, off)
	z.Draw(g.mask, g.mask.Bounds(), image.Opaque, image.Point{})
	if halo > 0 {
		z.Reset(w, h)
		trace(z, strokePath(a, 2*halo, nil, true), off)
		z.Draw(g.mask, g.mask.Bounds(), image.Opaque, image.Point{})
	}
	return g
}

// turned paints a text at an angle, for which nothing is kept.
func (p *painter) turned(o *op) {
	a := outlineText(o)
	if o.halo.A > 0 && o.width > 0 {
		p.fill(strokePath(a, 2*o.width, nil, true), o.halo)
	}
	p.fill(a, o.ink)
}

// outlineText is the shape of a whole line of text at its place and angle.
func outlineText(o *op) *path {
	typeface.Lock()
	defer typeface.Unlock()
	sin, cos := math.Sincos(o.angle)
	out, x := &path{}, 0.0
	for _, r := range o.text {
		g := outline(o.font, o.size, r)
		for i, q := range g.p {
			q.X += x
			g.p[i] = pt{o.at.X + q.X*cos - q.Y*sin, o.at.Y + q.X*sin + q.Y*cos}
		}
		out.join(g)
		x += advance(o.font, r) * o.size
	}
	return out
}
