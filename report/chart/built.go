package chart

import (
	"math"
	"slices"

	"fieldpost/adjudicator/hex"
)

// drawBuilt draws cities, towns and villages.
func (l *layout) drawBuilt(c *canvas, s [grounds]map[hex.Hex]bool) {
	c.group("places")
	sc := l.scale()
	if len(s[city]) > 0 {
		edge := l.area(s[city], 0.06)
		c.both(edge, urban, max(1, sc*0.03), urbanEdge)
		for _, h := range sorted(s[city]) {
			l.blocks(c, h)
		}
	}
	for _, h := range sorted(s[town]) {
		m := l.centre(h)
		c.both(ellipse(m, sc*0.27, sc*0.24), urban, max(0.8, sc*0.02), urbanEdge)
		l.houses(c, h, 8, sc*0.17, sc*0.082)
	}
	for _, h := range sorted(s[village]) {
		l.houses(c, h, 5, sc*0.13, sc*0.075)
	}
	c.end()
}

// blocks fills a hex of a city with built-up blocks between streets.
func (l *layout) blocks(c *canvas, h hex.Hex) {
	sc, m := l.scale(), l.centre(h)
	sin, cos := math.Sincos((chance(h, 7) - 0.5) * 0.5)
	turn := func(a pt) pt { return m.add(pt{a.X*cos - a.Y*sin, a.X*sin + a.Y*cos}.mul(sc)) }
	p := &path{}
	for i := range 16 {
		x, y := float64(i%4)*0.19-0.285, float64(i/4)*0.18-0.27
		if math.Abs(x) > 0.2 && math.Abs(y) > 0.2 || hash(h, i)%7 == 0 {
			continue
		}
		w, t := 0.072+0.012*chance(h, i+20), 0.066+0.014*chance(h, i+40)
		p.join(poly(turn(pt{x - w, y - t}), turn(pt{x + w, y - t}), turn(pt{x + w, y + t}), turn(pt{x - w, y + t})))
	}
	c.fill(p, block)
}

// houses draws n small houses in a ring around the middle of a hex.
func (l *layout) houses(c *canvas, h hex.Hex, n int, ring, size float64) {
	m := l.centre(h)
	p := &path{}
	for i := range n {
		s, co := math.Sincos(2*math.Pi*float64(i)/float64(n) + chance(h, 3))
		a := m.add(pt{co * ring, s * ring * 0.85})
		w, t := size/2*(0.8+0.4*chance(h, i)), size/2*(0.8+0.4*chance(h, i+9))
		p.join(rect(box{a.X - w, a.Y - t, a.X + w, a.Y + t}, 0))
	}
	if n > 5 {
		p.join(rect(box{m.X - size*0.55, m.Y - size*0.55, m.X + size*0.55, m.Y + size*0.55}, 0))
	}
	c.fill(p, block)
}

// drawGrid draws the hexes and their numbers. A column is one path, for the
// sake of the picture's size as SVG and of the rasteriser.
func (l *layout) drawGrid(c *canvas) {
	c.group("grid")
	byCol := map[int]*path{}
	var cols []int
	for _, h := range l.hexes(l.near) {
		p := byCol[h.Col()]
		if p == nil {
			p = &path{}
			byCol[h.Col()] = p
			cols = append(cols, h.Col())
		}
		// Three sides belong to the hex, the others to its neighbours if there are any.
		p.move(l.at(l.corner(h, 5))).line(l.at(l.corner(h, 0))).line(l.at(l.corner(h, 1))).line(l.at(l.corner(h, 2)))
		for d := 2; d <= 4; d++ {
			if n := l.neighbour(h, d); n == hex.None || !l.b.On(n) {
				p.move(l.at(l.corner(h, d))).line(l.at(l.corner(h, d+1)))
			}
		}
	}
	for _, col := range cols {
		c.stroke(byCol[col], max(0.8, l.scale()*0.02), gridLine)
	}
	c.end()
}

// numbered is the scale from which on every hex can carry its number.
const numbered = 36

// drawNumbers prints the hex numbers. On a small map only those at its edges and
// every fifth one, so that what is printed can be read.
func (l *layout) drawNumbers(c *canvas) {
	wooded := map[hex.Hex]bool{}
	for _, h := range l.hexes(l.shown) {
		wooded[h] = slices.ContainsFunc(l.b.Kinds(h), func(k string) bool { return groundOf(k) == forest || groundOf(k) == thicket })
	}
	c.group("numbers")
	sc := l.scale()
	size := l.numberSize()
	f := l.frame
	for _, h := range l.hexes(l.shown) {
		fifth := h.Col()%5 == 0 && h.Row()%5 == 0
		if sc < numbered && !fifth && !f.edgeNumber(l.b.Grid, h) {
			continue
		}
		number := letters{font: regular, size: size, ink: numberInk, anchor: 0.5}
		if wooded[h] {
			number.halo, number.width = woodGround, size*0.12
		}
		c.text(l.numberFoot(h), h.String(), number)
	}
	c.end()
}

