package bolt

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"fieldpost/store"
)

const (
	mailSuffix = ".eml"
	thinSuffix = ".thin"
	tmpSuffix  = ".tmp"
)

// Spool keeps the raw bytes of an incoming mail and returns their SHA-256 as 64
// hex digits. When it returns, the file and its name are on the disk. Spooling
// the same bytes again is the same file.
func (db *DB) Spool(raw []byte) (sha string, err error) {
	return db.keep(db.spool, "spooling a mail", raw)
}

// Spooled reads an incoming mail back. It is ErrNotFound when it is not there
// and ErrDamaged when its bytes are no longer those of its name.
func (db *DB) Spooled(sha string) ([]byte, error) {
	b, err := readFile(db.spool, sha)
	return b, db.fail("reading the spool", err)
}

func (db *DB) keep(dir, doing string, raw []byte) (string, error) {
	sha := store.Sum(raw)
	if db.readOnly {
		return "", db.fail(doing, store.ErrReadOnly)
	}
	if err := db.writeFile(dir, sha, raw); err != nil {
		return "", db.fail(doing, err)
	}
	return sha, nil
}

// writeFile makes the file of a content durable: first the bytes, then the name,
// then the folder. A file that is there and whole was synced before it got its
// name, but its folder may not have been.
func (db *DB) writeFile(dir, sha string, raw []byte) (err error) {
	defer func() { db.refused.note(err) }()
	if _, err := readFile(dir, sha); err == nil {
		if err := db.at(PointFileFolder); err != nil {
			return err
		}
		if err := syncDir(dir); err != nil {
			return err
		}
		return db.at(PointFileKept)
	}
	return db.writeNew(dir, sha+mailSuffix, raw)
}

// writeNew writes a file under a name, in place of one that is there.
func (db *DB) writeNew(dir, name string, raw []byte) (err error) {
	f, err := os.CreateTemp(dir, name+".*"+tmpSuffix)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	for _, step := range []struct {
		point string
		do    func() error
	}{
		{PointFileWrite, func() error { _, err := f.Write(raw); return err }},
		{PointFileSync, f.Sync},
		{PointFileRename, func() error {
			if err := f.Close(); err != nil {
				return err
			}
			return os.Rename(f.Name(), filepath.Join(dir, name))
		}},
		{PointFileFolder, func() error { return syncDir(dir) }},
		{PointFileKept, func() error { return nil }},
	} {
		if err = db.at(step.point); err == nil {
			err = step.do()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

func readFile(dir, sha string) ([]byte, error) {
	if _, err := store.SHAKey(sha); err != nil {
		return nil, err
	}
	name := filepath.Join(dir, sha+mailSuffix)
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %w", store.ErrNotFound, err)
	}
	if err != nil {
		return nil, err
	}
	if info.Size() > store.MaxMail {
		return nil, fmt.Errorf("%w: %s has %d bytes", store.ErrDamaged, name, info.Size())
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if store.Sum(b) != sha {
		return nil, fmt.Errorf("%w: %s does not match its name", store.ErrDamaged, name)
	}
	return b, nil
}

func haveFile(dir, sha string) bool {
	info, err := os.Stat(filepath.Join(dir, sha+mailSuffix))
	return err == nil && info.Mode().IsRegular()
}
