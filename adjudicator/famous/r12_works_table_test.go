package famous

import (
	"fmt"
	"strings"
	"testing"
)

// Demolition: an activated, unpinned engineer beside the bridge and out of enemy zones
// blows it with 2 or more, once in an activation.
func TestDemolitions(t *testing.T) {
	for _, x := range []struct{ what, ground, unit, order, die, expect string }{
		{"1 does nothing", "", "leg, engineer", "BLOW 0303/0304 WITH E", "1",
			"bridge 0303/0304 stands;event demolition: blown = nothing"},
		{"2 blows it", "", "leg, engineer", "BLOW 0303/0304 WITH E", "2",
			"bridge 0303/0304 down;event demolition: blown = yes"},
		{"3 blows it", "", "leg, engineer", "BLOW 0303/0304 WITH E", "3", "bridge 0303/0304 down"},
		{"4 blows it", "", "leg, engineer", "BLOW 0303/0304 WITH E", "4", "bridge 0303/0304 down"},
		{"5 blows it", "", "leg, engineer", "BLOW 0303/0304 WITH E", "5", "bridge 0303/0304 down"},
		{"6 blows it", "", "leg, engineer", "BLOW 0303/0304 WITH E", "6", "bridge 0303/0304 down"},
		{"snow and night change nothing", "weather Snowy\n  time Night", "leg, engineer",
			"BLOW 0303/0304 WITH E", "2", "bridge 0303/0304 down"},
		{"written from the other bank", "", "leg, engineer", "BLOW 0304/0303 WITH E", "2",
			"bridge 0303/0304 down"},
		{"engineers on wheels too", "", "wheeled, engineer", "BLOW 0303/0304 WITH E", "2",
			"bridge 0303/0304 down"},
		{"rafts are engineers", "", "wheeled, engineer, raft", "BLOW 0303/0304 WITH E", "2",
			"bridge 0303/0304 down"},
		{"infantry does not", "", "leg", "BLOW 0303/0304 WITH E", "",
			"bridge 0303/0304 stands;refused 12.0: e is not an engineer"},
		{"not from two hexes off", "", "leg, engineer, at 0302", "BLOW 0303/0304 WITH E", "",
			"refused 12.0: e is not beside 0303/0304"},
		{"not one of another battalion", "", "leg, engineer, of 2", "BLOW 0303/0304 WITH E", "",
			"refused 12.0: e is not activated"},
		{"not in an enemy zone of control", "", "leg, engineer\n  BLUE x: leg, at 0203",
			"BLOW 0303/0304 WITH E", "", "refused 12.0: e is in an enemy zone of control"},
		{"an enemy behind a river does not matter", "river 0203/0303", "leg, engineer\n  BLUE x: leg, at 0203",
			"BLOW 0303/0304 WITH E", "2", "bridge 0303/0304 down"},
		{"not where no bridge is", "", "leg, engineer", "BLOW 0303/0302 WITH E", "",
			"refused 12.0: no bridge stands at 0302/0303"},
		{"not a second time", "", "leg, engineer", "BLOW 0303/0304 WITH E\n  BLOW 0303/0304 WITH E", "1",
			"refused 12.0: e has worked on a bridge in this activation"},
		{"after a move", "", "leg, engineer, at 0302", "MOVE E TO 0303\n  BLOW 0303/0304 WITH E", "2",
			"bridge 0303/0304 down"},
		{"before a move", "", "leg, engineer", "BLOW 0303/0304 WITH E\n  MOVE E TO 0302", "2",
			"bridge 0303/0304 down;e at 0302"},
		{"a pontoon bridge", "river 0303/0403\n  pontoon RED 0303/0403 done", "leg, engineer",
			"BLOW 0303/0403 WITH E", "2", "bridge 0303/0403 down"},
		{"a pontoon bridge that holds", "river 0303/0403\n  pontoon RED 0303/0403 done", "leg, engineer",
			"BLOW 0303/0403 WITH E", "1", "bridge 0303/0403 stands"},
		{"the enemy's pontoon bridge", "river 0303/0403\n  pontoon BLUE 0303/0403 done", "leg, engineer",
			"BLOW 0303/0403 WITH E", "6", "bridge 0303/0403 down"},
		{"a blown bridge", "blown 0303/0304", "leg, engineer", "BLOW 0303/0304 WITH E", "",
			"refused 12.0: no bridge stands at 0303/0304"},
	} {
		at, dice := ", at 0303", ""
		if strings.Contains(x.unit, "engineer, at") {
			at = ""
		}
		if x.die != "" {
			dice = "\nDICE\n  demolition " + strings.Replace(strings.Split(x.order, "BLOW ")[1][:9],
				"0304/0303", "0303/0304", 1) + ": " + x.die
		}
		unit, more, _ := strings.Cut(x.unit, "\n")
		playScene(t, x.what, "MAP 6x8\n  river 0303/0304\n  bridge 0303/0304\n  "+x.ground+
			"\nUNITS\n  RED h: hq 9, at 0101\n  RED e: "+unit+at+"\n"+more+"\nCHIT RED 1\n  "+x.order+dice+
			"\nEXPECT\n  "+strings.ReplaceAll(x.expect, ";", "\n  "))
	}
}

