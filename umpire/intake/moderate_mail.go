package intake

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/audit"
	"fieldpost/umpire/post"
)

// A moderator steers games by mail with a sheet of its own kind, signed like orders:
//
//	GAME: K7QX2MPA
//	SERIAL: 7                  rising, for each game
//	SIDE: SOVIET               where the act is about a side
//	MODERATE: EXTEND 2d        one act, with what it needs
//
// Words that must keep their letters (a message, a reason) come as a letter that
// the sheet binds by PRESS-SHA256, as press does.

// Moderator is somebody who may carry out acts by signed mail.
type Moderator struct {
	Name    string `toml:"name"`
	Address string `toml:"address"`
	// Key is a public key, or in the config the file that holds it.
	Key   string   `toml:"key"`
	Games []string `toml:"games"` // ids; none: all games
}

// Read checks the entry and reads the file of the key.
func (m *Moderator) Read(path func(string) string) error {
	var faults []error
	if m.Name == "" {
		faults = append(faults, errors.New("name is missing"))
	}
	if _, err := mailbox.PlainAddress(m.Address); err != nil {
		faults = append(faults, fmt.Errorf("address = %q: %w", m.Address, err))
	}
	if text, err := os.ReadFile(path(m.Key)); err == nil {
		m.Key = strings.TrimSpace(string(text))
	}
	if _, err := seal.ParseKey(m.Key); err != nil {
		faults = append(faults, fmt.Errorf("key = %q is neither a public key nor the file of one: %w", m.Key, err))
	}
	for i, id := range m.Games {
		m.Games[i] = strings.ToUpper(id)
	}
	return errors.Join(faults...)
}

// may tells whether the moderator has rights over a game.
func (m Moderator) may(game string) bool {
	return len(m.Games) == 0 || slices.ContainsFunc(m.Games, func(id string) bool { return strings.EqualFold(id, game) })
}

// moderator finds the moderator of a key.
func (hd *Handler) moderator(key seal.Key) (Moderator, bool) {
	for _, m := range hd.Moderators {
		if store.KeyID(m.Key) == key.ID() {
			return m, true
		}
	}
	return Moderator{}, false
}

// isModeration tells a moderator's sheet from a player's.
func isModeration(canonical string) bool {
	return strings.Contains("\n"+canonical, "\nMODERATE:") || strings.Contains(canonical, " MODERATE:")
}

// plays tells whether the key of the mail has a seat in some game.
func (l *incoming) plays() bool {
	seats, err := l.h.DB.Seats(l.key.ID())
	return err == nil && len(seats) > 0
}

// moderatorNote keeps the highest serial of a moderator's key in a game.
func moderatorNote(game string, key seal.Key) string {
	sum := sha256.Sum256([]byte(key.ID()))
	return "moderator-serial/" + game + "/" + hex.EncodeToString(sum[:8])
}

