package umpire

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/umpire/club"
	"fieldpost/umpire/match"
)

// What spectators see holds nothing that one side alone knows, and it is late.
func TestSpectatorsSeeWhatBothSidesKnow(t *testing.T) {
	g := newTable(t)
	g.illustrated()
	g.seat("SOVIET")
	if sp, err := g.u.Spectate(g.game); err != nil || sp.Number != 0 {
		t.Errorf("before the game begins: %v", err)
	}
	g.seat("GERMAN")
	for n, side := range []string{"SOVIET", "GERMAN", "SOVIET"} {
		turn := n/2 + 1
		g.receive(g.mail(side, g.signed(side, "GAME: "+g.game+"\nSIDE: "+side+"\nTURN: "+string(rune('0'+turn))+"\nSERIAL: "+string(rune('0'+turn))+"\nDONE!\n")))
	}
	pos, err := g.u.DB.Load(g.game)
	if err != nil {
		t.Fatal(err)
	}
	game, _, _ := g.u.RulesOf(pos.Game)
	v, err := club.Neutral(game, pos.Latest.Snapshot)
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Units)+len(v.Lost)+len(v.Arrivals)+len(v.Assets) > 0 || v.Air != nil || v.Chits != nil || v.Side != "" {
		t.Error("the view belongs to a side")
	}
	sides := map[string]int{}
	for _, st := range v.Enemy {
		sides[st.Side]++
		if len(st.Units) > 0 || st.Seen != "" {
			t.Errorf("%s %s tells what stands there: %+v", st.Side, st.Hex, st)
		}
	}
	if sides["SOVIET"] == 0 || sides["GERMAN"] == 0 {
		t.Errorf("stacks of %v: of both sides some are public", sides)
	}
	text, _ := json.Marshal(v)
	for _, side := range game.Sides() {
		own, _ := game.View(pos.Latest.Snapshot, side)
		for _, un := range own.Units {
			if strings.Contains(string(text), `"`+un.ID+`"`) {
				t.Errorf("the neutral view names %s", un.ID)
			}
		}
	}
	sp, err := g.u.Spectate(g.game)
	if err != nil || sp.Turn != 2 || sp.Shown != 0 || sp.Behind != 1 {
		t.Errorf("in turn %d the end of turn %d is shown, %v", sp.Turn, sp.Shown, err)
	}
	if png, err := g.u.PublicMap(g.game, club.Thumbnail); err != nil || string(png[1:4]) != "PNG" {
		t.Errorf("the map: %v", err)
	}
	g.act("finish", "", "SOVIET: agreed")
	if sp, err = g.u.Spectate(g.game); err != nil || sp.Behind != 0 || sp.Number == 0 || sp.Verdict == "" {
		t.Errorf("after the end: %+v, %v", sp, err)
	}
	if i := slices.IndexFunc(sp.Stacks, func(s club.SideStacks) bool { return len(s.Hexes) == 0 }); i >= 0 {
		t.Errorf("%s has no units at the end", sp.Stacks[i].Side)
	}
}

// In a blind game spectators see who stands in contact and nobody else: that a stack
// is seen is itself a secret.
func TestSpectatorsOfABlindGame(t *testing.T) {
	for _, id := range []string{"kharkov-1942", "star-and-gallop", "gd-kursk"} {
		game, _, err := match.Builtin.Load(id)
		if err != nil {
			t.Fatal(err)
		}
		shown := map[string]int{}
		for _, mode := range []string{"rulebook", "blind"} {
			g, err := adjudicator.Under(game, map[string]string{"fog": mode})
			if err != nil {
				t.Fatal(err)
			}
			opening, err := g.Opening()
			if err != nil {
				t.Fatal(err)
			}
			v, err := club.Neutral(g, opening)
			if err != nil {
				t.Fatal(err)
			}
			shown[mode] = len(v.Enemy)
			for _, st := range v.Enemy {
				contact := slices.ContainsFunc(v.Enemy, func(o view.Stack) bool { return o.Side != st.Side && v.Board.Grid.Adjacent(o.Hex, st.Hex) })
				if mode == "blind" && !contact {
					t.Errorf("%s: %s at %v is shown, out of contact", id, st.Side, st.Hex)
				}
			}
		}
		if shown["blind"] >= shown["rulebook"] {
			t.Errorf("%s: spectators see %v stacks", id, shown)
		}
	}
}

// A web page for the world needs a web server in front of it.
func TestTheWebPageListensHereOnly(t *testing.T) {
	for listen, ok := range map[string]bool{"": true, "127.0.0.1:8025": true, "localhost:8025": true, "[::1]:8025": true, "0.0.0.0:8025": false, ":8025": false, "127.0.0.1": false, "example.org:80": false} {
		if err := (WebConfig{Listen: listen}).check(); (err == nil) != ok {
			t.Errorf("listen = %q: %v", listen, err)
		}
	}
}

// Every scenario has a neutral view of its set-up, and it can be drawn from.
func TestEveryScenarioHasANeutralView(t *testing.T) {
	library := &match.Builtin
	infos, err := library.List()
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range infos {
		game, _, err := library.Load(in.ID)
		if err != nil {
			t.Fatal(err)
		}
		opening, err := game.Opening()
		if err != nil {
			t.Fatal(err)
		}
		v, err := club.Neutral(game, opening)
		if err != nil {
			t.Errorf("%s: %v", in.ID, err)
			continue
		}
		if v.Board == nil || v.Title == "" || len(v.Units) > 0 {
			t.Errorf("%s: board %v, %d units", in.ID, v.Board != nil, len(v.Units))
		}
		public := map[string]bool{}
		for _, st := range v.Enemy {
			public[st.Side+st.Hex.String()] = true
		}
		for _, side := range game.Sides() {
			own, err := game.View(opening, side)
			if err != nil {
				t.Fatal(err)
			}
			seen := map[string]bool{}
			for _, other := range game.Sides() {
				o, _ := game.View(opening, other)
				for _, st := range o.Enemy {
					seen[st.Side+st.Hex.String()] = true
				}
			}
			for _, un := range own.Units {
				if at := un.Hex.String(); public[string(side)+at] && !seen[string(side)+at] {
					t.Errorf("%s: %s at %s is shown, and no enemy knows it", in.ID, side, at)
				}
			}
		}
	}
}
