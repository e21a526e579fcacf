package histories

import (
	"testing"

	"fieldpost/umpire/match"
)

// A sample of the pairs; fieldpost-trial histories plays more, of every scenario.
func TestNobodyLearnsWhatTheEnemyDidBeside(t *testing.T) {
	library, err := match.NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	for number, scenario := range []string{"prokhorovka", "gd-lutchessa"} {
		res, err := Pair{Scenario: scenario, Number: number, Turns: 1, Library: library}.Play(t.Context(), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range res.Differing {
			t.Errorf("%s %d: %s", scenario, number, d)
		}
		t.Logf("%+v", res)
	}
}
