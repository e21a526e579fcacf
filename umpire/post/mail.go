package post

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strings"

	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
)

// Draft is an outgoing mail before it is rendered.
type Draft struct {
	Game    store.Game
	Player  store.Player
	Kind    string // report, ack, refusal, invitation
	Number  string // makes the mail unique among its kind: the game's sequence number or an incoming mail's digest
	Reply   bool
	Subject string
	Text    string
	HTML    string
	Images  []mailbox.File
	Files   []mailbox.File
	To      string // Message-ID that it answers
	footed  bool   // it has its footer
	after   string // Message-ID of the report before
	recipe  []byte // of the Images, see Redraw
	// Recipe, JSON, is what the Files are made from again, for a drawer that can; nil for nothing.
	Recipe []byte
}

// MessageID is derived from what the mail is about, so that a repeat is the same mail. Of
// that it tells the kind alone: the number of a report follows the changes of its game, and
// with it how often the enemy wrote. What is left is an HMAC (RFC 2104) under a key of the
// daemon's.
func (o *Office) MessageID(d Draft) string {
	mac := hmac.New(sha256.New, o.Key.Secret("message ids"))
	mac.Write([]byte(o.plainID(d)))
	_, host, _ := strings.Cut(o.Address, "@")
	return strings.ToLower(fmt.Sprintf("%s.%s@%s", d.Kind, base32.StdEncoding.EncodeToString(mac.Sum(nil)[:15]), host))
}

// beginning is the Message-ID of the mail that the thread of a game begins with. Those of
// games begun long ago are still in the clear.
func (o *Office) beginning(d Draft) string {
	first := Draft{Game: d.Game, Player: d.Player, Kind: "invitation", Number: "1"}
	if plain := o.plainID(first); o.DB != nil {
		if _, err := o.DB.FindMessage(plain); err == nil {
			return plain
		}
	}
	return o.MessageID(first)
}

// plainID is what a mail is about, in the clear.
func (o *Office) plainID(d Draft) string {
	_, host, _ := strings.Cut(o.Address, "@")
	side := d.Player.Side
	if d.Player.Commander > 0 {
		side = fmt.Sprintf("%s-%d", side, d.Player.Commander)
	}
	return strings.ToLower(fmt.Sprintf("%s.%s.%s.%s@%s", d.Kind, d.Game.ID, side, d.Number, host))
}

// Render renders a mail for the outbox. Nothing of it may fail for reasons of the
// player's making.
func (o *Office) Render(d Draft) (store.Mail, error) {
	if d.Player.Staffed() {
		return store.Mail{}, nil // a staff officer reads no mail, and a Change keeps none to nobody
	}
	if !d.footed {
		d.Text, d.HTML = o.footed(d.Game.ID, d.Text), o.footedHTML(d.Game.ID, d.HTML)
	}
	id := o.MessageID(d)
	hash := sha256.Sum256([]byte(id))
	m := store.Mail{ID: strings.ToLower(base32.StdEncoding.EncodeToString(hash[:])[:20]), Game: d.Game.ID, Side: d.Player.Side, Commander: d.Player.Commander,
		From: o.Address, MessageID: id, Kind: d.Kind}
	m.To, _ = o.Route(d.Player)
	kind := mailbox.Report
	if d.Reply {
		kind = mailbox.Answer
	}
	out := mailbox.Outgoing{
		Kind: kind, From: o.Address, FromName: o.Name, To: m.To, ReplyTo: o.Address,
		Subject: d.Subject, Date: o.Now(), MessageID: id, Instance: o.Instance,
		ListID: strings.ToLower(d.Game.ID) + "." + DomainOf(o.Address),
		Text:   d.Text, HTML: d.HTML, Images: d.Images, Attachments: d.Files,
	}
	if !o.Plain {
		local, domain, _ := strings.Cut(o.Address, "@")
		m.From = o.Bounces().From(m.ID)
		out.ReplyTo = strings.ToLower(fmt.Sprintf("%s+%s@%s", local, d.Game.ID, domain))
		out.Unsubscribe = strings.ToLower(fmt.Sprintf("%s+%s%s@%s", local, LeaveTag, d.Game.ID, domain))
	}
	if d.Kind != "invitation" {
		out.References = append(out.References, o.beginning(d))
	}
	if d.after != "" {
		out.References = append(out.References, d.after)
	}
	if d.To != "" {
		out.InReplyTo = d.To
		out.References = append(out.References, d.To)
	}
	raw, err := mailbox.Compose(out)
	m.Recipe = d.recipe
	if d.Recipe != nil {
		m.Recipe = d.Recipe
	}
	if err == nil && d.Player.Encrypted {
		m.Recipe = nil // nobody but the player can see the pictures
		raw, err = o.sealed(d.Player, raw, out)
	}
	if err == nil {
		m.Raw, err = o.DKIM.Sign(raw)
	}
	return m, err
}

// LeaveTag begins the tag of the address in List-Unsubscribe.
const LeaveTag = "leave."

// sealed puts a mail into an envelope for a player who asked for that. When
// nothing can be encrypted to their key, they are told so, and nothing else.
func (o *Office) sealed(p store.Player, raw []byte, out mailbox.Outgoing) ([]byte, error) {
	envelope, err := o.Key.Envelope(o.Address)
	if err != nil {
		return nil, err
	}
	key, err := seal.ParseKey(p.Key)
	if err == nil {
		var closed []byte
		closed, err = mailbox.Encrypt(raw, "[...]", func(content []byte) (string, error) { return envelope.Seal(key, content, o.Now()) })
		if err == nil {
			return closed, nil
		}
	}
	o.Log.Error("a mail cannot be encrypted; its player is told", "side", p.Side, "to", out.To, "error", err)
	out.Subject, out.HTML, out.Images, out.Attachments = "a mail for you cannot be encrypted", "", nil, nil
	out.Text = "You asked for encrypted mail, and this one cannot be encrypted:\n" + err.Error() + ".\n\n" +
		"We do not send it unencrypted. Enrol another OpenPGP key, or send a signed sheet with PLAINTEXT\non a line of its own in its head; then MAP and STATUS tell where the game stands.\n"
	return mailbox.Compose(out)
}

// Sentence is that of a report.
func Sentence(s string) string { return report.Sentence(s) }

func DomainOf(address string) string {
	_, domain, _ := strings.Cut(address, "@")
	return domain
}
