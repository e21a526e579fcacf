package bolt

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"fieldpost/store"
)

// A Change that was reckoned from a note which somebody else has changed since comes too
// late, as one that was reckoned from an old game does.
func TestSinceTellsOfChangedNotes(t *testing.T) {
	db, err := Open(filepath.Join(t.TempDir(), "x.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	put := func(since uint64, names ...string) error {
		c := store.Change{Notes: map[string][]byte{}, Since: since}
		for _, n := range names {
			c.Notes[n] = []byte("1")
		}
		return db.Commit(c)
	}
	mark := db.Mark()
	for _, step := range []struct {
		what  string
		since uint64
		names []string
		stale bool
	}{
		{"the first to spend a code", mark, []string{"code"}, false},
		{"the second to spend it", mark, []string{"code"}, true},
		{"another note", mark, []string{"limit"}, false},
		{"one of two is taken", mark, []string{"free", "limit"}, true},
		{"who does not ask", 0, []string{"code"}, false},
		{"who has looked again", db.Mark() + 3, []string{"code"}, false},
	} {
		if err := put(step.since, step.names...); errors.Is(err, store.ErrStale) != step.stale || err != nil && !step.stale {
			t.Errorf("%s: %v", step.what, err)
		}
	}
	if err := put(db.Mark(), "code"); err != nil {
		t.Errorf("a new look at the present: %v", err)
	}
	old := db.Mark()
	for i := range mostRemembered + 2 {
		if _, err := db.commits.begin(map[string][]byte{fmt.Sprint(i): nil}, 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := put(old, "seen by nobody"); !errors.Is(err, store.ErrStale) {
		t.Errorf("a mark from before all that is remembered: %v", err)
	}
	if n := len(db.commits.notes); n > mostRemembered {
		t.Errorf("%d notes are remembered", n)
	}
}
