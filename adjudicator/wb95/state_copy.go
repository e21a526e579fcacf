package wb95

import (
	"maps"
	"slices"
)

// index builds the lists of units by hex, and that of the headquarters.
func (s *State) index() {
	s.hqs, s.firers = nil, nil
	for i := range s.Units {
		u := &s.Units[i]
		u.place = uint16(i)
		if u.c == nil {
			continue
		}
		if u.c.Type == HQ {
			s.hqs = append(s.hqs, u.place)
		}
		if u.artillery() {
			s.firers = append(s.firers, u.place)
		}
	}
	s.indexHexes()
}

// indexHexes builds the lists of units by hex.
func (s *State) indexHexes() {
	s.seen = sightings{}
	if s.room == nil {
		s.room = new(stocks)
	}
	g := &s.sc.Board.Grid
	if len(s.stackOn) == g.Len() {
		clear(s.stackOn)
	} else {
		s.stackOn = make([]uint16, g.Len())
	}
	s.occupied = make([]uint64, (g.Len()+63)/64)
	if cap(s.stack) == 0 {
		s.stack = make([][]*Unit, 0, len(s.Units)+1)
	}
	s.stack = append(s.stack[:0], nil)
	size, on := make([]int, 1, 256), 0
	for i := range s.Units {
		u := &s.Units[i]
		if at, ok := g.Find(u.Hex); ok && u.Where == OnMap {
			k := s.stackNumber(at)
			if int(k) == len(size) {
				size = append(size, 0)
			}
			size[k]++
			on++
		}
	}
	// The lists lie one behind the other; who changes one makes a new one (put, lift).
	all := make([]*Unit, on)
	for k, n := range size {
		s.stack[k], all = all[:0:n], all[n:]
	}
	for i := range s.Units {
		if u := &s.Units[i]; u.Where == OnMap {
			if at, ok := g.Find(u.Hex); ok {
				k := s.stackOn[at]
				s.stack[k] = append(s.stack[k], u)
			}
		}
	}
}

// stackNumber is the number of the list of a hex by its grid index, which gets one if it has none.
func (s *State) stackNumber(at int) uint16 {
	k := &s.stackOn[at]
	if *k == 0 {
		s.occupied[at/64] |= 1 << (at % 64)
		*k = uint16(len(s.stack))
		s.stack = append(s.stack, nil)
	}
	return *k
}

// clone copies the position; the scenario is shared.
func (s *State) clone() *State { return s.copyTo(new(State)) }

// copyTo makes c, whose memory is used again, a copy of the position.
func (s *State) copyTo(c *State) *State {
	old := *c
	*c = *s
	c.Units, c.stackOn, c.stack, c.occupied, c.room = again(old.Units, s.Units), old.stackOn, old.stack, old.occupied, old.room
	c.dice = nil
	c.Missions, c.Works, c.FlownAir = slices.Clone(s.Missions), slices.Clone(s.Works), slices.Clone(s.FlownAir)
	c.Forts = again(old.Forts, s.Forts)
	c.Bridges = again(old.Bridges, s.Bridges)
	c.Contact = again(old.Contact, s.Contact)
	c.Pools, c.Crowds = slices.Clone(s.Pools), slices.Clone(s.Crowds)
	c.Ammo = maps.Clone(s.Ammo)
	c.Opened = nil
	if len(s.Opened) > 0 {
		c.Opened = maps.Clone(s.Opened)
	}
	c.copyHexes(s)
	c.seen = s.seen // what is in it is never written to
	return c
}

// copyHexes takes over the lists of units by hex from the position that this one is a copy of.
func (s *State) copyHexes(from *State) {
	if s.room == nil {
		s.room = new(stocks)
	}
	s.stackOn, s.occupied = again(s.stackOn, from.stackOn), again(s.occupied, from.occupied)
	on := 0
	for _, us := range from.stack {
		on += len(us)
	}
	// The lists lie one behind the other; who changes one makes a new one (put, lift).
	all := make([]*Unit, 0, on)
	s.stack = slices.Grow(s.stack[:0], len(from.stack)+8) // some will come to empty hexes
	for _, us := range from.stack {
		first := len(all)
		for _, u := range us {
			all = append(all, &s.Units[u.place])
		}
		s.stack = append(s.stack, all[first:len(all):len(all)])
	}
}

// again is slices.Clone into memory that is not used any more, if it is enough.
func again[T any](old, list []T) []T {
	if len(list) == 0 || cap(old) < len(list) {
		return slices.Clone(list)
	}
	return append(old[:0], list...)
}
