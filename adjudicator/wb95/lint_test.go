package wb95

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"fieldpost/adjudicator"
	"fieldpost/scenarios"
)

// knownOn are the ids of the scenarios on a map.
func knownOn(m string) (ids []string) {
	for _, in := range scenarios.List() {
		if in.System != "wb95" {
			continue
		}
		if in.Map == m {
			ids = append(ids, in.ID)
		}
	}
	return ids
}

// Nothing is found in the scenarios but what they declare.
func TestScenariosAreClean(t *testing.T) {
	for _, in := range scenarios.List() {
		if in.System != "wb95" {
			continue
		}
		if in.System != "wb95" {
			continue
		}
		p, err := scenarios.Open(in.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range (System{}).Lint(p, knownOn(in.Map)) {
			if !f.Note {
				t.Errorf("%s: %v", in.ID, f)
			}
		}
	}
}

// swap is a change of a file; an empty from puts to at its end.
type swap struct{ file, from, to string }

// spoiled lints a scenario with files changed.
func spoiled(t *testing.T, id string, swaps ...swap) []adjudicator.Finding {
	t.Helper()
	p, err := scenarios.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	over := fstest.MapFS{}
	for _, s := range swaps {
		path, text, err := p.Read(s.file)
		if err != nil || !bytes.Contains(text, []byte(s.from)) {
			t.Fatalf("%s does not hold %q: %v", s.file, s.from, err)
		}
		name := strings.TrimPrefix(path, "scenarios/")
		if f := over[name]; f != nil {
			text = f.Data
		}
		if s.from == "" {
			text = append(bytes.TrimRight(text, "\n"), "\n"+s.to+"\n"...)
		} else {
			text = bytes.Replace(text, []byte(s.from), []byte(s.to), 1)
		}
		over[name] = &fstest.MapFile{Data: text}
	}
	p, err = scenarios.OpenDir(over, id)
	if err != nil {
		t.Fatal(err)
	}
	return System{}.Lint(p, knownOn(p.Map))
}

// Each kind of finding is found, and told with its place.
func TestLintFinds(t *testing.T) {
	const k, s = "overlay/wb95/kharkov/", "overlay/wb95/kharkov/kharkov-1942/"
	only := func(file, from, to string) []swap { return []swap{{file, from, to}} }
	for _, c := range []struct {
		swaps []swap
		want  string // beginning of a line
		in    string // part of it
	}{
		{only("setup.tsv", "6204\t6103", "6537\t6103"), s + "setup.tsv:11:2: ", "hex 6537 is not on the map (file)"},
		{only("setup.tsv", "6204\t6103", "3116\t6103"), s + "setup.tsv:11:2: ", "cannot stand on 3116: swamp (file)"},
		{only("scenario.toml", `"4909"`, `"6599"`), s + "scenario.toml:", "hex 6599 is not on the map (file)"},
		{only("zones.tsv", "5736 5836 5936", "-"), k + "zones.tsv:11:2: ", "(file)"},
		{only("bridges.tsv", "1713/1813", "1713/1712"), k + "bridges.tsv:5:1: ", "there is no water on 1712/1713 (file)"},
		{only("roads.tsv", "0103 0203 0303", "0103 0303"), k + "roads.tsv:11:3: ", "are not adjacent (file)"},
		{only("arrivals.tsv", "1942-05-13\tD", "1942-06-13\tD"), s + "arrivals.tsv:6:2: ", "is not a day of the game (file)"},

		{[]swap{{"setup.tsv", "ger-188-68\t6103 6204\t6103", "ger-188-68\t5901\t5901"}, {"setup.tsv", "ger-169-68\t6103 6204\t6204", "ger-169-68\t5901\t5901"}},
			s + "setup.tsv:12:3: ", "10 steps begin on 5901, the limit is 8 (stack 5901)"},
		{only("setup.tsv", "sov-333-inf\t5702\t5702", "sov-333-inf\t0126\t0126"), s + "setup.tsv:", "begins out of supply (supply sov-333-inf)"},
		{only("roads.tsv", "3319 3419", "3319 3318"), k + "roads.tsv:70:3: ", "(road-end 3318)"},
		{only("bridges.tsv", "1713/1813\tCharkow\treconstruction\n", ""), "scenarios/wb95/kharkov/roads.tsv:11:3: ", "(ford 1713/1813)"},
		{only("hexsides.tsv", "2003/2103 2004/2103", "2003/2103"), k + "hexsides.tsv:", "Doniec has a gap: 2103/2104"},
		{only("hexsides.tsv", " 3908/3909", ""), k + "hexsides.tsv:", "neither leaves the map nor meets other water (river-gap Balaklejka)"},
		{only("zones.tsv", "6402 6403", "6402 6303"), k + "zones.tsv:7:2: ", "6303 of zone A is not at the edge of the map (zone A)"},
		{only("zones.tsv", "6411 6412", "6406 6411"), k + "zones.tsv:8:2: ", "6406 is in the zones A and B (zone B)"},
		{only("scenario.toml", `"4909", `, `"4909", "4909", `), s + "scenario.toml:", "counts twice among the objectives (victory 4909)"},
		{only("counters.tsv", "traits", "traits"), "scenarios/wb95/kharkov/places.tsv:44:3: ", "no road leads to Zidki (off-road Zidki)"},
		{only("counters.tsv", "", "ger-x\tX\tGERMAN\tGerman\t-\t-\tINF\tR\tfoot\t4\t2\t-\t4\t-\t-\tbook\tbook\t-"), k + "counters.tsv:", "no scenario uses ger-x (counter ger-x)"},
		{only("counters.tsv", "", "ger-x\tX\tGERMAN\tGerman\t-\t-\tINF\tR\tfoot\t4\t2\t-\t4\t-\tkharkov-1941\tbook\tbook\t-"), k + "counters.tsv:", `there is no scenario "kharkov-1941" on this map (counter ger-x)`},
		{[]swap{{"terrain-summer.tsv", "clear\tbase\t1\t2", "clear\tbase\t9\t2"}, {"arrivals.tsv", "ger-82-20-rom\t1942-05-13\tD", "ger-82-20-rom\t1942-05-13\tJ"}},
			s + "arrivals.tsv:6:3: ", "(arrival ger-82-20-rom)"},
		{only("scenario.toml", "turns = 17", "turns = 5"), "scenarios/wb95/kharkov/kharkov-1942/arrivals.tsv:73:4: ", "is number 5 of those that wait for \"izjum\", and one a turn comes in 5 turns (arrival "},
	} {
		found := spoiled(t, "kharkov-1942", c.swaps...)
		ok := false
		var all []string
		for _, f := range found {
			all = append(all, f.String())
			ok = ok || strings.HasPrefix(f.String(), c.want) && strings.Contains(f.String(), c.in)
		}
		if !ok {
			t.Errorf("%v: want %s ... %s, found\n%s", c.swaps, c.want, c.in, strings.Join(all, "\n"))
		}
	}
}

// A declaration takes its finding out; one that fits nothing, or gives no reason,
// is a finding.
func TestDeclarations(t *testing.T) {
	const s = "overlay/wb95/kharkov/kharkov-1943/expected.tsv"
	for _, c := range []struct {
		swap swap
		want []string
	}{
		{swap{"expected.tsv", "# reason.", "# reason."}, nil},
		{swap{"expected.tsv", "supply\tsov-17-gw-i-g", "supply\tsov-18-gw-i-g"}, []string{"(supply sov-17-gw-i-g)", s + ":8:1: supply of sov-18-gw-i-g is declared here"}},
		{swap{"expected.tsv", "WB-95 3.2.1", "-"}, []string{s + ":6:3: a declared finding wants a clause"}},
		{swap{"expected.tsv", "finding\tat\t", "finding\tto\t"}, []string{s + `:1: no column "at"`}},
		{swap{"setup.tsv", "ger-228-stug\t6303\t6303", "ger-228-stug\t6203\t6203"}, []string{"stack of 6303 is declared here, but there is no such finding"}},
	} {
		var all []string
		for _, f := range spoiled(t, "kharkov-1943", c.swap) {
			if !f.Note {
				all = append(all, f.String())
			}
		}
		text := strings.Join(all, "\n")
		for _, w := range c.want {
			if !strings.Contains(text, w) {
				t.Errorf("%v: no %q in\n%s", c.swap, w, text)
			}
		}
		if c.want == nil && text != "" {
			t.Errorf("found %s", text)
		}
	}
}
