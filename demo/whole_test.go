package demo

import (
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/umpire"
	"fieldpost/umpire/match"
)

// mostPerTurn is what a player-turn may cost in the database, mails apart.
const mostPerTurn = 32 << 10

// What a game leaves behind: how much room it takes, that it repeats, and that
// no two of its random events share an input.
func TestWhatAGameLeaves(t *testing.T) {
	r := calm(t, turns(2))
	c, err := umpire.ReadConfig(r.Config)
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	desk, err := umpire.OpenDesk(c, log)
	if err != nil {
		t.Fatal(err)
	}
	thinned, err := desk.Thin() // as the daemon does when mails are a day old; until then they have recipes
	if err = errors.Join(err, desk.Close()); err != nil || thinned.Pictures == 0 || thinned.Differ > 0 {
		t.Fatalf("the mails made thin: %+v, %v", thinned, err)
	}
	u, done, err := umpire.OpenReading(c, log)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	stats, err := u.DB.Stats()
	if err != nil {
		t.Fatal(err)
	}
	playerTurns := int64(2 * (r.Turn - 1))
	t.Logf("%d player-turns: %d bytes each in %d used pages' bytes; values %d bytes each; the file has %d", playerTurns,
		stats.InUse()/playerTurns, stats.InUse(), stats.Size()/playerTurns, stats.File)
	if stats.InUse()/playerTurns > mostPerTurn {
		t.Errorf("a player-turn costs %d bytes, at most %d are wanted", stats.InUse()/playerTurns, mostPerTurn)
	}

	// The best of several: others use this machine too.
	best := time.Hour
	var again match.Replayed
	for range 5 {
		begin := time.Now()
		if again, err = u.Replay(r.Game, false); err != nil || len(again.Wrong) > 0 {
			t.Fatalf("the game does not repeat: %v, %q", err, again.Wrong)
		}
		best = min(best, time.Since(begin))
	}
	begin := time.Now()
	proved, err := u.Replay(r.Game, true)
	if err != nil || len(proved.Wrong) > 0 || proved.Proved != proved.Rolls || proved.Rolls == 0 {
		t.Errorf("with the dice thrown again: %+v, %v", proved, err)
	}
	t.Logf("%d phases repeated in %v; with %d random events thrown again in %v", again.Phases, best, proved.Proved, time.Since(begin))
	distinct(t, u, r.Game)
	if r.Verdict != "" && r.Archive == "" {
		t.Error("the game is over, and its archive was not mailed")
	}
}

// distinct demands that every random event of a game has an input of its own.
// The input is game, phase, label and root; game and root are the same for all.
func distinct(t *testing.T, u *umpire.Umpire, game string) {
	t.Helper()
	phases, err := u.DB.Journal(game)
	if err != nil {
		t.Fatal(err)
	}
	inputs, proofs := map[[2]string]bool{}, map[string]bool{}
	var names []string
	for _, p := range phases {
		if slices.Contains(names, p.Phase) {
			t.Errorf("two phases are called %q", p.Phase)
		}
		names = append(names, p.Phase)
		var journal []adjudicator.Entry
		if err := json.Unmarshal(p.Journal, &journal); err != nil {
			t.Fatal(err)
		}
		for _, e := range journal {
			if e.Kind != adjudicator.EntryRoll {
				continue
			}
			if key := [2]string{p.Phase, e.Label}; inputs[key] || proofs[string(e.Proof)] {
				t.Errorf("%s, %s: its input was used before", p.Phase, e.Label)
			} else {
				inputs[key], proofs[string(e.Proof)] = true, true
			}
		}
	}
	t.Logf("%d random events, each with an input of its own", len(inputs))
	if len(inputs) == 0 {
		t.Error("no random event: the test proves nothing")
	}
}
