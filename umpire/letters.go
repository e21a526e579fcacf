package umpire

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/judge"
	"fieldpost/umpire/match"
)

// draft is an outgoing mail before it is rendered.
type draft struct {
	game    store.Game
	player  store.Player
	kind    string // report, ack, refusal, invitation
	number  string // makes the mail unique among its kind: the game's sequence number or an incoming mail's digest
	reply   bool
	subject string
	text    string
	html    string
	images  []mailbox.File
	files   []mailbox.File
	to      string     // Message-ID that it answers
	after   string     // Message-ID of the report before
	before  *view.View // what the side knew before what the report tells; may be nil
}

// messageID is derived from what the mail is about, so that a repeat is the same mail.
func (u *Umpire) messageID(d draft) string {
	_, host, _ := strings.Cut(u.Address, "@")
	side := d.player.Side
	if d.player.Hand > 0 {
		side = fmt.Sprintf("%s-%d", side, d.player.Hand)
	}
	return strings.ToLower(fmt.Sprintf("%s.%s.%s.%s@%s", d.kind, d.game.ID, side, d.number, host))
}

// post renders a mail for the outbox. Nothing of it may fail for reasons of the
// player's making.
func (u *Umpire) post(d draft) (store.Mail, error) {
	if d.player.Staffed() {
		return store.Mail{}, nil // a staff officer reads no mail, and a Change keeps none to nobody
	}
	id := u.messageID(d)
	hash := sha256.Sum256([]byte(id))
	m := store.Mail{ID: strings.ToLower(base32.StdEncoding.EncodeToString(hash[:])[:20]), Game: d.game.ID, Side: d.player.Side, Hand: d.player.Hand,
		From: u.Address, MessageID: id, Kind: d.kind}
	m.To, _ = u.route(d.player)
	kind := mailbox.Report
	if d.reply {
		kind = mailbox.Answer
	}
	out := mailbox.Outgoing{
		Kind: kind, From: u.Address, FromName: u.Name, To: m.To, ReplyTo: u.Address,
		Subject: d.subject, Date: u.Now(), MessageID: id, Instance: u.Instance,
		ListID: strings.ToLower(d.game.ID) + "." + domainOf(u.Address),
		Text:   d.text, HTML: d.html, Images: d.images, Attachments: d.files,
	}
	if !u.Plain {
		local, domain, _ := strings.Cut(u.Address, "@")
		m.From = u.bounces().From(m.ID)
		out.ReplyTo = strings.ToLower(fmt.Sprintf("%s+%s@%s", local, d.game.ID, domain))
		out.Unsubscribe = strings.ToLower(fmt.Sprintf("%s+%s%s@%s", local, leaveTag, d.game.ID, domain))
	}
	if d.kind != "invitation" {
		out.References = append(out.References, u.messageID(draft{game: d.game, player: d.player, kind: "invitation", number: "1"}))
	}
	if d.after != "" {
		out.References = append(out.References, d.after)
	}
	if d.to != "" {
		out.InReplyTo = d.to
		out.References = append(out.References, d.to)
	}
	raw, err := mailbox.Compose(out)
	if err == nil && d.player.Encrypted {
		raw, err = u.sealed(d.player, raw, out)
	}
	if err == nil {
		m.Raw, err = u.DKIM.Sign(raw)
	}
	return m, err
}

// leaveTag begins the tag of the address in List-Unsubscribe.
const leaveTag = "leave."

// sealed puts a mail into an envelope for a player who asked for that. When
// nothing can be encrypted to their key, they are told so, and nothing else.
func (u *Umpire) sealed(p store.Player, raw []byte, out mailbox.Outgoing) ([]byte, error) {
	envelope, err := u.Key.Envelope(u.Address)
	if err != nil {
		return nil, err
	}
	key, err := seal.ParseKey(p.Key)
	if err == nil {
		var closed []byte
		closed, err = mailbox.Encrypt(raw, "[...]", func(content []byte) (string, error) { return envelope.Seal(key, content, u.Now()) })
		if err == nil {
			return closed, nil
		}
	}
	u.Log.Error("a mail cannot be encrypted; its player is told", "side", p.Side, "to", out.To, "error", err)
	out.Subject, out.HTML, out.Images, out.Attachments = "a mail for you cannot be encrypted", "", nil, nil
	out.Text = "You asked for encrypted mail, and this one cannot be encrypted:\n" + err.Error() + ".\n\n" +
		"Nothing of it is sent in the open. Enrol another OpenPGP key, or send a signed sheet with PLAINTEXT\non a line of its own in its head; then MAP and STATUS tell where the game stands.\n"
	return mailbox.Compose(out)
}

