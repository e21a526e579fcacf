package umpire

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldpost/store"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/match"
)

// The ladder counts games won, lost and left, and how often a player was in time;
// what a moderator or a staff officer filed for them is not theirs.
func TestLadder(t *testing.T) {
	g := newTable(t, "deadline=2d", "late=staff")
	g.seat("SOVIET")
	g.seat("GERMAN")
	g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nDONE!\n")))
	g.clock = g.clock.Add(49 * time.Hour)
	g.u.Tick(g.clock) // the German is late
	if _, err := g.u.Moderate(acts.Act{By: "test", Verb: "replace", Game: g.game, Side: "GERMAN", Value: "newcomer@example.org Nora New"}); err != nil {
		t.Fatal(err)
	}
	g.receive(g.mail("NEWCOMER", g.signed("NEWCOMER", "GAME: "+g.game+"\nSIDE: GERMAN\nJOIN: "+g.lastCode()+"\n")))
	told := func() string {
		c, err := g.u.Club()
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, s := range c.Ladder {
			fmt.Fprintf(&b, "%s: %d points, %d-%d-%d, running %d, left %d, turns %d, late %d, %d%%\n", s.Name, s.Points, s.Won, s.Drawn, s.Lost, s.Running, s.Left, s.Turns, s.Late, s.Reliable())
		}
		return b.String()
	}
	want := `Nora New: 0 points, 0-0-0, running 1, left 0, turns 0, late 0, 100%
Player of SOVIET: 0 points, 0-0-0, running 1, left 0, turns 1, late 0, 100%
Player of GERMAN: 0 points, 0-0-0, running 0, left 1, turns 0, late 1, 0%
`
	if got := told(); got != want {
		t.Errorf("while the game runs:\n%s", got)
	}
	if _, err := g.u.Moderate(acts.Act{By: "test", Verb: "finish", Game: g.game, Value: "GERMAN: time is up"}); err != nil {
		t.Fatal(err)
	}
	want = `Nora New: 2 points, 1-0-0, running 0, left 0, turns 0, late 0, 100%
Player of GERMAN: 0 points, 0-0-0, running 0, left 1, turns 0, late 1, 0%
Player of SOVIET: 0 points, 0-0-1, running 0, left 0, turns 1, late 0, 100%
`
	if got := told(); got != want {
		t.Errorf("at the end:\n%s", got)
	}
	c, err := g.u.Club()
	if err != nil || len(c.Results) != 1 || c.Results[0].Winner != "GERMAN" || len(c.Results[0].Seats) != 3 {
		t.Errorf("%+v, %v", c.Results, err)
	}
	ratings := map[string]string{}
	for _, s := range c.Ladder {
		ratings[s.Name] = fmt.Sprintf("%s of %d", s.Rating, s.Rated)
	}
	if got := fmt.Sprint(ratings); got != "map[Nora New:1662? of 1 Player of GERMAN:1500? of 0 Player of SOVIET:1338? of 1]" {
		t.Errorf("ratings: %s", got)
	}
}

// Where sign-up is open anybody asks for a free side by mail, and takes it with the
// code that comes to their address; reserved sides stay for those who are invited.
func TestOpenSignUp(t *testing.T) {
	g := newTable(t, "sign-up=open", "reserved=german")
	s, record := signer(t, "example.org")
	g.u.SignUp = true
	g.u.LookupTXT = func(string) ([]string, error) { return []string{record}, nil }
	ask := func(from, line string, vouched bool) {
		t.Helper()
		raw := g.mail(from, line+"\n")
		if vouched {
			var err error
			if raw, err = s.Sign(raw); err != nil {
				t.Fatal(err)
			}
		}
		g.receive(raw)
	}
	code := func() string { return g.lastCode() }
	ask("NEWCOMER", "JOIN "+g.game+" SOVIET", false)
	ask("NEWCOMER", "JOIN "+g.game+" GERMAN", true)
	ask("NEWCOMER", "JOIN "+g.game+" POLAND", true)
	ask("NEWCOMER", "JOIN AAAAAAAA SOVIET", true)
	if code() != "" {
		t.Error("an invitation went out without a free side, or to an address that nobody vouches for")
	}
	ask("NEWCOMER", "join "+g.game+" soviet", true)
	first := code()
	if first == "" {
		t.Fatal("nobody is invited")
	}
	ask("STRANGER", "JOIN "+g.game+" SOVIET", true)
	ask("NEWCOMER", "JOIN "+g.game+" SOVIET", true)
	if code() != first {
		t.Error("a second invitation to the side within the day")
	}
	g.receive(g.mail("NEWCOMER", g.signed("NEWCOMER", "GAME: "+g.game+"\nSIDE: SOVIET\nJOIN: "+first+"\n")))
	game, err := g.u.DB.Game(g.game)
	if err != nil || len(game.Players) != 1 || game.Players[0].Address != "newcomer@example.org" {
		t.Errorf("%+v, %v", game.Players, err)
	}
	if err := new(match.Library).CheckOptions("kharkov-1942", map[string]string{"reserved": "poland"}); err == nil {
		t.Error("a side that is not there can be reserved")
	}
}

