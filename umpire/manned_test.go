package umpire

import (
	"strings"
	"testing"

	"fieldpost/store"
)

// Moderators see who plays a side, who leads what of it, and where to write to.
func TestMannedNamesCommanders(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	now, err := g.u.DB.Game(g.game)
	if err != nil {
		t.Fatal(err)
	}
	now.Players[0].Commanders = []store.Commander{
		{Name: "Ivan", Address: "ivan@example.org", Leads: []string{"28 Army"}},
		{Name: "Olga", Address: "olga@example.org", Left: true},
	}
	g.commit(store.Change{Game: &now, Expect: now.Seq})
	all, err := g.u.Manned(g.game)
	if err != nil || len(all) != 2 || all[1].Who != "nobody yet" || !strings.Contains(all[0].Who, "soviet@example.org") {
		t.Fatalf("%+v, %v", all, err)
	}
	command := strings.Join(all[0].Command, " ")
	if !strings.Contains(command, "Ivan leads 28 Army.") || !strings.Contains(command, "Write to Ivan at ivan@example.org.") || strings.Contains(command, "Olga") {
		t.Errorf("command: %s", command)
	}
}
