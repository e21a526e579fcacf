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
	"fieldpost/umpire/match"
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
	second, err := g.u.DB.Note(audit.Records.Name(2))
	if err != nil {
		t.Fatal(err)
	}
	third, _ := g.u.DB.Note(audit.Records.Name(3))
	for name, c := range map[string]struct {
		note string
		text []byte
		says string
	}{
		"an altered entry":        {audit.Records.Name(2), []byte(strings.Replace(string(second), "paused", "passed", 1)), "entry 2 was changed"},
		"an entry taken out":      {audit.Records.Name(2), nil, "entry 2 is missing"},
		"the last one taken out":  {audit.Records.Name(3), nil, "it ends at entry 2, and 3 were written"},
		"two entries of one kind": {audit.Records.Name(2), third, "entry 2 is missing"},
	} {
		was, _ := g.u.DB.Note(c.note)
		g.commit(store.Change{Notes: map[string][]byte{c.note: c.text}})
		if _, err := g.u.Audit(""); !errors.Is(err, audit.ErrAltered) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
		g.commit(store.Change{Notes: map[string][]byte{c.note: was}})
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

// A moderator who lets a game go on before the deadline spoils nobody's record; a deadline that
// passes does.
func TestForcingIsNoLateness(t *testing.T) {
	g := newTable(t, "deadline=3d", "late=standing")
	g.seat("SOVIET")
	g.seat("GERMAN")
	late := func() (n [2]int) {
		game, _ := g.u.DB.Game(g.game)
		return [2]int{game.Players[0].LateTurns, game.Players[1].LateTurns}
	}
	g.act("force", "", "")
	if late() != [2]int{} {
		t.Errorf("after force there are turns without orders: %v", late())
	}
	if report := g.heard("GERMAN"); !strings.Contains(report, "The moderator did not wait for the orders of SOVIET.") {
		t.Errorf("the report says nothing of it: %s", report)
	}
	g.clock = g.clock.Add(4 * 24 * time.Hour)
	g.u.Tick(g.clock)
	if late() != [2]int{0, 1} {
		t.Errorf("after the deadline: %v", late())
	}
}

// What a rollback would do can be asked first: nothing of it is done.
func TestARollbackCanBeTried(t *testing.T) {
	g := newTable(t, "undo=15m")
	g.seat("SOVIET")
	g.seat("GERMAN")
	g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nDONE!\n")))
	for range 2 {
		g.pass("time", 15*time.Minute)
	}
	g.receive(g.mail("GERMAN", g.signed("GERMAN", "GAME: "+g.game+"\nSIDE: GERMAN\nTURN: 1\nSERIAL: 1\nMOVE\n  211/71 INF TO 2009\nDONE\n")))
	thought := func() bool { text, _ := g.u.DB.Note(match.ThoughtRecords.Name(g.game)); return text != nil }
	if !thought() {
		t.Fatal("the second sheet was to wait for a second thought")
	}
	before := g.journal()
	try := acts.Act{By: "test", Verb: "rollback", Game: g.game, Value: "before SOVIET turn 1", Dry: true}
	done, err := g.u.Moderate(try)
	says := strings.Join(done.Says, "\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"back to before turn 1", "Undone: 6 phases", "SOVIET: sheet 1 no longer counts", "GERMAN: sheet 1 no longer counts", "GERMAN had a report", "Nothing was done; 2 mails would go out."} {
		if !strings.Contains(says, want) {
			t.Errorf("there is no %q in\n%s", want, says)
		}
	}
	if game, _ := g.u.DB.Game(g.game); g.journal() != before || !thought() || game.Rollbacks != 0 {
		t.Error("trying it has changed the game")
	}
	g.act("rollback", "", "before SOVIET turn 1: we agreed to")
	game, _ := g.u.DB.Game(g.game)
	if thought() || game.Players[0].Serial != 0 || game.Players[1].Serial != 0 {
		t.Errorf("after it: a thought %v, serials %d and %d", thought(), game.Players[0].Serial, game.Players[1].Serial)
	}
	if got := g.heard("SOVIET"); !strings.Contains(got, "SHEETS Sheet 1 no longer counts; the next one may be numbered 1.") {
		t.Errorf("SOVIET reads\n%s", got)
	}
	// The very sheet is known; another one takes its number.
	g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nDONE!\n")))
	if got := g.heard("SOVIET"); !strings.Contains(got, "file it again after the game was set back") {
		t.Errorf("the very sheet again: %s", got)
	}
	g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nMOVE\nDONE!\n")))
	if game, _ := g.u.DB.Game(g.game); game.Players[0].Serial != 1 {
		t.Errorf("the next sheet 1: %s", g.heard("SOVIET"))
	}
	if _, err := g.u.Moderate(acts.Act{By: "test", Verb: "force", Game: g.game, Dry: true}); err == nil || !strings.Contains(err.Error(), "rollback") {
		t.Errorf("force can be tried: %v", err)
	}
}

// Who edits a position in the midst of a phase whose dice were seen has it played with others.
func TestAnEditAfterDiceBringsOthers(t *testing.T) {
	g := newTable(t, "ask=all")
	g.seat("SOVIET")
	g.seat("GERMAN")
	open := func() *store.OpenPhase {
		pos, err := g.u.DB.Load(g.game)
		if err != nil {
			t.Fatal(err)
		}
		return pos.Open
	}
	g.act("edit", "", "PUT 211/71 2009")
	if name := open().Phase; strings.Contains(name, "again") {
		t.Errorf("nothing was thrown, and the phase is %s", name)
	}
	g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nMODE: ASK\nDONE!\n")))
	if rolled, err := match.HasRolled(open()); err != nil || !rolled {
		t.Fatalf("no dice were thrown in %s: %v", open().Phase, err)
	}
	was := open().Phase
	g.act("edit", "", "PUT 211/71 2008")
	if name := open().Phase; name == was || !strings.Contains(name, "again 1") {
		t.Errorf("the phase is %s, it was %s", name, was)
	}
	if _, err := g.u.Replay(g.game, true); err != nil {
		t.Error(err)
	}
}
