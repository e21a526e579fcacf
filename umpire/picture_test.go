package umpire

import (
	"encoding/json"
	"errors"
	"testing"

	"fieldpost/umpire/match"
	"fieldpost/umpire/proof"
	"fieldpost/umpire/scene"
)

// A map of a kept game shows each side what its report showed it, and the
// moderator both.
func TestSceneIsWhatTheReportShowed(t *testing.T) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	g.receive(g.mail("SOVIET", g.signed("SOVIET", "GAME: "+g.game+"\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\n\nMOVE\n36/28A 2104-2105\n\nATTACK\n\nDONE!\n")))
	for _, side := range []string{"SOVIET", "GERMAN"} {
		sc, err := scene.At(&g.u.Games, g.game, side, 0)
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(sc.View)
		if err != nil {
			t.Fatal(err)
		}
		var sent []byte
		for _, m := range g.outbox(side) {
			for _, f := range m.Attachments {
				if f.Name == proof.FileView {
					sent = f.Data
				}
			}
		}
		if string(got) != string(sent) {
			t.Errorf("%s: the map's view is not that of the report", side)
		}
		if len(sc.Zones) != 2 || len(sc.Zones[0].Hexes) == 0 {
			t.Errorf("%s: zones of control %+v", side, sc.Zones)
		}
	}
	sc, err := scene.At(&g.u.Games, g.game, "GERMAN", 0)
	if err != nil {
		t.Fatal(err)
	}
	for layers, wrong := range map[string]bool{"": false, "all": false, "+zoc": false, "+sight": true, "units,sight": true, "-sight": false, "+railways": true} {
		if _, err := sc.Options(layers); (err != nil) != wrong {
			t.Errorf("layers %q: %v", layers, err)
		}
	}
	open, err := scene.At(&g.u.Games, g.game, "", 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, st := range open.View.Enemy {
		if len(st.Units) == 0 || st.Units[0].Name == "" {
			t.Errorf("the moderator does not see what stands in %v", st.Hex)
		}
	}
	if _, err := scene.At(&g.u.Games, g.game, "", 9); !errors.Is(err, scene.ErrNoTurn) {
		t.Errorf("turn 9: %v", err)
	}
	if _, err := scene.At(&g.u.Games, g.game, "FINN", 1); !errors.Is(err, match.ErrNoSide) {
		t.Errorf("a side that does not play: %v", err)
	}
}
