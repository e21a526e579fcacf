package chart

import (
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator/hex"
)

// drawMoves draws the ways of moves, retreats and fire under names and counters.
func (d *drawing) drawMoves() {
	d.c.group("moves")
	for _, t := range d.readable(d.trails(MarkMove, MarkRetreat, MarkFire)) {
		d.arrow(t)
	}
	d.c.end()
}

// mostTrails is how many ways can be told apart on a picture.
const mostTrails = 25

// readable are the trails that a picture draws: not those that only pass through it, for they
// belong to the pictures of where they begin and end; and where there are too many, of the
// enemy's marches only those that end beside one of our units.
func (d *drawing) readable(all []trail) []trail {
	all = slices.DeleteFunc(all, func(t trail) bool {
		w := way(t.Mark)
		return w == nil || !d.shown(w[0]) && !d.shown(w[len(w)-1])
	})
	if len(all) <= mostTrails {
		return all
	}
	own := map[hex.Hex]bool{}
	for i := range d.v.Units {
		own[d.v.Units[i].Hex] = true
	}
	return slices.DeleteFunc(all, func(t trail) bool {
		w := way(t.Mark)
		return t.Kind == MarkMove && t.Side != d.v.Side && !d.touches(w[len(w)-1], own)
	})
}

// touches tells whether a hex is beside one of a set.
func (d *drawing) touches(h hex.Hex, set map[hex.Hex]bool) bool {
	for k := range 6 {
		if set[d.neighbour(h, k)] {
			return true
		}
	}
	return false
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

// drawMarks draws the numbers of fights beside the counters.
func (d *drawing) drawMarks() {
	d.c.group("marks")
	fights := d.fights()
	for _, h := range sortedKeys(fights) {
		d.burst(h, fights[h], 0.30)
	}
	d.c.end()
}

// fights are the numbers of the fights and the fire of each hex on the picture, in the
// order of the story. Fire without a number is there as an empty list.
func (d *drawing) fights() map[hex.Hex][]string {
	out := map[hex.Hex][]string{}
	for _, m := range d.o.Marks {
		fought := m.Kind == MarkCombat || m.Kind == MarkFire
		if !fought || m.To == hex.None || !d.shown(m.To) {
			continue
		}
		if m.Label == "" || slices.Contains(out[m.To], m.Label) {
			out[m.To] = slices.Clip(out[m.To])
			continue
		}
		out[m.To] = append(out[m.To], m.Label)
	}
	return out
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
	side := dir.left().mul(head * 0.55)
	line := softLine(ps)
	own := m.Side == d.v.Side
	d.shows(sideSign(own, string(m.Kind)))
	s := shaft{m.Kind, sc, nationOf("", m.Side).line, !own}
	// The casing shows which is which where arrows cross.
	casing := max(1.2, sc*0.035)
	d.c.stroke(line, s.width()+2*casing, alpha(white, 220), s.dash()...)
	d.c.stroke(poly(tip, tip.sub(dir.mul(head)).add(side), tip.sub(dir.mul(head*0.72)), tip.sub(dir.mul(head)).sub(side)), 2*casing, alpha(white, 220))
	s.draw(d.c, line, tip, dir.mul(head))
	if m.Kind != MarkFire {
		d.ghost(m, hexes[0], first)
	}
}

// shaft is how the line of an arrow is drawn on a map of a scale. The enemy's is hollow.
type shaft struct {
	kind   MarkKind
	sc     float64
	ink    shade
	hollow bool
}

func (s shaft) width() float64 {
	if s.kind == MarkFire {
		return s.sc * 0.045
	}
	return s.sc * 0.075
}

func (s shaft) dash() []float64 {
	if s.kind == MarkRetreat {
		return []float64{s.sc * 0.16, s.sc * 0.12}
	}
	return nil
}

// draw draws the line and its head.
func (s shaft) draw(c *canvas, line *path, tip, head pt) {
	side := head.left().mul(0.55)
	c.stroke(line, s.width(), s.ink, s.dash()...)
	c.fill(poly(tip, tip.sub(head).add(side), tip.sub(head.mul(0.72)), tip.sub(head).sub(side)), s.ink)
	if s.hollow {
		c.stroke(line, s.width()*0.5, white, s.dash()...)
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
		d.shows("ghost")
		drawGhost(d.c, d.ghostRoom(at), k)
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

// drawGhost draws a pale counter without anything on it.
func drawGhost(c *canvas, room box, k counter) {
	size := room.X1 - room.X0
	c.both(k.shape(room, size), alpha(blend(k.nation.face, paper, 120), 230), max(0.8, size*0.07), k.nation.line)
}

// mostFights is how many numbers of fights a hex shows; the story tells the rest.
const mostFights = 2

// fightsText are the numbers of the fights of a hex as they are written in its burst.
func fightsText(numbers []string) string {
	if len(numbers) > mostFights {
		return strings.Join(numbers[:mostFights], " ") + "+"
	}
	return strings.Join(numbers, " ")
}

// burst draws an explosion at the upper right corner of a hex, beside the counters on a
// close-up, with the numbers of its fights.
func (d *drawing) burst(h hex.Hex, numbers []string, size float64) {
	sc := d.scale()
	r, t, at := sc*size, sc*0.28, pt{sc * 0.40, -d.h * 0.80}
	if d.open() { // where cards of four hexes leave room
		r, t, at = sc*size*0.36, sc*0.17, pt{sc * 0.42, sc * 0.035}
	}
	d.shows("fight")
	d.c.groupOf(about{hex: h.String(), title: strings.TrimSpace("fight " + strings.Join(numbers, ", "))})
	defer d.c.end()
	m, text := d.centre(h).add(at), fightsText(numbers)
	if text == "" || !d.open() && len(numbers) == 1 {
		d.sign("the burst of "+h.String(), centred(m, pt{r, r}))
		drawBurst(d.c, m, r, text)
		return
	}
	half := max(measure(bold, t, text)/2+t*0.18, t*0.5)
	m.X = d.centre(h).X + min(at.X, sc*burstRight-half) // off the counters of the next hexes
	room := centred(m, pt{half, t * 0.5})
	d.sign("the burst of "+h.String(), room)
	d.c.both(rect(room, t*0.25), burst, max(0.8, sc*0.025), burstEdge)
	d.printed(m.add(pt{0, t * 0.36}), text, letters{font: bold, size: t, ink: ink})
}

// drawBurst draws an explosion with the number of one fight, or none.
func drawBurst(c *canvas, m pt, r float64, text string) {
	c.both(star(m, 11, r*1.12, r*0.72), burstEdge, max(0.8, r*0.14), white)
	c.fill(star(m, 11, r*0.92, r*0.62), burst)
	t, most := r*1.45, r*1.8
	if w := measure(bold, t, text); w > most {
		t *= most / w
	}
	c.text(m.add(pt{0, t * 0.36}), text, letters{font: bold, size: t, ink: ink, anchor: 0.5})
}

// burstRight is how far to the right of its hex's middle the numbers of several fights
// reach, in parts of the hex's width.
const burstRight = 0.53
