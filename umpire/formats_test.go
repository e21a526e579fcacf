package umpire

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"fieldpost/store"
	"fieldpost/umpire/archive"
	"fieldpost/umpire/proof"
)

var makeFixtures = flag.Bool("make-fixtures", false, "write an archive and a database of the present formats into testdata, where there is none")

// formatsDir holds a game of every released format: NAME.tar, an archive, with
// NAME.json, the keys of its invitation.
const formatsDir = "testdata/formats"

// What was released once stays readable. An archive is checked to the last hash by
// a program with the rules of its game; another one says that it has others, and
// reads it so far. When this test says that a game comes out otherwise, running
// games would as well: raise the Version of the system whose rules were changed.
// (Before the first release one may remove the archive and make it anew with
// -make-fixtures.)
func TestArchivesOfEveryFormat(t *testing.T) {
	name := filepath.Join(formatsDir, "format"+strconv.Itoa(archive.ArchiveFormat))
	if _, err := os.Stat(name + ".tar"); *makeFixtures && err != nil {
		makeFixture(t, name)
	}
	all, err := filepath.Glob(filepath.Join(formatsDir, "*.tar"))
	if err != nil || len(all) < archive.ArchiveFormat {
		t.Fatalf("%d archives, want one of every format, %v", len(all), err)
	}
	for _, file := range all {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(strings.TrimSuffix(file, ".tar") + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var trust proof.Trust
		if err := json.Unmarshal(text, &trust); err != nil {
			t.Fatal(err)
		}
		a, err := archive.Verify(raw, trust)
		switch {
		case err != nil && strings.Contains(err.Error(), "follows version"):
			t.Logf("%s: read, and not derived anew: %v", file, err)
		case err != nil || len(a.Unproven) > 0:
			t.Errorf("%s: %v; unproven %q", file, err, a.Unproven)
		case a.Status != string(store.StatusFinished) || a.Phases < 2 || a.Sheets < 2 || a.Commitments != a.Reports || a.Reports == 0:
			t.Errorf("%s proves too little: %+v", file, a)
		}
		bad := append([]byte{}, raw...)
		bad[len(bad)/2] ^= 1
		if _, err := archive.Verify(bad, trust); err == nil {
			t.Errorf("%s: altered, it passes", file)
		}
	}
}

// makeFixture plays a sheet, has the other side concede, and keeps the archive.
func makeFixture(t *testing.T, name string) {
	g := newTable(t)
	g.seat("SOVIET")
	g.seat("GERMAN")
	g.receive(g.mail("SOVIET", g.signed("SOVIET", g.sheet("SOVIET", 1, 1)+"DONE\n")))
	g.receive(g.mail("GERMAN", g.signed("GERMAN", "GAME: "+g.game+"\nSIDE: GERMAN\nTURN: 1\nSERIAL: 1\nCONCEDE\n")))
	g.concessionCounts()
	raw, err := g.u.Archive(g.game)
	if err != nil {
		t.Fatal(err)
	}
	trust, err := json.MarshalIndent(g.trust(), "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(formatsDir, 0o755); err != nil {
		t.Fatal(err)
	}
	for file, b := range map[string][]byte{name + ".tar": raw, name + ".json": append(trust, '\n')} {
		if err := os.WriteFile(file, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
