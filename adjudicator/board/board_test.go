package board

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"fieldpost/adjudicator/hex"
)

func small() *Board {
	return &Board{
		ID: "small", Grid: hex.Grid{ColMin: 1, ColMax: 3, RowMin: 0, RowMax: 2, OddLow: true},
		Compass: Compass{North: "left", East: "top", South: "right", West: "bottom"},
		Rows:    []string{".f.", "t.F", ". ."},
		Legend:  []Terrain{{".", []string{"clear"}}, {"f", []string{"forest"}}, {"F", []string{"hills", "forest"}}, {"t", []string{"town"}}},
		Rivers:  []River{{"river", "Uda", []hex.Edge{hex.Between(101, 102)}}},
		Roads:   []Road{{"main road", "", []hex.Hex{100, 101, 102}}},
		Bridges: []Bridge{{hex.Between(101, 102)}},
		Places:  []Place{{"Kharków", []string{"Kharkov"}, []hex.Hex{101}, "town"}},
		Zones:   []Zone{{"A", []hex.Hex{100}}},
	}
}

func TestABoardAnswersAndTravelsAsJSON(t *testing.T) {
	b := small()
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(b)
	var again Board
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	if err := again.Prepare(); err != nil {
		t.Fatal(err)
	}
	for _, b := range []*Board{b, &again} {
		switch {
		case !reflect.DeepEqual(b.Kinds(301), []string{"hills", "forest"}), !b.Is(301, "hills"), b.Is(101, "hills"):
			t.Error("terrain is read wrongly")
		case b.On(202), b.On(400), !b.On(102):
			t.Error("the extent is read wrongly")
		case b.River(hex.Between(102, 101)) != "river", b.Road(hex.Between(100, 101)) != "main road", !b.Bridge(hex.Between(101, 102)):
			t.Error("hexsides are read wrongly")
		case b.Named("KHARKOV") == nil, b.Place(101) == nil, b.Place(100) != nil, b.Zone("a") == nil:
			t.Error("places are read wrongly")
		case !reflect.DeepEqual(b.MapEdge("north"), []hex.Hex{100, 101, 102}), len(b.MapEdge("west")) != 2:
			t.Error("edges are read wrongly:", b.MapEdge("north"), b.MapEdge("west"))
		}
	}
}

func TestEveryFaultOfAMapIsListed(t *testing.T) {
	b := small()
	b.Rivers[0].Edges = append(b.Rivers[0].Edges, hex.Edge{A: 100, B: 102})
	b.Roads[0].Path = append(b.Roads[0].Path, 300)
	b.Places[0].Hexes[0] = 909
	b.Zones[0].Hexes[0] = 202
	err := b.Prepare()
	for _, want := range []string{"Uda: 0100/0102", "road : 0102/0300", "0909", "zone A: hex 0202"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no fault %q in %v", want, err)
		}
	}
	b = small()
	b.Rows[1] = "t?F"
	if err := b.Prepare(); err == nil || !strings.Contains(err.Error(), "0201") {
		t.Errorf("an unknown terrain code passed: %v", err)
	}
}
