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

// Army is the units that a player may name, as their system knows them.
type Army[U comparable] interface {
	// Roll is what they are called.
	Roll() *Roll
	// Unit is the unit of an id, lost or not; false if the player has none in this game.
	Unit(id string) (u U, found bool)
	// ID is a unit's id, Hex where it stands, None off the map, and Lost whether it has
	// left the game.
	ID(u U) string
	Hex(u U) hex.Hex
	Lost(u U) bool
	// Whole is the unit whose whole name it is, alone in a list, and an empty one if there is none.
	Whole(name string) []U
	// Meant is whom a name means that the roll does not know, or not so well: its
	// readings, the strictest first.
	Meant(name string) []Reading[U]
	// At are the units on a hex that ALL AT means.
	At(h hex.Hex) []U
	// Barred is why the player cannot give a unit orders, nil if they can.
	Barred(u U) *rule.Violation
}

// Reading is the units that a name means in one way of reading it.
type Reading[U any] struct {
	Units []U
	Group bool // the name is theirs together; else it must be one unit's
}

// Units reads a list of units parted by commas: every form of their names, beginnings of
// names that only one unit has, names of formations, and ALL AT a hex; and those of one
// formation as Together writes them. Each unit is named once.
func Units[U comparable](a Army[U], b *board.Board, list []orders.Word) ([]U, *rule.Violation) {
	named := func(item []orders.Word) ([]U, *rule.Violation) {
		us, v := unitsOf(a, b, item)
		if v != nil {
			return nil, v
		}
		for _, u := range us {
			if v := a.Barred(u); v != nil {
				return nil, v
			}
		}
		return us, nil
	}
	return Each(apart(list), named, func(u U) string { return a.Roll().Form(a.ID(u), Named) })
}

// One reads the name of a single unit.
func One[U comparable](a Army[U], b *board.Board, list []orders.Word) (one U, v *rule.Violation) {
	us, v := Units(a, b, list)
	switch {
	case v != nil:
		return one, v
	case len(us) != 1:
		return one, &rule.Violation{Why: fmt.Sprintf("%s names %d units", Join(list), len(us)), Instead: "Name one."}
	}
	return us[0], nil
}

// Find is the one unit that a name means in any of its forms, false if it means none, or
// several.
func Find[U comparable](a Army[U], b *board.Board, name string) (u U, found bool) {
	q := search[U]{a, hex.None}
	name, v := q.standing(b, asWords(name))
	if v != nil {
		return u, false
	}
	us, clear := q.find(name)
	if !clear || len(us) != 1 {
		return u, false
	}
	return us[0], true
}

// Sought are the ids of the units that a name means, in any of its forms, and where it means
// none those of forms that it may have been meant for.
func Sought[U comparable](a Army[U], b *board.Board, name string) (ids, near []string) {
	q := search[U]{a, hex.None}
	name, v := q.standing(b, asWords(name))
	if v != nil {
		return nil, nil
	}
	us, _ := q.find(name)
	for _, u := range us {
		ids = append(ids, a.ID(u))
	}
	if len(ids) == 0 {
		near = q.near(name)
	}
	return ids, near
}

// asWords are the words of a name.
func asWords(name string) []orders.Word {
	texts := strings.Fields(name)
	words := make([]orders.Word, len(texts))
	for i, text := range texts {
		words[i].Text = text
	}
	return words
}

// unitsOf are the units that one item of a list means.
func unitsOf[U comparable](a Army[U], b *board.Board, item []orders.Word) ([]U, *rule.Violation) {
	if IsAllAt(item) {
		r := New(item[2:])
		h, v := Place(b, &r)
		if v == nil && !r.End() {
			v = Blame(Unexpected(r.Peek(), "here"), r.Words[0])
		}
		if v != nil {
			return nil, v
		}
		us := a.At(h)
		if len(us) == 0 {
			return nil, &rule.Violation{Why: fmt.Sprintf("no unit of yours that could act stands on %v", h)}
		}
		return us, nil
	}
	q := search[U]{a, hex.None}
	name, v := q.standing(b, item)
	if v != nil {
		return nil, v
	}
	us, clear := q.find(name)
	switch {
	case clear:
		return us, nil
	case len(us) > 0:
		return nil, q.doubt(name, us)
	case q.at != hex.None:
		if us, _ := (search[U]{a, hex.None}).find(name); len(us) > 0 {
			return nil, &rule.Violation{Why: fmt.Sprintf("%s does not stand on %v", name, q.at)}
		}
	}
	return nil, &rule.Violation{Why: "you have no unit " + name, Instead: orders.DidYouMean(q.near(name))}
}

// clear tells whether the reading leaves no doubt.
func (m Reading[U]) clear() bool { return len(m.Units) == 1 || m.Group && len(m.Units) > 0 }

// IsAllAt tells whether a list of units is ALL AT and a hex, and no more.
func IsAllAt(item []orders.Word) bool {
	if len(item) < 3 || item[0].Text != "ALL" || item[1].Text != "AT" {
		return false
	}
	return !slices.ContainsFunc(item[1:], func(w orders.Word) bool { return w.Comma })
}

// Foreign refuses an order for a unit that another commander of the side leads. leads
// names that commander, by the unit's id; nil where nobody else leads any.
func Foreign(leads func(id string) string, id, name string) *rule.Violation {
	if leads == nil {
		return nil
	}
	if by := leads(id); by != "" {
		return rule.NotYours(name, by)
	}
	return nil
}
