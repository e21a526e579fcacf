package chart

// The rasteriser works on the whole rectangle around a shape, so a long road or
// many woods in one shape cost as much as the map. What lies apart is therefore
// painted apart.

// tile is the area of a rectangle, in pixels, that is painted in one piece.
const tile = 160 * 160

func (a box) area() float64 { return max(0, a.X1-a.X0) * max(0, a.Y1-a.Y0) }

func (a box) join(b box) box {
	return box{min(a.X0, b.X0), min(a.Y0, b.Y0), max(a.X1, b.X1), max(a.Y1, b.Y1)}
}

func boundsOf(ps []pt) box { return (&path{p: ps}).bounds() }

// lineTiles cuts the lines of an opaque pen into pieces of small area. A piece
// begins a step before the one before it ends, so that no seam shows.
func lineTiles(lines [][]pt) [][][]pt {
	var out [][][]pt
	var group [][]pt
	var around box
	add := func(l []pt) {
		b := boundsOf(l)
		if len(group) > 0 {
			if j := around.join(b); j.area() <= tile {
				group, around = append(group, l), j
				return
			}
			out = append(out, group)
		}
		group, around = [][]pt{l}, b
	}
	for _, l := range lines {
		from := 0
		b := boundsOf(l[:1])
		for i := 1; i < len(l); i++ {
			if j := b.join(box{l[i].X, l[i].Y, l[i].X, l[i].Y}); j.area() <= tile || i-from < 2 {
				b = j
				continue
			}
			add(l[from:i])
			if from = i - 2; boundsOf(l[from:i+1]).area() > tile {
				from = i - 1 // long straight pieces meet at a corner
			}
			b = boundsOf(l[from : i+1])
		}
		add(l[from:])
	}
	if len(group) > 0 {
		out = append(out, group)
	}
	return out
}

// apart parts a shape into those of its outlines whose rectangles do not meet.
// Holes stay with what they are cut from.
func apart(a *path) []*path {
	if a.bounds().area() <= tile {
		return []*path{a}
	}
	type piece struct {
		p *path
		b box
	}
	var all []piece
	i := 0
	for _, v := range a.v {
		if v == 'M' {
			all = append(all, piece{p: &path{}})
		}
		if len(all) == 0 {
			return []*path{a}
		}
		n := points(v)
		p := all[len(all)-1].p
		p.v = append(p.v, v)
		p.p = append(p.p, a.p[i:i+n]...)
		i += n
	}
	if len(all) > 300 {
		return []*path{a}
	}
	for k := range all {
		all[k].b = all[k].p.bounds().grow(1)
	}
	for changed := true; changed; {
		changed = false
		for x := 0; x < len(all); x++ {
			for y := x + 1; y < len(all); y++ {
				if all[x].b.meets(all[y].b) {
					all[x].p.join(all[y].p)
					all[x].b = all[x].b.join(all[y].b)
					all = append(all[:y], all[y+1:]...)
					y--
					changed = true
				}
			}
		}
	}
	var out []*path
	for _, k := range all {
		out = append(out, k.p)
	}
	return out
}
