package famous

import (
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
)

// index builds what can be derived from the position.
func (s *State) index() {
	n := s.sc.Board.Grid.Len()
	s.at = make([][]int16, n)
	for i := range s.Units {
		if u := &s.Units[i]; u.Where == OnMap {
			u.idx = s.sc.Board.Grid.Index(u.Hex)
			s.at[u.idx] = append(s.at[u.idx], int16(i))
		}
	}
	s.works()
}

// works indexes bridges and fortifications, and the zones that depend on them.
func (s *State) works() {
	s.blown, s.pass, s.deck, s.fort = map[hex.Edge]bool{}, map[hex.Edge]bool{}, map[int]bool{}, make([][]int16, len(s.at))
	for _, e := range s.Blown {
		s.blown[e] = true
	}
	g := s.sc.Board.Grid
	for _, p := range s.Pontoons {
		switch {
		case !p.Done:
		case p.Hex != hex.None:
			s.deck[g.Index(p.Hex)] = true
		default:
			s.pass[p.Edge] = true
		}
	}
	for i, f := range s.Forts {
		k := g.Index(f.Hex)
		s.fort[k] = append(s.fort[k], int16(i))
	}
	s.zone = [2][]uint8{make([]uint8, g.Len()), make([]uint8, g.Len())}
	for i := range s.Units {
		if u := &s.Units[i]; u.Where == OnMap {
			s.project(u, 1)
		}
	}
}

// put moves a unit to a hex of the map and keeps the indexes. It applies no rule
// but that the hex is now last occupied by its side.
func (s *State) put(u *Unit, h hex.Hex) {
	s.lift(u)
	u.Where, u.Hex, u.idx = OnMap, h, s.sc.Board.Grid.Index(h)
	n := int16(s.number(u))
	at, _ := slices.BinarySearch(s.at[u.idx], n)
	s.at[u.idx] = slices.Insert(s.at[u.idx], at, n)
	s.project(u, 1)
	s.occupy(u)
}

// number is the place of a unit in Units.
func (s *State) number(u *Unit) int {
	i, _ := slices.BinarySearchFunc(s.Units, u.ID, func(v Unit, id string) int { return strings.Compare(v.ID, id) })
	return i
}

// lift takes a unit off its hex in the indexes.
func (s *State) lift(u *Unit) {
	if u.Where != OnMap {
		return
	}
	n := int16(s.number(u))
	if at, ok := slices.BinarySearch(s.at[u.idx], n); ok {
		s.at[u.idx] = slices.Delete(s.at[u.idx], at, at+1)
	}
	s.project(u, -1)
	u.Where = ""
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
