package wb95

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
)

// The kinds of awards. Points are for each hit unless the award counts once.
const (
	awardHold    = "hold"    // all of Hexes held
	awardCross   = "cross"   // for good, when a unit has stood on one of Hexes
	awardLost    = "lost"    // enemy units eliminated, of Nations if any are named
	awardEntered = "entered" // enemy Formations that have begun to enter
	awardOccupy  = "occupy"  // Hexes with a supplied unit of the side
	awardRoad    = "road"    // Hexes held to which the side's line of supply leads
	awardClosed  = "closed"  // none of Hexes held or occupied by the enemy
	awardTown    = "town"    // Places held, taken by units of Nations
	awardEast    = "east"    // columns that the easternmost supplied unit of Nations is beyond From
	awardWest    = "west"    // columns that it is short of To
)

var awardKinds = []string{awardHold, awardCross, awardLost, awardEntered, awardOccupy, awardRoad, awardClosed, awardTown, awardEast, awardWest}

// counts tells whether an objective gives the side its points.
//
// reading WB-95 4.3.2: where nations of a side count apart, the one counts that took the hex.
func (s *State) counts(o Objective, side Side) bool {
	switch {
	case !o.isFor(side), s.held(o.Hex) != side, s.holdCount(side, o.All) < len(o.All):
		return false
	}
	return len(o.Nations) == 0 || s.takenBy(o.Nations, o.Hex, side)
}

// isFor tells whether the side can get points for the objective.
func (o Objective) isFor(side Side) bool { return o.Side == "" || o.Side == side }

// nearestNation is the nation of the side's unit nearest to the hex, of two
// equally near the one that comes first by id.
func (s *State) nearestNation(h hex.Hex, side Side) string {
	best, nation := s.sc.Board.Grid.Len(), ""
	for _, u := range s.onMap(side) {
		if d := s.sc.Board.Grid.Distance(h, u.Hex); d < best {
			best, nation = d, u.c.Nation
		}
	}
	return nation
}

// awarded sums the side's awards.
func (s *scorer) awarded(side Side) int {
	n := 0
	for i := range s.sc.Awards {
		a := &s.sc.Awards[i]
		if !s.sc.pays(a, side) {
			continue
		}
		hits := s.hits(a, s.sc.camp(side))
		if a.Once {
			hits = min(hits, 1)
		}
		n += hits * a.Points * s.sc.listsWith(a, side)
	}
	return n
}

// listsWith is on how many lists of points an award of the player stands. Who commands two
// players' units has the lists of both.
//
// reading WB-95 2.1.1: the points of a player for two are both lists added up, and halved
// then: what stands on both counts twice before.
func (sc *Scenario) listsWith(a *Award, player Side) int {
	if !sc.Halved[player] || sc.before(2) {
		return 1
	}
	return max(1, len(a.Players))
}

// hits is how often the side earns the award.
func (s *scorer) hits(a *Award, side Side) int {
	enemy := s.sc.Other(side)
	some := func(h hex.Hex) bool { return s.holder(h) == enemy || s.held(h) == enemy }
	switch a.Kind {
	case awardHold:
		return once(s.holdCount(side, a.Hexes) == len(a.Hexes))
	case awardCross:
		return once(s.Opened[a.crossed()] > 0)
	case awardClosed:
		return once(!slices.ContainsFunc(a.Hexes, some))
	case awardLost:
		return s.lostUnits(a, enemy)
	case awardEntered:
		return s.enteredFormations(a, enemy)
	case awardEast:
		return s.easternmost(a) - a.From
	case awardWest:
		return a.To - s.easternmost(a)
	case awardTown:
		return s.takenTowns(a, side)
	}
	return s.heldHexes(a, side)
}

