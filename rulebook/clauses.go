// Package rules makes a rulebook traceable: it reads the index of its clauses,
// the comments in the code that cite them, and the numbered cases that assert
// them, and prints what follows from the three.
package rulebook

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Status says whether a clause is played.
type Status string

// The statuses of a clause.
const (
	Yes       Status = "yes"
	NotYet    Status = "not-yet"
	Cardboard Status = "cardboard"
)

// Clause is a line of a clause index.
type Clause struct {
	Number string // "5.3.7", "1.5/1", "5.2.1/a"
	Books  string // "all" or "NY,KU"
	Status Status
	Words  string
	Reason string // of cardboard
	Line   int
}

// Chapter is the first part of the number.
func (c Clause) Chapter() int { return chapterOf(c.Number) }

func chapterOf(number string) int {
	head, _, _ := strings.Cut(number, ".")
	n, _ := strconv.Atoi(head)
	return n
}

var (
	numberForm = regexp.MustCompile(`^\d+(\.\d+)+(/\w+)?$`)
	bookForm   = regexp.MustCompile(`^(all|(KH|NY|KU)(,(KH|NY|KU))*)$`)
)

// ReadClauses reads a clause index. Its error lists everything that is wrong.
func ReadClauses(text string) ([]Clause, error) {
	var out []Clause
	var errs []error
	for i, l := range strings.Split(text, "\n") {
		if l = strings.TrimSpace(l); l == "" || strings.HasPrefix(l, "#") {
			continue
		}
		c, err := readClause(l)
		c.Line = i + 1
		if err == nil {
			err = follows(out, c)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("clauses.txt:%d: %w", i+1, err))
			continue
		}
		out = append(out, c)
	}
	return out, errors.Join(errs...)
}

func readClause(l string) (Clause, error) {
	f := strings.Fields(l)
	if len(f) < 4 {
		return Clause{}, errors.New("a line has a number, books, a status and words")
	}
	c := Clause{Number: f[0], Books: f[1], Status: Status(f[2])}
	c.Words, c.Reason, _ = strings.Cut(strings.Join(f[3:], " "), " -- ")
	switch {
	case !numberForm.MatchString(c.Number):
		return c, fmt.Errorf("%q is not a number of a clause", c.Number)
	case !bookForm.MatchString(c.Books):
		return c, fmt.Errorf("%q are no books: all, or KH, NY, KU with commas", c.Books)
	case c.Status != Yes && c.Status != NotYet && c.Status != Cardboard:
		return c, fmt.Errorf("%q is no status: yes, not-yet or cardboard", c.Status)
	case (c.Status == Cardboard) != (c.Reason != ""):
		return c, errors.New("cardboard, and nothing else, ends in \" -- \" and a reason")
	}
	return c, nil
}

// follows checks that the line stands in its place and says nothing twice.
func follows(before []Clause, c Clause) error {
	for _, b := range before {
		if b.Number == c.Number && sharesBook(b.Books, c.Books) {
			return fmt.Errorf("%s is there already, in line %d", c.Number, b.Line)
		}
	}
	if n := len(before); n > 0 && compareNumbers(before[n-1].Number, c.Number) > 0 {
		return fmt.Errorf("%s stands after %s", c.Number, before[n-1].Number)
	}
	return nil
}

// sharesBook tells whether two lists of books have one in common.
func sharesBook(a, b string) bool {
	if a == "all" || b == "all" {
		return true
	}
	return slices.ContainsFunc(strings.Split(a, ","), func(book string) bool { return strings.Contains(b, book) })
}

// compareNumbers orders clauses as a book does.
func compareNumbers(a, b string) int {
	headA, tailA, _ := strings.Cut(a, "/")
	headB, tailB, _ := strings.Cut(b, "/")
	return cmp.Or(slices.CompareFunc(strings.Split(headA, "."), strings.Split(headB, "."), compareParts), compareParts(tailA, tailB))
}

func compareParts(a, b string) int {
	m, errA := strconv.Atoi(a)
	n, errB := strconv.Atoi(b)
	if errA == nil && errB == nil {
		return m - n
	}
	return strings.Compare(a, b)
}

// meant lists the clauses that a number stands for: those of the number, in
// every book, and the duties that it was split into.
func meant(clauses []Clause, number string) []Clause {
	var out []Clause
	for _, c := range clauses {
		if standsFor(number, c.Number) {
			out = append(out, c)
		}
	}
	return out
}

// chapterHead is a comment of the index that names a chapter: "# 5 Combat".
var chapterHead = regexp.MustCompile(`(?m)^# (\d+) (\pL.*)$`)

// chapterNames reads them.
func chapterNames(text string) map[int]string {
	out := map[int]string{}
	for _, m := range chapterHead.FindAllStringSubmatch(text, -1) {
		out[chapterOf(m[1])] = m[2]
	}
	return out
}
