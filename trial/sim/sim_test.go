package sim

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fieldpost/trial"
	"fieldpost/trial/guide"
)

// Weeks in which everything goes wrong: nothing is lost, doubled, misdirected, early or
// late, and status tells of it. "fieldpost-trial sim" plays a hundred thousand.
func TestWeeks(t *testing.T) {
	var out strings.Builder
	if err := Run(t.Context(), &trial.Trial{Seed: 1, Count: 200, Out: &out, Progress: io.Discard}); err != nil {
		t.Error(err)
	}
	t.Log(out.String())
}

// A run that is stopped counts the weeks that ended, and takes none that was cut short for a violation.
func TestStoppedRun(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer stop()
	var out, progress strings.Builder
	err := Run(ctx, &trial.Trial{Seed: 1, Count: 1 << 20, Out: &out, Progress: &progress})
	if !errors.Is(err, context.DeadlineExceeded) || !strings.HasSuffix(out.String(), "violations 0\n") || progress.Len() > 0 {
		t.Errorf("stopped: %v\n%s%s", err, &out, &progress)
	}
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

// The simulation plays on the guide's scenario as the guide has it.
func TestFieldIsTheGuides(t *testing.T) {
	dir := t.TempDir()
	if _, err := guide.Write("../../docs/SCENARIOS.md", dir); err != nil {
		t.Fatal(err)
	}
	n := 0
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		n++
		ours, err := field.ReadFile("field/" + name)
		theirs, _ := os.ReadFile(filepath.Join(dir, name))
		if !bytes.Equal(ours, theirs) {
			t.Errorf("%s is another one", name)
		}
		return err
	})
	if err != nil || n < 10 {
		t.Errorf("%d files, %v", n, err)
	}
}

// What a killed process has left is removed by the next, and what one has that runs is not.
func TestNothingIsLeftBehind(t *testing.T) {
	killed, lock, err := ownFolder()
	if err != nil {
		t.Fatal(err)
	}
	running, err := NewTemplate()
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close()
	lock.Close() // as the system does it for a process that is killed
	next, err := NewTemplate()
	if err != nil {
		t.Fatal(err)
	}
	if err := next.Week(t.Context(), 1, &Tally{}); err != nil {
		t.Error(err)
	}
	if weeks, _ := filepath.Glob(filepath.Join(next.folder, "week*")); len(weeks) > 0 {
		t.Errorf("a week leaves %v", weeks)
	}
	next.Close()
	for folder, stays := range map[string]bool{killed: false, next.folder: false, running.folder: true} {
		if _, err := os.Stat(folder); (err == nil) != stays {
			t.Errorf("%s: %v", folder, err)
		}
	}
}

// A disk of the machine without room is no violation: nobody simulated it.
func TestRealDiskIsFull(t *testing.T) {
	template, err := NewTemplate()
	if err != nil {
		t.Fatal(err)
	}
	defer template.Close()
	template.roomFor = 1 << 62
	err = template.Week(t.Context(), 1, &Tally{})
	if !errors.Is(err, errNoRoom) || kindOf(err) != "" {
		t.Errorf("%v", err)
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
		52358, // the clock was set ahead just as the process died: a deadline passed early
		201673, 204828, 207732,
		300463,  // a second jump set the clock right, and the simulation wanted deadlines held
		400465,  // a full disk lasted, and the simulation tried too often to start over it
		400798,  // a full disk was mended before its alarm was looked for
		1073068, // a mail that had waited on the server agreed with a clock that was set back
		1111579, // so did one that could not be fetched when it came
		1141484,
		202925, // a write that stopped short in the last hour of the week, in which all should be well
	} {
		if err := template.Week(t.Context(), seed, &Tally{}); err != nil {
			t.Error(err)
		}
	}
}
