package chart

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// golden compares a picture in SVG with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
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
		t.Errorf("the picture differs from %s; look at it, then go test -update", file)
	}
	if strings.Contains(got, "NaN") || strings.Contains(got, "Inf") {
		t.Error("the picture holds a number that is none")
	}
}

// layersView is a small position with one of everything that a layer draws.
func layersView(t *testing.T) (*view.View, Options) {
	b := plainBoard(t, hex.Grid{ColMin: 1, ColMax: 6, RowMin: 1, RowMax: 5, OddLow: true}, func(b *board.Board) {
		b.Rivers = []board.River{{Kind: "river", Name: "Donets", Edges: []hex.Edge{hex.Between(201, 202), hex.Between(301, 202)}}}
		b.Bridges = []board.Bridge{{Edge: hex.Between(201, 202)}}
		b.Places = []board.Place{{Name: "Izjum", Hexes: []hex.Hex{303}, Size: "town"}, {Name: "Kharkov", Hexes: []hex.Hex{501, 502}, Size: "city"},
			{Name: "Lipcy", Hexes: []hex.Hex{104}, Size: "village"}}
	})
	v := &view.View{Title: "Layers", Side: "GERMAN", Turn: 1, Turns: 2, Board: b,
		Score:      []view.Score{{Side: "GERMAN", Points: 2}, {Side: "SOVIET"}},
		Objectives: []view.Objective{{Hex: 303, Name: "Izjum", Points: 2, Owner: "GERMAN"}, {Hex: 501, Name: "Kharkov"}},
		Units: []view.Unit{{ID: "a", Name: "294", Nation: "German", Type: "INF", Size: "D", Hex: 202, Attack: 4, Defence: 4, Moves: 5, Steps: 1, MaxSteps: 2, OutOfSupply: 1},
			{ID: "b", Name: "HQ", Nation: "German", Type: "HQ", Hex: 202, Moves: 8, Range: 1, Steps: 1, MaxSteps: 1},
			{ID: "c", Name: "2 Rom", Nation: "Romanian", Type: "CAV", Size: "BR", Hex: 104, Attack: 2, Defence: 3, Moves: 7, Disorganized: true, Retreated: true}},
		Enemy: []view.Stack{{Hex: 403, Side: "SOVIET", Closer: true, Units: []view.Sight{{Nation: "Soviet", Type: "ARM", Size: "BR", Steps: 2}}},
			{Hex: 504, Side: "SOVIET", Units: []view.Sight{{Type: "INF"}}, Fort: "FF"}, {Hex: 601, Side: "SOVIET"}},
		Forts: []view.Fort{{Hex: 202, Kind: "IF"}, {Hex: 303, Kind: "Bunker", Face: 2, Sides: 3}, {Hex: 303, Kind: "Minefield"},
			{Hex: 403, Kind: "Dragon's Teeth", Face: 5, Sides: 1}, {Hex: 104, Kind: "Trench", Face: 1, Sides: 3}},
		Bridges:  []view.Bridge{{Edge: hex.Between(201, 202)}, {Edge: hex.Between(301, 202), Stands: true}},
		Pontoons: []view.Pontoon{{Edge: hex.Between(301, 202), Done: true}, {Hex: 402}},
		Control:  []string{"GGGSSS", "GGGSSS", "GGGSSS", "GG.SSS", "GG.SSS"}}
	return v, Options{Scale: 60, Frame: Frame{1, 6, 1, 5}, Marks: []Mark{{Kind: MarkMove, Hexes: []hex.Hex{504, 403, 303}, Side: "SOVIET"},
		{Kind: MarkRetreat, From: 202, To: 104, Side: "GERMAN"}, {Kind: MarkFire, From: 403, To: 202, Label: "2"}, {Kind: MarkCombat, To: 202, Label: "14"}},
		Zones:  []view.Zone{{Side: "GERMAN", Hexes: []hex.Hex{302, 203}}, {Side: "SOVIET", Hexes: []hex.Hex{302}}},
		Sight:  &view.Lookout{Side: "GERMAN", Hexes: []hex.Hex{202, 302, 403}, Lines: []view.SightLine{{From: 202, To: 403, Clear: true}, {From: 202, To: 504}}},
		Supply: []hex.Hex{104, 203, 302}}
}

