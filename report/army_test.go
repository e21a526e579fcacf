package report

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/view"
)

// told lists units in trouble as "NAME: STATE".
func told(ts []trouble) []string {
	var out []string
	for _, t := range ts {
		out = append(out, t.u.Name+": "+strings.Join(t.state, ", "))
	}
	return out
}

func TestTroubledUnitsComeWorstFirst(t *testing.T) {
	v := situation(t)
	v.Enemy = nil
	v.Units = []view.Unit{
		{Name: "first back", Retreated: true, Steps: 2, MaxSteps: 2},
		{Name: "well", Steps: 2, MaxSteps: 2},
		{Name: "worn", Steps: 1, MaxSteps: 3},
		{Name: "second back", Retreated: true},
		{Name: "shaken", Disorganized: true},
		{Name: "cut off", OutOfSupply: 1},
		{Name: "starving", OutOfSupply: 2, Note: "no bread"},
		{Name: "everything", OutOfSupply: 1, Disorganized: true, Retreated: true, Steps: 1, MaxSteps: 2},
	}
	bad, touching, rest := army(v)
	want := []string{
		"starving: out of supply, no bread",
		"everything: lost 1 step, out of supply, disorganized, retreated",
		"cut off: out of supply",
		"shaken: disorganized",
		"worn: lost 2 steps",
		"first back: retreated",
		"second back: retreated",
	}
	if got := told(bad); !slices.Equal(got, want) {
		t.Errorf("in trouble:\n%s", strings.Join(got, "\n"))
	}
	if len(touching) != 0 || len(rest) != 1 || rest[0].Name != "well" {
		t.Errorf("touching %v, rest %v", told(touching), rest)
	}
}

// What a gun does, or a remark, is a state but no trouble.
func TestGunsAreNoTrouble(t *testing.T) {
	v := situation(t)
	v.Enemy = []view.Stack{{Hex: 301, Side: "SOVIET"}}
	v.Units = []view.Unit{
		{Name: "firing", Gun: "firing", Hex: 302},
		{Name: "moving", Gun: "transport", Hex: 302},
		{Name: "silent", Silent: 1, Note: "no shells", Hex: 302},
		{Name: "away", Gun: "transport", Silent: 1, Note: "no shells", Hex: 604},
	}
	bad, touching, rest := army(v)
	want := []string{
		"firing: set up to fire, in contact",
		"moving: limbered, in contact",
		"silent: silent after a barrage, in contact, no shells",
	}
	if got := told(touching); len(bad) != 0 || !slices.Equal(got, want) {
		t.Errorf("bad %v, touching %v", told(bad), got)
	}
	if len(rest) != 1 || rest[0].Name != "away" {
		t.Errorf("rest %v", rest)
	}
}

func TestLabelsOfUnits(t *testing.T) {
	for _, c := range []struct{ name, kind, want string }{
		{"513/294", "INF", "513/294 INF"},
		{"HQ XVII", "HQ", "HQ XVII"},
		{"23 Arm", "ARM", "23 Arm"},
		{"23 ARM tank", "arm", "23 ARM tank"},
		{"II Artillery", "ART", "II Artillery"},
		{"5 Nbw", "ART", "5 Nbw ART"},
		{"nameless", "", "nameless"},
	} {
		if got := label(&view.Unit{Name: c.name, Type: c.kind}); got != c.want {
			t.Errorf("%q of type %q: %q", c.name, c.kind, got)
		}
	}
}

