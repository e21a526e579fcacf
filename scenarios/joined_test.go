package scenarios

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the files of the joined scenario anew")

// The files of the joined Kursk game that are made from those of its two maps.
const joinedMap, joinedScenario = "wb95/kursk-joined", "wb95/kursk-joined/kursk-joined"

// TestJoinedKurskIsItsTwoMaps compares the joined scenario with the two that it is
// made of; with -update it writes its files.
func TestJoinedKurskIsItsTwoMaps(t *testing.T) {
	for name, text := range joinedKursk(t) {
		if *update {
			if err := os.WriteFile(name, text, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		have, err := files.ReadFile(name)
		if err != nil || !bytes.Equal(have, text) {
			t.Errorf("%s is not made from the two maps: run go test ./scenarios -run Joined -update", name)
		}
	}
}

func joinedKursk(t *testing.T) map[string][]byte {
	read := func(name string) string {
		text, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	out := map[string][]byte{}
	for _, name := range []string{"book.toml", "terrain.tsv", "legend.tsv", "air-counters.tsv"} {
		out[path.Join(joinedMap, name)] = []byte(read("wb95/kursk/" + name))
	}
	join := func(dir, name, north, south string, change func(north bool, row []string) []string) {
		var b strings.Builder
		fmt.Fprintf(&b, "# %s of the joined game: those of Kursk, then those of Prokhorovka. Made from\n# %s and %s, where the columns are\n# explained: go test ./scenarios -run Joined -update. Do not edit.\n", name, north, south)
		columns := ""
		for i, from := range []string{north, south} {
			head := ""
			for line := range strings.SplitSeq(strings.TrimRight(read(from), "\n"), "\n") {
				switch {
				case strings.HasPrefix(line, "#"):
				case head == "":
					if head = line; columns == "" {
						columns = line
						b.WriteString(line + "\n")
					} else if line != columns {
						t.Errorf("%s has other columns than %s", south, north)
					}
				default:
					if row := change(i == 0, strings.Split(line, "\t")); row != nil {
						b.WriteString(strings.Join(row, "\t") + "\n")
					}
				}
			}
		}
		out[path.Join(dir, name)] = []byte(b.String())
	}
	same := func(_ bool, row []string) []string { return row }
	ours := func(name string, change func(bool, []string) []string) {
		join(joinedMap, name, "wb95/kursk/"+name, "wb95/prokhorovka/"+name, change)
	}
	set := func(name string, change func(bool, []string) []string) {
		join(joinedScenario, name, "wb95/kursk/kursk/"+name, "wb95/prokhorovka/prokhorovka/"+name, change)
	}
	for _, name := range []string{"hexsides.tsv", "roads.tsv", "bridges.tsv", "places.tsv", "fortified.tsv"} {
		ours(name, same)
	}
	// XVIII ARM comes once: in the south, on 10 July.
	once := func(north bool, row []string) []string {
		if north && strings.HasSuffix(row[0], "-xviii-arm") {
			return nil
		}
		return row
	}
	ours("counters.tsv", func(north bool, row []string) []string {
		if i := slices.IndexFunc(row, func(f string) bool { return f == "kursk" || f == "prokhorovka" }); i >= 0 {
			row[i] = "kursk-joined"
		}
		return once(north, row)
	})
	ours("zones.tsv", func(north bool, row []string) []string {
		if !north && row[0] == "E" {
			row[0] = "ES"
		}
		return row
	})
	// What runs on over the seam: two roads and the Sejm.
	for name, rows := range map[string][]string{
		"roads.tsv":    {"main route\tKursk - Obojan, over the seam\t1227 4400\treconstruction", "secondary route\tKamyszewka - Solncewo, over the seam\t2527 5700\treconstruction"},
		"hexsides.tsv": {"river\tSejm\t2127/5300 2127/5200 2027/5200\treconstruction"},
	} {
		file := path.Join(joinedMap, name)
		out[file] = append(out[file], strings.Join(rows, "\n")+"\n"...)
	}
	set("expected.tsv", same)
	set("setup.tsv", same)
	set("control.tsv", same)
	set("slow.tsv", once)
	// The reserves of the STAWKA may come on either map.
	set("arrivals.tsv", func(north bool, row []string) []string {
		if north && (row[2] == "E" || strings.HasSuffix(row[2], "; E")) {
			row[2] += "; ES"
		}
		return once(north, row)
	})
	out[path.Join(joinedMap, "map.txt")] = []byte(joinedText(read))
	out[path.Join(joinedScenario, "air-strength.tsv")] = []byte(joinedAir())
	return out
}

// joinedText puts the two maps side by side, with an empty column 32.
func joinedText(read func(string) string) string {
	rows := func(name string) []string {
		var out []string
		for line := range strings.SplitSeq(strings.TrimRight(read(name), "\n"), "\n") {
			if !strings.HasPrefix(line, "#") {
				_, hexes, _ := strings.Cut(line, "  ")
				out = append(out, hexes)
			}
		}
		return out
	}
	north, south := rows("wb95/kursk/map.txt"), rows("wb95/prokhorovka/map.txt")
	var b strings.Builder
	b.WriteString("# The terrain of both maps: columns 01 to 31 are Kursk, 33 to 63 Prokhorovka; _ is off\n" +
		"# the map. Source: reconstruction. Made from the two maps: go test ./scenarios -run Joined -update. Do not edit.\n")
	for i := range south {
		left := strings.Repeat("_", 31)
		if i < len(north) {
			left = north[i]
		}
		fmt.Fprintf(&b, "%02d  %s_%s\n", i, left, south[i])
	}
	return b.String()
}

// joinedAir is the air counters of both fronts: two in the north, and in the south
// four to 20 July (book).
func joinedAir() string {
	var b strings.Builder
	b.WriteString("# Air support: strength points by day.\n# date, then a column for each side. source, note.\n" +
		"# The book gives the Germans two of the six air counters in the north (5 to 23 July) and four in the\n" +
		"# south (5 to 20 July); reading: five points a counter (8.1.1, note 2). The Soviets get none.\n" +
		"date\tGERMAN\tSOVIET\tsource\tnote\n")
	for day := 5; day <= 23; day++ {
		n := 6
		if day > 20 {
			n = 2
		}
		fmt.Fprintf(&b, "1943-07-%02d\t%d\t0\treconstruction\t%d counters\n", day, 5*n, n)
	}
	return b.String()
}
