package wb95

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"fieldpost/scenarios"
)

// spoil loads Kharkov 1942 with one file changed and tells the line of the change.
func spoil(t *testing.T, file, from, to string) (line int, err error) {
	t.Helper()
	p, err := scenarios.Open("kharkov-1942")
	if err != nil {
		t.Fatal(err)
	}
	path, text, err := p.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte(from)) {
		t.Fatalf("%s does not hold %q", file, from)
	}
	before := text[:bytes.Index(text, []byte(from))+len(from)-len(strings.TrimLeft(from, "\n"))]
	line = 1 + bytes.Count(before, []byte("\n"))
	text = bytes.Replace(text, []byte(from), []byte(to), 1)
	over := fstest.MapFS{strings.TrimPrefix(path, "scenarios/"): {Data: text}}
	p, err = scenarios.OpenDir(over, "kharkov-1942")
	if err != nil {
		return line, err
	}
	_, err = Load(p)
	return line, err
}

// A fault in any file is told with its file, line and column; LINE is the line that
// was changed.
func TestFaultsNameTheirPlace(t *testing.T) {
	const k, s = "wb95/kharkov/", "wb95/kharkov/kharkov-1942/"
	for _, c := range []struct{ file, from, to, want string }{
		{"system.toml", "[hq_range]", "[hq_rang]", "wb95/system.toml:LINE:2: unknown key \"hq_rang"},
		{"system.toml", "\"German\" = 4", "\"German\" = four", "wb95/system.toml:LINE:12: "},
		{"morale.tsv", "Romanian\t9", "Romanians\t9", k + "counters.tsv:52:4: \"Romanian\" has no line in morale.tsv"},
		{"combat.tsv", "A1• / -", "A1* / -", "wb95/combat.tsv:LINE:2: \"A1*\" is not a result"},
		{"combat.tsv", "A2D-1 / -1", "A2D-1 / D1", "wb95/combat.tsv:LINE:5: \"A2D-1 / D1\": both sides retreat"},
		{"combat.tsv", "\n12\t", "\n13\t", "wb95/combat.tsv:LINE:1: the rolls are 2 to 12"},
		{"combat.tsv", "1:4\t", "1:5\t", "wb95/combat.tsv:1: no column \"1:4\""},
		{"book.toml", "field_town", "field_twon", k + "book.toml:LINE:1: unknown key \"field_twon\""},
		{"terrain-summer.tsv", "1.5", "1.55", k + "terrain-summer.tsv:LINE:5: \"1.55\" is not a price"},
		{"terrain-summer.tsv", "swamp\tbase", "bog\tbase", k + "legend.tsv:11:2: \"swamp\" is not a kind of hex"},
		{"map.toml", "odd_low = true", "odd_low = yes", k + "map.toml:"},
		{"map.txt", "02  .....f", "02  ....xf", k + "map.txt:LINE:9: \"x\" is not in legend.tsv"},
		{"map.txt", "\n07  .", "\n07  ..", k + "map.txt:LINE:69: row 07 has 65 hexes"},
		{"map.txt", "\n07  ", "\n08  ", k + "map.txt:LINE:1: row \"08\" where row 07"},
		{"legend.tsv", "F\thills forest", "f\thills forest", k + "legend.tsv:LINE:1: \"f\": a code"},
		{"hexsides.tsv", "1500/1600", "1500/1700", k + "hexsides.tsv:"},
		{"roads.tsv", "0103 0203 0303", "0103 0303", k + "roads.tsv:LINE:3: 0103 and 0303 are not adjacent"},
		{"roads.tsv", "0103 0203 0303", "0103 0203 6537", k + "roads.tsv:LINE:3: hex 6537 is not on the map"},
		{"roads.tsv", "main road\tMoscow", "motorway\tMoscow", k + "roads.tsv:LINE:1: \"motorway\" is not a kind of road"},
		{"bridges.tsv", "1713/1813", "1713/1712", k + "bridges.tsv:LINE:1: there is no water on 1712/1713"},
		{"places.tsv", "Merefa\t", "Kharkov\t", k + "places.tsv:LINE:1: the name \"Kharkov\" is taken"},
		{"places.tsv", "2319", "2320", k + "places.tsv:LINE:3: 2320 is not a town"},
		{"zones.tsv", "6402 6403", "6402 6503", k + "zones.tsv:LINE:2: hex 6503 is not on the map"},
		{"zones.tsv", "\nT\t", "\nX\t", s + "arrivals.tsv:"},
		{"regions.tsv", "\tDoniec\t", "\tDon\t", k + "regions.tsv:LINE:2: no river \"Don\""},
		{"hexsides.tsv", "2104/2204", "", k + "regions.tsv:7:5: 0100 is in the region: the river has a gap"},
		{"counters.tsv", "ger-169-68\t169/68", "ger-169-68\t188/68", k + "counters.tsv:LINE:2: another unit of the side is called"},
		{"counters.tsv", "ger-169-68\t", "ger-188-68\t", k + "counters.tsv:LINE:1: \"ger-188-68\" is taken"},
		{"counters.tsv", "ger-169-68\t169/68", "ger-169-68\t169, 68", k + "counters.tsv:LINE:2: \"169, 68\": a name is made of"},
		{"counters.tsv", "\tclass\t", "\tklass\t", k + "counters.tsv:1: no column \"class\""},
		{"setup.tsv", "6204\t6103", "6537\t6103", s + "setup.tsv:LINE:2: hex 6537 is not on the map"},
		{"setup.tsv", "6204\t6103", "3116\t6103", s + "setup.tsv:LINE:2: 188/68 cannot stand on 3116: swamp"},
		{"setup.tsv", "6204\t6103", "6204\t6104", s + "setup.tsv:LINE:3: 6104 is none of the hexes"},
		{"setup.tsv", "6103\tFF", "6103\tXX", s + "setup.tsv:LINE:4: \"XX\" is none of"},
		{"setup.tsv", "6103\tFF\t0", "6103\tFF\t2", s + "setup.tsv:LINE:5: 188/68 has 2 steps"},
		{"setup.tsv", "ger-169-68", "ger-188-68", s + "setup.tsv:LINE:1: \"ger-188-68\" is in setup.tsv already"},
		{"setup.tsv", "ger-169-68", "ger-169-69", k + "counters.tsv:39:1: \"ger-169-68\" is neither in setup.tsv nor in arrivals.tsv"},
		{"setup.tsv", "sov-333-inf\t5702\t5702", "sov-333-inf\t6303\t6303", s + "setup.tsv:"},
		{"arrivals.tsv", "05-13\tD", "05-13\tZ", s + "arrivals.tsv:LINE:3: \"Z\" is not a zone"},
		{"arrivals.tsv", "1942-05-13\tD", "1942-06-13\tD", s + "arrivals.tsv:LINE:2: 1942-06-13 is not a day of the game"},
		{"arrivals.tsv", "izjum", "isjum", s + "arrivals.tsv:LINE:4: no condition \"isjum\""},
		{"air-strength.tsv", "1942-05-20", "1942-05-21", s + "air-strength.tsv:LINE:1: the day of turn 9"},
		{"control.tsv", "2609\tGERMAN", "2609\tSOVIET", s + "control.tsv:LINE:2: 2609 begins with units of the other side"},
		{"control.tsv", "2609\tGERMAN", "2609\tGREEN", s + "control.tsv:LINE:2: \"GREEN\" is not a side"},
		{"scenario.toml", "turns = 17", "turn = 17", s + "scenario.toml:"},
		{"scenario.toml", "\"4909\"", "\"6599\"", s + "scenario.toml:"},
		{"scenario.toml", "\"1602/1603\"", "\"2020/2021\"", s + "scenario.toml:"},
		{"scenario.toml", "\"west of the Doniec\"", "\"west of the Don\"", s + "scenario.toml:"},
		{"scenario.toml", "except = [\"4804\", ", "except = [\"0100\", ", s + "scenario.toml:"},
		{"scenario.toml", "[\"Izjum\"]", "[\"Izyum-on-Don\"]", s + "scenario.toml:"},
		{"scenario.toml", "supply_edges = [\"east\"]", "supply_edges = [\"orient\"]", s + "scenario.toml:"},
	} {
		line, err := spoil(t, c.file, c.from, c.to)
		c.want = "/" + strings.Replace(c.want, "LINE", strconv.Itoa(line), 1)
		switch {
		case err == nil:
			t.Errorf("%s: %q for %q is not noticed", c.file, c.to, c.from)
		case !strings.Contains(err.Error(), c.want):
			t.Errorf("%s: %q for %q gives\n\t%.400s\nnot\n\t%s", c.file, c.to, c.from, err, c.want)
		}
	}
}

