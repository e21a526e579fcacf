package adjudicator

import (
	"strings"
	"sync"
	"sync/atomic"
)

// Stock is memory for short lists of T, made in large pieces: the inner loops of a system
// fill thousands of lists, each of which would cost an allocation of its own. What was
// taken is never given back; a piece goes when no list in it is used any more. The zero
// value is ready. Several may take at a time: positions that are kept are looked at by many.
type Stock[T any] struct {
	piece atomic.Pointer[piece[T]]
}

// stockPiece is how many a piece of a stock holds.
const stockPiece = 64

// piece is memory of which taken have been given away, or more than there are.
type piece[T any] struct {
	taken atomic.Int64
	list  [stockPiece]T
}

// Take is an empty list with room for n and no more: to append beyond that copies it, as
// it does any list.
func (k *Stock[T]) Take(n int) []T {
	if n > stockPiece {
		return make([]T, 0, n)
	}
	if p := k.piece.Load(); p != nil {
		if end := int(p.taken.Add(int64(n))); end <= stockPiece {
			return p.list[end-n : end-n : end]
		}
	}
	fresh := new(piece[T])
	fresh.taken.Store(int64(n))
	k.piece.Store(fresh)
	return fresh.list[:0:n]
}

// One is the address of a new zero T.
func (k *Stock[T]) One() *T { return &k.Take(1)[:1][0] }

// Texts is memory for strings, made in large pieces like that of a [Stock].
type Texts struct {
	taking sync.Mutex
	piece  strings.Builder
}

// textPiece is how many bytes a piece holds, at the least.
const textPiece = 4096

// Keep is the text as a string.
func (k *Texts) Keep(text []byte) string {
	k.taking.Lock()
	defer k.taking.Unlock()
	if k.piece.Cap()-k.piece.Len() < len(text) {
		k.piece = strings.Builder{} // the strings keep what is in the one before
		k.piece.Grow(max(len(text), textPiece))
	}
	from := k.piece.Len()
	k.piece.Write(text)
	return k.piece.String()[from:]
}
