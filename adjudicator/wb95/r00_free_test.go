package wb95

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
)

// What the books let stand freely may stand on all of that ground, and nowhere else.
func TestFreeSetUps(t *testing.T) {
	two := built(t, "two-stars")
	reserve := two.placement("ame-hq-vii").Hexes
	for h, want := range map[hex.Hex]bool{1125: true, 111: true, 1531: true, 134: true, 2333: false, 1829: false, 210: false, 1734: false} {
		if slices.Contains(reserve, h) != want {
			t.Errorf("HQ VII on %v: %v, want %v", h, !want, want)
		}
	}
	nysa := built(t, "nysa-1945")
	group := nysa.placement("ger-rg-1").Hexes
	corps := []hex.Hex{5000, 4802, 4705, 4808, 5110, 4508, 4107}
	for i := range nysa.Board.Grid.Len() {
		h := nysa.Board.Grid.At(i)
		near := slices.ContainsFunc(corps, func(c hex.Hex) bool { return nysa.Board.Grid.Distance(c, h) <= 4 })
		if slices.Contains(group, h) && !near {
			t.Errorf("RG 1 on %v, out of reach of V Corps", h)
		}
		if near && !slices.Contains(group, h) && slices.Contains(nysa.Board.Kinds(h), "clear") && !slices.Contains(nysa.Board.Kinds(h), "swamp") {
			t.Errorf("RG 1 not on %v, %v", h, nysa.Board.Kinds(h))
		}
	}
	if line := nysa.placement("ger-rg-5").Hexes; !slices.Equal(line, []hex.Hex{5000, 4802, 4705, 4808, 5110}) {
		t.Errorf("RG 5 on %v", line)
	}
	for text, want := range map[string]string{"5000(4) 9902(4)": "hex 9902 is not on the map", "5000(4) beside(4)": "hex beside is not on the map"} {
		found := spoiled(t, "nysa-1945", swap{"setup.tsv", "ger-rg-1\t5000(4) 4802(4)", "ger-rg-1\t" + text})
		if !slices.ContainsFunc(found, func(f adjudicator.Finding) bool { return strings.Contains(f.String(), want) }) {
			t.Errorf("%s: %v, want %s", text, found, want)
		}
	}
}
