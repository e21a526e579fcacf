package adjudicator

import "strings"

// Stock is memory for short lists of T, made in large pieces: the inner loops of a system
// fill thousands of lists, each of which would cost an allocation of its own. What was
// taken is never given back; a piece goes when no list in it is used any more. The zero
// value is ready. Only one may take at a time: who looks at a position that others look at
// as well has a stock of their own.
type Stock[T any] struct {
	left []T // of the piece
}

// stockPiece is how many a piece of a stock holds.
const stockPiece = 64

// Take is an empty list with room for n and no more: to append beyond that copies it, as
// it does any list.
func (k *Stock[T]) Take(n int) []T {
	if n > len(k.left) {
		if n > stockPiece {
			return make([]T, 0, n)
		}
		k.left = make([]T, stockPiece)
	}
	list := k.left[:0:n]
	k.left = k.left[n:]
	return list
}

// One is the address of a new zero T.
func (k *Stock[T]) One() *T { return &k.Take(1)[:1][0] }

// Texts is memory for strings, made in large pieces like that of a [Stock].
type Texts struct{ piece strings.Builder }

// textPiece is how many bytes a piece holds, at the least.
const textPiece = 4096

// Keep is the text as a string.
func (k *Texts) Keep(text []byte) string {
	if k.piece.Cap()-k.piece.Len() < len(text) {
		k.piece = strings.Builder{} // the strings keep what is in the one before
		k.piece.Grow(max(len(text), textPiece))
	}
	from := k.piece.Len()
	k.piece.Write(text)
	return k.piece.String()[from:]
}
