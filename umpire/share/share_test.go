package share

import (
	"runtime"
	"slices"
	"sync"
	"testing"
)

// order has the pieces of several clubs wait behind one that holds the only place, and says in which
// order they are done.
func order(pieces ...string) (done []string) {
	p := NewPool(1)
	clubs, held, begun := map[string]*Share{}, make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() { p.For().Do(func() { close(begun); <-held }) })
	<-begun
	for n, club := range pieces {
		if clubs[club] == nil {
			clubs[club] = p.For()
		}
		its := clubs[club]
		all.Go(func() { its.Do(func() { done = append(done, club) }) })
		for waits := 0; waits <= n; { // one behind the other
			p.mu.Lock()
			waits = 0
			for _, s := range clubs {
				waits += len(s.queue)
			}
			p.mu.Unlock()
		}
	}
	close(held)
	all.Wait()
	return done
}

func TestClubsTakeTurns(t *testing.T) {
	got := order("flood", "flood", "flood", "flood", "quiet", "flood", "other", "quiet")
	if want := []string{"flood", "quiet", "other", "flood", "quiet", "flood", "flood", "flood"}; !slices.Equal(got, want) {
		t.Errorf("the order is %v, want %v", got, want)
	}
}

// No more is done at once than there are places, and all of it is done.
func TestThePlacesAreABound(t *testing.T) {
	p := NewPool(3)
	var mu sync.Mutex
	var all sync.WaitGroup
	at, most, done := 0, 0, 0
	piece := func() {
		mu.Lock()
		at++
		most = max(most, at)
		mu.Unlock()
		runtime.Gosched()
		mu.Lock()
		at--
		done++
		mu.Unlock()
	}
	for range 8 {
		club := p.For()
		for range 200 {
			all.Go(func() {
				club.Do(func() {
					piece()
					club.Pass()
					piece()
				})
			})
		}
	}
	all.Wait()
	if done != 3200 || most != 3 || p.free != 3 || len(p.waiting) != 0 {
		t.Errorf("%d are done, %d at once, %d places free, %d clubs wait", done, most, p.free, len(p.waiting))
	}
}

// Long work lets others go first when it passes; a panic gives its place back.
func TestLongWorkPasses(t *testing.T) {
	p := NewPool(1)
	long, quick := p.For(), p.For()
	quickDone := false
	var all sync.WaitGroup
	long.Do(func() {
		all.Go(func() { quick.Do(func() { quickDone = true }) })
		for waits := 0; waits == 0; {
			p.mu.Lock()
			waits = len(quick.queue)
			p.mu.Unlock()
		}
		long.Pass()
		if !quickDone {
			t.Error("who waited was not let in")
		}
	})
	all.Wait()
	func() {
		defer func() { _ = recover() }()
		long.Do(func() { panic("a fault") })
	}()
	if p.free != 1 {
		t.Error("a panic keeps its place")
	}
	var none *Share
	none.Do(none.Pass)
}

// However much a club has to do, a place is left for another one.
func TestAPlaceIsLeftForOthers(t *testing.T) {
	p := NewPool(3)
	busy, quiet := p.For(), p.For()
	held, begun := make(chan struct{}), make(chan struct{}, 5)
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			busy.Do(func() {
				begun <- struct{}{}
				<-held
			})
		})
	}
	<-begun
	<-begun
	quiet.Do(func() {}) // would wait for ever
	if len(begun) > 0 {
		t.Error("the busy club has all places")
	}
	close(held)
	all.Wait()
}
