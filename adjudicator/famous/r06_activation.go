package famous

import (
	"cmp"
	"slices"

	"fieldpost/adjudicator/hex"
)

// inCommand tells whether a unit is now within the activation range of the
// headquarters that activated it. Units that came on in this activation are.
//
// GD 2.4/1
// GD 3.4/3
// GD 4.0/3
// GD 6.0/3
// GD 6.0/5
// GD 6.0/8
// GD 10.0/6
func (s *State) inCommand(u *Unit) bool {
	if u.entered || s.commander == "" || u.Where == Beside {
		return true
	}
	return s.inRange(s.unit(s.commander), u)
}

// inRange: ground, enemies and zones do not matter.
func (s *State) inRange(hq, u *Unit) bool {
	return hq.Where == OnMap && s.sc.Board.Grid.Distance(hq.Hex, u.Hex) <= hq.c.Command
}

// activate marks the units of a battalion that its headquarters, or that of the
// division, may use now; stack is the hex of a battalion without headquarters.
//
// GD 2.4/4
// GD 2.4/5
// GD 2.4/6
// GD 2.5/2
// GD 3.4/1
// GD 3.4/4
// GD 6.0/1
// GD 6.0/4
// GD 6.0/6
// GD 6.0/7
// GD 6.0/14
// GD 6.0/15
// GD 9.5/3
// reading GD 6.0: range counts at the activation, and again at the moment of an attack or shot.
func (s *State) activate(side Side, battalion string, by *Unit, stack hex.Hex) (out []*Unit) {
	s.commander = ""
	if by != nil {
		s.commander = by.ID
	}
	for i := range s.Units {
		u := &s.Units[i]
		if u.c.Side != side || u.Used || u.Aboard != "" {
			continue
		}
		own := u.c.Battalion == battalion
		if !own && u != by {
			continue
		}
		switch u.Where {
		case Later:
			if s.due(u) {
				u.active = true
			}
		case Beside:
			u.active = true
		case OnMap:
			switch {
			case u == by:
				u.active = true
			case by != nil:
				u.active = s.inRange(by, u)
			default:
				u.active = stack == hex.None || u.Hex == stack
			}
		}
		if u.active {
			out = append(out, u)
		}
	}
	return out
}

// ridersOf: who rides a tank is activated with it.
func (s *State) activateRiders() {
	for i := range s.Units {
		if u := &s.Units[i]; u.Aboard != "" && u.Where == OnMap {
			if t := s.unit(u.Aboard); t != nil && t.active {
				u.active = true
			}
		}
	}
}

// bestStack is the stack of a battalion without headquarters that acts if its
// owner names none: beside an enemy key hex, else the strongest.
func (s *State) bestStack(side Side, battalion string) hex.Hex {
	sums := map[hex.Hex]int{}
	for i := range s.Units {
		u := &s.Units[i]
		if u.c.Side != side || u.c.Battalion != battalion || u.Where != OnMap || u.Aboard != "" {
			continue
		}
		sums[u.Hex] += 1 + u.attack()
		for _, o := range s.sc.Objectives {
			for _, h := range o.Hexes {
				if s.holder(h) == s.sc.Other(side) && s.sc.Board.Grid.Adjacent(h, u.Hex) {
					sums[u.Hex] += 100
				}
			}
		}
	}
	best := hex.None
	for h, n := range sums {
		if best == hex.None || n > sums[best] || n == sums[best] && h < best {
			best = h
		}
	}
	return best
}

// chits lists the chits that are in the cup this turn: of battalions with a unit
// on the map or due, while they have a unit left besides their headquarters.
//
// GD 2.0/1
// GD 2.5/1
// GD 3.5/3
// GD 4.0/2
// GD 4.0/10
// GD 6.0/12
// GD 6.0/13
// reading GD 4.0: the chit of reinforcements is in the cup from the turn they are due; they enter when it is drawn.
// reading GD 3.5: a battalion without combat units loses its chit, unless it never had any more than its headquarters.
func (s *State) chits() []string {
	type count struct{ here, fighters, ever, hqs int }
	by := map[string]*count{}
	for i := range s.Units {
		u := &s.Units[i]
		k := u.key()
		if by[k] == nil {
			by[k] = &count{}
		}
		c := by[k]
		in := u.Where == OnMap || u.Where == Beside || s.due(u)
		if in {
			c.here++
			c.hqs += b2i(u.c.HQ)
		}
		if !u.c.HQ {
			c.ever++
			c.fighters += b2i(u.Where == OnMap || u.Where == Beside || u.Where == Later)
		}
	}
	var out []string
	for k, c := range by {
		if c.here > 0 && (c.fighters > 0 || c.hqs > 0) {
			out = append(out, k)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Compare(a, b) })
	return out
}
