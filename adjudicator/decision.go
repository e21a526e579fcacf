package adjudicator

import (
	"cmp"

	"fieldpost/adjudicator/rule"
)

// Side is a side of a game, in capitals as in the SIDE line of a sheet.
type Side string

// Decision is a question to one side. Everything a player sends answers one.
type Decision struct {
	// Label names the decision within its phase. It never counts hidden things.
	Label string
	// Kind sorts decisions: "move", "attack", "loss", "retreat" ...
	Kind   string
	Side   Side
	Clause rule.Clause
	// Turn marks a turn decision, which waits for the side's sheet; all others
	// are reactions and follow the game's answer mode.
	Turn bool
	// Filed marks a decision that never waits: the side's latest sheet that says
	// anything to it answers, of whatever turn, or the proposal.
	Filed bool
	// Entry names the answer in a Filing where it is not the kind: orders for one
	// phase among several of the kind.
	Entry string
	// Options are the legal answers of a reaction; nil if the answer is free text.
	Options []Option
	// Proposal is what the side's orders, standing orders or the doctrine answer;
	// Source says which. Empty for turn decisions.
	Proposal string
	Source   string
	// Ordered tells that the proposal is an order given for this very case: the
	// side has answered already and is asked nothing, whatever its mode.
	Ordered bool
	// Wanted tells that the orders of the side ask for this question in their own midst: it is put
	// whatever the mode, and answered by orders for the rest of what is being carried out.
	Wanted bool `json:",omitempty"`
	// Pause says why a side that is asked only when something that it named has
	// come true should be asked now; empty if nothing has.
	Pause string
}

// Answers is the name under which a Filing keeps the answer.
func (d Decision) Answers() string { return cmp.Or(d.Entry, d.Kind) }

// KindActivation is the kind of the decision that a side takes when its own chit
// is drawn. Its answer is orders.
const KindActivation = "activation"

// Option is one legal answer and what it means.
type Option struct {
	Answer string
	Means  string
}

// Answerer finds answers: from filed sheets, replies, or the proposal. Known is
// false where the answer is still to come; the phase then stops.
type Answerer interface {
	Answer(d Decision) (answer, source string, known bool)
}

// Standing answers every reaction by its proposal and no turn decision. It is
// the default answer mode.
type Standing struct{}

// Answer implements Answerer.
func (Standing) Answer(d Decision) (string, string, bool) {
	if d.Turn {
		return "", "", false
	}
	return d.Proposal, d.Source, true
}
