package histories

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"fieldpost/playtest"
	"fieldpost/trial"
	"fieldpost/trial/ramdisk"
	"fieldpost/umpire/match"
)

const (
	picturesIn = 12 // first games to one whose reports have maps
	others     = 8  // pairs that each first game has
)

// Run plays Count pairs over the scenarios in turn and says what came of them. The error
// tells the seeds of pairs that the side can tell apart.
func Run(ctx context.Context, t *trial.Trial, library *match.Library) error {
	began := time.Now()
	var (
		lock   sync.Mutex
		sum    Result
		played int // pairs
		told   int
		found  []string
	)
	err := playtest.Parallel(ctx, (t.Count+others-1)/others, func(ctx context.Context, i int) error {
		p := Pair{Scenario: t.Scenario(i), Number: t.Seed + i, Turns: max(t.Turns, 1), Options: t.Options, Library: library,
			Pictures: i%picturesIn == picturesIn-1, Others: min(others, t.Count-i*others)}
		r, err := p.inFolder(ctx)
		if err != nil {
			return fmt.Errorf("%s, --seed %d: %w", p.Scenario, p.Number, err)
		}
		lock.Lock()
		defer lock.Unlock()
		sum.Acts, sum.Mails, sum.Parts, sum.Pages = sum.Acts+r.Acts, sum.Mails+r.Mails, sum.Parts+r.Parts, sum.Pages+r.Pages
		told += r.Told
		if len(r.Differing) > 0 {
			found = append(found, fmt.Sprintf("%s, --seed %d --pairs %d: %s", p.Scenario, p.Number, p.Others, strings.Join(r.Differing[:min(len(r.Differing), 5)], "\n")))
		}
		played += p.Others
		if played%(10*others) == 0 {
			fmt.Fprintf(t.Progress, "%d of %d pairs, %d differ\n", played, t.Count, told)
		}
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(t.Out, "%d pairs of games, in which the enemy did %d other things: %d mails of %d parts to the side and %d pages for spectators compared, %d pairs differ (%v)\n",
		t.Count, sum.Acts, sum.Mails, sum.Parts, sum.Pages, told, time.Since(began).Round(time.Second))
	if len(found) > 0 {
		return fmt.Errorf("%d pairs can be told apart:\n%s", told, strings.Join(found[:min(len(found), 20)], "\n"))
	}
	return nil
}

func (p Pair) inFolder(ctx context.Context) (Result, error) {
	folder, err := ramdisk.Folder("histories")
	if err != nil {
		return Result{}, err
	}
	defer os.RemoveAll(folder)
	return p.Play(ctx, folder)
}
