package umpire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldpost/mailbox"
	"fieldpost/store"
	"fieldpost/umpire/archive"
	"fieldpost/umpire/match"
	"fieldpost/umpire/post"
	"fieldpost/umpire/proof"
	"fieldpost/umpire/scene"
	"fieldpost/umpire/turns"
)

// bytesOf are the mails of the game as they are sent, by id.
func (g *gameTable) bytesOf() map[string][]byte {
	g.t.Helper()
	mails, err := g.u.DB.Mails(g.game)
	if err != nil {
		g.t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, m := range mails {
		if out[m.ID], err = g.u.DB.MailBytes(m.SHA256); err != nil {
			g.t.Fatal(err)
		}
	}
	return out
}

// thinned sends what waits and keeps it thin.
func (g *gameTable) thinned() store.Thinned {
	g.t.Helper()
	queue, err := g.u.DB.Queue(g.clock.Add(time.Hour), 0)
	for _, m := range queue {
		if err == nil {
			_, err = g.u.DB.MarkSending(m.ID, g.clock)
		}
		if err == nil {
			err = g.u.DB.MarkResult(m.ID, store.Result{State: store.MailAccepted, At: g.clock})
		}
	}
	g.clock = g.clock.Add(time.Minute)
	var t store.Thinned
	if err == nil {
		t, err = g.u.thinNow()
	}
	if err != nil {
		g.t.Fatal(err)
	}
	return t
}

// Reports come out byte by byte when their pictures are drawn again, whichever pictures
// the players chose, and are sent again so.
func TestThinReportsComeOutByteByByte(t *testing.T) {
	for _, choice := range scene.Choices {
		t.Run(string(choice), func(t *testing.T) {
			g := newTable(t)
			g.file()
			g.seat("SOVIET")
			g.seat("GERMAN")
			g.illustrated() // the mails of the beginning are looked at with the daemon's own
			g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+" SIDE: SOVIET TURN: 1 SERIAL: 1\nPICTURES: "+string(choice)+"\nMOVE\nDONE!")))
			before := g.bytesOf()
			s, _ := g.u.DB.Stats()
			got := g.thinned()
			pictures := 0
			for _, raw := range before {
				pictures += bytes.Count(raw, []byte("Content-Type: image/png"))
			}
			if got.Mails != len(before) || got.Pictures != pictures || pictures < 2 || got.Differ != 0 {
				t.Errorf("%d mails with %d pictures came to %+v", len(before), pictures, got)
			}
			if now, _ := g.u.DB.Stats(); now.Kept*3 > s.Kept {
				t.Errorf("%d bytes became %d", s.Kept, now.Kept)
			}
			for id, raw := range g.bytesOf() {
				if !bytes.Equal(raw, before[id]) {
					t.Errorf("mail %s has other bytes", id)
				}
			}
			g.receive([]byte("From: soviet@example.org\nMessage-ID: <again@x>\n\nREPORT 1\n"))
			queue, err := g.u.DB.Queue(g.clock, 0)
			i := slices.IndexFunc(queue, func(m store.Mail) bool { return m.Kind == "report" })
			if err != nil || i < 0 {
				t.Fatalf("nothing is sent again: %v", err)
			}
			if raw, err := g.u.DB.MailBytes(queue[i].SHA256); err != nil || !bytes.Equal(raw, before[queue[i].ID]) {
				t.Errorf("sent again with other bytes, %v", err)
			}
			g.proved()
		})
	}
}

// A program that draws other pictures hands the report back without them and says so.
func TestAReportWhosePicturesAreDrawnOtherwise(t *testing.T) {
	g, invitation, report := firstReport(t)
	g.file()
	g.thinned()
	g.u.DB.DrawWith(func(mail, recipe []byte) ([][]byte, error) {
		all, err := post.Redraw(nil, mail, recipe)
		for i := range all {
			all[i] = bytes.ToLower(all[i])
		}
		return all, err
	})
	if _, err := g.u.DB.MailBytes(store.Sum(report)); err == nil {
		t.Fatal("other bytes are taken for the report")
	}
	waiting, _ := g.u.DB.Queue(g.clock, 0)
	g.receive([]byte("From: german@example.org\nMessage-ID: <again@x>\n\nREPORT 2\n"))
	queue, err := g.u.DB.Queue(g.clock, 0)
	if err != nil || len(queue) != len(waiting)+1 {
		t.Fatalf("%d mails wait, %d before, %v", len(queue), len(waiting), err)
	}
	answer := g.lastOf("note", "GERMAN")
	if text := answer.Texts[0].Text; !strings.Contains(strings.Join(strings.Fields(text), " "), "Report 2 is attached as report-2.eml, without its pictures") {
		t.Errorf("the answer says:\n%s", text)
	}
	i := slices.IndexFunc(answer.Attachments, func(a mailbox.Attachment) bool { return a.Name == "report-2.eml" })
	if i < 0 {
		t.Fatal("nothing is attached")
	}
	trust, err := archive.TrustFrom(invitation)
	if err != nil {
		t.Fatal(err)
	}
	found, err := proof.Verify(answer.Attachments[i].Data, trust)
	if err != nil || found.Dice < 5 || found.Signer == "" || len(found.Unproven) == 0 {
		t.Errorf("found %+v, %v", found, err)
	}
	for _, u := range found.Unproven {
		if !strings.Contains(u, ".png is left out") {
			t.Errorf("unproven: %s", u)
		}
	}
	bad := bytes.ReplaceAll(answer.Attachments[i].Data, []byte("Kharkov"), []byte("Kharkow"))
	if _, err := proof.Verify(bad, trust); err == nil {
		t.Error("an altered copy without pictures passes")
	}
	g.proved()
}

