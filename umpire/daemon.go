package umpire

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/store"
)

// Open opens the store of a config and returns the umpire over it. Close its DB
// when done. The error of a store that a running daemon holds is store.ErrLocked.
func Open(c *Config, log *slog.Logger) (*Umpire, error) { return OpenStore(c, log, store.Options{}) }

// OpenStore is Open with options for the store.
func OpenStore(c *Config, log *slog.Logger, o store.Options) (*Umpire, error) {
	if err := os.MkdirAll(filepath.Dir(c.Database()), 0o700); err != nil {
		return nil, err
	}
	db, err := store.Open(c.Database(), o)
	if err != nil {
		return nil, err
	}
	key, err := readKey(c.KeyFile()) // the lock is ours: nobody else makes one now
	if errors.Is(err, fs.ErrNotExist) {
		key, err = makeKey(c.KeyFile())
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return over(db, c, key, log), nil
}

// over is the umpire of a config over an open store.
func over(db *store.DB, c *Config, key seal.PrivateKey, log *slog.Logger) *Umpire {
	u := &Umpire{DB: db, Address: c.Mail.Address, Name: c.Mail.Name, Key: key, Now: time.Now, Log: log, Shelf: c.shelf}
	if !key.Public().IsZero() {
		sum := sha256.Sum256([]byte("fieldpost instance " + key.Public().String()))
		u.Instance = hex.EncodeToString(sum[:8])
	}
	return u
}

// readKey reads the daemon's signing key; fs.ErrNotExist when there is none yet.
func readKey(path string) (key seal.PrivateKey, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return key, err
	}
	if key, err = seal.ParsePrivateKey(text, ""); err != nil {
		return key, fmt.Errorf("%s: %w", path, err)
	}
	return key, nil
}

// makeKey makes the daemon's signing key.
func makeKey(path string) (seal.PrivateKey, error) {
	key, err := seal.GenerateKey(rand.Reader)
	if err != nil {
		return key, err
	}
	text, err := key.Marshal("fieldpost daemon")
	if err != nil {
		return key, err
	}
	return key, os.WriteFile(path, text, 0o600)
}

// Run is the daemon: it polls the mailbox, sends the outbox and answers the
// control socket until ctx ends.
func (u *Umpire) Run(ctx context.Context, c *Config) error {
	if err := u.begun(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	start := func(f func(context.Context) error) {
		wg.Go(func() {
			if err := f(ctx); err != nil && ctx.Err() == nil {
				cancel(err)
			}
		})
	}
	wake := make(chan struct{}, 1)
	receive := func(ctx context.Context, raw mailbox.Raw) error {
		err := u.Receive(ctx, raw)
		select {
		case wake <- struct{}{}:
		default:
		}
		return err
	}
	poller, err := mailbox.NewPoller(c.Mail, seen{u.DB, u.Log}, receive, mailbox.PollerOptions{Log: u.Log})
	if err != nil {
		return err
	}
	start(poller.Run)
	start(func(ctx context.Context) error { return u.deliver(ctx, c.Mail, wake) })
	start(func(ctx context.Context) error { return u.keepTidy(ctx, c.KeepMailDays) })
	start(func(ctx context.Context) error { return u.serveDesk(ctx, c.Socket(), wake) })
	<-ctx.Done()
	wg.Wait()
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		return cause
	}
	return nil
}

// deliver sends what the outbox holds, one mail at a time.
func (u *Umpire) deliver(ctx context.Context, c mailbox.Config, wake <-chan struct{}) error {
	sender, err := mailbox.NewSender(c, mailbox.SenderOptions{Log: u.Log})
	if err != nil {
		return err
	}
	defer sender.Close()
	for {
		queue, err := u.DB.Queue(u.Now(), 50)
		if err != nil {
			return err
		}
		for _, m := range queue {
			if ctx.Err() != nil {
				return nil
			}
			if err := u.send(ctx, sender, m); err != nil {
				return err
			}
		}
		if len(queue) == 50 {
			continue
		}
		wait := time.Minute
		if at, ok, err := u.DB.NextAttempt(); err == nil && ok {
			wait = min(wait, max(at.Sub(u.Now()), 50*time.Millisecond))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-wake:
		case <-time.After(wait):
		}
	}
}

// send makes one attempt. "Sending" is on disk before the first byte leaves: if
// the process dies now, the same bytes go out again under the same Message-ID.
func (u *Umpire) send(ctx context.Context, sender *mailbox.Sender, m store.Mail) error {
	m, err := u.DB.MarkSending(m.ID, u.Now())
	if err != nil {
		return err
	}
	raw, err := u.DB.MailBytes(m.SHA256)
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrDamaged) {
		// One file is lost, not the post: the others go out.
		u.Log.Error("the file of a mail is missing or damaged; the mail is given up", "to", m.To, "id", m.ID, "kind", m.Kind, "game", m.Game, "error", err)
		return u.DB.MarkResult(m.ID, store.Result{State: store.MailFailed, At: u.Now(), Reply: err.Error()})
	}
	if err != nil {
		return err
	}
	res := sender.Send(ctx, mailbox.Envelope{From: m.From, To: m.To}, raw)
	now := u.Now()
	r := store.Result{State: store.MailAccepted, At: now, Reply: res.Reply}
	if res.Err != nil && r.Reply == "" {
		r.Reply = res.Err.Error()
	}
	switch res.Outcome {
	case mailbox.Delivered:
	case mailbox.Permanent:
		r.State = store.MailFailed
		u.Log.Error("mail refused for good", "to", m.To, "id", m.ID, "reply", r.Reply)
	default:
		r.State, r.Next = store.MailQueued, now.Add(backOff(m.Attempts))
		u.Log.Warn("mail not sent yet", "to", m.To, "id", m.ID, "outcome", res.Outcome.String(), "again", r.Next, "reply", r.Reply)
	}
	return u.DB.MarkResult(m.ID, r)
}

// backOff is the time to the next attempt: half a minute, doubling to four hours.
func backOff(attempts int) time.Duration {
	d := 30 * time.Second
	for i := 1; i < attempts && d < 4*time.Hour; i++ {
		d *= 2
	}
	return d
}
