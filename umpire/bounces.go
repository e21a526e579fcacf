package umpire

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/mail"
	"regexp"
	"slices"
	"strings"
	"time"

	"fieldpost/mailbox"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/match"
)

// bounces are the envelope senders of this daemon.
func (u *Umpire) bounces() mailbox.Bounces {
	return mailbox.Bounces{Address: u.Address, Key: u.Key.Secret("bounces")}
}

// health is what is known of an address that mail came back from. A note of it
// stays until somebody writes from there, or a mail does arrive.
type health struct {
	// Dead are the mails that came back for good, by id, with the Change of the
	// game or the day that they belong to; Soft those that came back for now.
	Dead map[string]string `json:"dead,omitempty"`
	Soft map[string]string `json:"soft,omitempty"`
	// Suspended says that nothing is sent there.
	Suspended bool `json:"suspended,omitempty"`
}

// When an address is suspended: two mails of different occasions came back for
// good, or three for now with nothing heard in between.
const (
	maxDead = 2
	maxSoft = 3
)

func healthNote(address string) string { return "bounces/" + strings.ToLower(address) }

func (u *Umpire) health(address string) (h health, err error) {
	text, err := u.DB.Note(healthNote(address))
	if err == nil && text != nil {
		err = json.Unmarshal(text, &h)
	}
	return h, err
}

// route is the address of a player that mail goes to: the first, or the second
// while mail to the first comes back. It is not usable when all are suspended.
func (u *Umpire) route(p store.Player) (address string, usable bool) {
	for _, a := range []string{p.Address, p.Second} {
		if a == "" {
			continue
		}
		if h, err := u.health(a); err != nil || !h.Suspended {
			return a, true
		}
	}
	return p.Address, false
}

// countBounce adds a mail that came back to what is known of its address.
func (u *Umpire) countBounce(m store.Mail, address string, dead bool) (note []byte, suspendedNow bool, err error) {
	h, err := u.health(address)
	if err != nil {
		return nil, false, err
	}
	occasion := fmt.Sprintf("%s %d", m.Game, m.Seq)
	if m.Seq == 0 {
		occasion = m.Changed.UTC().Format(time.DateOnly)
	}
	list := &h.Soft
	if dead {
		list = &h.Dead
	}
	if *list == nil {
		*list = map[string]string{}
	}
	(*list)[m.ID] = occasion
	occasions := slices.Compact(slices.Sorted(maps.Values(h.Dead)))
	before := h.Suspended
	h.Suspended = h.Suspended || len(occasions) >= maxDead || len(h.Soft) >= maxSoft
	note, err = json.Marshal(h)
	return note, h.Suspended && !before, err
}

// bounced is the Change of a mail that came back: the note on its address, and
// when that is suspended now, a word to the player's other one.
func (u *Umpire) bounced(c *store.Change, m store.Mail, address string, dead bool, why string) error {
	note, suspended, err := u.countBounce(m, address, dead)
	if err != nil {
		return err
	}
	if c.Notes == nil {
		c.Notes = map[string][]byte{}
	}
	c.Notes[healthNote(address)] = note
	if !suspended {
		return nil
	}
	u.Log.Error("mail to a player comes back; nothing more goes there until he writes", "game", m.Game, "side", m.Side, "address", address, "why", why)
	if m.Game == "" {
		return nil
	}
	g, err := u.DB.Game(m.Game)
	if err != nil {
		return err
	}
	for _, p := range g.Players {
		p = p.As(m.Hand)
		if p.Side != m.Side || p.Second == "" || strings.EqualFold(p.Second, address) {
			continue
		}
		p.Address, p.Second = p.Second, ""
		l := report.Letter{Kind: report.Notice, Game: g.ID, Title: g.Title, Scenario: g.Scenario, Side: p.Side, Address: u.Address,
			Reason: "Mail to your first address comes back.",
			Advice: []string{"From now on your mail goes here, until you write from the first address again.",
				"To have a report again that did not reach you, write REPORT and its number."}}
		notice, err := u.post(draft{game: g, player: p, kind: "notice", number: "second-" + m.ID, subject: l.Subject(), text: l.Text(), html: l.HTML()})
		if err != nil {
			return err
		}
		c.Mails = append(c.Mails, notice)
	}
	return nil
}

// bounceAge is how long after a mail was taken its bounce is believed.
const bounceAge = 14 * 24 * time.Hour

