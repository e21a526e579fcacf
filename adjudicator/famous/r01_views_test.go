package famous

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
)

// Who stands where is inspected within ten hexes over open ground, and not in works.
func TestWhatIsInspected(t *testing.T) {
	for _, x := range []struct{ what, ground, own, enemy, knows string }{
		{"at ten hexes", "", "leg, at 0301", "leg, at 0311", "x"},
		{"at eleven hexes", "", "leg, at 0301", "leg, at 0312", ""},
		{"beside it", "", "leg, at 0310", "leg, at 0311", "x"},
		{"by a headquarters", "", "hq 6, at 0301", "leg, at 0311", "x"},
		{"a headquarters", "", "leg, at 0301", "hq 6, at 0311", "x"},
		{"at night", "time Night", "leg, at 0301", "leg, at 0311", "x"},
		{"in fog and storm", "weather Stormy", "leg, at 0301", "leg, at 0311", "x"},
		{"by a pinned unit without supply", "", "leg, pinned, unsupplied 3, at 0301", "leg, at 0311", "x"},
		{"woods between", "woods 0305", "leg, at 0301", "leg, at 0311", ""},
		{"woods where it stands", "woods 0311", "leg, at 0301", "leg, at 0311", "x"},
		{"woods where one stands oneself", "woods 0301", "leg, at 0301", "leg, at 0311", "x"},
		{"a hill between", "hill 0305", "leg, at 0301", "leg, at 0311", ""},
		{"a village between", "village 0305", "leg, at 0301", "leg, at 0311", ""},
		{"an orchard between", "orchard 0305", "leg, at 0301", "leg, at 0311", ""},
		{"a river between", "river 0305/0306", "leg, at 0301", "leg, at 0311", "x"},
		{"from one hill to another", "hill 0301 0311 0305", "leg, at 0301", "leg, at 0311", ""},
		{"from a peak over what lies beside it", "peak 0301\n  woods 0302", "leg, at 0301", "leg, at 0311",
			"x"}, {"but not over what lies further", "peak 0301\n  woods 0303", "leg, at 0301", "leg, at 0311",
			""},
		{"up to a peak no better", "peak 0311\n  woods 0310", "leg, at 0301", "leg, at 0311", ""},
		{"along the side of woods", "woods 0402", "leg, at 0301", "leg, at 0501", "x"},
		{"along the sides of two woods", "woods 0402 0401", "leg, at 0301", "leg, at 0501", "x"},
		{"across them", "woods 0402", "leg, at 0301", "leg, at 0502", ""},
		{"in a trench", "fort BLUE trench 0303 face 1", "leg, at 0302", "leg, at 0303", ""},
		{"in a minefield of one's own", "fort RED minefield 0303 face 1", "leg, at 0302", "leg, at 0303", ""},
		{"works between", "fort BLUE bunker 0305 face 1", "leg, at 0301", "leg, at 0311", "x"},
		{"over the heads of others", "", "leg, at 0301\n  RED b: leg, at 0305", "leg, at 0311", "x"},
	} {
		want := "RED knows nothing of " + strings.Fields(x.enemy[strings.LastIndex(x.enemy, "at "):])[1]
		if x.knows != "" {
			want = "RED knows " + x.enemy[len(x.enemy)-4:] + ": " + x.knows
		}
		playScene(t, x.what, "MAP 6x13\n  "+x.ground+"\nUNITS\n  RED a: "+x.own+"\n  BLUE x: "+x.enemy+
			"\nEXPECT\n  "+want)
	}
}

