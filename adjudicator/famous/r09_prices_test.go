package famous

import (
	"fmt"
	"strings"
	"testing"
)

// classes are the columns of the terrain chart.
var testClasses = []string{"leg", "tracked", "wheeled"}

// stepFrom is what it costs three units with an allowance of 8, a leg, a tracked and a
// wheeled one, to go from 0303 to 0304: points, or "no".
func stepFrom(t *testing.T, ground string) (out [3]string) {
	t.Helper()
	p := seatAtScene(t, "RED", "MAP 6x6", ground, `UNITS
  RED h: hq 9, at 0101
  RED leg: leg, 4-4-8, at 0303
  RED tracked: tracked, 4-4-8, at 0303
  RED wheeled: wheeled, 4-4-8, at 0303`)
	for i, c := range testClasses {
		// A first step may always be made: the price shows where another one went before.
		l := p.verdict(t, "CHIT 1\n  MOVE "+strings.ToUpper(c)+" 0303-0304")
		if out[i] = "no"; l.Refused == nil {
			_, out[i], _ = strings.Cut(l.Understood, "to 0304, ")
			out[i], _, _ = strings.Cut(out[i], " MP of ")
			if _, place, named := strings.Cut(l.Understood, "), "); named {
				out[i], _, _ = strings.Cut(place, " MP of ")
			}
		}
	}
	return out
}

// The terrain chart: what each kind of ground and hexside asks of each class of units,
// with an allowance of 8, so that H is 4 and ALL is 8.
func TestPricesOfTheTerrainChart(t *testing.T) {
	for _, x := range []struct{ what, ground, prices string }{
		{"clear ground", "", "1 1 2"},
		{"woods are 2/H/ALL", "  woods 0304", "2 4 8"},
		{"forest is closed to vehicles", "  forest 0304", "3 no no"},
		{"an orchard", "  orchard 0304", "1 2 4"},
		{"a hill", "  hill 0304", "2 2 4"},
		{"a peak", "  peak 0304", "2 2 4"},
		{"a village", "  village 0304", "1 1 1"},
		{"a town", "  town 0304", "1 1 1"},
		{"a city", "  city 0304", "1 1 1"},
		{"downtown", "  downtown 0304", "1 2 2"},
		{"a hill with woods costs the dearer of the two", "  hill 0304\n  woods 0304", "2 4 8"},
		{"a hill with forest is closed as the forest is", "  hill 0304\n  forest 0304", "3 no no"},
		{"a hill with an orchard", "  hill 0304\n  orchard 0304", "2 2 4"},
		{"a village on a hill", "  hill 0304\n  village 0304", "2 2 4"},
		{"a major river has no ford", "  major river 0304", "no no no"},
		{"a stream is +1/+2/+H", "  stream 0303/0304", "2 3 6"},
		{"a ford is as a stream", "  ford 0303/0304", "2 3 6"},
		{"a stream before a village", "  stream 0303/0304\n  village 0304", "2 3 5"},
		{"a river stops vehicles and takes all of a leg unit", "  river 0303/0304", "8 no no"},
		{"a canal stops vehicles and takes all of a leg unit", "  canal 0303/0304", "8 no no"},
		{"dragon's teeth stop vehicles", "  dragon's teeth 0303/0304", "2 no no"},
		{"a stream at another side costs nothing", "  stream 0302/0303", "1 1 2"},
	} {
		if got := strings.Join(slice3(stepFrom(t, x.ground)), " "); got != x.prices {
			t.Errorf("%s: leg, tracked and wheeled units pay %s, not %s", x.what, got, x.prices)
		}
	}
}

func slice3(a [3]string) []string { return a[:] }

