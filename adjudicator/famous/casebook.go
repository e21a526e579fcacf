//go:build !js

package famous

import (
	"embed"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/casebook"
)

// ClauseIndex is clauses.txt: every duty of the rulebook and whether it is played.
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

// Cases reads the numbered cases of testdata/cases, a file for each chapter.
func Cases() ([]casebook.Case, error) { return casebook.Read(caseFiles, "testdata/cases") }

// Book implements adjudicator.Rulebook.
func (System) Book() adjudicator.Book {
	return adjudicator.Book{Name: "GD", Clauses: ClauseIndex, Citations: Citations, Idle: Idle, Cases: Cases}
}
