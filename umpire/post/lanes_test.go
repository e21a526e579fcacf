package post

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Two games go on side by side, one game never twice at once, and nobody beside who has
// all lanes.
func TestLanes(t *testing.T) {
	var lanes Lanes
	var inA, inB, inAll atomic.Int32
	work := func(game string, in *atomic.Int32) {
		defer lanes.Lane(game)()
		alone := in.Add(1) == 1
		if in == &inAll {
			alone = alone && inA.Load()+inB.Load() == 0
		} else {
			alone = alone && inAll.Load() == 0
		}
		if !alone {
			t.Errorf("%q is not alone", game)
		}
		time.Sleep(time.Millisecond)
		in.Add(-1)
	}
	leave := lanes.Lane("A")
	work("B", &inB) // does not wait for A
	leave()
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() { work("A", &inA) })
		all.Go(func() { work("B", &inB) })
		all.Go(func() { work("", &inAll) })
	}
	all.Wait()
	if len(lanes.lanes) > 0 {
		t.Errorf("%d lanes are kept that nobody is in", len(lanes.lanes))
	}
}
