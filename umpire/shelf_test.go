package umpire

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	u := &Umpire{Shelf: c.Shelf()}
	game, _, err := u.scenario("kharkov-1942")
	if err != nil || game.Title() != "My Kharkov" {
		t.Fatalf("%v, %v", game, err)
	}
	if again, _, _ := u.scenario("kharkov-1942"); again != game {
		t.Error("it is loaded twice")
	}
	if plain, _, err := new(Umpire).scenario("kharkov-1942"); err != nil || plain.Title() != "Kharkov 1942" {
		t.Errorf("the built-in one is %v, %v", plain, err)
	}
	told, err := c.Shelf().Describe("kharkov-1942")
	if err != nil || !strings.Contains(told, filepath.Join(dir, "mine", name)) || !strings.Contains(told, "setup.tsv") {
		t.Errorf("%v\n%s", err, told)
	}
	if _, err := c.Shelf().List(); err == nil || !strings.Contains(err.Error(), "raid/scenario.toml:2") {
		t.Errorf("the broken scenario: %v", err)
	}
	found, err := c.Shelf().Lint("raid")
	if err != nil || len(found) != 1 || found[0].Line != 2 {
		t.Errorf("%v, %v", found, err)
	}
	if _, err := c.Shelf().Lint("waterloo"); err == nil {
		t.Error("an unknown scenario has no findings")
	}
	write(t, dir, "config.toml", `scenario_dirs = ["nowhere"]`+mailSettings)
	if _, err := ReadConfig(path); err == nil || !strings.Contains(err.Error(), "scenario_dirs") {
		t.Errorf("a folder that is not there: %v", err)
	}
}

func TestUnits(t *testing.T) {
	rows, err := new(Shelf).Units("kharkov-1942")
	if err != nil {
		t.Fatal(err)
	}
	setup := 0
	for _, r := range rows {
		if len(r) != len(UnitColumns) {
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

func TestLayers(t *testing.T) {
	s := new(Shelf)
	for layers, want := range map[string][3]bool{LayersBlank: {false, false, true}, LayersTerrain: {false, true, true}, LayersSetup: {true, true, true}} {
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
