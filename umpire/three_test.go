package umpire

import (
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/store"
)

// Three players, each with their own seat, sheets and reports: a turn goes round, allies
// read of each other, and who concedes leaves the game to the better of the others.
func TestThreePlayers(t *testing.T) {
	g := newTable(t, "scenario=two-stars", "players=three")
	made, err := g.u.DB.Game(g.game)
	if err != nil || strings.Join(made.Sides, " ") != "AMERICAN SOVIET GERMAN" {
		t.Fatalf("sides %v, %v", made.Sides, err)
	}
	for _, side := range made.Sides {
		g.seat(side)
	}
	begun := map[string]string{}
	for _, side := range made.Sides {
		for _, m := range g.outbox(side) {
			begun[side] += m.Texts[0].AsSent
		}
	}
	for side, wants := range map[string][]string{
		"AMERICAN": {"YOUR TURN      your sheet for turn 1: air, movement", "Allies, who have a player of their own", "Chemnitz"},
		"GERMAN":   {"you: GERMAN", "Allies, who have a player of their own", "271/69"},
		"SOVIET":   {"you: SOVIET"},
	} {
		for _, want := range wants {
			if !strings.Contains(begun[side], want) {
				t.Errorf("%s does not read %q in\n%s", side, want, begun[side])
			}
		}
	}
	if strings.Contains(begun["SOVIET"], "Allies, who") {
		t.Error("the Soviets have no allies")
	}
	send := func(side, sheet string) string {
		g.receive(g.mail(side, g.signed(side, "GAME: "+g.game+" SIDE: "+side+" TURN: 1 SERIAL: 1\n"+sheet)))
		text := ""
		for _, m := range g.outbox(side) {
			text += m.Texts[0].AsSent
		}
		return text
	}
	at := func() adjudicator.Phase {
		pos, err := g.u.DB.Load(g.game)
		if err != nil {
			t.Fatal(err)
		}
		game, _, err := g.u.RulesOf(pos.Game)
		if err != nil {
			t.Fatal(err)
		}
		p, err := game.At(pos.Latest.Snapshot)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if answer := send("AMERICAN", "MOVE\n  496/269 TO 4031\nDONE!\n"); !strings.Contains(answer, "you have no unit 496/269") {
		t.Errorf("an order for the ally's unit is answered\n%s", answer)
	}
	send("SOVIET", "DONE!\n")
	if p := at(); p.Side != "GERMAN" {
		t.Fatalf("it is the turn of %s: %s", p.Side, p.Label)
	}
	if answer := send("GERMAN", "MOVE\n  496/269 TO 4031\nDONE!\n"); !strings.Contains(answer, "OK 496/269") && !strings.Contains(answer, "4030") {
		t.Errorf("the German's own order is answered\n%s", answer)
	}
	if p := at(); p.Turn != 2 || p.Side != "AMERICAN" {
		t.Fatalf("the next turn is not the Americans': %+v", p)
	}
	g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+" SIDE: SOVIET TURN: 2 SERIAL: 2\nCONCEDE\n")))
	g.concessionCounts()
	end, err := g.u.DB.Game(g.game)
	if err != nil || end.Status != store.StatusFinished {
		t.Fatalf("%s, %v", end.Status, err)
	}
	pos, _ := g.u.DB.Load(g.game)
	game, _, _ := g.u.RulesOf(pos.Game)
	v, err := game.View(pos.Latest.Snapshot, "GERMAN")
	if err != nil || len(v.Score) != 3 {
		t.Fatalf("%v, %v", v.Score, err)
	}
	best := v.Score[0]
	if v.Score[2].Points > best.Points {
		best = v.Score[2]
	}
	if v.Winner != best.Side || v.Score[0].Points == v.Score[2].Points {
		t.Errorf("%q wins, the points are %v", v.Winner, v.Score)
	}
	g.proved()
}
