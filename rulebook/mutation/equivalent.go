package mutation

import (
	"fmt"
	"slices"
	"strings"
)

// Equivalents are the changes that no numbered case could notice, each with the reason why.
// They stand in testdata/equivalent.tsv of the system, a line each: place, operator, change,
// reason, parted by tabs. A star for the operator or the change stands for all of them.
type Equivalents []equivalent

type equivalent struct {
	place    string
	operator Operator
	change   string
	why      string
	line     int
}

// ReadEquivalents reads the list of a system.
func ReadEquivalents(text string) (Equivalents, error) {
	var out Equivalents
	n := 0
	for l := range strings.Lines(text) {
		n++
		if l = strings.TrimRight(l, "\n"); l == "" || strings.HasPrefix(l, "#") {
			continue
		}
		f := strings.Split(l, "\t")
		if len(f) != 4 || strings.TrimSpace(f[3]) == "" {
			return nil, fmt.Errorf("equivalent.tsv:%d: a line has a place, an operator, a change and a reason", n)
		}
		out = append(out, equivalent{f[0], Operator(f[1]), f[2], f[3], n})
	}
	return out, nil
}

func (e equivalent) fits(m Mutant) bool {
	return e.place == m.Place() && (e.operator == anything || e.operator == m.Operator) && (e.change == anything || e.change == m.Change)
}

// whole tells whether the entry stands for more than one change.
func (e equivalent) whole() bool { return e.operator == anything || e.change == anything }

const anything = "*"

// of is the entry of a mutant, if the list has it.
func (list Equivalents) of(m Mutant) (equivalent, bool) {
	i := slices.IndexFunc(list, func(e equivalent) bool { return e.fits(m) })
	if i < 0 {
		return equivalent{}, false
	}
	return list[i], true
}

// Idle lists the entries that fit no mutant any more.
func (list Equivalents) Idle(mutants []Mutant) (out []string) {
	for _, e := range list {
		if !slices.ContainsFunc(mutants, e.fits) {
			out = append(out, fmt.Sprintf("equivalent.tsv:%d: there is no such change of %s: %s", e.line, e.place, e.change))
		}
	}
	return out
}
