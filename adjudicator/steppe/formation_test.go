package steppe

import (
	"strings"
	"testing"

	"fieldpost/orders"
)

// An order to all units of a chit is read as a movement of those in range, and says how it is
// written where it is not.
func TestFormationsAreReadOrRefused(t *testing.T) {
	s := load(t, "star-and-gallop").opening()
	g := newGame(s.sc)
	for order, why := range map[string]string{
		"ADVANCE TO 3716; KEEP 111 RD":         "",
		"ADVANCE TO 3716 INTO CONTACT":         "",
		"ADVANCE TO 3716 VIA 3711; KEEP 15 TC": "",
		"ADVANCE TO":                           "hex",
		"ADVANCE TO 9999":                      "9999",
		"ADVANCE TO 3716 SLOWLY":               "in an order to all units",
		"ADVANCE TO 3716; KEEP LAH":            "LAH",
		"ADVANCE ALL":                          "ADVANCE",
	} {
		sheet, _ := orders.Parse(orders.Canonical("GAME: X\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nCHIT 3TA\n  "+order+"\nDONE\n"), Vocabulary)
		lines := g.Check(s.view(Soviet), sheet).Lines
		said := ""
		for _, l := range lines {
			if l.Refused != nil {
				said = l.Refused.Why
			}
		}
		if (why == "") != (said == "") || !strings.Contains(said, why) {
			t.Errorf("%s: %q, it should say %q", order, said, why)
		}
	}
}
