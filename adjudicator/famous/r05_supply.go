package famous

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// paths is which hexes a line of supply of a side reaches, as numbers of areas:
// two hexes with the same number are joined.
type paths struct{ area []int16 }

// supplyPaths floods the map for a side.
func (s *State) supplyPaths(side int8) paths {
	p := paths{make([]int16, len(s.at))}
	var area int16
	queue := make([]int, 0, len(s.at))
	for i := range s.at {
		if !s.carries(p, i, side) || s.closedToWheels(i) {
			continue
		}
		area++
		p.area[i] = area
		queue = append(queue[:0], i)
		for k := 0; k < len(queue); k++ {
			for d := hex.N; d <= hex.NW; d++ {
				j := s.sc.edges[queue[k]*6+int(d)].to
				if j < 0 || !s.carries(p, j, side) {
					continue
				}
				if s.wheelsCross(queue[k], d) {
					p.area[j] = area
					queue = append(queue, j)
				}
			}
		}
	}
	return p
}

// carries: a hex that belongs to no area yet, and that a line of supply may enter.
func (s *State) carries(p paths, i int, side int8) bool { return p.area[i] == 0 && s.passable(i, side) }

// passable: neither enemies nor an uncovered enemy zone.
func (s *State) passable(i int, side int8) bool {
	if !s.sc.ground[i].on {
		return false
	}
	switch s.holds(i) {
	case int(side):
		// GD 5.1/12: not into enemy zones, unless a friendly unit is there
		// GD 8.0/6: for a line of supply it negates them
		return true
	case int(1 - side):
		return false // GD 5.1/11
	}
	return !s.threatened(i, side) // GD 8.0/7
}

// closedToWheels: a hex that a line of supply never goes through, unless a road or a
// bridge leads in.
//
// GD 5.1/13: not where wheels may not go
// GD 5.1/14: but over intact bridges and along roads
func (s *State) closedToWheels(i int) bool {
	here := &s.sc.ground[i]
	if !here.price[Wheeled].Closed {
		return false
	}
	for d := hex.N; d <= hex.NW; d++ {
		e := &s.sc.edges[i*6+int(d)]
		if road := e.road != nil && !here.major; road || s.bridged(i, d) {
			return false
		}
	}
	return true
}

// wheelsCross tells whether wheels may take the step, by road or bridge too.
func (s *State) wheelsCross(i int, d hex.Dir) bool {
	p, _ := s.step(gait{class: Wheeled, side: nobody}, i, d)
	return !p.Closed
}

// joined tells whether a path joins two hexes. The unit's own hex may be closed
// ground: then a neighbour joins.
//
// reading GD 5.1: a unit in ground closed to wheels draws its supply over a hexside of its hex.
func (s *State) joined(p paths, from, to int) bool {
	if from == to {
		return true
	}
	for _, a := range s.ends(p, from) {
		if slices.Contains(s.ends(p, to), a) {
			return true
		}
	}
	return false
}

// ends are the areas in which a line of supply may end that begins in a hex.
func (s *State) ends(p paths, i int) []int16 {
	if p.area[i] != 0 {
		return []int16{p.area[i]}
	}
	var out []int16
	for d := hex.N; d <= hex.NW; d++ {
		e := &s.sc.edges[i*6+int(d)]
		if e.to < 0 || p.area[e.to] == 0 {
			continue
		}
		if !e.closedToWheels() || s.bridged(i, d) {
			out = append(out, p.area[e.to])
		}
	}
	return out
}

// hq is the headquarters of a battalion on the map, or nil; div that of the division.
func (s *State) hq(side Side, battalion string) *Unit {
	for u := range s.onMap(side) {
		if u.c.HQ && u.c.Battalion == battalion {
			return u
		}
	}
	return nil
}

func (s *State) div(side Side) *Unit {
	for u := range s.onMap(side) {
		if u.c.Division {
			return u
		}
	}
	return nil
}

// commanded tells which battalions have a headquarters on the map that is itself
// supplied: joined with another headquarters of its side.
//
// GD 5.1/3
// reading GD 5.1: two headquarters that reach each other supply themselves, even surrounded; a lone one does not.
// reading GD 5.1: the headquarters of the division needs a path to another one like those of battalions.
func (s *State) commanded(side Side, p paths) map[string]*Unit {
	var hqs []*Unit
	for u := range s.onMap(side) {
		if u.c.HQ {
			hqs = append(hqs, u)
		}
	}
	out := map[string]*Unit{}
	for _, a := range hqs {
		for _, b := range hqs {
			if a != b && s.joined(p, a.idx, b.idx) {
				out[a.c.Battalion] = a // GD 5.1/4: only such a one supplies its battalion
			}
		}
	}
	return out
}

