package intake

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/archive"
	"fieldpost/umpire/audit"
	"fieldpost/umpire/post"
)

// A moderator steers games by mail with a sheet of its own kind, signed like orders:
//
//	GAME: K7QX2MPA
//	SERIAL: 7                  rising, for each game
//	SIDE: SOVIET               where the act is about a side
//	MODERATE: EXTEND 2d        one act, with what it needs
//	CHECK                      where it is only to be said what ROLLBACK or EDIT would do
//
// Words that must keep their letters (a message, a reason) come as a letter that
// the sheet binds by PRESS-SHA256, as press does.

// isModeration tells a moderator's sheet from a player's.
func isModeration(canonical string) bool {
	return strings.Contains("\n"+canonical, "\nMODERATE:") || strings.Contains(canonical, " MODERATE:")
}

// plays tells whether the key of the mail has a seat in some game.
func (l *incoming) plays() bool {
	seats, err := l.h.DB.Seats(l.key.ID())
	return err == nil && len(seats) > 0
}

// ModeratorKey is a moderator's key in a game: the beginning of its hash.
type ModeratorKey struct{ Game, Hash string }

func moderatorKey(game string, key seal.Key) ModeratorKey {
	sum := sha256.Sum256([]byte(key.ID()))
	return ModeratorKey{game, hex.EncodeToString(sum[:8])}
}

// ModeratorRecords are the highest serials of moderators.
var ModeratorRecords = store.KindOf[int]("moderator-serial", store.Shape[ModeratorKey]{
	Form:  "GAME/KEY",
	Words: func(k ModeratorKey) []string { return []string{k.Game, k.Hash} },
	Parse: func(words []string) (k ModeratorKey, ok bool) {
		if len(words) != 2 {
			return k, false
		}
		return ModeratorKey{words[0], words[1]}, true
	},
	Game: func(k ModeratorKey) string {
		if k.Game == "NEW" { // the act makes a game
			return ""
		}
		return k.Game
	}}).Plain()

// moderation gives a moderator's sheet its effect. Whoever signs it without being
// one is not answered.
func (l *incoming) moderation(m acts.Moderator, canonical string) (store.Change, error) {
	u := l.h
	head, faults := orders.Parse(canonical, orders.Vocabulary{})
	l.sheet = head
	id, side := strings.ToUpper(head.Header("GAME")), strings.ToUpper(head.Header("SIDE"))
	verb, value, _ := strings.Cut(head.Header("MODERATE"), " ")
	if m.Key == "" {
		u.Log.Warn("somebody who is no moderator moderates", "from", l.msg.From, "key", l.key.Fingerprint(), "game", id, "line", head.Header("MODERATE"))
		return l.outcome("not accepted: to moderate with a key of nobody who may"), nil
	}
	refuse := func(why string, instead ...string) store.Change {
		u.Log.Warn("a moderator's sheet is refused", "by", m.Name, "game", id, "line", head.Header("MODERATE"), "why", why)
		c := l.outcome("refused: " + why)
		c.Mails = l.toModerator(m, id, "your act is not carried out", append([]string{post.Sentence("nothing was changed: " + why)}, instead...)...)
		return c
	}
	if !m.May(id) {
		c := refuse(fmt.Sprintf("game %q is not among those that you moderate", id))
		err := u.ActLog().Add(&c, audit.Entry{By: m.Name, Verb: "refused", Game: id, Side: side, Value: head.Header("MODERATE"), Did: "no rights over the game"})
		return c, l.unread(err)
	}
	serial, err := l.newAct(id, head, faults)
	var old *post.Refusal
	switch {
	case errors.As(err, &old):
		return refuse(old.Error(), old.Instead), nil
	case err != nil:
		return store.Change{}, err
	}
	if acts.Personal(verb) || strings.EqualFold(verb, "rollback") {
		value = l.asTyped(value)
	}
	a := acts.Act{By: m.Name, Verb: strings.ToLower(verb), Game: id, Side: side, Value: strings.TrimSpace(value)}
	if head.Header("PRESS-SHA256") != "" {
		text, err := l.letterOf()
		if err != nil {
			return refuse(err.Error()), nil
		}
		if to := strings.ToUpper(head.Header("PRESS")); a.Side == "" && to != "ALL" {
			a.Side = to
		}
		if a.Value = strings.TrimSpace(a.Value + ": " + text); value == "" {
			a.Value = text
		}
	}
	if head.Command("CHECK") {
		return l.triedAct(m, a, refuse), nil
	}
	c := l.outcome(fmt.Sprintf("the moderator %s: %s in game %s", m.Name, a.Verb, id))
	var did string
	if a.Verb == "archive" {
		did, err = l.sendArchive(&c, m, id)
	} else {
		did, err = u.CarryOut(&c, a)
	}
	if errors.Is(err, acts.ErrVerb) {
		return refuse(err.Error(), verbLines()...), nil
	}
	if err != nil {
		return refuse(err.Error()), nil
	}
	ModeratorRecords.Put(&c, moderatorKey(id, l.key), serial)
	c.Mails = append(c.Mails, l.toModerator(m, id, "done: "+a.Verb, strings.Split(post.Sentence(did), "\n")...)...)
	return c, nil
}