// Faults of several files come in one error.
func TestAllFaultsAreListed(t *testing.T) {
	p, err := scenarios.Open("kharkov-1942")
	if err != nil {
		t.Fatal(err)
	}
	over := fstest.MapFS{}
	for file, swap := range map[string][2]string{
		"setup.tsv": {"6204\t6103", "6537\t6103"}, "arrivals.tsv": {"05-13\tD", "05-13\tZ"}, "combat.tsv": {"A1• / -", "A1* / -"},
	} {
		path, text, err := p.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		over[strings.TrimPrefix(path, "scenarios/")] = &fstest.MapFile{Data: bytes.Replace(text, []byte(swap[0]), []byte(swap[1]), 1)}
	}
	p, err = scenarios.OpenDir(over, "kharkov-1942")
	if err != nil {
		t.Fatal(err)
	}
	_, err = Load(p)
	for _, want := range []string{"setup.tsv:11:2", "arrivals.tsv:6:3", "combat.tsv:10:2"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is not in %v", want, err)
		}
	}
}

// Files with a line missing, cut short or emptied give errors, never a panic; a
// missing counter, placement or arrival is always noticed.
func TestDamagedFiles(t *testing.T) {
	p, err := scenarios.Open("kharkov-1942")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{
		"scenario.toml", "setup.tsv", "arrivals.tsv", "air-strength.tsv", "control.tsv", "map.toml", "map.txt", "book.toml", "legend.tsv",
		"hexsides.tsv", "roads.tsv", "bridges.tsv", "places.tsv", "zones.tsv", "regions.tsv", "terrain-summer.tsv", "counters.tsv",
		"system.toml", "combat.tsv", "morale.tsv",
	} {
		path, text, err := p.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(string(text), "\n")
		try := func(damaged string) error {
			over := fstest.MapFS{strings.TrimPrefix(path, "scenarios/"): {Data: []byte(damaged)}}
			q, err := scenarios.OpenDir(over, "kharkov-1942")
			if err != nil {
				return err
			}
			_, err = Load(q)
			return err
		}
		if try("") == nil && file != "control.tsv" {
			t.Errorf("an empty %s is not noticed", file)
		}
		step := max(1, len(lines)/6)
		for i := 0; i < len(lines)-1; i += step {
			without := strings.Join(slices.Delete(slices.Clone(lines), i, i+1), "")
			err := try(without)
			units := file == "setup.tsv" || file == "arrivals.tsv" || file == "counters.tsv"
			other := file == "counters.tsv" && !strings.Contains(lines[i], "kharkov-1942") // a counter of other scenarios
			if err == nil && units && !other && !strings.HasPrefix(lines[i], "#") {
				t.Errorf("%s without line %d is not noticed", file, i+1)
			}
			cut := strings.Join(lines[:i], "") + lines[i][:min(3, len(lines[i])-1)]
			if try(cut) == nil && units {
				t.Errorf("%s cut off in line %d is not noticed", file, i+1)
			}
		}
	}
}
