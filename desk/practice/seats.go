package practice

import (
	"fmt"
	"maps"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/staff"
)

// seat is what a side has handed in.
type seat struct {
	Turn   int    `json:"turn"`   // of the newest sheet; 0 before the first, unless Filed
	Filed  bool   `json:"filed"`  // there is one
	Serial int    `json:"serial"` // its number
	Phase  string `json:"phase"`  // that waited when it came
	Mode   string `json:"mode,omitempty"`
	// Answers are the orders of the turn, Standing the newest answer of any sheet by its name,
	// Replies those to questions, by their labels.
	Answers  map[string]string `json:"answers,omitempty"`
	Standing map[string]string `json:"standing,omitempty"`
	Replies  map[string]string `json:"replies,omitempty"`
	// Stood is where the units stood in the turn of the newest sheet, in games of officers who
	// look ahead.
	Stood staff.Stood `json:"stood,omitempty"`
	// Plan names the plan of that sheet, where an officer who looks ahead wrote it.
	Plan string `json:"plan,omitempty"`
}

// file takes in a sheet that was judged. One that comes while its turn is played leaves what it
// says nothing to as it was.
func (s *seat) file(sheet *orders.Sheet, f *adjudicator.Filing, at adjudicator.Phase, may []string) error {
	if mode := sheet.Header("MODE"); mode != "" {
		if _, bad := adjudicator.ParseMode(mode, may); bad != nil {
			return fmt.Errorf("%s. %s", bad.Why, bad.Instead)
		}
		s.Mode = mode
	}
	s.Replies = map[string]string{}
	for _, o := range sheet.Orders(orders.AnswerSection) {
		if label, answer, ok := strings.Cut(o.String(), ":"); ok {
			s.Replies[strings.ToUpper(strings.TrimSpace(label))] = strings.TrimSpace(answer)
		}
	}
	s.Serial++
	if s.Standing == nil {
		s.Standing = map[string]string{}
	}
	maps.Copy(s.Standing, f.Answers)
	inItsTurn := s.Filed && s.Turn == at.Turn
	if !inItsTurn {
		s.Answers = map[string]string{}
	}
	maps.Copy(s.Answers, f.Answers)
	s.Turn, s.Filed, s.Phase = at.Turn, true, at.Label
	return nil
}

// table answers for all sides in a phase: for the person by what they filed, for the others by
// what their staff officers write when they are asked.
type table struct {
	game *Game
	at   adjudicator.Phase
	err  error
}

// Answer implements adjudicator.Answerer.
func (t *table) Answer(d adjudicator.Decision) (answer, source string, known bool) {
	s := t.game.Seats[d.Side]
	switch {
	case d.Filed:
		if answer, known = s.Standing[d.Answers()]; known {
			return answer, fmt.Sprintf("sheet %d of turn %d", s.Serial, s.Turn), true
		}
		return d.Proposal, "none filed", true
	case d.Turn && !t.has(d.Side):
		return "", "", false
	case d.Turn:
		return s.Answers[d.Answers()], fmt.Sprintf("sheet %d", s.Serial), true
	case t.asks(d):
		return t.reply(d, s)
	case t.asksStaff(d):
		return t.replyOfStaff(d, s)
	}
	return adjudicator.Standing{}.Answer(d)
}

// asksStaff tells whether a staff officer writes the orders of the chit that was drawn.
func (t *table) asksStaff(d adjudicator.Decision) bool {
	if d.Side == t.game.Side || d.Kind != adjudicator.KindActivation {
		return false
	}
	return t.err == nil && t.game.holder(d.Side).Replies()
}

// replyOfStaff is what a staff officer has their side do with a chit, on the map as it is when it
// is drawn; what they filed if they have nothing else to say.
func (t *table) replyOfStaff(d adjudicator.Decision, s *seat) (answer, source string, known bool) {
	text, err := t.game.staffReply(d)
	if err != nil {
		t.err = err
		return "", "", false
	}
	if text == "" {
		return d.Proposal, fmt.Sprintf("sheet %d", s.Serial), true
	}
	return text, "the staff's answer", true
}

