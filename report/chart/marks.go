package chart

import (
	"fieldpost/adjudicator/hex"
)

// drawMoves draws the ways of moves under names and counters.
func (d *drawing) drawMoves() {
	d.c.group("moves")
	for _, m := range d.o.Marks {
		if m.Kind == MarkMove {
			d.arrow(m)
		}
	}
	d.c.end()
}

// drawMarks draws what happened over the counters: arrows first, bursts on top.
func (d *drawing) drawMarks() {
	d.c.group("marks")
	for _, m := range d.o.Marks {
		switch m.Kind {
		case MarkRetreat, MarkFire:
			d.arrow(m)
		}
	}
	seen := map[hex.Hex]int{}
	for _, m := range d.o.Marks {
		switch m.Kind {
		case MarkCombat:
			d.burst(m.To, m.Label, 0.30, seen)
		case MarkFire:
			d.burst(m.To, m.Label, 0.22, seen)
		}
	}
	d.c.end()
}

// arrow draws a mark's way. Its ends keep off the middles of their hexes, so
// that the counters stay readable.
func (d *drawing) arrow(m Mark) {
	way := m.Hexes
	if len(way) < 2 {
		if m.From == hex.None || m.To == hex.None || m.From == m.To {
			return
		}
		way = []hex.Hex{m.From, m.To}
	}
	sc := d.scale()
	var ps []pt
	for _, h := range way {
		ps = append(ps, d.centre(h))
	}
	n := len(ps)
	head := sc * 0.22
	ps[0] = ps[0].add(ps[1].sub(ps[0]).unit().mul(sc * 0.24))
	tip := ps[n-1].sub(ps[n-1].sub(ps[n-2]).unit().mul(sc * 0.20))
	dir := tip.sub(ps[n-2]).unit()
	ps[n-1] = tip.sub(dir.mul(head * 0.8))
	if dir == (pt{}) {
		return
	}
	width := sc * 0.07
	var dash []float64
	switch m.Kind {
	case MarkRetreat:
		dash, width = []float64{sc * 0.16, sc * 0.12}, sc*0.075
	case MarkFire:
		width = sc * 0.045
	}
	col := nationOf("", m.Side).line
	side := dir.left().mul(head * 0.55)
	tri := poly(tip, tip.sub(dir.mul(head)).add(side), tip.sub(dir.mul(head*0.72)), tip.sub(dir.mul(head)).sub(side))
	line := softLine(ps)
	c := d.c
	// The casing shows which is which where arrows cross.
	casing := max(1.2, sc*0.035)
	c.stroke(line, width+2*casing, alpha(white, 220), dash...)
	c.stroke(tri, 2*casing, alpha(white, 220))
	c.stroke(line, width, col, dash...)
	c.fill(tri, col)
}

// burst draws an explosion with a number at the upper right corner of a hex;
// several in one hex stand in a row.
func (d *drawing) burst(h hex.Hex, label string, size float64, seen map[hex.Hex]int) {
	if h == hex.None || !d.shown(h) {
		return
	}
	sc := d.scale()
	r := sc * size
	m := d.centre(h).add(pt{sc*0.40 - float64(seen[h])*r*1.5, -d.h * 0.80})
	seen[h]++
	c := d.c
	c.both(star(m, 11, r*1.12, r*0.72), burstEdge, max(0.8, sc*0.02), white)
	c.fill(star(m, 11, r*0.92, r*0.62), burst)
	if label != "" {
		t := r * 1.05
		if w := measure(bold, t, label); w > r*1.35 {
			t *= r * 1.35 / w
		}
		c.text(m.add(pt{0, t * 0.36}), label, letters{font: bold, size: t, ink: ink, anchor: 0.5})
	}
}
