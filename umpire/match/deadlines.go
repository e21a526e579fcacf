package match

import (
	"fmt"

	"fieldpost/adjudicator"
	"fieldpost/store"
)

// Clock is what a game remembers of deadlines.
type Clock struct {
	// Released holds, by side, the turn whose decisions need no finished sheet any
	// more: its deadline has passed.
	Released map[adjudicator.Side]int `json:"released,omitempty"`
}

func ClockNote(game string) string { return "clock/" + game }

// ClockOf reads a game's clock.
func (gs *Games) ClockOf(id string) (c Clock, err error) {
	err = gs.ReadNote(ClockNote(id), &c)
	return c, err
}

// Lateness is what a deadline that has passed changes in the search for answers.
type Lateness struct {
	Policy   string
	Released map[adjudicator.Side]int
	Held     bool            // nothing that waits for orders goes on before the deadline
	Overdue  map[string]bool // labels of questions of the open phase
}

// orders are the answer to a turn decision of a side without a finished sheet.
func (l Lateness) orders(f Filings, d adjudicator.Decision, turn int) (answer, source string, known bool) {
	const none = "no orders by the deadline"
	switch {
	case !l.releasedFor(d.Side, turn), l.Policy == LateWait:
		return "", "", false
	case l.Policy == LateHold:
		return "", none, true
	}
	if s, ok := f.latest[d.Side][d.Answers()]; ok && s.Turn == turn {
		return s.Answers[d.Answers()], fmt.Sprintf("sheet %d%s, which was not finished at the deadline", s.Serial, s.by()), true
	}
	return "", none, true
}

// releasedFor tells whether the game goes on without the side's orders for a
// turn; the set-up is turn 0.
func (l Lateness) releasedFor(side adjudicator.Side, turn int) bool {
	t, ok := l.Released[side]
	return ok && t == turn
}

// Held tells whether a game goes on at its deadlines only.
func Held(g store.Game) bool {
	r, err := ScheduleOf(g)
	return err == nil && !r.Early && r.Deadline != nil
}
