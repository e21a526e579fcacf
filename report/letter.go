package report

import (
	"fmt"
	"strings"
)

// LetterKind is what a Letter is about.
type LetterKind string

// The kinds of letters.
const (
	Invitation     LetterKind = "invitation"
	Unsigned       LetterKind = "unsigned"        // a sheet without a signature
	WrongSignature LetterKind = "wrong-signature" // one that does not fit the sheet or the player
	Stale          LetterKind = "stale"           // an old serial, turn or game
	Malformed      LetterKind = "malformed"       // no sheet could be read
	Notice         LetterKind = "notice"          // anything else: Reason and Advice say it
)

// Letter is a mail that is neither a report nor an acknowledgement: the
// invitation to a game, or the refusal of a mail that is no valid sheet.
type Letter struct {
	Kind                        LetterKind
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
func (l *Letter) Subject() string {
	game := ""
	if l.Game != "" {
		game = "[" + l.Game + "] "
	}
	switch l.Kind {
	case Invitation:
		return fmt.Sprintf("%s%s: you are invited to play the %s side", game, l.Title, proper(l.Side))
	case Unsigned:
		return game + "your sheet carries no signature and was not read"
	case WrongSignature:
		return game + "the signature of your sheet does not fit"
	case Stale:
		return game + "your sheet is out of date"
	case Malformed:
		return game + "no order sheet was found in your mail"
	}
	if l.Reason != "" {
		return game + strings.TrimSuffix(l.Reason, ".")
	}
	return game + l.Title
}

// opening says what the letter is about.
func (l *Letter) opening() []string {
	switch l.Kind {
	case Invitation:
		out := []string{fmt.Sprintf("You are invited to play the %s side of %s (scenario %s) by mail. The game's id is %s.", proper(l.Side), l.Title, l.Scenario, l.Game)}
		if l.Code != "" {
			out = append(out, "To join, sign the lines below with the key that you will sign your sheets with, and mail them. An OpenPGP key or a certificate goes along as an attachment. "+
				"Our program makes key and mail in one step, as shown under HOW TO JOIN WITH OUR PROGRAM.")
		}
		if l.By != "" {
			out = append(out, "The invitation holds until "+l.By+".")
		}
		return out
	case Unsigned:
		return l.because("Your mail holds a sheet without a signature. Anybody could have sent it, so nothing of it was read.")
	case WrongSignature:
		return l.because("The signature of your sheet does not verify with the key that the game knows of you. Nothing of it was read.")
	case Stale:
		return l.because("Your sheet is out of date. What was filed before still stands.")
	case Malformed:
		return l.because("Your mail came in, but no order sheet could be read from it.")
	}
	return l.because("")
}

func (l *Letter) because(s string) []string {
	var out []string
	if s != "" {
		out = append(out, s)
	}
	if l.Reason != "" {
		out = append(out, l.Reason)
	}
	return out
}

// advice is what the player can do; each kind of refusal has its usual causes.
func (l *Letter) advice() []string {
	if len(l.Advice) > 0 {
		return l.Advice
	}
	switch l.Kind {
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
// can be copied into a shell; "" in letters without a code.
func (l *Letter) joining() string {
	if l.Kind != Invitation || l.Code == "" {
		return ""
	}
	side, code := fmt.Sprintf("fieldpost enrol --game %s --side %s", l.Game, l.Side), " --code "+l.Code
	if len(side)+len(code) > columns-2 {
		return side + " \\\n   " + code
	}
	return side + code
}

// signing explains how to sign, with our program and without.
func (l *Letter) signing() [][2]string {
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
func (l *Letter) keys() [][2]string {
	var out [][2]string
	for _, k := range [][2]string{{"dice key", l.DiceKey}, {"our signing key", l.DaemonKey}, {"send sheets to", l.Address}} {
		if k[1] != "" {
			out = append(out, k)
		}
	}
	for _, p := range l.Roster {
		out = append(out, [2]string{proper(p.Side), p.Key})
	}
	return out
}

// withSheet tells whether the letter explains signing and holds a template.
func (l *Letter) withSheet() bool { return l.Kind != Notice && l.Game != "" }

// below and blank are what the letter ends with: a sheet to fill in, or to sign.
func (l *Letter) below() string {
	if l.Code != "" {
		return "To join, sign these lines"
	}
	return "A sheet to begin with"
}

func (l *Letter) blank() string {
	if l.Code != "" {
		return fmt.Sprintf("GAME: %s\nSIDE: %s\nJOIN: %s\n", l.Game, l.Side, l.Code)
	}
	return Template(l.Game, l.Side, max(l.Turn, 1), l.Serial, l.Sections)
}

// Text is the letter as plain text.
func (l *Letter) Text() string {
	p := &page{}
	for _, s := range l.opening() {
		p.hang("", s)
		p.line("")
	}
	for _, s := range l.advice() {
		p.hang("  - ", s)
	}
	if len(l.advice()) > 0 {
		p.line("")
	}
	l.textKeys(p)
	if len(l.Notes) > 0 {
		p.line("REMARKS")
		for _, n := range l.Notes {
			p.hang("  - ", n)
		}
		p.line("")
	}
	l.textJoining(p)
	l.textSheet(p)
	return p.String()
}

func (l *Letter) textKeys(p *page) {
	ks := l.keys()
	if len(ks) == 0 {
		return
	}
	p.line("KEYS")
	for _, k := range ks {
		p.line("  " + pad(k[0], 17) + k[1])
	}
	if l.DiceKey != "" && l.DaemonKey != "" {
		p.hang("  ", checkingNote)
	}
	p.line("")
}

func (l *Letter) textJoining(p *page) {
	join := l.joining()
	if join == "" {
		return
	}
	p.line("HOW TO JOIN WITH OUR PROGRAM")
	for _, part := range strings.Split(join, "\n") {
		p.line("  " + part)
	}
	p.line("  Mail what it prints to " + l.Address + ".")
	p.line("")
}

// textSheet explains signing above a sheet to sign.
func (l *Letter) textSheet(p *page) {
	if !l.withSheet() {
		return
	}
	p.line("HOW TO SIGN A SHEET")
	for _, s := range l.signing() {
		p.line("  " + s[0])
		p.line("      " + s[1])
	}
	p.hang("  ", signingNote)
	p.line("")
	p.line(strings.ToUpper(l.below()))
	p.line("")
	p.WriteString(l.blank())
}

// HTML is the letter for a mail client that shows HTML.
func (l *Letter) HTML() string {
	m := &markup{}
	m.open(l.Subject())
	m.tag("h1", titleStyle, strings.TrimSpace(l.Title+" "+l.Game))
	style := dueStyle
	if l.Kind == Invitation {
		style = strings.Replace(dueStyle, "#c8372d", "#3c8a4a", 1)
	}
	m.tag("div", style, strings.Join(l.opening(), " "))
	for _, s := range l.advice() {
		m.tag("p", "margin:4px 0;", s)
	}
	if ks := l.keys(); len(ks) > 0 {
		m.section("Keys")
		var rows [][]cell
		for _, k := range ks {
			rows = append(rows, []cell{{k[0], "white-space:nowrap;"}, {k[1], monoStyle}})
		}
		m.table(nil, rows)
		if l.DiceKey != "" && l.DaemonKey != "" {
			m.tag("p", quietStyle, checkingNote)
		}
	}
	if len(l.Notes) > 0 {
		m.section("Remarks")
		for _, n := range l.Notes {
			m.tag("p", "margin:2px 0;", n)
		}
	}
	if join := l.joining(); join != "" {
		m.section("How to join with our program")
		m.pre(join)
		m.tag("p", quietStyle, "Mail what it prints to "+l.Address+".")
	}
	if l.withSheet() {
		m.section("How to sign a sheet")
		for _, s := range l.signing() {
			m.tag("p", "margin:6px 0 0 0;", s[0])
			m.pre(s[1])
		}
		m.tag("p", quietStyle, signingNote)
		m.section(l.below())
		m.pre(l.blank())
	}
	m.close()
	return m.String()
}
