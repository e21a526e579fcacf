package famous

import (
	"fmt"
	"strings"
	"testing"
)

// passing is a march down column 3, from 0302 to 0306, past a Blue gun at 0606 that sees
// what comes within three hexes: 0304 (at 3 hexes) and on.
func passing(ground, mover, gun, order, standing, dice string) string {
	body := "MAP 8x14\n" + ground + "\nUNITS\n  RED h: hq 20, at 0101\n  BLUE k: hq 9, at 0814\n  RED m: " +
		mover + ", at 0302\n  BLUE t: " + gun + ", at 0606\nCHIT RED 1\n  " + order + "\n"
	if standing != "" {
		body += "STANDING BLUE\n  " + standing + "\n"
	}
	if dice != "" {
		body += "DICE\n  " + dice + "\n"
	}
	return body + "EXPECT\n  "
}

// Opportunity fire: at whom, when, and what it does to a march.
func TestOpportunityFire(t *testing.T) {
	const march, gun, all = "MOVE M 0302-0303-0304-0305-0306", "tracked, 4-4-8, direct 3",
		"OPPORTUNITY ALL EVERY SHOT"
	for _, x := range []struct{ what, ground, mover, gun, order, standing, dice, expect string }{
		{"each hex in range once", "", "leg, 4-4-8/2-2-8", gun, march, all,
			"shot t 0304: 1 1\n  shot t 0305: 1 2\n  shot t 0306: 2 2", "m at 0306, not pinned"},
		{"a hit stops it and pins it", "", "leg, 4-9-8/2-2-8", gun, march, all, "shot t 0304: 4 4",
			"m at 0304, pinned, steps 2"},
		{"harm depletes and pins", "", "leg, 4-4-8/2-2-8", gun, march, all, "shot t 0304: 4 4",
			"m at 0304, pinned, steps 1"},
		{"harm to a depleted one ends it", "", "leg, 4-4-8/2-2-8, steps 1", gun, march, all, "shot t 0304: 4 4",
			"m gone"},
		{"a miss lets it go on", "", "leg, 4-4-8/2-2-8", gun, march, all,
			"shot t 0304: 3 6\n  shot t 0305: 4 4", "m at 0305, pinned"},
		{"IF-FIRED STOP stops it unhurt", "", "leg, 4-4-8/2-2-8", gun, march + "; IF-FIRED STOP", all,
			"shot t 0304: 1 1", "m at 0304, not pinned, steps 2"},
		{"HOLD holds", "", "leg, 4-4-8/2-2-8", gun, march, "OPPORTUNITY ALL HOLD", "",
			"m at 0306\n  no event shot"},
		{"only within so many hexes", "", "leg, 4-4-8/2-2-8", "tracked, 4-4-8, direct 4", march,
			"OPPORTUNITY ALL EVERY SHOT, WITHIN 2", "", "m at 0306\n  no event shot"},
		{"the line that names the gun counts", "", "leg, 4-4-8/2-2-8", gun, march,
			"OPPORTUNITY ALL EVERY SHOT\n" +
				"  OPPORTUNITY T HOLD", "", "no event shot"},
		{"not at night", "  time Night", "leg, 4-4-12/2-2-8", gun, march, all, "",
			"m at 0306\n  no event shot"},
		{"not in fog", "  weather Foggy", "leg, 4-4-8/2-2-8", gun, march, all, "",
			"m at 0306\n  no event shot"},
		{"not in a storm", "  weather Stormy", "leg, 4-4-12/2-2-8", gun, march, all, "", "no event shot"},
		{"not out of supply", "", "leg, 4-4-8/2-2-8", gun + ", unsupplied 2", march, all, "",
			"m at 0306\n  no event shot"},
		{"low on supply it does", "", "leg, 4-9-8/2-2-8", gun + ", unsupplied 1", march, all,
			"shot t 0304: 4 4", "m pinned"},
		{"not by guns without a black triangle", "", "leg, 4-4-8/2-2-8", "tracked, 4-4-8", march, all, "",
			"no event shot"},
		{"not by artillery", "", "leg, 4-4-8/2-2-8", "wheeled, 4-4-8, artillery 9", march, all, "",
			"no event shot"},
		{"a pinned gun fires", "", "leg, 4-9-8/2-2-8", gun + ", pinned", march, all, "shot t 0304: 4 4",
			"m pinned"},
		{"one that has been activated fires", "", "leg, 4-9-8/2-2-8", gun + ", used", march, all,
			"shot t 0304: 4 4", "m pinned"},
		{"a peak shields who is behind it", "  peak 0404 0504 0405 0505 0406 0506", "leg, 4-4-8/2-2-8", gun,
			march, all, "", "m at 0306\n  no event shot"},
		{"woods take one off each die", "  woods 0304", "leg, 4-9-8/2-2-8", gun, march, all,
			"shot t 0304: 4 6\n  shot t 0305: 1 1\n  shot t 0306: 1 1", "event shot: mod = -1; hit = nothing"},
		{"nobody fires who cannot hit", "  weather Snowy\n  time Evening\n  woods 0304 0305 0306",
			"leg, 4-4-16/2-2-8", gun, march, all, "", "no event shot"},
		{"the last hex of an attack's approach", "", "tracked, 4-9-8/2-2-8", gun, "MOVE M 0302-0303-0304", all,
			"shot t 0304: 5 5", "m at 0304, pinned"},
	} {
		playScene(t, x.what, passing(x.ground, x.mover, x.gun, x.order, x.standing, x.dice)+x.expect)
	}
}

