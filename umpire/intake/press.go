package intake

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/seats"
)

// PressKey is the key of a sheet with which somebody sent press. Two commanders of a side may
// write the very same words: By tells them apart. Earlier versions kept no writer.
type PressKey struct{ Game, Digest, By string }

// PressRecords are such sheets, by the mail, so that a repeat sends nothing.
var PressRecords = store.KindOf[string]("press", store.Shape[PressKey]{
	Form: "GAME/SHEET[/COMMANDER]",
	Words: func(k PressKey) []string {
		if k.By == "" {
			return []string{k.Game, k.Digest}
		}
		return []string{k.Game, k.Digest, k.By}
	},
	Parse: func(words []string) (k PressKey, ok bool) {
		if len(words) == 3 {
			k.By = words[2]
		}
		if len(words) < 2 || len(words) > 3 {
			return k, false
		}
		k.Game, k.Digest = words[0], words[1]
		return k, true
	},
	Game: func(k PressKey) string { return k.Game }}).Plain()

func (l *incoming) pressKey() PressKey {
	return PressKey{l.game.ID, l.digest, strconv.Itoa(l.player.Commander)}
}

// wasSent tells whether the sheet has sent its letter before. Earlier versions kept of it no writer.
func (l *incoming) wasSent() (bool, error) {
	for _, key := range []PressKey{l.pressKey(), {Game: l.game.ID, Digest: l.digest}} {
		if _, sent, err := PressRecords.Get(l.h.DB, key); err != nil || sent {
			return sent, err
		}
	}
	return false, nil
}

// beginsLetter tells whether a head is that of a letter whose words stand below it as they
// are: who plays by codes signs nothing, and has no program that marks them.
func beginsLetter(head *orders.Sheet) bool {
	return head.Header("PRESS") != "" && head.Header("PRESS-SHA256") == "" && head.HeadersAlone()
}

// letterByCode passes on what stands below a head with a code and the line PRESS.
func (l *incoming) letterByCode(head string, key seal.Key, seat store.Seat) (store.Change, error) {
	l.letter = l.belowHead()
	const twoMails = "Please send orders and letters in mails of their own. Nothing was filed, and nothing was passed on."
	switch _, isSheet := l.sheetIn(l.letter); {
	case l.letter == "":
		return l.refuse(refusal("there is no letter below the line PRESS", "Write the lines CODE and PRESS, and below them your words."))
	case isSheet:
		return l.refuse(refusal("the letter below the line PRESS has lines that read as orders", twoMails))
	}
	text := head + "PRESS-SHA256: " + strings.ToUpper(orders.PressDigest(l.letter)) + "\n"
	l.key, l.digest, l.typed = key, orders.Digest(text), text
	return l.signed(text, []store.Seat{seat})
}

// belowHead are the sender's own words below the lines of a head.
func (l *incoming) belowHead() string {
	lines := strings.Split(l.ownWords(), "\n")
	began := false
	for i, line := range lines {
		one, faults := orders.Parse(orders.Canonical(line), orders.Vocabulary{})
		ofHead := len(faults) == 0 || len(one.Headers) > 0
		if began && !ofHead {
			return strings.Join(lines[i:], "\n")
		}
		began = began || len(one.Headers) > 0
	}
	return ""
}

// letterOf finds the letter that the sheet sends: in the text of the mail or in a
// file of it, between its markers, and under the digest that was signed. An error is
// what a Refusal says of it.
func (l *incoming) letterOf() (text string, err error) {
	want := strings.ToLower(l.sheet.Header("PRESS-SHA256"))
	if want == "" {
		return "", errors.New("the sheet has a line PRESS and no line PRESS-SHA256")
	}
	if l.letter != "" {
		return l.letter, nil
	}
	var texts []string
	for _, p := range l.msg.Texts {
		texts = append(texts, p.Text, p.AsSent)
	}
	for _, a := range l.msg.Attachments {
		texts = append(texts, string(a.Data))
	}
	found := false
	for _, t := range texts {
		_, letters := orders.CutPress(t)
		for _, text := range letters {
			found = true
			if orders.PressDigest(text) != want {
				continue
			}
			if len(text) > orders.MaxPress {
				return "", fmt.Errorf("the letter is longer than %d KiB", orders.MaxPress>>10)
			}
			return strings.Trim(orders.Fold(text), "\n"), nil
		}
	}
	if found {
		return "", errors.New("the letter in the mail is not the one that was signed")
	}
	return "", errors.New("there is no letter in the mail")
}

