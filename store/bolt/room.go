package bolt

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"syscall"

	"go.etcd.io/bbolt"

	"fieldpost/store"
)

// refusals remember what the disk said when it last refused to keep something.
type refusals struct {
	mu   sync.Mutex
	last error
}

// note takes up an error of writing, if it is of the disk and not of what was asked.
func (r *refusals) note(err error) {
	if !ofDisk(err) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = err
}

// ofDisk tells whether the disk is to blame for an error of writing. Of some bbolt keeps
// the text alone.
func ofDisk(err error) bool {
	if err == nil || errors.Is(err, store.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return false
	}
	var system syscall.Errno
	isSystem := errors.As(err, &system) || errors.Is(err, io.ErrShortWrite) || errors.Is(err, store.ErrFull)
	return isSystem || strings.Contains(err.Error(), "file resize error") || strings.Contains(err.Error(), "file sync error")
}

// Refused is what the disk said when it last refused to keep something; nil if Prove has
// found since that it keeps what it is given, or if it always did.
func (db *DB) Refused() error {
	db.refused.mu.Lock()
	defer db.refused.mu.Unlock()
	return db.refused.last
}

// proof is how much Prove writes: a database that has to grow finds room behind it.
const proof = 256 << 10

// Prove writes a file and a transaction, and removes the file. What the disk refuses then is
// the error, and what Refused says.
func (db *DB) Prove() error {
	const doing = "trying whether the disk keeps what it is given"
	if db.readOnly {
		return nil
	}
	err := db.fail(doing, db.proveFile())
	if err == nil {
		err = db.update(doing, func(tx *bbolt.Tx) error { return nil })
	}
	if err != nil {
		db.refused.note(err)
		return err
	}
	db.refused.mu.Lock()
	defer db.refused.mu.Unlock()
	db.refused.last = nil
	return nil
}

func (db *DB) proveFile() (err error) {
	f, err := os.CreateTemp(db.spool, "room.*"+tmpSuffix)
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if err := db.at(PointFileWrite); err != nil {
		return err
	}
	if _, err := f.Write(make([]byte, proof)); err != nil {
		return err
	}
	return f.Sync()
}

// rewriteMeta writes the meta pages once more, as everybody reads them, if a transaction has
// failed. When a sync fails the system may forget what it should have written and show it
// nevertheless: the next transaction would build on a meta page that is not on the disk, and
// write over what the one that is there needs. A failed sync is not tried again by itself; a
// page that is written again is.
func (db *DB) rewriteMeta() (err error) {
	if !db.unsure.Load() {
		return nil
	}
	if err := db.at(PointMetaWrite); err != nil {
		return err
	}
	f, err := os.OpenFile(db.path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	pages := make([]byte, 2*db.bolt.Info().PageSize)
	if _, err := f.ReadAt(pages, 0); err != nil {
		return err
	}
	if _, err := f.WriteAt(pages, 0); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := db.at(PointMetaKept); err != nil {
		return err
	}
	db.unsure.Store(false)
	return nil
}
