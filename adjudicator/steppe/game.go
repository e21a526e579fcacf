package steppe

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/phrase"
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
// otherwise. Scenario.before tells where versions differ.
func (System) Version() int { return 6 }

// Vocabulary is the words of an order sheet.
func (System) Vocabulary() orders.Vocabulary { return Vocabulary }

// Template is the sections of a blank sheet.
func (System) Template() []string { return []string{"STANDING"} }

// Asks is the kinds of decisions that a side may want to be asked about: its chits, by a
// game's choice whether a division stands fast, and the Backhand Blow.
//
// deviation Steppe 10.1: everything inside an attack is answered from doctrine, never by
// mail.
func (System) Asks() []string { return []string{KindActivation, kindStalwart, kindBackhand} }

// Load reads a scenario; the error lists every fault in its files.
func (System) Load(src table.Source) (adjudicator.Game, error) {
	sc, err := Load(src)
	if err != nil {
		return nil, err
	}
	return newGame(sc), nil
}

// Game is a scenario under its rules.
type Game struct {
	*adjudicator.Positions[*State]
	sc *Scenario
}

var (
	_ adjudicator.Game      = (*Game)(nil)
	_ adjudicator.Versioned = (*Game)(nil)
)

// AsOf implements adjudicator.Versioned: all versions since the first are played.
func (g *Game) AsOf(version string) (adjudicator.Game, bool) {
	v, err := strconv.Atoi(version)
	if err != nil || v < 1 || v >= (System{}).Version() {
		return nil, false
	}
	sc := *g.sc // its tables are never changed
	sc.AsOf = v
	return newGame(&sc), true
}

// before tells whether the game was begun under rules older than a version, and is decided
// as they did.
func (sc *Scenario) before(version int) bool { return sc.AsOf != 0 && sc.AsOf < version }

// tooNew refuses a word of a later version of the rules than the game was begun under.
func (sc *Scenario) tooNew(version int, word string) *rule.Violation {
	if !sc.before(version) {
		return nil
	}
	return phrase.TooNew(word, version, sc.AsOf)
}

func newGame(sc *Scenario) *Game {
	decode := func(position []byte) (*State, error) { return decodeState(sc, position) }
	return &Game{Positions: engine.Over(decode), sc: sc}
}

// Title is the scenario's name for people.
func (g *Game) Title() string { return g.sc.Title }

// Sides lists the sides.
func (g *Game) Sides() []adjudicator.Side { s := g.sc.sides(); return s[:] }

// Wording is how the system says its events.
func (g *Game) Wording() view.Wording { return wording }

// Opening is the position before the first phase.
func (g *Game) Opening() ([]byte, error) {
	s := g.sc.opening()
	s.look()
	return s.encode(), nil
}

// phaseInfo: every phase is both sides'; a chit's side is not known before it is drawn.
func (s *State) phaseInfo() adjudicator.Phase {
	return adjudicator.Phase{Turn: s.Turn, Number: s.Phase, Name: s.phaseName(),
		Label: fmt.Sprintf("turn %d phase %d", s.Turn, s.Phase), Date: s.sc.date(s.Turn), Over: s.Verdict != ""}
}

// engine plays its phases.
var engine = adjudicator.Engine[*State]{Info: (*State).phaseInfo, Run: phase, Clone: (*State).clone, View: (*State).shownTo, End: (*State).end}

// shownTo is the View of a side. It is made from a copy, because it is searched.
func (s *State) shownTo(side Side) *view.View {
	now := s.clone()
	if s.Acting != nil {
		now.look() // which the end of the phase would do
	}
	return now.view(side)
}

// end notes a verdict that the players gave themselves.
func (s *State) end(winner Side, verdict string) { s.Winner, s.Verdict = winner, verdict }

