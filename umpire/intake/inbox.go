package intake

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"time"

	"fieldpost/mailbox"
	"fieldpost/store"
)

// Inbox puts what a Poller fetches into the store's queue of mails to be handled, and tells the Poller
// what is there: it is its Handler and its Seen.
type Inbox struct {
	hd *Handler

	mu       sync.Mutex
	gathered []fetched    // of one folder
	reading  []*readAhead // of those that are just put into the queue
}

// fetched is a mail on its way into the queue.
type fetched struct {
	raw   mailbox.Raw // without its bytes
	ahead *readAhead
}

// Inbox is the way into the queue.
func (hd *Handler) Inbox() *Inbox { return &Inbox{hd: hd} }

// Fetched takes a message of the mailbox in hand: it is spooled and read while the next one is
// fetched. Listed puts it into the queue, or Fetched itself where there are many.
func (b *Inbox) Fetched(_ context.Context, raw mailbox.Raw) error {
	hd := b.hd
	hd.ClockAgrees(raw)
	if unreadable(raw) {
		defer hd.Writing.Lane("")()
		return away(hd.skip(raw))
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if n := len(b.gathered); n >= atOnce || n > 0 && folderOf(b.gathered[0].raw) != folderOf(raw) {
		if err := b.keep(b.look()); err != nil {
			return err
		}
		hd.waitForRoom()
	}
	ahead := hd.readSoon(raw)
	raw.Bytes = nil
	b.gathered = append(b.gathered, fetched{raw, ahead})
	return nil
}

// folderOf is the folder of a message.
func folderOf(raw mailbox.Raw) mailbox.Key {
	return mailbox.Key{Box: raw.Box, UIDValidity: raw.UIDValidity}
}

// look is what was gathered, as a look of the store; with it comes what could not be spooled.
func (b *Inbox) look() (l store.Look, err error) {
	var failed []error
	b.reading = nil
	for _, f := range b.gathered {
		<-f.ahead.Done
		b.reading = append(b.reading, f.ahead)
		if f.ahead.sha == "" {
			failed = append(failed, fmt.Errorf("message %d: %w", f.raw.UID, away(f.ahead.unspooled)))
			continue
		}
		l.Mailbox, l.UIDValidity = f.raw.Box, f.raw.UIDValidity
		l.Mails = append(l.Mails, store.Incoming{SHA256: f.ahead.sha, UID: f.raw.UID, Received: f.raw.InternalDate, Junk: f.raw.Junk,
			Look: f.raw.Look, More: f.raw.More, Queued: b.hd.Now(), Lane: f.ahead.lane()})
	}
	b.gathered = nil
	return l, errors.Join(failed...)
}

// keep puts a look into the store, and says what could not be spooled of it.
func (b *Inbox) keep(l store.Look, unspooled error) error {
	if len(l.Mails) == 0 && l.Low == 0 {
		return unspooled
	}
	if err := b.hd.DB.Arrived(l); err != nil {
		return errors.Join(unspooled, away(err))
	}
	if len(l.Mails) > 0 {
		b.hd.ahead.queued(b.reading)
		b.hd.tellOfMail()
	}
	return unspooled
}

// away names the error of a store that is away for the Poller.
func away(err error) error {
	if errors.Is(err, store.ErrAway) || errors.Is(err, store.ErrUnknown) {
		return fmt.Errorf("%w: %w", mailbox.ErrAway, err)
	}
	return err
}

// Listed puts what a look into a folder has brought into the queue, and raises the low-water mark over
// everything of which no more is to be done in the folder, all in one transaction.
func (b *Inbox) Listed(box string, uidvalidity uint32, uids []uint32) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	l, unspooled := b.look()
	l.Mailbox, l.UIDValidity, l.Listed = box, uidvalidity, uids
	arrives := map[uint32]bool{}
	for _, m := range l.Mails {
		arrives[m.UID] = true
	}
	for _, uid := range uids {
		if !arrives[uid] && !b.Handled(mailbox.Key{Box: box, UIDValidity: uidvalidity, UID: uid}) {
			break
		}
		l.Low = uid
	}
	return b.keep(l, unspooled)
}

// Low is the highest UID such that nothing is to be done about it and all below it.
func (b *Inbox) Low(box string, uidvalidity uint32) uint32 {
	low, err := b.hd.DB.Low(box, uidvalidity)
	if err != nil {
		b.hd.Log.Error("the low-water mark cannot be read", "folder", box, "error", err)
		return 0 // everything is looked at again; what has arrived does not arrive twice
	}
	return low
}

// Handled says whether a message is in the queue, or needs no more attention for another reason.
func (b *Inbox) Handled(k mailbox.Key) bool {
	m, ok, err := b.hd.DB.UID(k.Box, k.UIDValidity, k.UID)
	return err == nil && ok && m.Final()
}

// All removes the marks of messages that are not in a folder any more.
func (b *Inbox) All(box string, uidvalidity uint32, uids []uint32) {
	if _, err := b.hd.DB.ForgetUIDs(box, uidvalidity, uids); err != nil {
		b.hd.Log.Error("the marks of removed messages stay", "folder", box, "error", err)
	}
}

// Handle gives a mail of the queue its effect, which takes it out of the queue.
func (hd *Handler) Handle(ctx context.Context, in store.Incoming) error {
	raw := mailbox.Raw{Key: mailbox.Key{Box: in.Mailbox, UIDValidity: in.UIDValidity, UID: in.UID}, Junk: in.Junk,
		InternalDate: in.Received, Look: in.Look, More: in.More}
	if _, err := hex.Decode(raw.SHA256[:], []byte(in.SHA256)); err != nil {
		return err
	}
	ahead := hd.ahead.take(raw)
	if ahead != nil {
		<-ahead.Done
		raw.Bytes = ahead.bytes
	} else {
		var err error
		if raw.Bytes, err = hd.DB.Spooled(in.SHA256); err != nil {
			return err
		}
	}
	raw.Size = int64(len(raw.Bytes))
	hd.askAhead(ctx, raw)
	if ahead == nil {
		ahead = hd.readNow(raw, in.SHA256)
	}
	return hd.effect(raw, in.SHA256, ahead, in.Lane)
}

// later tells of an error of Handle that the mail is for another moment: another node is at what it is
// about, a deadline passes first, or the store is away.
func later(err error) bool {
	for _, passes := range []error{store.ErrElsewhere, store.ErrStale, ErrDeadlineFirst, store.ErrAway, store.ErrUnknown} {
		if errors.Is(err, passes) {
			return true
		}
	}
	return false
}

// How long a mail is put off whose turn it is not yet, and one that could not be handled: twice as long
// each time. What stands behind that one waits with it, but not for ever.
const (
	laterAgain  = time.Second
	failedAgain = 5 * time.Minute
	holdsTries  = 5
)

// PauseAfter is how long a mail is put off that Handle had an error of.
func PauseAfter(err error, in store.Incoming, now time.Time) store.Pause {
	if later(err) {
		return store.Pause{Until: now.Add(laterAgain), Holds: true}
	}
	wait := min(laterAgain<<min(in.Tries, 20), failedAgain)
	return store.Pause{Until: now.Add(wait), Holds: in.Tries < holdsTries, Why: err.Error()}
}
