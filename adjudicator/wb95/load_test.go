package wb95

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/table"
	"fieldpost/scenarios"
)

// kharkov loads Kharkov 1942 as it is built in.
func kharkov(t testing.TB) *Scenario {
	t.Helper()
	p, err := scenarios.Open("kharkov-1942")
	if err != nil {
		t.Fatal(err)
	}
	sc, err := Load(p)
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

func TestKharkovSaysWhatTheBookSays(t *testing.T) {
	sc := kharkov(t)
	if sc.Sides != [2]Side{"SOVIET", "GERMAN"} || sc.Turns != 17 || sc.Year != 1942 || sc.Month != 5 || sc.Day != 12 {
		t.Errorf("sides %v, %d turns from %d-%d-%d", sc.Sides, sc.Turns, sc.Year, sc.Month, sc.Day)
	}
	count := map[Side]int{}
	for _, c := range sc.Counters {
		count[c.Side]++
	}
	if count["GERMAN"] != 130 || count["SOVIET"] != 117 {
		t.Errorf("counters by side: %v", count)
	}
	if len(sc.Warnings) > 0 {
		t.Errorf("warnings: %q", sc.Warnings)
	}
	var points []hex.Hex
	for _, o := range sc.Objectives {
		points = append(points, o.Hex)
		if o.Points != 1 || o.Name == o.Hex.String() {
			t.Errorf("objective %+v", o)
		}
	}
	if want := []hex.Hex{4909, 5022, 4804, 3322, 2915, 2319, 3132, 713, 2609, 2008, 1705, 1410, 1306}; !slices.Equal(points, want) {
		t.Errorf("tactical victory for %v", points)
	}
	if g := sc.Strategic[0]; g.Side != "GERMAN" || g.Kind != "clear" || slices.Contains(g.Hexes, 4804) || slices.Contains(g.Hexes, 4904) {
		t.Errorf("German strategic victory: %s %s", g.Side, g.Kind)
	}
	if s := sc.Strategic[1]; s.Side != "SOVIET" || s.Kind != "hold" || s.Count != 5 || len(s.Hexes) != 7 {
		t.Errorf("Soviet strategic victory: %+v", s)
	}
	if got := sc.Air["GERMAN"]; got[0] != 0 || got[5] != 10 || got[16] != 13 {
		t.Errorf("German air strength %v", got)
	}
	if got := sc.Air["SOVIET"]; got[0] != 8 || got[7] != 2 || got[8] != 0 {
		t.Errorf("Soviet air strength %v", got)
	}
	if sc.HQRange["German"] != 4 || sc.HQRange["Soviet"] != 3 || sc.Allowance["Romanian"] != 7*One || sc.Allowance["Soviet"] != 8*One {
		t.Errorf("ranges %v, allowances %v", sc.HQRange, sc.Allowance)
	}
	if c := sc.Conditions; len(c) != 1 || c[0].Key != "izjum" || c[0].Side != "GERMAN" || !slices.Equal(c[0].Hexes, []hex.Hex{4804, 4904}) {
		t.Errorf("conditions %+v", c)
	}
}

// Entries of the book's lists, read by hand.
func TestPlacements(t *testing.T) {
	s := kharkov(t).opening()
	for _, w := range []struct {
		id   string
		at   hex.Hex
		fort FortKind
	}{
		{"ger-188-68", 6103, FF}, {"ger-169-68", 6204, FF}, {"ger-108-14", 6213, FF}, {"ger-196-68", 5824, FF},
		{"ger-hq-vi", 5328, ""}, {"ger-244-stug", 3019, ""}, {"ger-131-44", 3809, IF}, {"ger-429-168", 1705, IF},
		{"ger-417-168", 104, ""}, {"ger-hq-li", 2008, IF}, {"ger-222-75", 803, IF}, {"ger-1-108", 3419, FF},
		{"sov-gpanc-9a", 5603, FF}, {"sov-34-v", 5403, FF}, {"sov-28-vi", 4520, ""}, {"sov-5-gw-arm", 3617, ""},
		{"sov-131-xxiii", 4216, ""}, {"sov-51-xxii", 2104, ""}, {"sov-297-inf", 700, FF}, {"sov-78-inf-br", 5700, IF},
		{"sov-2-art-38a", 2205, ""}, {"sov-2-317-inf", 5523, IF}, {"sov-hq-bobkin", 4321, ""}, {"sov-38-inf", 1801, ""},
	} {
		u := s.unit(w.id)
		if u == nil {
			t.Errorf("no unit %s", w.id)
			continue
		}
		var kind FortKind
		if f := s.fort(w.at); f != nil {
			kind = f.Kind
		}
		if u.Where != OnMap || u.Hex != w.at || kind != w.fort {
			t.Errorf("%s: %s %v %q, want %v %q", w.id, u.Where, u.Hex, kind, w.at, w.fort)
		}
	}
}

func TestReinforcements(t *testing.T) {
	sc := kharkov(t)
	s := sc.opening()
	entry := map[string]Arrival{}
	for _, a := range sc.Arrivals {
		entry[a.Counter] = a
	}
	for _, w := range []struct {
		id    string
		turn  int
		entry string
		when  string
	}{
		{"ger-82-20-rom", 2, "D", ""}, {"ger-577-305", 4, "2319", ""}, {"ger-576-305", 4, "3131", ""},
		{"ger-6-bers", 5, "D", ""}, {"ger-36-14-arm", 5, "C", ""}, {"ger-245-88", 6, "P", ""},
		{"ger-179-57", 6, "Kharkov", ""}, {"ger-2-16-arm", 6, "A", ""}, {"ger-210-stug", 7, "A", ""},
		{"ger-204-22-arm", 14, "B", ""}, {"ger-516-295", 15, "A", ""}, {"sov-iii-cav", 2, "R", ""},
		{"sov-gpanc-r", 7, "T", ""}, {"sov-242-inf", 8, "S", ""}, {"sov-168-arm", 12, "S", ""},
		{"sov-4-gw-xxiv", 15, "T", ""}, {"sov-347-inf", 15, "S T", ""}, {"sov-art-37a", 0, "T", "izjum"},
	} {
		a := entry[w.id]
		if a.Turn != w.turn || strings.Join(a.Entry, " ") != w.entry || a.When != w.when {
			t.Errorf("%s arrives %+v, want %+v", w.id, a, w)
		}
		if u := s.unit(w.id); u == nil || u.Where != Later || u.Due != w.turn {
			t.Errorf("%s in the opening: %+v", w.id, u)
		}
	}
	if len(entry) != 68 || len(sc.Setup) != 179 {
		t.Errorf("%d arrivals, %d placements", len(entry), len(sc.Setup))
	}
}

// What the book's text and Setup Aid say of single counters, and the scale of a
// German armoured division in 5.2.1.
func TestCounters(t *testing.T) {
	sc := kharkov(t)
	by := map[string]*Counter{}
	total := 0
	for i := range sc.Counters {
		c := &sc.Counters[i]
		by[c.ID] = c
		if c.Parent == "16 ARM" && c.Type != ART {
			total += c.Strength[1]
		}
		if steps := map[bool]int{true: 1, false: 2}[c.Type == HQ || c.Type == ART]; c.Steps() != steps {
			t.Errorf("%s has %d steps", c.ID, c.Steps())
		}
		if c.Type == HQ && (c.Moves != 10*One || c.Class != Trucked) {
			t.Errorf("%s: %+v", c.ID, c)
		}
	}
	if total != 17 {
		t.Errorf("16 ARM attacks with %d", total)
	}
	if c := by["ger-244-stug"]; c.Strength[1] != 3 || c.Moves != 7*One || !slices.Equal(c.Stars, []Star{Yellow}) {
		t.Errorf("244 StuG: %+v", c)
	}
	if c := by["sov-art-9a"]; c.Strength[0] != 5 || c.Defence[0] != 3 {
		t.Errorf("guns of 9 Army: %+v", c)
	}
	for id, limit := range map[string]int{"ger-188-68": 11, "ger-85-1-rom": 9, "ger-1-108": 9, "ger-3-bers": 9, "sov-81-inf": 10, "sov-5-gw-arm": 11} {
		if by[id].Morale != limit {
			t.Errorf("%s has morale %d, not %d", id, by[id].Morale, limit)
		}
	}
}

func TestTerrainTable(t *testing.T) {
	sc := kharkov(t)
	for _, w := range []struct {
		name                   string
		foot, trucked, tracked Cost
		cm                     int
	}{
		{"clear", 12, 24, 12, 0}, {"hills", 12, 24, 18, 1}, {"forest", 12, 24, 12, 1}, {"city", 12, 12, 12, 1},
		{"town", 12, 12, 12, 1}, {"main road", 6, 4, 6, 0}, {"side road", 12, 6, 12, 0}, {"river", 12, 12, 12, 2},
		{"Doniec", 12, 24, 24, 1}, {"stream", 12, 12, 12, 2}, {"swamp", 24, Closed, Closed, 0},
	} {
		got := sc.terrainOf(w.name)
		if got.Cost[Foot] != w.foot || got.Cost[Trucked] != w.trucked || got.Cost[Tracked] != w.tracked || got.CM != w.cm {
			t.Errorf("%s: %+v", w.name, got)
		}
		if got.Half != (w.name == "swamp") || got.Big {
			t.Errorf("%s: half %v, big %v", w.name, got.Half, got.Big)
		}
	}
	p, err := scenarios.Open("kharkov-1942")
	if err != nil {
		t.Fatal(err)
	}
	winter := &loader{Loader: &table.Loader{Src: p}, sc: &Scenario{}, kinds: map[string]string{}}
	winter.terrain("terrain-winter.tsv")
	if err := winter.Err(); err != nil || winter.sc.terrainOf("clear").Cost[Foot] != 18 || winter.sc.terrainOf("hills").Cost[Tracked] != 30 {
		t.Errorf("winter: %v, %+v", err, winter.sc.Terrain)
	}
}

func TestCostsAreExact(t *testing.T) {
	for in, want := range map[string]Cost{"1": 12, "1/3": 4, "1/4": 3, "1.5": 18, "2.5": 30, "+2": 24, "0": 0, "no": Closed} {
		if got, err := parseCost(in); err != nil || got != want {
			t.Errorf("%q is %d, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "-", "x", "1/0", "1/7", "1.5/2", "-1", "1.333", "+"} {
		if got, err := parseCost(in); err == nil {
			t.Errorf("%q was read as %d", in, got)
		}
	}
}

// Every cell of the Combat Table against a list of figures made independently.
func TestCombatTable(t *testing.T) {
	sc := kharkov(t)
	text, err := os.ReadFile("testdata/combat_cells.tsv")
	if err != nil {
		t.Fatal(err)
	}
	list, err := table.ParseSheet("combat_cells.tsv", text)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, r := range list.Rows {
		c := sc.Combat.Cells[r.Int("roll")][slices.Index(sc.Combat.Columns, r.Text("odds"))]
		want := CombatResult{
			ARetreat: r.Int("a_retreat"), ADisorg: r.Int("a_disorg") == 1, ATest: r.Int("a_test") == 1, ALoss: r.Int("a_loss"),
			DRetreat: r.Int("d_retreat"), DDisorg: r.Int("d_disorg") == 1, DLoss: r.Int("d_loss"), Text: c.Text,
		}
		if c != want {
			t.Errorf("%s at %s: %q read as %+v", r.Text("roll"), r.Text("odds"), c.Text, c)
		}
		n++
	}
	if n != 11*13 {
		t.Errorf("%d cells", n)
	}
	for _, bad := range []string{"", "-", "A1/D1", "A1 / D1", "A1A1 / -", "- / •", "X / -", "- / A1", "-1-1 / -", " / -", "DD / -"} {
		if c, err := parseResult(bad); err == nil {
			t.Errorf("%q was read as %+v", bad, c)
		}
	}
}

func TestTheDoniecPartsWestFromEast(t *testing.T) {
	sc := kharkov(t)
	west := map[hex.Hex]bool{4804: true, 4904: true} // the two that the condition excepts
	for _, h := range sc.Strategic[0].Hexes {
		west[h] = true
	}
	b := sc.Board
	if n := b.Grid.Len(); len(west) < n/2 || len(west) > n*9/10 {
		t.Errorf("%d of %d hexes lie west of the Doniec", len(west), n)
	}
	for i := range b.Grid.Len() {
		h := b.Grid.At(i)
		for _, n := range b.Grid.Neighbours(h) {
			if water := b.River(hex.Between(h, n)) == "Doniec"; west[h] != west[n] && !water {
				t.Errorf("%v and %v lie on different banks with no Doniec between them", h, n)
			} else if west[h] == west[n] && water {
				t.Errorf("the Doniec between %v and %v parts nothing", h, n)
			}
		}
	}
	s := sc.opening()
	// The Germans hold the Balakleja salient and a strip before Bielgorod beyond the river.
	beyond := []hex.Hex{501, 803, 3105, 3113, 3406, 3413, 3607, 3809}
	for i := range s.Units {
		u := &s.Units[i]
		if u.Where == OnMap && u.c.Side == "GERMAN" && west[u.Hex] == slices.Contains(beyond, u.Hex) {
			t.Errorf("%s on %v: west of the Doniec is %v", u.ID, u.Hex, west[u.Hex])
		}
	}
	for id, onWest := range map[string]bool{
		"sov-hq-38": false, "sov-hq-28": false, "sov-hq-21": false, "sov-277-inf": false, "sov-343-inf": false, "sov-78-inf-br": false, // headquarters, reserve, Slawiansk
		"sov-227-inf": true, "sov-51-xxii": true, "sov-13-inf": true, // the northern bridgeheads
		"sov-hq-6": true, "sov-hq-9": true, "sov-hq-57": true, // the southern bulge
	} {
		if u := s.unit(id); west[u.Hex] != onWest {
			t.Errorf("%s on %v: west of the Doniec is %v", id, u.Hex, west[u.Hex])
		}
	}
}

func TestRoadsBridgesAndPlaces(t *testing.T) {
	sc := kharkov(t)
	b := sc.Board
	for _, r := range b.Roads {
		for i := 1; i < len(r.Path); i++ {
			e := hex.Between(r.Path[i-1], r.Path[i])
			if b.River(e) != "" && !b.Bridge(e) {
				t.Errorf("%s crosses the %s on %v without a bridge", r.Name, b.River(e), e)
			}
		}
	}
	for _, e := range sc.Bridges {
		if b.Bridge(e) || b.River(e) != "Doniec" {
			t.Errorf("the scenario's bridge %v: map bridge %v over %q", e, b.Bridge(e), b.River(e))
		}
	}
	for name, at := range map[string]hex.Hex{"KHARKOV": 1813, "charkow": 1813, "Izjum": 4804, "IZIUM": 4804, "Zmijew": 2815, "Żmijew": 2815, "Krasnograd": 3132} {
		if p := b.Named(name); p == nil || p.Hexes[0] != at {
			t.Errorf("%s is %+v", name, p)
		}
	}
	letters := ""
	for _, z := range b.Zones {
		letters += z.ID
	}
	if letters != "ABCDEFGHIJKLMNOPQRST" {
		t.Errorf("zones in the order %s", letters)
	}
}

func TestOpening(t *testing.T) {
	sc := kharkov(t)
	s := sc.opening()
	if s.Turn != 1 || s.Phase != 1 || len(s.Units) != len(sc.Counters) {
		t.Errorf("turn %d phase %d, %d units", s.Turn, s.Phase, len(s.Units))
	}
	if !slices.IsSortedFunc(s.Units, func(a, b Unit) int { return strings.Compare(a.ID, b.ID) }) {
		t.Error("the units are not sorted by id")
	}
	for h, us := range s.stacks() {
		for _, u := range us {
			if u.c.Side != us[0].c.Side {
				t.Errorf("both sides stand on %v", h)
			}
		}
	}
	for i := range s.Units {
		u := &s.Units[i]
		if u.Firing != (u.Where == OnMap && u.c.Type == ART) {
			t.Errorf("%s: firing %v", u.ID, u.Firing)
		}
	}
	if n := len(s.Bridges); n != len(sc.Board.Bridges)+3 || !s.bridgeStands(hex.Between(2104, 2204)) {
		t.Errorf("%d bridges", n)
	}
	for h, side := range map[hex.Hex]Side{1813: "GERMAN", 4804: "SOVIET", 713: "GERMAN", 5022: "SOVIET", 100: "GERMAN", 2204: "SOVIET", 1705: "GERMAN", 1704: "SOVIET", 6436: "GERMAN"} {
		if got := s.controller(h); got != side {
			t.Errorf("%v begins with %q", h, got)
		}
	}
	first := s.encode()
	if !bytes.Equal(first, kharkov(t).opening().encode()) {
		t.Error("two openings differ")
	}
	back, err := decodeState(sc, first)
	if err != nil || !bytes.Equal(back.encode(), first) {
		t.Errorf("the opening does not read back: %v", err)
	}
	if !bytes.Equal(s.clone().encode(), first) {
		t.Error("a clone of the opening is encoded otherwise")
	}
}

// WB-95 1.2/4
// WB-95 1.3/2
func TestTowedGunsOfTheData(t *testing.T) {
	for _, c := range kharkov(t).Counters {
		u := Unit{c: &c}
		if u.towedGun() && (c.Class != Trucked || c.Steps() != 1) && c.Type == ART {
			t.Errorf("%s is %s and has %d steps", c.Name, c.Class, c.Steps())
		}
	}
}
