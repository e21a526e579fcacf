package chart

import (
	"bytes"
	"flag"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

var update = flag.Bool("update", false, "write the golden files anew")

// smallBoard has one of everything that a board can hold.
func smallBoard(t testing.TB) *board.Board {
	t.Helper()
	b := &board.Board{
		ID: "small", Title: "Small", Grid: hex.Grid{ColMin: 1, ColMax: 8, RowMin: 0, RowMax: 5, OddLow: true},
		Compass: board.Compass{North: "left", East: "top", South: "right", West: "bottom"},
		Rows:    []string{"..hhff..", "..hFff..", "....tC.s", "o....Css", ".......l", "... ....  "[:8]},
		Legend: []board.Terrain{{Code: ".", Kinds: []string{"clear"}}, {Code: "h", Kinds: []string{"hills"}}, {Code: "f", Kinds: []string{"clear", "forest"}},
			{Code: "F", Kinds: []string{"hills", "forest"}}, {Code: "t", Kinds: []string{"town"}}, {Code: "C", Kinds: []string{"city"}},
			{Code: "s", Kinds: []string{"swamp"}}, {Code: "o", Kinds: []string{"orchard"}}, {Code: "l", Kinds: []string{"lake"}}},
		Rivers: []board.River{
			{Kind: "doniec", Name: "Doniec", Edges: []hex.Edge{{A: 102, B: 103}, {A: 102, B: 203}, {A: 202, B: 203}, {A: 203, B: 302}}},
			{Kind: "stream", Name: "Łopań", Edges: []hex.Edge{{A: 700, B: 701}, {A: 700, B: 801}}},
		},
		Roads: []board.Road{{Kind: "main road", Path: []hex.Hex{200, 201, 202, 203, 204}}, {Kind: "side road", Path: []hex.Hex{202, 302, 402, 502, 602}},
			{Kind: "railway", Path: []hex.Hex{805, 804, 803}}, {Kind: "track", Path: []hex.Hex{105, 205, 204}}},
		Bridges: []board.Bridge{{Edge: hex.Edge{A: 202, B: 203}}},
		Places: []board.Place{{Name: "Żmijew", Hexes: []hex.Hex{602, 603}, Size: "city"}, {Name: "Görlitz", Hexes: []hex.Hex{502}, Size: "town"},
			{Name: "Lipcy", Hexes: []hex.Hex{204}, Size: "village"}},
		Zones: []board.Zone{{ID: "A", Hexes: []hex.Hex{801, 802}}, {ID: "Q", Hexes: []hex.Hex{300, 400}}},
	}
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	return b
}

func smallView(t testing.TB) *view.View {
	return &view.View{
		Title: "Kharkov 1942", Side: "GERMAN", Turn: 3, Turns: 17, Date: "14 May 1942", Phase: "German turn", Mover: "GERMAN", Board: smallBoard(t),
		Score:      []view.Score{{Side: "GERMAN", Points: 10}, {Side: "SOVIET", Points: 3}},
		Objectives: []view.Objective{{Hex: 602, Name: "Żmijew", Points: 2, Owner: "GERMAN"}, {Hex: 502, Name: "Görlitz", Points: 1}},
		Units: []view.Unit{
			{ID: "a", Name: "513/294", Nation: "German", Type: "INF", Size: "R", Hex: 202, Attack: 3, Defence: 4, Moves: 5, Steps: 1, MaxSteps: 2, OutOfSupply: 1},
			{ID: "b", Name: "HQ XVII", Nation: "German", Type: "HQ", Size: "-", Hex: 202, Moves: 10, Steps: 1, MaxSteps: 1},
			{ID: "c", Name: "1 Rom", Nation: "Romanian", Type: "CAV", Size: "BR", Hex: 104, Attack: 3, Defence: 3, Moves: 7, Steps: 2, MaxSteps: 2, Disorganized: true, Retreated: true},
		},
		Enemy: []view.Stack{{Hex: 402, Side: "SOVIET", Fort: "FF"},
			{Hex: 404, Side: "SOVIET", Closer: true, Units: []view.Sight{{Nation: "Soviet", Type: "INF", Steps: 2}, {Nation: "Soviet", Type: "ARM", Steps: 3}}},
			{Hex: 501, Side: "SOVIET", Seen: "13 May", Units: []view.Sight{{Type: "ART"}}}},
		Forts:   []view.Fort{{Hex: 202, Kind: "IF", Side: "GERMAN"}},
		Bridges: []view.Bridge{{Edge: hex.Edge{A: 202, B: 203}}},
		Control: []string{"GGGSSSSS", "GGGSSSSS", "GGGSSSSS", "GGG.SSSS", "GGGSSSSS", "GGG SSSS"},
	}
}

var smallMarks = []Mark{
	{Kind: MarkMove, Hexes: []hex.Hex{404, 303, 302}, Side: "SOVIET"},
	{Kind: MarkRetreat, From: 202, To: 104, Side: "GERMAN"},
	{Kind: MarkFire, From: 501, To: 202, Side: "SOVIET", Label: "3"},
	{Kind: MarkCombat, To: 202, Label: "2"},
}

func svgOf(t testing.TB, v *view.View, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Render(v, o).SVG(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGoldenSVG(t *testing.T) {
	got := svgOf(t, smallView(t), Options{Scale: 48, Marks: smallMarks})
	file := filepath.Join("testdata", "small.svg")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Error("the chart differs from testdata/small.svg; look at it, then go test -update")
	}
	if strings.Contains(got, "NaN") || strings.Contains(got, "Inf") {
		t.Error("the chart holds a number that is none")
	}
}

func TestSameViewSamePicture(t *testing.T) {
	var first []byte
	for i := range 3 {
		var b bytes.Buffer
		if err := Render(smallView(t), Options{Marks: smallMarks}).PNG(&b); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = b.Bytes()
		} else if !bytes.Equal(first, b.Bytes()) {
			t.Fatal("the PNG differs between two renderings")
		}
	}
	img, err := png.Decode(bytes.NewReader(first))
	if err != nil {
		t.Fatal(err)
	}
	w, h := Render(smallView(t), Options{Marks: smallMarks}).Size()
	if b := img.Bounds(); b.Dx() != w || b.Dy() != h {
		t.Errorf("the PNG is %v, Size says %d x %d", b, w, h)
	}
}

func TestSeveralAtOnce(t *testing.T) {
	v := smallView(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			var b bytes.Buffer
			if err := Render(v, Options{Scale: 50}).PNG(&b); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// oneHex is a board with one kind of terrain in its middle.
func oneHex(t *testing.T, kinds ...string) *board.Board {
	t.Helper()
	b := &board.Board{Grid: hex.Grid{ColMin: 1, ColMax: 3, RowMin: 1, RowMax: 3}, Rows: []string{"...", ".x.", "..."},
		Compass: board.Compass{North: "top", East: "right", South: "bottom", West: "left"},
		Legend:  []board.Terrain{{Code: ".", Kinds: []string{"clear"}}, {Code: "x", Kinds: kinds}}}
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestEveryTerrainIsDrawn(t *testing.T) {
	seen := map[string]string{}
	for _, kind := range []string{"clear", "hills", "forest", "hills+forest", "swamp", "orchard", "lake", "city", "town", "village", "minefield"} {
		l := newLayout(oneHex(t, strings.Split(kind, "+")...), 40, Frame{})
		c := &canvas{}
		s := l.survey()
		l.drawGround(c, s)
		l.drawBuilt(c, s)
		text := string(svg(100, 100, c.ops))
		for other, was := range seen {
			if was == text {
				t.Errorf("%s looks like %s", kind, other)
			}
		}
		seen[kind] = text
	}
}

func TestEveryUnitTypeIsDrawn(t *testing.T) {
	seen := map[string]string{}
	draw := func(k counter) string {
		c := &canvas{}
		drawCounter(c, pt{50, 50}, 40, k)
		return string(svg(100, 100, c.ops))
	}
	for kind := range symbols {
		text := draw(counter{nation: nations["German"], kind: kind})
		for other, was := range seen {
			if was == text && !(strings.Contains("ARM TANK", kind) && strings.Contains("ARM TANK", other)) && !(strings.Contains("MECH PZGR", kind) && strings.Contains("MECH PZGR", other)) {
				t.Errorf("%s looks like %s", kind, other)
			}
		}
		seen[kind] = text
	}
	if text := draw(counter{kind: "ZEP"}); !strings.Contains(text, "ZEP") {
		t.Error("a type without a symbol is not written")
	}
	for alias, kind := range symbolAlias {
		if symbols[kind] == nil {
			t.Errorf("alias %s leads to %s, which has no symbol", alias, kind)
		}
	}
	blank := draw(counter{kind: "INF"})
	for size := range sizeMarks {
		if draw(counter{kind: "INF", size: size}) == blank {
			t.Errorf("size %s has no mark", size)
		}
	}
	for name, k := range map[string]counter{"step": {kind: "INF", lost: 1}, "supply": {kind: "INF", tags: []tagText{{"U1", alarm, white}}}, "faded": {kind: "INF", faded: true}} {
		if draw(k) == blank {
			t.Errorf("%s is not shown", name)
		}
	}
}

func TestEveryFactShows(t *testing.T) {
	base := smallView(t)
	want := svgOf(t, base, Options{})
	for name, change := range map[string]func(v *view.View){
		"bridge":    func(v *view.View) { v.Bridges = nil },
		"control":   func(v *view.View) { v.Control[2] = "GGGGSSSS" },
		"fort":      func(v *view.View) { v.Forts = nil },
		"objective": func(v *view.View) { v.Objectives[0].Owner = "SOVIET" },
		"enemy":     func(v *view.View) { v.Enemy[1].Closer = false },
		"score":     func(v *view.View) { v.Score[0].Points++ },
		"unit":      func(v *view.View) { v.Units[0].Steps++ },
	} {
		v := smallView(t)
		v.Board = base.Board
		change(v)
		if svgOf(t, v, Options{}) == want {
			t.Errorf("a change of %s does not show", name)
		}
	}
	for _, m := range smallMarks {
		if svgOf(t, base, Options{Marks: []Mark{m}}) == want {
			t.Errorf("a mark %s does not show", m.Kind)
		}
	}
}

func TestOddInputDoesNoHarm(t *testing.T) {
	v := &view.View{Board: oneHex(t, "clear"), Control: []string{"G"}, Objectives: []view.Objective{{Hex: 9999}},
		Units: []view.Unit{{Hex: 4040, Type: "INF"}, {Hex: 202}}, Enemy: []view.Stack{{}}, Bridges: []view.Bridge{{Edge: hex.Edge{A: 101, B: 303}}}}
	for _, o := range []Options{{}, {Scale: 1}, {Frame: Frame{ColMin: -5, ColMax: 99, RowMin: 2, RowMax: 2}},
		{Marks: []Mark{{Kind: MarkMove}, {Kind: MarkCombat, To: 9999}, {Kind: "x"}, {Kind: MarkMove, Hexes: []hex.Hex{202, 202}}}}} {
		var b bytes.Buffer
		if err := Render(v, o).PNG(&b); err != nil {
			t.Error(err)
		}
		if s := svgOf(t, v, o); strings.Contains(s, "NaN") {
			t.Error("the chart holds a number that is none")
		}
	}
}

func TestCloseUp(t *testing.T) {
	b := bigBoard(t)
	if f := CloseUp(b, nil); !f.Whole() {
		t.Errorf("no events: %+v", f)
	}
	if f := CloseUp(b, []hex.Hex{2206, 2008, hex.None}); f.ColMin > 19 || f.ColMax < 23 || f.RowMin > 5 || f.RowMax < 9 {
		t.Errorf("two events: %+v", f)
	}
	f := CloseUp(b, []hex.Hex{101, 102, 201, 6436})
	if f.ColMin != 1 || f.RowMin != 0 || f.ColMax > 40 {
		t.Errorf("the crowd is not shown: %+v", f)
	}
	for _, f := range []Frame{f, CloseUp(b, []hex.Hex{6436}), CloseUp(b, []hex.Hex{100})} {
		if f.ColMax-f.ColMin+1 < closeCols || f.RowMax-f.RowMin+1 < closeRows || f.ColMin < 1 || f.ColMax > 64 || f.RowMin < 0 || f.RowMax > 36 {
			t.Errorf("frame %+v", f)
		}
	}
}

func TestPDF(t *testing.T) {
	var first []byte
	for i := range 2 {
		var b bytes.Buffer
		if err := Render(smallView(t), Options{Marks: smallMarks}).PDF(&b); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = b.Bytes()
		} else if !bytes.Equal(first, b.Bytes()) {
			t.Fatal("the PDF differs between two renderings")
		}
	}
	if !bytes.HasPrefix(first, []byte("%PDF-")) || bytes.Count(first, []byte("/Type /Page\n")) != 1 {
		t.Errorf("%d bytes are no PDF of one page", len(first))
	}
	if dir := os.Getenv("FIELDPOST_LOOK"); dir != "" { // to look at it
		if err := os.WriteFile(filepath.Join(dir, "small.pdf"), first, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
