package samples

import (
	"testing"

	"fieldpost/trial/histories"

	"fieldpost/mailbox"
	"fieldpost/umpire/match"
)

// A sample of the pairs; fieldpost-trial histories plays more, of every scenario.
func TestNobodyLearnsWhatTheEnemyDidBeside(t *testing.T) {
	library, err := match.NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	for number, scenario := range map[int]string{
		1:    "gd-lutchessa",
		3:    "kharkov-1943", // its next orders are due soon after the first are played
		1007: "prokhorovka",  // one of the enemy's replaced sheets has missions for the side's own half turn
	} {
		res, err := histories.Pair{Scenario: scenario, Number: number, Turns: 1, Library: library, Others: 2}.Play(t.Context(), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range res.Differing {
			t.Errorf("%s %d: %s", scenario, number, d)
		}
		if res.Turn < 2 || res.Acts == 0 || res.Mails < 10 || res.Pages < 8 {
			t.Errorf("too little was played to show anything: %+v", res)
		}
	}
}

// What follows from opaque identifiers is compared as they are: equal where they are equal.
func TestNamesOfPicturesAreOpaque(t *testing.T) {
	name := func(id, file string) []byte { return []byte("cid:" + mailbox.ContentID(id, file)) }
	one, other := histories.Masker{}, histories.Masker{}
	if a, b := one.In(name("first@mail.test", "map.png")), other.In(name("second@mail.test", "map.png")); string(a) != string(b) {
		t.Errorf("%q or %q", a, b)
	}
	if a, b := one.In(name("first@mail.test", "map.png")), one.In(name("first@mail.test", "close-up.png")); string(a) == string(b) {
		t.Errorf("two pictures are both %q", a)
	}
}
