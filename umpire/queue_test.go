package umpire

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fieldpost/mailbox"
	"fieldpost/store"
)

// fetched lets mails be fetched in one look, in the order of their UIDs.
func (g *gameTable) fetched(mails ...[]byte) {
	g.t.Helper()
	inbox := g.u.Inbox()
	var uids []uint32
	for i, raw := range mails {
		uid := uint32(1000 + g.mails*20 + i)
		uids = append(uids, uid)
		r := mailbox.Raw{Key: mailbox.Key{Box: "INBOX", UIDValidity: 1, UID: uid}, InternalDate: g.clock, Bytes: raw, SHA256: sha256.Sum256(raw),
			Size: int64(len(raw)), Look: g.clock, More: i+1 < len(mails)}
		if err := inbox.Fetched(g.t.Context(), r); err != nil {
			g.t.Fatal(err)
		}
	}
	err := inbox.Listed("INBOX", 1, uids)
	if errors.Is(err, store.ErrUnknown) { // the tests over memory have an unsteady connection: the next look
		g.fetched(mails...)
		return
	}
	if err != nil {
		g.t.Fatal(err)
	}
	for _, uid := range uids {
		if !inbox.Handled(mailbox.Key{Box: "INBOX", UIDValidity: 1, UID: uid}) {
			g.t.Errorf("message %d would be fetched again", uid)
		}
	}
}

// worked has what is in the queue handled, and tells how much is left.
func (g *gameTable) worked() (left int) {
	g.t.Helper()
	if err := g.u.WorkOff(g.t.Context()); err != nil {
		g.t.Fatal(err)
	}
	b, err := g.u.DB.Backlog()
	if err != nil {
		g.t.Fatal(err)
	}
	return b.Mails
}

// untilNoneWaits waits until everything in the queue is handled by somebody else.
func (g *gameTable) untilNoneWaits() {
	g.t.Helper()
	for until := time.Now().Add(20 * time.Second); time.Now().Before(until); time.Sleep(time.Millisecond) {
		if b, err := g.u.DB.Backlog(); err == nil && b.Mails == 0 {
			return
		}
	}
	g.t.Fatal("mails wait, and nobody handles them")
}