func TestStrengthAndSupplyInWords(t *testing.T) {
	for _, c := range []struct {
		u                view.Unit
		strength, supply string
	}{
		{view.Unit{Attack: 4, Defence: 4}, "4", "in"},
		{view.Unit{Attack: 6, Defence: 5, OutOfSupply: 2}, "6/5", "OUT 2"},
		{view.Unit{Attack: 0, Defence: 1, OutOfSupply: 1, Supply: "isolated"}, "0/1", "isolated"},
		{view.Unit{Attack: 1, Range: 4, Support: 3, Supply: "unused"}, "3 guns, range 4", "in"},
		{view.Unit{Attack: 5, Defence: 7, Full: "9/7", OutOfSupply: 1, Supply: "Low Supply"}, "5/7 (full 9/7)", "Low Supply"},
		{view.Unit{Range: 6, Full: "2 guns", OutOfSupply: 2, Supply: "Out of Supply"}, "0 guns, range 6 (full 2 guns)", "Out of Supply"},
	} {
		if got := strength(&c.u); got != c.strength {
			t.Errorf("strength of %+v: %q", c.u, got)
		}
		if got := supply(&c.u); got != c.supply {
			t.Errorf("supply of %+v: %q", c.u, got)
		}
	}
}

func TestFormationsInTheOrderOfTheirFirstUnit(t *testing.T) {
	us := []*view.Unit{
		{Name: "1", Formation: "B", Hex: 101, Attack: 3, Defence: 3, Moves: 5},
		{Name: "2", Hex: 102, Attack: 1, Defence: 2, Moves: 6, Gun: "transport"},
		{Name: "3", Formation: "A", Hex: 103, Attack: 2, Defence: 2, Moves: 7, Gun: "firing"},
		{Name: "4", Formation: "B", Type: "INF", Attack: 2, Defence: 2, Moves: 5},
	}
	want := []group{
		{"B", []string{"1 0101 3-5", "4 INF beside the map 2-5"}},
		{"independent", []string{"2 0102 1/2-6 limbered"}},
		{"A", []string{"3 0103 2-7"}},
	}
	if got := formations(us); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if got := formations(nil); got != nil {
		t.Errorf("of nothing: %+v", got)
	}
}

func TestSightingsInWords(t *testing.T) {
	inf := view.Sight{Nation: "Soviet", Type: "INF", Steps: 2}
	for _, c := range []struct {
		stack view.Stack
		want  string
	}{
		{view.Stack{}, "unknown"},
		{view.Stack{Fort: "IF"}, "unknown, in IF"},
		{view.Stack{Units: []view.Sight{inf}}, "1 INF (2 steps)"},
		{view.Stack{Units: []view.Sight{inf, {Type: "ARM"}, inf}, Fort: "FF"}, "2 INF (2 steps each), 1 ARM, in FF"},
		{view.Stack{Units: []view.Sight{{Type: "CAV", Steps: 1}, {Type: "CAV", Steps: 1}}}, "2 CAV (1 step each)"},
		{view.Stack{Units: []view.Sight{inf, {Nation: "Polish", Type: "INF", Steps: 2}}}, "1 INF (2 steps), 1 INF (2 steps)"},
		{view.Stack{Units: []view.Sight{{Name: "5 Gds INF", Type: "INF"}}}, "5 Gds INF"},
		{view.Stack{Units: []view.Sight{{Name: "5 Gds", Type: "INF", Values: "5/6-5", Steps: 1, OutOfSupply: 1}}},
			"5 Gds INF 5/6-5 (1 step, out of supply)"},
		{view.Stack{Units: []view.Sight{inf, {Name: "HQ", Type: "HQ", OutOfSupply: 2}}}, "HQ (out of supply), 1 INF (2 steps)"},
	} {
		if got := sighting(&c.stack); got != c.want {
			t.Errorf("%+v: %q, want %q", c.stack, got, c.want)
		}
	}
}

