package turns

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
)

// A migration takes a running game to the rules and the scenario files of this
// program. It is a phase of its own in the journal: nobody decides anything in it,
// the position after it is the one before it, in the form that the rules now want.
// What came before stays as it was decided and is never derived anew; a repeat
// begins at the last migration.

// Errors of Migrate.
var (
	ErrFits    = errors.New("the game is of this version already")
	ErrNotLive = errors.New("the game is not under way")
)

// Migrate takes a game to the version of this program and says what was done. The
// phase that waits must come out with the new rules as far as it has come, for its
// dice may have been told. The players are told.
func (k *Keeper) Migrate(id string) (did string, err error) {
	err = k.Anew(func(on *Keeper) error {
		did, err = on.migrate(id)
		return err
	})
	return did, err
}

func (k *Keeper) migrate(id string) (did string, err error) {
	defer match.CatchPanic(&err)
	pos, err := k.DB.Load(strings.ToUpper(id))
	if err != nil {
		return "", err
	}
	g := pos.Game
	live := slices.Contains([]store.Status{store.StatusRunning, store.StatusFrozen}, g.Status)
	if !live || pos.Latest == nil {
		return "", fmt.Errorf("game %s is %s: %w", g.ID, g.Status, ErrNotLive)
	}
	game, sys, err := k.PresentRulesOf(g)
	if err != nil {
		return "", err
	}
	present := strconv.Itoa(sys.Version())
	switch bad := k.CheckVersion(g); {
	case errors.Is(bad, match.ErrVersion):
		// what migrating is for
	case bad != nil:
		return "", bad
	case g.RulesVersion == present:
		return "", fmt.Errorf("game %s: %w", g.ID, ErrFits)
	}
	position := pos.Latest.Snapshot
	if rules, ok := game.(adjudicator.Migrator); ok {
		if position, err = rules.Migrate(position, g.RulesVersion); err != nil {
			return "", fmt.Errorf("game %s: its position: %w", g.ID, err)
		}
	}
	for _, side := range game.Sides() {
		if _, err := game.View(position, side); err != nil {
			return "", fmt.Errorf("game %s: its position cannot be read by these rules: %w", g.ID, err)
		}
	}
	if err := (match.Recording{Rules: game, Open: pos.Open}).RepeatOpen(position); err != nil {
		return "", fmt.Errorf("game %s: %w: %w; end this phase with the program that began it", g.ID, match.ErrDiffers, err)
	}
	was := [2]string{g.RulesVersion, g.ScenarioHash}
	g.RulesVersion = present
	if g.ScenarioHash, err = k.Scenarios().Hash(g.Scenario); err != nil {
		return "", err
	}
	did = fmt.Sprintf("rules %s version %s to %s, scenario files %.16s to %.16s", g.System, was[0], g.RulesVersion, was[1], g.ScenarioHash)
	c, err := k.migration(g, pos, did, position)
	if err != nil {
		return "", err
	}
	return did, k.DB.Commit(c)
}

// migration is the Change of a migration.
func (k *Keeper) migration(g store.Game, pos store.Position, did string, position []byte) (store.Change, error) {
	journal, err := json.Marshal([]adjudicator.Entry{{Kind: adjudicator.EntryAnswer, Label: match.MigrationLabel, Answer: did, Source: "moderator"}})
	c := store.Change{Game: &g, Expect: pos.Game.Seq, Open: pos.Open,
		Phases: []store.Phase{{Phase: fmt.Sprintf("%s%d", store.Migration, pos.Game.Seq+1), Turn: pos.Latest.Turn, Journal: journal, Snapshot: position}}}
	if err != nil {
		return c, err
	}
	for _, p := range k.Everybody(g) {
		l := report.Message{Kind: report.Notice, Game: g.ID, Title: g.Title, Scenario: g.Scenario, Side: p.Side, Address: k.Address,
			Reason: "The game goes on under another version of the program.",
			Advice: []string{"Changed: " + did + ".", "Nothing that is decided changes; the new version counts from the next phase. The archive of the game shows when."}}
		m, err := k.Render(post.Draft{Game: g, Player: p, Kind: "notice", Number: fmt.Sprintf("migration-%d", pos.Game.Seq+1), Subject: l.Subject(), Text: l.Text(), HTML: l.HTML()})
		if err != nil {
			return c, err
		}
		c.Mails = append(c.Mails, m)
	}
	return c, nil
}
