package famous

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/table"
	"fieldpost/scenarios"
)

// mended is gd-kursk with one text in one of its files replaced by another; "" for the file
// itself adds one.
func mended(t *testing.T, file, from, to string) (table.Source, error) {
	t.Helper()
	pack, err := scenarios.Open("gd-kursk")
	if err != nil {
		t.Fatal(err)
	}
	all, err := pack.Files()
	if err != nil {
		t.Fatal(err)
	}
	text := string(all["famous/"+file])
	if from != "" && strings.Count(text, from) < 1 {
		t.Fatalf("%s does not hold %q", file, from)
	}
	return scenarios.OpenDir(fstest.MapFS{"famous/" + file: {Data: []byte(strings.Replace(text, from, to, 1))}},
		"gd-kursk")
}

// Every fault that the files of a scenario can have keeps it from loading, and the linter
// says it.
func TestEveryFaultOfAScenariosFiles(t *testing.T) {
	const toml, setup, arrivals = "kursk/gd-kursk/scenario.toml", "kursk/gd-kursk/setup.tsv",
		"kursk/gd-kursk/arrivals.tsv"
	for _, x := range []struct{ file, from, to, want string }{
		{toml, `setup_order = ["GERMAN", "SOVIET"]`, `setup_order = ["GERMAN", "GERMAN"]`,
			"two sides are expected"},
		{toml, `setup_order = ["GERMAN", "SOVIET"]`, `setup_order = ["GERMAN"]`, "two sides are expected"},
		{toml, `first_side = "GERMAN"`, `first_side = "FINNISH"`, `"FINNISH" is not a side of the scenario`},
		{toml, `scorer = "GERMAN"`, `scorer = "ROMAN"`, `"ROMAN" is not a side of the scenario`},
		{toml, "month = 7", "month = 13", "there is no month 13"},
		{toml, "first_chits = 1", "first_chits = -1", "-1 chits cannot be chosen"},
		{toml, "[off_map]\nbattalion = \"2Art\"\nside = \"GERMAN\"", "[off_map]\nbattalion = \"2Art\"\n" +
			"side = \"NOBODY\"", `"NOBODY" is not a side of the scenario`},
		{toml, "blue = 30", "blue = 90", "event chits too few for the cups"},
		{toml, `"Rallied"`, `"Apathy"`, `"Apathy" is not a black event chit`},
		{toml, `"Rallied"`, `"Bogged"`, `there is one chit "Bogged" too few`},
		{toml, `place = "Kalinovka"`, `place = "Kalinowo"`, `no place "Kalinowo"`},
		{toml, "hexes = [4451]", "hexes = [9951]", "hex 9951 is not on the map"},
		{toml, "hexes = [4451]\npoints = 3", "hexes = [4451]\npoints = 0", "needs hexes and points"},
		{toml, "count = 3", "count = 7", "Kalinovka has 4 hexes, not 7"},
		{toml, `zones = ["F", "G"]`, `zones = ["F", "Z"]`, `no entry hex "Z"`},
		{toml, `roads_to = ["A", "B", "C", "D", "E"]`, `roads_to = ["A", "Y"]`, `no entry hex "Y"`},
		{toml, "roads_to = [\"A\", \"B\", \"C\", \"D\", \"E\"]\npoints = 1", "roads_to = [\"A\"]\npoints = 0",
			"a side and points are expected"},
		{toml, "[[grade]]\npoints = 9\nwinner = \"GERMAN\"", "", "no grade says who wins"},
		{toml, "[[grade]]\npoints = 9\nwinner = \"GERMAN\"", "[[grade]]\npoints = 9\nwinner = \"GERMAN\"\n" +
			"[[grade]]\npoints = 9\nwinner = \"\"", "grades fall from the best"},
		{toml, `kind = "Bunker"`, `kind = "Palisade"`, `"Palisade" is not a fortification`},
		{toml, "face = 1", "face = 9", "a side and a face of 1 to 6 are expected"},
		{toml, "default = [2135, 3334, 1742]", "default = [2135, 2135, 1742]", "two Bunker on 2135"},
		{toml, "default = [2135, 3334, 1742]", "default = [2135, 3334, 4053]",
			"no unit that may have a Bunker begins on 4053"},
		{toml, "kind = \"Bunker\"", "kind = \"Bunker\"\nwith = [\"9/9Rif\"]", `no unit "9/9Rif" of the SOVIET`},
		{toml, "month = 7", "month = 7\nmonsoon = true", "monsoon"},
		{"terrain.tsv", "woods\tbase\t2", "woods\tbase\ttwo", `"two" is not a price`},
		{"terrain.tsv", "orchard\tbase", "woods\tbase", `"woods" stands twice in the chart`},
		{"terrain.tsv", "woods\tbase", "woods\tceiling", `"ceiling"`},
		{"terrain.tsv", "clear\tbase\t1\t1\t2\t0", "clear\tbase\t1\t1\t2\tnone", "none"},
		{"terrain.tsv", "clear\tbase\t1\t1\t2\t0\tno", "clear\tbase\t1\t1\t2\t0\tmaybe", "maybe"},
		{"combat.tsv", "\n7\tAC", "\n13\tAC", "the rolls are 2 to 12, each once"},
		{"combat.tsv", "\n7\tAC", "\n8\tAC", "the rolls are 2 to 12, each once"},
		{"combat.tsv", "7\tAC\tAC", "7\tAC\tXX", `"XX" is none of`},
		{"combat.tsv", "12\tAE\tAE\tAP\tAP\tAD\tAC\tAC\tAR", "", "the table has 10 rows, not 11"},
		{"forts.tsv", "Trench\t1\t1\t1\tno\t3", "Trench\t1\t1\t1\tno\t0",
			"a fortification faces 1 to 6 hexsides"},
		{"forts.tsv", "Trench\t1\t1", "Trench\t1\tx", `"x" is not a price`},
		{"weather.tsv", "6\tSnowy", "7\tSnowy", "the die shows 1 to 6"},
		{"weather.tsv", "6\tSnowy\tyes", "6\tSnowy\tperhaps", "perhaps"},
		{"times.tsv", "Evening\tno\t2\t1\t-1", "Evening\tno\t2\t1\t-2", "-2"},
		{"kursk/gd-kursk/turns.tsv", "\n2\t10\tDay", "\n3\t10\tDay", "turn 2 was expected"},
		{"kursk/gd-kursk/turns.tsv", "2\t10\tDay", "2\t10\tNoon", `"Noon" is not a part of the day`},
		{"events.tsv", "Charge\tblue\t-2", "Charge\tblue\t2", "blue chits subtract"},
		{"events.tsv", "Apathy\tred\t2", "Apathy\tred\t-2", "blue chits subtract, red ones add"},
		{"events.tsv", "Bogged\tblack\t0", "Bogged\tblack\t1", "black ones have none"},
		{"events.tsv", "Charge\tblue\t-2\tOff Target\tno\t5", "Charge\tblue\t-2\tOff Target\tno\t0",
			"there is at least one chit of a name"},
		{"events.tsv", "Veterans\tblue", "Charge\tblue", `"Charge" stands twice`},
		{"events.tsv", "Bogged\tblack\t0\tAggressive Assault", "Bogged\tblack\t0\tNothing",
			`"Nothing" is neither an event nor a fortification`},
		{"events.tsv", "Charge\tblue", "Charge\tgreen", "green"},
		{"kinds.tsv", "GERMAN\tart\twheeled\tC\t5-3-8\t-", "GERMAN\tart\twheeled\tC\t5-3-8\t2-3-8",
			"the reverse of artillery shows that it has fired"},
		{"kinds.tsv", "GERMAN\thq\twheeled\tB\t0-2-8\t-\t-\t-\t6\thq",
			"GERMAN\thq\twheeled\tB\t0-2-8\t-\t-\t-\t-\thq",
			"headquarters and no others have an activation range"},
		{"kinds.tsv", "GERMAN\tinf\twheeled\tC\t4-6-8", "GERMAN\tinf\twheeled\tC\t4-6",
			`"4-6" is not attack-defence-movement`},
		{"kinds.tsv", "GERMAN\tinf\twheeled\tC\t4-6-8", "GERMAN\tinf\twheeled\tC\t4-b-8",
			`"4-b-8" is not attack-defence-movement`},
		{"kinds.tsv", "GERMAN\tinf\twheeled", "GERMAN\tinf\tflying", "flying"},
		{"kinds.tsv", "GERMAN\tinf\twheeled\tC", "GERMAN\tinf\twheeled\tX", `"X"`},
		{"kinds.tsv", "engineer; raft", "engineer; boat", `"boat" is not a mark of a counter`},
		{"kursk/counters.tsv", "ger-1gr-1k\t1K/1Gr\tGERMAN\t1Gr\tinf",
			"ger-1gr-1k\t1K/1Gr\tGERMAN\t1Gr\tknights", `"knights" is not a kind of unit of the GERMAN`},
		{"kursk/counters.tsv", "ger-1gr-2k\t2K/1Gr", "ger-1gr-2k\t1K/1Gr", `"1K/1Gr" stands twice`},
		{setup, "ger-2gr-5k\twithin", "ger-2gr-99k\twithin", `no counter "ger-2gr-99k"`},
		{setup, "ger-2gr-hq\twithin 1 of entry C\t2027\t-", "ger-2gr-hq\twithin 1 of entry C\t2027\tdepleted",
			"HQ 2Gr has one step and cannot begin depleted"},
		{setup, "within 5 of entry C\t2428", "within 5 of entry Q\t2428", `no entry hex "Q"`},
		{setup, "within 5 of entry C\t2428", "within reach of entry C\t2428", `"reach" is not a distance`},
		{setup, "within 5 of entry C\t2428", "within 5 of Atlantis\t2428", `no place "Atlantis"`},
		{setup, "within 5 of entry C\t2428", "somewhere\t2428", `"somewhere" is not an area`},
		{setup, "within 5 of entry C\t2428", "at 9999\t2428", "hex 9999 is not on the map"},
		{setup, "within 5 of entry C\t2428", "within 5 of entry C\t4451", "4451 is not within 5 of entry C"},
		{setup, "ger-2gr-flak\twithin 3 of entry C\t2129\t-", "ger-2gr-flak\toff map\t-\t-",
			"scenario.toml has no such artillery off the map"},
		{setup, "ger-2gr-sturm\twithin 2 of entry C\t2128\t-",
			"ger-2gr-sturm\twithin 2 of entry C\t2128\tasleep", "asleep"},
		{setup, "ger-2gr-sturm\twithin 2 of entry C\t2128\t-\tbook\t-\n", "",
			"counter ger-2gr-sturm is placed 0 times"},
		{arrivals, "ger-1gr-1k\tD", "ger-1gr-99k\tD", `no counter "ger-1gr-99k"`},
		{arrivals, "ger-1gr-1k\tD", "ger-1gr-1k\tQ", `no entry hex "Q"`},
		{arrivals, "ger-1gr-1k\tD\t10 Morning", "ger-1gr-1k\tD\t9 Morning",
			`"9 Morning" is not on the turn track`},
		{arrivals, "ger-1gr-1k\tD\t10 Morning\t-", "ger-1gr-1k\tD\t10 Morning\train",
			`scenario.toml has no condition "rain"`},
		{arrivals, "ger-1gr-2k\tD", "ger-1gr-1k\tD", "1K/1Gr arrives twice"},
		{"kursk/hexsides.tsv", "1353/1453", "1353/1555", "1353/1555 is not a hexside of the map"},
		{"kursk/zones.tsv", "F\t2853", "F\t9953", "9953"},
		{"kursk/roads.tsv", "1827 1828", "1827 1830", "1827 and 1830 are not adjacent"},
		{"kursk/places.tsv", "2328 2428", "2328 9928", "9928"},
		{"kursk/regions.tsv", "\t2135\t3437", "\t2135\t2328", "2328"},
		{"kursk/map.toml", "odd_low = true", "odd_lou = true", "odd_lou"},
	} {
		src, err := mended(t, x.file, x.from, x.to)
		said := fmt.Sprint(err)
		if err == nil {
			said = fmt.Sprint((System{}).Lint(src, nil))
		}
		if !strings.Contains(said, x.want) {
			t.Errorf("%s with %q: %v, wanted %q", x.file, x.to, said, x.want)
		}
	}
}

