package chart

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"fieldpost/adjudicator/hex"
)

// The sheets of a printed map hold every point of it; neighbours share a strip.
func TestSheetsOfPaperHoldTheMap(t *testing.T) {
	for name, on := range Papers {
		for _, size := range []pt{{200, 300}, {539, 785}, {540, 786}, {1500, 900}, {3000, 3000}} {
			parts := on.parts(size)
			area := 0.0
			for i, p := range parts {
				if p.X1-p.X0 > on.wide-2*printMargin+1e-6 || p.Y1-p.Y0 > on.high-2*printMargin+1e-6 || p.X1 <= p.X0 || p.Y1 <= p.Y0 {
					t.Errorf("%s, %v: sheet %d is %v", name, size, i, p)
				}
				if d := p.area() - parts[0].area(); d > 1 || d < -1 {
					t.Errorf("%s, %v: sheet %d is not as large as the first", name, size, i)
				}
				area += p.area()
				for k, q := range parts[:i] {
					if p.Y0 == q.Y0 && p.X0 > q.X0 && p.X0 < q.X1 && q.X1-p.X0 < printOverlap-1e-6 {
						t.Errorf("%s, %v: sheets %d and %d share %v", name, size, k, i, q.X1-p.X0)
					}
				}
			}
			for x := 0.5; x < size.X; x += size.X / 37 {
				for y := 0.5; y < size.Y; y += size.Y / 37 {
					held := false
					for _, p := range parts {
						held = held || p.holds(pt{x, y})
					}
					if !held {
						t.Fatalf("%s, %v: %v,%v is on no sheet", name, size, x, y)
					}
				}
			}
			if least := size.X * size.Y; area < least {
				t.Errorf("%s, %v: the sheets hold %v of %v", name, size, area, least)
			}
		}
	}
}

// A printed map is a PDF of its sheets, the same each time.
func TestPrint(t *testing.T) {
	p := Render(smallView(t), Options{Scale: 160, Marks: smallMarks, Paper: true})
	var first, again bytes.Buffer
	if err := p.Print(&first, Papers["a4"]); err != nil {
		t.Fatal(err)
	}
	if err := p.Print(&again, Papers["a4"]); err != nil || !bytes.Equal(first.Bytes(), again.Bytes()) {
		t.Errorf("printed twice it differs: %v", err)
	}
	w, h := p.Size()
	size := pt{float64(w), float64(h)}.mul(pdfPixel)
	upright, across := Papers["a4"].parts(size), Paper{Papers["a4"].high, Papers["a4"].wide}.parts(size)
	if got, want := strings.Count(first.String(), "/Type /Page\n"), min(len(upright), len(across)); got != want || want < 2 {
		t.Errorf("%d pages, not %d", got, want)
	}
}

// White paper has no tints: what they say is hatched, and what is hatched differs.
func TestPaperIsWhite(t *testing.T) {
	p := Render(smallView(t), Options{Marks: smallMarks, Paper: true})
	for _, o := range append(append([]op{}, p.base.ops...), p.ops...) {
		c := o.ink
		if c.A = 255; o.kind == opFill && unprinted[c] {
			t.Errorf("a tint is left: %v", c)
		}
		for name, n := range nations {
			if o.kind == opFill && o.ink == n.face {
				t.Errorf("a counter of %s has its colour", name)
			}
		}
	}
	seen := map[string]ground{}
	l := newLayout(plainBoard(t, hex.Grid{ColMin: 1, ColMax: 3, RowMin: 1, RowMax: 3}, nil), 48, Frame{})
	for g := range grounds {
		var s [grounds]map[hex.Hex]bool
		s[g] = map[hex.Hex]bool{202: true}
		c := &canvas{}
		l.drawHatching(c, s)
		if len(c.ops) < 3 {
			continue // a sign of its own says it
		}
		lines := c.ops[1].path.p
		form := fmt.Sprintf("%d %.1f", len(lines), lines[1].sub(lines[0]).unit())
		if other, ok := seen[form]; ok {
			t.Errorf("%v is hatched as %v", g, other)
		}
		seen[form] = g
		for _, at := range lines {
			if !l.shape(202, 1).bounds().grow(0.1).holds(at) {
				t.Errorf("a line of the hatching of %v ends at %v, outside of its hex", g, at)
			}
		}
	}
	if len(seen) < 6 {
		t.Errorf("%d kinds of ground are hatched", len(seen))
	}
}
