package suite

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"fieldpost/store"
)

func outbox(t *testing.T, e Engine, mails ...store.Mail) store.Store {
	t.Helper()
	db := e.Open(t)
	g := NewGame("g1")
	Must(t, db.Commit(store.Change{Game: &g, Mails: mails}))
	return db
}

func queued(t *testing.T, db store.Store, now time.Time, limit int) string {
	t.Helper()
	mails, err := db.Queue(now, limit)
	Must(t, err)
	var ids []string
	for _, m := range mails {
		ids = append(ids, m.ID)
	}
	return strings.Join(ids, " ")
}

func testQueueOrder(t *testing.T, e Engine) {
	late := Mail("late", "g1")
	late.Next = Noon.Add(time.Hour)
	soon := Mail("soon", "g1")
	soon.Next = Noon.Add(500 * time.Microsecond) // within the same millisecond as Noon
	db := outbox(t, e, late, Mail("z", "g1"), Mail("a", ""), soon)
	for _, c := range []struct {
		now   time.Time
		limit int
		want  string
	}{
		{time.Time{}, 0, "z a"},
		{Noon, 0, "z a"},
		{Noon, 1, "z"},
		{Noon.Add(time.Millisecond), 0, "z a soon"},
		{Noon.Add(time.Hour), 0, "z a soon late"},
		{Noon.Add(time.Hour), 3, "z a soon"},
	} {
		if got := queued(t, db, c.now, c.limit); got != c.want {
			t.Errorf("at %v: %q, want %q", c.now, got, c.want)
		}
	}
	if at, ok, err := db.NextAttempt(); err != nil || !ok || !at.IsZero() {
		t.Errorf("next attempt %v %v %v", at, ok, err)
	}
	for _, id := range []string{"z", "a", "soon"} {
		Must(t, db.MarkResult(id, store.Result{State: store.MailFailed, At: Noon}))
	}
	if at, ok, err := db.NextAttempt(); err != nil || !ok || !at.Equal(late.Next) {
		t.Errorf("next attempt %v %v %v", at, ok, err)
	}
	sound(t, db)
}

func testLifeOfAMail(t *testing.T, e Engine) {
	db := outbox(t, e, Mail("m", "g1"))
	m, err := db.MarkSending("m", Noon)
	if err != nil || m.State != store.MailSending || m.Attempts != 1 {
		t.Fatalf("%+v, %v", m, err)
	}
	if q := queued(t, db, Noon, 0); q != "" {
		t.Errorf("queued while it is sent: %s", q)
	}
	_, err = db.MarkSending("m", Noon)
	WantErr(t, "sending it twice", err, store.ErrState)
	retry := Noon.Add(time.Minute)
	Must(t, db.MarkResult("m", store.Result{State: store.MailQueued, At: Noon, Next: retry, Reply: "451 later"}))
	if queued(t, db, Noon, 0) != "" || queued(t, db, retry, 0) != "m" {
		t.Error("not put off to the next attempt")
	}
	_, err = db.MarkSending("m", retry)
	Must(t, err)
	Must(t, db.MarkResult("m", store.Result{State: store.MailAccepted, At: retry, Reply: "250 ok"}))
	m, err = db.Mail("m")
	if err != nil || m.State != store.MailAccepted || m.Attempts != 2 || m.Reply != "250 ok" || !m.Changed.Equal(retry) {
		t.Errorf("%+v, %v", m, err)
	}
	Must(t, db.MarkResult("m", store.Result{State: store.MailBounced, At: retry, Reply: "5.1.1"}))
	Must(t, db.MarkResult("m", store.Result{State: store.MailQueued, At: retry})) // by hand
	if queued(t, db, Noon, 0) != "m" {
		t.Error("not queued again")
	}
	_, err = db.MarkSending("nobody", Noon)
	WantErr(t, "MarkSending", err, store.ErrNotFound)
	WantErr(t, "MarkResult", db.MarkResult("nobody", store.Result{State: store.MailFailed}), store.ErrNotFound)
	sound(t, db)
}

