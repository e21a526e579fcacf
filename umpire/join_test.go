package umpire

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"regexp"
	"strings"
	"testing"
	"time"

	"fieldpost/umpire/acts"
	"fieldpost/umpire/intake"
	"fieldpost/umpire/post"
)

// heard is all that a side was mailed since the last look.
func (g *gameTable) heard(side string) string {
	var b strings.Builder
	for _, m := range g.outbox(side) {
		b.WriteString(m.Subject + "\n" + m.Texts[0].AsSent)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

var (
	joinCode  = regexp.MustCompile(`JOIN: (\S+)`)
	spareCode = regexp.MustCompile(`recovery code on paper: ([A-Z2-7-]+)\.`)
	sheetCode = regexp.MustCompile(`CODE: ([A-Z2-7-]+)`)
)

func found(t testing.TB, which *regexp.Regexp, text string) string {
	t.Helper()
	m := which.FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("no %v in\n%s", which, text)
	}
	return m[1]
}

func (g *gameTable) invite(side string) (code string) {
	g.t.Helper()
	if err := g.u.Invite(acts.Seat{Game: g.game, Side: side, Name: side, Address: strings.ToLower(side) + "@example.org"}); err != nil {
		g.t.Fatal(err)
	}
	return found(g.t, joinCode, g.heard(side))
}

// Two players join by mail, each by a method of their own; the second one begins the game.
func TestJoining(t *testing.T) {
	g := newTable(t)
	old := g.invite("SOVIET")
	code := g.invite("SOVIET")
	join := func(code, more string) string {
		return "GAME: " + g.game + "\nSIDE: SOVIET\nJOIN: " + code + "\n" + more
	}
	nonce := strings.Repeat("ab", 16)
	for _, c := range []struct{ name, body, answer string }{
		{"a code that was replaced", g.signed("SOVIET", join(old, "")), "the one of an earlier invitation"},
		{"a wrong code", g.signed("SOVIET", join("AAAAA-AAAAA-AAAAA-AAAAA-A", "")), "not the one of your invitation"},
		{"another side", g.signed("SOVIET", strings.Replace(join(code, ""), "SOVIET", "GERMAN", 1)), "not the one of your invitation"},
		{"another game", g.signed("SOVIET", strings.Replace(join(code, ""), g.game, "ABCDEFGH", 1)), "There is no game ABCDEFGH here"},
		{"no signature", join(code, ""), "One line is missing"},
		{"a spoilt signature", strings.Replace(g.signed("SOVIET", join(code, "")), "JOIN: ", "JOIN: A", 1), "the signature does not fit"},
		{"orders beside it", g.signed("SOVIET", join(code, "MOVE\nDONE!\n")), "and no orders"},
	} {
		for _, from := range []string{"STRANGER", "SOVIET"} {
			g.receive(g.mail(from, c.body))
			if game, _ := g.u.DB.Game(g.game); len(game.Players) > 0 {
				t.Fatalf("%s was good enough", c.name)
			}
			text := g.heard("SOVIET")
			if from == "STRANGER" && text+g.heard("STRANGER") != "" {
				t.Errorf("a stranger's mail with %s is answered:\n%s", c.name, text)
			}
			if answers := strings.Count(text, "["+g.game+"]"); from == "SOVIET" && (answers != 1 || !strings.Contains(text, c.answer)) {
				t.Errorf("%s has %d answers:\n%s", c.name, answers, text)
			}
		}
	}
	g.receive(g.mail("SOVIET", g.signed("SOVIET", join(code, "NONCE-SHA256: 12\n"))))
	if text := g.heard("SOVIET"); !strings.Contains(text, "64 hexadecimal digits") {
		t.Errorf("a short seal is answered by\n%s", text)
	}
	g.receive(g.mail("SOVIET", g.signed("SOVIET", join(code, "NONCE: "+nonce+"\n"))))
	if text := g.heard("SOVIET"); !strings.Contains(text, "sealed first") {
		t.Errorf("a nonce that is not sealed is answered by\n%s", text)
	}
	seal := sha256.Sum256(unhex(t, nonce))
	g.receive(g.mail("STRANGER", g.signed("SOVIET", strings.ToLower(join(code, fmt.Sprintf("NONCE-SHA256: %x\n", seal))))))
	if text := g.heard("SOVIET"); !strings.Contains(text, g.keys["SOVIET"].Public().Fingerprint()) || spareCode.FindString(text) == "" {
		t.Fatalf("the joining is confirmed by\n%s", text)
	}
	game, err := g.u.DB.Game(g.game)
	if err != nil || len(game.Players) != 1 || !bytes.Equal(game.Players[0].Sealed, seal[:]) || game.Players[0].Nonce != nil || game.Players[0].Address != "soviet@example.org" {
		t.Fatalf("the seat is %+v, %v", game.Players, err)
	}
	g.receive(g.mail("SOVIET", g.signed("STRANGER", join(code, ""))))
	if again, _ := g.u.DB.Game(g.game); again.Players[0].Key != game.Players[0].Key {
		t.Error("the code was good for a second key")
	}
	// The other joins with an OpenPGP key, which goes along.
	code = g.invite("GERMAN")
	v := pgpVoice(1, 1)
	g.post("GERMAN", "Content-Type: multipart/mixed; boundary=both\r\n\r\n--both\r\n"+v.body("GAME: "+g.game+"\nSIDE: GERMAN\nJOIN: "+code+"\n")+
		"\r\n--both\r\nContent-Type: application/pgp-keys; name=key.asc\r\n\r\n"+crlf(v.public)+"\r\n--both--\r\n")
	if text := g.heard("GERMAN"); !strings.Contains(text, "you play the German side") && !strings.Contains(text, "You play the German side") || strings.Contains(text, "report 1") {
		t.Fatalf("the second player reads\n%s", text)
	}
	g.openNonce("SOVIET", nonce)
	if text := g.heard("GERMAN"); !strings.Contains(text, "report 1") {
		t.Fatalf("at the beginning the second player reads\n%s", text)
	}
	if game, _ := g.u.DB.Game(g.game); game.Status != "running" {
		t.Errorf("with both players the game is %s", game.Status)
	}
	if err := g.u.Invite(acts.Seat{Game: g.game, Side: "GERMAN", Address: "x@example.org"}); err == nil {
		t.Error("a seat that is taken was offered again")
	}
}

func TestAnInvitationRunsOut(t *testing.T) {
	g := newTable(t)
	code := g.invite("SOVIET")
	g.clock = g.clock.Add(15 * 24 * time.Hour)
	g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nJOIN: "+code+"\n")))
	if text := g.heard("SOVIET"); !strings.Contains(text, "has run out") {
		t.Errorf("an old code is answered by\n%s", text)
	}
}

// A lost key: the recovery code brings another one after two days, with notice to
// all; the old key can object, and the code is good once.
func TestRecovery(t *testing.T) {
	begin := func() (*gameTable, string) {
		g := newTable(t)
		code := g.invite("SOVIET")
		g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nJOIN: "+code+"\n")))
		spare := found(t, spareCode, g.heard("SOVIET"))
		g.seat("GERMAN")
		g.heard("GERMAN")
		g.heard("SOVIET")
		return g, "GAME: " + g.game + "\nSIDE: SOVIET\nRECOVER: " + spare + "\n"
	}
	key := func(g *gameTable) string {
		game, _ := g.u.DB.Game(g.game)
		return game.Players[0].Key
	}
	g, statement := begin()
	old := key(g)
	g.receive(g.mail("SOVIET", g.signed("STRANGER", strings.Replace(statement, "RECOVER: ", "RECOVER: A", 1))))
	g.receive(g.mail("SOVIET", g.signed("GERMAN", statement)))
	if key(g) != old || !strings.Contains(g.heard("SOVIET"), "plays another side") {
		t.Error("a key of the enemy's is not refused")
	}
	g.receive(g.mail("SOVIET", g.signed("SOVIET2", statement)))
	for _, side := range []string{"SOVIET", "GERMAN"} {
		if text := g.heard(side); !strings.Contains(text, "have lost their key") || !strings.Contains(text, g.keys["SOVIET2"].Public().Fingerprint()) {
			t.Errorf("%s reads\n%s", side, text)
		}
	}
	g.receive(g.mail("SOVIET", g.signed("SOVIET3", statement)))
	g.clock = g.clock.Add(47 * time.Hour)
	g.u.RecoverDue()
	if key(g) != old {
		t.Error("the new key counts before its time")
	}
	g.clock = g.clock.Add(2 * time.Hour)
	g.u.RecoverDue()
	if key(g) != g.keys["SOVIET2"].Public().String() || !strings.Contains(g.heard("GERMAN"), "recovered") {
		t.Errorf("after two days the key is %s", key(g))
	}
	g.receive(g.mail("SOVIET", g.signed("SOVIET", g.sheet("SOVIET", 1, 5))))
	if !strings.Contains(g.heard("SOVIET"), "no game here knows its key") {
		t.Error("the old key is still good")
	}

	g, statement = begin()
	g.receive(g.mail("SOVIET", g.signed("STRANGER", statement)))
	g.heard("GERMAN")
	g.receive(g.mail("SOVIET", g.signed("SOVIET", g.sheet("SOVIET", 1, 5))))
	if text := g.heard("GERMAN"); !strings.Contains(text, "was not lost") {
		t.Errorf("the enemy reads\n%s", text)
	}
	g.clock = g.clock.Add(72 * time.Hour)
	g.u.RecoverDue()
	if key(g) != old {
		t.Error("the owner objected, and the key was changed all the same")
	}
}

// A player without a key: a code for each phase, shown in the roster for what it is.
func TestCodes(t *testing.T) {
	g := newTable(t)
	if err := g.u.Seat(acts.Seat{Game: g.game, Side: "SOVIET", Address: "soviet@example.org", Key: acts.ByCodes}); err != nil {
		t.Fatal(err)
	}
	g.seat("GERMAN")
	text := g.heard("SOVIET")
	code := found(t, sheetCode, text)
	if german := g.heard("GERMAN"); !strings.Contains(german, "no key: anybody who can read") || sheetCode.FindString(german) != "" {
		t.Errorf("the enemy reads\n%s", german)
	}
	sheet := func(code string, serial int, more string) string {
		return fmt.Sprintf("GAME: %s\nSIDE: SOVIET\nCODE: %s\nTURN: 1\nSERIAL: %d\nMOVE\n%s", g.game, code, serial, more)
	}
	quiet := func(name, from, body string) {
		t.Helper()
		before := g.journal()
		g.receive(g.mail(from, body))
		if g.journal() != before {
			t.Errorf("%s was accepted", name)
		}
	}
	quiet("no code", "SOVIET", strings.Replace(sheet(code, 1, ""), "CODE: "+code+"\n", "", 1))
	quiet("a code for the enemy", "SOVIET", strings.Replace(sheet(code, 1, ""), "SOVIET", "GERMAN", 1))
	quiet("a wrong code", "SOVIET", sheet("AAAA-AAAA-AAAA-AAAA", 1, ""))
	quiet("quoted", "SOVIET", "> "+strings.ReplaceAll(sheet(code, 1, "DONE!\n"), "\n", "\n> "))
	g.heard("SOVIET")
	before := g.journal()
	g.receive(g.mail("SOVIET", "Hello,\n\n"+sheet(strings.ToLower(code), 1, "DONE!\n")))
	if text := g.heard("SOVIET"); g.journal() == before || !strings.Contains(text, "(code)") {
		t.Fatalf("a good code is answered by\n%s", text)
	}
	sheets, err := g.u.DB.AllSheets(g.game)
	if err != nil || len(sheets) != 1 || strings.Contains(sheets[0].Canonical, code) {
		t.Errorf("kept are %+v, %v", sheets, err)
	}
	quiet("the code of the last phase", "SOVIET", sheet(code, 2, ""))
	fresh := phaseCodeNow(t, g)
	for range intake.CodeTries {
		quiet("guessing", "STRANGER", sheet("AAAA-AAAA-AAAA-AAAA", 3, ""))
	}
	quiet("the right code after too many wrong ones", "SOVIET", strings.Replace(sheet(fresh, 3, ""), "TURN: 1", "TURN: 2", 1))
}

// Who is invited may do without a key. From the first mail that their provider vouches
// for, a code counts only in mail that it vouches for.
func TestJoiningByCodes(t *testing.T) {
	g := newTable(t)
	s, record := signer(t, "example.org")
	g.u.LookupTXT = func(string) ([]string, error) { return []string{record}, nil }
	vouched := func(raw []byte) []byte {
		signed, err := s.Sign(raw)
		if err != nil {
			t.Fatal(err)
		}
		return signed
	}
	code := g.invite("SOVIET")
	statement := "GAME: " + g.game + "\nSIDE: SOVIET\nJOIN: " + code + "\n"
	seats := func() int {
		game, err := g.u.DB.Game(g.game)
		if err != nil {
			t.Fatal(err)
		}
		return len(game.Players)
	}
	for name, text := range map[string]string{
		"no key and no word of codes":    statement,
		"a wrong code":                   strings.Replace(statement, code, "AAAAA-AAAAA-AAAAA-AAAAA-A", 1) + "KEY: CODES\n",
		"a nonce that no key stands for": statement + "KEY: CODES\nNONCE-SHA256: " + strings.Repeat("ab", 32) + "\n",
		"a quotation":                    "> " + strings.ReplaceAll(statement, "\n", "\n> ") + "KEY: CODES\n",
	} {
		if g.receive(g.mail("SOVIET", text)); seats() != 0 {
			t.Fatalf("%s: somebody has joined", name)
		}
	}
	g.receive(vouched(g.mail("SOVIET", "Dear umpire,\n\n"+statement+"KEY: CODES\n\nYours, Anna\n")))
	if text := g.heard("SOVIET"); seats() != 1 || !strings.Contains(text, "You play by codes") {
		t.Fatalf("the answer is\n%s", text)
	}
	g.seat("GERMAN")
	g.heard("GERMAN")
	sheet := fmt.Sprintf("GAME: %s\nSIDE: SOVIET\nCODE: %s\nTURN: 1\nSERIAL: 1\nMOVE\n343 INF TO 3807\n", g.game, found(t, sheetCode, g.heard("SOVIET")))
	filed := func() int {
		sheets, err := g.u.DB.AllSheets(g.game)
		if err != nil {
			t.Fatal(err)
		}
		return len(sheets)
	}
	g.receive(g.mail("SOVIET", sheet))
	if text := g.heard("SOVIET"); filed() != 0 || !strings.Contains(text, "does not vouch for it") {
		t.Errorf("a code in mail that nobody vouches for is answered by\n%s", text)
	}
	other, _ := signer(t, "example.org")
	forged, err := other.Sign(g.mail("SOVIET", sheet))
	if err != nil {
		t.Fatal(err)
	}
	if g.receive(forged); filed() != 0 {
		t.Error("a code under a forged DKIM signature counts")
	}
	if g.receive(vouched(g.mail("SOVIET", sheet))); filed() != 1 {
		t.Errorf("a good code is answered by\n%s", g.heard("SOVIET"))
	}
	g.heard("SOVIET")

	// While the DNS is down nobody can say whether the provider vouches: the code does. For
	// mail that its provider has not signed, or another one has, it does not.
	g.u.LookupTXT = func(name string) ([]string, error) {
		return nil, &net.DNSError{Err: "server misbehaving", Name: name, IsTemporary: true}
	}
	g.clock = g.clock.Add(16 * time.Minute) // what the DNS said is kept for so long
	next := strings.Replace(sheet, "SERIAL: 1", "SERIAL: 2", 1)
	elsewhere, _ := signer(t, "example.com")
	foreign, err := elsewhere.Sign(g.mail("SOVIET", next))
	if err != nil {
		t.Fatal(err)
	}
	for what, raw := range map[string][]byte{"nobody": g.mail("SOVIET", next), "another provider": foreign} {
		if g.receive(raw); filed() != 1 {
			t.Errorf("while the DNS is down a code counts in mail signed by %s", what)
		}
	}
	g.heard("SOVIET")
	if g.receive(vouched(g.mail("SOVIET", next))); filed() != 2 {
		t.Errorf("while the DNS is down a good code is answered by\n%s", g.heard("SOVIET"))
	}
}

// phaseCodeNow is the Soviet player's code while the phase waits that waits now.
func phaseCodeNow(t testing.TB, g *gameTable) string {
	t.Helper()
	pos, err := g.u.DB.Load(g.game)
	if err != nil {
		t.Fatal(err)
	}
	game, _, err := g.u.RulesOf(pos.Game)
	if err != nil {
		t.Fatal(err)
	}
	at, err := game.At(pos.Latest.Snapshot)
	if err != nil {
		t.Fatal(err)
	}
	return post.PhaseCode(pos.Game, "SOVIET", at.Label)
}

// The letter with the code goes out although nobody has the seat yet; one to
// somebody else, who was invited before, does not any more.
func TestAnInvitationGoesOut(t *testing.T) {
	g := newTable(t)
	for _, address := range []string{"ann@example.org", "bob@example.org"} {
		if err := g.u.Invite(acts.Seat{Game: g.game, Side: "SOVIET", Address: address}); err != nil {
			t.Fatal(err)
		}
	}
	mails, err := g.u.DB.Mails(g.game)
	if err != nil || len(mails) != 2 {
		t.Fatalf("%d mails, %v", len(mails), err)
	}
	for _, m := range mails {
		to, err := g.u.Recipient(m)
		if m.To == "bob@example.org" && (err != nil || to != m.To) {
			t.Errorf("the invitation to %s goes to %q, %v", m.To, to, err)
		}
		if m.To == "ann@example.org" && !errors.Is(err, post.ErrMoved) {
			t.Errorf("the invitation to %s, in whose place another one was invited, goes to %q, %v", m.To, to, err)
		}
	}
}
