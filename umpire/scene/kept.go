package scene

import (
	"bytes"
	"crypto/sha256"
	"maps"
	"slices"
	"sync"

	"fieldpost/report/chart"
	"fieldpost/umpire/share"
)

// lately are the pictures that were drawn last. What several commanders of a side, a report
// that is sent again, an archive and a page share is so drawn once.
var lately = kept{room: 16 << 20}

// kept are drawn pictures by all that they show, up to a number of bytes. Where there are too many,
// the club goes short that holds the most, of what it wanted longest ago.
type kept struct {
	mu    sync.Mutex
	room  int
	size  int
	of    map[*share.Share]int // bytes that each club holds
	files map[[sha256.Size]byte]keptFile
	order [][sha256.Size]byte // the one wanted last at the end
}

// keptFile is a picture, and the club for which it was drawn.
type keptFile struct {
	data []byte
	of   *share.Share
}

// Keep bounds the bytes of the drawn pictures that are kept for the next who wants the same, and
// forgets those that are; 0 has every picture drawn. It says what the bound was.
func Keep(room int) (was int) {
	lately.mu.Lock()
	defer lately.mu.Unlock()
	was, lately.room, lately.size, lately.of, lately.files, lately.order = lately.room, room, 0, nil, nil, nil
	return was
}

// file is a picture as a PNG, drawn for a club. Nobody may write into what it returns.
func (k *kept) file(p *chart.Picture, of *share.Share) ([]byte, error) {
	sum := p.Sum()
	if got := k.wanted(sum); got != nil {
		return got, nil
	}
	var png bytes.Buffer
	if err := p.PNG(&png); err != nil {
		return nil, err
	}
	k.add(sum, keptFile{png.Bytes(), of})
	return png.Bytes(), nil
}

func (k *kept) wanted(sum [sha256.Size]byte) []byte {
	k.mu.Lock()
	defer k.mu.Unlock()
	got, is := k.files[sum]
	if is {
		k.moveToEnd(sum)
	}
	return got.data
}

func (k *kept) moveToEnd(sum [sha256.Size]byte) {
	for i, s := range k.order {
		if s == sum {
			k.order = append(append(k.order[:i:i], k.order[i+1:]...), sum)
			return
		}
	}
}

func (k *kept) add(sum [sha256.Size]byte, f keptFile) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, is := k.files[sum]; is || len(f.data) > k.room {
		return
	}
	if k.files == nil {
		k.files, k.of = map[[sha256.Size]byte]keptFile{}, map[*share.Share]int{}
	}
	k.files[sum], k.order = f, append(k.order, sum)
	k.size += len(f.data)
	k.of[f.of] += len(f.data)
	for k.size > k.room {
		k.shrink()
	}
}

// shrink drops the oldest picture of the club that holds the most.
func (k *kept) shrink() {
	for i, sum := range k.order {
		f := k.files[sum]
		if k.of[f.of] < slices.Max(slices.Collect(maps.Values(k.of))) {
			continue
		}
		k.order = append(k.order[:i:i], k.order[i+1:]...)
		delete(k.files, sum)
		k.size -= len(f.data)
		if k.of[f.of] -= len(f.data); k.of[f.of] == 0 {
			delete(k.of, f.of)
		}
		return
	}
}
