package famous

import (
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// paths is which hexes a line of supply of a side reaches, as numbers of areas:
// two hexes with the same number are joined.
type paths struct{ area []int16 }

// supplyPaths floods the map for a side: not into enemy hexes, nor enemy zones
// unless a friend stands there, nor into or across what is closed to wheels.
//
// GD 5.1/11
// GD 5.1/12
// GD 5.1/13
// GD 5.1/14
// GD 8.0/6
// GD 8.0/7
func (s *State) supplyPaths(side int8) paths {
	p := paths{make([]int16, len(s.at))}
	var area int16
	queue := make([]int, 0, len(s.at))
	for i := range s.at {
		if p.area[i] != 0 || !s.passable(i, side) || s.closedToWheels(i) {
			continue
		}
		area++
		p.area[i] = area
		queue = append(queue[:0], i)
		for k := 0; k < len(queue); k++ {
			for d := hex.N; d <= hex.NW; d++ {
				j := s.sc.edges[queue[k]*6+int(d)].to
				if j >= 0 && p.area[j] == 0 && s.passable(j, side) && s.wheelsCross(queue[k], d) {
					p.area[j] = area
					queue = append(queue, j)
				}
			}
		}
	}
	return p
}

// passable: neither enemies nor an uncovered enemy zone.
func (s *State) passable(i int, side int8) bool {
	k := s.holds(i)
	return s.sc.ground[i].on && k != int(1-side) && (k == int(side) || !s.threatened(i, side))
}

// closedToWheels: a hex that a line of supply never goes through.
func (s *State) closedToWheels(i int) bool {
	if !s.sc.ground[i].price[Wheeled].Closed {
		return false
	}
	for d := hex.N; d <= hex.NW; d++ {
		e := &s.sc.edges[i*6+int(d)]
		if e.to >= 0 && (e.road != nil && !s.sc.ground[i].major || s.bridged(i, d)) {
			return false
		}
	}
	return true
}

// wheelsCross tells whether wheels may take the step, by road or bridge too.
func (s *State) wheelsCross(i int, d hex.Dir) bool {
	p, _ := s.step(Wheeled, -1, i, d, false, false)
	return !p.Closed
}

// reaches tells whether a path joins two hexes. The unit's own hex may be closed
// ground: then a neighbour joins.
//
// reading GD 5.1: a unit in ground closed to wheels draws its supply over a hexside of its hex.
func (s *State) joined(p paths, from, to int, side int8) bool {
	if from == to {
		return true
	}
	for _, a := range s.ends(p, from, side) {
		if slices.Contains(s.ends(p, to, side), a) {
			return true
		}
	}
	return false
}

func (s *State) ends(p paths, i int, side int8) []int16 {
	if p.area[i] != 0 {
		return []int16{p.area[i]}
	}
	var out []int16
	for d := hex.N; d <= hex.NW; d++ {
		e := &s.sc.edges[i*6+int(d)]
		if e.to >= 0 && p.area[e.to] != 0 && (e.water == nil || !e.water.Price[Wheeled].Closed || s.bridged(i, d)) {
			out = append(out, p.area[e.to])
		}
	}
	return out
}

// hq is the headquarters of a battalion on the map, or nil; div that of the division.
func (s *State) hq(side Side, battalion string) *Unit {
	for i := range s.Units {
		u := &s.Units[i]
		if u.c.HQ && u.c.Side == side && u.c.Battalion == battalion && u.Where == OnMap {
			return u
		}
	}
	return nil
}

func (s *State) div(side Side) *Unit {
	for i := range s.Units {
		if u := &s.Units[i]; u.c.Division && u.c.Side == side && u.Where == OnMap {
			return u
		}
	}
	return nil
}

// commanded tells which battalions have a headquarters on the map that is itself
// supplied: joined with another headquarters of its side.
//
// GD 2.4/3
// GD 5.1/3
// GD 5.1/4
// reading GD 5.1: two headquarters that reach each other supply themselves, even surrounded; a lone one does not.
func (s *State) commanded(side Side, p paths) map[string]*Unit {
	var hqs []*Unit
	for i := range s.Units {
		if u := &s.Units[i]; u.c.HQ && u.c.Side == side && u.Where == OnMap {
			hqs = append(hqs, u)
		}
	}
	out := map[string]*Unit{}
	for _, a := range hqs {
		for _, b := range hqs {
			if a != b && s.joined(p, a.idx, b.idx, a.c.side) {
				out[a.c.Battalion] = a
			}
		}
	}
	return out
}

// audit is the Supply Phase of a side.
//
// GD 3.3/1
// GD 5.0/1
// GD 5.1/1
// GD 5.1/2
// GD 5.1/5
// GD 5.1/10
// GD 5.3/1
// GD 5.3/2
// GD 5.3/3
func (s *State) audit(r *adjudicator.Run, side Side, orders supplyOrders) {
	n := int8(s.sc.number(side))
	p := s.supplyPaths(n)
	hqs := s.commanded(side, p)
	div := hqs["Div"]
	helped := s.helped(side, p, hqs, div, orders.division)
	nominees := s.nominate(side, hqs, helped, orders.stacks)
	for i := range s.Units {
		u := &s.Units[i]
		if u.c.Side != side || u.Where != OnMap {
			continue
		}
		source := hqs[u.c.Battalion]
		ok := u.Nominated
		switch {
		case u.c.HQ:
			ok = ok || source != nil
		case source != nil && s.joined(p, u.idx, source.idx, n):
			ok = true
		case helped == u.c.Battalion && s.joined(p, u.idx, div.idx, n):
			ok = true
		}
		if ok {
			u.Unsupplied = 0
			continue
		}
		u.Unsupplied++
		s.starve(r, u)
	}
	if len(nominees) > 0 {
		r.Tell(view.Event{Kind: "nominated", Clause: "GD 5.1", To: []string{string(side)}, Facts: map[string]string{"units": names(nominees)}})
	}
}

// starve is what a phase without supply does to a unit.
//
// GD 5.3/3
// GD 5.3/8
func (s *State) starve(r *adjudicator.Run, u *Unit) {
	state := []string{"", "low supply", "out of supply"}[min(u.Unsupplied, 2)]
	if u.Unsupplied == 2 && u.c.Artillery > 0 {
		u.Fired = true
	}
	e := view.Event{Kind: "supply", Clause: "GD 5.3", To: []string{string(u.c.Side)}, Hexes: []hex.Hex{u.Hex},
		Facts: map[string]string{"unit": u.c.Name, "hex": u.Hex.String(), "state": state}}
	if u.Unsupplied >= 3 {
		e.Facts["left"] = "depleted"
		if s.deplete(u) {
			e.Facts["left"] = "lost"
		}
	}
	r.Tell(e)
}

// helped is the battalion that the division headquarters supplies: the one that
// is named, or the one with most units cut off from their own headquarters.
//
// GD 5.1/6
func (s *State) helped(side Side, p paths, hqs map[string]*Unit, div *Unit, named string) string {
	if div == nil {
		return ""
	}
	if named != "" {
		return named
	}
	cut := map[string]int{}
	best := ""
	for i := range s.Units {
		u := &s.Units[i]
		if u.c.Side != side || u.Where != OnMap || u.c.HQ || u.c.Battalion == "Div" {
			continue
		}
		own := hqs[u.c.Battalion]
		if (own == nil || !s.joined(p, u.idx, own.idx, u.c.side)) && s.joined(p, u.idx, div.idx, u.c.side) {
			b := u.c.Battalion
			if cut[b]++; best == "" || cut[b] > cut[best] || cut[b] == cut[best] && b < best {
				best = b
			}
		}
	}
	return best
}

// nominate gives each battalion without a source of supply one stack in
// automatic supply: the one that is named, or the strongest.
//
// GD 5.1/7
// GD 5.1/8
// GD 5.1/9
func (s *State) nominate(side Side, hqs map[string]*Unit, helped string, named map[string]hex.Hex) (out []*Unit) {
	type stack struct {
		strength int
		units    []*Unit
	}
	best := map[string]hex.Hex{}
	stacks := map[string]map[hex.Hex]stack{}
	for i := range s.Units {
		u := &s.Units[i]
		if u.c.Side != side {
			continue
		}
		u.Nominated = false
		b := u.c.Battalion
		if u.Where != OnMap || hqs[b] != nil || helped == b {
			continue
		}
		if stacks[b] == nil {
			stacks[b] = map[hex.Hex]stack{}
		}
		st := stacks[b][u.Hex]
		st.strength += u.values().Attack
		st.units = append(st.units, u)
		stacks[b][u.Hex] = st
		have, ok := best[b]
		if h := stacks[b][have]; !ok || st.strength > h.strength || st.strength == h.strength && u.Hex < have {
			best[b] = u.Hex
		}
	}
	for b, h := range best {
		if want, ok := named[b]; ok && stacks[b][want].units != nil {
			h = want
		}
		for _, u := range stacks[b][h].units {
			u.Nominated = true
			out = append(out, u)
		}
	}
	slices.SortFunc(out, func(a, b *Unit) int { return s.number(a) - s.number(b) })
	return out
}

// attack is the attack strength of a unit as supply leaves it.
//
// GD 5.3/4
// GD 5.3/5
func (u *Unit) attack() int {
	a := u.values().Attack
	switch {
	case u.Unsupplied >= 2:
		return a / 2
	case u.Unsupplied == 1:
		return (a + 1) / 2
	}
	return a
}

// defence is the defence strength of a unit as supply leaves it.
//
// GD 5.3/5
// reading GD 5.3: a defence is at least 1.
func (u *Unit) defence() int {
	d := u.values().Defence
	if u.Unsupplied >= 2 {
		d = max(1, d/2)
	}
	return d
}
