package famous

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// fray is an attack of companies (4-4-8/2-4-8, or as written) on as many that come to even
// odds; headquarters lie four hexes behind. Units are parted by semicolons.
func fray(red, blue, more string) string {
	units := ""
	list := func(side, letter, at, all string) (names []string) {
		for i, u := range strings.Split(all, ";") {
			name := fmt.Sprintf("%s%d", letter, i)
			if u == "" {
				u = "leg, 4-4-8/2-4-8"
			}
			if !strings.Contains(u, " at ") {
				u += ", at " + at
			}
			units += fmt.Sprintf("\n  %s %s: %s", side, name, u)
			if !strings.HasPrefix(u, "hq") && !strings.Contains(u, "riding") && !strings.Contains(u, "artillery") {
				names = append(names, name)
			}
		}
		return names
	}
	attackers := list("RED", "a", "0305", red)
	list("BLUE", "x", "0306", blue)
	return "MAP 8x14\nUNITS\n  RED h: hq 9, of 1, at 0301\n  BLUE k: hq 9, of 1, at 0310" + units +
		"\nCHIT RED 1\n  ATTACK 0306 WITH " + strings.Join(attackers, ", ") + more
}

// Who suffers from each result: the owner chooses, headquarters only alone.
func TestWhoSuffers(t *testing.T) {
	for _, x := range []struct{ what, red, blue, dice, more, expect string }{
		{"DE takes all, the headquarters too", ";", ";;hq 6", "1 1", "", "x0 gone;x1 gone;x2 gone;a0 steps 2"},
		{"DE takes riders with their tanks", ";", "tracked, 4-8-8/2-8-8;leg, riding x0", "1 1", "",
			"x0 gone;x1 gone"},
		{"DD takes one whole unit", ";", ";", "1 2", "STANDING BLUE\n  LOSSES X1",
			"x1 gone;x0 at 0306, steps 2"},
		{"DD may take a depleted one", ";", ";leg, 4-4-8/2-4-8, steps 1", "1 2",
			"STANDING BLUE\n  LOSSES DEPLETED FIRST", "x1 gone;x0 steps 2"},
		{"DD takes a full one if the owner likes", ";", ";leg, 4-4-8/2-4-8, steps 1", "1 2",
			"STANDING BLUE\n  LOSSES DEPLETED LAST", "x0 gone;x1 steps 1"},
		{"DD spares the headquarters in the stack", "", ";hq 6", "1 2", "STANDING BLUE\n  LOSSES X1",
			"x0 gone;x1 at 0306"},
		{"DD takes the headquarters alone", "leg, 2-4-8", "hq 6", "1 2", "", "x0 gone"},
		{"DC depletes one", ";", ";", "2 3", "STANDING BLUE\n  LOSSES X0", "x0 steps 1;x1 steps 2"},
		{"DC depletes the other", ";", ";", "2 3", "STANDING BLUE\n  LOSSES X1", "x0 steps 2;x1 steps 1"},
		{"DC eliminates a depleted one", "", "leg, 4-4-8/2-4-8, steps 1", "2 3", "", "x0 gone"},
		{"DC eliminates a unit of one step", "", "leg, 4-4-8, one step", "2 3", "", "x0 gone"},
		{"DC spares the headquarters", "", ";hq 6", "2 3", "STANDING BLUE\n  LOSSES X1",
			"x0 steps 1;x1 at 0306"},
		{"DC depletes the rider with its tank", "", "tracked, 4-4-8/2-4-8;leg, 4-4-8/2-4-8, riding x0", "2 3",
			"", "x0 steps 1;x1 steps 1, riding x0"},
		{"DC kills a depleted tank, and its rider is depleted", "",
			"tracked, 4-4-8/2-4-8, steps 1;leg, 4-4-8/2-4-8, riding x0", "2 3", "",
			"x0 gone;x1 at 0306, steps 1, not riding"},
		{"no effect", ";", ";", "3 4", "", "a0 at 0305, steps 2;a1 steps 2;x0 at 0306, steps 2;x1 steps 2"},
		{"AC depletes one attacker", ";", ";", "4 5", "STANDING RED\n  LOSSES A1", "a1 steps 1;a0 steps 2"},
		{"AC eliminates a depleted one", "leg, 4-4-8/4-4-8, steps 1;", ";", "4 6",
			"STANDING RED\n  LOSSES DEPLETED FIRST", "a0 gone;a1 steps 2"},
		{"AD takes one whole attacker", ";", ";", "5 6", "STANDING RED\n  LOSSES A0", "a0 gone;a1 steps 2"},
		{"AP takes half", ";;;", ";;;", "6 6", "STANDING RED\n  LOSSES A2, A3",
			"a2 gone;a3 gone;a0 steps 2;a1 steps 2"},
		{"AP takes half of three, rounded down", ";;", ";;", "6 6", "STANDING RED\n  LOSSES A1",
			"a1 gone;a0 steps 2;a2 steps 2"},
		{"AP takes two of five", ";;;;leg, 4-4-8/2-4-8, at 0406", ";;;leg, 4-8-8", "6 6",
			"STANDING RED\n  LOSSES A4, A0", "a4 gone;a0 gone;a1 steps 2;a2 steps 2;a3 steps 2"},
		{"AP takes at least one", "", "", "6 6", "", "a0 gone"},
		{"AP counts depleted ones as one each", "leg, 4-4-8/4-4-8, steps 1;leg, 4-4-8/4-4-8, steps 1", ";",
			"6 6", "STANDING RED\n  LOSSES A0", "a0 gone;a1 steps 1"},
		{"AP does not take guns in support", ";wheeled, 4-3-8, artillery 9, at 0302", ";", "6 6", "",
			"a0 gone;a1 at 0302"},
		{"AR does not move guns in support", ";wheeled, 4-3-8, artillery 9, at 0302", ";", "2 6", "",
			"a0 at 0303;a1 at 0302"},
		{"AR takes everybody back", ";", ";", "4 4", "", "a0 at 0303, steps 2;a1 at 0303"},
		{"AR leaves behind who did not attack", ";leg, of 2, at 0305", "", "4 4", "", "a0 at 0303;a1 at 0305"},
		{"AR carries the rider", "tracked, 4-4-8;leg, riding a0, at 0305", "", "4 4", "",
			"a0 at 0303;a1 at 0303, riding a0"},
		{"DR takes all of them back", ";", ";", "3 3", "", "x0 at 0308, steps 2;x1 at 0308"},
		{"DR takes the headquarters too", "", ";hq 6, of 5", "3 3", "", "x0 at 0308;x1 at 0308"},
	} {
		body := fray(x.red, x.blue, "")
		if strings.Contains(x.red, "artillery") {
			body += "; ARTILLERY A1"
		}
		if strings.Contains(x.red, "of 2") { // another battalion's: it is not activated
			body = strings.Replace(body, "WITH a0, a1", "WITH a0", 1)
		}
		playScene(t, x.what, body+"; ADVANCE NO\n"+x.more+"\nDICE\n  combat 0306: "+x.dice+"\nEXPECT\n  "+
			strings.ReplaceAll(x.expect, ";", "\n  "))
	}
	playScene(t, "AE takes all that attacked, not the headquarters beside them",
		"MAP 8x14\nUNITS\n  RED h: hq 9, at 0305\n  RED i: hq 9, of 2, at 0301\n  RED a: leg, 2-4-8, at 0305\n"+
			"  RED b: leg, 2-4-8, at 0406\n  BLUE x: leg, 4-12-8, at 0306\n"+
			"CHIT RED 1\n  ATTACK 0306 WITH A, B\nDICE\n  combat 0306: 6 6\nEXPECT\n"+
			"  event combat: result = AE\n"+
			"  a gone\n  b gone\n  h at 0305\n  x at 0306")
	playScene(t, "AP by the letter takes none of one", "MAP 8x14\n  switch ap_letter\nUNITS\n"+
		"  RED h: hq 9, at 0301\n  RED a: leg, 4-4-8/2-4-8, at 0305\n  BLUE x: leg, 4-4-8, at 0306\n"+
		"CHIT RED 1\n  ATTACK 0306 WITH A\nDICE\n  combat 0306: 6 6\nEXPECT\n  event combat: result = AP\n"+
		"  a at 0305, steps 2")
}

