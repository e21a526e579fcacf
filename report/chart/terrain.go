package chart

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
)

// ground is what the chart can draw in a hex.
type ground int

const (
	hills ground = iota
	peak         // a second step of height, on maps where sight counts
	forest
	thicket // woods heavier than others
	swamp
	orchards
	lake
	city
	town
	village
	other
	grounds
)

// groundWords are the words by which a kind of terrain is recognised.
var groundWords = []struct {
	g     ground
	words []string
}{
	{peak, []string{"peak"}},
	{hills, []string{"hill", "height", "ridge", "mountain", "slope", "rough"}},
	{thicket, []string{"heavy-wood", "heavy wood"}},
	{forest, []string{"forest", "wood"}},
	{swamp, []string{"swamp", "marsh", "bog"}},
	{orchards, []string{"orchard"}},
	{lake, []string{"lake", "water", "sea"}},
	{city, []string{"city", "major"}},
	{town, []string{"town"}},
	{village, []string{"village", "settlement"}},
}

// groundOf recognises a kind of terrain; clear ground is -1.
func groundOf(kind string) ground {
	k := strings.ToLower(kind)
	if k == "" || strings.Contains(k, "clear") || k == "open" {
		return -1
	}
	for _, g := range groundWords {
		for _, w := range g.words {
			if strings.Contains(k, w) {
				return g.g
			}
		}
	}
	return other
}

// survey sorts the hexes of the frame by their ground. Places count as built-up
// also where the terrain text does not say so.
func (l *layout) survey() [grounds]map[hex.Hex]bool {
	var out [grounds]map[hex.Hex]bool
	for i := range out {
		out[i] = map[hex.Hex]bool{}
	}
	for _, h := range l.hexes(l.near) {
		for _, k := range l.b.Kinds(h) {
			if g := groundOf(k); g >= 0 {
				out[g][h] = true
			}
		}
		if p := l.b.Place(h); p != nil && !out[city][h] && !out[town][h] && !out[village][h] {
			if g := groundOf(p.Size); g == city || g == town {
				out[g][h] = true
			} else {
				out[village][h] = true
			}
		}
	}
	return out
}

// drawGround draws the land below everything else.
func (l *layout) drawGround(c *canvas, s [grounds]map[hex.Hex]bool) {
	c.group("ground")
	land := map[hex.Hex]bool{}
	for _, h := range l.hexes(l.near) {
		land[h] = true
	}
	p := &path{}
	for _, loop := range l.loops(land) {
		var ps []pt
		for _, v := range loop {
			ps = append(ps, l.at(v))
		}
		p.join(poly(ps...))
	}
	c.fill(p, clearLand)
	c.end()
	if l.stepped() {
		l.drawSteps(c, s)
	} else {
		l.drawHills(c, s[hills])
	}
	l.drawSwamp(c, s[swamp])
	l.drawForest(c, s)
	l.drawOrchards(c, s[orchards])
	if len(s[lake]) > 0 {
		c.group("lakes")
		c.both(l.area(s[lake], 0.1), water, l.q*0.18, waterEdge)
		c.end()
	}
	l.drawOther(c, s[other])
}

// stepped tells whether the board has steps of height, which sight goes by.
func (l *layout) stepped() bool {
	return slices.ContainsFunc(l.b.Legend, func(t board.Terrain) bool {
		return slices.ContainsFunc(t.Kinds, func(k string) bool { return groundOf(k) == peak })
	})
}

// steps are the hexes of at least each step of height.
func steps(s [grounds]map[hex.Hex]bool) [2]map[hex.Hex]bool {
	low := maps.Clone(s[hills])
	maps.Copy(low, s[peak])
	return [2]map[hex.Hex]bool{low, s[peak]}
}

// drawSteps draws the steps of height as tints; drawContours draws their edges.
func (l *layout) drawSteps(c *canvas, s [grounds]map[hex.Hex]bool) {
	c.group("hills")
	for i, set := range steps(s) {
		if len(set) > 0 {
			c.fill(l.area(set, contourBend), []shade{hillLow, hillHigh}[i])
		}
	}
	c.end()
}

// contourBend is how far contours round off the corners of their hexes: so little that each
// hex is plainly on one side.
const contourBend = 0.08

