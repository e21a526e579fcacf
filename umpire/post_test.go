package umpire

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base32"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
	"github.com/emersion/go-msgauth/dkim"

	"fieldpost/demo/postoffice"
	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/store"
	"fieldpost/umpire/intake"
	"fieldpost/umpire/post"
	"fieldpost/umpire/proof"
)

// returned is Postfix's bounce of a mail, to an envelope sender.
func returned(to, recipient, status, action string) []byte {
	return []byte(strings.ReplaceAll(fmt.Sprintf(`Return-Path: <>
Delivered-To: %[1]s
From: MAILER-DAEMON@mx.example.org (Mail Delivery System)
To: %[1]s
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

This is the mail system.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org
X-Postfix-Queue-ID: 1234

Final-Recipient: rfc822; %[2]s
Original-Recipient: rfc822;%[2]s
Action: %[4]s
Status: %[3]s
Remote-MTA: dns; 127.0.0.1
Diagnostic-Code: smtp; 550 %[3]s <%[2]s> User doesn't
    exist: %[2]s
--b
Content-Type: text/rfc822-headers

Subject: x
--b--
`, to, recipient, status, action), "\n", "\r\n"))
}

func (g *gameTable) take(raw []byte) {
	g.t.Helper()
	g.mails++
	r := mailbox.Raw{Key: mailbox.Key{Box: "INBOX", UIDValidity: 1, UID: uint32(g.mails)}, New: true, InternalDate: g.clock, Bytes: raw, Size: int64(len(raw))}
	if err := g.u.Receive(context.Background(), r); err != nil {
		g.t.Fatal(err)
	}
}

// sent marks every queued mail as taken by a server.
func (g *gameTable) sent() (mails []store.Mail) {
	g.t.Helper()
	all, err := g.u.DB.Mails(g.game)
	if err != nil {
		g.t.Fatal(err)
	}
	for _, m := range all {
		if m.State == store.MailQueued {
			if _, err := g.u.DB.MarkSending(m.ID, g.clock); err != nil {
				g.t.Fatal(err)
			}
			if err := g.u.DB.MarkResult(m.ID, store.Result{State: store.MailAccepted, At: g.clock}); err != nil {
				g.t.Fatal(err)
			}
		}
	}
	mails, _ = g.u.DB.Mails(g.game)
	return mails
}

