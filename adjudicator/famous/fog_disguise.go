package famous

import (
	"fmt"
	"slices"

	"fieldpost/adjudicator"
)

// Disguise makes, of a position, another one that the side must not be able to tell
// from it: who of the enemy stands where nobody of the side can look, in what state,
// his cups, hands and reinforcements; in a blind game also where. What all may know
// stays. n(k) is a number from 0 to k-1. Tests of the fog live on it.
func (g *Game) Disguise(position []byte, side adjudicator.Side, n func(k int) int) ([]byte, error) {
	s, err := decodeState(g.sc, position)
	if err != nil {
		return nil, err
	}
	s.disguise(side, n)
	return s.encode(), nil
}

// disguise reports how many things are another than they were.
func (s *State) disguise(side Side, n func(k int) int) (changed int) {
	foe := s.sc.Other(side)
	last, touched := s.Last, s.Touched
	hidden := s.unknown(side)
	for i, u := range hidden {
		v := hidden[n(len(hidden))]
		if u.Hex != v.Hex {
			hu, hv := u.Hex, v.Hex
			s.put(u, hv)
			s.put(v, hu)
			changed++
		}
		if s.sc.blind() {
			changed += s.elsewhere(u, side, n)
		}
		if i%2 == 0 {
			u.Fired = u.c.Artillery > 0
			u.Unsupplied = n(3)
			u.Debarked = u.c.Class == Wheeled && n(2) == 0
			u.Steps = 1 + n(u.c.Steps())
			changed++
		}
	}
	s.Last, s.Touched = last, touched
	c := &s.Events[s.sc.number(foe)]
	c.Blue, c.Red = c.Red, c.Blue
	c.Drawn = insert(c.Drawn, "Bogged")
	c.Discard = nil
	for i := range s.Units {
		if u := &s.Units[i]; u.c.Side == foe && u.Where == Later {
			u.Steps = 1
			changed++
		}
	}
	s.index()
	return changed
}

// unknown are the enemy units that a side neither sees nor has seen.
func (s *State) unknown(side Side) (out []*Unit) {
	known := map[string]bool{}
	for _, c := range s.Contacts {
		for _, x := range c.Units {
			known[x.ID] = known[x.ID] || c.Side == side
		}
	}
	for i := range s.Units {
		u := &s.Units[i]
		if u.c.Side != side && u.Where == OnMap && u.fights() && s.rider(u) == nil && u.Aboard == "" && !known[u.ID] && !s.watches(side, u.Hex) {
			out = append(out, u)
		}
	}
	return out
}

// elsewhere puts a unit that nobody sees on another hex that nobody sees.
func (s *State) elsewhere(u *Unit, side Side, n func(k int) int) int {
	g, points := s.sc.Board.Grid, s.points()
	if s.overlooks(side, u.Hex) {
		return 0
	}
	from := u.Hex
	for range 8 {
		h := g.At(n(g.Len()))
		i := g.Index(h)
		if !s.sc.ground[i].on || s.sc.ground[i].major || len(s.at[i]) > 0 || s.overlooks(side, h) || s.key(h, &standing{}) {
			continue
		}
		if s.put(u, h); slices.Equal(points, s.points()) {
			return 1
		}
		s.put(u, from)
	}
	return 0
}

// points are those of the side that scores, with what they are for.
func (s *State) points() []string {
	n, notes := s.score()
	return append(slices.Clone(notes), fmt.Sprint(n))
}