// Who stands still is not fired at; nor is who follows after a fight, or falls back.
func TestWhoIsNotFiredAt(t *testing.T) {
	for _, x := range []struct{ what, more, orders, dice string }{
		{"a unit that passes", "", "PASS", ""},
		{"a unit that shells", "", "BARRAGE 0606 WITH G", "barrage g 0606: 1 2 3"},
		{"a unit that fights and follows", "\n  BLUE x: leg, 1-1-8, one step, at 0305",
			"ATTACK 0305 WITH M; ADVANCE M", "combat 0305: 1 1"},
		{"a dismounting rider", "\n  RED q: tracked, at 0304\n  RED r: leg, riding q, at 0304", "DISMOUNT R",
			""},
	} {
		dice := ""
		if x.dice != "" {
			dice = "\nDICE\n  " + x.dice
		}
		playScene(t, x.what, "MAP 8x14\nUNITS\n  RED h: hq 20, at 0101\n  BLUE k: hq 9, of 9, at 0814\n"+
			"  RED m: leg, 4-4-8, at 0304\n  RED g: wheeled, artillery 10, at 0302\n"+
			"  BLUE t: tracked, direct 4, at 0606"+x.more+
			"\nCHIT RED 1\n  "+x.orders+"\nSTANDING BLUE\n  OPPORTUNITY ALL EVERY SHOT"+dice+
			"\nEXPECT\n  no event shot")
	}
	playScene(t, "going on foot is movement", "MAP 8x14\nUNITS\n  RED h: hq 20, at 0101\n"+
		"  BLUE k: hq 9, at 0814\n  RED m: wheeled, 4-9-8, at 0305\n  BLUE t: tracked, direct 4, at 0605\n"+
		"CHIT RED 1\n  DEBARK M\nSTANDING BLUE\n  OPPORTUNITY ALL EVERY SHOT\nDICE\n  shot t 0305: 4 4\n"+
		"EXPECT\n"+
		"  m pinned, debarked")
	playScene(t, "so is entering the map", "MAP 8x14\n  entry A 0301\nUNITS\n  RED h: hq 20, at 0801\n"+
		"  BLUE k: hq 9, at 0814\n  RED m: leg, 4-9-8, due 1 by A\n  BLUE t: tracked, direct 4, at 0303\n"+
		"CHIT RED 1\n  ENTER M AT A\nSTANDING BLUE\n  OPPORTUNITY ALL EVERY SHOT\nDICE\n  shot t 0301: 4 4\n"+
		"EXPECT\n  m at 0301, pinned")
}