// Signatures of letters, as a sheet's line PRESS-AS names them.
const (
	asSigned    = "SIGNED"
	asAnonymous = "ANONYMOUS"
	asStaff     = "STAFF"
)

// signature is what stands under the letter: who writes, and what the reader is told
// of that. Without a line PRESS-AS it is signed. An error is what a Refusal says.
func (l *incoming) signature() (from, remark string, err error) {
	as, kinds := cmp.Or(strings.ToUpper(l.sheet.Header("PRESS-AS")), asSigned), []string{asSigned, asAnonymous, asStaff}
	switch {
	case as == asSigned && l.byCodes():
		return l.player.Side, "what it says is the player's own, and it came with their code", nil
	case as == asSigned:
		return l.player.Side, "what it says is the player's own, and their signature is under it", nil
	case !slices.Contains(kinds, as):
		return "", "", fmt.Errorf("PRESS-AS: %s is none of %s", as, strings.Join(kinds, ", "))
	case match.OptionOr(l.game, match.OptionPress, match.PressSigned) != match.PressAnonymous:
		return "", "", fmt.Errorf("in this game letters go under the sender's side only (press = %s)", match.OptionOr(l.game, match.OptionPress, match.PressSigned))
	case as == asStaff:
		return "the staff of " + l.player.Side, "it is written in the name of that staff, so no player answers for it", nil
	}
	return "somebody", "its writer plays in this game and does not want to be named, as is agreed here (press = anonymous)", nil
}

// relay passes a player's letter on to those whom its sheet names, into the
// Change: mails for the readers and for the writer. A Refusal is what is wrong with it.
func (l *incoming) relay(c *store.Change) error {
	to := strings.ToUpper(l.sheet.Header("PRESS"))
	if to == toTheModerator {
		return l.relayToModerator(c)
	}
	if match.OptionOr(l.game, match.OptionPress, match.PressSigned) == match.PressNone && to != l.player.Side { // a side's own letters are nobody else's matter
		return refusal("this game has no letters between players (press = none)", "")
	}
	var readers []store.Player
	var named []string
	for _, p := range l.h.Everybody(l.game) {
		me := p.Side == l.player.Side && p.Commander == l.player.Commander
		if !me && (to == "ALL" || p.Side == to) {
			readers = append(readers, p)
			if !slices.Contains(named, p.Side) {
				named = append(named, p.Side)
			}
		}
	}
	if len(readers) == 0 {
		return refusal(fmt.Sprintf("nobody else plays %q here", to), "Write PRESS: ALL, or PRESS: and one of "+strings.Join(l.game.Sides, ", ")+".")
	}
	text, err := l.letterOf()
	if err != nil {
		return refusal(err.Error(), "fieldpost press LETTER.txt --to "+to+" prints the two lines for the head of the sheet and the letter between its markers; put the letter below the signed block, or attach it.")
	}
	from, remark, err := l.signature()
	if err != nil {
		return refusal(err.Error(), "Take the line PRESS-AS out to sign it with your side.")
	}
	rhythm, err := match.ScheduleOf(l.game)
	if err != nil {
		return refusal("the letter cannot be sent: "+err.Error(), "")
	}
	if err := l.postage(c); err != nil {
		return err
	}
	said := "your letter has been passed on to " + strings.Join(named, " and ")
	var mails []store.Mail
	for _, p := range readers {
		by := from
		if p.Side == l.player.Side && l.sheet.Header("PRESS-AS") == "" {
			by = seats.CommandName(l.player, l.player.Commander)
		}
		n := report.Note{Game: l.game.ID, Title: l.game.Title, About: "a letter from " + by, Block: text,
			Says: []string{fmt.Sprintf("%s writes to %s. We pass it on as it came; %s.", capital(by), strings.Join(named, " and "), remark)},
			Then: []string{howToAnswer}}
		m, err := l.h.Render(post.Draft{Game: l.game, Player: p, Kind: "press", Number: l.number(), Subject: n.Subject(), Text: n.Text(), HTML: n.HTML()})
		if err != nil {
			return refusal("the letter cannot be sent: "+err.Error(), "")
		}
		if rhythm.Press > 0 {
			m.Next = l.h.Now().Add(rhythm.Press)
			said = fmt.Sprintf("your letter will be passed on to %s: %s", strings.Join(named, " and "), l.h.UntilInWords(l.player, l.game, m.Next))
		}
		mails = append(mails, m)
		l.signsLetter(c, m)
	}
	c.Mails = slices.Concat(c.Mails, mails, l.answer(report.Notice, said))
	return nil
}

