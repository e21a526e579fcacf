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
// invitation to a game, or the refusal of a mail that is not a valid sheet.
type Message struct {
	Kind                        MessageKind
	Game, Title, Scenario, Side string
	// Address takes the sheets.
	Address string
	// DiceKey is the game's public dice key, DaemonKey the key that signs our mails.
	DiceKey, DaemonKey string
	// Code joins the game, where joining needs one; By is until when.
	Code, By string
	// About is the subject behind the game; "" for what the kind and the reason say.
	About string
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
	// Method is how the reader sends sheets; "" is any way of signing.
	Method Method
	// Sheet is the sheet to fill in; "" is an empty one.
	Sheet string
	// Offer is what an invitation tells of the game and of those who play it.
	Offer Offer
}

// Method is how a player shows that a sheet is theirs.
type Method string

// The methods. A player reads of their own only.
const (
	ByCode    Method = "code"
	ByOpenSSH Method = "SSH"
	ByKeygen  Method = "ssh-keygen" // an SSH key too, and a signature in a file of its own
	ByOpenPGP Method = "OpenPGP"
	BySMIME   Method = "S/MIME"
)

// Offer is what somebody wants to know who is invited to a game.
type Offer struct {
	Guest      string   // who is invited
	Host       string   // who invites and moderates
	Opponents  []string // who has joined already, by name or side
	Turns      int
	Units      int
	Pace       string // how much time there is, and how many mails a week
	Page, Down string // links of the club
	KeyOnly    bool   // joining takes a key: for who shares a side
}

// Namespace is the SSHSIG namespace of order sheets.
const Namespace = "orders@fieldpost"

// Subject is the mail's subject.
func (m *Message) Subject() string {
	game := ""
	if m.Game != "" {
		game = "[" + m.Game + "] "
	}
	if m.About != "" {
		return game + m.About
	}
	switch m.Kind {
	case Invitation:
		if m.Code == "" {
			return fmt.Sprintf("%s%s: you play the %s side", game, m.Title, proper(m.Side))
		}
		if m.Offer.Host != "" {
			return fmt.Sprintf("%s%s invites you to play %s", game, m.Offer.Host, m.Title)
		}
		return fmt.Sprintf("%s%s: you are invited to play the %s side", game, m.Title, proper(m.Side))
	case Unsigned:
		return game + "NOT FILED: your orders are not signed"
	case WrongSignature:
		return game + "NOT FILED: the signature does not fit your orders"
	case Stale:
		return game + "NOT FILED: your sheet is out of date"
	case Malformed:
		return game + "NOT FILED: no order sheet was found in your mail"
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
		return m.invitation()
	case Unsigned:
		return m.because("We found orders but no signature, so we cannot tell that they are yours. Nothing was filed.")
	case WrongSignature:
		return m.because("The signature in your mail does not fit your orders, or is not by the key that you enrolled. Nothing was filed.")
	case Stale:
		return m.because("Your sheet is out of date. What was filed before still stands.")
	case Malformed:
		return m.because("Your mail has arrived, but no order sheet could be read from it. Nothing was filed.")
	}
	return m.because("")
}

// invitation says who invites to what, and how long and how much it is.
func (m *Message) invitation() (out []string) {
	o := m.Offer
	if o.Guest != "" {
		out = append(out, "Dear "+o.Guest+",")
	}
	against := ""
	if len(o.Opponents) > 0 {
		against = " against " + strings.Join(o.Opponents, " and ")
	}
	var says string
	switch {
	case m.Code == "":
		says = fmt.Sprintf("You command the %s side of %s%s, by email.", proper(m.Side), m.Title, against)
	case o.Host != "":
		says = fmt.Sprintf("%s invites you to command the %s side of %s%s, by email.", o.Host, proper(m.Side), m.Title, against)
	default:
		says = fmt.Sprintf("You are invited to command the %s side of %s%s, by email.", proper(m.Side), m.Title, against)
	}
	switch {
	case o.Turns > 0 && o.Units > 0:
		says += fmt.Sprintf(" It has %d turns, and you lead %d units.", o.Turns, o.Units)
	case o.Turns > 0:
		says += fmt.Sprintf(" It has %d turns.", o.Turns)
	}
	if o.Pace != "" {
		says += " " + o.Pace
	}
	return append(out, says)
}

