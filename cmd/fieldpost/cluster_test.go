package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fieldpost/store/postgres/server"
)

// From empty folders and an empty server of PostgreSQL to a running club on two machines, by the commands of
// docs/CLUSTER.md as they are written: the second machine is refused before it has the key, and goes on with the games
// when the daemon of the first is killed.
func TestClusterAsWritten(t *testing.T) {
	db := server.Empty(t)
	text, err := os.ReadFile("../../docs/CLUSTER.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(text), "\n## From three empty machines to a running club\n")
	part, _, _ = strings.Cut(part, "\n## ")
	one := newcomerWith(t, "club.toml", "umpire@example.org", "ann@example.org", "bob@example.org")
	two := &newcomer{t: t, dir: t.TempDir(), office: one.office, config: one.config}
	one.configures()
	two.configures()
	t.Setenv("HOME", t.TempDir()) // of the user who runs the daemons
	steps := 0
	for command := range commandsIn(part) {
		steps++
		switch word, _, _ := strings.Cut(command, " "); word {
		case "createuser", "createdb":
			asAdministrator(t, db, command)
		case "store":
			for _, n := range []*newcomer{one, two} {
				n.write("club.toml", onLoopback(command, db)+"\n"+n.read("club.toml"))
			}
			pgpass := db.Host + ":fieldpost:fieldpost:secret\n"
			if err := os.WriteFile(filepath.Join(os.Getenv("HOME"), ".pgpass"), []byte(pgpass), 0o600); err != nil {
				t.Fatal(err)
			}
		case "fieldpost":
			if one.step(command); strings.HasPrefix(command, "fieldpost serve") {
				defer one.stop()
			}
		case "store_identity":
		default:
			t.Errorf("what is to be done with %q?", command)
		}
	}
	if steps != 6 {
		t.Errorf("the page has %d steps", steps)
	}
	id, _, _ := strings.Cut(one.shell("fieldpost game new --config club.toml --scenario kharkov-1942"), ":")
	one.ids["K7QX2MPA"] = id
	says := refused(two, "serve", "--config", "club.toml")
	if !strings.Contains(says, "fieldpost-daemon.key is missing") || !strings.Contains(says, "copy its key here") {
		t.Errorf("the second machine begins without the key of the first:\n%s", says)
	}
	two.write("fieldpost-daemon.key", one.read("fieldpost-daemon.key"))
	two.serve()
	defer two.stop()
	two.until("both machines in the status", func() bool {
		return strings.Count(one.shell("fieldpost status --config club.toml"), "node ") == 2
	})
	for side, address := range map[string]string{"SOVIET": "ann@example.org", "GERMAN": "bob@example.org"} {
		one.shell(fmt.Sprintf("fieldpost player invite --config club.toml --game %s --side %s --email %s", id, side, address))
	}
	_ = one.daemon.Process.Kill()
	<-one.ended
	one.daemon = nil
	two.ids = one.ids
	for side, address := range map[string]string{"SOVIET": "ann@example.org", "GERMAN": "bob@example.org"} {
		one.join("K7QX2MPA", side, address)
	}
	two.until("the game, by the machine that is left", func() bool { return two.running() == 1 })
}

// configures gives a machine the configuration of docs/MODERATING.md.
func (n *newcomer) configures() {
	sample, err := os.ReadFile("../../config.toml")
	if err != nil {
		n.t.Fatal(err)
	}
	n.write("club.toml", string(sample))
	n.write("imap-password", "the password")
	n.write("smtp-password", "the password")
	n.account()
}

// onLoopback is a line of the page with the server that there is.
func onLoopback(line string, db *server.Server) string {
	return strings.ReplaceAll(line, "db.example.org", db.Host)
}

// asAdministrator does what is done on the machine of the database.
func asAdministrator(t *testing.T, db *server.Server, command string) {
	t.Helper()
	host, port, err := net.SplitHostPort(db.Host)
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(command)
	cmd := exec.Command("setsid", append([]string{"-w", db.Program(words[0])}, words[1:]...)...) // without a terminal the password is read from the input
	cmd.Env = append(os.Environ(), "PGHOST="+host, "PGPORT="+port, "PGUSER=postgres")
	cmd.Stdin = strings.NewReader("secret\nsecret\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
}

// refused is what a daemon says that must not begin.
func refused(n *newcomer, args ...string) string {
	n.t.Helper()
	cmd := exec.CommandContext(n.t.Context(), os.Args[0], args...)
	cmd.Dir, cmd.Env = n.dir, append(os.Environ(), "FIELDPOST_COMMAND=1")
	ended := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer ended.Stop()
	out, err := cmd.CombinedOutput()
	if err == nil {
		n.t.Errorf("%q goes well", args)
	}
	return string(out)
}
