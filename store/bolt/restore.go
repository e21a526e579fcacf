package bolt

import (
	"archive/tar"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"

	"fieldpost/store"
	"fieldpost/store/backup"
)

// Errors of Restore.
var (
	// ErrEncrypted says that a backup is encrypted and no key was given.
	ErrEncrypted = errors.New("the backup is encrypted")
	// ErrNotBackup says that a file is no backup, or not a whole one.
	ErrNotBackup = errors.New("no whole backup")
)

// ageHeader begins every file of age.
const ageHeader = "age-encryption.org/v1"

// Restore unpacks a backup into a data folder, which must not be there or be empty, and looks
// whether all of it is sound. identity is the text of a file of age's keys for an encrypted
// backup, else nil. Until everything is right nothing is in the folder. It fails with
// ErrEncrypted, ErrNotBackup, fs.ErrExist or a fault of the disk.
func Restore(file, folder string, identity []byte) error {
	return madeBeside(folder, "restoring", func(making string) error {
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		defer f.Close()
		whole, err := decrypted(f, identity)
		if err != nil {
			return err
		}
		err = unpackInto(making, whole)
		if err == nil {
			err = soundIn(making)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		return nil
	})
}

// madeBeside makes a data folder, which must not be there or be empty: under another name until all is right.
func madeBeside(folder, doing string, fill func(making string) error) error {
	if there, err := os.ReadDir(folder); err == nil && len(there) > 0 {
		return fmt.Errorf("%s: %w and is not empty", folder, fs.ErrExist)
	}
	making := filepath.Clean(folder) + "." + doing
	if err := os.RemoveAll(making); err != nil { // of one that was interrupted
		return err
	}
	defer os.RemoveAll(making)
	if err := fill(making); err != nil {
		return err
	}
	if err := os.Remove(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(making, folder)
}

// RestoreFrom is Restore of the last backup of a folder of them up to a moment, which is told.
func RestoreFrom(folder string, until time.Time, data string, identity []byte) (made time.Time, err error) {
	var keys []age.Identity
	if identity != nil {
		if keys, err = age.ParseIdentities(bytes.NewReader(identity)); err != nil {
			return made, fmt.Errorf("%w: the key: %w", ErrEncrypted, err)
		}
	}
	err = madeBeside(data, "restoring", func(making string) error {
		if made, err = backup.Restore(folder, until, keys, making); err != nil {
			return err
		}
		if err := soundIn(making); err != nil {
			return fmt.Errorf("%s: %w", folder, err)
		}
		return nil
	})
	return made, err
}

// MoveInto moves everything that is in a store into a data folder, which must not be there or be empty, as
// store.Move does. Until everything is compared nothing is in the folder, so that a move that was interrupted
// can be begun again.
func MoveInto(folder string, from store.Movable) (rows int, err error) {
	err = madeBeside(folder, "moving", func(making string) error {
		if err := os.MkdirAll(making, 0o700); err != nil {
			return err
		}
		db, err := Open(filepath.Join(making, Database), Options{})
		if err != nil {
			return err
		}
		rows, err = store.Move(from, db)
		return errors.Join(err, db.Close())
	})
	if err == nil {
		err = syncDir(filepath.Dir(filepath.Clean(folder)))
	}
	return rows, err
}

// decrypted is what a file holds, decrypted if it is of age.
func decrypted(f io.Reader, identity []byte) (io.Reader, error) {
	b := bufio.NewReader(f)
	if begin, err := b.Peek(len(ageHeader)); err != nil || string(begin) != ageHeader {
		return b, nil
	}
	if identity == nil {
		return nil, fmt.Errorf("%w: the file of its key is needed, as age-keygen wrote it", ErrEncrypted)
	}
	keys, err := age.ParseIdentities(bytes.NewReader(identity))
	if err != nil {
		return nil, fmt.Errorf("%w: the key: %w", ErrEncrypted, err)
	}
	plain, err := age.Decrypt(b, keys...)
	if err != nil {
		return nil, fmt.Errorf("%w, and not to this key: %w", ErrEncrypted, err)
	}
	return plain, nil
}

// unpackInto writes the files of a backup into a folder of their own.
func unpackInto(folder string, from io.Reader) error {
	z, err := zstd.NewReader(from)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNotBackup, err)
	}
	defer z.Close()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	t := tar.NewReader(z)
	database := false
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrNotBackup, err)
		}
		if !ofBackup(h) {
			return fmt.Errorf("%w: it holds %q", ErrNotBackup, h.Name)
		}
		database = database || h.Name == Database
		if err := writeOut(t, filepath.Join(folder, filepath.FromSlash(h.Name))); err != nil {
			return fmt.Errorf("%s: %w", h.Name, err)
		}
	}
	if !database {
		return fmt.Errorf("%w: the database is not in it", ErrNotBackup)
	}
	return nil
}

// ofBackup tells whether a backup holds such a file: the database, and mails.
func ofBackup(h *tar.Header) bool {
	dir, name := path.Split(h.Name)
	switch {
	case h.Typeflag != tar.TypeReg:
		return false
	case h.Name == Database:
		return true
	case !slices.Contains([]string{"mails/", "spool/"}, dir):
		return false
	}
	ext := path.Ext(name)
	return name != ext && slices.Contains([]string{path.Ext(mailSuffix), path.Ext(thinSuffix)}, ext)
}

// writeOut writes a file to the disk and has it kept.
func writeOut(from io.Reader, name string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Sync(), f.Close())
}

// soundIn tells what is wrong with a store in a folder.
func soundIn(folder string) error {
	db, err := Open(filepath.Join(folder, Database), Options{MustExist: true, ReadOnly: true})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNotBackup, err)
	}
	wrong := db.Check()
	if err := db.Close(); err != nil {
		return err
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%w: %d things are wrong in it, the first: %w", ErrNotBackup, len(wrong), wrong[0])
	}
	return nil
}
