package bolt

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"fieldpost/store"
)

func outbox(t *testing.T, mails ...store.Mail) *DB {
	t.Helper()
	db := newStore(t)
	g := newGame("g1")
	must(t, db.Commit(store.Change{Game: &g, Mails: mails}))
	return db
}

func queued(t *testing.T, db *DB, now time.Time, limit int) string {
	t.Helper()
	mails, err := db.Queue(now, limit)
	must(t, err)
	var ids []string
	for _, m := range mails {
		ids = append(ids, m.ID)
	}
	return strings.Join(ids, " ")
}

func TestQueueOrder(t *testing.T) {
	late := mail("late", "g1")
	late.Next = noon.Add(time.Hour)
	soon := mail("soon", "g1")
	soon.Next = noon.Add(500 * time.Microsecond) // within the same millisecond as noon
	db := outbox(t, late, mail("z", "g1"), mail("a", ""), soon)
	for _, c := range []struct {
		now   time.Time
		limit int
		want  string
	}{
		{time.Time{}, 0, "z a"},
		{noon, 0, "z a"},
		{noon, 1, "z"},
		{noon.Add(time.Millisecond), 0, "z a soon"},
		{noon.Add(time.Hour), 0, "z a soon late"},
		{noon.Add(time.Hour), 3, "z a soon"},
	} {
		if got := queued(t, db, c.now, c.limit); got != c.want {
			t.Errorf("at %v: %q, want %q", c.now, got, c.want)
		}
	}
	if at, ok, err := db.NextAttempt(); err != nil || !ok || !at.IsZero() {
		t.Errorf("next attempt %v %v %v", at, ok, err)
	}
	for _, id := range []string{"z", "a", "soon"} {
		must(t, db.MarkResult(id, store.Result{State: store.MailFailed, At: noon}))
	}
	if at, ok, err := db.NextAttempt(); err != nil || !ok || !at.Equal(late.Next) {
		t.Errorf("next attempt %v %v %v", at, ok, err)
	}
	sound(t, db)
}

func TestLifeOfAMail(t *testing.T) {
	db := outbox(t, mail("m", "g1"))
	m, err := db.MarkSending("m", noon)
	if err != nil || m.State != store.MailSending || m.Attempts != 1 {
		t.Fatalf("%+v, %v", m, err)
	}
	if q := queued(t, db, noon, 0); q != "" {
		t.Errorf("queued while it is sent: %s", q)
	}
	_, err = db.MarkSending("m", noon)
	wantErr(t, "sending it twice", err, store.ErrState)
	retry := noon.Add(time.Minute)
	must(t, db.MarkResult("m", store.Result{State: store.MailQueued, At: noon, Next: retry, Reply: "451 later"}))
	if queued(t, db, noon, 0) != "" || queued(t, db, retry, 0) != "m" {
		t.Error("not put off to the next attempt")
	}
	_, err = db.MarkSending("m", retry)
	must(t, err)
	must(t, db.MarkResult("m", store.Result{State: store.MailAccepted, At: retry, Reply: "250 ok"}))
	m, err = db.Mail("m")
	if err != nil || m.State != store.MailAccepted || m.Attempts != 2 || m.Reply != "250 ok" || !m.Changed.Equal(retry) {
		t.Errorf("%+v, %v", m, err)
	}
	must(t, db.MarkResult("m", store.Result{State: store.MailBounced, At: retry, Reply: "5.1.1"}))
	must(t, db.MarkResult("m", store.Result{State: store.MailQueued, At: retry})) // by hand
	if queued(t, db, noon, 0) != "m" {
		t.Error("not queued again")
	}
	_, err = db.MarkSending("nobody", noon)
	wantErr(t, "MarkSending", err, store.ErrNotFound)
	wantErr(t, "MarkResult", db.MarkResult("nobody", store.Result{State: store.MailFailed}), store.ErrNotFound)
	sound(t, db)
}

