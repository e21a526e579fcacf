//go:build realmail

package realmail

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/clearsign"

	"fieldpost/mailbox"
	"fieldpost/store"
	"fieldpost/store/bolt"
	"fieldpost/umpire/post"
)

// person is a player who has read nothing but our mails, and makes the mistakes of the
// first hour. Every mail of theirs gets exactly one answer, and no turn is lost by one.
type person struct {
	*player
	answered int // mails that have been looked at
	wrote    int
}

// writes sends a mail and waits for the one answer, which must have these words in its
// subject. What comes beside it, as a report after a sheet that was played, is not an answer.
func (p *person) writes(content, subject string) *mailbox.Message {
	p.t.Helper()
	return p.answer(p.await(p.answered, p.sends(content, subject)))
}

func (p *person) sends(content, subject string) string {
	p.t.Helper()
	p.mail("Re: Kharkov", content)
	p.wrote++
	return subject
}

// answer takes the mails up to this one as read, and says which was the answer.
func (p *person) answer(at int) *mailbox.Message {
	p.t.Helper()
	for _, m := range p.mails[p.answered:at] {
		if !isReport(m) {
			p.t.Errorf("%s: before %q came %q", p.user, p.mails[at].Subject, m.Subject)
		}
	}
	p.answered = at + 1
	return p.mails[at]
}

func isReport(m *mailbox.Message) bool { return strings.Contains(m.Subject, ", turn ") }

// says is a mail of plain words.
func says(text string) string { return "Content-Type: text/plain; charset=utf-8\n\n" + text }

// inHTML is a mail of HTML alone.
func inHTML(text string) string {
	return "Content-Type: text/html; charset=utf-8\n\n<div>" + strings.ReplaceAll(text, "\n", "</div>\n<div>") + "</div>\n"
}

// above is a reply above the mail that it answers, unquoted, as Outlook has it.
func above(text string, m *mailbox.Message) string {
	return says(text + "\n\n-----Original Message-----\nFrom: gm@" + domain + "\nSubject: " + m.Subject + "\n\n" + m.Texts[0].Text)
}

// within fills in the sheet that a mail brings where it stands in the quotation: the orders
// below the line MOVE.
func within(orders string, m *mailbox.Message) string {
	var out strings.Builder
	out.WriteString("\nOn Sunday the umpire wrote:\n")
	for line := range strings.Lines(m.Texts[0].Text) {
		out.WriteString("> " + line)
		if strings.TrimSpace(line) == "MOVE" {
			out.WriteString("> " + orders + "\n")
		}
	}
	return says(out.String())
}

// replyTo is a mail that names the one that it answers.
func replyTo(m *mailbox.Message, content string) string {
	return fmt.Sprintf("In-Reply-To: <%s>\nReferences: <%[1]s>\n%s", m.MessageID, content)
}

// clearsigned is a text signed with an OpenPGP key that nobody here has.
func clearsigned(t *testing.T, text string) string {
	t.Helper()
	key, err := openpgp.NewEntity("Kurt", "", "kurt@"+domain, nil)
	must(t, err)
	var out bytes.Buffer
	w, err := clearsign.Encode(&out, key.PrivateKey, nil)
	must(t, err)
	_, err = w.Write([]byte(text))
	must(t, err)
	must(t, w.Close())
	return says(out.String() + "\n")
}

// runOut has the invitation to a side run out a day ago, as if the invited had been on holiday.
func runOut(t *testing.T, s *servers, game, side string) {
	t.Helper()
	db, err := bolt.Open(filepath.Join(s.dir, "fieldpost-data", "fieldpost.db"), bolt.Options{})
	must(t, err)
	defer func() { must(t, db.Close()) }()
	in, _, err := post.InvitationRecords.Get(db, post.ToSeat(game, side))
	must(t, err)
	in.Until = time.Now().Add(-24 * time.Hour)
	var c store.Change
	post.InvitationRecords.Put(&c, post.ToSeat(game, side), in)
	must(t, db.Commit(c))
}

var (
	lineOf   = regexp.MustCompile(`(?m)^ *(GAME|SIDE|JOIN|KEY|CODE|TURN|SERIAL): *(.+?) *$`)
	doneLine = regexp.MustCompile(`(?m)^DONE!?$`)
)

// line is the last value of a line that a mail shows to be copied.
func line(t *testing.T, m *mailbox.Message, name string) (value string) {
	t.Helper()
	for _, found := range lineOf.FindAllStringSubmatch(m.Texts[0].Text, -1) {
		if found[1] == name {
			value = found[2]
		}
	}
	if value == "" {
		t.Fatalf("%q shows no %s line:\n%s", m.Subject, name, m.Texts[0].Text)
	}
	return value
}

