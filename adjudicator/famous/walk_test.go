package famous

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"fieldpost/adjudicator"
)

// A walk copies positions over those that it has left, which must be its own: the one that it begins with is
// remembered for others.
func TestWalksLeaveThePositionThatTheyBeginWithAlone(t *testing.T) {
	g := newGame(load(t, "gd-kursk"))
	opening, err := g.Opening()
	if err != nil {
		t.Fatal(err)
	}
	s := g.sc.opening()
	s.Phase, s.Weather, s.Cup = 3, 2, s.chits()
	answers, r := plotted{}, rand.New(rand.NewPCG(1, 1))
	for _, key := range s.Cup {
		side, bn := cutKey(key)
		answers[string(side)+" chit "+bn] = randomProgramme(s, side, bn, r)
	}
	begins, ends := "", ""
	for n := range 3 {
		w, err := g.Walk(opening)
		if err != nil {
			t.Fatal(err)
		}
		begin := shownToBoth(t, w)
		phases, dice := 0, plain{rand.New(rand.NewPCG(2, 2))}
		for ; w.At().Turn < 2; phases++ {
			if done, err := w.Play(dice, answers); err != nil || !done {
				t.Fatalf("%s: done %t, %v", w.At().Label, done, err)
			}
		}
		end := shownToBoth(t, w)
		if phases < 10 || begin == end {
			t.Fatalf("nothing happens in %d phases", phases)
		}
		if n > 0 && (begin != begins || end != ends) {
			t.Errorf("walk %d begins or ends otherwise than the first one", n+1)
		}
		begins, ends = begin, end
	}
}

// shownToBoth is what both sides see at a place of a walk.
func shownToBoth(t *testing.T, w adjudicator.Walk) string {
	t.Helper()
	both, err := json.Marshal([]any{w.View("GERMAN"), w.View("SOVIET")})
	if err != nil {
		t.Fatal(err)
	}
	return string(both)
}
