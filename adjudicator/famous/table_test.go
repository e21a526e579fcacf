package famous

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/casebook"
	"fieldpost/adjudicator/caserun"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/scenarios"
)

// What the tables of this package's tests share: a position is written as those of the
// numbered cases are (testdata/cases/README.md), played, and looked at.

// testCharts is the scenario whose charts and tables the small maps use, loaded once.
var testCharts = sync.OnceValue(func() *Scenario {
	pack, err := scenarios.Open("gd-kursk")
	if err != nil {
		panic(err)
	}
	sc, err := Load(pack)
	if err != nil {
		panic(err)
	}
	return sc
})

// playScene plays a case that a test has written and reports what its EXPECT finds wrong.
func playScene(t *testing.T, name string, parts ...string) *caseRun {
	t.Helper()
	text := strings.Join(parts, "\n")
	cases, err := casebook.Parse("scene", "CASE 0.0/0-1 \"scene\"\n"+text)
	if err != nil || len(cases) != 1 {
		t.Fatalf("%s: %v\n%s", name, err, text)
	}
	r := newCaseRun(caserun.New(t, cases[0]), testCharts())
	r.run()
	if len(r.Faults) > 0 {
		t.Errorf("%s:\n%s\n%s", name, strings.Join(r.Faults, "\n"), text)
	}
	return r
}

// told is the first event of a kind, or nil.
func (r *caseRun) told(kind string) *view.Event { return firstEvent(r.Events, kind) }

func firstEvent(events []view.Event, kind string) *view.Event {
	for i := range events {
		if events[i].Kind == kind {
			return &events[i]
		}
	}
	return nil
}

// testSeat is a side at the table of a game: what it sees, and a checker for its sheets.
type testSeat struct {
	game adjudicator.Game
	view *view.View
	side string
}

// seatAtScene is a seat before the Supply Phase of a scene that was laid out, not played.
func seatAtScene(t *testing.T, side string, parts ...string) testSeat {
	t.Helper()
	r := playScene(t, "layout", parts...)
	r.s.Phase, r.s.Cup = 2, r.s.chits()
	return seatAt(t, newGame(r.s.sc), r.s.encode(), side)
}

func seatAt(t *testing.T, g adjudicator.Game, position []byte, side string) testSeat {
	t.Helper()
	v, err := g.View(position, adjudicator.Side(side))
	if err != nil {
		t.Fatal(err)
	}
	return testSeat{g, v, side}
}

// seatAtOpening is a scenario of the book at its opening, under options.
func seatAtOpening(t *testing.T, id, side string, options map[string]string) testSeat {
	t.Helper()
	g, position := startGame(t, id, options)
	return seatAt(t, g, position, side)
}

// startGame loads a scenario as the daemon does.
func startGame(t *testing.T, id string, options map[string]string) (adjudicator.Game, []byte) {
	t.Helper()
	pack, err := scenarios.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	g, err := System{}.Load(pack)
	if err == nil && options != nil {
		g, err = adjudicator.Under(g, options)
	}
	if err != nil {
		t.Fatal(err)
	}
	position, err := g.Opening()
	if err != nil {
		t.Fatal(err)
	}
	return g, position
}

// files hands in a sheet, without its head, and returns the verdict.
func (p testSeat) files(t *testing.T, body string) *adjudicator.Filing {
	t.Helper()
	text := fmt.Sprintf("GAME: X\nSIDE: %s\nTURN: %d\nSERIAL: 1\n%s\nDONE\n", p.side, max(0, p.view.Turn), body)
	sheet, faults := orders.Parse(orders.Canonical(text), Vocabulary)
	if len(faults) > 0 {
		t.Fatalf("%s: %v", body, faults)
	}
	return p.game.(interface {
		Check(*view.View, *orders.Sheet) *adjudicator.Filing
	}).Check(p.view, sheet)
}

// verdict is what a sheet of one order is told: its echo, or the refusal.
func (p testSeat) verdict(t *testing.T, body string) adjudicator.Line {
	t.Helper()
	f := p.files(t, body)
	if len(f.Lines) == 0 {
		t.Fatalf("%q: no line is judged", body)
	}
	for _, l := range f.Lines {
		if l.Refused != nil {
			return l
		}
	}
	return f.Lines[len(f.Lines)-1]
}

// refusedOrder is a line of a table of orders that are refused: the clause without "GD ",
// part of the reason, part of what would be legal, and the column of the word at fault.
type refusedOrder struct {
	order, clause, why, instead string
	col                         int
}

func (p testSeat) refuses(t *testing.T, head string, table []refusedOrder) {
	t.Helper()
	for _, x := range table {
		v := p.verdict(t, head+x.order).Refused
		clause := ""
		if x.clause != "" {
			clause = "GD " + x.clause
		}
		switch {
		case v == nil:
			t.Errorf("%q is accepted", x.order)
		case string(v.Clause) != clause:
			t.Errorf("%q is refused by %q, not %q: %s", x.order, v.Clause, clause, v.Why)
		case !strings.Contains(v.Why, x.why):
			t.Errorf("%q is refused as %q, not %q", x.order, v.Why, x.why)
		case !strings.Contains(v.Instead, x.instead), x.instead == "" && v.Instead != "":
			t.Errorf("%q: instead %q is offered, not %q", x.order, v.Instead, x.instead)
		case x.col != v.Col:
			t.Errorf("%q: the fault is at column %d, not %d", x.order, v.Col, x.col)
		}
	}
}

// accepts reads pairs of an order and a part of its echo.
func (p testSeat) accepts(t *testing.T, head string, table [][2]string) {
	t.Helper()
	for _, x := range table {
		l := p.verdict(t, head+x[0])
		if l.Refused != nil {
			t.Errorf("%q is refused: %v", x[0], l.Refused)
		} else if !strings.Contains(l.Understood, x[1]) {
			t.Errorf("%q is understood as %q, not %q", x[0], l.Understood, x[1])
		}
	}
}

// testRand is dice that fall alike in every run.
func testRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 11)) }
