package mailsoak

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"sync"
	"time"
)

func shaOf(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// Soak plays schedules with the seeds from first on, some at a time, and says what
// came of them. The error names a seed at which something was lost or doubled.
func Soak(ctx context.Context, first uint64, count, atOnce int, out, progress io.Writer) error {
	t, err := NewTemplate()
	if err != nil {
		return err
	}
	defer t.Close()
	began := time.Now()
	var mu sync.Mutex
	var all Tally
	var bad error
	played := 0
	seeds := make(chan uint64)
	var wg sync.WaitGroup
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for range atOnce {
		wg.Go(func() {
			for seed := range seeds {
				tally, err := t.Run(ctx, seed)
				mu.Lock()
				if err == nil && tally.Bad() > 0 {
					err = fmt.Errorf("seed %d: %v", seed, tally)
				}
				if err != nil && ctx.Err() == nil && bad == nil {
					bad = err
					cancel()
				}
				all.add(tally)
				if played++; played%500 == 0 {
					fmt.Fprintf(progress, "%d of %d schedules\n", played, count)
				}
				mu.Unlock()
			}
		})
	}
	for i := range count {
		select {
		case seeds <- first + uint64(i):
		case <-ctx.Done():
		}
	}
	close(seeds)
	wg.Wait()
	if bad != nil {
		return bad
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d schedules in %v: %v\n", count, time.Since(began).Round(time.Second), all)
	return nil
}
