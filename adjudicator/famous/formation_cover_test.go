package famous

import (
	"slices"
	"strings"
	"testing"
)

const gunned = `MAP 8x14
UNITS
  RED h: hq 9, at 0101
  RED k: hq 9, of 2, at 0401
  RED m: hq 9, of 3, at 0601
  RED g: wheeled, 5-3-8, artillery 10, at 0202
  RED b: leg, 4-4-8, of 2, at 0303
  RED c: leg, 4-4-8, of 3, at 0503
  BLUE z: hq 9, at 0114
  BLUE x: leg, 2-2-8, one step, at 0304
  BLUE y: leg, 2-2-8, one step, at 0504
CUP
`

// Guns that support a battalion whose chit is still to come are kept for its attacks: these take them,
// and those of others do not. When it has been played they shell the enemy beside it.
func TestGunsSupportABattalion(t *testing.T) {
	for _, x := range []struct{ orders, expect string }{
		{"CHIT RED 1\n  SUPPORT 2", "event kept: for = 2;no event barrage"},
		{"CHIT RED 1\n  SUPPORT 2\nCHIT RED 2\n  ATTACK 0304 WITH B; ADVANCE NO\nDICE\n  combat 0304: 3 4", "event combat: guns = g"},
		{"CHIT RED 1\n  SUPPORT 2\nCHIT RED 3\n  ATTACK 0504 WITH C; ARTILLERY ANY; ADVANCE NO\nDICE\n  combat 0504: 3 4", "event combat: attack = 4"},
		{"CHIT RED 1\n  SUPPORT 2\nCHIT RED 2\n  ATTACK 0304 WITH B; ARTILLERY ANY MAX 1; ADVANCE NO\nDICE\n  combat 0304: 3 4", "event combat: guns = g"},
		{"CHIT RED 2\n  MOVE K TO 0402\nCHIT RED 1\n  SUPPORT 2\nDICE\n  barrage g 0304: 1 2 3", "event barrage: hex = 0304"},
		{"CHIT RED 2\n  MOVE K TO 0402\nCHIT RED 1\n  SUPPORT 2 WITH G", "no event kept"},
		{"CHIT RED 1\n  SUPPORT 2 WITH G", "event kept: for = 2"},
		{"CHIT RED 1\n  SUPPORT 0504\nDICE\n  barrage g 0504: 1 2 3", "event barrage: hex = 0504"},
		{"CHIT RED 1\n  SUPPORT 0507", "no event barrage"},
		{"CHIT RED 1\n  SUPPORT 2; KEEP G", "no event kept"},
		{"CHIT RED 1\n  SUPPORT 2; IF G PINNED", "no event kept"},
	} {
		playScene(t, x.orders, gunned+x.orders, "EXPECT", "  "+strings.ReplaceAll(x.expect, ";", "\n  "))
	}
}

// COVER brings who can fire directly to where it sees the place and the fewest known enemies could
// fire at it; who stands well stays.
func TestCoverAPlace(t *testing.T) {
	const scene = `MAP 8x14
  forest 0305
UNITS
  RED h: hq 9, at 0101
  RED a: tracked, 8-7-10/5-5-10, direct 3, at 0302
  RED b: leg, 4-4-8, at 0502
  BLUE z: hq 9, at 0114
`
	for _, x := range []struct{ more, orders, expect string }{
		{"", "COVER 0307", "a at 0205;b at 0502"},
		{"  BLUE x: tracked, 6-7-9, direct 3, at 0408\n", "COVER 0307", "b at 0502"},
		{"", "COVER 0304", "a at 0302"},
		{"", "COVER 0307; KEEP A", "a at 0302"},
	} {
		r := playScene(t, x.orders, scene+x.more+"CHIT RED 1\n  "+x.orders, "EXPECT", "  "+strings.ReplaceAll(x.expect, ";", "\n  "))
		for _, e := range r.Events {
			if e.Kind == "shot" {
				t.Errorf("%s: who lies in wait was fired at: %v", x.orders, e)
			}
		}
	}
}

