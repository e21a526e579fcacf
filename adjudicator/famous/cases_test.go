package famous

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/casebook"
	"fieldpost/adjudicator/view"
)

// TestCases plays the numbered cases of testdata/cases. How a case is written
// stands in testdata/cases/README.md.
func TestCases(t *testing.T) {
	cases, err := Cases()
	if err != nil {
		t.Fatal(err)
	}
	book := load(t, "gd-kursk")
	for _, c := range cases {
		t.Run(c.Number, func(t *testing.T) {
			r := &caseRun{t: t, c: c, book: book}
			r.run()
			if len(r.faults) > 0 {
				t.Errorf("case %s %q\n%s", c.Number, c.Title, strings.Join(r.faults, "\n"))
			}
		})
	}
}

// caseRun is a case while it is played.
type caseRun struct {
	t      *testing.T
	c      casebook.Case
	book   *Scenario
	faults []string

	lay     layout
	s       *State
	events  []view.Event
	plans   map[string]string // answers by entry, of the phase
	dice    map[string][]int
	used    map[string]bool
	asked   []adjudicator.Decision
	answers map[string]string
}

func (r *caseRun) fault(at int, format string, a ...any) {
	r.faults = append(r.faults, fmt.Sprintf("  %s:%d: %s", r.c.File, at, fmt.Sprintf(format, a...)))
}

// stage is a phase of a case with what belongs to it.
type stage struct {
	head   casebook.Line
	lines  []string
	expect []casebook.Line
	parts  map[string][]casebook.Line // STANDING RED, DICE, ANSWERS
}

// run reads and plays the case.
func (r *caseRun) run() {
	var stages []*stage
	section := ""
	var cur *stage
	for _, l := range r.c.Body {
		if l.Head {
			word, _, _ := strings.Cut(l.Text, " ")
			section = l.Text
			switch word {
			case "MAP":
				r.lay.start(strings.TrimPrefix(l.Text, "MAP "))
			case "UNITS", "EXPECT", "DICE", "ANSWERS", "STANDING", "ORDERS":
				if word != "UNITS" && cur == nil {
					cur = &stage{head: l, parts: map[string][]casebook.Line{}}
					stages = append(stages, cur)
				}
			default:
				cur = &stage{head: l, parts: map[string][]casebook.Line{}}
				stages = append(stages, cur)
				section = "PHASE"
			}
			continue
		}
		switch {
		case strings.HasPrefix(section, "MAP"):
			r.lay.ground(r, l)
		case section == "UNITS":
			r.lay.unit(r, l)
		case section == "EXPECT":
			cur.expect = append(cur.expect, l)
		case section == "PHASE":
			cur.lines = append(cur.lines, l.Text)
		default:
			cur.parts[section] = append(cur.parts[section], l)
		}
	}
	r.s = r.lay.build(r)
	if len(r.faults) > 0 {
		return
	}
	for _, st := range stages {
		r.stage(st)
	}
}

// stage plays one phase and looks at what came of it.
func (r *caseRun) stage(st *stage) {
	r.events, r.dice, r.used, r.answers, r.plans = nil, map[string][]int{}, map[string]bool{}, map[string]string{}, map[string]string{}
	for name, ls := range st.parts {
		for _, l := range ls {
			key, value, _ := strings.Cut(l.Text, ": ")
			switch {
			case name == "DICE":
				for _, f := range strings.Fields(value) {
					n, _ := strconv.Atoi(f)
					r.dice[key] = append(r.dice[key], n)
				}
			case name == "ANSWERS":
				r.answers[key] = value
			default: // STANDING RED, ORDERS RED
				r.plans[name] = strings.TrimPrefix(r.plans[name]+"\n"+strings.ToUpper(l.Text), "\n")
			}
		}
	}
	if word, rest, _ := strings.Cut(st.head.Text, " "); word != "EXPECT" && word != "DICE" {
		before := r.s.clone()
		before.Cup, before.First = slices.Clone(before.Cup), slices.Clone(before.First)
		switch word {
		case "CHIT":
			side, bn, _ := strings.Cut(rest, " ")
			before.Phase, before.First = 3, []string{chitKey(Side(side), bn)}
			before.Cup = slices.DeleteFunc(before.Cup, func(k string) bool { return k == chitKey(Side(side), bn) })
			r.plans["plan "+side] = strings.ToUpper(strings.Join(st.lines, "\n"))
		case "DRAW":
			before.Phase = 3
			r.plans["plan RED"], r.plans["plan BLUE"] = strings.ToUpper(strings.Join(st.lines, "\n")), ""
		case "SETUP":
			before.Phase = 0
		case "WEATHER":
			before.Phase = 1
		case "SUPPLY":
			before.Phase = 2
			before.Cup = before.chits()
		case "END":
			before.Phase, before.Cup, before.First = 9, nil, nil
		default:
			r.fault(st.head.At, "%q is no phase of a case", st.head.Text)
			return
		}
		p, err := adjudicator.Play(before.clone(), phase, nil, r, r)
		if err != nil || len(p.Pending) > 0 {
			r.fault(st.head.At, "%s: %v %v", st.head.Text, err, p.Pending)
			return
		}
		r.s, r.events = p.State, p.Events
		fresh := p.State.clone()
		fresh.index()
		if !slices.Equal(fresh.zone[0], p.State.zone[0]) || !slices.Equal(fresh.zone[1], p.State.zone[1]) {
			r.fault(st.head.At, "zones of control were not kept in step with the units")
		}
		if strings.HasPrefix(st.head.Text, "CHIT") || word == "DRAW" {
			r.s.Phase = 3
		}
		for label := range r.dice {
			if !r.used[label] {
				r.fault(st.head.At, "nobody threw %q; thrown were %v", label, r.used)
			}
		}
	}
	for _, l := range st.expect {
		if why := r.holds(l.Text); why != "" {
			r.fault(l.At, "%s: %s", l.Text, why)
		}
	}
}

// Throw implements adjudicator.Dice by the case's script. Draws of chits that the
// case does not care for are ones.
func (r *caseRun) Throw(label string, count, sides int) ([]int, []byte, error) {
	r.used[label] = true
	d, ok := r.dice[label]
	switch {
	case ok && len(d) == count:
		return d, nil, nil
	case ok:
		return nil, nil, fmt.Errorf("%q throws %d dice, the case has %d", label, count, len(d))
	case strings.HasPrefix(label, "chit"), strings.HasPrefix(label, "name of the chit"):
		return slices.Repeat([]int{1}, count), nil, nil
	}
	return nil, nil, fmt.Errorf("the case has no dice %q", label)
}

// Answer implements adjudicator.Answerer.
func (r *caseRun) Answer(d adjudicator.Decision) (string, string, bool) {
	r.asked = append(r.asked, d)
	if a, ok := r.answers[d.Label]; ok {
		return a, "the case", true
	}
	switch d.Kind {
	case kindTurn, kindSetUp:
		return r.plans["ORDERS "+string(d.Side)], "the case", true
	case kindPlan:
		return r.plans["plan "+string(d.Side)], "the case", true
	case kindStanding:
		return r.plans["STANDING "+string(d.Side)], "the case", true
	}
	return d.Proposal, d.Source, true
}
