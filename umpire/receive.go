package umpire

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"fieldpost/mailbox"
	"fieldpost/report"
	"fieldpost/store"
)

// Receive gives one incoming mail its effect, once and for ever: repeating it
// with the same bytes changes nothing. An error means that nothing happened and
// the mail must be handed in again.
func (u *Umpire) Receive(ctx context.Context, raw mailbox.Raw) error {
	u.Writing.Lock()
	defer u.Writing.Unlock()
	return u.receive(ctx, raw)
}

func (u *Umpire) receive(_ context.Context, raw mailbox.Raw) (err error) {
	if raw.Poison || raw.Oversize || raw.Gone {
		return u.skip(raw)
	}
	sha, ahead := "", u.takeAhead(raw)
	if ahead != nil {
		<-ahead.done
		sha = ahead.sha
	}
	if sha == "" {
		if sha, err = u.DB.Spool(raw.Bytes); err != nil {
			return err
		}
	}
	if _, done, err := u.DB.Handled(sha); err != nil || done {
		return cmp.Or(err, u.markUID(raw, store.UIDMark{State: store.UIDDuplicate, SHA256: sha}))
	}
	for range 3 {
		var c store.Change
		if c, err = u.consider(raw, sha, ahead); err != nil {
			return err
		}
		if err = u.commit(c); !errors.Is(err, store.ErrStale) {
			u.Tally.Handled(c, err)
			u.Log.Info("mail handled", "uid", raw.UID, "outcome", c.Handled.Outcome, "answers", len(c.Mails), "error", err)
			break
		}
	}
	return err
}

// poisonTries is how often a message may break the connection in vain before it
// is left alone: a flapping network looks the same for a while.
const poisonTries = 5

// skip marks a message that is not read, and tells the operator.
func (u *Umpire) skip(raw mailbox.Raw) error {
	mark := store.UIDMark{State: store.UIDOversize}
	switch {
	case raw.Gone:
		mark.State = store.UIDGone
	case raw.Poison:
		before, _, err := u.DB.UID(raw.Box, raw.UIDValidity, raw.UID)
		if err != nil {
			return err
		}
		mark = store.UIDMark{State: store.UIDPending, Tries: before.Tries + 1}
		if mark.Tries >= poisonTries {
			mark.State = store.UIDPoison
		}
	}
	if raw.Oversize {
		if err := u.tooLarge(raw); err != nil {
			return err
		}
	}
	u.Log.Warn("a message is not read", "why", mark.State, "tries", mark.Tries, "folder", raw.Box, "uid", raw.UID, "bytes", raw.Size)
	return u.markUID(raw, mark)
}

// tooLarge tells a player that their mail is too large to be read.
func (u *Umpire) tooLarge(raw mailbox.Raw) (err error) {
	sum := sha256.Sum256(fmt.Appendf(bytes.Clone(raw.Bytes), "\n%d bytes", raw.Size))
	l := &letter{u: u, raw: raw, sha: hex.EncodeToString(sum[:])}
	if l.msg, err = mailbox.Read(raw.Bytes); err != nil || !l.class().MayCarryOrders() || raw.Junk {
		return nil
	}
	var ok bool
	if l.game, l.player, ok, err = u.byAddress(l.msg.From); err != nil || !ok {
		return nil
	}
	c := l.outcome("too large")
	c.Mails = l.answer(report.Malformed, fmt.Sprintf("your mail has %d bytes and was not read", raw.Size), "Send the signed sheet alone, without pictures and other files.")
	if err := l.limit(&c); err != nil {
		return err
	}
	c.Handled = nil // nothing of it was spooled
	return u.DB.Commit(c)
}

func (u *Umpire) markUID(raw mailbox.Raw, m store.UIDMark) error {
	if raw.UID == 0 {
		return nil // it came by another way than IMAP
	}
	return u.DB.MarkUID(raw.Box, raw.UIDValidity, raw.UID, m)
}
