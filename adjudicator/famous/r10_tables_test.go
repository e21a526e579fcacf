package famous

import (
	"fmt"
	"strings"
	"testing"
)

// resultsOfTheBook is the Combat Results Table of 10.1, typed off the book once more.
const resultsOfTheBook = `
2	DC	DC	DD	DE	DE	DE	DE	DE
3	DR	DC	DC	DD	DE	DE	DE	DE
4	-	DR	DC	DC	DD	DE	DE	DE
5	AR	-	DR	DC	DC	DD	DE	DE
6	AC	AR	-	DR	DC	DC	DD	DE
7	AC	AC	AR	-	DR	DC	DC	DD
8	AD	AC	AC	AR	-	DR	DC	DC
9	AP	AD	AC	AC	AR	-	DR	DC
10	AP	AP	AD	AC	AC	AR	-	DR
11	AE	AP	AP	AD	AC	AC	AR	-
12	AE	AE	AP	AP	AD	AC	AC	AR`

// oddsOfTheBook are strengths that make each column.
var oddsOfTheBook = [8][2]int{{2, 8}, {2, 6}, {3, 6}, {5, 5}, {8, 4}, {9, 3}, {8, 2}, {10, 2}}

var oddsNames = [8]string{"1-4", "1-3", "1-2", "1-1", "2-1", "3-1", "4-1", "5-1"}

// twoDice throws a sum.
func twoDice(sum int) string { return fmt.Sprintf("%d %d", sum-min(6, sum-1), min(6, sum-1)) }

// duel is an attack from 0303 on 0304, both with ways back to their headquarters.
func duel(attack, defence int, dice, ground, more string) string {
	return fmt.Sprintf(`MAP 8x12
%s
UNITS
  RED h: hq 9, at 0301
  RED a: leg, %d-4-8/%d-2-8, at 0303
  BLUE k: hq 9, at 0309
  BLUE x: leg, 4-%d-8/2-%d-8, at 0304
%s
CHIT RED 1
  ATTACK 0304 WITH A; ADVANCE NO
DICE
  combat 0304: %s
`, ground, attack, attack, defence, defence, more, dice)
}

// Every cell of the table, fought.
func TestEveryCellOfTheResultsTable(t *testing.T) {
	for _, line := range strings.Split(strings.TrimSpace(resultsOfTheBook), "\n") {
		cells := strings.Split(line, "\t")
		var roll int
		fmt.Sscan(cells[0], &roll)
		for k, result := range cells[1:] {
			what := fmt.Sprintf("%s and %d", oddsNames[k], roll)
			after := map[string]string{ // what is left of the attacker, the defender
				"AE": "a gone\n  x at 0304, steps 2", "AP": "a gone\n  x at 0304, steps 2",
				"AD": "a gone\n  x at 0304, steps 2", "AC": "a at 0303, steps 1\n  x at 0304, steps 2",
				"-": "a at 0303, steps 2\n  x at 0304, steps 2", "DR": "a at 0303, steps 2\n" +
					"  x at 0306, steps 2", "DC": "a at 0303, steps 2\n  x at 0304, steps 1",
				"DD": "a at 0303, steps 2\n  x gone", "DE": "a at 0303, steps 2\n  x gone",
				"AR": "a at 0301, steps 2\n  x at 0304, steps 2",
			}[result]
			body := duel(oddsOfTheBook[k][0], oddsOfTheBook[k][1], twoDice(roll), "", "")
			playScene(t, what, body,
				fmt.Sprintf("EXPECT\n  event combat: column = %s; roll = %d; result = %s\n"+
					"  %s", oddsNames[k], roll, result, after))
		}
	}
}

