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
		res, err := Pair{Scenario: scenario, Number: number, Turns: 1, Library: library, Others: 2}.Play(t.Context(), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range res.Differing {
			t.Errorf("%s %d: %s", scenario, number, d)
		}
		if res.Turn < 2 || res.Acts == 0 || res.Mails < 10 || res.Pages < 8 {
			t.Errorf("too little was played to show anything: %+v", res)
		}
	}
}
