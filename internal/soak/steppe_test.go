package soak

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
)

// A sample of random play and of mutants; the whole numbers are run by
//
//	fieldpost soak random --system steppe --games 1000
//	fieldpost soak mutants --system steppe --count 100000
func TestSteppeRandomPlay(t *testing.T) {
	m := shelfGame(t, "winter-campaign")
	m.Turns, m.Audit = 3, true
	counts := map[string][2]int{}
	for _, s := range m.Game.Sides() {
		m.Players[s] = NewRandom(m.Game, 1, s, counts)
	}
	if _, err := m.Play(context.Background()); err != nil {
		t.Error(err)
	}
	for _, kind := range []string{"move", "attack", "enter", "overrun", "condition", "standing", "reaction retreat"} {
		if counts[kind][0] == 0 {
			t.Errorf("no %s stood: the sample proves nothing of it", kind)
		}
	}
}

func TestSteppeMutants(t *testing.T) {
	m := shelfGame(t, "backhand-blow")
	tried, err := Mutate(context.Background(), m, rand.New(rand.NewPCG(1, 7)))
	if err != nil {
		t.Fatal(err)
	}
	if len(tried) < 35 {
		t.Errorf("only %d kinds of mutants found a case", len(tried))
	}
	for kind, x := range tried {
		if len(x.Accepted) > 0 {
			t.Errorf("%s (%s): %d of %d accepted, such as\n%s", kind, x.Clause, len(x.Accepted), x.Count, x.Accepted[0])
		}
	}
}

// What one side files changes nothing that the other sees before a chit of it is drawn:
// view, notices and answers of its enemy are the same whatever is in the sealed sheet.
func TestSteppeSheetsAreSealed(t *testing.T) {
	m := shelfGame(t, "star-and-gallop")
	var seen []string
	for number, soviet := range []adjudicator.Side{"passive", "random", "staff"} {
		views := ""
		play := m
		play.Turns = 1
		play.Players = map[adjudicator.Side]Player{"GERMAN": Passive{}}
		switch soviet {
		case "passive":
			play.Players["SOVIET"] = Passive{}
		case "random":
			play.Players["SOVIET"] = NewRandom(m.Game, number, "SOVIET", map[string][2]int{})
		}
		first := true
		play.Each = func(_ []byte, out adjudicator.Outcome) {
			v, err := m.Game.View(out.Position, "GERMAN")
			if err != nil {
				t.Fatal(err)
			}
			if len(v.Chits.Played) > 0 {
				first = false
			}
			if first {
				views += viewText(t, v)
				for _, e := range out.Events {
					if e.For("GERMAN") {
						views += e.Kind + describe(e.Facts)
					}
				}
			}
		}
		if _, err := play.Play(context.Background()); err != nil {
			t.Fatal(err)
		}
		seen = append(seen, views)
	}
	for i := range seen {
		if seen[i] != seen[0] || len(seen[i]) < 1000 {
			t.Errorf("sheet %d of the Soviets shows before the first chit", i)
		}
	}
}

func viewText(t *testing.T, v *view.View) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func describe(facts map[string]string) (out string) {
	for _, k := range slices.Sorted(maps.Keys(facts)) {
		out += fmt.Sprintf(" %s=%s", k, facts[k])
	}
	return out
}