// triedAct says what an act would do. It takes no SERIAL.
func (l *incoming) triedAct(m acts.Moderator, a acts.Act, refuse func(why string, instead ...string) store.Change) store.Change {
	a.Dry = true
	var none store.Change
	did, err := l.h.CarryOut(&none, a)
	if err != nil {
		return refuse(err.Error())
	}
	c := l.outcome(fmt.Sprintf("the moderator %s asks what %s would do in game %s", m.Name, a.Verb, a.Game))
	c.Mails = l.toModerator(m, a.Game, "checked: "+a.Verb, append(strings.Split(did, "\n"), "To carry it out, sign the sheet without CHECK.")...)
	return c
}

// onlyModerates answers a moderator whose key signs what is for players to sign.
func (l *incoming) onlyModerates(m acts.Moderator, id string) store.Change {
	c := l.outcome("refused: a moderator signs what players sign")
	c.Mails = l.toModerator(m, id, "nothing was changed", "Your key moderates and plays no side here: it cannot file orders, check them or join.",
		"To act as moderator, sign a sheet with the lines GAME, SERIAL and MODERATE.",
		"Your key is in the configuration of the daemon. Please ask the person who runs the daemon to change it or take it out.")
	return c
}

// asTyped is what the sheet's act needs in the letters of the moderator: an address and
// a name keep theirs.
func (l *incoming) asTyped(value string) string {
	for _, h := range l.sheet.AsTyped(l.typed) {
		_, typed, _ := strings.Cut(h.Typed, " ")
		if h.Name == "MODERATE" && strings.EqualFold(typed, value) {
			return inSmall(typed)
		}
	}
	return inSmall(value)
}

// newAct is the serial of a moderator's sheet. It refuses one that is not newer than
// the one before, or holds more than one act or anything that cannot be read.
func (l *incoming) newAct(id string, head *orders.Sheet, faults []*orders.Error) (serial int, err error) {
	serial, bad := head.Number("SERIAL")
	highest, _, err := ModeratorRecords.Get(l.h.DB, moderatorKey(id, l.key))
	acts := 0
	for _, h := range head.Headers {
		if h.Name == "MODERATE" {
			acts++
		}
	}
	switch {
	case err != nil:
		return 0, cmp.Or[error](l.unread(err), refusal("the serials of moderators cannot be read", ""))
	case head.Doubled() != nil:
		return 0, faulty(head.Doubled(), "Name the game, the side and the number once each.")
	case bad != nil:
		return 0, faulty(bad, "Every sheet carries a SERIAL higher than the one before.")
	case highest >= orders.MaxSerial:
		return 0, refusal(fmt.Sprintf("sheet %d was carried out, and no SERIAL is higher", highest),
			"Please ask the person who runs the daemon to act for you at its command line, or to put another key of yours into its configuration. With a new key the numbers begin again.")
	case serial <= highest:
		return 0, refusal(fmt.Sprintf("sheet %d is not newer than sheet %d, which was carried out", serial, highest), fmt.Sprintf("Write SERIAL: %d or more.", highest+1))
	case acts != 1:
		return 0, refusal("one sheet is one act, and this one has several lines MODERATE", "Please sign each act separately, with a SERIAL of its own.")
	case len(faults) > 0:
		return 0, faulty(faults[0], "A moderator's sheet has the lines GAME, SERIAL, MODERATE and, if the act needs one, SIDE.")
	}
	return serial, nil
}

// verbLines tell a moderator what there is.
func verbLines() (lines []string) {
	lines = append(lines, "ARCHIVE: sends you the game's archive.")
	for _, v := range acts.Verbs() {
		lines = append(lines, strings.TrimSpace(strings.ToUpper(v[0])+" "+v[1])+": "+v[2]+".")
	}
	return lines
}

// toModerator answers a moderator at the address of the config.
func (l *incoming) toModerator(m acts.Moderator, game, about string, says ...string) []store.Mail {
	n := &report.Note{Game: game, About: about, Says: says}
	mail, err := l.h.ModeratorMail(m, n, acts.Envelope{Number: l.number(), Answers: l.msg.MessageID, Files: l.enclosed})
	if err != nil {
		mail, err = l.h.ModeratorMail(m, n, acts.Envelope{Number: l.number(), Files: l.enclosed}) // an odd Message-ID of the sender's
	}
	if err != nil {
		l.h.Log.Error("a moderator cannot be answered", "to", m.Address, "error", err)
		return nil
	}
	return []store.Mail{mail}
}

// sendArchive answers a moderator with the archive of a game.
func (l *incoming) sendArchive(c *store.Change, m acts.Moderator, id string) (string, error) {
	raw, err := archive.Writer{Games: &l.h.Games, Key: l.h.Key}.Write(id)
	if err != nil {
		return "", err
	}
	digest := sha256.Sum256(raw)
	did := fmt.Sprintf("the archive is in %s.tar, SHA-256 %x", strings.ToLower(id), digest)
	l.enclosed = []mailbox.File{{Name: strings.ToLower(id) + ".tar", Type: "application/x-tar", Data: raw}}
	return did, l.h.ActLog().Add(c, audit.Entry{By: m.Name, Verb: "archive", Game: id, Did: did})
}
