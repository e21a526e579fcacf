package wb95

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
)

// airVerb lists the verbs of the AIR section.
var airVerb = []string{airSupport, airStrike, airDefend, airBridge, airDisrupt, airCrossing, airSupply}

// parseMission reads a line of an AIR section: a verb, a hex (of a bridge its
// hexside) and strength points.
//
//	SUPPORT 2306 3
//	BRIDGE 2104/2204 4
//	SUPPORT 1505 WITH air 1, air 3    where the scenario has air counters
//
// The turn is that of the Air Phase in which it is to fly.
func (s *State) parseMission(side Side, w phrase.Written, turn int) (Mission, *rule.Violation) {
	m := Mission{Side: side}
	if w.Fault != nil {
		return m, w.Fault
	}
	rest := phrase.New(w.Flat())
	if m.Kind = rest.Next(); !slices.Contains(airVerb, m.Kind) {
		return m, &rule.Violation{Clause: "WB-95 8.2.1", Why: fmt.Sprintf("%q is not an air mission", m.Kind), Instead: "Expected " + strings.Join(airVerb, ", ") + "."}
	}
	var v *rule.Violation
	if m.Kind == airBridge {
		m.Edge, m.Hex, v = s.hexside(&rest)
	} else {
		m.Hex, v = s.place(&rest)
	}
	if v != nil {
		return m, rest.Blame(v)
	}
	if s.sc.airCounters(side) != nil && rest.Skip("WITH") {
		var named []string
		for _, counter := range phrase.Parts(rest.Words) {
			named = append(named, phrase.Join(counter))
		}
		return m, s.crew(&m, named, turn)
	}
	var ok bool
	if m.SP, ok = numberIn(rest.Next(), 1, 999); !ok {
		return m, &rule.Violation{Clause: "WB-95 8.1.1", Why: "the mission does not say with how many strength points", Instead: fmt.Sprintf("Write %s %v and a number.", m.Kind, m.Hex)}
	}
	if rest.Skip("SP"); !rest.End() {
		return m, &rule.Violation{Why: fmt.Sprintf("%q is not understood here", rest.Peek()), Instead: "A line holds one mission."}
	}
	return m, s.crew(&m, nil, turn)
}

// hexside reads 2104/2204; h is the hex that is written first.
func (s *State) hexside(rest *phrase.Reader) (e hex.Edge, h hex.Hex, v *rule.Violation) {
	if e, h, v = phrase.Hexside(s.sc.Board, rest); v != nil {
		v.Clause, v.Instead = "WB-95 14.1.1", cmp.Or(v.Instead, "A bridge is named by the two hexes it joins, such as 2104/2204.")
	}
	return e, h, v
}
