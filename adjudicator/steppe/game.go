package steppe

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/table"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// System is Duel on the Steppe.
type System struct{}

// ID is the system's folder name.
func (System) ID() string { return "steppe" }

// Version is that of the rules: raised whenever a running game would be decided
// otherwise.
func (System) Version() int { return 1 }

// Vocabulary is the words of an order sheet.
func (System) Vocabulary() orders.Vocabulary { return Vocabulary }

// Template is the sections of a blank sheet.
func (System) Template() []string { return []string{"STANDING"} }

// Asks is the kinds of decisions that a side may want to be asked about: its chits, and
// by a game's choice whether a division stands fast.
//
// deviation Steppe 10.1: everything inside an attack is answered from doctrine, never by
// mail.
func (System) Asks() []string { return []string{KindActivation, kindStalwart} }

// Load reads a scenario; the error lists every fault in its files.
func (System) Load(src table.Source) (adjudicator.Game, error) {
	sc, err := Load(src)
	if err != nil {
		return nil, err
	}
	return &Game{sc: sc}, nil
}

// Game is a scenario under its rules.
type Game struct {
	sc   *Scenario
	read adjudicator.Memory[*State] // of positions that were read lately
}

var _ adjudicator.Game = (*Game)(nil)

// Title is the scenario's name for people.
func (g *Game) Title() string { return g.sc.Title }

// Sides lists the sides.
func (g *Game) Sides() []adjudicator.Side { s := g.sc.sides(); return s[:] }

// Unplayed says what this version does not play yet: nothing.
func (g *Game) Unplayed() []string { return nil }

// Wording is how the system says its events.
func (g *Game) Wording() view.Wording { return wording }

// Opening is the position before the first phase.
func (g *Game) Opening() ([]byte, error) {
	s := g.sc.opening()
	s.look()
	return s.encode(), nil
}

// position reads a position. What it returns may be looked at, not changed, nor searched:
// others look at it as well.
func (g *Game) position(position []byte) (*State, error) {
	return g.read.Read(position, g.decode)
}

func (g *Game) decode(position []byte) (*State, error) { return decodeState(g.sc, position) }

// At tells which phase the position stands before.
func (g *Game) At(position []byte) (adjudicator.Phase, error) {
	s, err := g.position(position)
	if err != nil {
		return adjudicator.Phase{}, err
	}
	return s.phaseInfo(), nil
}

// phaseInfo: every phase is both sides'; a chit's side is not known before it is drawn.
func (s *State) phaseInfo() adjudicator.Phase {
	return adjudicator.Phase{Turn: s.Turn, Number: s.Phase, Name: s.phaseName(), Label: fmt.Sprintf("turn %d phase %d", s.Turn, s.Phase),
		Date: s.sc.date(s.Turn), Over: s.Verdict != ""}
}

// engine plays its phases.
var engine = adjudicator.Engine[*State]{Info: (*State).phaseInfo, Run: phase, Clone: (*State).clone, Encode: (*State).encode}

// Play runs the phase that the position stands before.
func (g *Game) Play(position []byte, journal []adjudicator.Entry, dice adjudicator.Dice, answers adjudicator.Answerer) (adjudicator.Outcome, error) {
	return engine.PlayAt(&g.read, g.decode, position, journal, dice, answers)
}

// Course runs phase after phase from a position.
func (g *Game) Course(position []byte) (adjudicator.Runner, error) {
	return engine.CourseAt(&g.read, g.decode, position)
}

// View is what a side may know of a position.
func (g *Game) View(position []byte, side adjudicator.Side) (*view.View, error) {
	s, err := g.position(position)
	if err != nil {
		return nil, err
	}
	return s.clone().view(side), nil
}

// End is the position with a verdict that the players gave themselves.
func (g *Game) End(position []byte, winner adjudicator.Side, verdict string) ([]byte, error) {
	s, err := decodeState(g.sc, position)
	if err != nil {
		return nil, err
	}
	if s.Verdict != "" {
		return nil, adjudicator.ErrOver
	}
	s.Winner, s.Verdict = winner, verdict
	return s.encode(), nil
}

// Check judges a sheet by what its sender sees.
func (g *Game) Check(v *view.View, sheet *orders.Sheet) *adjudicator.Filing {
	f := &adjudicator.Filing{Answers: map[string]string{}, Done: sheet.Done, Preview: func() *view.View { return v }}
	s, err := g.sc.believe(v)
	if err != nil {
		f.Lines = append(f.Lines, adjudicator.Line{Refused: &rule.Violation{Why: err.Error()}})
		return f
	}
	side := Side(v.Side)
	s.judging = true
	mode := sheet.Header("MODE")
	if _, v := s.readTriggers(mode); v != nil {
		f.Lines = append(f.Lines, adjudicator.Line{Pos: headerPos(sheet, "MODE"), Text: "MODE: " + mode, Refused: v})
		mode = ""
	}
	refused := map[orders.Pos]bool{}
	t := s.readTurn(side, sheet.Sections, func(pos orders.Pos, text, understood string, v *rule.Violation) {
		f.Lines = append(f.Lines, adjudicator.Line{Pos: pos, Text: text, Understood: understood, Refused: v})
		refused[pos] = refused[pos] || v != nil
	})
	s.advise(side, t, f)
	f.Answers[KindOrders] = standingAnswer(sheet.Sections, refused, mode)
	// The same programmes answer a chit of this turn that is asked for.
	_, sections := cutMode(f.Answers[KindOrders])
	for _, p := range append(slices.Clone(t.programmes), t.solo...) {
		f.Answers[entryFor(p.hq)] = sectionsFor(s, side, sections, p.hq)
	}
	return f
}

// entryFor names the answer to an activation in a filing, and its label.
func entryFor(hq *Unit) string {
	if hq == nil {
		return "orders individual hex"
	}
	return "orders " + hq.c.Name
}

func headerPos(sheet *orders.Sheet, name string) orders.Pos {
	for _, h := range sheet.Headers {
		if h.Name == name {
			return h.Pos
		}
	}
	return orders.Pos{Line: 1, Col: 1}
}

// standingAnswer writes what stands of the sections as the answer to the turn's decision:
// canonical text that reads again as it was read now.
func standingAnswer(sections []orders.Section, refused map[orders.Pos]bool, mode string) string {
	var b strings.Builder
	if mode != "" {
		b.WriteString(modeLine + mode + "\n")
	}
	for _, sec := range sections {
		if refused[sec.Pos] {
			continue
		}
		skip := false
		args := sec.Args
		for i, w := range args {
			if refused[w.Pos] {
				args, skip = args[:i], true
				break
			}
		}
		b.WriteString(strings.TrimSpace(sec.Name+" "+clauseText(args)) + "\n")
		for _, o := range sec.Orders {
			var keep []orders.Clause
			for i, c := range o.Clauses {
				pos := o.Pos
				if i > 0 {
					pos = c[0].Pos
				}
				// What begins no order belongs to the one before it, and falls with it.
				if begins(c) || sec.Name == "STANDING" {
					skip = refused[pos]
				}
				if !skip {
					keep = append(keep, c)
				}
			}
			if len(keep) > 0 {
				b.WriteString(orders.Order{Clauses: keep}.String() + "\n")
			}
		}
	}
	return b.String()
}

// begins tells whether a clause begins an order of a programme.
func begins(c orders.Clause) bool {
	return slices.Contains(verbs, c[0].Text) || c[0].Text == "IF" || c[0].Text == "UNLESS"
}
