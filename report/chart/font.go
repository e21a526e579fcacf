package chart

import (
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// fontID is one of the typefaces of the chart.
type fontID uint8

const (
	regular fontID = iota
	bold
	italic
	fonts
)

// typeface is a parsed font with what was asked of it before. One lock guards
// all, for a font's buffer serves one caller at a time.
var typeface struct {
	sync.Mutex
	font    [fonts]*opentype.Font
	buf     sfnt.Buffer
	advance [fonts]map[rune]float64 // in parts of the size
	glyphs  map[glyphKey]*glyph
}

func init() {
	for i, ttf := range [fonts][]byte{goregular.TTF, gobold.TTF, goitalic.TTF} {
		f, err := opentype.Parse(ttf)
		if err != nil {
			panic(err) // the fonts are part of the program
		}
		typeface.font[i] = f
		typeface.advance[i] = map[rune]float64{}
	}
	typeface.glyphs = map[glyphKey]*glyph{}
}

// metric is the size at which widths are measured; they scale, for nothing is hinted.
const metric = 256

// measure is the width of a text in pixels, the same for both back ends.
func measure(f fontID, size float64, s string) float64 {
	typeface.Lock()
	defer typeface.Unlock()
	w := 0.0
	for _, r := range s {
		w += advance(f, r)
	}
	return w * size
}

// advance is a letter's width in parts of the size. The caller holds the lock.
func advance(f fontID, r rune) float64 {
	if w, ok := typeface.advance[f][r]; ok {
		return w
	}
	w := 0.5
	if g, err := typeface.font[f].GlyphIndex(&typeface.buf, r); err == nil {
		if a, err := typeface.font[f].GlyphAdvance(&typeface.buf, g, fixed.I(metric), font.HintingNone); err == nil {
			w = float64(a) / 64 / metric
		}
	}
	typeface.advance[f][r] = w
	return w
}

// outline is the shape of a letter with its base line at the origin, in pixels.
// The caller holds the lock.
func outline(f fontID, size float64, r rune) *path {
	g, err := typeface.font[f].GlyphIndex(&typeface.buf, r)
	if err != nil {
		return &path{}
	}
	segs, err := typeface.font[f].LoadGlyph(&typeface.buf, g, fixed.Int26_6(size*64), nil)
	if err != nil {
		return &path{}
	}
	p := &path{}
	at := func(a fixed.Point26_6) pt { return pt{float64(a.X) / 64, float64(a.Y) / 64} }
	for _, s := range segs {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if len(p.v) > 0 {
				p.close()
			}
			p.move(at(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			p.line(at(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			p.quad(at(s.Args[0]), at(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			p.cube(at(s.Args[0]), at(s.Args[1]), at(s.Args[2]))
		}
	}
	if len(p.v) > 0 {
		p.close()
	}
	return p
}
