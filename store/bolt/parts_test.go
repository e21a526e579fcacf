package bolt

import (
	"testing"

	"go.etcd.io/bbolt"

	"fieldpost/store"
)

// A store whose parts of joined sheets are kept by their digest alone, as they once
// were, is in order.
func TestPartsWithoutNames(t *testing.T) {
	db := newStore(t)
	g := newGame("g1")
	must(t, db.Commit(store.Change{Game: &g, Sheets: []store.Sheet{{Side: g.Sides[0], Turn: 1, Serial: 1, Canonical: "x", Digest: "abc", Part: 2}}}))
	must(t, db.bolt.Update(func(tx *bbolt.Tx) error {
		b := tx.Bucket(bDigests)
		now := append(under("g1"), "abc/2"...)
		key, err := getBytes(b, now)
		if err == nil {
			err = putBytes(b, append(under("g1"), "abc"...), key)
		}
		if err == nil {
			err = b.Delete(now)
		}
		if err != nil {
			return err
		}
		step, _, err := getJSON[store.Step](tx.Bucket(bSteps), numbered("g1", 1))
		if err != nil {
			return err
		}
		step.Sheets = []string{"abc"}
		return putJSON(tx.Bucket(bSteps), numbered("g1", 1), step)
	}))
	sound(t, db)
}
