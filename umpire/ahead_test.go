package umpire

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"fieldpost/mailbox"
	"fieldpost/store/bolt"
)

// Mails that are read ahead have the effect and the answers that they have without,
// although those before them change the position, the players' keys or the seats that
// they were judged by. A disk that is full while they are read ahead is no harm:
// what is not in the spool then is put there when its turn comes.
func TestReadingAheadChangesNothing(t *testing.T) {
	play := func(ahead, full bool) string {
		var looking atomic.Bool
		g := tableOn(t, bolt.Options{At: func(point string) error {
			if point == bolt.PointFileSync && full && looking.Load() {
				return syscall.ENOSPC
			}
			return nil
		}})
		g.seat("SOVIET")
		g.seat("GERMAN")
		sheet := func(side string, turn, serial int, more string) string {
			return fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: %d\nSERIAL: %d\nMOVE\n%s", g.game, side, turn, serial, more)
		}
		var all []mailbox.Raw
		for _, m := range []struct{ by, key, text string }{
			{"GERMAN", "GERMAN", sheet("GERMAN", 1, 1, "133/XXII 2206-2306\n")},
			{"SOVIET", "SOVIET", sheet("SOVIET", 1, 1, "DONE!\n")}, // plays its half: the position is another one
			{"GERMAN", "GERMAN", sheet("GERMAN", 1, 2, "DONE!\n")},
			{"SOVIET", "SOVIET", sheet("SOVIET", 2, 2, "")}, // judged ahead for the turn before
			{"SOVIET", "SOVIET", sheet("SOVIET", 2, 2, "")}, // the same again
			{"SOVIET", "SOVIET", fmt.Sprintf("GAME: %s\nSIDE: SOVIET\nREVOKE\n", g.game)},
			{"SOVIET", "SOVIET", sheet("SOVIET", 2, 3, "DONE!\n")}, // by a key that was good when it was read
			{"STRANGER", "STRANGER", sheet("GERMAN", 2, 9, "DONE!\n")},
			{"GERMAN", "", "STATUS\n"},
		} {
			body := m.text
			if m.key != "" {
				body = g.signed(m.key, m.text)
			}
			raw := g.mail(m.by, body)
			all = append(all, mailbox.Raw{Key: mailbox.Key{Box: "INBOX", UIDValidity: 1, UID: uint32(g.mails)}, InternalDate: g.clock, Bytes: raw, Size: int64(len(raw)), SHA256: sha256.Sum256(raw)})
		}
		if ahead {
			looking.Store(true)
			for _, raw := range all {
				g.u.Ahead(raw)
			}
			g.u.AheadCount()
			looking.Store(false)
			for i, raw := range all {
				if _, err := g.u.DB.Spooled(fmt.Sprintf("%x", raw.SHA256)); (err == nil) == full {
					t.Errorf("mail %d, disk full %v: in the spool ahead of its turn: %v", i, full, err)
				}
			}
		}
		var out strings.Builder
		for _, raw := range all {
			if err := g.u.Receive(context.Background(), raw); err != nil {
				t.Fatal(err)
			}
			h, _, err := g.u.DB.Handled(fmt.Sprintf("%x", raw.SHA256))
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&out, "%s\n", h.Outcome)
			for _, side := range []string{"SOVIET", "GERMAN"} {
				for _, m := range g.outbox(side) {
					fmt.Fprintf(&out, "%s: %s\n%s\n", side, m.Subject, m.Texts[0].AsSent)
				}
			}
		}
		if n := g.u.AheadCount(); n > 0 {
			t.Errorf("%d mails that were read ahead are kept", n)
		}
		return out.String() + g.journal()
	}
	with, without := play(true, false), play(false, false)
	if with != without {
		t.Error(firstDifference(without, with))
	}
	if full := play(true, true); full != without {
		t.Errorf("with a full disk: %s", firstDifference(without, full))
	}
	if !strings.Contains(with, "sheet 2 of GERMAN for turn 1") || !strings.Contains(with, "sheet 2 of SOVIET for turn 2") || strings.Contains(with, "sheet 3 of SOVIET") {
		t.Errorf("the mails do not do what they are for:\n%s", with)
	}
}
