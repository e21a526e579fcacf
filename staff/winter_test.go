package staff

import (
	"testing"

	"fieldpost/adjudicator/wb95"
	"fieldpost/scenarios"
)

// Two officers play the scenarios of 1943 without a refused order. The first turns
// only, to be quick; whole games come to a verdict as well.
func TestWinterCampaigns(t *testing.T) {
	for _, id := range []string{"kharkov-1943", "black-snow"} {
		p, err := scenarios.Open(id)
		if err != nil {
			t.Fatal(err)
		}
		g, err := wb95.System{}.Load(p)
		if err != nil {
			t.Fatal(err)
		}
		c := play(t, g, 3, 1)
		if c.lines < 100 || c.refused > 0 || len(c.troubles) > 0 {
			t.Errorf("%s: %d lines, %d refused, troubles %q", id, c.lines, c.refused, c.troubles)
		}
		if c.points[len(c.points)-1] <= c.points[0] || c.lost["Soviets"] == 0 {
			t.Errorf("%s: points of the Germans %v, steps lost %v", id, c.points, c.lost)
		}
	}
}
