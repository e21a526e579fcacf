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

// way is a retreat: two hexes, one after the other.
//
// GD 10.5/1
type way [2]hex.Hex

func (w way) String() string { return w[0].String() + "-" + w[1].String() }

// retreatAll has units retreat two hexes, each on its own way, and companions of theirs
// as long as there are ways for them.
//
// GD 10.5/2: all survivors of the side
// GD 10.5/3: not all the same way
func (b *battle) retreatAll(side Side, us, companions []*Unit) {
	// Who has the fewest ways goes first, so that the others do not take them.
	for left := slices.Concat(us, companions); len(left) > 0; {
		var next *Unit
		var open retreat
		for _, u := range left {
			if r := b.s.retreats(u, b.enemyHexes(side)); next == nil || len(r.ways) < len(open.ways) {
				next, open = u, r
			}
		}
		left = slices.DeleteFunc(left, func(u *Unit) bool { return u == next })
		// GD 10.4/14: whoever need not go stays for lack of a way
		stays := len(open.ways) == 0 && slices.Contains(companions, next)
		if !stays {
			b.retreat(next, open)
		}
	}
}

// retreat has a unit go one of its ways, or takes it away if it has none.
//
// GD 10.5/7: it costs no movement points
func (b *battle) retreat(u *Unit, open retreat) {
	name, h, side := u.c.Name, u.Hex, u.c.Side
	if len(open.ways) == 0 {
		b.s.remove(u) // GD 10.5/8
		b.r.Tell(view.Event{Kind: "loss", Clause: "GD 10.5", Hexes: []hex.Hex{h}, Facts: view.Pairs{"unit", name, "left", "eliminated", "why", "no retreat", "side", string(side)}})
		return
	}
	w := b.s.chooseRetreat(b.r, u, open)
	path := []hex.Hex{h, w[0], w[1]}
	u.Road = false
	for _, h := range w {
		b.s.carry(u, h)
		b.s.spoilPontoons(b.r, u) // GD 12.1/10
	}
	b.r.Tell(view.Event{Kind: "retreat", Clause: "GD 10.5", Hexes: path, Facts: view.Pairs{"unit", name, "path", pathText(path)}, Mark: "retreat", Side: string(side)})
}

// enemyHexes are the hexes of those who drive a side back.
func (b *battle) enemyHexes(side Side) []hex.Hex {
	if side == b.side {
		return []hex.Hex{b.target}
	}
	return b.from()
}

// retreat is the ways that a unit may retreat, and who chooses among them.
type retreat struct {
	ways []way
	by   Side
}

// retreats finds them. A unit at its headquarters cannot come
// closer: it goes towards another one, or two hexes away from the attackers.
//
// GD 2.4/2
// reading GD 10.5: beside its headquarters a unit goes towards another one, or anywhere away from the attackers.
// reading GD 10.5: a headquarters retreats towards another headquarters.
func (s *State) retreats(u *Unit, foes []hex.Hex) retreat {
	mine := func(ways []way) retreat { return retreat{ways, u.c.Side} }
	own, others := s.rallyPoints(u)
	// GD 8.0/13: there may be none, for enemy zones
	// GD 10.5/4: each hex comes closer to the headquarters
	if len(own) > 0 {
		return mine(s.waysTo(u, own))
	}
	if !s.ledBySomebody(u) {
		// GD 10.5/5: without any headquarters the enemy chooses the way
		return retreat{s.waysOff(u, nil), s.sc.Other(u.c.Side)}
	}
	ways := s.waysTo(u, others)
	if len(ways) > 0 {
		return mine(ways)
	}
	if u.c.HQ && len(others) > 0 {
		return mine(nil)
	}
	return mine(s.waysOff(u, foes))
}

// rallyPoints are where headquarters stand that a unit may retreat to, if it does not
// stand beside them: its own and the division's, and the others of its side.
func (s *State) rallyPoints(u *Unit) (own, others []hex.Hex) {
	for hq := range s.onMap(u.c.Side) {
		if !hq.c.HQ || hq == u {
			continue
		}
		if s.sc.Board.Grid.Distance(u.Hex, hq.Hex) <= 1 {
			continue
		}
		if hq.c.Division || hq.leads(u) {
			own = append(own, hq.Hex)
		} else {
			others = append(others, hq.Hex)
		}
	}
	return own, others
}

