package demo

import (
	"math/rand/v2"
	"strings"
	"testing"

	"fieldpost/demo/world"
	"time"

	"fieldpost/staff"
	"fieldpost/umpire/match"
)

// A game begins, each side has a report with a View, and a sheet that a player signs on
// it is filed; one that somebody else signed is not.
func TestAWorld(t *testing.T) {
	w, err := world.Open(t.TempDir(), world.Options{Address: "umpire@world.test", Instance: "world", Random: rand.NewChaCha8([32]byte{1}),
		Now: func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	g, players, err := w.Begin("prokhorovka", nil, func(side string) (string, string) { return side, strings.ToLower(side) + "@world.test" })
	if err != nil || len(players) != 2 {
		t.Fatal(players, err)
	}
	sent, err := w.Post()
	if err != nil || len(sent) < 4 {
		t.Errorf("only %d mails waited to be sent, %v", len(sent), err)
	}
	if again, err := w.Post(); err != nil || len(again) > 0 {
		t.Errorf("%d mails are sent twice, %v", len(again), err)
	}
	game, err := match.Scenario("prokhorovka")
	if err != nil {
		t.Fatal(err)
	}
	for i, signer := range []world.Player{players[1], players[0]} {
		p := players[0]
		v, err := w.LastView(g.ID, p.Side)
		if err != nil {
			t.Fatal(err)
		}
		sheet, err := staff.Officer{Game: game}.Sheet(v, i+1)
		if err != nil {
			t.Fatal(err)
		}
		m := world.Mail{From: p.Address, To: "umpire@world.test", Subject: "orders", ID: sheet[:4], Date: w.Umpire.Now()}
		if err := w.Receive(t.Context(), m.Plain(signer.Sign(sheet))); err != nil {
			t.Fatal(err)
		}
		filed, err := w.Umpire.DB.AllSheets(g.ID)
		if err != nil || len(filed) != i {
			t.Errorf("signed by %s: %d sheets of %s are filed, %v", signer.Side, len(filed), p.Side, err)
		}
	}
}

func TestMailOfPlayers(t *testing.T) {
	m := world.Mail{From: "a@world.test", To: "umpire@world.test", Subject: "Grüße", ID: "1", ReplyTo: "2@x", Date: time.Unix(0, 0).UTC()}
	want := "From: a@world.test\r\nTo: umpire@world.test\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nDate: Thu, 01 Jan 1970 00:00:00 +0000\r\nMIME-Version: 1.0\r\n" +
		"Message-ID: <1@world.test>\r\nIn-Reply-To: <2@x>\r\nReferences: <2@x>\r\nContent-Type: text/plain; charset=utf-8\r\n\r\none\r\ntwo\r\n"
	if got := string(m.Plain("one\ntwo\r\n")); got != want {
		t.Errorf("%q", got)
	}
}
