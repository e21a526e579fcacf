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
	"slices"
	"sync"
	"time"

	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/store"
	"fieldpost/store/bolt"
	"fieldpost/store/postgres"
	"fieldpost/umpire/post"
	"fieldpost/umpire/turns"
)

// Open opens the store of a config and returns the umpire over it. Close its DB
// when done. The error of a store that a running daemon holds is store.ErrLocked.
func Open(c *Config, log *slog.Logger) (*Umpire, error) { return OpenStore(c, log, bolt.Options{}) }

// OpenStore is Open with options for the store where that is a file.
func OpenStore(c *Config, log *slog.Logger, o bolt.Options) (*Umpire, error) {
	if err := os.MkdirAll(filepath.Dir(c.Database()), 0o700); err != nil {
		return nil, err
	}
	dkim, err := mailbox.NewSigner(c.Mail.DKIM)
	if err != nil {
		return nil, fmt.Errorf("mail.dkim: %w", err)
	}
	db, err := openDB(c, o)
	if err != nil {
		return nil, err
	}
	key, err := keyOver(db, c)
	if err != nil {
		db.Close()
		return nil, err
	}
	u := over(db, c, key, log)
	u.DKIM = dkim
	return u, nil
}

// begin is begun, again and again while the database of several daemons is away, or others come first.
func (u *Umpire) begin(ctx context.Context) error {
	for {
		err := u.begun()
		passes := errors.Is(err, store.ErrAway) || errors.Is(err, store.ErrUnknown) || errors.Is(err, store.ErrStale)
		if !passes {
			return err
		}
		u.Log.Error("the daemon cannot begin yet", "error", err)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Second):
		}
	}
}

// othersEvery is how often a daemon looks for what others over the same database began, and
// alarmsEvery for when time moves their games, and for archives that they owe.
const (
	othersEvery = 30 * time.Second
	alarmsEvery = 2 * time.Second
)

// OnOurClock is a moment of this machine's clock by the one that deadlines are kept by.
func (u *Umpire) OnOurClock(at time.Time) time.Time { return at.Add(u.Now().Sub(u.Local())) }

