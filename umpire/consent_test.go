package umpire

import (
	"strings"
	"testing"

	"fieldpost/umpire/archive"
	"fieldpost/umpire/proof"
)

// A game that was conceded or drawn repeats and proves itself like any other.
func TestAGameEndedByConsentProvesItself(t *testing.T) {
	for _, command := range []string{"CONCEDE", "DRAW?"} {
		g := newTable(t)
		g.seat("SOVIET")
		g.seat("GERMAN")
		sheet := func(side, what, serial string) {
			g.receive(g.mail(side, g.signed(side, "GAME: "+g.game+" SIDE: "+side+" TURN: 1 SERIAL: "+serial+"\n"+what)))
		}
		sheet("SOVIET", "MOVE\nDONE!", "1")
		sheet("GERMAN", command, "1")
		if command == "DRAW?" {
			// The Soviets' next turn is the second.
			g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+" SIDE: SOVIET TURN: 2 SERIAL: 2\nDRAW?")))
		}
		g.concessionCounts()
		game, err := g.u.DB.Game(g.game)
		if err != nil || game.Status != "finished" {
			t.Fatalf("%s: the game is %s, %v", command, game.Status, err)
		}
		disclosed := 0
		mails, err := g.u.DB.Mails(g.game)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range mails {
			if m.Kind == "disclosure" {
				disclosed++
			}
		}
		if disclosed != 2 {
			t.Errorf("%s: %d players were sent the archive", command, disclosed)
		}
		raw, err := g.u.Archive(g.game)
		if err != nil {
			t.Fatal(err)
		}
		a, err := archive.Verify(raw, proof.Trust{})
		if err != nil {
			t.Errorf("%s: %v", command, err)
		}
		for _, u := range a.Unproven {
			if strings.Contains(u, "sheet") {
				t.Errorf("%s: %s", command, u)
			}
		}
	}
}
