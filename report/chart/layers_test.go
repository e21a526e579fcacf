package chart

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

func TestParseLayers(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "",
		"units,front":         "units front",
		"+zoc":                "units front forts bridges names objectives arrows ranges zoc",
		"-arrows,-names,+zoc": "units front forts bridges objectives ranges zoc",
		"all":                 "units front forts bridges names objectives arrows ranges zoc sight supply",
	} {
		got, err := ParseLayers(text)
		var words []string
		for _, l := range got {
			words = append(words, string(l))
		}
		if err != nil || strings.Join(words, " ") != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	if _, err := ParseLayers("units,railways"); err == nil || !strings.Contains(err.Error(), `"railways"`) || !strings.Contains(err.Error(), "zoc") {
		t.Errorf("an unknown layer: %v", err)
	}
}

func TestParseFrame(t *testing.T) {
	b := bigBoard(t)
	b.Places = []board.Place{{Name: "Żmijew", Hexes: []hex.Hex{2816, 2817}}, {Name: "Staryj Saltow", Hexes: []hex.Hex{2004}}}
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]Frame{
		"2806-1800": {18, 28, 0, 6}, "1800-1801": {15, 21, 0, 4}, "2306": {19, 27, 2, 10}, "AROUND 2306 2": {20, 26, 4, 8}, "around 2306": {19, 27, 2, 10},
		"ZMIJEW": {24, 32, 12, 21}, "Around Staryj Saltow 6": {14, 26, 0, 12}, "staryj saltow": {16, 24, 0, 8},
	} {
		if f, err := ParseFrame(b, text); err != nil || f != want {
			t.Errorf("%q: %+v, %v", text, f, err)
		}
	}
	for _, bad := range []string{"", "1800-", "x-2806", "1800-2806-1", "9900-9909", "1800-9909", "AROUND", "AROUND 5", "AROUND 2306 500", "Zmiejw", "2306 2307"} {
		if f, err := ParseFrame(b, bad); err == nil || !strings.Contains(err.Error(), "map") {
			t.Errorf("%q is read as %+v: %v", bad, f, err)
		}
	}
}

// A part of the map is drawn on as few close-ups as hold it, each hex on one.
func TestSheetsOfAFrame(t *testing.T) {
	for f, want := range map[Frame]int{{1, 10, 0, 15}: 1, {1, 11, 0, 9}: 2, {1, 40, 0, 30}: 8, {5, 11, 3, 7}: 1} {
		all, hexes := f.Sheets(), 0
		for _, s := range all {
			cols, rows := s.ColMax-s.ColMin+1, s.RowMax-s.RowMin+1
			if hexes += cols * rows; cols > sheetCols || rows > sheetRows || cols < 1 || rows < 1 {
				t.Errorf("%+v: the sheet %+v", f, s)
			}
		}
		if len(all) != want || hexes != (f.ColMax-f.ColMin+1)*(f.RowMax-f.RowMin+1) {
			t.Errorf("%+v: %d sheets of %d hexes", f, len(all), hexes)
		}
	}
}

// Every layer is drawn when it is named, and only then.
func TestLayers(t *testing.T) {
	zones := []view.Zone{{Side: "GERMAN"}, {Side: "SOVIET"}}
	sight := &view.Lookout{Side: "GERMAN", Hexes: []hex.Hex{202, 203}, Lines: []view.SightLine{{From: 202, To: 404, Clear: true}}}
	supply := []hex.Hex{202, 203, 303}
	v := smallView(t)
	v.Units[0].Range = 1
	for i, h := range v.Board.Grid.Neighbours(404) {
		zones[i%2].Hexes = append(zones[i%2].Hexes, h)
	}
	every, _ := ParseLayers("all")
	all := svgOf(t, v, Options{Layers: every, Marks: smallMarks, Zones: zones, Sight: sight, Supply: supply})
	none := svgOf(t, v, Options{Layers: []Layer{}, Marks: smallMarks, Zones: zones, Sight: sight, Supply: supply})
	for _, l := range every {
		if svgOf(t, v, Options{Layers: []Layer{l}, Marks: smallMarks, Zones: zones, Sight: sight, Supply: supply}) == none {
			t.Errorf("%s alone shows nothing", l)
		}
		rest := slices.DeleteFunc(slices.Clone(every), func(o Layer) bool { return o == l })
		if svgOf(t, v, Options{Layers: rest, Marks: smallMarks, Zones: zones, Sight: sight, Supply: supply}) == all {
			t.Errorf("%s is not missed", l)
		}
	}
	if svgOf(t, v, Options{Zones: zones, Sight: sight, Supply: supply}) != svgOf(t, v, Options{}) {
		t.Error("zones of control, lines of sight or of supply are drawn unasked")
	}
	cut := svgOf(t, v, Options{Layers: []Layer{LayerSupply}, Supply: []hex.Hex{}})
	if cut == svgOf(t, v, Options{Layers: []Layer{LayerSupply}, Supply: supply}) || cut == svgOf(t, v, Options{Layers: []Layer{LayerSupply}}) {
		t.Error("a side that is cut off everywhere is shown as another")
	}
	blocked := *sight
	blocked.Lines = []view.SightLine{{From: 202, To: 404}}
	only := []Layer{LayerSight}
	if svgOf(t, v, Options{Layers: only, Sight: sight}) == svgOf(t, v, Options{Layers: only, Sight: &blocked}) {
		t.Error("a line with something in its way is drawn as a clear one")
	}
}
