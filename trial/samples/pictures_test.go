package samples

import (
	"context"
	"strings"
	"testing"

	"fieldpost/trial/pictures"

	"fieldpost/report/chart"
	"fieldpost/umpire/match"
	"fieldpost/umpire/scene"
)

// The pictures of reports are maps to play from: a scenario of each system, at the beginning
// and in its third turn.
func TestPicturesAreMapsToPlayFrom(t *testing.T) {
	library, err := match.NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"prokhorovka", "star-and-gallop", "gd-mischurin-rog"} {
		game, words, err := library.Game(id)
		if err != nil {
			t.Fatal(err)
		}
		for _, turn := range []int{1, 3} {
			all, err := pictures.At(context.Background(), game, words, 1, turn)
			if err != nil {
				t.Fatal(err)
			}
			var n pictures.Tally
			for _, r := range all {
				n.Add(r.Look())
			}
			if n.Reports != 2 || n.Pictures < 8 || n.Units < 10 || n.Least < pictures.LeastScale {
				t.Errorf("%s, turn %d: %d reports, %d pictures, %d units, hexes of %v pixels", id, turn, n.Reports, n.Pictures, n.Units, n.Least)
			}
			for _, fault := range n.Faults {
				t.Errorf("%s, turn %d: %s", id, turn, fault)
			}
		}
	}
}

// A unit that is not named and a hex that is too small are found.
func TestFaultsAreFound(t *testing.T) {
	library, err := match.NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	game, words, err := library.Game("gd-kursk")
	if err != nil {
		t.Fatal(err)
	}
	all, err := pictures.At(context.Background(), game, words, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	n := pictures.Tally{}
	for _, p := range scene.Plan(all[0].View, nil, scene.ChoiceClose, pictures.Room) {
		if p.Scale == 0 {
			continue
		}
		p.Scale = pictures.LeastScale - 1
		p.Draw = func() *chart.Picture { return chart.Render(all[0].View, chart.Options{Scale: p.Scale, Frame: p.Frame}) }
		all[0].LookAt(p, p.Name, &n)
	}
	if found := strings.Join(n.Faults, "\n"); n.Units == 0 || len(n.Faults) < n.Units || !strings.Contains(found, "pixels wide") || !strings.Contains(found, "is not named") {
		t.Errorf("%d units: %q", n.Units, n.Faults)
	}
}

// The names and numbers of close-ups can be read, by a program at least.
func TestPicturesAreRead(t *testing.T) {
	if !pictures.HasReader() {
		t.Skip("tesseract is not installed")
	}
	library, err := match.NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	var labels []pictures.Label
	for _, id := range []string{"prokhorovka", "star-and-gallop", "gd-mischurin-rog"} {
		game, words, err := library.Game(id)
		if err != nil {
			t.Fatal(err)
		}
		all, err := pictures.At(context.Background(), game, words, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		found, err := all[0].Labels(id)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 15 {
			labels = append(labels, found[i*len(found)/15])
		}
	}
	got, err := pictures.Read(context.Background(), labels)
	if err != nil {
		t.Fatal(err)
	}
	if got.Texts != 45 || got.Percent() < 90 { // a sample; fieldpost-trial pictures --ocr reads all
		t.Errorf("%d of %d are read:\n%s", got.Read, got.Texts, strings.Join(got.Wrong, "\n"))
	}
}