// sources are where the units of a side may draw their supply from.
type sources struct {
	side   Side
	paths  paths
	hqs    map[string]*Unit // headquarters that are supplied themselves, by battalion
	div    *Unit            // that of the division among them, or nil
	helped string           // the battalion that it supplies besides its own companies
}

// audit is the Supply Phase of a side.
//
// GD 3.3/1
func (s *State) audit(r *adjudicator.Run, side Side, orders supplyOrders) {
	src := sources{side: side, paths: s.supplyPaths(int8(s.sc.number(side)))}
	src.hqs = s.commanded(side, src.paths)
	src.div = src.hqs[divBattalion]
	src.helped = s.helped(src, orders.division)
	nominees := s.nominate(src, orders)
	for u := range s.onMap(side) { // GD 5.0/1: every unit
		without := u.Unsupplied + 1
		u.Lapsed = 0
		if u.Nominated {
			u.Lapsed = without
		}
		if s.supplied(u, src) {
			if u.outOfSupply() {
				u.Fired = false // GD 5.3/9: it fires again, in this turn already
			}
			u.Unsupplied = 0
			continue
		}
		u.Unsupplied = without
		s.starve(r, u)
	}
	if len(nominees) > 0 {
		r.Tell(view.Event{Kind: "nominated", Clause: "GD 5.1", To: []string{string(side)}, Facts: view.Pairs{"units", names(nominees)}})
	}
}

// supplied tells whether a unit has a source of supply.
func (s *State) supplied(u *Unit, src sources) bool {
	if u.Nominated {
		return true // GD 5.1/10
	}
	// GD 2.4/3: a headquarters is a source, for its own battalion
	// GD 5.1/2: and for no other
	hq := src.hqs[u.c.Battalion]
	if u.c.HQ {
		return hq != nil // GD 5.1/5: headquarters are audited like other units
	}
	// GD 5.1/1: a path of any length
	if hq != nil && s.joined(src.paths, u.idx, hq.idx) {
		return true
	}
	return src.helped == u.c.Battalion && s.joined(src.paths, u.idx, src.div.idx)
}

// starve is what a phase without supply does to a unit.
func (s *State) starve(r *adjudicator.Run, u *Unit) {
	e := s.runShort(u)
	// GD 5.3/3: from the third phase on it loses a step each time
	if u.Unsupplied >= starving {
		e.Facts = e.Facts.With("left", "depleted")
		if s.deplete(u) {
			e.Facts = e.Facts.With("left", "lost")
		}
	}
	r.Tell(e)
}

// runShort is the event that a unit is without supply now. Its gun falls silent.
func (s *State) runShort(u *Unit) view.Event {
	// GD 5.3/1: low supply first
	// GD 5.3/2: then out of supply
	state := strings.ToLower(supplyWords[min(u.Unsupplied, outOfSupply)])
	if u.outOfSupply() && u.isGun() {
		u.Fired = true // GD 5.3/8
	}
	return view.Event{Kind: "supply", Clause: "GD 5.3", To: []string{string(u.c.Side)}, Hexes: []hex.Hex{u.Hex},
		Facts: view.Pairs{"unit", u.c.Name, "hex", u.Hex.String(), "state", state}}
}

// helped is the battalion that the division headquarters supplies: the one that
// is named, or the one with most units cut off from their own headquarters.
//
// GD 5.1/6
func (s *State) helped(src sources, named string) string {
	if src.div == nil {
		return ""
	}
	if named != "" {
		return named
	}
	cut := map[string]int{}
	for u := range s.onMap(src.side) {
		if s.needsHelp(u, src) {
			cut[u.c.Battalion]++
		}
	}
	best := ""
	for _, b := range slices.Sorted(maps.Keys(cut)) {
		if cut[b] > cut[best] {
			best = b
		}
	}
	return best
}

// needsHelp: a unit that only the headquarters of the division reaches.
func (s *State) needsHelp(u *Unit, src sources) bool {
	if u.c.HQ || u.c.Battalion == divBattalion {
		return false
	}
	own := src.hqs[u.c.Battalion]
	if own != nil && s.joined(src.paths, u.idx, own.idx) {
		return false
	}
	return s.joined(src.paths, u.idx, src.div.idx)
}

