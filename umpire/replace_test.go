package umpire

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/mailbox"
	"fieldpost/umpire/intake"
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
	if _, err := g.u.Moderate(intake.Act{By: "test", Verb: "replace", Game: g.game, Side: "GERMAN", Value: "newcomer@example.org Nora New"}); err != nil {
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
		if a.Name == intake.FileFiled && !strings.Contains(string(a.Data), "RETREAT BRIDGES NO") {
			t.Errorf("what is filed: %s", a.Data)
		}
	}
	for _, want := range []string{proof.FileView, intake.FileFiled, proof.FileSheet, proof.FileSignature} {
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
