package intake

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldpost/dice/beacon"
	"fieldpost/mailbox"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/turns"
)

// strangersPerDay is how many unknown senders are answered in a day.
const strangersPerDay = 20

// strangers are those answered on a day, by address.
type strangers struct {
	Day string   `json:"day"`
	To  []string `json:"to"`
}

// StrangerRecord are those of a day.
var StrangerRecord = store.OneOfHouse[strangers]("strangers")

// mayAnswerStranger tells whether sign-up is open, and the mail one that a person wrote.
func (l *incoming) mayAnswerStranger() bool {
	switch {
	case !l.h.SignUp, l.class() != mailbox.Ordinary, l.raw.Junk:
		return false
	}
	return l.msg.From != ""
}

// toStranger answers somebody who is not known here, where sign-up is open and their
// provider vouches for the address: otherwise the answer could go to whoever the
// sender names. Each address gets one a day.
func (l *incoming) toStranger(c store.Change) (store.Change, error) {
	u := l.h
	if !l.mayAnswerStranger() {
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

// ofStranger tells whether nobody who is known here, a player, somebody invited or a
// moderator, writes from the address of the mail.
func (l *incoming) ofStranger() bool {
	if slices.ContainsFunc(l.h.Moderators, func(m acts.Moderator) bool { return strings.EqualFold(m.Address, l.msg.From) }) {
		return false
	}
	asked := &incoming{h: l.h, raw: l.raw, sha: l.sha, msg: l.msg}
	known, err := asked.sender()
	return !known && err == nil
}

// signUp answers somebody who asks for a seat of a game with open sign-up, "JOIN
// GAME SIDE" on the first line of their mail, with an invitation to the address that
// they write from. It reports whether the mail asks for a seat that they may have.
func (l *incoming) signUp(c *store.Change) (bool, error) {
	u, words := l.h, l.firstLine()
	asksForSeat := len(words) == 3 && words[0] == "JOIN"
	if !asksForSeat || !l.mayAnswerStranger() {
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
	if err := u.InviteTo(&invitation, g, words[2], post.Invited{Address: l.msg.From, Asked: true}); err != nil {
		u.Log.Error("somebody who asks for a seat cannot be invited", "game", g.ID, "error", err)
		return false, nil
	}
	answered, err := l.answerOnce(c, "join "+strings.ToLower(l.msg.From), invitation.Mails...)
	if answered {
		c.WithRecords(invitation)
		c.Handled.Outcome = fmt.Sprintf("%s may join game %s alone: invited", words[2], g.ID)
	}
	return true, err
}

// openTo tells whether anybody may ask for a side: sign-up is open, nobody has the
// side, and it is not reserved for somebody the moderator will invite.
func openTo(g store.Game, side string) bool {
	switch {
	case match.OptionOr(g, match.OptionSignUp, match.SignUpInvited) != match.SignUpOpen, acts.Free(g, side) != nil:
		return false
	}
	return !slices.Contains(match.ReservedSides(g), side)
}

// answerOnce puts the answer to a stranger into the Change, once a day for each
// name, where their provider vouches for the address.
func (l *incoming) answerOnce(c *store.Change, name string, mails ...store.Mail) (answered bool, err error) {
	u := l.h
	today, _, err := StrangerRecord.Get(u.DB, store.House{})
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
		c.Handled.Outcome += "; a stranger whose provider does not vouch for them: " + err.Error()
		return false, nil
	}
	today.To = append(today.To, name)
	StrangerRecord.Put(c, store.House{}, today)
	c.Mails = mails
	c.Handled.Outcome += "; a stranger, told how to join"
	return true, nil
}

// welcome tells a stranger which games wait for players. Its envelope sender is
// empty, so that nothing answers it (RFC 3834 section 3.3).
func (hd *Handler) welcome(l *incoming) (store.Mail, error) {
	r := report.Message{Kind: report.Notice, Address: hd.Address, Reason: "Games are played here by mail, and you are not in one yet."}
	games, err := hd.DB.Games()
	if err := hd.Readable(err); err != nil {
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
		r.Advice = append(r.Advice, "If no such line is shown, ask the moderator for an invitation; it tells you how to join.")
	}
	id := fmt.Sprintf("welcome.%s@%s", l.number(), post.DomainOf(hd.Address))
	out := mailbox.Outgoing{Kind: mailbox.Answer, From: hd.Address, FromName: hd.Name, To: l.msg.From, Subject: r.Subject(), Date: hd.Now(),
		MessageID: id, InReplyTo: l.msg.MessageID, Instance: hd.Instance, Text: r.Text(), HTML: r.HTML()}
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

// beaconSaid takes values of the beacon out of a mail, whoever sent it: a value
// proves itself. A player hears when theirs is not the beacon's.
func (l *incoming) beaconSaid(c *store.Change) bool {
	for _, t := range l.msg.Texts {
		for _, v := range beacon.Find(t.Text) {
			switch taken, err := l.h.TakeValue(c, v); {
			case taken:
				c.Handled.Outcome = fmt.Sprintf("round %d of the beacon, by mail", v.Round)
				return true
			case err != nil:
				var known bool
				if l.game, l.player, known, _ = l.h.ByAddress(l.msg.From); known {
					c.Handled.Outcome = "refused: " + err.Error()
					c.Mails = l.answer(report.Notice, "what you sent is not drand's value of "+err.Error(), "Read it at "+l.h.Chain().URL(turns.DrandServers[0], v.Round))
					return true
				}
			}
		}
	}
	return false
}

// closedFor refuses orders while they are not taken.
func (hd *Handler) closedFor(open *store.OpenPhase) error {
	if !match.OrdersClosed(open) {
		return nil
	}
	return refusal("the deadline has passed, and no orders are taken until the dice have come", fmt.Sprintf("The dice wait for round %d of drand: orders sent now could be written knowing them. Nothing was filed. Send your orders when the next report has come.", open.Round))
}
