// Package match is a game as its records have it: the scenario under its rules and
// options, the sheets that wait to answer, play from one decision to the next, and
// the repeat of all that was played. It reads the store and changes nothing in it.
package match

import (
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/dice/beacon"
	"fieldpost/store"
	"fieldpost/umpire/share"
)

// ErrNoSide says that a game has no such side.
var ErrNoSide = errors.New("no such side in this game")

// Builtin is the built-in scenarios.
var Builtin Library

// Games are the games of a store with what one needs to look at them and to play
// them on. The methods only read; what a sheet changes its caller commits.
type Games struct {
	DB store.Store
	// Library is where the scenarios are; nil holds the built-in ones.
	Library *Library
	// Beacon is the public beacon of games that want one; nil is drand's Quicknet.
	Beacon *beacon.Chain
	// Now is the clock of mail headers, absences and the outbox. No journal ever sees it.
	Now func() time.Time
	Log *slog.Logger
	// Share is what the club has of the processors, for heavy work; nil is all of them.
	Share *share.Share
}

// Scenarios is where the umpire's scenarios are.
func (gs *Games) Scenarios() *Library {
	if gs.Library == nil {
		return &Builtin
	}
	return gs.Library
}

// Scenario loads a scenario under its rules, once.
func (gs *Games) Scenario(id string) (adjudicator.Game, adjudicator.System, error) {
	return gs.Scenarios().Load(id)
}

// RulesOf is a game's scenario under its options and the version of the rules that it was
// begun under. Of a version that is no longer played it is the present one, to look at it.
func (gs *Games) RulesOf(g store.Game) (adjudicator.Game, adjudicator.System, error) {
	game, sys, err := gs.PresentRulesOf(g)
	if err != nil {
		return nil, sys, err
	}
	if earlier, ok := adjudicator.UnderVersion(sys, game, g.RulesVersion); ok {
		game = earlier
	}
	return game, sys, nil
}

// PresentRulesOf is a game's scenario under its options and this program's version of the
// rules.
func (gs *Games) PresentRulesOf(g store.Game) (adjudicator.Game, adjudicator.System, error) {
	game, sys, err := gs.Scenario(g.Scenario)
	if err != nil {
		return nil, sys, err
	}
	game, err = adjudicator.Under(game, g.Options)
	return game, sys, err
}

// Scenario loads a built-in scenario for those who only want to look at it.
func Scenario(id string) (adjudicator.Game, error) {
	g, _, err := Builtin.Load(id)
	return g, err
}

// ErrVersion says that a game was begun under other rules or with other scenario
// files than this program has. It must not be gone on with: the past of a game
// is never decided again.
var ErrVersion = errors.New("the game was begun under another version")

// CheckVersion tells whether this program may go on with a game.
func (gs *Games) CheckVersion(g store.Game) error {
	if err := gs.plays(g); err != nil {
		return err
	}
	hash, err := gs.Scenarios().Hash(g.Scenario)
	if err != nil {
		return err
	}
	switch g.ScenarioHash {
	case "", hash:
		return nil
	}
	return fmt.Errorf("%w: the files of scenario %s have changed since game %s began (now %.16s, then %.16s)", ErrVersion, g.Scenario, g.ID, hash, g.ScenarioHash)
}

// plays tells whether this program still plays the version of the rules of a game.
func (gs *Games) plays(g store.Game) error {
	_, sys, err := gs.Scenarios().Open(g.Scenario)
	if err != nil {
		return err
	}
	v := strconv.Itoa(sys.Version())
	if g.RulesVersion == v {
		return nil
	}
	game, _, err := gs.Scenario(g.Scenario)
	if err != nil {
		return err
	}
	if _, ok := adjudicator.UnderVersion(sys, game, g.RulesVersion); !ok {
		return fmt.Errorf("%w: game %s follows version %s of the rules %s, this program has version %s", ErrVersion, g.ID, g.RulesVersion, g.System, v)
	}
	return nil
}
