package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The section of docs/KEEPING.md for who hosts several clubs works as written: the file in it, with
// the servers of a post office, and its commands in their order.
func TestHostingAsWritten(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash here")
	}
	page, err := os.ReadFile("../../docs/KEEPING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := bytes.Cut(page, []byte("\n## Hosting several clubs\n"))
	_, file, _ := strings.Cut(string(section), "```toml\n")
	file, _, _ = strings.Cut(file, "```")
	n := newcomerWith(t, "house.toml", "umpire@north.example.org", "umpire@south.example.org")
	for name, address := range map[string]string{"imap": n.office.IMAPAddr(), "smtp": n.office.SMTPAddr()} {
		host, port, _ := net.SplitHostPort(address)
		file = strings.ReplaceAll(file, fmt.Sprintf("host = %q\n", name+".example.org"), fmt.Sprintf("host = %q\nport = %s\ntls = \"none\"\n", host, port))
	}
	n.write("house.toml", strings.Replace(file, "127.0.0.1:8026", "127.0.0.1:0", 1))
	n.write("north-password", "the password")
	n.write("south-password", "the password")
	defer n.stop()
	count := 0
	for command := range commandsIn(string(section)) {
		count++
		if strings.HasPrefix(command, "fieldpost serve") {
			n.serve()
			n.until("both clubs", func() bool { return strings.Count(n.logged(), "the club is served") == 2 })
			continue
		}
		said := n.shell(command)
		for begin, want := range map[string]string{
			"fieldpost config": "with the clubs north, south",
			"fieldpost doctor": "Mail works.",
			"fieldpost game":   "--game ",
			"fieldpost status --config house.toml --club south":                    "0 games",
			"fieldpost backup --to house-backups --config house.toml --club north": "--from house-backups --club north",
		} {
			if strings.HasPrefix(command, begin) && !strings.Contains(said, want) {
				t.Errorf("%s says\n%s", command, said)
			}
		}
		if command == "fieldpost status --config house.toml" && (!strings.Contains(said, "CLUB north\n1 game ") || !strings.Contains(said, "CLUB south\n0 games")) {
			t.Errorf("%s says\n%s", command, said)
		}
		if strings.HasPrefix(command, "kill -HUP") {
			n.until("the new configuration", func() bool { return strings.Contains(n.logged(), "the configuration was read again") })
		}
	}
	if count != 10 {
		t.Errorf("%d commands: the section was not read whole", count)
	}
	for _, club := range []string{"north", "south"} {
		if _, err := os.Stat(n.dir + "/house-backups/" + club); err != nil {
			t.Error(err)
		}
	}
	n.loseOne()
}

// loseOne moves a club's data away and restores it from the backup, as the section says, while the
// daemon runs: nothing is said of the other one.
func (n *newcomer) loseOne() {
	n.t.Helper()
	n.shell("printf 'no database' > broken && : ")
	n.stop()
	n.daemon = nil
	n.shell("cp broken north-data/fieldpost.db")
	n.serve()
	n.until("the damage in the log", func() bool { return strings.Contains(n.logged(), "the club is not served") })
	n.shell("mv north-data north-data.bad && fieldpost restore --from house-backups --config house.toml --club north")
	n.until("the restored club", func() bool {
		return strings.Contains(n.logged(), `msg="the club is served" club=north`)
	})
	if said := n.shell("fieldpost status --config house.toml"); !strings.Contains(said, "CLUB north\n1 game ") || strings.Contains(said, "ALARM") {
		n.t.Errorf("after the restore status says\n%s", said)
	}
}
