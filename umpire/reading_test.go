package umpire

import (
	"crypto/rand"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldpost/umpire/archive"
	"fieldpost/umpire/proof"
)

// Who only reads sees the games with the scenarios of the config, and makes
// nothing: no key, no file.
func TestReadingOnly(t *testing.T) {
	dir := t.TempDir()
	text, err := os.ReadFile("../scenarios/wb95/kharkov/kharkov-1942/scenario.toml")
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "p", "secret")
	write(t, dir, "mine/wb95/kharkov/kharkov-1942/scenario.toml", strings.Replace(string(text), `title = "Kharkov 1942"`, `title = "My Kharkov"`, 1))
	c, err := ReadConfig(write(t, dir, "config.toml", `scenario_dirs = ["mine"]`+mailSettings))
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	u, err := Open(c, log)
	if err != nil {
		t.Fatal(err)
	}
	g, err := u.NewGame("kharkov-1942", nil, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for i, side := range g.Sides {
		if err := u.AddPlayer(g.ID, side, side, strings.ToLower(side)+"@example.org", sshVoice(byte(50+i)).public); err != nil {
			t.Fatal(err)
		}
	}
	if err := u.DB.Close(); err != nil {
		t.Fatal(err)
	}
	read := func(f func(u *Umpire)) {
		t.Helper()
		u, done, err := OpenReading(c, log)
		if err != nil {
			t.Fatal(err)
		}
		defer done()
		f(u)
	}
	read(func(r *Umpire) {
		if again, err := r.Replay(g.ID, true); err != nil || len(again.Wrong) > 0 {
			t.Errorf("%+v, %v", again, err)
		}
		raw, err := r.Archive(g.ID)
		if err != nil {
			t.Fatal(err)
		}
		if a, err := archive.Verify(raw, proof.Trust{DaemonKey: u.Key.Public().String()}); err != nil || a.Title != "My Kharkov" {
			t.Errorf("%+v, %v", a, err)
		}
	})
	if err := os.Remove(c.KeyFile()); err != nil {
		t.Fatal(err)
	}
	before, _ := filepath.Glob(filepath.Join(dir, "*"))
	read(func(r *Umpire) {
		if again, err := r.Replay(g.ID, true); err != nil || len(again.Wrong) > 0 {
			t.Errorf("without a key: %+v, %v", again, err)
		}
		if _, err := r.Archive(g.ID); err == nil || !strings.Contains(err.Error(), "signing key") {
			t.Errorf("an archive without a key: %v", err)
		}
	})
	if after, _ := filepath.Glob(filepath.Join(dir, "*")); len(after) != len(before) {
		t.Errorf("reading made %q out of %q", after, before)
	}
}
