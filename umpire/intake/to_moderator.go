package intake

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"fieldpost/adjudicator"
	"fieldpost/orders"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
)

// What people write in their own words goes to a person: the game's moderator, who answers
// in person, or by the act MESSAGE.

// WordsPerDay is how many mails of one person are passed on to the moderator in a day (UTC).
// Later ones are kept, and the answer says so.
const WordsPerDay = 5

// WordsRecords count them.
var WordsRecords = store.OnePerPerson[sentPress]("to-moderator")

// passed is what became of somebody's own words.
type passed struct {
	to   string // the moderator's name, "" if the words went to nobody
	kept bool   // there were too many today
}

// passOn sends the sender's own words to the game's moderators, into the Change.
func (l *incoming) passOn(c *store.Change) (passed, error) {
	moderator := l.h.ModeratorOf(l.game.ID)
	if moderator.Name == "" {
		return passed{}, nil
	}
	who, today := l.player.In(l.game.ID), l.h.Now().UTC().Format(time.DateOnly)
	sent, _, err := WordsRecords.Get(l.h.DB, who)
	if err != nil {
		return passed{}, l.unread(err)
	}
	if sent.Day != today {
		sent = sentPress{Day: today}
	}
	if sent.N >= WordsPerDay {
		return passed{kept: true}, nil
	}
	words := l.ownWords()
	if words == "" {
		return passed{}, nil
	}
	sent.N++
	WordsRecords.Put(c, who, sent)
	writer := fmt.Sprintf("%s (%s), who plays the %s side of %s", l.personName(), l.player.Address, sideName(l.player.Side), l.game.Title)
	answer := toAnswer(l.player.Side)
	if l.guest != nil {
		answer = "To answer, reply to this mail."
		writer = fmt.Sprintf("%s (%s), who is invited to play the %s side of %s", l.personName(), l.player.Address, sideName(l.player.Side), l.game.Title)
	}
	n := report.Note{Game: l.game.ID, About: fmt.Sprintf("%s writes to you", l.personName()), Block: words,
		Says: []string{post.Sentence(writer + ", writes:")},
		Then: []string{answer}}
	n.Says[0] = strings.TrimSuffix(n.Says[0], ".")
	c.Mails = append(c.Mails, l.h.ToModeratorsOf(l.game, l.number(), n, l.player.Address)...)
	return passed{to: moderator.Name}, nil
}

// ownWords are the sender's own words, without what they answer and without lines that say
// what is attached.
func (l *incoming) ownWords() string {
	var kept []string
	for _, own := range l.ownTexts()[:min(1, len(l.ownTexts()))] {
		for line := range strings.Lines(own.Text) {
			if line = strings.TrimRight(line, " \n"); line != ">" {
				kept = append(kept, line)
			}
		}
	}
	words := strings.Trim(strings.Join(kept, "\n"), "\n ")
	if len(words) > orders.MaxPress {
		words = strings.ToValidUTF8(words[:orders.MaxPress], "") + "\n(shortened)"
	}
	var files []string
	for _, a := range l.msg.Attachments {
		if a.Name != "" {
			files = append(files, a.Name)
		}
	}
	if len(files) > 0 {
		words += "\n\nAttached, and kept in the spool: " + strings.Join(files, ", ")
	}
	return strings.TrimSpace(words)
}

// freeText passes on what a player has written in their own words.
func (l *incoming) freeText(c store.Change) (store.Change, error) {
	p, err := l.passOn(&c)
	if err != nil {
		return c, err
	}
	c.Handled.Outcome = "free text"
	stands, next := l.whereItStands()
	nothing := "Nothing has changed in the game. " + stands
	mails := c.Mails
	switch {
	case p.to != "":
		c.Handled.Outcome += ", passed on to the moderator"
		c.Mails = l.tell(report.Note{About: "Your message has gone to " + p.to, Says: []string{
			fmt.Sprintf("There were no orders in your mail, so we have passed it on to %s, who moderates the game and answers in person.", p.to), nothing, next}})
	case p.kept:
		c.Handled.Outcome += ", kept: too much of it today"
		c.Mails = l.tell(report.Note{About: "Your message is kept", Says: []string{
			fmt.Sprintf("There were no orders in your mail. We have passed on %d of your messages to the moderator today; this one is kept, but not passed on. You can write to them directly.", WordsPerDay), nothing}})
	default:
		c.Mails = l.tell(report.Note{About: "We found no orders in your mail", Says: []string{"There were no orders in your mail.", nothing, next}})
	}
	c.Mails = append(c.Mails, mails...)
	return c, nil
}

