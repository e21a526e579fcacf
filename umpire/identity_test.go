package umpire

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"fieldpost/internal/signers"
	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/orders/seal"
)

// voice is somebody who can sign: body returns the content header and body of a
// mail with a signed sheet.
type voice struct {
	name   string
	public string
	body   func(sheet string) string
	// span are the bytes of a body that the signature covers, to forge in.
	span func(sheet string) string
}

const textHeader = "Content-Type: text/plain; charset=utf-8\r\n\r\n"

func crlf(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", "\r\n")
}

func sshVoice(n byte) voice {
	s := signers.NewSSH(n)
	return voice{fmt.Sprint("ssh", n), s.Public().String(), func(sheet string) string { return textHeader + crlf(s.Block(sheet)) }, nil}
}

// pgpVoice signs in one of three ways.
func pgpVoice(n byte, way int) voice {
	p := signers.NewPGP(n)
	v := voice{name: fmt.Sprint("pgp", n, "/", way), public: p.Public()}
	v.body = [](func(string) string){
		func(sheet string) string { return textHeader + crlf("Hello,\n"+p.Clearsigned(sheet)) },
		func(sheet string) string { return p.MIME(textHeader + "Hello,\r\n" + crlf(sheet) + "\r\nAnna\r\n") },
		func(sheet string) string {
			return "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n" + textHeader + crlf(sheet) + "\r\n--b\r\n" +
				"Content-Type: application/pgp-signature; name=\"x.asc\"\r\n\r\n" + crlf(p.Detached(sheet)) + "\r\n--b--\r\n"
		},
	}[way]
	return v
}

func smimeVoice(n byte) voice {
	c := signers.NewSMIME(n)
	return voice{fmt.Sprint("smime", n), c.Public(), func(sheet string) string { return c.MIME(textHeader + crlf(sheet)) }, nil}
}

// post hands in a mail with the given content header and body.
func (g *gameTable) post(from, content string) {
	g.t.Helper()
	g.mails++
	g.receive([]byte(fmt.Sprintf("From: %s@example.org\r\nTo: umpire@example.org\r\nSubject: orders\r\nMIME-Version: 1.0\r\nMessage-ID: <mail-%d@example.org>\r\n%s",
		strings.ToLower(from), g.mails, content)))
}

func (g *gameTable) enrol(side string, v voice) {
	g.t.Helper()
	if err := g.u.AddPlayer(g.game, side, side, strings.ToLower(side)+"@example.org", v.public); err != nil {
		g.t.Fatal(err)
	}
}

// last is the newest mail to a side, and the subjects of those before it.
func (g *gameTable) last(side string) (m *mailbox.Message, subjects []string) {
	g.t.Helper()
	all := g.outbox(side)
	for _, m := range all {
		subjects = append(subjects, m.Subject)
	}
	if len(all) == 0 {
		g.t.Fatalf("nothing for %s", side)
	}
	return all[len(all)-1], subjects
}

func (g *gameTable) sheet(side string, turn, serial int) string {
	return fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: %d\nSERIAL: %d\nMOVE\n", g.game, side, turn, serial)
}

