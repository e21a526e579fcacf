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

// Place reads a hex as reports print it: its number, the name of a place of one hex, or
// one of the two with the other in brackets behind it, as 1705 (Ternowaja). The blanks
// of a name may be written as low dashes.
func Place(b *board.Board, r *Reader) (hex.Hex, *rule.Violation) {
	if r.End() {
		return hex.None, &rule.Violation{Why: "a hex is missing at the end of the order"}
	}
	w := r.Peek()
	if hex.AllDigits(w[:1]) {
		h, v := Hex(b, r.Next())
		if v == nil {
			v = r.sameHex(b, h)
		}
		return h, v
	}
	if p := r.place(b); p != nil {
		return r.hexOf(b, p)
	}
	near := nearPlaces(b, r.Words)
	r.Next() // it is the word to blame
	return hex.None, &rule.Violation{Why: fmt.Sprintf("%q is neither a hex nor a place of this map", w), Instead: orders.DidYouMean(near)}
}

// Area reads a part of the map: a hex as Place does, or all hexes of a place that has more.
func Area(b *board.Board, r *Reader) ([]hex.Hex, *rule.Violation) {
	ahead := *r
	if p := ahead.place(b); p != nil && ahead.End() {
		*r = ahead
		return p.Hexes, nil
	}
	h, v := Place(b, r)
	return []hex.Hex{h}, v
}

// mostWords is how many words the name of a place has at the most.
const mostWords = 4

// place takes the longest name of a place off the front, nil if none stands there. A name
// as it is printed goes before one that is spelt in another way.
func (r *Reader) place(b *board.Board) *board.Place {
	for _, named := range []func(*board.Board, string) *board.Place{(*board.Board).Named, placeFolded} {
		for n := min(mostWords, len(r.Words)); n > 0; n-- {
			if p := named(b, strings.ReplaceAll(Join(r.Words[:n]), "_", " ")); p != nil {
				r.Words = r.Words[n:]
				return p
			}
		}
	}
	return nil
}

// placeFolded is the place of a name in any spelling of it, nil for none.
func placeFolded(b *board.Board, name string) *board.Place {
	if strings.ContainsAny(name, "()") {
		return nil // they part names
	}
	key := Fold(name)
	if key == "" {
		return nil
	}
	for i := range b.Places {
		p := &b.Places[i]
		if Fold(p.Name) == key || slices.ContainsFunc(p.Alt, func(alt string) bool { return Fold(alt) == key }) {
			return p
		}
	}
	return nil
}

// brackets takes words in brackets off the front, "" if none stand there.
func (r *Reader) brackets() string {
	if !strings.HasPrefix(r.Peek(), "(") {
		return ""
	}
	for n := 1; n <= min(mostWords, len(r.Words)); n++ {
		if inside, closed := strings.CutSuffix(Join(r.Words[:n]), ")"); closed {
			r.Words = r.Words[n:]
			return strings.TrimPrefix(inside, "(")
		}
	}
	return ""
}

// sameHex reads the name of a place behind the number of its hex, if one stands there.
func (r *Reader) sameHex(b *board.Board, h hex.Hex) *rule.Violation {
	name := r.brackets()
	if name == "" {
		return nil
	}
	inside := New([]orders.Word{{Text: name}})
	p := inside.place(b)
	switch {
	case p == nil:
		return &rule.Violation{Why: fmt.Sprintf("%q is not a place of this map", name), Instead: orders.DidYouMean(nearPlaces(b, inside.Words))}
	case !slices.Contains(p.Hexes, h):
		return &rule.Violation{Why: fmt.Sprintf("%s is not on %v", p.Name, h), Instead: fmt.Sprintf("It is on %v.", either(numbers(p.Hexes)))}
	}
	return nil
}

// hexOf is the hex of a place whose name was taken: the number in brackets behind it, or
// its only one.
func (r *Reader) hexOf(b *board.Board, p *board.Place) (hex.Hex, *rule.Violation) {
	if number := r.brackets(); number != "" {
		h, v := Hex(b, number)
		if v == nil && !slices.Contains(p.Hexes, h) {
			v = &rule.Violation{Why: fmt.Sprintf("%s is not on %v", p.Name, h), Instead: fmt.Sprintf("It is on %v.", either(numbers(p.Hexes)))}
		}
		return h, v
	}
	if len(p.Hexes) > 1 {
		return hex.None, &rule.Violation{Why: fmt.Sprintf("%s has %d hexes", p.Name, len(p.Hexes)), Instead: fmt.Sprintf("Name one of them: %s.", either(numbers(p.Hexes)))}
	}
	return p.Hexes[0], nil
}

func numbers(list []hex.Hex) (out []string) {
	for _, h := range list {
		out = append(out, h.String())
	}
	return out
}

// nearPlaces are the names of the places that words may have been meant for, at most
// three.
func nearPlaces(b *board.Board, words []orders.Word) (out []string) {
	var texts, folded, names []string
	for n := min(mostWords, len(words)); n > 0; n-- {
		texts = append(texts, Fold(Join(words[:n])))
	}
	for _, p := range b.Places {
		for _, name := range append([]string{p.Name}, p.Alt...) {
			folded, names = append(folded, Fold(name)), append(names, p.Name)
		}
	}
	for _, i := range orders.Nearest(texts, folded) {
		if len(out) < orders.MostNear && !slices.Contains(out, names[i]) {
			out = append(out, names[i])
		}
	}
	return out
}
