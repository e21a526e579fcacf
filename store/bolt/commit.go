package bolt

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"go.etcd.io/bbolt"

	"fieldpost/store"
)

// Commit keeps a Change, whole or not at all. The files of its mails are on the
// disk before the transaction begins, and everything is when Commit returns nil.
//
// Errors are ErrStale, ErrHandled, ErrExists, ErrRewritten, ErrInvalid,
// ErrNotFound (a mail without its file, or for an unknown game), ErrFull and
// ErrReadOnly. After any of them nothing has changed but that a mail file may be
// left over.
//
// The Change itself is not altered; the caller knows that the game's Seq is now
// Expect+1.
func (db *DB) Commit(of store.Change) error {
	c := change{of}
	const doing = "committing a change"
	// Mail to nobody, as for a side that the program plays itself, is not kept.
	c.Mails = slices.DeleteFunc(slices.Clone(c.Mails), func(m store.Mail) bool { return m.ID == "" && m.To == "" })
	if err := c.Valid(); err != nil {
		return db.fail(doing, err)
	}
	// A first look spares the files of a Change that comes too late.
	known := map[string]bool{}
	err := db.view(doing, func(tx *bbolt.Tx) error {
		if db.readOnly {
			return store.ErrReadOnly
		}
		for _, m := range c.Mails {
			known[m.ID] = tx.Bucket(bOutbox).Get([]byte(m.ID)) != nil
		}
		return c.admit(tx)
	})
	if err != nil {
		return err
	}
	if c.Mails, err = db.keepAll(c.Mails, known); err != nil {
		return db.fail(doing, err)
	}
	if c.Handled != nil {
		h := *c.Handled
		h.Spooled = !c.Unkept && haveFile(db.spool, h.SHA256)
		c.Handled = &h
	}
	if err := db.update(doing, c.apply); err != nil {
		return err
	}
	if c.Handled != nil {
		db.leases.Done(c.Handled.SHA256)
	}
	if c.Handled != nil && c.Unkept {
		return db.fail(doing, db.removeUnkept(c.Handled.SHA256))
	}
	return nil
}

// removeUnkept removes the bytes of a mail that are not to be kept. Until the Change that says so is
// kept, they are needed.
func (db *DB) removeUnkept(sha string) error {
	err := os.Remove(filepath.Join(db.spool, sha+mailSuffix))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// unkept, in the bucket meta, is the last mail whose bytes are not to be kept: the process may have
// stopped before they were removed.
var unkept = []byte("unkept")

// change is a Change on its way into the database.
type change struct{ store.Change }

// keepAll returns the mails with their files kept and their hashes set.
func (db *DB) keepAll(mails []store.Mail, known map[string]bool) ([]store.Mail, error) {
	mails = slices.Clone(mails)
	for i := range mails {
		m := &mails[i]
		if known[m.ID] {
			continue
		}
		if m.Raw != nil {
			sha := store.Sum(m.Raw)
			if m.SHA256 != "" && m.SHA256 != sha {
				return nil, fmt.Errorf("%w: mail %s has SHA-256 %s, not %s", store.ErrInvalid, m.ID, sha, m.SHA256)
			}
			m.SHA256 = sha
			if _, err := readThin(db.mails, sha); err == nil {
				continue // of another mail
			}
			if err := db.writeFile(db.mails, sha, m.Raw); err != nil {
				return nil, err
			}
		}
		if !db.haveMail(m.SHA256) {
			return nil, fmt.Errorf("mail %s: the file %q: %w", m.ID, m.SHA256, store.ErrNotFound)
		}
	}
	return mails, nil
}

// admit checks that the Change fits to what is there.
func (c *change) admit(tx *bbolt.Tx) error {
	if h := c.Handled; h != nil {
		sha, _ := store.SHAKey(h.SHA256)
		if tx.Bucket(bHandled).Get(sha) != nil {
			return fmt.Errorf("mail %s: %w", h.SHA256, store.ErrHandled)
		}
	}
	if err := c.Reads.Stale(readings{tx}); err != nil {
		return err
	}
	if c.Game == nil {
		return nil
	}
	old, found, err := getJSON[store.Game](tx.Bucket(bGames), []byte(c.Game.ID))
	if err != nil {
		return err
	}
	if old.Seq != c.Expect {
		return fmt.Errorf("game %s: %w: it is at %d, expected at %d", c.Game.ID, store.ErrStale, old.Seq, c.Expect)
	}
	if found {
		err = c.extends(tx)
	}
	if err != nil {
		return err
	}
	for _, s := range c.Sheets {
		if tx.Bucket(bDigests).Get(append(under(c.Game.ID), s.Name()...)) != nil {
			return fmt.Errorf("game %s: sheet %s: %w", c.Game.ID, s.Name(), store.ErrExists)
		}
	}
	return nil
}

// extends checks that the journal of the open phase stays.
func (c *change) extends(tx *bbolt.Tx) error {
	open, found, err := getJSON[store.OpenPhase](tx.Bucket(bOpen), []byte(c.Game.ID))
	if err != nil || !found {
		return err
	}
	return c.Extends(open)
}
