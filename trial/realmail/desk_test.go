//go:build realmail

package realmail

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fieldpost/desk/dist"
	"fieldpost/mailbox"
	"fieldpost/trial/browser"
	"fieldpost/umpire/proof"
)

// sitter is somebody who has a mailbox, and a browser with the order desk as a file from the
// disk: no program of ours, and no key but what the desk makes them.
type sitter struct {
	*player
	b    *browser.Browser
	desk string // the address of the page
	sent int
}

// screens are where the desk is sat at.
var screens = []struct {
	user, name    string
	start         func(*testing.T) *browser.Browser
	width, height int
}{
	{"carla", "Chromium", browser.Chromium, 1360, 850},
	{"celia", "Chromium of a telephone's width", browser.Chromium, 390, 844},
	{"fritz", "Firefox", browser.Firefox, 1360, 850},
	{"flora", "Firefox of a telephone's width", browser.Firefox, 390, 844},
}

// Turns of all three systems, made at the order desk in both browsers and on both widths, by
// people who begin with an invitation: what the desk says stands the daemon files, behind
// Postfix and Dovecot, without a line refused; and the page asks nothing of a network.
func TestTurnsFromTheDesk(t *testing.T) {
	if _, err := dist.Sum(); errors.Is(err, dist.ErrNoEngine) {
		t.Skip("the desk's engine is not built: go generate ./desk")
	}
	users := []string{"gm"}
	for _, s := range screens {
		users = append(users, s.user)
	}
	s := startServers(t, users...)
	s.bin = filepath.Join(s.dir, "fieldpost")
	run(t, "go", "build", "-o", s.bin, "fieldpost/cmd/fieldpost")
	config := filepath.Join(s.dir, "config.toml")
	write(t, config, fmt.Sprintf("[mail]\naddress = \"gm@%s\"\nname = \"Fieldpost\"\ninstance = \"desk\"\n[mail.imap]\nhost = \"127.0.0.1\"\nport = %d\ntls = \"none\"\nuser = \"gm\"\npassword = \"secret\"\npoll = \"1s\"\n[mail.smtp]\nhost = \"127.0.0.1\"\nport = %d\ntls = \"none\"\n",
		domain, s.imap, s.smtp))
	page := filepath.Join(s.dir, "desk.html")
	run(t, s.bin, "desk", "--out", page)
	daemon := exec.Command(s.bin, "serve", "--config", config)
	var log bytes.Buffer
	daemon.Stdout, daemon.Stderr = &log, &log
	must(t, daemon.Start())
	t.Cleanup(func() {
		_ = daemon.Process.Signal(syscall.SIGTERM)
		_ = daemon.Wait()
		if t.Failed() {
			t.Logf("daemon:\n%s", log.String())
		}
	})
	begin := func(p *player, scenario, side, other string, options ...string) string {
		args := append([]string{"game", "new", "--config", config, "--scenario", scenario, "--staff", other, "--option", "undo=0"}, options...)
		id := strings.SplitN(run(t, s.bin, args...), ":", 2)[0]
		run(t, s.bin, "player", "invite", "--config", config, "--game", id, "--side", side, "--email", p.user+"@"+domain, "--name", p.user)
		return id
	}
	for _, screen := range screens {
		t.Run(screen.name, func(t *testing.T) {
			p := &sitter{player: newPlayer(t, s, "", screen.user), b: screen.start(t), desk: "file://" + page}
			t.Cleanup(func() {
				if folder := os.Getenv("FIELDPOST_PICTURES"); folder != "" {
					_ = os.WriteFile(filepath.Join(folder, screen.user+".png"), p.b.Picture(), 0o644)
				}
			})
			p.b.Size(screen.width, screen.height)
			p.b.Open(p.desk)
			p.b.Listen()
			p.practises()
			kharkov := begin(p.player, "kharkov-1942", "SOVIET", "GERMAN", "--option", "set-up=choose")
			p.kharkovSetUp(kharkov)
			p.nysa(begin(p.player, "nysa-1945", "SOVIET", "GERMAN"))
			p.steppe(begin(p.player, "backhand-blow", "SOVIET", "GERMAN"))
			p.famous(begin(p.player, "gd-kursk", "GERMAN", "SOVIET"))
			p.finished(begin(p.player, "star-and-gallop", "SOVIET", "GERMAN"), kharkov)
			if asked := p.b.Requests(); len(asked) > 0 {
				t.Errorf("the page asks for %q", asked)
			}
		})
	}
}

