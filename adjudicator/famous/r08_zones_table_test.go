package famous

import (
	"fmt"
	"strings"
	"testing"
)

// A zone of control reaches the six hexes around a combat unit, but not into ground nor
// across hexsides that are closed to wheels; a standing bridge leads it across.
func TestWhereZonesReach(t *testing.T) {
	for _, x := range []struct {
		what, ground, unit string
		zone               bool
	}{
		{"open ground", "", "leg, 4-4-8", true}, {"from a gun", "", "wheeled, artillery 10", true},
		{"from a depleted unit", "", "leg, 4-4-8/2-2-8, steps 1", true},
		{"from a pinned unit", "", "leg, pinned", true},
		{"from a unit out of supply", "", "leg, unsupplied 3", true},
		{"from a fired gun", "", "wheeled, artillery 9, fired", true},
		{"from a headquarters", "", "hq 9", false},
		{"from the division's headquarters", "", "hq 12, division", false},
		{"into woods", "woods 0303", "leg", true}, {"into an orchard", "orchard 0303", "leg", true},
		{"onto a hill", "hill 0303", "leg", true},
		{"onto a peak", "peak 0303", "leg", true}, {"into a village", "village 0303", "leg", true},
		{"into a town", "town 0303", "leg", true},
		{"into a city", "city 0303", "leg", true}, {"downtown", "downtown 0303", "leg", true},
		{"into forest", "forest 0303", "leg", false},
		{"into forest on a hill", "hill 0303\n  forest 0303", "leg", false},
		{"out of forest", "forest 0302", "leg", true}, {"into a major river", "major river 0303", "leg", false},
		{"over a stream", "stream 0302/0303", "leg", true}, {"over a ford", "ford 0302/0303", "leg", true},
		{"over a river", "river 0302/0303", "leg", false}, {"over a canal", "canal 0302/0303", "leg", false},
		{"over dragon's teeth", "dragon's teeth 0302/0303", "leg", false},
		{"along another hexside's river", "river 0303/0304", "leg", true},
		{"over a bridge", "river 0302/0303\n  bridge 0302/0303", "leg", true},
		{"over a blown bridge", "river 0302/0303\n  bridge 0302/0303\n  blown 0302/0303", "leg", false},
		{"over a pontoon bridge", "canal 0302/0303\n  pontoon RED 0302/0303 done", "leg", true},
		{"over one under construction", "canal 0302/0303\n  pontoon RED 0302/0303", "leg", false},
		{"into a trench", "fort RED trench 0303 face 1", "leg", true},
		{"into works of dragon's teeth", "fort RED dragon's teeth 0303 face 1", "leg", true},
	} {
		want := "zone BLUE 0303"
		if !x.zone {
			want = "no " + want
		}
		playScene(t, x.what, "MAP 6x6\n  "+x.ground, "UNITS\n  BLUE x: "+x.unit+
			", at 0302\n  RED a: leg, at 0606\nEXPECT\n  "+want)
	}
	// All six and none further.
	expect := ""
	for _, h := range []string{"0302", "0403", "0404", "0304", "0204", "0203"} {
		expect += "\n  zone BLUE " + h
	}
	for _, h := range []string{"0303", "0301", "0402", "0202", "0305", "0503"} {
		expect += "\n  no zone BLUE " + h
	}
	playScene(t, "the ring", "MAP 6x6\nUNITS\n  BLUE x: leg, at 0303\nEXPECT", expect)
}

// Entering a zone ends the move, leaving one costs a point more and no road helps, and
// from one into the next is a move by itself.
func TestMovingInZones(t *testing.T) {
	const scene = "MAP 8x8\n  %s\nUNITS\n  RED h: hq 20, at 0808\n  RED a: %s\n  BLUE x: leg, at 0304\n" +
		"  BLUE k: hq 9, at 0108"
	for _, x := range []struct{ what, ground, unit, order, says string }{
		{"entering ends the move", "", "leg, at 0302", "MOVE A 0302-0303-0402", "in an enemy zone of control"},
		{"entering is allowed", "", "leg, at 0302", "MOVE A 0302-0303",
			"1 MP of 8 MP, in an enemy zone of control"},
		{"leaving costs one more", "", "leg, at 0303", "MOVE A 0303-0302", "2 MP of 8 MP"},
		{"leaving on tracks costs one more", "", "tracked, at 0303", "MOVE A 0303-0302-0301", "3 MP of 8 MP"},
		{"leaving on wheels costs one more", "", "wheeled, at 0303", "MOVE A 0303-0302", "3 MP of 8 MP"},
		{"leaving by road is not at its rate", "road 0303-0302-0301", "tracked, at 0303", "MOVE A 0303-0302",
			"2 MP of 8 MP"},
		{"once out the road counts again", "road 0303-0302-0301", "tracked, at 0303", "MOVE A 0303-0302-0301",
			"2 1/2 MP of 8 MP"},
		{"coming by road is at its rate", "road 0302-0303", "tracked, at 0302", "MOVE A 0302-0303",
			"1/2 MP of 8 MP"},
		{"from one hex of the zone to the next", "", "leg, at 0303", "MOVE A 0303-0404",
			"2 MP of 8 MP, in an enemy zone of control"},
		{"and no further", "", "leg, at 0303", "MOVE A 0303-0404-0504", "in an enemy zone of control"},
		{"out and in again", "", "leg, at 0303", "MOVE A 0303-0403-0404",
			"3 MP of 8 MP, in an enemy zone of control"},
		{"a headquarters stops as well", "", "hq 5, of 1, at 0302", "MOVE A 0302-0303-0402",
			"in an enemy zone of control"},
		{"over a river into a zone nobody goes", "river 0302/0303", "leg, at 0302", "MOVE A 0302-0303",
			"cannot pay for 0303"},
		{"over a canal into a zone nobody goes", "canal 0302/0303", "leg, at 0302", "MOVE A 0302-0303",
			"cannot pay for 0303"},
		{"over a stream they do", "stream 0302/0303", "leg, at 0302", "MOVE A 0302-0303", "2 MP of 8 MP"},
		{"over a bridge they do", "river 0302/0303\n  bridge 0302/0303", "wheeled, at 0302", "MOVE A 0302-0303",
			"2 MP of 8 MP"},
		{"over a blown bridge they do not", "river 0302/0303\n  bridge 0302/0303\n  blown 0302/0303",
			"leg, at 0302", "MOVE A 0302-0303", "cannot pay for 0303"},
		{"over a river out of a zone they do", "river 0302/0303", "leg, at 0303", "MOVE A 0303-0302",
			"8 MP of 8 MP"},
		{"enemies are never entered", "", "leg, at 0303", "MOVE A 0303-0304", "0304 holds the enemy"},
		{"the map has an edge", "", "leg, at 0301", "MOVE A 0301-0300", "is not on the map"},
	} {
		l := seatAtScene(t, "RED", fmt.Sprintf(scene, x.ground, x.unit)).verdict(t, "CHIT 1\n  "+x.order)
		got := l.Understood
		if l.Refused != nil {
			got = l.Refused.Why
		}
		if !strings.Contains(got, x.says) {
			t.Errorf("%s: %q, not %q", x.what, got, x.says)
		}
	}
}

