package umpire

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fieldpost/store"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/club"
)

// A tournament of five plays its rounds by itself: games are made and players invited, one has no
// opponent, the next round begins when all games have ended, everybody hears how they stand, and the
// archive of such a game proves itself. A process that stops in between does nothing twice.
func TestATournament(t *testing.T) {
	g := newTable(t)
	done, err := g.u.Moderate(acts.Act{By: "Anna", Verb: "tournament", Value: "spring kharkov-1942 2 deadline=3d a@x.org Ann b@x.org Bob c@x.org Cem d@x.org Dora e@x.org"})
	if err != nil || !strings.Contains(done.Says[0], "tournament SPRING of Kharkov 1942 with 5 players") {
		t.Fatalf("%v, %v", done, err)
	}
	if _, err := g.u.Moderate(acts.Act{By: "Anna", Verb: "tournament", Value: "spring kharkov-1942 1 a@x.org b@x.org"}); err == nil || !strings.Contains(err.Error(), "there is a tournament SPRING already") {
		t.Errorf("a second one of the name: %v", err)
	}
	table := func() club.TournamentTable {
		t.Helper()
		all, err := g.u.TournamentTables()
		if err != nil || len(all) != 1 {
			t.Fatalf("%v, %v", all, err)
		}
		return all[0]
	}
	tick := func() {
		g.clock = g.clock.Add(time.Minute)
		g.u.Tick(g.clock)
	}
	games := func(round int) (ids []string) {
		t.Helper()
		for _, p := range table().Paired[round-1].Games {
			if p.Game != "" {
				ids = append(ids, p.Game)
			}
		}
		return ids
	}
	tick()
	g.u = New(g.setup) // another process
	tick()
	first := games(1)
	if len(first) != 2 || table().Paired[0].Games[2].Result == "" {
		t.Fatalf("the first round: %+v", table())
	}
	if all, err := g.u.DB.Games(); err != nil || len(all) != 3 { // with that of the table
		t.Fatalf("%d games, %v", len(all), err)
	}
	for _, id := range first {
		record, err := g.u.DB.Game(id)
		if err != nil || record.Title != "Kharkov 1942 (SPRING, round 1)" || record.Status != store.StatusOpen {
			t.Errorf("%+v, %v", record, err)
		}
		for i, side := range record.Sides {
			if err := g.u.AddPlayer(id, side, "Player", fmt.Sprintf("p%d@x.org", i), acts.ByCodes); err != nil {
				t.Fatal(err)
			}
		}
		tick()
		if len(table().Paired) != 1 {
			t.Fatal("the next round does not wait for all games")
		}
		if _, err := g.u.Moderate(acts.Act{By: "Anna", Verb: "finish", Game: id, Value: "SOVIET: agreed"}); err != nil {
			t.Fatal(err)
		}
	}
	tick()
	second := games(2)
	if len(second) != 2 || len(table().Paired) != 2 {
		t.Fatalf("the second round: %+v", table())
	}
	if got := table().Table[0]; !strings.HasPrefix(got, "1. ") || !strings.Contains(got, ": 1 of 1") {
		t.Errorf("the table begins with %q", got)
	}
	told := 0
	queue, err := g.u.DB.Queue(g.clock, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range queue {
		if m.Kind == "tournament" {
			told++
		}
	}
	if told != 4 {
		t.Errorf("%d players hear how they stand", told)
	}
	for _, id := range second {
		record, _ := g.u.DB.Game(id)
		for i, side := range record.Sides {
			if err := g.u.AddPlayer(id, side, "Player", fmt.Sprintf("p%d@x.org", i), acts.ByCodes); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := g.u.Moderate(acts.Act{By: "Anna", Verb: "finish", Game: id}); err != nil {
			t.Fatal(err)
		}
	}
	tick()
	tick()
	if !table().Over || len(table().Paired) != 2 {
		t.Errorf("at the end: %+v", table())
	}
	g.game = first[0]
	g.proved()
}