// orders are the sections that a staff officer would write after a report.
func (p *person) orders(report *mailbox.Message) string {
	p.t.Helper()
	sheet := p.sheetFor(report, 1)
	at := strings.Index(sheet, "SERIAL:")
	_, sections, _ := strings.Cut(sheet[at:], "\n")
	return strings.TrimSpace(doneLine.ReplaceAllString(sections, ""))
}

// Two people who have only read our mails join, one by codes and one with a key, make the
// mistakes that people make, and play two turns over Dovecot and Postfix.
func TestTwoPersonsWhoReadOnlyTheMails(t *testing.T) {
	s := startServers(t, "gm", "vera", "kurt", "anna")
	s.bin = filepath.Join(s.dir, "fieldpost")
	run(t, "go", "build", "-o", s.bin, "fieldpost/cmd/fieldpost")
	config := filepath.Join(s.dir, "config.toml")
	vera := &person{player: newPlayer(t, s, "SOVIET", "vera")}
	kurt := &person{player: newPlayer(t, s, "GERMAN", "kurt")}
	anna := newPlayer(t, s, "", "anna")
	write(t, config, fmt.Sprintf("[mail]\naddress = \"gm@%s\"\nname = \"Fieldpost\"\ninstance = \"persons\"\n[mail.imap]\nhost = \"127.0.0.1\"\nport = %d\ntls = \"none\"\nuser = \"gm\"\npassword = \"secret\"\npoll = \"1s\"\n[mail.smtp]\nhost = \"127.0.0.1\"\nport = %d\ntls = \"none\"\n[[moderator]]\nname = \"Anna\"\naddress = \"anna@%[1]s\"\nkey = \"%[4]s\"\n",
		domain, s.imap, s.smtp, anna.file("id.pub")))
	daemon := exec.Command(s.bin, "serve", "--config", config)
	var log bytes.Buffer
	daemon.Stdout, daemon.Stderr = &log, &log
	id := strings.SplitN(run(t, s.bin, "game", "new", "--config", config, "--scenario", "kharkov-1942", "--option", "undo=0"), ":", 2)[0]
	run(t, s.bin, "player", "invite", "--config", config, "--game", id, "--side", "SOVIET", "--email", "vera@"+domain, "--name", "vera")
	runOut(t, s, id, "SOVIET")
	must(t, daemon.Start())
	t.Cleanup(func() {
		_ = daemon.Process.Signal(syscall.SIGTERM)
		_ = daemon.Wait()
		if t.Failed() {
			t.Logf("daemon:\n%s", log.String())
		}
	})
	invite := func(p *person) *mailbox.Message {
		run(t, s.bin, "player", "invite", "--config", config, "--game", id, "--side", p.side, "--email", p.user+"@"+domain, "--name", p.user)
		return p.answer(p.await(p.answered, "invites you to play"))
	}

	// Vera plays by codes. First a question, then a typing error, a line forgotten, and then it is right.
	// Vera was on holiday: the code of their first invitation has run out, and they ask for another.
	first := vera.mails[vera.await(0, "invites you to play")]
	vera.answered = 1
	old := line(t, first, "JOIN")
	vera.writes(above("GAME: "+id+"\nSIDE: SOVIET\nJOIN: "+old+"\nKEY: CODES\n", first), "the invitation has run out")
	invitation := invite(vera)
	code := line(t, invitation, "JOIN")
	vera.writes(above("GAME: "+id+"\nSIDE: SOVIET\nJOIN: "+old+"\nKEY: CODES\n", invitation), "have not joined yet")
	vera.writes(says("Count me in! How does it work?\n\n-- \nVera\n"), "One more step")
	vera.writes(says("GAME: "+id+"\nSIDE: SOVIET\nJOIN: AAAAA-BBBBB-CCCCC-DDDDD-E\nKEY: CODES\n"), "have not joined yet")
	vera.writes(above("GAME: "+id+"\nSIDE: SOVIET\nJOIN: "+code, invitation), "One more step")
	vera.writes(above("Here it is, with blank lines.\n\nGAME: "+id+"\n\nSIDE: SOVIET\n\nJOIN: "+strings.ToLower(code)+"\n\nKEY: CODES\n", invitation), "you play the Soviet side")

	// Kurt has a key. First HTML alone, then a key that is none, then it is right.
	invitation = invite(kurt)
	statement := "GAME: " + id + "\nSIDE: GERMAN\nJOIN: " + line(t, invitation, "JOIN") + "\n"
	kurt.writes(inHTML("Hi, I would like to play the Germans.\nWhat is next?"), "One more step")
	kurt.writes(clearsigned(t, statement), "One more step: your public key")
	key := strings.TrimSpace(run(t, "cat", kurt.file("id.pub")))
	kurt.writes(says(statement+"KEY: ssh-rsa nonsense\n"), "(not joined|One more step|have not joined)")
	kurt.writes(block(kurt.player, statement+"KEY: "+key+"\n"), "you play the German side")

	// Two turns, with what goes wrong in the first hour.
	for turn := 1; turn <= 2; turn++ {
		vera.plays(turn, id, kurt)
		kurt.signs(turn)
	}
	vera.await(vera.answered, "turn 3, .*your orders are due")
	for _, p := range []*person{vera, kurt} {
		t.Logf("%s wrote %d mails and got %d", p.user, p.wrote, len(p.mails))
	}
}

