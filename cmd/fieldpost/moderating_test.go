package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"fieldpost/demo/postoffice"
	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/store/postgres/server"
)

// The program of these tests is this test binary.
func TestMain(m *testing.M) {
	if os.Getenv("FIELDPOST_COMMAND") == "1" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		os.Exit(run(ctx, os.Args[1:]))
	}
	os.Exit(server.Tests(m.Run))
}

// newcomer does what docs/MODERATING.md and docs/KEEPING.md say.
type newcomer struct {
	t      *testing.T
	dir    string
	office *postoffice.Office
	daemon *exec.Cmd
	ended  chan error
	log    *os.File
	ids    map[string]string // of the page, and ours
	page   string            // address of the web page
	config string            // of the daemon

	mu    sync.Mutex
	mails map[string][][]byte // by recipient
}

// Everything on the page works as written: from an empty folder and a mail account
// to two running games, a day's moderating, a backup, another configuration, the
// web page.
func TestModeratingAsWritten(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash here")
	}
	n := newcomerWith(t, "club.toml", "umpire@example.org", "ann@example.org", "bob@example.org", "cleo@example.org",
		"ann@example.net", "bob@example.net", "anna@example.org")
	var text []byte
	for _, page := range []string{"MODERATING.md", "KEEPING.md"} {
		part, err := os.ReadFile("../../docs/" + page)
		if err != nil {
			t.Fatal(err)
		}
		part, _, _ = bytes.Cut(part, []byte("\n## Hosting several clubs\n"))
		if before, moving, is := bytes.Cut(part, []byte("\n## Moving to another machine\n")); is { // of TestMovingAsWritten
			_, after, _ := bytes.Cut(moving, []byte("\n## "))
			part = append(before, after...)
		}
		text = append(text, part...)
	}
	sample, err := os.ReadFile("../../config.toml")
	if err != nil {
		t.Fatal(err)
	}
	n.write("config.toml", string(sample))
	defer n.stop()
	begun, count := time.Now(), 0
	for command := range commandsIn(string(text)) {
		if strings.HasPrefix(command, "[web]") || strings.HasPrefix(command, "listen = ") {
			continue
		}
		n.step(command)
		count++
	}
	if count < 30 || len(n.ids) != 2 || n.page == "" {
		t.Errorf("%d commands, games %v, page %q: the page was not read whole", count, n.ids, n.page)
	}
	t.Logf("%d commands in %v", count, time.Since(begun).Round(time.Second))
}

// newcomerWith is a newcomer with an empty folder and a mail server with these mailboxes, of which they see
// what comes.
func newcomerWith(t *testing.T, config string, mailboxes ...string) *newcomer {
	t.Helper()
	users := map[string]string{}
	for _, address := range mailboxes {
		users[address] = "the password"
	}
	office, err := postoffice.Start(users)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { office.Close() })
	n := &newcomer{t: t, dir: t.TempDir(), office: office, config: config, ids: map[string]string{}, mails: map[string][][]byte{}}
	office.OnDelivery(func(rcpt, _ string, raw []byte) {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.mails[rcpt] = append(n.mails[rcpt], bytes.Clone(raw))
	})
	return n
}

// commandsIn are the lines of a page that are to be typed: those set off by four spaces.
func commandsIn(page string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(page) {
			command, is := strings.CutPrefix(strings.TrimRight(line, "\n"), "    ")
			if is && !yield(command) {
				return
			}
		}
	}
}

