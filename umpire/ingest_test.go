package umpire

import (
	"bytes"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
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

// Six messages of 70 MB at once never come into memory; what is just small enough does.
func TestIngestIsBounded(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	g.outbox("SOVIET")
	dir := t.TempDir()
	g.u.MaxMessage = 5 << 20
	d := &Desk{u: g.u, dir: dir, most: g.u.MaxMessage}
	huge := func(size int64) io.Reader {
		head := g.mail("SOVIET", "")
		return io.MultiReader(bytes.NewReader(head), io.LimitReader(xs{}, size-int64(len(head))))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var wg sync.WaitGroup
	messages := []io.Reader{huge(70 << 20), huge(70 << 20), huge(70 << 20), huge(70 << 20), huge(70 << 20), huge(70 << 20)}
	for _, m := range messages {
		wg.Go(func() {
			if outcome, err := d.Ingest(t.Context(), m); err != nil || outcome != "too large to be read" {
				t.Errorf("%q, %v", outcome, err)
			}
		})
	}
	wg.Wait()
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 32<<20 {
		t.Errorf("six messages took %d MiB", n>>20)
	}
	if got := g.outbox("SOVIET"); len(got) != 6 || !strings.Contains(oneLine(got[0].Texts[0].Text), "73400320 bytes and was not read") {
		t.Errorf("%d answers to large mails", len(got))
	}
	for size, want := range map[int64]string{5 << 20: "free text", 5<<20 + 1: "too large to be read"} {
		if outcome, err := d.Ingest(t.Context(), huge(size)); err != nil || !strings.HasPrefix(outcome, want) {
			t.Errorf("%d bytes: %q, %v", size, outcome, err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}

// xs are as many letters x as are asked for.
type xs struct{}

func (xs) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}
