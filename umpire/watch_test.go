package umpire

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fieldpost/mailbox"
	"fieldpost/store"
	"fieldpost/umpire/club"
	"fieldpost/umpire/post"
)

// alarms are the subjects of the mails about the house that moderators have had.
func (g *gameTable) alarms() (subjects []string) {
	g.t.Helper()
	queue, err := g.u.DB.Queue(g.clock.AddDate(20, 0, 0), 0)
	if err != nil {
		g.t.Fatal(err)
	}
	for _, m := range queue {
		raw, err := g.u.DB.MailBytes(m.SHA256)
		if err != nil {
			g.t.Fatal(err)
		}
		if read, err := mailbox.Read(raw); err == nil && m.Kind == "moderation" && m.To == "moderator@example.org" {
			subjects = append(subjects, read.Subject)
		}
	}
	return subjects
}

// complain lets the daemon look whether it has something to complain of.
func (g *gameTable) complain() {
	g.t.Helper()
	if err := g.u.Complain(); err != nil {
		g.t.Fatal(err)
	}
}

// A mail server that refuses the login is told: in the status, on every game, and by one
// mail to the moderators; and so is the way back.
func TestTheDaemonComplains(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	troubles := func(rank club.Rank, says string) {
		t.Helper()
		s, err := g.u.Status()
		if err != nil {
			t.Fatal(err)
		}
		var board strings.Builder
		if err := s.Board(&board, club.BoardOptions{}); err != nil {
			t.Fatal(err)
		}
		if got := s.Games[0]; got.Rank != rank || !strings.Contains(got.Why, says) || says != "" && !strings.Contains(board.String(), "ALARM: "+says) {
			t.Errorf("rank %d, %q\n%s", got.Rank, got.Why, board.String())
		}
	}
	s := g.u.Service
	s.Begin(time.Minute, []string{"INBOX"}, g.clock)
	g.clock = g.clock.Add(time.Minute)
	s.Looked("INBOX", g.clock)
	s.Looked("Junk", g.clock)
	s.LookFailed(nil, g.clock)
	troubles(club.RankNormal, "")
	for range 14 { // minutes
		g.clock = g.clock.Add(time.Minute)
		s.LookFailed(errors.New("the IMAP server refuses the login"), g.clock)
		g.complain()
	}
	troubles(club.RankAlarm, "no mail has been fetched since 20 Nov 12:01 UTC: the IMAP server refuses the login (INBOX, Junk)")
	if got := g.alarms(); len(got) != 1 || !strings.Contains(got[0], "ALARM: no mail is fetched") {
		t.Errorf("the moderators read %q", got)
	}
	s.Looked("INBOX", g.clock)
	s.LookFailed(nil, g.clock) // the folder of junk is there no more
	g.complain()
	g.complain()
	troubles(club.RankNormal, "")
	if got := g.alarms(); len(got) != 2 || !strings.Contains(got[1], "mail is fetched again") {
		t.Errorf("of the way back the moderators read %q", got)
	}

	// A recipient who is refused is no trouble of the server; a server that is away is.
	away := mailbox.Result{Outcome: mailbox.Temporary, Err: errors.New("SMTP connection: refused")}
	for range 7 {
		s.SentOne(mailbox.Result{Outcome: mailbox.Temporary, Code: 450}, g.clock)
		g.clock = g.clock.Add(time.Minute)
		s.Looked("INBOX", g.clock)
		g.complain()
	}
	troubles(club.RankNormal, "")
	for range 7 {
		s.SentOne(away, g.clock)
		g.clock = g.clock.Add(time.Minute)
		s.Looked("INBOX", g.clock)
		g.complain()
	}
	troubles(club.RankAlarm, "no mail could be sent since")
	if got := g.alarms(); len(got) != 2 {
		t.Errorf("a mail that cannot be sent tells of mail that cannot be sent: %q", got)
	}
	s.SentOne(mailbox.Result{Outcome: mailbox.Delivered}, g.clock)
	g.complain()
	troubles(club.RankNormal, "")
	if got := g.alarms(); len(got) != 3 || !strings.Contains(got[2], "mail is sent again") {
		t.Errorf("the moderators read %q", got)
	}
}