// waysBack are the ways that the defender of 0304 could choose among, its one way, or "lost".
func waysBack(t *testing.T, what, ground, unit, others string) string {
	t.Helper()
	r := playScene(t, what, "MAP 9x12", ground, "UNITS\n  RED h: hq 9, at 0301\n  RED a: leg, 4-4-8, at 0303\n"+
		"  BLUE x: "+unit+", at 0304\n"+others+
		"\nCHIT RED 1\n  ATTACK 0304 WITH A; ADVANCE NO\nDICE\n  combat 0304: 3 3")
	var out []string
	for _, d := range r.Asked {
		if d.Kind == kindRetreat {
			for _, o := range d.Options {
				out = append(out, o.Answer)
			}
			return strings.Join(slices.Sorted(slices.Values(out)), " ")
		}
	}
	for _, e := range r.Events {
		switch {
		case e.Kind == "retreat":
			return strings.TrimPrefix(e.Facts.Get("path"), "0304-")
		case e.Kind == "loss" && e.Facts.Get("why") == "no retreat":
			return "lost"
		}
	}
	return "nobody retreats"
}

// A retreat is two hexes, each nearer to the headquarters, over open ground with room,
// never through a zone of control; who has no such way is lost.
func TestWaysBack(t *testing.T) {
	const hq, company = "  BLUE k: hq 9, at 0507", "leg, 4-4-8/2-4-8"
	for _, x := range []struct{ what, ground, unit, others, ways string }{
		{"towards the headquarters", "", company, hq, "0305-0306 0305-0406 0405-0406 0405-0505"},
		{"straight towards it", "", company, "  BLUE k: hq 9, at 0308", "0305-0306"},
		{"another battalion's headquarters is none", "", company, "  BLUE k: hq 9, at 0308\n" +
			"  BLUE m: hq 9, of 2, at 0704", "0305-0306"},
		{"the division's is as good", "", company, "  BLUE k: hq 9, at 0308\n  BLUE m: hq 9, division, at 0806",
			"0305-0306 0405-0504 0405-0505"},
		{"the division's alone", "", company, "  BLUE m: hq 9, division, at 0308", "0305-0306"},
		{"not through a zone of control", "", company, hq + "\n  RED b: leg, at 0206", "0405-0406 0405-0505"},
		{"not into one at the end", "", company, hq + "\n  RED b: leg, at 0605",
			"0305-0306 0305-0406 0405-0406"},
		{"a zone covered by a friend is one still", "", company, "  BLUE k: hq 9, at 0308\n" +
			"  RED b: leg, at 0206\n  BLUE f: leg, of 2, at 0305", "lost"},
		{"tanks not into forest", "  forest 0405", "tracked, 4-4-8", hq, "0305-0306 0305-0406"},
		{"infantry through it", "  forest 0405", company, hq, "0305-0306 0305-0406 0405-0406 0405-0505"},
		{"trucks not over a river", "  river 0304/0305", "wheeled, 4-4-8", hq, "0405-0406 0405-0505"},
		{"but over its bridge", "  river 0304/0305\n  bridge 0304/0305", "wheeled, 4-4-8",
			"  BLUE k: hq 9, at 0308", "0305-0306"},
		{"nobody into a major river", "  major river 0305", company, "  BLUE k: hq 9, at 0308", "lost"},
		{"tanks by road through forest", "  forest 0305\n  road 0304-0305-0306", "tracked, 4-4-8",
			"  BLUE k: hq 9, at 0308", "0305-0306"},
		{"not onto a full hex", "", company, hq + full("0306") + full("0505"), "0305-0406 0405-0406"},
		{"through a full hex", "", company, "  BLUE k: hq 9, at 0308" + full("0305"), "0305-0306"},
		{"onto a hex with room for half", "", company + ", steps 1", "  BLUE k: hq 9, at 0308" +
			strings.Replace(full("0306"), "leg", "leg, 4-4-8/2-2-8, steps 1", 1), "0305-0306"},
		{"the enemy stands on the way", "", company, "  BLUE k: hq 9, at 0308\n  RED b: hq 9, of 3, at 0305",
			"lost"},
		{"the edge of the map", "", company, "  BLUE k: hq 9, at 0104\n  RED b: leg, at 0105", "lost"},
		{"pinned units go too", "", company + ", pinned", "  BLUE k: hq 9, at 0308", "0305-0306"},
		{"a retreat costs no points", "  woods 0305 0306", "wheeled, 4-4-8", "  BLUE k: hq 9, at 0308",
			"0305-0306"},
	} {
		if got := waysBack(t, x.what, x.ground, x.unit, x.others); got != x.ways {
			t.Errorf("%s: the ways are %s, not %s", x.what, got, x.ways)
		}
	}
}

