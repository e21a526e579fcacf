package turns

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/store"
	"fieldpost/umpire/match"
)

// drawBank gives those who are late a day of their time in hand, if every one of
// them has some left.
func (k *Keeper) drawBank(c *store.Change, r match.Schedule, pending []adjudicator.Decision) bool {
	if r.Bank == 0 {
		return false
	}
	var late []int
	for i, p := range c.Game.Players {
		if slices.Contains(match.WaitingFor(pending), p.Side) {
			if p.Drawn >= r.Bank {
				return false
			}
			late = append(late, i)
		}
	}
	for _, i := range late {
		p := &c.Game.Players[i]
		p.Drawn += min(24*time.Hour, r.Bank-p.Drawn)
		p.LateTurns++
	}
	k.Postpone(c.Open, r, r.Later(*c.Game, match.WaitingFor(pending), c.Open.Deadline, 24*time.Hour))
	for _, p := range k.Everybody(*c.Game) {
		if err := k.Notify(c, p, "extension", fmt.Sprintf("No finished orders came from %s by the deadline. A day of the time in hand is used: the new deadline is %s.",
			strings.Join(match.WaitingFor(pending), " and "), k.UntilInWords(p, *c.Game, c.Open.Deadline))); err != nil {
			k.Log.Error("a notice cannot be written", "error", err)
		}
	}
	return true
}

// Postpone moves a deadline. Who is told of it is reminded only if that is
// still to come.
func (k *Keeper) Postpone(open *store.OpenPhase, r match.Schedule, to time.Time) {
	open.Deadline, open.Late = to.UTC(), false
	open.Reminded = !to.Add(-r.Remind).After(k.Now())
}
