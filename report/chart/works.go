package chart

import "fieldpost/adjudicator/board"

// drawWorks draws the lines of works that the map prints: inside the hexes that
// they cover, in the colour of their side, with teeth towards the enemy.
func (l *layout) drawWorks(c *canvas) {
	if len(l.b.Works) == 0 {
		return
	}
	c.group("works")
	sc := l.scale()
	for i := range l.b.Works {
		w := &l.b.Works[i]
		pen := rampart{max(1, sc*0.032), sc * 0.075, worksInk(w.Side)}
		for _, ch := range l.facings(w) {
			trench(c, polyline(beside(l.points(ch), sc*0.075)...), pen)
		}
	}
	c.end()
}

// worksInk is the colour of works: that of the side, or of no side.
func worksInk(side string) shade {
	if side == "" {
		return fortInk
	}
	return alpha(nationOf("", side).line, 190)
}

// facings are the hexsides of works as lines with the ground that they cover on the right.
func (l *layout) facings(w *board.Works) [][]vertex {
	next := map[vertex][]vertex{}
	into := map[vertex]int{}
	var starts []vertex
	for _, f := range w.Facing {
		d, ok := l.b.Grid.Direction(f.Hex, f.From)
		if !ok || !l.near(f.Hex) {
			continue
		}
		a, b := l.corner(f.Hex, int(d)), l.corner(f.Hex, int(d)+1)
		next[a] = append(next[a], b)
		into[b]++
		starts = append(starts, a)
	}
	var out [][]vertex
	walk := func(v vertex) {
		line := []vertex{v}
		for len(next[v]) > 0 {
			n := next[v][0]
			next[v] = next[v][1:]
			line, v = append(line, n), n
		}
		if len(line) > 1 {
			out = append(out, line)
		}
	}
	for _, v := range starts {
		for into[v] == 0 && len(next[v]) > 0 {
			walk(v)
		}
	}
	for _, v := range starts {
		for len(next[v]) > 0 {
			walk(v)
		}
	}
	return out
}
