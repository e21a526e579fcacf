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
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
)

// strangersPerDay is how many unknown senders are answered in a day.
const strangersPerDay = 20

// strangers are those answered on a day, by address.
type strangers struct {
	Day string   `json:"day"`
	To  []string `json:"to"`
}

const strangersNote = "strangers"

// stranger answers somebody who is not known here, where sign-up is open and their
// provider vouches for the address: otherwise the answer could go to whoever the
// sender names. Each address gets one a day.
func (l *letter) stranger(c store.Change) (store.Change, error) {
	u := l.u
	if !u.SignUp || l.class() != mailbox.Ordinary || l.raw.Junk || l.msg.From == "" {
		return c, nil
	}
	m, err := u.welcome(l)
	if err != nil {
		u.Log.Error("a stranger cannot be answered", "error", err)
		return c, nil
	}
	_, err = l.answerOnce(&c, strings.ToLower(l.msg.From), m)
	return c, err
}

// signUp answers somebody who asks for a seat of a game with open sign-up, "JOIN
// GAME SIDE" on the first line of their mail, with an invitation to the address that
// they write from. It reports whether the mail asks for a seat that they may have.
func (l *letter) signUp(c *store.Change) (bool, error) {
	u, words := l.u, l.firstLine()
	if !u.SignUp || len(words) != 3 || words[0] != "JOIN" || l.class() != mailbox.Ordinary || l.raw.Junk || l.msg.From == "" {
		return false, nil
	}
	g, err := u.DB.Game(words[1])
	if err != nil || !openTo(g, words[2]) {
		return false, nil
	}
	if in, err := u.InvitedTo(g.ID, words[2]); err != nil || in != nil && u.Now().Before(in.Until) && !strings.EqualFold(in.Address, l.msg.From) {
		return false, nil // somebody else has been asked first
	}
	var invitation store.Change
	if err := u.inviteTo(&invitation, g, words[2], post.Invited{Address: l.msg.From}); err != nil {
		u.Log.Error("somebody who asks for a seat cannot be invited", "game", g.ID, "error", err)
		return false, nil
	}
	answered, err := l.answerOnce(c, "join "+strings.ToLower(l.msg.From), invitation.Mails...)
	if answered {
		for name, text := range invitation.Notes {
			c.Notes[name] = text
		}
		c.Handled.Outcome = fmt.Sprintf("%s may join game %s by himself: invited", words[2], g.ID)
	}
	return true, err
}

// openTo tells whether anybody may ask for a side: sign-up is open, nobody has the
// side, and it is not reserved for somebody the moderator will invite.
func openTo(g store.Game, side string) bool {
	return match.OptionOr(g, match.OptionSignUp, match.SignUpInvited) == match.SignUpOpen && free(g, side) == nil && !slices.Contains(match.ReservedSides(g), side)
}

// answerOnce puts the answer to a stranger into the Change, once a day for each
// name, where their provider vouches for the address.
func (l *letter) answerOnce(c *store.Change, name string, mails ...store.Mail) (answered bool, err error) {
	u := l.u
	text, err := u.DB.Note(strangersNote)
	var today strangers
	if err == nil && text != nil {
		err = json.Unmarshal(text, &today)
	}
	if err != nil {
		return false, l.unread(err)
	}
	if day := u.Now().UTC().Format(time.DateOnly); today.Day != day {
		today = strangers{Day: day}
	}
	if slices.Contains(today.To, name) || len(today.To) >= strangersPerDay {
		c.Handled.Outcome += "; a stranger, not answered again today"
		return false, nil
	}
	if err := mailbox.Vouched(l.raw.Bytes, l.msg, u.lookupTXT()); err != nil {
		c.Handled.Outcome += "; a stranger whose provider does not vouch for him: " + err.Error()
		return false, nil
	}
	today.To = append(today.To, name)
	if text, err = json.Marshal(today); err != nil {
		u.Log.Error("a stranger cannot be answered", "error", err)
		return false, nil
	}
	c.Notes, c.Mails = map[string][]byte{strangersNote: text}, mails
	c.Handled.Outcome += "; a stranger, told how to join"
	return true, nil
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
	if err := u.Readable(err); err != nil {
		return store.Mail{}, err
	}
	for _, g := range games {
		if g.Status != store.StatusOpen {
			continue
		}
		var free []string
		how := ""
		for _, s := range g.Sides {
			if !slices.ContainsFunc(g.Players, func(p store.Player) bool { return p.Side == s }) {
				free = append(free, s)
			}
			if openTo(g, s) {
				how += fmt.Sprintf(" To play %s, send a mail with the first line: JOIN %s %s.", s, g.ID, s)
			}
		}
		r.Advice = append(r.Advice, fmt.Sprintf("Game %s, %s, waits for %s.%s", g.ID, g.Title, strings.Join(free, " and "), how))
	}
	if len(r.Advice) == 0 {
		r.Advice = []string{"No game waits for players at the moment."}
	} else {
		r.Advice = append(r.Advice, "Where no such line is told, ask the moderator for an invitation; it tells how to join.")
	}
	id := fmt.Sprintf("welcome.%s@%s", l.sha[:16], post.DomainOf(u.Address))
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
