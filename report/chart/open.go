package chart

import (
	"math"
	"slices"
	"strings"
)

// A close-up is drawn from this scale on: counters carry the names of their units, stacks
// are opened, and each hex leaves room above its counters for its number.
const closeUp = 48

// Measures of a card of a close-up, in parts of a hex's width. The card lies between the
// number of its hex and the card of the hex below.
const (
	cardHalf   = 0.365 // half of its width
	cardTop    = -0.24
	cardBottom = 0.43
	nameSize   = 11.0 / 64 // the letters of names
	nameFoot   = 0.165     // their first base line, below the upper edge
	nameRow    = 0.18      // the height of a line of them
	nameMargin = 0.035     // on either side of a name
)

// open tells whether the drawing is a close-up.
func (d *drawing) open() bool { return d.scale() >= closeUp }

// card is the room for the counters of a hex on a close-up, in whole pixels, for that is
// sharper and the PNG is the smaller for it.
func (d *drawing) card(s stack) box {
	m, sc := d.centre(s.hex), d.scale()
	return box{math.Ceil(m.X - sc*cardHalf), math.Ceil(m.Y + sc*cardTop), math.Floor(m.X + sc*cardHalf), math.Floor(m.Y + sc*cardBottom)}
}

// named tells whether anything in the stack has a name.
func (s stack) named() bool {
	return slices.ContainsFunc(s.counters, func(k counter) bool { return k.name != "" })
}

// plate is what a card of a close-up shows: a counter or two with their names in lines
// that fit, and whether the whole stack is opened below the map besides.
type plate struct {
	lines  [][]string // for each counter on the card
	listed bool
}

// plateOf decides how a stack is shown on its card: one counter with its name on one line
// or two, two of them above one another, or the top one of more. What finds no room for
// its name is listed below the map.
func (d *drawing) plateOf(s stack) plate {
	n := len(s.counters)
	// The numbers of several fights need the room of a second name.
	contested := len(d.fought[s.hex]) > 1
	lines := make([][]string, min(n, 2))
	for i := range lines {
		if d.fits(s.counters[i].name) {
			lines[i] = []string{s.counters[i].name}
		}
	}
	switch {
	case contested:
		return plate{lines[:1], n > 1 || lines[0] == nil}
	case n == 1 && lines[0] == nil:
		lines[0] = d.broken(s.counters[0].name)
		return plate{lines, lines[0] == nil}
	case n == 1:
		return plate{lines, false}
	case n == 2:
		return plate{lines, lines[0] == nil || lines[1] == nil}
	}
	return plate{lines[:1], true}
}

// fits tells whether a name fits on a card in letters of full size.
func (d *drawing) fits(name string) bool {
	return measure(bold, d.scale()*nameSize, name) <= d.scale()*2*(cardHalf-nameMargin)
}

// broken is a name on two lines, parted after a blank or a stroke where they come out most
// alike; nil if it fits on no two.
func (d *drawing) broken(name string) (lines []string) {
	least := math.Inf(1)
	for i, r := range name {
		if r != ' ' && r != '/' && r != '.' {
			continue
		}
		a, b := strings.TrimSpace(name[:i+1]), strings.TrimSpace(name[i+1:])
		if w := max(measure(bold, 1, a), measure(bold, 1, b)); b != "" && d.fits(a) && d.fits(b) && w < least {
			lines, least = []string{a, b}, w
		}
	}
	return lines
}

// drawOpened draws the counters of a hex on a close-up.
func (d *drawing) drawOpened(s stack) {
	b := d.card(s)
	show := d.plateOf(s)
	if len(show.lines) == 1 {
		d.drawCard(b, s.counters[0], show.lines[0])
	} else {
		half := math.Round((b.Y0 + b.Y1) / 2)
		d.drawCard(box{b.X0, b.Y0, b.X1, half}, s.counters[0], show.lines[0])
		d.drawCard(box{b.X0, half, b.X1, b.Y1}, s.counters[1], show.lines[1])
	}
	if n := len(s.counters); n > len(show.lines) {
		d.shows("stack")
		badge(d.c, pt{b.X1 - d.scale()*0.09, b.Y0 + d.scale()*(nameRow+0.1)}, d.scale()*0.1, n)
	}
	if show.listed {
		d.listed = append(d.listed, s)
	}
}

