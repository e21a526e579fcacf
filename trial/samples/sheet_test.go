package samples

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"fieldpost/adjudicator/guidance"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
	"fieldpost/playtest"
	"fieldpost/scenarios"
	"fieldpost/trial"
	"fieldpost/trial/engine"
	"fieldpost/umpire/match"
)

// reader is a player who looks at the sheet to fill in of every turn, and orders nothing.
type reader struct {
	engine.Passive
	look func(v *view.View)
}

func (r reader) Sheet(v *view.View, serial int) (string, error) {
	r.look(v)
	return r.Passive.Sheet(v, serial)
}

// In all scenarios, at the first sheets of both sides, a line of the sheet to fill in stands as
// soon as its # is taken away, or its comment says why not; and every unit on the map that the side
// can order is on it.
func TestLinesOfSheetsToFillInStand(t *testing.T) {
	lines, excused := 0, 0
	for number, info := range scenarios.List() {
		id := info.ID
		game, words, err := match.Builtin.Game(id)
		if err != nil {
			t.Fatal(err)
		}
		m := trial.NewMatch(game, words, number+1)
		m.Turns = 1
		ctx, stop := context.WithCancel(context.Background())
		looked := map[string]bool{}
		for _, side := range game.Sides() {
			m.Players[side] = reader{look: func(v *view.View) {
				if looked[v.Side] = v.Turn > 0; len(looked) == len(game.Sides()) {
					stop() // the rest of the turn is no matter here
				}
				n, why := eachLine(t, m, v, number)
				lines, excused = lines+n, excused+why
			}}
		}
		if _, err := m.Play(ctx); err != nil && ctx.Err() == nil {
			t.Fatal(id, err)
		}
		stop()
	}
	t.Logf("%d lines, %d of them say why they do not stand", lines, excused)
	if lines < 200 || excused > lines/2 {
		t.Errorf("%d lines were tried, %d of them say that they do not stand", lines, excused)
	}
}

// every is how many lines of a sheet are passed over for one that is tried.
const every = 8

// eachLine tries a sample of the lines of a sheet to fill in, one at a time.
func eachLine(t *testing.T, m playtest.Match, v *view.View, from int) (tried, excused int) {
	t.Helper()
	body, err := guidance.Sections(m.Game, v, nil)
	if err != nil {
		t.Fatal(err)
	}
	head := fmt.Sprintf("GAME: %s\nSIDE: %s\nTURN: %d\nSERIAL: 1\n", v.Game, v.Side, v.Turn)
	for _, u := range v.Units {
		isOnMap := v.Turn > 0 && u.Hex != hex.None // the headquarters of guns beside the map goes nowhere
		if isOnMap && !strings.Contains(body, u.Name) && !strings.Contains(body, "HQ TO "+u.Hex.String()) {
			t.Errorf("%s %s: %s is not on the sheet", v.Scenario, v.Side, u.Name)
		}
	}
	list := strings.Split(head+body, "\n")
	for i := from % every; i < len(list); i += every {
		line, is := strings.CutPrefix(strings.TrimSpace(list[i]), "# ")
		if !is {
			continue
		}
		tried++
		filled := append(append(append([]string(nil), list[:i]...), line), list[i+1:]...)
		at := strings.Count(orders.Canonical(strings.Join(filled[:i+1], "\n")), "\n")
		sheet, faults := orders.Parse(orders.Canonical(strings.Join(filled, "\n")), m.Vocabulary)
		if len(faults) > 0 {
			t.Errorf("%s %s: %s: %v", v.Scenario, v.Side, line, faults[0])
			continue
		}
		stands := true
		for _, l := range m.Game.Check(v, sheet).Lines {
			if l.Pos.Line == at && l.Refused != nil {
				stands = false
				if !strings.Contains(line, "# not now: ") {
					t.Errorf("%s %s: %s: %v", v.Scenario, v.Side, line, l.Refused)
				}
			}
		}
		if strings.Contains(line, "# not now: ") {
			excused++
			if stands {
				t.Errorf("%s %s: stands: %s", v.Scenario, v.Side, line)
			}
		}
	}
	return tried, excused
}
