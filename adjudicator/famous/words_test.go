package famous

import (
	"strings"
	"testing"
)

// wordsMap is a position in which every order of a programme makes sense for somebody.
const wordsMap = `MAP 12x12
  road 0101-0102-0103-0104
  river 1002/1003 0305/0306
  road 1002-1003
  bridge 1002/1003
  woods 0909
  entry A 0101
  entry F 0112
  exit RED F to A
  fort RED minefield 0304 face 1
  fort BLUE trench 1206 face 1
UNITS
  RED h: hq 12, at 0202
  RED Alpha: leg, 4-4-8/2-2-8, at 0303
  RED Bravo: leg, 4-4-8/2-2-8, at 0303
  RED Anton: leg, 4-4-8/2-2-8, at 0503
  RED Panther: tracked, 8-7-10/5-5-10, direct 3, at 0404
  RED Lead: tracked, 8-7-10/5-5-10, at 0605
  RED Truck: wheeled, 4-6-8, at 0402
  RED Pioneer: leg, 4-4-8, engineer, at 0305
  RED Mortar: wheeled, 5-3-8, artillery 10, at 0204
  RED Other: leg, of 2, at 0206
  RED Later: leg, due 1 by A
  RED Never: leg, due 9 by A
  RED Foot: wheeled, 4-6-8, debarked, at 0802
  RED Tiger: tracked, 10-9-8, at 0708
  RED Rider: leg, 4-4-4, riding Tiger, at 0708
  RED Second: leg, 4-4-4, at 0708
  BLUE k: hq 12, at 1212
  BLUE x: leg, 4-4-8/2-2-8, at 0505`

