package sim

import (
	"os"
	"strings"
	"testing"

	"fieldpost/trial"
)

// Weeks in which everything goes wrong: nothing is lost, doubled, misdirected, early or
// late, and status tells of it. "fieldpost-trial sim" plays a hundred thousand.
func TestWeeks(t *testing.T) {
	var out strings.Builder
	if err := Run(t.Context(), &trial.Trial{Seed: 1, Count: 50, Out: &out, Progress: os.Stderr}); err != nil {
		t.Error(err)
	}
	t.Log(out.String())
}
