package wb95

import (
	"testing"

	"fieldpost/adjudicator/hex"
)

// The steps of a class cost the staff what a march pays; with all bridges none costs more.
func TestStepsOfAClass(t *testing.T) {
	a := adviser(t, "SOVIET")
	g, down := a.Grid(), 0
	for i := range a.s.Bridges {
		if i%2 == 0 {
			a.s.Bridges[i].Stands = false
		}
	}
	for _, class := range []Class{Foot, Trucked, Tracked} {
		steps, least := a.Steps(string(class), false), a.Steps(string(class), true)
		for i := range steps {
			for d := range hex.Dir(6) {
				from := g.At(i)
				want := a.s.entryCost(&Counter{Class: class}, from, g.Step(from, d))
				if got := Cost(steps[i][d]); got != want {
					t.Fatalf("%s: the step from %v in direction %d costs %v, not %v", class, from, d, got, want)
				}
				open := Cost(least[i][d])
				if cheaper(open, want) != open {
					t.Fatalf("%s: the step from %v in direction %d costs %v with all bridges, %v without", class, from, d, open, want)
				}
				if open != want {
					down++
				}
			}
		}
	}
	if down == 0 {
		t.Error("no bridge that is down makes a step dearer")
	}
}
