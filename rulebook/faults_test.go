package rulebook

import (
	"fmt"
	"slices"
	"strings"
)

// Faults lists what is wrong between index, code and cases: clauses cited or
// asserted that no book has, and clauses said to be played that nothing cites.
func (b *Book) Faults(s Sources) []string {
	var out []string
	for _, c := range s.Citations {
		if !known(b.Clauses, c.Number) {
			out = append(out, fmt.Sprintf("%s cites %s %s, which no book has (%s)", c.File, b.Name, c.Number, c.Where))
		}
	}
	for number, where := range s.Named {
		if !known(b.Clauses, number) {
			out = append(out, fmt.Sprintf("%s names %s %s, which no book has", where, b.Name, number))
		}
	}
	for _, k := range b.Cases {
		for _, n := range k.Clauses {
			if len(meant(b.Clauses, n)) == 0 {
				out = append(out, fmt.Sprintf("%s:%d: case %s asserts %s, which no book has", k.File, k.Line, k.Number, n))
			}
		}
	}
	linked := &Book{Name: b.Name, Clauses: b.Clauses, Citations: s.Citations, Cases: b.Cases, books: b.books}
	for _, l := range linked.Links() {
		if l.Status == Yes && len(l.CitedBy) == 0 {
			out = append(out, fmt.Sprintf("clauses.txt:%d: %s is said to be played, and no code cites it", l.Line, l.Number))
		}
	}
	slices.Sort(out)
	return out
}

// Unasserted lists the clauses that are played and that no case asserts.
func (b *Book) Unasserted() []Link {
	return slices.DeleteFunc(b.Links(), func(l Link) bool { return l.Status != Yes || len(l.AssertedBy) > 0 })
}

// known tells whether the books have the number, or a section of it.
func known(clauses []Clause, number string) bool {
	return slices.ContainsFunc(clauses, func(c Clause) bool {
		return c.Number == number || strings.HasPrefix(c.Number, number+"/") || strings.HasPrefix(c.Number, number+".")
	})
}
