package soak

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fieldpost/orders"
	"fieldpost/umpire"
)

// filesOf are the files that the guide prints: a heading with the path, some words,
// the text in a fence.
var filesOf = regexp.MustCompile("(?s)### `([^`\n]+)`\n\n[^#]*?```[a-z]+\n(.*?)```\n")

// guide is the example of the guide as a folder.
func guide(t *testing.T) (dir, text string) {
	t.Helper()
	raw, err := os.ReadFile("../../docs/SCENARIOS.md")
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	found := filesOf.FindAllStringSubmatch(string(raw), -1)
	for _, m := range found {
		path := filepath.Join(dir, filepath.FromSlash(m[1]))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(m[2]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(string(raw), "\n### `"); n != len(found) || n < 10 {
		t.Fatalf("%d files in the guide, %d were read", n, len(found))
	}
	return dir, string(raw)
}

// The scenario that the guide makes loads, has no findings and can be played; the
// sheet that it shows stands.
func TestTheGuidesScenario(t *testing.T) {
	dir, text := guide(t)
	shelf, err := umpire.NewShelf(dir)
	if err != nil {
		t.Fatal(err)
	}
	found, err := shelf.Lint("lipowka")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Error(f)
	}
	game, words, err := shelf.Game("lipowka")
	if err != nil {
		t.Fatal(err)
	}
	r, err := One(context.Background(), game, words, 1, 1)
	if err != nil || r.Turn != 2 || r.Refused > 0 {
		t.Errorf("the first turn: %+v, %v", r, err)
	}
	all, err := PlayAll(context.Background(), 2, func(n int) Match { return Match{Game: game, Vocabulary: words, Number: n} }, nil)
	if err != nil || all[0].Verdict == "" || all[1].Verdict == "" {
		t.Errorf("whole games: %+v, %v", all, err)
	}
	if _, err := shelf.Describe("lipowka"); err != nil {
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
