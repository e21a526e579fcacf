package umpire

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldpost/mailbox"
)

// weekly are twelve ordinary mails of a week's play to one side, by what each of them is.
func weekly(t *testing.T) (names []string, mails []*mailbox.Message) {
	t.Helper()
	g := newTable(t, "deadline=3d", "undo=15m")
	g.seat("SOVIET")
	g.seat("GERMAN")
	take := func(name string, is func(*mailbox.Message) bool) {
		t.Helper()
		for _, m := range g.outbox("SOVIET") {
			if is(m) {
				names, mails = append(names, name), append(mails, m)
				return
			}
		}
		t.Fatalf("there is no mail: %s", name)
	}
	kind := func(k string) func(*mailbox.Message) bool {
		return func(m *mailbox.Message) bool { return strings.HasPrefix(m.MessageID, k+".") }
	}
	sheet := func(side string, turn, serial int, more string) {
		g.receive(g.mail(side, g.signed(side, fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: %d\nSERIAL: %d\n%s", g.game, side, turn, serial, more))))
	}
	pass := func(d time.Duration) {
		g.clock = g.clock.Add(d)
		g.u.Tick(g.clock)
	}
	take("the first report", kind("report"))
	sheet("SOVIET", 1, 1, "MOVE\n  343 INF TO 3807\n")
	take("a sheet filed", kind("ack"))
	sheet("SOVIET", 1, 2, "MOVE\n  343 INF TO 3907\n  51 CAV TO 3807\nDONE\n")
	take("a sheet held", kind("ack"))
	sheet("SOVIET", 1, 3, "ZONE: Europe/Berlin\n")
	take("a line of the head", kind("ack"))
	sheet("SOVIET", 1, 3, "MOVE\n")
	take("a SERIAL that was used", kind("refusal"))
	pass(49 * time.Hour)
	take("a reminder", kind("reminder"))
	sheet("SOVIET", 1, 4, "DONE\n")
	take("the report of one's own turn", kind("report"))
	g.receive(g.mail("SOVIET", "STATUS\n"))
	take("an answer to STATUS", kind("note"))
	g.receive(g.mail("SOVIET", fmt.Sprintf("GAME: %s\nSIDE: SOVIET\nTURN: 2\nSERIAL: 5\nMOVE\n  343 INF TO 3807\nDONE\n", g.game)))
	take("a sheet that is not signed", kind("refusal"))
	sheet("GERMAN", 1, 1, "MOVE\nDONE!\n")
	take("the report of the enemy's turn", kind("report"))
	sheet("SOVIET", 2, 5, "MOVE\n  343 INF TO 3807\nDONE\n")
	take("a sheet for the next turn", kind("ack"))
	pass(73 * time.Hour)
	take("the next report", kind("report"))
	return names, mails
}

// saysWhatOthersSay begin the lines that stand alike in every mail of their kind, before the
// part at the end that does.
var saysWhatOthersSay = []string{"HOW  ", "TO TRY FIRST", "XX not accepted", "When you are ready", "If you want it just so", "Sheet digest", "Signed with"}

// repeated counts the lines of a mail that say what every mail of its kind does: keys, how to
// sign, how to confirm, digests, the sheet to fill in, the footer. Proofs, for programs to
// check, stand below them, and nothing that a person needs does.
func repeated(t *testing.T, text string) (n int) {
	t.Helper()
	text, proofs, _ := strings.Cut(text, "below: proofs and hashes")
	for _, needed := range []string{"moderates this game", "HOW TO ", "REMARKS", "WHAT HAPPENED"} {
		if strings.Contains(proofs, needed) {
			t.Errorf("%s stands below the proofs", needed)
		}
	}
	atEnd, goesOn := false, false
	for line := range strings.Lines(text) {
		blank, indented := strings.TrimSpace(line) == "", strings.HasPrefix(line, "  ")
		line = strings.TrimSpace(line)
		switch {
		case line == "KEYS", line == "A SHEET TO BEGIN WITH", strings.HasPrefix(line, "HOW TO "), strings.HasSuffix(line, "moderates this game: moderator@example.org."):
			atEnd = true
		case slices.ContainsFunc(saysWhatOthersSay, func(begins string) bool { return strings.HasPrefix(line+"  ", begins) }):
			goesOn = true
			n++
			continue
		}
		goesOn = goesOn && indented && !blank
		if (atEnd || goesOn) && !blank {
			n++
		}
	}
	return n
}

// The mails of an ordinary week: what they weigh, and how much of them says nothing new. None
// repeats more than a screen.
func TestAnOrdinaryWeeksMails(t *testing.T) {
	const screen = 24
	names, mails := weekly(t)
	var sizes []int
	for i, m := range mails {
		text := m.Texts[0].AsSent
		sizes = append(sizes, len(text))
		n := repeated(t, text)
		t.Logf("%6d characters, %3d lines, %2d of them repeated  %s", len(text), strings.Count(text, "\n"), n, names[i])
		if n == 0 || n > screen {
			t.Errorf("%s: %d lines are keys, signing, sheet and footer\n%s", names[i], n, text)
		}
	}
	slices.Sort(sizes)
	n := len(sizes)
	median := (sizes[n/2-1] + sizes[n/2]) / 2
	t.Logf("%d mails, median %d characters", n, median)
	if median > 1500 {
		t.Errorf("half of the mails are longer than %d characters", median)
	}
}