// nominate gives each battalion without a source of supply one stack in
// automatic supply: the one that is named, or the strongest.
//
// GD 5.1/7
func (s *State) nominate(src sources, orders supplyOrders) (out []*Unit) {
	cutOff := map[string][]*Unit{}
	for u := range s.army(src.side) {
		u.Nominated, u.Keeper = false, false // GD 5.1/9: anew each turn
		sourceless := src.hqs[u.c.Battalion] == nil && src.helped != u.c.Battalion
		if u.onMap() && sourceless {
			cutOff[u.c.Battalion] = append(cutOff[u.c.Battalion], u)
		}
	}
	for bn, us := range cutOff {
		at := nominated(us, orders.stacks[bn])
		stack := slices.DeleteFunc(us, func(u *Unit) bool { return u.Hex != at })
		for _, u := range stack { // GD 5.1/8: the others are not in supply
			u.Nominated = true
		}
		keeper(stack, orders.keepers[bn]).Keeper = true
		out = append(out, stack...)
	}
	slices.SortFunc(out, func(a, b *Unit) int { return int(a.n) - int(b.n) })
	return out
}

// nominated is the hex of the stack in automatic supply, among the units of a battalion:
// the one that is wanted if some of them stand there, else where their attack is strongest.
func nominated(us []*Unit, wanted hex.Hex) hex.Hex {
	strength := map[hex.Hex]int{}
	for _, u := range us {
		strength[u.Hex] += u.values().Attack
	}
	if _, there := strength[wanted]; there {
		return wanted
	}
	return slices.MinFunc(slices.Collect(maps.Keys(strength)), func(a, b hex.Hex) int {
		return cmp.Or(cmp.Compare(strength[b], strength[a]), cmp.Compare(a, b))
	})
}

// keeper is the unit with which the automatic supply of a stack stays if it parts: the one
// that is wanted if it is there, else the one that was before, else the strongest.
func keeper(stack []*Unit, wanted string) *Unit {
	first := func(u *Unit) int {
		switch {
		case u.ID == wanted:
			return 0
		case u.Keeper:
			return 1
		}
		return 2
	}
	return slices.MinFunc(stack, func(a, b *Unit) int {
		return cmp.Or(cmp.Compare(first(a), first(b)), cmp.Compare(b.values().Attack, a.values().Attack), cmp.Compare(a.ID, b.ID))
	})
}

// partStacks takes automatic supply from units that are not with its keeper any more.
// Who comes to the stack gains none.
//
// GD 5.1/15
// GD 5.1/16
// reading GD 5.1: whether a stack has parted is seen when all movement of an activation is over, and after each combat; who has left it is in the state in which the Supply Phase would have put it without the nomination.
func (s *State) partStacks(r *adjudicator.Run) {
	stacks := map[string][]*Unit{}
	for i := range s.Units {
		if u := &s.Units[i]; u.Nominated && u.onMap() {
			stacks[u.key()] = append(stacks[u.key()], u)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(stacks)) {
		with := keeper(stacks[key], "")
		with.Keeper = true
		for _, u := range stacks[key] {
			if u.Hex != with.Hex {
				u.Nominated, u.Unsupplied = false, u.Lapsed
				r.Tell(s.runShort(u))
			}
		}
	}
}

// attack is the attack strength of a unit as supply leaves it.
func (u *Unit) attack() int {
	a := u.values().Attack
	switch {
	case u.outOfSupply(): // GD 5.3/5
		return a / 2
	case u.Unsupplied == lowSupply: // GD 5.3/4
		return (a + 1) / 2
	}
	return a
}

// inFull is both strengths as the counter has them, "" while they count in full.
func (u *Unit) inFull() string {
	v := u.values()
	if u.attack() == v.Attack && u.defence() == v.Defence {
		return ""
	}
	return fmt.Sprintf("%d/%d", v.Attack, v.Defence)
}

// supplyWords are the states of supply as reports call them.
//
// GD 2.6/6
// GD 5.3/1
// GD 5.3/2
var supplyWords = [...]string{lowSupply: "Low Supply", outOfSupply: "Out of Supply"}

// defence is the defence strength of a unit as supply leaves it.
//
// reading GD 5.3: a defence that is halved is at least 1.
func (u *Unit) defence() int {
	d := u.values().Defence
	if u.outOfSupply() {
		d = max(1, d/2) // GD 5.3/5
	}
	return d
}