func once(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func (s *State) lostUnits(a *Award, enemy Side) (n int) {
	for i := range s.Units {
		u := &s.Units[i]
		if !u.lost() || u.c.Side != enemy {
			continue
		}
		if a.Nations == nil || slices.Contains(a.Nations, u.c.Nation) {
			n++
		}
	}
	return n
}

func (s *State) enteredFormations(a *Award, enemy Side) (n int) {
	for _, name := range a.Formations {
		n += once(s.hasEntered(name, enemy))
	}
	return n
}

// hasEntered tells whether a unit of the side's formation is on the map, or was.
func (s *State) hasEntered(formation string, side Side) bool {
	return slices.ContainsFunc(s.Units, func(u Unit) bool {
		return u.Where != Later && u.c.Side == side && u.c.partOf(formation)
	})
}

// partOf tells whether the counter is one of a formation, or of a division.
func (c *Counter) partOf(name string) bool { return c.Parent == name || c.Formation == name }

func (s *State) takenTowns(a *Award, side Side) (n int) {
	for _, name := range a.Places {
		all := s.sc.Board.Named(name).Hexes
		n += once(s.holdCount(side, all) == len(all) && s.takenBy(a.Nations, all[0], side))
	}
	return n
}

// heldHexes counts the hexes of awardOccupy and awardRoad.
func (s *scorer) heldHexes(a *Award, side Side) (n int) {
	if a.Kind == awardOccupy {
		for _, h := range a.Hexes {
			n += once(slices.ContainsFunc(s.unitsAt(h), func(u *Unit) bool { return u.c.Side == side && u.Supplied }))
		}
		return n
	}
	if s.holdCount(side, a.Hexes) == 0 {
		return 0
	}
	lines, g := s.linesOfSupply(side), s.sc.Board.Grid
	if own := lines.apart[a.Nations[0]]; own != nil {
		lines = own
	}
	for _, h := range a.Hexes {
		n += once(s.held(h) == side && lines.cost[g.Index(h)].within(s.sc.Allowance[a.Nations[0]]))
	}
	return n
}

// easternmost is the highest column with a supplied unit of the award's nations, of
// either side, kept within its columns; From when there is none.
func (s *State) easternmost(a *Award) int {
	col := a.From
	for _, side := range s.sc.Sides {
		for _, u := range s.onMap(side) {
			if u.Supplied && slices.Contains(a.Nations, u.c.Nation) {
				col = max(col, u.Hex.Col())
			}
		}
	}
	return min(col, a.To)
}

// graded is the verdict of a scenario with a victory scale.
func (s *State) graded() (winner Side, verdict string) {
	if s.sc.Scorer == "" {
		t := s.score()
		return s.gradedByLead(t[0], t[1])
	}
	n := s.points(s.sc.Scorer)
	g := s.sc.Scale[0]
	for _, next := range s.sc.Scale {
		if n >= next.From {
			g = next
		}
	}
	return g.Side, fmt.Sprintf("%s: %s of %s", g.Text, counted(n, "point"), s.sc.nameOf(s.sc.Scorer))
}

// gradedByLead finds the line of the scale that the lead of its side has reached, of
// several the one that asks for most.
func (s *State) gradedByLead(a, b tally) (winner Side, verdict string) {
	best, found := Grade{}, false
	for _, g := range s.sc.Scale {
		lead := a.Points - b.Points
		if g.Side == b.Side {
			lead = -lead
		}
		if lead < g.From {
			continue
		}
		if !found || g.From > best.From {
			best, found = g, true
		}
	}
	if !found {
		return "", fmt.Sprintf("a draw: %s to %d", counted(a.Points, "point"), b.Points)
	}
	if best.Side == b.Side {
		a, b = b, a
	}
	return a.Side, fmt.Sprintf("%s of %s: %s to %d", best.Text, s.sc.nameOf(a.Side), counted(a.Points, "point"), b.Points)
}

// condition is the condition with that key.
func (sc *Scenario) condition(key string) Condition {
	for _, c := range sc.Conditions {
		if c.Key == key {
			return c
		}
	}
	return Condition{Key: key}
}

// words says what lets the units in.
func (c Condition) words() string {
	if c.Text != "" {
		return c.Text
	}
	return "when " + c.Key + " is lost"
}

// countCrossed notes how many units of each type of the condition's formation have
// reached its hexes at a time.
//
// reading WB-95 11.1.1: a unit of 52 Army that has been over the Nysa once has crossed; units that
// came back and went over again are not counted twice.
func (s *State) countCrossed(c Condition) {
	now := map[string]int{}
	for _, h := range c.Hexes {
		for _, u := range s.unitsAt(h) {
			if u.c.Side == c.Side && strings.EqualFold(u.c.Formation, c.Formation) {
				now[c.Key+" "+string(u.c.Type)]++
			}
		}
	}
	for key, n := range now {
		if s.Opened == nil {
			s.Opened = map[string]int{}
		}
		s.Opened[key] = max(s.Opened[key], n)
	}
}

// callsUp tells whether the formation's crossing lets the unit in: more of its type
// have crossed than have come for them already. A headquarters comes with the first.
func (s *State) callsUp(c Condition, u *Unit) bool {
	if u.c.Type == HQ {
		for key := range s.Opened {
			if strings.HasPrefix(key, c.Key+" ") {
				return true
			}
		}
		return false
	}
	in := 0
	for i := range s.Units {
		v := &s.Units[i]
		if v.c.Side != u.c.Side || v.c.Type != u.c.Type || v.Where == Later {
			continue
		}
		if s.sc.arrival(v.ID).When == c.Key {
			in++
		}
	}
	return in < s.Opened[c.Key+" "+string(u.c.Type)]
}
