package turns

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"time"

	"fieldpost/dice/beacon"
	"fieldpost/store"
	"fieldpost/umpire/post"
)

// KeepDrawing asks the servers for the rounds that games wait for, until ctx ends.
// Without network the games wait, and the log says so.
func (k *Keeper) KeepDrawing(ctx context.Context, servers []string) error {
	client := &http.Client{Timeout: 10 * time.Second}
	again := map[uint64]time.Time{}
	for {
		for _, round := range k.RoundsDue() {
			if k.Now().Before(again[round]) {
				continue
			}
			err := k.FetchRound(ctx, client, servers, round)
			if err == nil {
				delete(again, round)
				continue
			}
			late := k.Now().Sub(k.Chain().Time(round))
			again[round] = k.Now().Add(min(max(late/4, post.BeaconAgain), time.Minute))
			if ctx.Err() == nil && late > post.BeaconAgain {
				k.Log.Warn("the beacon cannot be read; games wait for it, and anybody may mail it in", "round", round, "next look", again[round], "error", err)
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(post.BeaconAgain):
		}
	}
}

// RoundsDue are the rounds that have come, that games wait for, and that are not here yet.
func (k *Keeper) RoundsDue() (rounds []uint64) {
	waiting, err := AwaitRecords.All(k.DB)
	if err := k.Readable(err); err != nil {
		k.Log.Error("which rounds of the beacon games wait for cannot be read", "error", err)
		return nil
	}
	all := map[uint64]bool{}
	for key := range waiting {
		all[key.Round] = true
	}
	for _, round := range slices.Sorted(maps.Keys(all)) {
		if k.Now().Before(k.Chain().Time(round)) {
			continue
		}
		if _, here, err := k.valueOf(round); err != nil || !here {
			rounds = append(rounds, round)
		}
	}
	return rounds
}

// FetchRound reads a round from the first server that has it, and keeps it.
func (k *Keeper) FetchRound(ctx context.Context, client *http.Client, servers []string, round uint64) error {
	var faults []error
	for _, server := range servers {
		v, err := k.Chain().Fetch(ctx, client, server, round)
		if err == nil {
			return k.keepValue(v)
		}
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

// keepValue puts a value where the games look for it.
func (k *Keeper) keepValue(v beacon.Value) error {
	return k.Anew(func(on *Keeper) error { return on.keepValueNow(v) })
}

func (k *Keeper) keepValueNow(v beacon.Value) error {
	var c store.Change
	if taken, err := k.TakeValue(&c, v); err != nil || !taken {
		return err
	}
	return k.Commit(c)
}