// exchangeLetters has somebody who plays by codes write to their opponent, who simply replies.
func exchangeLetters(from, to *person, code string) {
	from.t.Helper()
	to.answered = len(to.mails)
	from.writes(says("CODE: "+code+"\nPRESS: "+to.side+"\n\nWell played. Same time next week?\n"), "letter has been passed on")
	letter := to.answer(to.await(to.answered, "a letter from"))
	to.writes(replyTo(letter, above("Gladly! My tanks will be DONE by then.", letter)), "Your letter has been passed on")
	back := from.answer(from.await(from.answered, "a letter from"))
	if words := back.Texts[0].Text; !strings.Contains(words, "Gladly!") || !strings.Contains(words, "not signed") {
		from.t.Errorf("the answer to a letter:\n%s", words)
	}
}

// plays is a turn by codes.
func (p *person) plays(turn int, id string, against *person) {
	p.t.Helper()
	report := p.mails[p.await(p.answered, fmt.Sprintf(`turn %d, .*your orders are due`, turn))]
	p.answered = len(p.mails)
	orders := p.orders(report)
	if turn == 1 {
		p.writes(says("GAME: "+id+"\nSIDE: SOVIET\n"+orders+"\nDONE\n"), "NOT FILED: the code is missing")
		p.writes(above("", report), "found no orders")
		p.writes(within("  175 INF TO 1604", report), "your orders stand in quoted lines")
		p.writes(says("Dear all, how do I tell my guns to fire?\n"), "message has gone to Anna")
		p.writes(says("STATUS\n"), "where the game stands")
	}
	code := line(p.t, report, "CODE")
	if turn == 2 {
		exchangeLetters(p, against, code)
	}
	held := p.writes(above("CODE: "+code+"\n"+strings.Replace(orders, "MOVE\n", "MOOVE\n", 1)+"\nDONE\n\nSent from my iPhone", report), "NOT YET PLAYED")
	if !strings.Contains(strings.Join(strings.Fields(held.Texts[0].Text), " "), "Did you mean MOVE?") {
		p.t.Errorf("a section that is misspelt:\n%s", held.Texts[0].Text)
	}
	p.writes(above("CODE: "+code+"\n"+orders+"\n\nSent from my iPhone", report), `NOT YET PLAYED: sheet \d+ filed`)
	p.writes(above("CODE: "+code+"\nDONE\n", report), "(\\] PLAYED|NOT YET PLAYED)")
	if last := p.mails[p.answered-1]; strings.Contains(last.Subject, "NOT YET PLAYED") {
		p.writes(above("CODE: "+code+"\nDONE\n", last), `\] PLAYED`)
	}
}

// signs is a turn with a key.
func (p *person) signs(turn int) {
	p.t.Helper()
	report := p.mails[p.await(p.answered, fmt.Sprintf(`turn %d, .*your orders are due`, turn))]
	p.answered = len(p.mails)
	head := func(serial int) string {
		return fmt.Sprintf("GAME: %s\nSIDE: GERMAN\nTURN: %d\nSERIAL: %d\n", line(p.t, report, "GAME"), turn, serial)
	}
	orders, serial := p.orders(report), 10*turn
	if turn == 1 {
		p.writes(says(head(serial)+orders+"\nDONE\n"), "NOT FILED: your orders are not signed")
		p.writes(strings.Replace(block(p.player, head(serial)+orders+"\nDONE\n"), "MOVE\n", "MOVES\n", 1), "NOT FILED: the signature does not fit")
	}
	p.writes(block(p.player, head(serial)+orders+"\n"), "NOT YET PLAYED")
	p.writes(files(p.player, head(serial)+"DONE\n"), "(SERIAL|NOT FILED)")
	answer := p.writes(files(p.player, head(serial+1)+"DONE\n"), `(\] PLAYED|NOT YET PLAYED)`)
	if strings.Contains(answer.Subject, "NOT YET PLAYED") {
		p.writes(block(p.player, head(serial+2)+"DONE\n"), `\] PLAYED`)
	}
}
