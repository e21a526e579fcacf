package wb95

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/casebook"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// TestCases plays the numbered cases of testdata/cases through the phases of the
// engine. How a case is written stands in testdata/cases/README.
func TestCases(t *testing.T) {
	cases, err := Cases()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Number, func(t *testing.T) {
			r := &caseRun{t: t, c: c}
			r.run()
			switch {
			case c.Known != "" && len(r.faults) == 0:
				t.Errorf("%s:%d: case %s is marked KNOWN and holds: take the mark away", c.File, c.Line, c.Number)
			case c.Known != "":
				t.Logf("KNOWN: %s %q: %s\n%s", c.Number, c.Title, c.Known, strings.Join(r.faults, "\n"))
			case len(r.faults) > 0:
				t.Errorf("case %s %q\n%s", c.Number, c.Title, strings.Join(r.faults, "\n"))
			}
		})
	}
}

// caseRun is a case while it is played.
type caseRun struct {
	t      *testing.T
	c      Case
	faults []string

	ground  ground
	settled map[string]string
	chosen  string // scenario, "" for a map of the case's own
	pieces  []piece
	laying  []CaseLine // lines of MAP that speak of the position
	table   string
	entries map[string][]string // reinforcements: by which zones they come
	turn    int

	s     *State
	start *State // as the last phase began
	// receipt is what the mover is told of the orders of the last phase on receipt.
	receipt string
	events  []view.Event
	asked   []adjudicator.Decision
}

// stage is a phase of the case with all that belongs to it.
type stage struct {
	head     CaseLine
	orders   []string
	standing map[string][]string
	air      map[string][]string
	setup    map[string][]string
	answers  map[string]string
	dice     map[string][]int
	expect   []CaseLine
	used     map[string]bool
}

func (r *caseRun) fault(at int, format string, a ...any) {
	r.faults = append(r.faults, fmt.Sprintf("  %s:%d: %s", r.c.File, at, fmt.Sprintf(format, a...)))
}

// broken stops the test: the case cannot be read.
func (r *caseRun) broken(at int, format string, a ...any) {
	r.t.Helper()
	r.t.Fatalf("%s:%d: %s", r.c.File, at, fmt.Sprintf(format, a...))
}

func (r *caseRun) run() {
	stages := r.read()
	if len(stages) == 0 {
		r.broken(r.c.Line, "case %s plays no phase", r.c.Number)
	}
	r.layOut()
	for _, st := range stages {
		if !r.play(st) {
			return
		}
		if len(st.expect) == 0 && st == stages[len(stages)-1] {
			r.broken(st.head.At, "nothing is expected of the last phase")
		}
		for _, e := range st.expect {
			if wrong := r.judge(e); wrong != "" {
				r.fault(e.At, "%s: %s", e.Text, wrong)
			}
		}
	}
}

// read sorts the lines of the case by section.
func (r *caseRun) read() []*stage {
	var stages []*stage
	section := ""
	for _, l := range r.c.Body {
		if l.Head {
			word, rest, _ := strings.Cut(l.Text, " ")
			section = word
			switch word {
			case "MAP":
				r.mapOf(l.At, rest)
			case "TURN":
				r.turn = r.number(l.At, rest)
			case "TABLE":
				r.table = rest
			case "OPTION":
				name, value, _ := strings.Cut(rest, " ")
				if r.settled == nil {
					r.settled = map[string]string{}
				}
				r.settled[name] = value
			case "UNITS":
			case "BARRAGE", "MOVE", "ATTACK", "STRATEGIC", "SUPPLY", "PHASE":
				stages = append(stages, &stage{head: l, standing: map[string][]string{}, air: map[string][]string{}, setup: map[string][]string{}, answers: map[string]string{}, dice: map[string][]int{}, used: map[string]bool{}})
			case "STANDING", "AIR", "SETUP":
				section = l.Text
				fallthrough
			case "ANSWERS", "DICE", "EXPECT":
				if len(stages) == 0 {
					r.broken(l.At, "%s stands before any phase", word)
				}
			default:
				r.broken(l.At, "%q is no section", word)
			}
			continue
		}
		r.line(section, l, stages)
	}
	return stages
}

