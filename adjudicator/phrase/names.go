package phrase

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// Army is the units that a player may name, as their system knows them.
type Army[U comparable] interface {
	// Whole is the unit whose whole name it is.
	Whole(name string) (u U, found bool)
	// Meant is whom a name could mean that is nobody's whole name: its readings, the
	// strictest first.
	Meant(name string) []Reading[U]
	// At are the units on a hex that ALL AT means.
	At(h hex.Hex) []U
	// Near is the unit whose name differs least from one that nobody has.
	Near(name string) (u U, found bool)
	// Name is a unit's name, and Shown what it is called where there are several to
	// choose from.
	Name(u U) string
	Shown(u U) string
	// Barred is why the player cannot give a unit orders, nil if they can.
	Barred(u U) *rule.Violation
}

// Reading is the units that a name means in one way of reading it.
type Reading[U any] struct {
	Units []U
	Group bool // the name is theirs together; else it must be one unit's
}

// Units reads a list of units parted by commas: names, beginnings of names that only one
// unit has, names of formations, and ALL AT a hex. Each unit is named once.
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
	return Each(list, named, a.Name)
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
	name := Join(item)
	if u, found := a.Whole(name); found {
		return []U{u}, nil
	}
	readings := a.Meant(name)
	for _, m := range readings {
		if m.clear() {
			return m.Units, nil
		}
	}
	for _, m := range readings {
		if len(m.Units) > 0 {
			return nil, &rule.Violation{Why: fmt.Sprintf("%s may be %s", name, shown(a, m.Units)), Instead: "Write the whole name."}
		}
	}
	v := &rule.Violation{Why: "you have no unit " + name}
	if near, found := a.Near(name); found {
		v.Instead = "Did you mean " + a.Shown(near) + "?"
	}
	return nil, v
}

// clear tells whether the reading leaves no doubt.
func (m Reading[U]) clear() bool { return len(m.Units) == 1 || m.Group && len(m.Units) > 0 }

// mostShown is how many units a refusal offers at the most.
const mostShown = 6

// shown lists units to choose from.
func shown[U comparable](a Army[U], us []U) string {
	var names []string
	for i, u := range us {
		if i == mostShown {
			names = append(names, fmt.Sprintf("%d more", len(us)-i))
			break
		}
		names = append(names, a.Shown(u))
	}
	return strings.Join(names, ", ")
}

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

// distance is the number of letters to change, insert or drop between two names.
func distance(a, b string) int {
	row := append(make([]int, 0, 32), make([]int, len(b)+1)...)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		prev := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := prev
			if a[i] != b[j] {
				cost = 1 + min(prev, row[j], row[j+1])
			}
			prev, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

// Nearest is what the name that differs least from a wanted one belongs to; false if
// none is near, that is by fewer than three letters.
func Nearest[T any](want string, names iter.Seq2[string, T]) (best T, found bool) {
	score := 3
	for n, x := range names {
		if max(len(n)-len(want), len(want)-len(n)) >= score {
			continue // so many letters more or fewer
		}
		if d := distance(n, want); d < score {
			best, score, found = x, d, true
		}
	}
	return best, found
}