// Pontoon bridges: where and when one is begun, what spoils it, and that it stands at the
// end of the turn.
func TestPontoonBridges(t *testing.T) {
	for _, x := range []struct{ what, ground, unit, order, expect string }{
		{"over a river", "river 0303/0304", "leg, engineer", "PONTOON 0303/0304 WITH E",
			"bridge 0303/0304 down;event pontoon: bridge = 0303/0304"},
		{"over a canal", "canal 0303/0304", "leg, engineer", "PONTOON 0303/0304 WITH E",
			"event pontoon: unit = e"},
		{"into a river hex", "major river 0304", "leg, engineer", "PONTOON 0304 WITH E",
			"event pontoon: bridge = 0304"},
		{"beside a completed one in a wide river", "major river 0304 0305\n  pontoon RED 0304 done",
			"leg, engineer, at 0304", "PONTOON 0305 WITH E", "event pontoon: bridge = 0305"},
		{"not over a stream", "stream 0303/0304", "leg, engineer", "PONTOON 0303/0304 WITH E",
			"refused 12.1: 0303/0304 is not a river or canal"},
		{"not over dragon's teeth", "dragon's teeth 0303/0304", "leg, engineer", "PONTOON 0303/0304 WITH E",
			"refused 12.1: 0303/0304 is not a river or canal"},
		{"not over dry ground", "", "leg, engineer", "PONTOON 0303/0304 WITH E",
			"refused 12.1: 0303/0304 is not a river or canal"},
		{"not into a dry hex", "", "leg, engineer", "PONTOON 0304 WITH E",
			"refused 12.1: 0304 is not a river hex"},
		{"not by infantry", "river 0303/0304", "leg", "PONTOON 0303/0304 WITH E",
			"refused 12.1: e is not an engineer"},
		{"not by an engineer of another battalion", "river 0303/0304", "leg, engineer, of 2",
			"PONTOON 0303/0304 WITH E", "refused 12.1: e is not activated"},
		{"not in an enemy zone of control", "river 0303/0304", "leg, engineer\n  BLUE x: leg, at 0203",
			"PONTOON 0303/0304 WITH E", "refused 12.1: e is in an enemy zone of control"},
		{"not in a storm", "river 0303/0304\n  weather Stormy", "leg, engineer", "PONTOON 0303/0304 WITH E",
			"refused 14.1: no pontoon bridge is placed in this weather"},
		{"not in snow", "river 0303/0304\n  weather Snowy", "leg, engineer", "PONTOON 0303/0304 WITH E",
			"refused 14.1: no pontoon bridge is placed in this weather"},
		{"in rain", "river 0303/0304\n  weather Rainy", "leg, engineer", "PONTOON 0303/0304 WITH E",
			"event pontoon: unit = e"},
		{"in fog at night", "river 0303/0304\n  weather Foggy\n  time Night", "leg, engineer",
			"PONTOON 0303/0304 WITH E", "event pontoon: unit = e"},
		{"one in an activation", "river 0303/0304 0303/0404", "leg, engineer", "PONTOON 0303/0304 WITH E\n" +
			"  PONTOON 0303/0404 WITH E", "refused 12.1: e has worked on a bridge in this activation"},
		{"nobody crosses it in this turn", "river 0303/0304", "leg, engineer\n  RED w: wheeled, at 0303",
			"PONTOON 0303/0304 WITH E\n  MOVE W 0303-0304", "w at 0303"},
	} {
		at := ", at 0303"
		if strings.Contains(x.unit, ", at 0304") {
			at = ""
		}
		unit, more, _ := strings.Cut(x.unit, "\n")
		playScene(t, x.what, "MAP 6x8\n  "+x.ground+"\nUNITS\n  RED h: hq 9, at 0101\n  RED e: "+unit+at+"\n"+
			more+"\nCHIT RED 1\n  "+x.order+"\nEXPECT\n  "+strings.ReplaceAll(x.expect, ";", "\n  "))
	}
	const begun = "MAP 6x10\n  river 0303/0304\n  pontoon RED 0303/0304\nUNITS\n  RED h: hq 9, at 0101\n" +
		"  BLUE k: hq 12, at 0610\n  BLUE x: leg, at %s\n%s\nEXPECT\n  %s"
	for _, x := range []struct{ what, at, phase, expect string }{
		{"it stands at the end of the turn", "0610", "END", "bridge 0303/0304 stands\n" +
			"  event pontoon-built: bridge = 0303/0304"},
		{"an enemy that comes to its end spoils it", "0306", "CHIT BLUE 1\n  MOVE X TO 0304",
			"event pontoon-spoilt: bridge = 0303/0304"},
		{"an enemy two hexes off does not", "0308", "CHIT BLUE 1\n  MOVE X TO 0306", "no event pontoon-spoilt"},
	} {
		playScene(t, x.what, fmt.Sprintf(begun, x.at, x.phase, x.expect))
	}
	playScene(t, "a completed one is not spoilt", strings.Replace(fmt.Sprintf(begun, "0306",
		"CHIT BLUE 1\n  MOVE X TO 0304", "bridge 0303/0304 stands"), "pontoon RED 0303/0304",
		"pontoon RED 0303/0304 done", 1))
	playScene(t, "one's own units do not spoil it", "MAP 6x10\n  river 0303/0304\n  pontoon RED 0303/0304\n"+
		"UNITS\n  RED h: hq 9, at 0101\n  RED a: leg, at 0302\nCHIT RED 1\n  MOVE A TO 0303\nEND\nEXPECT\n"+
		"  bridge 0303/0304 stands")
	playScene(t, "the next turn wheels go over it", "MAP 6x10\n  river 0303/0304\nUNITS\n"+
		"  RED h: hq 9, at 0101\n  RED e: leg, engineer, at 0303\n  RED w: wheeled, at 0303\nCHIT RED 1\n"+
		"  PONTOON 0303/0304 WITH E\nEND\nCHIT RED 1\n  MOVE W 0303-0304\nEXPECT\n  w at 0304")
}

