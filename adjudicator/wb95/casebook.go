package wb95

import (
	"embed"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/casebook"
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
	return adjudicator.Book{Name: "WB-95", Clauses: ClauseIndex, Citations: Citations, Cases: Cases}
}
