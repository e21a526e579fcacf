package chart

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"
)

// element is one of a picture as a program reads it.
type element struct {
	id, hex, unit, title string
	within               []string // the ids of the groups around it
}

// elements reads an SVG.
func elements(t *testing.T, text string) []element {
	t.Helper()
	var out []element
	var open []int
	var last string
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		switch x := tok.(type) {
		case xml.StartElement:
			e := element{}
			for _, i := range open {
				if out[i].id != "" {
					e.within = append(e.within, out[i].id)
				}
			}
			for _, a := range x.Attr {
				switch a.Name.Local {
				case "id":
					e.id = a.Value
				case "data-hex":
					e.hex = a.Value
				case "data-unit":
					e.unit = a.Value
				}
			}
			last = x.Name.Local
			open = append(open, len(out))
			out = append(out, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if n := len(open); n > 1 && last == "title" && strings.TrimSpace(string(x)) != "" {
				out[open[n-2]].title += string(x)
			}
		}
	}
}

// A program finds in the SVG every own unit by its id, every stack by its hex and in words,
// and the printed map apart from what stands on it.
func TestSVGForPrograms(t *testing.T) {
	v, o := layersView(t)
	for _, scale := range []float64{30, 60} {
		o.Scale = scale
		units, hexes, groups := map[string]bool{}, map[string]string{}, map[string]bool{}
		for _, e := range elements(t, svgOf(t, v, o)) {
			groups[e.id] = true
			if e.unit != "" {
				units[e.unit] = true
			}
			if e.hex != "" && hexes[e.hex] == "" {
				hexes[e.hex] = e.title
			}
			if e.hex != "" && (len(e.within) == 0 || e.within[0] != "position") {
				t.Errorf("at %v %s lies in %q", scale, e.hex, e.within)
			}
		}
		if !groups["board"] || !groups["position"] {
			t.Errorf("at %v the board is not apart", scale)
		}
		if !units["a"] || !units["c"] || scale == 60 && !units["b"] {
			t.Errorf("at %v the units are %v", scale, units)
		}
		for hex, want := range map[string]string{"0202": "0202: 294, infantry, 4-5; HQ, headquarters, 8", "0601": "0601: unknown enemy", "0403": "0403: armour, 2 steps"} {
			if hexes[hex] != want {
				t.Errorf("at %v %s is %q", scale, hex, hexes[hex])
			}
		}
	}
}
