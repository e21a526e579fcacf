package steppe

import (
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
)

// stacks are the units of a position by hex. Few of the hexes hold any, so that a
// position is copied cheaply: slot is by grid index where in list the units of a hex
// are, in order of id, 0 for a hex without any. List holds no empty stack but the first,
// in no order that means anything.
type stacks struct {
	slot []int16
	list [][]*Unit
}

// spareStacks is room for hexes that are come to in a phase.
const spareStacks = 16

// index builds what is looked up beside the fields of a position.
func (s *State) index() {
	s.at = stacks{slot: make([]int16, s.sc.Board.Grid.Len()), list: make([][]*Unit, 1, len(s.Units)/2+spareStacks)}
	most, all := make([]uint8, len(s.Units)+1), 0
	for i := range s.Units {
		u := &s.Units[i]
		if u.n = int16(i); u.Where != OnMap {
			continue
		}
		k := &s.at.slot[s.ix(u.Hex)]
		if *k == 0 {
			*k = int16(len(s.at.list))
			s.at.list = append(s.at.list, nil)
		}
		most[*k]++
		all++
	}
	room := make([]*Unit, all)
	for k := range s.at.list {
		n := int(most[k])
		s.at.list[k], room = room[:0:n], room[n:]
	}
	for i := range s.Units {
		if u := &s.Units[i]; u.Where == OnMap {
			k := s.at.slot[s.ix(u.Hex)]
			s.at.list[k] = append(s.at.list[k], u)
		}
	}
	s.found, s.labels = nil, nil
	s.changed()
}

// clone is the same of a copy of the units.
func (a stacks) clone(units []Unit) stacks {
	all := 0
	for _, us := range a.list {
		all += len(us)
	}
	room := make([]*Unit, 0, all)
	c := stacks{slot: slices.Clone(a.slot), list: make([][]*Unit, len(a.list), len(a.list)+spareStacks)}
	for k, us := range a.list {
		from := len(room)
		for _, u := range us {
			room = append(room, &units[u.n])
		}
		c.list[k] = slices.Clip(room[from:])
	}
	return c
}

// stack is the units on a hex by its grid index, in order of id. The slice must not be
// changed, and stays as it is when units come and go.
func (s *State) stack(i int) []*Unit { return s.at.list[s.at.slot[i]] }

// unitsAt is the same by its number.
func (s *State) unitsAt(h hex.Hex) []*Unit { return s.stack(s.ix(h)) }

// holder is the side with units on the hex, "" if it is empty.
func (s *State) holder(h hex.Hex) Side { return s.holderIx(s.ix(h)) }

func (s *State) holderIx(i int) Side {
	k := s.at.slot[i]
	if k == 0 {
		return ""
	}
	return s.at.list[k][0].c.Side
}

// put moves a unit to a hex and gives the hex to its side.
func (s *State) put(u *Unit, h hex.Hex) {
	s.lift(u)
	u.Where, u.Hex = OnMap, h
	i := s.ix(h)
	was := s.stack(i)
	k, _ := slices.BinarySearchFunc(was, u.ID, func(v *Unit, id string) int { return strings.Compare(v.ID, id) })
	now := make([]*Unit, 0, len(was)+1)
	s.restack(i, append(append(append(now, was[:k]...), u), was[k:]...))
	s.take(h, u.c.Side)
}

// lift takes a unit off its hex in the index.
func (s *State) lift(u *Unit) {
	if u.Where != OnMap {
		return
	}
	i := s.ix(u.Hex)
	was := s.stack(i)
	now := make([]*Unit, 0, len(was))
	for _, v := range was {
		if v != u {
			now = append(now, v)
		}
	}
	s.restack(i, now)
}

// restack changes what stands on a hex, and with it the zones of control around it. Any
// path of supply may have changed.
func (s *State) restack(i int, now []*Unit) {
	was := s.stack(i)
	if a, b := exerter(was), exerter(now); a != b {
		s.shade(i, a, -1)
		s.shade(i, b, 1)
	}
	s.reach = [2][]bool{}
	s.at.set(i, now, s.ix)
}

// set puts a stack on a hex; where none is left the last of the list takes its room.
func (a *stacks) set(i int, now []*Unit, ix func(hex.Hex) int) {
	k, last := a.slot[i], len(a.list)-1
	switch {
	case len(now) > 0 && k == 0:
		a.slot[i] = int16(len(a.list))
		a.list = append(a.list, now)
	case len(now) > 0:
		a.list[k] = now
	case k > 0:
		a.slot[ix(a.list[last][0].Hex)] = k
		a.list[k], a.list = a.list[last], a.list[:last]
		a.slot[i] = 0
	}
}

// changed forgets what was found on a map that is no longer so: units, bridges or the
// ground are not what they were.
func (s *State) changed() { s.zoc, s.reach = [2][]int8{}, [2][]bool{} }
