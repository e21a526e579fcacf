package demo

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A turn of a game with chits costs a side in PLOT one mail in and one report out,
// whatever its enemy's mode: asking costs only the asker.
func TestAskingCostsOnlyTheAsker(t *testing.T) {
	count := func(mode string) (toSoviet, toGerman, fromGerman, questions int) {
		o := Options{Scenario: "star-and-gallop", Turns: 1, Seed: 7, Mode: mode, Out: filepath.Join(t.TempDir(), "out"), Progress: io.Discard, Daemon: []string{os.Args[0], "-daemon"}}
		r, err := Run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		for id := range letters(t, r) {
			switch {
			case strings.HasPrefix(id, "report.") && strings.Contains(id, ".german."):
				toGerman++
			case strings.HasPrefix(id, "report.") && strings.Contains(id, ".soviet."):
				toSoviet++
			case strings.HasPrefix(id, "sheet.german."):
				fromGerman++
			case strings.HasPrefix(id, "question."):
				questions++
			}
		}
		return toSoviet, toGerman, fromGerman, questions
	}
	soviet, german, sent, questions := count("")
	if soviet != 2 || german != 2 || sent != 1 || questions != 0 {
		t.Errorf("in PLOT a turn took %d and %d reports, %d sheets of a side and %d questions; the opening report and one a turn, one sheet and none were expected", soviet, german, sent, questions)
	}
	_, german, sent, questions = count("ASK")
	if german != 2 || sent != 1 || questions == 0 {
		t.Errorf("against a side in ASK the German had %d reports and sent %d sheets; %d questions were asked", german, sent, questions)
	}
}
