package umpire

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"fieldpost/mailbox"
	"fieldpost/store"
)

const (
	// mailboxClaim is the claim of the daemon, of several over a store, that fetches mail, and
	// claimEvery how often it is made.
	mailboxClaim = "mailbox"
	claimEvery   = time.Second
	// mostFailures is after how many failed looks in a row another daemon may try, and othersTry for
	// how long this one leaves it to others then.
	mostFailures = 3
	othersTry    = 2 * store.ClaimTime
)

// fetching is fetching mail from the mailbox.
type fetching struct {
	poller *mailbox.Poller
	every  time.Duration // between two looks
	boxes  []string
	since  time.Time    // when this daemon began
	failed atomic.Int64 // looks in a row
}

// looked counts the looks in a row that failed.
func (f *fetching) looked(err error) {
	if err == nil {
		f.failed.Store(0)
		return
	}
	f.failed.Add(1)
}

// fetch fetches mail until ctx ends. Of several daemons one does it, for as long as it claims the
// mailbox: two at once would do no harm, a mail is put into the queue once.
func (u *Umpire) fetch(ctx context.Context, f *fetching) error {
	shared, is := u.DB.(store.Shared)
	if !is {
		u.Service.Begin(f.every, f.boxes, u.Now())
		return f.poller.Run(ctx)
	}
	for ctx.Err() == nil {
		ours, err := shared.Claim(mailboxClaim)
		if err != nil {
			u.Log.Error("whether another daemon fetches mail cannot be read", "error", err)
		}
		if !ours {
			paused(ctx, claimEvery)
			continue
		}
		if err := u.fetchWhileOurs(ctx, f, shared); err != nil {
			return err
		}
		if ctx.Err() == nil && f.failed.Load() >= mostFailures {
			u.Log.Error("the mailbox cannot be looked into from here; another daemon may try")
			if err := shared.Release(mailboxClaim); err != nil {
				u.Log.Error("other daemons wait until the claim of the mailbox runs out", "error", err)
			}
			paused(ctx, othersTry)
		}
	}
	return nil
}

// fetchWhileOurs fetches mail until ctx ends, another daemon has the mailbox, or it is better given
// to another one.
func (u *Umpire) fetchWhileOurs(ctx context.Context, f *fetching, shared store.Shared) error {
	since, err := shared.Swept()
	if err != nil || since.Before(f.since) {
		since = f.since
	}
	u.Service.Begin(f.every, f.boxes, since)
	defer u.Service.Rest()
	f.failed.Store(0)
	lease, end := context.WithCancel(ctx)
	kept := make(chan struct{})
	go func() {
		defer close(kept)
		defer end()
		for !paused(lease, claimEvery) {
			ours, err := shared.Claim(mailboxClaim)
			isLost := err == nil && !ours
			if isLost || f.failed.Load() >= mostFailures && u.othersFetch(shared) {
				return
			}
		}
	}()
	err = f.poller.Run(lease)
	if lease.Err() != nil {
		err = nil
	}
	end()
	<-kept
	return err
}

// othersFetch tells whether another daemon at work could fetch mail.
func (u *Umpire) othersFetch(shared store.Shared) bool {
	nodes, err := shared.Nodes()
	fetch := 0
	for _, n := range nodes {
		if !n.Gone() && slices.Contains(n.Roles, string(Intake)) {
			fetch++
		}
	}
	return err == nil && fetch > 1
}
