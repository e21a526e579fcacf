package intake

import (
	"maps"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/umpire/seats"
)

// What is read ahead: so many mails, none of them larger than a signed sheet ever is.
const (
	aheadMails = 2 * atOnce
	aheadBytes = 128 << 10
)

// aheads are the mails that are being read ahead.
type aheads struct {
	mu      sync.Mutex
	mails   map[[32]byte]*readAhead // by the SHA-256 of the mail
	reading chan struct{}           // holds as many as are read at once
	working atomic.Bool             // somebody in this process takes them
}

func newAheads() *aheads {
	return &aheads{mails: map[[32]byte]*readAhead{}, reading: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1))}
}

// take hands over what is read ahead of a mail, nil if nothing is. It may not be Done yet.
func (a *aheads) take(raw mailbox.Raw) *readAhead {
	a.mu.Lock()
	defer a.mu.Unlock()
	f := a.mails[raw.SHA256]
	delete(a.mails, raw.SHA256)
	return f
}

// put begins what is read ahead of a mail.
func (a *aheads) put(raw mailbox.Raw) *readAhead {
	f := &readAhead{Done: make(chan struct{}), bytes: raw.Bytes}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.mails) >= aheadMails { // a poll was broken off: what it brought comes again
		clear(a.mails)
	}
	a.mails[raw.SHA256] = f
	return f
}

// AheadCount is how many mails were read ahead and not taken yet; it waits until all are read.
func (hd *Handler) AheadCount() int {
	hd.ahead.mu.Lock()
	defer hd.ahead.mu.Unlock()
	for _, f := range hd.ahead.mails {
		<-f.Done
	}
	return len(hd.ahead.mails)
}

// Ahead begins to read a mail that Receive will be given soon. It returns at once.
func (hd *Handler) Ahead(raw mailbox.Raw) {
	if !unreadable(raw) && len(raw.Bytes) <= aheadBytes {
		hd.readSoon(raw)
	}
}

// readSoon spools a mail and reads it meanwhile; a large one is spooled at once, and not read.
func (hd *Handler) readSoon(raw mailbox.Raw) *readAhead {
	if len(raw.Bytes) > aheadBytes {
		f := &readAhead{Done: make(chan struct{})}
		f.sha, f.unspooled = hd.DB.Spool(raw.Bytes)
		close(f.Done)
		return f
	}
	f, reading := hd.ahead.put(raw), hd.ahead.reading
	go func() {
		defer close(f.Done)
		// The disk is waited for here and not where the mails are handled in turn.
		if f.sha, f.unspooled = hd.DB.Spool(raw.Bytes); f.unspooled != nil {
			return // Receive tries again, and says what is amiss
		}
		reading <- struct{}{}
		defer func() { <-reading }()
		hd.lookAhead(f, raw)
	}()
	return f
}

// readNow reads a mail that is spooled.
func (hd *Handler) readNow(raw mailbox.Raw, sha string) *readAhead {
	f := &readAhead{Done: make(chan struct{}), sha: sha, bytes: raw.Bytes}
	defer close(f.Done)
	if len(raw.Bytes) <= aheadBytes {
		hd.lookAhead(f, raw)
	}
	return f
}

// queued notes that mails are in the queue, and so may be handled by anybody.
func (a *aheads) queued(mails []*readAhead) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, f := range mails {
		f.queued = true
	}
}

// Working says that somebody in this process handles the mails of the queue, or does so no more.
func (hd *Handler) Working(does bool) { hd.ahead.working.Store(does) }

// waitForRoom waits until there is room for more mails that are read ahead of those who handle them.
func (hd *Handler) waitForRoom() {
	for hd.ahead.working.Load() && hd.ahead.count() > aheadMails-atOnce {
		time.Sleep(roomAgain)
	}
}

// roomAgain is how often is looked for room.
const roomAgain = 2 * time.Millisecond

func (a *aheads) count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.mails)
}

// ForgetAhead forgets what was read of mails in the queue while there is nothing in it to be handled now:
// others have handled them, or they wait.
func (hd *Handler) ForgetAhead() {
	hd.ahead.mu.Lock()
	defer hd.ahead.mu.Unlock()
	maps.DeleteFunc(hd.ahead.mails, func(_ [32]byte, f *readAhead) bool { return f.queued })
}

// lookAhead reads a mail as far as it goes. Whatever is amiss is Receive's to find.
func (hd *Handler) lookAhead(f *readAhead, raw mailbox.Raw) {
	defer func() {
		if r := recover(); r != nil {
			*f = readAhead{Done: f.Done, sha: f.sha, bytes: f.bytes, queued: f.queued} // Receive meets the same, and says so
		}
	}()
	l := &incoming{h: hd, raw: raw}
	var err error
	if l.msg, err = mailbox.Read(raw.Bytes); err != nil {
		return
	}
	f.msg = l.msg
	if !l.class().MayCarryOrders() {
		return
	}
	if f.sheets, err = l.verified(); err != nil {
		f.sheets = nil
		return
	}
	if len(f.sheets) > 1 {
		return // which one counts is asked when it is its turn
	}
	sealed := f.sheets[0]
	found, err := hd.DB.Seats(sealed.Key.ID())
	if err != nil || len(found) == 0 {
		return
	}
	f.text = sealed.Text
	f.head, f.strange = orders.Parse(sealed.Text, orders.Vocabulary{})
	seat, ok := seatFor(found, strings.ToUpper(f.head.Header("GAME")), strings.ToUpper(f.head.Header("SIDE")))
	if !ok {
		return
	}
	pos, err := hd.DB.Load(seat.Game)
	if err != nil || !hd.playable(pos) {
		return
	}
	m, err := hd.Under(pos)
	if err != nil {
		return
	}
	f.sheet, f.faults = orders.Parse(sealed.Text, m.System.Vocabulary())
	f.signature, f.signed = seats.Evidence(f.msg, sealed.Text, sealed.Key)
	v, err := m.View(seat.Side)
	if err != nil {
		return
	}
	f.verdict, f.date = judged(m, v, f.sheet, f.faults), v.Date
	f.game, f.position, f.side = pos.Game, pos.Latest.Hash, seat.Side
}

// unreadable tells of a mail that there is nothing of to read.
func unreadable(raw mailbox.Raw) bool { return raw.Poison || raw.Oversize || raw.Gone }

// lane is the game of a mail with one verified sheet that was judged ahead, "" for any
// other mail.
func (f *readAhead) lane() string {
	if f == nil || f.verdict == nil || len(f.sheets) != 1 {
		return ""
	}
	return f.game.ID
}

// atOnce is how many mails are put into the queue in one transaction.
const atOnce = 16
