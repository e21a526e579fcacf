package chart

import (
	"math"
	"sort"

	"fieldpost/adjudicator/board"
)

// crowded is what it costs a name to touch something, in its size: more than to
// stand aside.
const crowded = 60

// label is a place name to be set.
type label struct {
	p    *board.Place
	size float64
	font fontID
	rank int
	area box // of its hexes
}

// drawNames sets the place names, the important ones first, each where it
// covers the least of the counters and of other names.
func (d *drawing) drawNames() {
	d.c.group("names")
	d.takeSigns()
	for _, n := range d.labels() {
		if !d.setName(n, !d.open()) {
			d.unsaid = append(d.unsaid, n.p)
		}
	}
	d.c.end()
}

// drawMainNames sets the first names of a map that is too small for all of them, in letters
// that can be read, as far as they find room.
func (d *drawing) drawMainNames(most int, size float64) {
	d.c.group("names")
	for _, n := range d.labels() {
		n.size = max(n.size, size)
		if len(d.names) < most {
			d.setName(n, false)
		}
	}
	d.c.end()
}

// setName sets the name of a place where it costs least; where that is on something else,
// only if it must. It tells whether it has.
func (d *drawing) setName(n label, must bool) bool {
	w := measure(n.font, n.size, n.p.Name)
	best, free := d.bestPlace(n, w)
	if !free && !must {
		return false
	}
	d.lead(n, best, w)
	d.taken = append(d.taken, nameBox(best, w, n.size))
	d.names = append(d.names, written{n.p.Name, []box{nameBox(best, w, n.size)}})
	d.c.text(best, n.p.Name, letters{font: n.font, size: n.size, ink: ink, halo: paper, width: max(1.2, n.size*0.24), anchor: 0.5})
	return true
}

// takeSigns keeps names off the stars of objectives and the names of rivers.
func (d *drawing) takeSigns() {
	for _, o := range d.v.Objectives {
		if d.shown(o.Hex) {
			m, r := d.centre(o.Hex), d.scale()*0.18
			d.taken = append(d.taken, box{m.X - r*3, m.Y - r, m.X - r, m.Y + r})
		}
	}
	for _, r := range d.rivers {
		d.taken = append(d.taken, r.boxes...)
	}
}

// bestPlace is where a name of width w costs least: near its place, off everything
// else and on the map. Free tells whether it touches nothing there.
func (d *drawing) bestPlace(n label, w float64) (best pt, free bool) {
	least := math.Inf(1)
	for i, at := range d.candidates(n, w) {
		cost := float64(i) * n.size * 0.9
		if cost >= least {
			break // nothing further out can be better
		}
		room, touches := nameBox(at, w, n.size), false
		for _, t := range d.taken {
			if o := room.overlap(t); o > 0 {
				cost += o*2 + n.size*crowded
				touches = true
			}
		}
		if !d.field.encloses(room) {
			cost += 1e5
		}
		if cost < least {
			best, least, free = at, cost, !touches
		}
	}
	return best, free
}

// nameBox is the room of a name whose base line is centred at a point.
func nameBox(at pt, w, size float64) box {
	return box{at.X - w/2 - 1, at.Y - size*0.78, at.X + w/2 + 1, at.Y + size*0.24}
}

// labels are the names of the frame, cities first.
func (d *drawing) labels() []label {
	sc := d.scale()
	var out []label
	for i := range d.b.Places {
		p := &d.b.Places[i]
		kind := groundOf(p.Size)
		n := label{p: p, size: max(7, sc*0.205), font: regular, rank: rankOf(kind), area: nowhere()}
		switch kind {
		case city:
			n.size, n.font = max(7.5, sc*0.34), bold
		case town:
			n.size, n.font = max(7.5, sc*0.235), bold
		}
		seen := false
		for _, h := range p.Hexes {
			if d.shown(h) {
				m := d.centre(h)
				n.area = n.area.join(centred(m, pt{}))
				seen = true
			}
		}
		if seen && p.Name != "" {
			out = append(out, n)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].rank < out[j].rank })
	return out
}

// rankOf orders the kinds of places by their weight, the greatest first.
func rankOf(g ground) int {
	switch g {
	case city:
		return 0
	case town:
		return 1
	}
	return 2
}

// candidates are the places for a name around its hexes, the best first.
func (d *drawing) candidates(n label, w float64) []pt {
	a, r := n.area, d.scale()*0.30
	if n.rank == 2 {
		r = d.scale() * 0.22
	}
	mx, my := (a.X0+a.X1)/2, (a.Y0+a.Y1)/2
	up, down, mid := a.Y0-r-n.size*0.1, a.Y1+r+n.size*0.75, my+n.size*0.3
	right, left := a.X1+r*1.1+w/2, a.X0-r*1.1-w/2
	out := []pt{{mx, down}, {mx, up}, {right, mid}, {left, mid},
		{right - r, down - r*0.3}, {left + r, down - r*0.3}, {right - r, up + r*0.3}, {left + r, up + r*0.3}}
	far := d.scale() * 0.32
	out = append(out, pt{mx, down + far}, pt{mx, up - far}, pt{right + far, mid}, pt{left - far, mid},
		pt{right, down + far}, pt{left, down + far}, pt{right, up - far}, pt{left, up - far})
	// Where a front runs, further out, with a line that leads to the place.
	for ring := 1; ring <= 5; ring++ {
		off := d.scale() * 0.36 * float64(ring)
		for k := range 16 {
			sin, cos := math.Sincos(float64(k) * math.Pi / 8)
			out = append(out, pt{mx + cos*(right-mx+off), my + sin*((down-up)/2+off) + n.size*0.3})
		}
	}
	return out
}