// Every pair of states: only the steps of the table are possible.
func TestMailSteps(t *testing.T) {
	states := []store.MailState{store.MailQueued, store.MailSending, store.MailAccepted, store.MailFailed, store.MailBounced, store.MailReplaced, "", "lost"}
	way := map[store.MailState][]store.MailState{store.MailQueued: nil, store.MailSending: nil, store.MailAccepted: {store.MailAccepted},
		store.MailFailed: {store.MailFailed}, store.MailBounced: {store.MailAccepted, store.MailBounced}}
	for from, path := range way {
		for _, to := range states {
			db := outbox(t, mail("m", "g1"))
			if from != store.MailQueued {
				_, err := db.MarkSending("m", noon)
				must(t, err)
			}
			for _, s := range path {
				must(t, db.MarkResult("m", store.Result{State: s, At: noon}))
			}
			err := db.MarkResult("m", store.Result{State: to, At: noon})
			if from.Becomes(to) {
				must(t, err)
			} else {
				wantErr(t, fmt.Sprintf("%s to %q", from, to), err, store.ErrState)
			}
			sound(t, db)
			db.Close()
		}
	}
}

// A mail whose ID is known stays what it is, whatever comes under that ID.
func TestEnqueueTwice(t *testing.T) {
	db := outbox(t, mail("m", "g1"))
	first, err := db.Mail("m")
	must(t, err)
	again := mail("m", "g1")
	again.Raw, again.To = []byte("another rendering"), "other@example.org"
	must(t, db.Commit(store.Change{Mails: []store.Mail{again}}))
	if m, err := db.Mail("m"); err != nil || m.SHA256 != first.SHA256 || m.To != first.To || m.Number != first.Number {
		t.Errorf("%+v, %v", m, err)
	}
	if haveFile(db.mails, store.Sum(again.Raw)) {
		t.Error("a file that nothing refers to")
	}
	_, err = db.MarkSending("m", noon)
	must(t, err)
	must(t, db.MarkResult("m", store.Result{State: store.MailAccepted}))
	must(t, db.Commit(store.Change{Mails: []store.Mail{again, again}}))
	if q := queued(t, db, noon, 0); q != "" {
		t.Errorf("an accepted mail is queued again: %s", q)
	}
	sound(t, db)
}

func TestInterruptedMailIsSentAgain(t *testing.T) {
	db := outbox(t, mail("m", "g1"), mail("n", "g1"))
	m, err := db.MarkSending("m", noon)
	must(t, err)
	raw, err := db.MailBytes(m.SHA256)
	must(t, err)
	db = reopen(t, db)
	if db.Interrupted() != 1 || queued(t, db, noon, 0) != "m n" {
		t.Errorf("%d interrupted, queue %q", db.Interrupted(), queued(t, db, noon, 0))
	}
	again, err := db.MarkSending("m", noon)
	must(t, err)
	raw2, err := db.MailBytes(again.SHA256)
	if err != nil || !bytes.Equal(raw, raw2) || again.MessageID != m.MessageID || again.Attempts != 2 {
		t.Errorf("%+v, %v", again, err)
	}
	sound(t, db)
}

func TestFindMessage(t *testing.T) {
	db := outbox(t, mail("m", "g1"))
	if m, err := db.FindMessage("m@example.org"); err != nil || m.ID != "m" {
		t.Errorf("%+v, %v", m, err)
	}
	_, err := db.FindMessage("x@example.org")
	wantErr(t, "a strange Message-ID", err, store.ErrNotFound)
}

// Any walk through the states leaves the indexes right.
func TestRandomWalk(t *testing.T) {
	db, rnd := outbox(t), rand.New(rand.NewPCG(7, 8))
	states := []store.MailState{store.MailQueued, store.MailAccepted, store.MailFailed, store.MailBounced}
	for i := range 600 {
		id := fmt.Sprint("m", rnd.IntN(12))
		now := noon.Add(time.Duration(i) * time.Second)
		switch rnd.IntN(3) {
		case 0:
			must(t, db.Commit(store.Change{Mails: []store.Mail{mail(id, "g1")}}))
		case 1:
			db.MarkSending(id, now)
		default:
			db.MarkResult(id, store.Result{State: states[rnd.IntN(4)], At: now, Next: now.Add(time.Duration(rnd.IntN(9)) * time.Second)})
		}
		if i%50 == 0 {
			sound(t, db)
		}
	}
	sound(t, reopen(t, db))
}

