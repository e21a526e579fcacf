package steppe

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/casebook"
	"fieldpost/adjudicator/cup"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// TestCases plays the numbered cases of testdata/cases. How a case is written stands in
// testdata/cases/README.
func TestCases(t *testing.T) {
	cases, err := Cases()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Number, func(t *testing.T) {
			r := &caseRun{t: t, c: c, terrain: map[string]string{}, dice: map[string][]int{}, answers: map[string]string{}}
			r.run()
			if len(r.faults) > 0 {
				t.Errorf("%s:%d: case %s %q\n%s", c.File, c.Line, c.Number, c.Title, strings.Join(r.faults, "\n"))
			}
		})
	}
}

// caseRun is a case while it is played.
type caseRun struct {
	t      *testing.T
	c      casebook.Case
	faults []string

	terrain map[string]string // by hex: kind
	rivers  [2][]hex.Edge     // minor, major
	bridges []hex.Edge
	goals   []hex.Hex
	chosen  string // a scenario of the book instead of a map of the case's own

	counters []Counter
	units    []Unit
	sets     []string

	s       *State
	dice    map[string][]int
	answers map[string]string
	used    map[string]bool
	events  []view.Event
	refused []string
	accept  []string
	asked   map[string]adjudicator.Decision
}

func (r *caseRun) fault(at int, format string, a ...any) {
	r.faults = append(r.faults, fmt.Sprintf("  line %d: ", at)+fmt.Sprintf(format, a...))
}

// section is a head of a case with the lines below it.
type section struct {
	at   int
	word string
	rest string
	body []casebook.Line
}

func (r *caseRun) run() {
	var secs []section
	for _, l := range r.c.Body {
		if l.Head {
			word, rest, _ := strings.Cut(l.Text, " ")
			secs = append(secs, section{l.At, word, strings.TrimSpace(rest), nil})
			continue
		}
		if len(secs) > 0 {
			secs[len(secs)-1].body = append(secs[len(secs)-1].body, l)
		}
	}
	played := false
	for i, sec := range secs {
		switch sec.word {
		case "DICE", "ANSWERS": // read with the phase before them
			if i == 0 {
				r.fault(sec.at, "%s follows what it is for", sec.word)
			}
		case "EXPECT":
			r.position()
			played = true
			for _, l := range lines(sec) {
				for part := range strings.SplitSeq(l.Text, ";") {
					if part = strings.TrimSpace(part); part != "" {
						r.expect(l.At, part)
					}
				}
			}
		default:
			r.script(secs[i+1:])
			r.section(sec)
		}
	}
	if !played {
		r.fault(r.c.Line, "the case expects nothing")
	}
}

// lines are the head's own text and the lines below.
func lines(sec section) []casebook.Line {
	if sec.rest != "" {
		return append([]casebook.Line{{At: sec.at, Text: sec.rest}}, sec.body...)
	}
	return sec.body
}

// script reads the dice and answers that follow.
func (r *caseRun) script(next []section) {
	r.dice, r.answers = map[string][]int{}, map[string]string{}
	for _, sec := range next {
		if sec.word != "DICE" && sec.word != "ANSWERS" {
			return
		}
		for _, l := range lines(sec) {
			for part := range strings.SplitSeq(l.Text, ";") {
				label, value, ok := strings.Cut(part, ":")
				label, value = strings.TrimSpace(label), strings.TrimSpace(value)
				if !ok {
					r.fault(l.At, "%q: a label, a colon and a value", part)
				}
				if sec.word == "ANSWERS" {
					r.answers[label] = value
					continue
				}
				for _, d := range strings.Fields(value) {
					n, err := strconv.Atoi(d)
					if err != nil {
						r.fault(l.At, "%q is no die", d)
					}
					r.dice[label] = append(r.dice[label], n)
				}
			}
		}
	}
}

func (r *caseRun) section(sec section) {
	switch sec.word {
	case "MAP":
		for _, l := range lines(sec) {
			r.mapLine(l)
		}
	case "SCENARIO":
		r.chosen = sec.rest
	case "UNITS":
		for _, l := range lines(sec) {
			r.unitLine(l)
		}
	case "SET":
		for _, l := range lines(sec) {
			r.set(l.At, l.Text)
		}
	default:
		r.position()
		r.play(sec)
	}
}

// Throw implements adjudicator.Dice: only what the case gives, and the draw of the only
// chit there is.
func (r *caseRun) Throw(label string, count, sides int) ([]int, []byte, error) {
	r.used[label] = true
	if d, ok := r.dice[label]; ok {
		if len(d) != count {
			return nil, nil, fmt.Errorf("dice %q: the case gives %d, the rules throw %d", label, len(d), count)
		}
		return d, nil, nil
	}
	if label == "draw" || strings.HasPrefix(label, "chit ") {
		return []int{1}, nil, nil
	}
	return nil, nil, fmt.Errorf("the case gives no dice for %q", label)
}