// full is four friends of another battalion on a hex.
func full(h string) (out string) {
	for i := range 4 {
		out += fmt.Sprintf("\n  BLUE f%s%d: leg, of 2, at %s", h, i, h)
	}
	return out
}

// Retreating units of one stack go each its own way, as their owner says.
func TestEachRetreatsForItself(t *testing.T) {
	body := "MAP 9x12\nUNITS\n  RED h: hq 9, at 0301\n  RED a: leg, 8-4-8, at 0303\n" +
		"  BLUE x: leg, 4-4-8, at 0304\n  BLUE y: leg, 4-4-8, at 0304\n  BLUE k: hq 9, at 0507\nCHIT RED 1\n" +
		"  ATTACK 0304 WITH A; ADVANCE NO\n%sDICE\n  combat 0304: 3 3\nEXPECT\n  %s"
	for _, x := range []struct{ answers, expect string }{
		{"ANSWERS\n  retreat x 0304: 0305-0306\n  retreat y 0304: 0405-0505\n", "x at 0306\n  y at 0505"},
		{"ANSWERS\n  retreat x 0304: 0405-0406\n  retreat y 0304: 0405-0406\n", "x at 0406\n  y at 0406"},
		{"STANDING BLUE\n  RETREAT TOWARD 0505\n", "x at 0505\n  y at 0505"},
		{"STANDING BLUE\n  RETREAT TOWARD 0306\n", "x at 0306\n  y at 0306"},
	} {
		playScene(t, x.answers, fmt.Sprintf(body, x.answers, x.expect))
	}
}

