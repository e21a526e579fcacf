package umpire

import (
	"os"
	"strings"
	"testing"

	"fieldpost/adjudicator/wb95"
	"fieldpost/orders"
)

// The orders of docs/ORDERS.md are read and stand, each section on the opening of
// Kharkov 1942 as the Soviet player has it.
func TestTheOrdersOfTheDocumentStand(t *testing.T) {
	text, err := os.ReadFile("../docs/ORDERS.md")
	if err != nil {
		t.Fatal(err)
	}
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
	checked := 0
	for _, box := range strings.Split(string(text), "\n\n") {
		if !strings.HasPrefix(box, "    ") || strings.Contains(box, " = ") || strings.Contains(box, "SERIAL") {
			continue
		}
		if strings.HasPrefix(strings.TrimSpace(box), "AIR  ") {
			continue
		}
		sheet, faults := orders.Parse(orders.Canonical("GAME: X SIDE: SOVIET TURN: 1 SERIAL: 1\n"+box), wb95.Vocabulary)
		if len(faults) > 0 {
			t.Errorf("%v in\n%s", faults, box)
		}
		f := game.Check(v, sheet)
		for _, l := range f.Lines {
			// A cavalry corps of the next day cannot be tried today.
			if l.Refused != nil && !strings.HasPrefix(l.Text, "III CAV") {
				t.Errorf("%s: %v", l.Text, l.Refused)
			}
			if l.Text != "" {
				checked++
			}
		}
	}
	if checked < 20 {
		t.Errorf("only %d orders of the document were tried", checked)
	}
}
