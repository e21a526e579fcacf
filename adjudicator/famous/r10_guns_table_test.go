package famous

import (
	"fmt"
	"strings"
	"testing"
)

// Guns in support of an attack: range, one shot a turn, supply; they need not be activated
// nor see anything, and night and weather do not matter.
func TestGunsOfTheAttack(t *testing.T) {
	for _, x := range []struct{ what, ground, gun, expect string }{
		{"within range", "", "5-3-8, artillery 5, at 0101", "event combat: attack = 9; guns = g;g fired"},
		{"at the end of its range", "", "5-3-8, artillery 4, at 0101", "event combat: attack = 9"},
		{"out of range", "", "5-3-8, artillery 3, at 0101",
			"event combat: attack = 4; guns = nothing;refused 11.1: has a range of 3, 0304 is 4 away;" +
				"g not fired"},
		{"of another battalion", "", "5-3-8, artillery 9, of 2, at 0101", "event combat: attack = 9"},
		{"out of its headquarters' range", "", "5-3-8, artillery 19, at 0814", "event combat: attack = 9"},
		{"activated before", "", "5-3-8, artillery 9, of 2, used, at 0101", "event combat: attack = 9"},
		{"fired before", "", "5-3-8, artillery 9, fired, at 0101",
			"event combat: attack = 4;refused 10.2: g has fired"},
		{"out of supply", "", "5-3-8, artillery 9, unsupplied 2, at 0101",
			"event combat: attack = 4;refused 5.3: g is out of supply"},
		{"low on supply it counts half, rounded up", "", "5-3-8, artillery 9, unsupplied 1, at 0101",
			"event combat: attack = 7"},
		{"over forest and hills", "forest 0202 0203\n  peak 0103 0302", "5-3-8, artillery 9, at 0101",
			"event combat: attack = 9"},
		{"at night", "time Night", "5-3-8, artillery 9, at 0101", "event combat: attack = 9"},
		{"in fog", "weather Foggy", "5-3-8, artillery 9, at 0101", "event combat: attack = 9"},
		{"with a debarked crew", "", "5-3-8, artillery 9, debarked, at 0101", "event combat: attack = 9"},
		{"a unit that is none", "", "5-3-8, direct 3, at 0101",
			"event combat: attack = 4;refused 10.2: g is not artillery"},
	} {
		dice := "3 4"
		if strings.Contains(x.ground, "Night") {
			dice = "1 2 4"
		}
		playScene(t, x.what, "MAP 8x14\n  "+x.ground+"\nUNITS\n  RED h: hq 5, at 0301\n"+
			"  RED a: leg, 4-4-8, at 0303\n  RED g: wheeled, "+x.gun+"\n  BLUE k: hq 9, at 0310\n"+
			"  BLUE x: leg, 4-4-8, at 0304\n"+
			"CHIT RED 1\n  ATTACK 0304 WITH A; ARTILLERY G; ADVANCE NO\nDICE\n  combat 0304: "+dice+
			"\nEXPECT\n  "+strings.NewReplacer(";g ", "\n  g ", ";refused",
			"\n  refused").Replace(x.expect)+"\n", "")
	}
}

