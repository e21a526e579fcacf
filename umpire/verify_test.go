package umpire

import (
	"bytes"
	"encoding/base64"
	"regexp"
	"strings"
	"testing"

	"fieldpost/adjudicator/view"
	"fieldpost/mailbox"
	"fieldpost/store"
	"fieldpost/umpire/archive"
	"fieldpost/umpire/proof"
)

// firstReport plays a Soviet turn with combats and returns the German's
// invitation and report of it, as sent.
func firstReport(t *testing.T) (g *gameTable, invitation, report []byte) {
	g = newTable(t)
	g.illustrated()
	g.seat("SOVIET")
	g.seat("GERMAN")
	g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+" SIDE: SOVIET TURN: 1 SERIAL: 1\nMOVE\nDONE!")))
	mails, err := g.u.DB.Mails(g.game)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mails {
		if m.Side != "GERMAN" {
			continue
		}
		raw, err := g.u.DB.MailBytes(m.SHA256)
		if err != nil {
			t.Fatal(err)
		}
		switch m.Kind {
		case "invitation":
			invitation = raw
		case "report":
			report = raw
		}
	}
	return g, invitation, report
}

func TestAReportVerifies(t *testing.T) {
	_, invitation, report := firstReport(t)
	trust, err := archive.TrustFrom(invitation)
	if err != nil {
		t.Fatal(err)
	}
	found, err := proof.Verify(report, trust)
	if err != nil {
		t.Fatal(err)
	}
	m, err := mailbox.Read(report)
	if err != nil {
		t.Fatal(err)
	}
	files := len(m.Attachments) // the page is listed beside them, the signature is not
	if found.Dice < 5 || files < 6 || found.Files != files || len(found.Unproven) != 0 {
		t.Errorf("found %+v; want several random events, %d files and nothing unproven", found, files)
	}
	found, err = proof.Verify(report, proof.Trust{})
	if err != nil || len(found.Unproven) != 2 {
		t.Errorf("without keys: %v, unproven %q; want both keys unproven", err, found.Unproven)
	}
	if _, err := archive.TrustFrom(report); err == nil {
		t.Error("keys were taken from a report instead of an invitation")
	}
}

var toldOnce = regexp.MustCompile(`dice (\d) (\d) \(`)

func TestATamperedReportIsFoundOut(t *testing.T) {
	g, invitation, report := firstReport(t)
	trust, err := archive.TrustFrom(invitation)
	if err != nil {
		t.Fatal(err)
	}
	change := func(old, new string) func([]byte) []byte {
		return func(b []byte) []byte {
			if !bytes.Contains(b, []byte(old)) {
				t.Fatalf("the report holds no %q", old)
			}
			return bytes.Replace(b, []byte(old), []byte(new), 1)
		}
	}
	m, err := mailbox.Read(report)
	if err != nil {
		t.Fatal(err)
	}
	told := toldOnce.FindStringSubmatch(m.Texts[0].AsSent)
	worse := "dice " + told[1] + " " + string('1'+(told[2][0]-'0')%6) + " ("
	seen := base64.StdEncoding.EncodeToString(attachment(t, m, view.PackedFile))[:60]
	for name, c := range map[string]struct {
		spoil func([]byte) []byte
		want  string
	}{
		"a die of the story":      {change(told[0], worse), "signature does not fit"},
		"a die of the HTML":       {func(b []byte) []byte { return swapLast(b, told[0], worse) }, "HTML part tells"},
		"a digit of a proof":      {func(b []byte) []byte { return flipProof(t, b) }, "proof is not good"},
		"the score":               {change("SCORE", "SCORF"), "signature does not fit"},
		"the view":                {change(seen[:20], "AAAA"+seen[4:20]), "view.json is not the one"},
		"the signature left away": {change("name=\"report.sig\"", "name=\"report.sxg\""), "no signature"},
	} {
		_, err := proof.Verify(c.spoil(bytes.Clone(report)), trust)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s changed: %v, want %q", name, err, c.want)
		}
	}
	// Another game's keys.
	if _, err := proof.Verify(report, proof.Trust{DiceKey: strings.Replace(trust.DiceKey, trust.DiceKey[20:24], "0000", 1), DaemonKey: trust.DaemonKey}); err == nil {
		t.Error("the report verifies with another dice key")
	}
	if _, err := proof.Verify(report, proof.Trust{DiceKey: trust.DiceKey, DaemonKey: g.keys["STRANGER"].Public().String()}); err == nil {
		t.Error("the report verifies with another daemon's key")
	}
	if _, err := proof.Verify([]byte("Subject: hello\r\n\r\nnothing"), trust); err == nil {
		t.Error("any mail verifies as a report")
	}
}

func attachment(t *testing.T, m *mailbox.Message, name string) []byte {
	for _, a := range m.Attachments {
		if a.Name == name {
			return a.Data
		}
	}
	t.Fatal("no " + name)
	return nil
}

// swapLast replaces the last occurrence: the HTML part comes after the text part.
func swapLast(b []byte, old, new string) []byte {
	i := bytes.LastIndex(b, []byte(old))
	return append(append(bytes.Clone(b[:i]), new...), b[i+len(old):]...)
}

// flipProof alters a digit of the first proof in the view of a report.
func flipProof(t *testing.T, b []byte) []byte {
	m, err := mailbox.Read(b)
	if err != nil {
		t.Fatal(err)
	}
	packed := attachment(t, m, view.PackedFile)
	text, err := view.Unpacked(packed)
	const mark = `"proof":"`
	at := bytes.Index(text, []byte(mark)) + len(mark) + 30
	if err != nil || at < 30+len(mark) {
		t.Fatalf("no proof: %v", err)
	}
	text[at] = "123456789abcdef0"[strings.IndexByte("0123456789abcdef", text[at])]
	again, err := view.Packed(text)
	if err != nil {
		t.Fatal(err)
	}
	was := store.Base64Lines(packed)
	if !bytes.Contains(b, was) {
		t.Fatal("the view does not stand in the mail as it was expected")
	}
	return bytes.Replace(b, was, store.Base64Lines(again), 1)
}