// Check judges a sheet by what its sender sees.
func (g *Game) Check(v *view.View, sheet *orders.Sheet) *adjudicator.Filing {
	v = v.Now()
	f := adjudicator.NewFiling(sheet)
	f.Preview = func() *view.View { return v }
	s, err := g.sc.believe(v)
	if err != nil {
		f.Lines = append(f.Lines, adjudicator.Line{Refused: &rule.Violation{Why: err.Error()}})
		return f
	}
	side := Side(v.Side)
	mode := sheet.Header("MODE")
	_, bad := s.readTriggers(mode)
	if bad == nil {
		_, _, bad = s.askedChits(side, mode)
	}
	if bad != nil {
		f.Lines = append(f.Lines, adjudicator.Line{Pos: headerPos(sheet, "MODE"), Text: "MODE: " + mode, Refused: bad})
		mode = ""
	}
	refused := map[orders.Pos]bool{}
	x := &sheetReader{s: s, side: side, judge: true, texts: map[orders.Pos]string{}}
	x.tell = func(at orders.Pos, text string, v *rule.Violation) {
		l := adjudicator.Line{Pos: at, Text: text, Refused: v}
		if v != nil && v.Col > 0 {
			l.At = orders.Pos{Line: v.Line, Col: v.Col}
		}
		l.Asks = strings.HasPrefix(strings.TrimPrefix(text, otherwise+" "), verbs[verbAsk]+" ")
		f.Lines = append(f.Lines, l)
		refused[at] = refused[at] || v != nil
	}
	repeated, lines := x.asLastTurn(v.Programmes, sheet.Sections)
	from := len(f.Lines)
	sections := x.everyChit(x.ofEachChit(repeated))
	ofEvery := map[orders.Pos]bool{}
	for i := from; i < len(f.Lines); i++ {
		if l := &f.Lines[i]; l.Refused == nil {
			l.Understood, ofEvery[l.Pos] = "stands behind the last line of every programme", true
		}
	}
	tell := x.tell
	x.tell = func(at orders.Pos, text string, v *rule.Violation) {
		if !ofEvery[at] { // it was told once, for all
			tell(at, text, v)
		}
	}
	f.Lines = append(f.Lines, lines...)
	t := x.read(sections)
	s.advise(side, t, f)
	x.answer(f, sections, refused, mode)
	x.ofCopies(f.Lines)
	slices.SortStableFunc(f.Lines, func(a, b adjudicator.Line) int { return a.Pos.Line - b.Pos.Line })
	return f
}

// entryFor names the answer to an activation in a filing, and its label.
func entryFor(hq *Unit) string {
	if hq == nil {
		return "orders individual hex"
	}
	return "orders " + hq.c.Name
}

// entryOf names the answer that a section of a sheet gives: to the drawing of a chit, or to the
// question for the rest of its activation.
func (s *State) entryOf(hq *Unit) string {
	if s.goesOn(&programme{hq: hq}) {
		return s.Acting.Label
	}
	return entryFor(hq)
}

func headerPos(sheet *orders.Sheet, name string) orders.Pos {
	for _, h := range sheet.Headers {
		if h.Name == name {
			return h.Pos
		}
	}
	return orders.Pos{Line: 1, Col: 1}
}

// answer files what stands of the sections as the answer to the turn's decision, in
// canonical text that reads again as it was read now. The programmes of a chit in it
// answer an activation of this turn that is asked for as well.
func (x *sheetReader) answer(f *adjudicator.Filing, sections []orders.Section, refused map[orders.Pos]bool, mode string) {
	var all strings.Builder
	if mode != "" {
		all.WriteString(modeLine + mode + "\n")
	}
	of := x.out.headquarters()
	for _, hq := range of {
		f.Answers[x.s.entryOf(hq)] = ""
	}
	for _, sec := range sections {
		if refused[sec.Pos] {
			continue
		}
		text := x.kept(sec, refused)
		all.WriteString(text + "\n")
		if hq, ok := of[sec.Pos]; ok && mayBeOf(text, hq) {
			entry := x.s.entryOf(hq)
			f.Answers[entry] += text + "\n"
		}
	}
	for entry, text := range f.Answers {
		f.Answers[entry] = strings.TrimSuffix(text, "\n")
	}
	f.Answers[KindOrders] = all.String()
}

// headquarters are those that the sections of programmes are about, by where they stand
// on the sheet; nil for the individual hex.
func (t *turnOrders) headquarters() map[orders.Pos]*Unit {
	of := map[orders.Pos]*Unit{}
	for _, p := range slices.Concat(t.programmes, t.solo) {
		if p.head != "" {
			of[p.at] = p.hq
		}
	}
	return of
}

// kept is what stands of a section: its head, up to an order in it that was refused, and
// the orders. What begins no order belongs to the one before it, and falls with it.
func (x *sheetReader) kept(sec orders.Section, refused map[orders.Pos]bool) string {
	args, falls := sec.Args, false
	if i := slices.IndexFunc(args, func(w orders.Word) bool { return refused[w.Pos] }); i >= 0 {
		args, falls = args[:i], true
	}
	lines := []string{headText(sec.Name, args)}
	for _, o := range sec.Orders {
		var keep []orders.Clause
		for i, c := range o.Clauses {
			if bad, told := refused[clausePos(o, i)]; told {
				falls = bad
			}
			if !falls {
				keep = append(keep, c)
			}
		}
		if len(keep) > 0 {
			lines = append(lines, x.line(keep))
		}
	}
	return strings.Join(lines, "\n")
}
