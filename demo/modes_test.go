package demo

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// traffic is the mails of a turn, by side.
type traffic struct {
	sheets    map[string]int // sent by the side as turn orders
	answers   map[string]int // sent by the side to questions
	reports   map[string]int
	questions map[string]int
	acks      map[string]int
}

var toLine = regexp.MustCompile(`(?m)^To: .*$`)

// turnOfMail plays one turn of a game with chits between two staffs, the Soviet one in
// the mode, both with that line ANSWERS, and counts the mails.
func turnOfMail(t *testing.T, mode, answers string) traffic {
	t.Helper()
	o := Options{Scenario: "star-and-gallop", Turns: 1, Seed: 7, Mode: mode, Answers: answers, Out: filepath.Join(t.TempDir(), "out"), Progress: io.Discard, Daemon: []string{os.Args[0], "-daemon"}}
	r, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	n := traffic{map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}}
	for id, raw := range letters(t, r) {
		to := strings.ToLower(string(toLine.Find(raw))) // a Message-ID tells the kind of a mail alone
		for _, side := range []string{"soviet", "german"} {
			switch {
			case strings.HasPrefix(id, "report.") && strings.Contains(to, side):
				n.reports[side]++
			case strings.HasPrefix(id, "question.") && strings.Contains(to, side):
				n.questions[side]++
			case strings.HasPrefix(id, "ack.") && strings.Contains(to, side):
				n.acks[side]++
			case strings.HasPrefix(id, "sheet."+side+"."):
				n.sheets[side]++
			}
		}
	}
	for _, side := range []string{"soviet", "german"} {
		n.answers[side] = n.questions[side] // every question was answered by a sheet of its own
		n.sheets[side] -= n.questions[side]
		n.reports[side]-- // the one that opened the game
	}
	name := mode
	if name == "" {
		name = "PLOT"
	}
	t.Logf("a turn of the Soviets in %s against the Germans in PLOT: %s", name, n)
	return n
}

func (n traffic) String() string {
	var parts []string
	for _, side := range []string{"soviet", "german"} {
		parts = append(parts, fmt.Sprintf("%s: %d turn sheet in, %d report out, %d questions out, %d answers in", side, n.sheets[side], n.reports[side], n.questions[side], n.answers[side]))
	}
	return strings.Join(parts, "; ")
}

// A turn of a game with chits costs a side in PLOT one mail in and one report out,
// whatever its enemy's mode: asking costs only the asker. go test -v prints the count.
func TestAskingCostsOnlyTheAsker(t *testing.T) {
	for _, mode := range []string{"", "ASK", "PAUSE-IF AFTER ENEMY CHIT"} {
		n := turnOfMail(t, mode, "")
		if n.sheets["german"] != 1 || n.reports["german"] != 1 || n.questions["german"] != 0 {
			t.Errorf("the side in PLOT against %q pays for a turn %v", mode, n)
		}
		if n.sheets["soviet"] != 1 || n.reports["soviet"] != 1 || (n.questions["soviet"] > 0) != (mode != "") {
			t.Errorf("the side in %q pays for a turn %v", mode, n)
		}
	}
}

// A side that names two chits is asked twice, however often these are drawn. What was understood
// of its sheet and its replies stands in the next question or report.
func TestNamedChitsAskOnce(t *testing.T) {
	n := turnOfMail(t, "ASK 3TA, 6A", "")
	if n.sheets["soviet"] != 1 || n.questions["soviet"] != 2 || n.questions["german"] != 0 {
		t.Errorf("a turn with two named chits costs %v", n)
	}
	if n.acks["soviet"] != 0 || n.acks["german"] != 1 {
		t.Errorf("a turn with two named chits has acknowledgements %v", n.acks)
	}
	if few := turnOfMail(t, "ASK 3TA, 6A", "FAULTS"); few.acks["soviet"]+few.acks["german"] > 0 || few.questions["soviet"] != 2 {
		t.Errorf("a turn with two named chits and answers to faults only costs %v, with acknowledgements %v", few, few.acks)
	}
}

// The bars of mails to and from a player in a turn, in games of both systems in which nobody has
// chosen anything about answers: three where all is plotted, six where both sides are asked about
// two chits each. They are printed by go run ./cmd/fieldpost demo --mode "ASK 3TA, 6A".
func TestMailsOfATurn(t *testing.T) {
	for _, c := range []struct {
		scenario, mode, other string
		turns                 int
		most                  float64
	}{
		{"star-and-gallop", "", "", 4, 3},
		{"star-and-gallop", "ASK 3TA, 6A", "ASK SS Pz, OKH", 4, 6},
		{"gd-kursk", "", "", 3, 3},
		{"gd-kursk", "ASK 2Pz, 1Pz", "ASK 2Tk, 1Mot", 3, 6},
	} {
		o := Options{Scenario: c.scenario, Turns: c.turns, Seed: 7, Mode: c.mode, Other: c.other, Out: filepath.Join(t.TempDir(), "out"), Progress: io.Discard, Daemon: []string{os.Args[0], "-daemon"}}
		r, err := Run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s, %q and %q: %s", c.scenario, c.mode, c.other, r.PerTurn(c.turns))
		questions := 0
		if c.mode != "" {
			questions = 2 * c.turns
		}
		if len(r.Traffic) != 2 {
			t.Fatalf("%s: mails of %d sides were counted", c.scenario, len(r.Traffic))
		}
		for side, of := range r.Traffic {
			if each := float64(of.Mails-1) / float64(c.turns); each > c.most || of.Questions != questions {
				t.Errorf("%s in %q and %q: a turn costs %s %.2f mails, more than %v, or it had %d questions and not %d", c.scenario, c.mode, c.other, side, each, c.most, of.Questions, questions)
			}
		}
	}
}

// A report is read to its end: two turns of Kursk in ninety lines each, above the proofs,
// where they had 270 when every shot was told by itself. go run ./cmd/fieldpost demo
// --scenario gd-kursk prints the figure of a whole game.
func TestReportsAreReadToTheEnd(t *testing.T) {
	o := Options{Scenario: "gd-kursk", Turns: 2, Seed: 1942, Out: filepath.Join(t.TempDir(), "out"), Progress: io.Discard, Daemon: []string{os.Args[0], "-daemon"}}
	r, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(r.Reading())
	for side, lines := range r.Lines {
		if len(lines) != 3 || slices.Max(lines) > 90 {
			t.Errorf("the reports of %s have %v lines", side, lines)
		}
	}
}
