// Package caserun plays the numbered cases of a rules system in its tests. It knows what
// is the same in all systems: sections and phases, dice and answers by label, events and
// refusals to expect. What a map, a unit or a phase of its own is says the system.
package caserun

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"fieldpost/adjudicator/casebook"
	"fieldpost/adjudicator/hex"
)

// Test plays all cases, each as a test by its number. One that is marked KNOWN must fail.
func Test(t *testing.T, cases func() ([]casebook.Case, error), play func(r *Run)) {
	all, err := cases()
	if err != nil {
		t.Fatal(err)
	}
	if Instead != nil {
		Instead(t, all, play)
		return
	}
	for _, c := range all {
		t.Run(c.Number, func(t *testing.T) {
			r := New(t, c)
			play(r)
			faults := strings.Join(r.Faults, "\n")
			switch {
			case c.Known != "" && faults == "":
				t.Errorf("%s:%d: case %s is marked KNOWN and holds: take the mark away", c.File, c.Line, c.Number)
			case c.Known != "":
				t.Logf("KNOWN: %s %q: %s\n%s", c.Number, c.Title, c.Known, faults)
			case faults != "":
				t.Errorf("case %s %q\n%s", c.Number, c.Title, faults)
			}
		})
	}
}

// Instead, if there is one, plays the cases in place of Test.
var Instead func(t *testing.T, cases []casebook.Case, play func(*Run))

// Outcome plays a case that is no test of its own and tells what does not hold, "" if it
// all does. A case that panics or cannot be read does not hold.
func Outcome(t testing.TB, c casebook.Case, play func(*Run)) (faults string) {
	defer func() {
		if why := recover(); why != nil {
			faults = fmt.Sprint("  ", why)
		}
	}()
	r := New(asFault{t}, c)
	play(r)
	return strings.Join(r.Faults, "\n")
}

// asFault is a test that goes on when something fails in it: Outcome tells of it.
type asFault struct{ testing.TB }

func (asFault) Error(a ...any)                 { panic(fmt.Sprint(a...)) }
func (asFault) Errorf(format string, a ...any) { panic(fmt.Sprintf(format, a...)) }
func (asFault) Fatal(a ...any)                 { panic(fmt.Sprint(a...)) }
func (asFault) Fatalf(format string, a ...any) { panic(fmt.Sprintf(format, a...)) }
func (asFault) FailNow()                       { panic("the test ends") }

// Fault notes that something does not hold.
func (r *Run) Fault(line int, format string, a ...any) {
	r.Faults = append(r.Faults, fmt.Sprintf("  %s:%d: %s", r.Case.File, line, fmt.Sprintf(format, a...)))
}

// Broken ends the test: the case cannot be read.
func (r *Run) Broken(line int, format string, a ...any) {
	r.T.Helper()
	r.T.Fatalf("%s:%d: %s", r.Case.File, line, fmt.Sprintf(format, a...))
}

// Number reads a number.
func (r *Run) Number(line int, text string) int {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		r.Broken(line, "%q is not a number", text)
	}
	return n
}

// Hex reads a hex.
func (r *Run) Hex(line int, text string) hex.Hex {
	h, err := hex.Parse(text)
	if err != nil {
		r.Broken(line, "%v", err)
	}
	return h
}

// Edge reads a hexside.
func (r *Run) Edge(line int, text string) hex.Edge {
	e, err := hex.ParseEdge(text)
	if err != nil {
		r.Broken(line, "%v", err)
	}
	return e
}

// Section is a line that begins in the first column, and the lines below it.
type Section struct {
	Head       casebook.Line
	Word, Rest string // of the head
	Body       []casebook.Line
}

// Lines are what stands beside the head's word and below it.
func (s Section) Lines() []casebook.Line {
	if s.Rest == "" {
		return s.Body
	}
	return append([]casebook.Line{{At: s.Head.At, Text: s.Rest}}, s.Body...)
}

// Sections are those of the case.
func (r *Run) Sections() (out []Section) {
	for _, l := range r.Case.Body {
		switch {
		case l.Head:
			word, rest, _ := strings.Cut(l.Text, " ")
			out = append(out, Section{Head: l, Word: word, Rest: strings.TrimSpace(rest)})
		case len(out) == 0:
			r.Broken(l.At, "%q stands in no section", l.Text)
		default:
			last := &out[len(out)-1]
			last.Body = append(last.Body, l)
		}
	}
	return out
}

// Stage is a phase with the sections that belong to it: standing orders, dice, answers,
// what is expected. What is expected of the position before any phase is a stage
// without a phase.
type Stage struct {
	Section
	With []Section
}

// Stages are the phases of the case in turn. Layout tells which sections speak of the
// position, belongs which ones belong to the phase before them; the others are phases.
func (r *Run) Stages(layout, belongs []string) (position []Section, stages []*Stage) {
	kind := map[string]int{}
	for _, w := range layout {
		kind[w] = 1
	}
	for _, w := range belongs {
		kind[w] = 2
	}
	for _, s := range r.Sections() {
		switch {
		case kind[s.Word] == 1:
			position = append(position, s)
		case kind[s.Word] == 2 && len(stages) > 0:
			last := stages[len(stages)-1]
			last.With = append(last.With, s)
		case kind[s.Word] == 2:
			stages = append(stages, &Stage{With: []Section{s}})
		default:
			stages = append(stages, &Stage{Section: s})
		}
	}
	return position, stages
}

// Below are the texts of the lines below a head such as "STANDING RED".
func (s *Stage) Below(head string) (out []string) {
	for _, w := range s.With {
		if w.Head.Text == head {
			out = append(out, texts(w.Body)...)
		}
	}
	return out
}

// Orders are the texts of the lines below the phase.
func (s *Stage) Orders() []string { return texts(s.Body) }

func texts(lines []casebook.Line) (out []string) {
	for _, l := range lines {
		out = append(out, l.Text)
	}
	return out
}

// Expected are the lines that say what must come of the phase.
func (s *Stage) Expected() (out []casebook.Line) {
	for _, w := range s.With {
		if w.Word == "EXPECT" {
			out = append(out, w.Lines()...)
		}
	}
	return out
}
