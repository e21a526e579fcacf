package match

import (
	"encoding/json"
	"fmt"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/store"
)

// Questions are the reactions among the decisions that are the side's.
func Questions(pending []adjudicator.Decision, side adjudicator.Side) []adjudicator.Decision {
	return slices.DeleteFunc(slices.Clone(pending), func(d adjudicator.Decision) bool { return d.Turn || d.Side != side })
}

// TurnDue tells whether somebody's turn decision is waited for.
func TurnDue(pending []adjudicator.Decision) bool {
	return slices.ContainsFunc(pending, func(d adjudicator.Decision) bool { return d.Turn })
}

// WaitingFor are the sides whose decisions are pending, each once.
func WaitingFor(pending []adjudicator.Decision) (sides []string) {
	for _, d := range pending {
		if !slices.Contains(sides, string(d.Side)) {
			sides = append(sides, string(d.Side))
		}
	}
	return sides
}

// Asked is what a view tells its side of the questions to it.
func Asked(pending []adjudicator.Decision, side adjudicator.Side) (out []view.Question) {
	for _, d := range Questions(pending, side) {
		q := view.Question{Label: d.Label, Kind: d.Kind, Clause: d.Clause, Proposal: d.Proposal, Source: d.Source, Why: d.Pause}
		for _, o := range d.Options {
			q.Options = append(q.Options, view.Option{Answer: o.Answer, Means: o.Means})
		}
		out = append(out, q)
	}
	return out
}

// PendingOf reads the decisions that the open phase waits for.
func PendingOf(open *store.OpenPhase) (all []adjudicator.Decision, err error) {
	if open == nil || len(open.Pending) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(open.Pending, &all); err != nil {
		return nil, fmt.Errorf("%s: what is asked: %w", open.Phase, err)
	}
	return all, nil
}