// leads: the unit is of the battalion of this headquarters.
func (hq *Unit) leads(u *Unit) bool { return !u.c.HQ && u.c.Battalion == hq.c.Battalion }

// ledBySomebody: the unit's battalion or its division still has its headquarters.
func (s *State) ledBySomebody(u *Unit) bool {
	div := s.div(u.c.Side)
	if div != nil && div != u {
		return true
	}
	return s.hq(u.c.Side, u.c.Battalion) != nil
}

// waysTo are the legal two-hex ways that come closer to a goal with every hex.
func (s *State) waysTo(u *Unit, goals []hex.Hex) (out []way) {
	g := s.sc.Board.Grid
	for _, goal := range goals {
		for _, w := range s.waysOff(u, nil) {
			d := g.Distance(u.Hex, goal)
			closer := g.Distance(w[0], goal) == d-1 && g.Distance(w[1], goal) == d-2
			if closer && !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out
}

// waysOff are the legal ways that end two hexes away, and not beside a foe.
func (s *State) waysOff(u *Unit, foes []hex.Hex) (out []way) {
	g := s.sc.Board.Grid
	for _, a := range s.retreatSteps(u, u.idx) {
		for _, b := range s.retreatSteps(u, a) {
			h := g.At(b)
			beside := slices.ContainsFunc(foes, func(f hex.Hex) bool { return g.Distance(f, h) <= 1 })
			if beside || g.Distance(u.Hex, h) != 2 {
				continue
			}
			if s.fits(b, u) { // GD 10.5/10
				out = append(out, way{g.At(a), h})
			}
		}
	}
	return out
}

// retreatSteps are the hexes that a retreating unit may enter next.
//
// GD 10.5/6: legal ones, whoever chooses
func (s *State) retreatSteps(u *Unit, i int) (out []int) {
	for d := hex.N; d <= hex.NW; d++ {
		j := s.sc.edges[i*6+int(d)].to
		if j < 0 || s.enemyOn(j, u.c.side) {
			continue
		}
		if s.threatened(j, u.c.side) {
			continue // GD 8.0/12
		}
		if s.lets(gait{class: u.class(), side: nobody}, i, d) { // GD 10.5/9
			out = append(out, j)
		}
	}
	return out
}

// chooseRetreat asks for one of the ways. The default: not beside enemies, the
// best ground, the fewest companions, the lowest hexes.
func (s *State) chooseRetreat(r *adjudicator.Run, u *Unit, open retreat) way {
	st := s.plan(r, open.by)
	goal, hostile := st.toward, open.by != u.c.Side
	if hostile {
		goal = hex.None
	}
	score := func(w way) int {
		n := s.hardship(u, w[1])
		switch {
		case hostile:
			return -n
		case goal != hex.None:
			return n + 40*s.sc.Board.Grid.Distance(w[1], goal)
		}
		return n
	}
	best := slices.MinFunc(open.ways, func(a, b way) int {
		return cmp.Or(cmp.Compare(score(a), score(b)), cmp.Compare(a[1], b[1]), cmp.Compare(a[0], b[0]))
	})
	if len(open.ways) == 1 {
		return best
	}
	d := adjudicator.Decision{Label: s.label("retreat %s %v", strings.ReplaceAll(u.c.Name, " ", "_"), u.Hex), Kind: kindRetreat, Side: open.by, Clause: "GD 10.5",
		Proposal: best.String(), Source: st.source(goal != hex.None)}
	for _, w := range open.ways {
		d.Options = append(d.Options, adjudicator.Option{Answer: w.String(), Means: fmt.Sprintf("%s falls back to %v by %v", u.c.Name, w[1], w[0])})
	}
	answer := r.Ask(d)[0]
	for _, w := range open.ways {
		if w.String() == answer {
			return w
		}
	}
	return best
}

// hardship is how bad a hex is to fall back to: beside enemies, in the open, crowded.
func (s *State) hardship(u *Unit, h hex.Hex) int {
	g := s.sc.Board.Grid
	i := g.Index(h)
	n, _ := s.stacked(i)
	for _, f := range g.Neighbours(h) {
		if s.enemyOn(g.Index(f), u.c.side) {
			n += 100
		}
	}
	for _, m := range s.sc.ground[i].drms {
		n -= 10 * m
	}
	return n
}
