package famous

import (
	"errors"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/view"
)

// owned is what the owner sees of a unit, wherever it is.
func owned(t *testing.T, g adjudicator.Game, position []byte, side, name string) view.Unit {
	t.Helper()
	v := seatAt(t, g, position, side).view
	for _, list := range [][]view.Unit{v.Units, v.Arrivals, v.Lost} {
		for _, u := range list {
			if u.Name == name {
				return u
			}
		}
	}
	t.Fatalf("the %s have no %s", side, name)
	return view.Unit{}
}

// What a moderator may mend, what it says, and what stands then.
func TestAModeratorsMends(t *testing.T) {
	g, position := startGame(t, "gd-kursk", nil)
	game := g.(*Game)
	for _, x := range []struct{ edit, says, side, unit, hex, steps string }{
		{"PUT 5K/2Pz 3630", "5K/2Pz of GERMAN, until now 3527, stands on 3630 with 2 steps", "GERMAN", "5K/2Pz",
			"3630", "2"},
		{"put 5k/2pz 3630", "5K/2Pz of GERMAN, until now 3527, stands on 3630 with 2 steps", "GERMAN", "5K/2Pz",
			"3630", "2"},
		{"PUT ger-2pz-5k 3630", "5K/2Pz of GERMAN, until now 3527, stands on 3630 with 2 steps", "GERMAN",
			"5K/2Pz", "3630", "2"},
		{"PUT GERMAN HQ Rcn 3030", "HQ Rcn of GERMAN", "GERMAN", "HQ Rcn", "3030", "1"},
		{"PUT 1K/1Gr 2030", "1K/1Gr of GERMAN, until now off the map, stands on 2030 with 2 steps", "GERMAN",
			"1K/1Gr", "2030", "2"},
		{"STEPS 5K/2Pz 1", "5K/2Pz of GERMAN has 1 steps, until now 2", "GERMAN", "5K/2Pz", "3527", "1"},
		{"STEPS 1K/1Pz 2", "1K/1Pz of GERMAN has 2 steps, until now 1", "GERMAN", "1K/1Pz", "1231", "2"},
		{"REMOVE 5K/2Pz", "5K/2Pz of GERMAN is taken off the game", "GERMAN", "5K/2Pz", "-", "0"},
		{"REMOVE SOVIET HQ Rcn", "HQ Rcn of SOVIET is taken off the game", "SOVIET", "HQ Rcn", "-", "0"},
	} {
		after, says, err := game.Edit(position, x.edit)
		if err != nil || !strings.Contains(says, x.says) {
			t.Errorf("%s: %q, %v, not %q", x.edit, says, err, x.says)
			continue
		}
		u := owned(t, g, after, x.side, x.unit)
		at := "-"
		if u.Hex != 0 {
			at = u.Hex.String()
		}
		if at != x.hex || u.Steps != int(x.steps[0]-'0') {
			t.Errorf("%s: it stands on %v with %d steps", x.edit, u.Hex, u.Steps)
		}
	}
	_, says, err := game.Edit(position, "CONTROL 4451 GERMAN")
	if err == nil || !strings.Contains(err.Error(), "4451 is held by units of SOVIET") {
		t.Errorf("ground that the enemy stands on is given away: %q, %v", says, err)
	}
	after, _, err := game.Edit(position, "CONTROL 1448 GERMAN")
	if err != nil || seatAt(t, g, after, "GERMAN").view.Score[0].Points != 1 {
		t.Errorf("Hill 230 is given to the Germans and counts nothing: %v", err)
	}
	// PUT brings back who was lost.
	gone, _, err := game.Edit(position, "REMOVE 5K/2Pz")
	if err != nil {
		t.Fatal(err)
	}
	back, says, err := game.Edit(gone, "PUT 5K/2Pz 3630")
	among := "until now among the lost, stands on 3630 with 1 steps"
	if err != nil || !strings.Contains(says, among) || owned(t, g, back, "GERMAN", "5K/2Pz").Steps != 1 {
		t.Errorf("a lost company comes back: %q, %v", says, err)
	}
}

