package wb95

import (
	"fmt"
	"slices"
	"strconv"
)

// points is the side's victory points at this moment: the objectives it controls
// and its awards.
func (s *State) points(side Side) int {
	if s.sc.Scorer != "" && side != s.sc.Scorer {
		return 0
	}
	n := s.awarded(side)
	for _, o := range s.sc.Objectives {
		if s.counts(o, side) {
			n += o.Points
		}
	}
	if s.sc.Halved[side] {
		n /= 2
	}
	return n
}

// tally is a side's points.
type tally struct {
	Side   Side
	Points int
}

// score lists the points of the players, the one with the initiative first.
func (s *State) score() []tally {
	var out []tally
	for _, side := range s.sc.players() {
		out = append(out, tally{side, s.points(side)})
	}
	return out
}

// checkVictory tells whether the game is decided, who has won and how. A draw is
// a verdict without a winner.
//
// reading WB-95 4.3.2: what is to be captured or held is controlled in the sense of
// chapter 4; "at any moment" is after every Combat Phase and every Supply Phase.
func (s *State) checkVictory(endOfTurn, endOfGame bool) (winner Side, verdict string) {
	for _, c := range s.sc.Strategic {
		now := endOfGame && c.When != "enemy supply"
		switch c.When {
		case "turn":
			now = now || endOfTurn
		case "moment":
			now = now || s.contested()
		case "enemy supply":
			now = s.Phase%halfTurn == 0 && s.mover() != c.Side
		}
		if now && s.meets(c) {
			return c.Side, fmt.Sprintf("strategic victory of %s: %s", s.sc.nameOf(c.Side), c.Text)
		}
	}
	if !endOfGame {
		return "", ""
	}
	if len(s.sc.Scale) > 0 {
		return s.graded()
	}
	t := s.score()
	slices.SortStableFunc(t, func(a, b tally) int { return b.Points - a.Points })
	if t[0].Points == t[1].Points {
		return "", fmt.Sprintf("a draw: %s each", counted(t[0].Points, "point"))
	}
	others := strconv.Itoa(t[1].Points)
	if len(t) > 2 {
		others += " and " + strconv.Itoa(t[2].Points)
	}
	return t[0].Side, fmt.Sprintf("tactical victory of %s: %s to %s", s.sc.nameOf(t[0].Side), counted(t[0].Points, "point"), others)
}

// contested tells whether the phase that ends is one in which hexes are won or
// lost: a Combat Phase or a Supply Phase.
func (s *State) contested() bool {
	k := (s.Phase - 1) % halfTurn
	return k == 3 || k == 5
}

// meets tells whether a strategic condition holds.
func (s *State) meets(c Strategic) bool {
	switch c.Kind {
	case "hold":
		return s.holdCount(c.Side, c.Hexes) >= c.Count
	case "exit":
		return s.ledOff(&c) >= c.Count
	case "clear":
		for _, h := range c.Hexes {
			for _, u := range s.unitsAt(h) {
				if u.c.Side != c.Side && u.Supplied {
					return false
				}
			}
		}
		return true
	}
	return false
}

// counted is a count with its noun.
func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
