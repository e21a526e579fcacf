package match

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/store"
)

// MayAsk are the kinds of reactions that a side of the match may be asked about.
func (m Match) MayAsk() []string {
	switch text := m.Game.Options[optionAsk]; text {
	case "", "all":
		return adjudicator.AsksOf(m.System)
	case "none":
		return nil
	default:
		return slices.DeleteFunc(slices.Clone(adjudicator.AsksOf(m.System)), func(kind string) bool { return !slices.Contains(strings.Split(text, ","), kind) })
	}
}

// FilingOf is what is kept of a sheet that was judged while the phase waited.
func FilingOf(checked *adjudicator.Filing, sheet *orders.Sheet, side adjudicator.Side, phase string) Filing {
	turn, _ := sheet.Number("TURN")
	serial, _ := sheet.Number("SERIAL")
	if sheet.Command("WITHDRAW") {
		return Filing{Side: side, Turn: turn, Serial: serial, Withdrawn: true}
	}
	done := checked.Done
	if sheet.Bare() {
		done = sheet.Done // whether duties are open is for the sheet with the orders to say
	}
	f := Filing{Side: side, Turn: turn, Serial: serial, By: StandInOf(sheet), Joined: sheet.Header("MODERATE") == JoinedMark, Answers: checked.Answers,
		Done: done, Bare: sheet.Bare(), Mode: sheet.Header("MODE"), Phase: phase}
	for _, o := range sheet.Orders(orders.AnswerSection) {
		if label, answer, ok := strings.Cut(o.String(), ":"); ok {
			if f.Replies == nil {
				f.Replies = map[string]string{}
			}
			f.Replies[strings.ToUpper(strings.TrimSpace(label))] = strings.TrimSpace(answer)
		}
	}
	return f
}

// AskedOf are the questions of the open phase to a side: its reactions.
func AskedOf(open *store.OpenPhase, side adjudicator.Side) ([]adjudicator.Decision, error) {
	all, err := PendingOf(open)
	return Questions(all, side), err
}

// Pending are the decisions that the open phase waits for.
func (m Match) Pending() ([]adjudicator.Decision, error) { return PendingOf(m.Open) }

// Asked are the questions of the open phase to a side.
func (m Match) Asked(side string) ([]adjudicator.Decision, error) {
	return AskedOf(m.Open, adjudicator.Side(side))
}

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
