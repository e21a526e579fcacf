package acts

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"fieldpost/store"
	"fieldpost/umpire/audit"
	"fieldpost/umpire/post"
)

// doResend sends a mail of the game once more, byte by byte: Value is its id, or REPORT and the
// number of one to the side.
func (hd *Executor) doResend(c *store.Change, _ store.Position, a Act) (string, error) {
	m, err := hd.mailNamed(*c.Game, a)
	if err != nil {
		return "", err
	}
	switch m.State {
	case store.MailSending:
		return "", fmt.Errorf("%w: the mail is on its way at this moment", ErrNotNow)
	case store.MailReplaced:
		return "", fmt.Errorf("%w: a later mail has taken its place, and it was never sent", ErrNotNow)
	}
	if err := hd.DB.MarkResult(m.ID, store.Result{State: store.MailQueued, At: hd.Now(), Reply: "sent again by the moderator"}); err != nil {
		return "", err
	}
	return fmt.Sprintf("the %s to %s is on its way again, the same mail byte for byte", m.Kind, m.Side), nil
}

// mailNamed is the mail that an act names.
func (hd *Executor) mailNamed(g store.Game, a Act) (store.Mail, error) {
	mails, err := hd.DB.Mails(g.ID)
	if err != nil {
		return store.Mail{}, err
	}
	n, err := strconv.Atoi(strings.TrimPrefix(strings.ToUpper(a.Value), "REPORT "))
	isReport, reports := err == nil, 0
	for _, m := range mails {
		switch {
		case strings.EqualFold(m.ID, a.Value):
			return m, nil
		case isReport && post.ReportTo(m, a.Side, 0):
			if reports++; reports == n {
				return m, nil
			}
		}
	}
	if isReport {
		return store.Mail{}, fmt.Errorf("%w: %s has had %d reports: say which side, and REPORT and a number", ErrNotNow, cmp.Or(a.Side, "nobody"), reports)
	}
	return store.Mail{}, fmt.Errorf("%w: the game has no mail %q: say REPORT and a number, and the side, or the id that stands on the page of the game", ErrNotNow, a.Value)
}

// Looked writes into the audit log that a moderator looks at what is hidden in a game.
func (hd *Executor) Looked(by, game string) error {
	return hd.Anew(func(on *Executor) error { return on.looked(by, game) })
}

func (hd *Executor) looked(by, game string) error {
	if _, err := hd.DB.Game(game); err != nil {
		return err
	}
	var c store.Change
	if err := hd.ActLog().Add(&c, audit.Entry{By: by, Verb: "look", Game: game, Did: "looked at what both sides see, at their sheets and their mails"}); err != nil {
		return err
	}
	return hd.Commit(c)
}
