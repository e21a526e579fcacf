package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// The section of docs/KEEPING.md on moving works as written: the new machine has an empty folder
// and the file that was packed, and the game goes on there under the same key.
func TestMovingAsWritten(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash here")
	}
	page, err := os.ReadFile("../../docs/KEEPING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## Moving to another machine\n")
	section, _, _ = strings.Cut(section, "\n## ")
	n := newcomerWith(t, "club.toml", "umpire@example.org", "cleo@example.org")
	n.openClub()
	old, key := n.dir, n.read("fieldpost-daemon.key")
	n.stop()
	n.daemon = nil
	n.mail("cleo@example.org", "meanwhile", n.shell("fieldpost sign --key cleo@example.org.key first.txt"))
	count := 0
	for command := range commandsIn(section) {
		count++
		if strings.HasPrefix(command, "tar -xf") {
			n.dir = t.TempDir()
			if err := os.Rename(filepath.Join(old, "moving.tar"), filepath.Join(n.dir, "moving.tar")); err != nil {
				t.Fatal(err)
			}
		}
		if strings.HasPrefix(command, "fieldpost restore") {
			n.shell(command)
			continue
		}
		n.step(command)
	}
	defer n.stop()
	if count != 6 || n.dir == old {
		t.Fatalf("%d commands: the section was not read whole", count)
	}
	n.until("the answer to what came meanwhile", func() bool { return n.answered("cleo@example.org", "sheet 1") })
	n.mail("cleo@example.org", "afterwards", n.shell("fieldpost sign --key "+filepath.Join(old, "cleo@example.org.key")+" "+filepath.Join(old, "second.txt")))
	n.until("the answer to a sheet after the move", func() bool { return n.answered("cleo@example.org", "sheet 2") })
	if n.running() != 1 || n.read("fieldpost-daemon.key") != key {
		t.Error("the game does not go on under the same key")
	}
}

// writeClub writes the files that a club begins with.
func (n *newcomer) writeClub() {
	n.t.Helper()
	sample, err := os.ReadFile("../../config.toml")
	if err != nil {
		n.t.Fatal(err)
	}
	n.write("club.toml", string(sample))
	n.account()
	n.write("imap-password", "the password")
	n.write("smtp-password", "the password")
}

// openClub starts the daemon of a club and begins a game of Cleo against a staff officer, for which
// two sheets are ready.
func (n *newcomer) openClub() {
	n.t.Helper()
	n.writeClub()
	n.serve()
	n.step("fieldpost game new --config club.toml --scenario prokhorovka --staff SOVIET")
	n.step("fieldpost player invite --config club.toml --game K7QX2MPA --side GERMAN --name Cleo --email cleo@example.org")
	n.join("K7QX2MPA", "GERMAN", "cleo@example.org")
	n.until("the game", func() bool { return n.running() == 1 })
	for serial, name := range []string{"first.txt", "second.txt"} {
		n.write(name, fmt.Sprintf("GAME: %s\nSIDE: GERMAN\nTURN: 1\nSERIAL: %d\nSTANDING\n  ALL RETREAT FULL\n", n.ids["K7QX2MPA"], serial+1))
	}
}

// mail brings a text of a player to the daemon's mailbox.
func (n *newcomer) mail(from, about, text string) {
	n.t.Helper()
	raw := fmt.Sprintf("From: %s\nTo: umpire@example.org\nSubject: %s\nMessage-ID: <%[2]s.%[1]s>\nDate: %[3]s\nContent-Type: text/plain; charset=utf-8\n\n%[4]s", from, about, time.Now().Format(time.RFC1123Z), text)
	if err := n.office.Deliver("umpire@example.org", []byte(strings.ReplaceAll(raw, "\n", "\r\n"))); err != nil {
		n.t.Fatal(err)
	}
}

// answered tells whether a player has a mail with these words in its subject.
func (n *newcomer) answered(rcpt, words string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.ContainsFunc(n.mails[rcpt], func(raw []byte) bool { return bytes.Contains(raw, []byte(words)) })
}