// drawContours draws the edges of the steps of height over woods and houses, with ticks down
// the slope and the number of the step at each one's upper end.
func (l *layout) drawContours(c *canvas, s [grounds]map[hex.Hex]bool) {
	c.group("contours")
	sc := l.scale()
	for i, set := range steps(s) {
		for _, loop := range l.loops(set) {
			edge := l.soft(loop, contourBend)
			c.stroke(edge, max(1, sc*0.028), contourInk)
			ticks, top := &path{}, pt{0, math.Inf(1)}
			for _, line := range flatten(edge) {
				line = even(line, sc*0.25)
				for k := 1; k < len(line)-1; k++ {
					in := line[k+1].sub(line[k-1]).unit().left().mul(-sc * 0.07)
					ticks.move(line[k]).line(line[k].sub(in))
					if line[k].Y < top.Y && l.field.grow(-sc*0.2).holds(line[k]) {
						top = line[k]
					}
				}
			}
			c.stroke(ticks, max(0.8, sc*0.02), contourInk)
			if !math.IsInf(top.Y, 1) && sc >= numbered {
				size := max(7, sc*0.15)
				c.text(top.add(pt{0, size * 0.36}), strconv.Itoa(i+1), letters{font: bold, size: size, ink: contourInk,
					halo: []shade{hillLow, hillHigh}[i], width: size * 0.25, anchor: 0.5})
			}
		}
	}
	c.end()
}

// drawHills draws hills as two steps of height with hachures down the slopes.
func (l *layout) drawHills(c *canvas, set map[hex.Hex]bool) {
	if len(set) == 0 {
		return
	}
	c.group("hills")
	sc := l.scale()
	marks, crest := &path{}, &path{}
	for _, loop := range l.loops(set) {
		edge := l.soft(loop, 0.16)
		c.fill(edge, hillLow)
		for _, line := range flatten(edge) {
			line = even(line, sc*0.085)
			hachures(marks, line, sc)
			crest.join(inset(line, sc*0.30))
		}
	}
	c.fill(crest, hillHigh)
	c.stroke(crest, max(0.7, sc*0.016), hillInk)
	c.stroke(marks, max(0.8, sc*0.02), hillInk)
	c.end()
}

// hachures adds short strokes down the slope, long and short in turn.
func hachures(out *path, line []pt, sc float64) {
	for i := 1; i < len(line)-1; i++ {
		in := line[i+1].sub(line[i-1]).unit().left().mul(-1)
		length := sc * 0.15
		if i%2 == 0 {
			length = sc * 0.09
		}
		a := line[i].add(in.mul(sc * 0.05))
		out.move(a).line(a.add(in.mul(length)))
	}
}

// inset is the closed line moved to its right by d, the inside of a loop.
func inset(line []pt, d float64) *path {
	n := len(line)
	var ps []pt
	for i := 0; i < n-1; i += 2 {
		t := line[(i+1)%n].sub(line[(i+n-2)%(n-1)]).unit()
		ps = append(ps, line[i].add(t.left().mul(-d)))
	}
	return softLine(append(ps, ps[0]))
}

// even places points at equal steps along a closed line.
func even(line []pt, step float64) []pt {
	total := 0.0
	for i := 1; i < len(line); i++ {
		total += line[i].sub(line[i-1]).len()
	}
	n := max(8, int(total/step)/2*2)
	step = total / float64(n)
	out, left := []pt{line[0]}, step
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		for b.sub(a).len() >= left && len(out) < n {
			a = a.mix(b, left/b.sub(a).len())
			out = append(out, a)
			left = step
		}
		left -= b.sub(a).len()
	}
	return append(out, line[0])
}

// drawForest draws woods: a green ground and trees that leave room for roads and houses;
// heavy ones are darker and have more trees.
func (l *layout) drawForest(c *canvas, s [grounds]map[hex.Hex]bool) {
	set := s[forest]
	if len(s[thicket]) > 0 {
		set = maps.Clone(set)
		maps.Copy(set, s[thicket])
	}
	if len(set) == 0 {
		return
	}
	c.group("forest")
	sc := l.scale()
	edge := l.area(set, 0.22)
	c.fill(edge, alpha(woodGround, 235))
	c.stroke(edge, max(0.8, sc*0.025), woodEdge)
	if len(s[thicket]) > 0 {
		c.fill(l.area(s[thicket], 0.22), woodEdge)
	}
	for _, h := range sorted(set) {
		built := s[city][h] || s[town][h] || s[village][h]
		l.trees(c, h, built, s[thicket][h])
	}
	c.end()
}

