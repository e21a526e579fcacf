package famous

import (
	"slices"
	"strings"
	"testing"
	"text/template"

	"fieldpost/adjudicator/view"
)

// said is an event in words, as reports tell it.
func said(t *testing.T, e view.Event) string {
	t.Helper()
	text, ok := (&Game{}).Wording()[e.Kind]
	if !ok {
		t.Fatalf("there are no words for an event of kind %q", e.Kind)
	}
	facts := slices.Clone(e.Facts)
	if who := map[string]string{"RED": "Reds", "BLUE": "Blues"}[facts.Get("side")]; who != "" {
		facts = facts.With("who", who)
	}
	var b strings.Builder
	if err := template.Must(template.New("").Parse(text)).Execute(&b, facts.Map()); err != nil {
		t.Fatalf("%s: %v", e.Kind, err)
	}
	return b.String()
}

// saysWhat is a scene and the sentences that one side, or "", reads of it.
type saysWhat struct{ what, scene, side, kind, text string }

// whatIsSaid are the events as both sides read them.
func whatIsSaid() []saysWhat {
	const field = "MAP 8x14\n  weather Sunny\nUNITS\n  RED h: hq 20, at 0101\n" +
		"  RED a: leg, 4-4-8/2-2-8, at 0303\n  RED g: wheeled, 5-3-8, artillery 12, at 0301\n" +
		"  BLUE k: hq 9, at 0310\n  BLUE x: leg, 4-4-8/2-2-8, at 0304\n"
	attack := strings.Replace(field, "weather Sunny", "weather Sunny\n  hill 0304\n  draws RED Apathy\n"+
		"  draws BLUE Accurate Fire", 1) + "CHIT RED 1\n  ATTACK 0304 WITH A; ARTILLERY G; ADVANCE NO\nDICE\n" +
		"  combat 0304: 1 2"
	air := strings.Replace(field, "weather Sunny", "weather Sunny\n  draws RED Airstrike\n"+
		"  hand BLUE Fighter Cover", 1)
	flak := strings.Replace(air, "BLUE x", "BLUE f: wheeled, AA, at 0306\n  BLUE x", 1) +
		"CHIT RED 1\n  ATTACK 0304 WITH A\nDICE\n  combat 0304: 4 5\n  anti-aircraft f 0304: 1 1\n" +
		"STANDING BLUE\n  BLACK CHIT ALL NEVER"
	passing := "MAP 8x14\nUNITS\n  RED h: hq 20, at 0101\n  RED a: leg, 4-4-8/2-2-8, at 0303\n" +
		"  BLUE t: tracked, direct 3, at 0606\nCHIT RED 1\n  MOVE A TO 0305\nSTANDING BLUE\n" +
		"  OPPORTUNITY ALL EVERY SHOT\nDICE\n  shot t 0304: 4 4"
	works := "MAP 8x10\n  river 0303/0304 0503/0504\n  bridge 0503/0504\n  fort BLUE minefield 0202 face 1\n" +
		"UNITS\n  RED h: hq 9, at 0101\n  RED c: leg, 4-4-4, engineer, at 0203\n" +
		"  RED p: leg, engineer, at 0303\n  RED b: leg, engineer, at 0503\n"
	return []saysWhat{
		{"weather by day", "MAP 6x6\nUNITS\n  RED a: leg, at 0101\nWEATHER\nDICE\n  weather: 2", "", "weather",
			"10 July 1943, Morning: Cloudy, dice 2 (weather) +0."},
		{"a clear night", "MAP 6x6\n  time Night\nUNITS\n  RED a: leg, at 0101\nWEATHER\nDICE\n  weather: 1",
			"", "weather", "10 July 1943, Night: Clear, dice 1 (weather) +0."},
		{"low supply", "MAP 6x6\nUNITS\n  RED a: leg, at 0101\n  RED b: leg, 9-4-8, at 0303\nSUPPLY", "RED",
			"supply", "  a on 0101: low supply."},
		{"out of supply", "MAP 6x6\nUNITS\n  RED a: leg, unsupplied 1, at 0101\n" +
			"  RED b: leg, 9-4-8, at 0303\n" +
			"SUPPLY", "RED", "supply", "  a on 0101: out of supply."},
		{"hunger", "MAP 6x6\nUNITS\n  RED a: leg, 4-4-8/2-2-8, unsupplied 2, at 0101\n" +
			"  RED b: leg, 9-4-8, at 0303\nSUPPLY", "RED", "supply", "  a on 0101: out of supply, depleted."},
		{"a nominated stack", "MAP 6x6\nUNITS\n  RED a: leg, at 0101\n  RED b: leg, 9-4-8, at 0303\nSUPPLY",
			"RED", "nominated", "  In automatic supply: b."},
		{"a chit", field + "CHIT RED 1\n  PASS", "BLUE", "chit", "Chit 1 of the Reds."},
		{"a pass", field + "CHIT RED 1\n  PASS", "BLUE", "pass", "  1 passed."},
		{"an order that was not done", field + "CHIT RED 1\n  FIRE A AT 0304", "RED", "skipped",
			"  Not done: FIRE A AT 0304: a has no direct fire."},
		{"a hex that held too much", "MAP 8x14\nUNITS\n  RED h: hq 20, at 0101\n" +
			"  RED a: leg, 1-4-8, at 0303\n" +
			"  RED b: leg, at 0303\n  RED c: leg, at 0303\n  RED d: leg, at 0303\n  RED e: leg, at 0303\n" +
			"CHIT RED 1\n  PASS", "RED", "overstacked", "  b was depleted on 0303: the hex held too much."},
		{"replacements", "MAP 8x14\n  time Night\n  weather Rainy\nUNITS\n  RED h: hq 20, at 0101\n" +
			"  RED a: leg, 4-4-8/2-2-8, steps 1, at 0303\nEND\nDICE\n  replacement RED: 1\n" +
			"  replacement BLUE: 1", "RED", "replacement",
			"Replacements of the Reds: dice 1 (replacement RED) = 3: a rebuilt."},
		{"none of them", "MAP 8x14\n  time Night\n  weather Rainy\nUNITS\n  RED h: hq 20, at 0101\n" +
			"  RED a: leg, 4-4-8/2-2-8, steps 1, at 0303\nEND\nDICE\n  replacement RED: 2\n" +
			"  replacement BLUE: 1", "RED", "replacement",
			"Replacements of the Reds: dice 2 (replacement RED) = 4: none."},
		{"Field Ersatz", "MAP 8x14\n  time Night\n  weather Rainy\nUNITS\n  RED h: hq 20, at 0101\n" +
			"  RED e: leg, ersatz, at 0303\n  RED a: leg, 4-4-8/2-2-8, steps 1, at 0303\nEND\nDICE\n" +
			"  replacement RED: 2\n  replacement BLUE: 1", "RED", "replacement",
			"Replacements of the Reds: dice 2 (replacement RED) = 4, Field Ersatz: a rebuilt."},
		{"a move", field + "CHIT RED 1\n  MOVE G TO 0201", "RED", "move", "  g: 0301-0201."},
		{"a move that was stopped", field + "CHIT RED 1\n  MOVE G 0301-0402-0403-0404-0503", "RED", "move",
			"  g: 0301-0402-0403-0404, stopped: in an enemy zone of control."},
		{"a move that the enemy sees", field + "CHIT RED 1\n  MOVE G TO 0201", "BLUE", "enemy-move",
			"  g moved: 0301-0201."},
		{"one behind a hill", strings.Replace(field, "weather Sunny",
			"weather Sunny\n  hill 0302 0303 0402 0502 0602 0202 0203 0103", 1) +
			"CHIT RED 1\n  MOVE G TO 0401", "BLUE", "enemy-move", "  a stack of the Reds moved: 0301-0401."},
		{"one who follows", field + "CHIT RED 1\n  ATTACK 0304 WITH A; ADVANCE A\nDICE\n  combat 0304: 1 1",
			"RED", "advance", "  a followed: 0303-0304."},
		{"one who follows, to the enemy", field + "CHIT RED 1\n  ATTACK 0304 WITH A; ADVANCE A\nDICE\n" +
			"  combat 0304: 1 1", "BLUE", "enemy-advance", "    a followed: 0303-0304."},
		{"one who leaves the map", "MAP 8x8\n  road 0301-0302\n  entry F 0301\n  entry A 0308\n  exit RED F to A\nUNITS\n" +
			"  RED h: hq 9, at 0101\n  RED a: leg, at 0302\nCHIT RED 1\n  EXIT A F", "RED", "exit",
			"  a of the Reds left the map at F."},
		{"a mounted company", "MAP 8x8\nUNITS\n  RED h: hq 9, at 0101\n  RED a: leg, at 0302\n" +
			"  RED t: tracked, at 0302\nCHIT RED 1\n  MOUNT A ON T", "RED", "mounted", "  a rides on t."},
		{"guns that are kept", gunned + "CHIT RED 1\n  SUPPORT 2", "RED", "kept", "  g kept for the attacks of 2."},
		{"a dismounted one", "MAP 8x8\nUNITS\n  RED h: hq 9, at 0101\n  RED a: leg, riding t, at 0302\n" +
			"  RED t: tracked, at 0302\nCHIT RED 1\n  DISMOUNT A", "RED", "dismount",
			"  a dismounted on 0302."},
		{"one on foot", "MAP 8x8\nUNITS\n  RED h: hq 9, at 0101\n  RED a: wheeled, at 0302\nCHIT RED 1\n" +
			"  DEBARK A", "RED", "debark", "  a went on foot on 0302."},
		{"one on wheels again", "MAP 8x8\nUNITS\n  RED h: hq 9, at 0101\n" +
			"  RED a: wheeled, debarked, at 0302\n" +
			"CHIT RED 1\n  EMBARK A", "RED", "embark", "  a is back on its wheels on 0302."},
		{"works that are cleared", works + "CHIT RED 1\n  CLEAR 0202 WITH C", "RED", "cleared",
			"  c cleared the fortifications on 0202."},
		{"a bridge that goes up", works + "CHIT RED 1\n  BLOW 0503/0504 WITH B\nDICE\n" +
			"  demolition 0503/0504: 2", "RED", "demolition",
			"  b tried to blow the bridge at 0503/0504: dice 2 (demolition 0503/0504): it is down."},
		{"a bridge that stands", works + "CHIT RED 1\n  BLOW 0503/0504 WITH B\nDICE\n  demolition 0503/0504: 1",
			"RED", "demolition",
			"  b tried to blow the bridge at 0503/0504: dice 1 (demolition 0503/0504): it stands."},
		{"a pontoon bridge begun", works + "CHIT RED 1\n  PONTOON 0303/0304 WITH P", "RED", "pontoon",
			"  p began a pontoon bridge at 0303/0304."},
		{"and finished", works + "CHIT RED 1\n  PONTOON 0303/0304 WITH P\nEND", "RED", "pontoon-built",
			"A pontoon bridge of the Reds stands at 0303/0304."},
		{"and given up", "MAP 8x10\n  river 0303/0304\n  pontoon RED 0303/0304\nUNITS\n" +
			"  BLUE h: hq 9, at 0110\n" +
			"  BLUE a: leg, at 0306\nCHIT BLUE 1\n  MOVE A TO 0304", "RED", "pontoon-spoilt",
			"  The pontoon bridge at 0303/0304 was given up."},
		{"a shot at one who moves", passing, "RED", "shot",
			"  t fired from 0606 at a on 0304 as it came, range 3: dice 4 4 (shot t 0304): harm done."},
		{"a shot that pins", strings.Replace(passing, "4-4-8/2-2-8", "4-9-8/2-2-8", 1), "RED", "shot",
			"  t fired from 0606 at a on 0304 as it came, range 3: dice 4 4 (shot t 0304): hit, pinned."},
		{"a shot in the evening that misses", strings.Replace(strings.Replace(passing, "MAP 8x14",
			"MAP 8x14\n  time Evening", 1), "MOVE A TO 0305", "MOVE A TO 0304", 1), "RED", "shot",
			"  t fired from 0606 at a on 0304 as it came, range 3, -1 each: dice 4 4 (shot t 0304): missed."},
		{"a shot at one who stands", "MAP 8x14\nUNITS\n  RED h: hq 20, at 0101\n" +
			"  RED a: tracked, direct 3, at 0303\n  BLUE x: leg, 4-9-8, at 0304\nCHIT RED 1\n" +
			"  FIRE A AT 0304\n" +
			"DICE\n  shot a 0304: 2 3", "RED", "shot",
			"  a fired from 0303 at x on 0304, range 1: dice 2 3 (shot a 0304): hit."},
		{"a barrage that hits", field + "CHIT RED 1\n  BARRAGE 0304 WITH G\nDICE\n  barrage g 0304: 4 4 2",
			"RED", "barrage", "  g shelled 0304 from 3 hexes: dice 4 4 2 (barrage g 0304): hit, 1 to suffer."},
		{"one without harm", field + "CHIT RED 1\n  BARRAGE 0304 WITH G\nDICE\n  barrage g 0304: 4 3 2", "RED",
			"barrage", "  g shelled 0304 from 3 hexes: dice 4 3 2 (barrage g 0304): hit, no harm."},
		{"one that misses", field + "CHIT RED 1\n  BARRAGE 0304 WITH G\nDICE\n  barrage g 0304: 1 1 1", "RED",
			"barrage", "  g shelled 0304 from 3 hexes: dice 1 1 1 (barrage g 0304): missed."},
		{"an attack", attack, "BLUE", "combat", "0304: the Reds attacked.\n  attackers: a 4; guns g 5\n" +
			"  defenders: x 4\n  9 against 4: 2-1; Apathy +2, ground +1\n" +
			"  dice 1 2 (combat 0304) = 6: DC, one defender is depleted"},
		{"an event chit that counts", attack, "BLUE", "event", "  Event of the Reds: Apathy +2."},
		{"one that does not", attack, "RED", "event",
			"  Event of the Blues: Accurate Fire -2, cancelled by Apathy."},
		{"a black chit", air + "CHIT RED 1\n  ATTACK 0304 WITH A\nDICE\n  combat 0304: 4 5\nSTANDING BLUE\n" +
			"  BLACK CHIT ALL ALWAYS", "RED", "black", "  The Blues played Fighter Cover against Airstrike."},
		{"flak that misses", flak, "RED", "flak",
			"  f fired at the aircraft from 2 hexes: dice 1 1 (anti-aircraft f 0304): missed."},
		{"flak that hits", strings.Replace(flak, ": 1 1", ": 1 2", 1), "RED", "flak",
			"  f fired at the aircraft from 2 hexes: dice 1 2 (anti-aircraft f 0304): driven off."},
		{"a step lost", attack, "BLUE", "loss", "  x depleted (combat)."},
		{"a unit lost with its rider", "MAP 8x14\nUNITS\n  RED h: hq 9, at 0301\n" +
			"  RED a: leg, 9-4-8, at 0303\n" +
			"  BLUE x: tracked, 1-1-8, at 0304\n  BLUE r: leg, riding x, at 0304\nCHIT RED 1\n" +
			"  ATTACK 0304 WITH A; ADVANCE NO\nDICE\n  combat 0304: 1 1", "BLUE", "loss",
			"  x eliminated, r with it (combat)."},
		{"a retreat", field + "CHIT RED 1\n  ATTACK 0304 WITH A; ADVANCE NO\nDICE\n  combat 0304: 3 3", "BLUE",
			"retreat", "  x fell back: 0304-0305-0306."},
		{"no way back", strings.Replace(field, "BLUE x", "RED z: leg, of 9, at 0206\n"+
			"  RED y: leg, of 9, at 0406\n  BLUE x", 1) + "CHIT RED 1\n  ATTACK 0304 WITH A; ADVANCE NO\n" +
			"DICE\n" +
			"  combat 0304: 3 3", "BLUE", "loss", "  x eliminated (no retreat)."},
	}
}

