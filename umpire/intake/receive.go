// Package intake gives each incoming mail its effect: it decides what a mail is, who
// signed it and what of it counts, files and carries out, and answers.
//
// One mail is one transaction: the mark that it is handled, the sheet, the journal, the
// new positions and every outgoing mail are committed together.
package intake

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/match"
	"fieldpost/umpire/seats"
)

// Receive gives one incoming mail its effect, once and for ever: repeating it
// with the same bytes changes nothing. An error means that nothing happened and
// the mail must be handed in again. Mails of different games may be handed in side by
// side; those of one game have their effects in the order in which they come.
func (hd *Handler) Receive(ctx context.Context, raw mailbox.Raw) error {
	hd.askAhead(ctx, raw)
	hd.ClockAgrees(raw)
	if unreadable(raw) {
		defer hd.Writing.Lane("")()
		return hd.skip(raw)
	}
	ahead := hd.ahead.take(raw)
	sha, err := hd.spooled(raw, ahead)
	if err != nil {
		return err
	}
	return hd.effect(raw, sha, ahead, ahead.lane())
}

// effect gives a mail its effect in the lane of a game, or in all of them.
func (hd *Handler) effect(raw mailbox.Raw, sha string, ahead *readAhead, game string) error {
	if game != "" {
		if fits, err := hd.inLane(raw, sha, ahead, game); fits {
			return err
		}
	}
	defer hd.Writing.Lane("")()
	letGo, err := store.Hold(hd.DB, match.ClaimOf(""))
	if err != nil {
		return err
	}
	defer letGo()
	return hd.take(raw, sha, ahead)
}

// spooled puts a mail into the spool, unless that was done ahead.
func (hd *Handler) spooled(raw mailbox.Raw, ahead *readAhead) (sha string, err error) {
	if ahead != nil {
		<-ahead.Done
		sha = ahead.sha
	}
	if sha == "" {
		return hd.DB.Spool(raw.Bytes)
	}
	return sha, nil
}

// inLane takes a mail in the lane of a game. Fits is false if it turns out to change another
// game, or comes too late for a note that all games share: then nothing has happened.
func (hd *Handler) inLane(raw mailbox.Raw, sha string, ahead *readAhead, game string) (fits bool, err error) {
	defer hd.Writing.Lane(game)()
	letGo, err := store.Hold(hd.DB, match.ClaimOf(game))
	if err != nil {
		return true, err
	}
	defer letGo()
	if done, err := hd.handled(raw, sha); done || err != nil {
		return true, err
	}
	on := hd.Over(store.Reckon(hd.DB))
	c, err := on.consider(raw, sha, ahead)
	if err != nil {
		return true, err
	}
	if c.Game != nil && c.Game.ID != game {
		return false, nil
	}
	if err = on.commit(c, raw); errors.Is(err, store.ErrStale) {
		return false, nil
	}
	return true, err
}

// receive takes a mail of the program's own making within the lane that the caller has.
func (hd *Handler) receive(_ context.Context, raw mailbox.Raw) error {
	sha, err := hd.DB.Spool(raw.Bytes)
	if err != nil {
		return err
	}
	return hd.take(raw, sha, nil)
}

// take gives a mail its effect. The caller has the lane for it.
func (hd *Handler) take(raw mailbox.Raw, sha string, ahead *readAhead) error {
	return hd.again(func(on *Handler) error {
		if done, err := on.handled(raw, sha); done || err != nil {
			return err
		}
		c, err := on.consider(raw, sha, ahead)
		if err != nil {
			return err
		}
		return on.commit(c, raw)
	})
}

