package famous

import (
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// The set-up is part of the sheets for turn 1, or by the option set-up a turn 0 of its
// own: both sides place their units in secret before anybody plots.

// setUpOption is the option, setUpChoose its value other than the default.
const (
	setUpOption  = "set-up"
	setUpChoose  = "choose"
	setUpPrinted = "printed"
)

// setUpPhase is turn 0: both sides place their units and fortifications, at once.
//
// deviation GD 17.0: at the table one side sets up after the other and sees where it stands.
func setUpPhase(r *adjudicator.Run, s *State) {
	var ask []adjudicator.Decision
	for _, side := range s.sc.SetupOrder {
		ask = append(ask, adjudicator.Decision{Label: "set-up " + string(side), Kind: kindSetUp, Side: side, Clause: "GD 17.0", Turn: true})
	}
	for i, answer := range r.Ask(ask...) {
		p := &parser{s: s, side: s.sc.SetupOrder[i]}
		for _, o := range phrase.ReadAll(answer) {
			if v := p.turnOrder(&supplyOrders{}, o); v != nil {
				s.skipFor(r, p.side, o.Text, v)
			}
		}
	}
	for _, side := range s.sc.SetupOrder {
		s.tellSetup(r, side)
	}
	s.Placed, s.Contacts = true, nil
}

// setUpSheet judges the sheet of turn 0: its SETUP section and standing orders.
func (c *check) setUpSheet(sheet *orders.Sheet) {
	c.filing.Answers[kindSetUp] = ""
	for _, sec := range sheet.Sections {
		switch sec.Name {
		case "SETUP", "STANDING":
			c.section(sec)
			continue
		}
		early := &rule.Violation{Clause: "GD 17.0", Why: "the game is set up first", Instead: "Write placements under SETUP, and keep this for turn 1."}
		c.line(adjudicator.Line{Pos: sec.Pos, Text: strings.TrimSpace(phrase.Opening(sec).Text), Refused: early})
		for _, o := range phrase.AllOnSheet(sec.Orders) {
			c.refuse(o, early)
		}
	}
}

// placing is the kind of decision that a placement answers.
func (s *State) placing() string {
	if s.Phase == setUpStep {
		return kindSetUp
	}
	return kindTurn
}

// area says where a unit may be placed, for its owner in the set-up.
func (s *State) area(id string) string {
	if s.Phase != setUpStep {
		return ""
	}
	k := slices.IndexFunc(s.sc.Setup, func(p Placement) bool { return p.Counter == id })
	if k < 0 {
		return ""
	}
	return "begins " + s.sc.Setup[k].Area
}
