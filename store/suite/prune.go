package suite

import (
	"fmt"
	"testing"
	"time"

	"fieldpost/store"
)

func testPrune(t *testing.T, e Engine) {
	db := e.Open(t)
	over, running := NewGame("over"), NewGame("running")
	over.Status = store.StatusFinished
	for _, g := range []store.Game{over, running} {
		_, err := db.Spool([]byte("mail 1 of " + g.ID))
		Must(t, err)
		Must(t, db.Commit(Full(g, 0)))
	}
	stranger, err := db.Spool([]byte("from a stranger"))
	Must(t, err)
	Must(t, db.Commit(store.Change{Handled: &store.Handled{SHA256: stranger, Received: Noon}}))
	var sent []store.Mail
	for _, id := range []string{"over-1-axis", "over-1-soviet", "running-1-axis"} {
		m, err := db.MarkSending(id, Noon)
		Must(t, err)
		sent = append(sent, m)
		if id != "over-1-soviet" {
			Must(t, db.MarkResult(id, store.Result{State: store.MailAccepted, At: Noon}))
		}
	}
	has := func(what string, want bool, read func() ([]byte, error)) {
		t.Helper()
		if _, err := read(); (err == nil) != want {
			t.Errorf("%s: %v", what, err)
		}
	}
	expect := func(want store.Pruned, before time.Time) {
		t.Helper()
		p, err := db.Prune(before, Noon)
		if err != nil || p.Sent != want.Sent || p.Received != want.Received || (p.Bytes > 0) != (p.Sent+p.Received > 0) {
			t.Errorf("%+v, %v", p, err)
		}
		sound(t, db)
	}
	expect(store.Pruned{}, Noon)
	expect(store.Pruned{Sent: 1, Received: 2}, Noon.Add(time.Hour))
	expect(store.Pruned{}, Noon.Add(time.Hour))
	has("a mail of a finished game", false, func() ([]byte, error) { return db.MailBytes(sent[0].SHA256) })
	has("one whose fate is unknown", true, func() ([]byte, error) { return db.MailBytes(sent[1].SHA256) })
	has("one of a game that goes on", true, func() ([]byte, error) { return db.MailBytes(sent[2].SHA256) })
	has("a stranger's", false, func() ([]byte, error) { return db.Spooled(stranger) })
	has("a player's", true, func() ([]byte, error) { return db.Spooled(store.Sum([]byte("mail 1 of running"))) })
	if h, ok, err := db.Handled(stranger); err != nil || !ok || h.Spooled {
		t.Errorf("the mark of a mail went with it: %+v, %v, %v", h, ok, err)
	}
	WantErr(t, "sending it again", db.MarkResult("over-1-axis", store.Result{State: store.MailQueued, At: Noon}), store.ErrNotFound)
	m, err := db.Mail("running-1-axis")
	Must(t, err)
	before, err := db.MailBytes(m.SHA256)
	Must(t, err)
	Must(t, db.MarkResult(m.ID, store.Result{State: store.MailQueued, At: Noon}))
	m, err = db.MarkSending(m.ID, Noon)
	Must(t, err)
	if again, err := db.MailBytes(m.SHA256); err != nil || string(again) != string(before) {
		t.Errorf("the resend has other bytes, %v", err)
	}
}

// Of a stranger's mail a hash and a line stay, and its bytes go sooner than those of others.
func testStrangersMailGoesSooner(t *testing.T, e Engine) {
	db := e.Open(t)
	spooled := map[bool]string{}
	for _, stranger := range []bool{true, false} {
		sha, err := db.Spool(fmt.Appendf(nil, "a mail of a stranger: %v", stranger))
		Must(t, err)
		Must(t, db.Commit(store.Change{Handled: &store.Handled{SHA256: sha, Received: Noon, Outcome: "a line", Stranger: stranger}}))
		spooled[stranger] = sha
	}
	for _, c := range []struct {
		before, strangers time.Time
		received          int
	}{{time.Time{}, Noon, 0}, {time.Time{}, Noon.Add(time.Hour), 1}, {Noon, Noon.Add(time.Hour), 0}, {Noon.Add(time.Hour), Noon.Add(time.Hour), 1}} {
		if p, err := db.Prune(c.before, c.strangers); err != nil || p.Received != c.received {
			t.Errorf("before %v, strangers before %v: %+v, %v", c.before, c.strangers, p, err)
		}
		sound(t, db)
	}
	for stranger, sha := range spooled {
		if h, ok, err := db.Handled(sha); err != nil || !ok || h.Outcome != "a line" || h.Stranger != stranger || h.Spooled {
			t.Errorf("what stays of a mail: %+v, %v, %v", h, ok, err)
		}
	}
}
