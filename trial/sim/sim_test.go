package sim

import (
	"io"
	"strings"
	"testing"

	"fieldpost/trial"
)

// Weeks in which everything goes wrong: nothing is lost, doubled, misdirected, early or
// late, and status tells of it. "fieldpost-trial sim" plays a hundred thousand.
func TestWeeks(t *testing.T) {
	var out strings.Builder
	if err := Run(t.Context(), &trial.Trial{Seed: 1, Count: 25, Out: &out, Progress: io.Discard}); err != nil {
		t.Error(err)
	}
	t.Log(out.String())
}

// The same seed is the same week.
func TestSameSeedIsSameWeek(t *testing.T) {
	template, err := NewTemplate()
	if err != nil {
		t.Fatal(err)
	}
	defer template.Close()
	for seed := range uint64(6) {
		var first, second Tally
		if err := template.Week(t.Context(), seed, &first); err != nil {
			t.Error(err)
		}
		if err := template.Week(t.Context(), seed, &second); err != nil {
			t.Error(err)
		}
		if first != second {
			t.Errorf("seed %d: first %v\nthen %v", seed, &first, &second)
		}
	}
}
