package umpire

import (
	"bytes"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"fieldpost/demo/postoffice"
	"fieldpost/mailbox"
	"fieldpost/store"
	"fieldpost/store/bolt"
	"fieldpost/umpire/club"
	"fieldpost/umpire/post"
)

// postbox is a mail server that takes what a table sends.
type postbox struct {
	g      *gameTable
	office *postoffice.Office
	sender *mailbox.Sender
}

func newPostbox(g *gameTable) *postbox {
	g.t.Helper()
	users := map[string]string{"umpire@example.org": "x", "soviet@example.org": "x", "german@example.org": "x"}
	office, err := postoffice.Start(users)
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { office.Close() })
	c := mailbox.Config{Address: "umpire@example.org"}
	_, port, _ := net.SplitHostPort(office.SMTPAddr())
	number, _ := strconv.Atoi(port)
	c.SMTP.ServerConfig = mailbox.ServerConfig{Host: "127.0.0.1", Port: number, TLS: mailbox.NoTLS, User: "umpire@example.org", Password: "x"}
	sender, err := mailbox.NewSender(c, mailbox.SenderOptions{Timeout: 10 * time.Second})
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { sender.Close() })
	return &postbox{g, office, sender}
}

// send sends what is due and returns how many mails the server took.
func (p *postbox) send() int {
	p.g.t.Helper()
	before := p.office.Accepted()
	for more := true; more; {
		var err error
		if more, err = p.g.u.SendDue(p.g.t.Context(), p.sender); err != nil {
			p.g.t.Fatalf("the sender stops: %v", err)
		}
	}
	return p.office.Accepted() - before
}

// flip turns one bit of a record of the store over. To flip it once more is to put
// back what a backup has.
func (g *gameTable) flip(bucket, key string) {
	g.t.Helper()
	g.damaged = true
	g.reopen(func(path string) {
		db, err := bbolt.Open(path, 0o600, nil)
		if err != nil {
			g.t.Fatal(err)
		}
		defer db.Close()
		err = db.Update(func(tx *bbolt.Tx) error {
			b := tx.Bucket([]byte(bucket))
			v := bytes.Clone(b.Get([]byte(key)))
			if v == nil {
				g.t.Fatalf("no record %q in %s", key, bucket)
			}
			v[len(v)-1] ^= 1
			return b.Put([]byte(key), v)
		})
		if err != nil {
			g.t.Fatal(err)
		}
	})
}

// reopen closes the store, does something to its file and opens it again.
func (g *gameTable) reopen(do func(path string)) {
	g.t.Helper()
	path := g.file().Path()
	if err := g.u.DB.Close(); err != nil {
		g.t.Fatal(err)
	}
	do(path)
	db, err := bolt.Open(path, bolt.Options{MustExist: true})
	if err != nil {
		g.t.Fatalf("a store with one damaged record does not open: %v", err)
	}
	if _, err := db.Requeue(); err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { db.Close() })
	g.u.DB = db
}

// namesDamaged tells whether the status names something among what is damaged.
func (g *gameTable) namesDamaged(what string) bool {
	g.t.Helper()
	s, err := g.u.Status()
	if err != nil {
		g.t.Fatalf("no status: %v", err)
	}
	var board strings.Builder
	if err := s.Board(&board, club.BoardOptions{}); err != nil {
		g.t.Fatal(err)
	}
	listed := slices.ContainsFunc(s.Damaged, func(line string) bool { return strings.Contains(line, what) })
	if listed != strings.Contains(board.String(), "damaged: ") {
		g.t.Errorf("the board says otherwise than the list %q:\n%s", s.Damaged, board.String())
	}
	return listed
}

// queued are the mails of a game that wait.
func (g *gameTable) queued(id string) (n int) {
	g.t.Helper()
	mails, err := g.u.DB.Mails(id)
	if err != nil {
		g.t.Fatal(err)
	}
	for _, m := range mails {
		if m.State == store.MailQueued {
			n++
		}
	}
	return n
}

// The record of a game is damaged: its mails wait, the other game's go out, and the
// status names it. Repaired, it has lost nothing.
func TestADamagedGameHoldsItsOwnMailOnly(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	other, err := g.u.NewGame("kharkov-1942", nil, bytes.NewReader(bytes.Repeat([]byte{9}, 1000)))
	if err != nil {
		t.Fatal(err)
	}
	if err := g.u.AddPlayer(other.ID, "SOVIET", "A", "soviet@example.org", g.keys["SOVIET2"].Public().String()); err != nil {
		t.Fatal(err)
	}
	ours, theirs := g.queued(g.game), g.queued(other.ID)
	if ours == 0 || theirs == 0 {
		t.Fatalf("%d and %d mails wait", ours, theirs)
	}
	p := newPostbox(g)
	g.flip("games", g.game)
	if n := p.send(); n != theirs {
		t.Errorf("%d mails of the other game went out, want %d", n, theirs)
	}
	if n := g.queued(g.game); n != ours {
		t.Errorf("%d mails of the damaged game wait still, want %d", n, ours)
	}
	if !g.namesDamaged(g.game) {
		t.Error("the status does not name the game")
	}
	s, _ := g.u.Status()
	if s.Queued != ours || s.Stuck != ours || len(s.Games) != 2 || s.Games[0].ID != g.game || s.Games[0].Rank != club.RankStopped {
		t.Errorf("the status: %d queued, %d stuck, %+v", s.Queued, s.Stuck, s.Games)
	}
	if err := g.u.begun(); err != nil {
		t.Errorf("the daemon does not start: %v", err)
	}
	g.receive(g.mail("SOVIET", "STATUS\n")) // the address has a seat in either game
	if p.send() != 1 {
		t.Error("a player of both games has no answer about the one that can be read")
	}
	g.flip("games", g.game)
	g.clock = g.clock.Add(post.RepairAgain + time.Second)
	if n := p.send(); n != ours || g.queued(g.game) != 0 {
		t.Errorf("after the repair %d mails went out, want %d", n, ours)
	}
	if s, err := g.u.Status(); err != nil || len(s.Damaged) > 0 {
		t.Errorf("after the repair the status names %q, %v", s.Damaged, err)
	}
}