// A game between an OpenPGP key and a certificate; both keys change, from one
// method to another.
func TestEveryMethodPlays(t *testing.T) {
	for way := range 3 {
		g := newTable(t)
		anna, bruno := pgpVoice(1, way), smimeVoice(1)
		g.enrol("SOVIET", anna)
		g.enrol("GERMAN", bruno)
		m, _ := g.last("GERMAN")
		if text := m.Texts[0].AsSent; !strings.Contains(text, "(OpenPGP)") || !strings.Contains(text, "(S/MIME)") {
			t.Errorf("the roster is not in\n%s", text)
		}
		filed := func(side string, v voice, serial int) {
			t.Helper()
			g.outbox(side)
			g.post(side, v.body(g.sheet(side, 1, serial)))
			if m, _ := g.last(side); !strings.Contains(m.Subject, fmt.Sprintf("sheet %d filed", serial)) {
				t.Errorf("%s: %s\n%s", v.name, m.Subject, m.Texts[0].AsSent)
			}
		}
		filed("SOVIET", anna, 1)
		filed("GERMAN", bruno, 1)

		// Anna goes on with another OpenPGP key, Bruno with one of OpenSSH.
		statement := func(side string, old, fresh voice) {
			t.Helper()
			key, err := seal.ParseKey(fresh.public)
			if err != nil {
				t.Fatal(err)
			}
			text := fmt.Sprintf("GAME: %s\nSIDE: %s\nROTATE: %s\n", g.game, side, key.ID())
			part := func(content string) string { return "--both\r\n" + content + "\r\n" }
			g.outbox(side)
			g.post(side, "Content-Type: multipart/mixed; boundary=both\r\n\r\n"+part(old.body(text))+part(fresh.body(text))+
				part("Content-Type: text/plain; name=key.asc\r\n\r\n"+crlf(fresh.public))+"--both--\r\n")
			if m, _ := g.last(side); !strings.Contains(m.Subject, "was rotated") || !strings.Contains(m.Texts[0].AsSent, key.Fingerprint()) {
				t.Errorf("%s to %s: %s\n%s", old.name, fresh.name, m.Subject, m.Texts[0].AsSent)
			}
		}
		anna2, bruno2, bruno3 := pgpVoice(2, 1), sshVoice(9), smimeVoice(3)
		statement("SOVIET", anna, anna2)
		statement("GERMAN", bruno, bruno2)
		filed("SOVIET", anna2, 2)
		filed("GERMAN", bruno2, 2)
		statement("GERMAN", bruno2, bruno3)
		filed("GERMAN", bruno3, 3)
		before := g.journal()
		for _, v := range []voice{anna, bruno2, bruno} {
			for _, side := range []string{"SOVIET", "GERMAN"} {
				g.post(side, v.body(g.sheet(side, 1, 50)))
			}
		}
		if g.journal() != before {
			t.Error("an old key still counts")
		}
		notes, err := g.u.DB.Notes(keyNotes(g.game))
		if err != nil || len(notes) != 3 {
			t.Errorf("%d notes, %v", len(notes), err)
		}
		for name, note := range notes {
			var k keyChange
			if err := json.Unmarshal(note, &k); err != nil || k.What != "rotated" || k.Old == "" || k.New == "" || k.Mail == "" || k.At.IsZero() {
				t.Errorf("%s: %s, %v", name, note, err)
			}
		}
	}
}

func TestSetKey(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	public := func(name string) string { return g.keys[name].Public().String() }
	for _, c := range []struct {
		game, side, key string
		good            bool
	}{
		{g.game, "SOVIET", "nonsense", false},
		{"NOGAME", "SOVIET", public("SOVIET2"), false},
		{g.game, "ROMAN", public("SOVIET2"), false},
		{g.game, "SOVIET", public("GERMAN"), false},
		{g.game, "soviet", public("SOVIET2"), true},
		{g.game, "SOVIET", public("SOVIET"), false}, // it was in use before
		{g.game, "SOVIET", public("SOVIET2") + " a new comment", true},
	} {
		if err := g.u.SetKey(c.game, c.side, c.key); c.good != (err == nil) {
			t.Errorf("%s %s: %v", c.game, c.side, err)
		}
	}
}

