package wb95

import (
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
)

// Where allies are no friends (notes.apart), points go to the group that took a place.

// noTaker stands for a hex that no group has taken.
const noTaker = '.'

// noteTakers writes down which group of a side's units holds each hex that the side
// controls: who stands on it; of a hex just won (gained) whose zone won it.
//
// WB-95 4.3.2
// reading WB-95 4.3.2: a hex won by zones of both groups is the first one's, who moves
// first; who leaves keeps it for their group until others enter it.
func (s *State) noteTakers(side Side, gained map[hex.Hex]Side) {
	if s.sc.Notes.Apart == nil {
		return
	}
	g := &s.sc.Board.Grid
	if s.Takers == "" {
		s.Takers = strings.Repeat(string(noTaker), g.Len())
	}
	by := func(group int) *zones {
		return s.zonesIf(side, func(u *Unit) bool { return u.regular() && u.Supplied && s.sc.group(u.c) == group && s.wins(u) })
	}
	first, second := by(firstGroup), by(secondGroup)
	note := []byte(s.Takers)
	for i := range note {
		h := g.At(i)
		if s.controller(h) != side {
			continue
		}
		if group := s.groupAt(h); group != noGroup {
			note[i] = takerMark(group)
			continue
		}
		if _, won := gained[h]; !won {
			continue
		}
		switch {
		case first.on[i]:
			note[i] = takerMark(firstGroup)
		case second.on[i]:
			note[i] = takerMark(secondGroup)
		default:
			note[i] = noTaker
		}
	}
	s.Takers = string(note)
}

// wins tells whether it is the unit's own Supply Phase. Games begun under versions 1 to 3 of
// the rules let zones of the other player's group win what is gained in it.
//
// WB-95 4.3.3
func (s *State) wins(u *Unit) bool { return s.sc.before(4) || s.onMove(u) }

// groupAt is the group of who stands on the hex.
func (s *State) groupAt(h hex.Hex) int {
	us := s.unitsAt(h)
	if len(us) == 0 {
		return noGroup
	}
	return s.sc.group(us[0].c)
}

func takerMark(group int) byte { return byte('0' + group) }

// firstTakers gives the hexes of a side with two groups to the one whose unit is nearest.
//
// reading WB-95 4.3.1: as the front line runs by the nearest unit, so do allies part what they hold.
func (s *State) firstTakers() {
	if s.sc.Notes.Apart == nil {
		return
	}
	g, note := &s.sc.Board.Grid, []byte(strings.Repeat(string(noTaker), s.sc.Board.Grid.Len()))
	for i := range note {
		h, best := g.At(i), g.Len()
		owner := s.controller(h)
		for j := range s.Units {
			u := &s.Units[j]
			if u.Where != OnMap || u.c.Side != owner {
				continue
			}
			d := g.Distance(h, u.Hex)
			if d >= best {
				continue
			}
			if group := s.sc.group(u.c); group != noGroup {
				best, note[i] = d, takerMark(group)
			}
		}
	}
	s.Takers = string(note)
}

// takenBy tells whether units of the nations hold a hex for their side: by what was
// noted when it was taken, else by the nearest unit.
//
// WB-95 4.3.2
func (s *State) takenBy(nations []string, h hex.Hex, side Side) bool {
	if i := s.sc.Board.Grid.Index(h); i < len(s.Takers) && s.Takers[i] != noTaker {
		return s.sc.inGroup(int(s.Takers[i]-'0'), nations)
	}
	return slices.Contains(nations, s.nearestNation(h, side))
}

// inGroup tells whether any of the nations belongs to a group.
func (sc *Scenario) inGroup(group int, nations []string) bool {
	apart := sc.Notes.Apart
	of := [...][]string{firstGroup: apart.First, secondGroup: apart.Second}[group]
	return slices.ContainsFunc(nations, func(n string) bool { return slices.Contains(of, n) })
}
