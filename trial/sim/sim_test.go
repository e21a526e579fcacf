package sim

import (
	"io"
	"strings"
	"testing"
	"time"

	"fieldpost/trial"
)

// Weeks in which everything goes wrong: nothing is lost, doubled, misdirected, early or
// late, and status tells of it. "fieldpost-trial sim" plays a hundred thousand.
func TestWeeks(t *testing.T) {
	var out strings.Builder
	if err := Run(t.Context(), &trial.Trial{Seed: 1, Count: 20, Out: &out, Progress: io.Discard}); err != nil {
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
	for seed := range uint64(2) {
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

// A sync of the meta page fails, the system forgets the page, and the machine stops a little
// later: once that left no database.
func TestForgottenMetaPage(t *testing.T) {
	template, err := NewTemplate()
	if err != nil {
		t.Fatal(err)
	}
	defer template.Close()
	for _, seed := range []uint64{8, 9, 11, 21} {
		week := Plan{Seed: seed, Events: []Event{
			{Kind: Filed, At: time.Hour, Times: 1},
			{Kind: SyncFails, At: 90 * time.Minute, Times: 11, Part: true},
			{Kind: Filed, At: 2 * time.Hour, Seat: 1, Times: 1},
			{Kind: Filed, At: 3 * time.Hour, Seat: 2, Times: 1},
		}}
		if err := template.Play(t.Context(), week, &Tally{}); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

// Weeks that once found something.
func TestWeeksThatFoundSomething(t *testing.T) {
	template, err := NewTemplate()
	if err != nil {
		t.Fatal(err)
	}
	defer template.Close()
	for _, seed := range []uint64{
		1089,  // a write stopped short behind the mark that a mail was being sent: it was never sent
		1100,  // the same after a sync that failed
		50128, // the clock was set back, and for three days status said nothing of a mailbox that was out
		50146, // the same with a clock that had been ahead
		16,    // status said nothing of a full disk
	} {
		if err := template.Week(t.Context(), seed, &Tally{}); err != nil {
			t.Error(err)
		}
	}
}
