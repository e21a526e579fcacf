package umpire

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/internal/calendar"
	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/report/chart"
	"fieldpost/store"
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
	to      string // Message-ID that it answers
	after   string // Message-ID of the report before
}

// messageID is derived from what the mail is about, so that a repeat is the same mail.
func (u *Umpire) messageID(d draft) string {
	_, host, _ := strings.Cut(u.Address, "@")
	return strings.ToLower(fmt.Sprintf("%s.%s.%s.%s@%s", d.kind, d.game.ID, d.player.Side, d.number, host))
}

// post renders a mail for the outbox. Nothing of it may fail for reasons of the
// player's making.
func (u *Umpire) post(d draft) (store.Mail, error) {
	if d.player.Staffed() {
		return store.Mail{}, nil // he reads no mail, and a Change keeps none to nobody
	}
	id := u.messageID(d)
	hash := sha256.Sum256([]byte(id))
	m := store.Mail{ID: strings.ToLower(base32.StdEncoding.EncodeToString(hash[:])[:20]), Game: d.game.ID, Side: d.player.Side,
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
// nothing can be encrypted to his key, he is told so, and nothing else.
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

// invitation is a player's first mail: it carries the keys that everything later
// is checked with.
func (u *Umpire) invitation(g store.Game, p store.Player) (store.Mail, error) {
	return u.inviteWith(g, p, "", "")
}

// inviteWith is the invitation with a code to join by, and until when it holds.
func (u *Umpire) inviteWith(g store.Game, p store.Player, code, by string) (store.Mail, error) {
	game, sys, err := u.under(g)
	if err != nil {
		return store.Mail{}, err
	}
	l := report.Letter{
		Kind: report.Invitation, Game: g.ID, Title: g.Title, Scenario: g.Scenario, Side: p.Side, Address: u.Address,
		DiceKey: thrower(g, "").Key.PublicKey().String(), DaemonKey: u.Key.Public().String(),
		Notes: append(game.Unplayed(), agreed(g, append(slices.Clone(ownSettings), adjudicator.SettingsOf(game)...))...), Turn: 1, Serial: 1, Roster: roster(g), Sections: sys.Template(),
		Code: code, By: by,
	}
	number := "1"
	if code != "" {
		number = codeHash(code)[:16]
	}
	return u.post(draft{game: g, player: p, kind: "invitation", number: number, subject: l.Subject(), text: l.Text(), html: l.HTML()})
}

var keyLine = regexp.MustCompile(`(?m)^\s*(dice key|our signing key)\s+(\S.*?)\s*$`)

// TrustFrom reads the two keys of an invitation.
func TrustFrom(raw []byte) (Trust, error) {
	m, err := mailbox.Read(raw)
	if err != nil {
		return Trust{}, err
	}
	var t Trust
	for _, p := range m.Texts {
		if p.Type != "text/plain" {
			continue
		}
		for _, k := range keyLine.FindAllStringSubmatch(p.AsSent, -1) {
			if k[1] == "dice key" {
				t.DiceKey = k[2]
			} else {
				t.DaemonKey = k[2]
			}
		}
	}
	if t.DiceKey == "" || t.DaemonKey == "" {
		return t, errors.New("no keys found: this is no invitation")
	}
	return t, nil
}

func roster(g store.Game) []report.Player {
	var out []report.Player
	for _, p := range g.Players {
		signer := "no key: it was revoked"
		if key, err := seal.ParseKey(p.Key); err == nil {
			signer = seal.Signer(key)
		}
		if len(p.Nonce) > 0 {
			signer += ", nonce " + hex.EncodeToString(p.Nonce)
		}
		if p.Staffed() {
			signer = "a staff officer: the program plays this side, " + signer
		}
		out = append(out, report.Player{Side: p.Side, Key: signer})
	}
	return out
}

// refusal answers a mail that had no effect, to the player's enrolled address.
func (l *letter) refusal(kind report.LetterKind, why string, instead ...string) []store.Mail {
	r := report.Letter{Kind: kind, Game: l.game.ID, Title: l.game.Title, Scenario: l.game.Scenario, Side: l.player.Side,
		Address: l.u.Address, Reason: sentence(why), Serial: l.player.Serial + 1}
	for _, s := range instead {
		if s != "" {
			r.Advice = append(r.Advice, sentence(s))
		}
	}
	r.Turn = l.turn
	if _, sys, err := l.u.under(l.game); err == nil {
		r.Sections = sys.Template()
	}
	return l.mail(draft{kind: "refusal", number: l.sha[:16], subject: r.Subject(), text: r.Text(), html: r.HTML()})
}

func (l *letter) mail(d draft) []store.Mail {
	d.game, d.player, d.reply, d.to = l.game, l.player, true, l.msg.MessageID
	m, err := l.u.post(d)
	if err != nil {
		// An odd Message-ID of the sender's must not cost him the answer.
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

// ack is the acknowledgement of a sheet, without what happens next.
func (l *letter) ack(turn, serial int, f *adjudicator.Filing, date string) *report.Ack {
	a := &report.Ack{Game: l.game.ID, Title: l.game.Title, Side: l.player.Side, Turn: turn, Date: date, Serial: serial,
		Replaces: l.player.Serial, Digest: l.digest, Key: seal.Signer(l.key)}
	for _, x := range f.Lines {
		a.Lines = append(a.Lines, line(x))
	}
	return a
}

// acknowledgement says what was understood of a sheet.
func (l *letter) acknowledgement(turn, serial int, f *adjudicator.Filing, date string, after string) []store.Mail {
	a := l.ack(turn, serial, f, date)
	switch {
	case after != "":
		a.Next = []string{after}
	case f.Done:
		a.Next = []string{"It will be carried out when your turn comes. Until then a sheet with a higher SERIAL replaces it."}
	default:
		a.Next = []string{"It has no DONE: it waits. Send it again with DONE and a higher SERIAL when you are ready. Its standing orders, and what it says for phases of the enemy's turn, count already."}
	}
	if by := filedBy(l.sheet); by != "" {
		a.Next = append(a.Next, sentence("it was filed by "+by+" in your place, with the adjudicator's key"))
	}
	return l.mail(draft{kind: "ack", number: l.sha[:16], subject: a.Subject(), text: a.Text(), html: a.HTML()})
}

// reports renders a report for every player: everything that happened since the
// last stop, as his side may know it.
func (u *Umpire) reports(game adjudicator.Game, sys adjudicator.System, g store.Game, seq uint64, p progress, notes map[string][]byte) ([]store.Mail, error) {
	var out []store.Mail
	for _, player := range g.Players {
		if player.Staffed() {
			continue
		}
		m, err := u.report(game, sys, g, player, seq, p, notes)
		if err != nil {
			return nil, fmt.Errorf("report for %s: %w", player.Side, err)
		}
		out = append(out, m)
	}
	return out, nil
}

func (u *Umpire) report(game adjudicator.Game, sys adjudicator.System, g store.Game, player store.Player, seq uint64, p progress, notes map[string][]byte) (store.Mail, error) {
	side := adjudicator.Side(player.Side)
	v, err := game.View(p.position, side)
	if err != nil {
		return store.Mail{}, err
	}
	r := u.told(game, sys, g, player, seq, p, v, p.events)
	r.Number = u.count(g, player.Side, notes)
	r.Notes = append(r.Notes, p.notes...)
	if len(p.late) > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("The deadline passed without orders of %s.", strings.Join(p.late, " and ")))
	}
	if len(v.Due) > 0 {
		what := strings.Join(v.Due, ", ")
		if g.Options[optionTempo] == tempoPhase {
			what = p.at.Name
		}
		r.Due = fmt.Sprintf("your sheet for turn %d: %s", r.Turn, what)
		if p.open != nil && !p.open.Deadline.IsZero() {
			r.By = u.until(player, g, p.open.Deadline)
			r.Notes = append(r.Notes, u.without(g))
		}
	}
	d := draft{game: g, player: player, kind: "report", number: strconv.FormatUint(seq, 10)}
	if p.at.Over {
		if err := u.lookBack(&d, r, game, p); err != nil {
			return store.Mail{}, err
		}
	}
	return u.postReport(d, r, sys)
}

// question is a report in the midst of a phase to a side that wants to decide
// something itself: the story so far, the position as it is now, the questions.
// The next report tells the whole again.
func (u *Umpire) question(game adjudicator.Game, sys adjudicator.System, g store.Game, player store.Player, seq uint64, p progress) (store.Mail, error) {
	side := adjudicator.Side(player.Side)
	v, err := game.View(p.midst, side)
	if err != nil {
		return store.Mail{}, err
	}
	v.Asked, v.Due = asked(p.pending, side), nil
	r := u.told(game, sys, g, player, seq, p, v, append(slices.Clone(p.events), p.partly...))
	r.Number = u.counted(g, player.Side)
	r.Due = answersTo(v.Asked)
	if p.open.Deadline.IsZero() {
		r.Notes = append(r.Notes, "The game waits for your answer.")
	} else {
		r.By = u.until(player, g, p.open.Deadline)
		r.Notes = append(r.Notes, "Without an answer by then the choice that is marked holds.")
	}
	return u.postReport(draft{game: g, player: player, kind: "question", number: strconv.FormatUint(seq, 10)}, r, sys)
}

// answersTo names the questions in a line: "answer to RETREAT 2306".
func answersTo(asked []view.Question) string {
	s := "answer to " + strings.ToUpper(asked[0].Label)
	if n := len(asked); n > 1 {
		s = fmt.Sprintf("%d answers, the first to %s", n, strings.ToUpper(asked[0].Label))
	}
	return s
}

// told is what every kind of report says of the events.
func (u *Umpire) told(game adjudicator.Game, sys adjudicator.System, g store.Game, player store.Player, seq uint64, p progress, v *view.View, all []happening) *report.Report {
	v.Game = g.ID
	events, dice := storyFor(player.Side, all)
	r := &report.Report{View: v, Wording: game.Wording(), Events: events, Dice: dice,
		Roster: roster(g), GameKey: thrower(g, "").Key.PublicKey().String(), Root: hex.EncodeToString(g.Root),
		Commitment: commitment(g, seq, p.position), Serial: player.Serial + 1, Sections: sys.Template(), Turn: nextTurn(game, p.at, adjudicator.Side(player.Side))}
	if remark := codeRemark(g, player, p.at.Label); remark != "" {
		r.Notes = append(r.Notes, remark)
	}
	return r
}

// postReport renders a report with its map, view and signature.
func (u *Umpire) postReport(d draft, r *report.Report, sys adjudicator.System) (store.Mail, error) {
	v, g := r.View, d.game
	id := u.messageID(d)
	before, err := u.DB.Mails(g.ID)
	if err != nil {
		return store.Mail{}, err
	}
	for _, m := range before {
		if m.Kind == "report" && m.Side == d.player.Side {
			d.after = m.MessageID
		}
	}
	if note := gap(before, d.player.Side); note != "" {
		r.Notes = append(r.Notes, note)
	}
	viewFile, err := json.Marshal(v)
	if err != nil {
		return store.Mail{}, err
	}
	r.ViewHash = sum(viewFile)
	if _, err := r.Items(); err != nil {
		u.Log.Error("an event has no words", "game", g.ID, "error", err)
	}
	if len(v.Due) > 0 || len(v.Asked) > 0 {
		sheet := []byte(report.Filled(v, r.Turn, r.Serial, sys.Template()))
		if len(v.Due) == 0 {
			sheet = []byte(report.AnswerSheet(v, r.Turn, r.Serial))
		}
		d.files = append(d.files, mailbox.File{Name: fileSheet, Type: "application/octet-stream", Data: sheet})
	}
	d.files = append(d.files, mailbox.File{Name: fileView, Type: "application/json", Data: viewFile})
	for _, f := range d.files {
		r.Files = append(r.Files, report.File{Name: f.Name, SHA256: sum(f.Data)})
	}
	if u.Draw == nil || u.Draw(g.ID, d.player.Side) {
		if err := d.illustrate(id, r, r.Marks()); err != nil {
			return store.Mail{}, err
		}
	}
	d.html, _ = r.HTML() // complete even with an event that has no words; logged above
	r.Files = append(r.Files, report.File{Name: fileHTML, SHA256: sum(plain(d.html))})
	d.text, _ = r.Text()
	signature, err := seal.Sign(u.Key, signatureNamespace, plain(d.text))
	if err != nil {
		return store.Mail{}, err
	}
	d.subject = r.Subject()
	d.files = append(d.files, mailbox.File{Name: fileSignature, Type: "application/octet-stream", Data: []byte(signature)})
	return u.post(d)
}

// illustrate puts the pictures into a report that is complete but for them, as
// many and as large as its mail has room for.
func (d *draft) illustrate(id string, r *report.Report, ms []chart.Mark) error {
	room := mailLimit
	for _, f := range d.files {
		room -= travels(len(f.Data))
	}
	bare, _ := r.Text()
	page, _ := r.HTML()
	room -= len(bare)*21/20 + len(page)*11/10 + 8000 // quoted-printable, and what names the pictures
	all, err := pictures(r.View, ms, room)
	if err != nil {
		return err
	}
	for _, pic := range all {
		r.Pictures = append(r.Pictures, report.Picture{CID: mailbox.ContentID(id, pic.name), Title: pic.title})
		r.Files = append(r.Files, report.File{Name: pic.name, SHA256: sum(pic.data)})
		d.images = append(d.images, mailbox.File{Name: pic.name, Type: "image/png", Data: pic.data})
	}
	return nil
}

// counted is how many reports a side has had.
func (u *Umpire) counted(g store.Game, side string) int {
	last, _ := u.DB.Note("reports/" + g.ID + "/" + side)
	n, _ := strconv.Atoi(string(last))
	return n
}

// zoneOf is the time zone that a player reads deadlines in: his own, or the game's.
func zoneOf(p store.Player, g store.Game) *time.Location {
	for _, name := range []string{p.Zone, g.Options[optionZone]} {
		if zone, err := calendar.ParseZone(name); name != "" && err == nil {
			return zone
		}
	}
	return time.UTC
}

// count numbers a side's reports.
func (u *Umpire) count(g store.Game, side string, notes map[string][]byte) int {
	n := u.counted(g, side) + 1
	notes["reports/"+g.ID+"/"+side] = []byte(strconv.Itoa(n))
	return n
}

// commitment binds the server to the whole position without giving anything
// away: SHA-256 of a salt and the position. Salts and positions are shown when
// the game is over.
func commitment(g store.Game, seq uint64, position []byte) string {
	return committed(saltOf(g, seq), position)
}

func committed(salt, position []byte) string {
	h := sha256.New()
	h.Write(salt)
	h.Write(position)
	return hex.EncodeToString(h.Sum(nil))
}

// saltOf is the salt of the commitment in the reports of a Change.
func saltOf(g store.Game, seq uint64) []byte {
	salt := hmac.New(sha256.New, g.DiceKey)
	fmt.Fprintf(salt, "fieldpost commitment %s %d", g.ID, seq)
	return salt.Sum(nil)
}
