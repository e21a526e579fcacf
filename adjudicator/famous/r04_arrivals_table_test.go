package famous

import (
	"fmt"
	"strings"
	"testing"
)

// How reinforcements come on: when, where, at which price, and where if the way is barred.
func TestEntries(t *testing.T) {
	const entry = "entry A 0301\n  entry B 0801"
	for _, x := range []struct{ what, ground, unit, more, order, expect string }{
		{"on the turn they are due", entry, "leg, due 1 by A", "", "ENTER N AT A", "n at 0301"},
		{"a turn too early", entry, "leg, due 2 by A", "", "ENTER N AT A",
			"refused 4.0: n is not due yet;n later"},
		{"held back until later", entry + "\n  turn 3", "leg, due 1 by A", "", "ENTER N AT A", "n at 0301"},
		{"not if nobody orders it", entry, "leg, due 1 by A", "", "PASS", "n later"},
		{"by another entry", entry, "leg, due 1 by A", "", "ENTER N AT B",
			"refused 4.0: n enters by A, not by B;n later"},
		{"by either of two", entry, "leg, due 1 by A B", "", "ENTER N AT B", "n at 0801"},
		{"and on", entry, "leg, 4-4-4, due 1 by A", "", "ENTER N AT A TO 0304", "n at 0304"},
		{"the entry hex is paid for", entry, "leg, 4-4-4, due 1 by A", "", "ENTER N AT A TO 0305", "n at 0304"},
		{"as the ground there, not as the road", entry + "\n  woods 0301\n  road 0301-0302-0303",
			"tracked, 4-4-8, due 1 by A", "", "ENTER N AT A TO 0308", "n at 0306"},
		{"whatever it costs", entry + "\n  woods 0301", "wheeled, 4-4-8, due 1 by A", "",
			"ENTER N AT A TO 0302", "n at 0301"},
		{"an enemy zone stops it", entry, "leg, due 1 by A", "BLUE x: leg, at 0302", "ENTER N AT A TO 0401",
			"n at 0301"},
		{"beside the enemy on the entry", entry, "leg, due 1 by A", "BLUE x: hq 3, at 0301", "ENTER N AT A",
			"n at 0401|n at 0201"},
		{"beside pinned friends", entry, "leg, due 1 by A", "RED p: leg, of 2, pinned, at 0301", "ENTER N AT A",
			"n at 0401|n at 0201"},
		{"friends who are not pinned do not matter", entry, "leg, due 1 by A", "RED p: leg, of 2, at 0301",
			"ENTER N AT A", "n at 0301"},
		{"within the range of no headquarters", entry, "leg, due 1 by A", "", "ENTER N AT A TO 0302",
			"n at 0302"},
		{"their attack on the turn of entry", entry, "leg, 4-4-8, due 1 by A", "BLUE x: leg, 4-4-8, at 0303",
			"ENTER N AT A TO 0302;ATTACK 0303 WITH N", "n at 0302;event combat: units = n"},
		{"into a full hex they cannot", entry, "leg, due 1 by A",
			"RED p: leg, of 2, at 0301;RED q: leg, of 2, at 0301;RED r: leg, of 2, at 0301;" +
				"RED s: leg, of 2, at 0301",
			"ENTER N AT A", "refused 7.1: 0301 is full;n later"},
		{"through a full hex they can", entry, "leg, due 1 by A",
			"RED p: leg, of 2, at 0301;RED q: leg, of 2, at 0301;RED r: leg, of 2, at 0301;" +
				"RED s: leg, of 2, at 0301",
			"ENTER N AT A TO 0302", "n at 0302"},
		{"who is on the map does not enter", entry, "leg, at 0404", "", "ENTER N AT A",
			"refused 4.0: n is not off the map"},
		{"who stands beside the map never does", entry + "\n  beside-map RED 1 0303 2",
			"wheeled, artillery 9, off map", "", "MOVE N TO 0302",
			"refused 18.4: n stands beside the map and never enters it"},
	} {
		dice := ""
		if strings.Contains(x.expect, "combat") {
			dice = "\nDICE\n  combat 0303: 3 4"
		}
		expect, or, _ := strings.Cut(x.expect, "|")
		body := "MAP 9x12\n  " + x.ground + "\nUNITS\n  RED h: hq 1, of 1, at 0912\n" +
			"  BLUE k: hq 9, of 9, at 0112\n  RED n: " + x.unit + "\n  " + strings.ReplaceAll(x.more, ";",
			"\n  ") + "\nCHIT RED 1\n  " + strings.ReplaceAll(x.order, ";", "\n  ") + dice
		if or == "" {
			playScene(t, x.what, body, "EXPECT\n  "+strings.ReplaceAll(expect, ";", "\n  "))
			continue
		}
		r := playScene(t, x.what, body) // both neighbours on the edge are as near
		if at := r.named("n"); at.Where != OnMap || !strings.Contains(x.expect, at.Hex.String()) {
			t.Errorf("%s: it stands on %v, %s", x.what, at.Hex, at.Where)
		}
	}
}

