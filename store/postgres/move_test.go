package postgres

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fieldpost/store"
	"fieldpost/store/bolt"
	"fieldpost/store/suite"
)

// file is an empty store in a file.
func file(t testing.TB) *bolt.DB {
	t.Helper()
	db, err := bolt.Open(filepath.Join(t.TempDir(), bolt.Database), bolt.Options{})
	suite.Must(t, err)
	t.Cleanup(func() { db.Close() })
	return db
}

// A club moves from a file into a database and back, and is the same: every game to the last
// position, the outbox, the marks of mailboxes, the bytes of all mails.
func TestAMoveThereAndBack(t *testing.T) {
	from := file(t)
	fill(t, from)
	there, back := opened(t, prepared(t)), file(t)
	n, err := store.Move(from, there)
	suite.Must(t, err)
	m, err := store.Move(there, back)
	suite.Must(t, err)
	if n != m || n < 20 {
		t.Errorf("%d records went there and %d back", n, m)
	}
	g := suite.NewGame("g1")
	for _, db := range []store.Store{from, there, back} { // it goes on in each
		suite.Must(t, db.Commit(suite.Full(g, 2)))
		mail, err := db.Mail("g1-3-soviet")
		if err != nil || mail.Number != 6 {
			t.Errorf("%+v, %v", mail, err)
		}
	}
	_, err = store.Move(from, there)
	suite.WantErr(t, "filling what is not empty", err, store.ErrExists)
}

// While it is filled a table lacks indexes and foreign keys. Who gives up, or ends, has them as they were.
func TestFilledTablesAreAsTheyWere(t *testing.T) {
	from := file(t)
	fill(t, from)
	db := opened(t, prepared(t))
	before := parts(t, db)
	if len(before) < 20 {
		t.Fatalf("only %d indexes and foreign keys: %s", len(before), before)
	}
	given, err := db.Fill()
	suite.Must(t, err)
	given.GiveUp()
	if after := parts(t, db); !slices.Equal(after, before) {
		t.Errorf("who gave up has\n%s\nin the place of\n%s", after, before)
	}
	_, err = store.Move(from, db)
	suite.Must(t, err)
	if after := parts(t, db); !slices.Equal(after, before) {
		t.Errorf("who filled it has\n%s\nin the place of\n%s", after, before)
	}
}

// A row of a game that there is not is not taken, though the tables lack their foreign keys when it comes.
func TestARowOfNoGameIsNotFilledIn(t *testing.T) {
	db := opened(t, prepared(t))
	into, err := db.Fill()
	suite.Must(t, err)
	defer into.GiveUp()
	suite.Must(t, into.Put(store.Row{Kind: store.StepRow, Game: "nobody's", Number: 1, Text: []byte(`{"seq": 1}`)}))
	if err := into.End(); err == nil || !strings.Contains(err.Error(), "steps") {
		t.Errorf("a step of no game was taken: %v", err)
	}
}

// parts are the indexes and constraints of the tables.
func parts(t *testing.T, db *DB) (list []string) {
	t.Helper()
	suite.Must(t, db.look(func(t tx) (err error) {
		list, err = column[string](t, `select indexdef from pg_indexes where schemaname = current_schema()
			union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
				where connamespace = current_schema()::regnamespace order by 1`)
		return err
	}))
	return list
}

