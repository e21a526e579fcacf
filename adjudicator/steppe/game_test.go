package steppe_test

import (
	"bytes"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"text/template"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/steppe"
)

// Every edit of a moderator says what it did, or why it cannot be made.
func TestEdits(t *testing.T) {
	g := open(t, "star-and-gallop", nil)
	position := opened(t, g, 2)
	for edit, want := range map[string]string{
		"PUT LAH 2611":         "LAH of GERMAN",
		"PUT 11 PD 2611":       "11 PD of GERMAN",
		"STEPS LAH 2":          "LAH of GERMAN has 2 steps, until now 4",
		"REMOVE 298 ID":        "298 ID of GERMAN is taken off the map",
		"REMOVE SS PZ":         "SS Pz of GERMAN is taken off the map and comes back from turn 2 on",
		"REMOVE KG A":          "KG A of GERMAN is taken off the map",
		"CONTROL 2611 SOVIET":  "SOVIET",
		"PUT LAH 2712":         "!LAH stands on 2712 already",
		"PUT LAH 9999":         "!hex 9999 is not on the map",
		"PUT LAH 4222":         "!4222",
		"PUT DR- 2712":         "!2712 holds 8 steps",
		"STEPS LAH 9":          "!LAH has from 1 to 4 steps, not 9",
		"STEPS LAH 4":          "!LAH has 4 steps already",
		"REMOVE 11 PD":         "!11 PD is not on the map",
		"REMOVE FRED":          "!FRED",
		"CONTROL 2712 SOVIET":  "!2712",
		"CONTROL 2611 MARTIAN": "!MARTIAN",
		"BURN LAH":             "!",
	} {
		after, says, err := g.Edit(position, edit)
		bad, refused := strings.CutPrefix(want, "!")
		switch {
		case refused && (err == nil || !errors.Is(err, phrase.ErrMend) || !strings.Contains(err.Error(), bad)):
			t.Errorf("%s: %q, %v; want it refused with %q", edit, says, err, bad)
		case !refused && (err != nil || !strings.Contains(says, want)):
			t.Errorf("%s: %q, %v; want %q", edit, says, err, want)
		case !refused && bytes.Equal(after, position):
			t.Errorf("%s changes nothing", edit)
		}
	}
	// A headquarters that was taken off may be put back, and is there to be led.
	without, _, err := g.Edit(position, "REMOVE SS PZ")
	if err != nil {
		t.Fatal(err)
	}
	back, _, err := g.Edit(without, "PUT SS PZ 2612")
	if err != nil {
		t.Fatal(err)
	}
	if got := refusals(check(t, g, without, german, "HQBACK SS PZ 2712")); got != "" {
		t.Errorf("beside a unit of its own it may come back, and is refused: %s", got)
	}
	want := "1:1 HQBACK SS PZ 2712: Steppe 4.1: SS Pz is not a headquarters that comes back"
	if got := refusals(check(t, g, back, german, "HQBACK SS PZ 2712")); got != want {
		t.Errorf("HQBACK of a headquarters on the map: %s", got)
	}
	over, err := g.End(position, german, "the Soviets give up")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := g.Edit(over, "STEPS LAH 2"); !errors.Is(err, adjudicator.ErrOver) {
		t.Errorf("an edit of a game that is over: %v", err)
	}
	if _, err := g.End(over, soviet, "again"); !errors.Is(err, adjudicator.ErrOver) {
		t.Errorf("a second end: %v", err)
	}
	if at, err := g.At(over); err != nil || !at.Over {
		t.Errorf("a game that was given up stands at %+v, %v", at, err)
	}
}

