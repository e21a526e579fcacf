package umpire

import (
	"strings"
	"testing"
)

// A message from a pipe has the same effect as one from IMAP, once.
func TestIngest(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	g.outbox("SOVIET")
	raw := g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\n"))
	if outcome, err := g.u.Ingest(t.Context(), raw); err != nil || !strings.Contains(outcome, "sheet 1 of SOVIET") {
		t.Errorf("%q, %v", outcome, err)
	}
	if outcome, err := g.u.Ingest(t.Context(), raw); err != nil || outcome != "it was handled before" {
		t.Errorf("again: %q, %v", outcome, err)
	}
	g.receive(raw) // and over IMAP too
	if got := g.outbox("SOVIET"); len(got) != 1 {
		t.Errorf("%d answers", len(got))
	}
	g.u.MaxMessage = 1000
	large := g.mail("SOVIET", strings.Repeat("x", 2000))
	if outcome, err := g.u.Ingest(t.Context(), large); err != nil || outcome != "too large to be read" {
		t.Errorf("%q, %v", outcome, err)
	}
	if got := g.outbox("SOVIET"); len(got) != 1 || !strings.Contains(got[0].Texts[0].Text, "bytes and was not read") {
		t.Errorf("%d answers to a large mail", len(got))
	}
}
