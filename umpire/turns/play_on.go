package turns

import (
	"fmt"
	"slices"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/store"
	"fieldpost/umpire/match"
)

// PlayWith plays on with a sheet that is about to be filed, as the game's next Change.
func (k *Keeper) PlayWith(m match.Match, fresh match.Filing, c *store.Change) (match.Progress, error) {
	late, err := k.latenessOf(m.Game)
	if err != nil {
		return match.Progress{}, err
	}
	return m.Play(k.SheetsOf(m, match.Given{Late: late, Fresh: &fresh, Changed: c}))
}

// latenessOf is what deadlines that have passed let a game do without.
func (k *Keeper) latenessOf(g store.Game) (match.Lateness, error) {
	clk, err := k.ClockOf(g.ID)
	return match.Lateness{Policy: match.OptionOr(g, match.OptionLate, match.LateStanding), Released: clk.Released, Held: match.Held(g), Clock: clk}, err
}

// StillWaits tells that a sheet decides nothing yet: the game waits for turns alone,
// which only a finished sheet plays. Then nothing need be tried.
func StillWaits(fresh match.Filing, open *store.OpenPhase) (bool, error) {
	pending, err := match.PendingOf(open)
	switch {
	case err != nil:
		return false, err
	case fresh.Done, len(pending) == 0, match.OrdersClosed(open):
		return false, nil
	}
	return !slices.ContainsFunc(pending, func(d adjudicator.Decision) bool { return !d.Turn }), nil
}

// GoOn puts what was played into the Change: phases, the one that waits, and
// the mails of all whom it concerns. The match is as it was before.
func (k *Keeper) GoOn(c *store.Change, m match.Match, p match.Progress) error {
	if !p.Moved(m.Open) {
		return nil
	}
	g := c.Game
	c.Phases, c.Open = p.Phases, p.Open
	p.Notes = append(p.Notes, match.InOthersPlace(p.Phases)...)
	if err := k.noteTurns(c, m, p); err != nil {
		return err
	}
	if err := k.SetDeadline(*g, p); err != nil {
		return err
	}
	if p.At.Over {
		k.Finish(c)
	}
	unreported, err := k.Unreported(m)
	if err != nil {
		return err
	}
	p.Events = append(unreported, p.Events...)
	if p.At.Over || match.TurnDue(p.Pending) {
		match.UnreportedRecords.Drop(c, g.ID)
		for _, player := range g.Players {
			match.HeardRecords.Drop(c, store.Seat{Game: g.ID, Side: player.Side})
		}
		if err := k.Reports(c, m, p); err != nil {
			return err
		}
	} else if _, there, err := match.UnreportedRecords.Get(k.DB, g.ID); err == nil && !there && len(p.Phases) > 0 {
		// Only a question stops the game: those who are not asked read on when it goes on.
		match.UnreportedRecords.Put(c, g.ID, m.Game.Phases+1)
	}
	for _, player := range k.Everybody(*g) {
		if len(match.Questions(p.Pending, adjudicator.Side(player.Side))) == 0 {
			continue
		}
		mail, err := k.Question(c, m, player, p)
		if err != nil {
			return fmt.Errorf("question to %s: %w", player.Side, err)
		}
		c.Mails = append(c.Mails, mail)
	}
	return nil
}

// SetDeadline gives the open phase of a game its deadline, from now.
func (k *Keeper) SetDeadline(g store.Game, p match.Progress) error {
	if p.Open == nil {
		return nil
	}
	r, err := match.ScheduleOf(g)
	if err != nil {
		return err
	}
	p.Open.Since, p.Open.Deadline, p.Open.Reminded, p.Open.Late = k.Now().UTC(), time.Time{}, false, false
	for _, term := range r.TermsFor(p) {
		end := r.Away(g, match.WaitingFor(p.Pending)).After(k.Now(), term).UTC()
		if p.Open.Deadline.IsZero() || end.Before(p.Open.Deadline) {
			p.Open.Deadline = end
		}
	}
	return nil
}

// noteTurns keeps when the sides' turns were played, for sheets that come too late.
func (k *Keeper) noteTurns(c *store.Change, m match.Match, p match.Progress) error {
	played, err := k.PlayedTurnsOf(c.Game.ID)
	if err != nil {
		return err
	}
	if played, err = played.With(p, m.Open, k.Now()); err != nil {
		return err
	}
	match.PlayedRecords.Put(c, c.Game.ID, played)
	return nil
}
