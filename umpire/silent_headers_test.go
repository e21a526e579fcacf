package umpire

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"fieldpost/adjudicator/view"
	"fieldpost/mailbox"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/proof"
)

// Two games are the same but for how often the Germans filed, checked, withdrew and wrote, and
// which numbers they gave their sheets. Nothing of any mail to the Soviets tells which of the two
// it is: no field of a header, no number, no name of a file, no envelope, no size and no time.
// What is left out of the comparison are hashes and signatures under keys of the daemon's.
func TestMailsDoNotTellHowMuchTheEnemyDid(t *testing.T) {
	few := soviet(t, func(g *gameTable, file func(by string, serial int, lines string)) {
		file("GERMAN2", 1, "STANDING\nALL RETREAT FULL, LOSSES WEAKEST FIRST\nDONE!")
	})
	many := soviet(t, func(g *gameTable, file func(by string, serial int, lines string)) {
		file("GERMAN", 3, "STANDING\nALL RETREAT NONE")
		file("GERMAN", 4, "CHECK\nSTANDING\nALL RETREAT NONE")
		file("GERMAN", 4, "WITHDRAW")
		file("GERMAN", 6, "ZONE: Europe/Prague\nADDRESS: newcomer@example.org")
		file("GERMAN", 7, "PICTURES: NONE\nSTANDING\nALL RETREAT NONE")
		file("GERMAN", 2, "MOVE") // too old
		g.receive(g.mail("GERMAN", "STATUS\n"))
		g.receive(g.mail("GERMAN", "What about the bridge at Zmijew?\n"))
		file("GERMAN2", 8, "STANDING\nALL RETREAT FULL, LOSSES WEAKEST FIRST\nDONE!")
	})
	if len(few) < 4 || len(few) != len(many) {
		t.Fatalf("the Soviets get %d mails, or %d", len(few), len(many))
	}
	for i := range few {
		if !bytes.Equal(few[i], many[i]) {
			t.Errorf("mail %d differs:\n%s", i+1, firstDifference(string(few[i]), string(many[i])))
		}
	}
}

// soviet is all that the Soviets get of a game in which the Germans do something in their
// first turn: envelopes, times and bytes.
func soviet(t *testing.T, does func(g *gameTable, file func(by string, serial int, lines string))) (got [][]byte) {
	t.Helper()
	g := newTable(t)
	g.moved = true
	g.seat("SOVIET")
	g.seat("GERMAN")
	file := func(by string, serial int, lines string) {
		side := strings.TrimSuffix(by, "2")
		g.receive(g.mail(by, g.signed(by, fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: 1\nSERIAL: %d\n%s\n", g.game, side, serial, lines))))
	}
	if _, err := g.u.Moderate(acts.Act{By: "test", Verb: "deputy", Game: g.game, Side: "GERMAN", Value: "german2@example.org FROM 2026-11-20 TO 2026-11-30"}); err != nil {
		t.Fatal(err)
	}
	g.receive(g.mail("GERMAN2", g.signed("GERMAN2", "GAME: "+g.game+"\nSIDE: GERMAN\nJOIN: "+g.lastCode()+"\n")))
	file("SOVIET", 1, "DONE!")
	g.clock = g.clock.Add(time.Hour)
	does(g, file)
	g.mails = 1000 // what the Soviets send is the same, byte by byte
	if _, err := g.u.Moderate(acts.Act{By: "test", Verb: "message", Game: g.game, Value: "Well played, both."}); err != nil {
		t.Fatal(err)
	}
	file("SOVIET", 2, "CHECK")
	g.receive(g.mail("SOVIET", "STATUS\n"))
	g.receive(g.mail("SOVIET", "REPORT 2\n"))
	mails, err := g.u.DB.Mails(g.game)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mails {
		if m.To != "soviet@example.org" {
			continue
		}
		raw, err := g.u.DB.MailBytes(m.SHA256)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, opaque.ReplaceAll(fmt.Appendf(nil, "%s %s %v %d bytes\n%s", m.From, m.To, m.Next, len(raw), readable(t, raw)), []byte("OPAQUE")))
	}
	return got
}

// opaque is what hashes and identifiers under keys of the daemon's look like: Message-IDs,
// tags of envelopes, boundaries, hashes in a line and in groups.
var opaque = regexp.MustCompile(`[a-z2-7]{24}@example\.org|b\.[a-z2-7]{20}\.[a-z2-7]{10}|=_fp\d_[0-9a-f]{32}|[0-9a-f]{64}|[0-9a-f]{4}( [0-9a-f]{4})+`)

// readable is a mail with all of its fields as they are, and its parts decoded.
func readable(t *testing.T, raw []byte) []byte {
	t.Helper()
	head, _, _ := bytes.Cut(raw, []byte("\r\n\r\n"))
	msg, err := mailbox.Read(raw)
	if err != nil {
		t.Fatal(err)
	}
	out := bytes.Clone(head)
	for _, p := range msg.Texts {
		out = fmt.Appendf(out, "\n%s", p.Text)
	}
	for _, f := range msg.Attachments {
		data := f.Data
		if f.Name == view.PackedFile {
			if data, err = view.Unpacked(data); err != nil {
				t.Fatal(err)
			}
		}
		if f.Name == proof.FileSignature {
			data = nil
		}
		out = fmt.Appendf(out, "\n%s, %d bytes\n%s", f.Name, len(f.Data), data)
	}
	return out
}
