package chart

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"fieldpost/adjudicator/view"
)

// counter is a playing piece as it is drawn.
type counter struct {
	id     string // of an own unit
	nation nationColour
	kind   string // type of unit for the symbol
	size   string
	foot   string // strength and moves
	name   string // printed on close-ups
	lost   int    // steps
	seen   int    // steps of an enemy unit, where they are told
	tags   []tagText
	faded  bool // seen earlier, perhaps gone
	enemy  bool // has another shape, not another colour alone
}

// tagText is a small flag on a counter.
type tagText struct {
	text      string
	face, ink shade
}

// ownCounter is the counter of an own unit.
func ownCounter(u *view.Unit, side string) counter {
	k := counter{id: u.ID, nation: nationOf(u.Nation, side), kind: u.Type, size: u.Size, name: u.Name}
	k.lost = max(0, u.MaxSteps-u.Steps)
	k.foot = strconv.Itoa(u.Attack)
	if u.Defence != u.Attack {
		k.foot += "-" + strconv.Itoa(u.Defence)
	}
	k.foot += "-" + strconv.Itoa(u.Moves)
	if u.Type == "HQ" && u.Attack == 0 && u.Defence == 0 {
		k.foot = strconv.Itoa(u.Moves)
	}
	if u.OutOfSupply > 0 {
		k.tags = append(k.tags, tagText{fmt.Sprintf("U%d", u.OutOfSupply), alarm, white})
	}
	if u.Disorganized {
		k.tags = append(k.tags, tagText{"D", warning, ink})
	}
	if u.Retreated {
		k.tags = append(k.tags, tagText{"R", paper, ink})
	}
	return k
}

// sightCounter is the counter of an enemy unit as a contact report tells it.
func sightCounter(s *view.Sight, st *view.Stack) counter {
	k := counter{nation: nationOf(s.Nation, st.Side), kind: s.Type, size: s.Size, name: s.Name}
	k.foot, k.faded, k.enemy = "?", !st.Closer, true
	if s.Steps > 0 {
		k.seen, k.foot = s.Steps, strconv.Itoa(s.Steps)+" steps"
		if s.Steps == 1 {
			k.foot = "1 step"
		}
	}
	return k
}

// about is the counter in words.
func (k counter) about() about {
	if k.kind == "?" {
		return about{title: "unknown enemy"}
	}
	words := []string{}
	for _, w := range []string{k.name, kindWords[symbolOf(k.kind)], k.foot} {
		if w != "" && w != "?" {
			words = append(words, w)
		}
	}
	if k.faded {
		words = append(words, "seen earlier")
	}
	return about{unit: k.id, title: strings.Join(words, ", ")}
}

// weight orders a stack: the strongest fighting unit on top, headquarters last.
func weight(u *view.Unit) int {
	w := 10*max(u.Attack, u.Defence) + u.Steps
	switch strings.ToUpper(u.Type) {
	case "HQ":
		w -= 10000
	case "ART", "AA", "AT":
		w -= 1000
	case "ARM":
		w += 5
	}
	return w
}

// sightWeight orders what is seen of an enemy stack.
func sightWeight(s *view.Sight) int {
	return typeWeights[strings.ToUpper(s.Type)]*100 + s.Steps
}

// typeWeights order the types of enemy units in a stack, of which no strength is told.
var typeWeights = map[string]int{"ARM": 60, "AG": 55, "MECH": 50, "MOT": 40, "CAV": 30, "INF": 20, "ART": 10, "HQ": 5}

// face draws the card of a counter without anything on it.
func face(c *canvas, m pt, s float64, k counter) (card box) {
	card = centred(m, pt{s / 2, s / 2})
	ground, edge, _, _ := k.inks()
	below := box{card.X0 + s*0.05, card.Y0 + s*0.05, card.X1 + s*0.05, card.Y1 + s*0.05}
	c.fill(k.shape(below, s), alpha(shadow, 150))
	c.both(k.shape(card, s), ground, max(0.8, s*0.03), edge)
	return card
}

// inks are the colours of a counter's ground and edge, its lines and the inside of its symbol.
func (k counter) inks() (ground, edge, line, inside shade) {
	if k.faded {
		return blend(k.nation.face, paper, 150), blend(ink, paper, 110), blend(ink, paper, 45), blend(k.nation.box, paper, 128)
	}
	return k.nation.face, ink, ink, k.nation.box
}

// shape is the outline of a counter of side s: rounded, and with its corners cut off for
// one of the enemy.
func (k counter) shape(card box, s float64) *path {
	if k.enemy {
		return chamfered(card, s*0.2)
	}
	return rect(card, s*0.12)
}

// drawCounter draws a counter of side s around m, without its name.
func drawCounter(c *canvas, m pt, s float64, k counter) {
	card := face(c, m, s, k)
	_, _, line, inside := k.inks()
	stripes(c, card, k.lost)
	if k.lost > 0 {
		c.stroke(k.shape(card, s), max(0.8, s*0.03), ink)
	}
	half, y0, y1 := s*0.29, m.Y-s*0.29, m.Y+s*0.08
	b := box{m.X - half, y0, m.X + half, y1}
	c.fill(rect(b, 0), inside)
	drawSymbol(symbolBox{c, b, max(0.9, s*0.035), line}, k.kind)
	drawSize(c, pt{m.X, m.Y - s*0.365}, k.size, s*0.115, line)
	k.drawStrength(c, m.add(pt{0, s * 0.425}), s*0.33, s*0.92)
	for i, t := range k.tags { // from the upper left corner
		tag(c, pt{card.X0 + s*0.03, card.Y0 + s*(0.16+0.34*float64(i))}, s*0.32, t)
	}
}

