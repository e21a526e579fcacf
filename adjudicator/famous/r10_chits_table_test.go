package famous

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// chit is an event chit as its list has it: a modifier, what it cancels, and whether it
// counts at night.
type testChit struct {
	name    string
	drm     int
	cancels string
	noNight bool
}

// chitsOfTheList are the blue and red chits. The list is a reconstruction, Apathy and what
// it cancels stands in the book.
var chitsOfTheList = []testChit{
	{"Accurate Fire", -2, "Sniper", false}, {"Airstrike", -4, "", true}, {"Strafing", -2, "", true},
	{"Aggressive Assault", -2, "Apathy", false},
	{"Charge", -2, "Off Target", false}, {"Raw Recruits", -2, "Tough Outfit", false},
	{"Brilliant Leader", -3, "Poor Coordination", false},
	{"Tactical Approach", -1, "Caught in Crossfire", false},
	{"Flanking Maneuver", -3, "Prepared Position", false}, {"Surprise", -3, "", false},
	{"Artillery Concentration", -2, "Dispirited", true}, {"Veterans", -1, "Inferior Equipment", false},
	{"Apathy", 2, "Accurate Fire", false},
	{"Poor Coordination", 2, "Tactical Approach", false}, {"Dispirited", 2, "Charge", false},
	{"Tough Outfit", 3, "Raw Recruits", false},
	{"Inferior Equipment", 1, "", false}, {"Off Target", 2, "Artillery Concentration", false},
	{"Sniper", 1, "Brilliant Leader", true},
	{"Radio Out", 2, "Airstrike", false}, {"Friendly Fire", 3, "Strafing", false},
	{"Caught in Crossfire", 4, "Flanking Maneuver", false},
	{"Ammo Exhausted", 3, "Aggressive Assault", false}, {"Prepared Position", 2, "Surprise", false},
}

// Every chit against every other: what names the other cancels it, two that name each
// other both vanish, all else adds up, whoever has drawn it; both are discarded.
func TestEveryPairOfEventChits(t *testing.T) {
	for _, a := range chitsOfTheList {
		for _, b := range chitsOfTheList {
			sum := 0
			if b.cancels != a.name {
				sum += a.drm
			}
			if a.cancels != b.name {
				sum += b.drm
			}
			playScene(t, a.name+" against "+b.name, duel(4, 4, "3 4", "  weather Sunny\n  draws RED "+a.name+
				"\n  draws BLUE "+b.name, ""),
				fmt.Sprintf("EXPECT\n  event combat: roll = %d\n  RED discards %s\n  BLUE discards %s",
					max(2, min(12, 7+sum)), a.name, b.name))
		}
	}
}

// Chits marked No Night do nothing at night, and cancel nothing; in the evening they do.
func TestEventChitsAtNight(t *testing.T) {
	for _, c := range chitsOfTheList {
		for _, hour := range []string{"Evening", "Night"} {
			dice, sum := "3 4", 7+1 // the evening's own modifier
			if hour == "Night" {
				dice, sum = "2 2 3", 7
			}
			why := "nothing"
			if hour == "Night" && c.noNight {
				why = "not at night"
			} else {
				sum += c.drm
			}
			playScene(t, c.name+" in the "+hour, duel(4, 4, dice, "  weather Sunny\n  time "+hour+
				"\n  draws RED "+c.name, ""),
				fmt.Sprintf("EXPECT\n  event combat: roll = %d\n  event event: event = %s; why = %s\n"+
					"  RED discards %s", sum, c.name, why, c.name))
		}
	}
	playScene(t, "a sniper at night does not touch the leader", duel(4, 4, "2 2 4",
		"  time Night\n  draws RED Brilliant Leader\n  draws BLUE Sniper", ""),
		"EXPECT\n  event combat: drms = Brilliant Leader -3")
	playScene(t, "by day it does", duel(4, 4, "3 4", "  draws RED Brilliant Leader\n  draws BLUE Sniper", ""),
		"EXPECT\n  event combat: drms = Sniper +1")
}