// Every pair of states: only the steps of the table are possible.
func testMailSteps(t *testing.T, e Engine) {
	states := []store.MailState{store.MailQueued, store.MailSending, store.MailAccepted, store.MailFailed, store.MailBounced, store.MailReplaced, "", "lost"}
	way := map[store.MailState][]store.MailState{store.MailQueued: nil, store.MailSending: nil, store.MailAccepted: {store.MailAccepted},
		store.MailFailed: {store.MailFailed}, store.MailBounced: {store.MailAccepted, store.MailBounced}}
	for from, path := range way {
		for _, to := range states {
			db := outbox(t, e, Mail("m", "g1"))
			if from != store.MailQueued {
				_, err := db.MarkSending("m", Noon)
				Must(t, err)
			}
			for _, s := range path {
				Must(t, db.MarkResult("m", store.Result{State: s, At: Noon}))
			}
			err := db.MarkResult("m", store.Result{State: to, At: Noon})
			if from.Becomes(to) {
				Must(t, err)
			} else {
				WantErr(t, fmt.Sprintf("%s to %q", from, to), err, store.ErrState)
			}
			sound(t, db)
			db.Close()
		}
	}
}

// A mail whose ID is known stays what it is, whatever comes under that ID.
func testEnqueueTwice(t *testing.T, e Engine) {
	db := outbox(t, e, Mail("m", "g1"))
	first, err := db.Mail("m")
	Must(t, err)
	again := Mail("m", "g1")
	again.Raw, again.To = []byte("another rendering"), "other@example.org"
	Must(t, db.Commit(store.Change{Mails: []store.Mail{again}}))
	if m, err := db.Mail("m"); err != nil || m.SHA256 != first.SHA256 || m.To != first.To || m.Number != first.Number {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := db.MailBytes(store.Sum(again.Raw)); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("bytes that nothing refers to: %v", err)
	}
	_, err = db.MarkSending("m", Noon)
	Must(t, err)
	Must(t, db.MarkResult("m", store.Result{State: store.MailAccepted}))
	Must(t, db.Commit(store.Change{Mails: []store.Mail{again, again}}))
	if q := queued(t, db, Noon, 0); q != "" {
		t.Errorf("an accepted mail is queued again: %s", q)
	}
	sound(t, db)
}

func testInterruptedMailIsSentAgain(t *testing.T, e Engine) {
	db := outbox(t, e, Mail("m", "g1"), Mail("n", "g1"))
	m, err := db.MarkSending("m", Noon)
	Must(t, err)
	raw, err := db.MailBytes(m.SHA256)
	Must(t, err)
	db = e.Reopen(t, db)
	if q := queued(t, db, Noon, 0); q != "n" {
		t.Errorf("before they are queued again, queue %q", q)
	}
	if n, err := db.Requeue(); n != 1 || err != nil || queued(t, db, Noon, 0) != "m n" {
		t.Errorf("%d interrupted, %v, queue %q", n, err, queued(t, db, Noon, 0))
	}
	again, err := db.MarkSending("m", Noon)
	Must(t, err)
	raw2, err := db.MailBytes(again.SHA256)
	if err != nil || !bytes.Equal(raw, raw2) || again.MessageID != m.MessageID || again.Attempts != 2 {
		t.Errorf("%+v, %v", again, err)
	}
	sound(t, db)
}

func testFindMessage(t *testing.T, e Engine) {
	db := outbox(t, e, Mail("m", "g1"))
	if m, err := db.FindMessage("m@example.org"); err != nil || m.ID != "m" {
		t.Errorf("%+v, %v", m, err)
	}
	_, err := db.FindMessage("x@example.org")
	WantErr(t, "a strange Message-ID", err, store.ErrNotFound)
}

// Any walk through the states leaves the indexes right.
func testRandomWalk(t *testing.T, e Engine) {
	db, rnd := outbox(t, e), rand.New(rand.NewPCG(7, 8))
	states := []store.MailState{store.MailQueued, store.MailAccepted, store.MailFailed, store.MailBounced}
	for i := range 600 {
		id := fmt.Sprint("m", rnd.IntN(12))
		now := Noon.Add(time.Duration(i) * time.Second)
		switch rnd.IntN(3) {
		case 0:
			Must(t, db.Commit(store.Change{Mails: []store.Mail{Mail(id, "g1")}}))
		case 1:
			db.MarkSending(id, now)
		default:
			db.MarkResult(id, store.Result{State: states[rnd.IntN(4)], At: now, Next: now.Add(time.Duration(rnd.IntN(9)) * time.Second)})
		}
		if i%50 == 0 {
			sound(t, db)
		}
	}
	sound(t, e.Reopen(t, db))
}

