package mailbox

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"
)

// Raw is a message as it lies in a folder. Folder, UIDValidity and UID together
// identify it (RFC 9051 section 2.3.1.1).
type Raw struct {
	// Key is zero for a message that came by another way than IMAP.
	Key
	// Junk says that the provider took it for junk.
	Junk bool
	// InternalDate is when it arrived, by the server's clock.
	InternalDate time.Time
	// New says that it came into its folder since the last whole look through that, as far as
	// this Poller has looked: not a message of before, nor one that could not be fetched then.
	New bool
	// Look is when the look began that found the message, More whether the same look has
	// others to come.
	Look time.Time
	More bool
	// Bytes is the whole message; for Oversize its first 64 KiB; for Poison nothing.
	Bytes []byte
	// SHA256 is the digest of Bytes.
	SHA256 [sha256.Size]byte
	// Size is the size that the server gives, in bytes.
	Size int64
	// Oversize says that the message is larger than Config.MaxMessage.
	Oversize bool
	// Poison says that fetching the message broke the connection twice. It is
	// still in the mailbox, for a person to look at. Two accidents of the
	// network look the same: a store that does not count the message as handled
	// has it fetched again.
	Poison bool
	// Gone says that somebody removed the message before it was fetched.
	Gone bool
}

// Seen knows which messages are handled. The truth is in the store: what is
// committed there is not brought again, and everything else is.
type Seen interface {
	// Low is the highest UID such that it and all below it are handled; 0 for none.
	Low(box string, uidvalidity uint32) uint32
	// Handled says whether this one is handled.
	Handled(key Key) bool
	// Listed tells what a look into a folder has found: all of its UIDs above Low,
	// ascending. All of them were handed over that could be fetched; what the Handler has
	// taken must be handled when it returns.
	Listed(box string, uidvalidity uint32, uids []uint32) error
	// All tells now and then of all UIDs that are in a folder.
	All(box string, uidvalidity uint32, uids []uint32)
}

// Handler takes a message. When it returns nil the message must be handled for
// Seen, at the latest when Listed returns; else the message comes again at the next poll.
type Handler func(ctx context.Context, raw Raw) error

// soon is when the next poll is after ErrAway.
const soon = time.Second

// ErrAway says that what messages have their effect on is not to be had. Nothing more is fetched
// until it is tried again, which is soon: the mail server is not at fault.
var ErrAway = errors.New("nothing can be kept of a message now")

// ErrLogin says that the server refused user name and password. Trying again
// soon could lock the account.
var ErrLogin = errors.New("the IMAP server refuses the login")

// PollerOptions are for tests and special networks. The zero value is right otherwise.
type PollerOptions struct {
	// TLS is used for "tls" and "starttls"; nil checks the server's name
	// against the roots of the system.
	TLS *tls.Config
	// Timeout is the longest wait for one answer; 0 is 60 seconds. Large
	// messages get more.
	Timeout time.Duration
	// MinBackoff and MaxBackoff bound the pause after a failure, which doubles
	// from one to the other; 0 is 5 seconds and 5 minutes. LoginBackoff is the
	// pause after ErrLogin; 0 is 15 minutes.
	MinBackoff, MaxBackoff, LoginBackoff time.Duration
	// NoIdle turns IDLE off: only polls bring mail.
	NoIdle bool
	// Dial opens the connection; nil is TCP.
	Dial DialFunc
	// Ahead, if it is set, is shown every message as soon as it is fetched, before it is
	// handed over.
	Ahead func(raw Raw)
	// Done is told after every complete poll when it began: all mail that had
	// arrived by then is handled.
	Done func(begun time.Time)
	// Looked is told after every look through a folder in which all of it was handled, and
	// Failed of every poll what it failed with: nil for nothing, and when it began.
	Looked func(box string)
	Failed func(err error, begun time.Time)
	// Now is this machine's clock; nil is time.Now.
	Now func() time.Time
	Log *slog.Logger
}