// An order that cannot be read is refused with the word at fault and what would be read.
func TestOrdersThatCannotBeRead(t *testing.T) {
	seatAtScene(t, "RED", wordsMap).refuses(t, "CHIT 1\n  ", []refusedOrder{
		{"MARCH ALPHA TO 0305", "", `"MARCH" is not an order of a programme`,
			"The orders are MOVE, ENTER, EXIT, MOUNT", 0},
		{"MOVE TO 0305", "", "no unit is named", "", 0},
		{"MOVE ALPHA", "", "does not say where to", "TO and a hex, or a path such as 2206-2306", 0},
		{"MOVE ALPHA TO", "", "a hex is missing at the end", "", 0},
		{"MOVE ALPHA TO 1313", "", "hex 1313 is not on the map",
			"Columns run from 01 to 12, rows from 01 to 12.", 0},
		{"MOVE ALPHA TO MOSCOW", "", `"MOSCOW" is neither a hex nor a place`, "", 0},
		{"MOVE ALPHA 0303-0302 TO 0301", "", "a path hex by hex and a goal with TO or VIA exclude each other", "", 0},
		{"MOVE ALPHA 0303-0302 VIA 0301", "", "a path hex by hex and a goal with TO or VIA exclude each other", "", 0},
		{"MOVE ALPHA 0303-1313", "", "hex 1313 is not on the map", "Columns run", 0},
		{"MOVE ALPHA TO 0302 BY RAIL", "", "BY ROAD is the only way with BY", "", 0},
		{"MOVE ALPHA TO 0302 QUICKLY", "", `"QUICKLY" is not understood here`,
			"Expected TO and a hex, VIA, BY ROAD", 0},
		{"MOVE ALPHA AT 0302", "", "AT stands with ENTER only", "", 0},
		{"MOVE ALPHA, BRAVO TO 0302; DROP BRAVO", "", "DROP needs AT and a hex", "", 0},
		{"MOVE ALPHA TO 0302; DROP NOBODY AT 0302", "", "you have no unit NOBODY", "", 26},
		{"MOVE ALPHA TO 0302; STOP-IF SPOT PLANES", "", "STOP-IF SPOT needs ANY or TANK", "", 0},
		{"MOVE ALPHA TO 0302; IF-FIRED RUN", "", "IF-FIRED needs STOP or GO", "", 0},
		{"ENTER LATER", "4.0", "ENTER needs AT and the letter of an entry hex", "", 0},
		{"ENTER LATER AT Q", "4.0", `no entry hex "Q"`, "Expected A", 0},
		{"ENTER LATER AT A VIA 0103", "", "VIA needs a goal: TO and a hex", "", 0},
		{"EXIT ALPHA", "18.3", "EXIT needs the letter of an entry hex", "", 0},
		{"MOUNT SECOND", "9.5", "MOUNT needs ON and a tracked unit", "", 0},
		{"MOUNT SECOND, ALPHA ON TIGER", "", "SECOND ALPHA names 2 units", "Name one.", 0},
		{"CLEAR 0304", "", "CLEAR needs WITH and an engineer", "", 0},
		{"PONTOON 0305/0306", "", "PONTOON needs WITH and an engineer", "", 0},
		{"PONTOON 0305/0310 WITH PIONEER", "", "0305 and 0310 are not neighbours", "", 0},
		{"BLOW 0305/HILL WITH PIONEER", "", "HILL", "", 0},
		{"BARRAGE 0505", "", "BARRAGE needs WITH and the guns", "", 0},
		{"BARRAGE 0505 WITH", "", "no unit is named", "", 0},
		{"FIRE PANTHER", "11.3", "FIRE needs AT and a hex", "", 0},
		{"FIRE PANTHER AT 0505 FAST", "", `"FAST" is not understood here`, "", 0},
		{"ATTACK 0505", "10.0", "the attack names no units", "Write WITH and the attacking units", 0},
		{"ATTACK WITH LEAD", "", `"WITH" is neither a hex nor a place`, "", 0},
		{"ATTACK 0505 BRAVELY WITH LEAD", "", `"BRAVELY" is not understood in an attack`,
			"Expected WITH, MIN, ARTILLERY, ADVANCE", 0},
		{"ATTACK 0505 WITH LEAD; MIN 6-1", "10.1", "MIN needs a column of the table",
			"1-4, 1-3, 1-2, 1-1, 2-1, 3-1, 4-1, 5-1", 0},
		{"ATTACK 0505 WITH LEAD; MIN 1-5", "10.1", "MIN needs a column of the table", "They are 1-4", 0},
		{"ATTACK 0505 WITH LEAD; ARTILLERY ANY MAX MANY", "10.2", "needs a number of guns", "", 0},
		{"ATTACK 0505 WITH LEAD; ARTILLERY KEY MAX 0", "10.2", "needs a number of guns", "", 0},
		{"ATTACK 0505 WITH LEAD; THEN TO 0506", "9.4", "THEN follows an overrun only", "", 0},
		{"OVERRUN 0505 WITH LEAD; THEN SOUTH", "", `"SOUTH" is not understood here`, "Expected TO and a hex",
			0},
		{"STACK", "", "a hex is missing at the end", "", 0},
		{"PASS NOW", "", `"NOW" is not understood here`, "", 0},
		{"HOLD 0505", "", `"0505" is not understood here`, "", 0},
		{"EMBARK FOOT; QUICKLY 1", "", `"QUICKLY" is not understood here`, "", 0},
	})
}