// drawCard draws a counter that is wider than high: its name in lines above, then its
// symbol and its strength, above one another where there is room, beside one another else.
func (d *drawing) drawCard(b box, k counter, name []string) {
	sc, c := d.scale(), d.c
	d.showsCounter(k)
	c.groupOf(k.about())
	defer c.end()
	ground, edge, line, inside := k.inks()
	shape := rect(b, sc*0.05)
	if k.enemy {
		shape = chamfered(b, sc*0.065)
	}
	c.fill(shape, ground)
	body := b
	body.Y0 += float64(len(name)) * sc * nameRow
	across := pt{(body.Y1 - body.Y0) / 2, (body.Y1 - body.Y0) / 2}
	stripes(c, centred(pt{(body.X0 + body.X1) / 2, (body.Y0 + body.Y1) / 2}, across), k.lost)
	c.stroke(shape, max(0.8, sc*0.02), edge)
	d.nameCard(b, k, name)
	f := d.figuresOf(body)
	c.fill(rect(f.sign, 0), inside)
	drawSymbol(symbolBox{c, f.sign, max(0.9, sc*0.02), line}, k.kind)
	if !f.beside {
		drawSize(c, pt{(body.X0 + body.X1) / 2, f.sign.Y0 - sc*0.035}, k.size, sc*0.06, line)
	}
	k.drawStrength(c, f.foot, f.size, f.room)
	for i, t := range k.tags {
		if f.beside { // they stand on the symbol, for there is no room else
			tag(c, pt{body.X0 + sc*(0.08+0.16*float64(i)), (body.Y0 + body.Y1) / 2}, sc*0.15, t)
			continue
		}
		tag(c, pt{body.X0 + sc*0.09, body.Y0 + sc*(0.1+0.17*float64(i))}, sc*0.16, t)
	}
}

// figures are where a card has the symbol of its unit and its strength: above one another
// where there is room, else beside one another.
type figures struct {
	beside bool
	sign   box     // the symbol
	foot   pt      // the middle of the base line of the strength
	size   float64 // of its letters
	room   float64 // for its width
}

func (d *drawing) figuresOf(body box) figures {
	sc, tall := d.scale(), body.Y1-body.Y0
	mid := pt{(body.X0 + body.X1) / 2, (body.Y0 + body.Y1) / 2}
	if tall < sc*0.42 {
		half := pt{sc * 0.092, min(sc*0.085, tall*0.31)}
		sign := centred(pt{body.X0 + half.X + sc*0.035, mid.Y}, half)
		size := min(sc*0.18, tall)
		return figures{true, sign, pt{(sign.X1 + body.X1) / 2, min(mid.Y+size*0.36, body.Y1-sc*0.035)}, size, (body.X1 - sign.X1) * 0.87}
	}
	foot, size := pt{mid.X, body.Y1 - sc*0.06}, sc*0.205
	top := body.Y0 + sc*0.075
	sign := box{mid.X - sc*0.17, top, mid.X + sc*0.17, min(top+sc*0.19, foot.Y-size*0.72-sc*0.03)}
	return figures{false, sign, foot, size, (body.X1 - body.X0) * 0.9}
}

// nameCard writes the name of a counter in lines at the top of its card.
func (d *drawing) nameCard(b box, k counter, lines []string) {
	if len(lines) == 0 {
		return
	}
	size := d.scale() * nameSize
	_, _, line, _ := k.inks()
	whole := written{text: k.name}
	for i, text := range lines {
		at := pt{(b.X0 + b.X1) / 2, b.Y0 + d.scale()*(nameRow*float64(i)+nameFoot)}
		d.printed(at, text, letters{font: bold, size: size, ink: line})
		w := measure(bold, size, text)/2 - 1
		whole.boxes = append(whole.boxes, box{at.X - w, at.Y - size*0.7, at.X + w, at.Y})
	}
	d.cards = append(d.cards, whole)
}

// printed sets a text around a point, beginning on a whole pixel.
func (d *drawing) printed(at pt, text string, l letters) {
	left := at.X - measure(l.font, l.size, text)/2
	d.c.text(pt{math.Round(left), math.Round(at.Y)}, text, l)
}