// Every layer of a position alone, in a file of its own.
func TestGoldenLayers(t *testing.T) {
	v, o := layersView(t)
	every, _ := ParseLayers(AllLayers)
	for _, l := range every {
		o.Layers = []Layer{l}
		p := Render(v, o)
		w, h := p.Size()
		golden(t, filepath.Join("layers", string(l)+".svg"), string(svg(w, h, p.ops)))
	}
}

// group cuts a named group out of a picture.
func group(t *testing.T, picture, name string) string {
	t.Helper()
	_, rest, ok := strings.Cut(picture, `<g id="`+name+`">`+"\n")
	if !ok {
		t.Fatalf("there is no group %s", name)
	}
	out, _, _ := strings.Cut(rest, "</g>")
	return out
}

// Every layer of the printed map in a file of its own.
func TestGoldenGround(t *testing.T) {
	b := smallBoard(t)
	b.Print("fortified line", "Stalin line", "SOVIET", board.Facing{Hex: 405, From: 404})
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	l := newLayout(b, 60, Frame{})
	c := &canvas{}
	l.drawBase(c)
	picture := string(svg(l.w, l.ht, c.ops))
	for _, name := range []string{"ground", "hills", "swamp", "forest", "orchards", "lakes", "grid", "rivers", "places", "roads", "bridges", "works", "numbers", "zones",
		"compass", "river-names"} {
		golden(t, filepath.Join("ground", name+".svg"), group(t, picture, name))
	}
}

