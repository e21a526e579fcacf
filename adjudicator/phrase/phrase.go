// Package phrase reads the words of an order as every system does: units in lists
// parted by commas, hexes by number, places by name, where units are to go, conditions,
// and the triggers of a mode. What names there are, and what an order does, is the
// systems' own. It knows no game.
package phrase

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// Reader takes words off the front of an order.
type Reader struct {
	Words []orders.Word // what is left
	all   []orders.Word
}

// New reads a phrase from its first word.
func New(list []orders.Word) Reader { return Reader{list, list} }

// End tells whether no word is left.
func (r *Reader) End() bool { return len(r.Words) == 0 }

// Peek is the next word, "" at the end.
func (r *Reader) Peek() string {
	if r.End() {
		return ""
	}
	return r.Words[0].Text
}

// Next takes the next word, "" at the end.
func (r *Reader) Next() string {
	w := r.Peek()
	if !r.End() {
		r.Words = r.Words[1:]
	}
	return w
}

// Skip takes the next word if it is one of these, and tells whether it was.
func (r *Reader) Skip(any ...string) bool {
	if r.End() || !slices.Contains(any, r.Peek()) {
		return false
	}
	r.Next()
	return true
}

// Take takes the words up to the first of the stop words.
func (r *Reader) Take(stop ...string) []orders.Word {
	n := slices.IndexFunc(r.Words, func(w orders.Word) bool { return slices.Contains(stop, w.Text) })
	if n < 0 {
		n = len(r.Words)
	}
	out := r.Words[:n]
	r.Words = r.Words[n:]
	return out
}

// Back gives the last word back that was taken.
func (r *Reader) Back() { r.Words = r.all[len(r.all)-len(r.Words)-1:] }

// Blame notes in a violation the word that was taken last, if it names none yet.
func (r *Reader) Blame(v *rule.Violation) *rule.Violation {
	switch {
	case v == nil, len(r.all) == 0, v.Col > 0:
		return v
	}
	taken := len(r.all) - len(r.Words)
	return Blame(v, r.all[max(0, taken-1)])
}

// Blame notes in a violation the word that it is about.
func Blame(v *rule.Violation, w orders.Word) *rule.Violation {
	v.Line, v.Col = w.Pos.Line, w.Pos.Col
	return v
}

// Join writes words with blanks between them.
func Join(list []orders.Word) string {
	if len(list) == 1 {
		return list[0].Text
	}
	var room [64]byte
	b := room[:0]
	for i, w := range list {
		if i > 0 {
			b = append(b, ' ')
		}
		b = append(b, w.Text...)
	}
	return string(b)
}

// Each reads a list of names parted by commas: what each name means, each thing
// once. A violation has the column of the name that it is about.
func Each[T comparable](list []orders.Word, named func([]orders.Word) ([]T, *rule.Violation), name func(T) string) ([]T, *rule.Violation) {
	if len(list) == 0 {
		return nil, &rule.Violation{Why: "no unit is named"}
	}
	var out []T
	for _, part := range Parts(list) {
		these, v := named(part)
		for _, x := range these {
			if v == nil && slices.Contains(out, x) {
				v = &rule.Violation{Why: name(x) + " is named twice"}
			}
			out = append(out, x)
		}
		if v != nil {
			if v.Col == 0 {
				Blame(v, part[0])
			}
			return nil, v
		}
	}
	return out, nil
}

// Parts splits a list at its commas.
func Parts(list []orders.Word) (out [][]orders.Word) {
	for start := 0; start < len(list); {
		end := start + 1
		for end < len(list) && !list[end].Comma {
			end++
		}
		out = append(out, list[start:end])
		start = end
	}
	return out
}

// Hex reads the number of a hex on the map.
func Hex(b *board.Board, text string) (hex.Hex, *rule.Violation) {
	h, err := hex.Parse(text)
	if err != nil {
		return hex.None, &rule.Violation{Why: err.Error()}
	}
	if !b.On(h) {
		g := b.Grid
		return hex.None, &rule.Violation{Why: fmt.Sprintf("hex %v is not on the map", h),
			Instead: fmt.Sprintf("Columns run from %02d to %02d, rows from %02d to %02d.", g.ColMin, g.ColMax, g.RowMin, g.RowMax)}
	}
	return h, nil
}

// Place reads the number of a hex, or the name, of up to three words, of a place of
// one hex. The blanks of a name may be written as low dashes.
func Place(b *board.Board, r *Reader) (hex.Hex, *rule.Violation) {
	if r.End() {
		return hex.None, &rule.Violation{Why: "a hex is missing at the end of the order"}
	}
	w := r.Peek()
	if strings.IndexByte(digits, w[0]) >= 0 {
		return Hex(b, r.Next())
	}
	for n := min(3, len(r.Words)); n > 0; n-- {
		p := b.Named(strings.ReplaceAll(Join(r.Words[:n]), "_", " "))
		if p == nil {
			continue
		}
		r.Words = r.Words[n:]
		if len(p.Hexes) > 1 {
			return hex.None, &rule.Violation{Why: fmt.Sprintf("%s has %d hexes: %v", p.Name, len(p.Hexes), p.Hexes), Instead: "Name one of them."}
		}
		return p.Hexes[0], nil
	}
	r.Next() // it is the word to blame
	return hex.None, &rule.Violation{Why: fmt.Sprintf("%q is neither a hex nor a place of this map", w)}
}

// AtHex is the hex behind the first AT of an order that is followed by one, hex.None
// if there is none.
func AtHex(o orders.Order) hex.Hex {
	for _, c := range o.Clauses {
		for i, w := range c {
			if w.Text != "AT" || i+1 == len(c) {
				continue
			}
			number := c[i+1].Text
			if end := strings.IndexAny(number, "-/"); end >= 0 {
				number = number[:end]
			}
			if h, err := hex.Parse(number); err == nil {
				return h
			}
		}
	}
	return hex.None
}
