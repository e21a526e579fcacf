package chart

import (
	"fmt"
	"slices"
	"strings"
)

// Layer is something that is drawn over the printed map.
type Layer string

// The layers of a position. All but the last two are drawn unless Options says
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
)

// usual are the layers of a map for which none are named.
var usual = []Layer{LayerUnits, LayerFront, LayerForts, LayerBridges, LayerNames, LayerObjectives, LayerArrows, LayerRanges}

// AllLayers is the list of every layer, as ParseLayers reads it.
const AllLayers = "all"

// ParseLayers reads a list such as "units,front"; "all" is every layer, "zoc"
// after a plus sign ("+zoc") is added to the usual ones, and "-arrows" is taken
// from them.
func ParseLayers(text string) ([]Layer, error) {
	every := append(slices.Clone(usual), LayerZones, LayerSight)
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