// The ratio of two sums: the stronger attacker's fraction falls away, the weaker's is
// rounded against them, and beyond the table its last columns count.
func TestOdds(t *testing.T) {
	for _, x := range []struct {
		attack, defence int
		column          string
	}{
		{7, 5, "1-1"}, {5, 5, "1-1"}, {9, 5, "1-1"}, {10, 5, "2-1"}, {14, 5, "2-1"}, {15, 5, "3-1"},
		{19, 5, "3-1"}, {20, 5, "4-1"}, {24, 5, "4-1"}, {25, 5, "5-1"}, {26, 5, "5-1"}, {99, 1, "5-1"},
		{4, 5, "1-2"}, {3, 6, "1-2"}, {3, 7, "1-3"}, {3, 9, "1-3"}, {3, 10, "1-4"}, {3, 12, "1-4"},
		{3, 13, "1-4"}, {1, 6, "1-4"}, {1, 20, "1-4"}, {7, 1, "5-1"}, {1, 1, "1-1"}, {1, 2, "1-2"},
		{1, 3, "1-3"},
	} {
		playScene(t, fmt.Sprintf("%d against %d", x.attack, x.defence), duel(x.attack, x.defence, "3 4", "",
			""),
			fmt.Sprintf("EXPECT\n  event combat: attack = %d; defence = %d; column = %s", x.attack, x.defence,
				x.column))
	}
}

// What is added to the dice, one by one and together; a net roll beyond the table counts
// as its last line.
func TestModifiersOfAnAttack(t *testing.T) {
	for _, x := range []struct{ what, ground, drms, roll string }{
		{"in the open nothing", "", "nothing", "7"},
		{"woods", "woods 0304", "ground +1", "8"}, {"forest", "forest 0304", "ground +2", "9"},
		{"an orchard", "orchard 0304", "ground +1", "8"},
		{"a hill", "hill 0304", "ground +1", "8"}, {"a peak", "peak 0304", "ground +2", "9"},
		{"a village", "village 0304", "ground +1", "8"},
		{"a town", "town 0304", "ground +2", "9"}, {"a city", "city 0304", "ground +2", "9"},
		{"downtown", "downtown 0304", "ground +3", "10"},
		{"a wooded hill adds both", "hill 0304\n  woods 0304", "ground +2", "9"},
		{"a village on a hill", "hill 0304\n  village 0304", "ground +2", "9"},
		{"the attacker's own ground does not count", "downtown 0303", "nothing", "7"},
		{"a road is the ground beside it", "road 0303-0304\n  woods 0304", "ground +1", "8"},
		{"a stream", "stream 0303/0304", "stream +2", "9"}, {"a river", "river 0303/0304", "river +4", "11"},
		{"a canal", "canal 0303/0304", "canal +4", "11"},
		{"dragon's teeth on the map", "dragon's teeth 0303/0304", "dragon's teeth +3", "10"},
		{"a river before a hill counts with it", "river 0303/0304\n  hill 0304", "ground +1, river +4", "12"},
		{"a bridge over a river", "river 0303/0304\n  bridge 0303/0304", "bridge +1", "8"},
		{"a bridge over a stream", "stream 0303/0304\n  bridge 0303/0304", "bridge +1", "8"},
		{"a bridge over a major river", "road 0303-0304-0305\n  major river 0304\n  bridge 0303/0304\n  bridge 0304/0305",
			"bridge +1", "8"},
		{"a blown bridge is the river", "river 0303/0304\n  bridge 0303/0304\n  blown 0303/0304", "river +4",
			"11"},
		{"a pontoon bridge does not help", "river 0303/0304\n  pontoon RED 0303/0304 done", "river +4", "11"},
		{"a river at another side", "river 0304/0404", "nothing", "7"},
		{"a trench", "fort BLUE trench 0304 face 1", "works +1", "8"},
		{"a minefield", "fort BLUE minefield 0304 face 1", "works +2", "9"},
		{"teeth", "fort BLUE dragon's teeth 0304 face 1", "works +3", "10"},
		{"a bunker", "fort BLUE bunker 0304 face 1", "works +4", "11"},
		{"works from behind", "fort BLUE bunker 0304 face 4", "nothing", "7"},
		{"mines from behind", "fort BLUE minefield 0304 face 4", "works +2", "9"},
		{"works add up", "fort BLUE trench 0304 face 1\n  fort BLUE minefield 0304 face 1", "works +3", "10"},
		{"works add to the ground", "fort BLUE trench 0304 face 1\n  woods 0304", "ground +1, works +1", "9"},
		{"works in the attacker's hex", "fort RED bunker 0303 face 4", "nothing", "7"},
		{"sunny", "weather Sunny", "nothing", "7"}, {"cloudy", "weather Cloudy", "nothing", "7"},
		{"foggy", "weather Foggy", "nothing", "7"},
		{"rainy", "weather Rainy", "rainy +1", "8"}, {"stormy", "weather Stormy", "stormy +2", "9"},
		{"snowy", "weather Snowy", "snowy +3", "10"},
		{"in the morning", "time Morning", "nothing", "7"}, {"by day", "time Day", "nothing", "7"},
		{"in the evening", "time Evening", "evening +1", "8"},
		{"in the evening, in rain, on a hill", "time Evening\n  weather Rainy\n  hill 0304",
			"ground +1, rainy +1, evening +1", "10"},
		{"never more than 12", "weather Snowy\n  river 0303/0304\n  downtown 0304",
			"ground +3, river +4, snowy +3", "12"},
		{"a red chit", "draws RED Apathy", "Apathy +2", "9"},
		{"a blue chit", "draws RED Surprise", "Surprise -3", "4"},
		{"the enemy's chit counts as well", "draws BLUE Surprise", "Surprise -3", "4"},
		{"both", "draws RED Apathy\n  draws BLUE Surprise", "Apathy +2, Surprise -3", "6"},
	} {
		playScene(t, x.what, duel(4, 4, "3 4", "  "+x.ground, ""),
			"EXPECT\n  event combat: column = 1-1; drms = "+x.drms+"; roll = "+x.roll)
	}
	playScene(t, "never less than 2", duel(4, 4, "1 2", "  draws RED Surprise", ""),
		"EXPECT\n  event combat: roll = 2")
	playScene(t, "three dice at night and nothing added", duel(4, 4, "3 4 2", "  time Night", ""),
		"EXPECT\n  event combat: drms = nothing; roll = 9")
	playScene(t, "three dice at night, no more than 12", duel(4, 4, "6 6 5", "  time Night\n  hill 0304", ""),
		"EXPECT\n  event combat: drms = ground +1; roll = 12")
}

