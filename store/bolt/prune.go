package bolt

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"

	"fieldpost/store"
)

// Prune removes the files of mails that are older than a moment: sent ones by
// when their fate was known, received ones by when they came. Those of strangers have a
// moment of their own; a zero moment removes nothing. What belongs to a
// game that is not finished stays, so that every report can be sent again byte by
// byte and every sheet be proved. The database keeps what it knows of the mails.
//
// The database says first that a file is gone; a file that is left over by a
// crash is removed the next time.
func (db *DB) Prune(before, strangers time.Time) (p store.Pruned, err error) {
	const doing = "pruning mails"
	gone := map[string]bool{} // paths
	going := leaving{}
	db.files.Lock()
	defer db.files.Unlock()
	err = db.update(doing, func(tx *bbolt.Tx) error {
		over, err := finished(tx)
		if err != nil {
			return err
		}
		if err := db.pruneSent(tx, before, over, gone, going); err != nil {
			return err
		}
		return db.pruneReceived(tx, over, gone, func(h store.Handled) bool {
			return h.Received.Before(before) || h.Stranger && h.Received.Before(strangers)
		})
	})
	if err != nil {
		return p, err
	}
	if err := db.letGo(going); err != nil {
		return p, db.fail(doing, err)
	}
	for path := range gone {
		info, err := os.Stat(path)
		if err == nil {
			err = os.Remove(path)
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return p, db.fail(doing, err)
		}
		p.Bytes += info.Size()
		if filepath.Dir(path) == db.mails {
			p.Sent++
		} else {
			p.Received++
		}
	}
	return p, nil
}

// finished names the games that are over. "" stands for mails of no game.
func finished(tx *bbolt.Tx) (map[string]bool, error) {
	over := map[string]bool{"": true}
	return over, each(tx.Bucket(bGames), nil, func(k, v []byte) error {
		g, err := decode[store.Game](k, v)
		over[g.ID] = g.Status == store.StatusFinished
		return err
	})
}

func (db *DB) pruneSent(tx *bbolt.Tx, before time.Time, over, gone map[string]bool, going leaving) error {
	var old []store.Mail
	kept := map[string]bool{} // several mails may have one file
	err := each(tx.Bucket(bOutbox), nil, func(k, v []byte) error {
		m, err := decode[store.Mail](k, v)
		if err != nil {
			return err
		}
		if m.Ended() && m.Changed.Before(before) && over[m.Game] {
			old = append(old, m)
		} else {
			kept[m.SHA256] = true
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, m := range old {
		if kept[m.SHA256] {
			continue
		}
		for _, path := range db.mailFiles(m.SHA256) {
			gone[path] = true
		}
		going.add(m)
		if m.Pruned {
			continue
		}
		m.Pruned = true
		if err := tx.Bucket(bRecipes).Delete([]byte(m.ID)); err != nil {
			return err
		}
		if err := putJSON(tx.Bucket(bOutbox), []byte(m.ID), m); err != nil {
			return err
		}
	}
	return nil
}

func (db *DB) pruneReceived(tx *bbolt.Tx, over, gone map[string]bool, isOld func(store.Handled) bool) error {
	var old []store.Handled
	err := each(tx.Bucket(bHandled), nil, func(k, v []byte) error {
		h, err := decode[store.Handled](k, v)
		if err == nil && isOld(h) && over[h.Game] {
			old = append(old, h)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, h := range old {
		gone[filepath.Join(db.spool, h.SHA256+mailSuffix)] = true
		if !h.Spooled {
			continue
		}
		h.Spooled = false
		key, err := store.SHAKey(h.SHA256)
		if err == nil {
			err = putJSON(tx.Bucket(bHandled), key, h)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
