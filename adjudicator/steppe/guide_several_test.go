package steppe

import (
	"strings"
	"testing"

	"fieldpost/orders"
)

// The guide sees into a section of several chits, and offers to bring on all who are due.
func TestTheGuideOfSeveralChits(t *testing.T) {
	s := load(t, "star-and-gallop").opening()
	a, err := newGame(s.sc).Guide(s.view(German))
	if err != nil {
		t.Fatal(err)
	}
	sheet, _ := orders.Parse(orders.Canonical("GAME: X\nSIDE: GERMAN\nTURN: 1\nSERIAL: 1\nCHIT OKH, SS PZ\n  MOVE LAH TO 2612\n"), Vocabulary)
	a.Rehearse(sheet)
	if ways, err := a.Reach("LAH", ""); err == nil {
		t.Errorf("LAH moves again, to %d hexes", len(ways))
	}
	for _, unit := range []string{"DR-", "333 ID"} {
		ways, err := a.Reach(unit, "")
		if err != nil || len(ways) == 0 || ways[0].Section != "CHIT OKH, SS PZ" {
			t.Errorf("%s: %d ways, %v", unit, len(ways), err)
		}
	}
	s.Turn = 2 // when reinforcements come
	sov, err := newGame(s.sc).Guide(s.view(Soviet))
	if err != nil {
		t.Fatal(err)
	}
	due := 0
	for _, actor := range sov.Actors() {
		offers, err := sov.Verbs(actor.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range offers {
			if strings.HasPrefix(o.Order, "ENTER ALL ") {
				if due++; o.Refused != nil {
					t.Errorf("%s is offered and refused: %v", o.Order, o.Refused)
				}
			}
		}
	}
	if due == 0 {
		t.Error("nobody is offered to bring on all who are due")
	}
}