// whereItStands says in a sentence or two what is filed, and until when there is time; next
// is how to change it, "" where that is not possible.
func (l *incoming) whereItStands() (stands, next string) {
	m, at, err := l.now()
	if err != nil || m.Latest == nil {
		return "The game has not started yet.", ""
	}
	turn := m.NextTurn(at, l.player.Side)
	stands = fmt.Sprintf("Nothing is filed for turn %d.", turn)
	pending, err := m.Pending()
	if err != nil {
		return stands, ""
	}
	if filed := l.filedSoFar(m, turn); strings.HasPrefix(filed, "sheet ") {
		stands = "Your " + filed + "."
		if match.AwaitsTurnOf(pending, l.player.Side) {
			next = l.toFileAgain("To change an order, send the whole sheet again", l.player.Serial)
		}
	}
	if len(match.Questions(pending, adjudicator.Side(l.player.Side))) > 0 {
		stands += " The game waits for your answer to a question: please send its ANSWER section, as the mail with the question shows it."
	}
	if match.Timed(m.Open) && slices.Contains(match.WaitingFor(pending), l.player.Side) {
		stands += " The deadline is " + l.h.UntilInWords(l.player, l.game, m.Open.Deadline) + "."
	}
	return strings.TrimSpace(l.givingUp() + " " + stands), next
}

var letterID = regexp.MustCompile(`^press\.([a-z2-7]{8})\.([^.]+)\.([0-9a-f]{16})@`)

// replyToLetter passes on what a player answers to a letter of another one, marked as
// unsigned. It reports whether the mail was such an answer.
func (l *incoming) replyToLetter(c *store.Change) (bool, error) {
	words := l.ownWords()
	if words == "" {
		return false, nil
	}
	for _, id := range l.msg.InReplyTo {
		if writer, found := l.letterBy(strings.ToLower(id)); found {
			return true, l.answerLetter(c, writer, words)
		}
		parts := letterID.FindStringSubmatch(strings.ToLower(id)) // of a letter sent by an earlier version
		if parts == nil || !strings.EqualFold(parts[1], l.game.ID) {
			continue
		}
		writer, found := l.writerOf(parts[3])
		if !found {
			return false, nil
		}
		return true, l.answerLetter(c, writer, words)
	}
	return false, nil
}

// howToAnswer stands below every letter.
const howToAnswer = "To answer, reply and write above these lines: your words go back as a letter in your name, marked \"unsigned\". Nothing in a letter is ever read as orders."

// LetterKey is the key of a letter that was passed on: the id of the mail.
type LetterKey struct{ Game, Mail string }

// LetterRecords are who wrote such letters.
var LetterRecords = store.KindOf[string]("letter", store.Shape[LetterKey]{
	Form:  "GAME/MAIL",
	Words: func(k LetterKey) []string { return []string{k.Game, k.Mail} },
	Parse: func(words []string) (k LetterKey, ok bool) {
		if len(words) < 2 {
			return k, false
		}
		return LetterKey{words[0], strings.Join(words[1:], "/")}, true
	},
	Game: func(k LetterKey) string { return k.Game }}).Plain()

// signsLetter puts down who wrote a letter, so that it can be answered.
func (l *incoming) signsLetter(c *store.Change, letter store.Mail) {
	if letter.ID == "" {
		return // to a staff officer
	}
	by := fmt.Sprintf("%s %d", l.player.Side, l.player.Commander)
	if l.sheet != nil && strings.EqualFold(l.sheet.Header("PRESS-AS"), asAnonymous) {
		by += unnamed
	}
	LetterRecords.Put(c, LetterKey{l.game.ID, letter.ID}, by)
}

// unnamed stands behind the writer of a letter who did not want to be named.
const unnamed = " unnamed"

// letterBy is who wrote the letter with a Message-ID, if it went to the sender at hand.
func (l *incoming) letterBy(messageID string) (writer correspondent, found bool) {
	m, err := l.h.DB.FindMessage(messageID)
	if err != nil || m.Game != l.game.ID || m.Side != l.player.Side {
		return writer, false
	}
	signed, there, err := LetterRecords.Get(l.h.DB, LetterKey{m.Game, m.ID})
	if err != nil || !there {
		return writer, false
	}
	by, hidden := strings.CutSuffix(signed, unnamed)
	for _, p := range l.h.Everybody(l.game) {
		if by == fmt.Sprintf("%s %d", p.Side, p.Commander) {
			return correspondent{p, hidden}, true
		}
	}
	return writer, false
}

