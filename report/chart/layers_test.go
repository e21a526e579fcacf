package chart

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

func TestParseLayers(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "",
		"units,front":         "units front",
		"+zoc":                "units front forts bridges names objectives arrows ranges zoc",
		"-arrows,-names,+zoc": "units front forts bridges objectives ranges zoc",
		"all":                 "units front forts bridges names objectives arrows ranges zoc sight",
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
	if f, err := ParseFrame(hex.Grid{}, "2806-1800"); err != nil || f != (Frame{18, 28, 0, 6}) {
		t.Errorf("%+v, %v", f, err)
	}
	for _, bad := range []string{"1800", "1800-", "x-2806", "1800-2806-1"} {
		if f, err := ParseFrame(hex.Grid{}, bad); err == nil {
			t.Errorf("%q is read as %+v", bad, f)
		}
	}
}

// Every layer is drawn when it is named, and only then.
func TestLayers(t *testing.T) {
	zones := []view.Zone{{Side: "GERMAN"}, {Side: "SOVIET"}}
	sight := &view.Lookout{Side: "GERMAN", Hexes: []hex.Hex{202, 203}, Lines: []view.SightLine{{From: 202, To: 404, Clear: true}}}
	v := smallView(t)
	v.Units[0].Range = 1
	for i, h := range v.Board.Grid.Neighbours(404) {
		zones[i%2].Hexes = append(zones[i%2].Hexes, h)
	}
	every, _ := ParseLayers("all")
	all := svgOf(t, v, Options{Layers: every, Marks: smallMarks, Zones: zones, Sight: sight})
	none := svgOf(t, v, Options{Layers: []Layer{}, Marks: smallMarks, Zones: zones, Sight: sight})
	for _, l := range every {
		if svgOf(t, v, Options{Layers: []Layer{l}, Marks: smallMarks, Zones: zones, Sight: sight}) == none {
			t.Errorf("%s alone shows nothing", l)
		}
		rest := slices.DeleteFunc(slices.Clone(every), func(o Layer) bool { return o == l })
		if svgOf(t, v, Options{Layers: rest, Marks: smallMarks, Zones: zones, Sight: sight}) == all {
			t.Errorf("%s is not missed", l)
		}
	}
	if svgOf(t, v, Options{Zones: zones, Sight: sight}) != svgOf(t, v, Options{}) {
		t.Error("zones of control or lines of sight are drawn unasked")
	}
	blocked := *sight
	blocked.Lines = []view.SightLine{{From: 202, To: 404}}
	only := []Layer{LayerSight}
	if svgOf(t, v, Options{Layers: only, Sight: sight}) == svgOf(t, v, Options{Layers: only, Sight: &blocked}) {
		t.Error("a line with something in its way is drawn as a clear one")
	}
}