// step does one line of the page, and what its words around it say.
func (n *newcomer) step(command string) {
	n.t.Helper()
	switch {
	case strings.HasPrefix(command, "fieldpost serve"):
		n.serve()
		return
	case strings.HasPrefix(command, "fieldpost status") && n.log != nil && n.page == "" && !n.joined():
		n.join("K7QX2MPA", "SOVIET", "ann@example.org")
		n.join("K7QX2MPA", "GERMAN", "bob@example.org")
		n.join("D2VN5RRE", "SOVIET", "cleo@example.org")
		n.until("both games", func() bool { return n.running() == 2 })
	case strings.HasPrefix(command, "kill -HUP"):
		n.reload(command)
		return
	case strings.HasPrefix(command, "fieldpost restore"):
		n.loseTheMachine(command)
		return
	}
	out := n.shell(command)
	switch {
	case strings.HasPrefix(command, "cp config.toml"):
		n.account()
	case strings.HasPrefix(command, "fieldpost doctor") && !strings.Contains(out, "Mail works."):
		n.t.Errorf("the doctor says\n%s", out)
	case strings.HasPrefix(command, "fieldpost game new"):
		for _, id := range []string{"K7QX2MPA", "D2VN5RRE"} {
			if n.ids[id] == "" {
				n.ids[id], _, _ = strings.Cut(out, ":")
				break
			}
		}
	case strings.Contains(command, "web password") && !strings.HasPrefix(out, `password = "argon2id$`):
		n.t.Errorf("no hash: %s", out)
	}
}

// shell runs a line as a shell would, with the games' real names in it.
func (n *newcomer) shell(command string) string {
	n.t.Helper()
	for on, id := range n.ids {
		command = strings.ReplaceAll(command, on, id)
		command = strings.ReplaceAll(command, strings.ToLower(on), strings.ToLower(id))
	}
	pid := 0
	if n.daemon != nil {
		pid = n.daemon.Process.Pid
	}
	script := fmt.Sprintf(`fieldpost() { FIELDPOST_COMMAND=1 "$FIELDPOST_BINARY" "$@"; }
go() { test "$*" = "install ./cmd/fieldpost"; }
pidof() { echo %d; }
set -o pipefail
%s`, pid, command)
	cmd := exec.CommandContext(n.t.Context(), "bash", "-c", script)
	cmd.Dir = n.dir
	cmd.Env = append(os.Environ(), "FIELDPOST_BINARY="+os.Args[0])
	var says, faults bytes.Buffer
	cmd.Stdout, cmd.Stderr = &says, &faults
	if err := cmd.Run(); err != nil {
		n.t.Fatalf("%s\n%v\n%s%s\nthe daemon:\n%s", command, err, &says, &faults, n.logged())
	}
	return says.String()
}

func (n *newcomer) write(name, text string) {
	n.t.Helper()
	if err := os.WriteFile(filepath.Join(n.dir, name), []byte(text), 0o600); err != nil {
		n.t.Fatal(err)
	}
}

func (n *newcomer) read(name string) string {
	n.t.Helper()
	text, err := os.ReadFile(filepath.Join(n.dir, name))
	if err != nil {
		n.t.Fatal(err)
	}
	return string(text)
}

// account writes the account into club.toml: the servers of the post office.
func (n *newcomer) account() {
	n.t.Helper()
	text := n.read("club.toml")
	for name, address := range map[string]string{"imap": n.office.IMAPAddr(), "smtp": n.office.SMTPAddr()} {
		host, port, _ := net.SplitHostPort(address)
		was := fmt.Sprintf("host = %q\n", name+".example.org")
		if !strings.Contains(text, was) {
			n.t.Fatalf("config.toml has no %s", was)
		}
		text = strings.Replace(text, was, fmt.Sprintf("host = %q\nport = %s\ntls = \"none\"\n", host, port), 1)
	}
	n.write("club.toml", strings.Replace(text, "# poll = \"1m\"", "poll = \"100ms\"", 1))
}

func (n *newcomer) serve() {
	n.t.Helper()
	var err error
	if n.log, err = os.Create(filepath.Join(n.dir, "daemon.log")); err != nil {
		n.t.Fatal(err)
	}
	n.daemon = exec.Command(os.Args[0], "serve", "--config", n.config)
	n.daemon.Dir, n.daemon.Stdout, n.daemon.Stderr = n.dir, n.log, n.log
	n.daemon.Env = append(os.Environ(), "FIELDPOST_COMMAND=1")
	if err := n.daemon.Start(); err != nil {
		n.t.Fatal(err)
	}
	n.ended = make(chan error, 1)
	go func() { n.ended <- n.daemon.Wait() }()
	n.until("the daemon", func() bool {
		return strings.Contains(n.logged(), "fieldpost serves") || strings.Contains(n.logged(), "the club is served")
	})
}