// mailOf waits for a mail of a game and gives its place among all.
func (p *sitter) mailOf(game, subject string, from int) int {
	p.t.Helper()
	return p.await(from, `(?s)^(Re: )?\[`+game+`\].*`+subject)
}

// takes opens a mail, or another file, at the desk.
func (p *sitter) takes(content []byte) {
	p.t.Helper()
	file := p.file("opened.eml")
	must(p.t, os.WriteFile(file, content, 0o600))
	p.b.Until("a place to open a report", "!!document.querySelector('#report-file')")
	p.b.Eval("document.querySelector('main').dataset.before = ''; document.querySelector('#report-file').value = ''")
	p.b.Choose("#report-file", file)
}

// opens has a report lie open.
func (p *sitter) opens(report []byte) {
	p.t.Helper()
	p.takes(report)
	p.b.Until("the sheet is judged", "!document.querySelector('[data-before]') && !!document.querySelector('#count')?.textContent")
}

// press clicks the first button among some whose text begins so.
func (p *sitter) press(among, begins string) {
	p.t.Helper()
	p.b.Until(fmt.Sprintf("%q among %s", begins, among), fmt.Sprintf(
		"(() => { const b = [...document.querySelectorAll(%q)].find(b => b.textContent.trim().startsWith(%q)); document.querySelectorAll('[data-pressed]').forEach(o => o !== b && delete o.dataset.pressed); for (let d = b?.closest('details:not([open])'); d; d = b.closest('details:not([open])')) d.open = true; if (b) b.dataset.pressed = ''; return !!b })()", among, begins))
	// What is above it may grow meanwhile: whoever missed it clicks once more.
	p.b.Eval("window.hit = false; document.querySelector('[data-pressed]').addEventListener('click', () => { window.hit = true }, { once: true })")
	for range 5 {
		p.b.Click("[data-pressed]")
		for range 40 {
			if p.b.Eval("window.hit") == "true" {
				return
			}
			time.Sleep(25 * time.Millisecond)
		}
	}
	p.t.Fatalf("no click hits %q among %s", begins, among)
}

// commands chooses a unit, by its name.
func (p *sitter) commands(unit string) {
	p.t.Helper()
	p.b.Click("#find")
	p.b.Eval("document.querySelector('#find').select()")
	p.b.Write(unit)
	p.b.Press("Enter")
	p.b.Until("the choices of "+unit, fmt.Sprintf("document.querySelector('#actor')?.textContent.toUpperCase().startsWith(%q) && !!document.querySelector('.ways,.offers')", strings.ToUpper("Orders for "+unit)))
}

// goes orders the chosen unit to a hex, and offered to do what is offered under these words.
func (p *sitter) goes(hex string)     { p.t.Helper(); p.press(".ways button", hex); p.stands(" TO " + hex) }
func (p *sitter) offered(said string) { p.t.Helper(); p.press(".offers button", said); p.stands("") }

// stands waits until an order with these words is on the sheet and all of it is judged without a refusal.
func (p *sitter) stands(words string) {
	p.t.Helper()
	p.b.Until("an order that stands: "+words, fmt.Sprintf("[...document.querySelectorAll('.lines .ok code, .lines .look code')].some(c => c.textContent.toUpperCase().includes(%q)) && / 0 XX/.test(document.querySelector('#count').textContent)", strings.ToUpper(words)))
}

// finishes writes DONE. What comes below a unit's name moves what stands under it: whoever missed
// the box clicks once more.
func (p *sitter) finishes() {
	p.t.Helper()
	for range 5 {
		if p.b.Eval("document.querySelector('#done').checked") == "true" {
			return
		}
		p.b.Click("#done")
		time.Sleep(3 * time.Second)
	}
}

// mails finishes the sheet, signs it in the manner that the page offers first, or with a key, and
// sends what the page made; it gives the place of the answer among all mails.
func (p *sitter) mails(game, key string) int {
	p.t.Helper()
	p.finishes()
	p.b.Until("DONE", "document.querySelector('#done').checked && / 0 XX/.test(document.querySelector('#count').textContent)")
	return p.answered(game, p.signs(key))
}

