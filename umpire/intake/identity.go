package intake

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/post"
	"fieldpost/umpire/seats"
)

// identity gives a statement about keys its effect.
func (l *incoming) identity(sheets []seal.Sealed) (store.Change, error) {
	text := sheets[0].Text
	for _, s := range sheets {
		if s.Text != text {
			return l.unsigned(&mailbox.SeveralError{Sheets: sheets})
		}
	}
	refuse := func(err error) (store.Change, error) {
		return l.refuse(because("your statement about keys has no effect", err))
	}
	st, bad := seats.ParseStatement(text)
	var old seal.Key
	var seat store.Seat
	known := false
	for _, s := range sheets {
		found, err := l.h.DB.Seats(s.Key.ID())
		if err := l.unread(err); err != nil {
			return store.Change{}, err
		}
		if len(found) == 0 {
			continue
		}
		if !known {
			known, seat = true, found[0]
		}
		// Where the new key is somebody's of the side already, the other one is the old one.
		named := seats.KeyName(strings.Fields(s.Key.ID())) == st.Rotate
		if at, ok := seatFor(found, strings.ToUpper(st.Game), strings.ToUpper(st.Side)); ok && (old == nil || !named) {
			old, seat = s.Key, at
		}
	}
	switch {
	case !known:
		return l.statementOfNobody(sheets)
	case !l.seat(seat):
		return l.outcome("game " + seat.Game + " cannot be read"), nil
	case bad != nil:
		return refuse(refusal(bad.Error(), ""))
	case old == nil:
		return refuse(refusal(fmt.Sprintf("the statement names game %q and side %q, which your key does not play", st.Game, st.Side), ""))
	case l.game.Status == store.StatusFinished:
		return refuse(refusal("the game is over", ""))
	}
	l.player = l.player.As(seats.SignedBy(l.player, old))
	change := seats.KeyChange{Side: l.player.Side, What: "revoked", Old: old.ID(), Mail: l.sha}
	var fresh seal.Key
	if st.Rotate != "" {
		var err error
		if fresh, err = l.newKey(st, old, sheets); err != nil {
			return refuse(err)
		}
		change.What = "rotated"
	}
	switch {
	case l.player.Commander > 0 && fresh == nil:
		return l.commanderLeaves(), nil
	case l.player.Commander > 0:
		return l.commanderRotates(fresh), nil
	}
	c := l.outcome(fmt.Sprintf("key of %s in game %s %s", l.player.Side, l.game.ID, change.What))
	if err := l.h.ChangeKey(&c, l.game, change, fresh, l.msg); err != nil {
		l.h.Log.Error("a key cannot be changed", "game", l.game.ID, "error", err)
		return l.outcome("key not changed: " + err.Error()), nil
	}
	return c, nil
}

// statementOfNobody answers a statement about keys that no game knows: a moderator's are named
// elsewhere, and who plays by codes has none.
func (l *incoming) statementOfNobody(sheets []seal.Sealed) (store.Change, error) {
	for _, s := range sheets {
		if m, is := l.h.ModeratorWithKey(s.Key); is {
			return l.onlyModerates(m, orders.Head(s.Text).Header("GAME")), nil
		}
	}
	if c, answered, err := l.keysOfCodes(); answered || err != nil {
		return c, err
	}
	return l.unsigned(errUnknownKey)
}

// keysOfCodes answers a statement about keys from the address of somebody who plays by codes.
func (l *incoming) keysOfCodes() (c store.Change, answered bool, err error) {
	known, err := l.sender()
	if err := l.unread(err); err != nil {
		return c, false, err
	}
	if !known || !seal.IsCode(l.player.Key) || l.staysSilent() {
		l.game, l.player, l.guest, l.guestKey = store.Game{}, store.Player{}, nil, post.InvitationKey{}
		return c, false, nil
	}
	c = l.outcome("answered: a statement about keys by somebody who plays by codes")
	c.Mails = l.answer(report.Notice, "your statement about keys has no effect: you play by codes, so there is no key to rotate or to revoke",
		"To play with a key from now on, sign the lines GAME, SIDE and RECOVER with it; RECOVER takes the recovery code that you wrote on paper when you joined.")
	return c, true, nil
}

// newKey is the key that a statement puts into the place of the old one, if it has
// signed too.
func (l *incoming) newKey(st seats.Statement, old seal.Key, sheets []seal.Sealed) (seal.Key, error) {
	if seats.KeyName(strings.Fields(old.ID())) == st.Rotate {
		return nil, refusal("the new key is in use already", "")
	}
	i := slices.IndexFunc(sheets, func(s seal.Sealed) bool {
		return s.Key != old && seats.KeyName(strings.Fields(s.Key.ID())) == st.Rotate
	})
	if i < 0 {
		return nil, refusal("the new key did not sign, or it is not the one that ROTATE names",
			"Sign the same three lines with the old key and with the new one, and put both into one mail. With OpenPGP or S/MIME attach the new public key.")
	}
	switch err := l.h.Unused(l.game, sheets[i].Key); {
	case errors.Is(err, seats.ErrKeyTaken):
		return nil, refusal("the new key is in use by somebody else in this game", "")
	case err != nil:
		return nil, refusal(err.Error(), "")
	}
	return sheets[i].Key, nil
}

// isConfirmation tells a statement that confirms an address from a sheet: that has a number,
// or a code, and CONFIRM is one line of its head.
func isConfirmation(text string) bool {
	head := orders.Head(text)
	return head.Header("SERIAL") == "" && head.Header("CODE") == "" && statementIn(text).confirms()
}

// confirm gives a statement that confirms an address its effect, from wherever it comes and
// whoever signs it: the code was mailed to that address alone.
func (l *incoming) confirm(st statement) (store.Change, error) {
	c := l.outcome("not accepted: a code that confirms no address")
	id, side := cmp.Or(st.value("GAME"), l.taggedGame()), st.value("SIDE")
	g, err := l.h.DB.Game(id)
	if err != nil {
		return l.notConfirmed(c, fmt.Errorf("%w: there is no game %s here", acts.ErrNotConfirmed, id))
	}
	g.Players = slices.Clone(g.Players)
	was, to, err := l.h.Confirm(&c, &g, side, st.value("CONFIRM"))
	if was.Side != "" {
		l.game, l.player = g, was
	}
	if err != nil {
		return l.notConfirmed(c, err)
	}
	c.Game, c.Expect = &g, g.Seq
	c.Handled.Outcome = fmt.Sprintf("an address of %s in game %s is confirmed", side, id)
	says := l.moved(&c, g, was, to)
	now := was
	now.Address = to.Address
	if to.Second {
		now = was
	}
	c.Mails = append(c.Mails, l.letterTo(now, says)...)
	return c, nil
}

// notConfirmed answers a player whose code confirms nothing, or nothing any more, at their
// address. Nobody else hears anything.
func (l *incoming) notConfirmed(c store.Change, why error) (store.Change, error) {
	if !errors.Is(why, acts.ErrNotConfirmed) {
		return c, l.unread(why)
	}
	if known := l.player.Side != ""; !known {
		known, err := l.sender()
		if err != nil || !known || l.staysSilent() {
			l.stranger = !known
			return c, l.unread(err)
		}
	}
	c.Mails = l.answer(report.Notice, why.Error(), "Please copy the line CONFIRM exactly from the mail that asks for it. Until then your mail goes to the old address.")
	return c, nil
}
