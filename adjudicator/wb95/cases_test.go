package wb95

import (
	"strings"
	"testing"

	"fieldpost/adjudicator/casebook"
	"fieldpost/adjudicator/caserun"
	"fieldpost/adjudicator/hex"
)

// TestCases plays the numbered cases of testdata/cases through the phases of the
// engine. How a case is written stands in testdata/cases/README.
func TestCases(t *testing.T) {
	caserun.Test(t, Cases, func(r *caserun.Run) { (&caseRun{Run: r}).run() })
}

// caseRun is a case while it is played.
type caseRun struct {
	*caserun.Run

	ground  ground
	settled map[string]string
	chosen  string // scenario, "" for a map of the case's own
	pieces  []piece
	laying  []CaseLine // lines of MAP that speak of the position
	table   string
	entries map[string][]string // reinforcements: by which zones they come
	turn    int
	asOf    int // version of the rules, 0 for the present one

	s     *State
	start *State // as the last phase began
	// receipt is what the mover is told of the orders of the last phase on receipt.
	receipt string
}

func (r *caseRun) run() {
	layout, stages := r.Stages([]string{"MAP", "TURN", "TABLE", "OPTION", "VERSION", "UNITS"}, []string{"STANDING", "AIR", "SETUP", "ANSWERS", "DICE", "EXPECT"})
	if len(stages) == 0 {
		r.Broken(r.Case.Line, "case %s plays no phase", r.Case.Number)
	}
	for _, sec := range layout {
		r.layoutOf(sec)
	}
	r.layOut()
	for i, st := range stages {
		if !r.play(st) {
			return
		}
		expected := st.Expected()
		if len(expected) == 0 && i == len(stages)-1 {
			r.Broken(st.Head.At, "nothing is expected of the last phase")
		}
		for _, e := range expected {
			if wrong := r.judge(e); wrong != "" {
				r.Fault(e.At, "%s: %s", e.Text, wrong)
			}
		}
	}
}

// layoutOf reads a section that speaks of the position.
func (r *caseRun) layoutOf(sec caserun.Section) {
	if oneLine := sec.Word != "MAP" && sec.Word != "UNITS"; oneLine && len(sec.Body) > 0 {
		r.Broken(sec.Body[0].At, "%q is not understood under %s", sec.Body[0].Text, sec.Word)
	}
	switch sec.Word {
	case "MAP":
		r.mapOf(sec.Head.At, sec.Rest)
		for _, l := range sec.Body {
			r.draw(l)
		}
	case "UNITS":
		for _, l := range sec.Body {
			r.unit(l)
		}
	case "TURN":
		r.turn = r.number(sec.Head.At, sec.Rest)
	case "VERSION":
		r.asOf = r.number(sec.Head.At, sec.Rest)
	case "TABLE":
		r.table = sec.Rest
	case "OPTION":
		name, value, _ := strings.Cut(sec.Rest, " ")
		if r.settled == nil {
			r.settled = map[string]string{}
		}
		r.settled[name] = value
	}
}

func (r *caseRun) broken(at int, format string, a ...any) { r.T.Helper(); r.Broken(at, format, a...) }
func (r *caseRun) number(at int, text string) int         { return r.Number(at, text) }
func (r *caseRun) hex(at int, text string) hex.Hex        { return r.Hex(at, text) }
func (r *caseRun) edge(at int, text string) hex.Edge      { return r.Edge(at, text) }

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
	for _, wrong := range []string{"a gone", "a at 0101", "a steps 1, OoS 1", "a disorganized", "refused 3.1.8", "event back", "event combat: column = 9:1", "event combat at 0101", "no option weak-odds", "option panthers is open",
		"no event combat", "RED reads \"hello\"", "RED does not read \"combat\"", "asked nobody", "not asked attack", "offered attack: X", "control 0101 RED",
		"counts 0101 RED", "FF RED 0303", "must attack: nobody", "must be attacked: nothing", "a firing", "a silent", "ammunition RED 3", "RED knows 0304: nothing", "phase 9 of turn 9 is next",
		"RED flies SUPPORT 0304 3", "RED has 5 air SP left", "bridge 0303/0304 stands", "bridge 0303/0304 RED"} {
		cases, err := casebook.Parse("x.txt", text+wrong)
		if err != nil {
			t.Fatal(err)
		}
		r := &caseRun{Run: caserun.New(t, cases[0])}
		if r.run(); len(r.Faults) == 0 {
			t.Errorf("%q holds", wrong)
		}
	}
	for _, dice := range []string{"combat 0304: 3 4", "combat 0304: 3 4\n  combat 0305: 3 4"} {
		cases, err := casebook.Parse("x.txt", strings.Replace(text, "combat 0304: 3 4", dice, 1)+"a at 0303")
		if err != nil {
			t.Fatal(err)
		}
		r := &caseRun{Run: caserun.New(t, cases[0])}
		if r.run(); (len(r.Faults) > 0) != strings.Contains(dice, "0305") {
			t.Errorf("with dice %q: %v", dice, r.Faults)
		}
	}
}