// The record of a mail is damaged, or its entry in the queue: it waits, all others go
// out, reports too, and the status names it. Repaired, it goes out.
func TestADamagedMailHoldsNoOther(t *testing.T) {
	for _, bucket := range []string{"outbox", "queue"} {
		g := newTable(t)
		g.seat("SOVIET")
		g.seat("GERMAN")
		mails, err := g.u.DB.Mails(g.game)
		if err != nil {
			t.Fatal(err)
		}
		p := newPostbox(g)
		m := mails[0]
		key, name := m.ID, "mail "+m.ID
		if bucket == "queue" {
			key, name = g.entry(m.ID), "queue "
		}
		g.flip(bucket, key)
		if n := p.send(); n != len(mails)-1 {
			t.Errorf("%s: %d mails went out of %d", bucket, n, len(mails))
		}
		if !g.namesDamaged(name) {
			t.Errorf("%s: the status does not name the mail", bucket)
		}
		g.receive(g.mail("SOVIET", g.signed("SOVIET", g.sheet("SOVIET", 1, 1))))
		if n := p.send(); n == 0 {
			t.Errorf("%s: the game does not go on", bucket)
		}
		if st := g.status(); st.State != store.StatusRunning {
			t.Errorf("%s: the game is %s: %s", bucket, st.State, st.Why)
		}
		if err := g.u.begun(); err != nil {
			t.Errorf("%s: the daemon does not start: %v", bucket, err)
		}
		g.flip(bucket, key)
		if n := p.send(); n != 1 {
			t.Errorf("%s: after the repair %d mails went out", bucket, n)
		}
		if now, err := g.u.DB.Mail(m.ID); err != nil || now.State != store.MailAccepted {
			t.Errorf("%s: after the repair the mail is %s, %v", bucket, now.State, err)
		}
		if g.namesDamaged("") {
			t.Errorf("%s: after the repair the status names something", bucket)
		}
	}
}

// entry is the key of a mail in the queue.
func (g *gameTable) entry(id string) (key string) {
	g.reopen(func(path string) {
		db, err := bbolt.Open(path, 0o600, nil)
		if err != nil {
			g.t.Fatal(err)
		}
		defer db.Close()
		_ = db.View(func(tx *bbolt.Tx) error {
			return tx.Bucket([]byte("queue")).ForEach(func(k, v []byte) error {
				if bytes.HasSuffix(v, []byte(id)) {
					key = string(k)
				}
				return nil
			})
		})
	})
	return key
}

// A mail whose record is damaged while it is being sent does not keep the store from
// opening, and goes out again when the record is repaired.
func TestADamagedMailThatWasBeingSent(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	mails, err := g.u.DB.Mails(g.game)
	if err != nil {
		t.Fatal(err)
	}
	p := newPostbox(g)
	if _, err := g.u.DB.MarkSending(mails[0].ID, g.clock); err != nil {
		t.Fatal(err)
	}
	g.flip("outbox", mails[0].ID)
	if n := p.send(); n != len(mails)-1 {
		t.Errorf("%d mails went out of %d", n, len(mails))
	}
	g.flip("outbox", mails[0].ID)
	if n := p.send(); n != 1 {
		t.Errorf("after the repair %d mails went out", n)
	}
}

// The store cannot be read at all: the sender stops, with an error that says so.
func TestAnUnusableStoreStopsTheSender(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	p := newPostbox(g)
	if err := g.file().Close(); err != nil {
		t.Fatal(err)
	}
	g.damaged = true
	if _, err := g.u.SendDue(t.Context(), p.sender); err == nil || !strings.Contains(err.Error(), "reading the queue") {
		t.Errorf("from a closed store: %v", err)
	}
}

// The file of one outgoing mail vanishes, that of another rots: both are set aside and
// named, the rest of the post goes out, and with their files back they go out as well.
func TestLostMailFileStopsOnlyThatMail(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	mails, err := g.u.DB.Mails(g.game)
	if err != nil || len(mails) < 4 {
		t.Fatalf("%d mails, %v", len(mails), err)
	}
	p := newPostbox(g)
	folder := filepath.Join(filepath.Dir(g.file().Path()), "mails")
	files := []string{filepath.Join(folder, mails[0].SHA256+".eml"), filepath.Join(folder, mails[1].SHA256+".eml")}
	var backup [][]byte
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		backup = append(backup, raw)
	}
	if err := os.Remove(files[0]); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(files[1], []byte("rotten"), 0o600); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	g.u.Log = slog.New(slog.NewTextHandler(&log, nil))
	if n := p.send(); n != len(mails)-2 {
		t.Errorf("%d mails went out of %d", n, len(mails))
	}
	after, _ := g.u.DB.Mails(g.game)
	for i, m := range mails[:2] {
		if after[i].State != store.MailQueued || after[i].Damage == "" || after[i].Attempts != 0 || !g.namesDamaged(m.ID) || !strings.Contains(log.String(), m.ID) {
			t.Errorf("mail %d is %s after %d attempts (%s)", i, after[i].State, after[i].Attempts, after[i].Reply)
		}
	}
	for i, f := range files {
		if err := os.WriteFile(f, backup[i], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	g.clock = g.clock.Add(post.RepairAgain + time.Second)
	if n := p.send(); n != 2 || g.namesDamaged("") {
		t.Errorf("with their files back %d went out", n)
	}
}
