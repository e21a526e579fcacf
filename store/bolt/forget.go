package bolt

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"go.etcd.io/bbolt"

	"fieldpost/store"
)

// SpoolKept lists the incoming mails whose files are kept.
func (db *DB) SpoolKept() (all []store.Handled, err error) {
	err = db.view("listing the spool", func(tx *bbolt.Tx) error {
		return each(tx.Bucket(bHandled), nil, func(k, v []byte) error {
			h, err := decode[store.Handled](k, v)
			if err == nil && h.Spooled {
				all = append(all, h)
			}
			return err
		})
	})
	return all, err
}

// Forget removes the files of the mails that were sent to an address, and its name
// from the outbox, and the files of the incoming mails that received names. Mails
// that are still on their way are left alone: it counts them as waiting.
func (db *DB) Forget(address string, received []string) (p store.Pruned, waiting int, err error) {
	const doing = "forgetting an address"
	var gone []string
	going := leaving{}
	db.files.Lock()
	defer db.files.Unlock()
	err = db.update(doing, func(tx *bbolt.Tx) error {
		gone, waiting, p = nil, 0, store.Pruned{}
		var theirs []store.Mail
		err := each(tx.Bucket(bOutbox), nil, func(k, v []byte) error {
			m, err := decode[store.Mail](k, v)
			switch {
			case err != nil || !strings.EqualFold(m.To, address):
			case m.Ended():
				theirs = append(theirs, m)
			default:
				waiting++
			}
			return err
		})
		if err != nil {
			return err
		}
		for _, m := range theirs {
			going.add(m)
			m.To, m.Reply, m.Pruned = "", "", true
			gone = append(gone, db.mailFiles(m.SHA256)...)
			if err := tx.Bucket(bRecipes).Delete([]byte(m.ID)); err != nil {
				return err
			}
			if err := putJSON(tx.Bucket(bOutbox), []byte(m.ID), m); err != nil {
				return err
			}
		}
		p.Sent = len(theirs)
		for _, sha := range received {
			key, err := store.SHAKey(sha)
			if err != nil {
				return err
			}
			h, ok, err := getJSON[store.Handled](tx.Bucket(bHandled), key)
			if err != nil || !ok {
				return err
			}
			h.Spooled = false
			gone = append(gone, filepath.Join(db.spool, h.SHA256+mailSuffix))
			if err := putJSON(tx.Bucket(bHandled), key, h); err != nil {
				return err
			}
		}
		p.Received = len(received)
		return nil
	})
	if err != nil {
		return p, waiting, err
	}
	if err := db.letGo(going); err != nil {
		return p, waiting, db.fail(doing, err)
	}
	for _, path := range gone { // the database says first that a file is gone
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return p, waiting, db.fail(doing, err)
		}
	}
	return p, waiting, nil
}
