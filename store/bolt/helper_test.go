package bolt

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"fieldpost/store"
)

// noon is the time of all tests: the store never asks for another.
var noon = time.Date(1943, 7, 5, 12, 0, 0, 0, time.UTC)

const (
	keyAxis   = "ssh-ed25519 AAAAaxis"
	keySoviet = "ssh-ed25519 AAAAsoviet"
)

func newStore(t testing.TB) *DB {
	t.Helper()
	db, err := Open(filepath.Join(t.TempDir(), "fieldpost.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func reopen(t testing.TB, db *DB) *DB {
	t.Helper()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(db.Path(), Options{MustExist: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { again.Close() })
	return again
}

func newGame(id string) store.Game {
	return store.Game{
		ID: id, System: "wb95", RulesVersion: "1", Scenario: "kursk", Status: store.StatusRunning,
		Sides: []string{"axis", "soviet"}, DiceKey: make(store.Secret, 32), Created: noon,
		Players: []store.Player{
			{Side: "axis", Address: "a@example.org", Key: keyAxis + " comment", Name: "A"},
			{Side: "soviet", Address: "s@example.org", Key: keySoviet, Name: "S"},
		},
		Options: map[string]string{"tempo": "turn"},
	}
}

func mail(id, game string) store.Mail {
	return store.Mail{ID: id, Game: game, Side: "axis", From: "gm@example.org", To: "a@example.org",
		MessageID: id + "@example.org", Kind: "report", Raw: []byte("Subject: " + id + "\r\n\r\ntext\r\n")}
}

// full is a Change of a game with all the parts that one mail can bring.
func full(g store.Game, expect uint64) store.Change {
	n := expect + 1
	raw := fmt.Appendf(nil, "mail %d of %s", n, g.ID)
	return store.Change{
		Handled: &store.Handled{SHA256: store.Sum(raw), Mailbox: "INBOX", UIDValidity: 7, UID: uint32(n), Received: noon, Outcome: "orders"},
		Game:    &g,
		Expect:  expect,
		Phases: []store.Phase{
			{Phase: fmt.Sprintf("%d.1 movement", n), Turn: int(n), Journal: []byte(`[{"kind":"roll","dice":[6]}]`), Snapshot: fmt.Appendf(nil, "position %d.1", n)},
			{Phase: fmt.Sprintf("%d.2 combat", n), Turn: int(n), Snapshot: fmt.Appendf(nil, "position %d.2", n)},
		},
		Sheets: []store.Sheet{{Side: "axis", Turn: int(n), Serial: int(n), Canonical: "GAME: x", Digest: fmt.Sprint("digest-", n)}},
		Mails:  []store.Mail{mail(fmt.Sprintf("%s-%d-axis", g.ID, n), g.ID), mail(fmt.Sprintf("%s-%d-soviet", g.ID, n), g.ID)},
		Notes:  map[string][]byte{"last/" + g.ID: fmt.Append(nil, n)},
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantErr(t testing.TB, what string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s: error %v, want %v", what, got, want)
	}
}

func sound(t testing.TB, db *DB) {
	t.Helper()
	for _, err := range db.Check() {
		t.Error(err)
	}
}

// dump is everything in the database, to see that nothing changed.
func dump(t testing.TB, db *DB) map[string]string {
	t.Helper()
	all := map[string]string{}
	must(t, db.bolt.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bbolt.Bucket) error {
			return b.ForEach(func(k, v []byte) error {
				all[string(name)+"/"+string(k)] = string(v)
				return nil
			})
		})
	}))
	return all
}
