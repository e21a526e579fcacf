package match

import (
	"fmt"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/store"
)

// PlayedTurn is how the last turn of a side came to be played: what a sheet is told that
// comes too late for it.
type PlayedTurn struct {
	Turn int       `json:"turn"`
	At   time.Time `json:"at"`
	// Deadline is the one that had passed; zero if the turn was played before it.
	Deadline time.Time `json:"deadline,omitzero"`
	// Carried is what was carried out, in words.
	Carried string `json:"carried"`
}

// PlayedTurns are they, by side.
type PlayedTurns map[adjudicator.Side]PlayedTurn

// PlayedRecords are the played turns of games.
var PlayedRecords = store.OnePerGame[PlayedTurns]("played")

// PlayedTurnsOf reads a game's played turns.
func (gs *Games) PlayedTurnsOf(id string) (t PlayedTurns, err error) {
	t, _, err = PlayedRecords.Get(gs.DB, id)
	return t, err
}

// With are the played turns after a Progress from a phase that waited. What was known of a
// turn that goes on stays: it began to be played then.
func (t PlayedTurns) With(p Progress, waited *store.OpenPhase, now time.Time) (PlayedTurns, error) {
	phases := p.Phases
	if p.Open != nil {
		phases = append(phases[:len(phases):len(phases)], store.Phase{Turn: p.Open.Turn, Journal: p.Open.Journal})
	}
	all := PlayedTurns{}
	for side, one := range t {
		all[side] = one
	}
	for _, phase := range phases {
		journal, err := EntriesOf(phase.Journal)
		if err != nil {
			return nil, err
		}
		for _, e := range journal {
			carried, isTurn := carriedOut(e)
			switch before, known := all[e.Side]; {
			case !isTurn:
			case !known, before.Turn != phase.Turn:
				all[e.Side] = PlayedTurn{Turn: phase.Turn, At: now.UTC(), Deadline: passedFor(e.Side, waited, p, now), Carried: carried}
			case before.Carried == "":
				before.Carried = carried
				all[e.Side] = before
			}
		}
	}
	return all, nil
}

// carriedOut says what an entry that answers for a side's turn was taken from; "" is that
// there was nothing but standing orders.
func carriedOut(e adjudicator.Entry) (carried string, isTurn bool) {
	switch {
	case e.Kind != adjudicator.EntryAnswer:
		return "", false
	case e.Source == noOrders:
		return "", true
	case !strings.HasPrefix(e.Source, "sheet "), strings.Contains(e.Source, " of turn "):
		return "", false
	}
	sheet, by, stoodIn := strings.Cut(strings.TrimSuffix(e.Source, unfinished), placeMark)
	if stoodIn {
		return fmt.Sprintf("%s, which %s had written in your place", sheet, by), true
	}
	if strings.HasSuffix(e.Source, unfinished) {
		return sheet + ", which you had not finished", true
	}
	return sheet, true
}

// passedFor is the deadline that a side's orders were played at, zero if they were not. One
// that was moved forward passed when it was.
func passedFor(side adjudicator.Side, waited *store.OpenPhase, p Progress, now time.Time) (deadline time.Time) {
	pending, err := PendingOf(waited)
	if err != nil || !Timed(waited) || !AwaitsTurnOf(pending, string(side)) {
		return time.Time{}
	}
	late := false
	for _, missing := range p.Late {
		late = late || missing == string(side)
	}
	switch {
	case !now.Before(waited.Deadline):
		return waited.Deadline
	case late:
		return now.UTC()
	}
	return time.Time{}
}
