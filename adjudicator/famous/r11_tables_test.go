package famous

import (
	"fmt"
	"strings"
	"testing"
)

// threeDice are all kinds of throws of a barrage: no pair, a pair, a triple.
var threeDice = [][3]int{{1, 2, 3}, {1, 1, 2}, {1, 1, 1}, {2, 2, 2}, {2, 3, 4}, {3, 3, 2}, {2, 3, 2}, {3, 2, 2},
	{3, 3, 3}, {4, 4, 1}, {4, 4, 5}, {1, 5, 6}, {4, 4, 4}, {6, 6, 5}, {6, 6, 6}}

// A barrage hits with more than its distance; a pair takes one step, a triple two.
func TestBarrageDice(t *testing.T) {
	for _, distance := range []int{2, 3, 5, 6, 8, 9, 11} {
		for _, d := range threeDice {
			hit, steps := "", 4
			if d[0]+d[1]+d[2] > distance {
				hit = "yes"
				switch {
				case d[0] == d[1] && d[1] == d[2]:
					steps = 2
				case d[0] == d[1] || d[1] == d[2] || d[0] == d[2]:
					steps = 3
				}
			}
			r := playScene(t, fmt.Sprintf("%v at %d hexes", d, distance), fmt.Sprintf(`MAP 6x16
UNITS
  RED h: hq 9, at 0102
  RED g: wheeled, 5-3-8, artillery 12, at 0302
  RED o: leg, at 0%d
  BLUE x: leg, 4-4-8/2-2-8, at 03%02d
  BLUE y: leg, 4-4-8/2-2-8, at 03%02d
CHIT RED 1
  BARRAGE 03%02d WITH G
DICE
  barrage g 03%02d: %d %d %d
EXPECT
  g fired, at 0302`, 600+distance, 2+distance, 2+distance, 2+distance, 2+distance, d[0], d[1], d[2]))
			e, left := r.told("barrage"), 0
			for i := range r.s.Units {
				if u := &r.s.Units[i]; u.Where == OnMap && (u.ID == "blue-x" || u.ID == "blue-y") {
					left += u.Steps
				}
			}
			if e == nil || e.Facts.Get("hit") != hit || e.Facts.Get("distance") != fmt.Sprint(distance) || left != steps {
				t.Errorf("%v at %d hexes: %v, %d steps are left, not %d", d, distance, e, left, steps)
			}
		}
	}
}