// The modifier of a hexside or of works counts only if all attack across it.
func TestAttacksFromSeveralHexes(t *testing.T) {
	const scene = `MAP 8x12
%s
UNITS
  RED h: hq 9, at 0301
  RED a: leg, 4-4-8, at 0303
  RED b: %s, at %s
  BLUE k: hq 9, at 0309
  BLUE x: leg, 4-8-8/2-8-8, at 0304
CHIT RED 1
  ATTACK 0304 WITH A, B
DICE
  combat 0304: 3 4
EXPECT
  event combat: attack = 8; column = 1-1; drms = %s`
	for _, x := range []struct{ what, ground, unit, from, drms string }{
		{"both over the river", "  river 0303/0304 0404/0304", "leg, 4-4-8", "0404", "river +4"},
		{"one beside the river", "  river 0303/0304", "leg, 4-4-8", "0404", "nothing"},
		{"both over a stream", "  stream 0303/0304 0404/0304", "leg, 4-4-8", "0404", "stream +2"},
		{"one over a bridge, one through the river", "  river 0303/0304 0404/0304\n  bridge 0404/0304",
			"leg, 4-4-8", "0404", "bridge +1"},
		{"both over bridges", "  river 0303/0304 0404/0304\n  bridge 0404/0304\n  bridge 0303/0304",
			"leg, 4-4-8", "0404", "bridge +1"},
		{"a trench that both attack", "  fort BLUE trench 0304 face 1", "leg, 4-4-8", "0404", "works +1"},
		{"a trench with one behind it", "  fort BLUE trench 0304 face 1", "leg, 4-4-8", "0305", "nothing"},
		{"a trench with one at its flank", "  fort BLUE trench 0304 face 6", "leg, 4-4-8", "0404", "nothing"},
		{"two works that look different ways", "  fort BLUE trench 0304 face 1\n  fort BLUE bunker 0304 face 4",
			"leg, 4-4-8", "0404", "works +1"},
		{"mines all round", "  fort BLUE minefield 0304 face 1", "leg, 4-4-8", "0305", "works +2"},
		{"from one hex with an engineer woods count half", "  woods 0304", "leg, engineer, 4-4-8", "0303",
			"nothing"},
		{"an engineer elsewhere helps all", "  downtown 0304", "leg, engineer, 4-4-8", "0404", "ground +1"},
		{"each halved by itself", "  woods 0304\n  hill 0304", "leg, engineer, 4-4-8", "0404", "nothing"},
		{"works halved each by itself", "  fort BLUE trench 0304 face 1\n  fort BLUE bunker 0304 face 1",
			"leg, engineer, 4-4-8", "0404", "works +2"},
		{"teeth halved and rounded down", "  fort BLUE dragon's teeth 0304 face 1", "leg, engineer, 4-4-8",
			"0404", "works +1"},
		{"an engineer does not help in a river", "  river 0303/0304 0404/0304", "leg, engineer, 4-4-8", "0404",
			"river +4"},
		{"nor against the evening and the rain", "  time Evening\n  weather Rainy", "leg, engineer, 4-4-8",
			"0404", "rainy +1, evening +1"},
	} {
		playScene(t, x.what, fmt.Sprintf(scene, x.ground, x.unit, x.from, x.drms))
	}
}