// A name that fits nobody, or several, is told with its column and the nearest name.
func TestNamesOfUnits(t *testing.T) {
	p := seatAtScene(t, "RED", wordsMap)
	p.refuses(t, "CHIT 1\n  ", []refusedOrder{
		{"MOVE ALPA TO 0302", "", "you have no unit ALPA", "Did you mean Alpha?", 6},
		{"MOVE BRAWO TO 0302", "", "you have no unit BRAWO", "Did you mean Bravo?", 6},
		{"MOVE ALPHA, BRAVVO TO 0302", "", "you have no unit BRAVVO", "Did you mean Bravo?", 13},
		{"MOVE ALPHA, BRAVO, PANTER TO 0302", "", "you have no unit PANTER", "Did you mean Panther?", 20},
		{"MOVE ZEPPELIN TO 0302", "", "you have no unit ZEPPELIN", "", 6},
		{"MOVE A TO 0302", "", "A could be Alpha INF on 0303 or Anton INF on 0503", "Please write one of these.", 6},
		{"MOVE ALPHA, ALPHA TO 0302", "", "Alpha is named twice", "", 13},
		{"MOVE ALL AT 0909 TO 0302", "", "AT stands with ENTER only", "", 0},
		{"ATTACK 0505 WITH ALL AT 0909", "", "no unit of yours that could act stands on 0909", "", 18},
		{"ATTACK 0505 WITH ALL AT 1313", "", "hex 1313 is not on the map", "Columns run", 18},
		{"BARRAGE 0505 WITH MORTER", "", "you have no unit MORTER", "Did you mean Mortar?", 19},
		{"FIRE PANTHR AT 0505", "", "you have no unit PANTHR", "Did you mean Panther?", 6},
		{"MOUNT SECOND ON TIGGER", "", "you have no unit TIGGER", "Did you mean Tiger?", 17},
		{"MOUNT SECNOD ON TIGER", "", "you have no unit SECNOD", "Did you mean Second?", 7},
		{"ATTACK 0505 WITH LEED", "", "you have no unit LEED", "Did you mean Lead?", 18},
		{"ATTACK 0505 WITH LEAD; ADVANCE LEED", "", "you have no unit LEED", "Did you mean Lead?", 32},
		{"ATTACK 0505 WITH LEAD; ARTILLERY MORTA, MORTAX", "", "you have no unit MORTAX",
			"Did you mean Mortar?", 41},
		{"CLEAR 0304 WITH PIONER", "", "you have no unit PIONER", "Did you mean Pioneer?", 17},
		{"MOVE X TO 0302", "", "you have no unit X", "", 6}, // x is the enemy's
	})
	p.accepts(t, "CHIT 1\n  ", [][2]string{
		{"MOVE ALPHA TO 0302", "to 0302"}, {"MOVE Alpha TO 0302", "to 0302"}, {"MOVE alp TO 0302", "to 0302"},
		{"MOVE HQ TO 0203", "to 0203"}, {"MOVE H TO 0203", "to 0203"}, {"MOVE PAN TO 0403", "to 0403"},
	})
}

// A MIN that the odds do not meet is told with what is fought instead: nothing.
func TestAMinThatIsNotMetIsTold(t *testing.T) {
	p := seatAtScene(t, "RED", wordsMap)
	met := p.verdict(t, "CHIT 1\n  ATTACK 0505 WITH LEAD; MIN 1-4")
	if met.Refused != nil || met.Warning != "" {
		t.Errorf("%q, %v", met.Warning, met.Refused)
	}
	l := p.verdict(t, "CHIT 1\n  ATTACK 0505 WITH LEAD; MIN 5-1")
	if l.Refused != nil || !strings.Contains(l.Warning, "below its MIN of 5-1: nothing is fought (GD 10.1). MIN ") {
		t.Errorf("%q, %v", l.Warning, l.Refused)
	}
}

// A unit that its headquarters does not reach is told how far it is.
func TestHowFarTheHeadquartersReaches(t *testing.T) {
	short := strings.Replace(wordsMap, "h: hq 12", "h: hq 2", 1)
	seatAtScene(t, "RED", short).refuses(t, "CHIT 1\n  ", []refusedOrder{
		{"MOVE LEAD TO 0604", "6.0", "Lead is out of its headquarters' activation range", "Lead on 0605 is 5 hexes from h on 0202, which reaches 2", 0},
		{"FIRE PANTHER AT 0505", "6.0", "Panther is not activated", "Panther on 0404 is 3 hexes from h on 0202, which reaches 2", 0},
	})
}

