package memory

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"fieldpost/store"
)

// Arrived keeps what a look into a mailbox has found; see store.Intake.
func (db *DB) Arrived(l store.Look) error {
	db.mu.Lock()
	defer db.mu.Unlock()
	return failed("keeping what has arrived", db.arrived(&l))
}

func (db *DB) arrived(l *store.Look) error {
	if err := l.Valid(); err != nil {
		return err
	}
	for _, m := range l.Mails {
		if db.tables.spool[m.SHA256] == nil {
			return fmt.Errorf("mail %s: its bytes: %w", m.SHA256, store.ErrNotFound)
		}
	}
	at := mailbox{l.Mailbox, l.UIDValidity}
	gone, err := db.tables.passed(at, l)
	if err != nil {
		return err
	}
	for _, m := range l.Mails {
		if err := db.tables.arrive(message{at, m.UID}, l, m); err != nil {
			return err
		}
	}
	for _, one := range gone {
		db.tables.mark(one, store.UIDMark{State: store.UIDGone})
	}
	db.tables.low[at] = max(db.tables.low[at], l.Low)
	return nil
}

// passed are the messages that a raised low-water mark passes over: they are not there any more.
func (t *tables) passed(at mailbox, l *store.Look) (gone []message, err error) {
	if l.Low <= t.low[at] {
		return nil, nil
	}
	arrives := map[uint32]bool{}
	for _, m := range l.Mails {
		arrives[m.UID] = true
	}
	for one, m := range t.uids {
		if one.mailbox != at || one.uid > l.Low || one.uid < t.low[at] || m.Final() || arrives[one.uid] {
			continue
		}
		if slices.Contains(l.Listed, one.uid) {
			return nil, fmt.Errorf("UID %d of %s is %s: %w", one.uid, at.name, m.State, store.ErrState)
		}
		gone = append(gone, one)
	}
	return gone, nil
}

// arrive puts a mail into the queue, unless it is there or was handled, and marks its message.
func (t *tables) arrive(at message, l *store.Look, m store.Incoming) error {
	if t.uids[at].Final() {
		return nil
	}
	state := store.UIDDuplicate
	if t.handled[m.SHA256] == nil && t.incoming[m.SHA256] == nil {
		text, err := keep(l.In(m, t.arrivals+1))
		if err != nil {
			return err
		}
		t.arrivals++
		state, t.incoming[m.SHA256] = store.UIDArrived, text
	}
	t.mark(at, store.UIDMark{State: state, SHA256: m.SHA256})
	return nil
}

// queue are the mails to be handled, in the order in which they arrived.
func (t *tables) queue() []store.Incoming {
	return slices.SortedFunc(func(yield func(store.Incoming) bool) {
		for text := range maps.Values(t.incoming) {
			if !yield(text.value()) {
				return
			}
		}
	}, func(a, b store.Incoming) int {
		return cmp.Or(cmp.Compare(a.Moment(), b.Moment()), cmp.Compare(a.Number, b.Number))
	})
}

// Next is the mail to be handled next; see store.Intake.
func (db *DB) Next(now time.Time) (m store.Incoming, some bool, err error) {
	db.reading(func(r readings) {
		var sha string
		sha, err = db.leases.Pick(now, func(yield func(sha, lane string) bool) error {
			for _, m := range r.t.queue() {
				if !yield(m.SHA256, m.Lane) {
					break
				}
			}
			return nil
		})
		if some = sha != ""; some {
			m = db.leases.Told(r.t.incoming[sha].value())
		}
	})
	return m, some, err
}

// PutOff gives a mail back for a while.
func (db *DB) PutOff(sha string, p store.Pause) error {
	db.leases.PutOff(sha, p)
	return nil
}

// Unhandled tells whether a mail of a game that had arrived by a moment waits still.
func (db *DB) Unhandled(game string, by time.Time) (waits bool, err error) {
	db.reading(func(r readings) {
		for _, text := range r.t.incoming {
			m := text.value()
			isAbout := m.Lane == "" || m.Lane == game
			waits = waits || isAbout && m.Moment() <= by.UnixMicro()
		}
	})
	return waits, nil
}

// Backlog is what is in the queue.
func (db *DB) Backlog() (b store.Backlog, err error) {
	db.reading(func(r readings) {
		queue := r.t.queue()
		if b.Mails = len(queue); b.Mails > 0 {
			b.First = db.leases.Told(queue[0])
		}
	})
	return b, nil
}
