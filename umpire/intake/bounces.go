package intake

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldpost/mailbox"
	"fieldpost/store"
	"fieldpost/umpire/post"
	"fieldpost/umpire/seats"
)

// bounceAge is how long after a mail was taken its bounce is believed.
const bounceAge = 14 * 24 * time.Hour

// bounce gives a delivery report its effect.
func (l *incoming) bounce() (store.Change, error) {
	u := l.h
	r, bad := mailbox.ReadBounce(l.msg)
	id, ours := u.Bounces().ID(append(slices.Clone(l.msg.Recipients), l.msg.To...))
	var m store.Mail
	err := store.ErrNotFound
	switch {
	case ours:
		m, err = u.DB.Mail(id)
	case r.MessageID != "":
		// A provider that put its own envelope sender in the place of ours. Who
		// forges this must know the address, and can do no more than this one mail.
		m, err = u.DB.FindMessage(r.MessageID)
	}
	if err != nil {
		if errors.Is(err, store.ErrNotFound) {
			err = nil
		}
		return l.outcome("ignored: a bounce of no mail of ours"), l.unread(err)
	}
	names := func(a string) bool { return strings.EqualFold(a, m.To) }
	switch {
	case bad != nil && !ours, bad == nil && !slices.ContainsFunc(r.Recipients, names) && !l.names(m, r.Recipients):
		return l.outcome("ignored: a bounce that does not fit the mail it names"), nil
	case !slices.Contains([]store.MailState{store.MailAccepted, store.MailBounced, store.MailQueued}, m.State), u.Now().Sub(m.Changed) > bounceAge:
		return l.outcome("ignored: a bounce of a mail that was not on its way"), nil
	case bad == nil && r.Action != "failed":
		u.Log.Info("a mail is on its way still", "id", m.ID, "to", m.To, "action", r.Action, "status", r.Status, "says", r.Diagnostic)
		return l.outcome("a report on mail " + m.ID + ": " + r.Action), nil
	}
	u.Log.Warn("a mail came back", "id", m.ID, "kind", m.Kind, "game", m.Game, "side", m.Side, "to", m.To, "status", r.Status, "says", r.Diagnostic)
	c := l.outcome(fmt.Sprintf("mail %s came back: %s %s", m.ID, r.Status, r.Diagnostic))
	if m.State == store.MailAccepted {
		if err := u.DB.MarkResult(m.ID, store.Result{State: store.MailBounced, At: u.Now(), Reply: r.Status + " " + r.Diagnostic}); err != nil {
			return c, l.unread(err)
		}
	}
	if ours {
		err = u.Bounced(&c, m, m.To, r.Dead(), r.Diagnostic)
	}
	return c, l.unread(err)
}

// names says whether one of the addresses is of the player that the mail went to.
func (l *incoming) names(m store.Mail, addresses []string) bool {
	if m.Game == "" {
		return false
	}
	g, err := l.h.DB.Game(m.Game)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(g.Players, func(p store.Player) bool {
		p = p.As(m.Commander)
		return p.Side == m.Side && slices.ContainsFunc(addresses, func(a string) bool {
			return a != "" && seats.HasAddress(p, a)
		})
	})
}

// addressWorks lifts the suspension of an address that somebody writes from, and lets
// go what was held back.
func (l *incoming) addressWorks(c *store.Change) {
	if l.player.Side == "" || l.msg == nil {
		return
	}
	for _, a := range []string{l.player.Address, l.player.Second} {
		if a == "" || !strings.EqualFold(a, l.msg.From) {
			continue
		}
		h, err := l.h.Health(a)
		if err != nil || len(h.Dead)+len(h.Soft) == 0 {
			continue
		}
		post.HealthRecords.Drop(c, post.HealthOf(a))
		l.letGo(l.player, l.h.Now(), func(m store.Mail) bool { return m.State == store.MailQueued && m.Next.After(l.h.Now()) })
	}
}

// letGo has mails to a person tried at a moment. Letters that go by a slow post nobody has tried
// yet, and they are left alone.
func (l *incoming) letGo(p store.Player, at time.Time, which func(store.Mail) bool) (some bool) {
	mails, err := l.h.DB.Mails(l.game.ID)
	if err := l.h.Readable(err); err != nil {
		return false
	}
	for _, m := range mails {
		if m.Side != p.Side || m.Changed.IsZero() || !which(m) {
			continue
		}
		if err := l.h.DB.MarkResult(m.ID, store.Result{State: store.MailQueued, At: l.h.Now(), Next: at, Reply: m.Reply}); err != nil {
			l.h.Log.Error("a mail that was held back stays so for now", "id", m.ID, "error", err)
			continue
		}
		some = true
	}
	return some
}

// sendsAgain sends to the second address, which has just been confirmed, what came back from the
// first and what was held back since. It goes in a minute: by then the address is kept.
func (l *incoming) sendsAgain(p store.Player) bool {
	h, err := l.h.Health(p.Address)
	if err != nil || !h.Suspended {
		return false
	}
	cameBack := func(m store.Mail) bool { return m.State == store.MailBounced && h.Has(m.ID) }
	waits := func(m store.Mail) bool { return m.State == store.MailQueued && m.Next.After(l.h.Now()) }
	return l.letGo(p, l.h.Now().Add(time.Minute), func(m store.Mail) bool {
		ofPerson := m.Commander == p.Commander && strings.EqualFold(m.To, p.Address)
		return ofPerson && (cameBack(m) || waits(m))
	})
}
