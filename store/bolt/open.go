package bolt

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"go.etcd.io/bbolt"

	"fieldpost/store"
)

// Open opens the store whose database is the file path. Errors are ErrLocked,
// ErrNotDatabase, ErrNotFieldpost, ErrNewer, ErrReadOnly, fs.ErrNotExist, or
// what the system says. A file that is not ours is never written to.
//
// Mails that were being sent when the last process stopped stay what they are until Requeue.
func Open(path string, o Options) (*DB, error) {
	files := cmp.Or(o.Files, filepath.Dir(path))
	db := &DB{
		path:     path,
		mails:    filepath.Join(files, "mails"),
		spool:    filepath.Join(files, "spool"),
		readOnly: o.ReadOnly,
		hook:     o.At,
		opened:   o.Opened,
	}
	if err := db.open(o); err != nil {
		return nil, db.fail("opening", err)
	}
	err := guard(func() error {
		err := db.identify()
		if err == nil && !o.ReadOnly {
			err = db.prepare()
		}
		return err
	})
	if err != nil {
		db.bolt.Close()
		return nil, db.fail("opening", err)
	}
	return db, nil
}

// open opens the bbolt file.
func (db *DB) open(o Options) (err error) {
	info, err := os.Stat(db.path)
	mayMake := !o.ReadOnly && !o.MustExist
	switch {
	case errors.Is(err, fs.ErrNotExist) && mayMake:
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%w: it is a folder", store.ErrNotDatabase)
	case info.Size() == 0 && !mayMake:
		return fmt.Errorf("%w: the file is empty", store.ErrNotDatabase)
	}
	timeout := o.Timeout
	if timeout <= 0 || timeout > time.Second {
		timeout = time.Second
	}
	var file *os.File
	err = guard(func() error {
		db.bolt, err = bbolt.Open(db.path, 0o600, &bbolt.Options{
			ReadOnly: o.ReadOnly,
			Timeout:  timeout,
			MaxSize:  o.maxSize,
			OpenFile: func(name string, flag int, mode os.FileMode) (f *os.File, err error) {
				file, err = os.OpenFile(name, flag, mode)
				return file, err
			},
		})
		return err
	})
	if errors.Is(err, errPanic) {
		// The pages stay mapped, and a mapping keeps the lock; so unlock first.
		unlock(file)
		file.Close()
	}
	if err == nil && db.opened != nil {
		db.opened(db.bolt)
	}
	return err
}

// errPanic marks an error that was a panic.
var errPanic = errors.New("reading it failed")

// guard runs f on a database that may be damaged: a panic of bbolt, or a fault
// where a page is missing or the disk cannot read it, becomes an error.
func guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %w: %v", store.ErrNotDatabase, errPanic, r)
		}
	}()
	return f()
}

// identify checks that the database is ours, whole, and of a format that we know.
func (db *DB) identify() error {
	return db.bolt.View(func(tx *bbolt.Tx) error {
		if err := whole(tx, db.path); err != nil {
			return err
		}
		meta := tx.Bucket(bMeta)
		if meta == nil {
			if k, _ := tx.Cursor().First(); k == nil && !db.readOnly {
				return nil // just made, or the power failed while it was
			}
			return store.ErrNotFieldpost
		}
		if string(meta.Get([]byte("magic"))) != magic {
			return store.ErrNotFieldpost
		}
		v := meta.Get([]byte("format"))
		switch {
		case len(v) != 4:
			return fmt.Errorf("%w: no format version", store.ErrNotFieldpost)
		case binary.BigEndian.Uint32(v) > Format:
			return fmt.Errorf("%w: format %d, this program knows %d", store.ErrNewer, binary.BigEndian.Uint32(v), Format)
		}
		return nil
	})
}

// whole tells whether the file has all the pages that the database counts. To
// touch a page behind the end of the file would end the process.
func whole(tx *bbolt.Tx, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Size() < tx.Size() {
		return fmt.Errorf("%w: the file has %d bytes of %d", store.ErrNotDatabase, info.Size(), tx.Size())
	}
	return nil
}

// prepare makes what is missing in a new store, or in one of an earlier format.
func (db *DB) prepare() error {
	for _, dir := range []string{db.mails, db.spool} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	if err := syncDir(filepath.Dir(db.path)); err != nil {
		return err
	}
	if ready, err := db.ready(); ready || err != nil {
		return err
	}
	return db.bolt.Update(func(tx *bbolt.Tx) error {
		indexed, thins := tx.Bucket(bAddresses) != nil, tx.Bucket(bRecipes) != nil
		for _, b := range buckets {
			if _, err := tx.CreateBucketIfNotExists(b); err != nil {
				return err
			}
		}
		if !indexed { // format 1 had no such index
			if err := indexAddresses(tx); err != nil {
				return err
			}
		}
		if !thins { // formats 1 to 3 kept all mails whole
			if err := withoutRecipes(tx); err != nil {
				return err
			}
		}
		meta := tx.Bucket(bMeta)
		if v := meta.Get([]byte("format")); len(v) == 4 && binary.BigEndian.Uint32(v) < 3 {
			if err := countNotes(tx); err != nil {
				return err
			}
		}
		if err := meta.Put([]byte("magic"), []byte(magic)); err != nil {
			return err
		}
		if err := meta.Put([]byte("format"), binary.BigEndian.AppendUint32(nil, Format)); err != nil {
			return err
		}
		return nil
	})
}

// ready tells whether the database has all that this format wants: then opening writes nothing.
func (db *DB) ready() (ready bool, err error) {
	err = db.bolt.View(func(tx *bbolt.Tx) error {
		for _, b := range buckets {
			if tx.Bucket(b) == nil {
				return nil
			}
		}
		ready = bytes.Equal(tx.Bucket(bMeta).Get([]byte("format")), binary.BigEndian.AppendUint32(nil, Format))
		return nil
	})
	return ready, err
}

// sweep removes what the last process had not finished writing, or removing. The lock is ours, so nobody is
// writing it now.
func (db *DB) sweep() {
	for _, dir := range []string{db.mails, db.spool} {
		left, _ := filepath.Glob(filepath.Join(dir, "*"+tmpSuffix))
		for _, f := range left {
			os.Remove(f)
		}
	}
	_ = db.view("looking for what is not kept", func(tx *bbolt.Tx) error {
		if sha := tx.Bucket(bMeta).Get(unkept); sha != nil {
			return db.removeUnkept(string(sha))
		}
		return nil
	})
}

// countNotes sets the number of notes, which formats 1 and 2 did not keep.
func countNotes(tx *bbolt.Tx) error {
	var n uint64
	each(tx.Bucket(bNotes), nil, func(_, _ []byte) error { n++; return nil })
	return tx.Bucket(bNotes).SetSequence(n)
}