// correspondent is who wrote a letter, and whether they are not to be named.
type correspondent struct {
	store.Player
	hidden bool
}

// inWords names them as far as they are.
func (c correspondent) inWords() string {
	if c.hidden {
		return "its writer"
	}
	return "the " + sideName(c.Side) + " side"
}

// writerOf is who sent the letter of a number: we had confirmed it to them under the same one.
func (l *incoming) writerOf(number string) (correspondent, bool) {
	mails, err := l.h.DB.Mails(l.game.ID)
	if err != nil {
		return correspondent{}, false
	}
	for _, m := range mails {
		if !strings.HasPrefix(m.MessageID, "refusal.") || !strings.Contains(m.MessageID, "."+number+"@") {
			continue
		}
		for _, p := range l.h.Everybody(l.game) {
			if p.Side == m.Side && p.Commander == m.Commander {
				return correspondent{p, true}, true // whether it was in their name is not known
			}
		}
	}
	return correspondent{}, false
}

// answerLetter passes words on to the writer of a letter, as press does.
func (l *incoming) answerLetter(c *store.Change, to correspondent, words string) error {
	if err := l.postage(c); err != nil {
		refused, err := l.refuse(because("your letter is not passed on", err))
		c.Mails = refused.Mails
		return err
	}
	c.Handled.Outcome = "an answer to a letter, passed on"
	n := report.Note{Game: l.game.ID, Title: l.game.Title, About: "a letter from the " + sideName(l.player.Side) + " side", Block: orders.Fold(words),
		Says: []string{fmt.Sprintf("%s (%s side) answers your letter. The mail was not signed: we know only the address that it names.", capital(l.personName()), sideName(l.player.Side))},
		Then: []string{howToAnswer}}
	m, err := l.h.Render(post.Draft{Game: l.game, Player: to.Player, Kind: "press", Number: l.number(), Subject: n.Subject(), Text: n.Text(), HTML: n.HTML()})
	if err != nil {
		return err
	}
	if r, err := match.ScheduleOf(l.game); err == nil && r.Press > 0 {
		m.Next = l.h.Now().Add(r.Press)
	}
	l.signsLetter(c, m)
	c.Mails = append([]store.Mail{m}, l.tell(report.Note{About: "Your letter has been passed on", Says: []string{
		fmt.Sprintf("We have passed your answer on to %s as a letter, marked \"unsigned\". Nothing has changed in the game.", to.inWords())}})...)
	return nil
}

// troubles are the mails of a game by which people could not join, for its moderator.
type troubles struct {
	Day   string   `json:"day"` // of the last mail about them
	Lines []string `json:"lines,omitempty"`
}

// TroubleRecords are the troubles of games.
var TroubleRecords = store.OnePerGame[troubles]("trouble")

// mostTroubles is how many lines wait for the moderator at most.
const mostTroubles = 20

// trouble shows the moderator that a joining has failed, and why: at most one mail a day for
// a game. What happens in between is in the next one.
func (l *incoming) trouble(c *store.Change, reason string) []store.Mail {
	all, _, err := TroubleRecords.Get(l.h.DB, l.game.ID)
	if err != nil {
		l.h.Log.Error("the failed joinings cannot be read", "game", l.game.ID, "error", err)
		return nil
	}
	now := l.h.Now().UTC()
	line := fmt.Sprintf("%s  %s  %s", now.Format("Mon 15:04"), l.player.Address, strings.Join(strings.Fields(reason), " "))
	all.Lines = append(all.Lines, line)
	all.Lines = all.Lines[max(0, len(all.Lines)-mostTroubles):]
	var mails []store.Mail
	if today := now.Format(time.DateOnly); all.Day != today {
		side := l.player.Side
		n := report.Note{Game: l.game.ID, About: "For you: " + l.personName() + " has trouble joining", Block: "  " + strings.Join(all.Lines, "\n  ") + "\n\n" + fmt.Sprintf("To seat them yourself, by codes:\n  fieldpost player add --game %s --side %s \\\n    --email %s --key codes\n", l.game.ID, side, l.player.Address),
			Says: []string{"These mails did not come through. Their senders have been answered each time."}}
		mails = l.h.ToModeratorsOf(l.game, l.number()+".trouble", n, "")
		all = troubles{Day: today}
	}
	TroubleRecords.Put(c, l.game.ID, all)
	return mails
}
