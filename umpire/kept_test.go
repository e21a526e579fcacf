package umpire

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"go.etcd.io/bbolt"

	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/staff"
	"fieldpost/store"
	"fieldpost/store/bolt"
	"fieldpost/umpire/archive"
	"fieldpost/umpire/proof"
	"fieldpost/umpire/records"
	"fieldpost/umpire/turns"
)

// The games of the kept folder; see its README.
const (
	keptFolder   = "testdata/kept/2026-11.tar.zst"
	keptRunning  = "7RHGHE7H" // Kharkov 1942, turn 2: a sheet of SOVIET without DONE
	keptAsking   = "ISH3GB73" // Star and Gallop: SOVIET is asked for the orders of 3TA
	keptFinished = "QMPVHWHH" // Kharkov 1942: GERMAN has conceded
	keptSheets   = 7          // sheets and mails up to then
)

// unpackKept lays a fresh copy of the kept folder out and returns where it is.
func unpackKept(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	packed, err := os.Open(keptFolder)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	z, err := zstd.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for files := tar.NewReader(z); ; {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			return dir
		}
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, filepath.FromSlash(h.Name))
		if h.Typeflag == tar.TypeDir {
			if err := os.MkdirAll(path, 0o700); err != nil {
				t.Fatal(err)
			}
			continue
		}
		text, err := io.ReadAll(files)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// openKept is a table over a copy of the kept folder, an hour after its last mail.
func openKept(t *testing.T, dir string) *gameTable {
	t.Helper()
	db, err := bolt.Open(filepath.Join(dir, "fieldpost.db"), bolt.Options{MustExist: true})
	if err != nil {
		t.Fatal(err)
	}
	g := &gameTable{t: t, keys: map[string]seal.PrivateKey{}, shown: map[string]bool{}, mails: keptSheets,
		clock: time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)}
	t.Cleanup(func() { g.u.DB.Close() })
	random := rand.NewChaCha8([32]byte{7})
	for _, name := range []string{"DAEMON", "SOVIET", "GERMAN"} {
		if g.keys[name], err = seal.GenerateKey(random); err != nil {
			t.Fatal(err)
		}
	}
	g.u = New(Setup{DB: db, Address: "umpire@example.org", Name: "Fieldpost", Instance: "test",
		Key: g.keys["DAEMON"], Now: func() time.Time { return g.clock },
		Log: slog.New(slog.DiscardHandler), Draw: unillustrated})
	return g
}

// wrongs lists in words what the present program does not like in the store and in the
// journals of its games.
func (g *gameTable) wrongs() (wrong []string) {
	g.t.Helper()
	for _, err := range records.Check(g.u.DB) {
		wrong = append(wrong, err.Error())
	}
	for _, id := range []string{keptRunning, keptAsking, keptFinished} {
		r, err := g.u.Replay(id, true)
		if err != nil {
			wrong = append(wrong, err.Error())
			continue
		}
		wrong = append(wrong, r.Wrong...)
		if r.Phases == 0 || r.Rolls == 0 || r.Proved != r.Rolls {
			few := fmt.Sprintf("game %s: %d phases repeated, %d of %d rolls proved", id, r.Phases, r.Proved, r.Rolls)
			wrong = append(wrong, few)
		}
	}
	status, err := g.u.Status()
	if err != nil {
		return append(wrong, err.Error())
	}
	return append(wrong, status.Damaged...)
}

// invitationKeys are the keys as the invitation to a game told them.
func (g *gameTable) invitationKeys(id string) proof.Trust {
	g.t.Helper()
	mails, err := g.u.DB.Mails(id)
	if err != nil {
		g.t.Fatal(err)
	}
	for _, m := range mails {
		if m.Kind != "invitation" {
			continue
		}
		raw, err := g.u.DB.MailBytes(m.SHA256)
		if err != nil {
			g.t.Fatal(err)
		}
		trust, err := archive.TrustFrom(raw)
		if err != nil {
			g.t.Fatal(err)
		}
		return trust
	}
	g.t.Fatalf("nobody was invited to game %s", id)
	return proof.Trust{}
}

