package famous

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// score is the points of the side that scores, with what makes them.
//
// reading GD 18.3: Kalinovka and Rakowo count all or nothing: three hexes of the one, all six of
// the other.
//
// While the game goes on roads are not tested: whether they are free depends on
// what may be hidden. Points that hang on them are told as such.
func (s *State) score() (total int, notes []string) {
	over := s.Verdict != "" || s.judging
	// GD 18.3/1: eight places
	// GD 19.3/1: downtown hexes
	// GD 20.3/1: a village and its bridge
	// GD 21.3/1: five hills
	for _, o := range s.sc.Objectives {
		who := s.sc.Scorer
		if o.Enemy {
			who = s.sc.Other(who) // GD 20.3/3: city hexes that the enemy took
		}
		n := 0
		for _, h := range o.Hexes {
			n += b2i(s.lastOn(h) == who)
		}
		points := 0
		switch {
		case o.Each:
			points = n * o.Points
		case n >= o.Count:
			points = o.Points
		}
		if points != 0 {
			total += points
			notes = append(notes, fmt.Sprintf("%s %+d", o.Name, points))
		}
	}
	for _, e := range s.sc.Exits {
		n := s.exits(e, over)
		switch {
		case n == 0:
		case over:
			total += n * e.Points
			notes = append(notes, fmt.Sprintf("led off the map %+d", n*e.Points))
		default:
			notes = append(notes, fmt.Sprintf("%d units off the map, points if a road is free at the end", n))
		}
	}
	for _, b := range s.sc.Beside {
		if !over {
			break
		}
		if n := s.beside(b); n > 0 {
			total += n * b.Points
			notes = append(notes, fmt.Sprintf("enemies beside entry hexes %+d", n*b.Points))
		}
	}
	return total, notes
}

// exits counts the units that were led off the map and whose roads are free now.
//
// GD 18.3/3: a road must be free
// GD 19.3/2: as here
// GD 20.3/2: and there
// reading GD 18.3: whether the road is free is tested at the end, for all that have left by an
// entry hex together.
func (s *State) exits(e RoadPoints, roads bool) (n int) {
	for _, z := range e.Zones {
		for u := range s.army(e.Side) {
			if !u.leftBy(z) {
				continue
			}
			if !roads || s.freeRoad(e.Side, s.exitHexes(u), e.RoadsTo) {
				n++
			}
		}
	}
	return n
}

// exitHexes are those to one of which the road of a unit that has left must lead: the one
// that it left from, or where that was not noted those of its entry.
//
// GD 20.3/7
func (s *State) exitHexes(u *Unit) []hex.Hex {
	if u.LeftFrom != hex.None {
		return []hex.Hex{u.LeftFrom}
	}
	return s.sc.Board.Zone(u.Left).Hexes
}

// leftBy: the unit was led off the map by an entry hex, and counts. Those of
// reconnaissance battalions do not.
//
// GD 18.3/2
func (u *Unit) leftBy(zone string) bool {
	return u.c.Battalion != "Rcn" && strings.EqualFold(u.Left, zone)
}

// beside counts combat units beside entry hexes with a free road home.
//
// GD 19.3/3
// reading GD 19.3: the road must be free of Soviet zones and fire; the book says German, which
// would close it to those whose road it is.
// reading GD 19.3: only combat units beside an entry hex take a point: a headquarters has no zone that
// would close it.
func (s *State) beside(b RoadPoints) (n int) {
	var hexes []hex.Hex
	for _, z := range b.Zones {
		hexes = append(hexes, s.sc.Board.Zone(z).Hexes...)
	}
	for u := range s.onMap(b.Side) {
		near := slices.ContainsFunc(hexes, func(h hex.Hex) bool { return s.sc.Board.Grid.Adjacent(h, u.Hex) })
		if u.c.HQ || !near {
			continue
		}
		if s.freeRoad(b.Side, []hex.Hex{u.Hex}, b.RoadsTo) {
			n++
		}
	}
	return n
}

// freeRoad tells whether roads join any of the hexes with one of the entries, not
// through enemies, their zones or the range of their direct fire.
func (s *State) freeRoad(side Side, from []hex.Hex, zones []string) bool {
	n := int8(s.sc.number(side))
	g := s.sc.Board.Grid
	goal := map[int]bool{}
	for _, z := range zones {
		for _, h := range s.sc.Board.Zone(z).Hexes {
			goal[g.Index(h)] = true
		}
	}
	var queue []int
	seen := map[int]bool{}
	for _, h := range from {
		if i := g.Index(h); s.safeRoad(i, n) {
			queue, seen[i] = append(queue, i), true
		}
	}
	for k := 0; k < len(queue); k++ {
		if goal[queue[k]] {
			return true
		}
		for d := hex.N; d <= hex.NW; d++ {
			to := s.roadTo(queue[k], d)
			if to >= 0 && !seen[to] && s.safeRoad(to, n) {
				seen[to] = true
				queue = append(queue, to)
			}
		}
	}
	return false
}

// roadTo is the hex to which a road leads in a direction, -1 for none.
func (s *State) roadTo(i int, d hex.Dir) int {
	if _, road := s.step(gait{class: Wheeled, side: nobody}, i, d); road {
		return s.sc.edges[i*6+int(d)].to
	}
	return -1
}

// safeRoad: neither an enemy is on the hex, nor an enemy zone of control or direct fire.
func (s *State) safeRoad(i int, side int8) bool {
	switch {
	case s.enemyOn(i, side), s.threatened(i, side):
		return false
	}
	// GD 18.3/6
	// GD 19.3/6
	// GD 20.3/6
	return !s.inFire(i, side)
}

// inFire: within the range of an enemy direct fire unit, whatever its sight and the
// weather are.
func (s *State) inFire(i int, side int8) bool {
	for u := range s.onMap(s.sc.Sides[1-side]) {
		if u.c.Direct > 0 && !u.rides() && s.inFireRange(u, i) {
			return true
		}
	}
	return false
}

// judge ends the game.
func (s *State) judge(r *adjudicator.Run) {
	s.judging = true
	points, notes := s.score()
	winner := s.sc.Other(s.sc.Scorer)
	// The scenario says from how many points on the scorer wins, and whether fewer may be
	// a draw:
	//
	// GD 18.3/4: nine win
	// GD 18.3/5: there is no draw
	// GD 19.3/4: four win
	// GD 19.3/5: there is no draw
	// GD 20.3/4: six win
	// GD 20.3/5: five are a draw
	// GD 21.3/2: five win
	// GD 21.3/3: there is no draw
	for _, g := range s.sc.Grades {
		if points >= g.Points {
			winner = g.Winner
			break
		}
	}
	what := "a draw"
	for i, side := range s.sc.Sides {
		if side == winner {
			what = "the " + s.sc.Names[i] + " win"
		}
	}
	s.Winner = winner
	s.Verdict = fmt.Sprintf("%s with %d points of the %s", what, points, s.sc.Scorer)
	r.Tell(view.Event{Kind: "verdict", Clause: "GD 17.0", Facts: view.Pairs{"verdict", s.Verdict, "winner", string(winner), "points", strings.Join(notes, ", ")}})
}
