package chart

import (
	"slices"
	"strconv"

	"fieldpost/adjudicator/hex"
)

// drawMoves draws the ways of moves under names and counters.
func (d *drawing) drawMoves() {
	d.c.group("moves")
	for _, t := range d.trails(MarkMove) {
		d.arrow(t)
	}
	d.c.end()
}

// trail is a way with how many went it together.
type trail struct {
	Mark
	together int
}

// trails are the marks of some kinds in their order; what one side did along one way is one.
func (d *drawing) trails(kinds ...MarkKind) []trail {
	var out []trail
	for _, m := range d.o.Marks {
		if !slices.Contains(kinds, m.Kind) {
			continue
		}
		same := func(t trail) bool { return t.Kind == m.Kind && t.Side == m.Side && slices.Equal(way(t.Mark), way(m)) }
		if i := slices.IndexFunc(out, same); i >= 0 {
			out[i].together++
			continue
		}
		out = append(out, trail{m, 1})
	}
	return out
}

// way is the hexes of a mark from its beginning to its end, nil if it has no way.
func way(m Mark) []hex.Hex {
	if len(m.Hexes) >= 2 {
		return m.Hexes
	}
	if m.From == hex.None || m.To == hex.None || m.From == m.To {
		return nil
	}
	return []hex.Hex{m.From, m.To}
}

// drawMarks draws what happened over the counters: arrows first, bursts on top.
func (d *drawing) drawMarks() {
	d.c.group("marks")
	for _, t := range d.trails(MarkRetreat, MarkFire) {
		d.arrow(t)
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

// arrow draws a mark's way. It begins with a ghost where nobody stands any more, and ends
// before the counters of its last hex, which stay readable.
func (d *drawing) arrow(m trail) {
	hexes := way(m.Mark)
	if hexes == nil {
		return
	}
	sc := d.scale()
	var ps []pt
	for _, h := range hexes {
		ps = append(ps, d.centre(h))
	}
	n := len(ps)
	head := sc * 0.22
	first, last := ps[0], ps[n-1]
	ps[0] = d.off(hexes[0], first, ps[1], sc*0.24)
	tip := d.off(hexes[n-1], last, ps[n-2], sc*0.20)
	dir := last.sub(ps[n-2]).unit()
	if n == 2 {
		dir = last.sub(first).unit()
		if short := head*1.3 - tip.sub(ps[0]).len(); short > 0 || ps[0].sub(tip).unit() == dir {
			ps[0] = tip.sub(dir.mul(head * 1.3)) // neighbours leave too little room for an arrow
		}
	}
	ps[n-1] = tip.sub(dir.mul(head * 0.8))
	if dir == (pt{}) {
		return
	}
	width := sc * 0.075
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
	if m.Side != d.v.Side { // the enemy's is hollow
		c.stroke(line, width*0.5, white, dash...)
	}
	if m.Kind != MarkFire {
		d.ghost(m, hexes[0], first)
	}
}

// off is where a way that begins or ends in a hex, and goes on towards a point, leaves its
// counters; without any it keeps a distance from the middle.
func (d *drawing) off(h hex.Hex, m, towards pt, bare float64) pt {
	way := towards.sub(m)
	room, stands := d.standing[h]
	if !stands {
		return m.add(way.unit().mul(bare))
	}
	k := 1.0
	for _, side := range [][2]float64{{way.X, room.X0 - m.X}, {way.X, room.X1 - m.X}, {way.Y, room.Y0 - m.Y}, {way.Y, room.Y1 - m.Y}} {
		if side[0] != 0 && side[1]/side[0] > 0 {
			k = min(k, side[1]/side[0])
		}
	}
	return m.add(way.mul(k))
}

// ghostRoom is the room of a ghost in the middle of its hex.
func (d *drawing) ghostRoom(at pt) box {
	r := d.scale() * 0.17
	return centred(at, pt{r, r})
}

// takeGhosts keeps names off the ghosts.
func (d *drawing) takeGhosts() {
	for _, t := range d.trails(MarkMove, MarkRetreat) {
		hexes := way(t.Mark)
		if hexes == nil || !d.shown(hexes[0]) {
			continue
		}
		if _, stands := d.standing[hexes[0]]; !stands {
			d.taken = append(d.taken, d.ghostRoom(d.centre(hexes[0])))
		}
	}
}

// ghost marks the hex that a way begins in: a pale counter where nobody stands any more,
// and how many went together.
func (d *drawing) ghost(m trail, h hex.Hex, at pt) {
	if !d.shown(h) {
		return
	}
	sc := d.scale()
	_, stands := d.standing[h]
	if !stands {
		k := counter{nation: nationOf("", m.Side), enemy: m.Side != d.v.Side}
		room := d.ghostRoom(at)
		card := k.shape(room, room.X1-room.X0)
		d.c.both(card, alpha(blend(k.nation.face, paper, 120), 230), max(0.8, sc*0.025), k.nation.line)
	}
	if m.together == 1 {
		return
	}
	text, size := "x"+strconv.Itoa(m.together), max(7, sc*0.19)
	if stands { // beside the counters
		at = d.off(h, at, d.centre(way(m.Mark)[1]), 0)
	}
	d.c.text(at.add(pt{0, size * 0.36}), text, letters{font: bold, size: size, ink: ink, halo: paper, width: size * 0.16, anchor: 0.5})
}

// burst draws an explosion with a number at the upper right corner of a hex;
// several in one hex stand in a row.
func (d *drawing) burst(h hex.Hex, label string, size float64, seen map[hex.Hex]int) {
	if h == hex.None || !d.shown(h) {
		return
	}
	sc := d.scale()
	r, letter := sc*size, 1.05
	at := pt{sc * 0.40, -d.h * 0.80}
	if d.open() { // where cards of four hexes leave room
		r, letter, at = r*0.47, 1.3, pt{sc * 0.44, sc * 0.085}
	}
	m := d.centre(h).add(at).sub(pt{float64(seen[h]) * r * 1.5, 0})
	seen[h]++
	d.sign("the burst of "+h.String(), centred(m, pt{r, r}))
	c := d.c
	c.both(star(m, 11, r*1.12, r*0.72), burstEdge, max(0.8, sc*0.02), white)
	c.fill(star(m, 11, r*0.92, r*0.62), burst)
	if label != "" {
		t, most := r*letter, r*letter*1.3
		if w := measure(bold, t, label); w > most {
			t *= most / w
		}
		c.text(m.add(pt{0, t * 0.36}), label, letters{font: bold, size: t, ink: ink, anchor: 0.5})
	}
}
