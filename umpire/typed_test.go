package umpire

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
	"fieldpost/orders/seal"
	"fieldpost/store"
	"fieldpost/umpire/intake"
)

// typed is a signed sheet in the letters of its writer.
func (g *gameTable) typed(by, sheet string) string {
	g.t.Helper()
	armored, err := seal.Sign(g.keys[by], seal.Namespace, []byte(orders.Canonical(sheet)))
	if err != nil {
		g.t.Fatal(err)
	}
	return seal.Block(orders.Typed(sheet), armored)
}

func (g *gameTable) player(side string) store.Player {
	g.t.Helper()
	game, err := g.u.DB.Game(g.game)
	if err != nil {
		g.t.Fatal(err)
	}
	for _, p := range game.Players {
		if p.Side == side {
			return p
		}
	}
	g.t.Fatalf("nobody plays %s", side)
	return store.Player{}
}

// A sheet can name every time zone that Go knows, whatever letters it comes in.
func TestASheetNamesEveryTimeZone(t *testing.T) {
	list, err := os.ReadFile(filepath.Join("..", "calendar", "zones.txt"))
	if err != nil {
		t.Fatal(err)
	}
	names := strings.Fields(string(list))
	for _, name := range names {
		for _, line := range []string{"ZONE: " + name, orders.Canonical("ZONE: " + name), "zone: " + strings.ToLower(name)} {
			sheet, _ := orders.Parse(line, orders.Vocabulary{})
			var p store.Player
			var refused *rule.Violation
			if _, refused = intake.SetZone(&p, sheet.Headers[0]); refused != nil || p.Zone != name {
				t.Errorf("%q is %q, %v", line, p.Zone, refused)
			}
		}
	}
	if len(names) < 590 {
		t.Errorf("there are %d zones only", len(names))
	}
	var p store.Player
	for _, line := range []string{"ZONE: Nowhere/Land", "ZONE:", "ZONE: Local"} {
		sheet, _ := orders.Parse(line, orders.Vocabulary{})
		if _, refused := intake.SetZone(&p, sheet.Headers[0]); refused == nil {
			t.Errorf("%q is a zone: %s", line, p.Zone)
		}
	}
}

// An address keeps the letters before its @, and is found in any letters. Where the
// letters are not known it is read in small ones.
func TestAnAddressKeepsItsLetters(t *testing.T) {
	g := newTable(t)
	g.moved = true
	g.seat("SOVIET")
	g.seat("GERMAN")
	head := "GAME: " + g.game + "\nSIDE: SOVIET\nTURN: 1\n"
	g.receive(g.mail("SOVIET", g.typed("SOVIET", head+"SERIAL: 1\nZONE: us/Eastern\nADDRESS: Anna.Berg@Example.ORG\n")))
	confirm := func(side string) {
		g.receive(g.mail("NEWCOMER", "GAME: "+g.game+"\nSIDE: "+side+"\nCONFIRM: "+g.lastCode()+"\n"))
	}
	confirm("SOVIET")
	if p := g.player("SOVIET"); p.Address != "Anna.Berg@example.org" || p.Zone != "US/Eastern" || p.Serial != 1 {
		t.Errorf("the player is at %q in %q after sheet %d", p.Address, p.Zone, p.Serial)
	}
	if _, p, ok, err := g.u.ByAddress("anna.berg@EXAMPLE.org"); !ok || err != nil || p.Side != "SOVIET" {
		t.Errorf("by the address in other letters: %+v, %v, %v", p, ok, err)
	}
	g.receive(g.mail("SOVIET", g.signed("SOVIET", head+"SERIAL: 2\nADDRESS: Ivan.Berg@Example.ORG\n")))
	confirm("SOVIET")
	if p := g.player("SOVIET"); p.Address != "ivan.berg@example.org" || p.Serial != 2 {
		t.Errorf("from a canonical sheet: %q after sheet %d", p.Address, p.Serial)
	}
	// What is typed beside the signed sheet counts for nothing.
	other := strings.Replace(g.typed("SOVIET", head+"SERIAL: 3\nADDRESS: Anna.Berg@example.org\n"), "Anna", "Otto", 1)
	g.receive(g.mail("SOVIET", other))
	if p := g.player("SOVIET"); p.Address != "ivan.berg@example.org" || p.Serial != 2 {
		t.Errorf("an address that nobody signed: %q after sheet %d", p.Address, p.Serial)
	}
	act := "GAME: " + g.game + "\nSIDE: GERMAN\nMODERATE: Address Otto.Berg@example.org\nSERIAL: "
	g.receive(g.mail("MODERATOR", g.typed("MODERATOR", act+"1\n")))
	confirm("GERMAN")
	if p := g.player("GERMAN"); p.Address != "Otto.Berg@example.org" {
		t.Errorf("by a moderator's act the player is at %q", p.Address)
	}
	g.receive(g.mail("MODERATOR", g.signed("MODERATOR", strings.Replace(act, "Otto", "Olga", 1)+"2\n")))
	confirm("GERMAN")
	if p := g.player("GERMAN"); p.Address != "olga.berg@example.org" {
		t.Errorf("by a moderator's canonical act the player is at %q", p.Address)
	}
	g.receive(g.mail("SOVIET", g.typed("SOVIET", head+"SERIAL: 3\nDEPUTY: Dora.Klein@Example.org Dora Klein\n")))
	all, err := g.u.Invitations(g.game, "SOVIET")
	if err != nil || len(all) != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	for _, in := range all {
		if in.Name != "Dora Klein" || in.Address != "Dora.Klein@Example.org" {
			t.Errorf("the deputy is %q at %q", in.Name, in.Address)
		}
	}
}
