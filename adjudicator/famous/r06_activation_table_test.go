package famous

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Which chits are in the cup.
func TestChitsInTheCup(t *testing.T) {
	for _, x := range []struct{ what, units, cup string }{
		{"one for each battalion on the map",
			"RED a: leg, at 0101;RED b: leg, of 2, at 0102;BLUE x: leg, at 0808", "BLUE 1, RED 1, RED 2"},
		{"one for a headquarters without companies yet", "RED h: hq 5, at 0101;BLUE x: leg, at 0808",
			"BLUE 1, RED 1"},
		{"one for the last company of a battalion", "RED a: leg, steps 1, at 0102;BLUE x: leg, at 0808",
			"BLUE 1, RED 1"},
		{"none for who is not due", "RED a: leg, due 3 by A;RED b: leg, of 2, at 0101;BLUE x: leg, at 0808",
			"BLUE 1, RED 2"},
		{"one for who is due", "RED a: leg, due 1 by A;RED b: leg, of 2, at 0101;BLUE x: leg, at 0808",
			"BLUE 1, RED 1, RED 2"},
		{"one for guns beside the map",
			"RED a: wheeled, artillery 9, of 7, off map;RED b: leg, of 2, at 0101;BLUE x: leg, at 0808",
			"BLUE 1, RED 2, RED 7"},
		{"one for the division",
			"RED d: hq 9, division, at 0101;RED b: leg, of 2, at 0101;BLUE x: leg, at 0808",
			"BLUE 1, RED 2, RED Div"},
	} {
		playScene(t, x.what, "MAP 8x8\n  entry A 0108\nUNITS\n  "+strings.ReplaceAll(x.units, ";", "\n  ")+
			"\nEXPECT\n  cup "+x.cup)
	}
	playScene(t, "the chits of a lost battalion leave the cup", "MAP 8x12\nUNITS\n  RED h: hq 9, at 0301\n"+
		"  RED a: leg, 9-4-8, at 0303\n  BLUE k: hq 9, at 0310\n  BLUE x: leg, 1-1-8, one step, at 0304\n"+
		"  BLUE y: leg, of 2, at 0812\n"+
		"CHIT RED 1\n  ATTACK 0304 WITH A; ADVANCE NO\nDICE\n  combat 0304: 1 1\nEXPECT\n  x gone\n"+
		"  cup BLUE 1, BLUE 2, RED 1\n")
}