func TestGoldenTitles(t *testing.T) {
	v, o := layersView(t)
	titles := func(v *view.View, o Options) string {
		d := drawingOf(v, o)
		d.drawTitle()
		var out []string
		for _, op := range d.c.ops {
			if op.kind == opText {
				out = append(out, op.text)
			}
		}
		return strings.Join(out, "|")
	}
	for name, c := range map[string]struct {
		change func(v *view.View, o *Options)
		want   string
	}{
		"a close-up":         {func(*view.View, *Options) {}, "Layers, 0101 to 0605|turn 1 of 2   as the German side knows it"},
		"the whole map":      {func(_ *view.View, o *Options) { o.Frame = Frame{} }, "Layers|turn 1 of 2|as the German side knows it   score: German 2, Soviet 0"},
		"a title and a note": {func(_ *view.View, o *Options) { o.Title, o.Note = "Plan", "my own"; o.Frame = Frame{} }, "Plan|turn 1 of 2|my own"},
		"a date and a phase": {func(v *view.View, o *Options) {
			v.Date, v.Phase, v.Score, o.Frame = "14 May", "Movement", nil, Frame{}
		}, "Layers|14 May   turn 1 of 2   next: Movement|as the German side knows it"},
		"before the game": {func(v *view.View, o *Options) { v.Turn, v.Score, o.Frame = 0, nil, Frame{} }, "Layers|2 turns|as the German side knows it"},
		"chits": {func(v *view.View, o *Options) {
			v.Chits = &view.Chits{Groups: []view.ChitGroup{{Name: "AXIS", Draws: 3, Left: 1}, {Name: "SOUTH"}}, Played: make([]view.Chit, 2)}
			o.Frame = Frame{}
		}, "Layers|turn 1 of 2|as the German side knows it   score: German 2, Soviet 0   chits played: 2, left: Axis 1"},
		"no chits in the turn": {func(v *view.View, o *Options) { v.Chits, o.Frame = &view.Chits{}, Frame{} },
			"Layers|turn 1 of 2|as the German side knows it   score: German 2, Soviet 0"},
	} {
		changed, options := *v, o
		c.change(&changed, &options)
		if got := titles(&changed, options); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// The strip at the top holds its words, however long they are.
func TestTitlesStayInTheirStrip(t *testing.T) {
	v, o := layersView(t)
	for _, scale := range []float64{30, 60, 100} {
		for _, n := range []string{"X", "Kharkov 1942", "The Second Battle of Kharkov 1942"} {
			o.Scale, o.Title = scale, n
			d := drawingOf(v, o)
			d.drawTitle()
			if got := reach(d.c.ops); got.X0 < d.field.X0-1 || got.Y0 < 0 || got.Y1 > d.field.Y0 || got.X1 > float64(d.w) && scale > 30 && len(n) < 20 {
				t.Errorf("at %v %q takes %v of %d pixels", scale, n, got, d.w)
			}
		}
	}
}

func TestCompassTurnsWithTheMap(t *testing.T) {
	b := plainBoard(t, hex.Grid{ColMin: 1, ColMax: 9, RowMin: 1, RowMax: 9}, nil)
	for north, want := range map[string]pt{"top": {0, -1}, "right": {1, 0}, "bottom": {0, 1}, "left": {-1, 0}} {
		turned := *b
		turned.Compass.North = north
		l := newLayout(&turned, 44, Frame{})
		c := &canvas{}
		l.drawCompass(c)
		ring := c.ops[1].path.bounds()
		middle := pt{(ring.X0 + ring.X1) / 2, (ring.Y0 + ring.Y1) / 2}
		n := texts(c.ops)["N"]
		if dir := (pt{(n.X0 + n.X1) / 2, (n.Y0 + n.Y1) / 2}).sub(middle).unit(); dir.sub(want).len() > 0.05 {
			t.Errorf("with the north at the %s the N stands at %v", north, dir)
		}
	}
	b.Compass.North = ""
	c := &canvas{}
	if newLayout(b, 44, Frame{}).drawCompass(c); len(c.ops) != 0 {
		t.Error("a map without a north has a compass")
	}
}

func TestLegendStaysInItsStrip(t *testing.T) {
	v, o := layersView(t)
	for _, scale := range []float64{30, 44, 90} {
		o.Scale = scale
		d := drawingOf(v, o)
		d.draw()
		legend := opsOf(d.c.ops, "legend")
		if len(legend) == 0 {
			t.Fatalf("at %v there is no legend", scale)
		}
		for word, b := range texts(legend) {
			if b.X1 > d.field.X1+1 || b.Y0 < float64(d.ht) || b.Y1 > float64(d.ht+d.below) {
				t.Errorf("at %v %q stands at %v of %d x %d", scale, word, b, d.w, d.ht+d.below)
			}
		}
	}
}

// opsOf are the operations of a group, the groups in it included.
func opsOf(ops []op, name string) []op {
	depth, from := 0, -1
	for i, o := range ops {
		switch {
		case o.kind == opGroup && from < 0 && o.text == name:
			from, depth = i, 1
		case o.kind == opGroup && from >= 0:
			depth++
		case o.kind == opEnd && from >= 0:
			if depth--; depth == 0 {
				return ops[from : i+1]
			}
		}
	}
	return nil
}

func TestLegendNamesTheGroundOfItsBoard(t *testing.T) {
	var got []string
	l := newLayout(smallBoard(t), 44, Frame{})
	for _, g := range l.legendGround() {
		got = append(got, g.name)
	}
	if want := []string{"clear", "hills", "forest", "town", "city", "swamp", "orchard", "lake", "village"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestGroundByItsWords(t *testing.T) {
	for kind, want := range map[string]ground{"clear": -1, "": -1, "open": -1, "clear-hills": -1, "High Hills": hills, "rough": hills, "woods": forest, "heavy-woods": thicket,
		"Heavy Wood": thicket, "marsh": swamp, "orchards": orchards, "inland sea": lake, "major city": city, "Town": town, "settlement": village, "salt": other} {
		if got := groundOf(kind); got != want {
			t.Errorf("%q is drawn as %v, not %v", kind, got, want)
		}
	}
}

func TestRoadsAndRiversByTheirWords(t *testing.T) {
	for kind, want := range map[string]roadClass{"Railway": railway, "motorway": highway, "main road": primary, "Major": primary, "track": track, "minor road": track,
		"side road": secondary, "": secondary} {
		if got := roadOf(kind); got != want {
			t.Errorf("the road %q is of the class %v", kind, got)
		}
	}
	for kind, want := range map[string]float64{"Stream": 0.055, "minor river": 0.055, "river": 0.105, "": 0.105, "Doniec": 0.17, "MAJOR RIVER": 0.17} {
		if got := riverWidth(kind); got != want {
			t.Errorf("%q is %v wide", kind, got)
		}
	}
}

// Names stand in the picture, off the counters and off one another.
func TestNamesAreClear(t *testing.T) {
	v, o := layersView(t)
	o.Marks = nil
	for _, scale := range []float64{30, 44, 60, 100} {
		o.Scale = scale
		p := Render(v, o)
		if lost := p.Overlaps(); len(lost) > 0 {
			t.Errorf("at %v: %q", scale, lost)
		}
		if len(p.names) != 3 {
			t.Errorf("at %v there are %d names", scale, len(p.names))
		}
		for _, n := range p.names {
			if b := n.boxes[0]; b.X0 < p.base.l.field.X0 || b.X1 > p.base.l.field.X1 || b.Y0 < p.base.l.field.Y0 || b.Y1 > p.base.l.field.Y1 {
				t.Errorf("at %v %s leaves the map: %v", scale, n.text, b)
			}
		}
	}
}

func TestOverlapsAreTold(t *testing.T) {
	v, o := layersView(t)
	p := Render(v, o)
	p.names = []written{{"A", []box{{0, 0, 20, 20}}}, {"B", []box{{50, 50, 60, 60}, {10, 10, 30, 30}}}, {"C", []box{{20.5, 19.5, 21, 20}}}}
	p.stacks = []written{{"0202", []box{{55, 55, 99, 99}}}}
	p.cards = []written{{"294", []box{{200, 200, 220, 208}}}, {"295", []box{{219, 201, 240, 209}}}}
	p.over = []written{{"FF", []box{{235, 195, 245, 205}}}}
	p.numbers = []written{{"0202", []box{{52, 50, 62, 56}}}, {"0303", []box{{300, 300, 310, 306}}}}
	want := []string{"B on A", "B on the counters of 0202", "295 on 294", "295 under FF", "0202 under the counters of 0202", "0202 under B"}
	if got := p.Overlaps(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestImportantNamesComeFirst(t *testing.T) {
	v, o := layersView(t)
	var got []string
	d := drawingOf(v, o)
	for _, n := range d.labels() {
		got = append(got, n.p.Name)
	}
	if !slices.Equal(got, []string{"Kharkov", "Izjum", "Lipcy"}) {
		t.Errorf("%q", got)
	}
	o.Frame = Frame{1, 3, 1, 5}
	if got := drawingOf(v, o).labels(); len(got) != 2 {
		t.Errorf("of %d names a part is in the frame", len(got))
	}
}

// Arrows keep off the middles of the hexes that they join.
func TestArrowsLeaveTheCounters(t *testing.T) {
	v, o := layersView(t)
	for _, m := range o.Marks[:3] {
		d := drawingOf(v, o)
		d.arrow(trail{m, 1})
		way := m.Hexes
		if way == nil {
			way = []hex.Hex{m.From, m.To}
		}
		line, tip := d.c.ops[2].path.p, d.c.ops[3].path.p[0]
		if got := line[0].sub(d.centre(way[0])).len(); !near(got, d.scale()*0.24) {
			t.Errorf("%s begins %v off its hex", m.Kind, got)
		}
		if got := tip.sub(d.centre(way[len(way)-1])).len(); !near(got, d.scale()*0.20) {
			t.Errorf("%s ends %v off its hex", m.Kind, got)
		}
		if dashed := len(d.c.ops[2].dash) > 0; dashed != (m.Kind == MarkRetreat) {
			t.Errorf("%s is dashed: %v", m.Kind, dashed)
		}
		if want := nationOf("", m.Side).line; d.c.ops[2].ink != want || d.c.ops[3].ink != want {
			t.Errorf("%s is of the colour %v", m.Kind, d.c.ops[2].ink)
		}
	}
	for _, m := range []Mark{{Kind: MarkMove}, {Kind: MarkFire, From: 101}, {Kind: MarkFire, From: 101, To: 101}} {
		d := drawingOf(v, o)
		if d.arrow(trail{m, 1}); len(d.c.ops) != 0 {
			t.Errorf("%+v is an arrow", m)
		}
	}
}

// A way ends before the counters of its last hex, begins with a ghost where nobody stands
// any more, and those who went together are one trail with their number.
func TestTrailsLeaveCountersFree(t *testing.T) {
	v := pile(t, 1)
	v.Units[0].Hex = 305
	v.Units = append(v.Units, view.Unit{Name: "Z", Hex: 101, Type: "INF"})
	march := Mark{Kind: MarkRetreat, Hexes: []hex.Hex{303, 304, 305}, Side: "GERMAN"}
	for _, scale := range []float64{44, 48} {
		for _, c := range []struct {
			marks  []Mark
			arrows int
			count  string
		}{
			{[]Mark{march}, 1, ""}, {[]Mark{march, march, march}, 1, "x3"}, {[]Mark{march, {Kind: MarkRetreat, Hexes: march.Hexes, Side: "SOVIET"}}, 2, ""},
			{[]Mark{march, {Kind: MarkRetreat, From: 303, To: 305, Side: "GERMAN"}}, 2, ""}, {[]Mark{{Kind: MarkRetreat, From: 101, To: 303, Side: "GERMAN"}, march}, 2, ""},
		} {
			d := drawingOf(v, Options{Scale: scale, Marks: c.marks})
			d.draw()
			if got := len(d.trails(MarkRetreat)); got != c.arrows {
				t.Errorf("%d marks are %d trails", len(c.marks), got)
			}
			d.c = &canvas{}
			d.drawMoves()
			words := texts(d.c.ops)
			if _, told := words[c.count]; told != (c.count != "") {
				t.Errorf("%d marks: the count %q is there: %v", len(c.marks), c.count, told)
			}
			for _, o := range d.c.ops {
				if o.kind == opFill && reach([]op{o}).overlap(d.standing[305].grow(-1)) > 0 {
					t.Errorf("at %v an arrow lies on the counters of 0305", scale)
				}
			}
			ghosts := 0
			for _, o := range d.c.ops {
				if at := d.centre(303); o.kind == opFill && o.path.bounds().holds(at) && o.path.bounds().area() > scale*scale*0.1 {
					ghosts++
				}
			}
			if ghosts == 0 {
				t.Errorf("at %v nothing stands where the march began", scale)
			}
		}
	}
}

// Names keep off the ghosts of trails.
func TestNamesKeepOffGhosts(t *testing.T) {
	v := &view.View{Side: "GERMAN", Board: plainBoard(t, hex.Grid{ColMin: 1, ColMax: 9, RowMin: 1, RowMax: 7}, func(b *board.Board) {
		b.Places = []board.Place{{Name: "Niznaja Tawolzanka", Hexes: []hex.Hex{504}, Size: "village"}}
	})}
	var marks []Mark
	for dir := range hex.Dir(6) {
		marks = append(marks, Mark{Kind: MarkRetreat, From: v.Board.Grid.Step(504, dir), To: 101, Side: "GERMAN"})
	}
	on := func(p *Picture) (n int) {
		for _, m := range marks {
			if p.names[0].overlap(written{"ghost", []box{centred(p.base.l.centre(m.From), pt{8, 8})}}) > 0 {
				n++
			}
		}
		return n
	}
	if n := on(Render(v, Options{Scale: 48})); n == 0 {
		t.Fatal("the name is nowhere near")
	}
	if n := on(Render(v, Options{Scale: 48, Marks: marks})); n > 0 {
		t.Errorf("the name lies on %d ghosts", n)
	}
}

// The fights of one hex share a burst, which has the numbers of two of them; the numbers
// stay in it.
func TestFightsOfAHexShareABurst(t *testing.T) {
	v, o := layersView(t)
	o.Marks = []Mark{{Kind: MarkCombat, To: 202, Label: "1"}, {Kind: MarkCombat, To: 202, Label: "222"}, {Kind: MarkCombat, To: 202, Label: "223"},
		{Kind: MarkCombat, To: 303, Label: "333"}, {Kind: MarkFire, To: 303, Label: "333"}, {Kind: MarkCombat, To: 9999}}
	d := drawingOf(v, o)
	d.drawMarks()
	words := texts(d.c.ops)
	var bursts []box
	for _, op := range d.c.ops {
		if op.kind == opFill && op.ink == burst {
			bursts = append(bursts, op.path.bounds())
		}
	}
	if len(bursts) != 2 {
		t.Fatalf("%d bursts", len(bursts))
	}
	for i, text := range []string{"1 222+", "333"} {
		if w, ok := words[text]; !ok || bursts[i].overlap(w) < w.area()*0.99 {
			t.Errorf("%q at %v is not in its burst at %v", text, w, bursts[i])
		}
	}
}

func TestWorksOfTheViewAndOfWhatIsSeen(t *testing.T) {
	v, o := layersView(t)
	v.Enemy[0].Fort, v.Enemy = "FF", append(v.Enemy, view.Stack{Hex: 9901, Fort: "FF"})
	v.Forts = append(v.Forts, view.Fort{Hex: 9901, Kind: "FF"})
	var got []string
	for _, f := range drawingOf(v, o).forts() {
		got = append(got, f.Hex.String()+" "+f.Kind)
	}
	if want := []string{"0104 Trench", "0202 IF", "0303 Bunker", "0303 Minefield", "0403 Dragon's Teeth", "0504 FF"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// The range of a headquarters is drawn around the hexes in it, unless it is most of the map.
func TestRangesOfHeadquarters(t *testing.T) {
	b := plainBoard(t, hex.Grid{ColMin: 1, ColMax: 9, RowMin: 1, RowMax: 9}, nil)
	for n, want := range map[int]int{0: 0, 1: 1, 2: 1, 3: 0} {
		d := drawingOf(&view.View{Board: b, Side: "GERMAN", Units: []view.Unit{{Name: "HQ", Hex: 505, Range: n}, {Name: "off", Range: 2}}}, Options{})
		d.drawRanges()
		lines := 0
		for _, o := range d.c.ops {
			if o.kind == opStroke {
				lines++
				if corners := len(o.path.p); corners != 6+12*n {
					t.Errorf("a range of %d has %d corners", n, corners)
				}
			}
		}
		if _, named := texts(d.c.ops)["range of HQ"]; lines != want || named != (want > 0) {
			t.Errorf("a range of %d: %d lines, named: %v", n, lines, named)
		}
	}
}

func TestGroundThatNobodyLooksAt(t *testing.T) {
	v, o := layersView(t)
	d := drawingOf(v, o)
	d.drawUnseen()
	if dark := strings.Count(string(d.c.ops[1].path.v), "Z"); dark != 30-3 {
		t.Errorf("%d hexes are dark", dark)
	}
	o.Sight.Lines = append(o.Sight.Lines, view.SightLine{From: 9901, To: 9902})
	d = drawingOf(v, o)
	d.drawSightLines()
	var dashes []int
	for _, op := range d.c.ops {
		if op.kind == opStroke {
			dashes = append(dashes, len(op.dash))
		}
	}
	if !slices.Equal(dashes, []int{0, 0, 0, 2}) {
		t.Errorf("the lines are dashed %v", dashes)
	}
	o.Sight = nil
	d = drawingOf(v, o)
	d.drawUnseen()
	if d.drawSightLines(); len(d.c.ops) != 0 {
		t.Error("nobody looks, and it is drawn")
	}
}

func TestTreesLeaveTheRoad(t *testing.T) {
	b := plainBoard(t, hex.Grid{ColMin: 1, ColMax: 5, RowMin: 1, RowMax: 5}, func(b *board.Board) {
		b.Legend[0].Kinds = []string{"forest"}
		b.Roads = []board.Road{{Kind: "main road", Path: []hex.Hex{302, 303, 304}}}
		b.Places = []board.Place{{Name: "Izjum", Hexes: []hex.Hex{202}, Size: "village"}}
	})
	l := newLayout(b, 100, Frame{})
	if !l.onRoad(303, l.centre(303).add(pt{5, 20}), 10) || l.onRoad(303, l.centre(303).add(pt{15, 20}), 10) || l.onRoad(203, l.centre(203), 10) {
		t.Error("the road does not run where it is drawn")
	}
	c := &canvas{}
	l.drawForest(c, l.survey())
	trees := 0
	for _, o := range c.ops {
		if o.kind != opFill || o.ink != treeDark {
			continue
		}
		trees++
		b := o.path.bounds()
		at := pt{(b.X0 + b.X1) / 2, (b.Y0 + b.Y1) / 2}
		for _, h := range []hex.Hex{302, 303, 304} {
			if l.centre(h).sub(at).len() < 12 {
				t.Errorf("a tree stands on the road in %v", h)
			}
		}
		if l.centre(202).sub(at).len() < 25 {
			t.Errorf("a tree stands among the houses: %v", at)
		}
	}
	if trees < 100 || trees > 225 {
		t.Errorf("%d trees", trees)
	}
}

func TestHousesAndBlocks(t *testing.T) {
	l := newLayout(plainBoard(t, hex.Grid{ColMin: 1, ColMax: 3, RowMin: 1, RowMax: 3}, nil), 100, Frame{})
	for n, want := range map[int]int{5: 5, 8: 9} { // the larger ring has a house in its middle
		c := &canvas{}
		l.houses(c, 202, n, 17, 8)
		houses := flatten(c.ops[0].path)
		if len(houses) != want {
			t.Errorf("%d houses of %d", len(houses), n)
		}
		for _, h := range houses {
			if at := boundsOf(h); at.X1-at.X0 > 10 || at.Y1-at.Y0 > 10 || l.centre(202).sub(pt{at.X0, at.Y0}).len() > 30 {
				t.Errorf("a house %v", at)
			}
		}
	}
	c := &canvas{}
	l.blocks(c, 202)
	if blocks := flatten(c.ops[0].path); len(blocks) < 8 || len(blocks) > 12 {
		t.Errorf("%d blocks", len(blocks))
	}
}

// Points at equal steps along a closed line begin where it begins, and are even in number.
func TestEvenSteps(t *testing.T) {
	ring := []pt{{0, 0}, {40, 0}, {40, 30}, {0, 30}, {0, 0}}
	got := even(ring, 7)
	if len(got)%2 == 0 || got[0] != ring[0] || got[len(got)-1] != ring[0] {
		t.Errorf("%v", got)
	}
	step := 140.0 / float64(len(got)-1)
	for i := 1; i < len(got); i++ {
		if away := got[i].sub(got[i-1]).len(); away > step+1e-6 || away < step*0.7 {
			t.Errorf("the step %d is %v long, not %v", i, away, step)
		}
	}
	inner := inset(got, 5)
	for _, p := range inner.p {
		if !(box{3, 3, 37, 27}).holds(p) {
			t.Errorf("%v lies outside of the inner line", p)
		}
	}
}

var lettersOfZones = regexp.MustCompile(`>(A|Q|South-east)</text>`)

func TestLettersOfZonesStandInTheMargin(t *testing.T) {
	b := plainBoard(t, hex.Grid{ColMin: 1, ColMax: 12, RowMin: 1, RowMax: 12}, func(b *board.Board) {
		b.Zones = []board.Zone{{ID: "A", Hexes: []hex.Hex{104, 105, 106}}, {ID: "Q", Hexes: []hex.Hex{601, 701}}, {ID: "South-east", Hexes: []hex.Hex{1210, 1211}},
			{ID: "inside", Hexes: []hex.Hex{606, 607}}}
	})
	l := newLayout(b, 44, Frame{})
	c := &canvas{}
	l.drawZones(c)
	if n := len(lettersOfZones.FindAllString(string(svg(l.w, l.ht, c.ops)), -1)); n != 3 {
		t.Errorf("%d letters", n)
	}
	for _, o := range c.ops {
		if o.kind != opText {
			continue
		}
		if l.field.grow(-2).holds(o.at) || !(box{0, 0, float64(l.w), float64(l.ht)}).holds(o.at) {
			t.Errorf("%s stands at %v", o.text, o.at)
		}
		if slanted := o.angle != 0; slanted != (o.text == "South-east") {
			t.Errorf("%s is turned: %v", o.text, slanted)
		}
	}
}

// Ways that only pass through a picture are left to others; where there are too many to tell
// apart, the enemy's marches that end beside nobody are left out, and no retreat nor fire.
func TestOnlyTrailsThatCanBeRead(t *testing.T) {
	v, o := layersView(t)
	o.Frame = Frame{ColMin: 1, ColMax: 3, RowMin: 1, RowMax: 3}
	d := drawingOf(v, o)
	passing := trail{Mark{Kind: MarkMove, Side: "SOVIET", Hexes: []hex.Hex{401, 301, 404}}, 1}
	in := trail{Mark{Kind: MarkMove, Side: "SOVIET", Hexes: []hex.Hex{401, 301}}, 1}
	if got := d.readable([]trail{passing, in}); len(got) != 1 || got[0].To != in.To || len(got[0].Hexes) != 2 {
		t.Errorf("drawn are %v", got)
	}
	far := trail{Mark{Kind: MarkMove, Side: "SOVIET", Hexes: []hex.Hex{103, 404}}, 1}
	var many []trail
	for range mostTrails {
		many = append(many, far)
	}
	fire := trail{Mark{Kind: MarkFire, Side: "SOVIET", From: 103, To: 404}, 1}
	if got := d.readable(slices.Clone(many)); len(got) != mostTrails {
		t.Errorf("%d of %d that can be read", len(got), mostTrails)
	}
	if got := d.readable(append(many, in, fire)); len(got) != 2 {
		t.Errorf("%d of too many: %v", len(got), got)
	}
}