// trees sets the trees of a hex in loose rows, off its roads and its houses.
func (l *layout) trees(c *canvas, h hex.Hex, built, thick bool) {
	sc, mid := l.scale(), l.centre(h)
	rows, step := 3, 0.27
	if thick {
		rows, step = 4, 0.21
	}
	for i := range rows * rows {
		a := pt{(float64(i%rows) - float64(rows-1)/2) * step, (float64(i/rows) - float64(rows-1)/2) * step}
		if i/rows == 1 {
			a.X += 0.05
		}
		a.X += (chance(h, i) - 0.5) * 0.16
		a.Y += (chance(h, i+50) - 0.5) * 0.13
		// Whole pixels: equal trees are equal in the PNG, which is the smaller for it.
		at := mid.add(a.mul(sc))
		at = pt{math.Round(at.X), math.Round(at.Y)}
		amongHouses := built && a.len() < 0.26
		if amongHouses || l.onRoad(h, at, sc*0.12) {
			continue
		}
		l.tree(c, at, sc*(0.068+0.015*float64(hash(h, i+90)%3)))
	}
}

// tree is one tree seen from above, lit from the upper left.
func (l *layout) tree(c *canvas, at pt, r float64) {
	c.fill(circle(at, r), treeDark)
	c.fill(circle(at.add(pt{-r * 0.22, -r * 0.26}), r*0.62), treeLight)
}

// onRoad tells whether a point of the hex lies within d of one of its roads.
func (l *layout) onRoad(h hex.Hex, a pt, d float64) bool {
	mid := l.centre(h)
	for k := range 6 {
		n := l.neighbour(h, k)
		if n == hex.None || l.b.Road(hex.Between(h, n)) == "" {
			continue
		}
		way := l.centre(n).sub(mid)
		t := max(0, min(1, (a.sub(mid).X*way.X+a.sub(mid).Y*way.Y)/(way.X*way.X+way.Y*way.Y)))
		if a.sub(mid.add(way.mul(t))).len() < d {
			return true
		}
	}
	return false
}

// drawSwamp draws marshes: pale water with tufts of reed.
func (l *layout) drawSwamp(c *canvas, set map[hex.Hex]bool) {
	if len(set) == 0 {
		return
	}
	c.group("swamp")
	sc := l.scale()
	c.fill(l.area(set, 0.2), marsh)
	reed, pool := &path{}, &path{}
	for _, h := range sorted(set) {
		mid := l.centre(h)
		for i := range 7 {
			a := pt{float64(i%2)*0.4 - 0.2 + (chance(h, i)-0.5)*0.2, float64(i)*0.115 - 0.36}
			at := mid.add(a.mul(sc))
			w, t := sc*0.075, sc*0.085
			pool.move(at.add(pt{-w * 1.5, 0})).line(at.add(pt{w * 1.5, 0}))
			reed.move(at).line(at.add(pt{0, -t * 1.2}))
			reed.move(at.add(pt{-w * 0.5, 0})).line(at.add(pt{-w, -t}))
			reed.move(at.add(pt{w * 0.5, 0})).line(at.add(pt{w, -t}))
		}
	}
	c.stroke(pool, max(0.7, sc*0.018), marshInk)
	c.stroke(reed, max(0.8, sc*0.02), marshInk)
	c.end()
}

// drawOrchards draws orchards: small trees in rows.
func (l *layout) drawOrchards(c *canvas, set map[hex.Hex]bool) {
	if len(set) == 0 {
		return
	}
	c.group("orchards")
	sc := l.scale()
	c.fill(l.area(set, 0.05), orchard)
	for _, h := range sorted(set) {
		for i := range 12 {
			a := pt{(float64(i%4) - 1.5) * 0.18, (float64(i/4) - 1) * 0.22}
			l.tree(c, l.centre(h).add(a.mul(sc)), sc*0.05)
		}
	}
	c.end()
}

