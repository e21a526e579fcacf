// Package faulty puts a store behind an unsteady connection, for tests and trials: Changes come
// too late, nobody knows what became of them, they take their time and overtake each other.
package faulty

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"fieldpost/store"
)

// Faults say how often, of a thousand Changes, something happens.
type Faults struct {
	// Stale: it is refused as one that comes too late, though nothing has changed.
	Stale int
	// Unknown: what became of it is not known, store.ErrUnknown. Half of these are kept.
	Unknown int
	// Late: as Unknown, and it is committed some time after that was said.
	Late int
	// Delay: it takes a moment, so that others overtake it.
	Delay int
	// Spare is how many Changes in a row at most meet a fault; 0 is no bound.
	Spare int
}

// Usual are faults of every kind, Late excepted: what comes late needs several at work.
var Usual = Faults{Stale: 60, Unknown: 60, Delay: 60, Spare: 2}

// Store is a store behind an unsteady connection.
type Store struct {
	store.Store
	faults Faults
	mu     sync.Mutex
	random *rand.Rand
	inARow int
	late   sync.WaitGroup

	happened [kinds]atomic.Int64
}

// The kinds of faults.
const (
	stale = iota
	keptUnknown
	lostUnknown
	late
	delay
	kinds
)

var names = [kinds]string{"stale", "unknown and kept", "unknown and lost", "unknown and late", "delayed"}

// Over puts a store behind a connection with faults; the same seed has the same ones.
func Over(db store.Store, f Faults, seed uint64) *Store {
	return &Store{Store: db, faults: f, random: rand.New(rand.NewPCG(seed, 28))}
}

// Happened is how often each kind of fault happened.
func (s *Store) Happened() map[string]int {
	all := map[string]int{}
	for kind, name := range names {
		all[name] = int(s.happened[kind].Load())
	}
	return all
}

// Settle waits for what comes late.
func (s *Store) Settle() { s.late.Wait() }

// draw decides which fault a Change meets; kinds for none.
func (s *Store) draw() (kind int, wait time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	wait = time.Duration(s.random.IntN(300)) * time.Microsecond
	n := s.random.IntN(1000)
	kind = kinds
	for _, one := range []struct{ kind, often int }{
		{stale, s.faults.Stale}, {keptUnknown, s.faults.Unknown / 2}, {lostUnknown, s.faults.Unknown - s.faults.Unknown/2},
		{late, s.faults.Late}, {delay, s.faults.Delay},
	} {
		if n < one.often {
			kind = one.kind
			break
		}
		n -= one.often
	}
	refused := kind != kinds && kind != delay
	if refused && s.faults.Spare > 0 && s.inARow >= s.faults.Spare {
		kind, refused = kinds, false
	}
	s.inARow++
	if !refused {
		s.inARow = 0
	}
	return kind, wait
}

// Arrived keeps what has arrived, or meets a fault: nobody knows whether it is kept. Whoever looked
// looks again.
func (s *Store) Arrived(l store.Look) error {
	kind, _ := s.draw()
	if kind != keptUnknown && kind != lostUnknown {
		return s.Store.Arrived(l)
	}
	s.happened[kind].Add(1)
	if kind == keptUnknown {
		if err := s.Store.Arrived(l); err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: the connection is gone", store.ErrUnknown)
}

// Commit commits a Change, or meets a fault.
func (s *Store) Commit(c store.Change) error {
	kind, wait := s.draw()
	if kind == kinds {
		return s.Store.Commit(c)
	}
	s.happened[kind].Add(1)
	unknown := fmt.Errorf("%w: the connection is gone", store.ErrUnknown)
	switch kind {
	case stale:
		return fmt.Errorf("%w: so the connection says", store.ErrStale)
	case keptUnknown:
		if err := s.Store.Commit(c); err != nil && !errors.Is(err, store.ErrUnknown) {
			return err
		}
		return unknown
	case lostUnknown:
		return unknown
	case late:
		s.late.Go(func() {
			time.Sleep(wait)
			_ = s.Store.Commit(c)
		})
		return unknown
	}
	for range wait / (30 * time.Microsecond) {
		runtime.Gosched()
	}
	return s.Store.Commit(c)
}
