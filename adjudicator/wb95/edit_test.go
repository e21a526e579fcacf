package wb95

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"fieldpost/adjudicator/phrase"
)

// What a moderator may mend, what they read of it, and what the board forbids. The
// edits of a row follow each other.
func TestEdits(t *testing.T) {
	g := kharkovGame(t)
	opening, err := g.Opening()
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ edits, want string }{
		{"PUT 227 INF 1504", "227 INF of SOVIET, until now 1603, stands on 1504 with 2 steps"},
		{"put soviet 227 inf 1504", "stands on 1504"},
		{"PUT 227 INF 1603", "stands on 1603 already"},
		{"PUT 227 INF 1503", "no room for 227 INF (2 steps) on 1503, where 226/79"},
		{"PUT 227 INF 9999", "hex 9999 is not on the map"},
		{"PUT 999 INF 1504", `no unit is called "999 INF"`},
		{"PUT inf 227 1504", "227 INF of SOVIET, until now 1603, stands on 1504"},
		{"PUT 524/297 INF (2505) 2604", "524/297 of GERMAN, until now 2505, stands on 2604"},
		{"STEPS German 524/297 1", "524/297 of GERMAN has 1 steps"},
		{"REMOVE 524 of 297", "524/297 of GERMAN is taken off"},
		{"PUT 2277 INF 1504", `no unit is called "2277 INF"; did you mean SOVIET 227 INF`},
		{"REMOVE 38", `"38" may be`},
		{"STEPS 227 INF 1", "227 INF of SOVIET has 1 steps, until now 2"},
		{"STEPS 227 INF 3", "from 1 to 2 steps"},
		{"STEPS 227 INF 0", "REMOVE takes it off"},
		{"STEPS 227 INF 2", "has 2 steps already"},
		{"REMOVE 227 INF", "227 INF of SOVIET is taken off the game"},
		{"REMOVE 227 INF; REMOVE 227 INF", "has been lost already"},
		{"REMOVE 227 INF; STEPS 227 INF 1", "PUT brings it back"},
		{"REMOVE 227 INF; PUT 227 INF 1504", "until now among the lost, stands on 1504 with 2 steps"},
		{"REMOVE 226/79; PUT 227 INF 1503", "the enemy's works there are gone"},
		{"CONTROL 1504 SOVIET", "1504 is controlled by SOVIET"},
		{"CONTROL 1504 NOBODY", "1504 is controlled by nobody"},
		{"CONTROL 1503 SOVIET", "1503 is held by units of GERMAN"},
		{"CONTROL 1504 POLAND", `"POLAND" is not a side`},
		{"DESTROY 1504", "PUT unit hex"},
		{"PUT", "PUT unit hex"},
		{"", "PUT unit hex"},
	} {
		position, says := opening, ""
		var err error
		for _, edit := range strings.Split(tc.edits, ";") {
			before := string(position)
			var after []byte
			if after, says, err = g.Edit(position, edit); err != nil {
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
			t.Errorf("%s: %q, expected %q", tc.edits, says, tc.want)
		}
	}
}

// Whatever is edited, the board is one that the audit of positions passes, and both
// sides can be shown it.
func TestEditsLeaveALegalBoard(t *testing.T) {
	g := kharkovGame(t)
	opening, err := g.Opening()
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(9, 5))
	position, made := opening, 0
	for range 600 {
		s, err := decodeState(g.sc, position)
		if err != nil {
			t.Fatal(err)
		}
		u := &s.Units[r.IntN(len(s.Units))]
		h := s.sc.Board.Grid.At(r.IntN(len(s.Control))).String()
		if r.IntN(3) == 0 {
			h = s.Units[r.IntN(len(s.Units))].Hex.String()
		}
		edit := []string{"PUT " + u.ID + " " + h, "STEPS " + u.ID + " 1", "STEPS " + u.ID + " 2", "REMOVE " + u.ID,
			"CONTROL " + h + " " + string(s.sc.Sides[r.IntN(2)])}[r.IntN(5)]
		after, _, err := g.Edit(position, edit)
		if err != nil {
			continue
		}
		made++
		position = after
		now, err := decodeState(g.sc, position)
		if err != nil {
			t.Fatalf("%s: %v", edit, err)
		}
		a := &audit{was: now}
		a.places(now)
		a.stacks(now)
		for i := range now.Forts {
			if by := now.holder(now.Forts[i].Hex); by != "" && by != now.Forts[i].Side {
				a.fault("works of %s under units of %s", now.Forts[i].Side, by)
			}
		}
		if len(a.faults) > 0 {
			t.Fatalf("%s: %v", edit, a.faults)
		}
		for _, side := range g.Sides() {
			if _, err := g.View(position, side); err != nil {
				t.Fatalf("%s: %v", edit, err)
			}
		}
	}
	if made < 100 {
		t.Errorf("only %d of 600 edits were possible: the test shows little", made)
	}
}
