package staff

import (
	"strings"
	"testing"
)

// On 16 April 1945 the Soviets have ammunition for a barrage. Their officer fires
// it, at least two guns on a hex, and nobody refuses it; no gun fires twice.
func TestBarrage(t *testing.T) {
	g := game(t, "nysa-1945")
	pos, err := g.Opening()
	if err != nil {
		t.Fatal(err)
	}
	for _, side := range g.Sides() {
		_, refused, _, text := file(t, g, look(t, g, pos, side))
		_, rest, fires := strings.Cut(text, "\nBARRAGE\n")
		if fires != (side == "SOVIET") {
			t.Errorf("%s: barrage %v\n%s", side, fires, text)
		}
		section, after, _ := strings.Cut(rest, "\nMOVE\n")
		for _, line := range strings.Split(section, "\n") {
			guns, _, _ := strings.Cut(line, " AT ")
			if fires && !strings.Contains(guns, ", ") {
				t.Errorf("one gun is no barrage: %q", line)
			}
			for _, gun := range strings.Split(guns, ", ") {
				if fires && strings.Contains(after, "ART "+gun) {
					t.Errorf("%s fires the barrage and supports an attack", gun)
				}
			}
		}
		if len(refused) > 0 {
			t.Errorf("refused: %q", refused)
		}
	}
}
