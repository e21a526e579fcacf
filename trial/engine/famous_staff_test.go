package engine

import (
	"context"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/playtest"
)

// Two staffs open a battle by filed programmes, and again writing each programme when
// its chit is drawn: no order is refused, and the side that must attack does.
func TestFamousStaffAttacks(t *testing.T) {
	for _, mode := range []string{"", "ASK"} {
		t.Run("mode "+mode, func(t *testing.T) {
			attacks, barrages := 0, 0
			m := famousMatch(t, "gd-mischurin-rog", 3, func(adjudicator.Game, adjudicator.Side) playtest.Player { return nil })
			m.Mode = mode
			m.Each = func(_ []byte, out adjudicator.Outcome) error {
				for _, e := range out.Events {
					switch {
					case e.Kind == "combat" && e.Side == "GERMAN":
						attacks++
					case e.Kind == "barrage" && e.Side == "GERMAN":
						barrages++
					}
				}
				return nil
			}
			r, err := m.Play(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if r.Refused > 0 || attacks < 2 || barrages < 1 {
				t.Errorf("%d orders refused, %d German attacks and %d barrages in three turns", r.Refused, attacks, barrages)
			}
		})
	}
}
