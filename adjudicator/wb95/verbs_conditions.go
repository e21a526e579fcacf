package wb95

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
)

// condition is what an order may depend on, after IF or UNLESS:
//
//	1 WON, 1 LOST              an attack of the sheet that comes before it
//	2306 HELD, 2306 TAKEN      a unit of ours stands there
//	2306 ENEMY, 2306 EMPTY     an enemy, nobody stands there
//	2104/2204 STANDS, BROKEN   a bridge
//
// It is looked at when the order comes up. Which hexes hold units of which side
// and which bridges stand is public (reading WB-95 16.1.1), so that an order that
// is carried out or not tells nothing that its owner may not know.
type condition struct {
	unless bool
	attack string   // the label of an attack; "" if it is about the map
	at     hex.Hex  // None if it is about a bridge
	edge   hex.Edge // the bridge
	is     string
}

// The words of conditions.
const (
	isWon    = "WON"
	isLost   = "LOST"
	isHeld   = "HELD"
	isTaken  = "TAKEN" // the same as HELD; who attacks a hex thinks of it so
	isEnemy  = "ENEMY"
	isEmpty  = "EMPTY"
	isStands = "STANDS"
	isBroken = "BROKEN"
)

var (
	conditionVerb = []string{"IF", "UNLESS"}
	attackIs      = []string{isWon, isLost}
	bridgeIs      = []string{isStands, isBroken}
	hexIs         = []string{isHeld, isTaken, isEnemy, isEmpty}
	attackLabel   = regexp.MustCompile(`^(\d{1,2}|[A-Z]):?$`)
)

const conditionForms = "A condition reads IF 1 WON or LOST with the number of an earlier attack, IF 2306 HELD, ENEMY or EMPTY, or IF 2104/2204 STANDS or BROKEN; UNLESS says the opposite."

// condition reads one condition, whose first word is IF or UNLESS.
func (s *State) condition(rest *phrase.Reader) (c condition, v *rule.Violation) {
	c.unless = rest.Next() == "UNLESS"
	switch w := rest.Peek(); {
	case w == "":
		v = &rule.Violation{Why: "the condition is missing"}
	case attackLabel.MatchString(w):
		c.attack = strings.TrimSuffix(rest.Next(), ":")
		c.is, v = phrase.OneOf(rest, attackIs...)
	case strings.Contains(w, "/"):
		if c.edge, _, v = s.hexside(rest); v != nil {
			return c, v
		}
		if !slices.ContainsFunc(s.Bridges, func(b Bridge) bool { return b.Edge == c.edge }) {
			v = &rule.Violation{Why: fmt.Sprintf("there is no bridge at %v", c.edge)}
			break
		}
		c.is, v = phrase.OneOf(rest, bridgeIs...)
	default:
		c.at, c.is, v = phrase.HexIs(s.sc.Board, rest, hexIs...)
	}
	if v != nil {
		v.Instead = conditionForms
	}
	return c, v
}

// mapCondition reads a condition that says nothing of an attack, to stand behind those
// of the order so far.
func (s *State) mapCondition(when []condition, rest *phrase.Reader) ([]condition, *rule.Violation) {
	c, v := s.condition(rest)
	if v == nil {
		v = c.onMap()
	}
	return append(when, c), v
}

// onMap refuses a condition on an attack where there is none before the order.
func (c condition) onMap() *rule.Violation {
	if c.attack == "" {
		return nil
	}
	return &rule.Violation{Why: "attacks have no say here: only orders of the ATTACK section wait for one",
		Instead: "Name the hex instead, such as IF 2306 HELD."}
}

// String says a condition in words, as it must be for the order to be carried out.
func (c condition) String() string {
	with, without := "", ""
	switch c.is {
	case isWon:
		with, without = "attack "+c.attack+" won", "attack "+c.attack+" did not win"
	case isLost:
		with, without = "attack "+c.attack+" did not win", "attack "+c.attack+" won"
	case isHeld, isTaken:
		with, without = fmt.Sprintf("we stand on %v", c.at), fmt.Sprintf("we do not stand on %v", c.at)
	case isEnemy:
		with, without = fmt.Sprintf("an enemy stands on %v", c.at), fmt.Sprintf("no enemy stands on %v", c.at)
	case isEmpty:
		with, without = fmt.Sprintf("nobody stands on %v", c.at), fmt.Sprintf("somebody stands on %v", c.at)
	case isStands:
		with, without = fmt.Sprintf("the bridge %v stands", c.edge), fmt.Sprintf("the bridge %v is broken", c.edge)
	case isBroken:
		with, without = fmt.Sprintf("the bridge %v is broken", c.edge), fmt.Sprintf("the bridge %v stands", c.edge)
	}
	if c.unless {
		return without
	}
	return with
}

// unmet is the first condition that does not hold, in words as it is; "" if all
// do. Won are the attacks so far, by their labels; nil before there are any.
func (s *State) unmet(side Side, when []condition, won map[string]bool) string {
	for _, c := range when {
		is := false
		switch c.is {
		case isWon:
			is = won[c.attack]
		case isLost:
			is = !won[c.attack]
		case isHeld, isTaken:
			is = s.holder(c.at) == side
		case isEnemy:
			is = s.holder(c.at) == s.sc.Other(side)
		case isEmpty:
			is = s.holder(c.at) == ""
		case isStands:
			is = s.bridgeStands(c.edge)
		case isBroken:
			is = !s.bridgeStands(c.edge)
		}
		if is == c.unless {
			c.unless = !c.unless
			return c.String()
		}
	}
	return ""
}

// ifs says conditions back, for the owner of the order.
func ifs(when []condition) string {
	var out []string
	for _, c := range when {
		out = append(out, c.String())
	}
	if len(out) == 0 {
		return ""
	}
	return "only if " + strings.Join(out, " and ")
}

// lasts tells whether a standing order has not run out.
func (s *State) lasts(o standingOrder) bool { return o.until == 0 || s.Turn <= o.until }

// inForce are the standing orders of a side that count at this moment.
func (b *battle) inForce(side Side) []standingOrder { return b.s.inForce(side, b.standing[side]) }

func (s *State) inForce(side Side, list []standingOrder) []standingOrder {
	if !slices.ContainsFunc(list, func(o standingOrder) bool { return len(o.when) > 0 }) {
		return list
	}
	var out []standingOrder
	for _, o := range list {
		if s.unmet(side, o.when, nil) == "" {
			out = append(out, o)
		}
	}
	return out
}
