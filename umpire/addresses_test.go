package umpire

import (
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"fieldpost/store"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/club"
	"fieldpost/umpire/post"
)

// toEach are all mails of the store by the addresses that they go to, whatever they are about.
func (g *gameTable) toEach() map[string][]store.Mail {
	g.t.Helper()
	all := map[string][]store.Mail{}
	queue, err := g.u.DB.Queue(g.clock.AddDate(1, 0, 0), 0)
	if err != nil {
		g.t.Fatal(err)
	}
	for _, m := range queue {
		all[m.To] = append(all[m.To], m)
	}
	return all
}

// Nothing but invitations and codes goes to addresses that players name in their sheets, and
// no more of these in a day than the bounds allow: to one address, of one seat, in all.
func TestMailsToNewAddressesAreBounded(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	g.u.FirstMails, g.moved = 9, true
	serial := map[string]int{}
	file := func(side, line string) string {
		serial[side]++
		g.receive(g.mail(side, g.signed(side, fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: 1\nSERIAL: %d\n%s\n", g.game, side, serial[side], line))))
		return g.heard(side)
	}
	today := func() int {
		s, err := g.u.Status()
		if err != nil {
			t.Fatal(err)
		}
		return s.NewAddresses
	}
	// One address gets three in a day, whoever asks, and by whatever line.
	for i := range 6 {
		line := "ADDRESS: victim@example.com"
		if i%2 == 1 {
			line = "DEPUTY: victim@example.com"
		}
		file("SOVIET", line)
	}
	if got := len(g.toEach()["victim@example.com"]); got != 3 {
		t.Errorf("%d mails to one address in a day", got)
	}
	// One side has five in a day.
	for i := range 10 {
		said := file("SOVIET", fmt.Sprintf("DEPUTY: victim%d@example.com", i))
		if refused := strings.Contains(said, "your side has asked for 5"); refused != (i >= 2) {
			t.Errorf("deputy %d: %s", i, said)
		}
	}
	if got := today(); got != 5 {
		t.Errorf("status says %d mails to new addresses, there were 5", got)
	}
	// The daemon has nine in a day, those of moderators among them.
	for i := range 10 {
		err := g.u.Invite(acts.Seat{Game: g.openGame(), Side: "SOVIET", Address: fmt.Sprintf("guest%d@example.com", i)})
		if refused := errors.Is(err, post.ErrFirstMails); refused != (i >= 4) {
			t.Errorf("invitation %d: %v", i, err)
		}
	}
	if said := file("GERMAN", "ADDRESS: other@example.com"); !strings.Contains(said, "as many as the configuration allows") {
		t.Errorf("beyond the bound: %s", said)
	}
	// Whoever has a seat has answered us: moderators may write to them.
	if err := g.u.Invite(acts.Seat{Game: g.openGame(), Side: "GERMAN", Address: "soviet@example.org"}); err != nil {
		t.Errorf("a player is not invited to another game: %v", err)
	}
	s, err := g.u.Status()
	if err != nil || s.NewAddresses != 9 || s.NewAddressesBound != 9 {
		t.Errorf("status says %d of %d, %v", s.NewAddresses, s.NewAddressesBound, err)
	}
	var page strings.Builder
	if err := s.Board(&page, club.BoardOptions{}); err != nil || !strings.Contains(page.String(), "ALARM: no more mail goes to new addresses today") {
		t.Errorf("%v in the status:\n%s", err, page.String())
	}
	for to, mails := range g.toEach() {
		for _, m := range mails {
			if strings.HasSuffix(to, "@example.com") && m.Kind != "confirm" && m.Kind != "invitation" {
				t.Errorf("a %s goes to %s, which never wrote to us", m.Kind, to)
			}
		}
	}
	// The next day has its own.
	g.clock = g.clock.Add(24 * time.Hour)
	if said := file("GERMAN", "ADDRESS: other@example.com"); !strings.Contains(said, "we have sent a code") || today() != 1 {
		t.Errorf("the next day: %s", said)
	}
}

// A code for an address is good for the person who asked, as long as they have the place and
// the key: then nothing moves by it any more.
func TestACodeForAnAddressEndsWithTheKey(t *testing.T) {
	for name, then := range map[string]func(g *gameTable) error{
		"another key": func(g *gameTable) error { return g.u.SetKey(g.game, "SOVIET", g.keys["SOVIET2"].Public().String()) },
		"another player": func(g *gameTable) error {
			if _, err := g.u.Moderate(acts.Act{By: "test", Verb: "replace", Game: g.game, Side: "SOVIET", Value: "soviet2@example.org Nora"}); err != nil {
				return err
			}
			g.receive(g.mail("SOVIET2", g.signed("SOVIET2", "GAME: "+g.game+"\nSIDE: SOVIET\nJOIN: "+g.lastCode()+"\n")))
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := newTable(t)
			g.seat("SOVIET")
			g.seat("GERMAN")
			g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nADDRESS: stranger@example.org\n")))
			code := g.lastCode()
			if err := then(g); err != nil {
				t.Fatal(err)
			}
			g.receive(g.mail("STRANGER", "GAME: "+g.game+"\nSIDE: SOVIET\nCONFIRM: "+code+"\n"))
			if p := g.player("SOVIET"); strings.Contains(p.Address, "stranger") {
				t.Errorf("the mail goes to %s", p.Address)
			}
		})
	}
}

// All who play a side by codes have the same key: there it is the place that counts.
func TestACodeForAnAddressEndsWithThePlace(t *testing.T) {
	g := newTable(t, "codes=SOVIET")
	g.seat("GERMAN")
	g.receive(g.mail("SOVIET", "CODE: "+phaseCodeNow(t, g)+"\nADDRESS: stranger@example.org\n"))
	code := g.lastCode()
	if _, err := g.u.Moderate(acts.Act{By: "test", Verb: "replace", Game: g.game, Side: "SOVIET", Value: "newcomer@example.org Nora"}); err != nil {
		t.Fatal(err)
	}
	g.receive(g.mail("NEWCOMER", "GAME: "+g.game+"\nSIDE: SOVIET\nJOIN: "+g.lastCode()+"\nKEY: CODES\n"))
	if p := g.player("SOVIET"); p.Address != "newcomer@example.org" {
		t.Fatalf("the seat is at %s", p.Address)
	}
	g.receive(g.mail("STRANGER", "GAME: "+g.game+"\nSIDE: SOVIET\nCONFIRM: "+code+"\n"))
	if p := g.player("SOVIET"); p.Address != "newcomer@example.org" {
		t.Errorf("who had the place before moves its mail to %s", p.Address)
	}
}

// Commanders and deputies confirm their addresses as players do.
func TestCommandersConfirmTheirAddresses(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	if _, err := g.u.Moderate(acts.Act{By: "test", Verb: "commander", Game: g.game, Side: "SOVIET", Value: "soviet2@example.org Ivan: 28 Army"}); err != nil {
		t.Fatal(err)
	}
	g.receive(g.mail("SOVIET2", g.signed("SOVIET2", "GAME: "+g.game+"\nSIDE: SOVIET\nJOIN: "+g.lastCode()+"\n")))
	g.receive(g.mail("SOVIET2", g.signed("SOVIET2", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nADDRESS: newcomer@example.org\n")))
	if c := g.player("SOVIET").Commanders; len(c) != 1 || c[0].Address != "soviet2@example.org" {
		t.Fatalf("%+v", c)
	}
	g.receive(g.mail("NEWCOMER", "GAME: "+g.game+"\nCONFIRM: "+g.lastCode()+"\n"))
	if c := g.player("SOVIET").Commanders; len(c) != 1 || c[0].Address != "newcomer@example.org" {
		t.Errorf("%+v", c)
	}
	if p := g.player("SOVIET"); p.Address != "soviet@example.org" {
		t.Errorf("the commander-in-chief's mail goes to %s", p.Address)
	}
	if got := g.lastOf("moved", ""); got != nil {
		t.Error("the mail to the address that was left belongs to the seat")
	}
}

// What stands in an invitation that a player asks for is no advertisement.
func TestNamesOfDeputiesArePlain(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	for i, name := range []string{"buy.example.net", "https://x", "now 50% off", strings.Repeat("long ", 9), "a@b"} {
		g.receive(g.mail("SOVIET", g.signed("SOVIET", fmt.Sprintf("GAME: %s\nSIDE: SOVIET\nTURN: 1\nSERIAL: %d\nDEPUTY: victim%d@example.com %s\n", g.game, i+1, i, name))))
	}
	for to := range g.toEach() {
		if strings.HasPrefix(to, "victim") {
			t.Errorf("an invitation goes to %s", to)
		}
	}
	g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 9\nDEPUTY: eva@example.com Eva-Maria St. O'Brien\n")))
	if len(g.toEach()["eva@example.com"]) != 1 {
		t.Error("a name with a hyphen, an apostrophe and a full stop is refused")
	}
	// DEPUTY: NO takes back an invitation that waits, too.
	g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 10\nDEPUTY: NO\n")))
	if all, err := g.u.Invitations(g.game, "SOVIET"); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
}

// openGame is a game that waits for both of its players.
func (g *gameTable) openGame() string {
	g.t.Helper()
	made, err := g.u.NewGame("kharkov-1942", nil, rand.Reader)
	if err != nil {
		g.t.Fatal(err)
	}
	return made.ID
}
