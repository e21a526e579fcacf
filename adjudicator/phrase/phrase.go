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
	n := 0
	for n < len(r.Words) && !r.stops(n, stop) {
		n++
	}
	out := r.Words[:n]
	r.Words = r.Words[n:]
	return out
}

// stops tells whether a word is one of the stop words, and no part of a name.
func (r *Reader) stops(i int, stop []string) bool {
	w := r.Words[i]
	if !slices.Contains(stop, w.Text) {
		return false
	}
	next := orders.Word{Comma: true}
	if i+1 < len(r.Words) {
		next = r.Words[i+1]
	}
	switch w.Text {
	case "AT": // a type of unit, and a battalion: AT AT/1RIF, HQ AT (AT), HQ AT TO 2112
		nowhere := next.Comma || slices.Contains(stop, next.Text) || next.Text == "HQ" || strings.HasPrefix(next.Text, "(")
		opens := (i == 0 || w.Comma) && !IsNumber(next.Text)
		return !nowhere && !opens
	case "ON": // where the unit stands that is meant: 5K ON 2112
		return !IsNumber(next.Text)
	}
	return true
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
	for part, rest := firstPart(list); len(part) > 0; part, rest = firstPart(rest) {
		these, v := named(part)
		for i, x := range these {
			if v == nil && (slices.Contains(out, x) || slices.Contains(these[:i], x)) {
				v = &rule.Violation{Why: name(x) + " is named twice"}
			}
		}
		if v != nil {
			if v.Col == 0 {
				Blame(v, part[0])
			}
			return nil, v
		}
		if out == nil {
			out = these[:len(these):len(these)] // mostly one name is all
		} else {
			out = append(out, these...)
		}
	}
	return out, nil
}

// Parts splits a list at its commas.
func Parts(list []orders.Word) (out [][]orders.Word) {
	for part, rest := firstPart(list); len(part) > 0; part, rest = firstPart(rest) {
		out = append(out, part)
	}
	return out
}

// firstPart is the list up to its first comma, and what comes behind it.
func firstPart(list []orders.Word) (part, rest []orders.Word) {
	end := min(1, len(list))
	for end < len(list) && !list[end].Comma {
		end++
	}
	return list[:end], list[end:]
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
