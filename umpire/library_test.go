package umpire

import (
	"fieldpost/adjudicator/phrase"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/umpire/match"
)

// write puts a file into a folder below dir.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const mailSettings = `
[mail]
address = "umpire@example.org"
instance = "test"
[mail.imap]
host = "imap.example.org"
user = "u"
password_file = "p"
[mail.smtp]
host = "smtp.example.org"
`

// The folders of the config are laid over the scenarios, and each config keeps its own.
func TestScenarioDirs(t *testing.T) {
	dir := t.TempDir()
	text, err := os.ReadFile("../scenarios/wb95/kharkov/kharkov-1942/scenario.toml")
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "p", "secret")
	const name = "wb95/kharkov/kharkov-1942/scenario.toml"
	write(t, dir, "mine/"+name, strings.Replace(string(text), `title = "Kharkov 1942"`, `title = "My Kharkov"`, 1))
	write(t, dir, "other/"+name, strings.Replace(string(text), `title = "Kharkov 1942"`, `title = "Other"`, 1))
	write(t, dir, "broken/wb95/kharkov/raid/scenario.toml", "# A raid.\ntitle = \n")
	path := write(t, dir, "config.toml", `scenario_dirs = ["mine", "other", "broken"]`+mailSettings)
	c, err := ReadConfig(path)
	if err != nil {
		t.Fatal(err)
	}
	u := New(Setup{Library: c.Library()})
	game, _, err := u.Scenario("kharkov-1942")
	if err != nil || game.Title() != "My Kharkov" {
		t.Fatalf("%v, %v", game, err)
	}
	if again, _, _ := u.Scenario("kharkov-1942"); again != game {
		t.Error("it is loaded twice")
	}
	if plain, _, err := new(Umpire).Scenario("kharkov-1942"); err != nil || plain.Title() != "Kharkov 1942" {
		t.Errorf("the built-in one is %v, %v", plain, err)
	}
	told, err := c.Library().Describe("kharkov-1942")
	if err != nil || !strings.Contains(told, filepath.Join(dir, "mine", name)) || !strings.Contains(told, "setup.tsv") {
		t.Errorf("%v\n%s", err, told)
	}
	if _, err := c.Library().List(); err == nil || !strings.Contains(err.Error(), "raid/scenario.toml:2") {
		t.Errorf("the broken scenario: %v", err)
	}
	found, err := c.Library().Lint("raid")
	if err != nil || len(found) != 1 || found[0].Line != 2 {
		t.Errorf("%v, %v", found, err)
	}
	if _, err := c.Library().Lint("waterloo"); err == nil {
		t.Error("an unknown scenario has no findings")
	}
	write(t, dir, "config.toml", `scenario_dirs = ["nowhere"]`+mailSettings)
	if _, err := ReadConfig(path); err == nil || !strings.Contains(err.Error(), "scenario_dirs") {
		t.Errorf("a folder that is not there: %v", err)
	}
}

func TestUnits(t *testing.T) {
	rows, err := new(match.Library).Units("kharkov-1942")
	if err != nil {
		t.Fatal(err)
	}
	setup := 0
	for _, r := range rows {
		if len(r) != len(match.UnitColumns) {
			t.Fatal(r)
		}
		if r[14] == "setup" {
			setup++
		}
	}
	if len(rows) != 247 || setup != 179 {
		t.Errorf("%d counters, %d of them in the set-up", len(rows), setup)
	}
	for i, want := range map[int]string{
		0:   "kharkov-1942|GERMAN|German|257 INF|457/257|INF|R|5901|2|2|4|4|4|FF|setup||reconstruction",
		179: "kharkov-1942|GERMAN|Romanian|20 INF (Rom)|82/20 Rom|INF|R||2|2|3|3|4|none|1942-05-13|D|reconstruction",
		246: "kharkov-1942|SOVIET|Soviet|37 Army|Art./37A|ART|-||1|1|5|3|6|none|cond: izjum|T|book (figures: reconstruction)",
	} {
		if got := strings.Join(rows[i], "|"); got != want {
			t.Errorf("row %d: %s, want %s", i, got, want)
		}
	}
}

// Every scenario lists its counters, each once, with or without reinforcements.
func TestUnitsOfEveryScenario(t *testing.T) {
	library := new(match.Library)
	infos, err := library.List()
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range infos {
		rows, err := library.Units(in.ID)
		if err != nil || len(rows) == 0 {
			t.Errorf("%s: %d counters, %v", in.ID, len(rows), err)
		}
		seen := map[string]bool{}
		for _, r := range rows {
			name := r[1] + " " + r[4]
			if !phrase.IsType(r[5]) {
				t.Errorf("%s: %s is %q, which answers and names do not know as a type", in.ID, name, r[5])
			}
			if seen[name] || r[len(r)-1] == "" {
				t.Errorf("%s: %s is listed twice or without provenance", in.ID, name)
			}
			seen[name] = true
		}
	}
}

// An owner's counters and terrain count instead of ours, down to the game.
func TestCorrectedFiles(t *testing.T) {
	dir := t.TempDir()
	const counters, ground = "wb95/kharkov/counters.tsv", "wb95/kharkov/map.txt"
	for name, swap := range map[string][2]string{
		counters: {"ger-457-257\t457/257\tGERMAN\tGerman\t257 INF\t257 INF\tINF\tR\tfoot\t4\t2\t", "ger-457-257\t457/257\tGERMAN\tGerman\t257 INF\t257 INF\tINF\tR\tfoot\t9\t5\t"},
		ground:   {"\n36  ..", "\n36  f."},
	} {
		text, err := os.ReadFile("../scenarios/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(string(text), swap[0]) != 1 {
			t.Fatalf("%s does not hold %q once", name, swap[0])
		}
		write(t, dir, name, strings.Replace(string(text), swap[0], swap[1], 1))
	}
	library, err := match.NewLibrary(dir)
	if err != nil {
		t.Fatal(err)
	}
	for s, want := range map[*match.Library][2]string{library: {"9", "forest"}, new(match.Library): {"4", "clear"}} {
		rows, err := s.Units("kharkov-1942")
		if err != nil {
			t.Fatal(err)
		}
		v, err := s.OpeningView("kharkov-1942", "GERMAN")
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(v.Units, func(u view.Unit) bool { return u.Name == "457/257" })
		if rows[0][4] != "457/257" || rows[0][10] != want[0] || i < 0 || strconv.Itoa(v.Units[i].Attack) != want[0] {
			t.Errorf("%v in the list, %+v in the game, want a strength of %s", rows[0], v.Units[i], want[0])
		}
		if kinds := v.Board.Kinds(136); !slices.Contains(kinds, want[1]) {
			t.Errorf("0136 is %v, want %s", kinds, want[1])
		}
	}
	if found, err := library.Lint("kharkov-1942"); err != nil || slices.ContainsFunc(found, func(f adjudicator.Finding) bool { return !f.Note }) {
		t.Errorf("%v, %v", found, err)
	}
}

func TestLayers(t *testing.T) {
	s := new(match.Library)
	for layers, want := range map[string][3]bool{match.LayersBlank: {false, false, true}, match.LayersTerrain: {false, true, true}, match.LayersSetup: {true, true, true}} {
		v, err := s.Map("black-snow", layers)
		if err != nil {
			t.Fatal(err)
		}
		if got := [3]bool{len(v.Units) > 0, len(v.Board.Rivers) > 0, v.Board.On(101)}; got != want {
			t.Errorf("%s: %v", layers, got)
		}
	}
	if _, err := s.Map("black-snow", "rivers"); err == nil {
		t.Error("layers that nobody knows")
	}
}

// Where chits are drawn no side moves first, and none is said to.
func TestDescribeSaysWhoMovesFirst(t *testing.T) {
	for id, want := range map[string]string{"kharkov-1942": "; SOVIET moves first\n", "star-and-gallop": "; the first chit drawn says who moves first\n"} {
		told, err := new(match.Library).Describe(id)
		if err != nil || !strings.Contains(told, want) {
			t.Errorf("%s: %v, %.200q", id, err, told)
		}
	}
}
