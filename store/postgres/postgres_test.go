package postgres

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"fieldpost/store"
	"fieldpost/store/postgres/server"
	"fieldpost/store/suite"

	"filippo.io/age"
)

func TestMain(m *testing.M) { os.Exit(server.Tests(m.Run)) }

// prepared is the URL of an empty store.
func prepared(t testing.TB) string {
	t.Helper()
	url := server.Store(t)
	suite.Must(t, Prepare(url))
	return url
}

func opened(t testing.TB, url string) *DB {
	t.Helper()
	db, err := Open(url, Options{Node: "node"})
	suite.Must(t, err)
	t.Cleanup(func() { db.Close() })
	return db
}

func TestSuite(t *testing.T) {
	urls := map[store.Store]string{}
	open := func(t testing.TB, url string) store.Store {
		db := opened(t, url)
		urls[db] = url
		return db
	}
	suite.Run(t, suite.Engine{
		Open:   func(t testing.TB) store.Store { return open(t, prepared(t)) },
		Reopen: func(t testing.TB, db store.Store) store.Store { return open(t, urls[db]) },
		Dump:   func(t testing.TB, db store.Store) map[string]string { return dump(t, db.(*DB)) },
	})
}

// dump is every row of every table.
func dump(t testing.TB, db *DB) map[string]string {
	t.Helper()
	rows := map[string]string{}
	suite.Must(t, db.read(func(tx tx) error {
		tables, err := column[string](tx, `select table_name::text from information_schema.tables where table_schema = current_schema()`)
		for _, table := range tables {
			texts, err := column[string](tx, `select r::text from `+table+` r`)
			if err != nil {
				return err
			}
			for _, row := range texts {
				rows[table+" "+row] = ""
			}
		}
		return err
	}))
	return rows
}

// A server that is lost and comes back is found again without a new start, and has everything.
func TestTheServerIsLost(t *testing.T) {
	db := opened(t, prepared(t))
	g := suite.NewGame("g1")
	suite.Must(t, db.Commit(suite.Full(g, 0)))
	suite.Must(t, server.Shared(t).Kill())
	if err := db.Commit(suite.Full(g, 1)); err == nil || errors.Is(err, store.ErrStale) {
		t.Errorf("a commit without a server: %v", err)
	}
	suite.Must(t, server.Shared(t).Restart())
	var err error
	for range 5 { // connections that were idle are dead, each says so once
		if err = store.Settle(db, suite.Full(g, 1)); err == nil {
			break
		}
	}
	suite.Must(t, err)
	if steps, err := db.Steps("g1"); err != nil || len(steps) != 2 {
		t.Errorf("%d steps, %v", len(steps), err)
	}
	for _, err := range db.Check() {
		t.Error(err)
	}
}

// Two nodes have one outbox: a mail goes out by one of them, and is taken over when the lease of
// the one that had it has run out, but not before.
func TestALeaseRunsOut(t *testing.T) {
	url := prepared(t)
	one := opened(t, url)
	other, err := Open(url, Options{Node: "other"})
	suite.Must(t, err)
	t.Cleanup(func() { other.Close() })
	g := suite.NewGame("g1")
	suite.Must(t, one.Commit(store.Change{Game: &g, Mails: []store.Mail{suite.Mail("m", "g1")}}))
	_, err = one.MarkSending("m", suite.Noon)
	suite.Must(t, err)
	_, err = other.MarkSending("m", suite.Noon)
	suite.WantErr(t, "sending what another node sends", err, store.ErrState)
	if n, err := other.Requeue(); n != 0 || err != nil {
		t.Errorf("another node's mail was queued again: %d, %v", n, err)
	}
	if at, ok, err := other.NextAttempt(); !ok || err != nil || time.Until(at) > Lease {
		t.Errorf("next attempt %v %v %v", at, ok, err)
	}
	isLost := func(because string) {
		t.Helper()
		if q, err := other.Queue(suite.Noon, 0); err != nil || len(q) != 1 || q[0].State != store.MailQueued {
			t.Fatalf("%s: %+v, %v", because, q, err)
		}
	}
	suite.Must(t, one.write(func(t tx) error { return t.run(`update outgoing set leased = now() - interval '1 second'`) }))
	isLost("its lease has run out")
	suite.Must(t, one.write(func(t tx) error { return t.run(`update outgoing set leased = now() + interval '1 minute'`) }))
	if q, err := other.Queue(suite.Noon, 0); err != nil || len(q) != 0 {
		t.Fatalf("what is leased to a node that is there is queued: %+v, %v", q, err)
	}
	suite.Must(t, one.write(func(t tx) error { return t.run(`update nodes set seen = now() - interval '31 seconds'`) }))
	isLost("its node has not been heard of")
	m, err := other.MarkSending("m", suite.Noon)
	if err != nil || m.Attempts != 2 {
		t.Errorf("%+v, %v", m, err)
	}
	suite.Must(t, other.MarkResult("m", store.Result{State: store.MailAccepted, At: suite.Noon}))
	suite.WantErr(t, "the late word of the first", one.MarkResult("m", store.Result{State: store.MailFailed, At: suite.Noon}), store.ErrState)
}

