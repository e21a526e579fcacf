package famous

import (
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/orders"
)

// The guide sees into a section of several chits: orders are added to it, and it knows where the
// units of each are by then.
func TestTheGuideOfSeveralChits(t *testing.T) {
	g, position := startGame(t, "gd-kursk", nil)
	p := seatAt(t, g, position, "GERMAN")
	a, err := g.(adjudicator.Guiding).Guide(p.view)
	if err != nil {
		t.Fatal(err)
	}
	sheet, _ := orders.Parse(orders.Canonical("GAME: X\nSIDE: GERMAN\nTURN: 1\nSERIAL: 1\nCHIT 2Pz, 1Fus\n  MOVE 5K TO 3428\n"), Vocabulary)
	a.Rehearse(sheet)
	for unit, moves := range map[string]bool{"5K/2Pz": false, "6K/2Pz": true, "1K/1Fus": true} {
		ways, err := a.Reach(unit, "")
		if moves != (err == nil && len(ways) > 0) {
			t.Errorf("%s goes to %d hexes, %v", unit, len(ways), err)
		}
		for _, w := range ways {
			if w.Section != "CHIT 2PZ, 1FUS" {
				t.Errorf("%s goes to %v under %s", unit, w.Hex, w.Section)
			}
		}
	}
	offers, err := a.Verbs("CHIT 2Art")
	if err != nil {
		t.Fatal(err)
	}
	supports := 0
	for _, o := range offers {
		if strings.HasPrefix(o.Order, "SUPPORT ") {
			supports++
		}
	}
	if supports < 5 {
		t.Errorf("%d battalions are offered to the guns", supports)
	}
}
