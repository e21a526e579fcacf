package steppe

import (
	"os"
	"regexp"
	"testing"

	"fieldpost/orders"
)

// The sheets of docs/ORDERS-STEPPE.md stand as they are printed, in Star and Gallop before
// its first chit.
func TestTheSheetsOfTheGuideStand(t *testing.T) {
	text, err := os.ReadFile("../../docs/ORDERS-STEPPE.md")
	if err != nil {
		t.Fatal(err)
	}
	g := &Game{sc: load(t, "star-and-gallop")}
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
		first, again := s.filed(Side(sheet.Header("SIDE")), kept), 0
		for _, p := range append(first.programmes, first.solo...) {
			again += len(p.steps)
		}
		if again == 0 || len(first.standing) < 3 {
			t.Errorf("kept are %d orders and %d standing lines", again, len(first.standing))
		}
	}
}
