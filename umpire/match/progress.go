package match

import (
	"bytes"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/store"
)

// ProvedEvent is an event with the proofs of its dice.
type ProvedEvent struct {
	view.Event
	phase string // label of the phase, part of the dice's input
	rolls []roll
}

// roll is dice, and the beacon's value that they are bound to.
type roll struct {
	adjudicator.Entry
	beacon store.Beacon // without a Round where there is none
}

// Progress is how far a game came.
type Progress struct {
	Phases   []store.Phase
	Open     *store.OpenPhase
	Position []byte
	At       adjudicator.Phase
	Pending  []adjudicator.Decision
	Within   string        // how long the side that is asked wants to be waited for; "" as agreed
	Midst    []byte        // the position as the questions find it
	Events   []ProvedEvent // of the completed phases
	Partly   []ProvedEvent // of the open phase, up to the questions
	Late     []string      // sides without whose orders the game went on
	Early    bool          // before their deadline: the moderator let it
	Notes    []string      // remarks for every report
	Back     *SetBack      // if the game was set back to here
}

// Moved tells whether anything was decided since the phase that waited stopped. That
// one side of a decision of both has filed decides nothing, and nobody hears of it.
func (p Progress) Moved(open *store.OpenPhase) bool {
	switch {
	case len(p.Phases) > 0, p.Open == nil, open == nil:
		return true
	case open.Closed > 0, !bytes.Equal(p.Open.Journal, open.Journal):
		return true
	}
	before, err := PendingOf(open)
	if err != nil {
		return true
	}
	reaction := func(d adjudicator.Decision) bool { return !d.Turn }
	asked := func(d adjudicator.Decision) bool {
		return slices.ContainsFunc(before, func(b adjudicator.Decision) bool { return b.Label == d.Label })
	}
	if slices.ContainsFunc(p.Pending, func(d adjudicator.Decision) bool { return reaction(d) && !asked(d) }) {
		return true
	}
	allAnswered := !slices.ContainsFunc(p.Pending, reaction)
	return allAnswered && slices.ContainsFunc(before, reaction)
}

// After says what a sheet led to at once; "" if it waits.
func (p Progress) After(open *store.OpenPhase) string {
	switch {
	case !p.Moved(open):
		return ""
	case p.At.Over || TurnDue(p.Pending):
		return "The report follows."
	}
	return "The report follows when the phase is over."
}

// ProvedEvents joins events with the journal entries of their dice.
func ProvedEvents(phase string, out adjudicator.Outcome, values []store.Beacon) []ProvedEvent {
	rolls := map[string]roll{}
	for i, e := range out.Journal {
		if e.Kind == adjudicator.EntryRoll {
			rolls[e.Label] = roll{e, BeaconAt(values, i)}
		}
	}
	var all []ProvedEvent
	for _, e := range out.Events {
		h := ProvedEvent{Event: e, phase: phase}
		for _, label := range e.Rolls {
			if r, ok := rolls[label]; ok {
				h.rolls = append(h.rolls, r)
			}
		}
		all = append(all, h)
	}
	return all
}