// BY COVER goes round what known enemies overlook, where that is possible.
func TestAdvanceByCover(t *testing.T) {
	const scene = `MAP 8x14
UNITS
  RED h: hq 12, at 0101
  RED a: leg, 4-4-8, at 0202
  BLUE z: hq 9, at 0114
  BLUE x: tracked, 6-7-9, direct 2, at 0405
CHIT RED 1
  `
	plain := playScene(t, "plain", scene+"ADVANCE TO 0208; KEEP HQ\nDICE\n  shot x 0204: 1 1\n  shot x 0205: 1 1\n  shot x 0206: 1 1")
	covered := playScene(t, "by cover", scene+"ADVANCE TO 0208 BY COVER; KEEP HQ")
	overlooked := func(r *caseRun) (n int) {
		for _, e := range r.Events {
			if e.Kind == "shot" {
				n++
			}
		}
		return n
	}
	if a, b := overlooked(plain), overlooked(covered); b > 0 || a == 0 {
		t.Errorf("%d shots are drawn, %d by cover", a, b)
	}
}

// The advice about conditions has the words that a game knows, and no others.
func TestAdviceOfOlderGames(t *testing.T) {
	for version, lacks := range map[int][]string{6: {"TOOK", "LOSSES", "ODDS"}, 7: {"ODDS"}, 8: nil} {
		sc := *load(t, "gd-kursk")
		sc.asOf = version
		for _, word := range []string{"TOOK", "LOSSES", "ODDS"} {
			if has := strings.Contains(sc.guardHelp(), word); has == slices.Contains(lacks, word) {
				t.Errorf("version %d: %s is in the advice: %v", version, word, has)
			}
		}
	}
}

// What is written wrongly is told, and words of the eighth version are refused in older games.
func TestCoverAndSupportAreMisspelt(t *testing.T) {
	p := seatAtOpening(t, "gd-kursk", "GERMAN", nil)
	for order, why := range map[string]string{
		"COVER":                             "hex",
		"COVER 9999":                        "9999",
		"COVER 2135 QUICKLY":                "in an order to a formation",
		"SUPPORT 9Pz":                       "no battalion",
		"SUPPORT 2Pz WITH 5K":               "is not artillery",
		"SUPPORT 2Pz WITH":                  "",
		"SUPPORT 2135":                      "nobody",
		"ADVANCE TO 3428 BY NIGHT":          "BY ROAD and BY COVER",
		"ENTER AT A BY COVER":               "BY COVER is the way of an ADVANCE",
		"ADVANCE TO 3428 VIA 3429 BY COVER": "without VIA",
	} {
		lines := p.files(t, "CHIT 2Pz\n"+order).Lines
		l := lines[len(lines)-1]
		said := l.Warning
		if l.Refused != nil {
			said = l.Refused.Why
		}
		if said == "" || !strings.Contains(said, why) {
			t.Errorf("%s: %+v, it should say %q", order, l, why)
		}
	}
	g, position := startGame(t, "gd-kursk", nil)
	old, ok := g.(*Game).AsOf("7")
	if !ok {
		t.Fatal("version 7 is not played")
	}
	then := seatAt(t, old, position, "GERMAN")
	for order, why := range map[string]string{
		"COVER 2135": "COVER came with version 8", "SUPPORT 2Pz": "SUPPORT came with version 8", "SUPPORT 2Pz WITH 5K": "SUPPORT came with version 8",
		"ADVANCE TO 3428 BY COVER": "BY COVER came with version 8", "ATTACK 3332 WITH 5K; IF ODDS 2-1": "is not a condition of this game",
	} {
		if l := then.files(t, "CHIT 2Pz\n"+order).Lines[0]; l.Refused == nil || !strings.Contains(l.Refused.Why, why) {
			t.Errorf("%s under version 7: %+v, it should say %q", order, l.Refused, why)
		}
	}
}