// staffReply is the staff's orders for a chit, "" for what was filed.
func (g *Game) staffReply(d adjudicator.Decision) (string, error) {
	v, err := g.rules.View(g.Position, d.Side)
	if err != nil {
		return "", err
	}
	v.Game = ID
	v.Asked = []view.Question{{Label: d.Label, Kind: d.Kind, Clause: d.Clause, Proposal: d.Proposal, Source: d.Source}}
	text, err := g.holder(d.Side).Sheet(v, g.Seats[d.Side].Serial+1)
	if err != nil {
		return "", err
	}
	sheet, faults := orders.Parse(orders.Canonical(text), g.system.Vocabulary())
	if len(faults) > 0 {
		return "", fmt.Errorf("what the staff officer of %s answers: %w", d.Side, faults[0])
	}
	return g.rules.Check(v, sheet).Answers[d.Answers()], nil
}

// has tells whether a side has orders for the turn. A staff officer who is asked writes them.
func (t *table) has(side adjudicator.Side) bool {
	s := t.game.Seats[side]
	if s.Filed && s.Turn == t.at.Turn {
		return true
	}
	if side == t.game.Side || t.err != nil {
		return false
	}
	t.err = t.game.staffed(side, t.at)
	return t.err == nil
}

// staffed has a staff officer write the orders of a side, and takes them in.
func (g *Game) staffed(side adjudicator.Side, at adjudicator.Phase) error {
	v, err := g.rules.View(g.Position, side)
	if err != nil {
		return err
	}
	v.Game = ID
	th, err := g.holder(side).Think(v, g.Seats[side].Serial+1)
	if err != nil {
		return err
	}
	sheet, faults := orders.Parse(orders.Canonical(th.Sheet), g.system.Vocabulary())
	if len(faults) > 0 {
		return fmt.Errorf("the sheet of the staff officer of %s: %w", side, faults[0])
	}
	if err := g.Seats[side].file(sheet, g.rules.Check(v, sheet), at, nil); err != nil {
		return err
	}
	g.remember(side, v)
	g.Seats[side].Plan = th.Plan.Name
	return nil
}

// officer is whoever writes sheets of a side for the staff.
func (g *Game) officer(of adjudicator.Side) staff.Officer {
	return staff.Officer{Game: g.rules, Strength: g.Strength, Units: g.Units, Stood: g.Seats[of].Stood, Plan: g.Seats[of].Plan}
}

// holder is the staff officer who plays a side.
func (g *Game) holder(of adjudicator.Side) staff.Officer {
	o := g.officer(of)
	o.Holds = true
	return o
}

// remember keeps where the units of a side stood when its sheet for a turn came.
func (g *Game) remember(side adjudicator.Side, v *view.View) {
	if g.Strength != "" && g.Strength != staff.Cadet {
		g.Seats[side].Stood = staff.StoodOn(v)
	}
}

// asks tells whether the person wants to answer a reaction.
func (t *table) asks(d adjudicator.Decision) bool {
	if d.Side != t.game.Side {
		return false
	}
	mode, bad := adjudicator.ParseMode(t.game.Seats[d.Side].Mode, adjudicator.AsksOf(t.game.system))
	return bad == nil && mode.Asks(d)
}

// reply is the person's answer to a reaction: a line of an ANSWER section, or orders for it
// that came while the phase waited.
func (t *table) reply(d adjudicator.Decision, s *seat) (answer, source string, known bool) {
	source = fmt.Sprintf("your answer, sheet %d", s.Serial)
	if given, ok := s.Replies[strings.ToUpper(d.Label)]; ok {
		if text, _, bad := d.Reply(given); bad == nil {
			return text, source, true
		}
	}
	orders, ordered := s.Answers[d.Answers()]
	isChoice := len(d.Options) > 0
	if isChoice || !ordered || s.Phase != t.at.Label {
		return "", "", false
	}
	return orders, source, true
}
