package intake

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/post"
)

// unsigned answers a mail that no key and no code vouches for. Who is enrolled or invited
// at its address gets one answer, at that address; nobody else gets any. The first of what
// follows that fits decides.
func (l *incoming) unsigned(why error) (store.Change, error) {
	c := l.outcome("not accepted: " + why.Error())
	noOrders := errors.Is(why, mailbox.ErrNoOrders)
	if noOrders {
		if asks, err := l.signUp(&c); asks || err != nil {
			return c, err
		}
		if l.beaconSaid(&c) {
			return c, nil
		}
	}
	known, err := l.sender()
	if err := l.unread(err); err != nil {
		return c, err
	}
	if !known {
		l.stranger = l.ofStranger()
		return l.toStranger(c)
	}
	if l.class() == mailbox.Bulk {
		return c, nil // it came through a list: only a signature tells from whom
	}
	if l.wantsToLeave() {
		c.Handled.Outcome = "answered: how to leave"
		c.Mails = l.tell(l.howToLeave())
		return c, nil
	}
	if noOrders && l.staysSilent() {
		if mailbox.SoundsAway(l.msg.Subject) && !l.raw.Junk {
			c.Handled.Outcome = "ignored: no orders, and the subject of a vacation notice"
		}
		return c, nil
	}
	if words := l.request(); noOrders && l.guest == nil && words != nil {
		c.Handled.Outcome = "answered: " + strings.Join(words, " ")
		c.Mails = l.obey(words)
		return c, nil
	}
	switch {
	case noOrders && l.guest != nil:
		return l.toGuest(c)
	case noOrders:
		return l.fromPlayer(c)
	case l.guest != nil:
		return l.guestSigned(c, why)
	}
	c.Mails = l.answer(report.WrongSignature, why.Error(), mailbox.Advice(why))
	if !isOfSignature(why) {
		c.Mails = l.answer(report.Malformed, why.Error(), mailbox.Advice(why))
	}
	return c, nil
}

var privateKey = regexp.MustCompile(`(?i)-{3,5} ?BEGIN [A-Z0-9 ]*PRIVATE KEY( BLOCK)? ?-{3,5}|PuTTY-User-Key-File-`)

// holdsPrivateKey tells whether a private key stands in the mail, or is attached to it.
func (l *incoming) holdsPrivateKey() bool {
	inText := func(p mailbox.Part) bool { return privateKey.MatchString(orders.Fold(p.Text)) }
	inFile := func(a mailbox.Attachment) bool { return privateKey.Match(a.Data) }
	return slices.ContainsFunc(l.msg.Texts, inText) || slices.ContainsFunc(l.msg.Attachments, inFile)
}

// privateKey answers a mail with a private key. Its bytes are not kept, nothing of it is
// read, and nobody else gets it.
func (l *incoming) privateKey() (store.Change, error) {
	c := l.outcome("not accepted: a private key; the mail is not kept")
	c.Unkept = true
	known, err := l.sender()
	if err := l.unread(err); err != nil {
		return c, err
	}
	if !known || l.staysSilent() {
		return c, nil
	}
	n := report.Note{About: "NOT FILED: please never send a private key", Says: []string{
		"Your mail holds a private key. Nobody but you should have it: whoever has it can sign in your name. We have read nothing else in the mail, have not kept it, and have not passed it on. Nothing has changed.",
		"Please do not use this key any more, and make a new one: your mail could be read on its way. We never need more than the public half of a key."}}
	if l.guest != nil {
		n.About = "You have not joined yet: please never send a private key"
		n.Says = append(n.Says, "You can join without a key: reply with the four lines of your invitation, with KEY: CODES.")
	}
	c.Mails = l.tell(n)
	return c, nil
}

// isOfSignature tells whether a signature is what is wrong with a mail.
func isOfSignature(why error) bool {
	return slices.ContainsFunc([]error{mailbox.ErrExpired, mailbox.ErrPacked, mailbox.ErrNoFit, mailbox.ErrDamaged, mailbox.ErrUnknown, errUnknownKey}, func(e error) bool { return errors.Is(why, e) })
}

// sender finds whose address the mail comes from: somebody who is invited to the game in the
// subject, a player, or somebody who is invited elsewhere.
func (l *incoming) sender() (known bool, err error) {
	tagged := l.taggedGame()
	invited, err := l.invitedSender(tagged)
	if err := l.unread(err); err != nil {
		return false, err
	}
	if invited && l.game.ID == tagged {
		return true, nil
	}
	game, player, ok, err := l.h.ByAddress(l.msg.From)
	if !ok {
		return invited, err
	}
	l.guest, l.guestKey = nil, post.InvitationKey{}
	l.game, l.player = game, player
	l.chooseGame()
	return true, err
}