func TestBounces(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	mails := g.sent() // invitation and report, for each
	bySide := func(side string) (out []store.Mail) {
		for _, m := range mails {
			if m.Side == side {
				out = append(out, m)
			}
		}
		return out
	}
	ours := bySide("SOVIET")
	state := func(m store.Mail) store.MailState { now, _ := g.u.DB.Mail(m.ID); return now.State }
	for what, raw := range map[string][]byte{
		"a forged tag":         returned(strings.Replace(ours[0].From, ".", ".x", 2), ours[0].To, "5.1.1", "failed"),
		"another recipient":    returned(ours[0].From, "german@example.org", "5.1.1", "failed"),
		"only delayed":         returned(ours[0].From, ours[0].To, "4.4.1", "delayed"),
		"to our plain address": returned("umpire@example.org", ours[0].To, "5.1.1", "failed"),
	} {
		g.take(raw)
		if s := state(ours[0]); s != store.MailAccepted {
			t.Errorf("after a bounce with %s the mail is %s", what, s)
		}
	}
	g.take(returned(strings.ToUpper(ours[0].From), ours[0].To, "5.1.1", "failed"))
	if s := state(ours[0]); s != store.MailBounced {
		t.Errorf("after its bounce the mail is %s", s)
	}
	player := func() store.Player { game, _ := g.u.DB.Game(g.game); return game.Players[0] }
	if _, usable := g.u.Route(player()); !usable {
		t.Error("one bounce suspends the address")
	}
	g.take(returned(ours[1].From, ours[1].To, "5.1.1", "failed"))
	if _, usable := g.u.Route(player()); usable {
		t.Error("two bounces do not suspend the address")
	}
	if to, hold := g.u.Recipient(ours[1]); hold == nil {
		t.Errorf("mail goes out to %s all the same", to)
	}
	// With a second address the mail goes there.
	if err := g.u.SetSecond(g.game, "SOVIET", "ivan@example.net"); err != nil {
		t.Fatal(err)
	}
	if to, hold := g.u.Recipient(ours[1]); hold == nil {
		t.Errorf("mail goes to %q, which has not been confirmed", to)
	}
	g.receive(bytes.Replace(g.mail("IVAN", "GAME: "+g.game+"\nSIDE: SOVIET\nCONFIRM: "+g.lastCode()+"\n"), []byte("ivan@example.org"), []byte("ivan@example.net"), 1))
	if to, hold := g.u.Recipient(ours[1]); to != "ivan@example.net" {
		t.Errorf("mail goes to %q, %v", to, hold)
	}
	// What had come back goes there too, as soon as the address is kept.
	for _, m := range ours[:2] {
		now, err := g.u.DB.Mail(m.ID)
		if err != nil || now.State != store.MailQueued || now.Next.After(g.clock.Add(time.Minute)) {
			t.Errorf("%s came back from the first address, and is %s until %v, %v", now.Kind, now.State, now.Next, err)
		}
	}
	// Who does not want to wait and asks for a report has it now.
	asked := bytes.Replace(g.mail("IVAN", "REPORT 1\n"), []byte("ivan@example.org"), []byte("ivan@example.net"), 1)
	g.receive(asked)
	if now, err := g.u.DB.Mail(ours[1].ID); err != nil || now.Next.After(g.clock) {
		t.Errorf("a report that was asked for waits until %v, %v", now.Next, err)
	}
	g.clock = g.clock.Add(time.Minute)
	g.sent()
	g.take(returned(ours[1].From, "ivan@example.net", "5.1.1", "failed"))
	// They write: all is as before, and their report tells which ones they missed.
	g.receive(g.mail("SOVIET", "STATUS\n"))
	if a, usable := g.u.Route(player()); !usable || a != "soviet@example.org" {
		t.Errorf("after they wrote mail goes to %q, %v", a, usable)
	}
	text := post.MissedReports(func() []store.Mail { m, _ := g.u.DB.Mails(g.game); return m }(), "SOVIET", 0)
	if !strings.Contains(text, "report 1 did not reach you") {
		t.Errorf("the gap: %q", text)
	}
	if s := post.MissedReports(nil, "SOVIET", 0); s != "" {
		t.Errorf("no gap: %q", s)
	}
}

// A mail for a seat goes only to an address of whoever has the seat.
func TestRecipientIsCheckedAgain(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	mails, _ := g.u.DB.Mails(g.game)
	m := mails[0]
	if to, hold := g.u.Recipient(m); to != "soviet@example.org" || hold != nil {
		t.Errorf("%q, %v", to, hold)
	}
	m.To = "german@example.org"
	if to, hold := g.u.Recipient(m); hold == nil {
		t.Errorf("a mail for the Soviet side would go to %q", to)
	}
}

func TestAnswersHaveALimit(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	g.outbox("SOVIET")
	for range intake.AnswersPerPlayer + 5 {
		g.receive(g.mail("SOVIET", "STATUS\n"))
	}
	got := g.outbox("SOVIET")
	if len(got) != intake.AnswersPerPlayer+1 || !strings.Contains(got[len(got)-1].Subject, "last answer for today") {
		t.Errorf("%d answers, the last %q", len(got), got[len(got)-1].Subject)
	}
	g.outbox("GERMAN")
	g.receive(g.mail("GERMAN", "STATUS\n"))
	if n := len(g.outbox("GERMAN")); n != 1 {
		t.Errorf("the other player gets %d answers", n)
	}
	g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nMOVE\n343 INF TO 3807\n")))
	if n := len(g.outbox("SOVIET")); n != 1 {
		t.Errorf("a sheet that counts gets %d answers", n)
	}
	g.clock = g.clock.Add(24 * time.Hour)
	g.receive(g.mail("SOVIET", "STATUS\n"))
	if n := len(g.outbox("SOVIET")); n != 1 {
		t.Errorf("the day after there are %d answers", n)
	}
}