// Guns in support of a defence: their attack is added to it, never to their own hex.
func TestGunsOfTheDefence(t *testing.T) {
	for _, x := range []struct{ what, gun, standing, expect string }{
		{"its attack counts, not its defence", "5-3-8, artillery 9, at 0310", "DEFENSIVE ARTILLERY ANY, KEEP 0",
			"event combat: defence = 9; shells = g\n  g fired"},
		{"at the end of its range", "5-3-8, artillery 6, at 0310", "DEFENSIVE ARTILLERY ANY, KEEP 0",
			"event combat: defence = 9"},
		{"out of range", "5-3-8, artillery 5, at 0310", "DEFENSIVE ARTILLERY ANY, KEEP 0",
			"event combat: defence = 4"},
		{"not for its own hex", "5-3-8, artillery 9, at 0304", "DEFENSIVE ARTILLERY ANY, KEEP 0",
			"event combat: defence = 7; shells = nothing\n  g not fired"},
		{"fired before", "5-3-8, artillery 9, fired, at 0310", "DEFENSIVE ARTILLERY ANY, KEEP 0",
			"event combat: defence = 4"},
		{"out of supply", "5-3-8, artillery 9, unsupplied 2, at 0310", "DEFENSIVE ARTILLERY ANY, KEEP 0",
			"event combat: defence = 4"},
		{"never, if so ordered", "5-3-8, artillery 9, at 0310", "DEFENSIVE ARTILLERY NEVER",
			"event combat: defence = 4"},
		{"not at these odds", "5-3-8, artillery 9, at 0310", "DEFENSIVE ARTILLERY IF ODDS >= 3-1, KEEP 0",
			"event combat: defence = 4"},
		{"at these odds", "5-3-8, artillery 9, at 0310", "DEFENSIVE ARTILLERY IF ODDS >= 2-1, KEEP 0",
			"event combat: defence = 9"},
		{"the last gun is kept", "5-3-8, artillery 9, at 0310", "DEFENSIVE ARTILLERY ANY, KEEP 1",
			"event combat: defence = 4"},
		{"of any battalion", "5-3-8, artillery 9, of 3, at 0310", "DEFENSIVE ARTILLERY ANY, KEEP 0",
			"event combat: defence = 9"},
	} {
		playScene(t, x.what, "MAP 8x14\nUNITS\n  RED h: hq 5, at 0301\n  RED a: leg, 8-4-8, at 0303\n"+
			"  BLUE k: hq 9, at 0314\n  BLUE x: leg, 4-4-8, at 0304\n  BLUE g: wheeled, "+x.gun+
			"\nCHIT RED 1\n  ATTACK 0304 WITH A; ADVANCE NO\nSTANDING BLUE\n  "+x.standing+
			"\nDICE\n  combat 0304: 3 4\nEXPECT\n  "+x.expect)
	}
}

// MIN keeps an attack from being made below a column; what stands in works is reckoned 12.
func TestAttacksBelowTheLeastOdds(t *testing.T) {
	for _, x := range []struct {
		what, ground, order string
		attack, defence     int
		fought              bool
	}{
		{"at the column", "", "MIN 2-1", 8, 4, true}, {"above it", "", "MIN 2-1", 12, 4, true},
		{"below it", "", "MIN 2-1", 7, 4, false}, {"below even odds", "", "MIN 1-1", 3, 4, false},
		{"at long odds if wished", "", "MIN 1-3", 4, 12, true}, {"beyond them", "", "MIN 1-3", 4, 13, false},
		{"no least odds", "", "", 1, 20, true},
		{"what stands in works is reckoned 12", "fort BLUE trench 0304 face 4", "MIN 1-1", 11, 1, false},
		{"and 12 against it are even", "fort BLUE trench 0304 face 4", "MIN 1-1", 12, 1, true},
		{"written with a colon", "", "MIN 2:1", 7, 4, false},
	} {
		body := duel(x.attack, x.defence, "3 4", "  "+x.ground, "")
		body = strings.Replace(body, "; ADVANCE NO", "; ADVANCE NO; "+x.order, 1)
		expect := "EXPECT\n  event combat: hex = 0304"
		if !x.fought {
			body, _, _ = strings.Cut(body, "DICE")
			expect = "EXPECT\n  refused 10.1: below\n  no event combat\n  a at 0303, steps 2"
		}
		playScene(t, x.what, strings.Replace(body, "; \n", "\n", 1), expect)
	}
	// Guns that would have taken part have not fired.
	playScene(t, "the guns stay ready", "MAP 8x14\nUNITS\n  RED h: hq 5, at 0301\n"+
		"  RED a: leg, 1-4-8, at 0303\n"+
		"  RED g: wheeled, 5-3-8, artillery 9, at 0301\n  BLUE x: leg, 4-9-8, at 0304\nCHIT RED 1\n"+
		"  ATTACK 0304 WITH A; ARTILLERY G; MIN 2-1\nEXPECT\n  refused 10.1: 6 against 9 is 1-2, below 2-1\n"+
		"  g not fired")
}

