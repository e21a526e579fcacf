package famous

import (
	"fmt"
	"strings"
	"testing"
)

// across is a wall of hexsides between two rows of a map: nobody gets from one to the
// other but over them.
func across(kind string, row, columns int) string {
	out := "  " + kind
	for c := 1; c <= columns; c++ {
		out += fmt.Sprintf(" %02d%02d/%02d%02d", c, row, c, row+1)
		if c%2 == 1 {
			for _, d := range []int{c - 1, c + 1} {
				if d >= 1 && d <= columns {
					out += fmt.Sprintf(" %02d%02d/%02d%02d", c, row, d, row+1)
				}
			}
		}
	}
	return out
}

// rowOf is a line of hexes from edge to edge.
func rowOf(kind string, row, columns int) string {
	out := "  " + kind
	for c := 1; c <= columns; c++ {
		out += fmt.Sprintf(" %02d%02d", c, row)
	}
	return out
}

// A line of supply leads to the battalion's headquarters over ground that wheels may use,
// round the enemy and their zones, covered ones apart.
func TestLinesOfSupply(t *testing.T) {
	const far = "  BLUE x: leg, at 0312"
	for _, x := range []struct {
		what, ground, more string
		state              int
	}{
		{"open ground", "", far, 0}, {"woods", rowOf("woods", 5, 6), far, 0},
		{"hills and orchards", rowOf("hill", 5, 6) + "\n" + rowOf("orchard", 6, 6), far, 0},
		{"a stream", across("stream", 5, 6), far, 0}, {"fords", across("ford", 5, 6), far, 0},
		{"forest from edge to edge", rowOf("forest", 5, 6), far, 1},
		{"forest with a road", rowOf("forest", 5, 6) + "\n  road 0404-0405-0406", far, 0},
		{"forest with a gap", "  forest 0105 0205 0305 0405 0605", far, 0},
		{"a river", across("river", 5, 6), far, 1}, {"a canal", across("canal", 5, 6), far, 1},
		{"dragon's teeth", across("dragon's teeth", 5, 6), far, 1},
		{"dragon's teeth with a road", across("dragon's teeth", 5, 6) + "\n  road 0405-0406", far, 0},
		{"a river with a bridge", across("river", 5, 6) + "\n  bridge 0405/0406", far, 0},
		{"a river whose bridge is down", across("river", 5, 6) + "\n  bridge 0405/0406\n  blown 0405/0406", far,
			1},
		{"a pontoon bridge", across("river", 5, 6) + "\n  pontoon RED 0405/0406 done", far, 0},
		{"one under construction", across("river", 5, 6) + "\n  pontoon RED 0405/0406", far, 1},
		{"a major river", rowOf("major river", 5, 6), far, 1},
		{"a pontoon bridge in it", rowOf("major river", 5, 6) + "\n  pontoon RED 0405 done", far, 0},
		{"a zone of control on one side", "", "  BLUE x: leg, at 0205", 0},
		{"zones from edge to edge", "", "  BLUE x: leg, at 0205\n  BLUE y: leg, at 0505", 1},
		{"zones that a friend covers in one hex", "", "  BLUE x: leg, at 0206\n  BLUE y: leg, at 0506\n" +
			"  RED f: leg, of 2, at 0406\n  RED g: leg, of 2, at 0405\n  RED j: leg, of 2, at 0407", 0},
		{"a headquarters in the way has no zone", "", "  BLUE x: hq 9, at 0205\n  BLUE y: hq 9, of 2, at 0505",
			0},
		{"enemies shoulder to shoulder", "", "  BLUE p: hq 1, at 0105\n  BLUE q: hq 1, of 2, at 0205\n" +
			"  BLUE r: hq 1, of 3, at 0305\n  BLUE s: hq 1, of 4, at 0405\n  BLUE u: hq 1, of 5, at 0505\n" +
			"  BLUE v: hq 1, of 6, at 0605", 1},
		{"a zone behind a river", across("river", 9, 6), "  BLUE x: leg, at 0310", 0},
		{"mines and bunkers do not matter", "  fort BLUE minefield 0306 face 1\n  fort BLUE bunker 0305 face 1",
			far, 0},
	} {
		playScene(t, x.what, "MAP 6x12\n"+x.ground+"\nUNITS\n  RED h: hq 5, at 0102\n"+
			"  RED i: hq 5, of 2, at 0502\n  RED a: leg, at 0408\n  BLUE k: hq 9, of 7, at 0612\n"+x.more+
			"\nSUPPLY\nEXPECT", fmt.Sprintf("  a unsupplied %d\n  h unsupplied 0", x.state))
	}
	playScene(t, "in forest a line leads over the edge of the hex", "MAP 6x12\n  forest 0408\nUNITS\n"+
		"  RED h: hq 5, at 0102\n  RED i: hq 5, of 2, at 0502\n  RED a: leg, at 0408\nSUPPLY\nEXPECT\n"+
		"  a unsupplied 0")
}