// fill puts something of every kind into a store.
func fill(t *testing.T, db store.Store) {
	t.Helper()
	g := suite.NewGame("g1")
	_, err := db.Spool([]byte("mail 1 of g1"))
	suite.Must(t, err)
	suite.Must(t, db.Commit(suite.Full(g, 0)))
	suite.Must(t, db.Commit(suite.Full(g, 1)))
	other := suite.NewGame("g2")
	other.Players[0].Commanders = []store.Commander{{Address: "c@example.org", Key: "ssh-ed25519 AAAAcommander"}}
	suite.Must(t, db.Commit(store.Change{Game: &other, Open: &store.OpenPhase{Phase: "1", Journal: []byte(`[{"<": 1}]`)}, Notes: map[string][]byte{"empty": {}}}))
	_, err = db.MarkSending("g1-1-axis", suite.Noon)
	suite.Must(t, err)
	suite.Must(t, db.MarkResult("g1-1-axis", store.Result{State: store.MailAccepted, At: suite.Noon}))
	suite.Must(t, db.MarkUID("INBOX", 7, 9, store.UIDMark{State: store.UIDPoison, Note: "breaks"}))
	_, err = db.Spool([]byte("still to be handled"))
	suite.Must(t, err)
	suite.Must(t, db.Arrived(store.Look{Mailbox: "INBOX", UIDValidity: 7, Low: 10,
		Mails: []store.Incoming{{SHA256: store.Sum([]byte("still to be handled")), UID: 10, Received: suite.Noon, Lane: "g1"}}}))
}

// turns is a text that repeats itself from turn to turn in all but a line.
func turns(turn int) []byte {
	var b bytes.Buffer
	for unit := range 60 {
		at := store.Sum(fmt.Append(nil, unit))
		if unit == turn {
			at = "moved"
		}
		fmt.Fprintf(&b, "unit %d is at %s\r\n", unit, at)
	}
	return b.Bytes()
}

// picture is one that belongs to a mail.
func picture(id string) []byte { return store.Base64Lines(bytes.Repeat([]byte(id), 400)) }

// draw draws it from its recipe.
func draw(_, recipe []byte) ([][]byte, error) {
	var id string
	err := json.Unmarshal(recipe, &id)
	return [][]byte{picture(id)}, err
}

// longGame puts a game with reports and positions, most of which build on others, into a store, and makes its
// mails thin. It returns the mails.
func longGame(t testing.TB, db store.Store) (mails []store.Mail) {
	t.Helper()
	db.DrawWith(draw)
	g := suite.NewGame("g3")
	for n := range 10 {
		id := fmt.Sprint("report ", n)
		m := suite.Mail(id, "g3")
		m.Raw = append(append([]byte("Subject: x\r\n\r\n"), turns(n)...), picture(id)...)
		m.Recipe, _ = json.Marshal(id)
		suite.Must(t, db.Commit(store.Change{Game: &g, Expect: uint64(n), Mails: []store.Mail{m}, Phases: []store.Phase{{Phase: fmt.Sprint(n), Snapshot: turns(n)}}}))
		m.SHA256 = store.Sum(m.Raw)
		mails = append(mails, m)
		_, err := db.MarkSending(id, suite.Noon)
		suite.Must(t, err)
		suite.Must(t, db.MarkResult(id, store.Result{State: store.MailAccepted, At: suite.Noon}))
		_, err = db.Thin(id)
		suite.Must(t, err)
	}
	return mails
}

// isWhole reads a game and its mails, of which all come out as they were.
func isWhole(t testing.TB, db store.Store, mails []store.Mail) {
	t.Helper()
	db.DrawWith(draw)
	for n, m := range mails {
		if raw, err := db.MailBytes(m.SHA256); err != nil || !bytes.Equal(raw, m.Raw) {
			t.Errorf("%s has %d bytes of %d, %v", m.ID, len(raw), len(m.Raw), err)
		}
		if p, err := db.Phase("g3", uint64(n)+1); err != nil || !bytes.Equal(p.Snapshot, turns(n)) {
			t.Errorf("position %d has %d bytes, %v", n+1, len(p.Snapshot), err)
		}
	}
	for _, err := range db.Check() {
		t.Error(err)
	}
}

