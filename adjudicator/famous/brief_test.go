package famous

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/view"
)

// below is an event of an item, with facts in pairs.
func below(kind string, facts ...string) view.Said {
	e := view.Said{Event: view.Event{Kind: kind, Facts: facts}, Text: kind + " in full."}
	return e
}

// toldOf is an item told short, in one line.
func toldOf(told ...view.Said) string {
	b := (&Game{}).Brief(&view.View{Side: "GERMAN"}, told)
	return strings.TrimSpace(strings.Join(append([]string{b.List, b.Head}, b.Detail...), " "))
}

func shotAt(unit, target, distance, hit, harm, moving string) view.Said {
	return below("shot", "unit", unit, "from", "1843", "target", target, "hex", "1840", "distance", distance, "hit", hit, "harm", harm, "moving", moving)
}

func TestAnActivationInAParagraph(t *testing.T) {
	chit := below("chit", "side", "GERMAN", "who", "Germans", "chit", "1Pz")
	for _, c := range []struct {
		name string
		told []view.Said
		want string
	}{
		{"a pass", []view.Said{chit, below("pass", "chit", "1Pz")}, "Passed: 1Pz (Germans)"},
		{"nothing but moves", []view.Said{chit, below("move", "units", "1K/1Pz, 2K/1Pz", "path", "1736-1737")}, "Of the Germans these only moved: 1Pz: 1K, 2K to 1737"},
		{"stacks that nobody can name", []view.Said{chit, below("enemy-move", "units", "a stack of the Soviets", "path", "2853-2751"),
			below("enemy-move", "units", "HQ 1Tk", "path", "2853-2846")}, "Of the Germans these only moved: 1Pz: HQ 1Tk to 2846; unseen to 2751"},
		{"fire on a march", []view.Said{chit, shotAt("T-34", "1K/1Pz", "3", "", "", "yes"), shotAt("T-34", "1K/1Pz", "2", "", "", "yes"),
			shotAt("SPG", "2K/1Pz", "2", "yes", "yes", "yes"), below("loss", "unit", "2K/1Pz", "left", "eliminated", "side", "GERMAN"),
			shotAt("T-34", "3K/1Pz", "2", "yes", "", "yes"), below("move", "units", "3K/1Pz", "path", "1840", "stop", "3K/1Pz was hit")},
			"1Pz (Germans): 2K ELIMINATED. 3K to 1840 (hit). T-34, SPG 1843 fired on the way 4 times, range 2-3: 2 missed, 1 harm, 1 pinned 3K."},
		{"its own fire", []view.Said{chit, shotAt("1K/1Pz", "HQ 2Tk", "1", "yes", "yes", ""), below("loss", "unit", "HQ 2Tk", "left", "eliminated", "side", "SOVIET")},
			"1Pz (Germans): HQ 2Tk eliminated. 1K 1843 fired at 1840 (HQ 2Tk), range 1: harm."},
		{"nothing but misses", []view.Said{chit, shotAt("T-34", "1K/1Pz", "3", "", "", "yes"), shotAt("T-34", "1K/1Pz", "3", "", "", "yes")},
			"1Pz (Germans): T-34 1843 fired on the way twice, range 3: all missed."},
		{"orders that came to nothing", []view.Said{chit, below("skipped", "order", "FIRE 1K/1PZ AT 1842", "why", "1K/1Pz has no enemy on 1842"),
			below("skipped", "order", "ATTACK 1842 WITH 1K/1PZ; MIN 2-1", "why", "no enemy stands on 1842"),
			below("skipped", "order", "ATTACK 1900 WITH 2K/1PZ", "why", "2K/1Pz is pinned")},
			"1Pz (Germans): Not done: FIRE 1K AT 1842, ATTACK 1842: nobody there; ATTACK 1900: 2K/1Pz is pinned."},
		{"a fight", []view.Said{below("combat", "side", "GERMAN", "who", "Germans", "hex", "2136", "units", "5K/2Pz, 6K/2Pz", "enemy", "3/2Rif", "attack", "24", "defence", "3",
			"column", "5-1", "drms", "Sniper +1, evening +1", "dice", "6 4", "roll", "12", "result", "AR", "meaning", "the attackers retreat"),
			below("event", "event", "Airstrike", "drm", "-4", "who", "Germans", "why", "not in this weather"), below("event", "event", "Sniper", "drm", "+1"),
			below("loss", "unit", "5K/2Pz", "left", "eliminated", "why", "no retreat", "side", "GERMAN")},
			"2136: attack of the Germans, AR: the attackers retreat. 5K/2Pz (no retreat) ELIMINATED. 5K+6K/2Pz against 3/2Rif. 24:3 = 5-1; Sniper +1, evening +1; dice 6 4, in all 12. Airstrike -4 of the Germans: not in this weather."},
	} {
		if got := toldOf(c.told...); got != c.want {
			t.Errorf("%s:\n%s\nnot\n%s", c.name, got, c.want)
		}
	}
}

// Whatever happens to a unit in an activation is told short with its name, or in the words
// of the long form.
func TestNothingIsLeftOutOfTheShortForm(t *testing.T) {
	chit := below("chit", "side", "GERMAN", "who", "Germans", "chit", "1Pz")
	silent := []string{"event", "pass"} // a chit that counts stands among the modifiers; a pass is the chit's
	for kind, words := range (&Game{}).Wording() {
		if !strings.HasPrefix(words, "  ") || slices.Contains(silent, kind) {
			continue
		}
		e := below(kind, "unit", "Zug", "from", "1111", "hex", "2222", "path", "1111-2222", "left", "depleted", "state", "low supply", "order", "MOVE ZUG TO 1", "why", "Zug sleeps", "distance", "2")
		if strings.Contains(words, "{{.units}}") {
			e.Facts[slices.Index(e.Facts, "unit")] = "units"
		}
		got := toldOf(chit, e)
		if !strings.Contains(strings.ToUpper(got), "ZUG") && !strings.Contains(got, e.Text) {
			t.Errorf("%s: %q", kind, got)
		}
	}
}