// lead draws a thin line from a name that stands far off to its place.
func (d *drawing) lead(n label, at pt, w float64) {
	b, a := nameBox(at, w, n.size), n.area.grow(d.scale()*0.2)
	place := pt{min(max((b.X0+b.X1)/2, a.X0), a.X1), min(max((b.Y0+b.Y1)/2, a.Y0), a.Y1)}
	name := pt{min(max(place.X, b.X0), b.X1), min(max(place.Y, b.Y0), b.Y1)}
	if name.sub(place).len() > d.scale()*0.45 {
		d.c.stroke(polyline(name, place), max(0.8, d.scale()*0.02), ink)
	}
}

// drawRiverNames writes the names of rivers along their straightest stretch.
func (l *layout) drawRiverNames(c *canvas) {
	c.group("river-names")
	var taken []box
	done := map[string]bool{} // a river may be several entries, of different kinds
	for i := range l.b.Rivers {
		r := &l.b.Rivers[i]
		wide := riverWidth(r.Kind)
		size := max(7, l.scale()*(0.16+wide*0.75))
		if r.Name == "" || done[r.Name] {
			continue
		}
		done[r.Name] = true
		w := measure(italic, size, r.Name) * 1.1
		var best []pt
		score := 0.8 // a winding stretch carries no name
		for _, ch := range chains(l.sidesOf(r.Name)) {
			if s, v := straightest(l.points(ch), w, l.field, taken); v > score {
				best, score = s, v
			}
		}
		if best == nil {
			continue
		}
		a, b := best[0], best[1]
		if b.X < a.X {
			a, b = b, a
		}
		along := b.sub(a).unit()
		off := along.left().mul(wide*l.scale()/2 + size*0.25 + l.scale()*0.22)
		at := a.mix(b, 0.5).add(off)
		taken = append(taken, cornered(a, b).grow(size))
		c.text(at, r.Name, letters{font: italic, size: size, ink: waterEdge, halo: alpha(clearLand, 210), width: size * 0.14,
			anchor: 0.5, angle: math.Atan2(along.Y, along.X)})
		l.rivers = append(l.rivers, written{r.Name, slanted(at, along, measure(italic, size, r.Name), size)})
	}
	c.end()
}

// written is a text of the map and the room it takes.
type written struct {
	text  string
	boxes []box
}

func (a written) overlap(b written) (area float64) {
	for _, x := range a.boxes {
		for _, y := range b.boxes {
			area += x.overlap(y)
		}
	}
	return area
}

// slanted is the room of a text that runs along a direction, in small boxes.
func slanted(mid, along pt, w, size float64) []box {
	var out []box
	up := along.left()
	n := max(1, int(math.Ceil(w/size)))
	for i := range n {
		m := mid.add(along.mul(w * ((float64(i)+0.5)/float64(n) - 0.5))).add(up.mul(size * 0.27))
		out = append(out, box{m.X, m.Y, m.X, m.Y}.grow(size*0.42))
	}
	return out
}

// Overlaps lists what lies on one another on the map and should not, a line each: names of
// places on names and counters, and on a close-up names of units and numbers of their
// hexes under anything. There should be none.
func (p *Picture) Overlaps() []string {
	var out []string
	for i, a := range p.names {
		out = append(out, a.under(append(p.base.l.rivers, p.names[:i]...), " on ")...)
		out = append(out, a.under(p.stacks, " on the counters of ")...)
	}
	for i, a := range p.cards {
		out = append(out, a.under(p.cards[:i], " on ")...)
		out = append(out, a.under(p.over, " under ")...)
	}
	for _, a := range p.numbers {
		out = append(out, a.under(p.stacks, " under the counters of ")...)
		out = append(out, a.under(p.names, " under ")...)
		out = append(out, a.under(p.over, " under ")...)
	}
	return out
}

// under says which of others share room with a text, joined by a word.
func (a written) under(others []written, word string) []string {
	var out []string
	for _, b := range others {
		if a.overlap(b) > 1 {
			out = append(out, a.text+word+b.text)
		}
	}
	return out
}

// Named are the names of units that the picture says, on counters and in the list below.
func (p *Picture) Named() []string {
	var out []string
	for _, n := range p.cards {
		out = append(out, n.text)
	}
	return out
}

// sidesOf are the hexsides of all rivers of a name.
func (l *layout) sidesOf(name string) [][2]vertex {
	var out [][2]vertex
	for i := range l.b.Rivers {
		if r := &l.b.Rivers[i]; r.Name == name {
			out = append(out, l.riverSides(r)...)
		}
	}
	return out
}

// straightest finds the stretch of length w whose ends lie farthest apart for
// its length; v is 1 for a straight one.
func straightest(line []pt, w float64, field box, taken []box) (ends []pt, v float64) {
	inner := field.grow(-w * 0.15)
	for i := range line {
		run := 0.0
		for j := i + 1; j < len(line); j++ {
			if run += line[j].sub(line[j-1]).len(); run < w*1.15 {
				continue
			}
			b := cornered(line[i], line[j])
			free := inner.holds(line[i]) && inner.holds(line[j])
			for _, t := range taken {
				free = free && !b.meets(t)
			}
			if k := line[j].sub(line[i]).len() / run; free && k > v {
				ends, v = []pt{line[i], line[j]}, k
			}
			break
		}
	}
	return ends, v
}