// codeLines are the lines by which somebody joins: four without a key, three to sign.
func (m *Message) codeLines() string {
	lines := fmt.Sprintf("GAME: %s\nSIDE: %s\nJOIN: %s\n", m.Game, m.Side, m.Code)
	if m.Offer.KeyOnly {
		return lines
	}
	return lines + "KEY: CODES\n"
}

// What an invitation says of the ways to join. The line above the four lines is one that
// our reader of mails knows: what stands below it is never taken for the answer.
const (
	joinByCode   = "TO JOIN, reply to this mail with these four lines at the top. You need no program and no key."
	byCodeNote   = "You then play by codes: each report brings a new one. Anybody who can read your mail could use it, so please do not forward our reports."
	joinSigned   = "TO JOIN, sign the three lines below and send them, in a mail program that signs with OpenPGP or S/MIME (send your public key along), or with our program, which makes a key and prints the mail to send."
	joinByKey    = "IF YOU WOULD RATHER SIGN your orders, leave the line KEY out and sign the other three, in a mail program that signs with OpenPGP or S/MIME (send your public key along), or with our program, which makes a key and prints the mail to send:"
	ifYouDoNot   = "If you cannot play or want to know more, reply to this mail. "
	aPersonReads = " will read it."
)

// joinNotes are the paragraphs of an invitation with a code, above the four lines and below.
func (m *Message) joinNotes() (above, below string) {
	below = "The code is for you alone"
	if m.By != "" {
		below += " and works until " + m.By
	}
	if m.Offer.KeyOnly {
		return joinSigned, below + "."
	}
	return joinByCode, below + ". " + byCodeNote
}

