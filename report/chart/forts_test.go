package chart

import (
	"math"
	"strings"
	"testing"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// A front lies along the hexsides that its work faces, in the middle of which its face is.
func TestFrontsOfWorks(t *testing.T) {
	d := &drawing{layout: newLayout(smallBoard(t), 44, Frame{})}
	for face := 1; face <= 6; face++ {
		for sides := 1; sides <= 3; sides += 2 {
			line := d.front(view.Fort{Hex: 404, Face: face, Sides: sides}, 0.9)
			if got := len(line.p); got != sides+1 || strings.Contains(string(line.v), "Z") {
				t.Fatalf("face %d of %d sides: %d corners, %s", face, sides, got, line.v)
			}
			var sum pt
			for _, p := range line.p {
				sum = sum.add(p.sub(d.centre(404)))
			}
			sin, cos := math.Sincos(float64(face-1) * math.Pi / 3)
			if off := sum.unit().sub(pt{sin, -cos}).len(); off > 0.02 {
				t.Errorf("face %d of %d sides points to %.2f, not to %.2f %.2f", face, sides, sum.unit(), sin, -cos)
			}
		}
	}
	for _, f := range []view.Fort{{Hex: 404}, {Hex: 404, Face: 2}, {Hex: 404, Face: 2, Sides: 6}} {
		if line := d.front(f, 0.9); len(line.p) != 6 || !strings.HasSuffix(string(line.v), "Z") {
			t.Errorf("%+v is no ring: %s", f, line.v)
		}
	}
}

// Every kind of work is drawn in a way of its own, and the legend of a whole map explains it.
func TestKindsOfWorks(t *testing.T) {
	seen := map[string]string{}
	for kind, word := range map[string]string{"FF": "FF", "IF": "IF", "Trench": "trench", "Bunker": "bunker", "Minefield": "minefield", "Dragon's Teeth": "dragon's teeth"} {
		v := smallView(t)
		v.Enemy, v.Forts = nil, []view.Fort{{Hex: 502, Kind: kind, Face: 3, Sides: 3}}
		picture := svgOf(t, v, Options{Scale: 60, Layers: []Layer{LayerForts}})
		if !strings.Contains(picture, ">"+word+"</text>") {
			t.Errorf("the legend says nothing of %s", word)
		}
		drawn := &canvas{}
		works(drawn, polyline(pt{0, 0}, pt{100, 0}), 44, kind)
		shape := strings.Join([]string{string(drawn.ops[0].path.v), string(rune('0' + len(drawn.ops[0].dash))), string(rune('0' + int(drawn.ops[0].width*10)))}, " ")
		if other := seen[shape]; other != "" {
			t.Errorf("%s is drawn as %s", kind, other)
		}
		seen[shape] = kind
	}
}

// A second work of a hex, and mines around others, lie apart from the first.
func TestWorksOfOneHex(t *testing.T) {
	draw := func(kinds ...string) int {
		v := smallView(t)
		v.Enemy, v.Forts = nil, nil
		for _, k := range kinds {
			v.Forts = append(v.Forts, view.Fort{Hex: 502, Kind: k, Face: 1, Sides: 3})
		}
		lines := map[float64]bool{}
		d := &drawing{layout: newLayout(v.Board, 60, Frame{}), c: &canvas{}, v: v}
		d.drawForts()
		for _, o := range d.c.ops {
			if o.path != nil {
				lines[math.Round(o.path.bounds().Y0)] = true
			}
		}
		return len(lines)
	}
	if two := draw("Trench", "Trench"); two < 3 { // the lines and their teeth
		t.Errorf("two trenches of a hex lie at %d heights", two)
	}
	if one, both := draw("Bunker"), draw("Bunker", "Minefield"); both != one+1 {
		t.Errorf("a bunker lies at %d heights, in mines at %d", one, both)
	}
}

// Pontoons are drawn where they lie, whole and under construction.
func TestPontoons(t *testing.T) {
	v := smallView(t)
	pictures := map[string]bool{svgOf(t, v, Options{}): true}
	for i, p := range []view.Pontoon{{Edge: hex.Edge{A: 102, B: 103}}, {Edge: hex.Edge{A: 102, B: 103}, Done: true}, {Hex: 404}, {Hex: 404, Done: true}} {
		v.Pontoons = []view.Pontoon{p}
		pictures[svgOf(t, v, Options{})] = true
		if len(pictures) != i+2 {
			t.Errorf("%+v is not seen", p)
		}
	}
}

// The sign of a company, alone above its symbol, is as heavy as it must be to be seen.
func TestSizesOfUnits(t *testing.T) {
	for size, want := range map[string]int{"P": 3, "C": 1, "B": 1, "D": 1, "-": 0, "": 0} {
		c := &canvas{}
		drawSize(c, pt{}, size, 4, ink)
		n := 0
		for _, o := range c.ops {
			if o.kind == opFill || o.kind == opStroke && len(o.path.p) > 0 {
				n++
			}
			if size == "C" && o.width < 1.5 {
				t.Errorf("the sign of a company is %.1f wide", o.width)
			}
		}
		if n != want {
			t.Errorf("%q: %d strokes", size, n)
		}
	}
}