func TestArrivalsByDateAndTheReadyOnesFirst(t *testing.T) {
	v := &view.View{Arrivals: []view.Unit{
		{Name: "some day", Attack: 1, Defence: 1, Moves: 5},
		{Name: "late", Attack: 1, Defence: 1, Moves: 5, Due: "20 May", Turn: 9},
		{Name: "early", Attack: 1, Defence: 2, Moves: 5, Due: "15 May", Turn: 4, Entry: []string{"A", "0101"}},
		{Name: "waiting", Attack: 1, Defence: 1, Moves: 5, Due: "12 May", Turn: 1, Ready: true, Note: "by rail"},
		{Name: "also late", Attack: 1, Defence: 1, Moves: 5, Due: "20 May", Turn: 9},
		{Name: "condition", Attack: 1, Defence: 1, Moves: 5, Due: "if Kiev falls"},
	}}
	want := []group{
		{"now", []string{"waiting 1-5 (by rail)"}},
		{"15 May", []string{"early 1/2-5 at A or 0101"}},
		{"20 May", []string{"late 1-5", "also late 1-5"}},
		{"later", []string{"some day 1-5"}},
		{"if Kiev falls", []string{"condition 1-5"}},
	}
	if got := coming(v); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if v.Arrivals[0].Name != "some day" {
		t.Error("the arrivals of the view are in another order than before")
	}
}