// Aircraft fly in the sun only.
func TestAircraftAndWeather(t *testing.T) {
	own := map[string]int{"Rainy": 1, "Stormy": 2, "Snowy": 3}
	for _, chit := range []string{"Airstrike", "Strafing", "Charge"} {
		for _, weather := range []string{"Sunny", "Cloudy", "Foggy", "Rainy", "Stormy", "Snowy"} {
			why, sum := "nothing", 8+own[weather]
			switch {
			case chit != "Charge" && weather != "Sunny":
				why = "not in this weather"
			case chit == "Airstrike":
				sum -= 4
			default:
				sum -= 2
			}
			playScene(t, chit+", "+weather, duel(4, 4, "4 4", "  weather "+weather+"\n  draws BLUE "+chit, ""),
				fmt.Sprintf("EXPECT\n  event combat: roll = %d\n  event event: event = %s; why = %s", sum, chit,
					why))
		}
	}
}

// Anti-aircraft units of the defender drive aircraft off with more than their distance:
// two dice, three of light ones, the nearest first.
func TestAntiAircraftFire(t *testing.T) {
	for _, x := range []struct{ what, units, dice, roll string }{
		{"none", "", "", "4"},
		{"flak six hexes off with 7", "BLUE f: wheeled, flak, at 0310", "anti-aircraft f 0304: 3 4", "8"},
		{"flak six hexes off with 6", "BLUE f: wheeled, flak, at 0310", "anti-aircraft f 0304: 3 3", "4"},
		{"AA in the hex itself with 2", "BLUE f: wheeled, AA, at 0304", "anti-aircraft f 0304: 1 1", "8"},
		{"AA beside it", "BLUE f: wheeled, AA, at 0305", "anti-aircraft f 0304: 1 1", "8"},
		{"AA two hexes off with 2", "BLUE f: wheeled, AA, at 0306", "anti-aircraft f 0304: 1 1", "4"},
		{"Lt AA nine hexes off with 10", "BLUE f: wheeled, Lt AA, at 0313", "anti-aircraft f 0304: 3 3 4", "8"},
		{"Lt AA nine hexes off with 9", "BLUE f: wheeled, Lt AA, at 0313", "anti-aircraft f 0304: 3 3 3", "4"},
		{"two, the nearer hits", "BLUE f: wheeled, AA, at 0310\n  BLUE g: wheeled, AA, at 0305",
			"anti-aircraft g 0304: 2 2", "8"},
		{"two, the second hits", "BLUE f: wheeled, AA, at 0309\n  BLUE g: wheeled, AA, at 0307",
			"anti-aircraft g 0304: 1 1\n  anti-aircraft f 0304: 6 1", "8"},
		{"two, neither hits", "BLUE f: wheeled, AA, at 0309\n  BLUE g: wheeled, AA, at 0307",
			"anti-aircraft g 0304: 1 1\n  anti-aircraft f 0304: 2 3", "4"},
		{"a depleted one fires", "BLUE f: wheeled, AA, 2-2-8/1-1-8, steps 1, at 0306",
			"anti-aircraft f 0304: 2 1", "8"},
		{"a pinned one fires", "BLUE f: wheeled, AA, pinned, at 0306", "anti-aircraft f 0304: 2 1", "8"},
		{"the attacker's own does not", "RED f: wheeled, AA, at 0302", "", "4"},
	} {
		units := ""
		if x.units != "" {
			units = "  " + x.units
		}
		body := strings.Replace(duel(8, 4, "4 4", "  weather Sunny\n  draws RED Airstrike", units), "MAP 8x12",
			"MAP 8x14", 1)
		if strings.Contains(x.units, "0304") { // more defence
			body = strings.Replace(body, "leg, 8-4-8/8", "leg, 16-4-8/16", 1)
		}
		if x.dice != "" {
			body += "  " + x.dice + "\n"
		}
		playScene(t, x.what, body, "EXPECT\n  event combat: roll = "+x.roll)
	}
	playScene(t, "nobody fires at a charge", duel(4, 4, "4 4", "  weather Sunny\n  draws RED Charge",
		"  BLUE f: wheeled, AA, at 0306"), "EXPECT\n  no event flak")
	playScene(t, "nor at aircraft that are cancelled", duel(4, 4, "4 4",
		"  weather Sunny\n  draws RED Airstrike\n  hand BLUE Fighter Cover", "  BLUE f: wheeled, AA, at 0306")+
		"STANDING BLUE\n  BLACK CHIT ALL ALWAYS\n", "EXPECT\n  no event flak\n  event combat: roll = 8")
}

