package intake

import (
	"cmp"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/post"
)

// CodeTries is how many wrong codes lock a seat for the rest of the phase.
const CodeTries = 20

func codeNote(game, side, phase string) string {
	return "code-tries/" + game + "/" + side + "/" + phase
}

// coded reads a sheet that brings a code in place of a signature. It reports false
// if there is none in the mail.
func (l *incoming) coded() (c store.Change, ok bool, err error) {
	for _, p := range l.msg.Texts {
		for _, text := range []string{p.Text, p.AsSent} {
			s, err := seal.Verified{}.Sheet(text)
			if err != nil {
				continue
			}
			head, _ := orders.Parse(s.Text, orders.Vocabulary{})
			if head.Header("JOIN") != "" && strings.EqualFold(head.Header("KEY"), ByCodes) {
				// Whoever has the join code may do without a key: it came to their address.
				c, err := l.join(seal.Sealed{Text: s.Text, Key: seal.CodeKey(head.Header("GAME"), head.Header("SIDE"))})
				return c, true, err
			}
			if code := head.Header("CODE"); code != "" {
				c, err := l.byCode(s, head, code)
				return c, true, err
			}
		}
	}
	return c, false, nil
}

func (l *incoming) byCode(s seal.Sealed, head *orders.Sheet, code string) (store.Change, error) {
	seat := store.Seat{Game: head.Header("GAME"), Side: head.Header("SIDE")}
	key := seal.CodeKey(seat.Game, seat.Side)
	if !l.seat(seat) || store.KeyID(l.player.Key) != key.ID() {
		return l.outcome("not accepted: a code for a seat that has none"), nil
	}
	pos, err := l.h.DB.Load(seat.Game)
	if err != nil || pos.Latest == nil {
		return l.outcome("not accepted: a code before the game has begun"), nil
	}
	game, _, err := l.h.RulesOf(pos.Game)
	if err != nil {
		return l.outcome("scenario cannot be loaded: " + err.Error()), nil
	}
	at, err := game.At(pos.Latest.Snapshot)
	if err != nil {
		return l.outcome("position cannot be read: " + err.Error()), nil
	}
	note := codeNote(seat.Game, seat.Side, at.Label)
	wrong, err := l.h.DB.Note(note)
	if err := l.unread(err); err != nil {
		return store.Change{}, err
	}
	tries, _ := strconv.Atoi(string(wrong))
	if tries >= CodeTries {
		return l.outcome("not accepted: too many wrong codes in this phase"), nil
	}
	want := post.PhaseCode(pos.Game, seat.Side, at.Label)
	if subtle.ConstantTimeCompare([]byte(strings.ReplaceAll(code, " ", "")), []byte(want)) != 1 {
		c := l.outcome("not accepted: a wrong code")
		c.Notes = map[string][]byte{note: []byte(strconv.Itoa(tries + 1))}
		if strings.EqualFold(l.msg.From, l.player.Address) {
			c.Mails = l.answer(report.WrongSignature, "the code of your sheet is not that of this phase", "Take the line CODE from your latest report.")
		}
		return c, nil
	}
	pin, err := l.provider(seat)
	var unvouched *post.Refusal
	switch {
	case errors.As(err, &unvouched):
		c := l.outcome("not accepted: a code, and " + unvouched.Why)
		c.Mails = l.refused(unvouched)
		return c, nil
	case err != nil:
		return store.Change{}, err
	}
	kept := withoutCode(s.Text)
	l.key, l.digest, l.typed = key, orders.Digest(kept), withoutCode(s.Typed)
	c, err := l.signed(kept, []store.Seat{seat})
	if len(c.Sheets) > 0 && pin != nil {
		c.Notes[codeProvider(seat.Game, seat.Side)] = pin
	}
	return c, err
}

// withoutCode is a sheet without its line CODE: the code is a secret, and is not kept.
func withoutCode(text string) string {
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); len(words) == 0 || !strings.HasPrefix(strings.ToUpper(words[0]), "CODE:") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// vouching is who vouched for the mail of a player who plays by codes: from then on
// a code counts only in mail that the same domain vouches for, as long as the
// player's address is that one. A code that somebody has read is not enough then.
type vouching struct {
	Address string `json:"address"` // the enrolled one
	Domain  string `json:"domain"`  // of the mail's sender, and of the DKIM signature
}

func codeProvider(game, side string) string { return "code-provider/" + game + "/" + side }

// provider looks whether the mail comes from where the seat's mail came from
// before; a Refusal says that it does not. Pin is what is to be kept when the mail
// counts, nil for nothing new.
func (l *incoming) provider(seat store.Seat) (pin []byte, err error) {
	unvouched := func(why string) error {
		return &post.Refusal{Kind: report.WrongSignature, Why: why, Instead: "Send it from the address that you enrolled. If your provider has changed, write to the moderator."}
	}
	domain := strings.ToLower(post.DomainOf(l.msg.From))
	var known vouching
	if err := l.h.ReadNote(codeProvider(seat.Game, seat.Side), &known); err != nil {
		return nil, cmp.Or[error](l.unread(err), unvouched("it cannot be looked up who vouches for your mail"))
	}
	if known.Address != l.player.Address {
		known = vouching{}
	}
	vouched := mailbox.Vouched(l.raw.Bytes, l.msg, l.h.lookupTXT())
	switch {
	case known.Domain == "" && vouched == nil:
		pin, err = json.Marshal(vouching{l.player.Address, domain})
		if err != nil {
			return nil, unvouched(err.Error())
		}
	case known.Domain != "" && (vouched != nil || known.Domain != domain):
		return nil, unvouched(fmt.Sprintf("the mail with your code does not come from where your mail came from before: %s does not vouch for it", known.Domain))
	}
	return pin, nil
}
