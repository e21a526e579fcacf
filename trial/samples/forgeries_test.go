package samples

import (
	"testing"

	"fieldpost/trial/forgeries"
)

// No mail that a player did not sign for this game, side and turn, with a serial of
// their own, ever changes a game. "fieldpost-trial forgeries" tries 10,000.
func TestForgeries(t *testing.T) {
	tally, err := forgeries.Try(t.Context(), t.TempDir(), 20*len(forgeries.Attacks), 1)
	if err != nil {
		t.Fatal(err)
	}
	if tally.Tries != 20*len(forgeries.Attacks) || len(tally.Kinds) != len(forgeries.Attacks) {
		t.Errorf("%d tries of %d kinds", tally.Tries, len(tally.Kinds))
	}
	t.Log(tally)
}