// Answer implements adjudicator.Answerer.
func (r *caseRun) Answer(d adjudicator.Decision) (string, string, bool) {
	r.asked[d.Label] = d
	if a, ok := r.answers[d.Label]; ok {
		r.used["answer "+d.Label] = true
		return a, "case", true
	}
	return d.Proposal, d.Source, true
}

// play runs a phase: CHIT, SOLO, WEATHER, ORDERS, END, STANDING, CHECK, ODDS.
func (r *caseRun) play(sec section) {
	s := r.s
	name, rest, _ := strings.Cut(sec.rest, ";")
	name = strings.TrimSpace(name)
	var body []string
	if rest != "" {
		body = append(body, strings.TrimSpace(rest))
	}
	for _, l := range sec.body {
		body = append(body, l.Text)
	}
	switch sec.word {
	case "STANDING":
		sheet, faults := orders.Parse("STANDING\n"+strings.Join(body, "\n"), Vocabulary)
		if len(faults) > 0 {
			r.fault(sec.at, "%v", faults[0])
		}
		side := Side(strings.Fields(name)[0])
		var fresh []standing
		for _, o := range sheet.Sections[0].Orders {
			st, v := s.readStanding(side, o)
			if v != nil {
				r.fault(sec.at, "%s: %v", o, v)
			}
			fresh = append(fresh, st)
		}
		s.keepStanding(side, fresh)
	case "CHECK":
		r.check(Side(name), body, sec.at)
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
			r.fault(sec.at, "no headquarters %q", name)
			return
		}
		pool := hq.c.Command.pool()
		s.Cup = cup.Cup{cup.New(pool, []string{hq.c.Name}, 1)}
		s.Sheets[sideIndex(hq.c.Side)].Orders = "CHIT " + strings.ToUpper(hq.c.Name) + " " + head + "\n" + strings.Join(body, "\n")
		r.phase(chitPhase)
	case "SOLO":
		side, head, _ := strings.Cut(name, " ")
		s.Solo = [2]bool{true, true}
		s.Solo[sideIndex(Side(side))] = false
		s.Played = append(s.Played, Chit{"?", other(Side(side))})
		s.Sheets[sideIndex(Side(side))].Orders = "SOLO HEX " + head + "\n" + strings.Join(body, "\n")
		r.phase(soloPhase)
	case "WEATHER":
		r.phase(weatherPhase)
	case "ORDERS":
		for k, side := range s.sc.sides() {
			var mine []string
			for _, l := range body {
				if t, ok := strings.CutPrefix(l, string(side)+" "); ok {
					mine = append(mine, t)
				}
			}
			_ = k
			r.answers["orders "+string(side)] = strings.Join(mine, "\n")
		}
		r.phase(ordersPhase)
	case "END":
		r.phase(endPhase)
	case "FINISH":
		s.Turn, s.Step = s.sc.Last, StepEnd
		r.phase(phase)
	default:
		r.fault(sec.at, "%s is no section of a case", sec.word)
	}
}

// phase plays one phase with the case's dice and answers.
func (r *caseRun) phase(play func(*adjudicator.Run, *State)) {
	r.used, r.asked = map[string]bool{}, map[string]adjudicator.Decision{}
	p, err := adjudicator.Play(r.s.clone(), play, nil, r, r)
	if err != nil {
		r.fault(r.c.Line, "%v", err)
		return
	}
	sc := r.s.sc
	r.s, r.events = p.State, p.Events
	r.s.sc = sc
	for _, fault := range r.s.stale() {
		r.fault(r.c.Line, "%s", fault)
	}
	plain := r.s.clone()
	plain.index()
	if read, err := decodeState(sc, r.s.encode()); err != nil || !reflect.DeepEqual(plain, read) {
		r.fault(r.c.Line, "the position reads otherwise than it was written: %v", err)
	}
	for label := range r.dice {
		if !r.used[label] {
			r.fault(r.c.Line, "the dice %q were not thrown", label)
		}
	}
	for label := range r.answers {
		if !r.used["answer "+label] {
			r.fault(r.c.Line, "%q was not asked", label)
		}
	}
}

// check judges the lines of a sheet.
func (r *caseRun) check(side Side, body []string, at int) {
	sheet, faults := orders.Parse(orders.Canonical(strings.Join(body, "\n")), Vocabulary)
	if len(faults) > 0 {
		r.fault(at, "%v", faults[0])
		return
	}
	r.refused, r.accept = nil, nil
	r.s.judging = true
	defer func() { r.s.judging = false }()
	r.s.readTurn(side, sheet.Sections, func(_ orders.Pos, text, _ string, v *rule.Violation) {
		if v != nil {
			r.refused = append(r.refused, text+": "+v.Error())
		} else {
			r.accept = append(r.accept, text)
		}
	})
}