// What the rules forbid is refused with the clause that forbids it.
func TestOrdersThatTheRulesForbid(t *testing.T) {
	seatAtScene(t, "RED", wordsMap).refuses(t, "CHIT 1\n  ", []refusedOrder{
		{"MOVE OTHER TO 0207", "6.0", "Other is out of its headquarters' activation range", "Other belongs to 2: its orders stand below CHIT 2.", 0},
		{"MOVE LATER TO 0205", "4.0", "Later is not on the map yet", "", 0},
		{"MOVE RIDER TO 0709", "9.5", "Rider rides on a tank and moves with it", "", 0},
		{"MOVE ALPHA, ANTON TO 0302", "9.3", "Alpha and Anton do not begin in one hex",
			"Give each stack a line of its own.", 0},
		{"MOVE ALPHA TO 0505", "7.0", "0505 holds the enemy", "Stop beside it and ATTACK it.", 0},
		{"MOVE ALPHA TO 1111", "9.0", "Alpha cannot get to 1111 with 8 MP", "It gets to ", 0},
		{"MOVE ALPHA 0303-0305", "9.0", "0305 is not beside 0303", "", 0},
		{"MOVE PANTHER 0404-0504-0505", "9.0", "in an enemy zone of control", "", 0},
		{"ENTER LATER AT F", "4.0", "Later enters by A, not by F", "", 0},
		{"ENTER NEVER AT A", "4.0", "Never is not due yet", "", 0},
		{"ENTER ALPHA AT A", "4.0", "Alpha is not off the map", "", 0},
		{"EXIT ALPHA A", "18.3", "your units gain nothing by leaving the map at A", "", 0},
		{"MOUNT ALPHA ON TRUCK", "9.5", "Truck is not a tracked unit", "", 0},
		{"MOUNT TRUCK ON PANTHER", "9.5", "Truck is not a leg unit", "", 0},
		{"MOUNT ALPHA ON PANTHER", "9.5", "Alpha and Panther are not in one hex", "", 0},
		{"MOUNT SECOND ON TIGER", "9.5", "Tiger carries a unit already", "", 0},
		{"DISMOUNT ALPHA", "9.5", "Alpha rides on no tank", "", 0},
		{"DEBARK ALPHA", "9.6", "Alpha is not a wheeled unit", "", 0},
		{"DEBARK PANTHER", "9.6", "Panther is not a wheeled unit", "", 0},
		{"DEBARK FOOT", "9.6", "Foot is on foot already", "", 0},
		{"EMBARK TRUCK", "9.6", "Truck is not on foot", "", 0},
		{"CLEAR 0304 WITH ALPHA", "16.1", "Alpha is not an engineer", "", 0},
		{"CLEAR 1206 WITH PIONEER", "16.1", "Pioneer is not beside 1206", "", 0},
		{"CLEAR 0204 WITH PIONEER", "16.1", "Pioneer is not beside 0204", "", 0},
		{"CLEAR 0305 WITH PIONEER", "16.1", "no fortification chits are on 0305",
			"What the map prints cannot be cleared.", 0},
		{"PONTOON 0305/0306 WITH ALPHA", "12.1", "Alpha is not an engineer", "", 0},
		{"BLOW 1002/1003 WITH PIONEER", "12.0", "Pioneer is not beside 1002/1003", "", 0},
		{"BLOW 0305/0306 WITH PIONEER", "12.0", "no bridge stands at 0305/0306", "", 0},
		{"BARRAGE 0505 WITH ALPHA", "10.2", "Alpha is not artillery", "", 0},
		{"BARRAGE 0606 WITH MORTAR", "11.2", "no enemy stands on 0606", "Mortar may shell 0505.", 0},
		{"BARRAGE 1212 WITH MORTAR", "11.1", "Mortar has a range of 10, 1212 is 13 away", "Mortar may shell", 0},
		{"FIRE ALPHA AT 0505", "11.3", "Alpha has no direct fire", "", 0},
		{"FIRE PANTHER AT 0606", "11.3", "Panther has no enemy on 0606", "Panther may fire at 0505.", 0},
		{"FIRE PANTHER AT 1212", "11.3", "Panther has a range of 3, 1212 is 12 away", "Panther may fire at 0505.", 0},
		{"ATTACK 0506 WITH LEAD", "10.1", "no enemy stands on 0506", "Lead may attack 0505.", 0},
		{"ATTACK 0505 WITH ALPHA", "10.0", "Alpha is not beside 0505", "", 0},
		{"ATTACK 0505 WITH HQ", "2.4", "h is a headquarters and does not attack", "", 0},
		{"ATTACK 0505 WITH OTHER", "6.0", "Other is not activated", "stand below CHIT 2.", 0},
		{"ATTACK 0505 WITH RIDER", "9.5", "Rider rides on a tank", "", 0},
		{"ATTACK 0505 WITH LEAD; ADVANCE ALPHA", "10.6", "Alpha does not attack, so it cannot advance", "", 0},
		{"ATTACK 0505 WITH LEAD; ADVANCE LEAD 0909", "10.6", "Lead cannot go on to 0909", "", 0},
		{"ATTACK 0505 WITH LEAD; ARTILLERY ALPHA", "10.2", "Alpha is not artillery", "", 0},
		{"OVERRUN 0505 WITH LEAD; ARTILLERY MORTAR", "9.4", "no artillery takes part in an overrun", "", 0},
		{"OVERRUN 0505 WITH LEAD; ARTILLERY ANY", "9.4", "no artillery takes part in an overrun", "", 0},
	})
}

