package staff

import (
	"testing"

	"fieldpost/adjudicator/wb95"
	"fieldpost/scenarios"
)

// Two officers play the fronts of Kursk, and both at once, without a refused order.
// The first turns only, to be quick; whole games come to a verdict as well.
func TestKurskFronts(t *testing.T) {
	for _, id := range []string{"kursk", "prokhorovka", "kursk-joined"} {
		p, err := scenarios.Open(id)
		if err != nil {
			t.Fatal(err)
		}
		g, err := wb95.System{}.Load(p)
		if err != nil {
			t.Fatal(err)
		}
		c := play(t, g, 2, 1)
		if c.lines < 50 || c.refused > 0 || len(c.troubles) > 0 {
			t.Errorf("%s: %d lines, %d refused, troubles %q", id, c.lines, c.refused, c.troubles)
		}
		t.Logf("%s: points %v, lost %v", id, c.points, c.lost)
	}
}
