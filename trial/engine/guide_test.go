package engine

import (
	"context"
	"strings"
	"testing"

	"fieldpost/orders"
	"fieldpost/playtest"
	"fieldpost/trial"
	"fieldpost/trial/guide"
	"fieldpost/umpire/match"
)

// example is the example of the guide as a folder, and the guide's text.
func example(t *testing.T) (dir, text string) {
	t.Helper()
	dir = t.TempDir()
	text, err := guide.Write("../../docs/SCENARIOS.md", dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir, text
}

// The scenario that the guide makes loads, has no findings and can be played; the
// sheet that it shows stands.
func TestTheGuidesScenario(t *testing.T) {
	dir, text := example(t)
	library, err := match.NewLibrary(dir)
	if err != nil {
		t.Fatal(err)
	}
	found, err := library.Lint("lipowka")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Error(f)
	}
	game, words, err := library.Game("lipowka")
	if err != nil {
		t.Fatal(err)
	}
	r, err := playtest.One(context.Background(), game, words, 1, 1)
	if err != nil || r.Turn != 2 || r.Refused > 0 {
		t.Errorf("the first turn: %+v, %v", r, err)
	}
	all, err := playtest.PlayAll(context.Background(), 2, func(n int) (playtest.Match, error) { return trial.NewMatch(game, words, n), nil }, nil)
	if err != nil || all[0].Verdict == "" || all[1].Verdict == "" {
		t.Errorf("whole games: %+v, %v", all, err)
	}
	if _, err := library.Describe("lipowka"); err != nil {
		t.Error(err)
	}

	at := strings.Index(text, "GAME: ABCDEFGH")
	sheet, _, ok := strings.Cut(text[max(0, at):], "```")
	if at < 0 || !ok {
		t.Fatal("the guide has no sheet")
	}
	opening, err := game.Opening()
	if err != nil {
		t.Fatal(err)
	}
	v, err := game.View(opening, "SOVIET")
	if err != nil {
		t.Fatal(err)
	}
	parsed, faults := orders.Parse(orders.Canonical(sheet), words)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	f := game.Check(v, parsed)
	if n, _ := f.Accepted(); n < 2 || !f.Done {
		t.Errorf("only %d orders were read", n)
	}
	for _, l := range f.Lines {
		if l.Refused != nil || l.Warning != "" {
			t.Errorf("%s: %v %s", l.Text, l.Refused, l.Warning)
		}
	}
}
