package bolt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"fieldpost/store"
)

func TestOpenMakesAStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "fieldpost.db")
	if _, err := Open(path, Options{MustExist: true}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("MustExist: %v", err)
	}
	if _, err := Open(path, Options{ReadOnly: true}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("ReadOnly: %v", err)
	}
	must(t, os.Mkdir(filepath.Dir(path), 0o700))
	db, err := Open(path, Options{})
	must(t, err)
	sound(t, db)
	info, err := os.Stat(path)
	must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the database, which holds keys, has mode %v", info.Mode())
	}
	sound(t, reopen(t, db))
}

func TestOpenRefuses(t *testing.T) {
	foreign := func(f func(tx *bbolt.Tx) error) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			b, err := bbolt.Open(path, 0o600, nil)
			must(t, err)
			must(t, b.Update(f))
			must(t, b.Close())
		}
	}
	meta := func(magic string, format uint32) func(*testing.T, string) {
		return foreign(func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucket(bMeta)
			if err != nil {
				return err
			}
			b.Put([]byte("magic"), []byte(magic))
			return b.Put([]byte("format"), binary.BigEndian.AppendUint32(nil, format))
		})
	}
	file := func(content []byte) func(*testing.T, string) {
		return func(t *testing.T, path string) { must(t, os.WriteFile(path, content, 0o600)) }
	}
	for name, c := range map[string]struct {
		make func(*testing.T, string)
		want error
	}{
		"text":            {file([]byte("Dear Sir,\n")), store.ErrNotDatabase},
		"long text":       {file(bytes.Repeat([]byte("Dear Sir,\n"), 10000)), store.ErrNotDatabase},
		"zeros":           {file(make([]byte, 1<<16)), store.ErrNotDatabase},
		"folder":          {func(t *testing.T, p string) { must(t, os.Mkdir(p, 0o700)) }, store.ErrNotDatabase},
		"foreign":         {foreign(func(tx *bbolt.Tx) error { _, err := tx.CreateBucket([]byte("x")); return err }), store.ErrNotFieldpost},
		"foreign meta":    {foreign(func(tx *bbolt.Tx) error { _, err := tx.CreateBucket(bMeta); return err }), store.ErrNotFieldpost},
		"other magic":     {meta("something", 1), store.ErrNotFieldpost},
		"newer":           {meta(magic, Format+1), store.ErrNewer},
		"very much newer": {meta(magic, 1<<31), store.ErrNewer},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "fieldpost.db")
			c.make(t, path)
			before, _ := os.ReadFile(path)
			for _, o := range []Options{{}, {ReadOnly: true}, {MustExist: true}} {
				db, err := Open(path, o)
				if err == nil {
					db.Close()
				}
				wantErr(t, fmt.Sprintf("%+v", o), err, c.want)
				if err != nil && !strings.Contains(err.Error(), path) {
					t.Errorf("%v does not name the file", err)
				}
			}
			if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
				t.Error("the file was changed")
			}
		})
	}
}

func TestOpenEmptyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fieldpost.db")
	must(t, os.WriteFile(path, nil, 0o600))
	_, err := Open(path, Options{ReadOnly: true})
	wantErr(t, "reading an empty file", err, store.ErrNotDatabase)
	db, err := Open(path, Options{}) // a crash while it was made
	must(t, err)
	defer db.Close()
	sound(t, db)
}

func TestOpenLocked(t *testing.T) {
	db := newStore(t)
	for _, o := range []Options{{}, {ReadOnly: true}, {Timeout: time.Hour}, {Timeout: 50 * time.Millisecond}} {
		start := time.Now()
		_, err := Open(db.Path(), o)
		wantErr(t, "a second process", err, store.ErrLocked)
		if d := time.Since(start); d > 1500*time.Millisecond {
			t.Errorf("%+v waited %v", o, d)
		}
	}
}

