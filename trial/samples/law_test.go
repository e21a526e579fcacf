package samples

import (
	"testing"

	"fieldpost/trial"
	"fieldpost/trial/law"
	"fieldpost/umpire/match"
)

// What was answered is what happens, in a sample of each game with chits.
func TestOrdersComeOutAsAnswered(t *testing.T) {
	for _, id := range []string{"gd-kursk", "star-and-gallop"} {
		t.Run(id, func(t *testing.T) {
			games := trial.Trial{Load: match.Builtin.Game, Scenarios: []string{id}}
			m, err := games.Match(id, 5)
			if err != nil {
				t.Fatal(err)
			}
			tally, err := law.Play(m, 16)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range tally.Broken() {
				t.Error(s)
			}
			if tally.Kept < 50 || tally.Refused+tally.AsWarned == 0 {
				t.Errorf("the sample tries too little: %v", tally)
			}
		})
	}
}
