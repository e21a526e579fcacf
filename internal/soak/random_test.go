package soak

import (
	"context"
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