// A Change takes mails out of the queue that its own make needless, those alone that nobody
// has tried; the queue says so after a restart, too.
func TestAMailIsReplacedBeforeItIsSent(t *testing.T) {
	waits, tried, sent := mail("waits", "g1"), mail("tried", "g1"), mail("sent", "g1")
	waits.Next = noon.Add(time.Minute)
	db := outbox(t, waits, tried, sent)
	for _, id := range []string{"tried", "sent"} {
		_, err := db.MarkSending(id, noon)
		must(t, err)
	}
	must(t, db.MarkResult("tried", store.Result{State: store.MailQueued, At: noon, Next: noon}))
	must(t, db.MarkResult("sent", store.Result{State: store.MailAccepted, At: noon}))
	again := []store.Mail{mail("waits-2", "g1"), mail("tried-2", "g1"), mail("sent-2", "g1")}
	must(t, db.Commit(store.Change{Mails: again, Replaces: map[string]string{"waits-2": "waits", "tried-2": "tried", "sent-2": "sent"}}))
	db = reopen(t, db)
	if q := queued(t, db, noon.Add(time.Hour), 0); q != "waits-2 tried-2 sent-2 tried" {
		t.Errorf("the queue: %s", q)
	}
	if m, err := db.Mail("waits"); err != nil || m.State != store.MailReplaced || !strings.Contains(m.Reply, "waits-2") {
		t.Errorf("%+v, %v", m, err)
	}
	_, err := db.MarkSending("waits", noon.Add(time.Hour))
	wantErr(t, "sending what was replaced", err, store.ErrState)
	sound(t, db)
}

// When the Change fails, what it was to replace is still sent.
func TestAFailedChangeReplacesNothing(t *testing.T) {
	db := outbox(t, mail("m", "g1"))
	err := db.Commit(store.Change{Mails: []store.Mail{mail("n", "g1")}, Replaces: map[string]string{"n": "nobody"}})
	wantErr(t, "replacing a mail that there is not", err, store.ErrNotFound)
	if q := queued(t, db, noon, 0); q != "m" {
		t.Errorf("the queue: %s", q)
	}
	sound(t, db)
}

// The newest mails of a game are read back to the last that went out before a moment, and no
// mail of another game is among them.
func TestMailsSince(t *testing.T) {
	sent := func(db *DB, id string, at time.Time) {
		_, err := db.MarkSending(id, at)
		must(t, err)
		must(t, db.MarkResult(id, store.Result{State: store.MailAccepted, At: at}))
	}
	for _, game := range []string{"g1", "g0"} { // at the end of the bucket, and in its midst
		db := newStore(t)
		for _, id := range []string{"g0", "g1"} {
			g := newGame(id)
			must(t, db.Commit(store.Change{Game: &g}))
		}
		other := map[string]string{"g0": "g1", "g1": "g0"}[game]
		must(t, db.Commit(store.Change{Mails: []store.Mail{mail("old", game), mail("older-but-stuck", game), mail("sent-before", game), mail("new", game), mail("other", other), mail("unsent", game)}}))
		sent(db, "old", noon)
		sent(db, "sent-before", noon.Add(time.Minute))
		sent(db, "new", noon.Add(time.Hour))
		mails, err := db.MailsSince(game, noon.Add(time.Hour))
		must(t, err)
		var ids []string
		for _, m := range mails {
			ids = append(ids, m.ID)
		}
		if got := strings.Join(ids, " "); got != "unsent new sent-before" {
			t.Errorf("%s: %s", game, got)
		}
	}
}