// drawOther marks hexes of a terrain that the chart has no picture for.
func (l *layout) drawOther(c *canvas, set map[hex.Hex]bool) {
	if len(set) == 0 {
		return
	}
	c.group("other-terrain")
	sc := l.scale()
	dots := &path{}
	for _, h := range sorted(set) {
		for i := range 10 {
			a := pt{(chance(h, i) - 0.5) * 0.7, (chance(h, i+30) - 0.5) * 0.7}
			dots.join(circle(l.centre(h).add(a.mul(sc)), sc*0.02))
		}
	}
	c.fill(dots, hillInk)
	c.end()
}

// unprinted are the tints that white paper does without: what they say is hatched.
var unprinted = map[shade]bool{paper: true, clearLand: true, offMap: true, hillLow: true, hillHigh: true, woodGround: true, orchard: true,
	marsh: true, urban: true, roadCore: true, mainCase: true, zoneTint: true, treeLight: true}

// onPaper is a display list for white paper: without tints, the counters white.
func onPaper(ops []op) []op {
	plain := func(c shade) shade {
		bare := c
		if bare.A = 255; unprinted[bare] {
			return alpha(white, c.A)
		}
		return c
	}
	blank := map[shade]bool{woodEdge: true}
	for _, n := range nations {
		for _, c := range []shade{n.face, n.box, blend(n.face, paper, 150), blend(n.box, paper, 128), blend(n.face, paper, 120)} {
			blank[c] = true
		}
	}
	out := make([]op, len(ops))
	for i, o := range ops {
		o.ink, o.halo = plain(o.ink), plain(o.halo)
		bare := o.ink
		bare.A = 255
		if o.kind == opFill && blank[bare] {
			o.ink = white
		}
		if o.kind == opFill && bare == shadow {
			o.ink.A = 0
		}
		out[i] = o
	}
	return out
}

// hatch draws lines over hexes, at an angle, so many to a hex, clipped to their shapes.
func (l *layout) hatch(c *canvas, set map[hex.Hex]bool, angle float64, lines int, ink shade) {
	p := &path{}
	sin, cos := math.Sincos(angle)
	dir := pt{cos, sin}
	for _, h := range sorted(set) {
		var corners [6]pt
		for i := range corners {
			corners[i] = l.at(l.corner(h, i))
		}
		m := l.centre(h)
		step := l.scale() / float64(lines)
		// The lines of all hexes lie on one raster.
		first := math.Ceil((m.X*-sin + m.Y*cos - l.scale()) / step)
		for k := range 2*lines + 1 {
			off := (first + float64(k)) * step
			var ends []pt
			for i, a := range corners {
				b := corners[(i+1)%6]
				da, db := a.X*-sin+a.Y*cos-off, b.X*-sin+b.Y*cos-off
				if da*db < 0 {
					ends = append(ends, a.mix(b, da/(da-db)))
				}
			}
			if len(ends) == 2 && ends[1].sub(ends[0]).len() > 1 {
				if d := ends[1].sub(ends[0]); d.X*dir.X+d.Y*dir.Y < 0 {
					ends[0], ends[1] = ends[1], ends[0]
				}
				p.move(ends[0]).line(ends[1])
			}
		}
	}
	if len(p.v) > 0 {
		c.stroke(p, max(0.6, l.scale()*0.012), ink)
	}
}

// drawHatching says on white paper what tints say elsewhere.
func (l *layout) drawHatching(c *canvas, s [grounds]map[hex.Hex]bool) {
	c.group("hatching")
	for _, of := range []struct {
		g     ground
		angle float64
		lines int
	}{{forest, math.Pi / 4, 5}, {thicket, math.Pi / 4, 9}, {hills, -math.Pi / 4, 4}, {peak, -math.Pi / 4, 8}, {swamp, 0, 6}, {lake, 0, 10}, {city, math.Pi / 2, 6}, {orchards, math.Pi / 2, 4}} {
		l.hatch(c, s[of.g], of.angle, of.lines, neutral)
	}
	c.end()
}
