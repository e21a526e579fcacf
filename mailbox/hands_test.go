package mailbox

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Messages of two lanes are handled side by side, those of one in their order, and one
// without a lane alone.
func TestLanesOfMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var log []string
		note := func(what string) {
			mu.Lock()
			defer mu.Unlock()
			log = append(log, what)
		}
		p := &Poller{broken: map[Key]int{}, seen: &ledger{}}
		p.options = PollerOptions{Lane: func(raw Raw) string { return strings.TrimRight(string(raw.Bytes), "0123456789!") }}.withDefaults()
		p.handle = func(_ context.Context, raw Raw) error {
			note("+" + string(raw.Bytes))
			time.Sleep(time.Second)
			note("-" + string(raw.Bytes))
			return nil
		}
		begin := time.Now()
		h := p.hand(t.Context())
		for i, text := range []string{"a1", "b1", "!2", "a3", "a4", "b5"} {
			h.give(Raw{Key: Key{UID: uint32(i + 1)}, Bytes: []byte(text)})
		}
		if failed := h.done(); failed != nil {
			t.Fatal(failed)
		}
		at := func(what string) int { return slices.Index(log, what) }
		for _, order := range [][2]string{{"-a1", "+!2"}, {"-b1", "+!2"}, {"-!2", "+a3"}, {"-a3", "+a4"}, {"-!2", "+b5"}} {
			if at(order[0]) < 0 || at(order[0]) > at(order[1]) {
				t.Errorf("%s comes after %s: %v", order[0], order[1], log)
			}
		}
		if at("+b1") > at("-a1") {
			t.Errorf("b waits for a: %v", log)
		}
		if took := time.Since(begin); took > 5*time.Second {
			t.Error(fmt.Sprint("it takes ", took))
		}
		if len(h.results) != 6 {
			t.Errorf("%d results", len(h.results))
		}
	})
}

// A message that somebody else has in hand is left for later, and so is what stands behind it in its
// lane: else a newer one would come first. Other lanes go on; nothing has failed, and nobody is told
// that all mail is read.
func TestMessagesThatOthersHaveInHand(t *testing.T) {
	p := &Poller{broken: map[Key]int{}, seen: &ledger{}}
	p.options = PollerOptions{Lane: func(raw Raw) string { return strings.TrimRight(string(raw.Bytes), "0123456789!") }}.withDefaults()
	var mu sync.Mutex
	var handled []string
	p.handle = func(_ context.Context, raw Raw) error {
		text := string(raw.Bytes)
		if text == "a1" {
			return fmt.Errorf("game a: %w", ErrLater)
		}
		mu.Lock()
		defer mu.Unlock()
		handled = append(handled, text)
		return nil
	}
	h := p.hand(t.Context())
	for i, text := range []string{"a1", "b2", "a3", "!4", "b5"} {
		h.give(Raw{Key: Key{UID: uint32(i + 1)}, Bytes: []byte(text)})
	}
	if failed := h.done(); failed != nil {
		t.Error(failed)
	}
	if slices.Sort(handled); !slices.Equal(handled, []string{"b2"}) {
		t.Errorf("%v is handled, expected is b2 alone: a3 is behind a1, and !4 behind all, with b5 behind it", handled)
	}
	if !p.pending || !p.later {
		t.Error("all mail is said to be read")
	}
}
