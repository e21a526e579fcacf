package famous

import (
	"strings"
	"testing"
)

// Mounting, riding and dismounting.
func TestRidingTanks(t *testing.T) {
	for _, x := range []struct{ what, units, orders, expect string }{
		{"a leg unit mounts and is carried", "RED a: leg, at 0303;RED t: tracked, 4-4-10, at 0303",
			"MOUNT A ON T;MOVE T TO 0306", "a at 0306, riding t;t at 0306"},
		{"they meet in a hex", "RED a: leg, at 0302;RED t: tracked, 4-4-10, at 0304",
			"MOUNT A ON T AT 0303;MOVE T TO 0306", "a at 0306, riding t"},
		{"each pays a point: the tank has 3 left", "RED a: leg, at 0303;RED t: tracked, 4-4-4, at 0303",
			"MOUNT A ON T;MOVE T 0303-0304-0305-0306", "t at 0306;a riding t"},
		{"and cannot make a fourth step", "RED a: leg, at 0303;RED t: tracked, 4-4-4, at 0303",
			"MOUNT A ON T;MOVE T 0303-0304-0305-0306-0307", "t at 0306"},
		{"ground closed to legs' pace is the tank's business",
			"RED a: leg, 4-4-1, at 0303;RED t: tracked, 4-4-10, at 0303", "MOUNT A ON T;MOVE T TO 0307",
			"a at 0307, riding t"},
		{"a truck carries nobody", "RED a: leg, at 0303;RED t: wheeled, at 0303", "MOUNT A ON T",
			"refused 9.5: t is not a tracked unit"},
		{"trucks do not ride", "RED a: wheeled, at 0303;RED t: tracked, at 0303", "MOUNT A ON T",
			"refused 9.5: a is not a leg unit"},
		{"whoever left its trucks may", "RED a: wheeled, debarked, at 0303;RED t: tracked, at 0303",
			"MOUNT A ON T", "a riding t"},
		{"tanks do not ride", "RED a: tracked, at 0303;RED t: tracked, at 0303", "MOUNT A ON T",
			"refused 9.5: a is not a leg unit"},
		{"one tank carries one", "RED a: leg, riding t, at 0303;RED b: leg, at 0303;RED t: tracked, at 0303",
			"MOUNT B ON T", "refused 9.5: t carries a unit already;b not riding"},
		{"of another battalion", "RED a: leg, of 2, at 0303;RED t: tracked, 4-4-10, at 0303",
			"MOUNT A ON T;MOVE T TO 0306", "a at 0306, riding t"},
		{"not if it was activated already", "RED a: leg, of 2, used, at 0303;RED t: tracked, at 0303",
			"MOUNT A ON T", "refused 6.0: a is out of its headquarters' activation range;a not riding"},
		{"a rider is not moved by itself", "RED a: leg, riding t, at 0303;RED t: tracked, at 0303",
			"MOVE A TO 0304", "refused 9.5: a rides on a tank and moves with it"},
		{"nor does it fight", "RED a: leg, riding t, at 0303;RED t: tracked, at 0303;BLUE x: leg, at 0304",
			"ATTACK 0304 WITH A", "refused 9.5: a rides on a tank"},
		{"it dismounts", "RED a: leg, riding t, at 0303;RED t: tracked, at 0303", "DISMOUNT A",
			"a at 0303, not riding"},
		{"it dismounts at the end of the way", "RED a: leg, riding t, at 0303;RED t: tracked, 4-4-10, at 0303",
			"MOVE T TO 0305;DISMOUNT A", "a at 0305, not riding;t at 0305"},
		{"both must have a point left to dismount",
			"RED a: leg, riding t, at 0303;RED t: tracked, 4-4-2, at 0303", "MOVE T TO 0305;DISMOUNT A",
			"refused 9.5: t has 0 MP left and needs 1 MP;a riding t"},
		{"only off a tank that is activated",
			"RED a: leg, of 1, riding t, at 0303;RED t: tracked, of 2, at 0303", "DISMOUNT A",
			"refused 9.5: t is not activated"},
		{"only into a hex with room",
			"RED a: leg, riding t, at 0303;RED t: tracked, at 0303;RED b: leg, of 2, at 0303;" +
				"RED c: leg, of 2, at 0303;RED d: leg, of 2, at 0303",
			"DISMOUNT A", "refused 7.1: 0303 has no room for a"},
		{"an unmoved tank may dismount its rider in an enemy zone",
			"RED a: leg, riding t, at 0303;RED t: tracked, at 0303;BLUE x: leg, at 0304", "DISMOUNT A",
			"a not riding"},
		{"who rides on nothing does not dismount", "RED a: leg, at 0303", "DISMOUNT A",
			"refused 9.5: a rides on no tank"},
		{"the tank that takes a rider does not move first and again after an enemy zone",
			"RED a: leg, at 0304;RED t: tracked, at 0302;BLUE x: leg, at 0405",
			"MOVE T 0302-0303-0304;MOUNT A ON T", "refused 9.3: t has ended its movement"},
		{"a tank with a rider may go over a bridge",
			"RED a: leg, riding t, at 0303;RED t: tracked, 4-4-10, at 0303", "MOVE T TO 0503",
			"a at 0503, riding t"},
	} {
		playScene(t, x.what, "MAP 8x10\nUNITS\n  RED h: hq 9, at 0101\n  RED i: hq 9, of 2, at 0102\n  "+
			strings.ReplaceAll(x.units, ";", "\n  ")+"\nCHIT RED 1\n  "+strings.ReplaceAll(x.orders, ";",
			"\n  ")+"\nEXPECT\n  "+strings.ReplaceAll(x.expect, ";", "\n  "))
	}
	playScene(t, "a rider rides on to the next turn", "MAP 8x10\nUNITS\n  RED h: hq 9, at 0101\n"+
		"  RED a: leg, riding t, at 0303\n  RED t: tracked, at 0303\nEND\nEXPECT\n  a riding t\n  turn 2")
}

