package chart

import (
	"maps"
	"slices"

	"fieldpost/adjudicator/hex"
)

// loops are the closed outlines of a set of hexes, the set always on the right
// hand (clockwise around it), holes the other way round.
func (l *layout) loops(set map[hex.Hex]bool) [][]vertex {
	next := map[vertex][]vertex{}
	var starts []vertex
	for _, h := range sorted(set) {
		for d := range 6 {
			if n := l.neighbour(h, d); n == hex.None || !set[n] {
				a, b := l.corner(h, d), l.corner(h, d+1)
				next[a] = append(next[a], b)
				starts = append(starts, a)
			}
		}
	}
	var out [][]vertex
	for _, s := range starts {
		if len(next[s]) == 0 {
			continue
		}
		var loop []vertex
		for v := s; len(next[v]) > 0; {
			n := next[v][0]
			next[v] = next[v][1:]
			loop = append(loop, v)
			v = n
		}
		out = append(out, loop)
	}
	return out
}

// sorted lists a set of hexes in the order of their numbers.
func sorted(set map[hex.Hex]bool) []hex.Hex { return sortedKeys(set) }

func sortedKeys[V any](m map[hex.Hex]V) []hex.Hex { return slices.Sorted(maps.Keys(m)) }

// soft is the outline as a smooth curve: through the middles of the hexsides,
// around the corners. Wild moves the middles a little, so that a wood does not
// look drawn with a ruler.
func (l *layout) soft(loop []vertex, wild float64) *path {
	n := len(loop)
	mid := func(i int) pt {
		a, b := loop[i%n], loop[(i+1)%n]
		m := l.at(a).mix(l.at(b), 0.5)
		k := hash(hex.Hex(a.X*61+b.X*17), a.Y*131+b.Y)
		out := l.at(b).sub(l.at(a)).left()
		return m.add(out.mul((float64(k%1000)/1000 - 0.5) * wild))
	}
	p := (&path{}).move(mid(n - 1))
	for i := range n {
		p.quad(l.at(loop[i]), mid(i))
	}
	return p.close()
}

// area is the soft outline of a whole set of hexes.
func (l *layout) area(set map[hex.Hex]bool, wild float64) *path {
	out := &path{}
	for _, loop := range l.loops(set) {
		out.join(l.soft(loop, wild))
	}
	return out
}

// chains joins lattice lines to the longest possible lines: each runs from a
// junction or an end to the next, or is closed. The order is that of the input.
func chains(lines [][2]vertex) [][]vertex {
	beside := map[vertex][]int{}
	for i, e := range lines {
		beside[e[0]] = append(beside[e[0]], i)
		beside[e[1]] = append(beside[e[1]], i)
	}
	used := make([]bool, len(lines))
	follow := func(i int, from vertex) []vertex {
		out := []vertex{from}
		for {
			used[i] = true
			to := lines[i][0]
			if to == from {
				to = lines[i][1]
			}
			out = append(out, to)
			if len(beside[to]) != 2 {
				return out
			}
			k := beside[to][0]
			if k == i {
				k = beside[to][1]
			}
			if used[k] {
				return out
			}
			i, from = k, to
		}
	}
	var out [][]vertex
	for i, e := range lines {
		for k := range 2 {
			if !used[i] && len(beside[e[k]]) != 2 {
				out = append(out, follow(i, e[k]))
			}
		}
	}
	for i, e := range lines {
		if !used[i] {
			out = append(out, follow(i, e[0]))
		}
	}
	return out
}

// softLine is a smooth curve along points: through the middles of its pieces,
// bending at the points; it begins and ends at its ends. A closed line is
// closed smoothly.
func softLine(ps []pt) *path {
	n := len(ps)
	if n < 3 {
		return polyline(ps...)
	}
	if ps[0] == ps[n-1] {
		p := (&path{}).move(ps[0].mix(ps[1], 0.5))
		for i := 1; i < n; i++ {
			j := i + 1
			if j == n {
				j = 1
			}
			p.quad(ps[i], ps[i].mix(ps[j], 0.5))
		}
		return p.close()
	}
	p := (&path{}).move(ps[0]).line(ps[0].mix(ps[1], 0.5))
	for i := 1; i < n-1; i++ {
		p.quad(ps[i], ps[i].mix(ps[i+1], 0.5))
	}
	return p.line(ps[n-1])
}