// ARTILLERY ANY takes the fewest guns that raise the column.
func TestGunsOfTheStaffsChoice(t *testing.T) {
	for _, x := range []struct{ what, order, column string }{
		{"none named", "ADVANCE NO", "1-1"}, {"any", "ARTILLERY ANY", "3-1"},
		{"one at most", "ARTILLERY ANY MAX 1", "2-1"},
	} {
		playScene(t, x.what, "MAP 8x14\nUNITS\n  RED h: hq 5, at 0301\n  RED a: leg, 4-4-8, at 0303\n"+
			"  RED f: wheeled, 4-3-8, artillery 9, at 0301\n  RED g: wheeled, 4-3-8, artillery 9, at 0301\n"+
			"  BLUE k: hq 9, at 0310\n  BLUE x: leg, 4-4-8, at 0304\n"+
			"CHIT RED 1\n  ATTACK 0304 WITH A; "+x.order+"\nDICE\n  combat 0304: 3 4\nEXPECT\n"+
			"  event combat: column = "+x.column)
	}
}

// ATTACK AT-WILL fights wherever the odds are good enough, the best first, each unit once.
func TestAttacksAtWill(t *testing.T) {
	const scene = "MAP 9x14\nUNITS\n  RED h: hq 9, at 0301\n  RED a: leg, 4-4-8, at 0303\n" +
		"  RED b: leg, 8-4-8, at 0603\n  BLUE k: hq 9, at 0512\n  BLUE x: leg, 4-4-8, at 0304\n" +
		"  BLUE y: leg, 4-4-8, at 0604\nCHIT RED 1\n  ATTACK AT-WILL%s\nDICE\n  %s\nEXPECT\n  %s"
	for _, x := range []struct{ order, dice, expect string }{
		{" MIN 1-1", "combat 0304: 3 4\n  combat 0604: 3 5", "event combat: hex = 0304\n" +
			"  event combat: hex = 0604"},
		{"", "combat 0304: 3 4\n  combat 0604: 3 5", "event combat: hex = 0304"},
		{" MIN 2-1", "combat 0604: 3 5", "event combat: hex = 0604\n  a at 0303"},
		{" WITH A", "combat 0304: 3 4", "event combat: units = a"},
	} {
		r := playScene(t, "AT-WILL"+x.order, fmt.Sprintf(scene, x.order, x.dice, x.expect))
		if e := r.told("combat"); x.order == " MIN 1-1" && (e == nil || e.Facts.Get("hex") != "0604") {
			t.Errorf("the better odds are fought second")
		}
	}
	playScene(t, "nowhere", fmt.Sprintf(strings.Replace(scene, "DICE\n  %s\n", "%s", 1), " MIN 5-1", "",
		"no event combat\n  nothing refused"))
}