// What a barrage does to those it finds.
func TestWhatABarrageHits(t *testing.T) {
	for _, x := range []struct{ what, ground, units, dice, more, expect string }{
		{"a pair depletes one of two", "", "leg, 4-4-8/2-2-8;leg, 4-4-8/2-2-8", "5 5 6",
			"STANDING BLUE\n  LOSSES X1", "x1 steps 1;x0 steps 2"},
		{"a pair kills a depleted company", "", "leg, 4-4-8/2-2-8, steps 1", "5 5 6", "", "x0 gone"},
		{"a pair kills a gun", "", "wheeled, artillery 9", "5 5 6", "", "x0 gone"},
		{"a triple depletes two", "", "leg, 4-4-8/2-2-8;leg, 4-4-8/2-2-8", "5 5 5", "",
			"x0 steps 1;x1 steps 1"},
		{"a triple depletes two of three", "", "leg, 4-4-8/2-2-8;leg, 4-4-8/2-2-8;leg, 4-4-8/2-2-8", "5 5 5",
			"STANDING BLUE\n  LOSSES X2, X1", "x2 steps 1;x1 steps 1;x0 steps 2"},
		{"a triple kills a company alone", "", "leg, 4-4-8/2-2-8", "5 5 5", "", "x0 gone"},
		{"a triple depletes a lone full tank", "", "tracked, 4-4-8/2-2-8", "5 5 5", "", "x0 steps 1"},
		{"a lone depleted tank is never killed by a triple", "", "tracked, 4-4-8/2-2-8, steps 1", "5 5 5", "",
			"x0 at 0308, steps 1"},
		{"nor by a pair", "", "tracked, 4-4-8/2-2-8, steps 1", "5 5 6", "", "x0 steps 1"},
		{"nor is a tracked gun of one step", "", "tracked, artillery 9", "5 5 6", "", "x0 at 0308"},
		{"a depleted tank leaves it to the infantry", "", "tracked, 4-4-8/2-2-8, steps 1;leg, 4-4-8/2-2-8",
			"5 5 6", "", "x0 steps 1;x1 steps 1"},
		{"in a trench nobody is killed", "fort BLUE trench 0308 face 4", "leg, 4-4-8/2-2-8, steps 1", "5 5 6",
			"", "x0 at 0308, steps 1"},
		{"in a bunker nobody is killed", "fort BLUE bunker 0308 face 1", "leg, 4-4-8/2-2-8, steps 1", "5 5 5",
			"", "x0 steps 1"},
		{"in a bunker a triple depletes who stands alone", "fort BLUE bunker 0308 face 1", "leg, 4-4-8/2-2-8",
			"5 5 5", "", "x0 steps 1"},
		{"mines shelter nobody", "fort BLUE minefield 0308 face 1", "leg, 4-4-8/2-2-8, steps 1", "5 5 6", "",
			"x0 gone"},
		{"nor do dragon's teeth", "fort BLUE dragon's teeth 0308 face 1", "leg, 4-4-8/2-2-8", "5 5 5", "",
			"x0 gone"},
		{"woods shelter nobody", "woods 0308", "leg, 4-4-8/2-2-8, steps 1", "5 5 6", "", "x0 gone"},
		{"a headquarters beside a company is spared by a pair", "", "leg, 4-4-8/2-2-8;hq 6", "5 5 6",
			"STANDING BLUE\n  LOSSES X1", "x0 steps 1;x1 at 0308"},
		{"a headquarters alone is lost", "", "hq 6, of 9", "5 5 6", "", "x0 gone"},
		{"a rider suffers with its tank", "", "tracked, 4-4-8/2-2-8;leg, 4-4-8/2-2-8, riding x0", "5 5 6", "",
			"x0 steps 1;x1 steps 1"},
		{"no pair, no harm", "", "leg, 4-4-8/2-2-8", "4 5 6", "", "x0 steps 2;event barrage: harm = 0"},
		{"no chits are drawn", "draws RED Apathy", "leg, 4-4-8/2-2-8", "4 5 6", "", "no event event"},
	} {
		units := ""
		for i, u := range strings.Split(x.units, ";") {
			units += fmt.Sprintf("\n  BLUE x%d: %s, at 0308", i, u)
		}
		playScene(t, x.what, "MAP 8x14\n  "+x.ground+"\nUNITS\n  RED h: hq 9, at 0101\n"+
			"  RED g: wheeled, 5-3-8, artillery 10, at 0302\n  RED o: leg, of 2, at 0503\n"+
			"  BLUE k: hq 9, at 0114"+units+
			"\nCHIT RED 1\n  BARRAGE 0308 WITH G\n"+x.more+"\nDICE\n  barrage g 0308: "+x.dice, "EXPECT\n  "+
			strings.ReplaceAll(x.expect, ";", "\n  "))
	}
}

