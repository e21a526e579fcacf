package chart

import (
	"strings"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
)

// riverWidth is the width of a river on the map, in parts of a hex.
func riverWidth(kind string) float64 {
	k := strings.ToLower(kind)
	for _, w := range []struct {
		word  string
		width float64
	}{{"stream", 0.055}, {"minor", 0.055}, {"brook", 0.055}, {"small", 0.055}, {"creek", 0.055},
		{"doniec", 0.17}, {"donets", 0.17}, {"special", 0.17}, {"big", 0.17}, {"major", 0.17}, {"great", 0.17}} {
		if strings.Contains(k, w.word) {
			return w.width
		}
	}
	return 0.105
}

// drawRivers draws rivers as smooth lines along the hexsides. All banks come
// before all water, so that rivers flow into each other.
func (l *layout) drawRivers(c *canvas) {
	if len(l.b.Rivers) == 0 {
		return
	}
	c.group("rivers")
	sc := l.scale()
	type course struct {
		p *path
		w float64
	}
	var all []course
	for i := range l.b.Rivers {
		r := &l.b.Rivers[i]
		w := riverWidth(r.Kind) * sc
		for _, ch := range chains(l.riverSides(r)) {
			all = append(all, course{softLine(l.points(ch)), w})
		}
	}
	for _, r := range all {
		c.stroke(r.p, r.w+max(1.2, sc*0.04), waterEdge)
	}
	for _, r := range all {
		c.stroke(r.p, max(1, r.w), water)
	}
	c.end()
}

// riverSides lists a river's hexsides near the frame as lattice lines.
func (l *layout) riverSides(r *board.River) [][2]vertex {
	var out [][2]vertex
	for _, e := range r.Edges {
		if a, b, ok := l.side(e); ok && (l.near(e.A) || l.near(e.B)) {
			out = append(out, [2]vertex{a, b})
		}
	}
	return out
}

// points are the lattice points as points of the picture.
func (l *layout) points(vs []vertex) []pt {
	out := make([]pt, len(vs))
	for i, v := range vs {
		out[i] = l.at(v)
	}
	return out
}

// roadClass is how a road is drawn.
type roadClass int

const (
	track roadClass = iota
	secondary
	primary
	highway
	railway
	roadClasses
)

func roadOf(kind string) roadClass {
	k := strings.ToLower(kind)
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(k, w) {
				return true
			}
		}
		return false
	}
	switch {
	case has("rail"):
		return railway
	case has("motorway", "highway", "autobahn"):
		return highway
	case has("main", "major", "primary"):
		return primary
	case has("track", "minor"):
		return track
	}
	return secondary
}

// drawRoads draws roads through the middles of hexes; at junctions and in places
// they meet in the very middle, elsewhere they bend softly.
func (l *layout) drawRoads(c *canvas) {
	net := l.roadNet()
	if len(net.lines) == 0 {
		return
	}
	c.group("roads")
	sc := l.scale()
	var ways [roadClasses]*path
	for k := range ways {
		ways[k] = net.ways(l, roadClass(k))
	}
	strokeRoads(c, ways, sc)
	c.end()
}

// strokeRoads draws roads by their classes on a map of that scale.
func strokeRoads(c *canvas, ways [roadClasses]*path, sc float64) {
	c.stroke(ways[railway], max(1.6, sc*0.05), railInk)
	c.stroke(ways[railway], max(0.8, sc*0.025), paper, sc*0.09, sc*0.09)
	c.stroke(ways[track], max(1, sc*0.03), sideRoad, sc*0.10, sc*0.06)
	c.stroke(ways[secondary], max(2.4, sc*0.085), mainCase)
	c.stroke(ways[primary], max(3, sc*0.125), mainCase)
	c.stroke(ways[secondary], max(1.1, sc*0.04), sideRoad)
	c.stroke(ways[primary], max(2.4, sc*0.105), mainRoad)
	c.stroke(ways[primary], max(1, sc*0.05), roadCore)
	c.stroke(ways[highway], max(4, sc*0.15), mainRoad)
	c.stroke(ways[highway], max(2, sc*0.09), roadCore)
	c.stroke(ways[highway], max(0.8, sc*0.03), mainRoad)
}

