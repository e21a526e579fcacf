package famous

import (
	"fmt"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
)

// Disguise makes, of a position, another one that the side must not be able to tell
// from it: who of the enemy stands where nobody of the side can look, in what state,
// the enemy's cups, hands and reinforcements; in a blind game also where. What all may know
// stays. n(k) is a number from 0 to k-1. Tests of the fog live on it.
func (g Tried) Disguise(position []byte, side adjudicator.Side, n func(k int) int) ([]byte, error) {
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
	last, touched := slices.Clone(s.Last), s.Touched
	hidden := s.unknown(side)
	for i, u := range hidden {
		if s.exchange(u, hidden[n(len(hidden))]) {
			changed++
		}
		if s.sc.blind() {
			changed += s.elsewhere(u, side, n)
		}
		if i%2 == 0 {
			u.Fired = u.isGun()
			u.Unsupplied = n(3)
			u.Debarked = mayBeOnFoot(u, n)
			u.Steps = 1 + n(u.c.Steps())
			changed++
		}
	}
	s.Last, s.Touched = last, touched
	c := &s.Events[s.sc.number(foe)]
	c.Blue, c.Red = c.Red, c.Blue
	c.Drawn = insert(c.Drawn, "Bogged")
	c.Discard = nil
	for u := range s.army(foe) {
		if u.Where == Later {
			u.Steps = 1
			changed++
		}
	}
	s.index()
	return changed
}

// exchange has two units change places, and tells whether they stood on different hexes.
func (s *State) exchange(u, v *Unit) bool {
	hu, hv := u.Hex, v.Hex
	if hu == hv {
		return false
	}
	s.put(u, hv)
	s.put(v, hu)
	return true
}

// mayBeOnFoot throws for whether a unit has debarked; those without wheels never have.
func mayBeOnFoot(u *Unit, n func(k int) int) bool { return u.c.Class == Wheeled && n(2) == 0 }

// Unknown are the names of the enemy units on the map of which the side knows nothing.
func (g Tried) Unknown(position []byte, side Side) (names []string, err error) {
	s, err := decodeState(g.sc, position)
	if err != nil {
		return nil, err
	}
	for _, u := range s.unknown(side) {
		names = append(names, u.c.Name)
	}
	return names, nil
}

// Veil makes another position in which only these units stand elsewhere or are in another
// state: by whatever the side does without meeting them nothing comes otherwise. Units change places with those of their size, for
// where room is shows where others retreat; in a blind game they stand also where nobody
// was, outside of fortifications. What bears on others from afar stays: guns, for their
// side counts them before it fires; battalions without headquarters, for which stack is in
// supply hangs on where the others are; cups, for all see what is drawn.
func (g Tried) Veil(position []byte, side Side, units []string, n func(k int) int) ([]byte, error) {
	s, err := decodeState(g.sc, position)
	if err != nil {
		return nil, err
	}
	last, touched := slices.Clone(s.Last), s.Touched
	hidden := slices.DeleteFunc(s.unknown(side), func(u *Unit) bool {
		return !slices.Contains(units, u.c.Name) || s.bears(u)
	})
	for _, u := range hidden {
		if v := hidden[n(len(hidden))]; s.size(u) == s.size(v) {
			s.exchange(u, v)
		}
		if s.sc.blind() && !s.fortified(u.idx) {
			s.elsewhere(u, side, n)
		}
		u.Debarked = mayBeOnFoot(u, n)
	}
	s.Last, s.Touched = last, touched
	s.index()
	return s.encode(), nil
}

// bears tells whether others depend on where the unit is though they do not meet it.
func (s *State) bears(u *Unit) bool {
	return u.isGun() || s.hq(u.c.Side, u.c.Battalion) == nil
}

// Twins are pairs among the units that differ in nothing but name and place.
func (g Tried) Twins(position []byte, side Side, units []string) (pairs [][2]string, err error) {
	s, err := decodeState(g.sc, position)
	if err != nil {
		return nil, err
	}
	single := slices.DeleteFunc(s.unknown(side), func(u *Unit) bool {
		return s.bears(u) || !slices.Contains(units, u.c.Name)
	})
	taken := map[string]bool{}
	for _, u := range single {
		for _, v := range single {
			a, b := u.c.Name, v.c.Name
			if a >= b || !twins(*u, *v) {
				continue
			}
			if !taken[a] && !taken[b] {
				taken[a], taken[b] = true, true
				pairs = append(pairs, [2]string{a, b})
			}
		}
	}
	return pairs, nil
}

// twins tells whether units differ in nothing but name and place.
func twins(u, v Unit) bool {
	c, d := *u.c, *v.c
	c.ID, c.Name, c.upper, c.base, c.face = d.ID, d.Name, d.upper, d.base, d.face
	u.ID, u.Hex, u.idx, u.c, u.n = v.ID, v.Hex, v.idx, v.c, v.n
	return c == d && u == v
}

// Swap has the two of each pair change places: what is ordered the one the other does as well.
func (g Tried) Swap(position []byte, side Side, pairs [][2]string) ([]byte, error) {
	s, err := decodeState(g.sc, position)
	if err != nil {
		return nil, err
	}
	last, touched := slices.Clone(s.Last), s.Touched
	for _, p := range pairs {
		var two [2]*Unit
		for _, u := range s.unknown(side) {
			if k := slices.Index(p[:], u.c.Name); k >= 0 {
				two[k] = u
			}
		}
		if two[0] == nil || two[1] == nil {
			return nil, fmt.Errorf("%q are not both unknown to %s", p, side)
		}
		h := two[0].Hex
		s.put(two[0], two[1].Hex)
		s.put(two[1], h)
	}
	s.Last, s.Touched = last, touched
	s.index()
	return s.encode(), nil
}

// unknown are the enemy units that a side neither sees nor has seen.
func (s *State) unknown(side Side) (out []*Unit) {
	if s.sc.Fog == adjudicator.FogOpen {
		return nil
	}
	known := s.remembered(side)
	for u := range s.onMap(s.sc.Other(side)) {
		if known[u.ID] || !u.fights() || s.rider(u) != nil {
			continue
		}
		if !s.watches(side, u.Hex) {
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
		if !s.hides(side, h) {
			continue
		}
		if s.put(u, h); slices.Equal(points, s.points()) {
			return 1
		}
		s.put(u, from)
	}
	return 0
}

// hides: an empty hex of land that a side does not see, and that makes no points.
func (s *State) hides(side Side, h hex.Hex) bool {
	i := s.sc.Board.Grid.Index(h)
	ground := &s.sc.ground[i]
	switch {
	case !ground.on, ground.major, s.holds(i) >= 0, s.objective(h):
		return false
	}
	return !s.overlooks(side, h)
}

// points are those of the side that scores, with what they are for.
func (s *State) points() []string {
	n, notes := s.score()
	return append(slices.Clone(notes), fmt.Sprint(n))
}

// remembered are the enemy units that a side remembers, by id.
func (s *State) remembered(side Side) map[string]bool {
	out := map[string]bool{}
	for _, c := range s.Contacts {
		if c.Side != side {
			continue
		}
		for _, x := range c.Units {
			out[x.ID] = true
		}
	}
	return out
}
