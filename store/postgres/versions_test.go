package postgres

import (
	"strings"
	"testing"

	"fieldpost/store"
	"fieldpost/store/postgres/server"
	"fieldpost/store/suite"
)

// tomorrow brings tables to a version of tomorrow, which admits programs from one version on.
func tomorrow(t testing.TB, db *DB, admits int) {
	t.Helper()
	suite.Must(t, db.write(func(t tx) error {
		for _, statement := range []string{`alter table games add column if not exists weather text not null default 'fair'`,
			`create table if not exists umbrellas (owner text primary key)`, `insert into goose_db_version (version_id, is_applied) values (99, true)`} {
			if err := t.run(statement); err != nil {
				return err
			}
		}
		return t.run(`update admits set version = $1`, admits)
	}))
}

// A database without tables is told from one that a program of tomorrow made, which admits this one
// or does not; and opening writes nothing.
func TestOpenSuits(t *testing.T) {
	url := server.Store(t)
	_, err := Open(url, Options{Node: "node"})
	suite.WantErr(t, "opening a database without tables", err, store.ErrNotFieldpost)
	suite.Must(t, Prepare(url))
	suite.Must(t, Prepare(url)) // again changes nothing
	db := opened(t, url)
	before := len(dump(t, db))
	tomorrow(t, db, admits)
	if opened(t, url); len(dump(t, db)) != before+1 { // the version of tomorrow
		t.Error("opening has written something")
	}
	tomorrow(t, db, 99)
	_, err = Open(url, Options{Node: "node"})
	suite.WantErr(t, "opening tables of tomorrow", err, store.ErrNewer)
}

// A daemon that is at work when the tables are brought to a version that admits it goes on; when they
// do so no more it is told, before it would write what they lose.
func TestTablesAreBroughtUpBesideADaemon(t *testing.T) {
	db := opened(t, prepared(t))
	suite.Must(t, db.Alive("fieldpost 1.0", nil))
	g := suite.NewGame("g1")
	suite.Must(t, db.Commit(suite.Full(g, 0)))
	tomorrow(t, db, admits)
	suite.Must(t, db.Alive("fieldpost 1.0", nil))
	suite.Must(t, db.Commit(suite.Full(g, 1)))
	for _, err := range db.Check() {
		t.Error(err)
	}
	tomorrow(t, db, 99)
	suite.WantErr(t, "being at work over tables that admit it no more", db.Alive("fieldpost 1.0", nil), store.ErrNewer)
}

// Tables that daemons at work could not go on with are not made under their hands: who they are is
// said, and when they have left it is done.
func TestTablesWaitForDaemonsThatTheyWouldNotAdmit(t *testing.T) {
	url := prepared(t)
	old, current := opened(t, url), opened(t, url)
	old.node, old.knows = "old", admits-1
	current.node = "current"
	suite.Must(t, current.Alive("fieldpost 2.0", nil))
	suite.Must(t, old.write(func(t tx) error { return t.run(`update admits set version = $1`, admits-1) }))
	suite.Must(t, old.Alive("fieldpost 1.0", nil))
	err := Prepare(url)
	suite.WantErr(t, "preparing tables beside a daemon of before", err, store.ErrAtWork)
	if err != nil && (!strings.Contains(err.Error(), "stop old (fieldpost 1.0) first")) {
		t.Error(err)
	}
	suite.Must(t, old.Leave())
	suite.Must(t, Prepare(url))
}

// What the last migration admits is what Prepare waits for.
func TestThePreparedTablesAdmitWhatPrepareSays(t *testing.T) {
	db := opened(t, prepared(t))
	suite.Must(t, db.read(func(tx tx) error {
		least, err := column[int64](tx, `select version from admits`)
		if len(least) != 1 || least[0] != admits || db.knows < admits {
			t.Errorf("they admit from %v on, want %d; this program knows %d", least, admits, db.knows)
		}
		return err
	}))
}