// An overrun: tanks, without guns and riders, go on with what they have left.
func TestOverruns(t *testing.T) {
	const won, lost, even = "combat 0305: 1 1", "combat 0305: 6 6", "combat 0305: 3 4"
	for _, x := range []struct{ what, ground, tank, defender, orders, dice, expect string }{
		{"a success goes on from the hex", "", "tracked, 9-7-10", "leg, 1-1-8, one step",
			"OVERRUN 0305 WITH T; ADVANCE T; THEN TO 0308", won, "t at 0308, overrun"},
		{"only as far as its points", "", "tracked, 9-7-4", "leg, 1-1-8, one step",
			"OVERRUN 0305 WITH T; ADVANCE T; THEN TO 0309", won, "t at 0309"},
		{"less what it had spent before", "", "tracked, 9-7-6", "leg, 1-1-8, one step",
			"MOVE T 0303-0304\n  OVERRUN 0305 WITH T; ADVANCE T; THEN TO 0312", won, "t at 0310"},
		{"a failure ends it", "", "tracked, 4-7-10", "leg, 4-4-8",
			"OVERRUN 0305 WITH T; ADVANCE T; THEN TO 0308", even, "t at 0304, not overrun;x at 0305"},
		{"without THEN it stays", "", "tracked, 9-7-10", "leg, 1-1-8, one step",
			"OVERRUN 0305 WITH T; ADVANCE T", won, "t at 0305, overrun"},
		{"it need not advance", "", "tracked, 9-7-10", "leg, 1-1-8, one step",
			"OVERRUN 0305 WITH T; ADVANCE NO; THEN TO 0301", won, "t at 0301, overrun"},
		{"an enemy zone stops it again", "", "tracked, 9-7-10\n  BLUE z: leg, at 0508", "leg, 1-1-8, one step",
			"OVERRUN 0305 WITH T; ADVANCE T; THEN 0305-0306-0407-0408-0308", won, "t at 0408"},
		{"a retreat is a success", "", "tracked, 4-7-10", "leg, 4-4-8",
			"OVERRUN 0305 WITH T; ADVANCE T; THEN TO 0205", "combat 0305: 3 3", "x at 0307;t at 0205, overrun"},
		{"an ordinary attack is none", "", "tracked, 9-7-10", "leg, 1-1-8, one step",
			"ATTACK 0305 WITH T; ADVANCE T", won, "t at 0305, not overrun"},
		{"chits are drawn", "draws RED Surprise", "tracked, 4-7-10", "leg, 4-4-8", "OVERRUN 0305 WITH T", even,
			"event combat: drms = Surprise -3; overrun = yes"},
		{"defenders have no guns", "", "tracked, 4-7-10\n  BLUE g: wheeled, 5-3-8, artillery 9, at 0310",
			"leg, 4-4-8", "OVERRUN 0305 WITH T", even, "event combat: defence = 4; shells = nothing"},
		{"not with a rider", "", "tracked, 4-7-10\n  RED r: leg, riding t, at 0304", "leg, 4-4-8",
			"OVERRUN 0305 WITH T", "", "refused 9.5: t carries a leg unit and cannot overrun"},
		{"not on foot", "", "leg, 4-7-10", "leg, 4-4-8", "OVERRUN 0305 WITH T", "",
			"refused 9.4: an overrun needs a tracked unit"},
		{"not into forest", "forest 0305", "tracked, 4-7-10", "leg, 4-4-8", "OVERRUN 0305 WITH T", "",
			"refused 9.4: 0305 is closed to tracks from 0304"},
		{"not over a river", "river 0304/0305", "tracked, 4-7-10", "leg, 4-4-8", "OVERRUN 0305 WITH T", "",
			"refused 9.4: 0305 is closed to tracks from 0304"},
		{"over its bridge", "river 0304/0305\n  bridge 0304/0305", "tracked, 4-7-10", "leg, 4-4-8",
			"OVERRUN 0305 WITH T", even, "event combat: drms = bridge +1"},
		{"by road into forest", "forest 0305\n  road 0304-0305", "tracked, 4-7-10", "leg, 4-4-8",
			"OVERRUN 0305 WITH T", even, "event combat: drms = ground +2"},
		{"lost", "", "tracked, 4-7-10", "leg, 4-4-8", "OVERRUN 0305 WITH T", lost, "t gone"},
	} {
		dice := ""
		if x.dice != "" {
			dice = "DICE\n  " + x.dice + "\n"
		}
		from := "0304"
		if strings.HasPrefix(x.orders, "MOVE") {
			from = "0303"
		}
		playScene(t, x.what, "MAP 8x14\n  "+x.ground+"\nUNITS\n  RED h: hq 20, at 0301\n"+
			"  BLUE k: hq 9, of 1, at 0313\n  BLUE x: "+x.defender+", at 0305\n  RED t: at "+from+", "+x.tank+
			"\nCHIT RED 1\n  "+x.orders+"\nSTANDING BLUE\n  DEFENSIVE ARTILLERY ANY, KEEP 0\n"+dice,
			"EXPECT\n  "+strings.NewReplacer(";t ", "\n  t ", ";x ", "\n  x ").Replace(x.expect)+"\n", "")
	}
}
