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

// The lines of EVERY CHIT are filed with every programme and each of its variants that does not end in
// STOP ALL, and are answered once.
func TestLinesOfEveryChit(t *testing.T) {
	s := load(t, "star-and-gallop").opening()
	g := newGame(s.sc)
	for _, x := range []struct{ sheet, filed, told string }{
		{"CHIT SS PZ\n  MOVE LAH TO 2612\nCHIT OKH: STOP ALL\nEVERY CHIT: ATTACK ANY; MIN 3:1; ARTILLERY 2; STOP HERE IF LOSSES 2",
			"CHIT SS PZ\nMOVE LAH TO 2612\nATTACK ANY MIN 3:1 ARTILLERY 2\nSTOP HERE IF LOSSES 2\nCHIT OKH: STOP ALL\n", "stands behind the last line of every programme"},
		{"EVERY CHIT\n  ATTACK ANY MIN 3:1\nCHIT SS PZ\n  MOVE LAH TO 2612\n  IF TURN 2 THEN\n  HQ TO 2612",
			"CHIT SS PZ\nMOVE LAH TO 2612\nATTACK ANY MIN 3:1\nIF TURN 2 THEN\nHQ TO 2612\nATTACK ANY MIN 3:1\n", "stands behind the last line of every programme"},
		{"EVERY CHIT\n  MOVE LAH TO 2612; ATTACK 2512 WITH ALL\nCHIT SS PZ\n  HQ TO 2611\nCHIT OKH\n  HQ TO 1335", "CHIT SS PZ\nHQ TO 2611\nMOVE LAH TO 2612\nATTACK 2512 WITH ALL\nCHIT OKH\nHQ TO 1335\nATTACK 2512 WITH ALL\n",
			"stands behind the last line of every programme"},
		{"EVERY CHIT\n  HQ TO 2612\nCHIT SS PZ\n  HOLD", "", "it names units or a hex, and stands below its own chit"},
		{"EVERY CHIT\n  ADVANCE TO 2612\nCHIT SS PZ\n  HOLD", "", "an order to all units of a chit stands below its own chit"},
		{"CHIT SS PZ, OKH IF TURN 2\n  HQ TO 2612; STOP ALL\nCHIT SS PZ, OKH OTHERWISE: HOLD",
			"CHIT SS PZ IF TURN 2\nHQ TO 2612; STOP ALL\nCHIT OKH IF TURN 2\nHQ TO 2612; STOP ALL\nCHIT SS PZ OTHERWISE: HOLD\nCHIT OKH OTHERWISE: HOLD\n", "OKH: noted"},
		{"CHIT SS PZ, OKH\n  MOVE LAH TO 2612\n  ATTACK ANY; MIN 3:1", "CHIT SS PZ\nMOVE LAH TO 2612\nATTACK ANY; MIN 3:1\nCHIT OKH\nATTACK ANY; MIN 3:1\n", "OKH: LAH is of the SS and does not obey OKH of the German Army"},
		{"EVERY DAY\n  ATTACK ANY\nCHIT SS PZ\n  MOVE LAH TO 2612", "CHIT SS PZ\nMOVE LAH TO 2612\n", "it is not filed: it stands under EVERY DAY, which was refused"},
	} {
		sheet, faults := orders.Parse(orders.Canonical("GAME: X\nSIDE: GERMAN\nTURN: 1\nSERIAL: 1\n"+x.sheet+"\nDONE\n"), Vocabulary)
		f := g.Check(s.view(German), sheet)
		if got := f.Answers[KindOrders]; x.filed != "" && got != x.filed || len(faults) > 0 {
			t.Errorf("%s: %q is filed, not %q; %v", x.sheet, got, x.filed, faults)
		}
		told := map[string]int{}
		for _, l := range f.Lines {
			why := l.Understood
			if l.Refused != nil {
				why = l.Refused.Why
			}
			told[why]++
		}
		if told[x.told] == 0 || told[x.told] > 2 {
			t.Errorf("%s: %q is answered %d times: %v", x.sheet, x.told, told[x.told], told)
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