// Every kind of event as both sides read it. A sentence that says nothing of a fact, or
// has a hole where one is missing, is seen here.
func TestTheWordsOfEveryEvent(t *testing.T) {
	for _, x := range whatIsSaid() {
		checkWords(t, x)
	}
}

func checkWords(t *testing.T, x saysWhat) {
	t.Helper()
	r := playScene(t, x.what, x.scene)
	var have []string
	for _, e := range r.Events {
		if e.Kind == x.kind && (x.side == "" || e.For(x.side)) {
			have = append(have, said(t, e))
		}
	}
	if !slices.Contains(have, x.text) {
		t.Errorf("%s: %q is not among what is said: %q", x.what, x.text, have)
	}
}

// The rest: what only a whole scenario brings, and what every sentence must be.
func TestTheWordsOfOpeningsAndEnds(t *testing.T) {
	for _, x := range []struct{ kind, text string }{
		{"verdict", "The game is over: a draw with 5 points of the GERMAN (Main Bridge +3)."},
		{"opened", "Reinforcements are released: a hill fell."}, {"setup", "The Reds have set up."},
	} {
		e := view.Event{Kind: x.kind, Facts: view.Pairs{"verdict", "a draw with 5 points of the GERMAN",
			"points", "Main Bridge +3", "text", "a hill fell", "side", "RED"}}
		if got := said(t, e); got != x.text {
			t.Errorf("%s: %q, not %q", x.kind, got, x.text)
		}
	}
	for kind, text := range (&Game{}).Wording() {
		if last := text[strings.LastIndex(text, "\n")+1:]; !strings.HasSuffix(last, ".") && kind != "combat" {
			t.Errorf("%s does not end as a sentence: %q", kind, text)
		}
		if _, err := template.New(kind).Parse(text); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// No kind of event is left out of the two tables above.
func TestEveryKindOfEventIsSaid(t *testing.T) {
	kinds := map[string]bool{"verdict": true, "opened": true, "setup": true}
	for _, x := range whatIsSaid() {
		kinds[x.kind] = true
	}
	for kind := range (&Game{}).Wording() {
		if !kinds[kind] {
			t.Errorf("no test reads how an event of kind %q is said", kind)
		}
	}
}