// Roads: their own price, whatever else is in the hex or along its side, and only for a
// step across a hexside that the road crosses.
func TestPricesOfRoads(t *testing.T) {
	for _, x := range []struct{ what, ground, prices string }{
		{"a road", "  road 0303-0304", "1 1/2 1/2"},
		{"a highway", "  highway 0303-0304", "1 1/2 1/2"},
		{"a minor road", "  minor road 0303-0304", "1 1 1"},
		{"a railway", "  railway 0303-0304", "1 1 1"},
		{"a road through woods", "  road 0303-0304\n  woods 0304", "1 1/2 1/2"},
		{"a minor road over a peak", "  minor road 0303-0304\n  peak 0304", "1 1 1"},
		{"a road opens a forest", "  road 0303-0304\n  forest 0304", "1 1/2 1/2"},
		{"a road through dragon's teeth", "  road 0303-0304\n  dragon's teeth 0303/0304", "1 1/2 1/2"},
		{"a road that goes elsewhere", "  road 0303-0302\n  woods 0304", "2 4 8"},
		{"two roads that do not meet", "  road 0302-0303\n  road 0304-0305\n  orchard 0304", "1 2 4"},
		{"a road over a bridge", "  road 0303-0304\n  river 0303/0304\n  bridge 0303/0304", "1 1/2 1/2"},
		{"a road whose bridge is down", "  road 0303-0304\n  river 0303/0304\n  bridge 0303/0304\n" +
			"  blown 0303/0304", "8 no no"},
		{"a road to a river without a bridge", "  road 0303-0304\n  river 0303/0304", "8 no no"},
		{"a bridge without a road is as the ground", "  river 0303/0304\n  bridge 0303/0304", "1 1 2"},
		{"a pontoon bridge is as the ground", "  canal 0303/0304\n  pontoon RED 0303/0304 done", "1 1 2"},
		{"a pontoon bridge under construction carries nobody", "  canal 0303/0304\n  pontoon RED 0303/0304",
			"8 no no"},
		{"a road on a bridge over a major river", "  road 0303-0304-0305\n  major river 0304\n" +
			"  bridge 0303/0304", "1 1/2 1/2"},
		{"a pontoon bridge in a major river", "  major river 0304\n  pontoon RED 0304 done", "1 1 2"},
	} {
		if got := strings.Join(slice3(stepFrom(t, x.ground)), " "); got != x.prices {
			t.Errorf("%s: leg, tracked and wheeled units pay %s, not %s", x.what, got, x.prices)
		}
	}
}

// Fortification chits cost those who enter across their green sides, on roads too.
func TestPricesOfFortifications(t *testing.T) {
	for _, x := range []struct{ what, ground, prices string }{
		{"a trench is +1/+1/NA", "  fort BLUE trench 0304 face 1", "2 2 no"},
		{"a minefield is +H for all", "  fort BLUE minefield 0304 face 1", "5 5 6"},
		{"dragon's teeth are +1/NA/NA", "  fort BLUE dragon's teeth 0304 face 1", "2 no no"},
		{"a bunker is +4/+0/+1", "  fort BLUE bunker 0304 face 1", "5 1 3"},
		{"a trench that looks away", "  fort BLUE trench 0304 face 4", "1 1 2"},
		{"a bunker that looks away", "  fort BLUE bunker 0304 face 4", "1 1 2"},
		{"dragon's teeth that look away", "  fort BLUE dragon's teeth 0304 face 4", "1 1 2"},
		{"a minefield has no back", "  fort BLUE minefield 0304 face 4", "5 5 6"},
		{"one's own works cost as much", "  fort RED bunker 0304 face 1", "5 1 3"},
		{"on a road too", "  road 0303-0304\n  fort BLUE bunker 0304 face 1", "5 1/2 1 1/2"},
		{"a trench across a road stops wheels", "  road 0303-0304\n  fort BLUE trench 0304 face 1",
			"2 1 1/2 no"},
		{"a bunker with a trench costs both", "  fort BLUE bunker 0304 face 1\n  fort BLUE trench 0304 face 1",
			"6 2 no"},
		{"in woods on top of them", "  woods 0304\n  fort BLUE bunker 0304 face 1", "6 4 8"},
		{"works in the hex one leaves", "  fort BLUE bunker 0303 face 4", "1 1 2"},
	} {
		if got := strings.Join(slice3(stepFrom(t, x.ground)), " "); got != x.prices {
			t.Errorf("%s: leg, tracked and wheeled units pay %s, not %s", x.what, got, x.prices)
		}
	}
	// 15.1: a chit faces its direction and the sides beside it. 0304's sides from the top.
	sides := []string{"0303", "0404", "0405", "0305", "0205", "0204"}
	for face := 1; face <= 6; face++ {
		for k, from := range sides {
			p := seatAtScene(t, "RED", fmt.Sprintf("MAP 6x6\n  fort BLUE bunker 0304 face %d\nUNITS\n"+
				"  RED h: hq 9, at 0101\n  RED a: leg, 4-4-8, at %s", face, from))
			away := (k - (face - 1) + 6) % 6
			want := "1 MP"
			if away <= 1 || away == 5 {
				want = "5 MP"
			}
			l := p.verdict(t, "CHIT 1\n  MOVE A "+from+"-0304")
			if !strings.Contains(l.Understood, "to 0304, "+want) {
				t.Errorf("a bunker that looks to side %d, entered from side %d: %q %v, not %s", face, k+1,
					l.Understood, l.Refused, want)
			}
		}
	}
}

