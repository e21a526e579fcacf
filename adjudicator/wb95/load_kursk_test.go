package wb95

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"fieldpost/adjudicator/hex"
	"fieldpost/scenarios"
)

// builtin is a scenario that is only read from, loaded once for all tests.
func builtin(t testing.TB, id string) *Scenario {
	t.Helper()
	once, _ := shelved.LoadOrStore(id, sync.OnceValue(func() *Scenario { return loadNamed(t, id) }))
	return once.(func() *Scenario)()
}

var shelved sync.Map

// loadNamed loads a scenario as it is built in.
func loadNamed(t testing.TB, id string) *Scenario {
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

func TestTheTwoFrontsOfKursk(t *testing.T) {
	for _, w := range []struct {
		id                     string
		turns                  int
		german, soviet         int
		setup, arrivals        int
		warnings               []string
		unsupplied             []string // the book sets them up cut off, or among zones on all sides
		objectives, fortified  int
		air, mines, minesUntil int
	}{
		{"kursk", 19, 89, 103, 145, 47, []string{"0613", "1504", "1703"}, []string{"ger-458-258", "ger-479-258", "sov-140-inf"}, 28, 186, 2, 4, 7},
		{"prokhorovka", 11, 82, 107, 163, 26, []string{"4324", "4510", "5408"}, nil, 37, 212, 4, 6, 7},
	} {
		sc := loadNamed(t, w.id)
		if sc.Sides != [2]Side{"GERMAN", "SOVIET"} || sc.Turns != w.turns || sc.date(1) != "5 July 1943" || sc.Profile.Book != "KU" {
			t.Errorf("%s: sides %v, %d turns from %s, book %s", w.id, sc.Sides, sc.Turns, sc.date(1), sc.Profile.Book)
		}
		count := map[Side]int{}
		for _, c := range sc.Counters {
			count[c.Side]++
		}
		if count["GERMAN"] != w.german || count["SOVIET"] != w.soviet || len(sc.Setup) != w.setup || len(sc.Arrivals) != w.arrivals {
			t.Errorf("%s: counters %v, %d set up, %d arrive", w.id, count, len(sc.Setup), len(sc.Arrivals))
		}
		if len(sc.Warnings) != len(w.warnings) {
			t.Errorf("%s: warnings %q", w.id, sc.Warnings)
		}
		for i, at := range w.warnings {
			if !strings.Contains(sc.Warnings[i], at) {
				t.Errorf("%s: warnings %q", w.id, sc.Warnings)
			}
		}
		s := sc.opening()
		var cut []string
		for _, side := range sc.Sides {
			l := s.linesOfSupply(side)
			for _, u := range s.onMap(side) {
				if !l.reaches(u) {
					cut = append(cut, u.ID)
				}
			}
		}
		if !slices.Equal(cut, w.unsupplied) {
			t.Errorf("%s: no line of supply to %v", w.id, cut)
		}
		if s.points("GERMAN") != 0 || s.points("SOVIET") != 0 {
			t.Errorf("%s begins with %v", w.id, s.score())
		}
		if len(sc.Objectives) != w.objectives || len(sc.Fortified) != w.fortified || len(sc.AirUnits) != 6 || sc.AirChoice["GERMAN"] != w.air {
			t.Errorf("%s: %d objectives, %d fortified hexsides, air %v of %d", w.id, len(sc.Objectives), len(sc.Fortified), sc.AirChoice, len(sc.AirUnits))
		}
		if !reflect.DeepEqual(sc.Special, Special{Repairs: 1, MineDice: w.mines, MinesLast: w.minesUntil}) {
			t.Errorf("%s: %+v", w.id, sc.Special)
		}
		for _, r := range sc.Board.Roads {
			for i := 1; i < len(r.Path); i++ {
				if e := hex.Between(r.Path[i-1], r.Path[i]); sc.Board.River(e) != "" && !sc.Board.Bridge(e) {
					t.Errorf("%s crosses water on %v without a bridge", r.Name, e)
				}
			}
		}
		line := map[[2]hex.Hex]bool{}
		for _, f := range sc.Fortified {
			line[[2]hex.Hex{f.Hex, f.From}] = true
			if s.holder(f.Hex) == "GERMAN" {
				t.Errorf("%s: the line on %v>%v is behind the Germans", w.id, f.Hex, f.From)
			}
		}
		for _, u := range s.onMap("SOVIET") {
			for _, n := range sc.Board.Grid.Neighbours(u.Hex) {
				if s.holder(n) == "GERMAN" && !line[[2]hex.Hex{u.Hex, n}] {
					t.Errorf("%s: %s on %v touches the Germans on %v with no line between", w.id, u.ID, u.Hex, n)
				}
			}
		}
		if !bytes.Equal(s.encode(), loadNamed(t, w.id).opening().encode()) {
			t.Errorf("%s: two openings differ", w.id)
		}
	}
}

// Entries of the book's lists, read by hand.
func TestKurskPlacements(t *testing.T) {
	type at struct {
		id   string
		hex  hex.Hex
		fort FortKind
	}
	for id, list := range map[string][]at{
		"kursk": {
			{"ger-530-299", 2500, FF}, {"ger-hq-xxiii", 1902, FF}, {"ger-532-383", 2203, FF}, {"ger-195-78", 1903, FF},
			{"ger-87-36", 1804, FF}, {"ger-653-arm", 1704, FF}, {"ger-18-18-arm", 1703, FF}, {"ger-hq-esebeck", 1801, FF},
			{"ger-art-10-arm", 1901, FF}, {"ger-58-6", 1606, FF}, {"ger-2-505", 1503, FF}, {"ger-manteuffel", 500, FF},
			{"ger-233-102", 200, FF}, {"ger-478-258", 904, FF}, {"sov-73-inf", 2600, ""}, {"sov-2-at", 2304, ""},
			{"sov-161-fu", 2312, ""}, {"sov-ix-arm", 927, ""}, {"sov-4-inf-abn", 2607, ""}, {"sov-1-gpanc-13a", 1907, ""},
			{"sov-70-inf-g", 1808, ""}, {"sov-119-inf", 2107, ""}, {"sov-280-inf", 604, ""}, {"sov-1541-ag", 807, ""},
			{"sov-11-gw-arm", 2210, ""}, {"sov-57-iii-arm", 2015, ""}, {"sov-164-xvi-arm", 613, ""}, {"sov-26-xix-arm", 110, ""},
		},
		"prokhorovka": {
			{"ger-hq-lii", 3427, FF}, {"ger-464-255", 3922, FF}, {"ger-677-332", 4423, FF}, {"ger-15-11-arm", 4225, FF},
			{"ger-pz-gd", 3826, FF}, {"ger-3-52", 4324, FF}, {"ger-stug-39-ag", 4324, FF}, {"ger-art-ii-ss", 4726, FF},
			{"ger-2-ss-ah", 4926, FF}, {"ger-5-ss-t", 4727, FF}, {"ger-2-503", 5131, FF}, {"ger-25-7-arm", 5332, FF},
			{"ger-429-168", 5026, FF}, {"ger-241-106", 5434, FF}, {"ger-303-ag", 4928, FF}, {"sov-4-mot-ii-arm-g", 6223, FF},
			{"sov-48-arm-r-g", 5408, FF}, {"sov-94-inf", 6328, FF}, {"sov-hq-40", 3418, FF}, {"sov-219-inf", 3921, FF},
			{"sov-52-inf-g", 4924, FF}, {"sov-96-arm-6ga", 5424, FF}, {"sov-96-arm-69a", 5922, FF}, {"sov-27-at", 4622, FF},
			{"sov-15-inf-g", 5532, FF}, {"sov-201-arm", 5733, FF}, {"sov-14-at", 5322, FF}, {"sov-1-gw-iii-mot", 4510, FF},
			{"sov-237-xxxi-arm", 3415, FF}, {"sov-13-inf-g", 6115, FF},
		},
	} {
		s := loadNamed(t, id).opening()
		for _, w := range list {
			u := s.unit(w.id)
			if u == nil {
				t.Errorf("%s: no unit %s", id, w.id)
				continue
			}
			var kind FortKind
			if f := s.fort(w.hex); f != nil {
				kind = f.Kind
			}
			if u.Where != OnMap || u.Hex != w.hex || kind != w.fort {
				t.Errorf("%s: %s %s %v %q, want %v %q", id, w.id, u.Where, u.Hex, kind, w.hex, w.fort)
			}
		}
	}
}

func TestKurskReinforcements(t *testing.T) {
	for _, w := range []struct {
		scenario, id, entry string
		turn                int
	}{
		{"kursk", "ger-35-4-arm", "0500", 2}, {"kursk", "ger-268-6", "0500", 2}, {"kursk", "sov-1540-ag", "2800", 2},
		{"kursk", "sov-18-ii-mot", "E", 8}, {"kursk", "sov-35-iii-mot-g", "E", 9}, {"kursk", "sov-219-i-mot", "E", 10},
		{"kursk", "sov-3-iv-arm-g", "E", 11}, {"kursk", "sov-170-xviii-arm", "E", 12}, {"kursk", "sov-241-inf", "EN E", 13},
		{"kursk", "sov-63-v-cav-g", "E", 14}, {"kursk", "sov-16-vii-cav-g", "E", 15}, {"prokhorovka", "sov-237-inf", "3418", 2},
		{"prokhorovka", "sov-204-inf", "Obojan", 3}, {"prokhorovka", "sov-192-arm", "3418", 4}, {"prokhorovka", "sov-58-ii-arm", "6308 6318 6319", 4},
		{"prokhorovka", "sov-29-at", "3418", 5}, {"prokhorovka", "sov-180-arm", "3418", 6}, {"prokhorovka", "sov-24-v-mot-g", "6308 6318 6319", 6},
		{"prokhorovka", "sov-hq-5-g", "6308 6318 6319", 7},
	} {
		a := loadNamed(t, w.scenario).arrival(w.id)
		if a.Turn != w.turn || strings.Join(a.Entry, " ") != w.entry {
			t.Errorf("%s: %s arrives %+v", w.scenario, w.id, a)
		}
	}
}

// The terrain table of the Kursk book.
func TestKurskTerrain(t *testing.T) {
	for _, id := range []string{"kursk", "prokhorovka"} {
		sc := loadNamed(t, id)
		for _, w := range []struct {
			name                   string
			foot, trucked, tracked Cost
			cm                     int
		}{
			{"clear", 12, 24, 12, 0}, {"hills", 12, 24, 18, 1}, {"forest", 12, 24, 12, 1}, {"city", 24, 24, 24, 1},
			{"town", 12, 12, 12, 1}, {"secondary route", 12, 6, 12, 0}, {"main route", 6, 4, 6, 0},
			{"river", 12, 12, 12, 1}, {"Siewiernyj Doniec", 12, 24, 24, 2},
		} {
			got := sc.terrainOf(w.name)
			if got.Cost[Foot] != w.foot || got.Cost[Trucked] != w.trucked || got.Cost[Tracked] != w.tracked || got.CM != w.cm || got.Big {
				t.Errorf("%s: %+v", w.name, got)
			}
		}
	}
	s := loadNamed(t, "prokhorovka").opening()
	if s.bridgeStands(hex.Between(5027, 5127)) || !s.bridgeStands(hex.Between(5619, 5719)) {
		t.Error("the bridges of Bielgorod are down, and only they")
	}
}

// What the book's examples and chapters 17 and 22 say of counters.
func TestKurskCounters(t *testing.T) {
	attack := map[string]int{}
	panthers, ferdinands := 0, 0
	for _, id := range []string{"kursk", "prokhorovka"} {
		names := map[string]bool{}
		for _, c := range loadNamed(t, id).Counters {
			if c.Type == ARM || c.Type == MOT {
				attack[c.Parent] += c.Strength[c.Steps()-1]
			}
			if c.Panther {
				panthers++
			}
			if c.Ferdinand {
				ferdinands++
			}
			if names[string(c.Side)+c.Name] {
				t.Errorf("%s: two units %s", id, c.Name)
			}
			names[string(c.Side)+c.Name] = true
		}
	}
	if attack["7 ARM"] != 20 || panthers != 6 || ferdinands != 2 {
		t.Errorf("7 ARM has %d points; %d Panthers, %d Ferdinands", attack["7 ARM"], panthers, ferdinands)
	}
}

// Units that are held back, of both kinds.
func TestHeldBack(t *testing.T) {
	s := loadNamed(t, "prokhorovka").opening()
	full := func(id string) Cost { return s.allowance(s.unit(id), false) }
	for _, w := range []struct {
		turn int
		id   string
		want Cost
	}{
		{1, "sov-22-vi-arm", 7 * One / 2}, {2, "sov-22-vi-arm", 7 * One}, {1, "sov-25-ii-arm-g", 0}, {2, "sov-25-ii-arm-g", 7 * One},
		{2, "sov-20-v-arm-g", 0}, {3, "sov-20-v-arm-g", 7 * One}, {2, "sov-305-inf", 0}, {3, "sov-305-inf", 4 * One},
		{6, "sov-66-inf-g", 0}, {7, "sov-66-inf-g", 4 * One}, {1, "sov-92-inf", 4 * One}, {1, "sov-73-inf-g", 4 * One},
	} {
		s.Turn = w.turn
		if got := full(w.id); got != w.want {
			t.Errorf("turn %d: %s has %v points, not %v", w.turn, w.id, got, w.want)
		}
	}
	s.Turn = 6
	v := s.mayMove(s.unit("sov-66-inf-g"), &moveOrder{})
	if v == nil || !strings.Contains(v.Why, "before 11 July 1943") {
		t.Errorf("66 INF (G) on 10 July: %+v", v)
	}
	if v := s.mayMove(s.unit("sov-66-inf-g"), &moveOrder{entrench: true}); v != nil {
		t.Errorf("66 INF (G) may not entrench: %+v", v)
	}
	s = loadNamed(t, "kursk").opening()
	s.Turn = 12
	u := s.unit("sov-110-xviii-arm")
	if got := s.allowance(u, false); got != 7*One/2 {
		t.Errorf("a reserve enters with %v points", got)
	}
	u.Where = OnMap
	if got := s.allowance(u, false); got != 7*One {
		t.Errorf("a reserve on the map has %v points", got)
	}
}

func TestKurskVictory(t *testing.T) {
	s := loadNamed(t, "kursk").opening()
	s.Phase = 12
	check := func(want string) {
		t.Helper()
		winner, verdict := s.checkVictory(true, true)
		if verdict != want || (winner == "GERMAN") != strings.HasPrefix(want, "German") {
			t.Errorf("%s: %q, want %q", winner, verdict, want)
		}
	}
	check("Soviet victory: 0 points of Germans")
	take := func(name string) {
		for _, h := range s.sc.Board.Named(name).Hexes {
			s.setController(map[hex.Hex]Side{h: "GERMAN"})
		}
	}
	take("Fatiez")
	take("Wozy")
	check("Soviet victory: 6 points of Germans")
	s.setController(map[hex.Hex]Side{1323: "GERMAN"}) // one hex of Kursk: a town hex like others
	check("Soviet victory: 8 points of Germans")
	lost := s.unit("sov-ix-arm")
	lost.Where = Gone
	check("Soviet victory: 9 points of Germans")
	s.unit("sov-18-ii-mot").Where, s.unit("sov-33-ii-mot").Where = OnMap, OnMap // one corps
	s.index()
	check("German small victory: 12 points of Germans")
	u := s.unit("ger-3-2-arm")
	u.Hex = 2208 // beyond the Sosna
	s.index()
	s.noteCrossings()
	u.Hex = 1605
	s.index()
	check("German small victory: 17 points of Germans")
	s.noteCrossings()
	take("Ponyri")
	check("German medium victory: 20 points of Germans")
	if n := s.points("SOVIET"); n != 0 {
		t.Errorf("the Soviets score %d", n)
	}
	take("Kursk")
	if winner, verdict := s.checkVictory(true, false); winner != "GERMAN" || !strings.Contains(verdict, "the Germans hold Kursk") {
		t.Errorf("%s %q", winner, verdict)
	}
	s.Phase = 6
	if _, verdict := s.checkVictory(false, false); verdict != "" {
		t.Errorf("after the German Supply Phase: %q", verdict)
	}

	s = loadNamed(t, "prokhorovka").opening()
	s.Phase = 12
	take("Obojan")
	s.setController(map[hex.Hex]Side{5415: "GERMAN"})
	check("Soviet victory: 10 points of Germans")
	take("Prochorowka")
	// 4.3.6: the southern hex of Bielgorod is empty and contested.
	if _, verdict := s.checkVictory(true, false); verdict != "" {
		t.Errorf("with half of Bielgorod: %q", verdict)
	}
	s.unit("ger-429-168").Hex = 5027
	s.index()
	if winner, verdict := s.checkVictory(true, false); winner != "GERMAN" || !strings.HasPrefix(verdict, "strategic victory") {
		t.Errorf("%s %q", winner, verdict)
	}
	for _, name := range []string{"Obojan", "Prochorowka", "Bielgorod"} {
		for _, h := range s.sc.Board.Named(name).Hexes {
			for _, u := range s.unitsAt(h) {
				u.Where = Gone
			}
			s.setController(map[hex.Hex]Side{h: "SOVIET"})
		}
	}
	s.unit("sov-81-inf-g").Hex, s.unit("sov-375-inf").Hex = 5027, 5026
	s.index()
	for phase, want := range map[int]Side{5: "", 6: "SOVIET", 12: ""} {
		s.Phase = phase
		if winner, _ := s.checkVictory(phase == 12, false); winner != want {
			t.Errorf("phase %d: %q wins", phase, winner)
		}
	}
}

// Faults of the files that only this book has.
func TestKurskFaults(t *testing.T) {
	for _, c := range []struct{ file, from, to, want string }{
		{"slow.tsv", "sov-hq-2-arm", "sov-hq-3-arm", "no counter \"sov-hq-3-arm\""},
		{"slow.tsv", "1943-07-05", "1943-08-05", "1943-08-05 is not a day of the game"},
		{"slow.tsv", "\tnone\t", "\tnothing\t", "\"nothing\" is none of"},
		{"fortified.tsv", "0102>0101", "0102>0104", "\"0102>0104\" is not a hexside"},
		{"fortified.tsv", "0202>0201", "0102>0101", "\"0102>0101\" is not a hexside of the map, defended>attacker, or stands twice"},
		{"air-counters.tsv", "\twhite star\t", "\tgreen star\t", "\"green star\" is none of"},
		{"scenario.toml", "from = 11", "from = 30", "a scale needs a side and a text"},
		{"scenario.toml", "scorer = \"GERMAN\"", "scorer = \"GREEN\"", "\"GREEN\" is not a side"},
		{"scenario.toml", "\"27 Army\"", "\"28 Army\"", "no counter belongs to \"28 Army\""},
		{"scenario.toml", "kind = \"cross\"", "kind = \"ford\"", "\"ford\" is not a kind of award"},
		{"scenario.toml", "mines_until = \"1943-07-11\"", "mines_until = \"1943-07-31\"", "\"1943-07-31\" is not a day of the game"},
		{"scenario.toml", "when = \"enemy supply\"", "when = \"noon\"", "\"noon\" is none of"},
		{"scenario.toml", "initiative = ", "destroyed_bridges = [\"0101/0102\"]\ninitiative = ", "there is no bridge 0101/0102"},
		{"counters.tsv", "; ferdinand", "; tiger", "unknown trait \"tiger\""},
	} {
		p, err := scenarios.Open("kursk")
		if err != nil {
			t.Fatal(err)
		}
		path, text, err := p.Read(c.file)
		if err != nil || !bytes.Contains(text, []byte(c.from)) {
			t.Fatalf("%s does not hold %q (%v)", c.file, c.from, err)
		}
		over := fstest.MapFS{strings.TrimPrefix(path, "scenarios/"): {Data: bytes.Replace(text, []byte(c.from), []byte(c.to), 1)}}
		if p, err = scenarios.OpenDir(over, "kursk"); err != nil {
			t.Fatal(err)
		}
		if _, err = Load(p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q gives %v", c.file, c.to, err)
		}
	}
}
