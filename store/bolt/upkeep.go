package bolt

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"
	"go.etcd.io/bbolt"

	"fieldpost/store"
	"fieldpost/store/backup"
)

// Stats counts what is in the store.
func (db *DB) Stats() (s store.Stats, err error) {
	s = store.Stats{Path: db.path, Games: map[store.Status]int{}, Mails: map[store.MailState]int{}}
	err = db.view("counting", func(tx *bbolt.Tx) error {
		s.File = tx.Size()
		if info, err := os.Stat(db.path); err == nil {
			s.File = info.Size()
		}
		b := tx.DB().Stats()
		s.Free = int64(b.FreePageN+b.PendingPageN) * int64(tx.DB().Info().PageSize)
		for _, name := range buckets {
			bucket := tx.Bucket(name)
			if bucket == nil {
				continue
			}
			st := bucket.Stats()
			bs := store.BucketStats{Name: string(name), Entries: st.KeyN, Pages: int64(st.LeafAlloc + st.BranchAlloc)}
			if err := bucket.ForEach(func(k, v []byte) error { bs.Bytes += int64(len(k) + len(v)); return nil }); err != nil {
				return err
			}
			s.Buckets = append(s.Buckets, bs)
			if string(name) == string(bPhases) {
				s.Phases = st.KeyN
			}
		}
		err := each(tx.Bucket(bGames), nil, func(k, v []byte) error {
			g, err := decode[store.Game](k, v)
			s.Games[g.Status]++
			return err
		})
		if err != nil {
			return err
		}
		return each(tx.Bucket(bOutbox), nil, func(k, v []byte) error {
			m, err := decode[store.Mail](k, v)
			s.Mails[m.State]++
			return err
		})
	})
	s.Kept, s.Spooled = folderSize(db.mails), folderSize(db.spool)
	thin, _ := filepath.Glob(filepath.Join(db.mails, "*"+thinSuffix))
	s.Thin = len(thin)
	return s, err
}

func folderSize(dir string) (n int64) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			n += info.Size()
		}
	}
	return n
}

// Compact writes the database anew without its free pages, with the values of
// older formats brought up to date, and returns its size before and after. Reading and
// writing wait meanwhile. The old file stays until the new one is whole and on
// the disk.
func (db *DB) Compact() (before, after int64, err error) {
	const doing = "compacting"
	if db.readOnly {
		return 0, 0, db.fail(doing, store.ErrReadOnly)
	}
	db.swap.Lock()
	defer db.swap.Unlock()
	info, err := os.Stat(db.path)
	if err != nil {
		return 0, 0, db.fail(doing, err)
	}
	before = info.Size()
	if err := guard(db.repack); err != nil {
		return before, before, db.fail(doing, err)
	}
	tmp := db.path + ".compact" + tmpSuffix
	if err := db.copyTo(tmp); err != nil {
		os.Remove(tmp)
		return before, before, db.fail(doing, err)
	}
	if err = db.at(PointCompactSwap); err == nil {
		err = os.Rename(tmp, db.path)
	}
	if err != nil {
		os.Remove(tmp)
		return before, before, db.fail(doing, err)
	}
	// The old file has no name any more; its lock goes with it. From here on
	// nothing may be written to it, nor to the new one before its name is kept.
	old := db.bolt
	err = db.open(Options{MustExist: true})
	old.Close()
	if err != nil {
		db.bolt = old
		return before, before, db.fail(doing, err)
	}
	if err = db.at(PointCompactFolder); err == nil {
		err = syncDir(filepath.Dir(db.path))
	}
	if err != nil {
		db.bolt.Close()
		return before, before, db.fail(doing, err)
	}
	_ = db.at(PointCompacted)
	if info, err = os.Stat(db.path); err != nil {
		return before, before, db.fail(doing, err)
	}
	return before, info.Size(), nil
}

