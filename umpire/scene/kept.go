package scene

import (
	"bytes"
	"crypto/sha256"
	"sync"

	"fieldpost/report/chart"
)

// lately are the pictures that were drawn last. What several commanders of a side, a report
// that is sent again, an archive and a page share is so drawn once.
var lately = kept{room: 16 << 20}

// kept are drawn pictures by all that they show, up to a number of bytes; those that were
// wanted longest ago go first.
type kept struct {
	mu    sync.Mutex
	room  int
	size  int
	files map[[sha256.Size]byte][]byte
	order [][sha256.Size]byte // the one wanted last at the end
}

// Keep bounds the bytes of the drawn pictures that are kept for the next who wants the same, and
// forgets those that are; 0 has every picture drawn. It says what the bound was.
func Keep(room int) (was int) {
	lately.mu.Lock()
	defer lately.mu.Unlock()
	was, lately.room, lately.size, lately.files, lately.order = lately.room, room, 0, nil, nil
	return was
}

// file is a picture as a PNG. Nobody may write into what it returns.
func (k *kept) file(p *chart.Picture) ([]byte, error) {
	sum := p.Sum()
	if got := k.wanted(sum); got != nil {
		return got, nil
	}
	var png bytes.Buffer
	if err := p.PNG(&png); err != nil {
		return nil, err
	}
	k.add(sum, png.Bytes())
	return png.Bytes(), nil
}

func (k *kept) wanted(sum [sha256.Size]byte) []byte {
	k.mu.Lock()
	defer k.mu.Unlock()
	got := k.files[sum]
	if got != nil {
		k.moveToEnd(sum)
	}
	return got
}

func (k *kept) moveToEnd(sum [sha256.Size]byte) {
	for i, s := range k.order {
		if s == sum {
			k.order = append(append(k.order[:i:i], k.order[i+1:]...), sum)
			return
		}
	}
}

func (k *kept) add(sum [sha256.Size]byte, file []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.files[sum] != nil || len(file) > k.room {
		return
	}
	if k.files == nil {
		k.files = map[[sha256.Size]byte][]byte{}
	}
	k.files[sum], k.order, k.size = file, append(k.order, sum), k.size+len(file)
	for k.size > k.room {
		oldest := k.order[0]
		k.size -= len(k.files[oldest])
		delete(k.files, oldest)
		k.order = k.order[1:]
	}
}