// verifies checks an archive with the keys of the invitation.
func (g *gameTable) verifies(what, id string, raw []byte) archive.Checked {
	g.t.Helper()
	a, err := archive.Verify(raw, g.invitationKeys(id))
	if err != nil || len(a.Unproven) > 0 || a.Game != id || a.Rolls == 0 || a.Reports == 0 {
		g.t.Errorf("%s: %v, %+v", what, err, a)
	}
	return a
}

// A data folder of the version before opens, holds what it held, and its games are
// played on and prove themselves.
func TestAKeptFolderIsPlayedOn(t *testing.T) {
	dir := unpackKept(t)
	g := openKept(t, dir)
	if wrong := g.wrongs(); len(wrong) > 0 {
		t.Fatalf("the kept folder: %q", wrong)
	}
	was := map[string]archive.Checked{}
	for name, id := range map[string]string{"running.tar": keptRunning, "finished.tar": keptFinished} {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		was[id] = g.verifies("the kept "+name, id, raw)
	}
	keptPlayers(t, g)
	keptQueue(t, g)
	keptMoves(t, g)
	keptAnswers(t, g)
	if wrong := g.wrongs(); len(wrong) > 0 {
		t.Errorf("after the games were played on: %q", wrong)
	}
	for _, id := range []string{keptRunning, keptAsking, keptFinished} {
		raw, err := g.u.Archive(id)
		if err != nil {
			t.Fatal(err)
		}
		is := g.verifies("the archive of "+id+" now", id, raw)
		before := was[id]
		switch id {
		case keptRunning:
			if is.Phases <= before.Phases || is.Rolls <= before.Rolls || is.Sheets <= before.Sheets {
				t.Errorf("the running game went on from %+v to %+v", before, is)
			}
		case keptFinished:
			if is.Phases != before.Phases || is.Rolls != before.Rolls || is.Status != before.Status {
				t.Errorf("the finished game was %+v and is %+v", before, is)
			}
		}
	}
}

// A game of the version before, which goes on as it began, may be taken over to the
// present rules.
func TestAKeptGameIsTakenOver(t *testing.T) {
	g := openKept(t, unpackKept(t))
	g.game = keptRunning
	if err := g.u.CheckVersion(g.alter(func(*store.Game) {})); err != nil {
		t.Errorf("the kept game may not be gone on with: %v", err)
	}
	if _, err := g.u.Migrate(keptRunning); err != nil {
		t.Fatal(err)
	}
	if _, err := g.u.Migrate(keptRunning); !errors.Is(err, turns.ErrFits) {
		t.Errorf("taken over again: %v", err)
	}
	if r, err := g.u.Replay(keptRunning, true); err != nil || len(r.Wrong) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
	keptMoves(t, g)
}

// keptPlayers looks at what the players had said of themselves.
func keptPlayers(t *testing.T, g *gameTable) {
	t.Helper()
	g.game = keptRunning
	if p := g.player("SOVIET"); p.Zone != "Europe/Moscow" || len(p.Away) != 1 || p.Serial != keptSheets {
		t.Errorf("SOVIET is %+v", p)
	}
	if p := g.player("GERMAN"); p.Second != "german.home@example.net" {
		t.Errorf("GERMAN is %+v", p)
	}
	sheets, err := g.u.DB.Sheets(keptRunning, "SOVIET", 2)
	if err != nil || len(sheets) != 1 || strings.Contains(sheets[0].Canonical, "\nDONE") {
		t.Errorf("the sheet of the second turn: %d of them, %v", len(sheets), err)
	}
}

// keptQueue sends the one mail that waited.
func keptQueue(t *testing.T, g *gameTable) {
	t.Helper()
	queue, err := g.u.DB.Queue(g.clock, 0)
	if err != nil || len(queue) != 1 || queue[0].Game != keptRunning || queue[0].Side != "SOVIET" {
		t.Fatalf("%d mails wait: %+v, %v", len(queue), queue, err)
	}
	if n := newPostbox(g).send(); n != 1 {
		t.Errorf("%d mails went out", n)
	}
	if m, err := g.u.DB.Mail(queue[0].ID); err != nil || m.State != store.MailAccepted {
		t.Errorf("the mail that waited is %s, %v", m.State, err)
	}
}

