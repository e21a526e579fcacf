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
			kept, others := 0, 0
			for number := 5; number <= 6; number++ {
				m, err := games.Match(id, number)
				if err != nil {
					t.Fatal(err)
				}
				tally, err := law.Play(m, 12)
				if err != nil {
					t.Fatal(err)
				}
				for _, s := range tally.Broken() {
					t.Error(s)
				}
				kept, others = kept+tally.Kept, others+tally.Refused+tally.AsWarned
			}
			if kept < 50 || others == 0 {
				t.Errorf("the sample tries too little: %d orders were done as answered, %d refused or warned of", kept, others)
			}
		})
	}
}
