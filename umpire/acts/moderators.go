package acts

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strings"

	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/post"
)

// ModeratorWithKey finds the moderator of a key. The configuration has keys as their programs
// print them: a line, an armoured block or a certificate.
func (hd *Executor) ModeratorWithKey(key seal.Key) (Moderator, bool) {
	for _, m := range hd.Moderators {
		if own, err := seal.ParseKey(m.Key); err == nil && own.ID() == key.ID() {
			return m, true
		}
	}
	return Moderator{}, false
}

// TellModerators writes to all who moderate a game, once for each number.
func (hd *Executor) TellModerators(g store.Game, number, about string, says ...string) []store.Mail {
	return hd.ToModeratorsOf(g, number, report.Note{Game: g.ID, About: about, Says: says}, "")
}

// TellEveryModerator writes to every moderator of the club about the house, once for each
// number.
func (hd *Executor) TellEveryModerator(number, about string, says ...string) []store.Mail {
	everybody := func(Moderator) bool { return true }
	return hd.toModerators(everybody, report.Note{About: about, Says: says}, Envelope{Number: number})
}

// Envelope is what a mail to a moderator has beside its text: what makes it unique,
// the Message-ID that it answers, and files.
type Envelope struct {
	Number, Answers string
	ReplyTo         string // where an answer goes; "" is to us
	Files           []mailbox.File
}

// ModeratorMail is a mail to a moderator, at the address of the configuration.
func (hd *Executor) ModeratorMail(m Moderator, n *report.Note, out Envelope) (store.Mail, error) {
	id := strings.ToLower(fmt.Sprintf("moderation.%s@%s", out.Number, post.DomainOf(hd.Address)))
	kind := mailbox.Report
	if out.Answers != "" {
		kind = mailbox.Answer
	}
	raw, err := mailbox.Compose(mailbox.Outgoing{Kind: kind, From: hd.Address, FromName: hd.Name, To: m.Address, ReplyTo: out.ReplyTo, Subject: n.Subject(), Date: hd.Now(),
		MessageID: id, InReplyTo: out.Answers, Instance: hd.Instance, Text: n.Text(), HTML: n.HTML(), Attachments: out.Files})
	if err == nil {
		raw, err = hd.DKIM.Sign(raw)
	}
	hash := sha256.Sum256([]byte(id))
	return store.Mail{ID: strings.ToLower(base32.StdEncoding.EncodeToString(hash[:])[:20]), To: m.Address, MessageID: id, Kind: "moderation", Raw: raw}, err
}

// ToModeratorsOf writes to all who moderate a game. An answer goes to the address replyTo.
func (hd *Executor) ToModeratorsOf(g store.Game, number string, n report.Note, replyTo string) []store.Mail {
	ofGame := func(m Moderator) bool { return m.May(g.ID) }
	return hd.toModerators(ofGame, n, Envelope{Number: g.ID + "." + number, ReplyTo: replyTo})
}

// toModerators writes one note to several moderators.
func (hd *Executor) toModerators(which func(Moderator) bool, n report.Note, out Envelope) (mails []store.Mail) {
	number := out.Number
	for i, m := range hd.Moderators {
		if !which(m) {
			continue
		}
		out.Number = fmt.Sprintf("%s.%d", number, i)
		mail, err := hd.ModeratorMail(m, &n, out)
		if err != nil {
			hd.Log.Error("a moderator cannot be told", "to", m.Address, "error", err)
			continue
		}
		mails = append(mails, mail)
	}
	return mails
}

// PersonOf is the person to whom a game's players turn: the first of its moderators, or
// the contact of the club.
func (hd *Executor) PersonOf(game string) post.Person {
	for _, m := range hd.Moderators {
		if m.May(game) {
			return post.Person{Name: m.Name, Address: m.Address}
		}
	}
	return post.Person{}
}
