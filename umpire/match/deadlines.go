package match

import (
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