// beat says that this node is at work and what it does, until ctx ends. The error is ErrNewer when
// the tables were brought to a version that this program may not write.
func (u *Umpire) beat(ctx context.Context, roles []string) error {
	for {
		err := u.DB.(store.Shared).Alive(post.Program(), roles)
		if errors.Is(err, store.ErrNewer) {
			return err
		}
		if err != nil {
			u.Log.Error("other daemons do not hear of this one", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(store.Beat):
		}
	}
}

// leave lets other daemons go on at once with what this one was at.
func (u *Umpire) leave() {
	shared, is := u.DB.(store.Shared)
	if !is {
		return
	}
	if _, err := u.DB.Requeue(); err != nil {
		u.Log.Error("what was being sent is sent again when its lease runs out", "error", err)
	}
	if err := shared.Leave(); err != nil {
		u.Log.Error("other daemons wait until the claims of this one run out", "error", err)
	}
}

// watchOthers takes up the alarms of games that other daemons moved, until ctx ends: one of those may
// be gone when they are due. Two that act at once do no harm, the store admits one of them.
func (u *Umpire) watchOthers(ctx context.Context) error {
	for looked := time.Now(); !paused(ctx, alarmsEvery); {
		u.Disclose()
		if time.Since(looked) < othersEvery {
			if err := u.ReadAlarms(); err != nil {
				u.Log.Error("the alarms of other daemons' games cannot be read", "error", err)
			}
			continue
		}
		looked = time.Now()
		if err := u.SetAlarms(); err != nil {
			u.Log.Error("the games of other daemons cannot be looked at", "error", err)
		}
	}
	return nil
}

// sweepsEvery is how often a daemon asks whether another one has looked through the mailbox.
const sweepsEvery = time.Second

// watchSweeps offers when the mailbox was last looked through, by whichever node, until ctx ends.
func (u *Umpire) watchSweeps(ctx context.Context, polled chan time.Time) error {
	var last time.Time
	for {
		at, err := u.DB.(store.Shared).Swept()
		if err != nil {
			u.Log.Error("whether other daemons have looked through the mailbox cannot be read", "error", err)
		}
		if at.After(last) {
			last = at
			turns.Offer(polled, at)
		}
		if paused(ctx, sweepsEvery) {
			return nil
		}
	}
}

// swept notes a look through the mailbox that began at a moment of this machine's clock: all mail that had
// arrived by then is in the queue.
func (u *Umpire) swept(begun time.Time, polled chan time.Time) {
	at := u.OnOurClock(begun)
	turns.Offer(polled, at)
	shared, is := u.DB.(store.Shared)
	wasToldJustNow := at.Sub(u.told) < sweepsEvery
	if !is || wasToldJustNow {
		return
	}
	if err := shared.Sweep(at); err != nil {
		u.Log.Error("other daemons do not hear that the mailbox was looked through", "error", err)
		return
	}
	u.told = at
}

func openDB(c *Config, o bolt.Options) (store.Store, error) {
	if c.Store == "" {
		return bolt.Open(c.Database(), o)
	}
	node, err := c.node()
	if err != nil {
		return nil, err
	}
	identity, err := c.storeIdentity()
	if err != nil {
		return nil, err
	}
	return postgres.Open(c.Store, postgres.Options{Node: node, Identity: identity})
}

// node names the daemon of a data folder among those that share a database: its next process has
// the same name.
func (c *Config) node() (string, error) {
	host, err := os.Hostname()
	if err != nil {
		return "", err
	}
	folder, err := filepath.Abs(c.path(c.Data))
	return host + ":" + folder, err
}

// storeIdentity is the text of the identity by which secrets in the database are sealed; "" for none.
func (c *Config) storeIdentity() (string, error) {
	if c.StoreIdentity == "" {
		return "", nil
	}
	text, err := os.ReadFile(c.path(os.ExpandEnv(c.StoreIdentity)))
	if err != nil {
		return "", fmt.Errorf("store_identity: %w", err)
	}
	return string(text), nil
}

// keyOver is the daemon's signing key. It is made at the first start; in a database that has games
// another daemon made one before, and a second one would be a second identity.
func keyOver(db store.Store, c *Config) (seal.PrivateKey, error) {
	key, err := readKey(c.KeyFile())
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if c.Store != "" {
		games, err := db.Games()
		if err != nil {
			return key, err
		}
		if len(games) > 0 {
			return key, fmt.Errorf("%s is missing, and %s has games that another daemon signs for: copy its key here", c.KeyFile(), c.Place())
		}
	}
	return makeKey(c.KeyFile())
}

// over is the umpire of a config over an open store.
func over(db store.Store, c *Config, key seal.PrivateKey, log *slog.Logger) *Umpire {
	now := time.Now
	if shared, is := db.(store.Shared); is {
		now = shared.Now // several daemons go by one clock
	}
	u := New(Setup{DB: db, Address: c.Mail.Address, Name: c.Mail.Name, Key: key, Now: now, Log: log, Library: c.library, Share: c.Share,
		MaxMessage: c.Mail.WithDefaults().MaxMessage, Plain: c.Mail.PlainAddress, SignUp: c.Mail.OpenSignUp, FirstMails: c.NewAddressesPerDay, Club: c.Club})
	u.Upgrading = u.isOneOfSeveralPrograms
	u.Wake = make(chan struct{}, 1)
	u.Tally.Since.Store(u.Now().Unix())
	u.Moderators = c.Moderators
	if !key.Public().IsZero() {
		sum := sha256.Sum256([]byte("fieldpost instance " + key.Public().String()))
		u.Instance = hex.EncodeToString(sum[:8])
	}
	return u
}

// isOneOfSeveralPrograms tells whether a node at work over the same store runs another program.
func (u *Umpire) isOneOfSeveralPrograms() bool {
	shared, is := u.DB.(store.Shared)
	if !is {
		return false
	}
	nodes, err := shared.Nodes()
	return err == nil && slices.ContainsFunc(nodes, func(n store.Node) bool { return !n.Gone() && n.About != "" && n.About != post.Program() })
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
	started := time.Now()
	u.Steady = func() time.Duration { return time.Since(started) }
	if err := u.begin(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	start := func(f func(context.Context) error) {
		wg.Go(func() {
			if err := c.caught(func() error { return f(ctx) }); err != nil && ctx.Err() == nil {
				cancel(err)
			}
		})
	}
	wake, polled := u.Wake, make(chan time.Time, 1)
	mail := c.Mail.WithDefaults()
	if c.has(Intake) {
		f := &fetching{every: time.Duration(mail.IMAP.Poll), boxes: []string{mail.IMAP.Mailbox}, since: u.Now()}
		if err := u.poller(c, f, polled); err != nil {
			return err
		}
		start(func(ctx context.Context) error { return u.fetch(ctx, f) })
	}
	if c.works() {
		u.guard = c.caught
		start(u.Work)
	}
	if c.has(Senders) {
		sender, err := mailbox.NewSender(c.Mail, mailbox.SenderOptions{Log: u.Log})
		if err != nil {
			return err
		}
		start(func(ctx context.Context) error { return u.Deliver(ctx, sender, wake) })
	}
	if c.has(Alarms) {
		start(func(ctx context.Context) error { return u.KeepTime(ctx, polled, wake) })
		start(func(ctx context.Context) error { return u.KeepDrawing(ctx, c.Beacon.Servers) })
		start(func(ctx context.Context) error { return u.keepTidy(ctx, c.KeepMailDays) })
		start(u.keepThin)
		start(func(ctx context.Context) error { return u.WatchKeys(ctx, wake) })
	}
	start(func(ctx context.Context) error { return u.keepWatch(ctx, time.Duration(mail.IMAP.Poll)) })
	start(func(ctx context.Context) error { return u.serveDesk(ctx, c.Socket(), wake) })
	if c.Store != "" {
		start(func(ctx context.Context) error { return u.beat(ctx, c.roleNames()) })
	}
	if c.Store != "" && c.has(Alarms) {
		start(u.watchOthers)
		start(func(ctx context.Context) error { return u.watchSweeps(ctx, polled) })
	}
	<-ctx.Done()
	wg.Wait()
	u.leave()
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		return cause
	}
	return nil
}

// poller puts mail into the queue; polled hears of every look through the mailbox.
func (u *Umpire) poller(c *Config, f *fetching, polled chan time.Time) (err error) {
	inbox := u.Inbox()
	f.poller, err = mailbox.NewPoller(c.Mail, inbox, inbox.Fetched, mailbox.PollerOptions{Log: u.Log, Now: u.Local,
		Done:   func(begun time.Time) { u.swept(begun, polled) },
		Looked: func(box string) { u.Service.Looked(box, u.Now()) },
		Failed: func(err error, begun time.Time) { f.looked(err); u.Service.LookFailed(err, begun) }})
	return err
}