// Who may act when a chit is drawn: the battalion's units within its headquarters' range,
// whatever lies between, and nobody twice.
func TestWhoIsActivated(t *testing.T) {
	for _, x := range []struct{ what, ground, units, chit, order, expect string }{
		{"within the range", "", "RED h: hq 3, at 0301;RED a: leg, at 0304", "1", "MOVE A TO 0305",
			"a at 0305"},
		{"one hex beyond it", "", "RED h: hq 3, at 0301;RED a: leg, at 0305", "1", "MOVE A TO 0306",
			"refused 6.0: a is out of its headquarters' activation range;a at 0305"},
		{"over a river, forest and the enemy's zone", "river 0302/0303\n  forest 0303",
			"RED h: hq 3, at 0301;RED a: leg, at 0304;BLUE x: leg, at 0203", "1", "MOVE A TO 0305",
			"a at 0305"},
		{"the headquarters itself", "", "RED h: hq 1, at 0301;RED a: leg, at 0302", "1", "MOVE HQ TO 0401",
			"h at 0401"},
		{"beyond range after the headquarters has moved", "", "RED h: hq 3, 0-2-9, at 0301;RED a: leg, at 0304",
			"1", "MOVE HQ TO 0501;MOVE A TO 0305", "a at 0305;h at 0501"},
		{"another battalion's units", "", "RED h: hq 9, at 0301;RED b: leg, of 2, at 0302", "1",
			"MOVE B TO 0303", "refused 6.0: b is out of its headquarters' activation range;b at 0302"},
		{"who has been activated already", "", "RED h: hq 9, at 0301;RED a: leg, used, at 0302", "1",
			"MOVE A TO 0303", "a at 0302;refused 6.0: a is"},
		{"the division for one battalion", "",
			"RED d: hq 9, division, at 0301;RED h: hq 1, at 0808;RED a: leg, at 0302", "Div",
			"ACTIVATE 1;MOVE A TO 0303", "a at 0303"},
		{"the division's own companies if it names none", "",
			"RED d: hq 9, division, at 0301;RED a: leg, at 0302;RED e: leg, of Div, at 0303", "Div",
			"MOVE E TO 0304;MOVE A TO 0303", "e at 0304;a at 0302;refused 6.0: a is"},
		{"the division's headquarters moves too", "",
			"RED d: hq 9, division, at 0301;RED h: hq 1, at 0808;RED a: leg, at 0302", "Div",
			"ACTIVATE 1;MOVE A TO 0303;MOVE D TO 0401", "a at 0303;d at 0401"},
		{"not beyond the division's range", "",
			"RED d: hq 2, division, at 0301;RED h: hq 9, at 0304;RED a: leg, at 0305", "Div",
			"ACTIVATE 1;MOVE A TO 0306", "a at 0305;refused 6.0: a is"},
		{"without a headquarters one stack", "", "RED a: leg, 9-4-8, at 0302;RED b: leg, at 0505", "1",
			"STACK 0505;MOVE B TO 0506;MOVE A TO 0303", "b at 0506;a at 0302;refused 6.0: a is"},
		{"without a headquarters the strongest stack if none is named", "",
			"RED a: leg, 9-4-8, at 0302;RED b: leg, at 0505", "1", "MOVE B TO 0506;MOVE A TO 0303",
			"a at 0303;b at 0505"},
		{"without a headquarters all of a stack", "", "RED a: leg, at 0302;RED b: leg, at 0302", "1",
			"STACK 0302;MOVE B TO 0303;MOVE A TO 0303", "a at 0303;b at 0303"},
		{"the division for a battalion without headquarters", "",
			"RED d: hq 9, division, at 0301;RED a: leg, at 0302;RED b: leg, at 0505", "Div",
			"ACTIVATE 1;MOVE A TO 0303;MOVE B TO 0506", "a at 0303;b at 0506"},
		{"nobody has to act", "", "RED h: hq 9, at 0301;RED a: leg, at 0302", "1", "PASS",
			"a at 0302;event pass: chit = 1"},
		{"nor to write anything", "", "RED h: hq 9, at 0301;RED a: leg, at 0302", "1", "",
			"a at 0302;event pass: chit = 1"},
		{"some of them", "", "RED h: hq 9, at 0301;RED a: leg, at 0302;RED b: leg, at 0302", "1",
			"MOVE A TO 0303", "a at 0303;b at 0302;no event pass"},
	} {
		playScene(t, x.what, "MAP 8x12\n  "+x.ground+"\nUNITS\n  BLUE k: hq 9, of 9, at 0812\n  "+
			strings.ReplaceAll(x.units, ";", "\n  ")+"\nCHIT RED "+x.chit+"\n  "+strings.ReplaceAll(x.order,
			";", "\n  ")+"\nEXPECT\n  "+strings.ReplaceAll(x.expect, ";", "\n  "))
	}
}

// A battalion acts once a turn: by its own chit, or if it passed by the division's.
func TestABattalionActsOnce(t *testing.T) {
	const scene = "MAP 8x8\nUNITS\n  RED d: hq 9, division, at 0301\n  RED h: hq 9, at 0401\n" +
		"  RED a: leg, at 0302\n  RED i: hq 9, of 2, at 0501\n  RED b: leg, of 2, at 0502\n" +
		"  BLUE k: hq 9, at 0808\n"
	for _, x := range []struct{ what, phases, expect string }{
		{"its own chit, then the division's is too late", "CHIT RED 1\n  MOVE A TO 0303\nCHIT RED Div\n" +
			"  ACTIVATE 1\n  MOVE A TO 0304\n", "a at 0303"},
		{"it passed: the division may", "CHIT RED 1\n  PASS\nCHIT RED Div\n  ACTIVATE 1\n  MOVE A TO 0303\n",
			"a at 0303"},
		{"the division first, then its own chit is void", "CHIT RED Div\n  ACTIVATE 1\n  MOVE A TO 0303\n" +
			"CHIT RED 1\n  MOVE A TO 0304\n", "a at 0303\n  event pass: chit = 1"},
		{"the division takes the next one named", "CHIT RED 1\n  MOVE A TO 0303\nCHIT RED Div\n" +
			"  ACTIVATE 1 UNLESS DONE, ELSE 2\n  MOVE B TO 0503\n", "b at 0503"},
		{"and the first if it is free", "CHIT RED Div\n  ACTIVATE 1 UNLESS DONE, ELSE 2\n  MOVE A TO 0303\n" +
			"  MOVE B TO 0503\n", "a at 0303\n  b at 0502"},
		{"in the next turn it acts again", "CHIT RED 1\n  MOVE A TO 0303\nEND\nWEATHER\nDICE\n  weather: 1\n" +
			"CHIT RED 1\n  MOVE A TO 0304\n", "a at 0304\n  turn 2"},
	} {
		playScene(t, x.what, scene+x.phases+"EXPECT\n  "+x.expect)
	}
}

