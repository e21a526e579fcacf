package famous

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// retreatAll has units retreat two hexes, each on its own way.
//
// GD 10.5/1
// GD 10.5/2
// GD 10.5/3
// GD 10.5/7
// GD 10.5/8
func (b *battle) retreatAll(side Side, us []*Unit) {
	s := b.s
	// Who has the fewest ways goes first, so that the others do not take them.
	type fate struct {
		u     *Unit
		ways  [][2]hex.Hex
		owner Side
	}
	for left := slices.Clone(us); len(left) > 0; {
		var next fate
		for _, u := range left {
			ways, owner := s.retreats(u, b.enemyHexes(side))
			if next.u == nil || len(ways) < len(next.ways) {
				next = fate{u, ways, owner}
			}
		}
		left = slices.DeleteFunc(left, func(u *Unit) bool { return u == next.u })
		u := next.u
		if len(next.ways) == 0 {
			name, h := u.c.Name, u.Hex
			s.remove(u)
			b.r.Tell(view.Event{Kind: "loss", Clause: "GD 10.5", Hexes: []hex.Hex{h}, Facts: map[string]string{"unit": name, "left": "eliminated", "why": "no retreat", "side": string(side)}})
			continue
		}
		way := s.chooseRetreat(b.r, next.owner, u, next.ways)
		path := []hex.Hex{u.Hex, way[0], way[1]}
		rider := s.rider(u)
		u.Road = false
		s.put(u, way[1])
		if rider != nil {
			s.put(rider, way[1])
		}
		b.r.Tell(view.Event{Kind: "retreat", Clause: "GD 10.5", Hexes: path, Facts: map[string]string{"unit": u.c.Name, "path": pathText(path)}, Mark: "retreat", Side: string(side)})
	}
}

// enemyHexes are the hexes of those who drive a side back.
func (b *battle) enemyHexes(side Side) []hex.Hex {
	if side == b.side {
		return []hex.Hex{b.target}
	}
	return b.from()
}

// retreats are the ways that a unit may retreat, and who chooses among them: two
// hexes, each closer to the headquarters. A unit at its headquarters cannot come
// closer: it goes towards another one, or two hexes away from the attackers.
//
// GD 2.4/2
// GD 8.0/12
// GD 8.0/13
// GD 10.5/4
// GD 10.5/5
// GD 10.5/6
// reading GD 10.5: beside its headquarters a unit goes towards another one, or anywhere away from the attackers.
// reading GD 10.5: a headquarters retreats towards another headquarters.
func (s *State) retreats(u *Unit, foes []hex.Hex) ([][2]hex.Hex, Side) {
	g := s.sc.Board.Grid
	var own, others []hex.Hex
	for i := range s.Units {
		v := &s.Units[i]
		if !v.c.HQ || v.c.side != u.c.side || v.Where != OnMap || v == u {
			continue
		}
		near := g.Distance(u.Hex, v.Hex) <= 1
		switch {
		case near:
		case (v.c.Battalion == u.c.Battalion && !u.c.HQ) || v.c.Division:
			own = append(own, v.Hex)
		default:
			others = append(others, v.Hex)
		}
	}
	hasOwn := s.hq(u.c.Side, u.c.Battalion) != nil && !u.c.HQ || s.div(u.c.Side) != nil && s.div(u.c.Side) != u
	if ways := s.waysTo(u, own); len(ways) > 0 {
		return ways, u.c.Side
	}
	if len(own) > 0 {
		return nil, u.c.Side // there is a headquarters to go to, and no way
	}
	if hasOwn || u.c.HQ {
		if ways := s.waysTo(u, others); len(ways) > 0 {
			return ways, u.c.Side
		}
		if len(others) > 0 && u.c.HQ {
			return nil, u.c.Side
		}
		return s.waysOff(u, foes), u.c.Side
	}
	return s.waysOff(u, nil), s.sc.Other(u.c.Side)
}

