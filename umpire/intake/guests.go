package intake

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/post"
)

// Who is invited has no key and no code yet: what they write is answered, at the address of
// the invitation, with the one step that is missing.

// JoinTries is how many wrong codes of joining an invitation bears.
const JoinTries = 10

// earlierCodes is how many codes of an invitation are good beside the last one.
const earlierCodes = 5

// invitedSender looks for an invitation to the address that the mail comes from: to the
// tagged game, else to any.
func (l *incoming) invitedSender(tagged string) (invited bool, err error) {
	all, err := post.InvitationRecords.All(l.h.DB)
	if err := l.h.Readable(err); err != nil {
		return false, err
	}
	var best post.InvitationKey
	for _, key := range slices.SortedFunc(maps.Keys(all), byName) {
		if in := all[key]; in.Address == "" || !strings.EqualFold(in.Address, l.msg.From) {
			continue
		}
		if best.Game == "" || key.Game == tagged {
			best = key
		}
	}
	if best.Game == "" {
		return false, nil
	}
	return l.asGuest(best, all[best])
}

func byName(a, b post.InvitationKey) int {
	return cmp.Compare(post.InvitationRecords.Name(a), post.InvitationRecords.Name(b))
}

// asGuest takes the mail for one by whom an invitation is for.
func (l *incoming) asGuest(key post.InvitationKey, in post.Invited) (bool, error) {
	g, err := l.h.DB.Game(key.Game)
	if err != nil {
		return false, err
	}
	l.guest, l.guestKey = &in, key
	l.game, l.player = g, store.Player{Side: key.Side, Address: in.Address, Name: in.Name}
	return true, nil
}

// statement is what somebody says who joins, from the lines of a text that are known: once
// each, in any order, whatever stands around them.
type statement struct {
	lines []orders.Header
	clash bool // a line is there twice and says different things
}

func statementIn(text string) (st statement) {
	for line := range strings.Lines(orders.Canonical(text)) {
		name, _, _ := strings.Cut(line, ":")
		if !slices.Contains(statementLines, name) {
			continue
		}
		one, _ := orders.Parse(line, orders.Vocabulary{})
		for _, h := range one.Headers {
			switch before := st.value(h.Name); {
			case !slices.Contains(statementLines, h.Name):
			case before == "":
				st.lines = append(st.lines, h)
			case before != h.Value:
				st.clash = true
			}
		}
	}
	return st
}

var statementLines = []string{"GAME", "SIDE", "JOIN", "KEY", "NONCE-SHA256", "NONCE", "CONFIRM"}

func (st statement) value(name string) string {
	i := slices.IndexFunc(st.lines, func(h orders.Header) bool { return h.Name == name })
	if i < 0 {
		return ""
	}
	return st.lines[i].Value
}

func (st statement) joins() bool { return st.value("JOIN") != "" }

func (st statement) confirms() bool { return st.value("CONFIRM") != "" }

// text is the statement as canonical lines.
func (st statement) text() string {
	var b strings.Builder
	for _, h := range st.lines {
		b.WriteString(h.Name + ": " + h.Value + "\n")
	}
	return orders.Canonical(b.String())
}

// guestCode tells whether a code is one of the invitation's.
func (l *incoming) guestCode(code string) bool {
	return l.guest != nil && l.guest.Fits(code)
}

// wrongJoin answers a code of joining that does not fit to the one who is invited; anybody
// else hears nothing. It counts against the invitation.
func (l *incoming) wrongJoin(code string) (store.Change, error) {
	c := l.outcome(fmt.Sprintf("not accepted: a join code that does not fit, for %s in game %s", l.player.Side, l.game.ID))
	if l.guest == nil || l.staysSilent() {
		return c, nil
	}
	in := *l.guest
	in.Tries++
	left := JoinTries - in.Tries
	if left >= 0 {
		post.InvitationRecords.Put(&c, l.guestKey, in)
	}
	reason := "a join code that does not fit"
	says := []string{"The JOIN code in your mail is not the one of your invitation. You have not joined yet."}
	switch {
	case in.Lapsed(code):
		reason = "a join code that was replaced"
		says = []string{"The JOIN code in your mail is the one of an earlier invitation, and a later one has taken its place. You have not joined yet."}
	}
	if left > 0 {
		says = append(says, fmt.Sprintf("Please copy the code from the latest invitation; letters and figures are A to Z and 2 to 7. You have %s before we have to send a new invitation.", moreTries(left)))
	} else {
		says = append(says, "There have been too many wrong codes, so this invitation no longer counts. Please ask the moderator for a new one.")
	}
	c.Mails = append(l.tell(report.Note{About: "You have not joined yet: the code is not right", Says: says}), l.trouble(&c, fmt.Sprintf("%s (%s left)", reason, triesInWords(max(left, 0))))...)
	return c, nil
}

func triesInWords(n int) string {
	if n == 1 {
		return "1 try"
	}
	return fmt.Sprintf("%d tries", n)
}

func moreTries(n int) string {
	if n == 1 {
		return "1 more try"
	}
	return fmt.Sprintf("%d more tries", n)
}