// When a gun may shell: activated, unfired, in supply and range, a target that somebody
// sees, and what it may do besides.
func TestWhoMayShell(t *testing.T) {
	for _, x := range []struct{ what, ground, gun, orders, expect string }{
		{"as far as its range", "", "artillery 6", "BARRAGE 0308 WITH G", "event barrage: distance = 6"},
		{"not further", "", "artillery 5", "BARRAGE 0308 WITH G",
			"refused 11.1: has a range of 5, 0308 is 6 away"},
		{"not when it has fired", "", "artillery 9, fired", "BARRAGE 0308 WITH G", "refused 10.2: has fired"},
		{"not out of supply", "", "artillery 9, unsupplied 2", "BARRAGE 0308 WITH G",
			"refused 5.3: is out of supply"},
		{"low supply does not matter", "", "artillery 9, unsupplied 1", "BARRAGE 0308 WITH G",
			"event barrage: unit = g"},
		{"not of another battalion", "", "artillery 9, of 2", "BARRAGE 0308 WITH G",
			"refused 11.2: is not activated"},
		{"in fog and storm too", "weather Foggy", "artillery 9", "BARRAGE 0308 WITH G",
			"event barrage: unit = g"},
		{"after it has moved", "", "artillery 9", "MOVE G TO 0303\n  BARRAGE 0308 WITH G",
			"g at 0303\n  event barrage: distance = 5"},
		{"it moves before it shells, however it is written", "", "artillery 9",
			"BARRAGE 0308 WITH G\n  MOVE G TO 0303", "g at 0303\n  event barrage: distance = 5"},
		{"once", "", "artillery 9", "BARRAGE 0308 WITH G\n  BARRAGE 0308 WITH G", "refused 10.2: g has fired"},
		{"nobody sees it", "woods 0106 0206 0306 0406 0506 0606 0706 0806", "artillery 9",
			"BARRAGE 0308 WITH G", "refused 11.2: no unit observes 0308"},
		{"no enemy is there", "", "artillery 9", "BARRAGE 0307 WITH G",
			"refused 11.2: no enemy stands on 0307"},
		{"at night somebody must stand beside it", "time Night", "artillery 9", "BARRAGE 0308 WITH G",
			"refused 11.2: no unit observes 0308"},
		{"at night somebody does", "time Night", "artillery 9\n  RED n: leg, of 2, at 0307",
			"BARRAGE 0308 WITH G", "event barrage: unit = g"},
		{"what stands in works may be shelled", "fort BLUE bunker 0308 face 1", "artillery 9",
			"BARRAGE 0308 WITH G", "event barrage: unit = g"},
		{"a target in woods is seen", "woods 0308", "artillery 9", "BARRAGE 0308 WITH G",
			"event barrage: unit = g"},
		{"out of its headquarters' range", "", "artillery 12, at 0312", "BARRAGE 0308 WITH G",
			"refused 11.2: is not activated"},
		{"it does not attack after it has shelled", "", "artillery 9, at 0307",
			"BARRAGE 0308 WITH G\n  ATTACK 0308 WITH G", "refused 11.2: g has fired a barrage"},
		{"nor supports", "", "artillery 9\n  RED b: leg, at 0307",
			"BARRAGE 0308 WITH G\n  ATTACK 0308 WITH B; ARTILLERY G", "refused 10.2: g has fired\n" +
				"  event combat: guns = nothing"},
	} {
		at := ""
		if !strings.Contains(x.gun, ", at 03") || strings.Contains(x.gun, "\n") {
			at = "at 0302, "
		}
		body := "MAP 8x16\n  " + x.ground + "\nUNITS\n  RED h: hq 8, at 0101\n  RED o: leg, of 2, at 0503\n" +
			"  BLUE k: hq 9, of 7, at 0114\n  BLUE x: leg, 4-4-8/2-2-8, at 0308\n  RED g: " + at +
			"wheeled, 5-3-8, " + x.gun + "\nCHIT RED 1\n  " + x.orders + "\n"
		if strings.Contains(x.expect, "event") {
			body += "DICE\n  barrage g 0308: 4 5 6\n"
		}
		if strings.Contains(x.expect, "event combat") {
			body += "  combat 0308: 3 4\n"
		}
		if x.what == "once" || x.what == "it does not attack after it has shelled" {
			body += "DICE\n  barrage g 0308: 4 5 6\n"
		}
		playScene(t, x.what, body, "EXPECT\n  "+x.expect)
	}
}

// Direct fire: both dice above the range hit, together at least defence and range do harm.
func TestDirectFireDice(t *testing.T) {
	for distance := 1; distance <= 5; distance++ {
		for a := 1; a <= 6; a++ {
			for b := a; b <= 6; b++ {
				for _, defence := range []int{4, 7} {
					hit, harm, steps := "", "", 2
					if a > distance && b > distance {
						hit = "yes"
						if a+b >= defence+distance {
							harm, steps = "yes", 1
						}
					}
					if (a+b+distance)%2 == 1 && hit == "" {
						continue // half of the misses will do
					}
					what := fmt.Sprintf("%d and %d at %d hexes against %d", a, b, distance, defence)
					e := playScene(t, what, fmt.Sprintf(`MAP 5x12
UNITS
  RED h: hq 9, at 0101
  RED t: tracked, 4-4-8, direct 5, at 0302
  BLUE x: leg, 4-%d-8/2-%d-8, at 030%d
CHIT RED 1
  FIRE T AT 030%d
DICE
  shot t 030%d: %d %d
EXPECT
  x steps %d, not pinned`, defence, defence, 2+distance, 2+distance, 2+distance, a, b, steps)).told("shot")
					if e == nil || e.Facts.Get("hit") != hit || e.Facts.Get("harm") != harm {
						t.Errorf("%d and %d at %d hexes against %d: %v", a, b, distance, defence, e)
					}
				}
			}
		}
	}
}

