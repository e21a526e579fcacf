package fog

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/steppe"
	"fieldpost/adjudicator/view"
	"fieldpost/playtest"
	"fieldpost/trial/engine"
)

// What one side files changes nothing that the other sees before a chit of it is drawn:
// view, notices and answers of its enemy are the same whatever is in the sealed sheet.
func TestSteppeSheetsAreSealed(t *testing.T) {
	m := newMatch(t, "star-and-gallop")
	var seen []string
	for number, soviet := range []adjudicator.Side{"passive", "random", "staff"} {
		views := ""
		play := m
		play.Turns = 1
		play.Players = map[adjudicator.Side]playtest.Player{"GERMAN": engine.Passive{}}
		switch soviet {
		case "passive":
			play.Players["SOVIET"] = engine.Passive{}
		case "random":
			play.Players["SOVIET"] = engine.NewRandom(m.Game, number, "SOVIET", map[string][2]int{})
		}
		first := true
		play.Each = func(_ []byte, out adjudicator.Outcome) error {
			v, err := m.Game.View(out.Position, "GERMAN")
			if err != nil {
				return err
			}
			if len(v.Chits.Played) > 0 {
				first = false
			}
			if first {
				views += viewText(t, v) + told(out, "GERMAN")
			}
			return nil
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

// veiled is a player whose sheets hold more than comes of them in the turn: variants
// whose conditions never hold, doctrine for guns that nobody has, triggers, and the
// Backhand Blow for a weather that there is not.
type veiled struct{ playtest.Player }

// Choose implements playtest.Chooser: reactions are those of the player.
func (p veiled) Choose(d adjudicator.Decision) string { return p.Player.(playtest.Chooser).Choose(d) }

// Sheet implements playtest.Player.
func (p veiled) Sheet(v *view.View, serial int) (string, error) {
	text, err := p.Player.Sheet(v, serial)
	var out []string
	chit := false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		word, _, _ := strings.Cut(line, " ")
		if head := slices.Contains(steppe.Vocabulary.Sections, word) || word == "DONE"; head && chit {
			out = append(out, "IF GROUND MUD AND GROUND FROZEN THEN", "HQ TO 2512")
			chit = false
		}
		switch {
		case word == "CHIT":
			chit = true
		case word == "DONE":
			if v.Side == "GERMAN" {
				out = append(out, "BACKHAND THIS TURN IF MUD AND FROZEN")
			}
			out = append(out, "STANDING", "ANTI-TANK AT WEAKEST", "CANCEL NO")
		}
		if out = append(out, line); strings.HasPrefix(line, "SERIAL:") {
			out = append(out, "MODE: PAUSE-IF AFTER ENEMY CHIT")
		}
	}
	return strings.Join(out, "\n") + "\n", err
}

// Through a whole turn, chits drawn and battles fought, a side learns nothing of what in
// the enemy's sheet did not come to pass: view, events, report, map and the answer to a
// sheet of its own are the same, byte by byte, with and without it. That a chit still in
// the cup could be another one is what fieldpost-trial fog tries.
func TestSteppeSheetsStaySealedThroughTheTurn(t *testing.T) {
	m := newMatch(t, "star-and-gallop")
	m.Turns = 1
	sides := m.Game.Sides()
	for i, hidden := range sides {
		var seen, kept [2][]string
		for k := range seen {
			play := m
			play.Players = map[adjudicator.Side]playtest.Player{}
			for _, side := range sides {
				play.Players[side] = engine.NewRandom(m.Game, 3, side, map[string][2]int{})
			}
			if k == 1 {
				play.Players[hidden] = veiled{play.Players[hidden]}
			}
			seen[k], kept[k] = watch(t, play, sides[1-i])
		}
		if len(seen[0]) < 12 || len(seen[0]) != len(seen[1]) {
			t.Fatalf("%d and %d phases", len(seen[0]), len(seen[1]))
		}
		if kept[0][1] == kept[1][1] {
			t.Errorf("the sheets of %s do not differ: this proves nothing", hidden)
		}
		for n := range seen[0] {
			if seen[0][n] != seen[1][n] {
				a, b := seen[0][n], seen[1][n]
				at := 0
				for at < min(len(a), len(b)) && a[at] == b[at] {
					at++
				}
				t.Fatalf("after phase %d the enemy of %s can tell what its sheet holds beside what came to pass:\n...%s\n...%s", n+1, hidden, cutAt([]byte(a), at), cutAt([]byte(b), at))
			}
		}
	}
}

// watch plays a match and writes down what a side gets to see of each phase, of every
// fourth the report and the map too, and the positions as they are.
func watch(t *testing.T, of playtest.Match, side adjudicator.Side) (seen, positions []string) {
	t.Helper()
	m, err := compared(of, rand.New(rand.NewPCG(5, 5)))
	if err != nil {
		t.Fatal(err)
	}
	m.Each = func(_ []byte, out adjudicator.Outcome) error {
		v, err := m.Game.View(out.Position, side)
		if err != nil {
			return err
		}
		text := viewText(t, v) + told(out, side)
		if len(seen)%4 == 0 {
			s, err := m.show(out.Position, side, adjudicator.Outcome{Events: out.Events}, m.probe(v))
			if err != nil {
				return err
			}
			text += string(s.text) + string(s.html) + string(s.svg) + string(s.ack)
		}
		seen, positions = append(seen, text), append(positions, string(out.Position))
		return nil
	}
	if _, err := m.Play(context.Background()); err != nil {
		t.Fatal(err)
	}
	return seen, positions
}

// told is the events that a side hears of.
func told(out adjudicator.Outcome, side adjudicator.Side) (text string) {
	for _, e := range out.Events {
		if e.For(string(side)) {
			text += e.Kind + describe(e.Facts)
		}
	}
	return text
}

func viewText(t *testing.T, v *view.View) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func describe(facts view.Pairs) (out string) {
	for _, k := range slices.Sorted(maps.Keys(facts.Map())) {
		out += fmt.Sprintf(" %s=%s", k, facts.Get(k))
	}
	return out
}