// consider judges a mail. A fault of this program becomes an outcome too, or one
// mail would stop the daemon for ever.
func (hd *Handler) consider(raw mailbox.Raw, sha string, ahead *readAhead) (c store.Change, err error) {
	l := &incoming{h: hd, raw: raw, sha: sha, ahead: ahead}
	defer func() {
		if r := recover(); r != nil {
			hd.Log.Error("a mail met a fault of this program; it is kept in the spool", "mail", sha, "fault", r, "stack", string(debug.Stack()))
			c, err = l.outcome(fmt.Sprintf("met a fault of the program: %v", r)), nil
			c.Mails = l.apology()
		}
	}()
	if c, err = l.judge(); err != nil {
		return store.Change{}, err
	}
	if err := l.limit(&c); err != nil {
		return store.Change{}, err
	}
	l.addressWorks(&c)
	if c.Handled != nil {
		c.Handled.Stranger = l.stranger
		l.noteAbout(&c)
	}
	return c, nil
}

// noteAbout keeps which game a mail is about that changes nothing in it: its moderator can look it up.
func (l *incoming) noteAbout(c *store.Change) {
	if l.stranger || c.Game != nil || l.game.ID == "" {
		return
	}
	match.AboutRecords.Put(c, match.AboutKey{Game: l.game.ID, SHA256: l.sha}, store.Mark{})
}

// judge works out what a mail changes. Whatever is wrong with it becomes an answer or
// silence; an error is of the store, and the mail must come again.
func (l *incoming) judge() (store.Change, error) {
	u := l.h
	var err error
	if l.ahead != nil && l.ahead.msg != nil {
		l.msg = l.ahead.msg
	} else if l.msg, err = mailbox.Read(l.raw.Bytes); err != nil {
		u.Log.Warn("mail cannot be read", "uid", l.raw.UID, "error", err)
		l.stranger = true
		return l.outcome("unreadable: " + err.Error()), nil
	}
	switch class := l.class(); {
	case class == mailbox.Bounce:
		return l.bounce()
	case !class.MayCarryOrders():
		l.stranger = l.ofStranger()
		return l.outcome("ignored: " + class.String()), nil
	}
	sheets, err := l.verified()
	if err != nil && l.holdsPrivateKey() {
		return l.privateKey()
	}
	if errors.Is(err, mailbox.ErrNoOrders) {
		if c, ok, err := l.coded(); ok {
			return c, err
		}
	}
	if err != nil {
		return l.unsigned(err)
	}
	if slices.ContainsFunc(sheets, func(s seal.Sealed) bool { return seats.IsIdentity(s.Text) }) {
		return l.identity(sheets)
	}
	if kinds := apart(sheets); len(kinds) > 1 {
		return l.several(kinds)
	}
	return l.one(sheets)
}

// coded reads a sheet that brings a code in place of a signature, or an unsigned statement
// of joining, from what the sender wrote themselves. The code must stand in the head of the
// very sheet that it vouches for: the report below a reply has the right one, too, and a
// letter on top of it must not speak with the player's voice. It reports false if there is
// neither in the mail.
func (l *incoming) coded() (c store.Change, ok bool, err error) {
	if l.msg.Doubt != nil {
		return c, false, nil
	}
	for _, own := range l.ownTexts() {
		st := statementIn(own.Text)
		if st.joins() {
			if c, taken, err := l.joinUnsigned(st); taken || err != nil {
				return c, true, err
			}
			continue
		}
		if isConfirmation(own.Text) {
			c, err := l.confirm(st)
			return c, true, err
		}
		s, err := seal.Verified{}.Sheet(l.withGame(own.Text))
		if err != nil {
			continue
		}
		head := orders.Head(s.Text)
		if code := head.Header("CODE"); code != "" {
			if seats.IsIdentity(withoutCode(s.Text, "")) {
				if c, answered, err := l.keysOfCodes(); answered || err != nil {
					return c, true, err
				}
			}
			c, err := l.byCode(s, head, code)
			return c, true, err
		}
	}
	return c, false, nil
}