// closing says where to read more, and who reads what the guest writes.
func (m *Message) closing() (out []string) {
	if m.Offer.Page != "" {
		out = append(out, "Rules, maps and help: "+m.Offer.Page)
	}
	if m.Offer.Down != "" {
		out = append(out, "Our program: "+m.Offer.Down)
	}
	if m.Offer.Host != "" {
		out = append(out, ifYouDoNot+m.Offer.Host+aPersonReads)
	}
	return out
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
		return []string{"Please sign the sheet and send it again; the same SERIAL will do.",
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

// signing explains how to sign: by the reader's own method, or by each.
func (m *Message) signing() (ways [][2]string) {
	ssh := [][2]string{{"With our program:", "fieldpost sign sheet.txt"},
		{"With OpenSSH:", "ssh-keygen -Y sign -n " + Namespace + " -f ~/.ssh/id_ed25519 sheet.txt"}}
	pgp := [2]string{"With OpenPGP:", "gpg --clearsign sheet.txt"}
	switch m.Method {
	case ByCode, BySMIME:
		return nil
	case ByOpenSSH:
		return ssh
	case ByKeygen:
		return ssh[1:]
	case ByOpenPGP:
		return [][2]string{pgp}
	}
	return append(ssh, pgp)
}

// signingNote says what to do with what the commands make.
func (m *Message) signingNote() string {
	const whole = "Sign with the key that you enrolled; only what is signed is read."
	switch m.Method {
	case ByCode:
		return "Reply, with the sheet at the top and your line CODE in its head. Nothing is signed."
	case ByOpenSSH:
		return "The first prints a block to paste into the mail. The second writes sheet.txt.sig: attach it together with sheet.txt. " + whole
	case ByKeygen:
		return "It writes sheet.txt.sig: attach it together with sheet.txt. " + whole
	case ByOpenPGP:
		return "It writes sheet.txt.asc: paste it into the mail. A mail program that signs with OpenPGP (PGP/MIME) will do as well. " + whole
	case BySMIME:
		return "Switch signing on in the window where you write. " + whole
	}
	return "The first prints a block to paste into the mail. The second writes sheet.txt.sig: attach it together with sheet.txt. " +
		"The third writes sheet.txt.asc: paste it. A mail program that signs with OpenPGP (PGP/MIME) or S/MIME will do as well. " + whole
}

// sendTitle is the title above how to send a sheet.
func (m *Message) sendTitle() string {
	if m.Method == ByCode {
		return "How to send a sheet"
	}
	return "How to sign a sheet"
}

const checkingNote = "Keep both keys. Every roll of the game is proved with the first and every mail from us is signed with the second; fieldpost verify checks them."

// keys lists the keys of an invitation, or of a message on players whose keys are others
// now. No other message repeats them.
func (m *Message) keys() [][2]string {
	var out [][2]string
	if m.Kind != Invitation && len(m.Roster) == 0 {
		return nil
	}
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
func (m *Message) withSheet() bool {
	return m.Kind != Notice && m.Game != "" && !m.joins()
}

// joins tells whether the message invites somebody to join with a code.
func (m *Message) joins() bool { return m.Kind == Invitation && m.Code != "" }

// sheetTitle and blank are what the message ends with: a sheet to fill in.
const sheetTitle = "A sheet to begin with"

func (m *Message) blank() string {
	if m.Sheet != "" {
		return m.Sheet
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
	m.textJoining(p)
	if len(m.Notes) > 0 {
		p.line("REMARKS")
		for _, n := range m.Notes {
			p.hang("  - ", n)
		}
		p.line("")
	}
	m.textKeys(p)
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
	if !m.joins() {
		return
	}
	above, below := m.joinNotes()
	p.hang("", above)
	for _, line := range strings.Split(strings.TrimSpace(m.codeLines()), "\n") {
		p.line("    " + line)
	}
	p.hang("", below)
	p.line("")
	if !m.Offer.KeyOnly {
		p.hang("", joinByKey)
	}
	for _, part := range strings.Split(m.joining(), "\n") {
		p.line("    " + part)
	}
	p.line("")
	for _, s := range m.closing() {
		p.hang("", s)
	}
	if len(m.closing()) > 0 {
		p.line("")
	}
}

// explains tells whether the message says how to send a sheet: not to somebody whose sheet
// came with all that it takes.
func (m *Message) explains() bool { return m.Kind != Stale }

// textSheet explains how to send a sheet, above one to fill in.
func (m *Message) textSheet(p *page) {
	if !m.withSheet() {
		return
	}
	if m.explains() {
		p.line(strings.ToUpper(m.sendTitle()))
		for _, s := range m.signing() {
			p.line("  " + s[0])
			p.line("      " + s[1])
		}
		p.hang("  ", m.signingNote())
		p.line("")
	}
	p.line(strings.ToUpper(sheetTitle))
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
	m.htmlJoining(doc)
	if len(m.Notes) > 0 {
		doc.section("Remarks")
		for _, n := range m.Notes {
			doc.tag("p", "margin:2px 0;", n)
		}
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
	m.htmlSheet(doc)
	doc.close()
	return doc.String()
}

func (m *Message) htmlSheet(doc *markup) {
	if !m.withSheet() {
		return
	}
	if m.explains() {
		doc.section(m.sendTitle())
		for _, s := range m.signing() {
			doc.tag("p", "margin:6px 0 0 0;", s[0])
			doc.pre(s[1])
		}
		doc.tag("p", quietStyle, m.signingNote())
	}
	doc.section(sheetTitle)
	doc.pre(m.blank())
}

func (m *Message) htmlJoining(doc *markup) {
	if !m.joins() {
		return
	}
	above, below := m.joinNotes()
	doc.tag("p", "margin:6px 0;", above)
	doc.pre(m.codeLines())
	doc.tag("p", "margin:6px 0;", below)
	if !m.Offer.KeyOnly {
		doc.tag("p", "margin:6px 0;", joinByKey)
	}
	doc.pre(m.joining())
	for _, s := range m.closing() {
		doc.tag("p", "margin:6px 0;", s)
	}
}
