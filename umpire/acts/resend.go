package acts

import (
	"fmt"
	"strings"

	"fieldpost/store"
	"fieldpost/umpire/audit"
)

// doResend sends a mail of the game once more, byte by byte: Value is its id.
func (hd *Executor) doResend(c *store.Change, _ store.Position, a Act) (string, error) {
	m, err := hd.DB.Mail(strings.ToLower(strings.TrimSpace(a.Value)))
	if err != nil || m.Game != c.Game.ID {
		return "", fmt.Errorf("the game has no mail %q: the page of the game lists them", a.Value)
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
	return fmt.Sprintf("the %s to %s is on its way again, the same mail byte by byte", m.Kind, m.Side), nil
}

// Looked writes into the audit log that a moderator looks at what is hidden in a game.
func (hd *Executor) Looked(by, game string) error {
	hd.Writing.Lock()
	defer hd.Writing.Unlock()
	if _, err := hd.DB.Game(game); err != nil {
		return err
	}
	c := store.Change{Notes: map[string][]byte{}}
	if err := hd.ActLog().Add(&c, audit.Entry{By: by, Verb: "look", Game: game, Did: "looked at what both sides see, at their sheets and their mails"}); err != nil {
		return err
	}
	return hd.Commit(c)
}
