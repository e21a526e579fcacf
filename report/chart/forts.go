package chart

import (
	"slices"
	"strings"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// minefield is the kind of work that lies around the others of its hex.
const minefield = "Minefield"

// forts are the works on the map, in the order of their hexes: those of the view,
// and what is told of enemy stacks where the view lists none.
func (d *drawing) forts() []view.Fort {
	var out []view.Fort
	for _, f := range d.v.Forts {
		if d.shown(f.Hex) {
			out = append(out, f)
		}
	}
	for i := range d.v.Enemy {
		st := &d.v.Enemy[i]
		listed := slices.ContainsFunc(out, func(f view.Fort) bool { return f.Hex == st.Hex })
		if st.Fort != "" && !listed && d.shown(st.Hex) {
			out = append(out, view.Fort{Hex: st.Hex, Kind: st.Fort, Side: st.Side})
		}
	}
	slices.SortStableFunc(out, func(a, b view.Fort) int { return int(a.Hex) - int(b.Hex) })
	return out
}

// drawForts draws works just inside the hexsides that they face: trenches with
// teeth for FF, a broken line for weaker works, a sign of its own for each other
// kind. A second work of a hex lies within the first, mines around the others.
func (d *drawing) drawForts() {
	d.c.group("forts")
	forts := d.forts()
	size := map[hex.Hex]float64{}
	for _, f := range forts {
		if f.Kind == minefield {
			size[f.Hex] = 0.78
		}
	}
	for _, f := range forts {
		k := 0.93
		if f.Kind != minefield {
			if k = size[f.Hex]; k == 0 {
				k = 0.86
			}
			size[f.Hex] = k - 0.1
		}
		d.shows(workSign(f.Kind))
		works(d.c, d.front(f, k), d.scale(), f.Kind)
	}
	d.c.end()
}

// front is the line along the hexsides that a work faces, k times the hex's size:
// the whole ring where it faces all round.
func (d *drawing) front(f view.Fort, k float64) *path {
	if f.Face == 0 || f.Sides == 0 || f.Sides > 5 {
		return d.shape(f.Hex, k)
	}
	c, first := d.centre(f.Hex), f.Face-1-(f.Sides-1)/2+6
	var ps []pt
	for i := range f.Sides + 1 {
		ps = append(ps, c.mix(d.at(d.corner(f.Hex, first+i)), k))
	}
	return polyline(ps...)
}

// works draws a line of works of a kind on a map of that scale, the enemy on its left.
func works(c *canvas, line *path, sc float64, kind string) {
	switch kind {
	case "FF":
		trench(c, line, rampart{max(1.2, sc*0.04), sc * 0.07, fortInk})
	case "Trench":
		trench(c, line, rampart{max(1.2, sc*0.035), sc * 0.06, fortInk})
	case "Bunker":
		c.stroke(line, max(2.4, sc*0.085), fortInk)
	case minefield:
		beads(c, line, sc*0.15, func(m, _ pt) *path { return circle(m, max(1.3, sc*0.034)) })
	case "Dragon's Teeth":
		beads(c, line, sc*0.13, func(m, out pt) *path {
			w := out.left().mul(sc * 0.05)
			return poly(m.sub(w), m.add(out.mul(sc*0.1)), m.add(w))
		})
	default:
		c.stroke(line, max(1.1, sc*0.035), fortInk, sc*0.13, sc*0.09)
	}
}

// beads sets signs along a line, about step apart, each from its place and the
// direction to the line's left.
func beads(c *canvas, line *path, step float64, sign func(m, out pt) *path) {
	all := &path{}
	for _, l := range flatten(line) {
		for i := 1; i < len(l); i++ {
			d := l[i].sub(l[i-1])
			n := max(1, int(d.len()/step+0.5))
			for k := range n {
				all.join(sign(l[i-1].mix(l[i], (float64(k)+0.5)/float64(n)), d.unit().left()))
			}
		}
	}
	c.fill(all, fortInk)
}

// pontoon draws a bridge that troops have laid, over the water of a hexside or in a
// river hex: a plank over boats; only the boats while it is under construction.
func (d *drawing) pontoon(p view.Pontoon) {
	sc := d.scale()
	m, along, half := d.centre(p.Hex).add(pt{0, d.h * 0.72}), pt{1, 0}, sc*0.16
	if p.Edge != (hex.Edge{}) {
		if _, _, ok := d.side(p.Edge); !ok || !d.shown(p.Edge.A) && !d.shown(p.Edge.B) {
			return
		}
		a, b := d.centre(p.Edge.A), d.centre(p.Edge.B)
		m, along, half = a.mix(b, 0.5), b.sub(a).unit(), sc*(riverWidth(d.b.River(p.Edge))/2+0.07)
	} else if !d.shown(p.Hex) {
		return
	}
	d.shows("pontoon")
	crossing{m, along, half, sc}.drawPontoon(d.c, p.Done)
}

func (s crossing) drawPontoon(c *canvas, done bool) {
	m, along, half, sc := s.m, s.along, s.half, s.sc
	across := along.left().mul(sc * 0.1)
	boats := &path{}
	for _, k := range []float64{-0.55, 0, 0.55} {
		at := m.add(along.mul(half * k))
		boats.move(at.sub(across)).line(at.add(across))
	}
	c.stroke(boats, max(2.2, sc*0.07), ink)
	if done {
		plank := polyline(m.sub(along.mul(half)), m.add(along.mul(half)))
		c.stroke(plank, max(3, sc*0.11), ink)
		c.stroke(plank, max(1.6, sc*0.06), mainCase)
	}
}

// fortWord is the name of a kind of work in a legend.
func fortWord(kind string) string {
	if len(kind) <= 3 {
		return kind // an abbreviation of the book
	}
	return strings.ToLower(kind)
}

// drawWorks draws the lines of works that the map prints: inside the hexes that
// they cover, in the colour of their side, with teeth towards the enemy.
func (l *layout) drawWorks(c *canvas) {
	if len(l.b.Works) == 0 {
		return
	}
	c.group("works")
	sc := l.scale()
	for i := range l.b.Works {
		w := &l.b.Works[i]
		pen := rampart{max(1, sc*0.032), sc * 0.075, worksInk(w.Side)}
		for _, ch := range l.facings(w) {
			trench(c, polyline(beside(l.points(ch), sc*0.075)...), pen)
		}
	}
	c.end()
}

// worksInk is the colour of works: that of the side, or of no side.
func worksInk(side string) shade {
	if side == "" {
		return fortInk
	}
	return alpha(nationOf("", side).line, 190)
}

// facings are the hexsides of works as lines with the ground that they cover on the right.
func (l *layout) facings(w *board.Works) [][]vertex {
	next := map[vertex][]vertex{}
	into := map[vertex]int{}
	var starts []vertex
	for _, f := range w.Facing {
		d, ok := l.b.Grid.Direction(f.Hex, f.From)
		if !ok || !l.near(f.Hex) {
			continue
		}
		a, b := l.corner(f.Hex, int(d)), l.corner(f.Hex, int(d)+1)
		next[a] = append(next[a], b)
		into[b]++
		starts = append(starts, a)
	}
	var out [][]vertex
	walk := func(v vertex) {
		line := []vertex{v}
		for len(next[v]) > 0 {
			n := next[v][0]
			next[v] = next[v][1:]
			line, v = append(line, n), n
		}
		if len(line) > 1 {
			out = append(out, line)
		}
	}
	for _, v := range starts {
		for into[v] == 0 && len(next[v]) > 0 {
			walk(v)
		}
	}
	for _, v := range starts {
		for len(next[v]) > 0 {
			walk(v)
		}
	}
	return out
}
