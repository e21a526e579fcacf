package steppe

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/caserun"
	"fieldpost/adjudicator/cup"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// TestCases plays the numbered cases of testdata/cases. How a case is written stands in
// testdata/cases/README.
func TestCases(t *testing.T) {
	caserun.Test(t, Cases, func(r *caserun.Run) { newCaseRun(r).run() })
}

// caseRun is a case while it is played.
type caseRun struct {
	*caserun.Run

	terrain map[string]string // by hex: kind
	rivers  [2][]hex.Edge     // minor, major
	bridges []hex.Edge
	goals   []hex.Hex
	chosen  string // a scenario of the book instead of a map of the case's own

	changes  []fileChange // in the files of the scenario
	badFiles string       // what they are refused for

	counters []Counter
	units    []Unit
	sets     []string

	s       *State
	refused []string
	accept  []string
	receipt []adjudicator.Line
}

func newCaseRun(r *caserun.Run) *caseRun {
	// The draw of the only chit there is needs no dice.
	r.Free = func(label string) bool { return label == "draw" || strings.HasPrefix(label, "chit ") }
	return &caseRun{Run: r, terrain: map[string]string{}}
}

func (r *caseRun) run() {
	played := false
	sections := r.Sections()
	for i, sec := range sections {
		switch sec.Word {
		case "DICE", "ANSWERS": // read with the phase before them
			if i == 0 {
				r.Fault(sec.Head.At, "%s follows what it is for", sec.Word)
			}
		case "EXPECT":
			r.position()
			played = true
			for _, l := range sec.Lines() {
				for part := range strings.SplitSeq(l.Text, ";") {
					if part = strings.TrimSpace(part); part != "" {
						r.expect(l.At, part)
					}
				}
			}
		default:
			r.Script(script(sections[i+1:]))
			r.section(sec)
		}
	}
	if !played {
		r.Fault(r.Case.Line, "the case expects nothing")
	}
}

// script is the dice and answers that follow.
func script(next []caserun.Section) []caserun.Section {
	end := slices.IndexFunc(next, func(s caserun.Section) bool { return s.Word != "DICE" && s.Word != "ANSWERS" })
	if end < 0 {
		return next
	}
	return next[:end]
}

func (r *caseRun) section(sec caserun.Section) {
	switch sec.Word {
	case "MAP":
		for _, l := range sec.Lines() {
			r.mapLine(l)
		}
	case "SCENARIO":
		r.chosen = sec.Rest
	case "FILES":
		for _, l := range sec.Lines() {
			r.fileLine(l)
		}
	case "UNITS":
		for _, l := range sec.Lines() {
			r.unitLine(l)
		}
	case "SET":
		for _, l := range sec.Lines() {
			r.set(l.At, l.Text)
		}
	default:
		r.position()
		r.play(sec)
	}
}