// The side that chooses draws its first chits of turn 1 in its order, and only those.
func TestChosenFirstChits(t *testing.T) {
	for _, x := range []struct {
		id, side, order string
		first           []string
	}{
		{"gd-kursk", "GERMAN", "FIRST 2PZ", []string{"GERMAN 2Pz"}},
		{"gd-kursk", "GERMAN", "FIRST CHIT ENG", []string{"GERMAN Eng"}},
		{"gd-mischurin-rog", "GERMAN", "FIRST 1GR", []string{"GERMAN 1Gr"}},
		{"gd-akhtyrka", "SOVIET", "FIRST AT, RCN, 1MOT", []string{"SOVIET AT", "SOVIET Rcn", "SOVIET 1Mot"}},
		{"gd-akhtyrka", "SOVIET", "FIRST 1MOT", []string{"SOVIET 1Mot", "SOVIET AT", "SOVIET Rcn"}},
		{"gd-lutchessa", "SOVIET", "FIRST 1MOT, 1TK, 2MOT, 2TK, RCN", []string{"SOVIET 1Mot", "SOVIET 1Tk",
			"SOVIET 2Mot", "SOVIET 2Tk", "SOVIET Rcn"}},
	} {
		g, position := startGame(t, x.id, nil)
		answers, drawn := plotted{x.side + " turn": x.order}, []string{}
		for len(drawn) < len(x.first) {
			out, err := g.Play(position, nil, plain{testRand(3)}, answers)
			if err != nil {
				t.Fatal(err)
			}
			if e := firstEvent(out.Events, "chit"); e != nil {
				drawn = append(drawn, e.Facts.Get("side")+" "+e.Facts.Get("chit"))
			}
			position = out.Position
		}
		if !slices.Equal(drawn, x.first) {
			t.Errorf("%s, %s: drawn were %v, not %v", x.id, x.order, drawn, x.first)
		}
	}
}

// The phases follow each other: weather, supply, one activation for each chit, the end.
func TestTheTurnsOrder(t *testing.T) {
	for _, id := range ids {
		g, position := startGame(t, id, nil)
		r := testRand(5)
		for turn := 1; turn <= 2; turn++ {
			for n, name := 1, ""; name != "End of the turn"; n++ {
				at, err := g.At(position)
				if err != nil {
					t.Fatal(err)
				}
				want := map[int]string{1: "Weather", 2: "Supply"}[n]
				if name = at.Name; want == "" && name != "End of the turn" {
					want = fmt.Sprintf("Activation %d", n-2)
				}
				label := fmt.Sprintf("turn %d phase %d", turn, n)
				if at.Turn != turn || at.Number != n || at.Over || want != "" && name != want || at.Label != label {
					t.Fatalf("%s: phase %d of turn %d is %+v", id, n, turn, at)
				}
				out, err := g.Play(position, nil, plain{r}, plotted{})
				if err != nil {
					t.Fatal(err)
				}
				position = out.Position
			}
		}
	}
}

// The weather of a turn is the die and the turn's modifier, within the table.
func TestTheWeatherOfATurn(t *testing.T) {
	names := []string{"", "Sunny", "Cloudy", "Foggy", "Rainy", "Stormy", "Snowy"}
	for id, mods := range map[string][4]int{
		"gd-kursk": {-1, -2, -1, -2}, "gd-akhtyrka": {-1, -2, -1, -2},
		"gd-mischurin-rog": {0, -1, -1, -1}, "gd-lutchessa": {0, -1, 0, 1},
	} {
		g, position := startGame(t, id, nil)
		for turn := range 4 {
			for die := 1; die <= 6; die++ {
				out, err := g.Play(position, nil, fixed(die), plotted{})
				if err != nil {
					t.Fatal(err)
				}
				want := names[max(1, min(6, die+mods[turn]))]
				if want == "Sunny" && turn >= 2 {
					want = "Clear"
				}
				e := firstEvent(out.Events, "weather")
				if e == nil || e.Facts.Get("weather") != want || e.Facts.Get("mod") != fmt.Sprintf("%+d", mods[turn]) {
					t.Errorf("%s, turn %d, die %d: %v, not %s", id, turn+1, die, e, want)
				}
			}
			for at, _ := g.At(position); at.Turn == turn+1; at, _ = g.At(position) {
				out, err := g.Play(position, nil, fixed(1), plotted{})
				if err != nil {
					t.Fatal(err)
				}
				position = out.Position
			}
		}
	}
}

// fixed is dice that always show the same number, or the highest they have.
type fixed int

func (f fixed) Throw(_ string, count, sides int) ([]int, []byte, error) {
	return slices.Repeat([]int{min(int(f), sides)}, count), nil, nil
}
