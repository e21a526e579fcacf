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
func (sc *Scenario) stackLimit(i int) int {
	if sc.ground[i].city {
		return 12 // GD 7.2/1: six units
	}
	return 8 // GD 7.1/1: four
}

// roadLimit is what a hex holds of units with Road Move markers, in a city too, and what
// marches by road together.
//
// GD 7.1/3
// GD 7.1/10
// GD 7.2/2
const roadLimit = 4

// tooManyForRoad tells whether units are more than march by road together.
//
// GD 7.1/10
func (s *State) tooManyForRoad(us []*Unit) bool {
	n := 0
	for _, u := range us {
		n += s.size(u)
	}
	return n > roadLimit
}

// roadFull tells whether units cannot end on a hex in road movement, for those that are
// there in it and stay.
//
// GD 7.1/3
func (s *State) roadFull(i int, us ...*Unit) bool {
	all := 0
	for u := range s.each(i) {
		if !u.Road || slices.Contains(us, u) || s.leaving(u) {
			continue
		}
		all += s.size(u)
	}
	for _, u := range us {
		all += s.size(u)
	}
	return all > roadLimit
}

// mayEnd tells whether a unit that goes by a search can end on a hex: where two are in
// road movement already only if it can pay the ground for its last step.
func (s *State) mayEnd(u *Unit, f *field, i int) bool {
	if !s.roadFull(i, u) {
		return true
	}
	for d := hex.N; d <= hex.NW; d++ {
		if j := s.sc.edges[i*6+int(d)].to; j >= 0 && f.reached(j) && s.stepsOff(u, f, j, d.Opposite()) {
			return true
		}
	}
	return false
}

// stepsOff tells whether a unit that a search has brought to a hex can go on in a direction
// off the road.
func (s *State) stepsOff(u *Unit, f *field, i int, d hex.Dir) bool {
	start := f.starts(i)
	if s.threatened(i, u.c.side) && !start {
		return false
	}
	probe := *u
	probe.did.spent, probe.did.started = f.spent[i], u.did.started || !start
	g := s.gaitOf(u)
	g.offRoad = true
	_, _, ok := s.tryAs(g, &probe, i, d)
	return ok
}

// stacked is what stands on a hex, in halves, and what of it is marked Road Move.
func (s *State) stacked(i int) (all, road int) {
	for u := range s.each(i) {
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
	for u := range s.each(i) {
		if slices.Contains(more, u) || s.leaving(u) {
			continue
		}
		all += s.size(u)
	}
	for _, u := range more {
		all += s.size(u)
	}
	return all <= s.sc.stackLimit(i)
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
		for s.holds(i) >= 0 && s.overfull(i) {
			s.thinOut(r, i)
		}
	}
}

// overfull tells whether a hex holds more than its limit.
func (s *State) overfull(i int) bool {
	all, _ := s.stacked(i)
	return all > s.sc.stackLimit(i)
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
	r.Tell(view.Event{Kind: "overstacked", Clause: "GD 7.1", Hexes: []hex.Hex{h}, Facts: view.Pairs{"unit", name, "hex", h.String(), "left", left}})
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
