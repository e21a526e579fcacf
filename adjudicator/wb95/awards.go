package wb95

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
)

// The kinds of awards. Points are for each hit unless the award counts once.
const (
	awardLost   = "lost"   // enemy units of Nations that are eliminated
	awardOccupy = "occupy" // Hexes with a supplied unit of the side
	awardRoad   = "road"   // Hexes held to which the side's line of supply leads
	awardKeep   = "keep"   // all of Hexes held
	awardClosed = "closed" // none of Hexes held or occupied by the enemy
	awardTown   = "town"   // Places held, the nearest unit of the side of Nations
	awardEast   = "east"   // columns that the easternmost supplied unit of Nations is beyond From
	awardWest   = "west"   // columns that it is short of To
)

var awardKinds = []string{awardLost, awardOccupy, awardRoad, awardKeep, awardClosed, awardTown, awardEast, awardWest}

// counts tells whether an objective gives the side its points.
//
// reading WB-95 4.3.2: of a side with several nations the nearest unit tells which of them has taken a hex.
func (s *State) counts(o Objective, side Side) bool {
	if o.Side != "" && o.Side != side || s.held(o.Hex) != side {
		return false
	}
	if s.holdCount(side, o.All) < len(o.All) {
		return false
	}
	return len(o.Nations) == 0 || slices.Contains(o.Nations, s.nearestNation(o.Hex, side))
}

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
func (s *State) awarded(side Side) int {
	n := 0
	for i := range s.sc.Awards {
		a := &s.sc.Awards[i]
		if a.Side != side {
			continue
		}
		hits := s.hits(a)
		if a.Once {
			hits = min(hits, 1)
		}
		n += hits * a.Points
	}
	return n
}

// hits is how often the award is earned.
func (s *State) hits(a *Award) int {
	enemy, n := s.sc.Other(a.Side), 0
	switch a.Kind {
	case awardLost:
		for i := range s.Units {
			if u := &s.Units[i]; u.Where == Gone && u.c.Side == enemy && slices.Contains(a.Nations, u.c.Nation) {
				n++
			}
		}
	case awardOccupy:
		for _, h := range a.Hexes {
			if slices.ContainsFunc(s.at[h], func(u *Unit) bool { return u.c.Side == a.Side && u.Supplied }) {
				n++
			}
		}
	case awardRoad:
		lines, g := s.linesOfSupply(a.Side), s.sc.Board.Grid
		for _, h := range a.Hexes {
			if c := lines.cost[g.Index(h)]; s.held(h) == a.Side && c != Closed && c <= s.sc.Allowance[a.Nations[0]] {
				n++
			}
		}
	case awardKeep:
		if s.holdCount(a.Side, a.Hexes) == len(a.Hexes) {
			n = 1
		}
	case awardClosed:
		if !slices.ContainsFunc(a.Hexes, func(h hex.Hex) bool { return s.holder(h) == enemy || s.held(h) == enemy }) {
			n = 1
		}
	case awardTown:
		for _, name := range a.Places {
			all := s.sc.Board.Named(name).Hexes
			if s.holdCount(a.Side, all) == len(all) && slices.Contains(a.Nations, s.nearestNation(all[0], a.Side)) {
				n++
			}
		}
	case awardEast:
		n = s.easternmost(a) - a.From
	case awardWest:
		n = a.To - s.easternmost(a)
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

// grade finds the level of victory that the points amount to: of those reached the
// one with the greatest lead.
func (s *State) grade(a, b tally) (winner Side, verdict string) {
	best, found := Level{}, false
	for _, l := range s.sc.Levels {
		lead := a.Points - b.Points
		if l.Side == b.Side {
			lead = -lead
		}
		if lead >= l.Lead && (!found || l.Lead > best.Lead) {
			best, found = l, true
		}
	}
	if !found {
		return "", fmt.Sprintf("a draw: %s to %d", counted(a.Points, "point"), b.Points)
	}
	if best.Side == b.Side {
		a, b = b, a
	}
	return a.Side, fmt.Sprintf("%s of %s: %s to %d", best.Title, s.sc.nameOf(a.Side), counted(a.Points, "point"), b.Points)
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
// reading WB-95 11.1.1: what has been over once has crossed; units that came back
// and went over again are not counted twice.
func (s *State) countCrossed(c Condition) {
	now := map[string]int{}
	for _, h := range c.Hexes {
		for _, u := range s.at[h] {
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
		if v.c.Side == u.c.Side && v.c.Type == u.c.Type && v.Where != Later && s.sc.arrival(v.ID).When == c.Key {
			in++
		}
	}
	return in < s.Opened[c.Key+" "+string(u.c.Type)]
}