// numberSize is the size of the letters of hex numbers.
func (l *layout) numberSize() float64 {
	if l.scale() < numbered {
		return max(7.5, l.scale()*0.24)
	}
	return max(7, l.scale()*0.155)
}

// numberFoot is the middle of the base line of a hex's number.
func (l *layout) numberFoot(h hex.Hex) pt {
	return l.centre(h).add(pt{0, -l.h + l.numberSize()*0.95})
}

// takenSize is the size of the letters of the number of a hex with counters, on a close-up.
func (l *layout) takenSize() float64 { return l.scale() * 0.1875 }

// takenFoot is the middle of its base line.
func (l *layout) takenFoot(h hex.Hex) pt {
	return l.centre(h).add(pt{0, -l.h + l.takenSize()*0.92})
}

// takenBox is its room.
func (l *layout) takenBox(h hex.Hex) box {
	at, size := l.takenFoot(h), l.takenSize()
	w := measure(bold, size, h.String()) / 2
	return box{at.X - w, at.Y - size*0.74, at.X + w, at.Y}
}

// edgeNumber tells whether a hex at the edge of the frame carries its number on a small
// map: every second one does.
func (f Frame) edgeNumber(g hex.Grid, h hex.Hex) bool {
	col, row := g.Place(h)
	topOrBottom := row == f.RowMin || row == f.RowMax
	leftOrRight := col == f.ColMin || col == f.ColMax
	return topOrBottom && col%2 == 0 || leftOrRight && row%2 == 0
}

// drawZones marks the entry zones along the edge of the map: a band outside the
// hexes of the zone and its letter in the margin.
func (l *layout) drawZones(c *canvas) {
	if len(l.b.Zones) == 0 {
		return
	}
	c.group("zones")
	sc := l.scale()
	for i := range l.b.Zones {
		z := &l.b.Zones[i]
		var sides [][2]vertex
		var sum pt
		n := 0.0
		for _, h := range z.Hexes {
			if !l.shown(h) {
				continue
			}
			for d := range 6 {
				if k := l.neighbour(h, d); k == hex.None || !l.b.On(k) {
					sides = append(sides, [2]vertex{l.corner(h, d), l.corner(h, d+1)})
				}
			}
			sum = sum.add(l.centre(h))
			n++
		}
		if n == 0 {
			continue
		}
		for _, ch := range chains(sides) {
			c.stroke(polyline(l.points(ch)...), max(3, sc*0.16), alpha(zoneTint, 255))
			c.stroke(polyline(l.points(ch)...), max(1.4, sc*0.05), zoneInk)
		}
		l.zoneLetter(c, z.ID, sum.mul(1/n))
	}
	c.end()
}

// zoneLetter writes the zone's letter into the margin nearest to its middle.
func (l *layout) zoneLetter(c *canvas, id string, at pt) {
	f, m, r := l.field, l.margin*0.5, l.margin*0.42
	if !l.whole { // its margin has no room
		m, r = 0, 9
	}
	near := []struct {
		d float64
		p pt
	}{
		{at.X - f.X0, pt{f.X0 - m, at.Y}},
		{f.X1 - at.X, pt{f.X1 + m, at.Y}},
		{at.Y - f.Y0, pt{at.X, f.Y0 - m}},
		{f.Y1 - at.Y, pt{at.X, f.Y1 + m}},
	}
	best := near[0]
	for _, k := range near[1:] {
		if k.d < best.d {
			best = k
		}
	}
	if best.d > 4*l.scale() {
		return // the zone's edge is outside of the frame
	}
	size := r * 1.35
	angle := 0.0
	w := measure(bold, size, id)
	if w > r*1.6 { // a name rather than a letter: a smaller one on a longer plate
		size = r
		w = measure(bold, size, id)
		if best.p.X < f.X0 || best.p.X > f.X1 {
			angle = -math.Pi / 2
		}
	}
	half := pt{max(r, w/2+r*0.6), r}
	if angle != 0 {
		half = pt{half.Y, half.X}
	}
	p := best.p
	c.both(rect(centred(p, half), r), zoneTint, max(1.2, l.scale()*0.035), zoneInk)
	foot := p.add(pt{0, size * 0.36})
	if angle != 0 {
		foot = p.add(pt{size * 0.36, 0})
	}
	c.text(foot, id, letters{font: bold, size: size, ink: zoneInk, anchor: 0.5, angle: angle})
}
