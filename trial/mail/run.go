package mail

import (
	"context"
	"fmt"
	"sync"
	"time"

	"fieldpost/playtest"
	"fieldpost/trial"
)

// Run plays Count schedules with the seeds from Seed on, and says what came of them. The
// error names a seed at which something was lost or doubled.
func Run(ctx context.Context, of *trial.Trial) error {
	t, err := NewTemplate()
	if err != nil {
		return err
	}
	defer t.Close()
	began := time.Now()
	var lock sync.Mutex
	var all Tally
	played := 0
	err = playtest.Parallel(ctx, of.Count, func(ctx context.Context, i int) error {
		seed := uint64(of.Seed + i)
		tally, err := t.Run(ctx, seed)
		if err != nil {
			return err
		}
		if tally.Bad() > 0 {
			return fmt.Errorf("seed %d: %v", seed, tally)
		}
		lock.Lock()
		defer lock.Unlock()
		all.add(tally)
		if played++; played%500 == 0 {
			fmt.Fprintf(of.Progress, "%d of %d schedules\n", played, of.Count)
		}
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(of.Out, "%d schedules in %v: %v\n", of.Count, time.Since(began).Round(time.Second), all)
	return nil
}
