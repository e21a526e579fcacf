package samples

import (
	"testing"

	"fieldpost/trial/club"

	"fieldpost/trial/guide"
	"fieldpost/umpire/match"
)

// example is the library with the small scenario that the guide to scenarios makes.
func example(t testing.TB) *match.Library {
	t.Helper()
	dir := t.TempDir()
	if _, err := guide.Write("../../docs/SCENARIOS.md", dir); err != nil {
		t.Fatal(err)
	}
	library, err := match.NewLibrary(dir)
	if err != nil {
		t.Fatal(err)
	}
	return library
}

// Seven weeks of a small club, over a change of the clocks: no deadline is missed
// or comes early, and every game ends or waits for what the status names.
// "fieldpost-trial club" plays a year.
func TestSevenWeeksOfAClub(t *testing.T) {
	tally, err := club.Play(t.Context(), club.Options{Library: example(t), Small: "lipowka", Games: 5, Days: 50, Seed: 1})
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