// A clock that goes ten years ahead and back passes no deadline, keeps no mail back, and
// hides none from the status.
func TestAClockThatJumps(t *testing.T) {
	g := newTable(t, "deadline=3d", "late=standing")
	g.seat("SOVIET")
	g.seat("GERMAN")
	g.sent()
	steady := time.Duration(0)
	g.u.Steady = func() time.Duration { return steady }
	pass := func(d time.Duration) { g.clock, steady = g.clock.Add(d), steady+d }
	late := func() int { game, _ := g.u.DB.Game(g.game); return game.Players[0].LateTurns }
	g.u.Tick(g.clock)
	pass(time.Hour)
	g.u.Tick(g.clock)
	right := g.clock
	g.clock = g.clock.AddDate(10, 0, 0)
	g.u.Tick(g.clock)
	pass(time.Minute)
	g.u.Tick(g.clock)
	if late() != 0 {
		t.Fatal("a deadline passed because the clock jumped")
	}
	g.complain()
	if got := g.alarms(); len(got) != 1 || !strings.Contains(got[0], "the clock has jumped") {
		t.Errorf("the moderators read %q", got)
	}
	// What is put off now waits for another decade, and the status counts it.
	g.u.Service.Release()
	g.receive(g.mail("SOVIET", "STATUS\n"))
	queue, err := g.u.DB.Queue(g.clock, 0)
	if err != nil || len(queue) < 2 {
		t.Fatalf("%d mails, %v", len(queue), err)
	}
	for _, m := range queue {
		if _, err := g.u.DB.MarkSending(m.ID, g.clock); err != nil {
			t.Fatal(err)
		}
		if err := g.u.DB.MarkResult(m.ID, store.Result{State: store.MailQueued, At: g.clock, Next: g.clock.Add(time.Hour)}); err != nil {
			t.Fatal(err)
		}
	}
	g.clock = right.Add(2 * time.Minute)
	if s, err := g.u.Status(); err != nil || s.Queued != len(queue) || s.Stuck != len(queue) {
		t.Errorf("%d queued, %d stuck, of %d, %v", s.Queued, s.Stuck, len(queue), err)
	}
	g.u.Tick(g.clock)
	if again, err := g.u.DB.Queue(g.clock, 0); err != nil || len(again) != len(queue) {
		t.Errorf("after the way back %d of %d mails are due, %v", len(again), len(queue), err)
	}
	if !g.u.Service.Held() {
		t.Fatal("the way back is a jump too")
	}
	// A new process knows it still; mail of another time does not end it, mail of now does.
	g.u.Service.Release()
	if err := g.u.RememberJump(); err != nil || !g.u.Service.Held() {
		t.Errorf("a new process forgets it: %v", err)
	}
	inbox := mailbox.Key{Box: "INBOX", UIDValidity: 1, UID: 7}
	g.u.ClockAgrees(mailbox.Raw{Key: inbox, New: true, InternalDate: g.clock})
	if !g.u.Service.Held() {
		t.Error("a mail of a folder that was not looked through of late says what time it is")
	}
	g.u.Service.Looked("INBOX", g.clock)
	g.u.ClockAgrees(mailbox.Raw{Key: inbox, New: true, InternalDate: g.clock.AddDate(10, 0, 0)})
	if !g.u.Service.Held() {
		t.Error("a server of another decade agrees")
	}
	g.u.ClockAgrees(mailbox.Raw{Key: inbox, InternalDate: g.clock})
	g.u.ClockAgrees(mailbox.Raw{InternalDate: g.clock})
	if !g.u.Service.Held() {
		t.Error("a mail that waited, or that was handed in, says what the mail server's clock says")
	}
	g.receive(g.mail("STRANGER", "hello\n"))
	if g.u.Service.Held() {
		t.Error("a mail of now does not end it")
	}
	g.complain()
	if got := g.alarms(); len(got) != 2 || !strings.Contains(strings.Join(got, " "), "the clock is trusted again") {
		t.Errorf("the moderators read %q", got)
	}
	pass(4 * 24 * time.Hour)
	g.u.Tick(g.clock)
	if late() != 1 {
		t.Error("a deadline does not pass any more")
	}
	g.clock = g.clock.AddDate(1, 0, 0)
	g.u.Tick(g.clock)
	if !g.u.Service.Held() {
		t.Fatal("a second jump is not held")
	}
	if err := g.u.ClockGoesOn(); err != nil || g.u.Service.Held() {
		t.Errorf("a moderator cannot let it go on: %v", err)
	}
}

