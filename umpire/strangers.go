package umpire

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"fieldpost/mailbox"
	"fieldpost/report"
	"fieldpost/store"
)

// strangersPerDay is how many unknown senders are answered in a day.
const strangersPerDay = 20

// strangers are those answered on a day, by address.
type strangers struct {
	Day string   `json:"day"`
	To  []string `json:"to"`
}

const strangersNote = "strangers"

// stranger answers somebody who is not known here, where sign-up is open and his
// provider vouches for the address: otherwise the answer could go to whoever the
// sender names. Each address gets one a day.
func (l *letter) stranger(c store.Change) store.Change {
	u := l.u
	if !u.SignUp || l.class() != mailbox.Ordinary || l.raw.Junk || l.msg.From == "" {
		return c
	}
	text, err := u.DB.Note(strangersNote)
	var today strangers
	if err == nil && text != nil {
		err = json.Unmarshal(text, &today)
	}
	if err != nil {
		l.unread(err)
		return c
	}
	if day := u.Now().UTC().Format(time.DateOnly); today.Day != day {
		today = strangers{Day: day}
	}
	address := strings.ToLower(l.msg.From)
	if slices.Contains(today.To, address) || len(today.To) >= strangersPerDay {
		c.Handled.Outcome += "; a stranger, not answered again today"
		return c
	}
	if err := mailbox.Vouched(l.raw.Bytes, l.msg, u.lookupTXT()); err != nil {
		c.Handled.Outcome += "; a stranger whose provider does not vouch for him: " + err.Error()
		return c
	}
	m, err := u.welcome(l)
	if err != nil {
		u.Log.Error("a stranger cannot be answered", "error", err)
		return c
	}
	today.To = append(today.To, address)
	if text, err = json.Marshal(today); err != nil {
		u.Log.Error("a stranger cannot be answered", "error", err)
		return c
	}
	c.Notes, c.Mails = map[string][]byte{strangersNote: text}, []store.Mail{m}
	c.Handled.Outcome += "; a stranger, told how to join"
	return c
}

// lookupTXT asks the DNS, but not for long.
func (u *Umpire) lookupTXT() func(string) ([]string, error) {
	if u.LookupTXT != nil {
		return u.LookupTXT
	}
	return func(domain string) ([]string, error) {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		return net.DefaultResolver.LookupTXT(ctx, domain)
	}
}

// welcome tells a stranger which games wait for players. Its envelope sender is
// empty, so that nothing answers it (RFC 3834 section 3.3).
func (u *Umpire) welcome(l *letter) (store.Mail, error) {
	r := report.Letter{Kind: report.Notice, Address: u.Address, Reason: "Games are played here by mail, and you are not in one yet."}
	games, err := u.DB.Games()
	if err != nil {
		return store.Mail{}, err
	}
	for _, g := range games {
		if g.Status != store.StatusOpen {
			continue
		}
		var free []string
		for _, s := range g.Sides {
			if !slices.ContainsFunc(g.Players, func(p store.Player) bool { return p.Side == s }) {
				free = append(free, s)
			}
		}
		r.Advice = append(r.Advice, fmt.Sprintf("Game %s, %s, waits for %s.", g.ID, g.Title, strings.Join(free, " and ")))
	}
	if len(r.Advice) == 0 {
		r.Advice = []string{"No game waits for players at the moment."}
	} else {
		r.Advice = append(r.Advice, "Ask its moderator for an invitation; it tells how to join.")
	}
	id := fmt.Sprintf("welcome.%s@%s", l.sha[:16], domainOf(u.Address))
	out := mailbox.Outgoing{Kind: mailbox.Answer, From: u.Address, FromName: u.Name, To: l.msg.From, Subject: r.Subject(), Date: u.Now(),
		MessageID: id, InReplyTo: l.msg.MessageID, Instance: u.Instance, Text: r.Text(), HTML: r.HTML()}
	raw, err := mailbox.Compose(out)
	if err != nil {
		out.InReplyTo = "" // an odd Message-ID of the sender's
		if raw, err = mailbox.Compose(out); err != nil {
			return store.Mail{}, err
		}
	}
	hash := sha256.Sum256([]byte(id))
	return store.Mail{ID: strings.ToLower(base32.StdEncoding.EncodeToString(hash[:])[:20]), To: l.msg.From, MessageID: id, Kind: "welcome", Raw: raw}, nil
}

func domainOf(address string) string {
	_, domain, _ := strings.Cut(address, "@")
	return domain
}
