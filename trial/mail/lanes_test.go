package mail

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"fieldpost/demo/world"
	"fieldpost/umpire/match"
	"fieldpost/umpire/records"
)

// played hands in the sheets of two turns of a few games, side by side or one after the
// other, with a deadline that passes in each and a HELP in between, and returns the hashes of all positions by game.
func played(t *testing.T, together bool) map[string][]string {
	t.Helper()
	start := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	w, err := world.Open(t.TempDir(), world.Options{Address: "gm@example.org", Instance: "lanes", Now: func() time.Time { return start },
		Random: rand.NewChaCha8([32]byte{7}), Draw: func(string, string) bool { return false }})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	c := &closing{w: w, serial: map[string]int{}}
	for n := range 4 {
		_, seats, err := w.Begin("prokhorovka", map[string]string{match.OptionUndo: "0"}, func(side string) (string, string) {
			return side, fmt.Sprintf("%s%d@example.org", side, n)
		})
		if err != nil {
			t.Fatal(err)
		}
		c.games = append(c.games, seats)
	}
	game, err := match.Scenario("prokhorovka")
	if err != nil {
		t.Fatal(err)
	}
	c.officer.Game = game
	if _, err := w.Post(); err != nil {
		t.Fatal(err)
	}
	for round := range 4 {
		sheets, err := c.written()
		if err != nil {
			t.Fatal(err)
		}
		help := world.Mail{From: "german0@example.org", To: "gm@example.org", Subject: "help", ID: fmt.Sprint("help", round)}
		sheets = append(sheets, help.Plain("HELP\r\n"), sheets[0])
		var all sync.WaitGroup
		for _, raw := range sheets {
			take := func() {
				if err := w.ReceiveAhead(t.Context(), raw); err != nil {
					t.Error(err)
				}
			}
			if together {
				all.Go(take)
			} else {
				take()
			}
		}
		if together {
			all.Go(func() { w.Umpire.Tick(start) })
		}
		all.Wait()
	}
	out := map[string][]string{}
	for _, seats := range c.games {
		phases, err := w.Umpire.DB.Journal(seats[0].Game)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range phases {
			out[seats[0].Game] = append(out[seats[0].Game], p.Phase+" "+p.Hash)
		}
		if n := len(phases); n < 3 {
			t.Errorf("game %s has %d phases", seats[0].Game, n)
		}
	}
	if wrong := records.Check(w.Umpire.DB); len(wrong) > 0 {
		t.Errorf("the store: %v", wrong)
	}
	return out
}

// Games that go on side by side come out as when one mail is handled after the other.
func TestGamesSideBySide(t *testing.T) {
	one, all := played(t, false), played(t, true)
	for id, want := range one {
		if got := all[id]; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("game %s:\n%q\nside by side\n%q", id, want, got)
		}
	}
}
