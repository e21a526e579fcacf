package staff

import (
	"strings"
	"testing"

	"fieldpost/adjudicator/wb95"
	"fieldpost/orders"
	"fieldpost/scenarios"
)

// game loads a scenario of WB-95.
func game(t testing.TB, id string) *wb95.Game {
	t.Helper()
	p, err := scenarios.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	g, err := wb95.System{}.Load(p)
	if err != nil {
		t.Fatal(err)
	}
	return g.(*wb95.Game)
}

// Two officers play every scenario without a refused order: ground froze, pontoons
// are asked for, Poles defect, Germans wait for the Americans to move. The first
// turns only, to be quick; fieldpost scenario results plays whole games.
func TestOpeningTurnsOfEveryScenario(t *testing.T) {
	for _, tc := range []struct {
		id           string
		turns, lines int
	}{
		{"kharkov-1943", 3, 100}, {"black-snow", 3, 100}, {"kursk", 2, 50}, {"prokhorovka", 2, 50},
		{"kursk-joined", 2, 50}, {"nysa-1945", 2, 100}, {"two-stars", 2, 100},
	} {
		t.Run(tc.id, func(t *testing.T) {
			c := play(t, game(t, tc.id), tc.turns, 1)
			if c.lines < tc.lines || c.refused > 0 || len(c.troubles) > 0 {
				t.Errorf("%d lines, %d refused, troubles %q", c.lines, c.refused, c.troubles)
			}
			if strings.HasPrefix(tc.id, "k") && tc.turns == 3 && (c.points[len(c.points)-1] <= c.points[0] || c.lost["Soviets"] == 0) {
				t.Errorf("points of the Germans %v, steps lost %v", c.points, c.lost)
			}
		})
	}
}

// No line of a sheet is longer than the language allows, however many take part.
func TestLinesKeepTheirLimit(t *testing.T) {
	names := make([]string, 40)
	for i := range names {
		names[i] = "a rather long name of a unit"
	}
	if got := fit(names, 100); len(got) > 100 || !strings.HasPrefix(got, names[0]) {
		t.Errorf("%d characters: %s", len(got), got)
	}
	b := &sheet{}
	b.section("MOVE", []string{strings.Repeat("x", orders.MaxLine), "short"})
	for line := range strings.SplitSeq(b.String(), "\n") {
		if len(line) > orders.MaxLine {
			t.Errorf("a line of %d characters", len(line))
		}
	}
	if !strings.Contains(b.String(), "short") {
		t.Error("what fits was left out as well")
	}
}
