package chart

import (
	"cmp"
	"fieldpost/adjudicator/hex"
	"slices"
)

// drawUnseen shades the ground that no unit of the side looks at.
func (d *drawing) drawUnseen() {
	if d.o.Sight == nil {
		return
	}
	seen := map[hex.Hex]bool{}
	for _, h := range d.o.Sight.Hexes {
		seen[h] = true
	}
	d.c.group("unseen")
	dark := &path{}
	for _, h := range d.hexes(d.shown) {
		if !seen[h] {
			dark.join(d.shape(h, 1))
		}
	}
	d.c.fill(dark, alpha(shadow, 52))
	d.c.end()
}

// drawSightLines draws the lines of sight from own units to the enemy: whole ones to
// stacks that are seen as they stand, broken ones where something is in the way.
func (d *drawing) drawSightLines() {
	if d.o.Sight == nil {
		return
	}
	d.c.group("sight")
	sc, col := d.scale(), nationOf("", d.o.Sight.Side).line
	for _, l := range d.o.Sight.Lines {
		if !d.shown(l.From) && !d.shown(l.To) {
			continue
		}
		line := polyline(d.centre(l.From), d.centre(l.To))
		d.c.stroke(line, max(2.6, sc*0.085), alpha(white, 170))
		if l.Clear {
			d.c.stroke(line, max(1.2, sc*0.035), col)
		} else {
			d.c.stroke(line, max(1.2, sc*0.035), col, sc*0.12, sc*0.12)
		}
	}
	d.c.end()
}

// drawRanges draws how far the headquarters of the side whose map it is can activate
// units: a broken line around the hexes in range, with the headquarters' name at its
// top. One that reaches over a third of the map and more has none.
func (d *drawing) drawRanges() {
	all, sc := len(d.hexes(d.b.On)), d.scale()
	var taken []box // by counters, and by the names that stand already
	for _, s := range d.stacks() {
		taken = append(taken, centred(d.centre(s.hex), pt{sc * 0.36, sc * 0.45}))
	}
	for _, m := range d.o.Marks {
		for _, h := range []hex.Hex{m.From, m.To} {
			if h != hex.None {
				taken = append(taken, centred(d.centre(h), pt{sc * 0.25, sc * 0.25}))
			}
		}
		if len(m.Hexes) > 0 {
			taken = append(taken, centred(d.centre(m.Hexes[0]), pt{sc * 0.25, sc * 0.25}))
		}
	}
	for _, u := range d.v.Units {
		reach := u.Range
		if reach == 0 && u.Card != nil {
			reach = u.Card.Activates
		}
		if reach == 0 || u.Hex == hex.None {
			continue
		}
		set := map[hex.Hex]bool{}
		for _, h := range d.b.Grid.Within(u.Hex, reach) {
			if d.b.On(h) {
				set[h] = true
			}
		}
		if len(set)*3 > all {
			continue
		}
		d.shows("range")
		d.c.group("range " + u.Name)
		col := nationOf(u.Nation, d.v.Side).line
		var corners []pt
		for _, loop := range d.loops(set) {
			p := (&path{}).move(d.at(loop[0]))
			for _, v := range loop {
				corners = append(corners, d.at(v))
			}
			for _, v := range loop[1:] {
				p.line(d.at(v))
			}
			d.c.stroke(p.close(), max(1.2, sc*0.05), alpha(col, 190), sc*0.2, sc*0.16)
		}
		name := letters{font: bold, size: max(7, sc*0.2), ink: col, halo: paper, width: max(1, sc*0.03), anchor: 0.5}
		if at, room, free := d.rangeLabel(corners, "range of "+u.Name, name, taken); free {
			taken = append(taken, room)
			d.c.text(at, "range of "+u.Name, name)
		}
		d.c.end()
	}
}

// rangeLabel is where the name of a range stands on its line, as far up as it goes whole onto
// the picture and on no other's name.
func (d *drawing) rangeLabel(corners []pt, text string, l letters, others []box) (at pt, room box, free bool) {
	slices.SortFunc(corners, func(a, b pt) int { return cmp.Or(cmp.Compare(a.Y, b.Y), cmp.Compare(a.X, b.X)) })
	w, sc := measure(l.font, l.size, text), d.scale()
	for _, c := range corners {
		at = pt{c.X + sc*0.25, c.Y - sc*0.08}
		room = box{at.X - w/2, at.Y - l.size, at.X + w/2, at.Y + l.size*0.25}
		inside := room.X0 > d.field.X0 && room.X1 < d.field.X1 && room.Y0 > d.field.Y0 && room.Y1 < d.field.Y1
		if inside && !slices.ContainsFunc(others, room.meets) {
			return at, room, true
		}
	}
	return pt{}, box{}, false
}