// What is taken off each die of direct fire, and when there is none at all.
func TestDirectFireInWeatherAndGround(t *testing.T) {
	for _, x := range []struct{ what, ground, mod, refused string }{
		{"by day", "time Day", "nothing", ""}, {"in the morning", "time Morning", "nothing", ""},
		{"in the evening", "time Evening", "-1", ""},
		{"at night there is none", "time Night", "", "11.3"}, {"in rain", "weather Rainy", "nothing", ""},
		{"in snow", "weather Snowy", "-1", ""},
		{"in fog there is none", "weather Foggy", "", "11.3"},
		{"in a storm there is none", "weather Stormy", "", "11.3"},
		{"on a snowy evening", "weather Snowy\n  time Evening", "-2", ""}, {"at woods", "woods 0304", "-1", ""},
		{"at an orchard", "orchard 0304", "-1", ""}, {"at a village", "village 0304", "-1", ""},
		{"at a hill", "hill 0304", "-1", ""},
		{"at a wooded hill no more than that", "hill 0304\n  woods 0304", "-1", ""},
		{"out of woods", "woods 0302", "nothing", ""},
		{"at woods on a snowy evening", "weather Snowy\n  time Evening\n  woods 0304", "-3", ""},
		{"at a road in woods", "woods 0304\n  road 0304-0305", "-1", ""},
		{"works do not help", "fort BLUE bunker 0304 face 1", "nothing", ""},
		{"a river does not", "river 0303/0304", "nothing", ""},
		{"woods between", "woods 0303", "", "11.3"}, {"a hill between", "hill 0303", "", "11.3"},
		{"a hill between, from a peak beside it", "hill 0303\n  peak 0302", "nothing", ""},
		{"a bunker between", "fort BLUE bunker 0303 face 1", "nothing", ""},
		{"forest between", "forest 0303", "", "11.3"},
	} {
		body := "MAP 5x12\n  " + x.ground + "\nUNITS\n  RED h: hq 9, at 0101\n" +
			"  RED t: tracked, 4-4-8, direct 5, at 0302\n  BLUE x: leg, 4-4-8/2-2-8, at 0304\nCHIT RED 1\n" +
			"  FIRE T AT 0304\n"
		if x.refused != "" {
			playScene(t, x.what, body+"EXPECT\n  refused "+x.refused+": t \n  no event shot")
			continue
		}
		// 5 and 5: with -2 both are still above the range of two, with -3 not.
		hit := "hit = yes"
		if x.mod == "-3" {
			hit = "hit = nothing"
		}
		playScene(t, x.what, body+"DICE\n  shot t 0304: 5 5\nEXPECT\n  event shot: mod = "+x.mod+"; "+hit)
	}
}