// Going on foot and getting back on the wheels.
func TestDebarkingAndEmbarking(t *testing.T) {
	for _, x := range []struct{ what, ground, unit, orders, expect string }{
		{"a truck's crew goes on foot", "", "wheeled, 4-6-8", "DEBARK A", "a debarked, class leg, at 0303"},
		{"it keeps its values", "", "wheeled, 4-6-8", "DEBARK A", "a attack 4, defence 6"},
		{"it walks four points then", "", "wheeled, 4-6-8", "DEBARK A TO 0307", "a at 0307, debarked"},
		{"and no fifth", "", "wheeled, 4-6-8", "DEBARK A;MOVE A 0303-0304-0305-0306-0307-0308", "a at 0307"},
		{"into forest", "forest 0304", "wheeled, 4-6-8", "DEBARK A TO 0304", "a at 0304, debarked"},
		{"through woods at the price of legs", "woods 0304 0305", "wheeled, 4-6-8", "DEBARK A TO 0305",
			"a at 0305"},
		{"after half of its way on wheels", "", "wheeled, 4-6-8", "MOVE A 0303-0304-0305;DEBARK A",
			"a at 0305, debarked"},
		{"not after more than half", "", "wheeled, 4-6-8", "MOVE A 0303-0304-0305-0306;DEBARK A",
			"refused 9.6: a has spent 6 MP, more than half its allowance;a not debarked"},
		{"at the end of a move", "", "wheeled, 4-6-8", "MOVE A TO 0305 DEBARK", "a at 0305, debarked"},
		{"tanks never", "", "tracked, 4-6-8", "DEBARK A", "refused 9.6: a is not a wheeled unit"},
		{"infantry has nothing to leave", "", "leg, 4-6-8", "DEBARK A", "refused 9.6: a is not a wheeled unit"},
		{"not twice", "", "wheeled, 4-6-8, debarked", "DEBARK A", "refused 9.6: a is on foot already"},
		{"out of supply it may", "", "wheeled, 4-6-8, unsupplied 2", "DEBARK A", "a debarked"},
		{"back on wheels in a later activation", "", "wheeled, 4-6-8, debarked", "EMBARK A",
			"a not debarked, class wheeled"},
		{"and off at once with the whole allowance", "", "wheeled, 4-6-8, debarked",
			"EMBARK A;MOVE A 0303-0304-0305-0306-0307", "a at 0307, not debarked"},
		{"and on foot again", "", "wheeled, 4-6-8, debarked", "EMBARK A;MOVE A 0303-0304;DEBARK A",
			"a at 0304, debarked"},
		{"not in the activation in which it went on foot", "", "wheeled, 4-6-8", "DEBARK A;EMBARK A",
			"refused 9.6: a embarks only at the start of a later activation;a debarked"},
		{"not after it has walked", "", "wheeled, 4-6-8, debarked", "MOVE A 0303-0304;EMBARK A",
			"a debarked, at 0304"},
		{"not out of supply", "", "wheeled, 4-6-8, debarked, unsupplied 2", "EMBARK A",
			"refused 9.6: a is out of supply;a debarked"},
		{"low supply does not matter", "", "wheeled, 4-6-8, debarked, unsupplied 1", "EMBARK A",
			"a not debarked"},
		{"not where no wheels go", "forest 0303", "wheeled, 4-6-8, debarked", "EMBARK A",
			"refused 9.6: 0303 is closed to wheels;a debarked"},
		{"who is on wheels does not embark", "", "wheeled, 4-6-8", "EMBARK A", "refused 9.6: a is not on foot"},
		{"on foot it crosses a river", "river 0303/0304", "wheeled, 4-6-8, debarked", "MOVE A 0303-0304",
			"a at 0304"},
		{"on wheels it does not", "river 0303/0304", "wheeled, 4-6-8", "MOVE A 0303-0304", "a at 0303"},
	} {
		playScene(t, x.what, "MAP 6x12\n  "+x.ground+"\nUNITS\n  RED h: hq 12, at 0101\n  RED a: "+x.unit+
			", at 0303\nCHIT RED 1\n  "+strings.ReplaceAll(x.orders, ";", "\n  ")+"\nEXPECT\n  "+
			strings.ReplaceAll(x.expect, ";", "\n  "))
	}
	playScene(t, "on foot to the next turn", "MAP 6x12\nUNITS\n  RED h: hq 12, at 0101\n"+
		"  RED a: wheeled, debarked, at 0303\nEND\nEXPECT\n  a debarked\n  a allowance 4")
}

