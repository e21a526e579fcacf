package scene

import (
	"bytes"
	"testing"

	"fieldpost/adjudicator/hex"
	"fieldpost/report/chart"
	"fieldpost/umpire/share"
)

// Who wants a picture that was drawn a moment ago gets that one; what differs in anything that
// is seen is drawn for itself.
func TestAPictureIsDrawnOnce(t *testing.T) {
	v := opened(t, "kharkov-1942")
	around := chart.CloseUps(v.Board, []hex.Hex{v.Units[0].Hex}, 1)[0]
	frame := func(more func(*chart.Options)) *chart.Picture {
		o := chart.Options{Scale: 40, Frame: around, Colours: mailColours}
		more(&o)
		return chart.Render(v, o)
	}
	same := func(*chart.Options) {}
	k := kept{room: 1 << 20}
	first, err := k.file(frame(same), nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := k.file(frame(same), nil)
	if err != nil {
		t.Fatal(err)
	}
	if &first[0] != &again[0] {
		t.Error("the same picture was drawn twice")
	}
	var png bytes.Buffer
	if err := frame(same).PNG(&png); err != nil || !bytes.Equal(first, png.Bytes()) {
		t.Errorf("the picture that was kept is not the one that is drawn (%v)", err)
	}
	for what, more := range map[string]func(*chart.Options){
		"another note":      func(o *chart.Options) { o.Title = "another" },
		"fewer colours":     func(o *chart.Options) { o.Colours = 8 },
		"no counters":       func(o *chart.Options) { o.Layers = []chart.Layer{chart.LayerFront} },
		"the whole map":     func(o *chart.Options) { o.Frame = chart.Frame{} },
		"another width":     func(o *chart.Options) { o.Scale = 41 },
		"the sheet's paper": func(o *chart.Options) { o.Paper = true },
	} {
		if frame(more).Sum() == frame(same).Sum() {
			t.Errorf("%s: the same sum", what)
		}
	}
	was := frame(same).Sum()
	v.Units[0].Hex = v.Board.Grid.Step(v.Units[0].Hex, 0)
	if frame(same).Sum() == was {
		t.Error("a unit in another hex: the same sum")
	}
}

// The pictures that are kept take no more room than they may; the one wanted longest ago goes.
func TestKeptPicturesAreBounded(t *testing.T) {
	k := kept{room: 30}
	sum := func(n byte) (s [32]byte) { s[0] = n; return s }
	for n := range byte(3) {
		k.add(sum(n), keptFile{data: make([]byte, 10)})
	}
	k.wanted(sum(0))
	k.add(sum(3), keptFile{data: make([]byte, 10)})
	k.add(sum(4), keptFile{data: make([]byte, 31)})
	for n, want := range []bool{true, false, true, true, false} {
		if got := k.wanted(sum(byte(n))) != nil; got != want {
			t.Errorf("picture %d is kept: %v, want %v", n, got, want)
		}
	}
	if k.size != 30 || len(k.files) != 3 || len(k.order) != 3 {
		t.Errorf("%d bytes, %d files, %d in order", k.size, len(k.files), len(k.order))
	}
}

// A club that has much drawn drops its own pictures, not those of the others.
func TestAClubDropsItsOwnPictures(t *testing.T) {
	pool := share.NewPool(1)
	quiet, busy := pool.For(), pool.For()
	k := kept{room: 60}
	k.add([32]byte{1}, keptFile{make([]byte, 10), quiet})
	for n := range byte(20) {
		k.add([32]byte{2, n}, keptFile{make([]byte, 10), busy})
	}
	if k.wanted([32]byte{1}) == nil || k.wanted([32]byte{2, 19}) == nil || k.wanted([32]byte{2, 14}) != nil {
		t.Error("the quiet club's picture is gone, or not the busy one's oldest")
	}
	for n := range byte(3) {
		k.add([32]byte{3, n}, keptFile{make([]byte, 10), quiet})
	}
	if k.of[quiet] != 30 || k.of[busy] != 30 || k.size != 60 || len(k.order) != 6 {
		t.Errorf("the clubs hold %d and %d bytes of %d", k.of[quiet], k.of[busy], k.size)
	}
}
