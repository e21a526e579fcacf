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
	// Missed counts, by side, the questions about chits of one turn whose deadline has passed.
	Missed map[adjudicator.Side]Missed `json:"missed,omitempty"`
}

// Missed counts the questions of a turn that had no answer in time.
type Missed struct {
	Turn  int `json:"turn"`
	Times int `json:"times"`
}

// enoughMissed questions of a turn make a side play the rest of it as it has filed.
const enoughMissed = 2

// Miss counts a question about a chit whose deadline has passed.
func (c *Clock) Miss(d adjudicator.Decision, turn int) {
	if d.Kind != adjudicator.KindActivation {
		return
	}
	if c.Missed == nil {
		c.Missed = map[adjudicator.Side]Missed{}
	}
	was := c.Missed[d.Side]
	if was.Turn != turn {
		was = Missed{Turn: turn}
	}
	was.Times++
	c.Missed[d.Side] = was
}

// HasGivenUp tells whether a side has missed so many questions of a turn that the rest of it is
// played as it has filed.
func (c Clock) HasGivenUp(side adjudicator.Side, turn int) bool {
	m := c.Missed[side]
	return m.Turn == turn && m.Times >= enoughMissed
}

// ClockRecords are what games remember of deadlines.
var ClockRecords = store.OnePerGame[Clock]("clock")

// ClockOf reads a game's clock.
func (gs *Games) ClockOf(id string) (c Clock, err error) {
	c, _, err = ClockRecords.Get(gs.DB, id)
	return c, err
}

// Lateness is what a deadline that has passed changes in the search for answers.
type Lateness struct {
	Policy   string
	Released map[adjudicator.Side]int
	Held     bool            // nothing that waits for orders goes on before the deadline
	Overdue  map[string]bool // labels of questions of the open phase
	Clock    Clock           // what the game remembers
}

// hasGivenUp tells whether a question about a chit is not asked, for those before it in the turn
// had no answer.
func (l Lateness) hasGivenUp(d adjudicator.Decision, turn int) bool {
	return d.Kind == adjudicator.KindActivation && l.Clock.HasGivenUp(d.Side, turn)
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