// Night and bad weather halve one after the other and round up; so does the day not.
func TestAllowancesByHourAndWeather(t *testing.T) {
	half := func(n int) int { return (n + 1) / 2 }
	for _, hour := range []string{"Morning", "Day", "Evening", "Night"} {
		for _, weather := range []string{"Sunny", "Cloudy", "Foggy", "Rainy", "Stormy", "Snowy"} {
			units, expect := "UNITS\n", "EXPECT\n"
			for i, printed := range []int{4, 6, 7, 8, 9, 10} {
				for k, class := range testClasses {
					want := printed
					if hour == "Night" {
						want = half(want)
					}
					if weather == "Rainy" || weather == "Stormy" || weather == "Snowy" {
						want = half(want)
					}
					name := fmt.Sprintf("u%d%d", i, k)
					units += fmt.Sprintf("  RED %s: %s, 4-4-%d, at 0%d0%d\n", name, class, printed, i+1, k+1)
					expect += fmt.Sprintf("  %s allowance %d\n", name, want)
				}
			}
			playScene(t, hour+", "+weather, "MAP 6x6\n  time "+hour+"\n  weather "+weather, units+expect)
		}
	}
}

// Being out of supply halves vehicles and headquarters, rounding down; legs walk on, and
// being low on supply costs nobody a step.
func TestAllowancesOutOfSupply(t *testing.T) {
	for _, x := range []struct {
		what, unit string
		want       [4]int // with supply 0, 1 (low), 2 and 3 phases ago
	}{
		{"tanks", "tracked, 4-4-9", [4]int{9, 9, 4, 4}}, {"trucks", "wheeled, 4-4-7", [4]int{7, 7, 3, 3}},
		{"infantry", "leg, 4-4-5", [4]int{5, 5, 5, 5}}, {"headquarters", "hq 6", [4]int{8, 8, 4, 4}},
		{"trucks left behind", "wheeled, debarked, 4-4-9", [4]int{4, 4, 4, 4}},
	} {
		for n, want := range x.want {
			unit := x.unit
			if n > 0 {
				unit += fmt.Sprintf(", unsupplied %d", n)
			}
			playScene(t, fmt.Sprintf("%s, %d phases without supply", x.what, n), "MAP 6x6\nUNITS\n  RED a: "+
				unit+", at 0303\nEXPECT", fmt.Sprintf("  a allowance %d", want))
		}
	}
}

// An H hex may be entered while no more than half the printed allowance, rounded down,
// has been spent; an ALL hex only as the first step.
func TestHalfAndAllOfTheAllowance(t *testing.T) {
	for _, x := range []struct {
		class   string
		printed int
		ground  string
		clear   int // hexes of open ground before it
		enters  bool
	}{
		{"tracked", 7, "woods", 0, true}, {"tracked", 7, "woods", 3, true}, {"tracked", 7, "woods", 4, false},
		{"tracked", 8, "woods", 4, true}, {"tracked", 8, "woods", 5, false}, {"tracked", 10, "woods", 5, true},
		{"tracked", 10, "woods", 6, false},
		{"tracked", 6, "woods", 3, true}, {"tracked", 6, "woods", 4, false}, {"tracked", 1, "woods", 0, true},
		{"wheeled", 8, "woods", 0, true}, {"wheeled", 8, "woods", 1, false}, {"wheeled", 10, "woods", 1, false},
		{"wheeled", 8, "orchard", 2, true}, {"wheeled", 8, "orchard", 3, false},
		{"wheeled", 10, "hill", 2, true}, {"wheeled", 10, "hill", 3, false},
		{"wheeled", 7, "peak", 1, true}, {"wheeled", 7, "peak", 2, false},
		{"leg", 4, "woods", 2, true}, {"leg", 4, "woods", 3, false}, {"leg", 4, "forest", 1, true},
		{"leg", 4, "forest", 2, false},
		{"leg", 4, "peak", 2, true}, {"leg", 4, "peak", 3, false}, {"leg", 4, "orchard", 3, true},
		{"leg", 4, "orchard", 4, false},
	} {
		path := "0301"
		for k := range x.clear + 1 {
			path += fmt.Sprintf("-03%02d", k+2)
		}
		ground := fmt.Sprintf("  %s 03%02d", x.ground, x.clear+2)
		p := seatAtScene(t, "RED", "MAP 5x12", ground, fmt.Sprintf("UNITS\n  RED h: hq 20, at 0101\n"+
			"  RED a: %s, 4-4-%d, at 0301", x.class, x.printed))
		l := p.verdict(t, "CHIT 1\n  MOVE A "+path)
		if (l.Refused == nil) != x.enters {
			t.Errorf("a %s unit with %d enters %s after %d clear hexes: %v (%v)", x.class, x.printed, x.ground,
				x.clear, l.Refused == nil, l.Refused)
		}
	}
}

