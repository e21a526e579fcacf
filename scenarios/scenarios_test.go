package scenarios

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"fieldpost/adjudicator/table"
)

func TestList(t *testing.T) {
	var ids []string
	for _, in := range List() {
		ids = append(ids, in.ID)
		if in.Title == "" || in.System == "" || in.Map == "" {
			t.Errorf("%+v", in)
		}
	}
	if !slices.Contains(ids, "kharkov-1942") {
		t.Errorf("scenarios %v", ids)
	}
	p, err := Open("kharkov-1942")
	if err != nil || p.System != "wb95" || p.Map != "kharkov" || p.Title != "Kharkov 1942" {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := Open("waterloo"); !errors.Is(err, ErrUnknown) {
		t.Errorf("waterloo: %v", err)
	}
}

func TestReadLooksUpwards(t *testing.T) {
	p, err := Open("kharkov-1942")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"setup.tsv":  "scenarios/wb95/kharkov/kharkov-1942/setup.tsv",
		"map.txt":    "scenarios/wb95/kharkov/map.txt",
		"combat.tsv": "scenarios/wb95/combat.tsv",
	} {
		if got, text, err := p.Read(name); got != want || len(text) == 0 || err != nil {
			t.Errorf("%s is %s, %v", name, got, err)
		}
	}
	if _, _, err := p.Read("weather.tsv"); err == nil || !strings.Contains(err.Error(), "weather.tsv") {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestOverlayWins(t *testing.T) {
	over := fstest.MapFS{
		"wb95/kharkov/counters.tsv":           {Data: []byte("# mine\n")},
		"wb95/kharkov/kharkov-1941/README.md": {Data: []byte("no scenario: it lacks a scenario.toml\n")},
		"wb95/steppe/raid/scenario.toml":      {Data: []byte("title = \"A raid\"\n")},
	}
	p, err := OpenDir(over, "kharkov-1942")
	if err != nil {
		t.Fatal(err)
	}
	if got, text, _ := p.Read("counters.tsv"); got != "overlay/wb95/kharkov/counters.tsv" || string(text) != "# mine\n" {
		t.Errorf("counters.tsv is %s: %q", got, text)
	}
	if got, _, _ := p.Read("setup.tsv"); got != "scenarios/wb95/kharkov/kharkov-1942/setup.tsv" {
		t.Errorf("setup.tsv is %s", got)
	}
	raid, err := OpenDir(over, "raid")
	if err != nil || raid.Title != "A raid" {
		t.Fatalf("%+v, %v", raid, err)
	}
	if got, _, err := raid.Read("morale.tsv"); got != "scenarios/wb95/morale.tsv" {
		t.Errorf("morale.tsv of the raid is %s, %v", got, err)
	}
	if _, err := OpenDir(over, "kharkov-1941"); !errors.Is(err, ErrUnknown) {
		t.Errorf("kharkov-1941: %v", err)
	}
}

func TestDecodeNamesThePlace(t *testing.T) {
	for text, want := range map[string]string{
		"# one\nturns = 17\nturn = 3\n":              "overlay/wb95/k/s/x.toml:3:1: unknown key \"turn\"",
		"turns = 17\n[supply]\nsea = true\n":         "overlay/wb95/k/s/x.toml:3:1: unknown key \"supply.sea\"",
		"turns = 17\n[[suppli]]\nplace = \"Kiew\"\n": "overlay/wb95/k/s/x.toml:2:3: unknown key \"suppli\"",
		"turns = 17\nturns = 18\n":                   "overlay/wb95/k/s/x.toml:2:12: Key 'turns' has already been defined.",
		"\nturns = \"many\"\n":                       "overlay/wb95/k/s/x.toml:2: turns: incompatible types",
		"turns =\n":                                  "overlay/wb95/k/s/x.toml:1:",
	} {
		p, err := OpenDir(fstest.MapFS{"wb95/k/s/scenario.toml": {}, "wb95/k/s/x.toml": {Data: []byte(text)}}, "s")
		if err != nil {
			t.Fatal(err)
		}
		var v struct {
			Turns  int
			Supply struct{ Places []string }
		}
		err = p.Decode("x.toml", &v)
		var te *table.Error
		if err == nil || !strings.Contains(err.Error(), want) || !errors.As(err, &te) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := OpenDir(fstest.MapFS{"wb95/k/s/scenario.toml": {Data: []byte("title = \n")}}, "s"); err == nil || !strings.Contains(err.Error(), "overlay/wb95/k/s/scenario.toml:1:") {
		t.Errorf("a scenario.toml that is no TOML: %v", err)
	}
}

// Every file explains itself and says where its values come from.
func TestEveryFileSaysWhatItIs(t *testing.T) {
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) == ".md" {
			return err
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		head, _, _ := strings.Cut(string(text), "\n")
		if !strings.HasPrefix(head, "# ") {
			t.Errorf("%s does not begin with a comment", name)
		}
		if !strings.Contains(string(text), "book") && !strings.Contains(string(text), "reconstruction") {
			t.Errorf("%s does not say where its values come from", name)
		}
		if path.Ext(name) == ".tsv" {
			marked(t, name, text)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// marked checks that a table parses and that each row is marked.
func marked(t *testing.T, name string, text []byte) {
	s, err := table.ParseSheet(name, text)
	if err != nil {
		t.Error(err)
		return
	}
	known := false
	for _, column := range []string{"source", "named", "figures"} {
		if !slices.Contains(s.Columns, column) {
			continue
		}
		known = true
		for _, r := range s.Rows {
			r.OneOf(column, "book", "reconstruction")
		}
	}
	if !known && !strings.Contains(string(text), "All cells: book") {
		t.Errorf("%s: neither a column source nor a word for all cells", name)
	}
	for _, err := range s.Errors() {
		t.Error(err)
	}
	if len(s.Rows) == 0 {
		t.Errorf("%s has no rows", name)
	}
}

// The tables that are not played yet have the shape of the book's.
func TestTablesOfFire(t *testing.T) {
	for _, name := range []string{"air-attack.tsv", "artillery.tsv", "objects.tsv"} {
		p, err := Open("kharkov-1942")
		if err != nil {
			t.Fatal(err)
		}
		s, err := table.ReadSheet(p, name, "sp", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12")
		if err != nil {
			t.Fatal(err)
		}
		var rows []string
		for _, r := range s.Rows {
			rows = append(rows, r.Text("sp"))
		}
		if want := []string{"1-2", "3-5", "6-8", "9-12", "13-16", "17+"}; !slices.Equal(rows, want) || len(s.Errors()) > 0 {
			t.Errorf("%s: rows %v, %v", name, rows, s.Errors())
		}
	}
}
