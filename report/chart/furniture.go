package chart

import (
	"fmt"
	"maps"
	"math"
	"slices"
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
	whose := "as the " + title(v.Side) + " side knows it"
	if d.o.Note != "" {
		whose = d.o.Note
	}
	if !l.whole {
		d.drawRows(name, when+"   "+whose)
		c.end()
		return
	}
	if v.Phase != "" {
		when += "   next: " + v.Phase
	}
	var score []string
	for _, s := range v.Score {
		score = append(score, fmt.Sprintf("%s %d", title(s.Side), s.Points))
	}
	lines := []string{when, whose}
	if d.o.Note == "" && len(score) > 0 {
		lines[1] += "   score: " + strings.Join(score, ", ") + chitsLeft(v)
	}
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

// drawRows sets the title of a part of the map, in two rows, for it is narrow and comes with
// a report.
func (d *drawing) drawRows(name, when string) {
	l, f := d.layout, d.frame
	name += fmt.Sprintf(", %v to %v", d.b.Grid.Number(f.ColMin, f.RowMin), d.b.Grid.Number(f.ColMax, f.RowMax))
	room := l.field.X1 - l.field.X0 - l.head*1.5
	for i, row := range []letters{{font: bold, size: 14}, {font: regular, size: 10}} {
		text := []string{name, when}[i]
		if w := measure(row.font, row.size, text); w > room {
			row.size *= max(room/w, 0.6)
		}
		row.ink = titleInk
		d.c.text(pt{l.field.X0, []float64{18, 33}[i]}, text, row)
	}
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

// Signs are what a picture draws, by the names of the legend's entries.
type Signs map[string]bool

// kindSign is the sign of a type of unit, groundSign that of a kind of ground in the words
// of the board, workSign that of a kind of works.
func kindSign(kind string) string   { return "unit " + symbolOf(kind) }
func groundSign(word string) string { return "ground " + word }
func workSign(kind string) string   { return "works " + kind }

// The signs of what happened differ by side.
func sideSign(own bool, sign string) string {
	if own {
		return "own " + sign
	}
	return "enemy " + sign
}

// shows notes that the picture draws a sign.
func (d *drawing) shows(sign string) {
	if d.signs == nil {
		d.signs = Signs{}
	}
	d.signs[sign] = true
}

// showsCounter notes the signs on a counter.
func (d *drawing) showsCounter(k counter) {
	switch {
	case k.kind == "?":
		d.shows("unknown")
		return
	case k.enemy:
		d.shows("enemy counter")
	default:
		d.shows("own counter")
	}
	if k.kind != "" {
		d.shows(kindSign(k.kind))
	}
	if k.seen > 0 {
		d.shows("steps seen")
	}
	if k.faded {
		d.shows("seen earlier")
	}
	if k.lost > 0 {
		d.shows("steps lost")
	}
	for _, t := range k.tags {
		d.shows("tag " + t.text[:1])
	}
}

// groundSigns are the signs of the printed map in the frame.
func (l *layout) groundSigns() Signs {
	out := Signs{}
	have := map[ground]bool{}
	for _, h := range l.hexes(l.shown) {
		clear := true
		for _, k := range l.b.Kinds(h) {
			if g := groundOf(k); g >= 0 {
				have[g], clear = true, false
			}
		}
		if p := l.b.Place(h); p != nil {
			have[l.placeGround(p)], clear = true, false
		}
		have[-1] = have[-1] || clear
	}
	for _, g := range l.legendGround() {
		if have[g.g] {
			out[groundSign(g.name)] = true
		}
	}
	for i := range l.b.Rivers {
		if slices.ContainsFunc(l.b.Rivers[i].Edges, l.beside) {
			out["river"] = true
		}
	}
	for i := range l.b.Roads {
		for _, h := range l.b.Roads[i].Path {
			if l.shown(h) {
				out[roadSigns[roadOf(l.b.Roads[i].Kind)]] = true
			}
		}
	}
	for _, br := range l.b.Bridges {
		if l.beside(br.Edge) {
			out["bridge"] = true
		}
	}
	for i := range l.b.Works {
		for _, f := range l.b.Works[i].Facing {
			if l.shown(f.Hex) {
				out["printed "+l.b.Works[i].Kind] = true
			}
		}
	}
	return out
}

// beside tells whether a hexside is of a hex in the frame.
func (l *layout) beside(e hex.Edge) bool { return l.shown(e.A) || l.shown(e.B) }

// roadSigns are the classes of roads in the legend.
var roadSigns = [roadClasses]string{track: "track", secondary: "side road", primary: "main road", highway: "highway", railway: "railway"}

// placeGround is how a place is drawn.
func (l *layout) placeGround(p *board.Place) ground {
	if g := groundOf(p.Size); g == city || g == town {
		return g
	}
	return village
}

// meaning is an entry of the legend.
type meaning struct {
	sign, word string
	draw       func(k *legend, word string)
}

// meanings are all entries that a legend of the drawing can have, in their order.
func (d *drawing) meanings() []meaning {
	own, foe := nationOf("", d.v.Side), nationOf("", d.foe())
	symbol := func(c counter) func(*legend, string) {
		return func(k *legend, word string) {
			k.sign(word, func(m pt) { drawCounter(k.c, m, k.h, c) })
		}
	}
	line := func(draw func(k *legend, a, b pt)) func(*legend, string) {
		return func(k *legend, word string) { k.line(word, func(a, b pt) { draw(k, a, b) }) }
	}
	mark := func(draw func(k *legend, m pt)) func(*legend, string) {
		return func(k *legend, word string) { k.sign(word, func(m pt) { draw(k, m) }) }
	}
	flag := func(text string, face, letter shade) func(*legend, string) {
		return mark(func(k *legend, m pt) { tag(k.c, m, k.h*0.6, tagText{text, face, letter}) })
	}
	star := func(of prize) func(*legend, string) {
		return mark(func(k *legend, m pt) { objective(k.c, m, k.h*0.42, of) })
	}
	arrow := func(ours bool, kind MarkKind) func(*legend, string) {
		return line(func(k *legend, a, b pt) {
			col := own.line
			if !ours {
				col = foe.line
			}
			shaft{kind, k.h * 2.2, col, !ours}.draw(k.c, polyline(a, b.mix(a, 0.3)), b, b.sub(a).unit().mul(k.h*0.5))
		})
	}
	road := func(cl roadClass) func(*legend, string) {
		return line(func(k *legend, a, b pt) {
			var ways [roadClasses]*path
			for i := range ways {
				ways[i] = &path{}
			}
			ways[cl] = polyline(a, b)
			strokeRoads(k.c, ways, k.h*2)
		})
	}
	var out []meaning
	for _, g := range d.legendGround() {
		out = append(out, meaning{groundSign(g.name), g.name, func(k *legend, word string) { k.land(g.g, word, d.stepped()) }})
	}
	out = append(out, meaning{"river", "river", line(func(k *legend, a, b pt) {
		k.c.stroke(polyline(a, b), k.h*0.22+2, waterEdge)
		k.c.stroke(polyline(a, b), k.h*0.22, water)
	})})
	for cl := range roadClasses {
		out = append(out, meaning{roadSigns[cl], roadSigns[cl], road(cl)})
	}
	out = append(out, meaning{"bridge", "bridge", line(func(k *legend, a, b pt) {
		crossing{a.mix(b, 0.5), pt{1, 0}, k.h * 0.4, k.h * 1.8}.draw(k.c, true)
	})}, meaning{"bridge down", "bridge down", line(func(k *legend, a, b pt) {
		crossing{a.mix(b, 0.5), pt{1, 0}, k.h * 0.4, k.h * 1.8}.draw(k.c, false)
	})}, meaning{"pontoon", "bridge of troops", line(func(k *legend, a, b pt) {
		crossing{a.mix(b, 0.5), pt{1, 0}, k.h * 0.5, k.h * 2}.drawPontoon(k.c, true)
	})})
	told := Signs{}
	for i := range d.b.Works {
		w := &d.b.Works[i]
		if told[w.Kind] {
			continue
		}
		told[w.Kind] = true
		out = append(out, meaning{"printed " + w.Kind, w.Kind, line(func(k *legend, a, b pt) {
			trench(k.c, polyline(a, b), rampart{k.h * 0.07, k.h * 0.16, worksInk(w.Side)})
		})})
	}
	for _, kind := range slices.Sorted(maps.Keys(d.signs)) {
		if kind, ok := strings.CutPrefix(kind, "works "); ok {
			out = append(out, meaning{workSign(kind), fortWord(kind), line(func(k *legend, a, b pt) { works(k.c, polyline(a, b), k.h*1.8, kind) })})
		}
	}
	out = append(out,
		meaning{"front", "front, dots the enemy's", line(func(k *legend, a, b pt) {
			up := pt{0, k.h * 0.07}
			frontBank(k.c, polyline(a.sub(up), b.sub(up)), k.h*0.14, foe.line, false)
			frontBank(k.c, polyline(a.add(up), b.add(up)), k.h*0.14, own.line, true)
		})},
		meaning{"own left", "ours, nobody there", line(func(k *legend, a, b pt) { k.c.stroke(slashes(a, b), 1, own.line) })},
		meaning{"enemy left", "the enemy's, nobody seen there", line(func(k *legend, a, b pt) { k.c.stroke(slashes(a, b), 1, foe.line) })},
		meaning{"own counter", "ours", symbol(counter{nation: own, foot: "4-5"})},
		meaning{"enemy counter", "the enemy's: corners cut", symbol(counter{nation: foe, foot: "?", enemy: true})},
		meaning{"unknown", "the enemy, unknown", mark(func(k *legend, m pt) { drawUnknown(k.c, m, k.h, counter{nation: foe, kind: "?", enemy: true}) })},
		meaning{"seen earlier", "pale: seen earlier", symbol(counter{nation: foe, foot: "?", enemy: true, faded: true})},
		meaning{"steps seen", "bars: steps seen", symbol(counter{nation: foe, seen: 2, enemy: true})},
		meaning{"steps lost", "stripes: steps lost", symbol(counter{nation: own, foot: "2-5", lost: 1})},
		meaning{"stack", "counters in the hex", mark(func(k *legend, m pt) { badge(k.c, m, k.h*0.34, 3) })},
	)
	for _, sign := range slices.Sorted(maps.Keys(d.signs)) {
		if kind, ok := strings.CutPrefix(sign, "unit "); ok && kindWords[kind] != "" {
			out = append(out, meaning{sign, kindWords[kind], symbol(counter{nation: own, kind: kind})})
		}
	}
	return append(out,
		meaning{"tag U", "out of supply", flag("U1", alarm, white)},
		meaning{"tag D", "disorganized", flag("D", warning, ink)},
		meaning{"tag R", "has retreated", flag("R", paper, ink)},
		meaning{"own prize", "victory points, ours", star(prize{"3", heldByOwn, own.line})},
		meaning{"enemy prize", "theirs", star(prize{"3", heldByEnemy, foe.line})},
		meaning{"free prize", "nobody's", star(prize{"3", heldByNone, neutral})},
		meaning{"own move", "we moved", arrow(true, MarkMove)},
		meaning{"enemy move", "they moved", arrow(false, MarkMove)},
		meaning{"own retreat", "we retreated", arrow(true, MarkRetreat)},
		meaning{"enemy retreat", "they retreated", arrow(false, MarkRetreat)},
		meaning{"own fire", "we fired", arrow(true, MarkFire)},
		meaning{"enemy fire", "they fired", arrow(false, MarkFire)},
		meaning{"ghost", "stood here", mark(func(k *legend, m pt) { drawGhost(k.c, centred(m, pt{k.h * 0.3, k.h * 0.3}), counter{nation: own}) })},
		meaning{"fight", "fight, its number in the story", mark(func(k *legend, m pt) { drawBurst(k.c, m, k.h*0.4, "7") })},
		meaning{"range", "range of command", line(func(k *legend, a, b pt) { k.c.stroke(polyline(a, b), 1.5, own.line, k.h*0.3, k.h*0.24) })},
	)
}

// slashes are strokes across a line, as those of hatched ground.
func slashes(a, b pt) *path {
	p := &path{}
	for i := range 5 {
		m := a.mix(b, (float64(i)+0.5)/5)
		p.move(m.add(pt{-3, 5})).line(m.add(pt{3, -5}))
	}
	return p
}

// kindWords are the types of units in words.
var kindWords = map[string]string{"INF": "infantry", "ARM": "armour", "TANK": "tanks", "MOT": "motorised", "MECH": "mechanised", "PZGR": "mechanised",
	"CAV": "cavalry", "REC": "reconnaissance", "ART": "artillery", "SPA": "guns on tracks", "AG": "assault guns", "AT": "anti-tank",
	"SPAT": "tank destroyers", "AA": "anti-aircraft", "ENG": "engineers", "ROCK": "rockets", "MTN": "mountain", "PARA": "paratroops",
	"MG": "machine guns", "MOR": "mortars", "AIR": "air", "SUP": "supply", "HQ": "headquarters"}

// foe is a side that is not the picture's.
func (d *drawing) foe() string {
	for i := range d.v.Enemy {
		return d.v.Enemy[i].Side
	}
	for _, s := range d.v.Score {
		if s.Side != d.v.Side {
			return s.Side
		}
	}
	return ""
}

// drawLegend explains, below the map, the signs that the picture draws.
func (d *drawing) drawLegend() {
	if d.o.Bare {
		return
	}
	const row, high, size = 22, 18, 10
	sub := &canvas{}
	k := &legend{c: sub, x: d.field.X0, h: high, size: size, left: d.field.X0, right: d.field.X1, row: row}
	k.y = float64(d.ht+d.below) + row*0.6
	for _, m := range d.meanings() {
		if !d.signs[m.sign] {
			continue
		}
		sub.group("legend " + m.sign)
		m.draw(k, m.word)
		sub.end()
		d.told = append(d.told, m.sign)
	}
	if len(d.told) == 0 {
		return
	}
	d.c.group("legend")
	d.strip(k.y + row*0.7 - float64(d.ht+d.below))
	d.c.ops = append(d.c.ops, sub.ops...)
	d.c.end()
}

// legend sets one entry after the other, in rows between left and right.
type legend struct {
	c                *canvas
	x, y, h          float64
	size             float64
	left, right, row float64
}

// sign draws a sign of the legend and its word.
func (k *legend) sign(word string, draw func(m pt)) { k.entry(word, k.h, draw) }

func (k *legend) entry(word string, w float64, draw func(m pt)) {
	all := w + k.size*0.4 + measure(regular, k.size, word)
	if k.x+all > k.right && k.x > k.left {
		k.x, k.y = k.left, k.y+k.row
	}
	draw(pt{k.x + w/2, k.y})
	k.c.text(pt{k.x + w + k.size*0.4, k.y + k.size*0.36}, word, letters{font: regular, size: k.size, ink: titleInk})
	k.x += all + k.size*1.1
}

func (k *legend) line(word string, draw func(a, b pt)) {
	k.entry(word, k.h*1.5, func(m pt) { draw(m.sub(pt{k.h * 0.7, 0}), m.add(pt{k.h * 0.7, 0})) })
}

// land draws a sample of ground by drawing a map of one hex.
func (k *legend) land(g ground, word string, stepped bool) {
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
		if stepped {
			l.drawSteps(sub, s)
			l.drawContours(sub, s)
		} else {
			l.drawHills(sub, s[hills])
		}
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
	for i := range l.b.Places {
		p := &l.b.Places[i]
		g := l.placeGround(p)
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