// A hit in a stack stops whom it finds; the others go on, and nobody shoots at a
// headquarters among companies, nor at a rider.
func TestFireAtStacks(t *testing.T) {
	for _, x := range []struct{ what, stack, order, standing, dice, expect string }{
		{"the best target is chosen, the other goes on", "leg, 9-4-8/2-2-8;leg, 1-9-8/1-2-8",
			"MOVE M0, M1 0302-0303-0304-0305", "", "shot t 0304: 4 4\n  shot t 0305: 1 1",
			"m0 at 0304, pinned, steps 1;m1 at 0305, steps 2"},
		{"tracked ones first if so ordered", "leg, 9-4-8/2-2-8;tracked, 1-8-8/1-2-8",
			"MOVE M0, M1 0302-0303-0304-0305", ", TRACKED FIRST", "shot t 0304: 4 4\n  shot t 0305: 1 1",
			"m1 at 0304, pinned, steps 2;m0 at 0305"},
		{"legs first", "tracked, 9-4-8/2-2-8;leg, 1-8-8/1-2-8", "MOVE M0, M1 0302-0303-0304-0305",
			", LEG FIRST", "shot t 0304: 4 4\n  shot t 0305: 1 1", "m1 at 0304, pinned;m0 at 0305"},
		{"the company is hit, not the headquarters with it", "leg, 1-9-8/2-2-8;hq 4, of 1",
			"MOVE M0, M1 0302-0303-0304-0305", "", "shot t 0304: 4 4\n  shot t 0305: 1 1",
			"m0 at 0304, pinned;m1 at 0305"},
		{"the headquarters alone may be hit", "hq 4", "MOVE M0 0302-0303-0304-0305", "", "shot t 0304: 4 4",
			"m0 gone"},
		{"a tank's rider is pinned with it and jumps off", "tracked, 4-9-8/2-2-8;leg, 4-2-8/2-2-8, riding m0",
			"MOVE M0 0302-0303-0304-0305", "", "shot t 0304: 4 4",
			"m0 at 0304, pinned, steps 2;m1 at 0304, pinned, steps 2, not riding"},
	} {
		units := ""
		for i, u := range strings.Split(x.stack, ";") {
			units += fmt.Sprintf("\n  RED m%d: %s, at 0302", i, u)
		}
		head := "\n  RED h: hq 20, of 1, at 0101"
		if strings.Contains(x.stack, "hq") {
			head = ""
		}
		playScene(t, x.what, "MAP 8x14\nUNITS"+head+"\n  BLUE k: hq 9, at 0814"+units+
			"\n  BLUE t: tracked, 4-4-8, direct 3, at 0606\nCHIT RED 1\n  "+x.order+
			"\nSTANDING BLUE\n  OPPORTUNITY ALL EVERY SHOT"+x.standing+"\nDICE\n  "+x.dice,
			"EXPECT\n  "+strings.ReplaceAll(x.expect, ";", "\n  "))
	}
}

// A pinned unit neither moves on, nor attacks, nor works, nor goes on foot; at the end of
// the turn it is free.
func TestPinnedUnits(t *testing.T) {
	for _, x := range []struct{ what, unit, order, refused string }{
		{"it does not move", "leg", "MOVE A TO 0302", "11.3: a is pinned"},
		{"it does not attack", "leg", "ATTACK 0304 WITH A", "11.3: a is pinned"},
		{"it does not overrun", "tracked", "OVERRUN 0304 WITH A", "11.3: a is pinned"},
		{"it does not go on foot", "wheeled", "DEBARK A", "11.3: a is pinned"},
		{"it does not embark", "wheeled, debarked", "EMBARK A", "11.3: a is pinned"},
		{"it clears nothing", "leg, engineer", "CLEAR 0203 WITH A", "16.1: a is pinned"},
		{"it blows nothing", "leg, engineer", "BLOW 0302/0303 WITH A", "12.0: a is pinned"},
		{"it bridges nothing", "leg, engineer", "PONTOON 0302/0303 WITH A", "12.1: a is pinned"},
		{"it mounts no tank", "leg", "MOUNT A ON T", "11.3: a is pinned"},
	} {
		playScene(t, x.what, "MAP 6x8\n  river 0302/0303\n  bridge 0302/0303\n"+
			"  fort RED minefield 0203 face 1\n"+
			"UNITS\n  RED h: hq 9, at 0101\n  RED t: tracked, at 0303\n  RED a: "+x.unit+
			", pinned, at 0303\n  BLUE x: leg, at 0304\nCHIT RED 1\n  "+x.order+"\nEXPECT\n  refused "+
			x.refused+"\n  a at 0303, pinned")
	}
	playScene(t, "it is free at the end of the turn", "MAP 6x8\nUNITS\n  RED h: hq 9, at 0101\n"+
		"  RED a: leg, pinned, at 0303\n  BLUE x: leg, at 0508, pinned\nEND\nEXPECT\n  a not pinned\n"+
		"  x not pinned\n  turn 2")
}
