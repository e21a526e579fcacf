package chart

import (
	"sort"
	"strconv"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// drawing is the layer of a view over the base of its board.
type drawing struct {
	*layout
	c     *canvas
	v     *view.View
	o     Options
	taken []box // where no name should be written
	names []written
	piles []written // the counters of each hex
}

// stack is the counters of one hex, the top one first.
type stack struct {
	hex      hex.Hex
	counters []counter
}

// closeUp is the scale from which on the counters of a stack lie side by side.
const closeUp = 76

func (d *drawing) draw() {
	c := d.c
	var stacks []stack
	if d.has(LayerUnits) {
		stacks = d.stacks()
	}
	layer := func(l Layer, draw func()) {
		if d.has(l) {
			draw()
		}
	}
	c.clip(d.field)
	layer(LayerSight, d.drawUnseen)
	layer(LayerForts, d.drawForts)
	layer(LayerBridges, d.drawBridges)
	layer(LayerZones, d.drawControlZones)
	layer(LayerFront, d.drawFront)
	layer(LayerRanges, d.drawRanges)
	layer(LayerSight, d.drawSightLines)
	for _, s := range stacks {
		d.taken = append(d.taken, d.stackBox(s))
		d.piles = append(d.piles, written{s.hex.String(), []box{d.stackBox(s)}})
	}
	layer(LayerArrows, d.drawMoves)
	layer(LayerNames, d.drawNames)
	c.group("counters")
	for _, s := range stacks {
		d.drawStack(s)
	}
	c.end()
	layer(LayerForts, d.drawFortWords)
	layer(LayerObjectives, d.drawObjectives)
	layer(LayerArrows, d.drawMarks)
	c.free()
	layer(LayerForts, d.drawFortLegend)
	d.drawTitle()
}

// stacks collects own units, those of allies and enemy sightings by hex, from the top of the map
// downwards so that a lower stack overlaps the one above it.
func (d *drawing) stacks() []stack {
	own := map[hex.Hex][]*view.Unit{}
	for _, list := range [][]view.Unit{d.v.Units, d.v.Allies} {
		for i := range list {
			own[list[i].Hex] = append(own[list[i].Hex], &list[i])
		}
	}
	var out []stack
	for h, us := range own {
		if !d.shown(h) {
			continue
		}
		sort.SliceStable(us, func(i, j int) bool {
			if a, b := weight(us[i]), weight(us[j]); a != b {
				return a > b
			}
			return us[i].ID < us[j].ID
		})
		s := stack{hex: h}
		for _, u := range us {
			s.counters = append(s.counters, ownCounter(u, d.v.Side))
		}
		out = append(out, s)
	}
	for i := range d.v.Enemy {
		if st := &d.v.Enemy[i]; d.shown(st.Hex) {
			out = append(out, d.enemyStack(st))
		}
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := d.middle(out[i].hex), d.middle(out[j].hex)
		if a.Y != b.Y {
			return a.Y < b.Y
		}
		return a.X < b.X
	})
	return out
}

func (d *drawing) enemyStack(st *view.Stack) stack {
	s := stack{hex: st.Hex}
	seen := append([]view.Sight(nil), st.Units...)
	sort.SliceStable(seen, func(i, j int) bool { return sightWeight(&seen[i]) > sightWeight(&seen[j]) })
	for i := range seen {
		s.counters = append(s.counters, sightCounter(&seen[i], st))
	}
	if len(seen) == 0 {
		s.counters = []counter{{nation: nationOf("", st.Side), kind: "?", foot: ""}}
	}
	return s
}

// counterSize is the side of a counter for a stack of n.
func (d *drawing) counterSize(n int) float64 {
	if d.scale() >= closeUp && n > 1 {
		return d.scale() * 0.415
	}
	return d.scale() * 0.64
}

func (d *drawing) stackBox(s stack) box {
	m := d.centre(s.hex).add(pt{0, d.scale() * 0.04})
	r := d.scale() * 0.34
	if d.scale() >= closeUp && len(s.counters) > 1 {
		r = d.scale() * 0.43
	}
	return box{m.X - r, m.Y - r, m.X + r, m.Y + r}
}

// drawStack draws the counters of a hex: on the whole map in a pile with the
// number of counters, in a close-up side by side.
func (d *drawing) drawStack(s stack) {
	n := len(s.counters)
	size := d.counterSize(n)
	m := d.centre(s.hex).add(pt{0, d.scale() * 0.04})
	if d.scale() >= closeUp && n > 1 {
		d.spread(s, m, size)
		return
	}
	for i := min(n-1, 2); i >= 1; i-- {
		k := s.counters[min(i, n-1)]
		face(d.c, m.add(pt{size * 0.075, -size * 0.075}.mul(float64(i))), size, k)
	}
	if s.counters[0].kind == "?" {
		d.unknown(m, size, s.counters[0])
	} else {
		drawCounter(d.c, m, size, s.counters[0])
	}
	if n > 1 {
		badge(d.c, m.add(pt{size * 0.52, -size * 0.46}), max(4.2, size*0.17), n)
	}
}

// spread lays up to four counters of a stack side by side.
func (d *drawing) spread(s stack, m pt, size float64) {
	n := len(s.counters)
	step := size * 1.03
	for i := range min(n, 4) {
		at := m
		if n == 2 {
			at.X += (float64(i) - 0.5) * step
		} else {
			at.X += (float64(i%2) - 0.5) * step
			at.Y += (float64(i/2) - 0.5) * step
		}
		if n == 3 && i == 2 {
			at.X = m.X
		}
		drawCounter(d.c, at, size, s.counters[i])
	}
	if n > 4 {
		badge(d.c, m, size*0.2, n)
	}
}

// unknown is the counter of an enemy stack of which nothing is known.
func (d *drawing) unknown(m pt, size float64, k counter) {
	face(d.c, m, size, k)
	d.c.text(m.add(pt{0, size * 0.27}), "?", letters{font: bold, size: size * 0.78, ink: k.nation.line, anchor: 0.5})
}

// drawBridges draws what differs from the printed bridges, and what troops have laid.
func (d *drawing) drawBridges() {
	d.c.group("bridges-now")
	for _, b := range d.v.Bridges {
		if b.Stands != d.b.Bridge(b.Edge) {
			d.drawBridge(d.c, b.Edge, b.Stands)
		}
	}
	for _, p := range d.v.Pontoons {
		d.pontoon(p)
	}
	d.c.end()
}

// drawObjectives draws a star at the left corner of every hex that counts.
func (d *drawing) drawObjectives() {
	d.c.group("objectives")
	sc := d.scale()
	for _, o := range d.v.Objectives {
		if !d.shown(o.Hex) {
			continue
		}
		owner := numberInk
		if o.Owner != "" {
			owner = nationOf("", o.Owner).line
		}
		points := ""
		if o.Points > 0 {
			points = strconv.Itoa(o.Points)
		}
		objective(d.c, d.centre(o.Hex).add(pt{-sc * 0.37, sc * 0.02}), sc*0.155, prize{points, owner})
	}
	d.c.end()
}