// play runs a phase: CHIT, SOLO, WEATHER, ORDERS, END, STANDING, CHECK, ODDS.
func (r *caseRun) play(sec caserun.Section) {
	s := r.s
	name, rest, _ := strings.Cut(sec.Rest, ";")
	name = strings.TrimSpace(name)
	var body []string
	if rest != "" {
		body = append(body, strings.TrimSpace(rest))
	}
	for _, l := range sec.Body {
		body = append(body, l.Text)
	}
	switch sec.Word {
	case "STANDING":
		sheet, faults := orders.Parse("STANDING\n"+strings.Join(body, "\n"), Vocabulary)
		if len(faults) > 0 {
			r.Fault(sec.Head.At, "%v", faults[0])
		}
		side := Side(strings.Fields(name)[0])
		var fresh []standing
		for _, o := range sheet.Sections[0].Orders {
			st, v := s.readStanding(side, o)
			if v != nil {
				r.Fault(sec.Head.At, "%s: %v", o, v)
			}
			st.text = o.String()
			fresh = append(fresh, st)
		}
		s.keepStanding(side, fresh)
	case "CHECK":
		r.check(Side(name), body, sec.Head.At)
	case "CHIT":
		var hq *Unit
		head := ""
		for _, side := range []Side{German, Soviet} {
			w := strings.Fields(name)
			for n := len(w); n > 0 && hq == nil; n-- {
				if u := s.byName(side, strings.Join(w[:n], " ")); u != nil && u.c.Type == HQ {
					hq, head = u, strings.Join(w[n:], " ")
				}
			}
		}
		if hq == nil {
			r.Fault(sec.Head.At, "no headquarters %q", name)
			return
		}
		pool := hq.c.Command.pool()
		s.Cup = cup.Cup{cup.New(pool, []string{hq.c.Name}, 1)}
		s.Sheets[sideIndex(hq.c.Side)].Orders = "CHIT " + strings.ToUpper(hq.c.Name) + " " + head + "\n" + strings.Join(body, "\n")
		r.phase(sec, chitPhase)
	case "SOLO":
		side, head, _ := strings.Cut(name, " ")
		s.Solo = [2]bool{true, true}
		s.Solo[sideIndex(Side(side))] = false
		s.Played = append(s.Played, Chit{"?", other(Side(side))})
		s.Sheets[sideIndex(Side(side))].Orders = "SOLO HEX " + head + "\n" + strings.Join(body, "\n")
		r.phase(sec, soloPhase)
	case "WEATHER":
		r.phase(sec, weatherPhase)
	case "ORDERS":
		for _, side := range s.sc.sides() {
			var mine []string
			for _, l := range body {
				if t, ok := strings.CutPrefix(l, string(side)+" "); ok {
					mine = append(mine, t)
				}
			}
			r.Reply("orders "+string(side), strings.Join(mine, "\n"))
		}
		r.phase(sec, ordersPhase)
	case "NEXT": // in the sequence of play; both sides file nothing
		for _, side := range s.sc.sides() {
			if s.Step == StepOrders {
				r.Reply("orders "+string(side), "")
			}
		}
		r.phase(sec, phase)
	case "END":
		r.phase(sec, endPhase)
	case "FINISH":
		s.Turn, s.Step = s.sc.Last, StepEnd
		r.phase(sec, phase)
	default:
		r.Fault(sec.Head.At, "%s is no section of a case", sec.Word)
	}
}

var caseEngine = caserun.Engine[*State]{Clone: (*State).clone, Encode: (*State).encode}

// phase plays one phase with the case's dice and answers.
func (r *caseRun) phase(sec caserun.Section, play func(*adjudicator.Run, *State)) {
	sc := r.s.sc
	s, ok := caseEngine.Play(r.Run, sec.Head, r.s, play)
	if !ok {
		return
	}
	r.s, r.s.sc = s, sc
	for _, fault := range r.s.stale() {
		r.Fault(sec.Head.At, "%s", fault)
	}
	plain := r.s.clone()
	plain.index()
	if read, err := decodeState(sc, r.s.encode()); err != nil || !reflect.DeepEqual(plain, read) {
		r.Fault(sec.Head.At, "the position reads otherwise than it was written: %v", err)
	}
}

// check judges the lines of a sheet.
func (r *caseRun) check(side Side, body []string, at int) {
	sheet, faults := orders.Parse(orders.Canonical(strings.Join(body, "\n")), Vocabulary)
	if len(faults) > 0 {
		r.Fault(at, "%v", faults[0])
		return
	}
	r.refused, r.accept = nil, nil
	r.receipt = newGame(r.s.sc).Check(r.s.view(side), sheet).Lines
	x := &sheetReader{s: r.s, side: side, judge: true, tell: func(_ orders.Pos, text string, v *rule.Violation) {
		if v != nil {
			r.refused = append(r.refused, text+": "+v.Error())
		} else {
			r.accept = append(r.accept, text)
		}
	}}
	x.read(x.everyChit(x.ofEachChit(sheet.Sections)))
}
