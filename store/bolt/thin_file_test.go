package bolt

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fieldpost/store"
	"fieldpost/store/lean"
)

// facts is a text that repeats itself from turn to turn in all but a few lines.
func facts(turn int) []byte {
	var b bytes.Buffer
	for unit := range 120 {
		at := store.Sum(fmt.Append(nil, unit))[:12]
		if unit%17 == turn%17 {
			at = store.Sum(fmt.Append(nil, unit, turn))[:12]
		}
		fmt.Fprintf(&b, `{"unit":"%s","hex":"%s"},`, store.Sum(fmt.Append(nil, "unit", unit))[:20], at)
	}
	return b.Bytes()
}

// attached is a mail with its facts in an attachment, and what it is zipped with.
func attached(id, game, to string, file []byte) store.Mail {
	m := mail(id, game)
	m.To = to
	m.Raw = fmt.Appendf(nil, "Subject: %s\r\nTo: %s\r\n\r\n--part\r\nContent-Transfer-Encoding: base64\r\n\r\n%s\r\n--part--\r\n", id, to, store.Base64Lines(file))
	return m
}

func zippedFacts(t *testing.T, turn int) []byte {
	t.Helper()
	file, err := lean.Zipped(facts(turn))
	must(t, err)
	return file
}

// thinnedGame is a store with a finished game whose accepted mails are thin, in their order.
func thinnedGame(t *testing.T, mails ...store.Mail) *DB {
	t.Helper()
	db := newStore(t)
	g := newGame("g1")
	g.Status = store.StatusFinished
	c := full(g, 0)
	c.Mails = mails
	must(t, db.Commit(c))
	for _, m := range mails {
		accept(t, db, m.ID)
		_, err := db.Thin(m.ID)
		must(t, err)
	}
	return db
}

// weeks are reports to two readers in turn.
func weeks(t *testing.T) (mails []store.Mail) {
	t.Helper()
	for turn := range 4 {
		for _, to := range []string{"a@example.org", "b@example.org"} {
			mails = append(mails, attached(fmt.Sprint("report-", turn, to), "g1", to, zippedFacts(t, turn)))
		}
	}
	return mails
}

// builds is the name of the mail that a thin mail builds on.
func builds(t *testing.T, db *DB, m store.Mail) string {
	t.Helper()
	on, _, err := openThin(db.mails, store.Sum(m.Raw))
	must(t, err)
	return on
}

func size(t *testing.T, db *DB, m store.Mail) int64 {
	t.Helper()
	info, err := os.Stat(thinFile(db, m))
	must(t, err)
	return info.Size()
}

// A report is kept as what differs from the first one to its reader, and comes out byte by
// byte.
func TestThinMailsBuildOnTheFirstOfTheirKind(t *testing.T) {
	mails := weeks(t)
	db := thinnedGame(t, mails...)
	first := store.Sum(mails[0].Raw)
	for i, m := range mails {
		same(t, db, m)
		want := first // the two readers get the same here: a quarter is reached
		if i == 0 {
			want = nothing
		}
		if on := builds(t, db, m); on != want {
			t.Errorf("mail %d builds on %.8q, want %.8q", i, on, want)
		}
		if whole := size(t, db, mails[0]); i > 0 && size(t, db, m) > whole/4 {
			t.Errorf("mail %d takes %d bytes of %d", i, size(t, db, m), whole)
		}
	}
	sound(t, db)
}

// A reader whose mails say something else has a first one of their own.
func TestEveryReaderHasAFirstMail(t *testing.T) {
	mails := []store.Mail{
		attached("a1", "g1", "a@example.org", zippedFacts(t, 1)),
		attached("b1", "g1", "b@example.org", []byte(strings.Join([]string{store.Sum([]byte("b")), store.Sum([]byte("c")), store.Sum([]byte("d")), store.Sum([]byte("e"))}, "\n"))),
		attached("b2", "g1", "b@example.org", []byte(strings.Join([]string{store.Sum([]byte("b")), store.Sum([]byte("c")), store.Sum([]byte("d")), store.Sum([]byte("f"))}, "\n"))),
	}
	for i := range mails { // so that they are worth it
		mails[i].Raw = append(mails[i].Raw, bytes.Repeat([]byte("of the postmaster\r\n"), 40)...)
	}
	db := thinnedGame(t, mails...)
	for i, want := range []string{nothing, nothing, store.Sum(mails[1].Raw)} {
		same(t, db, mails[i])
		if on := builds(t, db, mails[i]); on != want {
			t.Errorf("mail %d builds on %.8q, want %.8q", i, on, want)
		}
	}
	sound(t, db)
}

// When a mail goes on which others build, they stand for themselves before.
func TestMailsOutliveTheOneTheyBuildOn(t *testing.T) {
	mails := weeks(t)
	db := thinnedGame(t, mails...)
	if p, _, err := db.Forget("a@example.org", nil); err != nil || p.Sent != 4 {
		t.Fatal(p, err)
	}
	for i, m := range mails {
		if i%2 == 0 {
			_, err := db.MailBytes(store.Sum(m.Raw))
			wantErr(t, "forgotten", err, store.ErrNotFound)
			continue
		}
		same(t, db, m)
		if on := builds(t, db, m); on != nothing {
			t.Errorf("mail %d builds on %.8q, which is forgotten", i, on)
		}
	}
	sound(t, db)
	next := attached("report-9", "g1", "b@example.org", zippedFacts(t, 9))
	c := full(newGame("g1"), 1)
	c.Mails = []store.Mail{next}
	must(t, db.Commit(c))
	accept(t, db, next.ID)
	must(t, thinAll(db))
	if on := builds(t, db, next); on != store.Sum(mails[1].Raw) {
		t.Errorf("the next one builds on %.8q", on)
	}
	same(t, db, next)
}

