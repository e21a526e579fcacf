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
		"ADVANCE TO 3716 OR 3711":              "",
		"WITHDRAW TO 3711; KEEP 111 RD":        "",
		"WITHDRAW TO":                          "hex",
		"ADVANCE TO 3716 OR":                   "hex",
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

// A headquarters whose units have all been activated does not march against the enemy alone: in games
// begun before the fifth version of the rules it did.
func TestAHeadquartersDoesNotAdvanceAlone(t *testing.T) {
	s := load(t, "star-and-gallop").opening()
	hq, goal := s.byName(Soviet, "69A"), s.byName(German, "LAH").Hex
	if us := s.formed(hq, goal); len(us) < 2 || us[len(us)-1] != hq {
		t.Errorf("%s advances with %d units", hq.c.Name, len(us))
	}
	for u := range s.onMap() {
		u.Activated = u.c.Side == Soviet && u != hq
	}
	if us := s.formed(hq, goal); len(us) > 0 {
		t.Errorf("%s advances alone", hq.c.Name)
	}
	before := *s.sc
	before.AsOf, s.sc = 4, &before
	if us := s.formed(hq, goal); len(us) != 1 {
		t.Errorf("in a game of before %d units advance", len(us))
	}
}
