package suite

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fieldpost/store"
)

// arrives spools a mail with a text and makes what a look finds of it: it arrived so many seconds
// after Noon.
func arrives(t testing.TB, db store.Store, uid uint32, lane, text string, seconds int) store.Incoming {
	t.Helper()
	sha, err := db.Spool([]byte(text))
	Must(t, err)
	return store.Incoming{SHA256: sha, UID: uid, Lane: lane, Received: Noon.Add(time.Duration(seconds) * time.Second)}
}

// look is a look into the mailbox that has found mails.
func look(mails ...store.Incoming) store.Look {
	return store.Look{Mailbox: "INBOX", UIDValidity: 7, Mails: mails}
}

// handle commits a Change that handles a mail.
func handle(db store.Store, m store.Incoming) error {
	return db.Commit(store.Change{Handled: &store.Handled{SHA256: m.SHA256, Mailbox: m.Mailbox, UIDValidity: m.UIDValidity, UID: m.UID, Received: m.Received}})
}

// next is the text of the mail that comes next, "" for none.
func next(t testing.TB, db store.Store, now time.Time) (string, store.Incoming) {
	t.Helper()
	m, some, err := db.Next(now)
	Must(t, err)
	if !some {
		return "", m
	}
	raw, err := db.Spooled(m.SHA256)
	Must(t, err)
	return string(raw), m
}

func wantNext(t testing.TB, db store.Store, now time.Time, want string) store.Incoming {
	t.Helper()
	text, m := next(t, db, now)
	if text != want {
		t.Fatalf("the next mail is %q, want %q", text, want)
	}
	return m
}

// A look is kept whole: mails, marks and the low-water mark. The same mail twice is one; what was
// handled does not come again.
func testArrivals(t *testing.T, e Engine) {
	db := e.Open(t)
	Must(t, db.MarkUID("INBOX", 7, 4, store.UIDMark{State: store.UIDPending, Tries: 2}))
	before := e.Dump(t, db)
	unspooled := look(arrives(t, db, 1, "g1", "one", 1), store.Incoming{SHA256: store.Sum([]byte("nowhere")), UID: 2})
	spooled := e.Dump(t, db)
	WantErr(t, "a mail without its bytes", db.Arrived(unspooled), store.ErrNotFound)
	WantErr(t, "no mailbox", db.Arrived(store.Look{Low: 1}), store.ErrInvalid)
	WantErr(t, "no UID", db.Arrived(look(store.Incoming{SHA256: store.Sum([]byte("one"))})), store.ErrInvalid)
	WantErr(t, "no hash", db.Arrived(look(store.Incoming{UID: 2})), store.ErrInvalid)
	pending := look(arrives(t, db, 1, "g1", "one", 1))
	pending.Low, pending.Listed = 4, []uint32{1, 4}
	WantErr(t, "over a message that is pending", db.Arrived(pending), store.ErrState)
	if after := e.Dump(t, db); !maps.Equal(after, spooled) {
		t.Errorf("what was refused changed something: %v, then %v", before, after)
	}
	one := arrives(t, db, 1, "g1", "one", 1)
	one.Junk, one.More, one.Look = true, true, Noon
	all := look(one, arrives(t, db, 2, "", "two", 2), arrives(t, db, 3, "g1", "one", 3), arrives(t, db, 4, "g2", "four", 4))
	all.Low, all.Listed = 4, []uint32{1, 2, 3, 4}
	Must(t, db.Arrived(all))
	Must(t, db.Arrived(all)) // again changes nothing
	for uid, state := range map[uint32]store.UIDState{1: store.UIDArrived, 2: store.UIDArrived, 3: store.UIDDuplicate, 4: store.UIDArrived} {
		m, _, err := db.UID("INBOX", 7, uid)
		if err != nil || m.State != state || !m.Final() {
			t.Errorf("message %d: %+v, %v", uid, m, err)
		}
	}
	if low, err := db.Low("INBOX", 7); err != nil || low != 4 {
		t.Errorf("the low-water mark is %d, %v", low, err)
	}
	db = e.Reopen(t, db)
	b, err := db.Backlog()
	want := one
	want.Mailbox, want.UIDValidity, want.Number = "INBOX", 7, b.First.Number
	if err != nil || b.Mails != 3 || fmt.Sprint(b.First) != fmt.Sprint(want) {
		t.Errorf("the queue is %+v, %v, want %+v", b, err, want)
	}
	sound(t, db)

	Must(t, handle(db, b.First))
	WantErr(t, "handling it again", handle(db, b.First), store.ErrHandled)
	Must(t, db.Arrived(look(arrives(t, db, 9, "g1", "one", 9))))
	for uid, state := range map[uint32]store.UIDState{1: store.UIDHandled, 9: store.UIDDuplicate} {
		if m, _, err := db.UID("INBOX", 7, uid); err != nil || m.State != state {
			t.Errorf("message %d: %+v, %v", uid, m, err)
		}
	}
	if b, err := db.Backlog(); err != nil || b.Mails != 2 {
		t.Errorf("the queue is %+v, %v", b, err)
	}
	sound(t, db)
}

