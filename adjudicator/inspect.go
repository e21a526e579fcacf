package adjudicator

import (
	"cmp"
	"fmt"
	"slices"

	"fieldpost/adjudicator/table"
	"fieldpost/adjudicator/view"
)

// Linter is a System that can check its scenarios' files.
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

// Lister is a System that can list the counters of a scenario.
type Lister interface {
	Counters(src table.Source) ([]Counted, error)
}

// Counted is a counter and where it begins, as lists of units show it.
type Counted struct {
	Side                    Side
	Nation, Formation, Unit string
	Type, Size              string
	Hex                     string // of the set-up; "" for a reinforcement
	Steps, MaxSteps         int    // it begins with, and at full strength
	Attack, Defence, Move   int    // with the steps it begins with
	Fort                    string // "none", or the kind of fortification
	When                    string // "setup", a date such as 1942-05-13, or "cond: " and a condition
	Entry                   string // zones, place or hex of a reinforcement
	// Placed and Figures are where it comes from, "book" or "reconstruction": the
	// counter with its place and date, and its figures.
	Placed, Figures string
}

// Provenance is both in a word or two.
func (c Counted) Provenance() string {
	if c.Placed == c.Figures {
		return c.Placed
	}
	return c.Placed + " (figures: " + c.Figures + ")"
}

// Charter is a Game that shows what lies beside the map at the table: the charts, the
// track of turns and the card of each unit.
type Charter interface {
	Charts() []view.Chart
}

// OddsTeller is a System whose combat table can be asked.
type OddsTeller interface {
	// TellOdds says what the table gives for an attack, throw by throw. It opens
	// scenarios by their id.
	TellOdds(open func(id string) (table.Source, error), a Attack) (string, error)
}

// Attack is what a player asks a combat table: strengths after every halving, column
// modifiers of both sides, and what is added to the dice.
type Attack struct{ Attack, Defence, CMAttack, CMDefence, DRM int }
