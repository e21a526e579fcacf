package umpire

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/view"
	"fieldpost/trial/systems"
	"fieldpost/umpire/acts"
	"fieldpost/umpire/match"
)

// What a moderator may mend in the games with chits, what they read of it, and what
// the board forbids. The edits of a row follow each other.
func TestEditsOfGamesWithChits(t *testing.T) {
	for _, tc := range []struct{ scenario, edits, want string }{
		{"star-and-gallop", "PUT 111 RD 3703", "111 RD of SOVIET, until now 3"},
		{"star-and-gallop", "PUT 111 RD 3703; PUT 111 RD 3703", "stands on 3703 already"},
		{"star-and-gallop", "PUT 111 RD 9999", "hex 9999 is not on the map"},
		{"star-and-gallop", "PUT 999 RD 3703", `no unit is called "999 RD"`},
		{"star-and-gallop", "STEPS 111 RD 9", "REMOVE takes it off"},
		{"star-and-gallop", "REMOVE 111 RD", "111 RD of SOVIET is taken off the map"},
		{"star-and-gallop", "REMOVE 111 RD; STEPS 111 RD 1", "has been lost; PUT brings it back"},
		{"star-and-gallop", "REMOVE 111 RD; PUT 111 RD 3703", "stands on 3703 with 1 steps"},
		{"star-and-gallop", "CONTROL 2512 POLAND", `"POLAND" is not a side`},
		{"star-and-gallop", "CONTROL 2512 GERMAN; CONTROL 2512 SOVIET; CONTROL 2512 GERMAN", "2512"},
		{"star-and-gallop", "DESTROY 2512", "PUT unit hex"},
		{"gd-akhtyrka", "STEPS 1K/1Gr 1", "1K/1Gr of GERMAN has 1 steps, until now"},
		{"gd-akhtyrka", "STEPS german 1K/1Gr 7", "REMOVE takes it off"},
		{"gd-akhtyrka", "REMOVE 1K/1Gr", "1K/1Gr of GERMAN is taken off the game"},
		{"gd-akhtyrka", "REMOVE 1K/1Gr; REMOVE 1K/1Gr", "has been lost already"},
		{"gd-akhtyrka", "PUT 1K/1Gr 9999", "hex 9999 is not on the map"},
		{"gd-akhtyrka", "CONTROL 2020 POLAND", `"POLAND" is not a side`},
		{"gd-akhtyrka", "", "PUT unit hex"},
	} {
		game, _, err := match.Builtin.Load(tc.scenario)
		if err != nil {
			t.Fatal(err)
		}
		position, err := game.Opening()
		if err != nil {
			t.Fatal(err)
		}
		says := ""
		for _, edit := range strings.Split(tc.edits, ";") {
			before := string(position)
			var after []byte
			if after, says, err = match.Edited(game, position, edit); err != nil {
				says = err.Error()
				if after != nil || !errors.Is(err, phrase.ErrMend) {
					t.Errorf("%s: a position beside the error %v", edit, err)
				}
				break
			}
			if string(position) != before || string(after) == before {
				t.Errorf("%s: the position before was changed, or the one after was not", edit)
			}
			position = after
		}
		if !strings.Contains(says, tc.want) {
			t.Errorf("%s, %s: %q, expected %q", tc.scenario, tc.edits, says, tc.want)
		}
	}
}

