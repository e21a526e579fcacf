package umpire

import (
	"context"
	"errors"
	"io/fs"
	"syscall"
	"testing"

	"fieldpost/mailbox"
	"fieldpost/store"
	"fieldpost/store/bolt"
)

// With a full disk, or one that cannot be written, no mail is taken: it stays where
// it is, and has its effect once when there is room again.
func TestATroubledDiskTakesNoMail(t *testing.T) {
	for _, c := range []struct {
		says syscall.Errno
		want error
	}{{syscall.ENOSPC, store.ErrFull}, {syscall.EROFS, store.ErrReadOnly}, {syscall.EIO, syscall.EIO}} {
		var trouble bool
		var at string
		g := tableOn(t, bolt.Options{At: func(point string) error {
			if trouble && point == at {
				return &fs.PathError{Op: "write", Path: "disk", Err: c.says}
			}
			return nil
		}})
		g.seat("SOVIET")
		g.seat("GERMAN")
		raw := mailbox.Raw{Key: mailbox.Key{Box: "INBOX", UIDValidity: 1, UID: 5}, Bytes: g.mail("SOVIET", g.signed("SOVIET", g.sheet("SOVIET", 1, 1)))}
		raw.Size = int64(len(raw.Bytes))
		before := g.alter(func(*store.Game) {})
		for _, at = range []string{bolt.PointFileWrite, bolt.PointFileSync, bolt.PointFileRename, bolt.PointFileFolder, bolt.PointBegin, bolt.PointCommit} {
			trouble = true
			g.mails++ // other bytes each time, so that the file is written again
			raw.Bytes = append(raw.Bytes, "\r\n"...)
			err := g.u.Receive(context.Background(), raw)
			trouble = false
			if !errors.Is(err, c.want) {
				t.Errorf("%v at %q: %v", c.says, at, err)
			}
			if is, _ := g.u.DB.Game(g.game); is.Seq != before.Seq {
				t.Fatalf("%v at %q: the game went on", c.says, at)
			}
			if m, ok, err := g.u.DB.UID("INBOX", 1, 5); err != nil || ok && m.Final() {
				t.Errorf("%v at %q: the mail counts as handled: %+v, %v", c.says, at, m, err)
			}
		}
		for range 2 {
			if err := g.u.Receive(context.Background(), raw); err != nil {
				t.Error(err)
			}
		}
		if is, _ := g.u.DB.Game(g.game); is.Seq != before.Seq+1 || is.Players[0].Serial != 1 {
			t.Errorf("%v: with room again: %+v", c.says, is)
		}
	}
}