// The options are fog and by how much the game is won; their values are legal ones, and a view names
// what differs from the default.
func TestOptions(t *testing.T) {
	g := open(t, "star-and-gallop", nil)
	settings := g.Settings()
	if len(settings) != 2 || settings[0].Name != "win-by" || settings[1].Name != "fog" {
		t.Fatalf("the settings are %+v", settings)
	}
	for _, s := range settings {
		if s.Default != s.Values[0] {
			t.Errorf("%s is %s by default, and its first value %s", s.Name, s.Default, s.Values[0])
		}
		for _, value := range s.Values {
			under, err := g.With(map[string]string{s.Name: value})
			if err != nil {
				t.Errorf("%s = %s: %v", s.Name, value, err)
				continue
			}
			position := opened(t, under.(*steppe.Game), 2)
			want := map[string]string{s.Name: value}
			if value == s.Default {
				want = nil
			}
			if got := see(t, under.(*steppe.Game), position, german).Options; !maps.Equal(got, want) {
				t.Errorf("%s = %s: the view says %v", s.Name, value, got)
			}
			if err := s.Check(value); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := g.With(map[string]string{"fog": "thick"}); err == nil {
		t.Error("fog = thick is taken")
	}
	if same, err := g.With(map[string]string{"weather": "fine"}); err != nil || same != adjudicator.Game(g) {
		t.Errorf("an option of another game: %v", err)
	}
}

// Every event is a sentence, with and without the facts that may be missing.
func TestWording(t *testing.T) {
	words := open(t, "star-and-gallop", nil).Wording()
	type facts = map[string]string
	seen := map[string]bool{"move:all": true}
	for _, x := range []struct {
		kind  string
		facts facts
		want  string
	}{
		{"verdict", facts{"verdict": "German victory"}, "The game is over: German victory"},
		{"weather", facts{"turn": "2", "dates": "5 to 11 February", "weather": "snow", "ground": "frozen", "die": "5", "label": "weather"},
			"Turn 2, 5 to 11 February: snow weather, frozen ground. dice 5 (weather)"},
		{"backhand", facts{"turn": "5"}, "Manstein's Backhand Blow: every German attack of turn 5 is shifted one column to the right."},
		{"cup", facts{"german": "4", "voronezh": "3", "southwest": "6"},
			"Into the cup: 4 German chits, 3 of the Voronezh Front, 6 of the Southwest Front."},
		{"hq-back", facts{"hq": "3TA", "hex": "3911"}, "The headquarters 3TA comes back at 3911."},
		{"hq-gone", facts{"hq": "3TA"}, "The headquarters 3TA has no unit left to come back to."},
		{"chit", facts{"hq": "OKH", "command": "German Army", "hex": "1334 (Zaporozhe)", "units": "3", "left": "9", "die": "2"},
			"Chit: OKH of the German Army at 1334 (Zaporozhe), 3 units in range, 9 draws to come. dice 2 (draw)"},
		{"chit", facts{"hq": "OKH", "command": "German Army", "units": "1", "left": "1", "die": "2"},
			"Chit: OKH of the German Army, 1 unit in range, 1 draw to come. dice 2 (draw)"},
		{"chit", facts{"hq": "OKH", "command": "German Army", "left": "9", "die": "2"},
			"Chit: OKH of the German Army, 9 draws to come. dice 2 (draw)"},
		{"chit-wasted", facts{"hq": "OKH", "die": "2"}, "Chit: OKH, which is not on the map. It is wasted. dice 2 (draw)"},
		{"chit-roll", facts{"chits": "OKH, SS Pz", "die": "2", "label": "chit german"}, "  Drawn among your OKH, SS Pz: dice 2 (chit german)"},
		{"holds", facts{"hq": "OKH"}, "  OKH holds."},
		{"solo", facts{"side": "German", "hex": "2712", "units": "LAH"}, "Individual hex of the German side: 2712, LAH."},
		{"dropped", facts{"order": "MOVE LAH TO 2612", "why": "LAH is out of range"}, "  Not carried out: MOVE LAH TO 2612. LAH is out of range."},
		{"move", facts{"unit": "LAH", "from": "2712", "to": "2612"}, "  LAH 2712 to 2612"},
		{"overrun-move", facts{"unit": "LAH", "from": "2712", "to": "2612"}, "  Overrun movement: LAH 2712 to 2612"},
		{"enter", facts{"unit": "11 PD", "at": "1010", "to": "1410"}, "  11 PD enters at 1010 and goes to 1410"},
		{"rail-die", facts{"side": "German", "die": "3", "label": "rail GERMAN"}, "  Railway of the German side: dice 3 (rail GERMAN)"},
		{"railed", facts{"unit": "11 PD", "hex": "2512"}, "  11 PD comes by rail to 2512"},
		{"kg", facts{"kg": "KG D", "hex": "3636", "unit": "7 PD", "figures": "7-5-10"}, "  KG D is formed at 3636; 7 PD is now 7-5-10"},
		{"merging", facts{"kg": "KG D", "hex": "3636", "unit": "7 PD"}, "  KG D joins 7 PD at 3636, from the next turn on"},
		{"merged", facts{"kg": "KG D", "unit": "7 PD", "figures": "9-7-10"}, "7 PD has taken in KG D and is 9-7-10"},
		{"bridge-blown", facts{"unit": "320 ID", "edge": "2914/2915", "die": "2", "label": "bridge"}, "320 ID blows the bridge 2914/2915. dice 2 (bridge)"},
		{"bridge-stands", facts{"unit": "320 ID", "edge": "2914/2915", "die": "1", "label": "bridge"},
			"320 ID tries to blow the bridge 2914/2915 in vain. dice 1 (bridge)"},
		{"anti-tank", facts{"gun": "AT 1", "unit": "LAH", "outcome": "misses", "die": "6", "label": "anti-tank"}, "  AT 1 fires at LAH and misses. dice 6 (anti-tank)"},
		{"cancelled", facts{"hex": "2512"}, "  The attack on 2512 is called off."},
		{"air", facts{"side": "German", "hex": "2512", "unit": "a fighter", "for": "attacker"}, "  German air over 2512: a fighter for the attacker"},
		{"dogfight", facts{"hex": "2512", "attacker": "dice 5", "defender": "dice 2", "sums": "5 against 2", "outcome": "the defender loses 1"},
			"  Dogfight over 2512: attacker dice 5, defender dice 2, 5 against 2: the defender loses 1"},
		{"dogfight", facts{"hex": "2512", "attacker": "dice 5", "sums": "5 against 0", "outcome": "the defender loses 0"},
			"  Dogfight over 2512: attacker dice 5, 5 against 0: the defender loses 0"},
		{"air-lost", facts{"side": "Soviet", "unit": "fighter"}, "  Soviet loses a fighter"},
		{"air-lost", facts{"side": "Soviet", "unit": "close air support"}, "  Soviet loses close air support"},
		{"artillery", facts{"markers": "1", "hq": "SS Pz", "hex": "2512"}, "  1 artillery marker of SS Pz on 2512"},
		{"artillery", facts{"markers": "2", "hq": "SS Pz", "hex": "2512"}, "  2 artillery markers of SS Pz on 2512"},
		{"combat", facts{"hex": "4123", "force": "19 PD 8", "guard": "195 RD 4", "attack": "8", "defence": "4", "gross": "2:1", "ratio": "2:1", "odds": "2:1",
			"dice": "3 4", "label": "combat 4123", "net": "7", "result": "-/R2"},
			"4123: 19 PD 8 against 195 RD 4.\n  8 to 4: 2:1\n  dice 3 4 (combat 4123) = 7: -/R2"},
		{"combat", facts{"hex": "4123", "force": "19 PD 40", "guard": "195 RD 4", "attack": "40", "defence": "4", "gross": "10:1", "shifts": "town -1", "ratio": "9:1", "odds": "4:1",
			"overrun": "19 PD", "dice": "3 4", "label": "combat 4123", "mods": "enemy fighters -1, odds above 4:1 +5", "net": "11", "result": "-/2R3"},
			"4123: 19 PD 40 against 195 RD 4. Overrun by 19 PD.\n  40 to 4: 10:1; town -1: 9:1, column 4:1\n  dice 3 4 (combat 4123), enemy fighters -1, odds above 4:1 +5 = 11: -/2R3"},
		{"depleted", facts{"unit": "LAH", "figures": "10-8-10"}, "  LAH is depleted to 10-8-10"},
		{"replaced", facts{"unit": "LAH", "figures": "6-5-10"}, "  LAH loses its red-sash counter and goes on as 6-5-10"},
		{"destroyed", facts{"unit": "LAH"}, "  LAH is destroyed"},
		{"stalwart", facts{"unit": "LAH", "hex": "2512"}, "  LAH stands fast at 2512 at the price of a step"},
		{"trapped", facts{"unit": "LAH", "hex": "2512"}, "  LAH at 2512 has no way back"},
		{"retreat", facts{"unit": "LAH", "from": "2512", "to": "2312"}, "  LAH retreats from 2512 to 2312"},
		{"advance", facts{"unit": "LAH", "to": "2512"}, "  LAH advances to 2512"},
		{"overrun", facts{"unit": "LAH", "hex": "2512"}, "  LAH has overrun 2512"},
		{"overstack", facts{"unit": "LAH", "hex": "2512"}, "LAH at 2512 loses a step: the hex holds too many"},
		{"supply", facts{"unit": "LAH", "hex": "2512", "state": "Low Supply"}, "LAH at 2512 is Low Supply"},
		{"attrition", facts{"unit": "LAH", "hex": "2512"}, "LAH at 2512 starves"},
	} {
		seen[x.kind] = true
		said, err := template.New(x.kind).Option("missingkey=zero").Parse(words[x.kind])
		if err != nil {
			t.Errorf("%s: %v", x.kind, err)
			continue
		}
		var out strings.Builder
		if err := said.Execute(&out, x.facts); err != nil || out.String() != x.want {
			t.Errorf("%s is said as %q (%v), want %q", x.kind, out.String(), err, x.want)
		}
	}
	for kind := range words {
		if !seen[kind] {
			t.Errorf("no test says %s", kind)
		}
	}
}

// A phase that is played again from its journal comes out as it did, without dice or
// answers.
func TestPhasesRepeatFromTheirJournals(t *testing.T) {
	for _, fog := range []string{"", "blind"} {
		g := open(t, "star-and-gallop", map[string]string{"fog": fog})
		position, err := g.Opening()
		if err != nil {
			t.Fatal(err)
		}
		p := &table{dice: map[string][]int{"weather": {2}}, sheets: map[adjudicator.Side]string{
			german: "CHIT SS PZ MA\nMOVE LAH TO 3011\nCHIT 3 PZ\nATTACK 4123 WITH 19 PD, 320 ID; MIN 1:3; ARTILLERY ALL\n" +
				"SOLO HEX 3503\nMOVE 4 HUNG TO 3502\nSTANDING\nAIR ATTACK WANT 90%\n",
			soviet: "CHIT 1GA MA\nMOVE 41G RD TO 4024\nCHIT 3TA\nMOVE 15 TC TO 3911\nATTACK 3716 AT-WILL\n",
		}}
		kinds := map[string]int{}
		for n := range 40 {
			out := p.next(t, g, position)
			again, err := g.Play(position, out.Journal, nil, nil)
			if err != nil {
				t.Fatalf("phase %d: %v", n, err)
			}
			if !bytes.Equal(again.Position, out.Position) || !reflect.DeepEqual(again.Events, out.Events) {
				t.Fatalf("phase %d comes out otherwise when it is repeated", n)
			}
			for _, e := range out.Events {
				kinds[e.Kind]++
			}
			position = out.Position
		}
		for _, kind := range []string{"chit", "move", "combat", "holds"} {
			if kinds[kind] == 0 {
				t.Errorf("no %s in what was played: %v", kind, slices.Sorted(maps.Keys(kinds)))
			}
		}
	}
}

// The system names itself, and its sheets are read with its words.
func TestSystem(t *testing.T) {
	sys := steppe.System{}
	if sys.ID() != "steppe" || sys.Version() < 1 || !slices.Contains(sys.Asks(), adjudicator.KindActivation) {
		t.Errorf("the system is %s %d and asks %v", sys.ID(), sys.Version(), sys.Asks())
	}
	for _, section := range sys.Template() {
		if !slices.Contains(sys.Vocabulary().Sections, section) {
			t.Errorf("the template has a section %s that no sheet may have", section)
		}
	}
	for _, id := range []string{"star-and-gallop", "backhand-blow", "winter-campaign"} {
		g := open(t, id, nil)
		if g.Title() == "" || len(g.Sides()) != 2 || len(adjudicator.UnplayedOf(g)) > 0 {
			t.Errorf("%s: %q of %v, unplayed %v", id, g.Title(), g.Sides(), adjudicator.UnplayedOf(g))
		}
	}
}

// What a staff officer asks: odds rise with strength, a shelter takes columns off, and
// what may be reached is on the map.
func TestAdviser(t *testing.T) {
	g := open(t, "star-and-gallop", nil)
	position := opened(t, g, 2)
	for _, side := range g.Sides() {
		a, err := g.Advise(see(t, g, position, side))
		if err != nil {
			t.Fatal(err)
		}
		was := steppe.Odds{Level: -1}
		for attack := 1; attack <= 40; attack++ {
			o := a.Odds(attack, 10, 0, 0)
			if o.Level < was.Level || o.Retreat < was.Retreat {
				t.Errorf("%s: %d against 10 is %+v, one less %+v", side, attack, o, was)
			}
			was = o
		}
		if even := a.Odds(10, 10, 0, 0); even.Level != 3 || a.Odds(10, 10, -1, 0).Level != 2 || a.Odds(10, 10, 0, 2).Retreat <= even.Retreat {
			t.Errorf("%s: 10 against 10 is %+v", side, even)
		}
		pieces, foes := a.Pieces(), a.Foes()
		if len(pieces) < 20 || len(foes) < 20 || len(a.Goals()) != 12 {
			t.Errorf("%s: %d pieces, %d enemy stacks, %d goals", side, len(pieces), len(foes), len(a.Goals()))
		}
		for _, p := range pieces {
			reach := a.Reach(p.ID)
			if !slices.Contains(reach, p.Hex) {
				t.Errorf("%s does not reach its own hex %v", p.Name, p.Hex)
			}
			for _, h := range reach {
				if a.Holder(h) < 0 {
					t.Errorf("%s reaches %v, where the enemy stands", p.Name, h)
				}
			}
		}
		for _, f := range foes {
			if a.Holder(f.Hex) != -1 || f.Defence < 1 {
				t.Errorf("%s: an enemy stack %+v", side, f)
			}
		}
	}
	if _, err := g.Advise(see(t, open(t, "backhand-blow", nil), opened(t, open(t, "backhand-blow", nil), 2), german)); err == nil {
		t.Error("the view of another scenario is taken")
	}
}
