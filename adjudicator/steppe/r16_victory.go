package steppe

import (
	"fmt"
	"slices"

	"fieldpost/adjudicator/hex"
)

// take gives a hex to a side: a unit is in it or passes.
//
// Steppe 16.0/4
//
// reading Steppe 16.0: any unit takes control, a headquarters too; it is recorded at
// once and scored at the end.
func (s *State) take(h hex.Hex, side Side) {
	i := s.ix(h)
	if s.Control[i] == side[0] {
		return
	}
	s.Control[i] = side[0]
	if s.isObjective(h) {
		k := sideIndex(other(side))
		s.Fallen[k] = append(s.Fallen[k], h)
	}
}

// controller is the side that controls a hex.
func (s *State) controller(h hex.Hex) Side {
	if s.Control[s.ix(h)] == German[0] {
		return German
	}
	return Soviet
}

// firstControl gives every hex to a side at the start.
//
// Steppe 16.0/6
//
// reading Steppe 4.2: at the start an ordinary hex belongs to the side with the nearest
// unit of the set-up, ties to the Germans; after that to the last occupant.
func (s *State) firstControl() {
	g := s.sc.land.grid
	b := make([]byte, g.Len())
	for i := range b {
		h := g.At(i)
		near := map[Side]int{German: 1 << 20, Soviet: 1 << 20}
		for u := range s.onMap() {
			near[u.c.Side] = min(near[u.c.Side], g.Distance(h, u.Hex))
		}
		b[i] = German[0]
		if near[Soviet] < near[German] {
			b[i] = Soviet[0]
		}
		if !s.sc.Board.On(h) {
			b[i] = '.'
		}
	}
	for _, o := range s.sc.Objectives {
		b[g.Index(o.Hex)] = o.First[0]
	}
	s.Control = b
}

// isObjective tells whether a hex is a Victory Point location.
func (s *State) isObjective(h hex.Hex) bool {
	return slices.ContainsFunc(s.sc.Objectives, func(o Objective) bool { return o.Hex == h })
}

// held counts the places of a side, one point each.
//
// Steppe 16.0/3
// Steppe 16.0/5
func (s *State) held(side Side) int {
	n := 0
	for _, o := range s.sc.Objectives {
		if s.controller(o.Hex) == side {
			n++
		}
	}
	return n
}

// points are the Victory Points of a side as they stand.
//
// Steppe 16.0/1
// Steppe 16.0/2
func (s *State) points(side Side) int { return s.held(side) + s.Points[sideIndex(side)] }

// score gives the enemy the points for a counter that leaves the map, by one rule for
// both sides; red is that of a red-sash unit.
//
// Steppe 16.1/4
// Steppe 16.1/5
//
// reading Steppe 16.1: points count from the start of the scenario; the red counter is worth two
// when it leaves, its white successor one more; a headquarters one each time (switch hq_vp);
// attrition, retreats and overstacking score like combat.
func (s *State) score(u *Unit, red bool) {
	s.Points[sideIndex(other(u.c.Side))] += s.value(u, red)
}

// value is the points for the counter that the unit shows.
func (s *State) value(u *Unit, red bool) int {
	switch {
	case u.c.KG: // Steppe 16.1/3
		return 0
	case u.c.Type == HQ:
		return s.sc.Switches.HQPoints
	case red: // Steppe 16.1/1
		return 2
	}
	return 1 // Steppe 16.1/2
}

// worth is the points that the next loss of a step would give the enemy.
func (s *State) worth(u *Unit) int {
	lastRed := u.red() && u.Steps == u.c.Steps()-u.c.Red+1
	if u.Steps == 1 || lastRed {
		return s.value(u, u.red())
	}
	return 0
}

// verdict is the winner and why: the side that the scenario names wins if it is far
// enough ahead, otherwise the other does.
//
// reading Steppe 17.17: its second sentence is copied from scenario 1; the Germans win
// with eight points or more, otherwise the Soviets.
func (s *State) verdict() (Side, string) {
	sc := s.sc
	mine, theirs := s.points(sc.Winner), s.points(other(sc.Winner))
	if lead := mine - theirs; lead >= sc.Margin {
		// Steppe 17.7/1
		// Steppe 17.14/1
		// Steppe 17.17/1
		enough := fmt.Sprintf("%d were wanted", sc.Margin)
		if sc.Margin < 1 {
			enough = ahead(sc.Margin) + " was enough"
		}
		return sc.Winner, fmt.Sprintf("%s victory: %d points to %d, %s where %s",
			sideTitle(sc.Winner), mine, theirs, ahead(lead), enough)
	}
	// Steppe 17.7/2
	// Steppe 17.14/2
	return other(sc.Winner), fmt.Sprintf("%s victory: the %s side has %d points to %d, %s would have won",
		sideTitle(other(sc.Winner)), sideTitle(sc.Winner), mine, theirs, ahead(sc.Margin))
}

// ahead says a lead in words.
func ahead(n int) string {
	switch {
	case n > 0:
		return fmt.Sprintf("%d ahead", n)
	case n == 0:
		return "even"
	}
	return fmt.Sprintf("%d behind", -n)
}

func sideTitle(s Side) string {
	if s == German {
		return "German"
	}
	return "Soviet"
}
