package famous

import (
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/orders"
)

var sheetMark = regexp.MustCompile(`(?m)^<!-- sheet (gd-[a-z-]+) ([A-Z]+) turn 1( idle)? -->\n\n((?:    .*\n)+)`)

// Every sheet of docs/ORDERS.md stands line by line on the first turn, and is
// carried out without a word against it.
func TestTheSheetsOfTheDocStand(t *testing.T) {
	doc, err := os.ReadFile("../../docs/ORDERS.md")
	if err != nil {
		t.Fatal(err)
	}
	said := string(doc)
	found := sheetMark.FindAllStringSubmatch(said, -1)
	if len(found) < 6 {
		t.Fatalf("docs/ORDERS.md has %d sheets", len(found))
	}
	for _, m := range found {
		g := &Game{load(t, m[1])}
		s := g.sc.opening()
		r := rand.New(rand.NewPCG(1, 1))
		p, err := adjudicator.Play(s, (*State).clone, phase, nil, plain{r}, plotted{})
		if err != nil {
			t.Fatal(err)
		}
		p.State.Weather = 1
		v := p.State.view(Side(m[2]))
		text := strings.ReplaceAll(m[4], "    ", "")
		sheet, faults := orders.Parse(orders.Canonical("GAME: X\nSIDE: "+m[2]+"\nTURN: 1\nSERIAL: 1\n"+text+"DONE\n"), Vocabulary)
		for _, f := range faults {
			t.Errorf("%s %s: %v", m[1], m[2], f)
		}
		f := g.Check(v, sheet)
		for _, l := range f.Lines {
			if l.Refused != nil {
				t.Errorf("%s %s: %s: %v", m[1], m[2], l.Text, l.Refused)
			}
		}
		if len(f.Lines) == 0 {
			t.Errorf("%s %s: a sheet without lines", m[1], m[2])
		}
		answers := plotted{}
		for k, a := range f.Answers {
			answers[m[2]+" "+k] = a
		}
		q, err := adjudicator.Play(p.State, (*State).clone, phase, nil, plain{r}, answers)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range q.Events {
			if e.Kind == "skipped" {
				t.Errorf("%s %s: not done: %v", m[1], m[2], e.Facts)
			}
		}
	}
	for _, v := range append(verbWords, "OPPORTUNITY", "DEFENSIVE", "BLACK CHIT", "LOSSES", "RETREAT", "ADVANCE", "KEY", "REPLACE", "SETUP", "FIRST", "SUPPLY", "DIVISION") {
		if v != "HOLD" && !strings.Contains(said[strings.Index(said, "# Orders of Famous Divisions"):], v) {
			t.Errorf("docs/ORDERS.md does not speak of %s", v)
		}
	}
}