// What is kept without pictures moves as it is kept, and as the difference from others: nothing is drawn on the
// way, and there all of it comes out again.
func TestThinMailsMoveAsTheyAreKept(t *testing.T) {
	from, there, back := file(t), opened(t, prepared(t)), file(t)
	mails := longGame(t, from)
	for _, db := range []store.Store{from, there, back} {
		db.DrawWith(func(_, _ []byte) ([][]byte, error) {
			t.Error("a picture is drawn on the way")
			return nil, errors.New("nothing draws here")
		})
	}
	_, err := store.Move(from, there)
	suite.Must(t, err)
	differences := 0
	suite.Must(t, there.Rows(func(r store.Row) error {
		if r.Packed != nil && r.Packed.On != "" {
			differences++
		}
		return nil
	}))
	if want := 9 + 8; differences != want { // nine reports, and all positions but the first of eight
		t.Errorf("%d mails and positions build on others, want %d", differences, want)
	}
	_, err = store.Move(there, back)
	suite.Must(t, err)
	for _, db := range []store.Store{from, there, back} {
		isWhole(t, db, mails)
		if whole, err := db.WholeMails(suite.Noon.AddDate(1, 0, 0)); err != nil || len(whole) > 0 {
			t.Errorf("%d mails are to be made thin again, %v", len(whole), err)
		}
	}
}

// A database keeps positions and thin mails packed by itself, and they move into a file as well.
func TestADatabaseMovesIntoAFile(t *testing.T) {
	from, there := opened(t, prepared(t)), file(t)
	mails := longGame(t, from)
	_, err := store.Move(from, there)
	suite.Must(t, err)
	isWhole(t, from, mails)
	isWhole(t, there, mails)
}