// The daemon does it by itself, a day later.
func TestTheDaemonKeepsOldMailsThin(t *testing.T) {
	g, _, report := firstReport(t)
	g.thinned()
	g.receive(g.mail("GERMAN", g.signed("GERMAN", fmt.Sprintf("GAME: %s SIDE: GERMAN TURN: 1 SERIAL: 1\nMOVE\nDONE!", g.game))))
	before := g.bytesOf()
	queue, _ := g.u.DB.Queue(g.clock.Add(time.Hour), 0)
	for _, m := range queue {
		if _, err := g.u.DB.MarkSending(m.ID, g.clock); err != nil {
			t.Fatal(err)
		}
		if err := g.u.DB.MarkResult(m.ID, store.Result{State: store.MailAccepted, At: g.clock}); err != nil {
			t.Fatal(err)
		}
	}
	whole := func() int {
		all, _ := filepath.Glob(filepath.Join(filepath.Dir(g.file().Path()), "mails", "*.eml"))
		return len(all)
	}
	run := func() {
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- g.u.keepThin(ctx) }()
		for until := time.Now().Add(20 * time.Second); whole() > 0 && g.clock.Hour() == 13 && time.Now().Before(until); {
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(50 * time.Millisecond)
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	fresh := whole()
	if run(); whole() != fresh || fresh == 0 {
		t.Errorf("of %d fresh mails %d are whole", fresh, whole())
	}
	g.clock = time.Date(2026, 11, 21, 13, 0, 0, 0, time.UTC)
	if run(); whole() != 0 {
		t.Errorf("%d mails are whole a day later", whole())
	}
	for id, raw := range g.bytesOf() {
		if !bytes.Equal(raw, before[id]) {
			t.Errorf("mail %s has other bytes", id)
		}
	}
	if raw, err := g.u.DB.MailBytes(store.Sum(report)); err != nil || !bytes.Equal(raw, report) {
		t.Errorf("the first report: %v", err)
	}
}

// The archive that both sides get at the end is not kept beside the game that it is made of: it
// comes out byte by byte, also for somebody who has not the daemon's key. When the store has lost
// what it was made of, that is said, and the mail without it is there.
func TestTheArchiveInAThinMailIsMadeAgain(t *testing.T) {
	g := newTable(t)
	g.file()
	g.seat("SOVIET")
	g.seat("GERMAN")
	g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+" SIDE: SOVIET TURN: 1 SERIAL: 1\nMOVE\nDONE!")))
	g.alter(func(x *store.Game) { x.Status = store.StatusFinished })
	g.commit(store.Change{Notes: map[string][]byte{turns.DisclosureRecords.Name(g.game): {}}})
	g.u.Disclose()
	before := g.bytesOf()
	g.thinned()
	archives := 0
	for id, raw := range g.bytesOf() {
		if !bytes.Equal(raw, before[id]) {
			t.Errorf("mail %s has other bytes", id)
		}
	}
	g.u.DB.DrawWith(Redrawer(g.u.DB, new(match.Library), nil))
	mails, err := g.u.DB.Mails(g.game)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mails {
		if m.Kind != "disclosure" {
			continue
		}
		archives++
		if _, err := g.u.DB.MailBytes(m.SHA256); err != nil {
			t.Errorf("without the daemon's key: %v", err)
		}
		if kept, left, err := g.u.DB.KeptMail(m.SHA256); err != nil || left != 1 || len(kept) > 20_000 {
			t.Errorf("of the mail %d bytes are kept, without %d parts, %v", len(kept), left, err)
		}
	}
	if archives != 2 {
		t.Fatalf("%d archives were sent", archives)
	}
	g.alter(func(x *store.Game) { x.Title = "Another title" })
	for _, m := range mails {
		if _, err := g.u.DB.MailBytes(m.SHA256); m.Kind == "disclosure" && !errors.Is(err, store.ErrUndrawn) {
			t.Errorf("of a game that is another one now: %v", err)
		}
	}
}
