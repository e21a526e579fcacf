package umpire

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"fieldpost/umpire/acts"
	"fieldpost/umpire/post"
)

// No mail of ours plays when it comes back whole, without a mark of quotation, from the
// address that it went to: neither its text nor its page.
func TestNoMailOfOursPlaysWhenItComesBack(t *testing.T) {
	g := newTable(t, "undo=15m")
	g.seatByCodes("SOVIET")
	g.seat("GERMAN")
	sheet := func(serial int, more string) string {
		return fmt.Sprintf("GAME: %s\nSIDE: SOVIET\nCODE: %s\nTURN: 1\nSERIAL: %d\nMOVE\n%s", g.game, phaseCodeNow(t, g), serial, more)
	}
	back := func(want int) {
		t.Helper()
		mails := g.outbox("SOVIET")
		if len(mails) < want {
			t.Fatalf("%d mails, want %d or more", len(mails), want)
		}
		for _, m := range mails {
			for _, part := range m.Texts {
				before := g.journal()
				raw := g.mail("SOVIET", part.AsSent)
				if part.Type == "text/html" {
					raw = bytes.Replace(raw, []byte("\r\n\r\n"), []byte("\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"), 1)
				}
				g.receive(raw)
				if g.journal() != before {
					t.Errorf("%q plays as %s:\n%s", m.Subject, part.Type, part.AsSent)
				}
			}
		}
		g.outbox("SOVIET")
	}
	back(2) // invitation and report
	g.receive(g.mail("SOVIET", strings.Replace(sheet(1, "343 INF TO 3807\n"), "CODE", "CODES", 1)))
	g.receive(g.mail("SOVIET", "> "+strings.ReplaceAll(sheet(1, "343 INF TO 3807\nDONE!\n"), "\n", "\n> ")))
	g.receive(g.mail("SOVIET", sheet(1, "343 INF TO 3807\n")))
	g.receive(g.mail("SOVIET", sheet(2, "343 INF TO 3807\nDONE\n")))
	g.receive(g.mail("SOVIET", "STATUS"))
	g.receive(g.mail("SOVIET", "TEMPLATE"))
	g.receive(g.mail("SOVIET", "ORDERS?"))
	back(7)
}

// The invitation does not join when it comes back, and neither does what answers a guest.
func TestNoInvitationJoinsWhenItComesBack(t *testing.T) {
	g := newTable(t, "invited=SOVIET")
	g.seat("GERMAN")
	g.receive(g.mail("SOVIET", "Count me in!"))
	mails := g.outbox("SOVIET")
	if len(mails) != 2 {
		t.Fatalf("%d mails", len(mails))
	}
	for _, m := range mails {
		for _, part := range m.Texts {
			raw := g.mail("SOVIET", part.AsSent)
			if part.Type == "text/html" {
				raw = bytes.Replace(raw, []byte("\r\n\r\n"), []byte("\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"), 1)
			}
			if g.receive(raw); g.seatsTaken() != 1 {
				t.Fatalf("%q joins as %s:\n%s", m.Subject, part.Type, part.AsSent)
			}
		}
	}
}

func (g *gameTable) seatsTaken() int {
	g.t.Helper()
	game, err := g.u.DB.Game(g.game)
	if err != nil {
		g.t.Fatal(err)
	}
	return len(game.Players)
}

// The code counts in the head of the very sheet that it vouches for, and nowhere else.
func TestTheCodeStandsInTheHeadOfItsSheet(t *testing.T) {
	g := newTable(t)
	g.seatByCodes("SOVIET")
	g.seat("GERMAN")
	code := phaseCodeNow(t, g)
	head := "GAME: " + g.game + "\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\n"
	orders := "MOVE\n343 INF TO 3807\n"
	report := g.lastOf("report", "SOVIET").Texts[0].AsSent
	for name, body := range map[string]string{
		"below the orders":             head + orders + "CODE: " + code + "\nDONE!\n",
		"behind DONE":                  head + orders + "DONE!\nCODE: " + code + "\n",
		"in the report below":          head + orders + "DONE!\n\n" + report,
		"below a row":                  head + orders + "DONE!\n_____\nCODE: " + code + "\n",
		"quoted":                       head + orders + "DONE!\n> CODE: " + code + "\n",
		"below a letter on top of it":  "A letter:\n" + head + orders + "DONE!\n\nFrom: Fieldpost <umpire@example.org>\nSubject: [" + g.game + "] Kharkov\n\nCODE: " + code + "\nDONE!\n",
		"in the letter between marks":  "-----BEGIN FIELDPOST PRESS-----\nCODE: " + code + "\nDONE!\n-----END FIELDPOST PRESS-----\n" + head + orders + "DONE!\n",
		"in another sheet of the mail": head + orders + "DONE!\nGAME: " + g.game + "\nSIDE: SOVIET\nCODE: " + code + "\nDONE!\n",
	} {
		before := g.journal()
		g.receive(g.mail("SOVIET", body))
		if g.journal() != before {
			t.Errorf("%s: it played", name)
		}
	}
	g.outbox("SOVIET")
	before := g.journal()
	if g.receive(g.mail("SOVIET", "Hello!\n\nCODE: "+code+"\n\n"+orders+"\nDONE!\n\n"+report)); g.journal() == before {
		t.Errorf("a code at the top does not count: %s", g.heard("SOVIET"))
	}
}

// What the club says of itself stands in its mails, and is checked before.
func TestClubInMails(t *testing.T) {
	g := newTable(t)
	g.u.AboutClub = post.Club{Page: "https://club.example.org", Downloads: "https://club.example.org/get", Contact: "secretary@example.org"}
	g.u.Moderators = nil
	if err := g.u.Invite(acts.Seat{Game: g.game, Side: "SOVIET", Address: "soviet@example.org"}); err != nil {
		t.Fatal(err)
	}
	text := g.heard("SOVIET")
	for _, want := range []string{g.u.AboutClub.Page, g.u.AboutClub.Downloads, "A person to write to: secretary@example.org."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	g.u.AboutClub.Desk = "https://club.example.org/desk"
	if err := g.u.AboutClub.Check(); err != nil {
		t.Error(err)
	}
	g = newTable(t)
	g.u.AboutClub.Desk = "https://club.example.org/desk"
	g.seatByCodes("SOVIET")
	g.heard("SOVIET")
	g.receive(g.mail("SOVIET", "desk, please"))
	if text := g.heard("SOVIET"); !strings.Contains(text, "It is at https://club.example.org/desk.") || !strings.Contains(text, "fieldpost version tells the SHA-256") {
		t.Errorf("DESK is answered\n%s", text)
	}
	for _, bad := range []post.Club{{Page: "club"}, {Desk: "desk"}, {Downloads: "ftp://club.example.org"}, {Contact: "nobody"}} {
		if bad.Check() == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
}
