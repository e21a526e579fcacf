package bolt

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"

	"fieldpost/store"
)

// noise is bytes that cannot be compressed.
func noise(n int, seed uint64) []byte {
	b := make([]byte, n)
	r := rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8)})
	r.Read(b)
	return b
}

// positions are like those of a game: one long text that changes a little.
func positions(n int) [][]byte {
	var all [][]byte
	for i := range n {
		var b bytes.Buffer
		for u := range 400 {
			at := u * 7
			if u%n == i {
				at += i
			}
			fmt.Fprintf(&b, `{"unit":"%d/%x","hex":%d},`, u, uint64(u)*0x9e3779b97f4a7c15, at)
		}
		all = append(all, b.Bytes())
	}
	return all
}

func TestPositionsComeBackAsTheyWere(t *testing.T) {
	db := newStore(t)
	all := positions(6*fullEvery + 5)
	all[4] = []byte("short")
	all[fullEvery] = []byte("short at the head of a group")
	all[7] = noise(5000, 1)
	g, seq := newGame("g1"), uint64(0)
	for i := 0; i < len(all); { // Changes of 1, 2, 3 ... phases: a base may be in the same Change
		c := store.Change{Game: &g, Expect: seq}
		for range seq%5 + 1 {
			if i < len(all) {
				c.Phases = append(c.Phases, store.Phase{Phase: fmt.Sprint(i), Snapshot: all[i]})
				i++
			}
		}
		must(t, db.Commit(c))
		seq++
	}
	db = reopen(t, db)
	for i, want := range all {
		p, err := db.Phase("g1", uint64(i+1))
		if err != nil || !bytes.Equal(p.Snapshot, want) {
			t.Fatalf("position %d: %v, %d bytes of %d", i, err, len(p.Snapshot), len(want))
		}
	}
	sound(t, db)
	kinds := map[byte]int{}
	stored, whole := 0, 0
	must(t, db.bolt.View(func(tx *bbolt.Tx) error {
		return tx.Bucket(bSnapshots).ForEach(func(_, v []byte) error { kinds[v[0]&^summed]++; stored += len(v); return nil })
	}))
	for _, p := range all {
		whole += len(p)
	}
	if kinds[packed] < 3 || kinds[differs] < 30 || stored > whole/5 {
		t.Errorf("encodings %v; %d bytes kept for %d", kinds, stored, whole)
	}
}

// Every bit of a position that flips in the database is noticed when it is read.
func TestAFlippedBitIsNoticed(t *testing.T) {
	db := newStore(t)
	g := newGame("g1")
	c := store.Change{Game: &g}
	for i, p := range positions(3) {
		c.Phases = append(c.Phases, store.Phase{Phase: fmt.Sprint(i), Snapshot: p})
	}
	must(t, db.Commit(c))
	for n := uint64(1); n <= 3; n++ {
		var good []byte
		set := func(v []byte) {
			must(t, db.bolt.Update(func(tx *bbolt.Tx) error { return tx.Bucket(bSnapshots).Put(numbered("g1", n), v) }))
		}
		must(t, db.bolt.View(func(tx *bbolt.Tx) error {
			good = bytes.Clone(tx.Bucket(bSnapshots).Get(numbered("g1", n)))
			return nil
		}))
		db.bolt.NoSync = true
		for i := 0; i < len(good); i += 1 + len(good)/40 {
			bad := bytes.Clone(good)
			bad[i] ^= 1 << (i % 8)
			set(bad)
			p, err := db.Phase("g1", n)
			if err == nil && store.Sum(p.Snapshot) != p.Hash {
				t.Fatalf("position %d, byte %d: wrong and nobody noticed", n, i)
			}
		}
		for _, short := range []int{0, 1, 5, 9, len(good) - 1} {
			set(good[:short])
			if _, err := db.Phase("g1", n); err == nil {
				t.Errorf("position %d cut to %d bytes passes", n, short)
			}
		}
		set(good)
		db.bolt.NoSync = false
	}
	sound(t, db)
}

// oldStore unpacks a committed database.
func oldStore(t *testing.T, name string) string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	must(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	must(t, err)
	b, err := io.ReadAll(z)
	must(t, err)
	path := filepath.Join(t.TempDir(), "fieldpost.db")
	must(t, os.WriteFile(path, b, 0o600))
	return path
}