// toTheModerator in the line PRESS sends a letter to the person who moderates the game.
const toTheModerator = "MODERATOR"

// relayToModerator passes a signed letter on to the game's moderators.
func (l *incoming) relayToModerator(c *store.Change) error {
	moderator := l.h.ModeratorOf(l.game.ID)
	if moderator.Name == "" {
		return refusal("this game has no moderator who could be written to", "")
	}
	text, err := l.letterOf()
	if err != nil {
		return refusal(err.Error(), "fieldpost press LETTER.txt --to MODERATOR prints the two lines for the head of the sheet and the letter between its markers.")
	}
	if err := l.postage(c); err != nil {
		return err
	}
	proof := "The letter is signed:"
	if l.byCodes() {
		proof = "The letter came with their code:"
	}
	n := report.Note{Game: l.game.ID, About: l.personName() + " writes to you", Block: text,
		Says: []string{fmt.Sprintf("%s (%s), who plays the %s side of %s, writes. %s", l.personName(), l.player.Address, sideName(l.player.Side), l.game.Title, proof)},
		Then: []string{toAnswer(l.player.Side)}}
	c.Mails = slices.Concat(c.Mails, l.h.ToModeratorsOf(l.game, l.number()+".press", n, l.player.Address), l.answer(report.Notice, "your letter has been passed on to "+moderator.Name))
	return nil
}

// sentPress counts the letters of a player on a day.
type sentPress struct {
	Day string `json:"day"`
	N   int    `json:"n"`
}

// PressCountRecords count letters.
var PressCountRecords = store.OnePerSeat[sentPress]("press-sent")

// postage counts a letter against the day's limit; a Refusal says that there were too
// many.
func (l *incoming) postage(c *store.Change) error {
	seat, today := store.Seat{Game: l.game.ID, Side: l.player.Side}, l.h.Now().UTC().Format(time.DateOnly)
	sent, _, err := PressCountRecords.Get(l.h.DB, seat)
	if err != nil {
		return cmp.Or[error](l.unread(err), refusal("the letters of today cannot be counted", ""))
	}
	if sent.Day != today {
		sent = sentPress{Day: today}
	}
	most, err := strconv.Atoi(match.OptionOr(l.game, match.OptionPressLimit, "10"))
	if err != nil || sent.N >= most {
		return refusal(fmt.Sprintf("you have sent %d letters today, and more are not passed on before midnight UTC (press-limit = %d)", sent.N, most), "")
	}
	sent.N++
	PressCountRecords.Put(c, seat, sent)
	return nil
}

// press deals with a sheet that does nothing but send a letter.
func (l *incoming) press() (store.Change, error) {
	c := l.outcome("press of " + l.player.Side)
	if sent, err := l.wasSent(); err != nil || sent {
		c.Mails = l.refused(stale("this very letter has been passed on already", "To send it again, give the sheet another SERIAL."))
		return c, nil
	}
	var refused *post.Refusal
	switch err := l.relay(&c); {
	case errors.As(because("your letter is not passed on", err), &refused):
		c.Mails = l.refused(refused)
		return c, nil
	case err != nil:
		return c, err
	}
	PressRecords.Put(&c, l.pressKey(), l.sha)
	return c, nil
}

// withPress adds the letter that a sheet of orders sends along. What is wrong
// with it costs the orders nothing.
func (l *incoming) withPress(c *store.Change) error {
	if l.sheet.Header("PRESS") == "" {
		return nil
	}
	err := l.relay(c)
	var refused *post.Refusal
	if errors.As(because("your orders are filed, your letter is not passed on", err), &refused) {
		// An answer has its Message-ID by kind and mail: that of the orders is another kind.
		c.Mails = slices.Concat(c.Mails, l.refused(refused))
		return nil
	}
	return err
}

// toAnswer tells a moderator how to answer a player.
func toAnswer(side string) string {
	return "To answer in person, reply to this mail. To answer through the game, sign a sheet with the lines GAME, SERIAL, SIDE: " + side + " and MODERATE: MESSAGE, followed by your words."
}