// signer is a provider that signs for its domain.
func signer(t *testing.T, domain string) (*mailbox.Signer, string) {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "dkim.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := mailbox.NewSigner(mailbox.DKIMConfig{Domain: domain, Selector: "s", KeyFile: file})
	if err != nil {
		t.Fatal(err)
	}
	return s, "v=DKIM1; k=ed25519; p=" + base64.StdEncoding.EncodeToString(public)
}

func TestStrangers(t *testing.T) {
	g := newTable(t)
	s, record := signer(t, "mail.example.com")
	g.u.SignUp = true
	g.u.LookupTXT = func(domain string) ([]string, error) { return []string{record}, nil }
	welcomes := func() (n int) {
		queue, err := g.u.DB.Queue(g.clock, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range queue {
			if m.Kind != "welcome" {
				continue
			}
			n++
			raw, _ := g.u.DB.MailBytes(m.SHA256)
			msg, err := mailbox.Read(raw)
			if m.From != "" || m.To != "stranger@example.com" || err != nil || msg.To[0] != m.To || !strings.Contains(msg.Texts[0].Text, g.game) {
				t.Errorf("%+v\n%s", m, raw)
			}
		}
		return n
	}
	letter := func(n int) []byte {
		return fmt.Appendf(nil, "From: stranger@example.com\r\nTo: umpire@example.org\r\nSubject: may I\r\nMessage-ID: <%d@example.com>\r\n\r\nplay?\r\n", n)
	}
	sign := func(raw []byte) []byte {
		signed, err := s.Sign(raw)
		if err != nil {
			t.Fatal(err)
		}
		return signed
	}
	g.take(letter(1))
	g.take(bytes.Replace(sign(letter(2)), []byte("play?"), []byte("prey?"), 1))
	g.take(bytes.Replace(sign(letter(3)), []byte("From: stranger@example.com"), []byte("From: victim@example.net"), 1))
	if n := welcomes(); n != 0 {
		t.Errorf("%d answers to mail that nobody vouches for", n)
	}
	g.take(sign(letter(4)))
	g.take(sign(letter(5)))
	if n := welcomes(); n != 1 {
		t.Errorf("%d answers in a day", n)
	}
	g.clock = g.clock.Add(24 * time.Hour)
	g.u.SignUp = false
	g.take(sign(letter(6)))
	if n := welcomes(); n != 1 {
		t.Error("a stranger is answered where sign-up is not open")
	}
}

func TestMailIsSignedForTheDomain(t *testing.T) {
	g := newTable(t)
	var record string
	g.u.DKIM, record = signer(t, "example.org")
	g.seat("SOVIET")
	mails, _ := g.u.DB.Mails(g.game)
	raw, err := g.u.DB.MailBytes(mails[0].SHA256)
	if err != nil {
		t.Fatal(err)
	}
	found, err := dkim.VerifyWithOptions(bytes.NewReader(raw), &dkim.VerifyOptions{LookupTXT: func(string) ([]string, error) { return []string{record}, nil }})
	if err != nil || len(found) != 1 || found[0].Err != nil || found[0].Domain != "example.org" {
		t.Errorf("%+v, %v", found, err)
	}
}

// A player with an OpenPGP key asks for encrypted mail: from then on nothing of
// their game goes over the net in the open, and their program opens and checks it.
func TestConfidentialReports(t *testing.T) {
	g := newTable(t)
	anna, err := openpgp.NewEntity("Anna", "", "soviet@example.org", &packet.Config{Algorithm: packet.PubKeyAlgoEdDSA, Time: func() time.Time { return g.clock.Add(-time.Hour) }})
	if err != nil {
		t.Fatal(err)
	}
	var public strings.Builder
	w, _ := armor.Encode(&public, openpgp.PublicKeyType, nil)
	anna.Serialize(w)
	w.Close()
	if err := g.u.AddPlayer(g.game, "SOVIET", "Anna", "soviet@example.org", public.String()); err != nil {
		t.Fatal(err)
	}
	g.seat("GERMAN")
	invitation := g.outbox("SOVIET")[0]
	sign := func(sheet string) []byte {
		text := strings.ReplaceAll("Content-Type: text/plain; charset=utf-8\n\n"+orders.Canonical(sheet), "\n", "\r\n")
		var sig bytes.Buffer
		if err := openpgp.ArmoredDetachSign(&sig, anna, strings.NewReader(text), &packet.Config{Time: func() time.Time { return g.clock }}); err != nil {
			t.Fatal(err)
		}
		g.mails++
		return fmt.Appendf(nil, "From: soviet@example.org\r\nMessage-ID: <%d@x>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/signed; micalg=pgp-sha256; protocol=\"application/pgp-signature\"; boundary=b\r\n\r\n--b\r\n%s\r\n--b\r\nContent-Type: application/pgp-signature\r\n\r\n%s\r\n--b--\r\n", g.mails, text, sig.String())
	}
	g.take(sign("GAME: " + g.game + "\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nENCRYPT\n\nMOVE\n\nDONE!\n"))
	envelope, err := g.u.Key.Envelope(g.u.Address)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := envelope.Public()
	if err != nil {
		t.Fatal(err)
	}
	daemon, err := openpgp.ReadArmoredKeyRing(strings.NewReader(ours))
	if err != nil {
		t.Fatal(err)
	}
	brings := func(m *mailbox.Message) bool {
		return slices.ContainsFunc(m.Attachments, func(a mailbox.Attachment) bool {
			return a.Name == proof.FileKey && strings.ReplaceAll(string(a.Data), "\r\n", "\n") == ours
		})
	}
	if !brings(invitation) {
		t.Error("the invitation does not bring our OpenPGP key")
	}
	opened, brought := 0, 0
	for _, m := range g.outbox("SOVIET") {
		if m.Subject != "[...]" || len(m.Texts) != 0 {
			t.Errorf("in the open: %q, %d texts", m.Subject, len(m.Texts))
			continue
		}
		sent, err := g.u.DB.FindMessage(m.MessageID)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := g.u.DB.MailBytes(sent.SHA256)
		if err != nil {
			t.Fatal(err)
		}
		block, err := armor.Decode(bytes.NewReader(raw[bytes.Index(raw, []byte("-----BEGIN PGP")):]))
		if err != nil {
			t.Fatal(err)
		}
		md, err := openpgp.ReadMessage(block.Body, append(openpgp.EntityList{anna}, daemon...), nil, &packet.Config{Time: func() time.Time { return g.clock }})
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(md.UnverifiedBody)
		if err != nil || md.SignatureError != nil || md.SignedBy == nil {
			t.Errorf("opening: %v, signature %v", err, md.SignatureError)
		}
		inner, err := mailbox.Read(content)
		if err != nil || !strings.Contains(inner.Subject, g.game) || len(inner.Texts) != 2 {
			t.Errorf("inside: %v, %q", err, inner.Subject)
		}
		opened++
		if brings(inner) {
			brought++
		}
	}
	if brought != 1 {
		t.Errorf("%d mails bring our OpenPGP key, not the acknowledgement alone", brought)
	}
	if opened != 2 { // the acknowledgement and the report
		t.Errorf("%d mails were opened", opened)
	}
	for _, m := range g.outbox("GERMAN") {
		if m.Subject == "[...]" {
			t.Error("the other player's mail is encrypted")
		}
	}
	g.take(sign("GAME: " + g.game + "\nSIDE: SOVIET\nTURN: 2\nSERIAL: 2\nPLAINTEXT\n"))
	if got := g.outbox("SOVIET"); len(got) != 1 || got[0].Subject == "[...]" {
		t.Errorf("after PLAINTEXT: %d mails, %q", len(got), got[0].Subject)
	}
	g.take(g.mail("SOVIET", "KEYS"))
	if got := g.outbox("SOVIET"); len(got) != 1 || !brings(got[0]) || !strings.Contains(got[0].Texts[0].AsSent, g.u.Key.Public().ID()) {
		t.Errorf("KEYS is answered with %d mails, none of them with the keys", len(got))
	}
}

// A vacation program that does not say that it is one gets no answer; a player
// whose subject sounds like one and who sends a sheet does.
func TestSubjectsOfTheAbsent(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	g.outbox("SOVIET")
	for subject, answers := range map[string]int{"Out of office: Re: your orders are due": 0, "ABWESENHEITSNOTIZ": 0, "Автоответ": 0, "In the office": 1} {
		g.receive(bytes.Replace(g.mail("SOVIET", "I am at the sea.\n"), []byte("Subject: orders"), []byte("Subject: "+subject), 1))
		if n := len(g.outbox("SOVIET")); n != answers {
			t.Errorf("%q gets %d answers, want %d", subject, n, answers)
		}
	}
	sheet := g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\n"))
	g.receive(bytes.Replace(sheet, []byte("Subject: orders"), []byte("Subject: Out of office tomorrow, so here they are"), 1))
	if n := len(g.outbox("SOVIET")); n != 1 {
		t.Errorf("a sheet under such a subject gets %d answers", n)
	}
}

// Forged mail without a signature uses up none of the answers that a player's signed mail
// has, nor the other way round.
func TestForgeriesUseUpNoAnswers(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	g.outbox("SOVIET")
	for range intake.AnswersPerPlayer + 5 {
		g.receive(g.mail("SOVIET", "STATUS\n"))
	}
	if got := g.outbox("SOVIET"); len(got) != intake.AnswersPerPlayer+1 {
		t.Fatalf("%d answers to unsigned mail", len(got))
	}
	for n := range intake.AnswersPerPlayer + 5 {
		g.receive(g.mail("SOVIET", g.signed("SOVIET", fmt.Sprintf("GAME: %s\nSIDE: SOVIET\nTURN: 9\nSERIAL: %d\n", g.game, n+1))))
		if got := g.outbox("SOVIET"); len(got) != 1 && n <= intake.AnswersPerPlayer || len(got) > 0 && n > intake.AnswersPerPlayer {
			t.Errorf("signed mail %d has %d answers", n+1, len(got))
		}
	}
	g.clock = g.clock.AddDate(0, 0, 1)
	g.receive(g.mail("SOVIET", "STATUS\n"))
	if got := g.outbox("SOVIET"); len(got) != 1 {
		t.Errorf("the next day %d answers", len(got))
	}
}

// While the DNS is asked about a stranger's mail the games go on, and it is not asked
// without end.
func TestTheDNSHoldsNothingUp(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	s, record := signer(t, "mail.example.com")
	g.u.SignUp = true
	asked := 0
	g.u.LookupTXT = func(string) ([]string, error) {
		asked++
		all := make(chan struct{})
		go func() {
			g.u.Writing.Lock()
			defer g.u.Writing.Unlock()
			close(all)
		}()
		select {
		case <-all:
		case <-time.After(5 * time.Second):
			t.Error("a lane is held while the DNS is asked")
		}
		return []string{record}, nil
	}
	for n := range 100 {
		raw, err := s.Sign(fmt.Appendf(nil, "From: stranger%d@example.com\r\nTo: umpire@example.org\r\nSubject: may I\r\nMessage-ID: <s%d@example.com>\r\n\r\nplay?\r\n", n, n))
		if err != nil {
			t.Fatal(err)
		}
		g.take(raw)
		g.clock = g.clock.Add(16 * time.Second) // what was asked is kept
	}
	if asked < 2 || asked > 4 {
		t.Errorf("100 mails of one domain in 27 minutes: the DNS was asked %d times", asked)
	}
	if queue, err := g.u.DB.Queue(g.clock, 0); err != nil || len(queue) < 20 {
		t.Errorf("%d mails go out, %v", len(queue), err)
	}
}

// Neither the Message-ID of a mail nor the address that it comes back to tells anything of
// how often the enemy wrote: both are as if drawn by lot for who has not the daemon's key.
func TestIdentifiersTellNothing(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	for n := range 3 {
		g.receive(g.mail("GERMAN", g.signed("GERMAN", fmt.Sprintf("GAME: %s\nSIDE: GERMAN\nTURN: 1\nSERIAL: %d\nSTANDING\nALL RETREAT FULL\n", g.game, n+1))))
	}
	g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nDONE!\n")))
	game, err := g.u.DB.Game(g.game)
	if err != nil {
		t.Fatal(err)
	}
	mails, err := g.u.DB.Mails(g.game)
	if err != nil || len(mails) < 6 {
		t.Fatalf("%d mails, %v", len(mails), err)
	}
	opaque := regexp.MustCompile(`^[a-z]+\.[a-z2-7]{24}@example\.org$`)
	for _, m := range mails {
		raw, err := g.u.DB.MailBytes(m.SHA256)
		if err != nil {
			t.Fatal(err)
		}
		read, err := mailbox.Read(raw)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range append(slices.Clone(read.References), read.MessageID) {
			if ours := !strings.HasPrefix(id, "mail-"); ours && !opaque.MatchString(id) {
				t.Errorf("a %s has the identifier %q", m.Kind, id)
			}
		}
		for n := range game.Seq + 3 {
			id := strings.ToLower(fmt.Sprintf("%s.%s.%s.%d@example.org", m.Kind, g.game, m.Side, n))
			sum := sha256.Sum256([]byte(id))
			if guess := strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:20]); m.ID == guess || strings.Contains(m.From, guess) {
				t.Errorf("the %s comes back to %s, which tells change %d of the game", m.Kind, m.From, n)
			}
		}
	}
}

