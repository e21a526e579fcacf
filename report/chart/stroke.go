package chart

import "math"

// flatten turns a path into polylines; closed ones end where they begin.
func flatten(a *path) [][]pt {
	var out [][]pt
	var cur []pt
	flush := func() {
		if len(cur) > 1 {
			out = append(out, cur)
		}
		cur = nil
	}
	i := 0
	for _, v := range a.v {
		switch v {
		case 'M':
			flush()
			cur = []pt{a.p[i]}
			i++
		case 'L':
			cur = append(cur, a.p[i])
			i++
		case 'Q':
			cur = flatQuad(cur, a.p[i], a.p[i+1])
			i += 2
		case 'C':
			cur = flatCube(cur, a.p[i], a.p[i+1], a.p[i+2])
			i += 3
		case 'Z':
			if len(cur) > 0 {
				start := cur[0]
				if cur[len(cur)-1].sub(start).len() > 1e-6 {
					cur = append(cur, start)
				}
				flush()
				cur = []pt{start}
			}
		}
	}
	flush()
	return out
}

// pieces is in how many lines a curve of that length is cut.
func pieces(l float64) int { return max(2, min(16, int(math.Sqrt(l)*1.3))) }

func flatQuad(cur []pt, c, b pt) []pt {
	a := cur[len(cur)-1]
	n := pieces(c.sub(a).len() + b.sub(c).len())
	for i := 1; i <= n; i++ {
		t := float64(i) / float64(n)
		cur = append(cur, a.mix(c, t).mix(c.mix(b, t), t))
	}
	return cur
}

func flatCube(cur []pt, c, d, b pt) []pt {
	a := cur[len(cur)-1]
	n := pieces(c.sub(a).len() + d.sub(c).len() + b.sub(d).len())
	for i := 1; i <= n; i++ {
		t := float64(i) / float64(n)
		ac, cd, db := a.mix(c, t), c.mix(d, t), d.mix(b, t)
		cur = append(cur, ac.mix(cd, t).mix(cd.mix(db, t), t))
	}
	return cur
}

// strokePath is the area that a pen covers along a path: a rectangle for each
// straight piece and a disc at each bend, all turning the same way, so that the
// rasteriser's sum of coverages is their union.
func strokePath(a *path, width float64, dash []float64, round bool) *path {
	return strokeLines(strokedLines(a, dash), width, round)
}

// strokedLines are the straight pieces that a pen draws of a path.
func strokedLines(a *path, dash []float64) [][]pt {
	lines := flatten(a)
	if len(dash) == 0 {
		return lines
	}
	return dashed(lines, dash)
}

func strokeLines(lines [][]pt, width float64, round bool) *path {
	out := &path{}
	for _, l := range lines {
		closed := len(l) > 2 && l[0] == l[len(l)-1]
		for i := 1; i < len(l); i++ {
			d := l[i].sub(l[i-1])
			if d.len() < 1e-6 {
				continue
			}
			n := pt{-d.Y, d.X}.mul(width / 2 / d.len())
			out.move(l[i-1].add(n)).line(l[i].add(n)).line(l[i].sub(n)).line(l[i-1].sub(n)).close()
		}
		for i := range l {
			switch end := i == 0 || i == len(l)-1; {
			case !end, closed && i == 0: // a turn
				if width > 1.2 && bend(l, i, width) {
					disc(out, l[i], width/2)
				}
			case round && !closed && width > 1:
				disc(out, l[i], width/2)
			}
		}
	}
	return out
}

// bend tells whether a pen of that width shows a notch where the line turns at
// its i-th point.
func bend(l []pt, i int, width float64) bool {
	if i == 0 {
		return true
	}
	a, b := l[i].sub(l[i-1]).unit(), l[i+1].sub(l[i]).unit()
	return a.X*b.X+a.Y*b.Y < 0 || math.Abs(a.X*b.Y-a.Y*b.X)*width > 0.25
}

// disc adds a circle that turns like the rectangles of strokePath.
func disc(out *path, c pt, r float64) {
	n := max(6, min(24, int(r*3)+5))
	for i := range n {
		s, co := math.Sincos(-2 * math.Pi * float64(i) / float64(n))
		a := pt{c.X + r*co, c.Y + r*s}
		if i == 0 {
			out.move(a)
		} else {
			out.line(a)
		}
	}
	out.close()
}

// dashed cuts lines into dashes; the pattern is pen down, pen up and so on.
func dashed(lines [][]pt, dash []float64) [][]pt {
	var out [][]pt
	for _, l := range lines {
		k, left, down := 0, dash[0], true
		cur := []pt{l[0]}
		for i := 1; i < len(l); i++ {
			a, b := l[i-1], l[i]
			for {
				d := b.sub(a).len()
				if d < left {
					left -= d
					break
				}
				a = a.mix(b, left/max(d, 1e-9))
				if cur = append(cur, a); down {
					out = append(out, cur)
				}
				k = (k + 1) % len(dash)
				cur, left, down = []pt{a}, dash[k], !down
				if left <= 0 {
					left = 1
				}
			}
			cur = append(cur, b)
		}
		if down && len(cur) > 1 {
			out = append(out, cur)
		}
	}
	return out
}
