package umpire

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"fieldpost/mailbox"
	"fieldpost/store"
	"fieldpost/store/bolt"
	"fieldpost/umpire/acts"
)

// A mail that breaks the program has an outcome like any other, its sender hears
// of it, and the next mail is read.
func TestMailThatBreaksTheProgram(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	g.outbox("SOVIET")
	var log strings.Builder
	g.u.Log = slog.New(slog.NewTextHandler(&log, nil))
	g.u.Now = func() time.Time { panic("the clock fell down") }
	raw := g.mail("SOVIET", "STATUS\n")
	r := mailbox.Raw{Key: mailbox.Key{Box: "INBOX", UIDValidity: 1, UID: uint32(g.mails)}, Bytes: raw, Size: int64(len(raw))}
	if err := g.u.Receive(context.Background(), r); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "the clock fell down") {
		t.Errorf("the log: %s", log.String())
	}
	g.u.Now = func() time.Time { return g.clock }
	g.receive(g.mail("SOVIET", "STATUS\n"))
	if got := g.outbox("SOVIET"); len(got) != 1 || !strings.Contains(got[0].Subject, "where the game stands") {
		t.Errorf("%d answers to the next mail", len(got))
	}
	if err := g.u.Receive(context.Background(), r); err != nil {
		t.Errorf("the same mail again: %v", err)
	}
}