func (o PollerOptions) withDefaults() PollerOptions {
	set := func(d *time.Duration, v time.Duration) {
		if *d == 0 {
			*d = v
		}
	}
	set(&o.Timeout, time.Minute)
	set(&o.MinBackoff, 5*time.Second)
	set(&o.MaxBackoff, 5*time.Minute)
	set(&o.LoginBackoff, 15*time.Minute)
	if o.Done == nil {
		o.Done = func(time.Time) {}
	}
	if o.Looked == nil {
		o.Looked = func(string) {}
	}
	if o.Failed == nil {
		o.Failed = func(error, time.Time) {}
	}
	if o.Ahead == nil {
		o.Ahead = func(Raw) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// fullSearch is how often a folder is listed whole: UIDs ascend, but not every
// server keeps to that.
const fullSearch = time.Hour

// Poller brings new mail. Mail stays in the mailbox, unread: what is handled is
// written down in the store and nowhere else.
type Poller struct {
	config  Config
	options PollerOptions
	seen    Seen
	handle  Handler

	turn      chan struct{} // holds one token: whoever has it owns all below
	link      *link
	open      string               // the folder that is open on the link
	junk      *string              // the folder of junk, "" if there is none; nil before it was looked for
	listed    map[string]time.Time // when a folder was listed whole
	through   map[string]Key       // the last message that was there at the last look through a folder
	broken    map[Key]int          // how often fetching a message broke the connection
	pending   bool                 // a message of this poll is still to be handled
	waiters   atomic.Int32
	interrupt chan struct{} // ends an IDLE because somebody wants to poll
}

// Key names a message in one account.
type Key struct {
	Box              string
	UIDValidity, UID uint32
}

// maxBreaks is how often a message may break the connection before it is poison.
const maxBreaks = 2

// NewPoller checks the configuration; it does not connect yet.
func NewPoller(config Config, seen Seen, handle Handler, options PollerOptions) (*Poller, error) {
	config = config.WithDefaults()
	if err := config.IMAP.usable(); err != nil {
		return nil, fmt.Errorf("fetching mail: %w", err)
	}
	p := &Poller{
		config: config, options: options.withDefaults(), seen: seen, handle: handle,
		turn: make(chan struct{}, 1), interrupt: make(chan struct{}, 1), broken: map[Key]int{}, listed: map[string]time.Time{}, through: map[string]Key{},
	}
	switch junk := config.IMAP.Junk; junk {
	case "":
	case NoJunk:
		p.junk = new(string)
	default:
		p.junk = &junk
	}
	p.turn <- struct{}{}
	return p, nil
}

// Poll looks once for new mail and hands all of it to the handler: first what lies
// among the junk, and each folder in the order of its UIDs. It may be called while Run
// is running, and then cuts Run's waiting short.
// If it returns nil, every message that was in the mailbox when it was called
// is handled. Otherwise some may be; the rest comes with the next poll.
func (p *Poller) Poll(ctx context.Context) error {
	p.waiters.Add(1)
	defer p.waiters.Add(-1)
	select {
	case p.interrupt <- struct{}{}:
	default:
	}
	if err := p.acquire(ctx); err != nil {
		return err
	}
	defer p.release()
	return p.poll(ctx)
}

// Run polls until ctx ends, and returns its error. In between it waits for the
// interval of the configuration, or shorter if the server announces mail (IDLE);
// after a failure it waits as the options say.
func (p *Poller) Run(ctx context.Context) error {
	failures := 0
	for {
		if err := p.acquire(ctx); err != nil {
			return err
		}
		err := p.poll(ctx)
		if ctx.Err() != nil {
			p.hangUp()
			p.release()
			return ctx.Err()
		}
		if err == nil {
			failures = 0
			p.idle(ctx)
			p.release()
			continue
		}
		p.release()
		failures++
		pause := p.pause(failures, err)
		p.options.Log.Warn("fetching mail failed", "err", err, "again_in", pause)
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// Close ends the connection. The next Poll opens a new one.
func (p *Poller) Close() error {
	<-p.turn
	defer p.release()
	p.hangUp()
	return nil
}

func (p *Poller) acquire(ctx context.Context) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	select {
	case <-p.turn:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *Poller) release() { p.turn <- struct{}{} }

// pause is the time before the next try: soon after ErrAway, else doubling, with a quarter of jitter so
// that daemons do not come back together after a failure of the server.
func (p *Poller) pause(failures int, err error) time.Duration {
	if errors.Is(err, ErrAway) {
		return soon
	}
	d := p.options.MinBackoff
	for i := 1; i < failures && d < p.options.MaxBackoff; i++ {
		d *= 2
	}
	d = min(d, p.options.MaxBackoff)
	if errors.Is(err, ErrLogin) {
		d = max(d, p.options.LoginBackoff)
	}
	return d - d/8 + rand.N(d/4+1)
}

func (p *Poller) hangUp() {
	if p.link != nil {
		p.link.close()
		p.link, p.open = nil, ""
	}
}

// poll is one pass over the folders. The caller has the turn.
func (p *Poller) poll(ctx context.Context) (err error) {
	begun := p.options.Now()
	defer func() { p.options.Failed(err, begun) }()
	boxes, err := p.boxes(ctx)
	if err != nil {
		return fmt.Errorf("looking for mail: %w", err)
	}
	var failed []error
	p.pending = false
	for _, box := range boxes {
		if err := p.pollBox(ctx, box, begun); err != nil {
			failed = append(failed, err)
		}
		if ctx.Err() != nil {
			break
		}
	}
	if len(failed) > 0 {
		return errors.Join(failed...)
	}
	if !p.pending {
		p.options.Done(begun)
	}
	return nil
}

// boxes are the folders to read. The last is the one that IDLE watches.
func (p *Poller) boxes(ctx context.Context) ([]string, error) {
	if p.junk == nil {
		name, err := p.findJunk(ctx)
		if err != nil {
			return nil, err
		}
		p.junk = &name
		p.options.Log.Info("folders", "mail", p.config.IMAP.Mailbox, "junk", name)
	}
	if *p.junk == "" || *p.junk == p.config.IMAP.Mailbox {
		return []string{p.config.IMAP.Mailbox}, nil
	}
	return []string{*p.junk, p.config.IMAP.Mailbox}, nil
}

// findJunk asks the server, once more over a new connection if the one kept was closed.
func (p *Poller) findJunk(ctx context.Context) (name string, err error) {
	for range 2 {
		reused := p.link != nil
		if err = p.dial(ctx); err == nil {
			if name, err = p.link.junk(ctx); err == nil {
				return name, nil
			}
		}
		p.hangUp()
		if !reused || ctx.Err() != nil {
			break
		}
	}
	return "", err
}

// pollBox brings what is new in one folder.
func (p *Poller) pollBox(ctx context.Context, box string, begun time.Time) error {
	validity, uids, whole, err := p.look(ctx, box)
	switch {
	case errors.Is(err, errNoFolder) && box != p.config.IMAP.Mailbox && p.config.IMAP.Junk == "":
		p.junk = nil // removed or renamed: look for it at the next poll
		return nil
	case err != nil:
		return fmt.Errorf("looking for mail in %s: %w", box, err)
	}
	var failed []error
	last, looked := p.through[box]
	looked = looked && last.UIDValidity == validity
	hands := p.hand(ctx)
	for i, uid := range uids {
		key := Key{box, validity, uid}
		if p.seen.Handled(key) {
			delete(p.broken, key)
			continue
		}
		if hands.away.Load() {
			break
		}
		if p.link == nil {
			// The message before broke the connection. The others need not
			// wait for it, as long as there is a new connection at once.
			if len(failed) > maxBreaks {
				break
			}
			if again, err := p.enter(ctx, box); err != nil || again != validity {
				p.hangUp()
				break
			}
		}
		raw, err := p.fetch(ctx, key)
		if err == nil {
			raw.Look, raw.New = begun, looked && uid > last.UID
			raw.More = box != p.config.IMAP.Mailbox || slices.ContainsFunc(uids[i+1:], func(uid uint32) bool { return !p.seen.Handled(Key{box, validity, uid}) })
			hands.give(raw)
		} else if failed = append(failed, err); ctx.Err() != nil {
			break
		}
	}
	handed := hands.done()
	if err := p.seen.Listed(box, validity, uids); err != nil {
		failed = append(failed, fmt.Errorf("keeping what was fetched from %s: %w", box, err))
	}
	if failed = append(failed, p.dealtWith(handed)...); len(failed) > 0 {
		return errors.Join(failed...)
	}
	p.options.Looked(box)
	if !looked {
		last.UID = 0
	}
	p.through[box] = Key{box, validity, max(last.UID, slices.Max(append(uids, 0)))}
	if whole {
		p.seen.All(box, validity, uids)
	}
	if whole || p.listed[box].IsZero() {
		p.listed[box] = time.Now()
	}
	return nil
}

// look lists the messages that may be new, now and then all of them. If the
// connection kept from the last poll was closed in the meantime, that is no failure
// of the server: it looks again over a new one.
func (p *Poller) look(ctx context.Context, box string) (validity uint32, uids []uint32, whole bool, err error) {
	whole = !p.listed[box].IsZero() && time.Since(p.listed[box]) > fullSearch
	reused := p.link != nil
	for {
		if validity, err = p.enter(ctx, box); err == nil {
			low := p.seen.Low(box, validity)
			if whole {
				low = 0
			}
			if uids, err = p.link.search(ctx, low); err == nil {
				return validity, uids, whole, nil
			}
		}
		if errors.Is(err, errNoFolder) {
			return 0, nil, whole, err
		}
		p.hangUp()
		if !reused || ctx.Err() != nil {
			return 0, nil, whole, err
		}
		reused = false
	}
}

// dial connects if there is no connection.
func (p *Poller) dial(ctx context.Context) (err error) {
	if p.link == nil {
		p.link, err = dialIMAP(ctx, p.config, p.options)
	}
	return err
}

// enter opens a folder, connecting first if there is no connection.
func (p *Poller) enter(ctx context.Context, box string) (validity uint32, err error) {
	if err := p.dial(ctx); err != nil {
		return 0, err
	}
	p.open = ""
	if validity, err = p.link.selectBox(ctx, box); err == nil {
		p.open = box
	}
	return validity, err
}

// fetch brings one message, or says why there is none to bring.
func (p *Poller) fetch(ctx context.Context, key Key) (raw Raw, err error) {
	raw = Raw{Key: key, Poison: true}
	if p.broken[key] < maxBreaks {
		raw, err = p.link.fetch(ctx, key, p.config.MaxMessage)
		switch {
		case errors.Is(err, errGone): // removed by somebody in the meantime
			raw = Raw{Key: key, Gone: true}
		case err != nil:
			p.hangUp()
			if ctx.Err() != nil {
				return raw, ctx.Err() // we broke it off, not the message
			}
			p.broken[key]++
			return raw, fmt.Errorf("fetching message %d: %w", key.UID, err)
		}
	}
	raw.Junk = key.Box != p.config.IMAP.Mailbox
	raw.SHA256 = sha256.Sum256(raw.Bytes)
	return raw, nil
}

// canIdle tells whether the server can say at once when there is new mail.
func (p *Poller) canIdle() bool {
	if p.link == nil || p.options.NoIdle {
		return false
	}
	return p.link.canIdle && p.open == p.config.IMAP.Mailbox
}

// idle waits until the next poll is due. The caller has the turn.
func (p *Poller) idle(ctx context.Context) {
	if p.waiters.Load() > 0 {
		return // somebody waits for the turn
	}
	due := time.NewTimer(time.Duration(p.config.IMAP.Poll))
	defer due.Stop()
	if !p.canIdle() {
		select {
		case <-ctx.Done():
		case <-due.C:
		case <-p.interrupt:
		}
		return
	}
	if err := p.link.idle(ctx, due.C, p.interrupt); err != nil {
		p.options.Log.Debug("waiting for mail ended early", "err", err)
		p.hangUp()
		// The next poll dials again; a server that drops every IDLE at once
		// must not be dialled in a tight loop.
		select {
		case <-ctx.Done():
		case <-due.C:
		case <-p.interrupt:
		case <-time.After(p.options.MinBackoff):
		}
	}
}
