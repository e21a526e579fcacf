//go:build !js

package steppe

import (
	"embed"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/casebook"
)

// clauseIndex is clauses.txt: every duty of the rulebook and whether it is played.
//
//go:embed clauses.txt
var clauseIndex string

// citations is the index of the comments that cite clauses, by go generate.
//
//go:embed citations.tsv
var citations string

// idle lists the citations that no numbered case comes through, by go generate.
//
//go:embed idle.tsv
var idle string

//go:embed testdata/cases/*.txt
var caseFiles embed.FS

// Cases reads all numbered cases, in order of their files.
func Cases() ([]casebook.Case, error) { return casebook.Read(caseFiles, "testdata/cases") }

// Book implements adjudicator.Rulebook.
func (System) Book() adjudicator.Book {
	return adjudicator.Book{Name: "Steppe", Clauses: clauseIndex, Citations: citations, Idle: idle, Cases: Cases}
}
