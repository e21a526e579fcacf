package post

import (
	"slices"

	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/match"
)

// UnansweredIn are the sheets of a side that had no answer of their own yet, after a Change.
func (o *Office) UnansweredIn(c *store.Change, side string) (all []*report.Ack, err error) {
	all, _, err = match.UnansweredRecords.After(o.DB, c, store.Seat{Game: c.Game.ID, Side: side})
	return all, err
}

// answered are the sheets of a side that had no answer of their own: this mail tells of them.
func (o *Office) answered(c *store.Change, player store.Player) []*report.Ack {
	if player.Commander > 0 {
		return nil // commanders have their own answers
	}
	all, err := o.UnansweredIn(c, player.Side)
	if err != nil {
		o.Log.Error("what a side was to be told of its sheets cannot be read", "game", c.Game.ID, "error", err)
	}
	match.UnansweredRecords.Drop(c, store.Seat{Game: c.Game.ID, Side: player.Side})
	return slices.DeleteFunc(all, func(a *report.Ack) bool { return a.Mail != "" && !o.isWaiting(a.Mail) })
}

// isWaiting tells whether a mail is in the queue, and was not tried yet.
func (o *Office) isWaiting(id string) bool {
	m, err := o.DB.Mail(id)
	return err == nil && m.State == store.MailQueued && m.Attempts == 0
}

// postInPlace posts a report in the place of the answer that still waits for such a mail.
func (o *Office) postInPlace(c *store.Change, d Draft, r *report.Report, m match.Match) (store.Mail, error) {
	mail, err := o.PostReport(d, r, m)
	if err == nil && d.Player.Commander == 0 {
		o.replaceAnswers(c, d.Player.Side, mail.ID)
	}
	return mail, err
}

// replaceAnswers has a mail of a Change take the place of the answers to a side's sheets that wait in
// the queue.
func (o *Office) replaceAnswers(c *store.Change, side, by string) {
	all, _, err := match.UnansweredRecords.Get(o.DB, store.Seat{Game: c.Game.ID, Side: side})
	if err != nil {
		return
	}
	for _, a := range all {
		replaces(c, a.Mail, by)
	}
}

// DropAnswer takes the answer to a side's sheet that waits in the queue away: the sheet counts no
// more, as the mail named tells.
func (o *Office) DropAnswer(c *store.Change, side, by string) error {
	all, err := o.UnansweredIn(c, side)
	if err != nil || len(all) == 0 {
		return err
	}
	o.replaceAnswers(c, side, by)
	left := slices.DeleteFunc(all, func(a *report.Ack) bool { return a.Mail != "" })
	match.UnansweredRecords.Put(c, store.Seat{Game: c.Game.ID, Side: side}, left)
	return nil
}