// What is found only at a start: the process died, and before the next one began the clock was
// set. The daemon asks the mail server by a mail to itself, so that one that was really stopped
// goes on although nobody writes.
func TestAClockThatIsSetWhileNobodyRuns(t *testing.T) {
	g := newTable(t, "deadline=3d", "late=standing")
	g.seat("SOVIET")
	g.seat("GERMAN")
	g.watched()
	late := func() int { game, _ := g.u.DB.Game(g.game); return game.Players[0].LateTurns }
	own := func() (mails []store.Mail) {
		t.Helper()
		queue, err := g.u.DB.Queue(g.clock, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range queue {
			if m.To == "umpire@example.org" {
				mails = append(mails, m)
			}
		}
		return mails
	}
	comesBack := func(m store.Mail, at time.Time) {
		t.Helper()
		raw, err := g.u.DB.MailBytes(m.SHA256)
		if err != nil {
			t.Fatal(err)
		}
		g.mails++
		g.u.Service.Looked("INBOX", g.clock)
		if err := g.u.Receive(t.Context(), mailbox.Raw{Key: mailbox.Key{Box: "INBOX", UIDValidity: 1, UID: uint32(g.mails)}, New: true, InternalDate: at, Bytes: raw, Size: int64(len(raw))}); err != nil {
			t.Fatal(err)
		}
	}
	g.pass("time", time.Minute)
	g.pass("daemon", 50*time.Minute)
	g.complain()
	if g.u.Service.Held() || len(own()) > 0 {
		t.Fatal("a short stop holds deadlines")
	}
	right := g.clock
	g.pass("daemon", 10*365*24*time.Hour)
	g.pass("time", time.Minute)
	g.complain()
	g.complain()
	asked := own()
	if late() > 0 || !g.u.Service.Held() || len(asked) != 1 || len(g.alarms()) > 0 {
		t.Fatalf("the clock was set: held %v, late %d, asked %d times, alarms %q", g.u.Service.Held(), late(), len(asked), g.alarms())
	}
	comesBack(asked[0], right.Add(2*time.Minute))
	g.pass("daemon", time.Minute) // and the one after the next knows it, too
	g.pass("time", 20*time.Minute)
	g.complain()
	if got := g.alarms(); late() > 0 || !g.u.Service.Held() || len(got) != 1 || !strings.Contains(got[0], "the clock has jumped") {
		t.Fatalf("the mail server says another time: held %v, late %d, alarms %q", g.u.Service.Held(), late(), got)
	}
	g.clock = right.Add(23 * time.Minute)
	g.pass("time", time.Minute)
	g.complain()
	if asked = own(); len(asked) == 0 {
		t.Fatal("the clock is right again, and nobody asks")
	}
	comesBack(asked[len(asked)-1], g.clock)
	if g.u.Service.Held() {
		t.Error("the mail server says the same, and deadlines are held")
	}
	g.pass("time", time.Minute)
	g.pass("daemon", 5*24*time.Hour)
	if late() > 0 || !g.u.Service.Held() {
		t.Error("after a long stop nobody asks for the time")
	}
	g.complain()
	asked = own()
	comesBack(asked[len(asked)-1], g.clock)
	g.pass("time", time.Minute)
	if g.u.Service.Held() || late() != 1 {
		t.Errorf("a daemon that was stopped does not go on by itself: held %v, late %d", g.u.Service.Held(), late())
	}
}

// The clock is set back between two looks: a folder that was looked through since is not out.
func TestALookAfterTheClockWasSet(t *testing.T) {
	var s post.Service
	now := time.Date(2036, 11, 20, 12, 0, 0, 0, time.UTC)
	s.Begin(time.Minute, []string{"INBOX", "Junk"}, now)
	now = now.Add(30*time.Second - 87648*time.Hour)
	s.Looked("INBOX", now)
	s.ClockSet(-87648*time.Hour, time.Minute, now)
	if got := s.Troubles(now); len(got) > 0 {
		t.Errorf("%v", got)
	}
	now = now.Add(10 * time.Minute)
	s.Looked("INBOX", now)
	if got := s.Troubles(now); len(got) != 1 || !strings.Contains(got[0].Why, "(Junk)") {
		t.Errorf("a folder that is not looked through: %v", got)
	}
}