// signs makes the text of the mail.
func (p *sitter) signs(key string) string {
	p.t.Helper()
	p.b.Click("#send")
	if key != "" {
		p.press("dialog .manners button", "With my key")
		name := fmt.Sprintf("key%d", p.sent)
		must(p.t, os.WriteFile(p.file(name), []byte(key), 0o600))
		p.b.Choose("#key", p.file(name))
		p.b.Until("the key", fmt.Sprintf("document.querySelector('dialog').innerText.includes(%q)", name))
		p.b.Click("#passphrase")
		p.b.Eval("document.querySelector('#passphrase').select()")
		p.b.Write(passphrase)
	}
	p.b.Click("#make")
	p.b.Until("the mail", "!!document.querySelector('#block') || !!document.querySelector('dialog .why[role=alert]')")
	text := p.b.Eval("document.querySelector('#block')?.value")
	if text == "<nil>" {
		p.t.Fatalf("the desk makes no mail: %s", p.b.Eval("document.querySelector('dialog').innerText"))
	}
	p.press("dialog button", "Close")
	return text
}

const passphrase = "a long passphrase"

// sendsText mails what the page made, as a mail program would.
func (p *sitter) sendsText(text string) (from int) {
	p.t.Helper()
	from = len(p.player.mails)
	p.sent++
	p.mail("orders "+strconv.Itoa(p.sent), says(text))
	return from
}

// answered mails a sheet and looks at each line of the answer, which may stand at the head of the
// question or report to which the sheet leads.
func (p *sitter) answered(game, text string) int {
	p.t.Helper()
	from := p.sendsText(text)
	at := p.mailOf(game, "", from)
	m := p.player.mails[at]
	words := m.Texts[0].Text
	if strings.Contains(m.Subject, "NOT FILED") || refused.MatchString(words) {
		p.t.Errorf("%s\n%s\nis answered\n%s", m.Subject, text, words)
	}
	return at
}

// refused is a line of an answer that does not stand.
var refused = regexp.MustCompile(`\bXX\b|would be refused|not filed`)

// joins takes a seat by the invitation of a game, and gives the key that was made, if one was.
func (p *sitter) joins(game, way string) (key string) {
	p.t.Helper()
	at := p.mailOf(game, "you are invited to play", 0)
	if p.b.Eval("!!document.querySelector('#to-join')") != "true" {
		p.b.Open(p.desk)
	}
	p.takes(p.raw[at])
	p.b.Until("the seat", fmt.Sprintf("document.querySelector('#game')?.value === %q && document.querySelector('#code').value.length > 10 && document.querySelector('#to').value.startsWith('gm')", game))
	p.b.Click("#by-" + way)
	if way == "new" {
		p.b.Click("#pass")
		p.b.Write(passphrase)
		p.b.Click("#again")
		p.b.Write(passphrase)
		p.b.Eval("window.saved = ''; URL.createObjectURL = (was => blob => (blob.text().then(t => { window.saved = t }), was.call(URL, blob)))(URL.createObjectURL)")
		p.b.Click("#join")
		p.b.Click("#save-key")
		p.b.Until("the key", "window.saved.includes('OPENSSH')")
		key = p.b.Eval("window.saved")
	} else {
		p.b.Click("#join")
	}
	p.b.Until("the mail", "!!document.querySelector('#block')")
	from := p.sendsText(p.b.Eval("document.querySelector('#block').value"))
	p.mailOf(game, "you play the", from)
	p.press("button", "Back")
	return key
}

// practises plays a turn against a staff officer, before there is any mail.
func (p *sitter) practises() {
	p.t.Helper()
	p.b.Until("the scenarios", "document.querySelectorAll('#scenario option').length > 10")
	p.b.Eval("document.querySelector('#scenario').value = 'kharkov-1942'; document.querySelector('#scenario').dispatchEvent(new Event('change', {bubbles: true}))")
	p.b.Click(".officers [value=officer]")
	p.b.Click("[data-side=SOVIET]")
	p.b.Until("the game against an officer", "document.querySelector('.practised')?.textContent.startsWith('Practice against an officer') && !!document.querySelector('#count')?.textContent")
	p.press("footer button", "Proposal")
	p.b.Until("the officer's proposal", "document.querySelectorAll('.lines .ok').length > 20 && document.querySelector('#propose').textContent === 'Proposal'")
	p.finishes()
	p.b.Until("DONE", "document.querySelector('#done').checked && / 0 XX/.test(document.querySelector('#count').textContent)")
	p.press("footer button", "Play the turn")
	p.b.Until("the report of the turn", "document.querySelector('h1')?.textContent.includes('turn 2 of 17') && !!document.querySelector('.story')")
	p.press("header button", "Other games")
	p.b.Until("the way to join", "!!document.querySelector('#to-join')")
}

