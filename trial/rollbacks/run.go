package rollbacks

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"fieldpost/playtest"
	"fieldpost/trial"
	"fieldpost/trial/ramdisk"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/match"
)

const (
	actsOf  = 10 // of the players, in a game
	albumIn = 5  // games to one whose album is drawn
)

// Run plays games over the scenarios in turn and says what was done in them. The error tells
// the seeds of those of which something tells otherwise than the book.
func Run(ctx context.Context, t *trial.Trial, library *match.Library) error {
	began := time.Now()
	var (
		lock  sync.Mutex
		sum   Deeds
		wrong []error
	)
	err := playtest.Parallel(ctx, t.Games, func(ctx context.Context, i int) error {
		deeds, err := Play(ctx, Game{Scenario: t.Scenario(i), Number: t.Seed + i, Acts: actsOf, Album: i%albumIn == 0}, library)
		lock.Lock()
		defer lock.Unlock()
		sum.Add(deeds)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("--scenario %s --seed %d --games 1: %w", t.Scenario(i), t.Seed+i, err))
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(t.Out, "%d games of %d sheets, set back %d times and forward %d times, edited %d times, copied %d times; looked at %d times, %d games tell otherwise than what was done (%v)\n",
		t.Games, sum.Sheets, sum.Back, sum.Forward, sum.Edits, sum.Branches, sum.Looks, len(wrong), time.Since(began).Round(time.Second))
	if len(wrong) > 0 {
		return fmt.Errorf("%w", wrong[0])
	}
	return nil
}

// Game says which game to play: Number is the seed of its dice, orders and acts.
type Game struct {
	Scenario string
	Number   int
	Acts     int  // of the players; the moderator acts about as often
	Album    bool // it is drawn at the end
}

// Play plays one game in a folder that is gone afterwards.
func Play(ctx context.Context, g Game, library *match.Library) (Deeds, error) {
	folder, err := ramdisk.Folder("rollbacks")
	if err != nil {
		return Deeds{}, err
	}
	defer os.RemoveAll(folder)
	r, err := open(folder, g.Scenario, g.Number, library)
	if err != nil {
		return Deeds{}, err
	}
	defer r.Close()
	if err := r.play(ctx, g.Acts); err != nil {
		return r.deeds, err
	}
	return r.deeds, r.finish(g.Album)
}

// end has the moderator end the game.
func (r *round) end(winner string) error {
	_, err := r.Umpire.Moderate(acts.Act{By: "trial", Verb: "finish", Game: r.id, Value: winner + ": the trial is over"})
	if err != nil {
		return err
	}
	return r.enter(0)
}