// The mail on which others build is removed: the others stand for themselves.
func TestAMailOnWhichOthersBuildIsRemoved(t *testing.T) {
	for what, remove := range map[string]func(*DB) (store.Pruned, error){
		"pruned": func(db *DB) (store.Pruned, error) {
			suite.Must(t, db.write(func(t tx) error {
				return cmp.Or(t.run(`update games set status = 'finished'`), t.run(`update outgoing set changed = changed - 1 where id = 'report 0'`))
			}))
			return db.Prune(suite.Noon, suite.Noon)
		},
		"forgotten": func(db *DB) (store.Pruned, error) {
			suite.Must(t, db.write(func(t tx) error {
				return t.run(`update outgoing set recipient = 'x@example.org' where id = 'report 0'`)
			}))
			p, _, err := db.Forget("x@example.org", nil)
			return p, err
		},
	} {
		from, db := file(t), opened(t, prepared(t))
		mails := longGame(t, from)
		_, err := store.Move(from, db)
		suite.Must(t, err)
		if p, err := remove(db); err != nil || p.Sent != 1 {
			t.Errorf("%s: %+v, %v", what, p, err)
		}
		db.DrawWith(draw)
		for _, m := range mails[1:] {
			if raw, err := db.MailBytes(m.SHA256); err != nil || !bytes.Equal(raw, m.Raw) {
				t.Errorf("%s: %s has %d bytes of %d, %v", what, m.ID, len(raw), len(m.Raw), err)
			}
		}
		_, err = db.MailBytes(mails[0].SHA256)
		suite.WantErr(t, what, err, store.ErrNotFound)
		for _, err := range db.Check() {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// The check tells of a mail and a position that is damaged, and of those that build on it or on nothing.
func TestTheCheckReadsDifferences(t *testing.T) {
	from, db := file(t), opened(t, prepared(t))
	longGame(t, from)
	_, err := store.Move(from, db)
	suite.Must(t, err)
	for _, c := range []struct {
		statement string
		wrong     int
	}{
		{`update phases set packed = 'x' where number = 10`, 1},
		{`update phases set packed = 'x' where number = 9`, 2},   // and the tenth builds on it
		{`update phases set builds_on = 77 where number = 8`, 4}, // it is named, and cannot be read
		{`update sent_bytes set builds_on = 'nobody' where sha256 = (select max(sha256) from sent_bytes where builds_on is not null)`, 6},
	} {
		suite.Must(t, db.write(func(t tx) error { return t.run(c.statement) }))
		if wrong := db.Check(); len(wrong) != c.wrong {
			t.Errorf("after %s: %d things are wrong, want %d: %v", c.statement, len(wrong), c.wrong, wrong)
		}
	}
}

// otherwise is a store whose rows come out altered, or end too soon.
type otherwise struct {
	store.Movable
	alter func(*store.Row) error
}

func (o otherwise) Rows(f func(store.Row) error) error {
	return o.Movable.Rows(func(r store.Row) error {
		if err := o.alter(&r); err != nil {
			return err
		}
		return f(r)
	})
}

func (o otherwise) Fill() (store.Filling, error) {
	f, err := o.Movable.Fill()
	return altered{f, o.alter}, err
}

type altered struct {
	store.Filling
	alter func(*store.Row) error
}

func (a altered) Put(r store.Row) error {
	if err := a.alter(&r); err != nil {
		return err
	}
	return a.Filling.Put(r)
}

// What does not arrive as it was sent is refused, and what is interrupted leaves nothing: the same move can be
// begun again.
func TestAMoveIsRefusedUnlessEqual(t *testing.T) {
	from, there := file(t), opened(t, prepared(t))
	fill(t, from)
	mails := longGame(t, from)
	folder := filepath.Join(t.TempDir(), "club")
	interrupted := errors.New("interrupted")
	for what, c := range map[string]struct {
		alter func(*store.Row) error
		want  error
	}{
		"a flipped bit in a position": {func(r *store.Row) error {
			if r.Kind == store.PhaseRow && r.Number == 3 && r.Packed != nil {
				r.Packed = &store.Packed{On: r.Packed.On, Bytes: append(bytes.Clone(r.Packed.Bytes), 0)}
			}
			return nil
		}, store.ErrDamaged},
		"another recipient": {func(r *store.Row) error {
			if r.Name == "report 4" {
				r.Text = bytes.Replace(r.Text, []byte("a@example.org"), []byte("b@example.org"), 1)
			}
			return nil
		}, store.ErrDamaged},
		"another thin mail": {func(r *store.Row) error {
			if r.Name == "report 5" {
				r.Packed.Bytes = r.Packed.Bytes[1:]
			}
			return nil
		}, store.ErrDamaged},
		"an interruption": {func(r *store.Row) error {
			if r.Kind == store.HandledRow {
				return interrupted
			}
			return nil
		}, interrupted},
	} {
		_, err := store.Move(from, otherwise{there, c.alter})
		suite.WantErr(t, what+" on the way", err, c.want)
		if games, err := there.Games(); err != nil || len(games) > 0 {
			t.Errorf("after %s there are %d games, %v", what, len(games), err)
		}
	}
	_, err := bolt.MoveInto(folder, otherwise{from, func(r *store.Row) error {
		if r.Kind == store.HandledRow {
			return interrupted
		}
		return nil
	}})
	suite.WantErr(t, "an interruption on the way into a file", err, interrupted)
	if left, err := os.ReadDir(filepath.Dir(folder)); err != nil || len(left) > 0 {
		t.Errorf("it left %v, %v", left, err)
	}
	suite.Must(t, os.MkdirAll(filepath.Join(folder+".moving", "mails"), 0o700)) // as a lost machine leaves it
	_, err = store.Move(from, there)
	suite.Must(t, err)
	_, err = bolt.MoveInto(folder, there)
	suite.Must(t, err)
	_, err = bolt.MoveInto(folder, there)
	suite.WantErr(t, "moving into what is there", err, fs.ErrExist)
	back, err := bolt.Open(filepath.Join(folder, bolt.Database), bolt.Options{ReadOnly: true})
	suite.Must(t, err)
	defer back.Close()
	isWhole(t, there, mails)
	isWhole(t, back, mails)
	isWhole(t, from, mails)
}
