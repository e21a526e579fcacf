package chart

import (
	"bytes"
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"

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

// typeface is what was asked of the fonts before. One lock guards all, for a font's buffer
// serves one caller at a time. They are read when the first letter is painted: whoever only
// writes SVG never needs them.
var typeface struct {
	sync.Mutex
	font   [fonts]*opentype.Font
	buf    sfnt.Buffer
	glyphs map[glyphKey]*glyph
}

// read reads the fonts. The caller holds the lock.
func read() {
	if typeface.glyphs != nil {
		return
	}
	for i, ttf := range [fonts][]byte{goregular.TTF, gobold.TTF, goitalic.TTF} {
		f, err := opentype.Parse(ttf)
		if err != nil {
			panic(err) // the fonts are part of the program
		}
		typeface.font[i] = f
	}
	typeface.glyphs = map[glyphKey]*glyph{}
}

// metric is the size at which widths are measured; they scale, for nothing is hinted.
const metric = 256

// advances.txt has the widths of the letters at that size in sixty-fourths of a pixel, a line
// for each font: of letters that it lacks, and then of runs of letters, the first in
// hexadecimal digits.
//
//go:embed advances.txt
var advances string

// widths are the letters of each font; 0 is any that it lacks.
var widths = sync.OnceValue(func() (out [fonts]map[rune]float64) {
	for i, line := range strings.Split(strings.TrimSpace(advances), "\n") {
		out[i] = map[rune]float64{}
		for run := range strings.SplitSeq(line, " ") {
			first, list, _ := strings.Cut(run, ":")
			letter, _ := strconv.ParseInt(first, 16, 32)
			for width := range strings.SplitSeq(list, ",") {
				n, _ := strconv.Atoi(width)
				out[i][rune(letter)] = float64(n) / 64 / metric
				letter++
			}
		}
	}
	return out
})

// measure is the width of a text in pixels, the same for both back ends.
func measure(f fontID, size float64, s string) float64 {
	w := 0.0
	for _, r := range s {
		w += advance(f, r)
	}
	return w * size
}

// advance is a letter's width in parts of the size.
func advance(f fontID, r rune) float64 {
	of := widths()[f]
	if w, ok := of[r]; ok {
		return w + loose[r]
	}
	return of[0]
}

// loose is how much wider some letters stand than their font has them, in parts of the size:
// in small letters they melt with their neighbours, and names of units are full of them.
var loose = map[rune]float64{'/': 0.09, '.': 0.05, '(': 0.07, ')': 0.09}

// outline is the shape of a letter with its base line at the origin, in pixels.
// The caller holds the lock.
func outline(f fontID, size float64, r rune) *path {
	read()
	g, err := typeface.font[f].GlyphIndex(&typeface.buf, r)
	if err != nil {
		return &path{}
	}
	segs, err := typeface.font[f].LoadGlyph(&typeface.buf, g, fixed.Int26_6(size*64), nil)
	if err != nil {
		return &path{}
	}
	p := &path{}
	left := loose[r] / 2 * size
	at := func(a fixed.Point26_6) pt { return pt{left + float64(a.X)/64, float64(a.Y) / 64} }
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
	if r == '0' {
		return openZero(p, f)
	}
	return p
}

// openZero is a zero without the stroke across it, which in small letters makes it an eight
// or a six.
func openZero(slashed *path, f fontID) *path {
	end := bytes.IndexByte(slashed.v, 'Z')
	if end < 0 || string(slashed.v[:end]) != "M"+strings.Repeat("Q", end-1) {
		return slashed // a font that draws it otherwise
	}
	outer := slashed.p[:2*end-1]
	b := (&path{p: outer}).bounds()
	m := pt{(b.X0 + b.X1) / 2, (b.Y0 + b.Y1) / 2}
	hole := pt{0.58, 0.78} // of the outline
	if f == bold {
		hole = pt{0.38, 0.70}
	}
	out := &path{v: append([]byte{}, slashed.v[:end+1]...), p: append([]pt{}, outer...)}
	out.v = append(out.v, out.v...)
	for _, a := range slices.Backward(outer) { // the hole runs the other way round
		d := a.sub(m)
		out.p = append(out.p, m.add(pt{d.X * hole.X, d.Y * hole.Y}))
	}
	return out
}