// Mails of one game come one after the other in the order in which they arrived, those of others
// meanwhile; one of no game comes when all before it are handled, and before all behind it.
func testOrderOfArrivals(t *testing.T, e Engine) {
	db := e.Open(t)
	wantNext(t, db, Noon, "")
	Must(t, db.Arrived(look(arrives(t, db, 1, "g1", "late", 60), arrives(t, db, 2, "g1", "a1", 1), arrives(t, db, 3, "g2", "b1", 1))))
	Must(t, db.Arrived(look(arrives(t, db, 4, "", "all", 3), arrives(t, db, 5, "g1", "a2", 2), arrives(t, db, 6, "g3", "c1", 4))))
	a1 := wantNext(t, db, Noon, "a1")
	b1 := wantNext(t, db, Noon, "b1")
	wantNext(t, db, Noon, "")
	Must(t, handle(db, a1))
	a2 := wantNext(t, db, Noon, "a2")
	Must(t, handle(db, b1))
	wantNext(t, db, Noon, "")
	Must(t, handle(db, a2))
	of := wantNext(t, db, Noon, "all")
	wantNext(t, db, Noon, "")
	for game, waits := range map[string]bool{"g1": true, "g9": true} {
		if is, err := db.Unhandled(game, Noon.Add(5*time.Second)); err != nil || is != waits {
			t.Errorf("mail of %s waits: %v, %v", game, is, err)
		}
	}
	Must(t, handle(db, of))
	c1, late := wantNext(t, db, Noon, "c1"), wantNext(t, db, Noon, "late")
	for _, ask := range []struct {
		game    string
		seconds int
		waits   bool
	}{{"g1", 59, false}, {"g1", 60, true}, {"g3", 3, false}, {"g3", 4, true}, {"g2", 90, false}} {
		if is, err := db.Unhandled(ask.game, Noon.Add(time.Duration(ask.seconds)*time.Second)); err != nil || is != ask.waits {
			t.Errorf("%+v: %v, %v", ask, is, err)
		}
	}
	Must(t, handle(db, c1))
	Must(t, handle(db, late))
	if b, err := db.Backlog(); err != nil || b.Mails != 0 {
		t.Errorf("the queue is %+v, %v", b, err)
	}
	sound(t, db)
}

// A mail that is put off comes again when its time has come. What stands behind it waits with it, or
// goes on, as is said; how often it failed is told.
func testMailsPutOff(t *testing.T, e Engine) {
	db := e.Open(t)
	Must(t, db.Arrived(look(arrives(t, db, 1, "g1", "a1", 1), arrives(t, db, 2, "g1", "a2", 2), arrives(t, db, 3, "g2", "b1", 3), arrives(t, db, 4, "", "all", 4))))
	soon := Noon.Add(time.Minute)
	a1 := wantNext(t, db, Noon, "a1")
	Must(t, db.PutOff(a1.SHA256, store.Pause{Until: soon, Holds: true}))
	b1 := wantNext(t, db, Noon, "b1")
	wantNext(t, db, Noon, "")
	Must(t, handle(db, b1))
	wantNext(t, db, Noon, "") // the one of no game waits for all before it
	a1 = wantNext(t, db, soon, "a1")
	if a1.Tries != 0 {
		t.Errorf("%+v has not failed", a1)
	}
	Must(t, db.PutOff(a1.SHA256, store.Pause{Until: soon.Add(time.Minute), Why: "the disk is odd"}))
	Must(t, handle(db, wantNext(t, db, soon, "a2")))
	Must(t, handle(db, wantNext(t, db, soon, "all")))
	wantNext(t, db, soon, "")
	if b, err := db.Backlog(); err != nil || b.Mails != 1 || b.First.Tries != 1 || b.First.Why != "the disk is odd" {
		t.Errorf("the queue is %+v, %v", b, err)
	}
	a1 = wantNext(t, db, soon.Add(time.Minute), "a1")
	if a1.Tries != 1 || a1.Why != "the disk is odd" {
		t.Errorf("%+v has failed once", a1)
	}
	Must(t, handle(db, a1))
	Must(t, db.PutOff(a1.SHA256, store.Pause{Until: soon})) // it is gone
	wantNext(t, db, soon.Add(time.Hour), "")
	sound(t, db)
}

// Several handle mails at once: each is handled by one of them, those of a game in their order.
func testManyHandleMails(t *testing.T, e Engine) {
	db := e.Open(t)
	const mails = 40
	for n := range mails {
		lane := fmt.Sprint("g", n%3)
		if n%13 == 12 {
			lane = ""
		}
		Must(t, db.Arrived(look(arrives(t, db, uint32(n+1), lane, fmt.Sprintf("%s %02d", lane, n), n))))
	}
	var mu sync.Mutex
	var order []string
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for {
				m, some, err := db.Next(Noon)
				if err != nil {
					t.Error(err)
					return
				}
				b, err := db.Backlog()
				if err != nil || b.Mails == 0 {
					return
				}
				if !some {
					time.Sleep(time.Millisecond)
					continue
				}
				raw, _ := db.Spooled(m.SHA256)
				mu.Lock()
				order = append(order, string(raw))
				mu.Unlock()
				if err := store.Settle(db, store.Change{Handled: &store.Handled{SHA256: m.SHA256, Received: Noon}}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if len(order) != mails || len(slices.Compact(slices.Sorted(slices.Values(order)))) != mails {
		t.Fatalf("of %d mails were handled %d: %v", mails, len(order), order)
	}
	for _, lane := range []string{"g0", "g1", "g2"} {
		of := slices.DeleteFunc(slices.Clone(order), func(text string) bool { return strings.HasPrefix(text, "g") && !strings.HasPrefix(text, lane) })
		number := func(text string) string { return text[strings.Index(text, " ")+1:] }
		if !slices.IsSortedFunc(of, func(a, b string) int { return strings.Compare(number(a), number(b)) }) {
			t.Errorf("%s and mails of no game: %v", lane, of)
		}
	}
	sound(t, db)
}