// Replacements: by the die with the weather's modifier one depleted leg unit is rebuilt,
// out of enemy zones and of the reach of direct fire, in touch with its headquarters.
func TestReplacements(t *testing.T) {
	own := map[string]int{"Sunny": -1, "Cloudy": 0, "Foggy": 1, "Rainy": 2, "Stormy": 3, "Snowy": 3}
	for weather, mod := range own {
		for die := 1; die <= 6; die++ {
			steps := 1
			if die+mod <= 3 {
				steps = 2
			}
			playScene(t, fmt.Sprintf("%s and %d", weather, die),
				fmt.Sprintf("MAP 8x12\n  time Night\n  weather %s\nUNITS\n  RED h: hq 5, at 0301\n"+
					"  RED a: leg, 4-4-8/2-2-8, steps 1, at 0303\n  BLUE k: hq 5, at 0812\nEND\nDICE\n"+
					"  replacement RED: %d\n  replacement BLUE: 6\nEXPECT\n  a steps %d\n"+
					"  event replacement: roll = %d",
					weather, die, steps, die+mod))
		}
	}
	for _, x := range []struct {
		what, ground, units string
		rebuilt             bool
	}{
		{"a leg unit", "", "RED a: leg, 4-4-8/2-2-8, steps 1, at 0303", true},
		{"not tanks", "", "RED a: tracked, 4-4-8/2-2-8, steps 1, at 0303", false},
		{"not trucks", "", "RED a: wheeled, 4-4-8/2-2-8, steps 1, at 0303", false},
		{"their crews on foot", "", "RED a: wheeled, debarked, 4-4-8/2-2-8, steps 1, at 0303", true},
		{"not in an enemy zone of control", "", "RED a: leg, 4-4-8/2-2-8, steps 1, at 0303\n" +
			"  BLUE x: leg, at 0304", false},
		{"beside an enemy headquarters", "", "RED a: leg, 4-4-8/2-2-8, steps 1, at 0303\n" +
			"  BLUE x: hq 5, of 2, at 0304", true},
		{"not in reach of direct fire", "", "RED a: leg, 4-4-8/2-2-8, steps 1, at 0303\n" +
			"  BLUE x: tracked, direct 3, at 0306", false},
		{"out of reach", "", "RED a: leg, 4-4-8/2-2-8, steps 1, at 0303\n  BLUE x: tracked, direct 2, at 0306",
			true},
		{"in reach of artillery", "", "RED a: leg, 4-4-8/2-2-8, steps 1, at 0303\n" +
			"  BLUE x: wheeled, artillery 9, at 0306", true},
		{"cut off from its headquarters", across("river", 2, 8), "RED a: leg, 4-4-8/2-2-8, steps 1, at 0304",
			false},
		{"but not from the division's", across("river", 2, 8), "RED a: leg, 4-4-8/2-2-8, steps 1, at 0304\n" +
			"  RED d: hq 9, division, at 0306", true},
		{"with another battalion's headquarters only", across("river", 2, 8),
			"RED a: leg, 4-4-8/2-2-8, steps 1, at 0304\n  RED i: hq 9, of 2, at 0306", false},
		{"a full unit needs nothing", "", "RED a: leg, 4-4-8/2-2-8, at 0303", true},
		{"a unit of one step cannot be", "", "RED a: leg, 4-4-8, one step, at 0303", false},
	} {
		steps := 1
		if x.rebuilt {
			steps = 2
		}
		playScene(t, x.what, "MAP 8x12\n  time Night\n"+x.ground+"\nUNITS\n  RED h: hq 5, at 0301\n  "+x.units+
			"\n  BLUE k: hq 5, at 0812\nEND\nDICE\n  replacement RED: 1\n  replacement BLUE: 6\nEXPECT",
			fmt.Sprintf("  a steps %d", steps))
	}
	const two = "MAP 8x12\n  time %s\nUNITS\n  RED h: hq 5, at 0301\n" +
		"  RED a: leg, 4-4-8/2-2-8, steps 1, at 0303\n  RED b: leg, 2-2-8/1-1-8, steps 1, at 0503\n%s\n" +
		"  BLUE k: hq 5, at 0812\nEND\nSTANDING RED\n  %s\n%s\nEXPECT\n  %s"
	for _, x := range []struct{ what, hour, more, standing, die, expect string }{
		{"one a night", "Night", "", "REPLACE A, B", "1", "a steps 2\n  b steps 1"},
		{"whom the owner names first", "Night", "", "REPLACE B, A", "1", "b steps 2\n  a steps 1"},
		{"else the strongest", "Night", "", "ADVANCE NEVER", "1", "a steps 2\n  b steps 1"},
		{"no die by day", "Day", "", "REPLACE A", "", "a steps 1\n  b steps 1\n  no event replacement"},
		{"nor in the evening", "Evening", "", "REPLACE A", "", "a steps 1\n  no event replacement"},
		{"Field Ersatz in the hex whatever the die says", "Night", "  RED e: leg, ersatz, of 9, at 0503",
			"REPLACE A, B", "6", "b steps 2\n  a steps 1"},
		{"not a hex away", "Night", "  RED e: leg, ersatz, of 9, at 0504", "REPLACE A, B", "6",
			"b steps 1\n  a steps 1"},
		{"not short of supply", "Night", "  RED e: leg, ersatz, of 9, unsupplied 1, at 0503", "REPLACE A, B",
			"6", "b steps 1\n  a steps 1"},
		{"with a good die one all the same", "Night", "  RED e: leg, ersatz, of 9, at 0503", "REPLACE A, B",
			"2", "a steps 2\n  b steps 1"},
	} {
		dice := ""
		if x.die != "" {
			dice = "DICE\n  replacement RED: " + x.die + "\n  replacement BLUE: 6"
		}
		playScene(t, x.what, fmt.Sprintf(two, x.hour, x.more, x.standing, dice, x.expect))
	}
}

