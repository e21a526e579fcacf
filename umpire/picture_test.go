package umpire

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/view"
	"fieldpost/mailbox"
	"fieldpost/umpire/match"
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
				if f.Name != view.PackedFile {
					continue
				}
				v, err := view.Parse(f.Data)
				if err != nil {
					t.Fatal(err)
				}
				v.Rules, v.Reply, v.Story = nil, nil, nil // what happened and how to answer is the report's to say, and no part of the position
				if sent, err = json.Marshal(v); err != nil {
					t.Fatal(err)
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
	for layers, wrong := range map[string]bool{"": false, "all": false, "+zoc": false, "+sight": true, "+supply": false, "units,sight": true, "-sight": false, "+railways": true} {
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

// A player chooses which pictures their reports bring, and is told what there is to choose.
func TestPlayersChooseTheirPictures(t *testing.T) {
	g := newTable(t)
	g.illustrated()
	g.seat("SOVIET")
	g.seat("GERMAN")
	head := "GAME: " + g.game + "\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nPICTURES: "
	g.receive(g.mail("SOVIET", g.signed("SOVIET", head+"HUGE\n")))
	if answer := lastText(g, "SOVIET"); !strings.Contains(answer, `"HUGE" is not a choice of pictures`) || !strings.Contains(answer, "ALL for both, or NONE.") {
		t.Errorf("a choice that is none:\n%s", answer)
	}
	g.receive(g.mail("SOVIET", g.signed("SOVIET", strings.Replace(head, "SERIAL: 1", "SERIAL: 2", 1)+"none\n")))
	if answer := lastText(g, "SOVIET"); !strings.Contains(answer, "from the next report on: no pictures") {
		t.Errorf("none:\n%s", answer)
	}
	g.receive(g.mail("SOVIET", g.signed("SOVIET", strings.Replace(strings.Replace(head, "SERIAL: 1", "SERIAL: 3", 1), "PICTURES: ", "", 1)+"\nMOVE\n36/28A 2104-2105\n\nATTACK\n\nDONE!\n")))
	for side, want := range map[string]bool{"SOVIET": false, "GERMAN": true} {
		mails := g.outbox(side)
		last := mails[len(mails)-1]
		drawn := slices.ContainsFunc(last.Attachments, func(a mailbox.Attachment) bool { return a.Type == "image/png" })
		if !strings.Contains(last.Subject, "turn 1") || drawn != want {
			t.Errorf("%s: %q with pictures: %v", side, last.Subject, drawn)
		}
	}
}

func lastText(g *gameTable, side string) string {
	m, _ := g.last(side)
	return strings.Join(strings.Fields(m.Texts[0].AsSent), " ")
}
