package main

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
	"time"

	"filippo.io/age"
)

// Every kind of backup that docs/KEEPING.md names brings the games back into an empty folder: the
// last one, an earlier one, an encrypted one, and the one in a single file.
func TestBackupsOfEveryKind(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash here")
	}
	n := newcomerWith(t, "club.toml", "umpire@example.org")
	n.writeClub()
	n.serve()
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	n.write("club-backups.key", identity.String()+"\n")
	n.step("fieldpost game new --config club.toml --scenario prokhorovka")
	n.shell("fieldpost backup --to club-backups --config club.toml")
	early := time.Now().Add(time.Second).Truncate(time.Second)
	time.Sleep(time.Until(early.Add(time.Second)))
	n.step("fieldpost game new --config club.toml --scenario kharkov-1942")
	n.shell("fieldpost backup --to club-backups --config club.toml")
	n.shell("fieldpost backup --to sealed-backups --recipient " + identity.Recipient().String() + " --config club.toml")
	n.shell("fieldpost backup friday.tar.zst --config club.toml")
	n.stop()
	n.daemon = nil
	for command, games := range map[string]int{
		"fieldpost restore --from club-backups --config club.toml":                                                            2,
		"fieldpost restore --from club-backups --until " + early.UTC().Format(time.RFC3339) + " --config club.toml":           1,
		"fieldpost restore --from sealed-backups --identity club-backups.key --config club.toml":                              2,
		"fieldpost restore friday.tar.zst --config club.toml":                                                                 2,
		"! fieldpost restore --from sealed-backups --config club.toml && ! test -e fieldpost-data/fieldpost.db":               0,
		"! fieldpost restore --from club-backups --until 2020-01-01T00:00:00Z --config club.toml && test ! -e fieldpost-data": 0,
	} {
		was := n.dir
		n.dir = t.TempDir()
		n.shell("cp -r " + was + "/{club-backups,sealed-backups,friday.tar.zst,club-backups.key,club.toml,fieldpost-daemon.key,imap-password,smtp-password} .")
		n.shell(command)
		if games > 0 {
			n.holds(command, games)
			n.shell("! " + command) // never over data that are there
			n.holds(command, games)
		}
		n.dir = was
	}
}

// holds looks at how many games the restored folder has, and that all of it can be read.
func (n *newcomer) holds(restored string, games int) {
	n.t.Helper()
	var s struct{ Games []struct{ ID string } }
	if err := json.Unmarshal([]byte(n.shell("fieldpost status --all --config club.toml --format json")), &s); err != nil {
		n.t.Fatal(err)
	}
	if len(s.Games) != games {
		n.t.Errorf("%s: %d games, expected %d", restored, len(s.Games), games)
	}
	if said := n.shell("fieldpost store check --config club.toml"); strings.Contains(said, "damaged") {
		n.t.Errorf("%s: %s", restored, said)
	}
}