// The end of the turn: what it takes off the map, and what stays.
func TestTheEndOfATurn(t *testing.T) {
	playScene(t, "markers", `MAP 8x12
  road 0303-0304
  blown 0505/0506
  river 0505/0506
  bridge 0505/0506
UNITS
  RED h: hq 5, at 0301
  RED i: hq 5, of 2, at 0501
  RED p: leg, pinned, at 0303
  RED g: wheeled, artillery 9, fired, at 0302
  RED s: wheeled, artillery 9, fired, unsupplied 2, at 0402
  RED r: tracked, road, at 0304
  RED d: wheeled, debarked, at 0305
  RED q: leg, riding r, at 0304
  RED u: leg, used, at 0401
  RED w: leg, unsupplied 1, at 0403
  BLUE k: hq 5, at 0812
END
EXPECT
  p not pinned
  g not fired
  s fired
  r road
  d debarked
  q riding r
  w unsupplied 1
  bridge 0505/0506 down
  turn 2`)
}

// The German reserve of Lutchessa comes if a Soviet unit has held one of the hills before
// the morning of the 2nd, even for a moment.
func TestTheConditionalReserve(t *testing.T) {
	late := playScene(t, "a hill that falls too late", "MAP gd-lutchessa\n  last SOVIET 4116")
	late.s.Turn, late.s.Phase = 6, 1
	out, err := newGame(late.s.sc).Play(late.s.encode(), nil, fixed(1), plotted{})
	if err != nil || firstEvent(out.Events, "opened") != nil {
		t.Errorf("a hill that falls on the 2nd brings the reserve: %v", err)
	}
	for _, hill := range []string{"", "4116", "3412", "3621", "2718", "2215"} {
		last := ""
		if hill != "" {
			last = "\n  last SOVIET " + hill
		}
		r := playScene(t, hill, "MAP gd-lutchessa"+last)
		r.s.Turn, r.s.Phase = 5, 1
		out, err := newGame(r.s.sc).Play(r.s.encode(), nil, fixed(1), plotted{})
		if err != nil {
			t.Fatal(err)
		}
		v := seatAt(t, newGame(r.s.sc), out.Position, "GERMAN").view
		opened, ready := firstEvent(out.Events, "opened") != nil, 0
		for _, u := range v.Arrivals {
			if u.Formation == "2Pz" || u.Formation == "1Art" {
				ready += b2i(u.Ready)
			}
		}
		if opened != (hill != "") || (ready == 6) != (hill != "") || hill == "" && ready != 0 {
			t.Errorf("with Soviets on %q: told %v, %d of the reserve are ready", hill, opened, ready)
		}
	}
}
