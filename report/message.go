package report

import (
	"fmt"
	"strings"
)

// MessageKind is what a Message is about.
type MessageKind string

// The kinds of messages.
const (
	Invitation     MessageKind = "invitation"
	Unsigned       MessageKind = "unsigned"        // a sheet without a signature
	WrongSignature MessageKind = "wrong-signature" // one that does not fit the sheet or the player
	Stale          MessageKind = "stale"           // an old serial, turn or game
	Malformed      MessageKind = "malformed"       // no sheet could be read
	Notice         MessageKind = "notice"          // anything else: Reason and Advice say it
)

// Message is a mail that is neither a report nor an acknowledgement: the
// invitation to a game, or the refusal of a mail that is no valid sheet.
type Message struct {
	Kind                        MessageKind
	Game, Title, Scenario, Side string
	// Address takes the sheets.
	Address string
	// DiceKey is the game's public dice key, DaemonKey the key that signs our mails.
	DiceKey, DaemonKey string
	// Code joins the game, where joining needs one; By is until when.
	Code, By string
	// Reason says in a sentence what is wrong or new, Advice what to do.
	Reason string
	Advice []string
	// Notes are remarks on the scenario: what this version does not play yet.
	Notes []string
	// Turn, Serial and Sections are those of the sheet template.
	Turn, Serial int
	Sections     []string
	// Roster lists the players that have joined.
	Roster []Player
}

// Namespace is the SSHSIG namespace of order sheets.
const Namespace = "orders@fieldpost"

// Subject is the mail's subject.
func (m *Message) Subject() string {
	game := ""
	if m.Game != "" {
		game = "[" + m.Game + "] "
	}
	switch m.Kind {
	case Invitation:
		return fmt.Sprintf("%s%s: you are invited to play the %s side", game, m.Title, proper(m.Side))
	case Unsigned:
		return game + "your sheet carries no signature and was not read"
	case WrongSignature:
		return game + "the signature of your sheet does not fit"
	case Stale:
		return game + "your sheet is out of date"
	case Malformed:
		return game + "no order sheet was found in your mail"
	}
	if m.Reason != "" {
		return game + strings.TrimSuffix(m.Reason, ".")
	}
	return game + m.Title
}

// opening says what the message is about.
func (m *Message) opening() []string {
	switch m.Kind {
	case Invitation:
		out := []string{fmt.Sprintf("You are invited to play the %s side of %s (scenario %s) by mail. The game's id is %s.", proper(m.Side), m.Title, m.Scenario, m.Game)}
		if m.Code != "" {
			out = append(out, "To join, sign the lines below with the key that you will sign your sheets with, and mail them. An OpenPGP key or a certificate goes along as an attachment. "+
				"Our program makes key and mail in one step, as shown under HOW TO JOIN WITH OUR PROGRAM.")
		}
		if m.By != "" {
			out = append(out, "The invitation holds until "+m.By+".")
		}
		return out
	case Unsigned:
		return m.because("Your mail holds a sheet without a signature. Anybody could have sent it, so nothing of it was read.")
	case WrongSignature:
		return m.because("The signature of your sheet does not verify with the key that the game knows of you. Nothing of it was read.")
	case Stale:
		return m.because("Your sheet is out of date. What was filed before still stands.")
	case Malformed:
		return m.because("Your mail came in, but no order sheet could be read from it.")
	}
	return m.because("")
}

func (m *Message) because(s string) []string {
	var out []string
	if s != "" {
		out = append(out, s)
	}
	if m.Reason != "" {
		out = append(out, m.Reason)
	}
	return out
}

// advice is what the player can do; each kind of refusal has its usual causes.
func (m *Message) advice() []string {
	if len(m.Advice) > 0 {
		return m.Advice
	}
	switch m.Kind {
	case Unsigned:
		return []string{"Sign the sheet as described below and send it again; the same SERIAL will do.",
			"If you did sign it, your mail program has dropped the signature: send the sheet and its signature as attachments."}
	case WrongSignature:
		return []string{"Sign with the key that you enrolled; its fingerprint is in the roster of every report.",
			"If the sheet was changed after signing, by you or by your mail program, sign it again and send it as an attachment.",
			"If you have lost the key, write to the moderator."}
	case Stale:
		return []string{"Take GAME, TURN and SERIAL from the latest report, or from the template below."}
	case Malformed:
		return []string{"Send plain text, with the sheet in the body or as an attachment.",
			"A sheet begins with the lines GAME, SIDE, TURN and SERIAL and ends with DONE."}
	}
	return nil
}

// joining is the command that makes a key and the mail to join with, in lines that
// can be copied into a shell; "" in messages without a code.
func (m *Message) joining() string {
	if m.Kind != Invitation || m.Code == "" {
		return ""
	}
	side, code := fmt.Sprintf("fieldpost enrol --game %s --side %s", m.Game, m.Side), " --code "+m.Code
	if len(side)+len(code) > columns-2 {
		return side + " \\\n   " + code
	}
	return side + code
}

// signing explains how to sign, with our program and without.
func (m *Message) signing() [][2]string {
	return [][2]string{
		{"With our program:", "fieldpost sign sheet.txt"},
		{"With OpenSSH:", "ssh-keygen -Y sign -n " + Namespace + " -f ~/.ssh/id_ed25519 sheet.txt"},
		{"With OpenPGP:", "gpg --clearsign sheet.txt"},
	}
}