// What a hex holds: four units, six in a city, depleted ones as halves; a battalion's
// headquarters counts, the division's and riders do not.
func TestWhatAHexHolds(t *testing.T) {
	company, half := "leg, 4-4-8/2-2-8", "leg, 4-4-8/2-2-8, steps 1"
	for _, x := range []struct {
		what, ground string
		n            int
		unit         string
		also         string
		fits         bool
	}{
		{"four companies", "", 4, company, "", true}, {"five", "", 5, company, "", false},
		{"eight depleted companies", "", 8, half, "", true}, {"nine", "", 9, half, "", false},
		{"three and two depleted", "", 3, company, half + ";" + half, true},
		{"three and three depleted", "", 3, company, half + ";" + half + ";" + half, false},
		{"four in woods", "woods 0303", 4, company, "", true},
		{"five in a village", "village 0303", 5, company, "", false},
		{"five in a town", "town 0303", 5, company, "", false},
		{"six in a city", "city 0303", 6, company, "", true},
		{"seven in a city", "city 0303", 7, company, "", false},
		{"six downtown", "downtown 0303", 6, company, "", true},
		{"twelve depleted downtown", "downtown 0303", 12, half, "", true},
		{"thirteen", "downtown 0303", 13, half, "", false},
		{"four and the division's headquarters", "", 4, company, "hq 12, division", true},
		{"four and a battalion's headquarters", "", 4, company, "hq 6", false},
		{"three and a battalion's headquarters", "", 3, company, "hq 6", true},
		{"four guns", "", 4, "wheeled, artillery 10", "", true},
		{"five guns", "", 5, "wheeled, artillery 10", "", false},
		{"four units of one step", "", 4, "leg, one step", "", true},
		{"five units of one step", "", 5, "leg, one step", "", false},
		{"four tanks, one with a rider", "", 3, "tracked", "tracked;leg, riding z0", true},
	} {
		units := ""
		for i := range x.n {
			units += fmt.Sprintf("\n  RED u%d: %s, at 0303", i, x.unit)
		}
		for i, u := range strings.Split(x.also, ";") {
			if u != "" {
				units += fmt.Sprintf("\n  RED z%d: %s, at 0303", i, u)
			}
		}
		word := "full"
		if x.fits {
			word = "fits"
		}
		playScene(t, x.what, "MAP 6x6\n  "+x.ground+"\nUNITS"+units, "EXPECT\n  "+word+" 0303")
	}
}

// A stack that stands too thick when all movement is over loses until it fits.
func TestTooMuchOnAHex(t *testing.T) {
	for _, x := range []struct{ what, units, expect string }{
		{"one pinned company too many in the hex", "RED a: leg, 1-4-8/1-2-8, at 0303\n" +
			"  RED b: leg, 4-4-8, at 0303\n  RED c: leg, 4-4-8, at 0303\n  RED d: leg, 4-4-8, at 0303\n" +
			"  RED e: leg, 4-4-8, at 0303", "event overstacked: hex = 0303"},
		{"four are no fault", "RED a: leg, at 0303\n  RED b: leg, at 0303\n  RED c: leg, at 0303\n" +
			"  RED d: leg, at 0303", "no event overstacked"},
	} {
		r := playScene(t, x.what, "MAP 6x6\nUNITS\n  RED h: hq 9, at 0101\n  "+x.units+"\nCHIT RED 1\n  PASS\n"+
			"EXPECT\n  fits 0303\n  "+x.expect)
		if e := r.told("overstacked"); e != nil && (e.Facts.Get("unit") == "" || e.Clause != "GD 7.1") {
			t.Errorf("%s: told as %v", x.what, e)
		}
	}
}
