package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
)

// Layer is something that is drawn over the printed map.
type Layer string

// The layers of a position. All but the last three are drawn unless Options says
// otherwise.
const (
	LayerUnits      Layer = "units"
	LayerFront      Layer = "front" // the line between areas of control
	LayerForts      Layer = "forts"
	LayerBridges    Layer = "bridges" // blown or built since the map was printed
	LayerNames      Layer = "names"
	LayerObjectives Layer = "objectives"
	LayerArrows     Layer = "arrows" // what happened: moves, combats, retreats
	LayerRanges     Layer = "ranges" // how far headquarters command, where the view says so
	LayerZones      Layer = "zoc"    // zones of control, from Options.Zones
	LayerSight      Layer = "sight"  // what the side looks at, from Options.Sight
	LayerSupply     Layer = "supply" // where the side's lines of supply lead, from Options.Supply
)

// usual are the layers of a map for which none are named.
var usual = []Layer{LayerUnits, LayerFront, LayerForts, LayerBridges, LayerNames, LayerObjectives, LayerArrows, LayerRanges}

// AllLayers is the list of every layer, as ParseLayers reads it.
const AllLayers = "all"

// ParseLayers reads a list such as "units,front"; "all" is every layer, "zoc"
// after a plus sign ("+zoc") is added to the usual ones, and "-arrows" is taken
// from them.
func ParseLayers(text string) ([]Layer, error) {
	every := append(slices.Clone(usual), LayerZones, LayerSight, LayerSupply)
	switch strings.ToLower(text) {
	case "":
		return nil, nil
	case AllLayers:
		return every, nil
	}
	var out []Layer
	for i, w := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		name := Layer(strings.ToLower(strings.TrimLeft(w, "+-")))
		if !slices.Contains(every, name) {
			return nil, fmt.Errorf("no layer %q: there are %s", name, listed(every))
		}
		if w[0] == '+' || w[0] == '-' {
			if i == 0 {
				out = slices.Clone(usual)
			}
			out = slices.DeleteFunc(out, func(l Layer) bool { return l == name })
			if w[0] == '-' {
				continue
			}
		}
		out = append(out, name)
	}
	return out, nil
}

func listed(all []Layer) string {
	words := make([]string, len(all))
	for i, l := range all {
		words[i] = string(l)
	}
	return strings.Join(words, ", ")
}

// has tells whether a layer is drawn.
func (d *drawing) has(l Layer) bool {
	if d.o.Layers == nil {
		return slices.Contains(usual, l)
	}
	return slices.Contains(d.o.Layers, l)
}

// drawCutOff rules the ground to which no line of supply leads with level strokes, and rings the
// hexes of own units that are out of supply.
func (d *drawing) drawCutOff() {
	if d.o.Supply == nil {
		return
	}
	d.c.group("supply")
	reached := map[hex.Hex]bool{}
	for _, h := range d.o.Supply {
		reached[h] = true
	}
	sc, strokes := d.scale(), &path{}
	for _, h := range d.hexes(d.shown) {
		if reached[h] {
			continue
		}
		m := d.centre(h)
		for _, y := range []float64{-0.3, -0.1, 0.1, 0.3} {
			half := sc * (0.44 - math.Abs(y)*0.55)
			strokes.move(m.add(pt{-half, sc * y})).line(m.add(pt{half, sc * y}))
		}
	}
	if len(strokes.v) > 0 {
		d.c.stroke(strokes, max(1, sc*0.03), alpha(shadow, 105))
	}
	ringed := map[hex.Hex]bool{}
	for _, u := range d.v.Units {
		if u.OutOfSupply > 0 && d.shown(u.Hex) && !ringed[u.Hex] {
			ringed[u.Hex] = true
			d.c.stroke(d.shape(u.Hex, 0.93), max(2, sc*0.06), alarm)
		}
	}
	d.c.end()
}

// drawControlZones hatches the hexes that zones of control cover, each side's in its
// colour and direction, so that both show where they meet.
func (d *drawing) drawControlZones() {
	d.c.group("zoc")
	sc := d.scale()
	for i, z := range d.o.Zones {
		col := alpha(nationOf("", z.Side).line, 150)
		p := &path{}
		for _, h := range z.Hexes {
			if !d.shown(h) {
				continue
			}
			m := d.centre(h)
			for k := -1; k <= 1; k++ {
				off := pt{float64(k) * sc * 0.2, 0}
				a, b := pt{-sc * 0.11, sc * 0.19}, pt{sc * 0.11, -sc * 0.19}
				if i%2 == 1 {
					a.X, b.X = -a.X, -b.X
				}
				p.move(m.add(off).add(a)).line(m.add(off).add(b))
			}
		}
		if len(p.v) > 0 {
			d.c.stroke(p, max(1, sc*0.035), col)
		}
	}
	d.c.end()
}
