package famous

import (
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// The set-up is part of the sheets for turn 1, or by the option set-up a turn 0 of its
// own: one side places its units, then the other one, who has seen where the first stands.

// setUpOption is the option, setUpChoose its value other than the default.
const (
	setUpOption  = "set-up"
	setUpChoose  = "choose"
	setUpPrinted = "printed"
)

// setUpPhase is turn 0, for one side: it places its units and fortifications.
//
// GD 17.0/5
func setUpPhase(r *adjudicator.Run, s *State) {
	side := s.settler()
	answer := r.Ask(adjudicator.Decision{Label: "set-up " + string(side), Kind: kindSetUp, Side: side, Clause: "GD 17.0", Turn: true})[0]
	s.setUpBy(r, &parser{s: s, side: side}, phrase.ReadAll(answer))
	s.tellSetup(r, side)
	second := s.HalfPlaced
	s.HalfPlaced, s.Placed = !second, second
}

// settler is the side that sets up now.
//
// GD 18.4/1: at Kursk the Germans
// GD 18.4/8: and the Soviets when they have
// GD 20.4/1: at Mischurin-Rog the Soviets first
// GD 21.4/1: in the valley of the Lutchessa the Germans
func (s *State) settler() Side { return s.sc.SetupOrder[b2i(s.HalfPlaced)] }

// inSetUp: there is a turn 0, and it is not over.
func (s *State) inSetUp() bool { return s.Turn == 1 && s.Phase == setUpStep && !s.Placed }

// unplaced tells whether a side is still to set up in turn 0. Its units are nowhere then:
// nobody sees them, and they see nobody.
//
// reading GD 17.0: who sets up second sees where the first stands as any side sees stacks; nobody inspects anything before their own set-up.
func (s *State) unplaced(side Side) bool {
	return s.inSetUp() && (!s.HalfPlaced || side == s.settler())
}

// reserved is the unit of the other side that begins on a hex unless its owner, who sets
// up later, says otherwise; nil for none.
//
// reading GD 17.0: who sets up first leaves the default hexes of the other side alone.
func (s *State) reserved(h hex.Hex, side Side) *Counter {
	foe := s.sc.Other(side)
	if !s.unplaced(foe) {
		return nil
	}
	for _, p := range s.sc.Setup {
		if c := s.sc.counter(p.Counter); c.Side == foe && p.Default == h {
			return c
		}
	}
	return nil
}

// setUpBy places what a side has written, and tells it what was not done.
func (s *State) setUpBy(r *adjudicator.Run, p *parser, list []phrase.Written) {
	for i, v := range p.setUp(list) {
		if v != nil {
			s.skipFor(r, p.side, list[i].Text, v)
		}
	}
}

// setUpSheet judges the sheet of turn 0: its SETUP section and standing orders.
func (c *check) setUpSheet(sheet *orders.Sheet) {
	c.filing.Answers[kindSetUp] = ""
	c.placements(sheet)
	for _, sec := range sheet.Sections {
		switch sec.Name {
		case "STANDING":
			c.section(sec)
			continue
		case "SETUP":
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