// apology tells the player, if it is known by now who that is, that their mail met a
// fault of the program.
func (l *incoming) apology() (mails []store.Mail) {
	defer func() {
		if r := recover(); r != nil {
			l.h.Log.Error("and there is no answer to it", "mail", l.sha, "fault", r)
			mails = nil
		}
	}()
	if l.player.Side == "" || l.msg == nil {
		return nil
	}
	return l.answer(report.Notice, "something went wrong on our side. Your mail is safe but has had no effect; the moderator has been told",
		"Send your orders in another mail, or wait to hear from the moderator.")
}

// commit commits what a mail changes, and counts the mail.
func (hd *Handler) commit(c store.Change, raw mailbox.Raw) error {
	err := hd.Commit(c)
	if errors.Is(err, store.ErrStale) {
		return err
	}
	if errors.Is(err, store.ErrHandled) { // by another node, meanwhile
		return hd.markUID(raw, store.UIDMark{State: store.UIDDuplicate, SHA256: c.Handled.SHA256})
	}
	hd.Tally.Handled(c, err)
	hd.Log.Info("mail handled", "uid", raw.UID, "outcome", c.Handled.Outcome, "answers", len(c.Mails), "error", err)
	return err
}

// handled tells whether a mail had its effect before, and marks it.
func (hd *Handler) handled(raw mailbox.Raw, sha string) (done bool, err error) {
	if _, done, err = hd.DB.Handled(sha); err != nil || !done {
		return done, err
	}
	return true, hd.markUID(raw, store.UIDMark{State: store.UIDDuplicate, SHA256: sha})
}

// poisonTries is how often a message may break the connection in vain before it
// is left alone: a flapping network looks the same for a while.
const poisonTries = 5

// skip marks a message that is not read, and tells the operator.
func (hd *Handler) skip(raw mailbox.Raw) error {
	mark := store.UIDMark{State: store.UIDOversize}
	switch {
	case raw.Gone:
		mark.State = store.UIDGone
	case raw.Poison:
		before, _, err := hd.DB.UID(raw.Box, raw.UIDValidity, raw.UID)
		if err != nil {
			return err
		}
		mark = store.UIDMark{State: store.UIDPending, Tries: before.Tries + 1}
		if mark.Tries >= poisonTries {
			mark.State = store.UIDPoison
		}
	}
	if raw.Oversize {
		if err := hd.again(func(on *Handler) error { return on.tooLarge(raw) }); err != nil {
			return err
		}
	}
	hd.Log.Warn("a message is not read", "why", mark.State, "tries", mark.Tries, "folder", raw.Box, "uid", raw.UID, "bytes", raw.Size)
	return hd.markUID(raw, mark)
}

// tooLarge tells a player that their mail is too large to be read.
func (hd *Handler) tooLarge(raw mailbox.Raw) (err error) {
	sum := sha256.Sum256(fmt.Appendf(bytes.Clone(raw.Bytes), "\n%d bytes", raw.Size))
	l := &incoming{h: hd, raw: raw, sha: hex.EncodeToString(sum[:])}
	if l.msg, err = mailbox.Read(raw.Bytes); err != nil || !l.class().MayCarryOrders() || raw.Junk {
		return nil
	}
	var ok bool
	if l.game, l.player, ok, err = hd.ByAddress(l.msg.From); err != nil || !ok {
		return nil
	}
	c := l.outcome("too large")
	c.Mails = l.answer(report.Malformed, fmt.Sprintf("your mail has %d bytes and was not read", raw.Size), "Send the sheet alone, without pictures and other files.")
	if err := l.limit(&c); err != nil {
		return err
	}
	c.Handled = nil // nothing of it was spooled
	return hd.DB.Commit(c)
}

func (hd *Handler) markUID(raw mailbox.Raw, m store.UIDMark) error {
	if raw.UID == 0 {
		return nil // it came by another way than IMAP
	}
	return hd.DB.MarkUID(raw.Box, raw.UIDValidity, raw.UID, m)
}
