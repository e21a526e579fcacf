package umpire

import (
	"errors"
	"fmt"
	"strconv"

	"fieldpost/adjudicator"
	"fieldpost/store"
)

// ErrVersion says that a game was begun under other rules or with other scenario
// files than this program has. It must not be gone on with: the past of a game
// is never decided again.
var ErrVersion = errors.New("the game was begun under another version")

// fits tells whether this program may go on with a game.
func (u *Umpire) fits(g store.Game) error {
	_, sys, err := u.shelf().open(g.Scenario)
	if err != nil {
		return err
	}
	if v := strconv.Itoa(sys.Version()); v != g.RulesVersion {
		return fmt.Errorf("%w: game %s follows version %s of the rules %s, this program has version %s", ErrVersion, g.ID, g.RulesVersion, g.System, v)
	}
	hash, err := u.shelf().hash(g.Scenario)
	if err == nil && g.ScenarioHash != "" && g.ScenarioHash != hash {
		err = fmt.Errorf("%w: the files of scenario %s have changed since game %s began (now %.16s, then %.16s)", ErrVersion, g.Scenario, g.ID, hash, g.ScenarioHash)
	}
	return err
}

// rules are the scenario of a game under the rules of this program.
func (u *Umpire) rules(g store.Game) (adjudicator.Game, error) {
	game, _, err := u.under(g)
	return game, err
}

// begun looks through all games when the daemon starts and tells the moderator
// which of them this program may not go on with. It finishes what an earlier
// process was stopped in.
func (u *Umpire) begun() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if n := u.DB.Interrupted(); n > 0 {
		u.Log.Warn("mails were being sent when the last process stopped; they go out again under the same Message-ID", "mails", n)
	}
	err := u.DB.EachGame(func(g store.Game) error {
		if g.Status == store.StatusFinished {
			return nil
		}
		if err := u.fits(g); err != nil {
			u.Log.Error("this program may not go on with a game; it stays as it is, and its sheets are answered with a refusal", "game", g.ID, "error", err)
		}
		return nil
	})
	if err := u.readable(err); err != nil {
		return err
	}
	u.disclose()
	return errors.Join(u.thawAll(), u.setAlarms())
}
