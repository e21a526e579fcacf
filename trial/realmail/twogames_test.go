//go:build realmail

package realmail

import (
	"bytes"
	"fmt"
	"net/smtp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/trial/signers"
	"fieldpost/umpire/proof"
)

// format is how a player's mail program sends a signed sheet: the header of the
// content and the content.
type format func(p *player, sheet string) string

// block pastes what "fieldpost sign" prints.
func block(p *player, sheet string) string {
	write(p.t, p.file("txt"), sheet)
	return "Content-Type: text/plain; charset=utf-8\n\nHere they are.\n\n" + run(p.t, p.s.bin, "sign", "--key", p.file("id"), p.file("txt"))
}

// files attaches the sheet and what ssh-keygen made of it.
func files(p *player, sheet string) string {
	write(p.t, p.file("txt"), sheet)
	os.Remove(p.file("txt.sig"))
	run(p.t, "ssh-keygen", "-Y", "sign", "-n", "orders@fieldpost", "-f", p.file("id"), p.file("txt"))
	signature, err := os.ReadFile(p.file("txt.sig"))
	must(p.t, err)
	part := func(name, text string) string {
		return "--=_f\nContent-Type: application/octet-stream\nContent-Disposition: attachment; filename=\"" + name + "\"\n\n" + text + "\n"
	}
	return "Content-Type: multipart/mixed; boundary=\"=_f\"\n\n" + part("orders.txt", sheet) + part("orders.txt.sig", string(signature)) + "--=_f--\n"
}

func text(sheet string) string {
	return "Content-Type: text/plain; charset=utf-8\r\n\r\n" + strings.ReplaceAll(orders.Canonical(sheet), "\n", "\r\n")
}

// mail sends a message of the player's over Postfix.
func (p *player) mail(subject, content string) {
	p.t.Helper()
	p.sent++
	head := fmt.Sprintf("From: %s@%s\nTo: gm@%[2]s\nSubject: %[3]s\nMessage-ID: <%[4]d.%[1]s@%[2]s>\nDate: %[5]s\nMIME-Version: 1.0\n",
		p.user, domain, subject, p.sent, time.Now().Format(time.RFC1123Z))
	raw := strings.ReplaceAll(strings.ReplaceAll(head+content, "\r\n", "\n"), "\n", "\r\n")
	must(p.t, smtp.SendMail(fmt.Sprintf("127.0.0.1:%d", p.s.smtp), nil, p.user+"@"+domain, []string{"gm@" + domain}, []byte(raw)))
}

// sheetFor lets the staff write the orders that a report asks for.
func (p *player) sheetFor(m *mailbox.Message, serial int) string {
	v, err := proof.View(m)
	must(p.t, err)
	sheet, err := p.officer.Sheet(v, serial)
	must(p.t, err)
	return sheet
}

// away answers every mail that came since the last look, as a rude vacation
// program does: also mail that says that it was sent by a machine.
func (p *player) away() {
	for ; p.answered < len(p.mails); p.answered++ {
		m := p.mails[p.answered]
		if m.ReturnPath == "" || m.ReturnPath == "<>" {
			continue
		}
		raw := fmt.Sprintf("From: %s@%s\r\nTo: %s\r\nSubject: Out of office: %s\r\nAuto-Submitted: auto-replied (vacation)\r\nMessage-ID: <away%d.%[1]s@%[2]s>\r\n\r\nI am at the sea.\r\n\r\n> STATUS\r\n",
			p.user, domain, m.ReturnPath, m.Subject, p.answered)
		must(p.t, smtp.SendMail(fmt.Sprintf("127.0.0.1:%d", p.s.smtp), nil, "", []string{m.ReturnPath}, []byte(raw)))
	}
}

// confirmation is the code in the mail to a new address.
var confirmation = regexp.MustCompile(`CONFIRM: (\S+)`)

