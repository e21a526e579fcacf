package chart

import (
	"math"
	"sort"
	"strconv"
	"strings"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// drawing is the layer of a view over the base of its board.
type drawing struct {
	*layout
	c        *canvas
	v        *view.View
	o        Options
	taken    []box // where no name should be written
	names    []written
	piles    []written       // the counters of each hex
	standing map[hex.Hex]box // the room of the counters of each hex
	cards    []written       // the names of units
	// numbers are those of hexes with counters, on a close-up; over lies over counters.
	numbers, over []written
	signs         Signs    // that are drawn
	told          []string // of them, those in the legend
	// listed are the stacks that are opened below the map, which takes so many pixels.
	listed []stack
	below  int
	unsaid []*board.Place       // places whose names have no room on a close-up
	fought map[hex.Hex][]string // the numbers of the fights of hexes
}

// stack is the counters of one hex, the top one first.
type stack struct {
	hex      hex.Hex
	counters []counter
	enemy    bool
}

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
	layer(LayerSupply, d.drawCutOff)
	layer(LayerForts, d.drawForts)
	layer(LayerBridges, d.drawBridges)
	layer(LayerZones, d.drawControlZones)
	layer(LayerFront, d.drawFront)
	layer(LayerRanges, d.drawRanges)
	layer(LayerSight, d.drawSightLines)
	d.standing = map[hex.Hex]box{}
	if d.has(LayerArrows) {
		d.fought = d.fights()
	}
	for _, s := range stacks {
		d.standing[s.hex] = d.stackBox(s)
		d.taken = append(d.taken, d.stackBox(s))
		d.piles = append(d.piles, written{s.hex.String(), []box{d.stackBox(s)}})
		if d.open() {
			room := d.takenBox(s.hex)
			d.taken = append(d.taken, room)
			d.numbers = append(d.numbers, written{s.hex.String(), []box{room}})
		}
	}
	layer(LayerArrows, d.takeGhosts)
	layer(LayerArrows, d.drawMoves)
	layer(LayerNames, d.drawNames)
	c.group("counters")
	for _, s := range stacks {
		d.drawStack(s)
	}
	c.end()
	layer(LayerObjectives, d.drawObjectives)
	layer(LayerArrows, d.drawMarks)
	d.drawNumbersAgain(stacks)
	c.free()
	d.drawRoll()
	d.drawUnsaid()
	d.drawLegend()
	d.drawTitle()
}

// drawNumbersAgain writes the numbers of the hexes with counters, on a close-up, over the
// fronts, works and ways that cross them.
func (d *drawing) drawNumbersAgain(stacks []stack) {
	if !d.open() {
		return
	}
	d.c.group("numbers-now")
	for _, s := range stacks {
		d.c.fill(rect(d.takenBox(s.hex).grow(1.5), 2), paper)
		d.printed(d.takenFoot(s.hex), s.hex.String(), letters{font: bold, size: d.takenSize(), ink: ink})
	}
	d.c.end()
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
	s := stack{hex: st.Hex, enemy: true}
	seen := append([]view.Sight(nil), st.Units...)
	sort.SliceStable(seen, func(i, j int) bool { return sightWeight(&seen[i]) > sightWeight(&seen[j]) })
	for i := range seen {
		s.counters = append(s.counters, sightCounter(&seen[i], st))
	}
	if len(seen) == 0 {
		s.counters = []counter{{nation: nationOf("", st.Side), kind: "?", foot: "", enemy: true}}
	}
	return s
}

// counterSize is the side of a counter.
func (d *drawing) counterSize() float64 {
	if d.open() {
		return math.Round(d.scale()*0.31) * 2
	}
	return d.scale() * 0.64
}

// pileMiddle is the middle of the counters of a hex, a little low for the number above.
func (d *drawing) pileMiddle(s stack) pt {
	low := 0.04
	if d.open() {
		low = 0.075
	}
	return d.centre(s.hex).add(pt{0, math.Round(d.scale() * low)})
}

