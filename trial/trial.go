// Package trial is what the trials of the product share. None of them is part of it: they
// are linked into cmd/fieldpost-trial alone.
package trial

import (
	"fmt"
	"io"
	"maps"

	"fieldpost/adjudicator"
	"fieldpost/orders"
	"fieldpost/playtest"
)

// Trial says what is tried, and for how long. What it finds it says with the seed that
// shows it again.
type Trial struct {
	Load         func(scenario string) (adjudicator.Game, orders.Vocabulary, error)
	Scenarios    []string          // played in turn
	Options      map[string]string // of the games
	Games, Count int               // to play; mutants, pairs or mails to try
	Seed         int               // number of the first game
	Turns        int               // that a game lasts at most; 0: to the verdict
	OCR          bool              // pictures are read as well
	Out          io.Writer
	Progress     io.Writer
}

// Scenario is the one that the game of a number is of.
func (t *Trial) Scenario(number int) string { return t.Scenarios[number%len(t.Scenarios)] }

// Match is a match without players.
func (t *Trial) Match(scenario string, number int) (playtest.Match, error) {
	return t.matchUnder(scenario, number, t.Options)
}

// Variant is a match in which the players choose the set-up, for every third game that a
// scenario gets; for the others it is Match.
func (t *Trial) Variant(scenario string, number int) (playtest.Match, error) {
	options := t.Options
	if number/len(t.Scenarios)%3 == 1 {
		options = map[string]string{"set-up": "choose"}
		maps.Copy(options, t.Options)
	}
	return t.matchUnder(scenario, number, options)
}

func (t *Trial) matchUnder(scenario string, number int, options map[string]string) (playtest.Match, error) {
	game, words, err := t.Load(scenario)
	if err == nil {
		game, err = adjudicator.Under(game, options)
	}
	if err != nil {
		return playtest.Match{}, fmt.Errorf("%s: %w", scenario, err)
	}
	return NewMatch(game, words, number), nil
}

// NewMatch is a match of a game in which nobody is seated yet.
func NewMatch(game adjudicator.Game, words orders.Vocabulary, number int) playtest.Match {
	return playtest.Match{Game: game, Vocabulary: words, Number: number, Players: map[adjudicator.Side]playtest.Player{}}
}
