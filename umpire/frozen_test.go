package umpire

import (
	"errors"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/store"
	"fieldpost/umpire/intake"
	"fieldpost/umpire/match"
)

// brittle is a game whose rules fail while broken is set, or come out otherwise.
type brittle struct {
	adjudicator.Game
	broken, other *bool
}

func (b brittle) Play(position []byte, journal []adjudicator.Entry, dice adjudicator.Dice, answers adjudicator.Answerer) (adjudicator.Outcome, error) {
	if *b.broken {
		panic("a fault in the rules")
	}
	return b.Game.Play(position, journal, dice, answers)
}

func (b brittle) Opening() ([]byte, error) {
	opening, err := b.Game.Opening()
	if *b.other {
		opening = append(opening, ' ')
	}
	return opening, err
}

func TestAFrozenGameGoesOn(t *testing.T) {
	g := newTable(t)
	g.u.Library = &match.Library{}
	game, _, err := g.u.Scenario("kharkov-1942")
	if err != nil {
		t.Fatal(err)
	}
	broken, other := false, false
	g.u.Library.Entries["kharkov-1942"].Game = brittle{game, &broken, &other}
	g.seat("SOVIET")
	g.seat("GERMAN")
	if err := g.u.Resume(g.game); !errors.Is(err, intake.ErrNotFrozen) {
		t.Errorf("a running game: %v", err)
	}
	began := g.alter(func(*store.Game) {})
	g.outbox("SOVIET")
	broken = true
	sheet := g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+" SIDE: SOVIET TURN: 1 SERIAL: 1\nMOVE\nDONE!"))
	g.receive(sheet)
	frozen := func() store.Game {
		t.Helper()
		is, err := g.u.DB.Game(g.game)
		if err != nil || is.Status != store.StatusFrozen || is.Phases != began.Phases {
			t.Fatalf("%+v, %v", is, err)
		}
		return is
	}
	frozen()
	for _, side := range []string{"SOVIET", "GERMAN"} {
		if m, _ := g.last(side); !strings.Contains(m.Texts[0].AsSent, "stopped the game") {
			t.Errorf("%s is told %s", side, m.Texts[0].AsSent)
		}
	}
	if err := g.u.Resume(g.game); !errors.Is(err, match.ErrDiffers) {
		t.Errorf("with the fault still there: %v", err)
	}
	frozen()
	broken, other = false, true
	if err := g.u.Resume(g.game); !errors.Is(err, match.ErrDiffers) {
		t.Errorf("with rules that come out otherwise: %v", err)
	}
	frozen()
	other = false
	if err := g.u.Resume(strings.ToLower(g.game)); err != nil {
		t.Fatal(err)
	}
	is, err := g.u.DB.Game(g.game)
	if err != nil || is.Status != store.StatusRunning || is.Phases <= began.Phases || is.Players[0].Serial != 1 {
		t.Errorf("the sheet had no effect: %+v, %v", is, err)
	}
	var subjects []string
	for _, m := range g.outbox("SOVIET") {
		subjects = append(subjects, m.Subject)
	}
	if all := strings.Join(subjects, "\n"); len(subjects) != 3 || !strings.Contains(all, "goes on") || !strings.Contains(all, "PLAYED") {
		t.Errorf("Soviet gets\n%s", all)
	}
	after := g.alter(func(*store.Game) {})
	g.receive(sheet)
	if err := g.u.begun(); err != nil {
		t.Fatal(err)
	}
	if is, _ := g.u.DB.Game(g.game); is.Seq != after.Seq {
		t.Error("the sheet had its effect twice")
	}
}

// The process stops between the two Changes of a resumption.
func TestAResumptionThatWasStopped(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	sheet := g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+" SIDE: SOVIET TURN: 1 SERIAL: 1\nMOVE\nDONE!"))
	sha, err := g.u.DB.Spool(sheet)
	if err != nil {
		t.Fatal(err)
	}
	before := g.alter(func(*store.Game) {})
	if err := g.u.DB.Commit(store.Change{Handled: &store.Handled{SHA256: sha}, Notes: map[string][]byte{match.FrozenRecords.Name(g.game): []byte(sha)}}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := g.u.begun(); err != nil {
			t.Fatal(err)
		}
	}
	is, err := g.u.DB.Game(g.game)
	if err != nil || is.Phases <= before.Phases || is.Seq != before.Seq+1 {
		t.Errorf("%+v, %v", is, err)
	}
	if note, _ := g.u.DB.Note(match.FrozenRecords.Name(g.game)); note != nil {
		t.Error("the note is still there")
	}
}
