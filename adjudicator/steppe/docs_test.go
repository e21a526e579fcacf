package steppe

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/casebook"
	"fieldpost/adjudicator/caserun"
	"fieldpost/orders"
)

// The sheets of docs/ORDERS-STEPPE.md stand as they are printed, in Star and Gallop before
// its first chit.
func TestTheSheetsOfTheGuideStand(t *testing.T) {
	text, err := os.ReadFile("../../docs/ORDERS-STEPPE.md")
	if err != nil {
		t.Fatal(err)
	}
	g := newGame(load(t, "star-and-gallop"))
	s := g.sc.opening()
	s.Step, s.Phase = StepOrders, 2
	found := regexp.MustCompile("(?s)```\n(GAME:.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(found) != 2 {
		t.Fatalf("%d sheets were found in the guide", len(found))
	}
	for _, m := range found {
		sheet, faults := orders.Parse(orders.Canonical(m[1]), Vocabulary)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		f := g.Check(s.view(Side(sheet.Header("SIDE"))), sheet)
		for _, l := range f.Lines {
			if l.Refused != nil {
				t.Errorf("%v %s: %v", l.Pos, l.Text, l.Refused)
			}
		}
		if len(f.Lines) < 10 || !f.Done {
			t.Errorf("only %d lines were read", len(f.Lines))
		}
		// What is kept of the sheet reads again as the same orders.
		_, kept := cutMode(f.Answers[KindOrders])
		reread, _ := orders.Parse(kept, Vocabulary)
		first, again := s.readTurn(Side(sheet.Header("SIDE")), reread.Sections), 0
		for _, p := range append(first.programmes, first.solo...) {
			again += len(p.steps)
		}
		if again == 0 || len(first.standing) < 3 {
			t.Errorf("kept are %d orders and %d standing lines", again, len(first.standing))
		}
	}
}

var updateOrders = flag.Bool("update-orders", false, "write testdata/orders.txt, what comes of the examples of the guide")

var stageMark = regexp.MustCompile(`(?ms)^<!-- stage\n(.*?)-->\n\n((?:    [^\n]*\n)+)`)

// The examples of the guide that stand in a position of their own, written as those
// of the numbered cases are, go from their text to the echo and to what comes of
// them: testdata/orders.txt holds both.
func TestTheExamplesOfTheGuide(t *testing.T) {
	text, err := os.ReadFile("../../docs/ORDERS-STEPPE.md")
	if err != nil {
		t.Fatal(err)
	}
	found := stageMark.FindAllStringSubmatch(string(text), -1)
	if len(found) < 5 {
		t.Fatalf("%d examples were found in the guide", len(found))
	}
	var out strings.Builder
	for n, m := range found {
		name := fmt.Sprintf("position %d", n+1)
		sheet := strings.ReplaceAll(m[2], "    ", "")
		layout, dice, _ := strings.Cut(m[1], "DICE ")
		if dice != "" {
			dice = "DICE " + dice
		}
		fmt.Fprintf(&out, "== %s\n%s\n-- echo\n", name, strings.TrimSpace(sheet))
		before := staged(t, name, layout+"EXPECT no event flood\n")
		before.s.Step, before.s.Phase = StepOrders, 2
		parsed, faults := orders.Parse(orders.Canonical("GAME: X\nSIDE: GERMAN\nTURN: 1\nSERIAL: 1\n"+sheet+"DONE\n"), Vocabulary)
		if len(faults) > 0 {
			t.Errorf("%s: %v", name, faults[0])
		}
		for _, l := range newGame(before.s.sc).Check(before.s.view(German), parsed).Lines {
			switch {
			case l.Refused != nil:
				t.Errorf("%s: %s: %v", name, l.Text, l.Refused)
			case l.Text != "":
				fmt.Fprintf(&out, "%s\n    %s\n", l.Text, strings.TrimSpace(l.Understood+" "+l.Warning))
			}
		}
		after := staged(t, name, layout+sheet+dice+"EXPECT no event flood\n")
		out.WriteString("-- what came of it\n")
		for _, e := range after.Events {
			if e.Kind == "dropped" || e.Kind == "skipped" {
				t.Errorf("%s: not done: %v", name, e.Facts.Map())
			}
			fmt.Fprintf(&out, "%s %v", e.Kind, e.Hexes)
			for _, k := range slices.Sorted(maps.Keys(e.Facts.Map())) {
				fmt.Fprintf(&out, "; %s = %s", k, e.Facts.Get(k))
			}
			out.WriteString("\n")
		}
		out.WriteString("\n")
	}
	for _, v := range verbs {
		if !strings.Contains(out.String(), v) {
			t.Errorf("no example of the guide has %s", v)
		}
	}
	path := filepath.Join("testdata", "orders.txt")
	if *updateOrders {
		if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, _ := os.ReadFile(path); string(want) != out.String() {
		t.Errorf("the examples come out otherwise than %s says (-update-orders writes it):\n%s", path, out.String())
	}
}

// staged plays a position and what follows it as a case that expects nothing.
func staged(t *testing.T, name, body string) *caseRun {
	t.Helper()
	cases, err := casebook.Parse("ORDERS-STEPPE.md", "CASE 0.0/0-1 \""+name+"\"\n"+body)
	if err != nil || len(cases) != 1 {
		t.Fatalf("%s: %v", name, err)
	}
	r := newCaseRun(caserun.New(t, cases[0]))
	r.run()
	for _, f := range r.Faults {
		t.Errorf("%s: %s", name, f)
	}
	return r
}
