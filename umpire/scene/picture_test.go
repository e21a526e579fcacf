package scene

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"math"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fieldpost/report/chart"
	"fieldpost/umpire/match"
)

func opened(t *testing.T, id string) *view.View {
	t.Helper()
	library, err := match.NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	sc, err := Opening(library, id, "GERMAN")
	if err != nil {
		t.Fatal(err)
	}
	return sc.View
}

func names(pics []shown) string {
	var out []string
	for _, p := range pics {
		out = append(out, p.Name)
	}
	return strings.Join(out, " ")
}

// A report brings the pictures that its player chose, each drawn once, in the room that
// there is; the largest theatre too.
func TestPicturesAreThoseChosen(t *testing.T) {
	for _, id := range []string{"kursk-joined", "gd-kursk"} {
		v := opened(t, id)
		for want, first := range map[Choice]string{"": "map.png close-up-1.png", ChoiceWhole: "map.png", ChoiceAll: "map.png close-up-1.png", ChoiceNone: ""} {
			plans := Plan(v, nil, want, MailLimit-100<<10)
			pics, err := Pictures(nil, v, nil, want, MailLimit-100<<10)
			if err != nil {
				t.Fatal(err)
			}
			if got := names(pics); !strings.HasPrefix(got, first) || want == ChoiceWhole && got != first || want == ChoiceNone && got != "" {
				t.Errorf("%s, %q: %s", id, want, got)
			}
			if len(plans) != len(pics) {
				t.Errorf("%s, %q: %d pictures drawn for %d sent", id, want, len(plans), len(pics))
			}
			sum := 0
			for _, p := range pics {
				sum += Travels(len(p.Data))
			}
			if most := map[Choice]int{"": 240 << 10}[want]; most > 0 && sum > most || sum > MailLimit-100<<10 {
				t.Errorf("%s, %q: the pictures take %d bytes", id, want, sum)
			}
		}
	}
}

// What a picture is reckoned to take before it is drawn is what it takes at the most.
func TestPicturesTakeNoMoreThanEstimated(t *testing.T) {
	for _, id := range []string{"nysa-1945", "winter-campaign"} {
		v := opened(t, id)
		for _, scale := range []float64{leastScale, chart.DefaultScale} {
			pic, err := Drawn(nil, "map.png", "", v, chart.Options{Scale: scale, Colours: mailColours})
			if err != nil {
				t.Fatal(err)
			}
			if got, most := Travels(len(pic.Data)), estimated(v.Board.Grid.Len(), scale); got > most || most > 6*got {
				t.Errorf("%s at %v: %d bytes, reckoned were %d", id, scale, got, most)
			}
		}
	}
}

// Close-ups lie where things happened, then where the side stands in contact.
func TestCloseUpsShowWhereDecisionsAre(t *testing.T) {
	v := opened(t, "kharkov-1942")
	touching := inContact(v)
	if len(touching) < 5 {
		t.Fatalf("%d hexes in contact at the opening", len(touching))
	}
	frames := closeUps(v, nil, hexesOfCloseUps)
	n := 0
	for _, h := range touching {
		if slices.ContainsFunc(frames, func(f chart.Frame) bool { return f.Shows(v.Board, h) }) {
			n++
		}
	}
	if n < len(touching)/2 {
		t.Errorf("the close-ups show %d of %d hexes in contact", n, len(touching))
	}
	frames = closeUps(v, []chart.Mark{{Kind: chart.MarkCombat, To: 3030}}, hexesOfCloseUps)
	if !frames[0].Shows(v.Board, 3030) || len(frames) < 2 || hexesIn(frames) > hexesOfCloseUps {
		t.Errorf("after a combat in 3030: %+v", frames)
	}
}

// An overview has few colours, no numbers of hexes, and the frames with their numbers.
func TestOverviewShowsTheFrames(t *testing.T) {
	v := opened(t, "kharkov-1942")
	frames := closeUps(v, nil, hexesOfCloseUps)
	p := chart.Overview(v, nil, frames, chart.Signs{"front": true})
	var svg, file bytes.Buffer
	if err := p.SVG(&svg); err != nil {
		t.Fatal(err)
	}
	for i := range frames {
		if want := fmt.Sprintf(">%d</text>", i+1); !strings.Contains(svg.String(), want) {
			t.Errorf("frame %d has no number", i+1)
		}
	}
	if !strings.Contains(svg.String(), ">Kharkov</text>") || strings.Contains(svg.String(), ">1812</text>") {
		t.Error("an overview names cities and no hexes")
	}
	if err := p.PNG(&file); err != nil {
		t.Fatal(err)
	}
	size := file.Len()
	pic, err := png.DecodeConfig(&file)
	if err != nil || pic.Width > 720 || size > 50<<10 {
		t.Errorf("%d pixels wide, %d bytes: %v", pic.Width, size, err)
	}
}