// bounce gives a delivery report its effect.
func (l *letter) bounce() (store.Change, error) {
	u := l.u
	r, bad := mailbox.ReadBounce(l.msg)
	id, ours := u.bounces().ID(append(slices.Clone(l.msg.Recipients), l.msg.To...))
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
	case m.State != store.MailAccepted && m.State != store.MailBounced && m.State != store.MailQueued, u.Now().Sub(m.Changed) > bounceAge:
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
		err = u.bounced(&c, m, m.To, r.Dead(), r.Diagnostic)
	}
	return c, l.unread(err)
}

// names says whether one of the addresses is of the player that the mail went to.
func (l *letter) names(m store.Mail, addresses []string) bool {
	if m.Game == "" {
		return false
	}
	g, err := l.u.DB.Game(m.Game)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(g.Players, func(p store.Player) bool {
		p = p.As(m.Hand)
		return p.Side == m.Side && slices.ContainsFunc(addresses, func(a string) bool {
			return strings.EqualFold(a, p.Address) || p.Second != "" && strings.EqualFold(a, p.Second)
		})
	})
}

var enhanced = regexp.MustCompile(`^\s*(5\.\d{1,3}\.\d{1,3})\b`)

// refusedAt notes that a server refused a recipient at once.
func (u *Umpire) refusedAt(m store.Mail, to string, res mailbox.Result) error {
	r := mailbox.Returned{Action: "failed", Status: "5.1.1"}
	if f := enhanced.FindStringSubmatch(res.Reply); f != nil {
		r.Status = f[1]
	} else if res.Code != 550 && res.Code != 551 && res.Code != 553 {
		return nil // the mail was refused, not its recipient
	}
	if !strings.HasPrefix(r.Status, "5.1.") && !strings.HasPrefix(r.Status, "5.2.") {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	var c store.Change
	if err := u.bounced(&c, m, to, r.Dead(), res.Reply); err != nil {
		return err
	}
	return u.DB.Commit(c)
}

// addressWorks lifts the suspension of an address that somebody writes from, and lets
// go what was held back.
func (l *letter) addressWorks(c *store.Change) {
	if l.player.Side == "" || l.msg == nil {
		return
	}
	for _, a := range []string{l.player.Address, l.player.Second} {
		if a == "" || !strings.EqualFold(a, l.msg.From) {
			continue
		}
		h, err := l.u.health(a)
		if err != nil || len(h.Dead)+len(h.Soft) == 0 {
			continue
		}
		if c.Notes == nil {
			c.Notes = map[string][]byte{}
		}
		c.Notes[healthNote(a)] = nil
		mails, err := l.u.DB.Mails(l.game.ID)
		if err := l.u.readable(err); err != nil {
			continue
		}
		for _, m := range mails {
			if m.Side == l.player.Side && m.State == store.MailQueued && m.Next.After(l.u.Now()) {
				if err := l.u.DB.MarkResult(m.ID, store.Result{State: store.MailQueued, At: l.u.Now(), Reply: m.Reply}); err != nil {
					l.u.Log.Error("a mail that was held back stays so for now", "id", m.ID, "error", err)
				}
			}
		}
	}
}

// gap tells in a report which earlier ones did not reach the player.
func gap(mails []store.Mail, side string, hand int) string {
	n := 0
	var lost []string
	for _, m := range mails {
		if m.Kind != "report" || m.Side != side || m.Hand != hand {
			continue
		}
		n++
		if m.State == store.MailFailed || m.State == store.MailBounced {
			lost = append(lost, fmt.Sprint(n))
		}
	}
	switch len(lost) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("Your report %s did not reach you: your mail server gave it back. Write REPORT %[1]s to have it again.", lost[0])
	}
	return fmt.Sprintf("Your reports %s did not reach you: your mail server gave them back. Write REPORT and a number to have one again.", strings.Join(lost, ", "))
}

// SetSecond gives a player a second address, or with "" takes it away. Mail goes
// there while mail to the first one comes back.
func (u *Umpire) SetSecond(id, side, address string) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if address != "" {
		a, err := mail.ParseAddress(address)
		if err != nil || strings.ContainsAny(a.Address, "\"\r\n ") {
			return fmt.Errorf("%q: %w", address, ErrAddress)
		}
		address = a.Address
	}
	g, err := u.DB.Game(strings.ToUpper(id))
	if err != nil {
		return err
	}
	g.Players = slices.Clone(g.Players)
	i := slices.IndexFunc(g.Players, func(p store.Player) bool { return strings.EqualFold(p.Side, side) })
	if i < 0 {
		return fmt.Errorf("game %s: %w: %s has no player", g.ID, match.ErrNoSide, side)
	}
	g.Players[i].Second = address
	return u.DB.Commit(store.Change{Game: &g, Expect: g.Seq})
}
