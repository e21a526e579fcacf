package rulebook

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/casebook"
	"fieldpost/adjudicator/systems"
	"fieldpost/adjudicator/table"
	"fieldpost/scenarios"
)

//go:generate go run ./index

// Book is a system's rulebook with what plays and asserts it.
type Book struct {
	Name      string // "WB-95"
	Clauses   []Clause
	Citations []Citation
	Cases     []casebook.Case
	Chapters  map[int]string // their names

	system string            // its id, "wb95"
	books  map[string]string // of each case, by number: "KH"
	idle   map[string]bool   // "number file where" of citations that no case comes through
}

// Load reads the book of a system such as "wb95".
func Load(system string) (*Book, error) {
	sys, _ := systems.Get(system)
	with, ok := sys.(adjudicator.Rulebook)
	if !ok {
		return nil, fmt.Errorf("no rulebook of %q; there is %s", system, strings.Join(systems.IDs(), ", "))
	}
	book := with.Book()
	b := &Book{system: system, Name: book.Name, Chapters: chapterNames(book.Clauses)}
	var errs [4]error
	b.Clauses, errs[0] = ReadClauses(book.Clauses)
	b.Citations, errs[1] = ReadCitations(book.Citations)
	b.Cases, errs[2] = book.Cases()
	b.books, errs[3] = booksOf(b.Cases, book.Edition)
	b.idle = readIdle(book.Idle)
	return b, errors.Join(errs[:]...)
}

// booksOf tells which rulebook each case is played by.
func booksOf(cases []casebook.Case, edition func(casebook.Case, func(id string) (table.Source, error)) (string, error)) (map[string]string, error) {
	out := map[string]string{}
	if edition == nil {
		return out, nil
	}
	open := func(id string) (table.Source, error) { return scenarios.Open(id) }
	for _, k := range cases {
		name, err := edition(k, open)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", k.File, k.Line, err)
		}
		out[k.Number] = name
	}
	return out, nil
}

// Link is a clause with the code that cites it and the cases that assert it.
type Link struct {
	Clause
	CitedBy    []string // "r05_retreat.go combat.leave"
	Exercised  bool     // a case comes through some of that code
	AssertedBy []string // numbers of cases played by one of its books
	Failing    []string // those of them that are known to fail
}

// Links joins clauses, code and cases, in the order of the book.
func (b *Book) Links() []Link {
	out := make([]Link, len(b.Clauses))
	for i, c := range b.Clauses {
		l := Link{Clause: c}
		for _, x := range b.Citations {
			where := x.File + " " + x.Where
			if !standsFor(x.Number, c.Number) {
				continue
			}
			if !slices.Contains(l.CitedBy, where) {
				l.CitedBy = append(l.CitedBy, where)
			}
			l.Exercised = l.Exercised || !b.idle[x.Number+" "+where]
		}
		for _, k := range b.Cases {
			if c.Status == Cardboard || c.Books != "all" && !strings.Contains(c.Books, b.books[k.Number]) {
				continue
			}
			if slices.ContainsFunc(k.Clauses, func(n string) bool { return standsFor(n, c.Number) }) {
				l.AssertedBy = append(l.AssertedBy, k.Number)
				if k.Known != "" {
					l.Failing = append(l.Failing, k.Number)
				}
			}
		}
		out[i] = l
	}
	return out
}

// standsFor tells whether a number that is cited means a clause: it, or the clause that
// it is a duty of.
func standsFor(cited, number string) bool {
	return cited == number || strings.HasPrefix(number, cited+"/")
}
