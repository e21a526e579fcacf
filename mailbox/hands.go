package mailbox

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
)

// How far a poller fetches ahead of what is handled: so many messages, and none
// behind one that is larger than this.
const (
	aheadMessages = 4
	aheadBytes    = 256 << 10
)

// hands give the messages of a folder to the handler, one after the other in the order in which
// they were fetched, while the poller fetches the next.
type hands struct {
	p       *Poller
	queue   chan Raw
	flushed chan struct{} // one for each large message that was handled
	ended   chan struct{}
	away    atomic.Bool // ErrAway was said of a message
	results []handed    // to be read once ended is closed
}

type handed struct {
	key Key
	err error
}

func (p *Poller) hand(ctx context.Context) *hands {
	h := &hands{p: p, queue: make(chan Raw, aheadMessages), flushed: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		defer close(h.ended)
		for raw := range h.queue {
			err := ctx.Err() // what is left comes with the next poll
			if err == nil && h.away.Load() {
				err = ErrAway
			}
			if err == nil {
				err = p.handle(ctx, raw)
			}
			if errors.Is(err, ErrAway) {
				h.away.Store(true)
			}
			h.results = append(h.results, handed{raw.Key, err})
			if len(raw.Bytes) > aheadBytes {
				h.flushed <- struct{}{}
			}
		}
	}()
	return h
}

// give takes a message. It waits until there is room, and until a large one is handled.
func (h *hands) give(raw Raw) {
	h.p.options.Ahead(raw)
	h.queue <- raw
	if len(raw.Bytes) > aheadBytes {
		<-h.flushed
	}
}

// done waits until all are handed over, and tells what became of them.
func (h *hands) done() []handed {
	close(h.queue)
	<-h.ended
	return h.results
}

// dealtWith is what went wrong with messages that were handed over.
func (p *Poller) dealtWith(all []handed) (failed []error) {
	for _, r := range all {
		if r.err != nil {
			failed = append(failed, fmt.Errorf("handling message %d: %w", r.key.UID, r.err))
			continue
		}
		delete(p.broken, r.key)
		if !p.seen.Handled(r.key) {
			p.pending = true // it is to be tried again: nobody may say that all mail was read
		}
	}
	return failed
}