// wantsToLeave tells whether the mail asks for no more mail.
func (l *incoming) wantsToLeave() bool {
	if words := l.firstLine(); slices.Contains([]string{"STOP", "UNSUBSCRIBE"}, strings.Join(words, " ")) {
		return true
	}
	return slices.ContainsFunc(append(slices.Clone(l.msg.Recipients), l.msg.To...), func(a string) bool { return strings.Contains(strings.ToLower(a), "+"+post.LeaveTag) })
}

// howToLeave tells somebody who writes STOP. Where their orders are about to be played, that
// is what they may want to stop.
func (l *incoming) howToLeave() report.Note {
	n := report.Note{About: "how to leave the game", Says: []string{
		"Reports are how the game is played; there is no list to leave.",
		"To give the game up, send a sheet with the line CONCEDE in its head. To get your mail at another address, send a sheet with the line ADDRESS: and the new one."}}
	m, at, err := l.now()
	if err != nil || m.Latest == nil || l.guest != nil {
		return n
	}
	l.turn = m.NextTurn(at, l.player.Side)
	how, lines := l.linesFor(m, l.player.Serial, "WITHDRAW")
	thought, err := l.thoughtOf(m.Game.ID, l.turn)
	switch giving := l.givingUp(); {
	case giving != "":
		n.About = "to play on, or to leave the game"
		n.Says, n.Then = []string{fmt.Sprintf("%s To play on, %s:", giving, how)}, n.Says
	case err != nil, thought == nil:
		return n
	default:
		n.About = "to stop your orders, or to leave the game"
		n.Says, n.Then = []string{fmt.Sprintf("Your %s. To take it back, %s:", l.filedSoFar(m, l.turn), how)}, n.Says
	}
	n.Block = "      " + strings.Join(lines, "\n      ") + "\n"
	return n
}

// fromPlayer answers a player whose mail holds no signature and no code.
func (l *incoming) fromPlayer(c store.Change) (store.Change, error) {
	for _, own := range l.ownTexts() {
		switch sheet, is := l.sheetIn(own.Text); {
		case is && l.emptySheet(sheet):
			c.Handled.Outcome = "the empty sheet came back"
			c.Mails = l.tell(report.Note{About: "NOT FILED: this is the empty sheet", Says: []string{emptySheetBack, l.stillFiled()}})
			return c, nil
		case is:
			c.Mails = l.tell(l.notVouchedFor(own))
			return c, nil
		}
	}
	for _, own := range l.ownTexts() {
		if lines := l.filledIn(own.Rest); len(lines) > 0 {
			c.Handled.Outcome = "not accepted: the orders stand in quoted lines"
			c.Mails = l.tell(quotedOrders(own, lines))
			return c, nil
		}
	}
	if answered, err := l.replyToLetter(&c); answered || err != nil {
		return c, err
	}
	return l.freeText(c)
}

// emptySheetBack is what is answered to a sheet in which nothing was filled in.
const emptySheetBack = "This is the empty sheet, just as we sent it; nothing was filed. Please remove the # in front of every unit that is to act, and say where it goes."

// stillFiled says what of the player's orders is filed.
func (l *incoming) stillFiled() string {
	if l.player.Serial == 0 {
		return "You have not filed any orders yet."
	}
	return fmt.Sprintf("What you filed before, up to sheet %d, is untouched.", l.player.Serial)
}

// emptySheet tells whether a sheet is one of those that we send to be filled in, and
// nothing was filled in.
func (l *incoming) emptySheet(text string) bool {
	_, sys, err := l.h.RulesOf(l.game)
	if err != nil {
		return false
	}
	sheet, faults := orders.Parse(text, sys.Vocabulary())
	return len(faults) == 0 && !sheet.HasOrders() && emptyHead(sheet)
}

// emptyHead tells whether the head of a sheet says for what it is, and nothing else.
func emptyHead(sheet *orders.Sheet) bool {
	return sheet.HeadersAlone() && !slices.ContainsFunc(sheet.Headers, func(h orders.Header) bool {
		return !slices.Contains([]string{"GAME", "SIDE", "TURN", "SERIAL", "CODE"}, h.Name)
	})
}

