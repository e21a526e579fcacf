package steppe

import "testing"

// Games that were begun under version 1 of the rules are decided as they were, where
// version 2 reads a clause otherwise.
func TestVersion1GoesOn(t *testing.T) {
	for name, body := range map[string]string{
		"a hex of VIA begins a movement afresh": `UNITS
  G h: HQ 2-6-5 at 1205
  G a: ARM 9-7-10 at 1305
  S x: INF 4-4-5 at 1505
SET version 1
CHIT h; MOVE a TO 1704 VIA 1405 1504
EXPECT a at 1704
`,
		"the Backhand Blow is named a turn before": `UNITS
  G h: HQ 2-6-5 at 1205
SET version 1
ORDERS
  GERMAN BACKHAND NEXT TURN YES
EXPECT backhand 0
SET turn 2
WEATHER
DICE weather: 2
EXPECT backhand 2; unasked backhand
`,
		"and not in it": `UNITS
  G h: HQ 2-6-5 at 1205
SET version 1
CHECK GERMAN
  BACKHAND THIS TURN
EXPECT refused BACKHAND NEXT TURN is followed by YES or NO
`,
		"a headquarters alone is no individual hex": `UNITS
  G h: HQ 2-6-5 at 1205
SET version 1
SOLO GERMAN 1205; MOVE h TO 1206
EXPECT h at 1205; dropped no unit there could be activated
`,
		"a headquarters acts after its chit": `UNITS
  G h: HQ 2-6-5 at 1205
  G a: INF 4-4-5 at 1305
SET version 1
CHIT h; HQ TO 1305
SOLO GERMAN 1305
  MOVE a TO 1306
  MOVE h TO 1405
EXPECT h at 1405
`,
		"a Kampfgruppe that is lost goes to the pool": `UNITS
  G h: HQ 2-6-5 at 1205
  G KG A: INF 2-3-5 at 1505
  S x: INF 4-9-5 at 1605
SET version 1
CHIT h; ATTACK 1605 WITH KG A; ARTILLERY 0; MIN 1:3
DICE combat 1605: 1 1
EXPECT KG A pool
`,
		"each of the conditions of HOLD IF is turned round": `UNITS
  G h: HQ 2-6-5 at 1205
  G a: INF 4-4-5 at 1305
SET version 1; ground frozen; weather clear
CHIT h HOLD IF GROUND FROZEN AND WEATHER SNOW
  MOVE a TO 1405
EXPECT a at 1305
`,
		"divisions do not change places": `UNITS
  G h: HQ 2-6-5 at 1205
  G a: INF 9-9-5/8-8-5/4-4-5/2-2-5 red at 1405
  G b: INF 9-9-5/8-8-5/4-4-5/2-2-5 red at 1505
SET version 1
CHIT h
  MOVE a TO 1505
  MOVE b TO 1405
EXPECT a at 1405; b at 1505
`,
		"frozen marsh takes no overrun": `MAP marsh 1605
UNITS
  G h: HQ 2-6-5 at 1205
  G a: ARM 12-7-10 at 1505
  S x: INF 2-2-5 at 1605
SET version 1; ground frozen
CHIT h; ATTACK 1605 WITH a OVERRUN; ARTILLERY 0
DICE combat 1605: 3 4
EXPECT no event overrun
`,
		"1:6 moved one column is 1:2": `SET version 1
EXPECT odds 1 6 1 = 1:2 +0
`,
	} {
		t.Run(name, func(t *testing.T) { staged(t, name, body) })
	}
	g := newGame(load(t, "star-and-gallop"))
	for _, v := range []string{"", "0", "6", "7", "one"} {
		if _, ok := g.AsOf(v); ok {
			t.Errorf("version %q is played", v)
		}
	}
	if before, ok := g.AsOf("2"); !ok || before.(*Game).sc.before(2) || !before.(*Game).sc.before(3) {
		t.Error("version 2 is not played")
	}
	old, ok := g.AsOf("1")
	if !ok {
		t.Fatal("version 1 is not played")
	}
	chosen, err := old.(*Game).With(map[string]string{"fog": "blind"})
	if err != nil || !chosen.(*Game).sc.before(2) || g.sc.before(2) {
		t.Errorf("%v: the version is lost with an option", err)
	}
}
