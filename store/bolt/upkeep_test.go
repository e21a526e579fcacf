package bolt

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"

	"fieldpost/store"
)

func TestABackupIsAStoreAgain(t *testing.T) {
	db := newStore(t)
	g := newGame("g1")
	must(t, db.Commit(full(g, 0)))
	_, err := db.Spool([]byte("From: somebody"))
	must(t, err)
	file := filepath.Join(t.TempDir(), "backup.tar.zst")
	var wg sync.WaitGroup
	wg.Go(func() { // it goes on meanwhile
		for n := uint64(1); n < 20; n++ {
			must(t, db.Commit(full(g, n)))
		}
	})
	size, err := db.Backup(file)
	wg.Wait()
	if err != nil || size == 0 {
		t.Fatal(size, err)
	}
	if _, err := db.Backup(file); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over an existing file: %v", err)
	}
	dir := t.TempDir()
	unpack(t, file, dir)
	again, err := Open(filepath.Join(dir, "fieldpost.db"), Options{MustExist: true})
	must(t, err)
	defer again.Close()
	sound(t, again)
	if p, err := again.Load("g1"); err != nil || p.Game.Seq == 0 {
		t.Errorf("the backup holds %+v, %v", p.Game, err)
	}
}

func unpack(t *testing.T, file, dir string) {
	t.Helper()
	f, err := os.Open(file)
	must(t, err)
	defer f.Close()
	z, err := zstd.NewReader(f)
	must(t, err)
	defer z.Close()
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return
		}
		must(t, err)
		name := filepath.Join(dir, filepath.FromSlash(h.Name))
		must(t, os.MkdirAll(filepath.Dir(name), 0o700))
		b, err := io.ReadAll(r)
		must(t, err)
		must(t, os.WriteFile(name, b, 0o600))
	}
}

func TestCompactingKeepsEverything(t *testing.T) {
	db := newStore(t)
	g := newGame("g1")
	for n := uint64(0); n < 30; n++ {
		c := full(g, n)
		c.Phases[1].Snapshot = noise(20_000, n)
		must(t, db.Commit(c))
	}
	big := map[string][]byte{"big": noise(2_000_000, 99)}
	must(t, db.Commit(store.Change{Notes: big}))
	must(t, db.Commit(store.Change{Notes: map[string][]byte{"big": nil}}))
	was := dump(t, db)
	var wg sync.WaitGroup
	wg.Go(func() { // readers wait and go on
		for range 50 {
			if _, err := db.Load("g1"); err != nil {
				t.Error(err)
			}
		}
	})
	before, after, err := db.Compact()
	wg.Wait()
	must(t, err)
	if after >= before {
		t.Errorf("%d bytes became %d", before, after)
	}
	is := dump(t, db)
	for k, v := range was {
		if is[k] != v {
			t.Errorf("%q changed", k)
		}
	}
	if len(is) != len(was) {
		t.Errorf("%d entries became %d", len(was), len(is))
	}
	must(t, db.Commit(full(g, 30)))
	db = reopen(t, db)
	sound(t, db)
	if _, err := Open(db.Path(), Options{}); !errors.Is(err, store.ErrLocked) {
		t.Errorf("after compacting a second process gets %v", err)
	}
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(db.Path()), "*"+tmpSuffix))
	if len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

func TestCompactingBringsAnOldDatabaseUpToDate(t *testing.T) {
	db, err := Open(oldStore(t, "format1.db.gz"), Options{MustExist: true})
	must(t, err)
	defer db.Close()
	before, err := db.Stats()
	must(t, err)
	_, _, err = db.Compact()
	must(t, err)
	after, err := db.Stats()
	must(t, err)
	if after.Size() >= before.Size() || after.Phases != 6 || after.Games[store.StatusRunning] != 1 {
		t.Errorf("before %+v, after %+v", before, after)
	}
	for n := range uint64(6) {
		if _, err := db.Phase("OLDGAME", n+1); err != nil {
			t.Error(err)
		}
	}
}

// An encrypted backup is what the plain one is, for who has the key, and tells nobody else
// anything; a key that is none writes no file.
func TestABackupForARecipient(t *testing.T) {
	db := newStore(t)
	g := newGame("g1")
	must(t, db.Commit(full(g, 0)))
	key, err := age.GenerateX25519Identity()
	must(t, err)
	dir := t.TempDir()
	plain, sealed := filepath.Join(dir, "plain"), filepath.Join(dir, "sealed")
	if _, err := db.BackupFor(sealed, "age1nobody"); !errors.Is(err, store.ErrInvalid) {
		t.Errorf("a key that is none: %v", err)
	}
	if _, err := os.Stat(sealed); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it wrote a file: %v", err)
	}
	_, err = db.Backup(plain)
	must(t, err)
	_, err = db.BackupFor(sealed, key.Recipient().String())
	must(t, err)
	raw, err := os.ReadFile(sealed)
	must(t, err)
	other, err := age.GenerateX25519Identity()
	must(t, err)
	if _, err := age.Decrypt(bytes.NewReader(raw), other); err == nil {
		t.Error("another key reads it")
	}
	r, err := age.Decrypt(bytes.NewReader(raw), key)
	must(t, err)
	got, err := io.ReadAll(r)
	must(t, err)
	if want, err := os.ReadFile(plain); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes for %d, %v", len(got), len(want), err)
	}
}
