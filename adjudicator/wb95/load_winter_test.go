package wb95

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"fieldpost/adjudicator/hex"
	"fieldpost/scenarios"
)

// winter loads one of the scenarios of 1943.
func winter(t testing.TB, id string) *Scenario {
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

func TestWinterSaysWhatTheBookSays(t *testing.T) {
	kharkov := []hex.Hex{1813, 1814, 1815, 1913, 1914, 1915, 2014}
	both := append(slices.Clone(kharkov), 303, 304)
	for _, w := range []struct {
		id                string
		month, day, turns int
		count             map[Side]int
		setup, arrivals   int
		objectives        []hex.Hex
		german, soviet    []int // air strengths
		warnings          []string
	}{
		{"kharkov-1943", 2, 24, 22, map[Side]int{"GERMAN": 78, "SOVIET": 83}, 130, 31,
			[]hex.Hex{6101, 6102, 4804, 2915, 2609, 718, 2319, 1820, 3413, 2104, 1410, 713},
			[]int{8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 10, 10, 10, 10, 9, 9, 9, 9, 8, 8, 8, 8},
			append([]int{3, 3, 3}, slices.Repeat([]int{2}, 19)...), []string{"9 steps begin on 6303, the limit is 8"}},
		{"black-snow", 3, 5, 17, map[Side]int{"GERMAN": 85, "SOVIET": 64}, 118, 31,
			append(slices.Clone(both), 2815, 2915, 2609, 132, 133, 713, 824, 825, 2104),
			[]int{9, 10, 10, 10, 10, 9, 9, 9, 9, 8, 8, 8, 8, 7, 7, 7, 7}, slices.Repeat([]int{2}, 17), nil},
	} {
		sc := winter(t, w.id)
		if sc.Sides != [2]Side{"GERMAN", "SOVIET"} || sc.Year != 1943 || sc.Month != w.month || sc.Day != w.day || sc.Turns != w.turns {
			t.Errorf("%s: sides %v, %d turns from %d-%d-%d", w.id, sc.Sides, sc.Turns, sc.Year, sc.Month, sc.Day)
		}
		count := map[Side]int{}
		for _, c := range sc.Counters {
			count[c.Side]++
		}
		if !maps.Equal(count, w.count) || len(sc.Setup) != w.setup || len(sc.Arrivals) != w.arrivals {
			t.Errorf("%s: counters %v, %d placements, %d arrivals", w.id, count, len(sc.Setup), len(sc.Arrivals))
		}
		var points []hex.Hex
		for _, o := range sc.Objectives {
			points = append(points, o.Hex)
			if o.Points != 1 || o.Name == o.Hex.String() {
				t.Errorf("%s: objective %+v", w.id, o)
			}
		}
		if !slices.Equal(points, w.objectives) {
			t.Errorf("%s: tactical victory for %v", w.id, points)
		}
		if g := sc.Strategic[0]; g.Side != "GERMAN" || g.Kind != "hold" || g.When != "moment" || g.Count != 9 || !slices.Equal(g.Hexes, both) {
			t.Errorf("%s: German strategic victory %+v", w.id, g)
		}
		if s := sc.Strategic[1]; s.Side != "SOVIET" || s.Kind != "hold" || s.When != "end" || s.Count != 11 || !slices.Equal(s.Hexes, append(slices.Clone(both), 4804, 4904)) {
			t.Errorf("%s: Soviet strategic victory %+v", w.id, s)
		}
		if g, s := sc.Supply["GERMAN"], sc.Supply["SOVIET"]; !slices.Equal(g.Edges, []string{"west", "south"}) || g.Places != nil ||
			!slices.Equal(s.Edges, []string{"east"}) || !slices.Equal(s.Places, []string{"Kharkov"}) {
			t.Errorf("%s: supply %+v, %+v", w.id, g, s)
		}
		if !slices.Equal(sc.Air["GERMAN"], w.german) || !slices.Equal(sc.Air["SOVIET"], w.soviet) {
			t.Errorf("%s: air strengths %v", w.id, sc.Air)
		}
		if clear := sc.terrainOf("clear"); clear.Cost[Trucked] != 36 || sc.terrainOf("swamp").Half {
			t.Errorf("%s: not the winter table: %+v", w.id, clear)
		}
		if !slices.Equal(sc.Warnings, w.warnings) {
			t.Errorf("%s: warnings %q", w.id, sc.Warnings)
		}
		if len(sc.Unplayed) != len(kharkov1942Unplayed(t)) {
			t.Errorf("%s: not played yet: %q", w.id, sc.Unplayed)
		}
	}
}

// kharkov1942Unplayed is what no scenario of the map plays yet.
func kharkov1942Unplayed(t testing.TB) []string { return kharkov(t).Unplayed }

// placed is a line of the book's set-up, read by hand.
type placed struct {
	id    string
	at    hex.Hex
	steps int
}

func TestWinterPlacements(t *testing.T) {
	for id, list := range map[string][]placed{
		"kharkov-1943": {
			{"ger-228-stug", 6303, 2}, {"ger-681-333", 6409, 2}, {"ger-25-7-arm", 6214, 2}, {"ger-art-xxxx", 6414, 1},
			{"ger-39-17-arm", 6420, 2}, {"ger-hq-xxxxviii", 6423, 1}, {"ger-11-6-arm", 6326, 2}, {"ger-106-15", 5734, 2},
			{"ger-d-2-ss", 5830, 2}, {"ger-203-stug", 5732, 2}, {"ger-hq-ii-ss", 3032, 1}, {"ger-at-flak", 3131, 1},
			{"ger-11-ss", 3132, 1}, {"ger-586-320", 2125, 2}, {"ger-thule-3-ss", 1829, 2}, {"ger-hq-raus", 1732, 1},
			{"ger-315-167", 1431, 1}, {"ger-339-167", 934, 2}, {"ger-417-168", 634, 1},
			{"sov-309-inf", 133, 2}, {"sov-192-arm", 530, 1}, {"sov-161-inf", 932, 2}, {"sov-270-inf-43", 825, 1},
			{"sov-37-inf-br", 1231, 2}, {"sov-xv-arm", 2024, 1}, {"sov-179-arm", 2014, 2}, {"sov-vi-cav", 2825, 1},
			{"sov-hq-6", 3620, 1}, {"sov-106-inf-br", 4026, 2}, {"sov-7-gw-i", 4319, 1}, {"sov-267-inf", 4929, 1},
			{"sov-15-gw-i-g", 5230, 2}, {"sov-17-gw-i-g", 5529, 2}, {"sov-175-xxv", 6329, 1}, {"sov-10-inf-br-ski", 5923, 2},
			{"sov-iii-arm", 5916, 1}, {"sov-iv-gw-arm", 5611, 2}, {"sov-38-inf-43", 5905, 2}, {"sov-57-inf", 6102, 2}, {"sov-gpanc-br", 6101, 1},
		},
		"black-snow": {
			{"ger-6-3-arm-43", 6002, 1}, {"ger-art-3", 6002, 1}, {"ger-hq-iii", 5901, 1}, {"ger-680-333", 5502, 2},
			{"ger-25-7-arm", 4904, 1}, {"ger-228-stug", 5006, 2}, {"ger-art-xxxx", 5010, 1}, {"ger-81-15", 4308, 1},
			{"ger-106-15", 3513, 2}, {"ger-39-17-arm", 3017, 2}, {"ger-243-stug", 3218, 2}, {"ger-15-11-arm", 3420, 2},
			{"ger-arm-3-ss", 3120, 1}, {"ger-thule-3-ss", 2332, 2}, {"ger-11-ss", 3122, 1}, {"ger-10-ss", 2036, 1},
			{"ger-1-gd-arm", 2331, 2}, {"ger-fus-gd", 2232, 2}, {"ger-587-320", 1635, 2}, {"ger-331-167", 1236, 1},
			{"sov-hq-1-gds", 3406, 1}, {"sov-57-inf", 5400, 1}, {"sov-229-inf-br", 5102, 2}, {"sov-xviii-arm", 4700, 1},
			{"sov-20-inf", 4106, 2}, {"sov-2-gw-i", 3710, 1}, {"sov-6-inf", 3214, 1}, {"sov-152-inf", 3015, 2},
			{"sov-253-inf-br", 2721, 2}, {"sov-48-inf", 2425, 2}, {"sov-184-inf", 3224, 1}, {"sov-35-inf", 2616, 1},
			{"sov-hq-3-arm", 2016, 1}, {"sov-180-inf", 2031, 2}, {"sov-309-inf", 935, 2}, {"sov-xii-arm", 2523, 1},
			{"sov-116-arm", 534, 1}, {"sov-270-inf-43", 1928, 1}, {"sov-hq-69", 1626, 1}, {"sov-172-inf", 3123, 1},
		},
	} {
		s := winter(t, id).opening()
		for _, w := range list {
			if u := s.unit(w.id); u == nil || u.Where != OnMap || u.Hex != w.at || u.Steps != w.steps {
				t.Errorf("%s: %s is %+v, want %v with %d steps", id, w.id, u, w.at, w.steps)
			}
		}
	}
}

func TestWinterReinforcements(t *testing.T) {
	type due struct {
		id    string
		turn  int
		entry string
		steps int
	}
	for id, list := range map[string][]due{
		"kharkov-1943": {
			{"ger-tiger-gd", 8, "H", 1}, {"sov-263-inf", 4, "S", 2}, {"sov-253-inf-br", 5, "S", 2}, {"sov-20-inf", 6, "T", 2},
			{"sov-229-inf-br", 8, "T", 2}, {"sov-v-arm", 12, "M", 2}, {"sov-17-mot-nkwd", 13, "Kharkov", 2}, {"sov-137-arm", 14, "Kharkov", 1},
			{"sov-4-gw-ii", 17, "Q", 2}, {"sov-2-iii-g", 17, "P", 2}, {"sov-113-inf", 18, "R", 2},
		},
		"black-snow": {
			{"ger-222-75", 6, "Krasnograd", 2}, {"ger-27-19-arm", 12, "Krasnograd", 1}, {"ger-art-19", 12, "Krasnograd", 1},
			{"ger-417-168", 12, "0936", 1}, {"ger-442-168", 12, "0936", 2}, {"sov-179-arm", 2, "Kharkov", 1}, {"sov-100-inf", 3, "M", 2},
			{"sov-19-inf", 4, "Kharkov", 2}, {"sov-137-arm", 5, "Kharkov", 1}, {"sov-26-gw-ii", 8, "Q", 2}, {"sov-15-inf", 14, "R", 2},
		},
	} {
		sc := winter(t, id)
		s := sc.opening()
		for _, w := range list {
			a := sc.arrival(w.id)
			if a.Turn != w.turn || strings.Join(a.Entry, " ") != w.entry {
				t.Errorf("%s: %s arrives %+v, want %+v", id, w.id, a, w)
			}
			if u := s.unit(w.id); u == nil || u.Where != Later || u.Due != w.turn || u.Steps != w.steps {
				t.Errorf("%s: %s in the opening: %+v", id, w.id, u)
			}
		}
	}
}

// The openings are legal, and everybody but those named has a line of supply.
func TestWinterOpenings(t *testing.T) {
	for id, want := range map[string][]string{
		"kharkov-1943": {"sov-16-gw-i-g", "sov-17-gw-i-g"},
		"black-snow":   {"ger-106-15", "sov-111-inf", "sov-172-inf", "sov-184-inf", "sov-219-inf", "sov-xv-arm"},
	} {
		sc := winter(t, id)
		s := sc.opening()
		var out []string
		for _, side := range sc.Sides {
			lines := s.linesOfSupply(side)
			for _, u := range s.onMap(side) {
				if !lines.reaches(u) {
					out = append(out, u.ID)
				}
				if slices.Contains(sc.Board.Kinds(u.Hex), "swamp") {
					t.Errorf("%s: %s begins in a swamp", id, u.ID)
				}
				if s.held(u.Hex) != side {
					t.Errorf("%s: %s begins on %v, which counts for %q", id, u.ID, u.Hex, s.held(u.Hex))
				}
			}
		}
		slices.Sort(out)
		if !slices.Equal(out, want) {
			t.Errorf("%s: out of supply at the start: %v", id, out)
		}
		if winner, verdict := s.checkVictory(false, false); verdict != "" {
			t.Errorf("%s is over before it begins: %s, %s", id, winner, verdict)
		}
	}
}

// A unit may stand under another heading in another scenario, and units that both
// years share have one counter.
func TestWinterFormations(t *testing.T) {
	for id, want := range map[string]map[string]string{
		"kharkov-1943": {"sov-25-inf": "3 Armored Army", "sov-309-inf": "40 Army", "sov-1-gw-i": "6 Army", "sov-hq-6": "6 Army"},
		"black-snow":   {"sov-25-inf": "6 Army", "sov-309-inf": "3 Armored Army", "sov-1-gw-i": "Popow Group", "sov-hq-6": "6 Army"},
	} {
		s := winter(t, id).opening()
		for unit, formation := range want {
			if got := s.unit(unit).c.Formation; got != formation {
				t.Errorf("%s: %s is in %q, not %q", id, unit, got, formation)
			}
		}
		for unit, limit := range map[string]int{"ger-arm-1-ss": 12, "ger-15-11-arm": 11, "sov-25-inf": 11, "sov-1-gw-i": 11, "sov-305-inf": 10} {
			if got := s.unit(unit).c.Morale; got != limit {
				t.Errorf("%s: %s has morale %d, not %d", id, unit, got, limit)
			}
		}
	}
}

func TestWinterFaults(t *testing.T) {
	for _, c := range []struct{ file, from, to, want string }{
		{"arrivals.tsv", "sov-137-arm\t1943-03-09\tKharkov\t-\t1", "sov-137-arm\t1943-03-09\tKharkov\t-\t2", "arrivals.tsv:"},
		{"scenario.toml", `when = "moment"`, `when = "always"`, `"always" is none of`},
	} {
		p, err := scenarios.Open("kharkov-1943")
		if err != nil {
			t.Fatal(err)
		}
		path, text, err := p.Read(c.file)
		if err != nil || !bytes.Contains(text, []byte(c.from)) {
			t.Fatalf("%s: no %q, %v", c.file, c.from, err)
		}
		over := fstest.MapFS{strings.TrimPrefix(path, "scenarios/"): {Data: bytes.Replace(text, []byte(c.from), []byte(c.to), 1)}}
		if p, err = scenarios.OpenDir(over, "kharkov-1943"); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q gives %v", c.file, c.to, err)
		}
	}
}

// A victory "at any moment" comes in the middle of a turn, but only after a phase
// in which hexes change hands.
func TestVictoryAtAnyMoment(t *testing.T) {
	for phase := 1; phase <= 2*halfTurn; phase++ {
		s := clearGround(8, 6).position(t, infAt("A", red, 101), infAt("E", blue, 801))
		s.sc.Strategic = []Strategic{{Side: red, Kind: "hold", Hexes: []hex.Hex{101}, Count: 1, When: "moment", Text: "it is taken"}}
		s.setController(map[hex.Hex]Side{101: red})
		s.Phase = phase
		_, verdict := s.checkVictory(false, false)
		if won := verdict != ""; won != (phase%6 == 4 || phase%6 == 0) {
			t.Errorf("after phase %d: %q", phase, verdict)
		}
	}
}