// A unit that has not moved may always make one step, but never into ground that is
// closed to it, and no second one.
func TestOneHexIsAlwaysPossible(t *testing.T) {
	for _, x := range []struct {
		what, ground, unit, order string
		may                       bool
	}{
		{"with too few points", "woods 0304", "leg, 4-4-1", "0303-0304", true},
		{"out of supply", "hill 0304", "tracked, 4-4-2, unsupplied 2", "0303-0304", true},
		{"a peak at night in the rain", "peak 0304\n  time Night\n  weather Rainy", "leg, 4-4-4", "0303-0304",
			true},
		{"a truck into woods at night", "woods 0304\n  time Night", "wheeled, 4-4-8", "0303-0304", true},
		{"into forest on tracks", "forest 0304", "tracked, 4-4-10", "0303-0304", false},
		{"over a river on wheels", "river 0303/0304", "wheeled, 4-4-10", "0303-0304", false},
		{"over a river on foot", "river 0303/0304", "leg, 4-4-2", "0303-0304", true},
		{"over a river into woods", "river 0303/0304\n  woods 0304", "leg, 4-4-4", "0303-0304", true},
		{"into a major river", "major river 0304", "leg, 4-4-10", "0303-0304", false},
		{"as the second step", "woods 0304", "leg, 4-4-2", "0302-0303-0304", false},
		{"as the second step over a river", "river 0303/0304", "leg, 4-4-10", "0302-0303-0304", false},
		{"and then not another", "woods 0304", "leg, 4-4-1", "0303-0304-0305", false},
	} {
		p := seatAtScene(t, "RED", "MAP 6x6\n  "+x.ground+"\nUNITS\n  RED h: hq 9, at 0101\n  RED a: "+x.unit+
			", at "+x.order[:4])
		if l := p.verdict(t, "CHIT 1\n  MOVE A "+x.order); (l.Refused == nil) != x.may {
			t.Errorf("%s: %v, %v", x.what, l.Refused == nil, l.Refused)
		}
	}
}

// The cheapest way is found: the road round the hill, the ford rather than the river,
// never through the enemy.
func TestTheCheapestWay(t *testing.T) {
	for _, x := range []struct{ what, ground, unit, others, to, says string }{
		{"by road though it is longer", "  road 0302-0403-0404-0405-0305\n  woods 0303 0304",
			"tracked, 4-4-8, at 0302", "", "0305", "2 MP of 8 MP"},
		{"across country where it is shorter", "  minor road 0302-0403-0404-0405-0305", "leg, 4-4-8, at 0302",
			"", "0305", "3 MP of 8 MP"},
		{"round the woods", "  woods 0304", "tracked, 4-4-8, at 0303", "", "0305", "3 MP of 8 MP"},
		{"round an enemy's zone", "", "leg, 4-4-8, at 0201", "\n  BLUE x: leg, at 0404", "0207",
			"6 MP of 8 MP"},
		{"over the bridge",
			across("river", 3, 6) + "\n  bridge 0503/0504", "wheeled, 4-4-12, at 0303", "", "0304", "10 MP of 12 MP"},
	} {
		p := seatAtScene(t, "RED", "MAP 6x8", x.ground, "UNITS\n  RED h: hq 20, at 0101\n  RED a: "+x.unit+
			x.others)
		if l := p.verdict(t, "CHIT 1\n  MOVE A TO "+x.to); l.Understood != "to "+x.to+", "+x.says {
			t.Errorf("%s: %q (%v), not to %s, %s", x.what, l.Understood, l.Refused, x.to, x.says)
		}
	}
}
