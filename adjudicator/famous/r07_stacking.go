package famous

import (
	"cmp"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// stackLimit is what a hex holds, in halves of a unit: four units, six in a city.
//
// GD 7.2/3: towns and villages are no cities
// GD 7.2/4: downtown is one
// GD 19.4/1: though a terrain of its own
func (sc *Scenario) stackLimit(h hex.Hex) int {
	if sc.ground[sc.Board.Grid.Index(h)].city {
		return 12 // GD 7.2/1: six units
	}
	return 8 // GD 7.1/1: four
}

// roadLimit is what a hex holds of units with Road Move markers, in a city too.
//
// GD 7.1/3
// GD 7.2/2
const roadLimit = 4

// stacked is what stands on a hex, in halves, and what of it is marked Road Move.
func (s *State) stacked(i int) (all, road int) {
	for _, n := range s.at[i] {
		u := &s.Units[n]
		all += s.size(u)
		if u.Road {
			road += s.size(u)
		}
	}
	return all, road
}

// fits tells whether units may end on a hex with those that are there.
func (s *State) fits(i int, more ...*Unit) bool {
	all, _ := s.stacked(i)
	for _, u := range more {
		if u.Where != OnMap || u.idx != i {
			all += s.size(u)
		}
	}
	return all <= s.sc.stackLimit(s.sc.Board.Grid.At(i))
}

// enforceStacking takes losses from hexes that hold too much when all movement
// is over: the weakest go first.
//
// GD 7.1/5
// GD 7.1/6
func (s *State) enforceStacking(r *adjudicator.Run) {
	for i := range s.at {
		for len(s.at[i]) > 1 {
			if all, _ := s.stacked(i); all <= s.sc.stackLimit(s.sc.Board.Grid.At(i)) {
				break
			}
			us := slices.DeleteFunc(s.unitsAt(i), func(u *Unit) bool { return s.size(u) == 0 })
			u := slices.MinFunc(us, func(a, b *Unit) int {
				return cmp.Or(cmp.Compare(b2i(a.c.HQ), b2i(b.c.HQ)), cmp.Compare(a.values().Attack, b.values().Attack), cmp.Compare(a.ID, b.ID))
			})
			name, h := u.c.Name, u.Hex
			s.deplete(u)
			r.Tell(view.Event{Kind: "overstacked", Clause: "GD 7.1", Hexes: []hex.Hex{h}, Facts: map[string]string{"unit": name, "hex": h.String()}})
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
