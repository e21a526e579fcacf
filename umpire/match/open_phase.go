package match

import (
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/store"
)

// Timed tells whether the phase that waits has a deadline.
func Timed(open *store.OpenPhase) bool { return open != nil && !open.Deadline.IsZero() }

// OrdersClosed tells whether no orders are taken any more: the dice are waited for.
func OrdersClosed(open *store.OpenPhase) bool { return open != nil && open.Closed > 0 }

// ClockRuns tells whether a deadline is still ahead of those who give orders.
func ClockRuns(open *store.OpenPhase) bool { return Timed(open) && !OrdersClosed(open) }

// Underway tells whether a game has begun and is not over.
func Underway(g store.Game) bool {
	switch g.Status {
	case store.StatusOpen, store.StatusFinished:
		return false
	}
	return true
}

// AwaitsTurnOf tells whether a side's turn is among the decisions.
func AwaitsTurnOf(pending []adjudicator.Decision, side string) bool {
	return slices.ContainsFunc(pending, func(d adjudicator.Decision) bool { return d.Turn && string(d.Side) == side })
}

// PlaysTurnOf tells whether the side is on move and its turn is being played, where a phase is
// and these decisions wait: its orders lie behind the first throw. Where sheets go by phase, and
// where chits are still in the cup, orders for what is to come may be given.
func (m Match) PlaysTurnOf(at adjudicator.Phase, pending []adjudicator.Decision, side string) bool {
	if m.Settings().Piecemeal() || string(at.Side) != side {
		return false
	}
	return !AwaitsTurnOf(pending, side)
}

// HasRolled tells whether dice were thrown in the open phase already.
func HasRolled(open *store.OpenPhase) (bool, error) {
	if open == nil {
		return false, nil
	}
	journal, err := EntriesOf(open.Journal)
	return slices.ContainsFunc(journal, func(e adjudicator.Entry) bool { return e.Kind == adjudicator.EntryRoll }), err
}
