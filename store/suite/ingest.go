package suite

import (
	"fmt"
	"testing"

	"fieldpost/store"
)

func testMarksOfMessages(t *testing.T, e Engine) {
	db := e.Open(t)
	mark := func(uid uint32, m store.UIDMark) {
		t.Helper()
		Must(t, db.MarkUID("INBOX", 7, uid, m))
	}
	mark(1, store.UIDMark{State: store.UIDPending, Tries: 2})
	mark(1, store.UIDMark{State: store.UIDPoison, Note: "cut off"})
	mark(1, store.UIDMark{State: store.UIDGone})    // final marks stay
	mark(1, store.UIDMark{State: store.UIDPending}) // and are not opened again
	mark(3, store.UIDMark{State: store.UIDPending, Tries: 1})
	if m, ok, err := db.UID("INBOX", 7, 1); err != nil || !ok || m.State != store.UIDPoison || m.Tries != 2 || m.Note != "cut off" {
		t.Errorf("%+v %v %v", m, ok, err)
	}
	Must(t, db.Commit(store.Change{Handled: &store.Handled{SHA256: store.Sum([]byte("x")), Mailbox: "INBOX", UIDValidity: 7, UID: 5, Received: Noon}}))
	for uid, final := range map[uint32]bool{9: false, 5: true, 3: false, 1: true} {
		if m, _, err := db.UID("INBOX", 7, uid); err != nil || m.Final() != final {
			t.Errorf("message %d: %+v, %v", uid, m, err)
		}
	}
	for _, other := range []struct {
		box      string
		validity uint32
	}{{"INBOX", 8}, {"Junk", 7}, {"INBO", 7}} {
		for _, uid := range []uint32{1, 5} {
			if _, ok, err := db.UID(other.box, other.validity, uid); err != nil || ok {
				t.Errorf("%v knows message %d of INBOX: %v", other, uid, err)
			}
		}
	}
	if m, ok, err := db.UID("INBOX", 7, 5); err != nil || !ok || m.State != store.UIDHandled || m.SHA256 != store.Sum([]byte("x")) {
		t.Errorf("%+v %v %v", m, ok, err)
	}
	WantErr(t, "no state", db.MarkUID("INBOX", 7, 1, store.UIDMark{}), store.ErrInvalid)
	WantErr(t, "no uid", db.MarkUID("INBOX", 7, 0, store.UIDMark{State: store.UIDGone}), store.ErrInvalid)
	WantErr(t, "no mailbox", db.MarkUID("", 7, 1, store.UIDMark{State: store.UIDGone}), store.ErrInvalid)
	sound(t, db)
}

// raiseLow is a look that has found nothing new.
func raiseLow(db store.Store, box string, validity, low uint32, listed ...uint32) error {
	return db.Arrived(store.Look{Mailbox: box, UIDValidity: validity, Low: low, Listed: listed})
}

func testLowWaterMark(t *testing.T, e Engine) {
	db := e.Open(t)
	low := func(box string, validity, want uint32) {
		t.Helper()
		if got, err := db.Low(box, validity); err != nil || got != want {
			t.Errorf("low of %s %d is %d, %v, want %d", box, validity, got, err, want)
		}
	}
	low("INBOX", 7, 0)
	Must(t, db.MarkUID("INBOX", 7, 300, store.UIDMark{State: store.UIDPending}))
	Must(t, raiseLow(db, "INBOX", 7, 299))
	WantErr(t, "over a pending one", raiseLow(db, "INBOX", 7, 300, 300), store.ErrState)
	WantErr(t, "over a pending one", raiseLow(db, "INBOX", 7, 1<<31, 5, 300), store.ErrState)
	low("INBOX", 7, 299)
	Must(t, raiseLow(db, "INBOX", 7, 5)) // never lowered
	low("INBOX", 7, 299)
	Must(t, raiseLow(db, "INBOX", 7, 1<<31)) // the pending one is not in the folder any more
	if m, _, err := db.UID("INBOX", 7, 300); err != nil || m.State != store.UIDGone {
		t.Errorf("a message that vanished is %+v, %v", m, err)
	}
	low("INBOX", 7, 1<<31)
	low("INBOX", 8, 0) // a new UIDVALIDITY begins at nothing
	low("Junk", 7, 0)
	WantErr(t, "no mailbox", raiseLow(db, "", 7, 1), store.ErrInvalid)
	db = e.Reopen(t, db)
	low("INBOX", 7, 1<<31)
	sound(t, db)
}

// The marks of messages that are no longer in their folder go; those above the low-water mark,
// of other folders and of what is still there stay.
func testMarksOfGoneMessagesAreForgotten(t *testing.T, e Engine) {
	db := e.Open(t)
	for uid := range uint32(9) {
		Must(t, db.MarkUID("INBOX", 7, uid+1, store.UIDMark{State: store.UIDOversize}))
	}
	Must(t, db.MarkUID("INBOX", 8, 1, store.UIDMark{State: store.UIDOversize}))
	Must(t, db.MarkUID("Junk", 7, 1, store.UIDMark{State: store.UIDOversize}))
	Must(t, raiseLow(db, "INBOX", 7, 6, 2, 5, 6, 8))
	for _, forgotten := range []int{3, 0} {
		if n, err := db.ForgetUIDs("INBOX", 7, []uint32{2, 5, 6, 8}); err != nil || n != forgotten {
			t.Errorf("%d marks are forgotten, %v", n, err)
		}
		sound(t, db)
	}
	for _, m := range []struct {
		box      string
		validity uint32
		uid      uint32
		stays    bool
	}{{"INBOX", 7, 1, false}, {"INBOX", 7, 2, true}, {"INBOX", 7, 3, false}, {"INBOX", 7, 6, true}, {"INBOX", 7, 7, true}, {"INBOX", 7, 9, true}, {"INBOX", 8, 1, true}, {"Junk", 7, 1, true}} {
		if _, ok, err := db.UID(m.box, m.validity, m.uid); err != nil || ok != m.stays {
			t.Errorf("%+v: %v, %v", m, ok, err)
		}
	}
}

// The same mail under a new UIDVALIDITY, or in another mailbox, has its effect
// once.
func testTheSameMailIsHandledOnce(t *testing.T, e Engine) {
	db := e.Open(t)
	for i := range uint32(3) {
		h := store.Handled{SHA256: store.Sum([]byte("orders")), Mailbox: "INBOX", UIDValidity: 7 + i, UID: 1, Received: Noon, Outcome: fmt.Sprint(i)}
		err := db.Commit(store.Change{Handled: &h, Notes: map[string][]byte{"n": {byte(i)}}})
		if i == 0 {
			Must(t, err)
		} else {
			WantErr(t, "again", err, store.ErrHandled)
			Must(t, db.MarkUID("INBOX", 7+i, 1, store.UIDMark{State: store.UIDDuplicate, SHA256: h.SHA256}))
		}
	}
	if n, _ := db.Note("n"); len(n) != 1 || n[0] != 0 {
		t.Errorf("note %v", n)
	}
	if h, ok, err := db.Handled(store.Sum([]byte("orders"))); err != nil || !ok || h.Outcome != "0" {
		t.Errorf("%+v %v %v", h, ok, err)
	}
	_, _, err := db.Handled("x")
	WantErr(t, "no hash", err, store.ErrInvalid)
	sound(t, db)
}