// Headquarters need each other: one alone is no source, two that reach each other are, and
// another battalion's is none.
func TestHeadquartersAsSources(t *testing.T) {
	for _, x := range []struct{ what, ground, units, expect string }{
		{"two headquarters", "", "RED h: hq 5, at 0102;RED i: hq 5, of 2, at 0502;RED a: leg, at 0408",
			"h unsupplied 0;i unsupplied 0;a unsupplied 0"},
		{"a lone one: its battalion nominates a stack", "",
			"RED h: hq 5, at 0102;RED a: leg, 4-4-8, at 0408;RED b: leg, 2-4-8, at 0208",
			"a nominated, unsupplied 0;b not nominated, unsupplied 1;h unsupplied 1"},
		{"two parted by a river", across("river", 5, 6),
			"RED h: hq 5, at 0102;RED i: hq 5, of 2, at 0508;RED a: leg, 5-4-8, at 0302;" +
				"RED b: leg, 2-4-8, at 0402",
			"h unsupplied 1;i nominated;a nominated;b unsupplied 1"},
		{"another battalion's is no source", across("river", 5, 6),
			"RED h: hq 5, at 0102;RED i: hq 5, of 2, at 0502;RED j: hq 5, of 3, at 0508;" +
				"RED k: hq 5, of 4, at 0310;RED a: leg, at 0408",
			"a unsupplied 1;j unsupplied 0"},
		{"the division's supplies its own", "",
			"RED h: hq 5, at 0102;RED d: hq 9, division, at 0502;RED a: leg, of Div, at 0408",
			"a unsupplied 0;d unsupplied 0"},
		{"the division's supplies one other battalion", "",
			"RED h: hq 5, of 1, at 0102;RED d: hq 9, division, at 0502;RED b: leg, of 2, at 0408",
			"b unsupplied 0"},
		{"and no second one", "",
			"RED h: hq 5, of 1, at 0102;RED d: hq 9, division, at 0502;RED b: leg, of 2, at 0408;" +
				"RED c: leg, of 2, at 0508;RED e: leg, 2-4-8, of 3, at 0208;RED f: leg, of 3, at 0308",
			"b unsupplied 0;c unsupplied 0;f nominated;e unsupplied 1"},
		{"units in the headquarters' own hex", "",
			"RED h: hq 5, at 0102;RED i: hq 5, of 2, at 0102;RED a: leg, at 0102",
			"a unsupplied 0;h unsupplied 0"},
		{"units that have not arrived do not count", "",
			"RED h: hq 5, at 0102;RED i: hq 5, of 2, due 3 by A;RED a: leg, 9-4-8, at 0408",
			"h unsupplied 1;a nominated"},
		{"a rider is supplied by itself", across("river", 5, 6),
			"RED h: hq 5, at 0102;RED i: hq 5, of 2, at 0502;RED t: tracked, at 0408;" +
				"RED a: leg, riding t, at 0408",
			"t unsupplied 1;a unsupplied 1"},
	} {
		playScene(t, x.what, "MAP 6x12\n  entry A 0112\n"+x.ground+"\nUNITS\n  "+strings.ReplaceAll(x.units,
			";", "\n  ")+"\nSUPPLY\nEXPECT\n  "+strings.ReplaceAll(x.expect, ";", "\n  "))
	}
	const cut = "MAP 6x12\nUNITS\n  RED d: hq 9, division, at 0502\n  RED h: hq 9, of 9, at 0402\n" +
		"  RED b: leg, of 2, at 0408\n  RED c: leg, of 3, at 0208\n  RED e: leg, 1-4-8, of 3, at 0308\n" +
		"SUPPLY\n" +
		"ORDERS RED\n  %s\nEXPECT\n  %s"
	for _, x := range []struct{ order, expect string }{
		{"DIVSUPPLY 2", "b unsupplied 0\n  b not nominated\n  c nominated\n  e unsupplied 1"},
		{"DIVSUPPLY 3", "b nominated\n  c not nominated\n  e unsupplied 0"},
		{"DIVSUPPLY 2\n  STACK 3 0308", "c unsupplied 1\n  e nominated\n  e unsupplied 0"},
		{"DIVSUPPLY 2\n  STACK 3 0101", "c nominated\n  e unsupplied 1"},
	} {
		playScene(t, x.order, fmt.Sprintf(cut, x.order, x.expect))
	}
}

