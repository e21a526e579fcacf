// Package share divides the processors among the clubs of a daemon. Heavy work, such as a picture, a
// phase or what a staff officer thinks, is done in one of as many places as there are processors;
// who waits for a place is served club by club, not in order of arrival, and one place is always left
// for other clubs: a club with much to do waits for itself.
package share

import (
	"slices"
	"sync"
)

// Pool is the places of a process.
type Pool struct {
	mu   sync.Mutex
	free int
	most int // places that a club may have at once: one is left for the others
	// waiting are the clubs of which somebody waits, the next one to be served first.
	waiting []*Share
}

// NewPool makes a pool of so many places.
func NewPool(places int) *Pool { return &Pool{free: places, most: max(1, places-1)} }

// Share is what a club has of a pool. Of no pool it is nil, and holds nobody up.
type Share struct {
	pool *Pool
	// With the pool's lock: the places that the club has, and who waits for one, each until its
	// channel is closed.
	held  int
	queue []chan struct{}
}

// For makes the share of a club.
func (p *Pool) For() *Share { return &Share{pool: p} }

// Do does a piece of work when there is a place for it. The work may not wait for somebody who
// waits for a place, and so does nothing of the kind itself.
func (s *Share) Do(work func()) {
	if s == nil {
		work()
		return
	}
	s.enter()
	defer s.leave()
	work()
}

// enter waits for a place.
func (s *Share) enter() {
	p := s.pool
	p.mu.Lock()
	if len(s.queue) == 0 {
		p.waiting = append(p.waiting, s)
	}
	turn := make(chan struct{})
	s.queue = append(s.queue, turn)
	p.admit()
	p.mu.Unlock()
	<-turn
}

// leave gives a place back.
func (s *Share) leave() {
	p := s.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free++
	s.held--
	p.admit()
}

// admit gives the free places to those who wait, club by club. The lock is held.
func (p *Pool) admit() {
	for p.free > 0 {
		i := p.next()
		if i < 0 {
			return
		}
		s := p.waiting[i]
		p.waiting = slices.Delete(p.waiting, i, i+1)
		close(s.queue[0])
		if s.queue = s.queue[1:]; len(s.queue) > 0 {
			p.waiting = append(p.waiting, s)
		}
		p.free--
		s.held++
	}
}

// next is which of the waiting clubs is served next, -1 if none may be.
func (p *Pool) next() int {
	return slices.IndexFunc(p.waiting, func(s *Share) bool { return s.held < p.most })
}

// Pass is called in the midst of long work that is done in a place: whoever waits has it first.
func (s *Share) Pass() {
	if s == nil {
		return
	}
	s.pool.mu.Lock()
	others := len(s.pool.waiting) > 0
	s.pool.mu.Unlock()
	if !others {
		return
	}
	s.leave()
	s.enter()
}
