package umpire

import (
	"errors"
	"strings"
	"testing"

	"fieldpost/store"
	"fieldpost/umpire/turns"
)

// alter changes what is kept of a game.
func (g *gameTable) alter(f func(*store.Game)) store.Game {
	g.t.Helper()
	game, err := g.u.DB.Game(g.game)
	if err != nil {
		g.t.Fatal(err)
	}
	seq := game.Seq
	f(&game)
	g.commit(store.Change{Game: &game, Expect: seq})
	game, err = g.u.DB.Game(g.game)
	if err != nil {
		g.t.Fatal(err)
	}
	return game
}

func TestAGameOfAnotherVersionStaysAsItIs(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	sheet := func(serial string) []byte {
		return g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+" SIDE: SOVIET TURN: 1 SERIAL: "+serial+"\nMOVE\nDONE!"))
	}
	was := g.alter(func(*store.Game) {})
	if was.ScenarioHash == "" {
		t.Error("the game does not know its scenario's hash")
	}
	for what, change := range map[string]func(*store.Game){
		"rules":         func(x *store.Game) { x.RulesVersion = "0" },
		"scenario hash": func(x *store.Game) { x.ScenarioHash = strings.Repeat("a", 64) },
	} {
		before := g.alter(change)
		g.outbox("SOVIET")
		g.receive(sheet("5"))
		after, err := g.u.DB.Game(g.game)
		if err != nil || after.Seq != before.Seq || after.Phases != before.Phases || after.Status != store.StatusRunning {
			t.Errorf("%s: the game went from %d to %d, %v", what, before.Seq, after.Seq, err)
		}
		if mails := g.outbox("SOVIET"); len(mails) != 1 || !strings.Contains(strings.Join(strings.Fields(mails[0].Texts[0].Text), " "), "another version") {
			t.Errorf("%s: %d mails came back", what, len(mails))
		}
		all, err := g.u.Summaries(g.game)
		if err != nil || !strings.Contains(all[0].Blocked, "another version") {
			t.Errorf("%s: the moderator sees %+v, %v", what, all, err)
		}
		if r, err := g.u.Replay(g.game, false); err != nil || len(r.Wrong) != 1 {
			t.Errorf("%s: replay says %+v, %v", what, r, err)
		}
		if _, err := g.u.Archive(g.game); err == nil {
			t.Errorf("%s: an archive was made with files that are not the game's", what)
		}
		g.alter(func(x *store.Game) { x.RulesVersion, x.ScenarioHash = was.RulesVersion, was.ScenarioHash })
	}
	g.receive(sheet("6"))
	if after, _ := g.u.DB.Game(g.game); after.Phases <= was.Phases {
		t.Error("with the old version again the game does not go on")
	}
}

// While the daemons over a database are replaced by those of a newer program, one of before may be given
// a sheet of a game that it may not go on with: it leaves it to the others, and answers nothing.
func TestAGameOfANewerVersionIsLeftToTheNewerDaemons(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	before := g.alter(func(x *store.Game) { x.RulesVersion = "99" })
	g.outbox("SOVIET")
	sheet := g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+" SIDE: SOVIET TURN: 1 SERIAL: 5\nMOVE\nDONE!"))
	g.u.Upgrading = func() bool { return true }
	if err := brought(g.u, sheet); !errors.Is(err, store.ErrElsewhere) {
		t.Errorf("beside a newer daemon: %v", err)
	}
	if after, err := g.u.DB.Game(g.game); err != nil || after.Seq != before.Seq || len(g.outbox("SOVIET")) > 0 {
		t.Errorf("the game went from %d to %d, or somebody was answered, %v", before.Seq, after.Seq, err)
	}
	g.u.Upgrading = func() bool { return false }
	g.receive(sheet)
	if mails := g.outbox("SOVIET"); len(mails) != 1 {
		t.Errorf("%d mails say that nobody can go on with it", len(mails))
	}
}

func TestTheEndIsDisclosedOnce(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	owe := func() {
		g.commit(store.Change{Notes: map[string][]byte{turns.DisclosureRecords.Name(g.game): {}}})
		if err := g.u.begun(); err != nil { // as after a crash
			t.Fatal(err)
		}
	}
	sent := func() (n int) {
		mails, err := g.u.DB.Mails(g.game)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range mails {
			if m.Kind == "disclosure" {
				n++
			}
		}
		return n
	}
	owe()
	if n := sent(); n != 0 {
		t.Fatalf("%d archives went out before the end", n)
	}
	g.alter(func(x *store.Game) { x.Status = store.StatusFinished })
	g.u.Tick(g.clock) // what could not be disclosed is tried again
	if n := sent(); n != 2 {
		t.Errorf("%d archives went out when it was tried again, want one to each side", n)
	}
	owe()
	if n := sent(); n != 2 {
		t.Errorf("%d archives went out, want one to each side", n)
	}
	if left, _ := turns.DisclosureRecords.All(g.u.DB); len(left) > 0 {
		t.Errorf("still owed: %v", left)
	}
}
