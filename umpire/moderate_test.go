package umpire

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"fieldpost/mailbox"
	"fieldpost/orders"
	"fieldpost/store"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/audit"
)

// act has the moderator do something that must succeed.
func (g *gameTable) act(verb, side, value string) acts.Done {
	g.t.Helper()
	done, err := g.u.Moderate(acts.Act{By: "test", Verb: verb, Game: g.game, Side: side, Value: value})
	if err != nil {
		g.t.Fatalf("%s: %v", verb, err)
	}
	return done
}

func TestTheAuditLogShowsWhoeverTampers(t *testing.T) {
	g := newTable(t, "deadline=3d")
	g.seat("SOVIET")
	g.seat("GERMAN")
	g.act("extend", "", "2d")
	g.act("pause", "", "")
	g.act("unpause", "", "")
	if all, err := g.u.Audit(""); err != nil || len(all) != 3 {
		t.Fatalf("%d entries, %v", len(all), err)
	}
	second, err := g.u.DB.Note(audit.AuditNote(2))
	if err != nil {
		t.Fatal(err)
	}
	third, _ := g.u.DB.Note(audit.AuditNote(3))
	for name, c := range map[string]struct {
		note string
		text []byte
		says string
	}{
		"an altered entry":        {audit.AuditNote(2), []byte(strings.Replace(string(second), "paused", "passed", 1)), "entry 2 was changed"},
		"an entry taken out":      {audit.AuditNote(2), nil, "entry 2 is missing"},
		"the last one taken out":  {audit.AuditNote(3), nil, "it ends at entry 2, and 3 were written"},
		"two entries of one kind": {audit.AuditNote(2), third, "entry 2 is missing"},
	} {
		was, _ := g.u.DB.Note(c.note)
		if err := g.u.DB.Commit(store.Change{Notes: map[string][]byte{c.note: c.text}}); err != nil {
			t.Fatal(err)
		}
		if _, err := g.u.Audit(""); !errors.Is(err, audit.ErrAltered) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
		if err := g.u.DB.Commit(store.Change{Notes: map[string][]byte{c.note: was}}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := g.u.Audit(""); err != nil {
		t.Errorf("put back as it was: %v", err)
	}
}

func TestActsThatAreNotPossible(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	for _, c := range []struct{ verb, side, value, says string }{
		{"promote", "", "", "no such act"},
		{"extend", "", "soon", "write 36h, 3d"},
		{"rollback", "", "99: why not", "they go from 1 to"},
		{"rollback", "", "1", "say after a colon why"},
		{"rollback", "", "before GERMAN turn 9: why not", "say, for example, before SOVIET turn 1"},
		{"unpause", "", "", "not paused"},
		{"message", "FRENCH", "Hello", "it has SOVIET and GERMAN"},
		{"address", "GERMAN", "nowhere", "nowhere"},
		{"edit", "", "PUT GOD 1904", ""},
	} {
		before := g.journal()
		_, err := g.u.Moderate(acts.Act{By: "test", Verb: c.verb, Game: g.game, Side: c.side, Value: c.value})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s %s: %v", c.verb, c.value, err)
		}
		if g.journal() != before {
			t.Errorf("%s %s changed the game", c.verb, c.value)
		}
	}
}

// A game that went back and forth proves itself, and a phase that is played again
// has other dice.
func TestBackAndForth(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	turn := "GAME: " + g.game + "\nSIDE: SOVIET\nTURN: 1\nSERIAL: %s\nDONE!\n"
	g.receive(g.mail("SOVIET", g.signed("SOVIET", strings.Replace(turn, "%s", "1", 1))))
	game, _ := g.u.DB.Game(g.game)
	last := game.Phases
	done := g.act("rollback", "", "1: the test wants it")
	if says := strings.Join(done.Says, "\n"); !strings.Contains(says, "GERMAN had a report") {
		t.Errorf("who had seen what is undone: %s", says)
	}
	g.receive(g.mail("SOVIET", g.signed("SOVIET", strings.Replace(turn, "%s", "2", 1))))
	g.act("rollback", "", "5: back again") // forth again, to what was left
	game, _ = g.u.DB.Game(g.game)
	if game.Phases < 2*last {
		t.Errorf("the journal has %d phases; nothing of the %d before may be gone", game.Phases, last)
	}
	rolls := map[string]string{}
	phases, _ := g.u.DB.Journal(g.game)
	for _, p := range phases {
		if len(p.Journal) > 4 && strings.Contains(string(p.Journal), "combat") {
			rolls[p.Phase] = string(p.Journal)
		}
	}
	if len(rolls) < 2 {
		t.Fatalf("one combat phase was to be played twice: %d", len(rolls))
	}
	seen := map[string]bool{}
	for phase, j := range rolls {
		if seen[j] {
			t.Errorf("%s has the dice of another phase", phase)
		}
		seen[j] = true
	}
	if a, err := g.u.archived(g.game); err != nil {
		t.Errorf("%+v %v", a, err)
	}
	if r, err := g.u.Replay(g.game, true); err != nil || len(r.Wrong) > 0 {
		t.Errorf("the repeat: %v %v", r.Wrong, err)
	}
}

// A moderator who has used the highest SERIAL is told what helps, not to write one that no sheet may have.
func TestAModeratorsSerialsEnd(t *testing.T) {
	g := newTable(t, "deadline=3d")
	g.seat("SOVIET")
	g.seat("GERMAN")
	act := func(serial int) {
		t.Helper()
		g.receive(g.mail("MODERATOR", g.signed("MODERATOR", fmt.Sprintf("GAME: %s\nSERIAL: %d\nMODERATE: EXTEND 1d\n", g.game, serial))))
	}
	last := func() string {
		t.Helper()
		queue, err := g.u.DB.Queue(g.clock.Add(time.Hour), 0)
		if err != nil {
			t.Fatal(err)
		}
		to := ""
		for _, m := range queue {
			if m.To != "moderator@example.org" {
				continue
			}
			raw, err := g.u.DB.MailBytes(m.SHA256)
			if err != nil {
				t.Fatal(err)
			}
			read, err := mailbox.Read(raw)
			if err != nil {
				t.Fatal(err)
			}
			to = strings.Join(strings.Fields(read.Texts[0].AsSent), " ")
		}
		return to
	}
	if act(orders.MaxSerial + 1); !strings.Contains(last(), "a whole number up to 1000000000") {
		t.Errorf("a SERIAL that is too high: %s", last())
	}
	if act(orders.MaxSerial); !strings.Contains(last(), "deadline") || strings.Contains(last(), "nothing was changed") {
		t.Errorf("the highest SERIAL: %s", last())
	}
	for _, serial := range []int{8, orders.MaxSerial} {
		if act(serial); !strings.Contains(last(), "no SERIAL is higher") || !strings.Contains(last(), "another key") || strings.Contains(last(), "1000000001") {
			t.Errorf("after the highest SERIAL: %s", last())
		}
	}
}