// The oldest mails of a game are pruned, one look at a time.
func TestPruningInPieces(t *testing.T) {
	mails := weeks(t)
	db := newStore(t)
	g := newGame("g1")
	g.Status = store.StatusFinished
	c := full(g, 0)
	c.Mails = mails
	must(t, db.Commit(c))
	for i, m := range mails {
		_, err := db.MarkSending(m.ID, noon)
		must(t, err)
		must(t, db.MarkResult(m.ID, store.Result{State: store.MailAccepted, At: noon.Add(time.Duration(i) * time.Hour)}))
		_, err = db.Thin(m.ID)
		must(t, err)
	}
	for gone := range len(mails) + 1 {
		_, err := db.Prune(noon.Add(time.Duration(gone)*time.Hour), noon)
		must(t, err)
		for i, m := range mails {
			if i >= gone {
				same(t, db, m)
				continue
			}
			_, err := db.MailBytes(store.Sum(m.Raw))
			wantErr(t, "pruned", err, store.ErrNotFound)
		}
		sound(t, db)
	}
}

// Whatever fails while mails are let go, what stays can be read, and a second look
// finishes it.
func TestLettingGoThatFailsOnTheWay(t *testing.T) {
	for _, at := range []struct {
		point string
		nth   int
	}{{PointFileWrite, 0}, {PointFileSync, 1}, {PointFileRename, 0}, {PointFileFolder, 1}, {PointFileKept, 0}, {PointBegin, 0}, {PointCommit, 0}} {
		t.Run(at.point, func(t *testing.T) {
			mails := weeks(t)[:4]
			db := thinnedGame(t, mails...)
			for _, m := range mails[2:] { // younger ones
				must(t, db.MarkResult(m.ID, store.Result{State: store.MailQueued, At: noon}))
				_, err := db.MarkSending(m.ID, noon)
				must(t, err)
				must(t, db.MarkResult(m.ID, store.Result{State: store.MailAccepted, At: noon.Add(time.Hour)}))
			}
			broken, passed := errors.New("broken"), 0
			db.hook = func(p string) error {
				if p == at.point {
					if passed++; passed > at.nth {
						return broken
					}
				}
				return nil
			}
			_, err := db.Prune(noon.Add(time.Minute), noon)
			wantErr(t, "pruning", err, broken)
			db.hook = nil
			for _, m := range mails[2:] {
				same(t, db, m)
			}
			_, err = db.Prune(noon.Add(time.Minute), noon)
			must(t, err)
			for _, m := range mails[2:] {
				same(t, db, m)
			}
			if left, _ := filepath.Glob(filepath.Join(db.mails, "*")); len(left) != len(mails)-2 {
				t.Errorf("%d files are left: %v", len(left), left)
			}
			sound(t, db)
		})
	}
}

// A mail whose base is damaged or gone is told as damaged, and so is one with any byte altered.
func TestDamageOfWhatMailsBuildOn(t *testing.T) {
	mails := weeks(t)[:2]
	db := thinnedGame(t, mails...)
	wrong := func(what string) {
		t.Helper()
		_, err := db.MailBytes(store.Sum(mails[1].Raw))
		wantErr(t, what, err, store.ErrDamaged)
	}
	for _, m := range mails {
		path := thinFile(db, m)
		good, err := os.ReadFile(path)
		must(t, err)
		for i := 0; i < len(good); i += 3 {
			b := bytes.Clone(good)
			b[i] ^= 4
			must(t, os.WriteFile(path, b, 0o600))
			wrong(fmt.Sprint("byte ", i))
		}
		must(t, os.WriteFile(path, good, 0o600))
		same(t, db, mails[1])
	}
	must(t, os.Remove(thinFile(db, mails[0])))
	wrong("without its base")
	if errs := db.Check(); len(errs) != 2 {
		t.Errorf("check: %v", errs)
	}
}

// A thin file that another program's gzip would make otherwise says so, and gives what it has.
func TestAttachmentsThatArePackedOtherwiseNow(t *testing.T) {
	m := attached("x", "g1", "a@example.org", zippedFacts(t, 3))
	db := thinnedGame(t, m)
	content, _, err := thinContent(db.mails, store.Sum(m.Raw))
	must(t, err)
	var crc uint32
	if n, err := fmt.Sscanf(string(content[bytes.Index(content, []byte(`"crc":`)):]), `"crc":%d`, &crc); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	old, was := fmt.Sprintf(`"crc":%d`, crc), fmt.Sprintf(`"crc":%d`, crc^1)
	file, err := standing(store.Sum(m.Raw), bytes.Replace(content, []byte(old), []byte(was), 1))
	must(t, err)
	must(t, os.WriteFile(thinFile(db, m), file, 0o600))
	_, err = db.MailBytes(store.Sum(m.Raw))
	wantErr(t, "packed otherwise", err, store.ErrUndrawn)
	if kept, _, err := db.KeptMail(store.Sum(m.Raw)); err != nil || !bytes.Equal(kept, m.Raw) {
		t.Errorf("what is kept: %d bytes, %v", len(kept), err)
	}
}