// A mail that the server puts off waits for half a minute, one whose connection broke for two seconds and then
// for half a minute, and one that our own stop cut short not at all: who takes over sends it.
func TestHowLongAMailWaits(t *testing.T) {
	for what, c := range map[string]struct {
		fault func(o *postoffice.Office, stop func(), stopped <-chan bool)
		waits []time.Duration
	}{
		"the server puts it off": {func(o *postoffice.Office, _ func(), _ <-chan bool) {
			o.FailData(1, 451, "greylisted")
			o.FailData(2, 451, "greylisted")
		}, []time.Duration{30 * time.Second, time.Minute}},
		"the connection breaks": {func(o *postoffice.Office, _ func(), _ <-chan bool) {
			o.DropAfterData(1)
			o.DropAfterData(2)
		}, []time.Duration{2 * time.Second, 30 * time.Second}},
		"the login is refused": {func(o *postoffice.Office, _ func(), _ <-chan bool) {
			o.FailLogin(1)
		}, []time.Duration{30 * time.Second}},
		"we stop": {func(o *postoffice.Office, stop func(), stopped <-chan bool) {
			o.OnDelivery(func(string, string, []byte) { stop(); <-stopped }) // the server answers too late
		}, []time.Duration{0}},
	} {
		t.Run(what, func(t *testing.T) {
			g := newTable(t)
			g.seat("SOVIET")
			p := newPostbox(g)
			queue, err := g.u.DB.Queue(g.clock, 0)
			if err != nil || len(queue) == 0 {
				t.Fatal(queue, err)
			}
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			stopped := make(chan bool)
			c.fault(p.office, stop, stopped)
			for _, waits := range c.waits {
				if _, err := g.u.SendDue(ctx, p.sender); err != nil {
					t.Fatal(err)
				}
				m, err := g.u.DB.Mail(queue[0].ID)
				if got := m.Next.Sub(g.clock); err != nil || m.State != store.MailQueued || got != waits {
					t.Errorf("the mail is %s and waits for %v, want %v, %v", m.State, got, waits, err)
				}
				g.clock = m.Next
			}
			close(stopped)
		})
	}
}