// What loads and still should be looked at.
func TestEveryKindOfFinding(t *testing.T) {
	for _, x := range []struct{ file, from, to, kind, subject, why string }{
		{"kursk/roads.tsv", " 2133 2134 2135\treconstruction", " 2133 2134 2135 2235 2335\treconstruction",
			"road-end", "2335", "ends in the open"},
		{"kursk/hexsides.tsv", "1353/1453 1352/1453", "1353/1453 2147/2148 1352/1453", "river-gap", "2147/2148",
			"has a gap"},
		{"kursk/bridges.tsv", "1742/1843\tPena", "1743/1843\tPena\treconstruction\n1742/1843\tPena",
			"bridge-road", "1743/1843", "no road leads over the bridge"},
		{"kursk/gd-kursk/setup.tsv", "ger-2gr-hq\twithin 1 of entry C\t2027",
			"ger-2gr-hq\twithin 12 of entry C\t3229", "range", "ger-2gr-5k",
			"begins out of the range of its headquarters"},
		{"kursk/zones.tsv", "F\t2853", "F\t2852", "entry-inland", "2852", "is not on an edge of the map"},
		{"kursk/map.txt", "27  ..........................." + strings.Repeat(".", 12),
			"27  ..........................f" + strings.Repeat(".", 12), "entry-closed", "3627",
			"is closed to wheels"},
		{"kursk/map.txt", "29  ..................hhh.v", "29  ...........f......hhh.v", "closed-ground",
			"ger-2gr-flak", "begins on 2129, closed to it"},
		{"kursk/counters.tsv", "5K/2Gr\tGERMAN\t2Gr", "5K/2Gr\tGERMAN\t9Gr", "no-headquarters", "ger-2gr-5k",
			"5K/2Gr begins without its headquarters"},
		{"kursk/gd-kursk/expected.tsv", "", "finding\tat\tclause\tsource\treason\n" +
			"road-end\t2335\t-\tbook\tnothing\n", "expected", "2335", "nothing like this is found any more"},
	} {
		src, err := mended(t, x.file, x.from, x.to)
		if err != nil {
			t.Errorf("%s: %v", x.kind, err)
			continue
		}
		found := (System{}).Lint(src, nil)
		k := slices.IndexFunc(found,
			func(f adjudicator.Finding) bool { return f.Kind == x.kind && f.Subject == x.subject })
		if k < 0 || !strings.Contains(found[k].Why, x.why) {
			t.Errorf("%s of %s is not among the findings %v", x.kind, x.subject, found)
		} else if !strings.HasSuffix(found[k].File, ".tsv") || found[k].Line == 0 {
			t.Errorf("%s of %s is found at %s:%d", x.kind, x.subject, found[k].File, found[k].Line)
		}
	}
	for _, id := range ids {
		pack, err := scenarios.Open(id)
		if err != nil {
			t.Fatal(err)
		}
		if found := (System{}).Lint(pack, nil); len(found) > 0 {
			t.Errorf("%s is shipped with %v", id, found)
		}
	}
}