// finished plays a short game to its end, and opens the archive that the umpire mails then, as it was
// mailed: what happened is replayed, and all its dice hold, by the key of the invitation; by that of
// another game they do not.
func (p *sitter) finished(game, other string) {
	p.t.Helper()
	p.joins(game, "code")
	at := -1
	for turn := 1; turn <= 4; turn++ {
		at = p.mailOf(game, fmt.Sprintf(`turn %d, .*orders are due`, turn), at+1)
		p.opens(p.raw[at])
		p.anyWay()
		p.mails(game, "")
	}
	end := p.mailOf(game, "", at+1)
	for !bringsArchive(p.player.mails[end]) {
		end = p.mailOf(game, "", end+1)
	}
	p.takes(p.raw[end])
	p.b.Until("the archive", "!!document.querySelector('#past-turn')")
	p.b.Eval("document.querySelector('#past-turn').value = '-1'; document.querySelector('#past-turn').dispatchEvent(new Event('change', {bubbles: true}))")
	p.b.Until("the whole game", "document.querySelector('#past-turn')?.value === '-1' && !!document.querySelector('.verdict')")
	p.b.Click("#story-on")
	p.b.Until("what happened first", "document.querySelector('.story h2').textContent.includes('1 of')")
	p.b.Click("#dice")
	good := `/^Proofs checked: (\d+) of \1 are good\. $/.test(document.querySelector('#proved')?.textContent)`
	p.b.Until("the proofs", good)
	const bad = "/^\\d+ are not good\\. $/.test(document.querySelector('#proved')?.textContent)"
	for _, by := range [][2]string{{p.diceKey(other), bad}, {p.diceKey(game), good}} {
		p.b.Click("#dice-key")
		p.b.Eval("document.querySelector('#dice-key').select()")
		p.b.Write(by[0])
		p.b.Press("Enter")
		p.b.Until("the proofs by the key "+by[0], by[1])
	}
	p.press("dialog button", "Close")
}

// anyWay sends the first unit somewhere that a chit reaches and that may go anywhere.
func (p *sitter) anyWay() {
	p.t.Helper()
	const chits = ".plot .manners:not(.modes):not(.range) button"
	for _, chit := range strings.Split(p.b.Eval("[...document.querySelectorAll('"+chits+"')].map(b => b.textContent.trim()).join('|')"), "|") {
		p.press(chits, chit)
		p.b.Until("the programme of "+chit, "!!document.querySelector('.plot .programme')")
		if p.b.Eval("document.querySelectorAll('.plot .range button').length") == "0" {
			continue
		}
		p.press(".plot .range button", "")
		p.b.Until("what it may do", "!!document.querySelector('.ways, .offers li, .not')")
		if p.b.Eval("document.querySelectorAll('.ways button').length") == "0" {
			continue
		}
		p.press(".ways button", "")
		p.stands(" TO ")
		return
	}
	p.t.Fatal("no chit reaches a unit that may go anywhere")
}

// bringsArchive tells whether a mail brings the archive of its game.
func bringsArchive(m *mailbox.Message) bool {
	return slices.ContainsFunc(m.Attachments, func(f mailbox.Attachment) bool { return strings.HasSuffix(f.Name, ".tar") })
}

// diceKey is the game's key as its invitation names it.
func (p *sitter) diceKey(game string) string {
	p.t.Helper()
	text := p.player.mails[p.mailOf(game, "you are invited to play", 0)].Texts[0].Text
	found := regexp.MustCompile(`dice key +(\S+)`).FindStringSubmatch(text)
	if found == nil {
		p.t.Fatalf("the invitation names no dice key:\n%s", text)
	}
	return found[1]
}

// kharkovSetUp is the set-up of a game, by the code of its report; and what goes wrong: a mail
// that is damaged, a view by other rules, and a report that is older than the one before.
func (p *sitter) kharkovSetUp(game string) {
	p.t.Helper()
	p.joins(game, "code")
	first := p.mailOf(game, "(set-up|turn 0|orders are due)", 1)
	p.takes(p.raw[first][:len(p.raw[first])/3])
	p.b.Until("the damage is told", "/damaged|neither a report/.test(document.querySelector('[role=alert]')?.textContent ?? '')")
	p.takes(p.otherRules(first))
	p.b.Until("the other rules are told", "document.querySelector('.bar-other')?.textContent.includes('No line is judged here') ?? false")
	p.opens(p.raw[first])
	p.commands("1/351")
	p.offered("SETUP 1/351")
	p.mails(game, "")
	second := p.mailOf(game, `turn 1, .*orders are due`, first+1)
	p.opens(p.raw[second])
	p.commands("13/XXII")
	p.goes("2305")
	p.opens(p.raw[first])
	p.b.Until("the newer report is told", "document.querySelector('.bar-other')?.textContent.includes('newer report') ?? false")
	p.opens(p.raw[second])
	p.stands("13/XXII TO 2305") // the draft is there still
	p.mails(game, "")
}