// oneMoreStep tells who is invited what is missing, with the four lines that are enough. The
// code in them is a new one; those before stay good until one is used.
func (l *incoming) oneMoreStep(c *store.Change, first string, then ...string) []store.Mail {
	n := report.Note{About: "One more step: your code", Says: []string{first}, Then: then}
	if l.guest.As != nil || l.h.Now().After(l.guest.Until) || l.guest.Tries >= JoinTries {
		n.About = "One more step: a new invitation"
		n.Says = append(n.Says, "Your invitation has run out. Please ask the moderator for a new one.")
		if l.guest.As != nil && l.h.Now().Before(l.guest.Until) {
			n.About = "One more step: your signature"
			n.Says[1] = "To join, sign the three lines of your invitation and send them. Here is how: " + l.howToSignStatement()
		}
		return l.tell(n)
	}
	code, err := acts.NewCode(rand.Reader)
	if err != nil {
		l.h.Log.Error("a code cannot be made", "error", err)
		return l.tell(n)
	}
	in := *l.guest
	in.Earlier = append([]string{in.Hash}, in.Earlier...)
	in.Earlier = in.Earlier[:min(len(in.Earlier), earlierCodes)]
	in.Hash = post.CodeHash(code)
	post.InvitationRecords.Put(c, l.guestKey, in)
	n.Says = append(n.Says, fmt.Sprintf("To take the %s side, please reply with these four lines at the top:", sideName(l.player.Side)))
	n.Block = fmt.Sprintf("      GAME: %s\n      SIDE: %s\n      JOIN: %s\n      KEY: CODES\n", l.game.ID, l.player.Side, code)
	return l.tell(n)
}

func (l *incoming) howToSignStatement() string {
	return "\"fieldpost enrol\" makes a key and the signed lines in one step; a mail program that signs with OpenPGP or S/MIME will do as well."
}

// toGuest answers somebody who is invited and whose mail does not join: with the four lines,
// and their words go to the moderator.
func (l *incoming) toGuest(c store.Change) (store.Change, error) {
	c.Handled.Outcome = "somebody who is invited writes: told how to join"
	passed, err := l.passOn(&c)
	if err != nil {
		return c, err
	}
	then := []string{}
	if passed.to != "" {
		then = append(then, passed.to+" has your message, too, and will answer if you asked something.")
	}
	mails := c.Mails
	name := ""
	if l.player.Name != "" && !strings.EqualFold(l.player.Name, l.player.Side) {
		name = ", " + l.player.Name
	}
	c.Mails = append(l.oneMoreStep(&c, "We are glad that you want to play"+name+".", then...), mails...)
	return c, nil
}

// guestSigned answers somebody who is invited and whose mail is signed, but cannot be read.
func (l *incoming) guestSigned(c store.Change, why error) (store.Change, error) {
	n := report.Note{About: "You have not joined yet: the signature", Says: []string{post.Sentence(why.Error()), mailbox.Advice(why)}}
	reason := why.Error()
	if errors.Is(why, mailbox.ErrUnknown) || errors.Is(why, errUnknownKey) {
		code := "Your mail is signed, but the signature cannot be checked without your public key."
		if l.joinsRightly() {
			code = "Your mail is signed, and your code is right. To check the signature we need your public key."
		}
		reason = "signed, the public key is missing"
		n = report.Note{About: "One more step: your public key", Says: []string{code,
			"Please send the same mail again with the key attached. " + l.attachKey()}}
		if mayUseCodes := l.guest.As == nil; mayUseCodes {
			n.Says = append(n.Says, "Or join without a key: reply with the four lines of your invitation, with KEY: CODES, unsigned.")
		}
	}
	c.Mails = append(l.tell(n), l.trouble(&c, reason)...)
	return c, nil
}

// clearsigned is a text that was signed with OpenPGP where it stands in a mail.
var clearsigned = regexp.MustCompile(`(?s)-----BEGIN PGP SIGNED MESSAGE-----\s(.*?)-----BEGIN PGP SIGNATURE-----`)

// joinsRightly tells whether the mail has a code of the invitation, signed or not.
func (l *incoming) joinsRightly() bool {
	var texts []string
	for _, own := range l.ownTexts() {
		texts = append(texts, own.Text)
	}
	for _, part := range l.msg.Texts {
		if signed := clearsigned.FindStringSubmatch(part.AsSent); signed != nil {
			texts = append(texts, signed[1])
		}
	}
	return slices.ContainsFunc(texts, func(text string) bool { return l.guestCode(statementIn(text).value("JOIN")) })
}

// attachKey says how the sender's mail program sends the public key along.
func (l *incoming) attachKey() string {
	gpg := "With gpg: gpg --armor --export " + l.player.Address + " > key.asc"
	return l.inProgram("In Thunderbird: Security, Attach My Public Key. "+gpg, map[string]string{"thunderbird": "In Thunderbird: Security, Attach My Public Key."})
}

// inProgram is the advice for the mail program that the mail names, or another one.
func (l *incoming) inProgram(otherwise string, advice map[string]string) string {
	program := strings.ToLower(strings.Join(slices.Concat(l.msg.Header("User-Agent"), l.msg.Header("X-Mailer")), " "))
	for _, name := range slices.Sorted(maps.Keys(advice)) {
		if strings.Contains(program, name) {
			return advice[name]
		}
	}
	return otherwise
}
