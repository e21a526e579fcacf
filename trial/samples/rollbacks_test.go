package samples

import (
	"testing"

	"fieldpost/trial/rollbacks"
	"fieldpost/umpire/match"
)

// A few short games; fieldpost-trial rollbacks plays as many as one likes.
func TestGamesThatAreSetBackAndForth(t *testing.T) {
	library, err := match.NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	var all rollbacks.Deeds
	for number := 1; number <= 3; number++ {
		done, err := rollbacks.Play(t.Context(), rollbacks.Game{Scenario: "star-and-gallop", Number: number, Acts: 3}, library)
		if err != nil {
			t.Errorf("game %d: %v", number, err)
		}
		all.Add(done)
	}
	if all.Back == 0 || all.Forward+all.Edits+all.Branches == 0 {
		t.Errorf("the moderator did too little: %+v", all)
	}
}
