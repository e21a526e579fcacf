package chart

import "fieldpost/adjudicator/hex"

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