func TestLinesOfTheHead(t *testing.T) {
	v := &view.View{
		Score: []view.Score{{Side: "SOVIET", Points: 3}, {Side: "GERMAN", Points: 10, Note: "needs 12"}},
		Assets: []view.Asset{{Kind: "ammunition units", Count: 3, Hex: 204}, {Kind: "replacements", Count: 1},
			{Kind: "surprise", Count: 1, Left: 1}, {Kind: "delay", Count: 2, Left: 2}},
		Facts: []view.Fact{{Name: "weather", Text: "rain"}, {Name: "ground", Text: "mud"}},
		Air: &view.Air{Phases: []view.AirPhase{
			{Turn: 3, Phase: 7, Date: "14 May", Strength: []view.Score{{Side: "SOVIET", Points: 6}, {Side: "GERMAN", Points: 4}}, Left: 1},
			{Turn: 3, Phase: 9, Date: "14 May, later", Left: 9},
			{Turn: 4, Date: "15 May", Strength: []view.Score{{Side: "SOVIET", Points: 5}}, Left: 5, Ready: []string{"A", "B"}, Choice: 1}}},
	}
	for _, c := range []struct{ got, want string }{
		{scores(v), "Soviet 3, German 10 (needs 12)"},
		{assets(v), "3 ammunition units in 0204; 1 replacements; 1 surprise (for 1 phase more); 2 delay (for 2 phases more)"},
		{facts(v), "Weather: rain. Ground: mud."},
		{strings.Join(crowds(&view.View{Crowded: []view.Crowd{{Hex: 613, Steps: 9, MayStay: 9}, {Hex: 1704, Steps: 10, MayStay: 8, Loses: []string{"A", "B"}}}}), "; "),
			"0613 holds 9 steps, as the set-up has it: they may stay, and nobody may come in; 1704 holds 10 steps, 8 may stay: unless a unit leaves it in your movement a step is lost by A, B"},
		{airStrength(v), "14 May: Soviet 6, German 4; you have 1 left. 15 May: Soviet 5; you have 5 left, in 1 counter of A, B"},
		{airStrength(&view.View{}), ""},
		{count(0, "step") + count(1, "step") + count(2, "step"), "0 steps1 step2 steps"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestProperNamesOfSides(t *testing.T) {
	for side, want := range map[string]string{"GERMAN": "German", "German SS": "German SS", "A": "A", "": "", "nobody": "nobody", "US": "Us"} {
		if got := proper(side); got != want {
			t.Errorf("%q is spelled %q", side, got)
		}
	}
}

func TestWhoHoldsThePlaces(t *testing.T) {
	v := &view.View{Objectives: []view.Objective{
		{Hex: 101, Name: "Lipcy", Owner: "GERMAN", Points: 1},
		{Hex: 201, Name: "Kharkov", Owner: "SOVIET", Points: 2},
		{Hex: 202, Name: "Kharkov", Owner: "GERMAN", Points: 1},
		{Hex: 203, Name: "Kharkov", Owner: "SOVIET", Points: 2},
		{Hex: 301, Name: "Izjum"},
		{Hex: 302, Name: "Merefa", Owner: "SOVIET"},
		{Hex: 303, Name: "Merefa", Owner: "SOVIET"},
	}}
	want := []group{
		{"GERMAN", []string{"Lipcy (1)", "Kharkov 1 of 3 (1)"}},
		{"SOVIET", []string{"Kharkov 2 of 3 (4)", "Merefa"}},
		{"nobody", []string{"Izjum"}},
	}
	if got := places(v); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

func TestContactsAreBesideTheEnemy(t *testing.T) {
	v := situation(t)
	v.Units = []view.Unit{{Hex: 302}, {Hex: 604}, {Hex: 302}}
	v.Enemy = []view.Stack{{Hex: 301}, {Hex: 401}, {Hex: 101}}
	if got := contacts(v); len(got) != 1 || !got[302] {
		t.Errorf("in contact: %v", got)
	}
	beside := besideUs(v)
	for _, n := range v.Board.Grid.Neighbours(302) {
		if !beside[n] {
			t.Errorf("%v lies beside 0302", n)
		}
	}
	if beside[302] || beside[101] {
		t.Errorf("beside: %v", beside)
	}
	if v.Board = nil; len(contacts(v))+len(besideUs(v)) != 0 {
		t.Error("without a map nothing lies beside anything")
	}
}

func TestAgeOfAContact(t *testing.T) {
	v := situation(t)
	beside := besideUs(v)
	for _, c := range []struct {
		stack view.Stack
		want  string
	}{
		{view.Stack{Hex: 301, Closer: true, Seen: "13 May"}, "in contact now"},
		{view.Stack{Hex: 101, Closer: true}, "in sight now"},
		{view.Stack{Hex: 301, Seen: "13 May"}, "seen 13 May"},
		{view.Stack{Hex: 301}, "seen earlier"},
	} {
		if got := seen(&c.stack, beside); got != c.want {
			t.Errorf("%+v: %q", c.stack, got)
		}
	}
}

func TestPresentContactsComeFirst(t *testing.T) {
	inf := []view.Sight{{Type: "INF"}}
	v := &view.View{Enemy: []view.Stack{{Hex: 501}, {Hex: 101, Units: inf}, {Hex: 201, Units: inf, Closer: true}, {Hex: 103, Closer: true},
		{Hex: 102, Units: inf}, {Hex: 202, Units: inf, Closer: true}}}
	known, blank := reported(v)
	var at []string
	for _, s := range known {
		at = append(at, s.Hex.String())
	}
	for _, h := range blank {
		at = append(at, "unknown "+h.String())
	}
	if got := strings.Join(at, ", "); got != "0201, 0202, 0101, 0102, unknown 0103, unknown 0501" {
		t.Error(got)
	}
}

// Low Supply is not Out of Supply: the two are told apart wherever a unit is named.
func TestStatesOfSupplyAreToldApart(t *testing.T) {
	for _, c := range []struct {
		supply      string
		state, seen string
	}{
		{"", "out of supply", "4G TC ARM 5/7-8 (full 9/7, 2 steps, out of supply)"},
		{"Low Supply", "low supply", "4G TC ARM 5/7-8 (full 9/7, 2 steps, low supply)"},
		{"Out of Supply", "out of supply", "4G TC ARM 5/7-8 (full 9/7, 2 steps, out of supply)"},
	} {
		u := view.Unit{OutOfSupply: 1, Supply: c.supply}
		if got := strings.Join(plight(&u), ", "); got != c.state {
			t.Errorf("%q: the unit is %q", c.supply, got)
		}
		x := view.Sight{Name: "4G TC", Type: "ARM", Values: "5/7-8", Full: "9/7", Steps: 2, OutOfSupply: 1, Supply: c.supply}
		if got := identified(x); got != c.seen {
			t.Errorf("%q: the enemy is %q", c.supply, got)
		}
	}
}