// What is dealt with is not asked for again: the low-water mark follows, but not
// over a message that is still pending.
func TestLowWaterMarkFollows(t *testing.T) {
	g := newTable(t)
	s := g.u.Inbox()
	for range 3 {
		g.receive(g.mail("STRANGER", "hello\n"))
	}
	s.Listed("INBOX", 1, []uint32{1, 2, 3})
	if low := s.Low("INBOX", 1); low != 3 {
		t.Errorf("after three mails it is %d", low)
	}
	poison := mailbox.Raw{Key: mailbox.Key{Box: "INBOX", UIDValidity: 1, UID: 5}, Poison: true}
	if err := g.u.Receive(t.Context(), poison); err != nil {
		t.Fatal(err)
	}
	s.Listed("INBOX", 1, []uint32{5})
	if low := s.Low("INBOX", 1); low != 3 {
		t.Errorf("with a mail that breaks the connection it is %d", low)
	}
	gone := poison
	gone.Poison, gone.Gone = false, true
	if err := g.u.Receive(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	s.Listed("INBOX", 1, []uint32{5})
	if low := s.Low("INBOX", 1); low != 5 || s.Low("Junk", 1) != 0 {
		t.Errorf("after it was removed it is %d", low)
	}
}

// Every signed sheet of a mail is dealt with or named: those for different games and by
// different keys each for itself, two for one game refused with their numbers, and an older
// one below an answer left out. A mail that comes a second time changes nothing.
func TestEverySheetOfAMailIsHeard(t *testing.T) {
	commits := -1 // how many succeed before the disk fails; -1: all
	g := tableOn(t, bolt.Options{At: func(point string) error {
		switch {
		case point != bolt.PointCommit, commits < 0:
			return nil
		case commits == 0:
			return syscall.EIO
		}
		commits--
		return nil
	}})
	g.seat("SOVIET")
	g.seat("GERMAN")
	first := g.game
	other, err := g.u.NewGame("kharkov-1942", map[string]string{"undo": "0"}, rand.NewChaCha8([32]byte{9}))
	if err != nil {
		t.Fatal(err)
	}
	g.game = other.ID
	g.made = append(g.made, first)
	g.seat("SOVIET")
	g.seat("GERMAN")
	sheet := func(game, side string, serial int, more string) string {
		return fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: 1\nSERIAL: %d\n%s", game, side, serial, more)
	}
	serials := func() (all [4]int) {
		for i, id := range []string{first, other.ID} {
			game, err := g.u.DB.Game(id)
			if err != nil {
				t.Fatal(err)
			}
			all[2*i], all[2*i+1] = game.Players[0].Serial, game.Players[1].Serial
		}
		return all
	}
	kinds := func(id, kind string) (texts []string) {
		mails, err := g.u.DB.Mails(id)
		for _, m := range mails {
			if raw, bad := g.u.DB.MailBytes(m.SHA256); m.Kind == kind && bad == nil {
				read, _ := mailbox.Read(raw)
				texts = append(texts, oneLine(read.Texts[0].Text))
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		return texts
	}
	standing := "STANDING\n ALL: RETREAT N\n"
	a, b := sheet(first, "GERMAN", 1, standing), sheet(other.ID, "GERMAN", 4, standing)
	both := g.mail("GERMAN", g.signed("GERMAN", a)+"\n\n"+g.signed("GERMAN", b)+"\n\n"+g.signed("SOVIET", sheet(first, "SOVIET", 7, "CHECK\n")))
	for _, dies := range []bool{true, false, false} {
		// At first the daemon dies between the two games.
		if dies {
			commits = 1
			raw := mailbox.Raw{Key: mailbox.Key{Box: "INBOX", UIDValidity: 1, UID: 99}, InternalDate: g.clock, Bytes: both, Size: int64(len(both))}
			if err := g.u.Receive(t.Context(), raw); err == nil || serials() != [4]int{0, 1, 0, 0} {
				t.Fatalf("%v, %v", err, serials())
			}
			commits = -1
			continue
		}
		g.receive(both)
		if got := serials(); got != [4]int{0, 1, 0, 4} {
			t.Fatalf("numbers %v", got)
		}
		if n, m, k := len(kinds(first, "ack")), len(kinds(other.ID, "ack")), len(kinds(first, "check")); n != 1 || m != 1 || k != 1 {
			t.Fatalf("%d and %d acknowledgements, %d checks", n, m, k)
		}
		if said := append(kinds(first, "refusal"), kinds(other.ID, "refusal")...); len(said) != 0 {
			t.Fatalf("%q", said)
		}
	}
	// Two that were not filed: neither counts, and both numbers are said.
	g.receive(g.mail("GERMAN", g.signed("GERMAN", sheet(first, "GERMAN", 2, standing))+"\n\n"+g.signed("GERMAN", sheet(first, "GERMAN", 3, standing))))
	if said := kinds(first, "refusal"); len(said) != 1 || !strings.Contains(said[0], "with SERIAL 2 and 3") || serials()[1] != 1 {
		t.Errorf("two sheets for one game: %v, %q", serials(), said)
	}
	// One that was filed, below an answer.
	g.receive(g.mail("GERMAN", g.signed("GERMAN", sheet(first, "GERMAN", 5, standing))+"\n\n"+g.signed("GERMAN", a)))
	if serials()[1] != 5 {
		t.Errorf("an older sheet below stops the new one: %v", serials())
	}
	// A stranger's beside a player's.
	g.receive(g.mail("GERMAN", g.signed("STRANGER", sheet(first, "SOVIET", 1, "DONE!\n"))+"\n\n"+g.signed("GERMAN", sheet(first, "GERMAN", 6, standing))))
	if said := strings.Join(kinds(first, "refusal")[1:], "") + strings.Join(kinds(other.ID, "refusal"), ""); serials() != [4]int{0, 6, 0, 4} || !strings.Contains(said, "no game here knows its key") {
		t.Errorf("a stranger's sheet beside a player's: %v, %q", serials(), said)
	}
	// A moderator's two acts.
	act := func(serial, text string) string {
		return g.signed("MODERATOR", "GAME: "+first+"\nSERIAL: "+serial+"\nMODERATE: "+text+"\n")
	}
	g.receive(g.mail("MODERATOR", act("1", "PAUSE")+"\n\n"+act("2", "FINISH")))
	if game, _ := g.u.DB.Game(first); game.Status != store.StatusRunning {
		t.Errorf("of two acts in a mail one was carried out: the game is %s", game.Status)
	}
}

// Of the mail of strangers a hash and a line are kept, and its bytes for a week, however long
// other mail is; marks of messages that were removed from their folder go.
func TestStrangersMailIsKeptForAWeek(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.u.Moderators = []acts.Moderator{{Name: "Anna", Address: "anna@example.org"}}
	for _, m := range []struct {
		raw   []byte
		stays bool
	}{
		{g.mail("STRANGER", "hello\n"), false},
		{[]byte("From: list@example.com\r\nTo: umpire@example.org\r\nList-Id: <x>\r\nSubject: news\r\n\r\nnews\r\n"), false},
		{[]byte("From: anna@example.org\r\nTo: umpire@example.org\r\nSubject: hello\r\n\r\nmine\r\n"), true},
		{g.mail("SOVIET", "STATUS\n"), true},
		{g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 9\nSERIAL: 1\n")), true},
	} {
		g.receive(m.raw)
		sha := store.Sum(m.raw)
		came := g.clock
		for _, after := range []struct {
			days  int
			stays bool
		}{{6, true}, {8, m.stays}} {
			g.clock = came.AddDate(0, 0, after.days)
			if _, err := g.u.prune(0); err != nil {
				t.Fatal(err)
			}
			if _, err := g.u.DB.Spooled(sha); (err == nil) != after.stays {
				t.Errorf("after %d days %.30q: %v", after.days, m.raw, err)
			}
		}
		g.clock = came
		if h, ok, err := g.u.DB.Handled(sha); err != nil || !ok || h.Outcome == "" {
			t.Errorf("%.30q: the line is gone: %+v, %v, %v", m.raw, h, ok, err)
		}
	}
	uid := uint32(g.mails) // of all of them
	s := g.u.Inbox()
	s.Listed("INBOX", 1, []uint32{uid})
	if _, there, err := g.u.DB.UID("INBOX", 1, uid); err != nil || !there {
		t.Fatalf("the mark of a message that is there: %v, %v", there, err)
	}
	s.All("INBOX", 1, nil)
	if _, there, err := g.u.DB.UID("INBOX", 1, uid); err != nil || there {
		t.Errorf("the mark of a removed message: %v, %v", there, err)
	}
}