// copyTo writes a compact copy that is whole and synced when it returns nil.
func (db *DB) copyTo(path string) error {
	os.Remove(path) // left over from a crash; the lock is ours
	dst, err := bbolt.Open(path, 0o600, &bbolt.Options{NoSync: true, Timeout: time.Second})
	if err != nil {
		return err
	}
	if err := guard(func() error { return bbolt.Compact(dst, db.bolt, 1<<20) }); err != nil {
		dst.Close()
		return err
	}
	if err := dst.Sync(); err != nil {
		dst.Close()
		return err
	}
	return dst.Close()
}

// repack writes the values of older formats anew: positions compressed, and
// everything with its checksum.
func (db *DB) repack() error {
	for _, name := range buckets {
		if string(name) == string(bMeta) {
			continue
		}
		var old [][]byte
		err := db.bolt.View(func(tx *bbolt.Tx) error {
			return tx.Bucket(name).ForEach(func(k, v []byte) error {
				if len(v) > 0 && v[0]&summed == 0 {
					old = append(old, bytes.Clone(k))
				}
				return nil
			})
		})
		if err != nil {
			return err
		}
		for part := range slices.Chunk(old, 200) {
			err := db.bolt.Update(func(tx *bbolt.Tx) error { return renew(tx, name, part) })
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// renew writes values of a bucket again as they are.
func renew(tx *bbolt.Tx, bucket []byte, keys [][]byte) error {
	for _, k := range keys {
		var err error
		if string(bucket) == string(bSnapshots) {
			var position []byte
			game, number := string(k[:len(k)-9]), lastNumber(k)
			if position, err = snapshot(tx, game, number); err == nil {
				err = putSnapshot(tx, game, number, bytes.Clone(position))
			}
		} else {
			var value []byte
			if value, err = getBytes(tx.Bucket(bucket), k); err == nil {
				err = putBytes(tx.Bucket(bucket), k, value)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Backup writes the whole store, as it is at one moment, to a new file: a tar
// archive compressed with zstd that holds the database and the folders of mails.
// Unpacked into an empty folder it is a store again. Reading and writing go on
// meanwhile. A file that is there is not written over.
func (db *DB) Backup(path string) (size int64, err error) {
	return db.newFile("backing up", path, db.writeBackup)
}

// BackupFor is Backup, encrypted to a recipient in the notation of age ("age1..."): nobody
// else can read it, the daemon neither. A backup holds every secret of the dice.
func (db *DB) BackupFor(path, recipient string) (size int64, err error) {
	to, err := recipientOf(recipient)
	if err != nil {
		return 0, err
	}
	return db.newFile("backing up", path, func(w io.Writer) error {
		sealed, err := age.Encrypt(w, to)
		if err != nil {
			return err
		}
		if err := db.writeBackup(sealed); err != nil {
			return err
		}
		return sealed.Close()
	})
}

func recipientOf(text string) (age.Recipient, error) {
	to, err := age.ParseX25519Recipient(text)
	if err != nil {
		return nil, fmt.Errorf("%w recipient %q: a line such as age1... is expected, as age-keygen prints it: %w", store.ErrInvalid, text, err)
	}
	return to, nil
}

// BackupTo adds a backup to a folder of them: what the one before has is not written again.
// Recipient is as for BackupFor, empty for none.
func (db *DB) BackupTo(folder, recipient string, at time.Time) (out backup.Written, err error) {
	var to age.Recipient
	if recipient != "" {
		if to, err = recipientOf(recipient); err != nil {
			return out, err
		}
	}
	out, err = backup.Write(folder, at, to, db.addTo)
	return out, db.fail("backing up", err)
}

// addTo gives a backup the database first: every file that it names is there by then.
func (db *DB) addTo(w *backup.Writer) error {
	err := db.view("backing up", func(tx *bbolt.Tx) error {
		read, write := io.Pipe()
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, err := tx.WriteTo(write)
			write.CloseWithError(err)
		}()
		err := w.AddPages(Database, tx.DB().Info().PageSize, func() (io.ReadCloser, error) { return read, nil })
		read.Close()
		<-done
		return err
	})
	if err != nil {
		return err
	}
	db.files.Lock() // a mail that others build on stays until they are copied
	defer db.files.Unlock()
	return errors.Join(addMails(w, db.mails), addMails(w, db.spool))
}

// sameForGood is the stamp of a file whose name says what is in it.
const sameForGood = "named by its content"

// addMails gives a backup the files of a folder of mails.
func addMails(w *backup.Writer, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		add := func(file, stamp string) error {
			return w.Add(filepath.Base(dir)+"/"+file, stamp, func() (io.ReadCloser, error) { return os.Open(filepath.Join(dir, file)) })
		}
		sha, whole := strings.CutSuffix(e.Name(), mailSuffix)
		switch {
		case whole:
			if err = add(e.Name(), sameForGood); errors.Is(err, fs.ErrNotExist) { // without its pictures since
				err = add(sha+thinSuffix, "")
			}
		case strings.HasSuffix(e.Name(), thinSuffix):
			var info fs.FileInfo
			if info, err = e.Info(); err == nil {
				err = add(e.Name(), fmt.Sprintf("%d bytes of %d", info.Size(), info.ModTime().UnixNano()))
			}
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // else pruned meanwhile
			return err
		}
	}
	return nil
}

// Copy writes the database alone, as it is at one moment, to a new file.
func (db *DB) Copy(path string) (size int64, err error) {
	return db.newFile("copying", path, func(w io.Writer) error {
		return db.view("copying", func(tx *bbolt.Tx) error {
			_, err := tx.WriteTo(w)
			return err
		})
	})
}

// newFile makes a file that is there whole or not at all.
func (db *DB) newFile(doing, path string, write func(io.Writer) error) (size int64, err error) {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = fmt.Errorf("%s: %w", path, fs.ErrExist)
		}
		return 0, db.fail(doing, err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*"+tmpSuffix)
	if err != nil {
		return 0, db.fail(doing, err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err = write(f); err != nil {
		return 0, db.fail(doing, err)
	}
	if size, err = f.Seek(0, io.SeekEnd); err != nil {
		return 0, db.fail(doing, err)
	}
	if err = errors.Join(f.Sync(), f.Close()); err != nil {
		return 0, db.fail(doing, err)
	}
	switch err = os.Link(f.Name(), path); { // unlike a rename it never replaces
	case err == nil:
		os.Remove(f.Name())
	case errors.Is(err, fs.ErrExist):
		return 0, db.fail(doing, err)
	default: // a file system without links
		if err = os.Rename(f.Name(), path); err != nil {
			return 0, db.fail(doing, err)
		}
	}
	return size, db.fail(doing, syncDir(filepath.Dir(path)))
}

func (db *DB) writeBackup(w io.Writer) error {
	z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	defer z.Close()
	t := tar.NewWriter(z)
	// The database first: every file that it names is there by then.
	err = db.view("backing up", func(tx *bbolt.Tx) error {
		if err := t.WriteHeader(&tar.Header{Name: Database, Mode: 0o600, Size: tx.Size(), Format: tar.FormatPAX}); err != nil {
			return err
		}
		_, err := tx.WriteTo(t)
		return err
	})
	if err != nil {
		return err
	}
	db.files.Lock() // a mail that others build on stays until they are copied
	defer db.files.Unlock()
	for _, dir := range []string{db.mails, db.spool} {
		if err := addFolder(t, dir); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return z.Close()
}

func addFolder(t *tar.Writer, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		sha, whole := strings.CutSuffix(e.Name(), mailSuffix)
		if !whole && !strings.HasSuffix(e.Name(), thinSuffix) {
			continue
		}
		file := e.Name()
		b, err := os.ReadFile(filepath.Join(dir, file))
		if errors.Is(err, fs.ErrNotExist) && whole { // without its pictures since
			file = sha + thinSuffix
			b, err = os.ReadFile(filepath.Join(dir, file))
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue // pruned meanwhile
		}
		if err != nil {
			return err
		}
		name := filepath.Base(dir) + "/" + file
		if err := t.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(b)), Format: tar.FormatPAX}); err != nil {
			return err
		}
		if _, err := t.Write(b); err != nil {
			return err
		}
	}
	return nil
}
