package post

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/seats"
)

// Remind tells those who are waited for. Of a side with several commanders these are
// the commander-in-chief and those whose part is not done.
func (o *Office) Remind(c *store.Change, pending []adjudicator.Decision) error {
	for _, seat := range c.Game.Players {
		if !slices.Contains(match.WaitingFor(pending), seat.Side) {
			continue
		}
		left := o.CommandersNotDone(*c.Game, seat, c.Open)
		why := "Your orders are due "
		if len(left) > 0 {
			why = "Your side's orders are due "
		}
		for _, p := range o.Persons(seat) {
			if p.Commander > 0 && len(left) > 0 && !seats.Deputy(p) && !slices.Contains(left, seats.CommandName(seat, p.Commander)) {
				continue
			}
			advice := []string{o.without(*c.Game)}
			if len(left) > 0 {
				advice = append([]string{"Not done yet: " + strings.Join(left, ", ") + "."}, advice...)
			}
			if err := o.Notify(c, p, "reminder", why+o.UntilInWords(p, *c.Game, c.Open.Deadline)+".", advice...); err != nil {
				return err
			}
		}
	}
	return nil
}

// Notify adds a notice to one player of the game, once for each Change.
func (o *Office) Notify(c *store.Change, p store.Player, kind, why string, advice ...string) error {
	g := *c.Game
	l := report.Message{Kind: report.Notice, Game: g.ID, Title: g.Title, Scenario: g.Scenario, Side: p.Side, Address: o.Address, Reason: Sentence(why)}
	for _, a := range advice {
		l.Advice = append(l.Advice, Sentence(a))
	}
	m, err := o.Render(Draft{Game: g, Player: p, Kind: kind, Number: fmt.Sprint(c.Expect + 1), Subject: l.Subject(), Text: l.Text(), HTML: l.HTML()})
	if err == nil {
		c.Mails = append(c.Mails, m)
	}
	return err
}