func (n *newcomer) logged() string {
	text, _ := os.ReadFile(filepath.Join(n.dir, "daemon.log"))
	return string(text)
}

// stop stops the daemon as a system does: it has to end well.
func (n *newcomer) stop() {
	if n.daemon == nil {
		return
	}
	_ = n.daemon.Process.Signal(syscall.SIGTERM)
	select {
	case err := <-n.ended:
		if err != nil {
			n.t.Errorf("the daemon ends with %v\n%s", err, n.logged())
		}
	case <-time.After(30 * time.Second):
		_ = n.daemon.Process.Kill()
		n.t.Error("the daemon does not end")
	}
	n.log.Close()
}

func (n *newcomer) until(what string, done func() bool) {
	n.t.Helper()
	for end := time.Now().Add(90 * time.Second); !done(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			n.t.Fatalf("%s does not come\n%s", what, n.logged())
		}
	}
}

func (n *newcomer) joined() bool { return len(n.ids) == 2 && n.running() == 2 }

// running counts the games under way, as status tells it.
func (n *newcomer) running() int {
	n.t.Helper()
	var s struct{ Games []struct{ State string } }
	if err := json.Unmarshal([]byte(n.shell("fieldpost status --config club.toml --format json")), &s); err != nil {
		n.t.Fatal(err)
	}
	count := 0
	for _, g := range s.Games {
		if g.State == "running" {
			count++
		}
	}
	return count
}

var joinCode = regexp.MustCompile(`JOIN: ([A-Z0-9-]+)`)

// join answers an invitation, as the player does.
func (n *newcomer) join(game, side, address string) {
	n.t.Helper()
	var code string
	n.until("the invitation of "+address, func() bool {
		n.mu.Lock()
		defer n.mu.Unlock()
		for _, raw := range n.mails[address] {
			m, err := mailbox.Read(raw)
			if err != nil {
				n.t.Fatal(err)
			}
			for _, part := range m.Texts {
				if found := joinCode.FindStringSubmatch(fmt.Sprint(part)); found != nil {
					code = found[1]
				}
			}
		}
		return code != ""
	})
	block := n.shell(fmt.Sprintf("fieldpost enrol --game %s --side %s --code %s --key %s.key | sed -n '/BEGIN/,$p'", game, side, code, address))
	raw := fmt.Sprintf("From: %s\nTo: umpire@example.org\nSubject: I join\nMessage-ID: <join.%[1]s>\nDate: %s\nContent-Type: text/plain; charset=utf-8\n\n%s", address, time.Now().Format(time.RFC1123Z), block)
	if err := n.office.Deliver("umpire@example.org", []byte(strings.ReplaceAll(raw, "\n", "\r\n"))); err != nil {
		n.t.Fatal(err)
	}
}

