package umpire

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/seats"
)

// remind tells those who are waited for. Of a side with several commanders these are
// the commander-in-chief and those whose part is not done.
func (u *Umpire) remind(c *store.Change, pending []adjudicator.Decision) error {
	for _, seat := range c.Game.Players {
		if !slices.Contains(match.WaitingFor(pending), seat.Side) {
			continue
		}
		left := u.notDone(*c.Game, seat, c.Open)
		why := "Your orders are due "
		if len(left) > 0 {
			why = "Your side's orders are due "
		}
		for _, p := range u.Persons(seat) {
			if p.Hand > 0 && len(left) > 0 && !seats.Deputy(p) && !slices.Contains(left, seats.CommandName(seat, p.Hand)) {
				continue
			}
			advice := []string{u.without(*c.Game)}
			if len(left) > 0 {
				advice = append([]string{"Not done yet: " + strings.Join(left, ", ") + "."}, advice...)
			}
			if err := u.notify(c, p, "reminder", why+u.until(p, *c.Game, c.Open.Deadline)+".", advice...); err != nil {
				return err
			}
		}
	}
	return nil
}

// drawBank gives those who are late a day of their time in hand, if every one of
// them has some left.
func (u *Umpire) drawBank(c *store.Change, r match.Schedule, pending []adjudicator.Decision) bool {
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
	u.postpone(c.Open, r, c.Open.Deadline.Add(24*time.Hour))
	for _, p := range u.Everybody(*c.Game) {
		if err := u.notify(c, p, "extension", fmt.Sprintf("No orders came from %s by the deadline. A day of the time in hand is used: the new deadline is %s.",
			strings.Join(match.WaitingFor(pending), " and "), u.until(p, *c.Game, c.Open.Deadline))); err != nil {
			u.Log.Error("a notice cannot be written", "error", err)
		}
	}
	return true
}

// postpone moves a deadline. Who is told of it is reminded only if that is
// still to come.
func (u *Umpire) postpone(open *store.OpenPhase, r match.Schedule, to time.Time) {
	open.Deadline, open.Late = to.UTC(), false
	open.Reminded = !to.Add(-r.Remind).After(u.Now())
}

// notify adds a notice to one player of the game, once for each Change.
func (u *Umpire) notify(c *store.Change, p store.Player, kind, why string, advice ...string) error {
	g := *c.Game
	l := report.Letter{Kind: report.Notice, Game: g.ID, Title: g.Title, Scenario: g.Scenario, Side: p.Side, Address: u.Address, Reason: sentence(why)}
	for _, a := range advice {
		l.Advice = append(l.Advice, sentence(a))
	}
	m, err := u.post(draft{game: g, player: p, kind: kind, number: fmt.Sprint(c.Expect + 1), subject: l.Subject(), text: l.Text(), html: l.HTML()})
	if err == nil {
		c.Mails = append(c.Mails, m)
	}
	return err
}
