package famous

import (
	"slices"

	"fieldpost/adjudicator/hex"
)

// index builds what can be derived from the position.
func (s *State) index() {
	s.at, s.behind = nobodyIn(s.sc.Board.Grid.Len()), nobodyIn(len(s.Units))
	for i := range s.Units {
		u := &s.Units[i]
		u.n = int16(i)
		if u.Where == OnMap {
			u.idx = s.sc.Board.Grid.Index(u.Hex)
			s.enlist(u)
		}
	}
	s.works()
}

// noOne ends a list of units or fortifications on a hex.
const noOne int16 = -1

// nobodyIn are n empty lists.
func nobodyIn(n int) []int16 {
	out := make([]int16, n)
	for i := range out {
		out[i] = noOne
	}
	return out
}

// enlist enters a unit into the list of its hex, in order of id.
func (s *State) enlist(u *Unit) {
	at := &s.at[u.idx]
	for *at != noOne && *at < u.n {
		at = &s.behind[*at]
	}
	s.behind[u.n], *at = *at, u.n
}

// strike takes a unit off the list of its hex.
func (s *State) strike(u *Unit) {
	at := &s.at[u.idx]
	for *at != noOne && *at != u.n {
		at = &s.behind[*at]
	}
	if *at == u.n {
		*at = s.behind[u.n]
	}
}

// works indexes bridges and fortifications, and the zones that depend on them.
func (s *State) works() {
	g := &s.sc.Board.Grid
	s.bridges()
	s.fort, s.behindFort = nobodyIn(g.Len()), nobodyIn(len(s.Forts))
	for i, f := range slices.Backward(s.Forts) {
		k := g.Index(f.Hex)
		s.behindFort[i], s.fort[k] = s.fort[k], int16(i)
	}
	s.zone = [2][]uint8{make([]uint8, g.Len()), make([]uint8, g.Len())}
	for i := range s.Units {
		if u := &s.Units[i]; u.Where == OnMap {
			s.project(u, 1)
		}
	}
}

// bridges indexes which bridges are blown, and the hexsides that one leads across.
func (s *State) bridges() {
	g := &s.sc.Board.Grid
	s.blown, s.deck, s.spanned = map[hex.Edge]bool{}, map[int]bool{}, make([]bool, len(s.sc.edges))
	for _, e := range s.Blown {
		s.blown[e] = true
	}
	for _, b := range s.sc.Board.Bridges {
		if !s.blown[b.Edge] {
			s.span(b.Edge)
		}
	}
	for _, p := range s.Pontoons {
		switch {
		case !p.Done:
		case p.Hex == hex.None:
			s.span(p.Edge) // GD 12.1/3: a completed pontoon is a bridge
		default:
			s.deck[g.Index(p.Hex)] = true
			for _, n := range g.Neighbours(p.Hex) {
				s.span(hex.Between(p.Hex, n))
			}
		}
	}
}

// span notes that a bridge leads across a hexside of the map, from either hex.
func (s *State) span(e hex.Edge) {
	g := &s.sc.Board.Grid
	d, _ := g.Direction(e.A, e.B)
	if there := g.Index(e.A)*6 + int(d); s.sc.edges[there].to >= 0 {
		back := g.Index(e.B)*6 + int(d.Opposite())
		s.spanned[there], s.spanned[back] = true, true
	}
}

// put moves a unit to a hex of the map and keeps the indexes. It applies no rule
// but that the hex is now last occupied by its side.
func (s *State) put(u *Unit, h hex.Hex) {
	s.lift(u)
	u.Where, u.Hex, u.idx = OnMap, h, s.sc.Board.Grid.Index(h)
	s.enlist(u)
	s.project(u, 1)
	s.occupy(u)
}

// lift takes a unit off its hex in the indexes.
func (s *State) lift(u *Unit) {
	if u.Where != OnMap {
		return
	}
	s.strike(u)
	s.project(u, -1)
	u.Where = nowhere
}

// project adds or takes away the zone of control of a unit.
func (s *State) project(u *Unit, by int) {
	// GD 8.0/2: headquarters have none
	if !u.fights() {
		return
	}
	z := s.zone[u.c.side]
	for d := hex.N; d <= hex.NW; d++ {
		if s.controls(u.idx, d) {
			z[s.sc.edges[u.idx*6+int(d)].to] += uint8(by)
		}
	}
}
