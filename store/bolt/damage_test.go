package bolt

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"fieldpost/store"
)

// everything is all that callers can read from a store, as text.
func everything(db *DB) (string, error) {
	games, err := db.Games()
	if err != nil {
		return "", err
	}
	var text strings.Builder
	tells := func(p store.Phase) { // bytes as they are: as a list of numbers they take a second
		text.Write(p.Journal)
		text.Write(p.Snapshot)
		fmt.Fprintf(&text, "%d %d ", len(p.Journal), len(p.Snapshot))
		p.Journal, p.Snapshot = nil, nil
		fmt.Fprintf(&text, "%+v", p)
	}
	for _, g := range games {
		fmt.Fprintf(&text, "%x", []byte(g.DiceKey))
		g.DiceKey = nil
		p, err := db.Load(g.ID)
		if err != nil {
			return "", err
		}
		phases, err := db.Journal(g.ID)
		if err != nil {
			return "", err
		}
		for _, p := range phases {
			whole, err := db.Phase(g.ID, p.Number)
			if err != nil {
				return "", err
			}
			tells(whole)
		}
		steps, err := db.Steps(g.ID)
		if err != nil {
			return "", err
		}
		sheets, err := db.AllSheets(g.ID)
		if err != nil {
			return "", err
		}
		mails, err := db.Mails(g.ID)
		if err != nil {
			return "", err
		}
		for _, s := range steps {
			if h, _, err := db.Handled(s.Handled); err != nil {
				return "", err
			} else {
				fmt.Fprintf(&text, "%+v", h)
			}
		}
		seats, err := db.Seats(keyAxis)
		if err != nil {
			return "", err
		}
		if p.Latest != nil {
			tells(*p.Latest)
		}
		fmt.Fprintf(&text, "%+v %+v %+v %+v %+v %+v", g, p.Open, steps, sheets, mails, seats)
	}
	notes, err := db.Notes("")
	if err != nil {
		return "", err
	}
	queue, err := db.Queue(noon, 0)
	if err != nil {
		return "", err
	}
	// The marks of the mailbox may be lost: then it is looked through again, and no
	// mail has its effect twice.
	_, err = db.Low("INBOX", 7)
	fmt.Fprintf(&text, "%v %+v", notes, queue)
	return text.String(), err
}

// A flipped bit anywhere in the file is reported by whoever comes upon it, or by
// the check; what is read without an error is what was written.
func TestFlippedBits(t *testing.T) {
	flips := 200
	if os.Getenv("FIELDPOST_SOAK") != "" {
		flips = 20_000
	}
	db := checkable(t)
	for n := range uint64(20) {
		c := full(newGame("g2"), n)
		c.Phases[1].Snapshot = noise(4000, 3)
		must(t, db.Commit(c))
	}
	_, _, err := db.Compact()
	must(t, err)
	want, err := everything(db)
	must(t, err)
	must(t, db.Close())
	good, err := os.ReadFile(db.Path())
	must(t, err)
	rnd := rand.New(rand.NewPCG(3, 4))
	var silent, reported, checked int
	for range flips {
		at, bit := rnd.IntN(len(good)), byte(1)<<rnd.IntN(8)
		good[at] ^= bit
		must(t, os.WriteFile(db.Path(), good, 0o600))
		good[at] ^= bit
		begin := time.Now()
		d, err := Open(db.Path(), Options{ReadOnly: true, Files: filepath.Dir(db.Path())})
		if err != nil {
			reported++
			continue
		}
		got, err := everything(d)
		switch {
		case err != nil:
			reported++
		case got == want:
			silent++
		case len(d.Check()) > 0:
			checked++
		default:
			t.Errorf("byte %d (of page %d), bit %#x flipped: other things are read, and nobody noticed", at, at/4096, bit)
		}
		must(t, d.Close())
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("byte %d, bit %#x: reading took %v", at, bit, took)
		}
	}
	t.Logf("%d bits flipped: %d without effect, %d reported when read, %d found by the check alone", flips, silent, reported, checked)
	if reported == 0 {
		t.Error("nothing was reported: the test proves nothing")
	}
}

