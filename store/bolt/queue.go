package bolt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"go.etcd.io/bbolt"

	"fieldpost/store"
)

// waitingKey is the key u64 microseconds u64 number lane.
func waitingKey(m store.Incoming) []byte {
	key := binary.BigEndian.AppendUint64(nil, uint64(m.Moment())^signBit)
	return append(binary.BigEndian.AppendUint64(key, m.Number), m.Lane...)
}

// signBit is turned over where numbers with a sign are in an order; laneAt is where the lane begins in
// the key of a mail that waits.
const (
	signBit = 1 << 63
	laneAt  = 16
)

// Arrived keeps what a look into a mailbox has found; see store.Intake.
func (db *DB) Arrived(l store.Look) error {
	const doing = "keeping what has arrived"
	if err := l.Valid(); err != nil {
		return db.fail(doing, err)
	}
	for _, m := range l.Mails {
		if !haveFile(db.spool, m.SHA256) {
			return db.fail(doing, fmt.Errorf("mail %s: its bytes: %w", m.SHA256, store.ErrNotFound))
		}
	}
	return db.update(doing, func(tx *bbolt.Tx) error {
		for _, m := range l.Mails {
			if err := arrive(tx, &l, m); err != nil {
				return err
			}
		}
		return raiseLow(tx, &l)
	})
}

// arrive puts a mail into the queue, unless it is there or was handled, and marks its message.
func arrive(tx *bbolt.Tx, l *store.Look, m store.Incoming) error {
	mark, there, err := getJSON[store.UIDMark](tx.Bucket(bUIDs), uidKey(l.Mailbox, l.UIDValidity, m.UID))
	if err != nil || there && mark.Final() {
		return err
	}
	sha, err := store.SHAKey(m.SHA256)
	if err != nil {
		return err
	}
	state := store.UIDDuplicate
	if tx.Bucket(bHandled).Get(sha) == nil && tx.Bucket(bArrivals).Get(sha) == nil {
		state = store.UIDArrived
		number, err := tx.Bucket(bIncoming).NextSequence()
		if err != nil {
			return err
		}
		if err := putIncoming(tx, l.In(m, number)); err != nil {
			return err
		}
	}
	return putUID(tx, l.Mailbox, l.UIDValidity, m.UID, store.UIDMark{State: state, SHA256: m.SHA256})
}

func putIncoming(tx *bbolt.Tx, m store.Incoming) error {
	sha, err := store.SHAKey(m.SHA256)
	if err != nil {
		return err
	}
	key := waitingKey(m)
	if err := putJSON(tx.Bucket(bIncoming), key, m); err != nil {
		return err
	}
	return putBytes(tx.Bucket(bArrivals), sha, key)
}

// takeOut takes a mail out of the queue, if it is there.
func takeOut(tx *bbolt.Tx, sha []byte) error {
	key, err := getBytes(tx.Bucket(bArrivals), sha)
	if err != nil || key == nil {
		return err
	}
	if err := tx.Bucket(bIncoming).Delete(key); err != nil {
		return err
	}
	return tx.Bucket(bArrivals).Delete(sha)
}

// raiseLow raises the low-water mark of a mailbox.
func raiseLow(tx *bbolt.Tx, l *store.Look) error {
	was, err := getLow(tx, l.Mailbox, l.UIDValidity)
	if err != nil || l.Low <= was {
		return err
	}
	var gone []uint32
	c := tx.Bucket(bUIDs).Cursor()
	end := string(uidKey(l.Mailbox, l.UIDValidity, l.Low))
	for k, v := c.Seek(uidKey(l.Mailbox, l.UIDValidity, was)); k != nil && string(k) <= end; k, v = c.Next() {
		m, err := decode[store.UIDMark](k, v)
		if err != nil {
			return err
		}
		uid := binary.BigEndian.Uint32(k[len(k)-4:])
		switch {
		case m.Final():
		case slices.Contains(l.Listed, uid):
			return fmt.Errorf("UID %d of %s is %s: %w", uid, l.Mailbox, m.State, store.ErrState)
		default:
			gone = append(gone, uid)
		}
	}
	for _, uid := range gone {
		if err := putUID(tx, l.Mailbox, l.UIDValidity, uid, store.UIDMark{State: store.UIDGone}); err != nil {
			return err
		}
	}
	return putBytes(tx.Bucket(bLow), lowKey(l.Mailbox, l.UIDValidity), binary.BigEndian.AppendUint32(nil, l.Low))
}

