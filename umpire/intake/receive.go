// Package intake gives each incoming mail its effect: it decides what a mail is, who
// signed it and what of it counts, files and carries out, and answers.
//
// One mail is one transaction: the mark that it is handled, the sheet, the journal, the
// new positions and every outgoing mail are committed together.
package intake

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"

	"fieldpost/mailbox"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/audit"
	"fieldpost/umpire/turns"
)

// Handler gives each incoming mail its effect: it reads, asks who signed, files, carries
// out, and answers. A moderator's acts come through it too, by mail or by command.
type Handler struct {
	turns.Keeper
	// SignUp says that strangers are told how to join.
	SignUp bool
	// LookupTXT asks the DNS; nil is the system's.
	LookupTXT func(domain string) ([]string, error)
	// Moderators may carry out acts by signed mail.
	Moderators []Moderator

	// attending: staff officers are at work, and their sheets call for no others.
	attending bool

	aheadMu   sync.Mutex
	ReadAhead map[[32]byte]*readAhead // by the SHA-256 of the mail
	reading   chan struct{}           // holds as many as read ahead at once
}

// ActLog is the log of moderators' acts.
func (hd *Handler) ActLog() audit.Log { return audit.Log{DB: hd.DB, Now: hd.Now} }

// Receive gives one incoming mail its effect, once and for ever: repeating it
// with the same bytes changes nothing. An error means that nothing happened and
// the mail must be handed in again.
func (hd *Handler) Receive(ctx context.Context, raw mailbox.Raw) error {
	hd.Writing.Lock()
	defer hd.Writing.Unlock()
	return hd.receive(ctx, raw)
}

func (hd *Handler) receive(_ context.Context, raw mailbox.Raw) (err error) {
	if unreadable(raw) {
		return hd.skip(raw)
	}
	sha, ahead := "", hd.takeAhead(raw)
	if ahead != nil {
		<-ahead.Done
		sha = ahead.sha
	}
	if sha == "" {
		if sha, err = hd.DB.Spool(raw.Bytes); err != nil {
			return err
		}
	}
	if _, done, err := hd.DB.Handled(sha); err != nil || done {
		return cmp.Or(err, hd.markUID(raw, store.UIDMark{State: store.UIDDuplicate, SHA256: sha}))
	}
	for range 3 {
		var c store.Change
		if c, err = hd.consider(raw, sha, ahead); err != nil {
			return err
		}
		if err = hd.Commit(c); !errors.Is(err, store.ErrStale) {
			hd.Tally.Handled(c, err)
			hd.Log.Info("mail handled", "uid", raw.UID, "outcome", c.Handled.Outcome, "answers", len(c.Mails), "error", err)
			break
		}
	}
	return err
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
		if err := hd.tooLarge(raw); err != nil {
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

// unreadable tells of a mail that there is nothing of to read.
func unreadable(raw mailbox.Raw) bool { return raw.Poison || raw.Oversize || raw.Gone }

// playable tells whether sheets for a game can be read and judged now.
func (hd *Handler) playable(pos store.Position) bool {
	switch {
	case pos.Latest == nil, pos.Game.Status != store.StatusRunning:
		return false
	}
	return hd.CheckVersion(pos.Game) == nil
}