// The mailed close-ups of every scenario's opening name each own unit in them, with nothing
// over the name or over the number of its hex.
func TestCloseUpsNameEveryUnit(t *testing.T) {
	library, err := match.NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	infos, err := library.List()
	if err != nil {
		t.Fatal(err)
	}
	units := 0
	for _, in := range infos {
		game, _, err := library.Load(in.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, side := range game.Sides() {
			sc, err := Opening(library, in.ID, string(side))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range closeUps(sc.View, nil, math.MaxInt) {
				pic := chart.Render(sc.View, chart.Options{Scale: CloseUpScale, Frame: f})
				units += checkNames(t, in.ID+" "+string(side), sc.View, f, pic)
			}
		}
	}
	if units < 800 {
		t.Errorf("only %d units were looked for", units)
	}
}

// checkNames looks whether a close-up names the own units in its frame, and is legible. It
// says how many units they are.
func checkNames(t *testing.T, where string, v *view.View, f chart.Frame, pic *chart.Picture) (n int) {
	t.Helper()
	named := pic.Named()
	for _, u := range v.Units {
		if u.Hex == hex.None || !v.Board.Grid.Contains(u.Hex) || !f.Shows(v.Board, u.Hex) {
			continue
		}
		n++
		if !slices.Contains(named, u.Name) {
			t.Errorf("%s: %s in %v is not named", where, u.Name, u.Hex)
		}
	}
	for _, o := range pic.Overlaps() {
		t.Errorf("%s: %s", where, o)
	}
	return n
}

// A part of the map that is asked for comes in close-ups, as many as a mail takes.
func TestPartOfTheMap(t *testing.T) {
	sc := &Scene{View: opened(t, "kharkov-1942")}
	for text, want := range map[string]int{"1900-2608": 1, "AROUND 2306 4": 1, "ZMIJEW": 1, "1900-4018": 6} {
		got, err := sc.Part(nil, text, chart.Options{})
		if err != nil || len(got) != want {
			t.Errorf("%s: %s, %v", text, names(got), err)
		}
		sum := 0
		for _, p := range got {
			sum += Travels(len(p.Data))
		}
		if sum > MailLimit {
			t.Errorf("%s takes %d bytes", text, sum)
		}
	}
	for text, want := range map[string]string{"0100-5030": "at most 8", "ATLANTIS": "place"} {
		if _, err := sc.Part(nil, text, chart.Options{}); !errors.Is(err, ErrPart) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A report of a game of chits shows the activations in which most was fought, each with what
// happened in it alone, as far as they go with the close-ups.
func TestActivationsHavePicturesOfTheirOwn(t *testing.T) {
	v := opened(t, "gd-kursk")
	shot := func(part string, to hex.Hex) chart.Mark {
		return chart.Mark{Kind: chart.MarkFire, From: to - 1, To: to, Side: "GERMAN", Label: "4", Part: part}
	}
	march := chart.Mark{Kind: chart.MarkMove, Hexes: []hex.Hex{3030, 3031}, Side: "GERMAN", Part: "Activation 1: Chit Eng"}
	ms := []chart.Mark{march, shot("Activation 2: Chit Rcn", 3333), shot("Activation 3: Chit 2Pz", 3333),
		{Kind: chart.MarkCombat, To: 3333, Side: "GERMAN", Label: "7", Part: "Activation 3: Chit 2Pz"}, {Kind: chart.MarkCombat, To: 3333}}
	plans := Plan(v, ms, ChoiceClose, MailLimit)
	var titles []string
	for _, p := range plans {
		if strings.HasPrefix(p.Name, "activation") {
			titles = append(titles, p.Title)
			if p.Scale != CloseUpScale || !p.Frame.Shows(v.Board, 3333) {
				t.Errorf("%s shows %+v at %v", p.Name, p.Frame, p.Scale)
			}
		}
	}
	if len(titles) != 2 || !strings.HasPrefix(titles[0], "Activation 3") || !strings.HasPrefix(titles[1], "Activation 2") {
		t.Errorf("the pictures of activations are %q", titles)
	}
}
