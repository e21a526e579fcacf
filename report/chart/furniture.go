package chart

import (
	"fmt"
	"math"
	"strings"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// drawCompass draws a rose at the right end of the title strip, turned as the
// map is turned.
func (l *layout) drawCompass(c *canvas) {
	angle, ok := map[string]float64{"top": 0, "right": math.Pi / 2, "bottom": math.Pi, "left": -math.Pi / 2}[l.b.Compass.North]
	if !ok {
		return
	}
	c.group("compass")
	r := l.head * 0.36
	m := pt{l.field.X1 - r*1.8, l.head*0.5 + l.margin*0.25}
	to := func(a, k float64) pt {
		s, co := math.Sincos(angle + a)
		return m.add(pt{s, -co}.mul(r * k))
	}
	c.stroke(circle(m, r*0.62), 1, titleRule)
	for i := range 4 {
		a := float64(i) * math.Pi / 2
		tip := 0.72
		if i == 0 {
			tip = 1
		}
		c.fill(poly(m, to(a-math.Pi/4, 0.20), to(a, tip)), titleInk)
		c.both(poly(m, to(a+math.Pi/4, 0.20), to(a, tip)), paper, 0.8, titleInk)
	}
	size := l.head * 0.24
	at := to(0, 1.32)
	c.text(at.add(pt{0, size * 0.36}), "N", letters{font: bold, size: size, ink: titleInk, anchor: 0.5})
	c.end()
}

// drawTitle fills the strip at the top: what, when, for whom, and the score.
func (d *drawing) drawTitle() {
	l, c, v := d.layout, d.c, d.v
	c.group("title")
	x := l.field.X0
	name := v.Title
	if d.o.Title != "" {
		name = d.o.Title
	}
	big := l.head * 0.46
	base := l.head*0.62 + l.margin*0.1
	room := l.field.X1 - x - l.head*1.5
	small := l.head * 0.25
	when := fmt.Sprintf("turn %d of %d", v.Turn, v.Turns)
	if v.Turn == 0 {
		when = fmt.Sprintf("%d turns", v.Turns)
	}
	if v.Date != "" {
		when = v.Date + "   " + when
	}
	if v.Phase != "" {
		when += "   next: " + v.Phase
	}
	var score []string
	for _, s := range v.Score {
		score = append(score, fmt.Sprintf("%s %d", title(s.Side), s.Points))
	}
	lines := []string{when, "as the " + title(v.Side) + " side knows it"}
	if d.o.Note != "" {
		lines[1] = d.o.Note
	} else if len(score) > 0 {
		lines[1] += "   score: " + strings.Join(score, ", ") + chitsLeft(v)
	}
	if f := l.frame; !l.whole {
		lines[1] += fmt.Sprintf("   hexes %v to %v", d.b.Grid.Number(f.ColMin, f.RowMin), d.b.Grid.Number(f.ColMax, f.RowMax))
	}
	// A narrow close-up has a smaller strip rather than one that is cut off.
	beside := max(measure(regular, small, lines[0]), measure(regular, small, lines[1]))
	wide := measure(bold, big, name) + big*0.8 + beside
	if k := max(room/wide, 0.35); k < 1 {
		big, small = big*k, small*k
	}
	c.text(pt{x, base}, name, letters{font: bold, size: big, ink: titleInk})
	x += measure(bold, big, name) + big*0.4
	c.bar(polyline(pt{x, base - big*0.85}, pt{x, base + big*0.15}), 1.2, titleRule)
	x += big * 0.4
	c.text(pt{x, base - small*1.15}, lines[0], letters{font: bold, size: small, ink: titleInk})
	c.text(pt{x, base + small*0.15}, lines[1], letters{font: regular, size: small, ink: titleInk})
	c.end()
}

// chitsLeft is how many chits of the turn are to come, in games that draw them.
func chitsLeft(v *view.View) string {
	if v.Chits == nil {
		return ""
	}
	var left []string
	for _, g := range v.Chits.Groups {
		if g.Draws > 0 {
			left = append(left, fmt.Sprintf("%s %d", title(g.Name), g.Left))
		}
	}
	if len(left) == 0 {
		return ""
	}
	return fmt.Sprintf("   chits played: %d, left: %s", len(v.Chits.Played), strings.Join(left, ", "))
}

// drawLegend explains the signs of the whole map in a strip at the bottom.
func (l *layout) drawLegend(c *canvas) {
	c.group("legend")
	row := l.footRow
	hgt := row * 0.62
	k := &legend{c: c, x: l.field.X0, y: l.field.Y1 + l.margin + row*0.38, h: hgt, size: max(9, row*0.24),
		left: l.field.X0, right: l.field.X1, row: row * 0.9, bottom: float64(l.ht)}
	for _, g := range l.legendGround() {
		k.land(g.g, g.name)
	}
	k.line("river", func(a, b pt) {
		c.stroke(polyline(a, b), hgt*0.22+2, waterEdge)
		c.stroke(polyline(a, b), hgt*0.22, water)
	})
	k.line("main road", func(a, b pt) {
		c.stroke(polyline(a, b), hgt*0.2, mainRoad)
		c.stroke(polyline(a, b), hgt*0.09, roadCore)
	})
	k.line("side road", func(a, b pt) { c.stroke(polyline(a, b), hgt*0.06+0.5, sideRoad) })
	k.line("front, teeth the enemy's", func(a, b pt) {
		g, s := nations["German"].line, nations["Soviet"].line
		teeth(c, polyline(a.add(pt{0, -hgt * 0.06}), b.add(pt{0, -hgt * 0.06})), hgt*0.12, s)
		c.bar(polyline(a.add(pt{0, hgt * 0.06}), b.add(pt{0, hgt * 0.06})), hgt*0.12, g)
	})
	k.line("fortified", func(a, b pt) { trench(c, polyline(a, b), rampart{hgt * 0.1, hgt * 0.16, fortInk}) })
	seen := map[string]bool{}
	for i := range l.b.Works {
		if w := &l.b.Works[i]; !seen[w.Kind] {
			seen[w.Kind] = true
			pen := rampart{hgt * 0.07, hgt * 0.16, worksInk(w.Side)}
			k.line(w.Kind, func(a, b pt) { trench(c, polyline(a, b), pen) })
		}
	}
	k.sign("victory points, ours", func(m pt) { objective(c, m, hgt*0.46, prize{"3", heldByOwn, nations["German"].line}) })
	k.sign("theirs", func(m pt) { objective(c, m, hgt*0.46, prize{"3", heldByEnemy, nations["Soviet"].line}) })
	k.sign("steps lost", func(m pt) {
		drawCounter(c, m, hgt*0.95, counter{nation: nations["German"], kind: "INF", size: "R", foot: "2-4", lost: 1})
	})
	k.sign("out of supply", func(m pt) { tag(c, m, hgt*0.5, tagText{"U1", alarm, white}) })
	k.sign("disorganized", func(m pt) { tag(c, m, hgt*0.5, tagText{"D", warning, ink}) })
	k.sign("seen earlier", func(m pt) {
		drawCounter(c, m, hgt*0.95, counter{nation: nations["Soviet"], kind: "INF", foot: "?", faded: true, enemy: true})
	})
	c.end()
	l.legend = *k
}

// legend sets one sign after the other.
type legend struct {
	c       *canvas
	x, y, h float64
	size    float64
	// The legend breaks into rows between left and right.
	left, right, row, bottom float64
}

// sign draws a sign of the legend and its word.
func (k *legend) sign(word string, draw func(m pt)) { k.entry(word, k.h, draw) }

func (k *legend) entry(word string, w float64, draw func(m pt)) {
	all := w + k.size*0.4 + measure(regular, k.size, word)
	if k.x+all > k.right && k.x > k.left {
		k.x, k.y = k.left, k.y+k.row
	}
	if k.x+all > k.right || k.y+k.h/2 > k.bottom {
		return // a very small map has a short legend
	}
	draw(pt{k.x + w/2, k.y})
	k.c.text(pt{k.x + w + k.size*0.4, k.y + k.size*0.36}, word, letters{font: regular, size: k.size, ink: titleInk})
	k.x += all + k.size*1.1
}

func (k *legend) line(word string, draw func(a, b pt)) {
	k.entry(word, k.h*1.5, func(m pt) { draw(m.sub(pt{k.h * 0.7, 0}), m.add(pt{k.h * 0.7, 0})) })
}

// land draws a sample of ground by drawing a map of one hex.
func (k *legend) land(g ground, word string) {
	k.entry(word, k.h*1.15, func(m pt) {
		l := sampleLayout(m, k.h*1.15)
		h := hex.New(2, 2)
		var s [grounds]map[hex.Hex]bool
		for i := range s {
			s[i] = map[hex.Hex]bool{}
		}
		if g >= 0 {
			s[g][h] = true
		}
		sub := &canvas{}
		sub.both(l.shape(h, 1), clearLand, 0.8, gridLine)
		l.drawHills(sub, s[hills])
		l.drawSwamp(sub, s[swamp])
		l.drawForest(sub, s)
		l.drawOrchards(sub, s[orchards])
		l.drawOther(sub, s[other])
		if g == lake {
			sub.both(l.area(s[lake], 0.1), water, 1, waterEdge)
		}
		if g == city || g == town || g == village {
			l.drawBuilt(sub, s)
		}
		for _, o := range sub.ops {
			if o.kind != opGroup && o.kind != opEnd {
				k.c.ops = append(k.c.ops, o)
			}
		}
	})
}

type groundName struct {
	g    ground
	name string
}

// legendGround lists the kinds of ground of the board in the words of its own legend.
func (l *layout) legendGround() []groundName {
	out := []groundName{{-1, "clear"}}
	have := map[ground]bool{}
	for _, t := range l.b.Legend {
		for _, k := range t.Kinds {
			if g := groundOf(k); g >= 0 && !have[g] {
				have[g] = true
				out = append(out, groundName{g, k})
			}
		}
	}
	for _, p := range l.b.Places {
		g := groundOf(p.Size)
		if g != city && g != town {
			g = village
		}
		if !have[g] {
			have[g] = true
			out = append(out, groundName{g, p.Size})
		}
	}
	return out
}

// sampleLayout is a map of one hex, 0202, of the given width around m.
func sampleLayout(m pt, width float64) *layout {
	l := &layout{b: &board.Board{Grid: hex.Grid{ColMin: 1, ColMax: 3, RowMin: 1, RowMax: 3}}, q: width / 4, h: width * 0.433}
	l.origin = m.sub(pt{6 * l.q, float64(l.middle(hex.New(2, 2)).Y) * l.h})
	return l
}
