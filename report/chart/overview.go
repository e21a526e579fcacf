package chart

import (
	"maps"
	"strconv"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// An overview is at most so many pixels wide, and its hexes of this width at most.
const (
	overviewWidth = 720
	overviewScale = 20
)

// Overview draws the whole map small, to find one's way in the close-ups: rivers, main
// roads and towns without their texture, the front, stacks as dots, combats, and the
// frames of the close-ups with their numbers. What is sent back of it is no map to play from.
//
// The legend below it explains the signs, which are those of the close-ups.
func Overview(v *view.View, marks []Mark, closer []Frame, signs Signs) *Picture {
	scale := min(overviewScale, FitScale(v.Board, overviewWidth))
	p := &Picture{base: baseOf(baseKey{b: v.Board, scale: scale, plain: true}), colours: 14}
	c := &canvas{}
	d := &drawing{layout: p.base.l, c: c, v: v, o: Options{Scale: scale, Marks: marks}, signs: maps.Clone(signs)}
	d.drawOverview(closer)
	p.ops, p.names, p.below = c.ops, d.names, d.below
	p.signs, p.told = d.signs, d.told
	return p
}

// drawPlainBase draws what an overview shows of the board.
func (l *layout) drawPlainBase(c *canvas) {
	c.fill(rect(box{0, 0, float64(l.w), float64(l.ht)}, 0), paper)
	c.clip(l.field)
	s := l.survey()
	land := map[hex.Hex]bool{}
	for _, h := range l.hexes(l.near) {
		land[h] = true
	}
	c.fill(l.area(land, 0), clearLand)
	for _, g := range []struct {
		of  ground
		ink shade
	}{{hills, hillLow}, {peak, hillHigh}, {forest, woodGround}, {thicket, woodGround}, {swamp, marsh}, {lake, water}} {
		if len(s[g.of]) > 0 {
			c.fill(l.area(s[g.of], 0.1), g.ink)
		}
	}
	for i := range l.b.Rivers {
		r := &l.b.Rivers[i]
		for _, ch := range chains(l.riverSides(r)) {
			c.stroke(softLine(l.points(ch)), max(1.2, riverWidth(r.Kind)*l.scale()*1.4), water)
		}
	}
	if len(s[city]) > 0 {
		c.fill(l.area(s[city], 0.06), block)
	}
	for _, h := range sorted(s[town]) {
		c.fill(circle(l.centre(h), l.scale()*0.28), block)
	}
	net := l.roadNet()
	c.stroke(net.ways(l, primary).join(net.ways(l, highway)), 1.2, sideRoad)
	c.free()
	c.stroke(rect(l.field, 0), 1.5, titleRule)
	l.drawZones(c)
	l.drawCompass(c)
}

// drawOverview draws the position over the plain base.
func (d *drawing) drawOverview(closer []Frame) {
	c := d.c
	c.clip(d.field)
	d.drawFront()
	for _, s := range d.stacks() {
		d.dot(s)
	}
	fights := d.fights()
	for _, h := range sortedKeys(fights) {
		d.burst(h, nil, 0.5)
	}
	for i, f := range closer {
		d.frameOf(f, strconv.Itoa(i+1))
	}
	d.drawMainNames(mostNames, 9)
	d.prizes()
	c.free()
	d.drawLegend()
	d.drawTitle()
}

// prizes are stars on the hexes that count, in the colours of who holds them.
func (d *drawing) prizes() {
	for _, o := range d.v.Objectives {
		if !d.shown(o.Hex) {
			continue
		}
		objective(d.c, d.centre(o.Hex).add(pt{-d.scale() * 0.5, 0}), 4.5, d.prize(o, ""))
	}
}

// mostNames is how many names an overview says; the close-ups and the whole map have all.
const mostNames = 28

// dot is a stack on an overview: a square of the own side and its friends, a disc of
// the enemy.
func (d *drawing) dot(s stack) {
	m, r := d.centre(s.hex), d.scale()*0.3
	col := s.counters[0].nation
	d.taken = append(d.taken, centred(m, pt{r, r}))
	if s.enemy {
		d.c.both(circle(m, r), col.line, 0.8, white)
		return
	}
	d.c.both(rect(centred(m, pt{r, r}), 0), col.line, 0.8, white)
}

// frameOf draws the frame of a close-up with its number in the upper left corner.
func (d *drawing) frameOf(f Frame, number string) {
	g := d.b.Grid
	a, b := d.centre(g.Number(f.ColMin, f.RowMin)), d.centre(g.Number(f.ColMax, f.RowMax))
	r := cornered(a, b).grow(d.scale() * 0.5)
	d.c.stroke(rect(r, 0), 4, alpha(white, 200))
	d.c.stroke(rect(r, 0), 2, ink)
	tab := box{r.X0, r.Y0, r.X0 + 15, r.Y0 + 16}
	d.c.fill(rect(tab, 0), ink)
	d.c.text(pt{tab.X0 + 7.5, tab.Y1 - 3.5}, number, letters{font: bold, size: 12, ink: white, anchor: 0.5})
}