// What no moderator may do, and why.
func TestMendsThatAreRefused(t *testing.T) {
	g, position := startGame(t, "gd-kursk", nil)
	game := g.(*Game)
	gone, _, err := game.Edit(position, "REMOVE 5K/2Pz")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		on         []byte
		edit, says string
	}{
		{position, "", "write PUT unit hex"}, {position, "MOVE 5K/2Pz 3630", "write PUT unit hex"},
		{position, "PUT 5K/2Pz", "write PUT unit hex"}, {position, "STEPS 5K/2Pz", "write PUT unit hex"},
		{position, "REMOVE", "write PUT unit hex"},
		{position, "PUT 9K/2Pz 3630", `no unit is called "9K/2PZ"`},
		{position, "PUT 5K/2Pzz 3630", `no unit is called "5K/2PZZ"; did you mean GERMAN 5K/2Pz`},
		{position, "REMOVE 5K", `"5K" may be ger-2gr-5k (GERMAN) or ger-2pz-5k (GERMAN)`},
		{position, "PUT SOVIET 5K/2Pz 3630", "no unit is called"},
		{position, "PUT HQ Rcn 3030", "may be ger-rcn-hq (GERMAN) or sov-rcn-hq (SOVIET); write the id"},
		{position, "PUT 5K/2Pz 9999", "hex 9999 is not on the map"},
		{position, "PUT 5K/2Pz 3527", "5K/2Pz stands on 3527 already"}, {position, "PUT 5K/2Pz HILL", "HILL"},
		{position, "STEPS 5K/2Pz 3", "5K/2Pz has from 1 to 2 steps, not 3"},
		{position, "STEPS 5K/2Pz 0", "has from 1 to 2 steps, not 0"},
		{position, "STEPS 5K/2Pz MANY", "not MANY"}, {position, "STEPS 5K/2Pz 2", "has 2 steps already"},
		{position, "STEPS HQ 2Pz 2", "has from 1 to 1 steps"},
		{gone, "STEPS 5K/2Pz 1", "5K/2Pz has been lost; PUT brings it back"},
		{gone, "REMOVE 5K/2Pz", "5K/2Pz has been lost already"},
		{position, "CONTROL 1448", "write PUT unit hex"},
		{position, "CONTROL 1448 FINNS", `"FINNS" is not a side of this game`},
		{position, "CONTROL 9999 GERMAN", "hex 9999 is not on the map"},
		{position, "PUT 5K/2Pz 2135", "2135 holds both sides"},
		{position, "PUT 5K/2Pz 4451", "holds both sides"},
	} {
		after, says, err := game.Edit(x.on, x.edit)
		if !errors.Is(err, phrase.ErrMend) || !strings.Contains(err.Error(), x.says) || after != nil || says != "" {
			t.Errorf("%q: %q, %v, not %q", x.edit, says, err, x.says)
		}
	}
	over, err := g.End(position, "GERMAN", "the Soviets give up")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := game.Edit(over, "STEPS 5K/2Pz 1"); !errors.Is(err, adjudicator.ErrOver) {
		t.Errorf("a game that is over is mended: %v", err)
	}
}

// Riders and tanks are parted by a mend of either; who is taken off leaves the hex.
func TestMendsOfRiders(t *testing.T) {
	g, position := startGame(t, "gd-kursk", nil)
	game := g.(*Game)
	answers := plotted{"GERMAN turn": "FIRST ENG", "GERMAN chit Eng": "MOUNT JAGER ON FLAME AT 3230"}
	for range 3 { // weather, supply, and the engineers' chit
		out, err := g.Play(position, nil, fixed(1), answers)
		if err != nil {
			t.Fatal(err)
		}
		position = out.Position
	}
	if u := owned(t, g, position, "GERMAN", "Jager/Eng"); u.Aboard != "ger-eng-flame" {
		t.Fatalf("the Jager do not ride: %+v", u)
	}
	for _, x := range []struct{ edit, tank, rider string }{
		{"PUT Flame/Eng 3231", "3231", "3230"}, {"PUT Jager/Eng 3231", "3230", "3231"},
		{"REMOVE Flame/Eng", "", "3230"}, {"REMOVE Jager/Eng", "3230", ""},
		{"STEPS Flame/Eng 1", "3230", "3230"},
	} {
		after, _, err := game.Edit(position, x.edit)
		if err != nil {
			t.Errorf("%s: %v", x.edit, err)
			continue
		}
		tank, rider := owned(t, g, after, "GERMAN", "Flame/Eng"), owned(t, g, after, "GERMAN", "Jager/Eng")
		at := func(u view.Unit) string {
			if u.Hex == 0 {
				return ""
			}
			return u.Hex.String()
		}
		if at(tank) != x.tank || at(rider) != x.rider || (rider.Aboard != "") != (x.edit == "STEPS Flame/Eng 1") {
			t.Errorf("%s: the tank stands on %q, the company on %q, riding %q", x.edit, at(tank), at(rider),
				rider.Aboard)
		}
	}
}

// The game that the players end themselves is over, for whom they say.
func TestAGameEndedByThePlayers(t *testing.T) {
	g, position := startGame(t, "gd-akhtyrka", nil)
	over, err := g.End(position, "SOVIET", "the Germans give up")
	if err != nil {
		t.Fatal(err)
	}
	at, err := g.At(over)
	if err != nil || !at.Over || at.Name != "the game is over" {
		t.Errorf("it stands before %+v, %v", at, err)
	}
	for _, side := range g.Sides() {
		v := seatAt(t, g, over, string(side)).view
		if v.Winner != "SOVIET" || v.Verdict != "the Germans give up" || len(v.Due) > 0 {
			t.Errorf("the %s read that %s has won: %q; they owe %v", side, v.Winner, v.Verdict, v.Due)
		}
	}
	sides := g.Sides()
	if len(sides) != 2 || g.Title() != "Akhtyrka, August 1943" || adjudicator.UnplayedOf(g) != nil {
		t.Errorf("%v play %q without %v", sides, g.Title(), adjudicator.UnplayedOf(g))
	}
}
