//go:build realmail

package realmail

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"mime/multipart"
	"net/smtp"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"fieldpost/mailbox"
	"fieldpost/staff"
	"fieldpost/umpire/match"
	"fieldpost/umpire/proof"
)

// player is somebody with a mail account and an OpenSSH key.
type player struct {
	t       *testing.T
	s       *servers
	side    string
	user    string
	officer staff.Officer
	poller  *mailbox.Poller
	read    map[mailbox.Key]bool
	mails   []*mailbox.Message
	raw     [][]byte

	sent, next, answered int // mails that they sent, of those that they got: the next to look at, those answered by their machine
}

func (p *player) Low(string, uint32) uint32             { return 0 }
func (p *player) Handled(k mailbox.Key) bool            { return p.read[k] }
func (p *player) Listed(string, uint32, []uint32) error { return nil }
func (p *player) All(string, uint32, []uint32)          {}

func newPlayer(t *testing.T, s *servers, side, user string) *player {
	game, err := match.Scenario("kharkov-1942")
	must(t, err)
	p := &player{t: t, s: s, side: side, user: user, read: map[mailbox.Key]bool{}, officer: staff.Officer{Game: game}}
	run(t, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", user, "-f", p.file("id"))
	c := mailbox.Config{Address: user + "@" + domain, Instance: user}
	c.IMAP.ServerConfig = mailbox.ServerConfig{Host: "127.0.0.1", Port: s.imap, TLS: mailbox.NoTLS, User: user, Password: "secret"}
	p.poller, err = mailbox.NewPoller(c, p, func(_ context.Context, raw mailbox.Raw) error {
		m, err := mailbox.Read(raw.Bytes)
		if err != nil {
			return err
		}
		p.read[raw.Key] = true
		p.mails, p.raw = append(p.mails, m), append(p.raw, raw.Bytes)
		return nil
	}, mailbox.PollerOptions{Log: slog.New(slog.DiscardHandler)})
	must(t, err)
	return p
}

func (p *player) file(name string) string { return filepath.Join(p.s.dir, p.user+"."+name) }

// await polls until a mail comes whose subject matches, and returns its index.
func (p *player) await(from int, subject string) int {
	p.t.Helper()
	re := regexp.MustCompile(subject)
	for range 300 {
		if err := p.poller.Poll(p.t.Context()); err != nil {
			p.t.Logf("%s: %v", p.user, err)
		}
		for i := from; i < len(p.mails); i++ {
			if re.MatchString(p.mails[i].Subject) {
				return i
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	var all []string
	for _, m := range p.mails {
		all = append(all, m.Subject)
	}
	p.t.Fatalf("%s: no mail %q came; there are %q", p.user, subject, all)
	return 0
}

// drop forgets a mail that has nothing to do with the game.
func (p *player) drop(i int) {
	p.mails, p.raw = slices.Delete(p.mails, i, i+1), slices.Delete(p.raw, i, i+1)
}

// answer lets the staff officer write a sheet for the report, and mails it.
func (p *player) answer(m *mailbox.Message, serial int) {
	p.t.Helper()
	p.send(p.sheet(m, serial), serial)
}

// sheet is what the staff officer would do after a report.
func (p *player) sheet(m *mailbox.Message, serial int) string {
	p.t.Helper()
	v, err := proof.View(m)
	must(p.t, err)
	sheet, err := p.officer.Sheet(v, serial)
	must(p.t, err)
	return sheet
}

// send signs a sheet as a file with ssh-keygen and mails both files as attachments.
func (p *player) send(sheet string, serial int) {
	p.t.Helper()
	write(p.t, p.file("txt"), "# our orders\n"+sheet)
	os.Remove(p.file("txt.sig"))
	run(p.t, "ssh-keygen", "-Y", "sign", "-n", "orders@fieldpost", "-f", p.file("id"), p.file("txt"))
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	part := func(kind, name, text string) {
		h := textproto.MIMEHeader{"Content-Type": {kind}}
		if name != "" {
			h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name))
		}
		pw, err := w.CreatePart(h)
		must(p.t, err)
		_, err = io.WriteString(pw, strings.ReplaceAll(text, "\n", "\r\n"))
		must(p.t, err)
	}
	signature, err := os.ReadFile(p.file("txt.sig"))
	must(p.t, err)
	part("text/plain; charset=utf-8", "", "Dear umpire, our orders are attached.\n")
	part("text/plain; charset=utf-8", "orders.txt", "# our orders\n"+sheet)
	part("application/octet-stream", "orders.txt.sig", string(signature))
	w.Close()
	head := fmt.Sprintf("From: %s@%s\r\nTo: gm@%[2]s\r\nSubject: Re: %[3]s\r\nMessage-ID: <%[4]d.%[1]s@%[2]s>\r\nDate: %[5]s\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=%[6]q\r\n\r\n",
		p.user, domain, "orders", serial, time.Now().Format(time.RFC1123Z), w.Boundary())
	must(p.t, smtp.SendMail(fmt.Sprintf("127.0.0.1:%d", p.s.smtp), nil, p.user+"@"+domain, []string{"gm@" + domain}, append([]byte(head), body.Bytes()...)))
}

func TestTwoTurnsOverDovecotAndPostfix(t *testing.T) {
	s := startServers(t, "gm", "alice", "bob")
	bin := filepath.Join(s.dir, "fieldpost")
	run(t, "go", "build", "-o", bin, "fieldpost/cmd/fieldpost")
	config := filepath.Join(s.dir, "config.toml")
	write(t, config, fmt.Sprintf(`[mail]
address = "gm@%s"
name = "Fieldpost"
instance = "realmail"
[mail.imap]
host = "127.0.0.1"
port = %d
tls = "none"
user = "gm"
password = "secret"
poll = "1s"
[mail.smtp]
host = "127.0.0.1"
port = %d
tls = "none"
`, domain, s.imap, s.smtp))
	players := []*player{newPlayer(t, s, "SOVIET", "alice"), newPlayer(t, s, "GERMAN", "bob")}
	id := strings.SplitN(run(t, bin, "game", "new", "--config", config, "--scenario", "kharkov-1942"), ":", 2)[0]
	add := func(p *player) {
		run(t, bin, "player", "add", "--config", config, "--game", id, "--side", p.side, "--email", p.user+"@"+domain, "--key", p.file("id.pub"))
	}
	add(players[0])

	daemon := exec.Command(bin, "serve", "--config", config)
	log, err := os.Create(filepath.Join(s.dir, "daemon.log"))
	must(t, err)
	daemon.Stdout, daemon.Stderr = log, log
	must(t, daemon.Start())
	t.Cleanup(func() {
		_ = daemon.Process.Signal(syscall.SIGTERM)
		_ = daemon.Wait()
		if t.Failed() {
			text, _ := os.ReadFile(log.Name())
			t.Logf("daemon:\n%s", text)
		}
	})
	players[0].await(0, "you play the")
	add(players[1]) // now through the control socket of the running daemon

	next, serial := []int{0, 0}, []int{1, 1}
	for turn := 1; turn <= 2; turn++ {
		for i, p := range players {
			at := p.await(next[i], fmt.Sprintf(`turn %d, .*your orders are due`, turn))
			sheet := p.sheet(p.mails[at], serial[i])
			if twice := turn == 1; twice {
				// A plain DONE is not the end of it: the orders can be thought over.
				p.send(strings.Replace(sheet, "\nDONE!\n", "\nDONE\n", 1), serial[i])
				p.await(at, fmt.Sprintf(`NOT YET PLAYED: sheet %d`, serial[i]))
				head, _, _ := strings.Cut(sheet, "SERIAL: ")
				serial[i]++
				sheet = fmt.Sprintf("%sSERIAL: %d\nDONE!\n", head, serial[i])
			}
			p.send(sheet, serial[i])
			serial[i]++
			ack := p.await(at, `\] PLAYED: sheet`)
			if strings.Contains(p.mails[ack].Texts[0].Text, " XX ") {
				t.Errorf("the staff's sheet has faults: %s\n%s", p.mails[ack].Subject, p.mails[ack].Texts[0].Text)
			}
			next[i] = at + 1
		}
	}
	players[0].await(next[0], "turn 3, .*your orders are due")
	players[1].await(next[1], "turn 3, ")

	for _, p := range players {
		write(t, p.file("invitation.eml"), string(p.raw[p.await(0, "you play the")]))
		checked := 0
		for i, m := range p.mails {
			if !strings.Contains(m.MessageID, "report.") {
				continue
			}
			write(t, p.file("report.eml"), string(p.raw[i]))
			out := run(t, bin, "verify", p.file("report.eml"), "--invitation", p.file("invitation.eml"))
			if strings.Contains(out, "unproven") {
				t.Errorf("%s: %s", p.user, out)
			}
			checked++
		}
		t.Logf("%s: %d mails, %d reports verified", p.user, len(p.mails), checked)
		if checked < 5 {
			t.Errorf("%s got only %d reports", p.user, checked)
		}
	}
}