func (d *drawing) stackBox(s stack) box {
	if d.open() && s.named() {
		return d.card(s)
	}
	r := d.scale() * 0.34
	if d.open() {
		r = d.counterSize() / 2
	}
	return centred(d.pileMiddle(s), pt{r, r})
}

// drawStack draws the counters of a hex: in a pile with the number of counters, and on a
// close-up with the names of its units.
func (d *drawing) drawStack(s stack) {
	d.c.groupOf(s.about())
	defer d.c.end()
	if d.open() && s.named() {
		d.drawOpened(s)
		return
	}
	n := len(s.counters)
	d.showsCounter(s.counters[0])
	size, m := d.counterSize(), d.pileMiddle(s)
	behind := pt{size * 0.075, -size * 0.075}
	if d.open() {
		behind.Y = -behind.Y // the number is above
	}
	for i := min(n-1, 2); i >= 1; i-- {
		face(d.c, m.add(behind.mul(float64(i))), size, s.counters[i])
	}
	d.c.groupOf(s.counters[0].about())
	if s.counters[0].kind == "?" {
		drawUnknown(d.c, m, size, s.counters[0])
	} else {
		drawCounter(d.c, m, size, s.counters[0])
	}
	d.c.end()
	if n > 1 {
		d.shows("stack")
		badge(d.c, m.add(pt{size * 0.52, -size * 0.46}), max(4.2, size*0.17), n)
	}
}

// about is the stack in words.
func (s stack) about() about {
	var all []string
	for _, k := range s.counters {
		all = append(all, k.about().title)
	}
	return about{hex: s.hex.String(), title: s.hex.String() + ": " + strings.Join(all, "; ")}
}

// drawUnknown draws the counter of an enemy stack of which nothing is known.
func drawUnknown(c *canvas, m pt, size float64, k counter) {
	face(c, m, size, k)
	c.text(m.add(pt{0, size * 0.27}), "?", letters{font: bold, size: size * 0.78, ink: ink, anchor: 0.5})
}

// drawBridges draws what differs from the printed bridges, and what troops have laid.
func (d *drawing) drawBridges() {
	d.c.group("bridges-now")
	for _, b := range d.v.Bridges {
		if b.Stands != d.b.Bridge(b.Edge) {
			if d.drawBridge(d.c, b.Edge, b.Stands) {
				d.shows(map[bool]string{true: "bridge", false: "bridge down"}[b.Stands])
			}
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
		points := ""
		if o.Points > 0 {
			points = strconv.Itoa(o.Points)
		}
		m, r := d.centre(o.Hex).add(pt{-sc * 0.37, sc * 0.02}), sc*0.155
		if d.open() { // where cards of four hexes leave room
			m, r = d.centre(o.Hex).add(pt{-sc * 0.42, sc * 0.03}), sc*0.105
		}
		of := d.prize(o, points)
		d.shows([]string{heldByNone: "free prize", heldByOwn: "own prize", heldByEnemy: "enemy prize"}[of.by])
		d.c.groupOf(about{hex: o.Hex.String(), title: strings.TrimSpace(o.Name + " " + o.Hex.String() + " " + of.words())})
		objective(d.c, m, r, of)
		d.c.end()
		d.sign("the star of "+o.Hex.String(), centred(m, pt{r, r}))
	}
	d.c.end()
}

// prize is who holds an objective, with the points that are written on it.
func (d *drawing) prize(o view.Objective, points string) prize {
	switch o.Owner {
	case "":
		return prize{points, heldByNone, neutral}
	case d.v.Side:
		return prize{points, heldByOwn, nationOf("", o.Owner).line}
	}
	return prize{points, heldByEnemy, nationOf("", o.Owner).line}
}

// sign notes what lies over the counters.
func (d *drawing) sign(text string, room box) {
	d.over = append(d.over, written{text, []box{room}})
}
