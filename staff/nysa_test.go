package staff

import (
	"os"
	"testing"

	"fieldpost/adjudicator/wb95"
	"fieldpost/scenarios"
)

// Two officers play Nysa 1945 and Two Stars: pontoons are asked for, Poles defect,
// Germans wait for the Americans to move, and nothing they order is refused. The
// first turns only, to be quick; WHOLE=1 plays to the verdict.
func TestNysaAndTwoStars(t *testing.T) {
	for _, id := range []string{"nysa-1945", "two-stars"} {
		p, err := scenarios.Open(id)
		if err != nil {
			t.Fatal(err)
		}
		g, err := wb95.System{}.Load(p)
		if err != nil {
			t.Fatal(err)
		}
		turns := 2
		if os.Getenv("WHOLE") != "" {
			turns = 17
		}
		c := play(t, g, turns, 1)
		t.Logf("%s: %d lines, %d refused, points %v, %s", id, c.lines, c.refused, c.points, c.view.Verdict)
		if c.lines < 100 || c.refused > 0 || len(c.troubles) > 0 {
			t.Errorf("%s: %d lines, %d refused, troubles %q", id, c.lines, c.refused, c.troubles)
		}
	}
}