// Who fights is known from then on, in works too; who only stands there is not.
func TestWhoFightsIsRevealed(t *testing.T) {
	const scene = "MAP 6x14\n  %s\nUNITS\n  RED h: hq 20, at 0101\n" +
		"  RED a: tracked, 4-4-8, direct 3, at 0304\n" +
		"  RED g: wheeled, 5-3-8, artillery 12, at 0302\n  BLUE k: hq 9, at 0614\n" +
		"  BLUE x: tracked, 4-4-8/2-2-8, direct 3, at 0305\n  BLUE y: wheeled, 5-3-8, artillery 12, at 0311\n" +
		"%s\nEXPECT\n  %s"
	hidden := "fort BLUE trench 0305 face 4\n  fort BLUE trench 0311 face 1\n  fort RED trench 0304 face 1\n" +
		"  fort RED trench 0302 face 1"
	for _, x := range []struct{ what, play, expect string }{
		{"before", "CHIT RED 1\n  PASS", "RED knows nothing of 0305\n  BLUE knows nothing of 0304\n" +
			"  BLUE knows nothing of 0302"},
		{"both sides of an attack", "CHIT RED 1\n  ATTACK 0305 WITH A\nSTANDING BLUE\n" +
			"  DEFENSIVE ARTILLERY NEVER\nDICE\n  combat 0305: 3 4",
			"RED knows 0305: x\n  BLUE knows 0304: a\n" +
				"  BLUE knows nothing of 0302\n  RED knows nothing of 0311"},
		{"the guns of both", "CHIT RED 1\n  ATTACK 0305 WITH A; ARTILLERY G\nSTANDING BLUE\n" +
			"  DEFENSIVE ARTILLERY ANY, KEEP 0\nDICE\n  combat 0305: 3 4",
			"BLUE knows 0302: g\n  RED knows 0311: y"},
		{"who shells", "CHIT RED 1\n  BARRAGE 0305 WITH G\nDICE\n  barrage g 0305: 1 2 4",
			"BLUE knows 0302: g\n  RED knows nothing of 0305"},
		{"who fires and at whom", "CHIT RED 1\n  FIRE A AT 0305\nDICE\n  shot a 0305: 1 1",
			"BLUE knows 0304: a\n  RED knows 0305: x"},
	} {
		playScene(t, x.what, fmt.Sprintf(scene, hidden, x.play, x.expect))
	}
}

// What a View holds of the enemy and of one's own, in each mode of the fog.
func TestWhatAViewHolds(t *testing.T) {
	for _, mode := range []string{"", "blind", "open"} {
		options := map[string]string{}
		if mode != "" {
			options["fog"] = mode
		}
		for _, id := range ids {
			g, position := startGame(t, id, options)
			for k, side := range g.Sides() {
				foe := g.Sides()[1-k]
				v, other := seatAt(t, g, position, string(side)).view, seatAt(t, g, position, string(foe)).view
				enemies := map[string]view.Unit{}
				for _, list := range [][]view.Unit{other.Units, other.Arrivals} {
					for _, u := range list {
						enemies[u.Name] = u
					}
				}
				for _, u := range slices.Concat(v.Units, v.Arrivals, v.Lost) {
					if !strings.HasPrefix(u.ID, strings.ToLower(string(side)[:3])) {
						t.Errorf("%s, %s: among the units of the %s is %s", id, mode, side, u.ID)
					}
				}
				shown := 0
				for _, st := range v.Enemy {
					shown += len(st.Units)
					for _, u := range st.Units {
						if e, ok := enemies[u.Name]; !ok || e.Hex != st.Hex || e.Steps != u.Steps {
							t.Errorf("%s, %s: the %s think that %s with %d steps stands on %v: %+v", id, mode,
								side, u.Name, u.Steps, st.Hex, e)
						}
					}
					if !slices.ContainsFunc(other.Units, func(u view.Unit) bool { return u.Hex == st.Hex }) {
						t.Errorf("%s, %s: the %s see somebody on %v, and nobody is there", id, mode, side,
							st.Hex)
					}
				}
				onMap := 0
				for _, u := range other.Units {
					onMap += b2i(u.Hex != 0)
				}
				if mode == "open" && shown != onMap {
					t.Errorf("%s: with open maps the %s see %d of %d units", id, side, shown, onMap)
				}
				for _, a := range v.Assets {
					if !strings.HasPrefix(a.Kind, "black chit ") {
						t.Errorf("%s: at the opening the %s hold %q", id, side, a.Kind)
					}
				}
				for _, grp := range v.Chits.Groups {
					if grp.Side != string(side) && len(grp.Own) > 0 {
						t.Errorf("%s: the %s read the names of the enemy's chits: %v", id, side, grp.Own)
					}
				}
				text := must(t, v)
				for _, word := range []string{`"pool"`, `"known"`, `"discard"`, `"plan"`} {
					if strings.Contains(text, word) {
						t.Errorf("%s, %s: the view of the %s has a field %s", id, mode, side, word)
					}
				}
			}
			if all := seatAt(t, g, position, "").view; len(all.Units)+len(all.Arrivals)+len(all.Assets) > 0 {
				t.Errorf("%s, %s: the view for nobody has units of its own", id, mode)
			}
		}
	}
}