func TestReadOnlyStore(t *testing.T) {
	db := newStore(t)
	must(t, db.Commit(full(newGame("g1"), 0)))
	_, err := db.MarkSending("g1-1-axis", noon)
	must(t, err)
	must(t, db.Close())
	before, err := os.ReadFile(db.Path())
	must(t, err)

	r1, err := Open(db.Path(), Options{ReadOnly: true})
	must(t, err)
	defer r1.Close()
	r2, err := Open(db.Path(), Options{ReadOnly: true}) // readers share
	must(t, err)
	defer r2.Close()
	if p, err := r2.Load("g1"); err != nil || p.Game.Seq != 1 {
		t.Errorf("%+v, %v", p, err)
	}
	sound(t, r1)
	wantErr(t, "Commit", r1.Commit(full(newGame("g1"), 1)), store.ErrReadOnly)
	wantErr(t, "MarkResult", r1.MarkResult("g1-1-axis", store.Result{State: store.MailFailed}), store.ErrReadOnly)
	wantErr(t, "MarkUID", r1.MarkUID("INBOX", 1, 1, store.UIDMark{State: store.UIDGone}), store.ErrReadOnly)
	_, err = r1.Spool([]byte("x"))
	wantErr(t, "Spool", err, store.ErrReadOnly)
	if m, err := r1.Mail("g1-1-axis"); err != nil || m.State != store.MailSending {
		t.Errorf("reading changed the mail: %+v, %v", m, err)
	}
	if after, _ := os.ReadFile(db.Path()); !bytes.Equal(before, after) {
		t.Error("reading changed the file")
	}
}

// A database that grows over its limit stands for a full disk: bbolt reports
// both from the same place.
func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fieldpost.db")
	db, err := Open(path, Options{maxSize: 1 << 20})
	must(t, err)
	defer db.Close()
	g, n := newGame("g1"), uint64(0)
	for ; err == nil; n++ {
		c := full(g, n)
		c.Phases[1].Snapshot = noise(100_000, n)
		before := dump(t, db)
		if err = db.Commit(c); err != nil {
			wantErr(t, "the last Change", err, store.ErrFull)
			if after := dump(t, db); len(after) != len(before) {
				t.Errorf("%d entries became %d", len(before), len(after))
			}
		}
		if n > 100 {
			t.Fatal("never full")
		}
	}
	sound(t, db)
	must(t, db.Close())
	db, err = Open(path, Options{})
	must(t, err)
	defer db.Close()
	must(t, db.Commit(full(g, n-1))) // with room again it goes on
	sound(t, db)
}

func TestFailNamesTheCause(t *testing.T) {
	db := &DB{path: "x.db"}
	for _, c := range []struct{ err, want error }{
		{&fs.PathError{Op: "write", Path: "m", Err: syscall.ENOSPC}, store.ErrFull},
		{&fs.PathError{Op: "write", Path: "m", Err: syscall.EDQUOT}, store.ErrFull},
		{&fs.PathError{Op: "open", Path: "m", Err: syscall.EROFS}, store.ErrReadOnly},
		{&fs.PathError{Op: "open", Path: "m", Err: syscall.EACCES}, store.ErrReadOnly},
		{store.ErrStale, store.ErrStale},
	} {
		err := db.fail("testing", c.err)
		if !errors.Is(err, c.want) || !errors.Is(err, c.err) || !strings.Contains(err.Error(), "x.db: testing") {
			t.Errorf("%v became %v", c.err, err)
		}
	}
	if db.fail("testing", nil) != nil {
		t.Error("an error from nothing")
	}
}

// A file that lost its end gives errors and not a dead process. (Single flipped
// bits are found where a hash covers them; bbolt has no checksums of its pages.)
func TestTruncatedDatabase(t *testing.T) {
	db := newStore(t)
	g := newGame("g1")
	for n := range uint64(30) {
		must(t, db.Commit(full(g, n)))
	}
	var used int
	must(t, db.bolt.View(func(tx *bbolt.Tx) error { used = int(tx.Size()); return nil }))
	must(t, db.Close())
	whole, err := os.ReadFile(db.Path())
	must(t, err)
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		n := 1 + rnd.IntN(used-1)
		must(t, os.WriteFile(db.Path(), whole[:n], 0o600))
		for _, o := range []Options{{ReadOnly: true}, {}} {
			d, err := Open(db.Path(), o)
			if err == nil {
				d.Close()
			}
			wantErr(t, fmt.Sprintf("cut to %d bytes of %d", n, used), err, store.ErrNotDatabase)
		}
	}
	must(t, os.WriteFile(db.Path(), whole[:used], 0o600)) // behind it is spare room
	d, err := Open(db.Path(), Options{})
	must(t, err)
	defer d.Close()
	sound(t, d)
}
