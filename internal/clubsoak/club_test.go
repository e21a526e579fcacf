package clubsoak

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"fieldpost/umpire"
)

var filesOf = regexp.MustCompile("(?s)### `([^`\n]+)`\n\n[^#]*?```[a-z]+\n(.*?)```\n")

// guide is the shelf with the small scenario that the guide to scenarios makes.
func guide(t testing.TB) *umpire.Shelf {
	t.Helper()
	raw, err := os.ReadFile("../../docs/SCENARIOS.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, m := range filesOf.FindAllStringSubmatch(string(raw), -1) {
		path := filepath.Join(dir, filepath.FromSlash(m[1]))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(m[2]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	shelf, err := umpire.NewShelf(dir)
	if err != nil {
		t.Fatal(err)
	}
	return shelf
}

// Seven weeks of a small club, over a change of the clocks: no deadline is missed
// or comes early, and every game ends or waits for what the status names.
// "fieldpost soak club" plays a year.
func TestSevenWeeksOfAClub(t *testing.T) {
	tally, err := Play(t.Context(), Options{Shelf: guide(t), Small: "lipowka", Games: 5, Days: 50, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(tally)
	if tally.Bad() > 0 {
		t.Error("something came out wrong")
	}
	if tally.Finished == 0 || tally.Passed == 0 || tally.Reminders == 0 || tally.Sheets < 50 {
		t.Error("too little happened to tell anything")
	}
}
