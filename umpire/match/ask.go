package match

import (
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/orders"
	"fieldpost/store"
)

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
