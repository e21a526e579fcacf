package steppe

import (
	"strings"
	"testing"

	"fieldpost/orders"
)

// What was filed for the last turn is filed again by a line, judged anew and shown in full; lines below
// it stand behind it. A chit without a programme then, and a game of before the sixth version, refuse it.
func TestAsLastTurn(t *testing.T) {
	s := load(t, "star-and-gallop").opening()
	k := sideIndex(German)
	s.Sheets[k].Orders = "CHITS OKH\nCHIT SS PZ IF WEATHER SNOW\nHQ TO 2611; MOVE LAH TO 2612\nCHIT SS PZ OTHERWISE\nATTACK ANY MIN 3:1\nCHIT OKH: HQ TO 1335\nSTANDING\nADVANCE KEY\n"
	s.clearTurn()
	g := newGame(s.sc)
	check := func(g *Game, body string) (filed string, lines []string) {
		t.Helper()
		sheet, faults := orders.Parse(orders.Canonical("GAME: X\nSIDE: GERMAN\nTURN: 1\nSERIAL: 1\n"+body+"\nDONE\n"), Vocabulary)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		f := g.Check(s.view(German), sheet)
		for _, l := range f.Lines {
			says := l.Understood
			if l.Refused != nil {
				says = "XX " + l.Refused.Why
			}
			lines = append(lines, strings.TrimSpace(strings.Join([]string{l.Pos.String(), strings.Repeat(".", l.Part), l.Text, says}, " ")))
		}
		return f.Answers[KindOrders], lines
	}
	filed, lines := check(g, "CHIT SS PZ AS LAST TURN\n  STOP ALL\nCHIT OKH AS LAST TURN")
	want := "CHIT SS PZ IF WEATHER SNOW\nHQ TO 2611; MOVE LAH TO 2612\nCHIT SS PZ OTHERWISE\nATTACK ANY MIN 3:1\nSTOP ALL\nCHIT OKH: HQ TO 1335\n"
	if filed != want {
		t.Errorf("%q is filed, not %q", filed, want)
	}
	told := strings.Join(lines, "\n")
	for _, says := range []string{"column 1  CHIT SS PZ AS LAST TURN as it was filed for the last turn", ". CHIT SS PZ IF WEATHER SNOW", ".. HQ TO 2611 SS Pz 2512-2511-2611", "... MOVE LAH TO 2612 LAH",
		"STOP ALL noted", "CHIT OKH AS LAST TURN as it was"} {
		if !strings.Contains(told, says) {
			t.Errorf("it is not told %q:\n%s", says, told)
		}
	}
	if both, _ := check(g, "CHIT SS PZ, OKH AS LAST TURN"); both != strings.Replace(want, "STOP ALL\n", "", 1) {
		t.Errorf("for both chits %q is filed", both)
	}
	for body, why := range map[string]string{
		"CHIT 3 PZ AS LAST TURN\n  HQ TO 4125": "no programme of 3 Pz was filed for the last turn",
		"CHIT 9 PZ AS LAST TURN":               "CHIT names no headquarters of yours",
	} {
		if filed, lines := check(g, body); filed != "" || !strings.Contains(strings.Join(lines, "\n"), why) {
			t.Errorf("%s: %q is filed, and told %q", body, filed, lines)
		}
	}
	old, _ := g.AsOf("5")
	if _, lines := check(old.(*Game), "CHIT SS PZ AS LAST TURN"); !strings.Contains(lines[0], `XX "AS" is not understood`) {
		t.Errorf("an older game says %q", lines)
	}
	if foe := s.view(Soviet).Programmes; len(foe) > 0 {
		t.Errorf("the enemy knows of %q", foe)
	}
	a, err := g.Guide(s.view(German))
	if err != nil {
		t.Fatal(err)
	}
	sheet, _ := orders.Parse(orders.Canonical("GAME: X\nSIDE: GERMAN\nTURN: 1\nSERIAL: 1\nCHIT OKH AS LAST TURN\n"), Vocabulary)
	a.Rehearse(sheet)
	if ways, err := a.Reach("333 ID", ""); err != nil || len(ways) == 0 || ways[0].Section != "CHIT OKH AS LAST TURN" {
		t.Errorf("the guide: %d ways, %v", len(ways), err)
	}
	if ways, err := a.Reach("OKH", ""); err == nil {
		t.Errorf("OKH moves again, to %d hexes", len(ways))
	}
}