// notVouchedFor says of orders that nothing vouches for them, and what would: by the
// player's own method, and by no other.
func (l *incoming) notVouchedFor(own mailbox.OwnText) report.Note {
	n := report.Note{About: "NOT FILED: your orders are not signed",
		Says: []string{"We found orders but no signature, so we cannot tell that they are yours. Nothing was filed.", l.howToSign()}}
	if l.byCodes() {
		n.About = "NOT FILED: the code is missing"
		n.Says = []string{"We found orders, but the line with your code is missing, so we cannot tell that they are yours. Nothing was filed."}
		if code, _, err := l.h.codeNow(store.Seat{Game: l.game.ID, Side: l.player.Side}); err == nil {
			n.Says = append(n.Says, "Please send the sheet again with this line at its top:")
			n.Block = "      CODE: " + code + "\n"
		} else {
			n.Says = append(n.Says, "Your code comes with your first report, when the game begins.")
		}
	}
	if own.Cut != "" {
		n.Then = append(n.Then, fmt.Sprintf("We read your mail down to the line %q. Below it is the mail that you answered.", own.Cut))
	}
	return n
}

// howToSign says how this player signs.
func (l *incoming) howToSign() string {
	switch key, err := seal.ParseKey(l.player.Key); {
	case err != nil:
		return "You have no key here at the moment. Please write to the moderator."
	case key.Method() == seal.OpenPGP:
		return "Please send the sheet again, signed with your OpenPGP key. " + l.signingSwitch("gpg --clearsign sheet.txt makes a text to paste into a mail.")
	case key.Method() == seal.SMIME:
		return "Please send the sheet again, signed with your certificate. " + l.signingSwitch("In most mail programs that is a switch in the window where you write.")
	}
	return "Please sign the sheet with \"fieldpost sign\" and send what it prints, or attach the sheet and the file that \"ssh-keygen -Y sign -n " + seal.Namespace + "\" makes of it. The same SERIAL will do."
}

// signingSwitch says where the sender's mail program is told to sign.
func (l *incoming) signingSwitch(otherwise string) string {
	apple := "In Apple Mail, in the window where you write: click the seal icon until it shows a tick."
	return l.inProgram(otherwise, map[string]string{"apple mail": apple, "iphone": apple,
		"thunderbird": "In Thunderbird, in the window where you write: Security, Digitally Sign.",
		"outlook":     "In Outlook, in the window where you write: Options, Sign."})
}

// filledIn is a sheet with orders in a text that is not the sender's own words: the lines
// that they may have filled in, ready to copy. DONE stands behind a #.
func (l *incoming) filledIn(text string) (lines []string) {
	_, sys, err := l.h.RulesOf(l.game)
	if err != nil {
		return nil
	}
	for _, part := range sheetsApart(text) {
		s, err := seal.Verified{}.Sheet(l.withGame(part))
		if err != nil {
			continue
		}
		if sheet, _ := orders.Parse(s.Text, sys.Vocabulary()); sheet.Bare() || sheet.Header("SIDE") != l.player.Side {
			continue
		}
		for _, line := range strings.Split(strings.TrimSpace(orders.Typed(s.Typed)), "\n") {
			if !orders.IsDone(strings.ToUpper(line)) {
				lines = append(lines, line)
			}
		}
		return append(lines, "# DONE")
	}
	return nil
}

// sheetsApart cuts a text before each line GAME, and behind DONE, with and without its #.
func sheetsApart(text string) (parts []string) {
	var part strings.Builder
	for line := range strings.Lines(text) {
		bare := strings.ToUpper(strings.TrimLeft(strings.TrimSpace(line), "# "))
		if strings.HasPrefix(bare, "GAME:") {
			parts = append(parts, part.String())
			part.Reset()
		}
		part.WriteString(line)
		if orders.IsDone(bare) {
			parts = append(parts, part.String())
			part.Reset()
		}
	}
	return append(parts, part.String())
}

// quotedOrders gives a player back what they have filled in at the wrong place.
func quotedOrders(own mailbox.OwnText, lines []string) report.Note {
	n := report.Note{About: "NOT FILED: your orders stand in quoted lines", Says: []string{
		"Your orders seem to stand in quoted lines, or below the line where the mail that you answered begins. We never read such lines as orders: they may be anybody's words. Nothing was filed.",
		fmt.Sprintf("Here are the %d lines that we believe to be yours, without the marks. Please copy them to the top of a new reply, look them over, and send that. Remove the # before DONE to finish your turn.", len(lines))}}
	if own.Cut != "" {
		n.Then = append(n.Then, fmt.Sprintf("We read your mail down to the line %q.", own.Cut))
	}
	n.Block = "      " + strings.Join(lines, "\n      ") + "\n"
	return n
}