// waysTo are the legal two-hex ways that come closer to a goal with every hex.
func (s *State) waysTo(u *Unit, goals []hex.Hex) (out [][2]hex.Hex) {
	g := s.sc.Board.Grid
	for _, goal := range goals {
		for _, way := range s.waysOff(u, nil) {
			if d := g.Distance(u.Hex, goal); g.Distance(way[0], goal) == d-1 && g.Distance(way[1], goal) == d-2 && !slices.Contains(out, way) {
				out = append(out, way)
			}
		}
	}
	return out
}

// waysOff are the legal ways that end two hexes away, and not beside a foe.
func (s *State) waysOff(u *Unit, foes []hex.Hex) (out [][2]hex.Hex) {
	g := s.sc.Board.Grid
	beside := func(h hex.Hex) bool {
		return slices.ContainsFunc(foes, func(f hex.Hex) bool { return g.Distance(f, h) <= 1 })
	}
	for _, a := range s.retreatSteps(u, u.idx) {
		for _, b := range s.retreatSteps(u, a) {
			h := g.At(b)
			if g.Distance(u.Hex, h) == 2 && s.fits(b, u) && !beside(h) {
				out = append(out, [2]hex.Hex{g.At(a), h})
			}
		}
	}
	return out
}

// retreatSteps are the hexes that a retreating unit may enter next.
//
// GD 8.0/12
// GD 10.5/9
// GD 10.5/10
func (s *State) retreatSteps(u *Unit, i int) (out []int) {
	for d := hex.N; d <= hex.NW; d++ {
		j := s.sc.edges[i*6+int(d)].to
		if j < 0 || s.holds(j) == int(1-u.c.side) || s.threatened(j, u.c.side) {
			continue
		}
		if p, _ := s.step(u.class(), -1, i, d, false, u.class() == Leg && s.rafted(u.c.side, i, d)); !p.Closed {
			out = append(out, j)
		}
	}
	return out
}

// chooseRetreat asks for one of the ways. The default: not beside enemies, the
// best ground, the fewest companions, the lowest hexes.
func (s *State) chooseRetreat(r *adjudicator.Run, by Side, u *Unit, ways [][2]hex.Hex) [2]hex.Hex {
	g := s.sc.Board.Grid
	st := s.plan(r, by)
	hostile := by != u.c.Side
	goal := st.toward
	best := slices.MinFunc(ways, func(a, b [2]hex.Hex) int {
		score := func(w [2]hex.Hex) int {
			n := 0
			i := g.Index(w[1])
			for _, f := range g.Neighbours(w[1]) {
				if s.holds(g.Index(f)) == int(1-u.c.side) {
					n += 100
				}
			}
			for _, m := range s.sc.ground[i].drms {
				n -= 10 * m
			}
			all, _ := s.stacked(i)
			if n += all; hostile {
				n = -n
			} else if goal != hex.None {
				n += 40 * g.Distance(w[1], goal)
			}
			return n
		}
		return cmp.Or(cmp.Compare(score(a), score(b)), cmp.Compare(a[1], b[1]), cmp.Compare(a[0], b[0]))
	})
	text := func(w [2]hex.Hex) string { return w[0].String() + "-" + w[1].String() }
	if len(ways) == 1 {
		return ways[0]
	}
	d := adjudicator.Decision{Label: s.label("retreat %s %v", strings.ReplaceAll(u.c.Name, " ", "_"), u.Hex), Kind: kindRetreat, Side: by, Clause: "GD 10.5", Proposal: text(best), Source: st.source(goal != hex.None && !hostile)}
	for _, w := range ways {
		d.Options = append(d.Options, adjudicator.Option{Answer: text(w), Means: fmt.Sprintf("%s falls back to %v by %v", u.c.Name, w[1], w[0])})
	}
	answer := r.Ask(d)[0]
	for _, w := range ways {
		if text(w) == answer {
			return w
		}
	}
	return best
}
