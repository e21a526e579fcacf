package umpire

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"fieldpost/mailbox"
)

// A mail that breaks the program has an outcome like any other, its sender hears
// of it, and the next mail is read.
func TestMailThatBreaksTheProgram(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	g.outbox("SOVIET")
	var log strings.Builder
	g.u.Log = slog.New(slog.NewTextHandler(&log, nil))
	g.u.Now = func() time.Time { panic("the clock fell down") }
	raw := g.mail("SOVIET", "STATUS\n")
	r := mailbox.Raw{Key: mailbox.Key{Box: "INBOX", UIDValidity: 1, UID: uint32(g.mails)}, Bytes: raw, Size: int64(len(raw))}
	if err := g.u.Receive(context.Background(), r); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "the clock fell down") {
		t.Errorf("the log: %s", log.String())
	}
	g.u.Now = func() time.Time { return g.clock }
	g.receive(g.mail("SOVIET", "STATUS\n"))
	if got := g.outbox("SOVIET"); len(got) != 1 || !strings.Contains(got[0].Subject, "where the game stands") {
		t.Errorf("%d answers to the next mail", len(got))
	}
	if err := g.u.Receive(context.Background(), r); err != nil {
		t.Errorf("the same mail again: %v", err)
	}
}

// What is dealt with is not asked for again: the low-water mark follows, but not
// over a message that is still pending.
func TestLowWaterMarkFollows(t *testing.T) {
	g := newTable(t)
	s := seen{g.u.DB, g.u.Log}
	for range 3 {
		g.receive(g.mail("STRANGER", "hello\n"))
	}
	s.Listed("INBOX", 1, []uint32{1, 2, 3})
	if low := s.Low("INBOX", 1); low != 3 {
		t.Errorf("after three mails it is %d", low)
	}
	poison := mailbox.Raw{Key: mailbox.Key{Box: "INBOX", UIDValidity: 1, UID: 5}, Poison: true}
	if err := g.u.Receive(t.Context(), poison); err != nil {
		t.Fatal(err)
	}
	s.Listed("INBOX", 1, []uint32{5})
	if low := s.Low("INBOX", 1); low != 3 {
		t.Errorf("with a mail that breaks the connection it is %d", low)
	}
	gone := poison
	gone.Poison, gone.Gone = false, true
	if err := g.u.Receive(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	s.Listed("INBOX", 1, []uint32{5})
	if low := s.Low("INBOX", 1); low != 5 || s.Low("Junk", 1) != 0 {
		t.Errorf("after it was removed it is %d", low)
	}
}