// Low Supply, Out of Supply, and from the third phase on a casualty each; back in supply
// all is forgotten.
func TestPhasesWithoutSupply(t *testing.T) {
	const cut = "MAP 6x12\n%s\nUNITS\n  RED h: hq 5, at 0102\n  RED i: hq 5, of 2, at 0502\n" +
		"  RED a: %s, at 0408\nSUPPLY\nEXPECT\n  %s"
	river := across("river", 5, 6)
	for _, x := range []struct{ what, ground, unit, expect string }{
		{"the first phase", river, "leg, 5-5-4/3-3-4", "a unsupplied 1, steps 2, attack 3, defence 5\n" +
			"  event supply: unit = a; state = low supply"},
		{"the second", river, "leg, 5-5-4/3-3-4, unsupplied 1",
			"a unsupplied 2, steps 2, attack 2, defence 2\n" +
				"  event supply: state = out of supply"},
		{"the third", river, "leg, 5-5-4/3-3-4, unsupplied 2",
			"a unsupplied 3, steps 1, attack 1, defence 1\n" +
				"  event supply: left = depleted"},
		{"the fourth", river, "leg, 5-5-4/3-3-4, unsupplied 3, steps 1", "a gone\n  event supply: left = lost"},
		{"a unit of one step in the third", river, "leg, 5-5-4, one step, unsupplied 2", "a gone"},
		{"supplied again after one", "", "leg, 5-5-4/3-3-4, unsupplied 1",
			"a unsupplied 0, attack 5, defence 5\n  no event supply"},
		{"supplied again after two", "", "leg, 5-5-4/3-3-4, unsupplied 2",
			"a unsupplied 0, attack 5, defence 5"},
		{"a gun is as if it had fired in the second", river, "wheeled, 5-3-8, artillery 9, unsupplied 1",
			"a unsupplied 2, fired"},
		{"but not in the first", river, "wheeled, 5-3-8, artillery 9", "a unsupplied 1, not fired"},
	} {
		playScene(t, x.what, fmt.Sprintf(cut, x.ground, x.unit, x.expect))
	}
	playScene(t, "without supply to the end", strings.Replace(fmt.Sprintf(cut, river, "leg, 5-5-4/3-3-4",
		"a unsupplied 1"), "EXPECT", "EXPECT", 1), "SUPPLY\nEXPECT\n  a unsupplied 2\nSUPPLY\nEXPECT\n"+
		"  a unsupplied 3, steps 1\nSUPPLY\nEXPECT\n  a gone")
	playScene(t, "only the supply phase counts, not the turn's movement", "MAP 6x12\n"+river+
		"\nUNITS\n  RED h: hq 12, at 0102\n  RED i: hq 5, of 2, at 0502\n  RED a: leg, unsupplied 2, at 0406\n"+
		"CHIT RED 1\n  MOVE A 0406-0405\nEXPECT\n  a at 0405, unsupplied 2\nSUPPLY\nEXPECT\n  a unsupplied 0")
}