// Stacks move together, drop who stays behind, and go no faster than their slowest.
func TestStacksOnTheMarch(t *testing.T) {
	for _, x := range []struct{ what, units, orders, expect string }{
		{"together", "leg, 4-4-8;leg, 4-4-8", "MOVE A0, A1 TO 0305", "a0 at 0305;a1 at 0305"},
		{"as far as the slowest", "leg, 4-4-2;tracked, 4-4-8", "MOVE A0, A1 0302-0303-0304-0305",
			"a0 at 0304;a1 at 0304"},
		{"the faster one alone gets there", "leg, 4-4-2;tracked, 4-4-8", "MOVE A1 0302-0303-0304-0305",
			"a0 at 0302;a1 at 0305"},
		{"one is dropped, the other goes on", "leg, 4-4-2;tracked, 4-4-8",
			"MOVE A0, A1 0302-0303-0304-0305; DROP A0 AT 0304", "a0 at 0304;a1 at 0305"},
		{"who was dropped does not go on", "leg, 4-4-8;tracked, 4-4-8",
			"MOVE A0, A1 0302-0303-0304; DROP A0 AT 0303;MOVE A0 TO 0203",
			"a0 at 0303;a1 at 0304;refused 9.3: a0 has ended its movement"},
		{"who has moved does not move again", "leg, 4-4-8;leg, 4-4-8", "MOVE A0 TO 0303;MOVE A0 TO 0304",
			"a0 at 0303;refused 9.3: a0 has ended its movement"},
		{"a stack of two places does not move together", "leg, 4-4-8;leg, 4-4-8",
			"MOVE A0 TO 0303;MOVE A0, A1 TO 0305", "a0 at 0303;a1 at 0305"},
		{"by way of a hex", "leg, 4-4-8", "MOVE A0 TO 0304 VIA 0403", "event move: path has 0302-0403"},
	} {
		units := ""
		for i, u := range strings.Split(x.units, ";") {
			units += "\n  RED a" + string(rune('0'+i)) + ": " + u + ", at 0302"
		}
		playScene(t, x.what, "MAP 6x12\nUNITS\n  RED h: hq 12, at 0101"+units+"\nCHIT RED 1\n  "+
			strings.NewReplacer("; DROP", "; DROP", ";", "\n  ").Replace(x.orders)+"\nEXPECT\n  "+
			strings.ReplaceAll(x.expect, ";", "\n  "))
	}
	playScene(t, "STOP-IF SPOT ANY stops when somebody comes into sight",
		"MAP 6x20\nUNITS\n  RED h: hq 20, at 0101\n  RED a: leg, 4-4-12, at 0302\n  BLUE x: leg, at 0315\n"+
			"CHIT RED 1\n  MOVE A TO 0310; STOP-IF SPOT ANY\nEXPECT\n  a at 0305")
	playScene(t, "STOP-IF SPOT TANK lets infantry be", "MAP 6x20\nUNITS\n  RED h: hq 20, at 0101\n"+
		"  RED a: leg, 4-4-12, at 0302\n  BLUE x: leg, at 0315\nCHIT RED 1\n"+
		"  MOVE A TO 0310; STOP-IF SPOT TANK\nEXPECT\n  a at 0310")
	playScene(t, "and stops for tanks", "MAP 6x20\nUNITS\n  RED h: hq 20, at 0101\n"+
		"  RED a: leg, 4-4-12, at 0302\n  BLUE x: tracked, at 0315\nCHIT RED 1\n"+
		"  MOVE A TO 0310; STOP-IF SPOT TANK\nEXPECT\n  a at 0305\n  event move: stop = the enemy is in sight")
	playScene(t, "not for what stands in works", "MAP 6x20\n  fort BLUE trench 0315 face 1\nUNITS\n"+
		"  RED h: hq 20, at 0101\n  RED a: leg, 4-4-12, at 0302\n  BLUE x: tracked, at 0315\nCHIT RED 1\n"+
		"  MOVE A TO 0310; STOP-IF SPOT ANY\nEXPECT\n  a at 0310")
}
