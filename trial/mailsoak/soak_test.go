package mailsoak

import (
	"io"
	"strings"
	"testing"
)

// A hundred schedules of faults: nothing is lost, doubled or sent astray.
// "fieldpost soak mail" plays ten thousand.
func TestSchedules(t *testing.T) {
	var out strings.Builder
	if err := Soak(t.Context(), 1, 100, 2, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	t.Log(out.String())
}

// Schedules that once found something.
func TestSchedulesThatFoundSomething(t *testing.T) {
	for _, seed := range []uint64{
		27837, // a mail that broke the connection twice was still to be tried when the trial ended
	} {
		if err := Soak(t.Context(), seed, 1, 1, io.Discard, io.Discard); err != nil {
			t.Error(err)
		}
	}
}
