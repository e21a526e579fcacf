package umpire

import (
	"os"
	"strings"
	"testing"

	"fieldpost/adjudicator/wb95"
	"fieldpost/orders"
)

// The sheet that the README shows must be one that stands, line by line.
func TestTheReadmesSheetStands(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, sheet, ok := strings.Cut(string(text), "A turn is one sheet:\n")
	if !ok {
		t.Fatal("the README has no sheet")
	}
	sheet, _, _ = strings.Cut(sheet, "\nSign it")
	game, err := Scenario("kharkov-1942")
	if err != nil {
		t.Fatal(err)
	}
	opening, err := game.Opening()
	if err != nil {
		t.Fatal(err)
	}
	v, err := game.View(opening, "SOVIET")
	if err != nil {
		t.Fatal(err)
	}
	parsed, faults := orders.Parse(orders.Canonical(sheet), wb95.Vocabulary)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	f := game.Check(v, parsed)
	if n, _ := f.Accepted(); n < 8 || !f.Done {
		t.Errorf("only %d orders were read", n)
	}
	for _, l := range f.Lines {
		if l.Refused != nil {
			t.Errorf("%s: %v", l.Text, l.Refused)
		}
	}
}
