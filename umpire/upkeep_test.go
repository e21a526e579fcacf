package umpire

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/store"
	"fieldpost/umpire/archive"
	"fieldpost/umpire/proof"
)

// atWork is a config and an umpire over its store, with a game in its first turn.
func atWork(t *testing.T) (*Config, *Umpire, string) {
	t.Helper()
	c := &Config{Data: "data", Key: "daemon.key", dir: t.TempDir()}
	c.Mail.Address, c.Mail.Name = "umpire@example.org", "Fieldpost"
	u, err := Open(c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	g, err := u.NewGame("kharkov-1942", nil, strings.NewReader(strings.Repeat("entropy", 10)))
	if err != nil {
		t.Fatal(err)
	}
	for i, side := range g.Sides {
		key, err := seal.GenerateKey(strings.NewReader(strings.Repeat(fmt.Sprint(i), 64)))
		if err != nil {
			t.Fatal(err)
		}
		if err := u.AddPlayer(g.ID, side, side, strings.ToLower(side)+"@example.org", key.Public().String()); err != nil {
			t.Fatal(err)
		}
	}
	return c, u, g.ID
}

// The upkeep of a store is the same whether a daemon runs or not.
func TestUpkeepWhileTheDaemonRunsAndAtRest(t *testing.T) {
	c, u, game := atWork(t)
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- u.serveDesk(ctx, c.Socket(), make(chan struct{}, 1)) }()
	for range 100 {
		if _, err := os.Stat(c.Socket()); err == nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	work := func(backup string) {
		t.Helper()
		d, err := OpenDesk(c, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		if wrong, err := d.CheckStore(); err != nil || len(wrong) > 0 {
			t.Errorf("check: %v, %q", err, wrong)
		}
		if s, err := d.Stats(); err != nil || s.Games[store.StatusRunning] != 1 || s.Phases == 0 || s.InUse() == 0 {
			t.Errorf("stats: %v, %+v", err, s)
		}
		if x, err := d.Compact(); err != nil || x.After == 0 || x.After > x.Before {
			t.Errorf("compact: %v, %+v", err, x)
		}
		if out, err := d.Backup(Backup{File: backup}); err != nil || out.NewBytes == 0 {
			t.Errorf("backup: %v", err)
		}
		if _, err := d.Backup(Backup{File: backup}); err == nil {
			t.Error("a backup was written over another")
		}
	}
	read := func() {
		t.Helper()
		r, done, err := OpenReading(c, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		defer done()
		if all, err := r.Shadow(); err != nil || len(all) != 1 || len(all[0].Wrong) > 0 {
			t.Errorf("shadow: %v, %+v", err, all)
		}
		raw, err := r.Archive(game)
		if err != nil {
			t.Fatal(err)
		}
		if a, err := archive.Verify(raw, proof.Trust{}); err != nil || a.Reports != 2 {
			t.Errorf("the archive: %v, %+v", err, a)
		}
	}
	work(filepath.Join(c.dir, "running.tar.zst"))
	read()
	cancel()
	if err := <-served; err != nil {
		t.Fatal(err)
	}
	if err := u.DB.Close(); err != nil {
		t.Fatal(err)
	}
	work(filepath.Join(c.dir, "rest.tar.zst"))
	read()
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("a copy of the secrets was left behind: %v, %v", left, err)
	}
	if _, _, err := OpenReading(&Config{Data: "none", Key: "k", dir: t.TempDir()}, u.Log); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a store that is not there: %v", err)
	}
}

// Whatever way a sheet was signed, its archive shows it.
func TestTheEvidenceOfASheet(t *testing.T) {
	for _, how := range []string{"block", "file", "mail only"} {
		g := newTable(t)
		g.seat("SOVIET")
		g.seat("GERMAN")
		sheet := "# to the front\nGame: " + strings.ToLower(g.game) + "\nside: soviet\nturn: 1\nserial: 1\nmove\ndone!\n"
		body := g.signed("SOVIET", sheet)
		raw := g.mail("SOVIET", body)
		if how == "file" {
			armored, err := seal.Sign(g.keys["SOVIET"], seal.Namespace, []byte(sheet))
			if err != nil {
				t.Fatal(err)
			}
			raw = fmt.Appendf(nil, "From: soviet@example.org\r\nTo: umpire@example.org\r\nSubject: orders\r\nMessage-ID: <f@example.org>\r\nMIME-Version: 1.0\r\n"+
				"Content-Type: multipart/mixed; boundary=xx\r\n\r\n--xx\r\nContent-Type: text/plain\r\n\r\nAttached.\r\n"+
				"--xx\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=orders.txt\r\n\r\n%s\r\n"+
				"--xx\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=orders.txt.sig\r\n\r\n%s\r\n--xx--\r\n",
				strings.ReplaceAll(sheet, "\n", "\r\n"), strings.ReplaceAll(armored, "\n", "\r\n"))
		}
		g.receive(raw)
		sheets, err := g.u.DB.AllSheets(g.game)
		if err != nil || len(sheets) != 1 {
			t.Fatalf("%s: %d sheets, %v", how, len(sheets), err)
		}
		s := sheets[0]
		if s.Signature == "" || s.Key == "" || s.Canonical != orders.Canonical(sheet) || (how == "file") != (len(s.Signed) > 0) {
			t.Errorf("%s: the sheet is kept as %+v", how, s)
		}
		a := archive.Sheet{Sheet: s}
		if how == "mail only" {
			a.Signature, a.Mail = "", raw
		}
		ring := seal.NewRing(g.clock, g.keys["SOVIET"].Public())
		key, err := a.Signer(ring)
		if err != nil || key != g.keys["SOVIET"].Public() {
			t.Errorf("%s: signed by %v, %v", how, key, err)
		}
		a.Canonical += "X\n"
		if _, err := a.Signer(ring); err == nil {
			t.Errorf("%s: another text passes for the signed one", how)
		}
	}
}