// The black chits: what each cancels, for whom it is worth it, and that it is gone then.
func TestBlackChits(t *testing.T) {
	blacks := map[string]string{
		"Combined Arms": "Poor Coordination", "Fighter Cover": "Airstrike", "Rallied": "Dispirited",
		"Heavy Casualties": "Tough Outfit", "Bogged": "Aggressive Assault",
		"Fire Lane": "Charge", "Suppressive Fire": "Aggressive Assault", "Hardened": "Raw Recruits",
		"Killed in Action": "Brilliant Leader", "Intensive Fire": "Inferior Equipment",
		"Critical Hit": "Off Target", "Expert Sniper": "Sniper", "Overcautious": "Tactical Approach",
		"Outflanked": "Flanking Maneuver", "Repaired": "Radio Out",
		"Surrendered": "Friendly Fire", "Calm Under Fire": "Caught in Crossfire",
		"Resupplied": "Ammo Exhausted",
	}
	for black, target := range blacks {
		k := slices.IndexFunc(chitsOfTheList, func(c testChit) bool { return c.name == target })
		c := chitsOfTheList[k]
		holder, other := "BLUE", "RED" // blue chits hurt the defender
		if c.drm > 0 {
			holder, other = "RED", "BLUE"
		}
		for _, drawer := range []string{holder, other} {
			ground := "  weather Sunny\n  draws " + drawer + " " + target + "\n  hand " + holder + " " + black
			for _, x := range []struct {
				standing string
				played   bool
			}{{"BLACK CHIT ALL ALWAYS", true}, {"BLACK CHIT " + black + " NEVER", false},
				{"BLACK CHIT " + black + " SWING 1", true}, {"BLACK CHIT " + black + " SWING 5", false},
				{"BLACK CHIT " + black + " AT KEY", false}} {
				roll, hand := 8+c.drm, black
				if x.played {
					roll, hand = 8, "nothing"
				}
				playScene(t, black+" against "+target+", "+x.standing, duel(4, 4, "4 4", ground, "")+
					"STANDING "+holder+"\n  "+x.standing, fmt.Sprintf("EXPECT\n  event combat: roll = %d\n"+
					"  %s hand %s", roll, holder, hand))
			}
		}
	}
	for fort, black := range map[string]string{
		"bunker": "Flamethrower", "trench": "Retreated",
		"minefield": "Mine Clearing", "dragon's teeth": "Breaching Charge",
	} {
		playScene(t, black+" against a "+fort, duel(4, 4, "4 4", "  fort BLUE "+fort+
			" 0304 face 1\n  hand RED "+black, "")+"STANDING RED\n  BLACK CHIT ALL ALWAYS",
			"EXPECT\n  event combat: drms = nothing; roll = 8\n  forts 0304 "+fort+"\n  RED hand nothing")
		playScene(t, black+" against others", duel(4, 4, "4 4", "  fort BLUE "+otherFort(fort)+
			" 0304 face 1\n  hand RED "+black, "")+"STANDING RED\n  BLACK CHIT ALL ALWAYS",
			"EXPECT\n  event combat: drms has works\n  RED hand "+black)
	}
	playScene(t, "a black chit that is drawn is kept", duel(4, 4, "4 4", "  draws RED Rallied", ""),
		"EXPECT\n  event combat: drms = nothing\n  RED hand Rallied\n  RED reads \"Rallied\"\n"+
			"  BLUE reads not \"Rallied\"\n  BLUE reads \"a black chit\"")
	playScene(t, "and may be played at once", duel(4, 4, "4 4", "  draws RED Rallied\n  draws BLUE Dispirited",
		"")+"STANDING RED\n  BLACK CHIT ALL ALWAYS", "EXPECT\n  event combat: drms = nothing\n"+
		"  RED hand nothing\n  BLUE discards Dispirited")
}

func otherFort(fort string) string {
	if fort == "bunker" {
		return "trench"
	}
	return "bunker"
}