// format1.db was written when values were plain. It opens, reads and goes on.
func TestADatabaseOfFormat1GoesOn(t *testing.T) {
	path := oldStore(t, "format1.db.gz")
	ro, err := Open(path, Options{ReadOnly: true})
	must(t, err)
	p, err := ro.Load("OLDGAME")
	must(t, err)
	if p.Game.Phases != 6 || p.Latest == nil || !bytes.HasPrefix(p.Latest.Snapshot, []byte(`{"position":"3.2"`)) {
		t.Errorf("the position is %+v", p)
	}
	if seats, err := ro.SeatsAt("a@example.org"); err != nil || len(seats) > 0 {
		t.Errorf("an index that format 1 did not have: %v, %v", seats, err)
	}
	must(t, ro.Close())

	db, err := Open(path, Options{MustExist: true})
	must(t, err)
	defer db.Close()
	sound(t, db)
	if seats, err := db.SeatsAt("A@Example.org"); err != nil || len(seats) != 1 || seats[0] != (store.Seat{Game: "OLDGAME", Side: "axis"}) {
		t.Errorf("found by address: %v, %v", seats, err)
	}
	must(t, db.Commit(full(p.Game, 3)))
	c := full(p.Game, 4)
	c.Phases[0].Snapshot = append(p.Latest.Snapshot, "more"...)
	must(t, db.Commit(c))
	sound(t, db)
	if phases, err := db.Journal("OLDGAME"); err != nil || len(phases) != 10 {
		t.Errorf("%d phases, %v", len(phases), err)
	}
	if sheets, err := db.AllSheets("OLDGAME"); err != nil || len(sheets) != 5 {
		t.Errorf("%d sheets, %v", len(sheets), err)
	}
}

// format2.db has values without checksums. It opens, is checked, goes on, and gets
// its checksums when it is compacted. format3.db has them.
func TestDatabasesOfFormats2And3GoOn(t *testing.T) {
	for format := 2; format <= Format; format++ {
		t.Run(fmt.Sprint("format ", format), func(t *testing.T) { goesOn(t, fmt.Sprintf("format%d.db.gz", format), format < 3) })
	}
}

func goesOn(t *testing.T, name string, unsummed bool) {
	path := oldStore(t, name)
	must(t, os.MkdirAll(filepath.Join(filepath.Dir(path), "mails"), 0o700))
	for n := range uint64(3) { // its mails are not in the database
		for _, m := range full(newGame("OLDGAME"), n).Mails {
			must(t, os.WriteFile(filepath.Join(filepath.Dir(path), "mails", store.Sum(m.Raw)+mailSuffix), m.Raw, 0o600))
		}
	}
	db, err := Open(path, Options{MustExist: true})
	must(t, err)
	defer db.Close()
	sound(t, db)
	p, err := db.Load("OLDGAME")
	if err != nil || p.Game.Phases != 6 || string(p.Game.Players[0].Nonce) != "0123456789abcdef" || p.Open == nil {
		t.Errorf("%+v, %v", p, err)
	}
	if n, err := db.Requeue(); n != 1 || err != nil {
		t.Errorf("%d interrupted mails, %v", n, err)
	}
	before, err := everything(db)
	must(t, err)
	bare := func() (n int) {
		must(t, db.bolt.View(func(tx *bbolt.Tx) error {
			for _, b := range buckets[1:] {
				must(t, tx.Bucket(b).ForEach(func(_, v []byte) error {
					if v[0]&summed == 0 {
						n++
					}
					return nil
				}))
			}
			return nil
		}))
		return n
	}
	if (bare() > 0) != unsummed {
		t.Errorf("%d values have no checksum: the fixture is not what it should be", bare())
	}
	_, _, err = db.Compact()
	must(t, err)
	if n := bare(); n > 0 {
		t.Errorf("%d values have no checksum yet", n)
	}
	if after, err := everything(db); err != nil || after != before {
		t.Errorf("compacting changed what is read, %v", err)
	}
	sound(t, db)
	must(t, db.Commit(full(p.Game, 3)))
	sound(t, db)
}
