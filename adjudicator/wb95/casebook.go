//go:build !js

package wb95

import (
	"embed"
	"regexp"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/casebook"
	"fieldpost/adjudicator/table"
)

// ClauseIndex is clauses.txt: every clause of the three rulebooks and whether it
// is played. Its own head says how it is written.
//
//go:embed clauses.txt
var ClauseIndex string

// Citations is the index of the comments that cite clauses, by go generate.
//
//go:embed citations.tsv
var Citations string

// Idle lists the citations that no numbered case comes through, by go generate.
//
//go:embed idle.tsv
var Idle string

//go:embed testdata/cases/*.txt
var caseFiles embed.FS

// A Case is a numbered case, a CaseLine a line of it. The cases stand in
// testdata/cases, a file for each chapter.
type (
	Case     = casebook.Case
	CaseLine = casebook.Line
)

// Cases reads all cases, in order of their files.
func Cases() ([]Case, error) { return casebook.Read(caseFiles, "testdata/cases") }

// Book implements adjudicator.Rulebook.
func (System) Book() adjudicator.Book {
	return adjudicator.Book{Name: "WB-95", Clauses: ClauseIndex, Citations: Citations, Idle: Idle, Cases: Cases, Edition: edition}
}

var bookLine = regexp.MustCompile(`(?m)^book = "(\w+)"`)

// edition tells which of the three rulebooks a case is played by: that of its
// scenario, or the one that its map names; of a map that names none, Kharkov's.
func edition(k Case, open func(id string) (table.Source, error)) (string, error) {
	book := "KH"
	for _, l := range k.Body {
		id, isMap := strings.CutPrefix(l.Text, "MAP ")
		switch {
		case l.Head && isMap && !strings.ContainsAny(id, "x "):
			src, err := open(id)
			if err != nil {
				return "", err
			}
			_, text, err := src.Read("book.toml")
			if err != nil {
				return "", err
			}
			if m := bookLine.FindSubmatch(text); m != nil {
				book = string(m[1])
			}
		case !l.Head && strings.HasPrefix(l.Text, "book "):
			book = strings.TrimPrefix(l.Text, "book ")
		}
	}
	return book, nil
}
