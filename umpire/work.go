package umpire

import (
	"context"
	"errors"
	"runtime"
	"time"

	"fieldpost/store"
	"fieldpost/umpire/intake"
)

// queueEvery is how often a daemon asks for mail that another one has fetched, or that was put off.
const queueEvery = 250 * time.Millisecond

// Work handles the mails of the queue until ctx ends.
func (u *Umpire) Work(ctx context.Context) error {
	u.Working(true)
	defer u.Working(false)
	for {
		if err := u.WorkOff(ctx); err != nil && ctx.Err() == nil {
			u.Log.Error("the mails to be handled cannot be read; it is tried again", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-u.Mail():
		case <-time.After(queueEvery):
		}
	}
}

// WorkOff handles what is in the queue, until there is nothing that may be handled now.
func (u *Umpire) WorkOff(ctx context.Context) error {
	places := u.AtOnce
	if places == 0 {
		places = runtime.GOMAXPROCS(0)
	}
	done := make(chan error, places)
	busy := 0
	var failed error
	for {
		for busy < places && failed == nil && ctx.Err() == nil {
			in, is, err := u.DB.Next(u.Now())
			if failed = err; err != nil || !is {
				break
			}
			busy++
			go func() { done <- u.handle(ctx, in) }()
		}
		if busy == 0 {
			u.ForgetAhead()
			return failed
		}
		select {
		case err := <-done:
			busy--
			failed = errors.Join(failed, err)
		case <-u.Mail():
		case <-time.After(queueEvery): // a place may be free for what another daemon has fetched, or was put off
		}
	}
}

// guarded calls f so that a fault of it in one of several clubs is an error.
func (u *Umpire) guarded(f func() error) error {
	if u.guard == nil {
		return f()
	}
	return u.guard(f)
}

// handle handles a mail of the queue, or puts it off.
func (u *Umpire) handle(ctx context.Context, in store.Incoming) error {
	defer store.Renew(u.DB, store.ClaimOfMail(in.SHA256))()
	err := u.guarded(func() error { return u.Handle(ctx, in) })
	if err == nil {
		select {
		case u.Wake <- struct{}{}:
		default:
		}
		return nil
	}
	pause := intake.PauseAfter(err, in, u.Now())
	if pause.Why != "" {
		u.Log.Error("a mail cannot be handled; it is tried again", "mail", in.SHA256, "tries", in.Tries+1, "at", pause.Until, "error", err)
	}
	return u.DB.PutOff(in.SHA256, pause)
}