// A roll is the list below a close-up that opens stacks: for each the number of its hex
// and its counters side by side, as high as a row.
const (
	rollCard = 0.375 // the height of a card
	rollRow  = 0.46
	rollHead = 0.40 // the heading
)

// drawUnsaid lists, below the map, the places whose names found no room on it.
func (d *drawing) drawUnsaid() {
	if len(d.unsaid) == 0 {
		return
	}
	text := "Places without room for their names: "
	for i, p := range d.unsaid {
		if i > 0 {
			text += ", "
		}
		text += p.Name + " " + p.Hexes[0].String()
	}
	l := letters{font: regular, size: d.scale() * 0.2, ink: titleInk}
	rows := d.inRows(text, l)
	y := d.strip(l.size * 1.4 * (float64(len(rows)) + 0.3))
	d.c.group("unnamed")
	for i, row := range rows {
		d.c.text(pt{d.field.X0, y + l.size*1.4*(float64(i)+0.8)}, row, l)
	}
	d.c.end()
}

// inRows breaks a text into rows as wide as the map.
func (d *drawing) inRows(text string, l letters) []string {
	var rows []string
	line := ""
	for _, w := range strings.Fields(text) {
		longer := strings.TrimSpace(line + " " + w)
		if line != "" && measure(l.font, l.size, longer) > d.field.X1-d.field.X0 {
			rows, longer = append(rows, line), w
		}
		line = longer
	}
	return append(rows, line)
}

// strip makes the picture higher by so much, and says where that begins.
func (d *drawing) strip(height float64) (top float64) {
	top = float64(d.ht + d.below)
	d.below += int(math.Ceil(height))
	d.c.fill(rect(box{0, top, float64(d.w), float64(d.ht + d.below)}, 0), paper)
	return top
}

// drawRoll opens, below the map, the stacks that their cards could not name, in the order
// of their hexes, and makes the picture so much higher.
func (d *drawing) drawRoll() {
	if len(d.listed) == 0 {
		return
	}
	slices.SortFunc(d.listed, func(a, b stack) int { return int(a.hex) - int(b.hex) })
	sc := d.scale()
	x, y := d.field.X0, float64(d.ht)+sc*rollHead
	type placed struct {
		at  box
		k   counter
		hex string
	}
	type number struct {
		at   pt
		text string
	}
	var cards []placed
	var numbers []number
	turn := func(w float64) {
		if x+w > d.field.X1 && x > d.field.X0 {
			x, y = d.field.X0, y+sc*rollRow
		}
	}
	for _, s := range d.listed {
		label := measure(bold, sc*0.19, s.hex.String()) + sc*0.08
		turn(label + d.rollWidth(s.counters[0])) // the number stays with its first counter
		numbers = append(numbers, number{pt{x, y + sc*0.26}, s.hex.String()})
		x += label
		for _, k := range s.counters {
			w := d.rollWidth(k)
			turn(w)
			left, top := math.Round(x), math.Round(y)
			cards = append(cards, placed{box{left, top, left + math.Round(w), top + math.Round(sc*rollCard)}, k, s.hex.String()})
			x += w + sc*0.04
		}
		x += sc * 0.14
	}
	d.strip(y + sc*rollRow + sc*0.1 - float64(d.ht))
	d.c.text(pt{d.field.X0, float64(d.ht) + sc*0.22}, "Stacks opened, by hex", letters{font: bold, size: sc * 0.22, ink: titleInk})
	d.c.group("stacks")
	for _, n := range numbers {
		d.c.text(n.at, n.text, letters{font: bold, size: sc * 0.19, ink: titleInk})
	}
	for _, p := range cards {
		d.c.groupOf(about{hex: p.hex})
		name := []string{p.k.name}
		if p.k.name == "" {
			name = nil
		}
		d.drawCard(p.at, p.k, name)
		d.c.end()
	}
	d.c.end()
}

// rollWidth is how wide a counter is in the list: as its name and its strength need.
func (d *drawing) rollWidth(k counter) float64 {
	sc, strength := d.scale(), 0.0
	if k.seen == 0 {
		strength = measure(bold, d.scale()*0.175, k.foot)
	}
	return max(sc*0.66, measure(bold, sc*nameSize, k.name)+sc*0.08, sc*0.3+strength)
}