func TestStatements(t *testing.T) {
	for text, want := range map[string]*statement{
		"GAME: X\nSIDE: Y\nREVOKE\n":                                   {"X", "Y", ""},
		"GAME: X SIDE: Y\nREVOKE:\n":                                   {"X", "Y", ""},
		"GAME: X\nSIDE: Y\nROTATE: SSH-ED25519 AAAA ANNA@X\n":          {"X", "Y", "SSH-ED25519 AAAA"},
		"GAME: X\nSIDE: Y\nROTATE: SSH-ED25519\nAAAA ANNA@X\n":         {"X", "Y", "SSH-ED25519 AAAA"},
		"GAME: X\nSIDE: Y\nROTATE:OPENPGP 01 23\n45\n":                 {"X", "Y", "OPENPGP 012345"},
		"GAME: X\nSIDE: Y\nROTATE: S/MIME 01:23\n":                     {"X", "Y", "S/MIME 0123"},
		"GAME: X\nSIDE: Y\nROTATE:\n":                                  nil,
		"GAME: X\nSIDE: Y\nROTATE: SSH-ED25519\n":                      nil,
		"GAME: X\nSIDE: Y\nREVOKE\nMOVE\n":                             nil,
		"GAME: X\nSIDE: Y\nMOVE\nREVOKE\n":                             nil,
		"GAME: X\nSIDE: Y\nSERIAL: 3\nREVOKE\n":                        nil,
		"GAME: X\nGAME: Y\nREVOKE\n":                                   nil,
		"REVOKE\n":                                                     nil,
		"GAME: X\nSIDE: Y\nDONE\nREVOKE\n":                             nil,
		"GAME: X\nSIDE: Y\n" + strings.Repeat("A", 300) + "\nREVOKE\n": nil,
	} {
		if !isIdentity(text) {
			t.Errorf("%q is no statement", text)
			continue
		}
		got, err := parseStatement(text)
		if (err == nil) != (want != nil) || want != nil && got != *want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "GAME: X\nMOVE\n1: REVOKE\n", "\u0085\nGAME: X\n"} {
		if isIdentity(text) {
			t.Errorf("%q is a statement", text)
		}
	}
}

// Two tables with one store: cross-game forgeries need another game.
func (g *gameTable) another() *gameTable {
	g.t.Helper()
	made, err := g.u.NewGame("kharkov-1942", nil, rand.NewChaCha8([32]byte{77}))
	if err != nil {
		g.t.Fatal(err)
	}
	o := *g
	o.game, o.shown = made.ID, map[string]bool{}
	return &o
}

