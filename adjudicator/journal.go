package adjudicator

import "fieldpost/adjudicator/rule"

// EntryKind tells the two sorts of journal entries apart.
type EntryKind string

// The kinds of journal entries.
const (
	EntryRoll   EntryKind = "roll"
	EntryAnswer EntryKind = "answer"
)

// Entry is one thing that the rules could not know by themselves: dice, or the
// answer to a Decision. The journal of a phase and its opening position
// determine everything that happened in it. No entry holds a time of day.
type Entry struct {
	Kind   EntryKind   `json:"kind"`
	Clause rule.Clause `json:"clause"`
	// Label is the random event or the decision, unique within its phase.
	Label string `json:"label"`

	Sides int    `json:"sides,omitempty"` // faces of a die
	Dice  []int  `json:"dice,omitempty"`
	Proof []byte `json:"proof,omitempty"` // of the random event, RFC 9381

	Side   Side   `json:"side,omitempty"`
	Answer string `json:"answer,omitempty"`
	Source string `json:"source,omitempty"` // where the answer came from, in words
}