// answer answers a mail that had no effect, to the player's enrolled address.
func (l *letter) answer(kind report.LetterKind, why string, instead ...string) []store.Mail {
	r := report.Letter{Kind: kind, Game: l.game.ID, Title: l.game.Title, Scenario: l.game.Scenario, Side: l.player.Side,
		Address: l.u.Address, Reason: sentence(why), Serial: l.player.Serial + 1}
	for _, s := range instead {
		if s != "" {
			r.Advice = append(r.Advice, sentence(s))
		}
	}
	r.Turn = l.turn
	if _, sys, err := l.u.RulesOf(l.game); err == nil {
		r.Sections = sys.Template()
	}
	return l.mail(draft{kind: "refusal", number: l.sha[:16], subject: r.Subject(), text: r.Text(), html: r.HTML()})
}

func (l *letter) mail(d draft) []store.Mail {
	d.game, d.player, d.reply, d.to = l.game, l.player, true, l.msg.MessageID
	m, err := l.u.post(d)
	if err != nil {
		// An odd Message-ID of the sender's must not cost them the answer.
		d.to = ""
		if m, err = l.u.post(d); err != nil {
			l.u.Log.Error("mail cannot be rendered", "game", l.game.ID, "kind", d.kind, "error", err)
			return nil
		}
	}
	return []store.Mail{m}
}

// sentence begins with a capital and ends with a full stop.
func sentence(s string) string {
	if s = strings.TrimSpace(s); s == "" {
		return s
	}
	s = strings.ToUpper(s[:1]) + s[1:]
	if !strings.ContainsAny(s[len(s)-1:], ".!?:") {
		s += "."
	}
	return s
}

// replaces is the number of the sheet that one for a turn takes the place of: the last of
// its sender, if that was for the same turn, and spoke in a game with chits in the same
// phase (see plotted); 0 if there is none, or it cannot be read.
func (l *letter) replaces(set match.Settings, turn int, phase string) int {
	last := l.player.Serial
	note, err := l.u.DB.Note(match.FilingNote(l.game.ID, fmt.Sprintf("%s/%03d/%06d", l.player.Side, turn, last)))
	switch {
	case err != nil:
		return 0
	case l.ofPart():
		// The side's sheet is joined from its commanders', who count their own.
		sheets, err := l.u.DB.Sheets(l.game.ID, l.player.Side, turn)
		if err != nil || !slices.ContainsFunc(sheets, func(s store.Sheet) bool { return s.Serial == last && s.Part == l.hand()+1 }) {
			return 0
		}
	case note == nil:
		return 0
	}
	if note == nil || !slices.Contains(set.May, adjudicator.KindActivation) {
		return last
	}
	var was match.Filing
	if json.Unmarshal(note, &was) == nil && was.Phase != phase && strings.HasPrefix(was.Phase, fmt.Sprintf("turn %d ", turn)) {
		return 0
	}
	return last
}

// ack is the acknowledgement of a sheet, without what happens next.
func (l *letter) ack(turn, serial int, f *adjudicator.Filing, date string) *report.Ack {
	a := &report.Ack{Game: l.game.ID, Title: l.game.Title, Side: l.player.Side, Turn: turn, Date: date, Serial: serial,
		Replaces: l.replaced, Digest: l.digest, Key: seal.Signer(l.key)}
	for _, x := range f.Lines {
		a.Lines = append(a.Lines, judge.Line(x))
	}
	return a
}

// together tells whether the game waits for the player and another side at once, as
// games with sealed sheets do.
func (l *letter) together() bool {
	open, err := l.u.DB.Waiting(l.game.ID)
	if err != nil {
		return false
	}
	all, err := match.PendingOf(open)
	sides := match.WaitingFor(all)
	return err == nil && len(sides) > 1 && slices.Contains(sides, l.player.Side)
}

// acknowledgement says what was understood of a sheet.
func (l *letter) acknowledgement(turn, serial int, f *adjudicator.Filing, date string, after string) []store.Mail {
	a := l.ack(turn, serial, f, date)
	switch {
	case after != "":
		a.Next = []string{after}
	case l.next != "":
		a.Next = []string{l.next}
	case f.Done:
		when := "when your turn comes"
		if l.together() {
			when = "together with the other side's, when both are in or time is up"
		}
		a.Next = []string{"It will be carried out " + when + ". Until then a sheet with a higher SERIAL replaces it."}
	default:
		a.Next = []string{"It has no DONE: it waits. Send it again with DONE and a higher SERIAL when you are ready. Its standing orders, and what it says for phases of the enemy's turn, count already."}
	}
	a.Next = append(a.Next, f.Notes...)
	if by := match.StandInOf(l.sheet); by != "" {
		a.Next = append(a.Next, sentence("it was filed by "+by+" in your place, with the adjudicator's key"))
	}
	d := draft{kind: "ack", number: l.sha[:16], subject: a.Subject(), text: a.Text(), html: a.HTML()}
	if l.sheet.Command("ENCRYPT") {
		var err error
		if d.files, err = l.u.envelopeKey(); err != nil {
			l.u.Log.Error("the OpenPGP key cannot be shown", "error", err)
		}
	}
	return l.mail(d)
}