// An order that stands is echoed with where it leads and what it costs.
func TestTheEchoOfOrders(t *testing.T) {
	seatAtScene(t, "RED", wordsMap).accepts(t, "CHIT 1\n  ", [][2]string{
		{"MOVE ALPHA TO 0302", "to 0302, 1 MP of 8 MP"},
		{"MOVE ALPHA 0303-0302-0301", "to 0301, 2 MP of 8 MP"},
		{"MOVE ALPHA 0302-0301", "to 0301, 2 MP of 8 MP"},
		{"MOVE ALPHA TO 0301 VIA 0402", "to 0301, 3 MP of 8 MP"},
		{"MOVE ALPHA, BRAVO TO 0302; DROP BRAVO AT 0302; STOP-IF SPOT TANK; IF-FIRED GO",
			"to 0302, 1 MP of 8 MP"},
		{"MOVE TRUCK TO 0401; DEBARK", "to 0401"},
		{"MOVE PANTHER TO 0504", "in an enemy zone of control"},
		{"ENTER LATER AT A", "to 0101"},
		{"ENTER LATER AT A TO 0102", "to 0102"},
		{"DISMOUNT RIDER", "noted"}, {"EMBARK FOOT", "noted"}, {"DEBARK TRUCK TO 0401", "to 0401"},
		{"CLEAR 0304 WITH PIONEER", "noted"}, {"PONTOON 0305/0306 WITH PIONEER", "noted"},
		{"BARRAGE 0505 WITH MORTAR", "range 3, three dice above it hit"},
		{"FIRE PANTHER AT 0505", "range 2"},
		{"ATTACK 0505 WITH LEAD", "8 against 4 (at most as we know): 2-1, +0 to the dice before the chits"},
		{"ATTACK 0505 WITH LEAD; ARTILLERY MORTAR; MIN 3-1", "13 against 4 (at most as we know): 3-1"},
		{"ATTACK 0505 WITH LEAD; MIN 3:1; ADVANCE LEAD 0504", "8 against 4"},
		{"OVERRUN 0505 WITH LEAD; THEN TO 0508", "2-1"},
		{"ATTACK AT-WILL MIN 2-1", "wherever the odds are 2-1 or better"},
		{"ATTACK AT-WILL", "wherever the odds are 1-1 or better"},
		{"STACK 0303", "noted"}, {"PASS", "noted"}, {"HOLD", "noted"},
	})
}
