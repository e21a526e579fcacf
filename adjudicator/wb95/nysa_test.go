package wb95

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/orders"
	"fieldpost/scenarios"
)

// built loads a built-in scenario.
func built(t testing.TB, id string) *Scenario {
	t.Helper()
	p, err := scenarios.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	sc, err := Load(p)
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

// The frame of both scenarios as the book's notes give it.
func TestNysaSaysWhatTheBookSays(t *testing.T) {
	for _, w := range []struct {
		id                     string
		sides                  [2]Side
		turns, year, month, at int
		units, placed, later   map[string]int // by the beginning of the id
		over                   int            // stacks over the limit
	}{
		{"nysa-1945", [2]Side{"SOVIET", "GERMAN"}, 17, 1945, 4, 16, map[string]int{"ger": 140, "sov": 143, "ame": 22}, map[string]int{"ger": 79, "sov": 130}, map[string]int{"ger": 61, "sov": 13, "ame": 22}, 8},
		{"two-stars", [2]Side{"AMERICAN", "SOVIET"}, 16, 1945, 4, 30, map[string]int{"ger": 74, "sov": 104, "ame": 37}, map[string]int{"ger": 74, "sov": 104, "ame": 37}, map[string]int{}, 2},
	} {
		sc := built(t, w.id)
		if sc.Sides != w.sides || sc.Turns != w.turns || sc.Year != w.year || sc.Month != w.month || sc.Day != w.at {
			t.Errorf("%s: sides %v, %d turns from %d-%d-%d", w.id, sc.Sides, sc.Turns, sc.Year, sc.Month, sc.Day)
		}
		units, placed, later := map[string]int{}, map[string]int{}, map[string]int{}
		for _, c := range sc.Counters {
			units[c.ID[:3]]++
		}
		for _, p := range sc.Setup {
			placed[p.Counter[:3]]++
		}
		for _, a := range sc.Arrivals {
			later[a.Counter[:3]]++
		}
		for _, k := range []string{"ger", "sov", "ame"} {
			if units[k] != w.units[k] || placed[k] != w.placed[k] || later[k] != w.later[k] {
				t.Errorf("%s %s: %d units, %d placed, %d later", w.id, k, units[k], placed[k], later[k])
			}
		}
		if len(sc.Warnings) != w.over {
			t.Errorf("%s: %q", w.id, sc.Warnings)
		}
		if sc.Profile.Book != "NY" || sc.Profile.FieldElse != 2 || !slices.Equal(sc.Profile.SideRoadFor, []Class{Foot, Tracked}) {
			t.Errorf("%s: profile %+v", w.id, sc.Profile)
		}
		if r := sc.terrainOf("big river"); !r.Big || r.CM != 3 || r.Cost[Foot] != 2*One || r.Cost[Tracked] != 3*One {
			t.Errorf("big river: %+v", r)
		}
		if m := sc.terrainOf("motorway"); m.Cost[Trucked] != 3 || m.Cost[Tracked] != 4 || m.Cost[Foot] != 6 {
			t.Errorf("motorway: %+v", m)
		}
		for h, want := range map[hex.Hex][3]Cost{4008: {2 * One, 2 * One, 2 * One}, 4114: {One, One, One}, 3604: {2 * One, Closed, Closed}, 2229: {Closed, Closed, Closed}} {
			for row, price := range want {
				if got := sc.groundPrice(row, h); got != price {
					t.Errorf("%v %v costs row %d %v, not %v", h, sc.Board.Kinds(h), row, got, price)
				}
			}
		}
	}
}

// Entries of the book's lists, read by hand: twenty and more of each scenario.
func TestNysaPlacements(t *testing.T) {
	type place struct {
		id    string
		at    hex.Hex
		fort  FortKind
		steps int
	}
	for id, list := range map[string][]place{
		"nysa-1945": {
			{"ger-vs-1", 4204, FF, 2}, {"ger-vs-7", 2800, FF, 2}, {"ger-691-p-panc", 5000, FF, 2}, {"ger-2-flak", 4329, FF, 2}, {"ger-4-flak", 4008, FF, 2},
			{"ger-hq-v", 4107, FF, 1}, {"ger-90-36-ss", 4802, FF, 2}, {"ger-687-342", 4808, FF, 2}, {"ger-art-v", 4508, FF, 1}, {"ger-schultze", 4114, FF, 2},
			{"ger-hq-gd", 3819, FF, 1}, {"ger-c-545", 5016, FF, 2}, {"ger-b-615", 5418, FF, 2}, {"ger-687-sap", 5719, FF, 2}, {"ger-gross", 4622, FF, 2},
			{"ger-art-br", 5425, FF, 2}, {"ger-1244-inf", 5924, FF, 2}, {"ger-266-72", 6226, FF, 2}, {"ger-37-6", 6427, FF, 2}, {"ger-a-464", 919, FF, 2}, {"ger-c-193", 1829, FF, 2},
			{"sov-7-i-cav-g", 6421, "", 2}, {"sov-hq-2-pol", 6119, "", 1}, {"sov-27-10-pol", 5717, "", 2}, {"sov-b-art", 6021, "", 1}, {"sov-57-vii-mech", 6322, "", 2},
			{"sov-111-inf", 6426, "", 2}, {"sov-hq-5a", 5314, "", 1}, {"sov-3-iv-arm-g", 5415, "", 2}, {"sov-15-inf-g", 5216, "", 2}, {"sov-68-arm-b", 6115, "", 2},
			{"sov-63-x-arm-g", 6315, "", 2}, {"sov-29-arm-r", 6015, "", 2}, {"sov-16-arm-br-3ag", 5905, "", 2}, {"sov-art-panc-vii-arm-g", 6306, "", 2}, {"sov-175-xxv-arm", 5304, "", 2},
			{"sov-389-inf", 5100, "", 2}, {"sov-58-inf-g-3a", 5007, "", 2}, {"sov-58-inf-g-5a", 5114, "", 2}, {"sov-88-arm-r", 5609, "", 2}, {"sov-350-inf", 5211, "", 2},
		},
		"two-stars": {
			{"ger-chemnitz", 2434, FF, 2}, {"ger-2-2-ss", 2631, FF, 1}, {"ger-art-2-ss", 2832, FF, 1}, {"ger-hq-iv", 3432, FF, 1}, {"ger-wlasow", 3730, FF, 2},
			{"ger-489-269", 4329, FF, 2}, {"ger-1057-344", 4529, FF, 1}, {"ger-1059-344", 4927, FF, 2}, {"ger-art-1hg", 5030, FF, 1}, {"ger-panc-br", 5326, FF, 2},
			{"ger-112-20-arm", 4932, FF, 1}, {"ger-105-72", 6226, FF, 2}, {"ger-266-72", 6427, FF, 2}, {"ger-hq-v", 3600, FF, 1}, {"ger-192-21-arm", 2900, FF, 2}, {"ger-c-545", 2900, FF, 2},
			{"ger-3-35-ss", 5000, FF, 2}, {"ger-89-36-ss", 4104, FF, 1},
			{"ame-271-69", 111, FF, 2}, {"ame-309-78", 919, FF, 2}, {"ame-413-104", 1728, FF, 2},
			{"sov-1-i-cav-g", 4722, FF, 1}, {"sov-7-i-cav-g", 4722, FF, 2}, {"sov-48-inf-g", 5823, FF, 2}, {"sov-152-inf", 6426, FF, 2}, {"sov-24-vii-mech", 4526, FF, 1},
			{"sov-213-inf", 4128, FF, 1}, {"sov-337-inf", 4328, FF, 2}, {"sov-a-art", 3525, FF, 1}, {"sov-1-i-arm", 3426, FF, 1}, {"sov-26-9-pol", 3928, FF, 1},
			{"sov-33-art-5a", 2426, FF, 1}, {"sov-78-inf-g", 1924, FF, 2}, {"sov-117-inf-g", 1118, FF, 2}, {"sov-350-inf", 515, FF, 2}, {"sov-121-inf", 210, FF, 2},
			{"sov-111-xxv-arm", 4107, FF, 2}, {"sov-120-art-3a", 3504, FF, 1}, {"sov-58-inf-g-3a", 4203, FF, 2}, {"sov-287-inf", 700, FF, 2},
		},
	} {
		s := built(t, id).opening()
		for _, w := range list {
			u := s.unit(w.id)
			if u == nil {
				t.Errorf("%s: no unit %s", id, w.id)
				continue
			}
			var kind FortKind
			if f := s.fort(w.at); f != nil {
				kind = f.Kind
			}
			if u.Where != OnMap || u.Hex != w.at || kind != w.fort || u.Steps != w.steps {
				t.Errorf("%s %s: %s %v %q, %d steps; want %v %q, %d", id, w.id, u.Where, u.Hex, kind, u.Steps, w.at, w.fort, w.steps)
			}
		}
	}
}

func TestNysaReinforcements(t *testing.T) {
	sc := built(t, "nysa-1945")
	for _, w := range []struct {
		id    string
		turn  int
		entry string
		when  string
	}{
		{"ger-91-36-ss", 2, "D", ""}, {"ger-1-35-ss", 3, "D", ""}, {"ger-984-275", 3, "E", ""}, {"ger-art-10-ss", 3, "F", ""}, {"ger-58-6", 3, "X", ""},
		{"ger-1059-344", 4, "X W", ""}, {"ger-300-bdz-szt", 4, "X", ""}, {"ger-21-20-arm", 4, "W U Y", ""}, {"ger-489-269", 5, "W U Y", ""}, {"ger-1-bp-panc", 5, "E", ""},
		{"ger-hq-jollase", 5, "F", ""}, {"ger-freie-ukraine", 6, "Y", ""}, {"ger-102-fb", 6, "F", ""}, {"ger-55-17", 7, "X", ""}, {"ger-2-2-ss", 10, "P", ""},
		{"ger-hq-hg", 11, "F", ""}, {"ger-hq-kohlsdorfen", 11, "P", ""}, {"ger-1601-600", 12, "F", ""}, {"sov-337-inf", 2, "C", ""},
		{"sov-130-inf", 0, "C D", "nysa"}, {"ame-273-69", 10, "K L", ""}, {"ame-310-78", 10, "K L", ""}, {"ger-hq-iv", 0, "TOWN", "headquarters"},
	} {
		a := sc.arrival(w.id)
		if a.Turn != w.turn || strings.Join(a.Entry, " ") != w.entry || a.When != w.when {
			t.Errorf("%s arrives %+v, want %+v", w.id, a, w)
		}
	}
	if air := sc.Air["SOVIET"]; air[0] != 30 || air[1] != 20 || air[2] != 10 || air[3] != 0 {
		t.Errorf("Soviet air strength %v", air)
	}
	if air := built(t, "two-stars").Air["AMERICAN"]; air[0] != 30 || air[4] != 15 || air[5] != 28 || air[15] != 22 {
		t.Errorf("Allied air strength %v", air)
	}
}

// Who has no line of supply at the start: nobody.
func TestNysaSupplyAtTheStart(t *testing.T) {
	for _, id := range []string{"nysa-1945", "two-stars"} {
		s := built(t, id).opening()
		for _, side := range s.sc.Sides {
			l := s.linesOfSupply(side)
			for _, u := range s.onMap(side) {
				if !l.reaches(u) {
					t.Errorf("%s: no line to %s on %v", id, u.c.Name, u.Hex)
				}
			}
		}
	}
}

// Every name can be typed, upper and lower case alike, and means one unit.
func TestNysaNamesAreOrders(t *testing.T) {
	for _, id := range []string{"nysa-1945", "two-stars"} {
		s := built(t, id).opening()
		for i := range s.Units {
			u := &s.Units[i]
			o, err := orders.ParseOrder(u.c.Name)
			if err != nil {
				t.Errorf("%s: %v", u.c.Name, err)
				continue
			}
			var all []orders.Word
			for _, c := range o.Clauses {
				all = append(all, c...)
			}
			if got, v := s.units(u.c.Side, all); v != nil || len(got) != 1 || got[0] != u {
				t.Errorf("%s: %q means %d units, %+v", id, u.c.Name, len(got), v)
			}
		}
	}
}

func TestNysaMap(t *testing.T) {
	sc := built(t, "nysa-1945")
	b := sc.Board
	for _, r := range b.Roads {
		for i := 1; i < len(r.Path); i++ {
			if e := hex.Between(r.Path[i-1], r.Path[i]); b.River(e) != "" && !b.Bridge(e) {
				t.Errorf("%s crosses the %s on %v without a bridge", r.Name, b.River(e), e)
			}
		}
	}
	s := sc.opening()
	for _, br := range s.Bridges {
		nysa := slices.ContainsFunc(b.Rivers, func(r board.River) bool { return r.Name == "Nysa" && slices.Contains(r.Edges, br.Edge) })
		if br.Stands == nysa {
			t.Errorf("bridge %v stands: %v", br.Edge, br.Stands)
		}
	}
	if len(sc.Broken) == 0 || len(built(t, "two-stars").Broken) != 0 {
		t.Errorf("%d bridges are down", len(sc.Broken))
	}
	west := sc.condition("nysa").Hexes
	for i := range s.Units {
		u := &s.Units[i]
		if u.Where == OnMap && u.c.Side == "SOVIET" && slices.Contains(west, u.Hex) {
			t.Errorf("%s begins west of the Nysa, on %v", u.c.Name, u.Hex)
		}
	}
	for name, at := range map[string]hex.Hex{"GORLITZ": 5828, "görlitz": 5828, "Cottbus": 4008, "Dresden": 2333, "Lübben": 2800, "Meissen": 1729} {
		if p := b.Named(name); p == nil || p.Hexes[0] != at {
			t.Errorf("%s is %+v", name, p)
		}
	}
	for h, side := range map[hex.Hex]Side{5828: "GERMAN", 4808: "GERMAN", 6126: "GERMAN", 6425: "SOVIET", 5706: "SOVIET", 2333: "GERMAN"} {
		if got := s.controller(h); got != side {
			t.Errorf("%v begins with %q", h, got)
		}
	}
	st := built(t, "two-stars").opening()
	for h, side := range map[hex.Hex]Side{415: "AMERICAN", 4107: "SOVIET", 4329: "AMERICAN", 2800: "SOVIET"} {
		if got := st.controller(h); got != side {
			t.Errorf("Two Stars: %v begins with %q", h, got)
		}
	}
}

// 28 Army comes for the units of 52 Army that have crossed (the book's example: two
// divisions and the guns of an army call up as many).
func TestCrossingCallsUp28Army(t *testing.T) {
	s := built(t, "nysa-1945").opening()
	may := func() (inf, art, hq int) {
		for i := range s.Units {
			if u := &s.Units[i]; u.c.Formation == "28 Army" && u.Where == Later && s.mayArrive(u) {
				switch u.c.Type {
				case INF:
					inf++
				case ART:
					art++
				case HQ:
					hq++
				}
			}
		}
		return
	}
	if inf, art, hq := may(); inf+art+hq != 0 {
		t.Errorf("at the start %d, %d and %d may come", inf, art, hq)
	}
	for _, id := range []string{"sov-254-inf", "sov-50-inf", "sov-1-art-52a"} {
		u := s.unit(id)
		u.Hex = 5722
	}
	s.index()
	s.openArrivals(nil)
	if inf, art, hq := may(); inf != 7 || art != 3 || hq != 1 {
		t.Errorf("after the crossing %d divisions, %d guns, %d headquarters may come", inf, art, hq)
	}
	for _, id := range []string{"sov-48-inf-g", "sov-20-inf", "sov-20-art-28a"} {
		s.unit(id).Where, s.unit(id).Hex = OnMap, 6404
	}
	s.index()
	if inf, art, hq := may(); inf != 0 || art != 0 || hq != 1 {
		t.Errorf("after as many have come %d, %d and %d may", inf, art, hq)
	}
}

func TestGradesOfNysa(t *testing.T) {
	s := built(t, "nysa-1945").opening()
	if a, b := s.points("SOVIET"), s.points("GERMAN"); a != 8 || b != 78 {
		t.Errorf("towns at the start: %d to %d", a, b)
	}
	for _, w := range []struct {
		soviet, german int
		winner         Side
		verdict        string
	}{
		{43, 43, "GERMAN", "victory of Germans: 43 points to 43"}, {20, 60, "GERMAN", "victory of Germans: 60 points to 20"},
		{44, 43, "SOVIET", "minimal victory of Soviets: 44 points to 43"}, {53, 43, "SOVIET", "minimal victory"}, {54, 43, "SOVIET", "small victory"},
		{59, 43, "SOVIET", "small victory"}, {60, 43, "SOVIET", "medium victory"}, {66, 43, "SOVIET", "significant victory"},
		{73, 43, "SOVIET", "significant victory"}, {74, 43, "SOVIET", "total victory"},
	} {
		winner, verdict := s.gradedByLead(tally{"SOVIET", w.soviet}, tally{"GERMAN", w.german})
		if winner != w.winner || !strings.HasPrefix(verdict, w.verdict) {
			t.Errorf("%d to %d: %s, %q", w.soviet, w.german, winner, verdict)
		}
	}
}

// The book's examples of the columns, and the rest of the schedule.
func TestPointsOfTwoStars(t *testing.T) {
	s := built(t, "two-stars").opening()
	hits := func(side Side, kind string) (n int) {
		for i := range s.sc.Awards {
			if a := &s.sc.Awards[i]; a.Side == side && a.Kind == kind {
				n += s.scorer().hits(a, side) * a.Points
			}
		}
		return n
	}
	for col, want := range map[int][2]int{26: {25, 9}, 38: {13, 21}, 31: {20, 14}, 28: {23, 11}, 60: {0, 43}} {
		u := s.unit("ame-413-104")
		u.Hex = hex.New(col, 20)
		s.index()
		if got := [2]int{hits("SOVIET", awardWest), hits("AMERICAN", awardEast)}; got != want {
			t.Errorf("Americans in column %d: %v, want %v", col, got, want)
		}
	}
	s = built(t, "two-stars").opening()
	if got := hits("SOVIET", awardWest); got != 34 {
		t.Errorf("at the start: %d", got)
	}
	if got := hits("AMERICAN", awardClosed) + hits("AMERICAN", awardHold); got != 28 {
		t.Errorf("south edge and Dresden: %d", got)
	}
	for _, id := range []string{"ger-wlasow", "ame-271-69", "sov-213-inf", "sov-26-9-pol"} {
		s.unit(id).Where = Gone
	}
	s.index()
	if a, b := hits("AMERICAN", awardLost), hits("SOVIET", awardLost); a != 3 || b != 3 {
		t.Errorf("lost units: %d for the Allies, %d for the Soviets", a, b)
	}
	s.unit("sov-213-inf").Where, s.unit("sov-213-inf").Hex = OnMap, 4436
	s.index()
	s.setController(map[hex.Hex]Side{5236: "SOVIET", 2333: "SOVIET"})
	if got := hits("SOVIET", awardOccupy); got != 20 {
		t.Errorf("a hex of Czechoslovakia: %d", got)
	}
	if got := hits("AMERICAN", awardClosed) + hits("AMERICAN", awardHold); got != 0 {
		t.Errorf("south edge reached and Dresden lost: %d", got)
	}
	full := 0
	for _, o := range s.sc.Objectives {
		if s.counts(o, "AMERICAN") {
			full += o.Points
		}
	}
	if got := s.points("AMERICAN"); got != (full+s.scorer().awarded("AMERICAN"))/2 {
		t.Errorf("one player for two armies has %d of %d points", got, full+s.scorer().awarded("AMERICAN"))
	}
}

// Faults of the newer keys are told with their place.
func TestFaultsOfTheSchedule(t *testing.T) {
	const n, two = "nysa-1945", "two-stars"
	for _, c := range []struct{ id, from, to, want string }{
		{n, `destroyed_over = ["Nysa"]`, `destroyed_over = ["Nisa"]`, `no river "Nisa"`},
		{n, `zones = ["K", "L"]`, `zones = ["K", "Q1"]`, `no zone "Q1"`},
		{n, `commands = ["AMERICAN"]`, `commands = []`, `"AMERICAN" is not a side of the scenario`},
		{n, `kind = "exit"`, `kind = "exile"`, `"exile" is neither`},
		{n, `text = "total victory"`, `text = ""`, `a scale needs`},
		{n, `nation = "American"`, `nation = "Martian"`, `"Martian" has no line in system.toml`},
		{two, `kind = "hold"`, `kind = "kept"`, `"kept" is not a kind of award`},
		{two, `edge = "south"`, `edge = "down"`, `"down" is not an edge of the map`},
		{two, `no_arrivals = true`, `no_arrivals = false`, `arrivals.tsv`},
	} {
		p, err := scenarios.Open(c.id)
		if err != nil {
			t.Fatal(err)
		}
		path, text, err := p.Read("scenario.toml")
		if err != nil || !strings.Contains(string(text), c.from) {
			t.Fatalf("%s does not hold %q, %v", c.id, c.from, err)
		}
		over := fstest.MapFS{strings.TrimPrefix(path, "scenarios/"): {Data: []byte(strings.Replace(string(text), c.from, c.to, 1))}}
		if p, err = scenarios.OpenDir(over, c.id); err == nil {
			_, err = Load(p)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q gives %.300v", c.id, c.to, err)
		}
	}
}

// The Americans can come to Nysa, and are supplied from where they come.
func TestAmericansComeToNysa(t *testing.T) {
	s := built(t, "nysa-1945").opening()
	s.Turn, s.Phase = 10, 3
	r := referee{answers: map[string]string{kindMove: "273/69 ENTER K TO 0212\n271/69 ENTER L"}}
	s, _ = r.play(t, s, movementPhase)
	u := s.unit("ame-273-69")
	if u.Where != OnMap || u.Hex != 212 {
		t.Fatalf("%s %v", u.Where, u.Hex)
	}
	if s.unit("ame-271-69").Where != Later {
		t.Error("one regiment comes a day, whichever it is")
	}
	if !s.linesOfSupply("SOVIET").reaches(u) {
		t.Error("the Americans have no line of supply")
	}
	if own := s.linesOfSupply("SOVIET").apart["Soviet"]; own == nil || own.first[s.sc.Board.Grid.Index(111)] {
		t.Error("the Soviets are supplied by the Americans' zones")
	}
}
