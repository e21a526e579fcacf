package samples

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"fieldpost/desk/dist"
	"fieldpost/desk/practice"
	"fieldpost/report"
	"fieldpost/staff"
	"fieldpost/trial"
	"fieldpost/trial/checks"
)

// A sample; fieldpost-trial checks compares 2,000 sheets of each system.
func TestACheckAtHomeSaysWhatTheUmpireSays(t *testing.T) {
	for _, g := range []checks.Game{
		{Scenario: "prokhorovka", Number: 1, Limit: 24, Turns: 2},
		{Scenario: "gd-akhtyrka", Number: 2, Limit: 24, Turns: 2},
		{Scenario: "star-and-gallop", Number: 3, Limit: 24, Turns: 2},
	} {
		tally, err := g.Play(context.Background(), t.TempDir())
		if err != nil {
			t.Fatal(g.Scenario, err)
		}
		for _, d := range tally.Differences {
			t.Errorf("%s", d)
		}
		if tally.Sheets < 20 || tally.Lines < 100 || tally.Refused == 0 || tally.Answered == 0 || tally.Dropping == 0 {
			t.Errorf("%s: too little was compared to show anything: %+v", g.Scenario, tally)
		}
	}
}

// So it is with what the staffs of the demos mail; fieldpost-trial demos plays all of them to
// their verdicts.
func TestTheMailsOfADemoAreJudgedAlike(t *testing.T) {
	var out strings.Builder
	err := checks.RunDemos(t.Context(), &trial.Trial{Scenarios: []string{"star-and-gallop", "gd-lutchessa", "prokhorovka"}, Turns: 1, Seed: 1, Out: &out, Progress: io.Discard})
	if err != nil || !strings.HasPrefix(out.String(), "3 scenarios: ") {
		t.Fatal(err, &out)
	}
	t.Log(&out)
}

// The comparison must be able to fail.
func TestADifferenceIsSeen(t *testing.T) {
	ack := func(says string, next ...string) *report.Ack {
		return &report.Ack{Checked: true, Lines: []report.Line{{Number: 6, Order: "81 INF TO 2505", Understood: says}}, Next: next}
	}
	dropped := "Sheet 1 had an order that this one has not: 300 INF TO 2406."
	for _, c := range []struct {
		here, there *report.Ack
		differs     string
	}{
		{ack("2206-2505"), ack("2206-2505"), ""},
		{ack("2206-2505"), ack("2207-2505"), "there"},
		{ack("2206-2505", dropped), ack("2206-2505"), "does not say"},
		{ack("2206-2505"), ack("2206-2505", dropped), "only the umpire"},
		{ack("2206-2505"), &report.Ack{Checked: true}, "does not say"},
	} {
		got := checks.Differs(c.here, c.there.Text())
		if (c.differs == "") != (got == "") || !strings.Contains(got, c.differs) {
			t.Errorf("%q, want %q", got, c.differs)
		}
	}
}

// A sample; fieldpost-trial thoughts has more. A staff officer who rehearses writes the same sheets in a
// browser as here.
func TestTheStaffThinksAlikeInABrowser(t *testing.T) {
	var out strings.Builder
	err := checks.RunThoughts(t.Context(), &trial.Trial{Scenarios: []string{"star-and-gallop", "gd-akhtyrka", "prokhorovka"}, Count: 6, Seed: 1, Out: &out, Progress: io.Discard},
		practice.Choice{Strength: staff.Chief, Units: 300})
	if errors.Is(err, checks.ErrNoNode) || errors.Is(err, dist.ErrNoEngine) {
		t.Skip(err)
	}
	if err != nil || !strings.Contains(out.String(), " sheets of staff officers (chief) ") {
		t.Fatal(err, &out)
	}
	t.Log(&out)
}

// The desk's engine for browsers says of a sheet what this program says, to the byte.
func TestTheDeskJudgesAlikeInABrowser(t *testing.T) {
	var out strings.Builder
	err := checks.RunWasm(t.Context(), &trial.Trial{Scenarios: []string{"star-and-gallop", "gd-akhtyrka", "prokhorovka"}, Count: 30, Seed: 1, Out: &out, Progress: io.Discard})
	if errors.Is(err, checks.ErrNoNode) || errors.Is(err, dist.ErrNoEngine) {
		t.Skip(err)
	}
	if err != nil || !strings.HasPrefix(out.String(), "30 sheets on ") {
		t.Fatal(err, &out)
	}
	t.Log(&out)
}
