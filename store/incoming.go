package store

import (
	"fmt"
	"math"
	"sync"
	"time"
)

// Incoming is a mail that has arrived and is not handled yet. Mails wait in the order in which they
// arrived; the Change that handles one takes it out.
type Incoming struct {
	SHA256      string    `json:"sha256"` // of its bytes, which are kept
	Mailbox     string    `json:"mailbox"`
	UIDValidity uint32    `json:"uidvalidity"`
	UID         uint32    `json:"uid"`
	Received    time.Time `json:"received,omitzero"` // when it arrived, by the mail server's clock
	Junk        bool      `json:"junk,omitempty"`
	// Look is when the look into the mailbox began that found it, More whether the same look has
	// others to come.
	Look   time.Time `json:"look,omitzero"`
	More   bool      `json:"more,omitempty"`
	Queued time.Time `json:"queued,omitzero"` // when it was put into the queue
	// Lane is the game that it is about, as far as that is known, or "": those of one lane are
	// handled one after the other, and one of "" alone. It is decided once, when it arrives.
	Lane string `json:"lane,omitempty"`
	// Number tells apart what arrived at one moment. Arrived sets it.
	Number uint64 `json:"number"`
	// Tries is how often handling it failed, Why with what the last time.
	Tries int    `json:"-"`
	Why   string `json:"-"`
}

// Look is what a look into a mailbox has found.
type Look struct {
	Mailbox     string
	UIDValidity uint32
	// Mails are those whose bytes are spooled. Which mailbox they are of Arrived sets.
	Mails []Incoming
	// Low is how far everything is dealt with, 0 if nothing is said of that: the search that found
	// Listed was complete, and there is no other message up to Low.
	Low    uint32
	Listed []uint32
}

// Valid checks what can be checked without looking into a store: the error is ErrInvalid.
func (l *Look) Valid() error {
	if err := Named("mailbox", l.Mailbox); err != nil {
		return err
	}
	for _, m := range l.Mails {
		if _, err := SHAKey(m.SHA256); err != nil {
			return err
		}
		if m.UID == 0 {
			return fmt.Errorf("%w mail %s: without a UID", ErrInvalid, m.SHA256)
		}
		if m.Lane != "" {
			if err := Named("game", m.Lane); err != nil {
				return err
			}
		}
	}
	return nil
}

// In is a mail of the look as it is put into the queue.
func (l *Look) In(m Incoming, number uint64) Incoming {
	m.Mailbox, m.UIDValidity, m.Number = l.Mailbox, l.UIDValidity, number
	return m
}

// Moment is when a mail arrived, in microseconds since 1970, as the queue orders mails by it: one of which that is not known may
// have arrived before all others.
func (m Incoming) Moment() int64 {
	if m.Received.IsZero() {
		return math.MinInt64
	}
	return m.Received.UnixMicro()
}

// Pause is how long a mail is not to be handled.
type Pause struct {
	Until time.Time
	// Holds says that what stands behind it in its lane waits, too.
	Holds bool
	// Why is with what handling it failed; "" if it did not fail.
	Why string
}

// Backlog is what waits to be handled.
type Backlog struct {
	Mails int      // how many
	First Incoming // the one that arrived first; nothing if there is none
}

// ClaimOfMail is the claim of who handles a mail, in a Shared store.
func ClaimOfMail(sha string) string { return "mail/" + sha }

// Leases are which mails of a queue somebody handles, or has put off, in a store of one process: they
// are gone with that.
type Leases struct {
	mu  sync.Mutex
	now map[string]lease // by SHA-256
}

type lease struct {
	taken bool
	pause Pause
	tries int
}

// Pick takes the first mail that may be handled at a moment, of a queue that is walked through in its
// order.
func (l *Leases) Pick(now time.Time, walk func(yield func(sha, lane string) bool) error) (sha string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	busy := map[string]bool{}
	err = walk(func(one, lane string) bool {
		is := l.now[one]
		putOff := !is.taken && is.pause.Until.After(now)
		if putOff && !is.pause.Holds {
			return true
		}
		isAlone := lane == ""
		free := !is.taken && !putOff && !busy[lane] && !(isAlone && len(busy) > 0)
		if free {
			sha = one
		}
		busy[lane] = true
		return !free && !isAlone
	})
	if err != nil || sha == "" {
		return "", err
	}
	if l.now == nil {
		l.now = map[string]lease{}
	}
	is := l.now[sha]
	is.taken = true
	l.now[sha] = is
	return sha, nil
}

// PutOff gives a mail back for a while.
func (l *Leases) PutOff(sha string, p Pause) {
	l.mu.Lock()
	defer l.mu.Unlock()
	is, there := l.now[sha]
	if !there {
		return
	}
	is.taken, is.pause.Until, is.pause.Holds = false, p.Until, p.Holds
	if p.Why != "" {
		is.pause.Why, is.tries = p.Why, is.tries+1
	}
	l.now[sha] = is
}

// Done forgets a mail that is handled.
func (l *Leases) Done(sha string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.now, sha)
}

// Told is a mail with what became of it up to now.
func (l *Leases) Told(m Incoming) Incoming {
	l.mu.Lock()
	defer l.mu.Unlock()
	is := l.now[m.SHA256]
	m.Tries, m.Why = is.tries, is.pause.Why
	return m
}
