package umpire

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fieldpost/orders"
)

// letterFrom is a mail with a signed sheet that sends a letter to somebody.
func (g *gameTable) letterFrom(side, to, letter, sheet string) string {
	part, digest := orders.Press(letter)
	return g.signed(side, fmt.Sprintf("GAME: %s\nSIDE: %s\nPRESS: %s\nPRESS-SHA256: %s\n%s", g.game, side, to, digest, sheet)) + part
}

func TestPress(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	g.outbox("SOVIET")
	g.outbox("GERMAN")
	hear := func(side string) string {
		var b strings.Builder
		for _, m := range g.outbox(side) {
			b.WriteString(m.Subject + "\n" + strings.Join(strings.Fields(m.Texts[0].AsSent), " ") + "\n")
		}
		return b.String()
	}
	sheet := func(serial int) string { return fmt.Sprintf("TURN: 1\nSERIAL: %d\nMOVE\nDONE!\n", serial) }
	steps := []struct {
		name, body    string
		german, reply string // what they must read, "" for nothing
		plays         bool
	}{
		{"a letter alone", g.letterFrom("SOVIET", "GERMAN", "Dear enemy,\n\n  shall we stop at Merefa?", ""), "shall we stop at Merefa?", "passed on to GERMAN", false},
		{"the same again", g.letterFrom("SOVIET", "GERMAN", "Dear enemy,\n\n  shall we stop at Merefa?", ""), "", "passed on already", false},
		{"with another serial", g.letterFrom("SOVIET", "ALL", "Dear enemy,\n\n  shall we stop at Merefa?", "SERIAL: 2\n"), "shall we stop", "passed on to GERMAN", false},
		{"quoted and wrapped anew", "> " + strings.ReplaceAll(g.letterFrom("SOVIET", "ALL", "One word and another.", ""), "\n", "\n> "), "One word and another.", "passed on", false},
		{"a word changed", strings.Replace(g.letterFrom("SOVIET", "ALL", "I attack at Zmijew.", ""), "Zmijew", "Merefa", 1), "", "not the one that was signed", false},
		{"no letter", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nPRESS: ALL\nPRESS-SHA256: 00\n"), "", "no letter in the mail", false},
		{"to nobody", g.letterFrom("SOVIET", "FINN", "Hello.", ""), "", `nobody else plays "FINN"`, false},
		{"a letter of orders", g.letterFrom("SOVIET", "ALL", "GAME: "+g.game+" SIDE: SOVIET TURN: 1 SERIAL: 8\nMOVE\nDONE!\n"+g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\n"+sheet(9)), ""), "SERIAL: 8", "passed on", false},
		{"a stranger's", g.letterFrom("STRANGER", "ALL", "I give up.", ""), "", "no game here knows its key", false},
		{"orders whose letter is missing", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nPRESS: ALL\nPRESS-SHA256: 00\nTURN: 1\nSERIAL: 10\nMOVE\n343 INF TO 3807\n"), "", "not passed on", true},
		{"with orders", g.letterFrom("SOVIET", "GERMAN", "Your move.", sheet(11)), "Your move.", "passed on to GERMAN", true},
	}
	for _, s := range steps {
		before := g.journal()
		g.receive(g.mail("SOVIET", s.body))
		if (g.journal() != before) != s.plays {
			t.Errorf("%s: orders were read: %v, want %v", s.name, !s.plays, s.plays)
		}
		if got := hear("GERMAN"); !strings.Contains(got, s.german) || s.german == "" && got != "" {
			t.Errorf("%s: the German reads\n%s", s.name, got)
		}
		if got := hear("SOVIET"); !strings.Contains(got, s.reply) {
			t.Errorf("%s: the Soviet reads\n%s", s.name, got)
		}
	}
}

// A game says whether letters go without a name, when, and how many.
func TestPressAsAgreed(t *testing.T) {
	hear := func(g *gameTable, side string) string {
		var b strings.Builder
		for _, m := range g.outbox(side) {
			b.WriteString(m.Subject + "\n" + strings.Join(strings.Fields(m.Texts[0].AsSent), " ") + "\n")
		}
		return b.String()
	}
	begin := func(given ...string) *gameTable {
		g := newTable(t, given...)
		g.seat("SOVIET")
		g.seat("GERMAN")
		g.outbox("SOVIET")
		g.outbox("GERMAN")
		return g
	}
	for _, c := range []struct {
		name, option, as string
		german, reply    string // what they must read, "" for nothing
	}{
		{"signed is the default", "press=signed", "", "SOVIET writes to GERMAN", "passed on"},
		{"no name where none is agreed", "press=signed", "ANONYMOUS", "", "under the sender's side only"},
		{"no name", "press=anonymous", "ANONYMOUS", "Somebody writes to GERMAN", "passed on"},
		{"from the staff", "press=anonymous", "STAFF", "The staff of SOVIET writes to GERMAN", "passed on"},
		{"a name still", "press=anonymous", "SIGNED", "SOVIET writes to GERMAN", "passed on"},
		{"from nobody known", "press=anonymous", "KING", "", "is none of SIGNED, ANONYMOUS, STAFF"},
		{"none at all", "press=none", "", "", "no letters between players"},
	} {
		g := begin(c.option)
		head := ""
		if c.as != "" {
			head = "PRESS-AS: " + c.as + "\n"
		}
		g.receive(g.mail("SOVIET", g.letterFrom("SOVIET", "GERMAN", "Shall we stop?", head)))
		got := hear(g, "GERMAN")
		if !strings.Contains(got, c.german) || (c.german == "") != (got == "") {
			t.Errorf("%s: the German reads\n%s", c.name, got)
		}
		if c.as == "ANONYMOUS" && strings.Contains(strings.ToUpper(got), "SOVIET") {
			t.Errorf("%s: the writer is named:\n%s", c.name, got)
		}
		if got := hear(g, "SOVIET"); !strings.Contains(got, c.reply) {
			t.Errorf("%s: the Soviet reads\n%s", c.name, got)
		}
	}

	g := begin("press-delay=12h", "press-limit=3")
	for n := range 4 {
		g.receive(g.mail("SOVIET", g.letterFrom("SOVIET", "ALL", fmt.Sprintf("Letter %d.", n), fmt.Sprintf("SERIAL: %d\n", n+1))))
	}
	if got := hear(g, "SOVIET"); strings.Count(got, "] Your letter will be passed on to GERMAN") != 3 || !strings.Contains(got, "you have sent 3 letters today") {
		t.Errorf("the Soviet reads\n%s", got)
	}
	press := func() (due, all int) {
		mails, err := g.u.DB.Mails(g.game)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range mails {
			if m.Kind == "press" {
				if all++; !m.Next.After(g.clock) {
					due++
				}
			}
		}
		return due, all
	}
	if due, all := press(); due != 0 || all != 3 {
		t.Errorf("%d of %d letters may go at once", due, all)
	}
	g.clock = g.clock.Add(12 * time.Hour)
	if due, _ := press(); due != 3 {
		t.Errorf("%d letters may go after the delay", due)
	}
	g.receive(g.mail("SOVIET", g.letterFrom("SOVIET", "ALL", "Good morning.", "SERIAL: 9\n")))
	if _, all := press(); all != 4 {
		t.Errorf("%d letters the next day", all)
	}
}

// An answer to a letter without a name goes back to its writer, and does not tell whose side
// that is. Every letter says how it is answered.
func TestAnAnswerToAnAnonymousLetterNamesNobody(t *testing.T) {
	g := newTable(t, "press=anonymous")
	g.seat("SOVIET")
	g.seat("GERMAN")
	letter, digest := orders.Press("Who holds the bridge?")
	g.receive(g.mail("SOVIET", g.signed("SOVIET", fmt.Sprintf("GAME: %s\nSIDE: SOVIET\nPRESS: GERMAN\nPRESS-AS: ANONYMOUS\nPRESS-SHA256: %s\n", g.game, digest))+letter))
	got := g.lastOf("press", "GERMAN")
	if got == nil || !strings.Contains(got.Texts[0].AsSent, "To answer, reply and write above") {
		t.Fatalf("the letter: %+v", got)
	}
	g.outbox("GERMAN")
	g.receive(g.reply("GERMAN", "letter", "We do."))
	answers := g.outbox("GERMAN")
	if len(answers) != 1 || !strings.Contains(answers[0].Texts[0].AsSent, "to its writer") || strings.Contains(answers[0].Texts[0].AsSent, "Soviet") {
		t.Errorf("the answer to the answer: %+v", answers)
	}
	if back := g.lastOf("press", "SOVIET"); back == nil || !strings.Contains(back.Texts[0].AsSent, "We do.") {
		t.Errorf("what the writer gets: %+v", back)
	}
}
