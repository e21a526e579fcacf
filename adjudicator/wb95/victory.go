package wb95

import (
	"fmt"
	"slices"
	"strconv"

	"fieldpost/adjudicator/hex"
)

// The kinds of strategic victories.
const (
	winHold  = "hold"  // Count or more of Hexes controlled
	winClear = "clear" // no supplied enemy unit in Hexes
	winExit  = "exit"  // Count steps led off the map through a zone
)

// When a strategic victory is looked for.
const (
	whenMoment      = "moment" // after each Combat and Supply Phase
	whenTurn        = "turn"
	whenEnd         = "end"          // of the game
	whenEnemySupply = "enemy supply" // at the end of the enemy's Supply Phase
)

// points is the side's victory points at this moment: the objectives it controls
// and its awards.
func (s *State) points(side Side) int { return s.scorer().points(side) }

// scorer adds up the points of a position on which nobody moves meanwhile: it searches the lines of a side once.
type scorer struct {
	*State
	lines map[Side]*supplied
}

func (s *State) scorer() *scorer { return &scorer{s, map[Side]*supplied{}} }

// linesOfSupply are the lines of a side.
func (s *scorer) linesOfSupply(side Side) *supplied {
	if s.lines[side] == nil {
		s.lines[side] = s.State.linesOfSupply(side)
	}
	return s.lines[side]
}

func (s *scorer) points(side Side) int {
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
func (s *State) score() []tally { return s.scorer().score() }

func (s *scorer) score() []tally {
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
		now := false
		switch c.When {
		case whenMoment:
			now = s.hexesChange()
		case whenTurn:
			now = endOfTurn
		case whenEnd:
			now = endOfGame
		case whenEnemySupply:
			now = stageOf(s.Phase) == stageSupply && s.mover() != c.Side
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

// hexesChange tells whether the phase that ends is one in which hexes are won or
// lost: a Combat Phase or a Supply Phase.
func (s *State) hexesChange() bool {
	switch stageOf(s.Phase) {
	case stageAttack, stageSupply:
		return true
	}
	return false
}

// meets tells whether a strategic condition holds.
func (s *State) meets(c Strategic) bool {
	switch c.Kind {
	case winHold:
		return s.holdCount(c.Side, c.Hexes) >= c.Count
	case winExit:
		return s.ledOff(&c) >= c.Count
	case winClear:
		enemy := func(u *Unit) bool { return u.c.Side != c.Side && u.Supplied }
		return !slices.ContainsFunc(c.Hexes, func(h hex.Hex) bool { return slices.ContainsFunc(s.unitsAt(h), enemy) })
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