// Who may follow into a hex that the enemy has left, and how far.
func TestAdvancesAfterCombat(t *testing.T) {
	for _, x := range []struct{ what, ground, red, order, expect string }{
		{"nobody has to", "", "leg, 4-4-8", "ADVANCE NO", "a at 0303;no event advance"},
		{"infantry goes one hex", "", "leg, 4-4-8", "ADVANCE A", "a at 0304"},
		{"and no second", "", "leg, 4-4-8", "ADVANCE A 0305", "a at 0304"},
		{"nor does whoever left its trucks", "", "wheeled, 4-4-8, debarked", "ADVANCE A 0305", "a at 0304"},
		{"tanks may go a second", "", "tracked, 4-4-8", "ADVANCE A 0305", "a at 0305"},
		{"and to the side", "", "tracked, 4-4-8", "ADVANCE A 0405", "a at 0405"},
		{"wheels too", "", "wheeled, 4-4-8", "ADVANCE A 0305", "a at 0305"},
		{"whoever is on foot does not", "", "wheeled, 4-4-8, debarked", "ADVANCE A", "a at 0304"},
		{"tanks not into forest beyond", "forest 0305", "tracked, 4-4-8", "ADVANCE A 0305", "a at 0304"},
		{"nor over a river beyond", "river 0304/0305", "tracked, 4-4-8", "ADVANCE A 0305", "a at 0304"},
		{"over its bridge", "river 0304/0305\n  bridge 0304/0305", "tracked, 4-4-8", "ADVANCE A 0305",
			"a at 0305"},
		{"not over a blown bridge", "river 0304/0305\n  bridge 0304/0305\n  blown 0304/0305", "tracked, 4-4-8",
			"ADVANCE A 0305", "a at 0304"},
		{"by road into forest", "forest 0305\n  road 0304-0305", "tracked, 4-4-8", "ADVANCE A 0305",
			"a at 0305"},
		{"tanks stay before forest that the enemy held", "forest 0304", "tracked, 4-4-8", "ADVANCE A",
			"a at 0303"},
		{"infantry takes it", "forest 0304", "leg, 4-4-8", "ADVANCE A", "a at 0304"},
		{"a gun that attacked goes too", "", "wheeled, 4-4-8, artillery 9", "ADVANCE A", "a at 0304"},
		{"a zone of control does not stop it", "", "tracked, 4-4-8\n  BLUE z: leg, at 0506", "ADVANCE A 0405",
			"a at 0405"},
		{"a rider comes along", "", "tracked, 4-4-8\n  RED r: leg, riding a, at 0303", "ADVANCE A 0305",
			"a at 0305;r at 0305"},
		{"not onto the enemy beyond", "", "tracked, 4-4-8\n  BLUE z: leg, at 0305", "ADVANCE A 0305",
			"a at 0304"},
	} {
		playScene(t, x.what, "MAP 8x12\n  "+x.ground+"\nUNITS\n  RED h: hq 9, at 0301\n"+
			"  BLUE k: hq 9, of 7, at 0309\n  BLUE x: leg, 1-1-8, one step, at 0304\n  RED a: at 0303, "+x.red+
			"\nCHIT RED 1\n  ATTACK 0304 WITH A; "+x.order+"\nDICE\n  combat 0304: 1 1\nEXPECT\n  "+
			strings.ReplaceAll(x.expect, ";", "\n  "))
	}
}
