package mailbox

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// How far a poller fetches ahead of what is handled: so many messages, and none
// behind one that is larger than this.
const (
	aheadMessages = 4
	aheadBytes    = 256 << 10
)

// hands give the messages of a folder to the handler in the order in which they were
// fetched, while the poller fetches the next. Messages of different lanes are handled side
// by side, as many at once as there are processors.
type hands struct {
	p       *Poller
	queue   chan Raw
	flushed chan struct{} // one for each large message that was handled
	ended   chan struct{}

	busy  sync.WaitGroup
	free  chan struct{}            // a place for each message that is handled
	lanes map[string]chan struct{} // closed when the last message of the lane is handled

	away atomic.Bool // ErrAway was said of a message

	mu      sync.Mutex
	results []handed        // to be read once ended is closed
	later   map[string]bool // lanes of which a message is handled later
}

type handed struct {
	key     Key
	arrived time.Time
	err     error
}

func (p *Poller) hand(ctx context.Context) *hands {
	h := &hands{p: p, queue: make(chan Raw, aheadMessages), flushed: make(chan struct{}), ended: make(chan struct{}),
		free: make(chan struct{}, runtime.GOMAXPROCS(0)), lanes: map[string]chan struct{}{}, later: map[string]bool{}}
	go func() {
		defer close(h.ended)
		for raw := range h.queue {
			h.handOver(ctx, raw)
			if len(raw.Bytes) > aheadBytes {
				h.busy.Wait()
				h.flushed <- struct{}{}
			}
		}
		h.busy.Wait()
	}()
	return h
}

// handOver has a message handled: at once if nothing of its lane is, otherwise as soon as
// that is done.
func (h *hands) handOver(ctx context.Context, raw Raw) {
	lane := h.p.options.Lane(raw)
	if lane == "" {
		h.busy.Wait()
		clear(h.lanes)
		h.handle(ctx, raw, lane)
		return
	}
	before, done := h.lanes[lane], make(chan struct{})
	h.lanes[lane] = done
	h.free <- struct{}{}
	h.busy.Go(func() {
		defer func() { close(done); <-h.free }()
		if before != nil {
			<-before
		}
		h.handle(ctx, raw, lane)
	})
}

func (h *hands) handle(ctx context.Context, raw Raw, lane string) {
	err := ctx.Err() // what is left comes with the next poll
	if err == nil && h.waitsFor(lane) {
		err = ErrLater
	}
	if err == nil {
		err = h.p.handle(ctx, raw)
	}
	if errors.Is(err, ErrAway) {
		h.away.Store(true)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if errors.Is(err, ErrLater) || errors.Is(err, ErrAway) {
		h.later[lane] = true
	}
	h.results = append(h.results, handed{raw.Key, raw.InternalDate, err})
}

// waitsFor tells whether a message of a lane waits because one before it does.
func (h *hands) waitsFor(lane string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.later[lane] || h.later[""] || lane == "" && len(h.later) > 0
}

// give takes a message. It waits until there is room, and until a large one is handled.
func (h *hands) give(raw Raw) {
	h.p.options.Ahead(raw)
	h.queue <- raw
	if len(raw.Bytes) > aheadBytes {
		<-h.flushed
	}
}

// laterOnes notes a message that is handled later.
func (p *Poller) laterOnes(arrived time.Time) {
	p.later = true
	if arrived.IsZero() {
		p.pending = true // it may have arrived at any time
		return
	}
	if p.held.IsZero() || arrived.Before(p.held) {
		p.held = arrived
	}
}

// done waits until all are handled, and returns what went wrong.
func (h *hands) done() (failed []error) {
	close(h.queue)
	<-h.ended
	for _, r := range h.results {
		if errors.Is(r.err, ErrLater) {
			h.p.laterOnes(r.arrived)
			continue
		}
		if r.err != nil {
			failed = append(failed, fmt.Errorf("handling message %d: %w", r.key.UID, r.err))
			continue
		}
		delete(h.p.broken, r.key)
		if !h.p.seen.Handled(r.key) {
			h.p.pending = true // it is to be tried again: nobody may say that all mail was read
		}
	}
	return failed
}
