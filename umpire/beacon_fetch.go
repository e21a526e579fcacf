package umpire

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

// drandServers are who gives the beacon's values to everybody, asked in turn.
var drandServers = []string{"https://api.drand.sh", "https://api2.drand.sh", "https://drand.cloudflare.com"}

// keepDrawing asks the servers for the rounds that games wait for, until ctx ends.
// Without network the games wait, and the log says so.
func (u *Umpire) keepDrawing(ctx context.Context, servers []string) error {
	client := &http.Client{Timeout: 10 * time.Second}
	again := map[uint64]time.Time{}
	for {
		for _, round := range u.due() {
			if u.Now().Before(again[round]) {
				continue
			}
			err := u.draw(ctx, client, servers, round)
			if err == nil {
				delete(again, round)
				continue
			}
			late := u.Now().Sub(u.Chain().Time(round))
			again[round] = u.Now().Add(min(max(late/4, post.BeaconAgain), time.Minute))
			if ctx.Err() == nil && late > post.BeaconAgain {
				u.Log.Warn("the beacon cannot be read; games wait for it, and anybody may mail it in", "round", round, "next look", again[round], "error", err)
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(post.BeaconAgain):
		}
	}
}

// due are the rounds that have come, that games wait for, and that are not here yet.
func (u *Umpire) due() (rounds []uint64) {
	u.Writing.Lock()
	defer u.Writing.Unlock()
	for _, round := range slices.Compact(slices.Sorted(maps.Values(u.awaited))) {
		if u.Now().Before(u.Chain().Time(round)) {
			continue
		}
		if _, here, err := u.valueOf(round); err != nil || !here {
			rounds = append(rounds, round)
		}
	}
	return rounds
}

// draw reads a round from the first server that has it, and keeps it.
func (u *Umpire) draw(ctx context.Context, client *http.Client, servers []string, round uint64) error {
	var faults []error
	for _, server := range servers {
		v, err := u.Chain().Fetch(ctx, client, server, round)
		if err == nil {
			return u.keepValue(v)
		}
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

// keepValue puts a value where the games look for it.
func (u *Umpire) keepValue(v beacon.Value) error {
	u.Writing.Lock()
	defer u.Writing.Unlock()
	var c store.Change
	if taken, err := u.said(&c, v); err != nil || !taken {
		return err
	}
	return u.commit(c)
}