// otherRules is the view of a report that says it follows other rules.
func (p *sitter) otherRules(at int) []byte {
	p.t.Helper()
	v, err := proof.View(p.player.mails[at])
	must(p.t, err)
	v.Rules.Version = "99"
	text, err := json.Marshal(v)
	must(p.t, err)
	return text
}

// nysa is a turn of WB-95 with a key that the page made: air, barrage, movement, attacks and
// standing orders. With another key nothing is filed.
func (p *sitter) nysa(game string) {
	p.t.Helper()
	key := p.joins(game, "new")
	p.opens(p.raw[p.mailOf(game, "orders are due", 0)])
	p.commands("AIR")
	p.offered("AIR 1 SUPPORT 4808")
	p.commands("120 Art./3A")
	p.offered("BARRAGE 120 Art./3A")
	p.commands("147 INF")
	p.goes("5007")
	p.commands("127 INF")
	p.offered("ATTACK 4808 WITH 127 INF")
	p.press(".offers button", "STANDING 127 INF HOLD")
	p.stands("127 INF HOLD")
	p.finishes()
	run(p.t, "ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-f", p.file("other"))
	other, err := os.ReadFile(p.file("other"))
	must(p.t, err)
	from := p.sendsText(p.signs(string(other)))
	p.await(from, "NOT FILED")
	p.mails(game, key)
}

// steppe is a programme under MODE: ASK, and the reply to the question about the chit.
func (p *sitter) steppe(game string) {
	p.t.Helper()
	p.joins(game, "code")
	p.opens(p.raw[p.mailOf(game, "orders are due", 0)])
	p.press(".plot button", "1GA")
	p.press(".plot .range button", "195 RD")
	p.b.Until("its ways", "!!document.querySelector('.ways')")
	p.goes("3628")
	p.press(".modes button", "Ask me")
	p.stands("195 RD TO 3628")
	asked := p.mails(game, "")
	if !strings.Contains(p.player.mails[asked].Subject, "a question") {
		asked = p.mailOf(game, "a question", asked)
	}
	p.opens(p.raw[asked])
	chit := chitAsked.FindStringSubmatch(p.player.mails[asked].Subject)
	if chit == nil {
		p.t.Fatalf("the question is %q", p.player.mails[asked].Subject)
	}
	p.press(".plot button", chit[1])
	p.b.Until("the units in range", "document.querySelectorAll('.plot .range button').length > 0")
	p.press(".plot .range button", "")
	p.b.Until("its ways", "document.querySelectorAll('.ways button').length > 0")
	p.press(".ways button", "")
	p.stands(" TO ")
	p.mails(game, "")
}

// chitAsked is the chit that a question is about.
var chitAsked = regexp.MustCompile(`your orders for (.+)\?`)

// famous is a set-up and a programme of three chits.
func (p *sitter) famous(game string) {
	p.t.Helper()
	key := p.joins(game, "new")
	p.opens(p.raw[p.mailOf(game, "orders are due", 0)])
	p.commands("5K/2Pz")
	p.offered("SETUP 5K/2Pz 3627")
	for _, chit := range [][2]string{{"2Pz", "6K/2Pz"}, {"1Fus", "1K/1Fus"}, {"2Gr", "5K/2Gr"}} {
		p.press(".plot button", strings.ToUpper(chit[0]))
		p.press(".plot .range button", chit[1])
		p.b.Until("ways of "+chit[1], fmt.Sprintf("document.querySelector('#actor')?.textContent.includes(%q) && document.querySelectorAll('.ways button').length > 1", chit[1]))
		p.press(".ways button", "")
		p.b.Until("the programme of "+chit[0], "document.querySelectorAll('.programme li').length > 0 && / 0 XX/.test(document.querySelector('#count').textContent)")
	}
	p.mails(game, key)
}