const signingNote = "The first prints a block to paste into the mail. The second writes sheet.txt.sig: attach it together with sheet.txt. " +
	"The third writes sheet.txt.asc: paste it. A mail program that signs with OpenPGP (PGP/MIME) or S/MIME will do as well. " +
	"Sign with the key that you enrolled; nothing but what is signed is read."

const checkingNote = "Keep both keys. Every roll of the game is proved with the first and every mail from us is signed with the second; fieldpost verify checks them."

// keys lists the keys of an invitation.
func (m *Message) keys() [][2]string {
	var out [][2]string
	for _, k := range [][2]string{{"dice key", m.DiceKey}, {"our signing key", m.DaemonKey}, {"send sheets to", m.Address}} {
		if k[1] != "" {
			out = append(out, k)
		}
	}
	for _, p := range m.Roster {
		out = append(out, [2]string{proper(p.Side), p.Key})
	}
	return out
}

// withSheet tells whether the message explains signing and holds a template.
func (m *Message) withSheet() bool { return m.Kind != Notice && m.Game != "" }

// below and blank are what the message ends with: a sheet to fill in, or to sign.
func (m *Message) below() string {
	if m.Code != "" {
		return "To join, sign these lines"
	}
	return "A sheet to begin with"
}

func (m *Message) blank() string {
	if m.Code != "" {
		return fmt.Sprintf("GAME: %s\nSIDE: %s\nJOIN: %s\n", m.Game, m.Side, m.Code)
	}
	return Template(m.Game, m.Side, max(m.Turn, 1), m.Serial, m.Sections)
}

// Text is the message as plain text.
func (m *Message) Text() string {
	p := &page{}
	for _, s := range m.opening() {
		p.hang("", s)
		p.line("")
	}
	for _, s := range m.advice() {
		p.hang("  - ", s)
	}
	if len(m.advice()) > 0 {
		p.line("")
	}
	m.textKeys(p)
	if len(m.Notes) > 0 {
		p.line("REMARKS")
		for _, n := range m.Notes {
			p.hang("  - ", n)
		}
		p.line("")
	}
	m.textJoining(p)
	m.textSheet(p)
	return p.String()
}

func (m *Message) textKeys(p *page) {
	ks := m.keys()
	if len(ks) == 0 {
		return
	}
	p.line("KEYS")
	for _, k := range ks {
		p.line("  " + pad(k[0], 17) + k[1])
	}
	if m.DiceKey != "" && m.DaemonKey != "" {
		p.hang("  ", checkingNote)
	}
	p.line("")
}

func (m *Message) textJoining(p *page) {
	join := m.joining()
	if join == "" {
		return
	}
	p.line("HOW TO JOIN WITH OUR PROGRAM")
	for _, part := range strings.Split(join, "\n") {
		p.line("  " + part)
	}
	p.line("  Mail what it prints to " + m.Address + ".")
	p.line("")
}

// textSheet explains signing above a sheet to sign.
func (m *Message) textSheet(p *page) {
	if !m.withSheet() {
		return
	}
	p.line("HOW TO SIGN A SHEET")
	for _, s := range m.signing() {
		p.line("  " + s[0])
		p.line("      " + s[1])
	}
	p.hang("  ", signingNote)
	p.line("")
	p.line(strings.ToUpper(m.below()))
	p.line("")
	p.WriteString(m.blank())
}

// HTML is the message for a mail client that shows HTML.
func (m *Message) HTML() string {
	doc := &markup{}
	doc.open(m.Subject())
	doc.tag("h1", titleStyle, strings.TrimSpace(m.Title+" "+m.Game))
	style := dueStyle
	if m.Kind == Invitation {
		style = strings.Replace(dueStyle, "#c8372d", "#3c8a4a", 1)
	}
	doc.tag("div", style, strings.Join(m.opening(), " "))
	for _, s := range m.advice() {
		doc.tag("p", "margin:4px 0;", s)
	}
	if ks := m.keys(); len(ks) > 0 {
		doc.section("Keys")
		var rows [][]cell
		for _, k := range ks {
			rows = append(rows, []cell{{k[0], "white-space:nowrap;"}, {k[1], monoStyle}})
		}
		doc.table(nil, rows)
		if m.DiceKey != "" && m.DaemonKey != "" {
			doc.tag("p", quietStyle, checkingNote)
		}
	}
	if len(m.Notes) > 0 {
		doc.section("Remarks")
		for _, n := range m.Notes {
			doc.tag("p", "margin:2px 0;", n)
		}
	}
	if join := m.joining(); join != "" {
		doc.section("How to join with our program")
		doc.pre(join)
		doc.tag("p", quietStyle, "Mail what it prints to "+m.Address+".")
	}
	if m.withSheet() {
		doc.section("How to sign a sheet")
		for _, s := range m.signing() {
			doc.tag("p", "margin:6px 0 0 0;", s[0])
			doc.pre(s[1])
		}
		doc.tag("p", quietStyle, signingNote)
		doc.section(m.below())
		doc.pre(m.blank())
	}
	doc.close()
	return doc.String()
}