// A Change takes mails out of the queue that its own make needless, those alone that nobody
// has tried; the queue says so after a restart, too.
func testAMailIsReplacedBeforeItIsSent(t *testing.T, e Engine) {
	waits, tried, sent := Mail("waits", "g1"), Mail("tried", "g1"), Mail("sent", "g1")
	waits.Next = Noon.Add(time.Minute)
	db := outbox(t, e, waits, tried, sent)
	for _, id := range []string{"tried", "sent"} {
		_, err := db.MarkSending(id, Noon)
		Must(t, err)
	}
	Must(t, db.MarkResult("tried", store.Result{State: store.MailQueued, At: Noon, Next: Noon}))
	Must(t, db.MarkResult("sent", store.Result{State: store.MailAccepted, At: Noon}))
	again := []store.Mail{Mail("waits-2", "g1"), Mail("tried-2", "g1"), Mail("sent-2", "g1")}
	Must(t, db.Commit(store.Change{Mails: again, Replaces: map[string]string{"waits-2": "waits", "tried-2": "tried", "sent-2": "sent"}}))
	db = e.Reopen(t, db)
	if q := queued(t, db, Noon.Add(time.Hour), 0); q != "waits-2 tried-2 sent-2 tried" {
		t.Errorf("the queue: %s", q)
	}
	if m, err := db.Mail("waits"); err != nil || m.State != store.MailReplaced || !strings.Contains(m.Reply, "waits-2") {
		t.Errorf("%+v, %v", m, err)
	}
	_, err := db.MarkSending("waits", Noon.Add(time.Hour))
	WantErr(t, "sending what was replaced", err, store.ErrState)
	sound(t, db)
}

// When the Change fails, what it was to replace is still sent.
func testAFailedChangeReplacesNothing(t *testing.T, e Engine) {
	db := outbox(t, e, Mail("m", "g1"))
	err := db.Commit(store.Change{Mails: []store.Mail{Mail("n", "g1")}, Replaces: map[string]string{"n": "nobody"}})
	WantErr(t, "replacing a mail that there is not", err, store.ErrNotFound)
	if q := queued(t, db, Noon, 0); q != "m" {
		t.Errorf("the queue: %s", q)
	}
	sound(t, db)
}

// The newest mails of a game are read back to the last that went out before a moment, and no
// mail of another game is among them.
func testMailsSince(t *testing.T, e Engine) {
	sent := func(db store.Store, id string, at time.Time) {
		_, err := db.MarkSending(id, at)
		Must(t, err)
		Must(t, db.MarkResult(id, store.Result{State: store.MailAccepted, At: at}))
	}
	for _, game := range []string{"g1", "g0"} { // at the end of the bucket, and in its midst
		db := e.Open(t)
		for _, id := range []string{"g0", "g1"} {
			g := NewGame(id)
			Must(t, db.Commit(store.Change{Game: &g}))
		}
		other := map[string]string{"g0": "g1", "g1": "g0"}[game]
		Must(t, db.Commit(store.Change{Mails: []store.Mail{Mail("old", game), Mail("older-but-stuck", game), Mail("sent-before", game), Mail("new", game), Mail("other", other), Mail("unsent", game)}}))
		sent(db, "old", Noon)
		sent(db, "sent-before", Noon.Add(time.Minute))
		sent(db, "new", Noon.Add(time.Hour))
		mails, err := db.MailsSince(game, Noon.Add(time.Hour))
		Must(t, err)
		var ids []string
		for _, m := range mails {
			ids = append(ids, m.ID)
		}
		if got := strings.Join(ids, " "); got != "unsent new sent-before" {
			t.Errorf("%s: %s", game, got)
		}
	}
}