// Whatever is edited, the board is one that the audit of positions
// passes, both sides can be shown it, and the game can be played on from it.
func TestEditsWithChitsLeaveALegalBoard(t *testing.T) {
	for _, scenario := range []string{"star-and-gallop", "gd-akhtyrka"} {
		game, _, err := match.Builtin.Load(scenario)
		if err != nil {
			t.Fatal(err)
		}
		position, err := game.Opening()
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(9, 5))
		side := game.Sides()[0]
		made := 0
		for range 200 {
			v, err := game.View(position, side)
			if err != nil {
				t.Fatal(err)
			}
			units := append(v.Units, v.Lost...)
			u, o := units[r.IntN(len(units))], v.Units[r.IntN(len(v.Units))]
			h := o.Hex.String()
			edit := []string{"PUT " + u.ID + " " + h, "STEPS " + u.ID + " 1", "REMOVE " + u.ID, "CONTROL " + h + " " + string(game.Sides()[1])}[r.IntN(4)]
			after, _, err := match.Edited(game, position, edit)
			if err != nil {
				continue
			}
			made++
			look, err := systems.Inside(game).(interface {
				Auditor(opening []byte) (func(position []byte, events []view.Event) []string, error)
			}).Auditor(after)
			if err != nil {
				t.Fatalf("%s: %s: %v", scenario, edit, err)
			}
			if faults := look(after, nil); len(faults) > 0 {
				t.Fatalf("%s: %s: %v", scenario, edit, faults)
			}
			position = after
		}
		if made < 30 {
			t.Errorf("%s: only %d of 200 edits were possible: the test shows little", scenario, made)
		}
		if _, err := game.Play(position, nil, match.JournalOnly{}, match.JournalOnly{}); err != nil && !strings.Contains(err.Error(), match.ErrMissing.Error()) {
			t.Errorf("%s: %v", scenario, err)
		}
	}
}

// A moderator who insists gets a board that the rules do not know, with what they have against it in
// words. Both sides are shown it, and the game goes on from it.
func TestAModeratorWhoInsists(t *testing.T) {
	for _, tc := range []struct{ scenario, edits, want string }{
		{"kharkov-1942", "PUT 227 INF 1503!", "against the rules: no room for 227 INF (2 steps) on 1503, where 226/79"},
		{"kharkov-1942", "PUT 227 INF 1504\nCONTROL 1503 SOVIET!; STEPS 227 INF 1", "against the rules: 1503 is held by units of GERMAN"},
		{"star-and-gallop", "PUT 111 RD 2712!", "2712 holds both sides: LAH, 111 RD"},
		{"gd-kursk", "PUT 5K/2Pz 2135!", "against the rules: 2135 holds both sides"},
	} {
		game, _, err := match.Builtin.Load(tc.scenario)
		if err != nil {
			t.Fatal(err)
		}
		position, err := game.Opening()
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := match.Edited(game, position, strings.ReplaceAll(tc.edits, "!", "")); !errors.Is(err, phrase.ErrMend) || !strings.Contains(err.Error(), "Put ! behind it") {
			t.Errorf("%s: %s without insisting: %v", tc.scenario, tc.edits, err)
		}
		after, says, err := match.Edited(game, position, tc.edits)
		if err != nil || !strings.Contains(says, tc.want) {
			t.Errorf("%s: %s: %q, %v; want %q", tc.scenario, tc.edits, says, err, tc.want)
			continue
		}
		if _, err := game.Play(after, nil, match.JournalOnly{}, match.JournalOnly{}); err != nil && !strings.Contains(err.Error(), match.ErrMissing.Error()) {
			t.Errorf("%s: the game does not go on: %v", tc.scenario, err)
		}
	}
}

// An edit can be tried: what it would do is said, of several lines all or nothing, and the archive of
// a game that was edited so proves itself.
func TestAnEditCanBeTried(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	before := g.journal()
	edits := "PUT 227 INF 1503!\nSTEPS 227 INF 1"
	done, err := g.u.Moderate(acts.Act{By: "test", Verb: "edit", Game: g.game, Value: edits, Dry: true})
	says := strings.Join(done.Says, "\n")
	if err != nil || !strings.Contains(says, "against the rules") || !strings.Contains(says, "has 1 steps") || !strings.Contains(says, "Nothing was done; ") || g.journal() != before {
		t.Errorf("tried: %q, %v", says, err)
	}
	if _, err := g.u.Moderate(acts.Act{By: "test", Verb: "edit", Game: g.game, Value: "STEPS 227 INF 1\nSTEPS 227 INF 9"}); err == nil || g.journal() != before {
		t.Errorf("half an edit was made: %v", err)
	}
	g.act("edit", "", edits)
	if g.journal() == before {
		t.Error("the edit was not made")
	}
	g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nDONE!\n")))
	g.act("finish", "", "")
	g.proved()
}