// Who is hit: the 2-9-8 Flak counts 5, depleted ones what they have left, the stack's
// headquarters never, riders not by themselves.
func TestTargetsOfDirectFire(t *testing.T) {
	for _, x := range []struct{ what, units, order, dice, expect string }{
		{"a Flak counts its reverse's 5", "wheeled, 2-9-8/1-5-8, flak", "", "3 4", "x0 steps 1"},
		{"a depleted one too", "wheeled, 2-9-8/1-5-8, flak, steps 1", "", "3 4", "x0 gone"},
		{"a Flak and 6 is only a hit", "wheeled, 2-9-8/1-5-8, flak", "", "3 3", "x0 steps 2"},
		{"others with 9 stand", "tracked, 2-9-8/1-5-8", "", "5 5", "x0 steps 2"},
		{"a depleted unit counts what is left", "tracked, 2-9-8/1-5-8, steps 1", "", "3 4", "x0 gone"},
		{"a depleted company is eliminated", "leg, 4-4-8/2-2-8, steps 1", "", "5 5", "x0 gone"},
		{"a unit of one step is eliminated", "wheeled, 4-4-8, artillery 9", "", "5 5", "x0 gone"},
		{"a headquarters alone may be hit", "hq 6", "", "5 5", "x0 gone"},
		{"not beside a company", "leg, 4-4-8/2-2-8;hq 6", "", "5 5", "x0 steps 1\n  x1 at 0304"},
		{"tracked ones first", "leg, 9-4-8/2-2-8;tracked, 1-4-8/2-2-8", " PREF TRACKED", "5 5",
			"x1 steps 1\n  x0 steps 2"},
		{"legs first", "leg, 1-4-8/2-2-8;tracked, 9-4-8/2-2-8", " PREF LEG", "5 5", "x0 steps 1\n  x1 steps 2"},
		{"wheels first", "leg, 9-4-8/2-2-8;wheeled, 1-4-8/2-2-8", " PREF WHEELED", "5 5",
			"x1 steps 1\n  x0 steps 2"},
		{"a debarked one is a leg unit", "wheeled, 1-4-8/2-2-8, debarked;wheeled, 9-4-8/2-2-8", " PREF LEG",
			"5 5", "x0 steps 1\n  x1 steps 2"},
		{"a rider suffers with its tank", "tracked, 4-4-8/2-2-8;leg, 4-4-8/2-2-8, riding x0", "", "5 5",
			"x0 steps 1\n  x1 steps 1, riding x0"},
		{"a rider is no target", "tracked, 4-9-8/2-2-8;leg, 4-2-8/2-2-8, riding x0", " PREF LEG", "4 5",
			"x0 steps 2\n  x1 steps 2"},
		{"nobody is pinned who does not move", "leg, 4-9-8/2-2-8", "", "3 3", "x0 not pinned"},
	} {
		units := ""
		for i, u := range strings.Split(x.units, ";") {
			units += fmt.Sprintf("\n  BLUE x%d: %s, at 0304", i, u)
		}
		playScene(t, x.what, "MAP 5x12\nUNITS\n  RED h: hq 9, at 0101\n"+
			"  RED t: tracked, 4-4-8, direct 5, at 0302"+units+"\nCHIT RED 1\n  FIRE T AT 0304"+x.order+
			"\nDICE\n  shot t 0304: "+x.dice, "EXPECT\n  "+x.expect)
	}
}

// Fire before an attack, not after; no advance behind it; once in an activation.
func TestFireAndAttack(t *testing.T) {
	const scene = "MAP 6x12\n  %s\nUNITS\n  RED h: hq 5, at 0301\n" +
		"  RED t: tracked, 4-4-8/4-2-8, direct 3, at 0303\n  BLUE k: hq 9, at 0309\n" +
		"  BLUE x: leg, 4-4-8/4-4-8, at 0304\nCHIT RED 1\n  %s\nDICE\n  %s\nEXPECT\n  %s"
	for _, x := range []struct{ what, ground, orders, dice, expect string }{
		{"fire, then attack", "", "FIRE T AT 0304\n  ATTACK 0304 WITH T",
			"shot t 0304: 1 1\n  combat 0304: 3 4", "event combat: units = t\n  nothing refused"},
		{"attack, then fire", "", "ATTACK 0304 WITH T\n  FIRE T AT 0304", "combat 0304: 3 4",
			"refused 11.3: it fires before, not after\n  no event shot"},
		{"fire twice", "", "FIRE T AT 0304\n  FIRE T AT 0304", "shot t 0304: 1 1",
			"refused 11.3: t has fired already"},
		{"no advance after fire", "", "FIRE T AT 0304\n  ATTACK 0304 WITH T; ADVANCE T",
			"shot t 0304: 1 1\n  combat 0304: 1 1", "x gone\n  t at 0303\n  no event advance"},
		{"an advance without it", "", "ATTACK 0304 WITH T; ADVANCE T", "combat 0304: 1 1",
			"x gone\n  t at 0304"},
		{"movement comes first however it is written", "", "FIRE T AT 0304\n  MOVE T TO 0404",
			"shot t 0304: 1 1", "t at 0404\n  event shot: from = 0404"},
		{"attack twice", "", "ATTACK 0304 WITH T\n  ATTACK 0304 WITH T", "combat 0304: 3 4",
			"refused 10.0: t has attacked already"},
	} {
		playScene(t, x.what, fmt.Sprintf(scene, x.ground, x.orders, x.dice, x.expect))
	}
}