// An engineer clears the chits of a hex that the enemy neither holds nor threatens, for
// half its printed allowance; it fights no more that turn.
func TestClearingFortifications(t *testing.T) {
	for _, x := range []struct{ what, ground, unit, orders, expect string }{
		{"beside it", "fort BLUE trench 0304 face 1", "leg, engineer", "CLEAR 0304 WITH E",
			"forts 0304;event cleared: unit = e"},
		{"in it", "fort BLUE trench 0303 face 1", "leg, engineer", "CLEAR 0303 WITH E", "forts 0303"},
		{"all chits of the hex at once", "fort BLUE trench 0304 face 1\n  fort BLUE minefield 0304 face 1\n" +
			"  fort BLUE bunker 0304 face 1", "leg, engineer", "CLEAR 0304 WITH E", "forts 0304"},
		{"one's own too", "fort RED minefield 0304 face 1", "leg, engineer", "CLEAR 0304 WITH E", "forts 0304"},
		{"not two hexes off", "fort BLUE trench 0305 face 1", "leg, engineer", "CLEAR 0305 WITH E",
			"forts 0305 trench;refused 16.1: e is not beside 0305"},
		{"not what the map prints", "dragon's teeth 0303/0304", "leg, engineer", "CLEAR 0304 WITH E",
			"refused 16.1: no fortification chits are on 0304"},
		{"not by infantry", "fort BLUE trench 0304 face 1", "leg", "CLEAR 0304 WITH E",
			"refused 16.1: e is not an engineer"},
		{"not by others' engineers", "fort BLUE trench 0304 face 1", "leg, engineer, of 2", "CLEAR 0304 WITH E",
			"refused 16.1: e is not activated"},
		{"not what the enemy holds", "fort BLUE trench 0304 face 1", "leg, engineer\n  BLUE x: leg, at 0304",
			"CLEAR 0304 WITH E", "forts 0304 trench;refused 16.1: the enemy holds 0304"},
		{"not in an enemy zone of control", "fort BLUE trench 0304 face 1",
			"leg, engineer\n  BLUE x: leg, at 0305", "CLEAR 0304 WITH E",
			"forts 0304 trench;refused 16.1: 0304 is in an enemy zone of control"},
		{"the engineer itself may stand in one", "fort BLUE trench 0304 face 1",
			"leg, engineer\n  BLUE x: leg, at 0203", "CLEAR 0304 WITH E", "forts 0304"},
		{"after half of its way", "fort BLUE trench 0305 face 1", "leg, engineer, 4-4-4, at 0302",
			"MOVE E TO 0304\n  CLEAR 0305 WITH E", "forts 0305;e at 0304"},
		{"not after more than half", "fort BLUE trench 0306 face 1", "leg, engineer, 4-4-4, at 0302",
			"MOVE E TO 0305\n  CLEAR 0306 WITH E",
			"forts 0306 trench;refused 16.1: e has 1 MP left and needs 2 MP"},
		{"and half is left to go on", "fort BLUE trench 0304 face 1", "leg, engineer, 4-4-4",
			"CLEAR 0304 WITH E\n  MOVE E 0303-0304-0305", "forts 0304;e at 0305"},
		{"it does not attack then", "fort BLUE trench 0203 face 1", "leg, engineer\n  BLUE x: leg, at 0404",
			"CLEAR 0203 WITH E\n  ATTACK 0404 WITH E",
			"forts 0203;refused 16.1: e has cleared fortifications this turn;no event combat"},
	} {
		at := ", at 0303"
		if strings.Contains(x.unit, ", at 0302") {
			at = ""
		}
		unit, more, _ := strings.Cut(x.unit, "\n")
		playScene(t, x.what, "MAP 6x8\n  "+x.ground+"\nUNITS\n  RED h: hq 9, at 0101\n  RED e: "+unit+at+"\n"+
			more+"\nCHIT RED 1\n  "+x.orders+"\nEXPECT\n  "+strings.ReplaceAll(x.expect, ";", "\n  "))
	}
}

