package arena

import (
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/playtest"
)

// Who wins by a strategic victory in mid game does not come out behind those who collect points
// to the end, on either side; other games count as they end.
func TestStrategicVictoriesCountMost(t *testing.T) {
	for _, c := range []struct {
		name                   string
		margins, victors, want [3]int
	}{
		{"none", [3]int{7, -3, 4}, [3]int{}, [3]int{7, -3, 4}},
		{"early, with fewer points than others come to", [3]int{60, 90, 106}, [3]int{1, 0, 0}, [3]int{107, 90, 106}},
		{"with few points in all", [3]int{3, 1, 2}, [3]int{1, 0, 0}, [3]int{20, 1, 2}},
		{"by the second team", [3]int{-5, -40, -8}, [3]int{-1, 0, 0}, [3]int{-41, -40, -8}},
		{"by the second team, behind on points", [3]int{6, 2, 9}, [3]int{0, -1, 0}, [3]int{6, -20, 9}},
		{"in all games", [3]int{30, 50, 40}, [3]int{1, 1, 1}, [3]int{50, 50, 50}},
	} {
		if got := settled(c.margins, c.victors); got != c.want {
			t.Errorf("%s: %v, not %v", c.name, got, c.want)
		}
	}
	teams := [2][]adjudicator.Side{{"GERMAN"}, {"SOVIET"}}
	for verdict, want := range map[string]int{"strategic victory of Soviets: Kharkov": -1, "tactical victory of Soviets: 3 to 1": 0} {
		if got := victor(teams, playtest.Result{Winner: "SOVIET", Verdict: verdict}); got != want {
			t.Errorf("%q: %d, not %d", verdict, got, want)
		}
	}
}
