package adjudicator

import (
	"cmp"
	"fmt"
	"slices"

	"fieldpost/adjudicator/table"
)

// Linter is a System that can look its scenarios' files over.
type Linter interface {
	// Lint lists what is wrong with a scenario's files. Known are the ids of all
	// scenarios on the same map; nil leaves out what needs them.
	Lint(src table.Source, known []string) []Finding
}

// Finding is something in a scenario's files that somebody should look at.
type Finding struct {
	File      string
	Line, Col int // from 1, 0 if unknown
	// Kind sorts findings: "supply", "road-end" ...; Subject is what it is about:
	// a hex, a counter, a road. The two together name the finding.
	Kind, Subject string
	Why           string
	// Note marks what need not be wrong.
	Note bool
}

// String is the finding as a compiler would print it.
func (f Finding) String() string {
	at := f.File
	if f.Line > 0 {
		at += fmt.Sprintf(":%d", f.Line)
	}
	if f.Col > 0 {
		at += fmt.Sprintf(":%d", f.Col)
	}
	what := f.Kind
	if f.Subject != "" {
		what += " " + f.Subject
	}
	return fmt.Sprintf("%s: %s (%s)", at, f.Why, what)
}

// SortFindings puts findings into the order of their files.
func SortFindings(fs []Finding) {
	slices.SortStableFunc(fs, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
}

// Lister is a Game that can list its counters as they begin.
type Lister interface{ Counters() []Counted }

// Counted is a counter and where it begins, as lists of units show it.
type Counted struct {
	Side                    Side
	Nation, Formation, Unit string
	Type, Size              string
	Hex                     string // of the set-up, "-" for a reinforcement
	Steps, MaxSteps         int
	Attack, Defence, Move   int
	Fort                    string // "-" for none
	When                    string // "setup", a date such as 1942-05-13, or a condition
	Entry                   string // zones, place or hex of a reinforcement, else "-"
	Placed, Figures         string // provenance of place and date, and of the figures
}
