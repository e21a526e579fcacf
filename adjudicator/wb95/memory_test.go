package wb95

import (
	"reflect"
	"testing"

	"fieldpost/adjudicator"
)

// A position that is kept is what reading its bytes gives, to the last field.
func TestPositionsAreKeptAsTheyRead(t *testing.T) {
	g := kharkovGame(t)
	n := 0
	playRandomly(t, g, 5, 40, func(_, after []byte, _ adjudicator.Outcome) {
		kept, ok := g.Kept(after)
		if !ok {
			t.Fatal("the position that was just written is not kept")
		}
		fresh, err := decodeState(g.sc, after)
		if err != nil {
			t.Fatal(err)
		}
		a, b := kept.clone(), fresh.clone()
		a.indexHexes() // which list of units is that of a hex does not matter
		b.indexHexes()
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("%s: what is kept differs from what the bytes say", kept.phaseInfo().Label)
		}
		n++
	})
	if n != 40 {
		t.Fatalf("%d phases", n)
	}
}