// reload has the daemon read a configuration with a fault in it, one that cannot be
// served, and then one with the web page and a moderator: from then on they moderate
// by mail, and before that they did not.
func (n *newcomer) reload(command string) {
	n.t.Helper()
	good := n.read("club.toml")
	n.write("club.toml", good+"\nnonsense = 1\n")
	n.shell(command)
	n.until("the fault in the log", func() bool { return strings.Contains(n.logged(), "goes on as before") })
	n.write("club.toml", strings.Replace(good, "data = \"fieldpost-data\"", "data = \"club.toml/nowhere\"", 1))
	n.shell(command)
	n.until("the way back", func() bool {
		return strings.Contains(n.logged(), "goes on with the one before") && strings.Count(n.logged(), "fieldpost serves") == 2
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		n.t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	key, err := seal.GenerateKey(rand.Reader)
	if err != nil {
		n.t.Fatal(err)
	}
	n.write("anna.pub", key.Public().String())
	n.moderate(key, 1)
	n.until("the refusal in the log", func() bool { return strings.Contains(n.logged(), "somebody who is no moderator moderates") })
	n.write("club.toml", good+fmt.Sprintf("\n[web]\nlisten = %q\n", address)+"\n[[moderator]]\nname = \"Anna\"\naddress = \"anna@example.org\"\nkey = \"anna.pub\"\n")
	n.shell(command)
	n.until("the web page", func() bool {
		resp, err := http.Get("http://" + address + "/healthz")
		if err != nil {
			return false
		}
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		n.page = address
		return resp.StatusCode == http.StatusOK && string(text) == "ok\n"
	})
	n.moderate(key, 2)
	n.until("the answer to the moderator", func() bool {
		n.mu.Lock()
		defer n.mu.Unlock()
		return slices.ContainsFunc(n.mails["anna@example.org"], func(raw []byte) bool { return bytes.Contains(raw, []byte("done: message")) })
	})
	if answers := len(n.mails["anna@example.org"]); answers != 1 {
		n.t.Errorf("the moderator has %d mails: the act from before their time counts too", answers)
	}
	if n.running() != 2 {
		n.t.Error("the games are not there after the configuration was read again")
	}
}

// loseTheMachine kills the daemon after a sheet that no backup has and restores the backup in an
// empty folder, with the files that the page names and no other: the sheet, which is still in the
// mailbox, is filed again.
func (n *newcomer) loseTheMachine(command string) {
	n.t.Helper()
	n.write("late.txt", fmt.Sprintf("GAME: %s\nSIDE: GERMAN\nTURN: 1\nSERIAL: 77\nMOVE\n  211/71 INF TO 2009\n", n.ids["K7QX2MPA"]))
	block := n.shell("fieldpost sign --key bob@example.org.key late.txt")
	raw := fmt.Sprintf("From: bob@example.org\nTo: umpire@example.org\nSubject: orders\nMessage-ID: <late.bob@example.org>\nDate: %s\nContent-Type: text/plain; charset=utf-8\n\n%s", time.Now().Format(time.RFC1123Z), block)
	if err := n.office.Deliver("umpire@example.org", []byte(strings.ReplaceAll(raw, "\n", "\r\n"))); err != nil {
		n.t.Fatal(err)
	}
	answers := func() (count int) {
		n.mu.Lock()
		defer n.mu.Unlock()
		for _, raw := range append(slices.Clone(n.mails["bob@example.org"]), n.mails["bob@example.net"]...) {
			if m, err := mailbox.Read(raw); err == nil && strings.Contains(m.Subject, "sheet 77") {
				count++
			}
		}
		return count
	}
	n.until("the answer to a sheet after the backup", func() bool { return answers() == 1 })
	_ = n.daemon.Process.Kill()
	<-n.ended
	another := n.t.TempDir()
	n.shell("cp -r club-backups club.toml fieldpost-daemon.key imap-password smtp-password " + another)
	n.dir = another
	if says := n.shell(command); !strings.Contains(says, "all of it is sound") {
		n.t.Errorf("%s says\n%s", command, says)
	}
	n.serve()
	n.until("the sheet after the backup once more", func() bool { return answers() == 2 })
	if n.running() != 2 {
		n.t.Error("the games are not there after the backup was restored")
	}
}

// moderate mails an act that Anna signs.
func (n *newcomer) moderate(key seal.PrivateKey, serial int) {
	n.t.Helper()
	canonical := orders.Canonical(fmt.Sprintf("GAME: %s\nSERIAL: %d\nMODERATE: MESSAGE HELLO\n", n.ids["K7QX2MPA"], serial))
	armored, err := seal.Sign(key, seal.Namespace, []byte(canonical))
	if err != nil {
		n.t.Fatal(err)
	}
	raw := fmt.Sprintf("From: anna@example.org\nTo: umpire@example.org\nSubject: moderation\nMessage-ID: <act.%d@example.org>\nDate: %s\nContent-Type: text/plain; charset=utf-8\n\n%s", serial, time.Now().Format(time.RFC1123Z), seal.Block(canonical, armored))
	if err := n.office.Deliver("umpire@example.org", []byte(strings.ReplaceAll(raw, "\n", "\r\n"))); err != nil {
		n.t.Fatal(err)
	}
}
