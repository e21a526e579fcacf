package bolt

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"go.etcd.io/bbolt"

	"fieldpost/store"
)

// Handled is the mark of an incoming mail by the SHA-256 of its raw bytes; false
// when it has not been handled.
func (db *DB) Handled(sha string) (h store.Handled, ok bool, err error) {
	err = db.view("looking for a handled mail", func(tx *bbolt.Tx) error {
		key, err := store.SHAKey(sha)
		if err != nil {
			return err
		}
		h, ok, err = getJSON[store.Handled](tx.Bucket(bHandled), key)
		return err
	})
	return h, ok, err
}

// putHandled marks a mail, and its place in the mailbox with it, and takes it out of the queue.
func putHandled(tx *bbolt.Tx, h store.Handled) error {
	key, err := store.SHAKey(h.SHA256)
	if err != nil {
		return err
	}
	if err := putJSON(tx.Bucket(bHandled), key, h); err != nil {
		return err
	}
	if err := takeOut(tx, key); err != nil {
		return err
	}
	if h.Mailbox == "" || h.UID == 0 {
		return nil
	}
	return putUID(tx, h.Mailbox, h.UIDValidity, h.UID, store.UIDMark{State: store.UIDHandled, SHA256: h.SHA256})
}

// putUID writes a mark, but never over a final one: what had its effect is not
// taken back.
func putUID(tx *bbolt.Tx, mailbox string, validity, uid uint32, m store.UIDMark) error {
	key := uidKey(mailbox, validity, uid)
	old, found, err := getJSON[store.UIDMark](tx.Bucket(bUIDs), key)
	if err != nil {
		return err
	}
	if found && old.Stays() {
		return nil
	}
	m.Tries = max(m.Tries, old.Tries)
	return putJSON(tx.Bucket(bUIDs), key, m)
}

// MarkUID records what became of a message that has no effect of its own (one
// that has is marked by Commit), or with UIDPending that reading it is tried. A
// final mark stays as it is.
func (db *DB) MarkUID(mailbox string, validity, uid uint32, m store.UIDMark) error {
	return db.update("marking a message", func(tx *bbolt.Tx) error {
		if err := store.Named("mailbox", mailbox); err != nil {
			return err
		}
		if uid == 0 || !m.Known() {
			return fmt.Errorf("%w mark %q of UID %d", store.ErrInvalid, m.State, uid)
		}
		return putUID(tx, mailbox, validity, uid, m)
	})
}

// UID is the mark of a message; false when there is none.
func (db *DB) UID(mailbox string, validity, uid uint32) (m store.UIDMark, ok bool, err error) {
	err = db.view("reading the mark of a message", func(tx *bbolt.Tx) error {
		m, ok, err = getJSON[store.UIDMark](tx.Bucket(bUIDs), uidKey(mailbox, validity, uid))
		return err
	})
	return m, ok, err
}

// Low is the low-water mark of a mailbox: every message up to and including it
// is final or does not exist. It is 0 for a mailbox, or a UIDVALIDITY, that was
// never seen.
func (db *DB) Low(mailbox string, validity uint32) (low uint32, err error) {
	err = db.view("reading a low-water mark", func(tx *bbolt.Tx) error {
		low, err = getLow(tx, mailbox, validity)
		return err
	})
	return low, err
}

func getLow(tx *bbolt.Tx, mailbox string, validity uint32) (uint32, error) {
	b, err := getBytes(tx.Bucket(bLow), lowKey(mailbox, validity))
	if err != nil || b == nil {
		return 0, err
	}
	if len(b) != 4 {
		return 0, fmt.Errorf("%w: the low-water mark of %s has %d bytes", store.ErrDamaged, mailbox, len(b))
	}
	return binary.BigEndian.Uint32(b), nil
}

// ForgetUIDs removes the marks up to the low-water mark of messages that are no longer in a
// mailbox, of which listed has every UID. Those that are there keep theirs: not every server
// lets UIDs ascend, and a late one below the low-water mark must be told from the others.
func (db *DB) ForgetUIDs(mailbox string, validity uint32, listed []uint32) (forgotten int, err error) {
	there := make(map[uint32]bool, len(listed))
	for _, uid := range listed {
		there[uid] = true
	}
	err = db.update("forgetting messages that are gone", func(tx *bbolt.Tx) error {
		low, err := getLow(tx, mailbox, validity)
		if err != nil {
			return err
		}
		var gone [][]byte
		c := tx.Bucket(bUIDs).Cursor()
		end := string(uidKey(mailbox, validity, low))
		for k, _ := c.Seek(uidKey(mailbox, validity, 0)); k != nil && string(k) <= end; k, _ = c.Next() {
			if uid := binary.BigEndian.Uint32(k[len(k)-4:]); !there[uid] {
				gone = append(gone, bytes.Clone(k))
			}
		}
		forgotten = len(gone)
		for _, k := range gone {
			if err := tx.Bucket(bUIDs).Delete(k); err != nil {
				return err
			}
		}
		return nil
	})
	return forgotten, err
}
