package famous

import (
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

// fits tells whether units may end on a hex with those that are there and stay.
func (s *State) fits(i int, more ...*Unit) bool {
	all := 0
	for _, u := range s.unitsAt(i) {
		if slices.Contains(more, u) || s.leaving(u) {
			continue
		}
		all += s.size(u)
	}
	for _, u := range more {
		all += s.size(u)
	}
	return all <= s.sc.stackLimit(s.sc.Board.Grid.At(i))
}

// leaving: a later order takes the unit to another hex, and nothing keeps it so far.
//
// GD 7.1/9
func (s *State) leaving(u *Unit) bool {
	if u.did.ahead == 0 {
		return false
	}
	probe := *u
	if probe.did.last {
		probe.did.stopped = false
	}
	return s.mayMove(&probe) == nil
}

// expect counts an order that is still to come with the units that it takes to another
// hex, and returns who they are.
func (s *State) expect(in *instruction) (ids []string) {
	for _, u := range in.movers() {
		if u.onMap() && u.Hex != in.goal() {
			u.did.ahead++
			ids = append(ids, u.ID)
		}
	}
	return ids
}

// come: the order for the units has come.
func (s *State) come(ids []string) {
	for _, id := range ids {
		s.unit(id).did.ahead--
	}
}

// enforceStacking takes losses from hexes that hold too much when all movement is over:
// step by step, from whom the owner chooses.
//
// GD 7.1/5
func (s *State) enforceStacking(r *adjudicator.Run) {
	for i := range s.at {
		for s.overfull(i) {
			s.thinOut(r, i)
		}
	}
}

// overfull tells whether a hex holds more than its limit.
func (s *State) overfull(i int) bool {
	all, _ := s.stacked(i)
	return all > s.sc.stackLimit(s.sc.Board.Grid.At(i))
}

// thinOut takes a step from a unit on a hex that holds too much.
//
// GD 7.1/6: eliminated or depleted
// GD 7.1/8: as the owner chooses
func (s *State) thinOut(r *adjudicator.Run, i int) {
	able := slices.DeleteFunc(s.unitsAt(i), func(u *Unit) bool { return s.size(u) == 0 })
	u := s.chooseLoss(r, able[0].c.Side, able, false, loss{"GD 7.1", "the hex holds too much"})
	name, h, left := u.c.Name, u.Hex, "depleted"
	if s.deplete(u) {
		left = "eliminated"
	}
	r.Tell(view.Event{Kind: "overstacked", Clause: "GD 7.1", Hexes: []hex.Hex{h}, Facts: map[string]string{"unit": name, "hex": h.String(), "left": left}})
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