// errEnough ends a walk.
var errEnough = errors.New("enough")

// Next is the mail to be handled next; see store.Intake. The leases are held while the queue is read: a
// mail of which the lease is gone is out of the queue that is read then.
func (db *DB) Next(now time.Time) (m store.Incoming, some bool, err error) {
	var offered store.Incoming
	sha, err := db.leases.Pick(now, func(yield func(sha, lane string) bool) error {
		err := db.view("looking for mail to be handled", func(tx *bbolt.Tx) error {
			return each(tx.Bucket(bIncoming), nil, func(k, v []byte) (err error) {
				offered, err = decode[store.Incoming](k, v)
				if err == nil && !yield(offered.SHA256, offered.Lane) {
					err = errEnough
				}
				return err
			})
		})
		if errors.Is(err, errEnough) {
			return nil
		}
		return err
	})
	if err != nil || sha == "" {
		return m, false, err
	}
	return db.leases.Told(offered), true, nil
}

// PutOff gives a mail back for a while.
func (db *DB) PutOff(sha string, p store.Pause) error {
	db.leases.PutOff(sha, p)
	return nil
}

// Unhandled tells whether a mail of a game that had arrived by a moment waits still.
func (db *DB) Unhandled(game string, by time.Time) (waits bool, err error) {
	err = db.view("looking for mail to be handled", func(tx *bbolt.Tx) error {
		err := each(tx.Bucket(bIncoming), nil, func(k, _ []byte) error {
			arrived, lane := int64(binary.BigEndian.Uint64(k)^signBit), string(k[laneAt:])
			if arrived > by.UnixMicro() {
				return errEnough
			}
			if waits = lane == "" || lane == game; waits {
				return errEnough
			}
			return nil
		})
		if errors.Is(err, errEnough) {
			return nil
		}
		return err
	})
	return waits, err
}

// Backlog is what is in the queue.
func (db *DB) Backlog() (b store.Backlog, err error) {
	err = db.view("counting the mails to be handled", func(tx *bbolt.Tx) error {
		return each(tx.Bucket(bIncoming), nil, func(k, v []byte) (err error) {
			if b.Mails++; b.Mails > 1 {
				return nil
			}
			b.First, err = decode[store.Incoming](k, v)
			return err
		})
	})
	if err != nil || b.Mails == 0 {
		return b, err
	}
	b.First = db.leases.Told(b.First) // outside of the transaction: Next holds the leases while it begins one
	return b, nil
}

// incoming checks the queue of mails to be handled: their bytes, and that none was handled.
func (a *audit) incoming() {
	all(a, bIncoming, nil, func(k []byte, m store.Incoming) {
		sha, err := store.SHAKey(m.SHA256)
		if !a.err(err) {
			return
		}
		at, err := getBytes(a.tx.Bucket(bArrivals), sha)
		if a.err(err) && (!bytes.Equal(at, k) || !bytes.Equal(waitingKey(m), k)) {
			a.add("the incoming mail %s is not found where it waits", m.SHA256)
		}
		if a.has(bHandled, sha) {
			a.add("the incoming mail %s waits, and is handled", m.SHA256)
		}
		// A backup that is made while a mail is handled of which nothing is kept may have it without.
		if _, err := readFile(a.db.spool, m.SHA256); err != nil && !errors.Is(err, store.ErrNotFound) {
			a.add("the incoming mail %s: %w", m.SHA256, err)
		}
	})
	if n, indexed := a.count(bIncoming, nil), a.count(bArrivals, nil); n != indexed {
		a.add("%d incoming mails wait, and %d are indexed", n, indexed)
	}
}