func (g *gameTable) ordersOf(side string, serial int, more string) []byte {
	return g.mail(side, g.signed(side, fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: 1\nSERIAL: %d\nMOVE\n%s", g.game, side, serial, more)))
}

// A look puts its mails into the queue at once; whoever works at them handles those of a game in the
// order in which they arrived, whether they were read ahead here or on another machine.
func TestMailGoesThroughTheQueue(t *testing.T) {
	for name, elsewhere := range map[string]bool{"read ahead": false, "fetched elsewhere": true} {
		t.Run(name, func(t *testing.T) {
			g := newTable(t, "deadline=1d 20:00", "remind=none")
			g.seat("SOVIET")
			g.seat("GERMAN")
			g.outbox("SOVIET")
			var mails [][]byte
			for n := range 7 {
				mails = append(mails, g.ordersOf("SOVIET", n+1, ""), g.ordersOf("GERMAN", n+1, ""))
			}
			mails = append(mails, g.mail("SOVIET", "STATUS\n"), mails[0])
			g.fetched(mails...)
			if b, err := g.u.DB.Backlog(); err != nil || b.Mails != len(mails)-1 {
				t.Errorf("%+v waits, %v", b, err)
			}
			if elsewhere {
				again := New(g.setup)
				g.u = again
			}
			if left := g.worked(); left > 0 {
				t.Errorf("%d mails are not handled", left)
			}
			if n := g.u.AheadCount(); n > 0 {
				t.Errorf("%d mails that were read ahead are kept", n)
			}
			for _, side := range []string{"SOVIET", "GERMAN"} {
				sheets, err := g.u.DB.Sheets(g.game, side, 1)
				if err != nil {
					t.Fatal(err)
				}
				var serials []int
				for _, s := range sheets {
					serials = append(serials, s.Serial)
				}
				if !slices.Equal(serials, []int{1, 2, 3, 4, 5, 6, 7}) {
					t.Errorf("%s filed the sheets %v", side, serials)
				}
			}
			g.fetched(mails...)
			if left := g.worked(); left > 0 {
				t.Errorf("%d mails are in the queue again", left)
			}
		})
	}
}

// A deadline passes when the mailbox was looked through after it, and no mail of the game is left that had
// arrived before. What arrived after it waits until then, and what stands behind that in the game.
func TestADeadlineWaitsForTheQueue(t *testing.T) {
	g := newTable(t, "deadline=1d 20:00", "remind=none")
	g.seat("SOVIET")
	g.seat("GERMAN")
	open := g.waiting()
	g.clock = open.Deadline
	in := g.ordersOf("SOVIET", 1, "133/XXII 2206-2306\n")
	g.fetched(in)
	g.clock = open.Deadline.Add(2 * time.Minute)
	g.u.Tick(g.clock)
	if now := g.waiting(); !now.Deadline.Equal(open.Deadline) {
		t.Fatal("the deadline has passed before a sheet is judged that arrived in time")
	}
	late := g.ordersOf("SOVIET", 2, "")
	g.fetched(late)
	if left := g.worked(); left != 1 {
		t.Fatalf("%d mails wait, want the late one alone", left)
	}
	g.u.Tick(g.clock.Add(-3 * time.Minute))
	if now := g.waiting(); !now.Deadline.Equal(open.Deadline) {
		t.Fatal("the deadline has passed before the mailbox was looked through")
	}
	g.clock = g.clock.Add(2 * time.Second)
	g.u.Tick(g.clock)
	if now := g.waiting(); now.Deadline.Equal(open.Deadline) {
		t.Fatal("the deadline has not passed")
	}
	if left := g.worked(); left > 0 {
		t.Errorf("%d mails wait", left)
	}
	sheets, err := g.u.DB.AllSheets(g.game)
	if err != nil || len(sheets) != 1 || sheets[0].Serial != 1 {
		t.Errorf("%d sheets are filed, %v", len(sheets), err)
	}
}

func (g *gameTable) waiting() *store.OpenPhase {
	g.t.Helper()
	open, err := g.u.DB.Waiting(g.game)
	if err != nil || open == nil {
		g.t.Fatalf("%+v, %v", open, err)
	}
	return open
}

// unread is a store that cannot be asked who plays with a key.
type unread struct {
	store.Store
	is atomic.Bool
}

func (u *unread) Seats(key string) ([]store.Seat, error) {
	if u.is.Load() {
		return nil, errors.New("the disk is odd")
	}
	return u.Store.Seats(key)
}

// A mail that cannot be handled stays in the queue and is tried again, more and more rarely. What is
// behind it in its game waits with it, though not for ever; nothing is lost, and status tells of it.
func TestAMailThatCannotBeHandledIsTriedAgain(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	odd := &unread{Store: g.u.DB}
	g.setup.DB = odd
	g.u = New(g.setup)
	g.fetched(g.ordersOf("SOVIET", 1, ""), g.mail("SOVIET", "STATUS\n"))
	odd.is.Store(true)
	g.outbox("SOVIET")
	tries := 0
	for range 40 {
		if left := g.worked(); left < 1 {
			t.Fatal("a mail is lost")
		}
		b, err := g.u.DB.Backlog()
		if err != nil {
			t.Fatal(err)
		}
		if b.First.Tries > 0 && !strings.Contains(b.First.Why, "the disk is odd") {
			t.Errorf("%+v", b.First)
		}
		if answered := len(g.outbox("SOVIET")) > 0; answered && b.First.Tries < 5 {
			t.Errorf("what came later was answered first, after %d tries", b.First.Tries)
		}
		tries = b.First.Tries
		g.clock = g.clock.Add(10 * time.Second)
	}
	if tries < 5 || tries > 12 {
		t.Errorf("it was tried %d times in 400 s", tries)
	}
	odd.is.Store(false)
	g.clock = g.clock.Add(5 * time.Minute)
	if left := g.worked(); left > 0 {
		t.Errorf("%d mails wait", left)
	}
	if sheets, err := g.u.DB.AllSheets(g.game); err != nil || len(sheets) != 1 {
		t.Errorf("%d sheets, %v", len(sheets), err)
	}
}

// Who works at the queue is told of mail that is fetched beside it, and takes up what was put off.
func TestWorkUntilTheEnd(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- g.u.Work(ctx) }()
	for n := range 3 {
		g.fetched(g.ordersOf("SOVIET", n+1, ""))
		g.untilNoneWaits()
	}
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if sheets, err := g.u.DB.AllSheets(g.game); err != nil || len(sheets) != 3 {
		t.Errorf("%d sheets, %v", len(sheets), err)
	}
}

// Who handles one mail for long, and may handle another one beside it, takes up what another daemon has
// fetched, of which nobody tells them.
func TestAFreePlaceTakesUpWhatOthersFetch(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	g.u.AtOnce = 2
	begun, long, handled := make(chan struct{}), make(chan struct{}), make(chan struct{}, 10)
	var first atomic.Bool
	g.u.guard = func(handle func() error) error {
		if first.CompareAndSwap(false, true) {
			close(begun)
			<-long
		}
		err := handle()
		handled <- struct{}{}
		return err
	}
	ended := make(chan error, 1)
	g.fetched(g.ordersOf("SOVIET", 1, ""))
	go func() { ended <- g.u.WorkOff(t.Context()) }()
	<-begun
	raw := g.ordersOf("GERMAN", 1, "")
	sha, err := g.u.DB.Spool(raw)
	if err != nil {
		t.Fatal(err)
	}
	look := store.Look{Mailbox: "INBOX", UIDValidity: 1, Mails: []store.Incoming{{SHA256: sha, UID: 9, Received: g.clock, Lane: "ELSEWHERE"}}}
	for err = g.u.DB.Arrived(look); errors.Is(err, store.ErrUnknown); err = g.u.DB.Arrived(look) {
	}
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-handled:
	case <-time.After(10 * time.Second):
		t.Error("a mail waits for another one, with which it has nothing to do")
	}
	close(long)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
