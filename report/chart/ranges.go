package chart

import (
	"fieldpost/adjudicator/hex"
)

// drawRanges draws how far the headquarters of the side whose map it is can activate
// units: a broken line around the hexes in range, with the headquarters' name at its
// top. One that reaches over a third of the map and more has none.
func (d *drawing) drawRanges() {
	all, sc := len(d.hexes(d.b.On)), d.scale()
	for _, u := range d.v.Units {
		if u.Range == 0 || u.Hex == hex.None {
			continue
		}
		set := map[hex.Hex]bool{}
		for _, h := range d.b.Grid.Within(u.Hex, u.Range) {
			if d.b.On(h) {
				set[h] = true
			}
		}
		if len(set)*3 > all {
			continue
		}
		d.c.group("range " + u.Name)
		col := nationOf(u.Nation, d.v.Side).line
		top := d.centre(u.Hex)
		for _, loop := range d.loops(set) {
			p := (&path{}).move(d.at(loop[0]))
			for _, v := range loop {
				if a := d.at(v); a.Y < top.Y {
					top = a
				}
			}
			for _, v := range loop[1:] {
				p.line(d.at(v))
			}
			d.c.stroke(p.close(), max(1.2, sc*0.05), alpha(col, 190), sc*0.2, sc*0.16)
		}
		name := letters{font: bold, size: max(7, sc*0.2), ink: col, anchor: 0.5}
		d.c.text(pt{top.X + sc*0.25, top.Y - sc*0.08}, "range of "+u.Name, name)
		d.c.end()
	}
}