// Pages that the disk cannot give any more, under a store that is open: an error
// and not the end of the process, whether one reads or writes.
func TestPagesThatCannotBeRead(t *testing.T) {
	db := newStore(t)
	g := newGame("g1")
	for n := range uint64(40) {
		c := full(g, n)
		c.Phases[1].Snapshot = noise(20_000, n)
		must(t, db.Commit(c))
	}
	must(t, os.Truncate(db.Path(), 3*4096)) // reading behind it is a bus error
	if _, err := everything(db); err == nil {
		t.Error("everything is read from a file that has three pages")
	} else {
		wantErr(t, "reading", err, store.ErrNotDatabase)
	}
	if errs := db.Check(); len(errs) == 0 {
		t.Error("the check finds nothing")
	}
	if err := db.Commit(full(g, 40)); err == nil {
		t.Error("it is written on")
	}
	if _, _, err := db.Compact(); err == nil {
		t.Error("it is compacted")
	}
}

// One damaged record of a list costs that record: the others are returned, and the
// error names it.
func TestDamagedRecordsAreLeftOut(t *testing.T) {
	db := newStore(t)
	must(t, db.Commit(full(newGame("g1"), 0)))
	must(t, db.Commit(full(newGame("g2"), 0)))
	flip := func(bucket []byte, key string) {
		must(t, db.bolt.Update(func(tx *bbolt.Tx) error {
			v := bytes.Clone(tx.Bucket(bucket).Get([]byte(key)))
			v[len(v)-1] ^= 4
			return tx.Bucket(bucket).Put([]byte(key), v)
		}))
	}
	check := func(what, id string, err error, read, want int) {
		t.Helper()
		var lost store.DamagedRecords
		if !errors.As(err, &lost) || !errors.Is(err, store.ErrDamaged) || len(lost) != 1 || lost[0].What != what || lost[0].ID != id || read != want {
			t.Errorf("%s %s: %d of %d read, error %v", what, id, read, want, err)
		}
	}
	flip(bGames, "g1")
	games, err := db.Games()
	check("game", "g1", err, len(games), 1)
	flip(bOutbox, "g1-1-axis")
	queue, err := db.Queue(noon, 0)
	check("mail", "g1-1-axis", err, len(queue), 3)
	mails, err := db.Mails("g1")
	check("mail", "g1-1-axis", err, len(mails), 1)
	if at, ok, err := db.NextAttempt(); err != nil || !ok || !at.IsZero() {
		t.Errorf("the next attempt: %v %v %v", at, ok, err)
	}
	flip(bNotes, "last/g1")
	notes, err := db.Notes("last/")
	check("note", "last/g1", err, len(notes), 1)
	for _, id := range []string{"g1-1-soviet", "g2-1-axis", "g2-1-soviet"} {
		if _, err := db.MarkSending(id, noon); err != nil {
			t.Error(err)
		}
	}
	if _, ok, err := db.NextAttempt(); ok || err != nil {
		t.Errorf("with nothing but a damaged mail in the queue: %v, %v", ok, err)
	}
	flip(bOutbox, "g2-1-axis")
	db = reopen(t, db)
	if n, err := db.Requeue(); n != 2 || err != nil {
		t.Errorf("%d interrupted mails are queued again, %v", n, err)
	}
	flip(bOutbox, "g1-1-axis")
	flip(bOutbox, "g2-1-axis")
	db = reopen(t, db)
	_, err = db.Requeue()
	must(t, err)
	if queue, err = db.Queue(noon, 0); err != nil || len(queue) != 4 {
		t.Errorf("after the repair %d mails wait, %v", len(queue), err)
	}
}
