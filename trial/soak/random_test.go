package soak

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/umpire/match"
)

func TestRandomPlay(t *testing.T) {
	for _, id := range []string{"black-snow", "nysa-1945"} {
		game, words, err := new(match.Shelf).Game(id)
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

// In a game that begins with the choices of the set-up none may stand that the book
// does not leave, and no order of a later turn.
func TestSetUpMutants(t *testing.T) {
	all := map[string]Tried{}
	for number, id := range []string{"kharkov-1942", "nysa-1945", "gd-kursk", "gd-lutchessa", "gd-mischurin-rog"} {
		m := shelfGame(t, id)
		var err error
		if m.Game, err = adjudicator.Under(m.Game, map[string]string{"set-up": "choose"}); err != nil {
			t.Fatal(err)
		}
		m.Turns = 1
		tried, err := Mutate(context.Background(), m, rand.New(rand.NewPCG(uint64(number), 7)))
		if err != nil {
			t.Fatal(err)
		}
		for kind, x := range tried {
			all[kind] = all[kind].Add(x)
		}
	}
	for _, m := range slices.Concat(wb95SetUpMutants, famousSetUpMutants) {
		x := all[m.Kind]
		if x.Count == 0 {
			t.Errorf("%s: no case was found", m.Kind)
		}
		if len(x.Accepted) > 0 {
			t.Errorf("%s (%s): %d of %d accepted, such as\n%s", m.Kind, m.Clause, len(x.Accepted), x.Count, x.Accepted[0])
		}
	}
}
