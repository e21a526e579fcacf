package soak

import (
	"context"
	"math/rand/v2"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/umpire"
)

func TestRandomPlay(t *testing.T) {
	for _, id := range []string{"black-snow", "nysa-1945"} {
		game, words, err := new(umpire.Shelf).Game(id)
		if err != nil {
			t.Fatal(err)
		}
		counts := map[string][2]int{}
		players := map[adjudicator.Side]Player{}
		for _, s := range game.Sides() {
			players[s] = NewRandom(game, 1, s, counts)
		}
		r, err := Match{Game: game, Vocabulary: words, Number: 1, Turns: 6, Players: players, Audit: true}.Play(context.Background())
		t.Logf("%s: %+v\n%s", id, r, CountTable(counts))
		if err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// A sample of the mutated orders: none may stand. The whole number is run by
// fieldpost soak mutants.
func TestMutants(t *testing.T) {
	for _, id := range []string{"kharkov-1942", "two-stars"} {
		m := shelfGame(t, id)
		m.Turns = 2
		tried, err := Mutate(context.Background(), m, rand.New(rand.NewPCG(1, 7)))
		if err != nil {
			t.Fatal(err)
		}
		if len(tried) < 50 {
			t.Errorf("%s: only %d kinds of mutants found a case", id, len(tried))
		}
		for kind, x := range tried {
			if len(x.Accepted) > 0 {
				t.Errorf("%s (%s): %d of %d accepted, such as\n%s", kind, x.Clause, len(x.Accepted), x.Count, x.Accepted[0])
			}
		}
	}
}
