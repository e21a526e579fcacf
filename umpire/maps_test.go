package umpire

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"fieldpost/report/chart"
	"fieldpost/umpire/match"
	"fieldpost/umpire/scene"
)

// Every scenario's set-up is drawn as it was looked at, and no name lies on
// another one or on counters, neither on the map of the docs nor on that of the mails.
func TestSetUpMaps(t *testing.T) {
	var library match.Library
	infos, err := library.List()
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range infos {
		v, err := library.OpeningView(in.ID, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, scale := range []float64{chart.DefaultScale, chart.FitScale(v.Board, scene.MapWidth)} {
			pic := chart.Render(v, chart.Options{Scale: scale})
			for _, o := range pic.Overlaps() {
				t.Errorf("%s at %v: %s", in.ID, scale, o)
			}
		}
		var svg bytes.Buffer
		if err := chart.Render(v, chart.Options{}).SVG(&svg); err != nil {
			t.Fatal(err)
		}
		goldenMap(t, in.ID, svg.Bytes())
	}
}

// A turn of battle is drawn as it was looked at: arrows, retreats, numbers of the
// story, the front, for the side that was attacked.
func TestBattleMap(t *testing.T) {
	g, _, _ := firstReport(t)
	sc, err := scene.At(&g.u.Games, g.game, "GERMAN", 1)
	if err != nil {
		t.Fatal(err)
	}
	pic := chart.Render(sc.View, chart.Options{Scale: scene.CloseUpScale, Frame: sc.Frame, Marks: sc.Marks})
	for _, o := range pic.Overlaps() {
		t.Error(o)
	}
	var svg bytes.Buffer
	if err := pic.SVG(&svg); err != nil {
		t.Fatal(err)
	}
	goldenMap(t, "battle", svg.Bytes())
}

// goldenMap compares a drawing with the one that was looked at.
func goldenMap(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", "maps", name+".svg.gz")
	if *update {
		var packed bytes.Buffer
		w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		w.Write(got)
		w.Close()
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, packed.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	packed, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	r, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	want, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		at := 0
		for at < min(len(got), len(want)) && got[at] == want[at] {
			at++
		}
		t.Errorf("the map of %s differs from %s in line %d (look at it, then go test ./umpire -run Maps -update)", name, file, 1+bytes.Count(got[:at], []byte("\n")))
	}
}