// What a View says of one's own units: marks, strengths, entries, riders.
func TestWhatAViewSaysOfOnesOwn(t *testing.T) {
	p := seatAtScene(t, "RED", `MAP 8x10
  entry A 0801
  quiet RED 2
UNITS
  RED h: hq 6, at 0101
  RED a: leg, 4-5-6/2-3-6, at 0202
  RED b: leg, 4-5-6/2-3-6, steps 1, at 0202
  RED c: wheeled, 4-6-8, debarked, pinned, at 0303
  RED g: wheeled, 5-3-8, artillery 9, of 2, fired, at 0404
  RED t: tracked, 7-7-10, road, used, at 0505
  RED r: leg, riding t, at 0505
  RED n: leg, due 1 by A
  RED m: leg, due 3 by A
  RED o: wheeled, artillery 9, of 3, off map
  BLUE x: leg, at 0808`)
	for _, x := range []struct{ name, text string }{
		{"h", "HQ 0101 0/2-8 1/1 []"}, {"a", "INF 0202 4/5-6 2/2 []"}, {"b", "INF 0202 2/3-6 1/2 []"},
		{"c", "INF 0303 4/6-4 1/1 [debarked pinned]"},
		{"g", "ART 0404 5/3-8 1/1 [fired silent]"}, {"t", "ARM 0505 7/7-10 1/1 [road move activated]"},
		{"r", "INF 0505 4/4-8 2/2 [] riding red-t"},
		{"n", "INF - 4/4-8 2/2 [] by [A] on turn 1, ready"}, {"m", "INF - 4/4-8 2/2 [] by [A] on turn 3"},
		{"o", "ART - 4/4-8 1/1 [off map]"},
	} {
		got := "nowhere"
		for _, u := range slices.Concat(p.view.Units, p.view.Arrivals) {
			if u.Name != x.name {
				continue
			}
			at := "-"
			if u.Hex != 0 {
				at = u.Hex.String()
			}
			got = fmt.Sprintf("%s %s %d/%d-%d %d/%d %v", u.Type, at, u.Attack, u.Defence, u.Moves, u.Steps,
				u.MaxSteps, u.Marks)
			if u.Aboard != "" {
				got += " riding " + u.Aboard
			}
			if len(u.Entry) > 0 {
				got += fmt.Sprintf(" by %v on turn %d", u.Entry, u.Turn)
			}
			if u.Ready {
				got += ", ready"
			}
		}
		if got != x.text {
			t.Errorf("%s: %q, not %q", x.name, got, x.text)
		}
	}
}

// A blind game shows the enemy where somebody looks, and no control of ground out of sight.
func TestBlindGames(t *testing.T) {
	const scene = "MAP 6x24\n  option fog=%s\n  objective RED 2 0323\nUNITS\n  RED h: hq 9, at 0301\n" +
		"  BLUE x: leg, at 0305\n  BLUE y: leg, at 0323\n  BLUE k: hq 9, at 0524"
	everywhere := "0305 0323 0524"
	for mode, want := range map[string]string{"rulebook": everywhere, "blind": "0305", "open": everywhere} {
		p := seatAtScene(t, "RED", fmt.Sprintf(scene, mode))
		var hexes []string
		for _, st := range p.view.Enemy {
			hexes = append(hexes, st.Hex.String())
		}
		if got := strings.Join(slices.Sorted(slices.Values(hexes)), " "); got != want {
			t.Errorf("%s: the enemy is shown on %s, not %s", mode, got, want)
		}
	}
	// A march beyond one's sight is not told.
	for mode, told := range map[string]bool{"rulebook": true, "blind": false, "open": true} {
		r := playScene(t, mode, fmt.Sprintf(scene, mode), "CHIT BLUE 1\n  MOVE Y TO 0321\nEXPECT\n  y at 0321")
		if e := r.told("enemy-move"); (e != nil) != told || told && !e.For("RED") {
			t.Errorf("%s: of the march of y the Reds are told %v", mode, e)
		}
	}
}