// moderation gives a moderator's sheet its effect. Whoever signs it without being
// one is not answered.
func (l *incoming) moderation(m Moderator, canonical string) (store.Change, error) {
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
	if !m.may(id) {
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
	if v, known := verbNamed(verb); known && v.personal {
		value = l.asTyped(value)
	}
	a := Act{By: m.Name, Verb: strings.ToLower(verb), Game: id, Side: side, Value: strings.TrimSpace(value)}
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
	c := l.outcome(fmt.Sprintf("the moderator %s: %s in game %s", m.Name, a.Verb, id))
	var did string
	if a.Verb == "archive" {
		did, err = l.sendArchive(&c, m, id)
	} else {
		did, err = u.act(&c, a)
	}
	if errors.Is(err, ErrVerb) {
		return refuse(err.Error(), verbLines()...), nil
	}
	if err != nil {
		return refuse(err.Error()), nil
	}
	c.Notes[moderatorNote(id, l.key)] = []byte(strconv.Itoa(serial))
	c.Mails = append(c.Mails, l.toModerator(m, id, "done: "+a.Verb, strings.Split(post.Sentence(did), "\n")...)...)
	return c, nil
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
	last, err := l.h.DB.Note(moderatorNote(id, l.key))
	highest, _ := strconv.Atoi(string(last))
	acts := 0
	for _, h := range head.Headers {
		if h.Name == "MODERATE" {
			acts++
		}
	}
	switch {
	case err != nil:
		return 0, cmp.Or[error](l.unread(err), refusal("the serials of moderators cannot be read", ""))
	case bad != nil:
		return 0, faulty(bad, "Every sheet carries a SERIAL higher than the one before.")
	case serial <= highest:
		return 0, refusal(fmt.Sprintf("sheet %d is not newer than sheet %d, which was carried out", serial, highest), fmt.Sprintf("Write SERIAL: %d or more.", highest+1))
	case acts != 1:
		return 0, refusal("one sheet is one act, and this one has several lines MODERATE", "Sign each act by itself, with a SERIAL of its own.")
	case len(faults) > 0:
		return 0, faulty(faults[0], "A moderator's sheet has the lines GAME, SERIAL, MODERATE and, if the act needs one, SIDE.")
	}
	return serial, nil
}

// verbLines tell a moderator what there is.
func verbLines() (lines []string) {
	lines = append(lines, "ARCHIVE: sends you the game's archive.")
	for _, v := range Verbs() {
		lines = append(lines, strings.TrimSpace(strings.ToUpper(v[0])+" "+v[1])+": "+v[2]+".")
	}
	return lines
}

// toModerator answers a moderator at the address of the config.
func (l *incoming) toModerator(m Moderator, game, about string, says ...string) []store.Mail {
	n := &report.Note{Game: game, About: about, Says: says}
	mail, err := l.h.moderatorMail(m, n, toModerator{number: l.sha[:16], answers: l.msg.MessageID, files: l.enclosed})
	if err != nil {
		mail, err = l.h.moderatorMail(m, n, toModerator{number: l.sha[:16], files: l.enclosed}) // an odd Message-ID of the sender's
	}
	if err != nil {
		l.h.Log.Error("a moderator cannot be answered", "to", m.Address, "error", err)
		return nil
	}
	return []store.Mail{mail}
}

// tellModerators writes to all who moderate a game, once for each number.
func (hd *Handler) tellModerators(g store.Game, number, about string, says ...string) (mails []store.Mail) {
	for i, m := range hd.Moderators {
		if !m.may(g.ID) {
			continue
		}
		mail, err := hd.moderatorMail(m, &report.Note{Game: g.ID, About: about, Says: says}, toModerator{number: fmt.Sprintf("%s.%s.%d", g.ID, number, i)})
		if err != nil {
			hd.Log.Error("a moderator cannot be told", "to", m.Address, "error", err)
			continue
		}
		mails = append(mails, mail)
	}
	return mails
}

// toModerator is what a mail to a moderator has beside its text: what makes it unique,
// the Message-ID that it answers, and files.
type toModerator struct {
	number, answers string
	replyTo         string // where an answer goes; "" is to us
	files           []mailbox.File
}

func (hd *Handler) moderatorMail(m Moderator, n *report.Note, out toModerator) (store.Mail, error) {
	id := strings.ToLower(fmt.Sprintf("moderation.%s@%s", out.number, post.DomainOf(hd.Address)))
	kind := mailbox.Report
	if out.answers != "" {
		kind = mailbox.Answer
	}
	raw, err := mailbox.Compose(mailbox.Outgoing{Kind: kind, From: hd.Address, FromName: hd.Name, To: m.Address, ReplyTo: out.replyTo, Subject: n.Subject(), Date: hd.Now(),
		MessageID: id, InReplyTo: out.answers, Instance: hd.Instance, Text: n.Text(), HTML: n.HTML(), Attachments: out.files})
	if err == nil {
		raw, err = hd.DKIM.Sign(raw)
	}
	hash := sha256.Sum256([]byte(id))
	return store.Mail{ID: strings.ToLower(base32.StdEncoding.EncodeToString(hash[:])[:20]), To: m.Address, MessageID: id, Kind: "moderation", Raw: raw}, err
}