// No mail that a player did not sign for this game, side and turn, with a serial
// of his own, ever changes a game. FIELDPOST_SOAK=1 tries 10,000.
func TestForgeries(t *testing.T) {
	tries := 500
	if os.Getenv("FIELDPOST_SOAK") != "" {
		tries = 10000
	}
	g := newTable(t)
	h := g.another()
	random := rand.New(rand.NewChaCha8([32]byte{42}))
	// Players of both games, one of them in both; former keys; strangers.
	soviet, german := []voice{pgpVoice(1, 0), pgpVoice(1, 1), pgpVoice(1, 2)}, []voice{sshVoice(1)}
	hSoviet, hGerman := []voice{smimeVoice(1)}, []voice{sshVoice(1)}
	oldSoviet, oldHGerman := pgpVoice(5, 1), sshVoice(5)
	g.enrol("SOVIET", oldSoviet)
	g.enrol("GERMAN", german[0])
	h.enrol("SOVIET", hSoviet[0])
	h.enrol("GERMAN", oldHGerman)
	for _, c := range []struct {
		table *gameTable
		side  string
		key   voice
	}{{g, "SOVIET", soviet[0]}, {h, "GERMAN", hGerman[0]}} {
		if err := c.table.u.SetKey(c.table.game, c.side, c.key.public); err != nil {
			t.Fatal(err)
		}
	}
	strangers := []voice{pgpVoice(7, 0), pgpVoice(7, 1), smimeVoice(7), sshVoice(7)}
	former := []voice{oldSoviet, oldHGerman}
	pick := func(list []voice) voice { return list[random.IntN(len(list))] }
	type seat struct {
		table *gameTable
		side  string
		own   []voice
		other []voice // who plays, and not here
	}
	seats := []seat{
		{g, "SOVIET", soviet, append(german, hSoviet...)},
		{g, "GERMAN", german, append(soviet, hSoviet...)},
		{h, "SOVIET", hSoviet, append(soviet, hGerman...)},
		{h, "GERMAN", hGerman, append(soviet, hSoviet...)},
	}
	// What was accepted, to be sent again.
	type sent struct{ from, content string }
	var accepted []sent
	serial := 10
	for _, s := range seats {
		for _, v := range s.own {
			serial++
			content := v.body(s.table.sheet(s.side, 1, serial))
			s.table.post(s.side, content)
			accepted = append(accepted, sent{s.side, content})
		}
		s.table.outbox(s.side)
	}
	state := func() string { return g.journal() + h.journal() }
	quick := func() (out [2]uint64) {
		for i, id := range []string{g.game, h.game} {
			game, err := g.u.DB.Game(id)
			if err != nil {
				t.Fatal(err)
			}
			out[i] = game.Seq
		}
		return out
	}
	digits := []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "0"}
	attacks := []struct {
		name string
		do   func(s seat) string
	}{
		{"order changed", func(s seat) string {
			sheet := s.table.sheet(s.side, 1, 500) + "133/XXII 2206-2306\nDONE\n"
			return strings.Replace(pick(s.own).body(sheet), "2206-2306", "2206-230"+digits[random.IntN(5)], 1)
		}},
		{"line added", func(s seat) string {
			b := pick(s.own).body(s.table.sheet(s.side, 1, 500) + "DONE\n")
			return strings.Replace(b, "MOVE\r\n", "MOVE\r\n133/XXII 2206-2306\r\n", 1)
		}},
		{"bytes of the sheet changed", func(s seat) string {
			b := []byte(pick(s.own).body(s.table.sheet(s.side, 1, 500)))
			at := strings.Index(string(b), "GAME:") + random.IntN(len("GAME: XXXXXXXX\r\nSIDE: SOVIET\r\nTURN: 1\r\nSERIAL: 500"))
			for {
				if c := byte('!' + random.IntN(90)); !strings.EqualFold(string(c), string(b[at])) && strings.TrimSpace(string(b[at])) != "" {
					b[at] = c
					break
				} else if strings.TrimSpace(string(b[at])) == "" {
					at--
				}
			}
			return string(b)
		}},
		{"re-dated", func(s seat) string {
			return strings.Replace(pick(s.own).body(s.table.sheet(s.side, 1+random.IntN(9)+1, 500)), "TURN: ", "TURN: 1", 1)
		}},
		{"another turn", func(s seat) string { return pick(s.own).body(s.table.sheet(s.side, 2+random.IntN(20), 500)) }},
		{"re-serialled", func(s seat) string {
			return strings.Replace(accepted[random.IntN(len(accepted))].content, "SERIAL: ", "SERIAL: "+digits[random.IntN(9)], 1)
		}},
		{"replayed", func(seat) string { return accepted[random.IntN(len(accepted))].content }},
		{"replayed with words around", func(seat) string {
			c := accepted[random.IntN(len(accepted))].content
			head, body, _ := strings.Cut(c, "\r\n\r\n")
			return head + "\r\n\r\nGAME: " + g.game + "\r\nSERIAL: 900\r\n" + body + "\r\nSERIAL: 901\r\nDONE\r\n"
		}},
		{"stale", func(s seat) string { return pick(s.own).body(s.table.sheet(s.side, 1, random.IntN(11))) }},
		{"no serial", func(s seat) string {
			return pick(s.own).body(strings.Replace(s.table.sheet(s.side, 1, 500), "SERIAL: 500\n", "", 1))
		}},
		{"cross-game", func(s seat) string {
			other := &gameTable{game: "ABCDEFGH"}
			if random.IntN(2) == 0 {
				other = map[bool]*gameTable{true: h, false: g}[s.table == g]
				if s.own[0].name == "ssh1" && s.side == "GERMAN" {
					other = &gameTable{game: "QQQQQQQQ"} // he plays the same side in both
				}
			}
			return pick(s.own).body(other.sheet(s.side, 1, 500))
		}},
		{"cross-side", func(s seat) string {
			side := map[string]string{"SOVIET": "GERMAN", "GERMAN": "SOVIET"}[s.side]
			return pick(s.own).body(s.table.sheet(side, 1, 500))
		}},
		{"another player's key", func(s seat) string { return pick(s.other).body(s.table.sheet(s.side, 1, 500)) }},
		{"a stranger's key", func(s seat) string { return pick(strangers).body(s.table.sheet(s.side, 1, 500)) }},
		{"a former key", func(s seat) string { return pick(former).body(s.table.sheet(s.side, 1, 500)) }},
		{"a stranger rotates", func(s seat) string {
			key, _ := seal.ParseKey(strangers[3].public)
			return pick(append(strangers, former...)).body(fmt.Sprintf("GAME: %s\nSIDE: %s\nROTATE: %s\n", s.table.game, s.side, key.ID()))
		}},
		{"rotates without proof", func(s seat) string {
			key, _ := seal.ParseKey(pick(strangers).public)
			return pick(s.own).body(fmt.Sprintf("GAME: %s\nSIDE: %s\nROTATE: %s\n", s.table.game, s.side, key.ID()))
		}},
		{"a stranger or the enemy revokes", func(s seat) string {
			return pick(append(append(s.other[:1:1], strangers...), former...)).body(fmt.Sprintf("GAME: %s\nSIDE: %s\nREVOKE\n", s.table.game, s.side))
		}},
		{"joins, or recovers a key, with a guessed code", func(s seat) string {
			word := []string{"JOIN", "RECOVER"}[random.IntN(2)]
			return pick(append(strangers, former...)).body(fmt.Sprintf("GAME: %s\nSIDE: %s\n%s: %s\n", s.table.game, s.side, word, grouped(strings.Repeat(digits[random.IntN(6)+1], 21))))
		}},
		{"a code where there is a key", func(s seat) string {
			game, err := g.u.DB.Game(s.table.game)
			if err != nil {
				t.Fatal(err)
			}
			// The right code of the phase, had the seat any.
			return textHeader + crlf("CODE: "+phaseCode(game, s.side, "turn 1 phase 1")+"\n"+s.table.sheet(s.side, 1, 500)+"DONE\n")
		}},
		{"orders in a letter", func(s seat) string {
			part, digest := orders.Press(s.table.sheet(s.side, 1, 500) + "DONE\n")
			return textHeader + crlf(signers.NewSSH(1).Block(fmt.Sprintf("GAME: %s\nSIDE: GERMAN\nSERIAL: %d\nPRESS: ALL\nPRESS-SHA256: %s\n", g.game, random.IntN(1000), digest))+part)
		}},
		{"sheet and signature of different people", func(s seat) string {
			a, b := strangers[1].body(s.table.sheet(s.side, 1, 500)), soviet[1].body(g.sheet("SOVIET", 1, 501))
			cut := strings.Index(a, "Content-Type: application/pgp-signature")
			return a[:cut] + b[strings.Index(b, "Content-Type: application/pgp-signature"):]
		}},
		{"unsigned", func(s seat) string { return textHeader + crlf(s.table.sheet(s.side, 1, 500)) }},
		{"signed for something else", func(s seat) string {
			armored, err := seal.Sign(signers.NewSSH(1).PrivateKey, "git", []byte(s.table.sheet(s.side, 1, 500)))
			if err != nil {
				t.Fatal(err)
			}
			return textHeader + crlf(seal.Block(s.table.sheet(s.side, 1, 500), armored))
		}},
		{"a stranger's key offered along", func(s seat) string {
			v := strangers[random.IntN(3)]
			return "Content-Type: multipart/mixed; boundary=both\r\n\r\n--both\r\n" + v.body(s.table.sheet(s.side, 1, 500)) +
				"\r\n--both\r\nContent-Type: text/plain; name=key.asc\r\n\r\n" + crlf(v.public) + "\r\n--both--\r\n"
		}},
	}
	before, seq := state(), quick()
	counts := map[string]int{}
	for i := range tries {
		a := attacks[i%len(attacks)]
		s := seats[random.IntN(len(seats))]
		content := a.do(s)
		from := []string{"SOVIET", "GERMAN", "STRANGER"}[random.IntN(3)]
		g.mails = max(g.mails, h.mails) + 1
		g.post(from, content)
		h.mails = g.mails
		counts[a.name]++
		if now := quick(); now != seq {
			t.Fatalf("try %d: %s for %s in %s was accepted:\n%s", i, a.name, s.side, s.table.game, content)
		}
	}
	if state() != before {
		t.Error("a game changed")
	}
	t.Logf("%d forgeries of %d kinds, none accepted", tries, len(counts))
	// The same keys are still good for what their owners sign.
	for _, s := range seats {
		for _, v := range s.own {
			serial++
			was := state()
			s.table.mails = max(g.mails, h.mails) + 1
			s.table.post(s.side, v.body(s.table.sheet(s.side, 1, serial+1000)))
			if state() == was {
				t.Errorf("%s of %s is not heard any more", v.name, s.side)
			}
		}
	}
}
