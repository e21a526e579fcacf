package umpire

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/view"
	"fieldpost/mailbox"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/archive"
	"fieldpost/umpire/proof"
)

// Who takes a side over has in one mail its story word by word, its map and view,
// and what it has filed.
func TestHandover(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	g.receive(g.mail("GERMAN", g.signed("GERMAN", "GAME: "+g.game+"\nSIDE: GERMAN\nTURN: 1\nSERIAL: 1\nSTANDING\n RETREAT BRIDGES NO\n")))
	g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nDONE!\n")))
	var told string
	for _, m := range g.outbox("GERMAN") {
		if strings.HasPrefix(m.MessageID, "report.") {
			_, told, _ = strings.Cut(story(m), "\n")
		}
	}
	if _, err := g.u.Moderate(acts.Act{By: "test", Verb: "replace", Game: g.game, Side: "GERMAN", Value: "newcomer@example.org Nora New"}); err != nil {
		t.Fatal(err)
	}
	code := g.lastCode()
	if code == "" {
		t.Fatal("no invitation")
	}
	g.moved = true
	g.outbox("NEWCOMER")
	join := "GAME: " + g.game + "\nSIDE: GERMAN\nJOIN: " + code + "\n"
	g.receive(g.mail("STRANGER", g.signed("SOVIET", join)))
	if game, _ := g.u.DB.Game(g.game); game.Players[1].Name != "Player of GERMAN" {
		t.Error("the other player could take the seat over with their own key")
	}
	g.receive(g.mail("NEWCOMER", g.signed("NEWCOMER", join)))
	game, err := g.u.DB.Game(g.game)
	if err != nil || game.Players[1].Name != "Nora New" || game.Players[1].Serial != 1 {
		t.Fatalf("%+v, %v", game.Players[1], err)
	}
	i := -1
	mails := g.outbox("NEWCOMER")
	if i = slices.IndexFunc(mails, func(m *mailbox.Message) bool { return strings.HasPrefix(m.MessageID, "handover.") }); i < 0 {
		t.Fatalf("no handover among %d mails", len(mails))
	}
	if _, got, _ := strings.Cut(story(mails[i]), "\n"); got != told || len(told) < 1000 {
		t.Errorf("the story of the handover\n%s\nis not that of the report\n%s", got, told)
	}
	var names []string
	for _, a := range mails[i].Attachments {
		names = append(names, a.Name)
		if a.Name == acts.FileFiled && !strings.Contains(string(a.Data), "RETREAT BRIDGES NO") {
			t.Errorf("what is filed: %s", a.Data)
		}
	}
	for _, want := range []string{view.PackedFile, acts.FileFiled, proof.FileSheet, proof.FileSignature} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is not in %v", want, names)
		}
	}
	g.receive(g.mail("NEWCOMER", g.signed("NEWCOMER", join)))
	if again, _ := g.u.DB.Game(g.game); again.Seq != game.Seq {
		t.Error("a code counts twice")
	}
}

// What a moderator without rights tries stands in the log; a stranger's mail does
// not fill it.
func TestRefusedActsAreLogged(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	for _, by := range []string{"DEPUTY", "STRANGER", "SOVIET"} {
		g.receive(g.mail(by, g.signed(by, "GAME: "+g.game+"\nSERIAL: 1\nSIDE: SOVIET\nMODERATE: FORCE\n")))
	}
	log, err := g.u.Audit("")
	if err != nil || len(log) != 1 || log[0].By != "Otto" || log[0].Verb != "refused" {
		t.Errorf("%+v, %v", log, err)
	}
}

// No number of a sheet closes a seat: what is above the bound is refused, what names its
// game, side or number twice is not taken, and a moderator or a new player begins anew
// after the highest.
func TestSerialsCloseNoSeat(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	sheet := func(head, serial string) string {
		return "GAME: " + g.game + "\nSIDE: GERMAN\nTURN: 1\n" + head + "SERIAL: " + serial + "\nSTANDING\n RETREAT BRIDGES NO\n"
	}
	serial := func() int { game, _ := g.u.DB.Game(g.game); return game.Players[1].Serial }
	for _, c := range []struct{ by, head, serial, says string }{
		{"GERMAN", "", "9223372036854775807", "up to 1000000000"},
		{"GERMAN", "", "1000000001", "up to 1000000000"},
		{"GERMAN", "SERIAL: 1\n", "2", "no second line SERIAL"},
		{"GERMAN", "SIDE: SOVIET\n", "2", "no second line SIDE"},
		{"GERMAN", "GAME: OTHER\n", "2", "no second line GAME"},
	} {
		g.receive(g.mail(c.by, g.signed(c.by, sheet(c.head, c.serial))))
		said := g.lastOf("refusal", "GERMAN")
		if said == nil || !strings.Contains(oneLine(said.Texts[0].Text), c.says) || serial() != 0 {
			t.Fatalf("%q with SERIAL %s: serial %d, %v", c.head, c.serial, serial(), said)
		}
	}
	g.receive(g.mail("GERMAN", g.signed("GERMAN", sheet("", "3"))))
	g.receive(g.mail("GERMAN", g.signed("GERMAN", sheet("AWAY: NO\n", "1000000000"))))
	if serial() != 1000000000 {
		t.Fatalf("the highest number is not taken: %d", serial())
	}
	g.receive(g.mail("GERMAN", g.signed("GERMAN", sheet("PRESS: SOVIET\n", "1000000000"))))
	g.receive(g.mail("GERMAN", g.signed("GERMAN", sheet("ZONE: UTC\n", "4"))))
	if said := g.lastOf("refusal", "GERMAN"); !strings.Contains(oneLine(said.Texts[0].Text), "the moderator, who can set the numbers") {
		t.Errorf("a seat without numbers is answered with\n%s", said.Texts[0].Text)
	}
	if done := g.act("serial", "GERMAN", ""); !strings.Contains(done.Says[0], "numbered from 4 on") || serial() != 3 {
		t.Errorf("%v, serial %d", done.Says, serial())
	}
	if m := g.lastOf("moderator", "SOVIET"); m != nil {
		t.Error("the other side is told how many sheets there were")
	}
	g.receive(g.mail("GERMAN", g.signed("GERMAN", sheet("ZONE: UTC\n", "1000000000"))))
	if serial() != 1000000000 {
		t.Fatalf("after the way back a sheet is not taken: serial %d", serial())
	}
	if _, err := g.u.Moderate(acts.Act{By: "test", Verb: "replace", Game: g.game, Side: "GERMAN", Value: "newcomer@example.org Nora New"}); err != nil {
		t.Fatal(err)
	}
	g.moved = true
	g.receive(g.mail("NEWCOMER", g.signed("NEWCOMER", "GAME: "+g.game+"\nSIDE: GERMAN\nJOIN: "+g.lastCode()+"\n")))
	if serial() != 3 {
		t.Errorf("who takes the seat over begins at %d", serial())
	}
	g.receive(g.mail("NEWCOMER", g.signed("NEWCOMER", sheet("ZONE: Europe/Prague\n", "4"))))
	if serial() != 4 {
		t.Errorf("and cannot file: %d", serial())
	}
	g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nDONE!\n")))
	if raw, err := g.u.Archive(g.game); err != nil {
		t.Error(err)
	} else if _, err := archive.Verify(raw, g.trust()); err != nil {
		t.Errorf("the archive: %v", err)
	}
}

// oneLine is a text without its line breaks.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
