package bolt

import (
	"archive/tar"
	"bufio"
	"bytes"
	"errors"
	"fieldpost/store/backup"
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
func Restore(file, folder string, identity []byte) (err error) {
	if there, err := os.ReadDir(folder); err == nil && len(there) > 0 {
		return fmt.Errorf("%s: %w and is not empty", folder, fs.ErrExist)
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	whole, err := decrypted(f, identity)
	if err != nil {
		return err
	}
	making := filepath.Clean(folder) + ".restoring"
	if err := os.RemoveAll(making); err != nil {
		return err
	}
	defer os.RemoveAll(making)
	if err := unpackInto(making, whole); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if err := soundIn(making); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if err := os.Remove(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(making, folder)
}

// RestoreFrom is Restore of the last backup of a folder of them up to a moment, which is told.
func RestoreFrom(folder string, until time.Time, data string, identity []byte) (made time.Time, err error) {
	if there, err := os.ReadDir(data); err == nil && len(there) > 0 {
		return made, fmt.Errorf("%s: %w and is not empty", data, fs.ErrExist)
	}
	var keys []age.Identity
	if identity != nil {
		if keys, err = age.ParseIdentities(bytes.NewReader(identity)); err != nil {
			return made, fmt.Errorf("%w: the key: %w", ErrEncrypted, err)
		}
	}
	making := filepath.Clean(data) + ".restoring"
	if err := os.RemoveAll(making); err != nil {
		return made, err
	}
	defer os.RemoveAll(making)
	if made, err = backup.Restore(folder, until, keys, making); err != nil {
		return made, err
	}
	if err := soundIn(making); err != nil {
		return made, fmt.Errorf("%s: %w", folder, err)
	}
	if err := os.Remove(data); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return made, err
	}
	return made, os.Rename(making, data)
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