// Of two nodes one works at a game. The other one may when that is done, or when nothing has been
// heard of the first for the time of a claim.
func TestAClaimOfANode(t *testing.T) {
	url := prepared(t)
	anna := opened(t, url)
	otto, err := Open(url, Options{Node: "other"})
	suite.Must(t, err)
	defer otto.Close()
	letGo, err := store.Hold(anna, "game/g1")
	suite.Must(t, err)
	_, err = store.Hold(otto, "game/g1")
	suite.WantErr(t, "what another node is at", err, store.ErrElsewhere)
	other, err := store.Hold(otto, "game/g2")
	suite.Must(t, err)
	other()
	letGo()
	suite.Must(t, otto.Release("game/g1")) // not ours: nothing happens
	ours, err := otto.Claim("game/g1")
	if suite.Must(t, err); !ours {
		t.Error("what was let go of cannot be claimed")
	}
	suite.Must(t, anna.write(func(t tx) error {
		return t.run(`update claims set until = now() - interval '1 second'`) // otto is gone
	}))
	if ours, err := anna.Claim("game/g1"); err != nil || !ours {
		t.Errorf("the work of a node that is gone is taken over: %v, %v", ours, err)
	}
}

// Nodes hear of each other, of what each is at, and of one that has gone quiet; one that leaves in
// order leaves nothing behind.
func TestNodesHearOfEachOther(t *testing.T) {
	url := prepared(t)
	anna := opened(t, url)
	otto, err := Open(url, Options{Node: "other"})
	suite.Must(t, err)
	defer otto.Close()
	suite.Must(t, anna.Alive("fieldpost 1.0", []string{"intake", "senders"}))
	suite.Must(t, otto.Alive("fieldpost 1.0", []string{"intake", "senders"}))
	_, err = otto.Claim("game/g1")
	suite.Must(t, err)
	told := func() string {
		t.Helper()
		nodes, err := anna.Nodes()
		suite.Must(t, err)
		var all []string
		for _, n := range nodes {
			all = append(all, fmt.Sprint(n.Name, " at ", n.Works, ", gone: ", n.Gone()))
		}
		return fmt.Sprint(all)
	}
	if got := told(); got != "[node at [], gone: false other at [game/g1], gone: false]" {
		t.Errorf("the nodes are %s", got)
	}
	suite.Must(t, anna.write(func(t tx) error {
		return t.run(`update nodes set seen = now() - interval '1 minute' where name = 'other'`)
	}))
	if got := told(); got != "[node at [], gone: false other at [game/g1], gone: true]" {
		t.Errorf("with one that is quiet the nodes are %s", got)
	}
	suite.Must(t, otto.Leave())
	if got := told(); got != "[node at [], gone: false]" {
		t.Errorf("when one has left the nodes are %s", got)
	}
	if ours, err := anna.Claim("game/g1"); err != nil || !ours {
		t.Errorf("what a node that left was at is free: %v, %v", ours, err)
	}
	if copies, behind, err := anna.Standbys(); err != nil || copies != 0 || behind != 0 {
		t.Errorf("%d standbys, %d behind, %v", copies, behind, err)
	}
}