// Rafts spare German leg units the price of water beside which they stand.
func TestRafts(t *testing.T) {
	for _, x := range []struct{ what, ground, unit, raft, price string }{
		{"a river without a raft", "river 0303/0304", "leg, 4-4-8", "", "8 MP"},
		{"a river with one on this bank", "river 0303/0304", "leg, 4-4-8", "0303", "1 MP"},
		{"a river with one on the other bank", "river 0303/0304", "leg, 4-4-8", "0304", "1 MP"},
		{"a canal", "canal 0303/0304", "leg, 4-4-8", "0303", "1 MP"},
		{"a stream", "stream 0303/0304", "leg, 4-4-8", "0303", "1 MP"},
		{"a ford", "ford 0303/0304", "leg, 4-4-8", "0303", "1 MP"},
		{"one further off", "river 0303/0304", "leg, 4-4-8", "0302", "8 MP"},
		{"into woods behind a river", "river 0303/0304\n  woods 0304", "leg, 4-4-8", "0303", "2 MP"},
		{"whoever left its trucks", "river 0303/0304", "wheeled, debarked, 4-4-8", "0303", "1 MP"},
		{"not trucks", "river 0303/0304", "wheeled, 4-4-8", "0303", "no"},
		{"not tanks over a stream", "stream 0303/0304", "tracked, 4-4-8", "0303", "3 MP"},
		{"not over dragon's teeth", "dragon's teeth 0303/0304", "leg, 4-4-8", "0303", "2 MP"},
	} {
		raft := ""
		if x.raft != "" {
			raft = "\n  RED r: leg, engineer, raft, of 9, at " + x.raft
		}
		playScene(t, x.what, "MAP 6x8\n  "+x.ground+"\nUNITS\n  RED h: hq 9, at 0101\n  RED a: "+x.unit+
			", at 0303"+raft+"\nEXPECT\n  step a 0304: "+x.price)
	}
}