// keptMoves plays the second turn of both sides, on the reports that the version before
// wrote and then on those of this one.
func keptMoves(t *testing.T, g *gameTable) {
	t.Helper()
	g.game = keptRunning
	rules, _, err := g.u.Scenario("kharkov-1942")
	if err != nil {
		t.Fatal(err)
	}
	officer := staff.Officer{Game: rules}
	before, err := g.u.DB.Game(keptRunning)
	if err != nil {
		t.Fatal(err)
	}
	for n, side := range []string{"SOVIET", "GERMAN"} {
		sheet := ""
		for _, m := range g.outbox(side) {
			v := viewOf(t, m)
			if v == nil || v.Game != keptRunning || v.Turn != 2 || len(v.Due) == 0 {
				continue
			}
			if sheet, err = officer.Sheet(v, 100+n); err != nil {
				t.Fatal(err)
			}
		}
		if sheet == "" {
			t.Fatalf("no sheet of %s is due", side)
		}
		g.receive(g.mail(side, g.signed(side, sheet)))
		after, err := g.u.DB.Game(keptRunning)
		if err != nil || after.Phases <= before.Phases || after.Status != store.StatusRunning {
			t.Fatalf("the turn of %s is not played: %+v, %v", side, after, err)
		}
		before = after
	}
	m, _ := g.last("SOVIET")
	if !strings.Contains(m.Subject, "turn 3") || viewOf(t, m) == nil {
		t.Errorf("after the second turn SOVIET is told %q", m.Subject)
	}
}

// keptAnswers answers the open question, and those that follow, to the end of the turn.
func keptAnswers(t *testing.T, g *gameTable) {
	t.Helper()
	g.game, g.shown = keptAsking, map[string]bool{} // the question is among the mails of before
	if open, err := g.u.DB.Waiting(keptAsking); err != nil || open == nil || len(open.Journal) == 0 {
		t.Fatalf("no phase is under way: %+v, %v", open, err)
	}
	rules, _, err := g.u.Scenario("star-and-gallop")
	if err != nil {
		t.Fatal(err)
	}
	officer, answers := staff.Officer{Game: rules, Mode: "ASK"}, 0
	for asked := true; asked; {
		asked = false
		for _, m := range g.outbox("SOVIET") {
			v := viewOf(t, m)
			if v == nil || v.Game != keptAsking {
				continue
			}
			if v.Turn == 2 {
				return // a report of the turn that was played
			}
			if !isQuestion(m) {
				continue
			}
			asked = true
			answers++
			sheet, err := officer.Sheet(v, 200+answers)
			if err != nil {
				t.Fatal(err)
			}
			g.receive(g.mail("SOVIET", g.signed("SOVIET", sheet)))
		}
	}
	t.Errorf("after %d answers nothing more is asked and the turn is not over", answers)
}

func isQuestion(m *mailbox.Message) bool { return strings.HasPrefix(m.MessageID, "question.") }

// One byte of the kept folder altered, wherever a game is kept: it is noticed.
func TestAKeptFolderThatWasAltered(t *testing.T) {
	for _, bucket := range []string{"games", "phases", "snapshots", "open", "sheets", "outbox"} {
		g := openKept(t, unpackKept(t))
		g.flip(bucket, g.lastKey(bucket))
		if len(g.wrongs()) == 0 {
			t.Errorf("a byte of %s was altered, and nothing is wrong", bucket)
		}
	}
	dir := unpackKept(t)
	g := openKept(t, dir)
	raw, err := os.ReadFile(filepath.Join(dir, "running.tar"))
	if err != nil {
		t.Fatal(err)
	}
	raw[len(raw)/2] ^= 1
	if _, err := archive.Verify(raw, g.invitationKeys(keptRunning)); err == nil {
		t.Error("a byte of the kept archive was altered, and it verifies")
	}
}

// lastKey is the key of the last record of a bucket.
func (g *gameTable) lastKey(bucket string) (key string) {
	g.t.Helper()
	g.reopen(func(path string) {
		db, err := bbolt.Open(path, 0o600, nil)
		if err != nil {
			g.t.Fatal(err)
		}
		defer db.Close()
		_ = db.View(func(tx *bbolt.Tx) error {
			k, _ := tx.Bucket([]byte(bucket)).Cursor().Last()
			key = string(k)
			return nil
		})
	})
	return key
}
