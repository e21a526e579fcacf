package samples

import (
	"context"
	"testing"

	"fieldpost/trial/names"

	"fieldpost/umpire/match"
)

// Orders take every printed name of every unit: of all scenarios when their first orders
// are written, and of some two turns later.
func TestOrdersTakeThePrintedNames(t *testing.T) {
	library, err := match.NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	infos, err := library.List()
	if err != nil {
		t.Fatal(err)
	}
	later := map[string]bool{"winter-campaign": true, "gd-lutchessa": true, "two-stars": true, "black-snow": true}
	for _, in := range infos {
		turns := []int{1}
		if later[in.ID] {
			turns = append(turns, 3)
		}
		for _, turn := range turns {
			game, words, err := library.Game(in.ID)
			if err != nil {
				t.Fatal(err)
			}
			n, err := names.At(context.Background(), game, words, 1, turn)
			if err != nil {
				t.Errorf("%s, turn %d: %v", in.ID, turn, err)
			}
			if n.Taken < 1000 || n.Ambiguous > n.Tried/100 {
				t.Errorf("%s, turn %d: of %d names %d are taken, %d ambiguous", in.ID, turn, n.Tried, n.Taken, n.Ambiguous)
			}
			for _, fault := range n.Faults {
				t.Errorf("%s, turn %d: %s", in.ID, turn, fault)
			}
		}
	}
}