// Two games side by side, four players with four kinds of signatures. One is away
// and their mail program says so to everybody; another one's server says so, and
// keeps to the rules of such answers (Sieve, RFC 5230); the address of a third one
// bounces, and their mail goes to their second one.
func TestTwoGamesSideBySide(t *testing.T) {
	signers.PGPConfig.Time = time.Now
	s := startServers(t, "gm", "alice", "bob", "carol", "dave")
	if sieve() { // bob's own server answers for bob, and keeps to the rules of such answers
		s.vacation(t, "bob")
	}
	s.bin = filepath.Join(s.dir, "fieldpost")
	run(t, "go", "build", "-o", s.bin, "fieldpost/cmd/fieldpost")
	config := filepath.Join(s.dir, "config.toml")
	write(t, config, fmt.Sprintf("[mail]\naddress = \"gm@%s\"\nname = \"Fieldpost\"\ninstance = \"realmail\"\n[mail.imap]\nhost = \"127.0.0.1\"\nport = %d\ntls = \"none\"\nuser = \"gm\"\npassword = \"secret\"\npoll = \"1s\"\n[mail.smtp]\nhost = \"127.0.0.1\"\nport = %d\ntls = \"none\"\n", domain, s.imap, s.smtp))

	checked := run(t, s.bin, "doctor", "--config", config, "--wait", "60s")
	t.Logf("doctor:\n%s", checked)
	if !strings.Contains(checked, "Mail works.") || !strings.Contains(checked, "bounces find their mail") {
		t.Error("the doctor does not find the account sound")
	}

	pgp, smime := signers.NewPGP(3), signers.NewSMIME(4)
	players := []*player{newPlayer(t, s, "SOVIET", "alice"), newPlayer(t, s, "GERMAN", "bob"), newPlayer(t, s, "SOVIET", "carol"), newPlayer(t, s, "GERMAN", "dave")}
	formats := []format{block, files,
		func(_ *player, sheet string) string { return pgp.MIME(text(sheet)) },
		func(_ *player, sheet string) string { return smime.MIME(text(sheet)) }}
	write(t, players[2].file("id.pub"), pgp.Public())
	write(t, players[3].file("id.pub"), smime.Public())
	carol, dave := players[2], players[3]
	var games []string
	for range 2 {
		games = append(games, strings.SplitN(run(t, s.bin, "game", "new", "--config", config, "--scenario", "kharkov-1942"), ":", 2)[0])
	}
	for i, p := range players {
		address := p.user + "@" + domain
		if p == carol {
			address = "gone@" + domain
		}
		run(t, s.bin, "player", "add", "--config", config, "--game", games[i/2], "--side", p.side, "--email", address, "--key", p.file("id.pub"))
		if p == carol {
			run(t, s.bin, "player", "second", "--config", config, "--game", games[i/2], "--side", p.side, "--email", p.user+"@"+domain)
		}
	}
	daemon := exec.Command(s.bin, "serve", "--config", config)
	var log bytes.Buffer
	daemon.Stdout, daemon.Stderr = &log, &log
	must(t, daemon.Start())
	stopped := false
	stop := func() {
		if !stopped {
			stopped = true
			_ = daemon.Process.Signal(syscall.SIGTERM)
			_ = daemon.Wait()
		}
	}
	t.Cleanup(func() {
		stop()
		if t.Failed() {
			t.Logf("daemon:\n%s", log.String())
		}
	})

	if sieve() {
		must(t, smtp.SendMail(fmt.Sprintf("127.0.0.1:%d", s.smtp), nil, "carol@"+domain, []string{"bob@" + domain},
			[]byte("From: carol@"+domain+"\r\nTo: bob@"+domain+"\r\nSubject: a beer?\r\nMessage-ID: <beer@"+domain+">\r\n\r\nTonight.\r\n")))
		carol.drop(carol.await(0, "Out of office")) // so bob's server answers people
		players[1].drop(players[1].await(0, "a beer"))
	}
	// Postfix returns what goes to carol's first address; the second is theirs once they have
	// sent the code back that was mailed there.
	at := carol.await(0, "please confirm this address")
	carol.mail("yes, that is me", fmt.Sprintf("\nGAME: %s\nSIDE: SOVIET\nCONFIRM: %s\n", games[1], confirmation.FindStringSubmatch(carol.mails[at].Texts[0].Text)[1]))
	at = carol.await(at+1, ".") + 1
	carol.mail("again, please", "\nREPORT 1\n")
	carol.await(at, "resent")

	for turn := 1; turn <= 2; turn++ {
		for i, p := range players {
			at := p.await(p.next, fmt.Sprintf(`turn %d, .*your orders are due`, turn))
			p.mail("orders", formats[i](p, p.sheetFor(p.mails[at], turn)))
			p.await(at, fmt.Sprintf(`\] PLAYED: sheet %d`, turn))
			p.next = at + 1
			dave.away()
		}
	}
	for _, p := range []*player{players[0], carol} {
		p.await(p.next, "turn 3, .*your orders are due")
	}
	dave.await(dave.next, "turn 3")
	dave.away()
	time.Sleep(3 * time.Second) // the answers of the sea come in
	stop()

	for i, p := range players {
		for _, m := range p.mails {
			id := regexp.MustCompile(`\[([A-Z2-7]{8})\]`).FindStringSubmatch(m.Subject)
			if id == nil || id[1] != games[i/2] {
				t.Errorf("%s, who plays %s, got %q", p.user, games[i/2], m.Subject)
			}
			if strings.Contains(strings.ToLower(m.Subject), "no order sheet") || strings.Contains(m.Subject, "no signature") {
				t.Errorf("%s: %q", p.user, m.Subject)
			}
		}
		t.Logf("%s: %d mails", p.user, len(p.mails))
	}
	for _, line := range strings.Split(log.String(), "\n") {
		if strings.Contains(line, "ignored: automated") && strings.Contains(line, "bob@") {
			t.Errorf("a vacation responder that keeps to RFC 5230 answered a mail of the game: %s", line)
		}
	}
	ignored, back := strings.Count(log.String(), "ignored: automated"), strings.Count(log.String(), "came back")
	t.Logf("%d vacation notices ignored, %d lines on bounces", ignored, back)
	if ignored < 3 || dave.answered < 4 {
		t.Errorf("%d of %d vacation notices were seen and ignored", ignored, dave.answered)
	}
	if out := run(t, s.bin, "store", "check", "--config", config); !strings.Contains(out, "sound") {
		t.Error(out)
	}
	for _, id := range games {
		if out := run(t, s.bin, "replay", id, "--config", config); strings.Contains(out, "differs") {
			t.Error(out)
		}
	}
	// A message from a pipe, without the daemon: the same path.
	write(t, filepath.Join(s.dir, "piped.eml"), "From: alice@"+domain+"\r\nTo: gm@"+domain+"\r\nSubject: x\r\n\r\nSTATUS\r\n")
	in, err := os.Open(filepath.Join(s.dir, "piped.eml"))
	must(t, err)
	defer in.Close()
	piped := exec.Command(s.bin, "ingest", "--config", config, "--sender", "alice@"+domain)
	piped.Stdin = in
	if out, err := piped.CombinedOutput(); err != nil || !strings.Contains(string(out), "STATUS") {
		t.Errorf("ingest: %v %s", err, out)
	}
}