func (r *caseRun) line(section string, l CaseLine, stages []*stage) {
	var st *stage
	if len(stages) > 0 {
		st = stages[len(stages)-1]
	}
	label, value, colon := strings.Cut(l.Text, ":")
	switch {
	case section == "MAP":
		r.draw(l)
	case section == "UNITS":
		r.unit(l)
	case st == nil:
		r.broken(l.At, "%q stands in no section", l.Text)
	case section == "ANSWERS" && colon:
		st.answers[label] = strings.TrimSpace(value)
	case section == "DICE" && colon:
		var dice []int
		for d := range strings.FieldsSeq(value) {
			dice = append(dice, r.number(l.At, d))
		}
		st.dice[label] = dice
	case section == "EXPECT":
		st.expect = append(st.expect, l)
	case strings.HasPrefix(section, "STANDING "):
		side := strings.TrimPrefix(section, "STANDING ")
		st.standing[side] = append(st.standing[side], l.Text)
	case strings.HasPrefix(section, "AIR "):
		side := strings.TrimPrefix(section, "AIR ")
		st.air[side] = append(st.air[side], l.Text)
	case strings.HasPrefix(section, "SETUP "):
		side := strings.TrimPrefix(section, "SETUP ")
		st.setup[side] = append(st.setup[side], l.Text)
	case slices.Contains([]string{"BARRAGE", "MOVE", "ATTACK", "STRATEGIC"}, section):
		st.orders = append(st.orders, l.Text)
	default:
		r.broken(l.At, "%q is not understood under %s", l.Text, section)
	}
}

func (r *caseRun) number(at int, text string) int {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		r.broken(at, "%q is no number", text)
	}
	return n
}

func (r *caseRun) hex(at int, text string) hex.Hex {
	h, err := hex.Parse(text)
	if err != nil {
		r.broken(at, "%v", err)
	}
	return h
}

func (r *caseRun) edge(at int, text string) hex.Edge {
	e, err := hex.ParseEdge(text)
	if err != nil {
		r.broken(at, "%v", err)
	}
	return e
}

func TestReadCases(t *testing.T) {
	for text, why := range map[string]string{
		"CASE 5.3.7 \"no number of its own\"":    "a case begins",
		"CASE 5.3.7-1 no title":                  "a case begins",
		"MAP 8x8":                                "belongs to no case",
		"CASE 5.3.7-1 \"a\"\nCASE 5.3.7-1 \"b\"": "there already",
		"CASE 5.3.7-1 \"a\"\nALSO 5.3.8, 5.3.9\nALSO 5.4.1\nMAP 8x8": "more than three",
		"CASE 5.3.7-1 \"a\"\nKNOWN":                                  "says why",
	} {
		if _, err := casebook.Parse("x.txt", text); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, want %q", text, err, why)
		}
	}
	cases, err := casebook.Parse("x.txt", "# words\n\nCASE 1.5/2-3 \"a \"b\"\"\nALSO 5.2.1/g\nKNOWN it is so\nMAP 8x8\n  forest 0101\n")
	if err != nil || len(cases) != 1 || cases[0].Number != "1.5/2-3" || strings.Join(cases[0].Clauses, " ") != "1.5/2 5.2.1/g" || cases[0].Known != "it is so" || len(cases[0].Body) != 2 {
		t.Errorf("%+v, %v", cases, err)
	}
}

// A case can fail: each of these asks for something that does not happen.
func TestCasesBite(t *testing.T) {
	text := `CASE 1.1-1 "a"
MAP 8x8
UNITS
  RED a: INF, SP 4/2, at 0303
  BLUE x: INF, SP 4/2, at 0304
ATTACK RED
  0304 WITH A
DICE
  combat 0304: 3 4
EXPECT
  `
	for _, wrong := range []string{"a gone", "a at 0101", "a steps 1, OoS 1", "a disorganized", "refused 3.1.8", "event back", "event combat: column = 9:1",
		"no event combat", "RED reads \"hello\"", "RED does not read \"combat\"", "asked nobody", "not asked attack", "offered attack: X", "control 0101 RED",
		"counts 0101 RED", "FF RED 0303", "must attack: nobody", "must be attacked: nothing", "a firing", "a silent", "ammunition RED 3", "RED knows 0304: nothing", "phase 9 of turn 9 is next",
		"RED flies SUPPORT 0304 3", "RED has 5 air SP left", "bridge 0303/0304 stands", "bridge 0303/0304 RED"} {
		cases, err := casebook.Parse("x.txt", text+wrong)
		if err != nil {
			t.Fatal(err)
		}
		r := &caseRun{t: t, c: cases[0]}
		if r.run(); len(r.faults) == 0 {
			t.Errorf("%q holds", wrong)
		}
	}
	for _, dice := range []string{"combat 0304: 3 4", "combat 0304: 3 4\n  combat 0305: 3 4"} {
		cases, err := casebook.Parse("x.txt", strings.Replace(text, "combat 0304: 3 4", dice, 1)+"a at 0303")
		if err != nil {
			t.Fatal(err)
		}
		r := &caseRun{t: t, c: cases[0]}
		if r.run(); (len(r.faults) > 0) != strings.Contains(dice, "0305") {
			t.Errorf("with dice %q: %v", dice, r.faults)
		}
	}
}
