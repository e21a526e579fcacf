package famous

import (
	"strings"
	"testing"
)

// A barrage by all who can fire it that nobody can fire is told, with the reason.
func TestABarrageByNobodyIsTold(t *testing.T) {
	playScene(t, "nobody is there", lookedAt+"  BARRAGE 0505 WITH ALL", "EXPECT", "  event skipped: order = BARRAGE 0505 WITH ALL; why has no gun of the chit can shell 0505: no enemy stands on 0505")
	playScene(t, "somebody is", lookedAt+"  BARRAGE 0405 WITH ALL", "DICE", "  barrage g 0405: 1 1 1", "EXPECT", "  no event skipped")
}

// What players write who know the other game, or take a line apart: it is understood, or they are told
// how to write it.
func TestOrdersAsPlayersWriteThem(t *testing.T) {
	p := seatAtOpening(t, "gd-kursk", "GERMAN", nil)
	for order, want := range map[string]string{
		"HQ TO 3528":            "",
		"KEEP 5K":               "such as ADVANCE TO 3332; KEEP 5K.",
		"BARRAGE 3333 WITH ALL": "no gun of the chit can shell 3333",
	} {
		lines := p.files(t, "CHIT 2Pz\n"+order).Lines
		l := lines[len(lines)-1]
		switch {
		case want == "" && l.Refused != nil:
			t.Errorf("%s is refused: %v", order, l.Refused)
		case want != "" && (l.Refused == nil || !strings.Contains(l.Refused.Why+" "+l.Refused.Instead, want)):
			t.Errorf("%s: %v, it should say %q", order, l.Refused, want)
		}
	}
}

// An order to the formation says who does not go, and who comes on to the map goes on where the
// entry hex is full.
func TestFormationsSayWhoStays(t *testing.T) {
	p := seatAtOpening(t, "gd-kursk", "GERMAN", nil)
	for order, want := range map[string]string{
		"ADVANCE TO 3428 BY ROAD":          "orders; 7K/2Pz, HQ 2Pz stay",
		"ADVANCE TO 3428 BY ROAD; KEEP 7K": "orders; HQ 2Pz stays",
		"ADVANCE TO 3428":                  "orders",
	} {
		if got := p.files(t, "CHIT 2Pz\n"+order).Lines[0].Understood; !strings.HasSuffix(got, want) {
			t.Errorf("%s: %q, it should end in %q", order, got, want)
		}
	}
	lines := p.files(t, "CHIT 1Gr\nENTER AT D").Lines
	if n := len(lines) - 1; n != 7 || strings.Contains(lines[0].Understood, "stay") {
		t.Errorf("of seven units %d come on to the map: %q", n, lines[0].Understood)
	}
}
