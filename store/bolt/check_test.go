package bolt

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"

	"fieldpost/store"
)

// Every kind of tampering is found. What is removed or altered is any entry of a
// bucket: the whole contents of the store, one after the other.
func TestCheckFindsEveryMissingEntry(t *testing.T) {
	db := checkable(t)
	// What nothing else can tell about: without it the store is a different but
	// sound one.
	silent := map[string]bool{"meta": true, "low": true, "uids": true, "open": true}
	for _, name := range buckets {
		if silent[string(name)] {
			continue
		}
		n := 0
		for i := 0; ; i++ {
			tx, err := db.bolt.Begin(true)
			must(t, err)
			c := tx.Bucket(name).Cursor()
			k, _ := c.First()
			for range i {
				k, _ = c.Next()
			}
			if k == nil {
				tx.Rollback()
				break
			}
			n++
			must(t, c.Delete())
			if errs := walk(db, tx); len(errs) == 0 {
				t.Errorf("%s: nobody misses %q", name, k)
			}
			must(t, tx.Rollback())
		}
		if n == 0 {
			t.Errorf("bucket %s is empty: the test tests nothing", name)
		}
	}
	sound(t, db)
}

// A value that is cut, or of an encoding that this version does not know, is
// found everywhere.
func TestCheckFindsEveryDamagedValue(t *testing.T) {
	db := checkable(t)
	for _, name := range buckets {
		if s := string(name); s == "meta" || s == "notes" || s == "low" || s == "seats" || s == "addresses" || s == "sending" {
			continue // they have no value, or nothing to compare it with
		}
		for what, damage := range map[string]func([]byte) []byte{
			"empty":   func([]byte) []byte { return nil },
			"newer":   func(v []byte) []byte { return append([]byte{9}, v[1:]...) },
			"cut":     func(v []byte) []byte { return v[:len(v)-1] },
			"swapped": func(v []byte) []byte { return append([]byte{plain}, "{}"...) },
		} {
			if what == "swapped" && string(name) == "open" {
				continue // an open phase may be anything
			}
			tx, err := db.bolt.Begin(true)
			must(t, err)
			b := tx.Bucket(name)
			k, v := b.Cursor().First()
			must(t, b.Put(bytes.Clone(k), damage(bytes.Clone(v))))
			if errs := walk(db, tx); len(errs) == 0 {
				t.Errorf("%s: nobody saw that %q was %s", name, k, what)
			}
			must(t, tx.Rollback())
		}
	}
}

func TestCheckFindsStrangers(t *testing.T) {
	db := checkable(t)
	for _, name := range buckets {
		if s := string(name); s == "meta" || s == "low" {
			continue
		}
		tx, err := db.bolt.Begin(true)
		must(t, err)
		must(t, putBytes(tx.Bucket(name), []byte("stranger\x0012345678"), []byte(`{}`)))
		if errs := walk(db, tx); len(errs) == 0 {
			t.Errorf("%s: nobody saw the stranger", name)
		}
		must(t, tx.Rollback())
	}
}

func TestCheckFindsBadMailFiles(t *testing.T) {
	db := checkable(t)
	m, err := db.Mail("g1-1-axis")
	must(t, err)
	name := filepath.Join(filepath.Dir(db.Path()), "mails", m.SHA256+".eml")
	must(t, os.WriteFile(name, []byte("altered"), 0o600))
	if errs := db.Check(); len(errs) != 1 {
		t.Errorf("altered: %v", errs)
	} else {
		wantErr(t, "altered", errs[0], store.ErrDamaged)
	}
	must(t, os.Remove(name))
	if errs := db.Check(); len(errs) != 1 {
		t.Errorf("missing: %v", errs)
	} else {
		wantErr(t, "missing", errs[0], store.ErrNotFound)
	}
}

// checkable is a store with at least one entry in every bucket.
func checkable(t *testing.T) *DB {
	db := newStore(t)
	_, err := db.Spool([]byte("mail 2 of g1"))
	must(t, err)
	must(t, db.Commit(full(newGame("g1"), 0)))
	c := full(newGame("g1"), 1)
	c.Open = &store.OpenPhase{Phase: "3", Journal: []byte(`[1]`)}
	must(t, db.Commit(c))
	must(t, db.Commit(without(full(newGame("g10"), 0))))
	waits, err := db.Spool([]byte("it waits"))
	must(t, err)
	must(t, db.Arrived(store.Look{Mailbox: "INBOX", UIDValidity: 7, Low: 2, Mails: []store.Incoming{{SHA256: waits, UID: 3, Received: noon}}}))
	_, err = db.MarkSending("g1-1-soviet", noon)
	must(t, err)
	sound(t, db)
	return db
}

// without is the Change without the sheet, to have games that differ.
func without(c store.Change) store.Change {
	c.Sheets = nil
	return c
}

// walk is Check inside a transaction that is rolled back, without the pages.
func walk(db *DB, tx *bbolt.Tx) []error {
	a := &audit{db: db, tx: tx}
	for _, look := range looks {
		look(a)
	}
	return a.found
}

// A daemon at work is audited, too: what is written meanwhile is not taken for damage.
func TestCheckWhileOthersWrite(t *testing.T) {
	db := newStore(t)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			if err := db.Commit(store.Change{Notes: map[string][]byte{fmt.Sprint("note", n%50): bytes.Repeat([]byte{byte(n)}, 2000+n%3000)}}); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	for range 150 {
		for _, err := range db.Check() {
			t.Fatal(err)
		}
	}
	close(stop)
	<-done
}