// drawStrength writes strength and moves around the middle of a base line, in letters of a
// size that shrink to a width; the steps that are known of an enemy unit are bars.
func (k counter) drawStrength(c *canvas, foot pt, size, room float64) {
	_, _, line, _ := k.inks()
	if k.seen > 0 {
		bars(c, foot, size*0.7, room, k.seen, line)
		return
	}
	w := measure(bold, size, k.foot)
	if w > room {
		size, w = size*room/w, room
	}
	c.text(pt{math.Round(foot.X - w/2), math.Round(foot.Y)}, k.foot, letters{font: bold, size: size, ink: line})
}

// bars draws n upright bars of a height on a base line around its middle, narrower where
// they are too many for a width.
func bars(c *canvas, foot pt, high, room float64, n int, ink shade) {
	step := min(high*0.75, room/float64(n))
	p := &path{}
	for i := range n {
		x := math.Round(foot.X + step*(float64(i)-float64(n)/2+0.2))
		p.join(rect(box{x, math.Round(foot.Y - high), x + max(1, math.Round(step*0.6)), math.Round(foot.Y)}, 0))
	}
	c.fill(p, ink)
}

// stripes draws a white band across a square from lower left to upper right for
// steps lost, two for two or more.
func stripes(c *canvas, card box, lost int) {
	const half = 0.10
	s := card.Y1 - card.Y0
	for i := range min(lost, 2) {
		off := 0.0
		if lost > 1 {
			off = (float64(i) - 0.5) * 0.40
		}
		lo, hi := (off-half)*s, (off+half)*s
		// The band's edges are the lines x - y = lo and x - y = hi, y upwards.
		at := func(d float64, top bool) pt {
			switch {
			case top && d > 0:
				return pt{card.X1, card.Y0 + d}
			case top:
				return pt{card.X1 + d, card.Y0}
			case d > 0:
				return pt{card.X0 + d, card.Y1}
			}
			return pt{card.X0, card.Y1 + d}
		}
		p := polyline(at(lo, false), at(lo, true))
		if lo < 0 && hi > 0 {
			p.line(pt{card.X1, card.Y0})
		}
		p.line(at(hi, true)).line(at(hi, false))
		if lo < 0 && hi > 0 {
			p.line(pt{card.X0, card.Y1})
		}
		c.fill(p.close(), white)
	}
}

// tag draws a small flag with a letter or two around m.
func tag(c *canvas, m pt, size float64, t tagText) {
	w := max(size*1.0, measure(bold, size*0.85, t.text)+size*0.3)
	c.both(rect(centred(m, pt{w / 2, size * 0.52}), size*0.2), t.face, max(0.7, size*0.07), ink)
	c.text(m.add(pt{0, size * 0.31}), t.text, letters{font: bold, size: size * 0.85, ink: t.ink, anchor: 0.5})
}

// badge is the number of counters in a stack.
func badge(c *canvas, m pt, r float64, n int) {
	c.both(circle(m, r), paper, max(0.8, r*0.16), ink)
	size := r * 1.55
	c.text(m.add(pt{0, size * 0.36}), strconv.Itoa(n), letters{font: bold, size: size, ink: ink, anchor: 0.5})
}

// holder is who holds a hex that counts.
type holder int

const (
	heldByNone holder = iota
	heldByOwn
	heldByEnemy
)

// prize is what a hex counts, "" for nothing, who holds it, and their colour.
type prize struct {
	points string
	by     holder
	owner  shade
}

// words say what a hex counts, and for whom.
func (p prize) words() string {
	points := ""
	if p.points != "" {
		points = p.points + " victory points, "
	}
	return points + []string{heldByNone: "held by nobody", heldByOwn: "ours", heldByEnemy: "the enemy's"}[p.by]
}

// objective is a sign with the points of a hex in the owner's colour: a full star of the
// own side, a hollow one of the enemy, a disc of nobody.
func objective(c *canvas, m pt, r float64, of prize) {
	sign, ground, line := star(m, 5, r*1.18, r*0.62), of.owner, white
	switch of.by {
	case heldByEnemy:
		ground, line = white, of.owner
	case heldByNone:
		sign = circle(m, r*0.8)
	}
	c.both(sign, ground, max(1, r*0.16), line)
	if of.points != "" {
		size := r * 1.15
		c.text(m.add(pt{0, size * 0.40}), of.points, letters{font: bold, size: size, ink: line, anchor: 0.5})
	}
}

// rampart is the pen of a fortified line: how wide it is, how long its teeth are.
type rampart struct {
	width, tooth float64
	ink          shade
}

// trench draws a fortified line: a line with teeth on its left.
func trench(c *canvas, p *path, pen rampart) {
	c.stroke(p, pen.width, pen.ink)
	teeth := &path{}
	for _, l := range flatten(p) {
		for i := 1; i < len(l); i++ {
			d := l[i].sub(l[i-1])
			n := max(2, int(d.len()/(pen.tooth*1.7)))
			out := d.unit().left().mul(pen.tooth)
			for k := range n {
				a := l[i-1].mix(l[i], (float64(k)+0.5)/float64(n))
				teeth.move(a).line(a.add(out))
			}
		}
	}
	c.bar(teeth, pen.width*1.2, pen.ink)
}
