package chart

import (
	"maps"
	"math"
	"slices"
	"sort"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// drawFront draws the line between areas of control: on each bank that side's colour, the
// own side's as a whole line, the enemy's as dots. What a side once took and left, amid the
// other's ground, is hatched, for no front runs around it.
func (d *drawing) drawFront() {
	owner := d.control()
	left := d.leave(owner)
	for h := range owner {
		if !d.near(h) {
			delete(owner, h)
		}
	}
	d.hatchLeft(left)
	if len(owner) == 0 {
		return
	}
	sides := map[byte]map[hex.Hex]bool{}
	for h, s := range owner {
		if sides[s] == nil {
			sides[s] = map[hex.Hex]bool{}
		}
		sides[s][h] = true
	}
	var letters []byte
	for s := range sides {
		letters = append(letters, s)
	}
	sort.Slice(letters, func(i, j int) bool { return letters[i] < letters[j] })
	if len(letters) < 2 {
		return
	}
	d.c.group("front")
	width := max(1.8, d.scale()*0.062)
	colours := d.sideColours()
	for _, s := range letters {
		col, ok := colours[s]
		if !ok {
			col = neutral
		}
		for _, ch := range d.bank(sides[s], owner) {
			line := flatten(softLine(d.points(ch)))
			for _, l := range line {
				d.shows("front")
				frontBank(d.c, polyline(beside(l, width*0.5)...), width, col, d.v.Side == "" || s == d.v.Side[0])
			}
		}
	}
	d.c.end()
}

// frontBank is a half of a front: the own side's whole, the enemy's in dots.
func frontBank(c *canvas, p *path, width float64, ink shade, own bool) {
	if own {
		c.bar(p, width, ink)
		return
	}
	c.dashes(p, width*1.4, ink, width*1.1, width*1.1)
}

// control is who holds each hex; hexes that nobody holds are left out.
func (d *drawing) control() map[hex.Hex]byte {
	g := d.b.Grid
	out := map[hex.Hex]byte{}
	for i, row := range d.v.Control {
		for j := range len(row) {
			if h := hex.New(g.ColMin+j, g.RowMin+i); row[j] != ' ' && row[j] != '.' && d.b.On(h) {
				out[h] = row[j]
			}
		}
	}
	return out
}

// leave gives areas that their side has no unit in, but for its greatest, to the side whose
// ground alone is around them, and says whose they are.
func (d *drawing) leave(owner map[hex.Hex]byte) map[hex.Hex]byte {
	manned := d.manned()
	areas := areasOf(d.b.Grid, owner)
	greatest := map[byte]int{}
	for _, a := range areas {
		greatest[a.of] = max(greatest[a.of], len(a.hexes))
	}
	left := map[hex.Hex]byte{}
	for _, a := range areas {
		held := len(a.hexes) == greatest[a.of] || slices.ContainsFunc(a.hexes, func(h hex.Hex) bool { return manned[h] == a.of })
		if held || len(a.around) != 1 {
			continue
		}
		for _, h := range a.hexes {
			left[h], owner[h] = a.of, a.around[0]
		}
	}
	return left
}

// manned are the hexes with units that the view tells of, by the first letters of their sides.
func (d *drawing) manned() map[hex.Hex]byte {
	out := map[hex.Hex]byte{}
	for _, list := range [][]view.Unit{d.v.Units, d.v.Allies} {
		for i := range list {
			if d.v.Side != "" {
				out[list[i].Hex] = d.v.Side[0]
			}
		}
	}
	for i := range d.v.Enemy {
		if st := &d.v.Enemy[i]; st.Side != "" {
			out[st.Hex] = st.Side[0]
		}
	}
	return out
}

// area is connected ground of one side, and the sides around it, with 0 for nobody's hexes.
type area struct {
	of     byte
	hexes  []hex.Hex
	around []byte
}

// areasOf are the areas of owned hexes, in the order of the grid.
func areasOf(g hex.Grid, owner map[hex.Hex]byte) []area {
	var out []area
	seen := map[hex.Hex]bool{}
	for _, first := range sortedKeys(owner) {
		if seen[first] {
			continue
		}
		a := area{of: owner[first], hexes: []hex.Hex{first}}
		seen[first] = true
		for i := 0; i < len(a.hexes); i++ {
			for k := range hex.Dir(6) {
				n := g.Step(a.hexes[i], k)
				if n == hex.None {
					continue
				}
				switch o := owner[n]; {
				case o != a.of && !slices.Contains(a.around, o):
					a.around = append(a.around, o)
				case o == a.of && !seen[n]:
					seen[n], a.hexes = true, append(a.hexes, n)
				}
			}
		}
		out = append(out, a)
	}
	return out
}

// hatchLeft hatches areas that were left, in the colours of whose they are.
func (d *drawing) hatchLeft(left map[hex.Hex]byte) {
	colours := d.sideColours()
	for _, side := range slices.Sorted(maps.Values(left)) {
		set := map[hex.Hex]bool{}
		for h, of := range left {
			if of == side && d.near(h) {
				set[h] = true
				delete(left, h)
			}
		}
		if len(set) == 0 {
			continue
		}
		ink, known := colours[side]
		if !known {
			ink = neutral
		}
		d.shows(sideSign(d.v.Side != "" && side == d.v.Side[0], "left"))
		d.c.group("left-" + strings.ToLower(string(side)))
		d.hatch(d.c, set, math.Pi/3, 4, alpha(ink, 110))
		d.c.end()
	}
}

// sideColours are the line colours of the sides by their first letters.
func (d *drawing) sideColours() map[byte]shade {
	out := map[byte]shade{}
	add := func(s string) {
		if s != "" {
			out[s[0]] = nationOf("", s).line
		}
	}
	for i := range d.v.Enemy {
		add(d.v.Enemy[i].Side)
	}
	for _, o := range d.v.Objectives {
		add(o.Owner)
	}
	for _, s := range d.v.Score {
		add(s.Side)
	}
	add(d.v.Mover)
	add(d.v.Side)
	return out
}

// bank lists the lines where a side's area ends at someone else's, with its area
// on the right. Hexes of nobody make a front where the other side begins behind
// them: a strip of no man's land has its two edges.
func (d *drawing) bank(set map[hex.Hex]bool, owner map[hex.Hex]byte) [][]vertex {
	next := map[vertex]vertex{}
	into := map[vertex]bool{}
	var starts []vertex
	for _, h := range sorted(set) {
		for k := range 6 {
			if n := d.neighbour(h, k); n != hex.None && !set[n] && (owner[n] != 0 || d.between(n, set, owner)) {
				a, b := d.corner(h, k), d.corner(h, k+1)
				next[a] = b
				into[b] = true
				starts = append(starts, a)
			}
		}
	}
	var out [][]vertex
	walk := func(s vertex) {
		line := []vertex{s}
		for v := s; ; {
			n, ok := next[v]
			if !ok {
				break
			}
			delete(next, v)
			line = append(line, n)
			v = n
		}
		if len(line) > 1 {
			out = append(out, line)
		}
	}
	for _, s := range starts {
		if !into[s] {
			walk(s)
		}
	}
	for _, s := range starts {
		walk(s)
	}
	return out
}

// between tells whether a hex of nobody touches ground of a side other than the set's.
func (d *drawing) between(n hex.Hex, set map[hex.Hex]bool, owner map[hex.Hex]byte) bool {
	if !d.b.On(n) {
		return false
	}
	for k := range 6 {
		if o := d.neighbour(n, k); !set[o] && owner[o] != 0 {
			return true
		}
	}
	return false
}

// beside is the line moved to its right by k.
func beside(l []pt, k float64) []pt {
	n := len(l)
	out := make([]pt, n)
	closed := n > 2 && l[0] == l[n-1]
	for i := range l {
		a, b := l[max(0, i-1)], l[min(n-1, i+1)]
		if closed && (i == 0 || i == n-1) {
			a, b = l[n-2], l[1]
		}
		out[i] = l[i].add(b.sub(a).unit().left().mul(-k))
	}
	return out
}