// Who reads a dump of the database foresees no throw: dice keys and the keys of staff officers are
// sealed for the nodes. A daemon without the identity says what it lacks; one that has it reads
// what was kept before, and seals it when it is next written.
func TestSecretsAreSealed(t *testing.T) {
	url := prepared(t)
	identity, err := age.GenerateX25519Identity()
	suite.Must(t, err)
	other, err := age.GenerateX25519Identity()
	suite.Must(t, err)
	g := suite.NewGame("g1")
	g.DiceKey, g.Players[0].Staff = bytes.Repeat([]byte("dice"), 8), bytes.Repeat([]byte("mind"), 8)
	plain := opened(t, url)
	suite.Must(t, plain.Commit(store.Change{Game: &g}))
	open := func(identity string) *DB {
		db, err := Open(url, Options{Node: "node", Identity: identity})
		suite.Must(t, err)
		t.Cleanup(func() { db.Close() })
		return db
	}
	db := open("# of the nodes\n" + identity.String() + "\n")
	isAsGiven := func(what string, got store.Game, err error) {
		t.Helper()
		if suite.Must(t, err); !bytes.Equal(got.DiceKey, g.DiceKey) || !bytes.Equal(got.Players[0].Staff, g.Players[0].Staff) {
			t.Errorf("%s the secrets of the game are others", what)
		}
	}
	got, err := db.Game("g1")
	isAsGiven("not yet sealed", got, err)
	suite.Must(t, db.Commit(store.Change{Game: &got, Expect: 1}))
	got, err = open(identity.String()).Game("g1")
	isAsGiven("sealed", got, err)
	all, err := db.Games()
	isAsGiven("among all", all[0], err)
	suite.Must(t, db.Rows(func(r store.Row) error {
		if r.Kind == store.GameRow {
			g, err := store.Parsed[store.Game](r.Text)
			isAsGiven("on a move", g, err)
		}
		return nil
	}))
	for table, row := range dump(t, db) {
		for _, secret := range []store.Secret{g.DiceKey, g.Players[0].Staff} {
			text := base64.StdEncoding.EncodeToString(secret)
			if strings.Contains(table+row, text[:20]) {
				t.Errorf("a dump tells a secret: %s", table)
			}
		}
	}
	for what, db := range map[string]*DB{"without an identity": plain, "with another one": open(other.String())} {
		if _, err := db.Game("g1"); !errors.Is(err, ErrSealed) {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err = Open(url, Options{Node: "node", Identity: "AGE-SECRET-KEY-1NONSENSE"})
	suite.WantErr(t, "an identity that is none", err, store.ErrInvalid)
}

// A mail that was sent is kept without what can be drawn again, and comes out byte by byte; one of
// which other bytes are drawn now is never taken for it.
func TestAThinMail(t *testing.T) {
	db := opened(t, prepared(t))
	picture := store.Base64Lines(bytes.Repeat([]byte("picture"), 400))
	drawn := picture
	db.DrawWith(func(_, recipe []byte) ([][]byte, error) {
		if string(recipe) != `{"of": "m"}` && string(recipe) != `{"of":"m"}` {
			t.Errorf("the recipe is %s", recipe)
		}
		return [][]byte{drawn}, nil
	})
	m := suite.Mail("m", "g1")
	m.Raw, m.SHA256, m.Recipe = append([]byte("Subject: x\r\n\r\n"), picture...), "", json.RawMessage(`{"of":"m"}`)
	g, sha := suite.NewGame("g1"), store.Sum(m.Raw)
	suite.Must(t, db.Commit(store.Change{Game: &g, Mails: []store.Mail{m}}))
	_, err := db.Thin("m")
	suite.WantErr(t, "a mail that waits", err, store.ErrState)
	_, err = db.MarkSending("m", suite.Noon)
	suite.Must(t, err)
	suite.Must(t, db.MarkResult("m", store.Result{State: store.MailAccepted, At: suite.Noon}))
	if got, err := db.Thin("m"); err != nil || got.Pictures != 1 || got.Bytes < int64(len(picture))/2 {
		t.Errorf("%+v, %v", got, err)
	}
	if raw, err := db.MailBytes(sha); err != nil || !bytes.Equal(raw, m.Raw) {
		t.Errorf("%d bytes of %d, %v", len(raw), len(m.Raw), err)
	}
	if kept, left, err := db.KeptMail(sha); err != nil || left != 1 || string(kept) != "Subject: x\r\n\r\n" {
		t.Errorf("kept is %q without %d, %v", kept, left, err)
	}
	if whole, err := db.WholeMails(suite.Noon.AddDate(1, 0, 0)); err != nil || len(whole) > 0 {
		t.Errorf("to be made thin are %v, %v", whole, err)
	}
	for _, err := range db.Check() {
		t.Error(err)
	}
	drawn = store.Base64Lines(bytes.Repeat([]byte("PICTURE"), 400))
	_, err = db.MailBytes(sha)
	suite.WantErr(t, "another picture", err, store.ErrUndrawn)
	suite.Must(t, db.write(func(t tx) error { return t.run(`update sent_bytes set lean = 'x'`) }))
	if wrong := db.Check(); len(wrong) != 1 || !errors.Is(wrong[0], store.ErrDamaged) {
		t.Errorf("of a damaged one the check says %v", wrong)
	}
}

// Nodes whose clocks are ten minutes apart agree on what time it is, to the second: a deadline that
// has not passed for one has not passed for the other.
func TestNodesGoByOneClock(t *testing.T) {
	url := prepared(t)
	fast, slow := opened(t, url), opened(t, url)
	fast.local = func() time.Time { return time.Now().Add(5 * time.Minute) }
	slow.local = func() time.Time { return time.Now().Add(-5 * time.Minute) }
	suite.Must(t, fast.Alive("fieldpost", nil))
	suite.Must(t, slow.Alive("fieldpost", nil))
	if apart := fast.Now().Sub(slow.Now()).Abs(); apart > time.Second {
		t.Errorf("the nodes are %v apart", apart)
	}
	if apart := time.Until(fast.Now()).Abs(); apart > time.Second { // the server runs on this machine
		t.Errorf("they are %v from the database", apart)
	}
}
