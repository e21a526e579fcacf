package bolt

import (
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"

	"fieldpost/store"
	"fieldpost/store/suite"
)

// What the tests of all engines share.
var (
	noon                               = suite.Noon
	newGame, mail, full, must, wantErr = suite.NewGame, suite.Mail, suite.Full, suite.Must, suite.WantErr
)

const (
	keyAxis   = suite.KeyAxis
	keySoviet = suite.KeySoviet
)

func TestSuite(t *testing.T) {
	suite.Run(t, suite.Engine{
		Open:   func(t testing.TB) store.Store { return newStore(t) },
		Reopen: func(t testing.TB, db store.Store) store.Store { return reopen(t, db.(*DB)) },
		Dump:   func(t testing.TB, db store.Store) map[string]string { return dump(t, db.(*DB)) },
	})
}

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
