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
// GD 18.3/1
// GD 19.3/1
// GD 20.3/1
// GD 20.3/3
// GD 21.3/1
// reading GD 18.3: Kalinovka and Rakowo count all or nothing.
//
// While the game goes on roads are not tested: whether they are free depends on
// what may be hidden. Points that hang on them are told as such.
func (s *State) score() (total int, notes []string) {
	over := s.Verdict != "" || s.judging
	for _, o := range s.sc.Objectives {
		who := s.sc.Scorer
		if o.Enemy {
			who = s.sc.Other(who)
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
		if n := s.exits(e, over); n > 0 && !over {
			notes = append(notes, fmt.Sprintf("%d units off the map, points if a road is free at the end", n))
		} else if n > 0 {
			total += n * e.Points
			notes = append(notes, fmt.Sprintf("led off the map %+d", n*e.Points))
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
// Units of reconnaissance battalions do not count.
//
// GD 18.3/2
// GD 18.3/3
// GD 19.3/2
// GD 20.3/2
// reading GD 18.3: tested at the end, for all that have left by an entry hex together.
func (s *State) exits(e RoadPoints, roads bool) (n int) {
	for _, z := range e.Zones {
		count := 0
		for i := range s.Units {
			u := &s.Units[i]
			if u.Where == Exited && u.c.Side == e.Side && u.c.Battalion != "Rcn" && strings.EqualFold(u.Left, z) {
				count++
			}
		}
		if count > 0 && (!roads || s.freeRoad(e.Side, s.sc.Board.Zone(z).Hexes, e.RoadsTo)) {
			n += count
		}
	}
	return n
}

// beside counts combat units beside or on entry hexes with a free road home.
//
// GD 19.3/3
// reading GD 19.3: the road must be free of the enemy's zones and fire, not of its own side's.
func (s *State) beside(b RoadPoints) (n int) {
	var hexes []hex.Hex
	for _, z := range b.Zones {
		hexes = append(hexes, s.sc.Board.Zone(z).Hexes...)
	}
	for i := range s.Units {
		u := &s.Units[i]
		if u.Where != OnMap || u.c.Side != b.Side || u.c.HQ {
			continue
		}
		if slices.ContainsFunc(hexes, func(h hex.Hex) bool { return s.sc.Board.Grid.Adjacent(h, u.Hex) }) && s.freeRoad(b.Side, []hex.Hex{u.Hex}, b.RoadsTo) {
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
	free := func(i int) bool {
		return s.holds(i) != int(1-n) && !s.threatened(i, n) && !s.inFire(i, n)
	}
	var queue []int
	seen := map[int]bool{}
	for _, h := range from {
		if i := g.Index(h); free(i) {
			queue, seen[i] = append(queue, i), true
		}
	}
	for k := 0; k < len(queue); k++ {
		if goal[queue[k]] {
			return true
		}
		for d := hex.N; d <= hex.NW; d++ {
			e := &s.sc.edges[queue[k]*6+int(d)]
			if e.to < 0 || seen[e.to] || e.road == nil || !free(e.to) {
				continue
			}
			if _, road := s.step(Wheeled, -1, queue[k], d, false, false); road {
				seen[e.to] = true
				queue = append(queue, e.to)
			}
		}
	}
	return false
}

// inFire: within the range, and the sight, of an enemy direct fire unit; whatever
// the weather is.
func (s *State) inFire(i int, side int8) bool {
	for k := range s.Units {
		u := &s.Units[k]
		if u.c.Direct > 0 && u.c.side != side && u.Where == OnMap && u.Aboard == "" &&
			s.sc.Board.Grid.Distance(u.Hex, s.sc.Board.Grid.At(i)) <= u.c.Direct && s.sc.sees(u.idx, i) {
			return true
		}
	}
	return false
}

// judge ends the game.
//
// GD 18.3/4
// GD 18.3/5
// GD 19.3/4
// GD 19.3/5
// GD 20.3/4
// GD 20.3/5
// GD 21.3/2
// GD 21.3/3
func (s *State) judge(r *adjudicator.Run) {
	s.judging = true
	points, notes := s.score()
	winner := s.sc.Other(s.sc.Scorer)
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
	r.Tell(view.Event{Kind: "verdict", Clause: "GD 17.0", Facts: map[string]string{"verdict": s.Verdict, "winner": string(winner), "points": strings.Join(notes, ", ")}})
}
