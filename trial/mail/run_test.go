package mail

import (
	"io"
	"strings"
	"testing"

	"fieldpost/trial"
)

// A hundred schedules of faults: nothing is lost, doubled or sent astray.
// "fieldpost-trial mail" plays ten thousand.
func TestSchedules(t *testing.T) {
	var out strings.Builder
	if err := Run(t.Context(), &trial.Trial{Seed: 1, Count: 100, Out: &out, Progress: io.Discard}); err != nil {
		t.Fatal(err)
	}
	t.Log(out.String())
}

// Schedules that once found something.
func TestSchedulesThatFoundSomething(t *testing.T) {
	for _, seed := range []int{
		27837, // a mail that broke the connection twice was still to be tried when the trial ended
	} {
		if err := Run(t.Context(), &trial.Trial{Seed: seed, Count: 1, Out: io.Discard, Progress: io.Discard}); err != nil {
			t.Error(err)
		}
	}
}
