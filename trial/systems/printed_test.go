package systems

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/playtest"
	"fieldpost/scenarios"
)

// causes are the kinds of events that may cost a unit steps in the first turn although
// nobody has ordered anything: attacks that the rules demand and what comes of them, fire,
// mines, Panthers, aircraft, and changing sides. The limit of stacking and want of supply
// are none of them.
var causes = map[string][]string{
	"wb95":   {"combat", "combat-retreat", "combat-pursuit", "fire", "mines", "panthers", "air-attack", "air-loss", "defection"},
	"steppe": {"combat", "retreat", "loss"},
	"famous": {"combat", "retreat", "loss", "barrage", "shot"},
}

// A printed set-up is law in every system: with empty sheets of both sides the first turn
// costs nobody anything but by combat, mines, Panthers, aircraft or fire.
func TestAPrintedSetUpLosesNobody(t *testing.T) {
	list := scenarios.List()
	if len(list) != 15 {
		t.Errorf("%d scenarios are tried, there are fifteen", len(list))
	}
	for _, info := range list {
		t.Run(info.ID, func(t *testing.T) {
			pack, err := scenarios.Open(info.ID)
			if err != nil {
				t.Fatal(err)
			}
			game, err := Table[info.System].Rules.Load(pack)
			if err != nil {
				t.Fatal(err)
			}
			m := playtest.Match{Game: game, Vocabulary: Table[info.System].Rules.Vocabulary(), Number: 1, Turns: firstTurn(t, game), Players: map[adjudicator.Side]playtest.Player{}}
			for _, side := range game.Sides() {
				m.Players[side] = idle{}
			}
			units, lost := 0, map[string]int{}
			m.Each = func(before []byte, out adjudicator.Outcome) error {
				for _, side := range game.Sides() {
					is := steps(t, game, out.Position, side)
					for _, u := range onMap(t, game, before, side) {
						units++
						if is[u.ID] >= u.Steps {
							continue
						}
						cause := causeOf(u, out.Events, causes[info.System])
						lost[cause]++
						if cause == "" {
							t.Errorf("%s: %s on %v had %d steps and has %d, and no event says why", side, u.Name, u.Hex, u.Steps, is[u.ID])
						}
					}
				}
				return nil
			}
			if _, err := m.Play(context.Background()); err != nil {
				t.Fatal(err)
			}
			if units == 0 {
				t.Error("no unit was looked at")
			}
			t.Logf("%d units looked at, losses by kind of event: %v", units, lost)
		})
	}
}

// idle is a player who orders nothing.
type idle struct{}

// Sheet implements playtest.Player.
func (idle) Sheet(v *view.View, turn int) (string, error) {
	return fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: %d\nSERIAL: 1\nDONE!\n", v.Game, v.Side, turn), nil
}

// onMap is a side's units on the map as it sees them.
func onMap(t *testing.T, game adjudicator.Game, position []byte, side adjudicator.Side) []view.Unit {
	v, err := game.View(position, side)
	if err != nil {
		t.Fatal(err)
	}
	return v.Units
}

// steps counts those of a side's units, on the map or off it; units that are lost have none.
func steps(t *testing.T, game adjudicator.Game, position []byte, side adjudicator.Side) map[string]int {
	v, err := game.View(position, side)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	for _, u := range slices.Concat(v.Units, v.Arrivals, v.Allies) {
		out[u.ID] = u.Steps
	}
	return out
}

// firstTurn is the number of a game's first turn, which need not be called 1.
func firstTurn(t *testing.T, game adjudicator.Game) int {
	opening, err := game.Opening()
	if err != nil {
		t.Fatal(err)
	}
	at, err := game.At(opening)
	if err != nil {
		t.Fatal(err)
	}
	return max(at.Turn, 1)
}

// causeOf is the kind of the event, one of those given, that speaks of the unit or of its
// hex; "" if none does.
func causeOf(u view.Unit, events []view.Event, kinds []string) string {
	for _, e := range events {
		named := slices.Contains(e.Hexes, u.Hex)
		for _, fact := range e.Facts.All() {
			named = named || strings.Contains(fact, u.Name) || strings.Contains(fact, u.Hex.String())
		}
		if named && slices.Contains(kinds, e.Kind) {
			return e.Kind
		}
	}
	return ""
}
