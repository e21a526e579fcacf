package umpire

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"

	"fieldpost/mailbox"
	"fieldpost/orders/seal"
	"fieldpost/store"
	"fieldpost/trial/signers"
	"fieldpost/umpire/seats"
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
	return fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: %d\nSERIAL: %d\nSTANDING\nALL RETREAT FULL\nMOVE\n", g.game, side, turn, serial)
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
		changes, err := seats.KeyRecords.All(g.u.DB, g.game)
		if err != nil || len(changes) != 3 {
			t.Errorf("%d changes of keys, %v", len(changes), err)
		}
		for at, k := range changes {
			if k.What != "rotated" || k.Old == "" || k.New == "" || k.Mail == "" || k.At.IsZero() {
				t.Errorf("%v: %+v", at, k)
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
	for text, want := range map[string]*seats.Statement{
		"GAME: X\nSIDE: Y\nREVOKE\n":                                   {Game: "X", Side: "Y", Rotate: ""},
		"GAME: X SIDE: Y\nREVOKE:\n":                                   {Game: "X", Side: "Y", Rotate: ""},
		"GAME: X\nSIDE: Y\nROTATE: SSH-ED25519 AAAA ANNA@X\n":          {Game: "X", Side: "Y", Rotate: "SSH-ED25519 AAAA"},
		"GAME: X\nSIDE: Y\nROTATE: SSH-ED25519\nAAAA ANNA@X\n":         {Game: "X", Side: "Y", Rotate: "SSH-ED25519 AAAA"},
		"GAME: X\nSIDE: Y\nROTATE:OPENPGP 01 23\n45\n":                 {Game: "X", Side: "Y", Rotate: "OPENPGP 012345"},
		"ROTATE: SSH-ED25519\nAAAA ANNA@X\nSIDE: Y\nGAME: X\n":         {Game: "X", Side: "Y", Rotate: "SSH-ED25519 AAAA"},
		"GAME: X\nSIDE: Y\nROTATE: S/MIME 01:23\n":                     {Game: "X", Side: "Y", Rotate: "S/MIME 0123"},
		"GAME: X\nSIDE: Y\nROTATE:\n":                                  nil,
		"GAME: X\nSIDE: Y\nROTATE: SSH-ED25519\n":                      nil,
		"GAME: X\nSIDE: Y\nREVOKE\nMOVE\n":                             nil,
		"GAME: X\nSIDE: Y\nMOVE\nREVOKE\n":                             nil,
		"GAME: X\nSIDE: Y\nSERIAL: 3\nREVOKE\n":                        nil,
		"GAME: X\nGAME: Y\nREVOKE\n":                                   nil,
		"REVOKE\n":                                                     nil,
		"GAME: X\nSIDE: Y\nDONE!\nREVOKE\n":                            nil,
		"GAME: X\nSIDE: Y\n" + strings.Repeat("A", 300) + "\nREVOKE\n": nil,
	} {
		if !seats.IsIdentity(text) {
			t.Errorf("%q is no statement", text)
			continue
		}
		got, err := seats.ParseStatement(text)
		if (err == nil) != (want != nil) || want != nil && got != *want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "GAME: X\nMOVE\n1: REVOKE\n", "\u0085\nGAME: X\n"} {
		if seats.IsIdentity(text) {
			t.Errorf("%q is a statement", text)
		}
	}
}

// Commanders and deputies file with OpenPGP keys and certificates as players do: none of
// these keys goes along with the mail.
func TestEveryMethodCommands(t *testing.T) {
	for _, v := range []voice{pgpVoice(3, 0), pgpVoice(3, 1), pgpVoice(3, 2), smimeVoice(4), sshVoice(5)} {
		for _, deputy := range []bool{false, true} {
			g := newTable(t)
			g.seat("SOVIET")
			g.seat("GERMAN")
			key, err := seal.ParseKey(v.public)
			if err != nil {
				t.Fatal(err)
			}
			g.alter(func(game *store.Game) {
				who := store.Commander{Name: "Eva", Address: "eva@example.org", Key: key.String(), Deputy: deputy}
				if deputy {
					who.Stands = store.Span{From: g.clock.Add(-time.Hour), To: g.clock.Add(time.Hour)}
				} else {
					who.Leads = []string{"28 ARMY"}
				}
				game.Players[0].Commanders = []store.Commander{who}
			})
			g.post("EVA", v.body(g.sheet("SOVIET", 1, 1)))
			sheets, err := g.u.DB.AllSheets(g.game)
			if err != nil || len(sheets) == 0 {
				t.Errorf("%s, deputy %v: %d sheets, %v", v.name, deputy, len(sheets), err)
				continue
			}
			if _, err := g.u.Archive(g.game); err != nil {
				t.Errorf("%s, deputy %v: the archive: %v", v.name, deputy, err)
			}
			g.alter(func(game *store.Game) { game.Players[0].Commanders[0].Left = true })
			before := len(sheets)
			g.post("EVA", v.body(g.sheet("SOVIET", 1, 9)))
			if sheets, _ := g.u.DB.AllSheets(g.game); len(sheets) != before {
				t.Errorf("%s, deputy %v: who has left files", v.name, deputy)
			}
		}
	}
}

// What is signed and cannot count, by an expired certificate, packed by gpg, out of sight or
// passed on by another adjudicator, changes nothing, and its player reads why and what to do.
func TestWhatCannotCountIsAnswered(t *testing.T) {
	g := newTable(t)
	bruno, anna := smimeVoice(1), signers.NewPGP(1)
	g.seat("SOVIET")
	g.enrol("GERMAN", bruno)
	var packed strings.Builder
	armoured, err := armor.Encode(&packed, "PGP MESSAGE", nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := openpgp.Sign(armoured, anna.Entity, nil, signers.PGPConfig)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(w, g.sheet("SOVIET", 1, 1))
	if err := errors.Join(w.Close(), armoured.Close()); err != nil {
		t.Fatal(err)
	}
	block := crlf(g.signed("SOVIET", g.sheet("SOVIET", 1, 1)))
	before := g.journal()
	for _, c := range []struct{ side, content, about, says string }{
		{"SOVIET", "Content-Type: text/html\r\n\r\n<p>Hello</p><div style=\"display:none\"><pre>" + block + "</pre></div>", "no order sheet", "in a part of it that mail programs do not show"},
		{"SOVIET", "X-Fieldpost-Loop: another-club\r\nContent-Type: text/plain\r\n\r\n" + block, "no order sheet", "it was passed on as it came"},
		{"SOVIET", "Content-Type: text/plain\r\n\r\n" + packed.String(), "the signature", "It is signed, but nobody can read it here"},
		{"GERMAN", bruno.body(g.sheet("GERMAN", 1, 1)), "the signature", "that key has expired"},
	} {
		if c.side == "GERMAN" {
			g.clock = signers.Born.AddDate(3, 0, 0)
		}
		g.outbox(c.side)
		g.post(c.side, c.content)
		got := g.outbox(c.side)
		if len(got) != 1 || !strings.Contains(got[0].Subject, "NOT FILED: "+c.about) || !strings.Contains(oneLine(got[0].Texts[0].Text), c.says) {
			t.Errorf("%s: %d answers", c.says, len(got))
			for _, m := range got {
				t.Log(m.Subject, oneLine(m.Texts[0].Text))
			}
		}
	}
	if g.journal() != before {
		t.Error("something of it counts")
	}
}

// A server that does not know whether it handed a mail over hands it over again. The player who wrote
// once is answered once, even if their turn was played meanwhile; who sends a sheet anew in a mail of
// their own hears that it was filed.
func TestAMailThatIsDeliveredTwice(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	sheet := g.signed("SOVIET", "GAME: "+g.game+" SIDE: SOVIET TURN: 1 SERIAL: 1\nMOVE\nDONE!")
	raw := g.mail("SOVIET", sheet)
	g.receive(raw)
	g.outbox("SOVIET")
	g.mails++
	g.receive(append([]byte("Received: from mx2.example.org; Fri, 20 Nov 2026 12:00:09 +0000\r\n"), raw...))
	for _, m := range g.outbox("SOVIET") {
		t.Errorf("the second copy is answered: %s", m.Subject)
	}
	g.receive(g.mail("SOVIET", sheet))
	if again := g.outbox("SOVIET"); len(again) != 1 || !strings.Contains(again[0].Texts[0].Text, "This sheet is filed already.") {
		t.Errorf("a sheet that is sent anew is answered by %d mails", len(again))
	}
	// Nor is a copy answered that comes when no sheets are taken any more.
	for _, stops := range []string{"pause", "finish"} {
		g.act(stops, "", "SOVIET: agreed")
		g.outbox("SOVIET")
		g.mails++
		g.receive(append([]byte("Received: from "+stops+".example.org; Fri, 20 Nov 2026 12:00:10 +0000\r\n"), raw...))
		for _, m := range g.outbox("SOVIET") {
			t.Errorf("after %s a copy is answered: %s", stops, m.Subject)
		}
	}
}