// A player's signed request moves their mail; the old address hears of it.
func TestAddressOnRequest(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	g.moved = true
	g.outbox("SOVIET")
	g.receive(g.mail("STRANGER", g.signed("STRANGER", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nADDRESS: stranger@example.org\n")))
	g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nADDRESS: nowhere\n")))
	if n := len(g.outbox("STRANGER")); n != 0 {
		t.Errorf("%d mails to a stranger", n)
	}
	if text := g.heard("SOVIET"); !strings.Contains(text, "is not an email address") {
		t.Errorf("a wrong address: %s", text)
	}
	g.receive(g.mail("NEWCOMER", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 2\nADDRESS: Newcomer@Example.org\nMOVE\nDONE!\n")))
	if text := g.heard("SOVIET"); !strings.Contains(text, "we have sent a code to newcomer@example.org") || !strings.Contains(text, "WHAT HAPPENED") {
		t.Errorf("the old address reads: %s", text)
	}
	code := g.lastCode()
	if text := g.heard("NEWCOMER"); !strings.Contains(text, "CONFIRM: "+code) || strings.Contains(text, "WHAT HAPPENED") {
		t.Errorf("the new address reads, before it is confirmed: %s", text)
	}
	g.receive(g.mail("NEWCOMER", "GAME: "+g.game+"\nSIDE: SOVIET\nCONFIRM: "+code+"\n"))
	if text := g.heard("SOVIET"); !strings.Contains(text, "Your mail goes to another address") {
		t.Errorf("the old address reads: %s", text)
	}
	if text := g.heard("NEWCOMER"); !strings.Contains(text, "we write to newcomer@example.org") {
		t.Errorf("the new address reads: %s", text)
	}
	if seats, err := g.u.DB.SeatsAt("soviet@example.org"); err != nil || len(seats) != 0 {
		t.Errorf("the old address still has %v, %v", seats, err)
	}
	game, _ := g.u.DB.Game(g.game)
	if !slices.ContainsFunc(game.Players, func(p store.Player) bool { return p.Address == "newcomer@example.org" }) {
		t.Error("the seat keeps its address")
	}
}

// Who asks to be forgotten is: neither their name nor an address of theirs is left in
// the store, but what proves the game is.
func TestForget(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	g.receive(g.mail("GERMAN", "STATUS\n"))
	g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nDONE!\n")))
	g.receive(g.mail("GERMAN", g.signed("GERMAN", "GAME: "+g.game+"\nSIDE: GERMAN\nTURN: 1\nSERIAL: 1\nDONE!\n")))
	if _, err := g.u.Forget("german@example.org"); err == nil || !strings.Contains(err.Error(), "replace") {
		t.Errorf("who plays is forgotten: %v", err)
	}
	if _, err := g.u.Moderate(acts.Act{By: "test", Verb: "finish", Game: g.game, Value: "GERMAN"}); err != nil {
		t.Fatal(err)
	}
	if f, err := g.u.Forget("german@example.org"); err != nil || f.Waiting == 0 {
		t.Errorf("mails on their way: %+v, %v", f, err)
	}
	for range 3 {
		g.sent()
	}
	f, err := g.u.Forget("GERMAN@example.org")
	if err != nil || f.Waiting > 0 || f.Sent < 4 {
		t.Errorf("%+v, %v", f, err)
	}
	game, err := g.u.DB.Game(g.game)
	if err != nil || strings.Contains(fmt.Sprint(game), "german@") || strings.Contains(fmt.Sprint(game), "Player of GERMAN") || !strings.Contains(fmt.Sprint(game), "soviet@") {
		t.Errorf("%+v, %v", game.Players, err)
	}
	mails, _ := g.u.DB.Mails(g.game)
	for _, m := range mails {
		if _, err := g.u.DB.MailBytes(m.SHA256); strings.Contains(m.To, "german") || m.Side == "GERMAN" && err == nil {
			t.Errorf("a mail to them is kept: %s to %q", m.Kind, m.To)
		}
	}
	kept, err := g.u.DB.SpoolKept()
	if err != nil || len(kept) != 1 {
		t.Errorf("%d incoming mails are kept, %v; only the opponent's own stays", len(kept), err)
	}
	if _, err := g.u.archived(g.game); err != nil {
		t.Errorf("the archive: %v", err)
	}
}
