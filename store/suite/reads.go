package suite

import (
	"errors"
	"testing"

	"fieldpost/store"
)

// Two Changes that were reckoned at once, one of them from what the other one changes: the
// second comes too late, whatever it was that was read, and comes through when it is reckoned
// anew. What is beside that does not matter.
func testReckoningsConflict(t *testing.T, e Engine) {
	note := func(name, value string) store.Change {
		c := store.Change{Notes: map[string][]byte{name: nil}}
		if value != "" {
			c.Notes[name] = []byte(value)
		}
		return c
	}
	moved := NewGame("g1")
	moved.Players[0].Address, moved.Players[0].Key = "else@example.org", "ssh-ed25519 ELSE"
	move := store.Change{Game: &moved, Expect: 1}
	key, address := NewGame("g1").Players[0].Key, NewGame("g1").Players[0].Address
	for what, c := range map[string]struct {
		read   func(r store.Reader) error
		change store.Change
		stale  bool
	}{
		"a note that is spent":         {func(r store.Reader) error { _, err := r.Note("code"); return err }, note("code", ""), true},
		"a note that is counted up":    {func(r store.Reader) error { _, err := r.Note("limit"); return err }, note("limit", "2"), true},
		"a note that is new":           {func(r store.Reader) error { _, err := r.Note("none"); return err }, note("none", "1"), true},
		"another note":                 {func(r store.Reader) error { _, err := r.Note("code"); return err }, note("limit", "2"), false},
		"a note written as it was":     {func(r store.Reader) error { _, err := r.Note("limit"); return err }, note("limit", "1"), false},
		"one of several notes":         {func(r store.Reader) error { _, err := r.Notes("li"); return err }, note("limit", "2"), true},
		"a new one of several":         {func(r store.Reader) error { _, err := r.Notes("li"); return err }, note("list", "1"), true},
		"none of several":              {func(r store.Reader) error { _, err := r.Notes("li"); return err }, note("code", ""), false},
		"a game":                       {func(r store.Reader) error { _, err := r.Game("g1"); return err }, move, true},
		"a game with its position":     {func(r store.Reader) error { _, err := r.Load("g1"); return err }, move, true},
		"another game":                 {func(r store.Reader) error { _, err := r.Game("g2"); return err }, move, false},
		"where a key plays":            {func(r store.Reader) error { _, err := r.Seats(key); return err }, move, true},
		"where an address plays":       {func(r store.Reader) error { _, err := r.SeatsAt(address); return err }, move, true},
		"where a new key plays":        {func(r store.Reader) error { _, err := r.Seats("ssh-ed25519 ELSE"); return err }, move, true},
		"where another key plays":      {func(r store.Reader) error { _, err := r.Seats("ssh-ed25519 NOBODY"); return err }, move, false},
		"a game that there is not yet": {func(r store.Reader) error { _, err := r.Game("g3"); return ignore(err, store.ErrNotFound) }, store.Change{Game: third()}, true},
	} {
		db, err := e.Open(t), error(nil)
		Must(t, err)
		for _, id := range []string{"g1", "g2"} {
			g := NewGame(id)
			if id == "g2" {
				g.Players = nil
			}
			Must(t, db.Commit(store.Change{Game: &g}))
		}
		Must(t, db.Commit(store.Change{Notes: map[string][]byte{"code": []byte("ABC"), "limit": []byte("1")}}))
		reckoned := 0
		err = store.Anew(db, func(on store.Store) error {
			Must(t, c.read(on))
			if reckoned++; reckoned == 1 {
				Must(t, db.Commit(c.change))
			}
			return on.Commit(note("done", "yes"))
		})
		if done, _ := db.Note("done"); err != nil || done == nil || (reckoned == 2) != c.stale {
			t.Errorf("%s: reckoned %d times, %v", what, reckoned, err)
		}
		Must(t, db.Close())
	}
}

// A Reckoning is not in its own way: what it has changed itself it may read and change again.
func testAReckoningOvertakesItself(t *testing.T, e Engine) {
	db, err := e.Open(t), error(nil)
	Must(t, err)
	defer db.Close()
	on := store.Reckon(store.Reckon(db))
	for _, name := range []string{"code", "limit"} {
		_, err := on.Note(name)
		Must(t, err)
	}
	put := func(over store.Store, name string) error {
		return over.Commit(store.Change{Notes: map[string][]byte{name: []byte("1")}})
	}
	Must(t, put(on, "code"))
	Must(t, put(on, "code"))
	Must(t, put(db, "limit"))
	if err := put(on, "code"); !errors.Is(err, store.ErrStale) {
		t.Errorf("what others changed before its second Change: %v", err)
	}
}

// A note is read once in a Reckoning: what others make of it meanwhile makes its Change stale and nothing else. What is
// committed by the Reckoning itself, or by one within it, is read.
func testAReckoningReadsANoteOnce(t *testing.T, e Engine) {
	db, err := e.Open(t), error(nil)
	Must(t, err)
	defer db.Close()
	put := func(over store.Store, value string) error {
		return over.Commit(store.Change{Notes: map[string][]byte{"code": []byte(value)}})
	}
	on := store.Reckon(db)
	reads := func(want string) {
		t.Helper()
		value, err := on.Note("code")
		if err != nil || string(value) != want {
			t.Errorf("read is %q, %v; want %q", value, err, want)
		}
		if len(value) > 0 {
			value[0] = 'x' // it is the reader's own
		}
	}
	reads("")
	Must(t, put(on, "1"))
	reads("1")
	Must(t, put(store.Reckon(on), "2"))
	reads("2")
	Must(t, put(db, "3"))
	reads("2")
	if err := put(on, "4"); !errors.Is(err, store.ErrStale) {
		t.Errorf("a Change from a note that others have changed: %v", err)
	}
}

func third() *store.Game {
	g := NewGame("g3")
	g.Players = nil
	return &g
}

func ignore(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}