// roadNet is the net of roads near the frame, each step once, with its class.
type roadNet struct {
	lines  map[roadClass][][2]vertex
	degree map[vertex]int
	fixed  map[vertex]bool // a place, where a road goes through the middle
}

func (l *layout) roadNet() roadNet {
	n := roadNet{map[roadClass][][2]vertex{}, map[vertex]int{}, map[vertex]bool{}}
	seen := map[hex.Edge]bool{}
	for i := range l.b.Roads {
		r := &l.b.Roads[i]
		for k := 1; k < len(r.Path); k++ {
			a, b := r.Path[k-1], r.Path[k]
			if e := hex.Between(a, b); seen[e] || !l.near(a) && !l.near(b) {
				continue
			} else {
				seen[e] = true
			}
			va, vb := l.middle(a), l.middle(b)
			cl := roadOf(r.Kind)
			n.lines[cl] = append(n.lines[cl], [2]vertex{va, vb})
			n.degree[va]++
			n.degree[vb]++
			n.fixed[va] = n.fixed[va] || l.b.Place(a) != nil
			n.fixed[vb] = n.fixed[vb] || l.b.Place(b) != nil
		}
	}
	return n
}

// ways are the roads of a class as one path.
func (n roadNet) ways(l *layout, cl roadClass) *path {
	out := &path{}
	for _, ch := range chains(n.lines[cl]) {
		var run []pt
		for i, v := range ch {
			run = append(run, l.at(v))
			if i > 0 && i < len(ch)-1 && (n.degree[v] != 2 || n.fixed[v]) {
				out.join(softLine(run))
				run = []pt{l.at(v)}
			}
		}
		out.join(softLine(run))
	}
	return out
}

// drawBridge draws a bridge across a hexside: two parapets over the water, or a
// gap between two stumps and a red cross where it was destroyed.
func (l *layout) drawBridge(c *canvas, e hex.Edge, stands bool) (drawn bool) {
	if _, _, ok := l.side(e); !ok || !l.shown(e.A) && !l.shown(e.B) {
		return false
	}
	a, b := l.centre(e.A), l.centre(e.B)
	crossing{a.mix(b, 0.5), b.sub(a).unit(), l.scale() * (riverWidth(l.b.River(e))/2 + 0.07), l.scale()}.draw(c, stands)
	return true
}

// crossing is where a bridge lies: its middle, its direction, half of its length, and the scale
// of the map.
type crossing struct {
	m, along pt
	half, sc float64
}

func (s crossing) draw(c *canvas, stands bool) {
	m, along, half, sc := s.m, s.along, s.half, s.sc
	across := along.left()
	side := sc * 0.085
	if stands {
		c.bar(polyline(m.sub(along.mul(half)), m.add(along.mul(half))), side*1.7, mainCase)
	} else {
		c.fill(circle(m, half*1.15), alpha(paper, 225))
	}
	for _, s := range []float64{-side, side} {
		off := across.mul(s)
		p0, p1 := m.add(off).sub(along.mul(half)), m.add(off).add(along.mul(half))
		if stands {
			flare, end := across.mul(s*0.6), along.mul(sc*0.03)
			parapet := polyline(p0.add(flare).sub(end), p0, p1, p1.add(flare).add(end))
			c.stroke(parapet, max(1.2, sc*0.035), ink)
		}
	}
	if !stands {
		a, x, pen := along.mul(half*0.8), across.mul(half*0.8), max(1.6, sc*0.05)
		c.stroke(polyline(m.add(a).add(x), m.sub(a).sub(x)), pen, alarm)
		c.stroke(polyline(m.add(a).sub(x), m.sub(a).add(x)), pen, alarm)
	}
}