// Whose strength counts: all that attack, of the defenders all that can fight; riders
// nowhere, a headquarters only alone, short of supply half.
func TestStrengthsInAnAttack(t *testing.T) {
	for _, x := range []struct{ what, red, blue, attackers, sums string }{
		{"a stack of two against two", "leg, 3-4-8 at 0303;leg, 5-4-8 at 0303", "leg, 1-4-8;leg, 1-5-8",
			"A0, A1", "attack = 8; defence = 9"},
		{"one of the stack", "leg, 3-4-8 at 0303;leg, 5-4-8 at 0303", "leg, 1-4-8", "A1",
			"attack = 5; defence = 4"},
		{"depleted ones", "leg, 6-4-8/2-2-8, steps 1 at 0303", "leg, 1-6-8/1-3-8, steps 1", "A0",
			"attack = 2; defence = 3"},
		{"low supply halves the attack up", "leg, 5-4-8, unsupplied 1 at 0303", "leg, 1-5-8, unsupplied 1",
			"A0", "attack = 3; defence = 5"},
		{"out of supply halves both down", "leg, 5-4-8, unsupplied 2 at 0303", "leg, 1-5-8, unsupplied 2", "A0",
			"attack = 2; defence = 2"},
		{"a defence of one is one", "leg, 5-4-8 at 0303", "leg, 1-1-8, unsupplied 2", "A0",
			"attack = 5; defence = 1"},
		{"a headquarters adds nothing to others", "leg, 5-4-8 at 0303", "leg, 1-4-8;hq 6", "A0", "defence = 4"},
		{"a headquarters alone has its own", "leg, 5-4-8 at 0303", "hq 6", "A0", "defence = 2"},
		{"a rider adds nothing", "leg, 5-4-8 at 0303", "tracked, 1-7-8;leg, 1-6-8, riding x0", "A0",
			"defence = 7"},
		{"a gun with its own defence, not its attack", "leg, 5-4-8 at 0303",
			"wheeled, 8-3-8, artillery 10, fired", "A0", "defence = 3"},
		{"a gun beside the enemy attacks like others", "wheeled, 5-3-8, artillery 10 at 0303", "leg, 1-5-8",
			"A0", "attack = 5"},
		{"a debarked company keeps its values", "wheeled, 4-6-8, debarked at 0303", "wheeled, 1-5-8, debarked",
			"A0", "attack = 4; defence = 5"},
		{"a pinned defender defends", "leg, 5-4-8 at 0303", "leg, 1-5-8, pinned", "A0", "defence = 5"},
	} {
		units := ""
		for i, u := range strings.Split(x.red, ";") {
			units += fmt.Sprintf("\n  RED a%d: %s", i, strings.Replace(u, " at ", ", at ", 1))
		}
		for i, u := range strings.Split(x.blue, ";") {
			units += fmt.Sprintf("\n  BLUE x%d: %s, at 0304", i, u)
		}
		playScene(t, x.what, "MAP 8x12\nUNITS\n  RED h: hq 9, at 0301\n  BLUE k: hq 9, of 9, at 0307"+units+
			"\nCHIT RED 1\n  ATTACK 0304 WITH "+x.attackers+"; ADVANCE NO\nDICE\n  combat 0304: 3 4",
			"EXPECT\n  event combat: "+x.sums)
	}
}
