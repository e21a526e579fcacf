package wb95

import (
	"strings"
	"testing"

	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// filed checks a sheet of Kharkov 1942 as a side gets its view of the position.
func filed(t *testing.T, s *State, side Side, sheet string) (*view.View, map[string]string, string) {
	t.Helper()
	g := newGame(s.sc)
	v, err := g.View(s.encode(), side)
	if err != nil {
		t.Fatal(err)
	}
	parsed, faults := orders.Parse(orders.Canonical("GAME: X SIDE: Y TURN: 1 SERIAL: 1\n"+sheet), Vocabulary)
	if len(faults) > 0 {
		t.Fatal(faults[0])
	}
	f := g.Check(v, parsed)
	var out []string
	for _, l := range f.Lines {
		text := l.Understood
		if l.Refused != nil {
			text = "XX " + l.Refused.Error()
		}
		if l.Warning != "" {
			text += " !! " + l.Warning
		}
		if l.Pos.Line > 0 {
			out = append(out, text)
		}
	}
	return v, f.Answers, strings.Join(out, "\n")
}

// The AIR section on receipt: which phase it is for, the pool, what is seen.
func TestAirSections(t *testing.T) {
	for _, c := range []struct {
		name    string
		side    Side
		turn    int
		phase   int
		sheet   string
		lines   string
		answers map[string]string
	}{
		{"the words of the example", "SOVIET", 1, 1, "AIR 1\n SUPPORT 2307 3\n ATTACK 2106 3\nATTACK\n 1: 2307 WITH 81 INF, 133/XXII\nAIR 7\n BRIDGE 2104/2204 3",
			"12 May 1942, phase 1: attack support 2307, 3 SP; 5 SP of the day left\n" +
				"12 May 1942, phase 1: air attack 2106, 3 SP; 2 SP of the day left\n" +
				"12 with 3 air against about 4: 3:1; town -1, improved fortifications -2, stream -2: 1:4; they retreat 0 %, lose a step 19 %, we lose a step 92 %, fall back 92 %\n" +
				"XX WB-95 8.2.10: a bridge takes 4 SP or more",
			map[string]string{"air 1/1": "SUPPORT 2307 3\nATTACK 2106 3", "air 1/7": ""}},
		{"AIR alone is the own half", "GERMAN", 2, 7, "AIR\nATTACK 2206 3", "13 May 1942, phase 7: air attack 2206, 3 SP; 0 SP of the day left", map[string]string{"air 2/7": "ATTACK 2206 3"}},
		{"the other half is tomorrow's", "GERMAN", 2, 7, "AIR 1\nDEFEND 2307 4\nDISRUPT 2206 1",
			"14 May 1942, phase 1: defence support 2307, 4 SP; 0 SP of the day left\nXX WB-95 8.1.5: 1 SP are asked for, 0 of that day are left",
			map[string]string{"air 3/1": "DEFEND 2307 4"}},
		{"the pool is of both phases", "SOVIET", 1, 1, "AIR 1\nATTACK 2106 5\nAIR 7\nBRIDGE 2104/2204 4", "12 May 1942, phase 1: air attack 2106, 5 SP; 3 SP of the day left\nXX WB-95 8.1.5: 4 SP are asked for, 3 of that day are left. Send 3 SP or fewer.",
			map[string]string{"air 1/1": "ATTACK 2106 5", "air 1/7": ""}},
		{"nobody there", "SOVIET", 1, 1, "AIR\nATTACK 2306 2\nATTACK 2307 2", "XX WB-95 8.2.6: no enemy is on 2306 as far as we see. Enemies are beside it on 2307.\n12 May 1942, phase 1: air attack 2307, 2 SP less 2 for town leaves 0; 6 SP of the day left !! too weak to do harm there (WB-95 8.2.7)",
			map[string]string{"air 1/1": "ATTACK 2307 2"}},
		{"support without an attack", "SOVIET", 1, 1, "AIR\nSUPPORT 2307 2", "12 May 1942, phase 1: attack support 2307, 2 SP; 6 SP of the day left !! no attack of this sheet is on 2307: support that finds no combat is wasted (WB-95 8.2.2)",
			map[string]string{"air 1/1": "SUPPORT 2307 2"}},
		{"Soviets do not defend", "SOVIET", 1, 1, "AIR 7\nDEFEND 2206 2", "XX WB-95 8.2.5: Soviet aircraft cannot support a defence", map[string]string{"air 1/7": ""}},
		{"no such phase", "SOVIET", 1, 1, "AIR 3\nATTACK 2307 2", `XX WB-95 8.1.4: "3" is not an Air Phase. Write AIR 1 or AIR 7, and the missions on lines below it.`, nil},
		{"nobody to defend", "GERMAN", 2, 7, "AIR 1\nDEFEND 3003 2", "14 May 1942, phase 1: defence support 3003, 2 SP; 2 SP of the day left !! nobody of ours stands on 3003 after these moves", map[string]string{"air 3/1": "DEFEND 3003 2"}},
		{"an empty section", "SOVIET", 1, 1, "AIR\nMOVE", "", map[string]string{"air 1/1": ""}},
	} {
		s := kharkov(t).opening()
		s.noteContacts()
		s.Turn, s.Phase = c.turn, c.phase
		_, answers, lines := filed(t, s, c.side, c.sheet)
		if lines != c.lines {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, lines, c.lines)
		}
		for name, text := range c.answers {
			if got, ok := answers[name]; !ok || got != text {
				t.Errorf("%s: %s is %q (%v), want %q", c.name, name, got, ok, text)
			}
		}
		if c.answers == nil && strings.Contains(strings.Join(keysOf(answers), " "), "air") {
			t.Errorf("%s: %v", c.name, answers)
		}
	}
}

func keysOf(m map[string]string) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	return out
}

// On receipt an order for a bridge is judged by what the side sees.
func TestBridgeOrdersOnReceipt(t *testing.T) {
	s := kharkov(t).opening()
	s.noteContacts()
	v, _, lines := filed(t, s, "SOVIET", "MOVE\n 51/XXII BLOW 2104/2204\n 124 INF BLOW 2304/2404")
	want(t, "lines", lines, "stays in 2104, 1 of 7 MP, blows up the bridge 2104/2204\nXX WB-95 14.2.1: no bridge stands at 2304/2404")
	held := 0
	for _, b := range v.Bridges {
		held += btoi(b.Side != "")
	}
	want(t, "bridges with an owner", held > len(v.Bridges)/2, true)
}

// Air counters are named in any spelling, and a near miss is answered with what is near.
func TestAirCountersAreNamedInAnySpelling(t *testing.T) {
	s := loadNamed(t, "kursk").opening()
	name := s.sc.airCounters("GERMAN")[0].Name
	for spelling, instead := range map[string]string{name: "", strings.ToUpper(strings.ReplaceAll(name, " ", "")): "", name + "0": "Did you mean " + strings.ToUpper(name)} {
		m := Mission{Kind: airSupport, Side: "GERMAN"}
		switch v := s.crew(&m, []string{spelling}, s.Turn); {
		case instead == "" && (v != nil || m.Counters != name):
			t.Errorf("%q flies %q: %v", spelling, m.Counters, v)
		case instead != "" && (v == nil || !strings.HasPrefix(v.Instead, instead) || !strings.Contains(v.Instead, "Ready are ")):
			t.Errorf("%q is answered %+v", spelling, v)
		}
	}
}
