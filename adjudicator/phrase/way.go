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

// Way reads where units are to go into the fields of an order: hex by hex, as
// 2206-2306-2307, or TO a hex by the cheapest way, VIA others.
type Way struct {
	Board *board.Board
	Stop  []string // the words of the order that may follow VIA and its hexes
	To    *hex.Hex
	Via   *[]hex.Hex
	Path  *[]hex.Hex
}

// anyPath is how refusals call a path.
const anyPath = "a path such as 2206-2306"

// Clause reads what belongs to a word that was taken, and tells whether it is one of a
// way at all.
func (y Way) Clause(w string, r *Reader) (own bool, v *rule.Violation) {
	switch {
	case w == "TO":
		*y.To, v = Place(y.Board, r)
	case w == "VIA":
		*y.Via, v = Places(y.Board, *y.Via, r, y.Stop...)
	case IsPath(w):
		*y.Path, v = path(y.Board, *y.Path, w)
	default:
		return false, nil
	}
	return true, v
}

// Astray refuses a word that begins no part of a movement, which may have other parts
// than its way.
func Astray(w string, parts ...string) *rule.Violation {
	return Unexpected(w, "here", slices.Concat([]string{"TO and a hex", "VIA"}, parts, []string{anyPath})...)
}

// Fault refuses a way that is written in two manners, or half. ends tells that the order
// says by other words where the way ends.
func (y Way) Fault(ends bool) *rule.Violation {
	switch {
	case len(*y.Path) > 0 && (*y.To != hex.None || len(*y.Via) > 0):
		return &rule.Violation{Why: "a path hex by hex and a goal with TO or VIA exclude each other"}
	case len(*y.Via) > 0 && *y.To == hex.None && !ends:
		return &rule.Violation{Why: "VIA needs a goal: TO and a hex"}
	}
	return nil
}

// Nowhere refuses an order to go that does not say where to.
func Nowhere() *rule.Violation {
	return &rule.Violation{Why: "the order does not say where to", Instead: "Write TO and a hex, or " + anyPath + "."}
}

// TooNew refuses a word of a later version of the rules than the one that the game was begun under.
func TooNew(word string, version, begun int) *rule.Violation {
	return &rule.Violation{Why: fmt.Sprintf("%s came with version %d of the rules, and this game was begun under version %d", word, version, begun)}
}

// Unexpected refuses a word, saying where it stands and what was expected there.
func Unexpected(w, where string, expected ...string) *rule.Violation {
	v := &rule.Violation{Why: fmt.Sprintf("%q is not understood %s", w, where)}
	if len(expected) == 0 {
		return v
	}
	v.Instead = "Expected " + either(expected) + "."
	var words []string
	for _, phrase := range expected {
		first, _, _ := strings.Cut(phrase, " ")
		words = append(words, first)
	}
	if near := orders.Near(w, words); len(near) > 0 {
		v.Instead = orders.DidYouMean(near) + " " + v.Instead
	}
	return v
}

// Misspelt asks for the verb that one of the words may have been meant for, where none of
// them is one: "Did you mean ENTRENCH? " before what else is advised; "" for none. Shorter
// words are more likely parts of names.
func Misspelt(words []orders.Word, verbs ...string) string {
	const shortest = 4
	for _, w := range words {
		if near := orders.Near(w.Text, verbs); len(w.Text) >= shortest && len(near) > 0 {
			return orders.DidYouMean(near) + " "
		}
	}
	return ""
}

// Names takes the names of units off the front of an order: all up to the first of the
// stop words, or to a path.
func (r *Reader) Names(stop ...string) []orders.Word {
	n := 0
	for n < len(r.Words) && !IsPath(r.Words[n].Text) && !r.stops(n, stop) {
		n++
	}
	list := r.Words[:n]
	r.Words = r.Words[n:]
	return list
}

// Places reads hexes and places, to stand behind those of a list, up to the first of the
// stop words.
func Places(b *board.Board, list []hex.Hex, r *Reader, stop ...string) ([]hex.Hex, *rule.Violation) {
	for !r.End() && !slices.Contains(stop, r.Peek()) {
		h, v := Place(b, r)
		if v != nil {
			return list, v
		}
		list = append(list, h)
	}
	return list, nil
}

// path reads a path such as 2206-2306, to go on from what is written of it already.
func path(b *board.Board, list []hex.Hex, w string) ([]hex.Hex, *rule.Violation) {
	list = slices.Grow(list, strings.Count(w, "-")+1)
	for more := true; more; {
		var number string
		number, w, more = strings.Cut(w, "-")
		h, v := Hex(b, number)
		if v != nil {
			return list, v
		}
		list = append(list, h)
	}
	return list, nil
}

// IsPath tells whether a word is hexes joined by dashes.
func IsPath(w string) bool {
	number, rest, more := strings.Cut(w, "-")
	if !more {
		return false
	}
	for more && IsNumber(number) {
		number, rest, more = strings.Cut(rest, "-")
	}
	return IsNumber(number)
}

// IsNumber tells whether a word is written as hexes are: with three or four digits.
func IsNumber(w string) bool {
	if len(w) != 3 && len(w) != 4 {
		return false
	}
	return hex.AllDigits(w)
}

// Hexside reads a hexside of the map, such as 2104/2204, and which of its hexes is
// written first.
func Hexside(b *board.Board, r *Reader) (e hex.Edge, first hex.Hex, v *rule.Violation) {
	w := r.Next()
	e, err := hex.ParseEdge(w)
	if err != nil {
		return e, first, &rule.Violation{Why: err.Error()}
	}
	for _, h := range []hex.Hex{e.A, e.B} {
		if _, v := Hex(b, h.String()); v != nil {
			return e, first, v
		}
	}
	if !b.Grid.Adjacent(e.A, e.B) {
		return e, first, &rule.Violation{Why: fmt.Sprintf("%v and %v are not neighbours", e.A, e.B)}
	}
	if first = e.A; strings.HasPrefix(w, e.B.String()) {
		first = e.B
	}
	return e, first, nil
}