// The options of the game: their names, defaults and values, and what is refused.
func TestTheOptions(t *testing.T) {
	g, _ := startGame(t, "gd-kursk", nil)
	have := map[string]string{}
	for _, s := range adjudicator.SettingsOf(g) {
		have[s.Name] = s.Default + " of " + strings.Join(s.Values, ", ")
		if s.Check("nonsense") == nil || s.Check(s.Default) != nil || s.Means == "" || s.Clause == "" {
			t.Errorf("option %s takes nonsense, or not its default, or says nothing: %+v", s.Name, s)
		}
	}
	fogs := "rulebook of rulebook, blind, open"
	for name, want := range map[string]string{"set-up": "printed of printed, choose",
		"length": "printed-guess of printed-guess, long", "win-at": "printed of printed, 3, 4, 5, 6, 7, 8", "fog": fogs} {
		if have[name] != want {
			t.Errorf("option %s is %q, not %q", name, have[name], want)
		}
	}
	for _, options := range []map[string]string{{"set-up": "later"}, {"length": "eternal"}, {"win-at": "99"}, {"fog": "thick"}} {
		if _, err := adjudicator.Under(g, options); err == nil {
			t.Errorf("%v is taken", options)
		}
	}
	// A day more: the last one twice.
	for id, want := range map[string]string{"gd-kursk": "16 turns to 13 July 1943, Night; 20 turns to 14 July 1943, Night",
		"gd-mischurin-rog": "12 turns to 3 October 1943, Night; 16 turns to 4 October 1943, Night"} {
		var got []string
		for _, length := range []string{"printed-guess", "long"} {
			g, _ := startGame(t, id, map[string]string{"length": length})
			s := g.(*Game).sc.opening()
			n := len(s.sc.Track)
			got = append(got, fmt.Sprintf("%d turns to %s", n, s.date(n)))
		}
		if said := strings.Join(got, "; "); said != want {
			t.Errorf("%s has %s", id, said)
		}
	}
	// Fewer points win if that is agreed, and there is no draw then.
	for id, want := range map[string]string{"gd-kursk": "[{9 GERMAN}]; [{5 GERMAN}]", "gd-mischurin-rog": "[{6 GERMAN} {5 }]; [{5 GERMAN}]", "gd-akhtyrka": "[{4 SOVIET}]; [{5 SOVIET}]"} {
		printed, _ := startGame(t, id, nil)
		agreed, _ := startGame(t, id, map[string]string{"win-at": "5"})
		if got := fmt.Sprint(printed.(*Game).sc.Grades, "; ", agreed.(*Game).sc.Grades); got != want {
			t.Errorf("%s is won by %s, expected %s", id, got, want)
		}
	}
	// A turn 0 for the set-up, and the sheets of turn 1 without one.
	g, position := startGame(t, "gd-kursk", map[string]string{"set-up": "choose"})
	at, err := g.At(position)
	if err != nil || at.Name != "Set-up" || at.Turn != 0 || at.Label != "turn 0 phase 0" {
		t.Errorf("the game begins before %+v, %v", at, err)
	}
	p := seatAt(t, g, position, "GERMAN")
	p.refuses(t, "", []refusedOrder{
		{"CHIT 2PZ\n  PASS", "17.0", "the game is set up first",
			"Write placements under SETUP, and keep this for turn 1.", 0},
		{"FIRST 2PZ", "17.0", "the game is set up first", "keep this for turn 1", 0},
		{"SETUP\n  5K/2GR 4451", "17.0", "5K/2Gr begins within 5 of entry C", "", 0},
	})
	p.accepts(t, "", [][2]string{{"SETUP\n  5K/2GR 2130", "noted"}, {"STANDING\n  ADVANCE NEVER", "noted"}})
	out, err := g.Play(position, nil, fixed(1), plotted{"GERMAN set-up": "PLACE 5K/2GR 2130"})
	if err != nil {
		t.Fatal(err)
	}
	// The other side sets up when the first has, sees its stacks, and inspects none.
	at, err = g.At(out.Position)
	if err != nil || at.Name != "Set-up" || at.Turn != 0 || at.Label != "turn 0 phase 1" {
		t.Errorf("the Soviets set up before %+v, %v", at, err)
	}
	second := seatAt(t, g, out.Position, "SOVIET")
	for _, st := range second.view.Enemy {
		if len(st.Units) > 0 {
			t.Errorf("before its set-up a side has inspected %v", st.Hex)
		}
	}
	second.refuses(t, "", []refusedOrder{{"SETUP\n  1/1RIF 2030", "17.0", "", "", 0}})
	second.accepts(t, "", [][2]string{{"SETUP\n  1/1RIF 2235", "noted"}})
	if out, err = g.Play(out.Position, nil, fixed(1), plotted{"SOVIET set-up": "PLACE 1/1RIF 2235"}); err != nil {
		t.Fatal(err)
	}
	if h := owned(t, g, out.Position, "GERMAN", "5K/2Gr").Hex.String(); h != "2130" {
		t.Errorf("5K/2Gr is set up on %s", h)
	}
	if h := owned(t, g, out.Position, "SOVIET", "1/1Rif").Hex.String(); h != "2235" {
		t.Errorf("1/1Rif is set up on %s", h)
	}
	seatAt(t, g, out.Position, "GERMAN").refuses(t, "", []refusedOrder{{"SETUP\n  5K/2GR 2130", "17.0",
		"the set-up is over", "", 0}})
}
