package postgres

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"testing"

	"fieldpost/store"
	"fieldpost/store/postgres/server"
	"fieldpost/store/suite"
)

// Two nodes, the claims and leases of both of which are good as far as each knows, do the same: of every
// effect there is one. Safe are the number of the game's step, the mark of the mail and its Message-ID.
func TestALeaseIsNotTrusted(t *testing.T) {
	url := prepared(t)
	anna := opened(t, url)
	otto, err := Open(url, Options{Node: "other"})
	suite.Must(t, err)
	defer otto.Close()
	g := suite.NewGame("g1")
	suite.Must(t, anna.Commit(store.Change{Game: &g}))
	if ours, err := anna.Claim("game/g1"); err != nil || !ours {
		t.Fatalf("%v, %v", ours, err)
	}
	suite.Must(t, anna.write(func(t tx) error { return t.run(`update claims set until = now() - interval '1 second'`) })) // anna sleeps
	if ours, err := otto.Claim("game/g1"); err != nil || !ours {
		t.Fatalf("%v, %v", ours, err)
	}
	full := suite.Full(g, 1)
	suite.Must(t, otto.Commit(full))
	suite.WantErr(t, "what a machine does when it wakes", anna.Commit(store.Change{Game: &g, Expect: 1, Sheets: full.Sheets}), store.ErrStale)
	suite.WantErr(t, "the same mail", anna.Commit(store.Change{Handled: full.Handled}), store.ErrHandled)
	again := full.Mails[0]
	again.ID = "another"
	suite.WantErr(t, "the same Message-ID", anna.Commit(store.Change{Mails: []store.Mail{again}}), store.ErrInvalid)
}

// A decision rests on what was read: where it is changed before the decision is kept, there is another
// one. Were it not, both of two codes could be spent of which one is to stay.
func TestADecisionRestsOnWhatWasRead(t *testing.T) {
	url := prepared(t)
	anna, otto := opened(t, url), opened(t, url)
	suite.Must(t, anna.Commit(store.Change{Notes: map[string][]byte{"code/1": []byte("good"), "code/2": []byte("good")}}))
	spend := func(t tx, code string) error {
		codes, err := t.Notes("code/")
		if err == nil && len(codes) == 2 {
			err = t.run(`delete from notes where name = $1`, code)
		}
		return err
	}
	tries := 0
	suite.Must(t, anna.write(func(mine tx) error {
		if _, err := mine.Notes("code/"); err != nil {
			return err
		}
		if tries++; tries == 1 {
			suite.Must(t, otto.write(func(theirs tx) error { return spend(theirs, "code/2") }))
		}
		return spend(mine, "code/1")
	}))
	left, err := anna.Notes("code/")
	if err != nil || len(left) != 1 || tries != 2 {
		t.Errorf("after %d tries %d codes are left, %v", tries, len(left), err)
	}
}

// No transaction is open while pictures are drawn: it would hold up everybody for as long.
func TestNoTransactionIsOpenWhileOneDraws(t *testing.T) {
	url := prepared(t)
	db, other := opened(t, url), opened(t, url)
	picture := store.Base64Lines(bytes.Repeat([]byte("picture"), 400))
	drawn := 0
	db.DrawWith(func(_, _ []byte) ([][]byte, error) {
		drawn++
		var open int
		err := other.pool.QueryRow(context.Background(), `select count(*) from pg_stat_activity
			where application_name = 'fieldpost' and state like 'idle in transaction%'`).Scan(&open)
		if err != nil || open > 0 {
			t.Errorf("%d transactions are open while a picture is drawn, %v", open, err)
		}
		return [][]byte{picture}, nil
	})
	m := suite.Mail("m", "g1")
	m.Raw, m.SHA256, m.Recipe = append([]byte("Subject: x\r\n\r\n"), picture...), "", json.RawMessage(`{"of":"m"}`)
	g := suite.NewGame("g1")
	suite.Must(t, db.Commit(store.Change{Game: &g, Mails: []store.Mail{m}}))
	_, err := db.MarkSending("m", suite.Noon)
	suite.Must(t, err)
	suite.Must(t, db.MarkResult("m", store.Result{State: store.MailAccepted, At: suite.Noon}))
	_, err = db.Thin("m")
	suite.Must(t, err)
	_, err = db.MailBytes(store.Sum(m.Raw))
	suite.Must(t, err)
	if drawn == 0 {
		t.Error("no picture was drawn")
	}
}

// Nobody hangs on to a transaction for long: the server ends the session of who does.
func TestASessionThatIdlesInATransactionEnds(t *testing.T) {
	db := opened(t, prepared(t))
	for _, setting := range []string{"idle_in_transaction_session_timeout", "statement_timeout"} {
		var value string
		suite.Must(t, db.pool.QueryRow(context.Background(), `select setting from pg_settings where name = $1`, setting).Scan(&value))
		if value != "60000" {
			t.Errorf("%s is %s ms", setting, value)
		}
	}
}

// Who names the standby first, and does not ask for the server that can be written, reads and writes at the
// primary nevertheless, after it was lost as well: nothing is decided by what a standby says.
func TestNothingIsDecidedByAStandby(t *testing.T) {
	server.Shared(t) // or PostgreSQL is missing
	pair, err := server.StartPair()
	suite.Must(t, err)
	defer pair.Stop()
	url, err := pair.Store()
	suite.Must(t, err)
	suite.Must(t, Prepare(url))
	db := opened(t, pair.StandbyFirst())
	isWritten := func(note string) {
		t.Helper()
		var err error
		for range 5 { // connections that were idle are dead, each says so once
			err = store.Settle(db, store.Change{Notes: map[string][]byte{note: []byte("is here")}})
			if !errors.Is(err, store.ErrAway) && !errors.Is(err, store.ErrUnknown) {
				break
			}
		}
		suite.Must(t, err)
		var standby bool
		if err := db.pool.QueryRow(t.Context(), `select pg_is_in_recovery()`).Scan(&standby); err != nil || standby {
			t.Errorf("what is read is read at a standby: %v, %v", standby, err)
		}
	}
	isWritten("one")
	suite.Must(t, pair.Failover())
	isWritten("two")
	if notes, err := db.Notes(""); err != nil || len(notes) != 2 {
		t.Errorf("%q, %v", notes, err)
	}
}
