package chart

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

func TestCounterOfAnOwnUnit(t *testing.T) {
	for name, c := range map[string]struct {
		u    view.Unit
		foot string
		lost int
		tags string
	}{
		"equal":           {view.Unit{Attack: 4, Defence: 4, Moves: 5, Steps: 2, MaxSteps: 2}, "4-5", 0, ""},
		"unequal":         {view.Unit{Attack: 3, Defence: 4, Moves: 5, Steps: 1, MaxSteps: 3}, "3-4-5", 2, ""},
		"headquarters":    {view.Unit{Type: "HQ", Moves: 10, Steps: 1, MaxSteps: 1}, "10", 0, ""},
		"one that fights": {view.Unit{Type: "HQ", Defence: 1, Moves: 10}, "0-1-10", 0, ""},
		"no steps":        {view.Unit{Type: "INF", Steps: 2}, "0-0", 0, ""},
		"in every plight": {view.Unit{Attack: 1, Defence: 1, Moves: 5, OutOfSupply: 2, Disorganized: true, Retreated: true}, "1-5", 0, "U2 D R"},
		"a retreat alone": {view.Unit{Attack: 1, Defence: 1, Moves: 5, Retreated: true}, "1-5", 0, "R"},
	} {
		k := ownCounter(&c.u, "GERMAN")
		var tags []string
		for _, f := range k.tags {
			tags = append(tags, f.text)
		}
		if k.foot != c.foot || k.lost != c.lost || strings.Join(tags, " ") != c.tags || k.faded {
			t.Errorf("%s: %+v", name, k)
		}
	}
	k := ownCounter(&view.Unit{Name: "1 Rom", Nation: "Romanian", Type: "CAV", Size: "BR"}, "GERMAN")
	if k.name != "1 Rom" || k.kind != "CAV" || k.size != "BR" || k.nation != nations["Romanian"] {
		t.Errorf("%+v", k)
	}
}

func TestCounterOfWhatIsSeen(t *testing.T) {
	near, far := &view.Stack{Side: "SOVIET", Closer: true}, &view.Stack{Side: "SOVIET"}
	k := sightCounter(&view.Sight{Nation: "Polish", Type: "ARM", Size: "BR", Name: "1 Gds", Steps: 3}, near)
	if k.foot != "3 steps" || k.seen != 3 || k.faded || k.nation != nations["Polish"] || k.kind != "ARM" || k.size != "BR" || k.name != "1 Gds" {
		t.Errorf("%+v", k)
	}
	if k := sightCounter(&view.Sight{Type: "INF"}, far); k.foot != "?" || !k.faded || k.nation != nations["Soviet"] {
		t.Errorf("%+v", k)
	}
}

func TestStrongestUnitLiesOnTop(t *testing.T) {
	us := []view.Unit{{Name: "hq", Type: "HQ", Defence: 9}, {Name: "guns", Type: "art", Attack: 8}, {Name: "flak", Type: "AA", Attack: 2}, {Name: "foot", Type: "INF", Defence: 4, Steps: 2},
		{Name: "worn", Type: "INF", Defence: 4, Steps: 1}, {Name: "tanks", Type: "ARM", Attack: 4, Steps: 2}, {Name: "strong", Type: "INF", Attack: 5}}
	slices.SortFunc(us, func(a, b view.Unit) int { return weight(&b) - weight(&a) })
	var got []string
	for _, u := range us {
		got = append(got, u.Name)
	}
	if strings.Join(got, " ") != "strong tanks foot worn guns flak hq" {
		t.Error(got)
	}
	seen := []view.Sight{{Type: "HQ"}, {Type: "ZEP"}, {Type: "inf", Steps: 3}, {Type: "INF", Steps: 1}, {Type: "ARM"}, {Type: "MOT"}}
	slices.SortFunc(seen, func(a, b view.Sight) int { return sightWeight(&b) - sightWeight(&a) })
	got = nil
	for _, s := range seen {
		got = append(got, s.Type)
	}
	if strings.Join(got, " ") != "ARM MOT inf INF HQ ZEP" {
		t.Error(got)
	}
}

// reach is the room that a drawing takes, pens and letters included.
func reach(ops []op) box {
	var out box
	first := true
	add := func(b box) {
		if first {
			out, first = b, false
		}
		out = out.join(b)
	}
	for _, o := range ops {
		switch o.kind {
		case opFill:
			add(o.path.bounds())
		case opStroke:
			add(o.path.bounds().grow(o.width / 2))
		case opText:
			add(box{o.at.X, o.at.Y - o.size*0.72, o.at.X + measure(o.font, o.size, o.text), o.at.Y})
		}
	}
	return out
}

// Whatever is on a counter stays on it: names and numbers are set smaller where they are long.
func TestNothingStandsOutOfACounter(t *testing.T) {
	for _, size := range []float64{18, 28, 38, 80} {
		for kind := range symbols {
			for _, mark := range []string{"SQ", "P", "C", "B", "R", "BR", "D", "K", "A", ""} {
				c := &canvas{}
				drawCounter(c, pt{100, 100}, size, counter{nation: nations["German"], kind: kind, size: mark, foot: "120-120-100", lost: 2})
				card := box{100 - size/2, 100 - size/2, 100 + size/2, 100 + size/2}
				room := card.grow(max(0.8, size*0.06))
				if got := reach(c.ops); got.X0 < room.X0 || got.X1 > room.X1 || got.Y0 < room.Y0 || got.Y1 > room.Y1 {
					t.Fatalf("%s of size %q stands out of a counter of %v: %v", kind, mark, size, got)
				}
			}
		}
	}
}

// texts are the words of a drawing with their boxes.
func texts(ops []op) map[string]box {
	out := map[string]box{}
	for _, o := range ops {
		if o.kind == opText {
			out[o.text] = reach([]op{o})
		}
	}
	return out
}

func TestStrengthDoesNotTouchTheSymbol(t *testing.T) {
	for _, size := range []float64{20, 38, 90} {
		c := &canvas{}
		drawCounter(c, pt{100, 100}, size, counter{nation: nations["German"], kind: "INF", size: "XX", foot: "4-5"})
		words := texts(c.ops)
		var symbol box // the frame is drawn last of the symbol
		for _, o := range c.ops {
			if o.kind == opStroke && string(o.path.v) == "MLLLZ" {
				symbol = o.path.bounds()
			}
		}
		for word, b := range words {
			if o := b.overlap(symbol); o > 0.02*symbol.area() {
				t.Errorf("on a counter of %v %q covers %.1f of the symbol", size, word, o)
			}
		}
	}
}

func TestStripesOfStepsLost(t *testing.T) {
	card := box{0, 0, 40, 40}
	for lost, want := range []int{0, 1, 2, 2} {
		c := &canvas{}
		stripes(c, card, lost)
		n, area := 0, 0.0
		for _, o := range c.ops {
			if o.kind != opFill {
				continue
			}
			n++
			area += math.Abs(turning(flatten(o.path)[0])) / 2
			for _, p := range o.path.p {
				if !card.grow(1e-9).holds(p) {
					t.Errorf("%d lost: a stripe reaches %v", lost, p)
				}
			}
		}
		if n != want {
			t.Errorf("%d lost: %d stripes", lost, n)
		}
		if lost == 1 && math.Abs(area-(40*40-36*36)) > 1e-6 {
			t.Errorf("one stripe covers %v", area)
		}
	}
}

func TestSymbolsOfUnknownTypes(t *testing.T) {
	word := func(kind string) map[string]box {
		c := &canvas{}
		drawSymbol(symbolBox{c, box{0, 0, 30, 20}, 1, ink}, kind)
		return texts(c.ops)
	}
	for kind, want := range map[string]string{"zep": "ZEP", "BALLOON": "BALL", "hq": "HQ"} {
		got := word(kind)
		if b, ok := got[want]; !ok || len(got) != 1 || b.X0 < 0 || b.X1 > 30 {
			t.Errorf("%s is written %v", kind, got)
		}
	}
	if len(word("")) != 0 || len(word("Flak")) != 0 {
		t.Error("a symbol is written")
	}
}

func TestBadgesAndStars(t *testing.T) {
	c := &canvas{}
	badge(c, pt{50, 50}, 6, 12)
	if b := texts(c.ops)["12"]; math.Abs((b.X0+b.X1)/2-50) > 0.01 || math.Abs((b.Y0+b.Y1)/2-50) > 1 {
		t.Errorf("the number stands at %v", b)
	}
	for points, want := range map[string]int{"3": 3, "": 2} {
		c := &canvas{}
		objective(c, pt{50, 50}, 6, prize{points, heldByOwn, alarm})
		if len(c.ops) != want || c.ops[0].ink != alarm {
			t.Errorf("%q: %d pieces", points, len(c.ops))
		}
	}
}

func TestTeethOfATrenchPointLeft(t *testing.T) {
	c := &canvas{}
	trench(c, polyline(pt{0, 10}, pt{34, 10}), rampart{2, 5, fortInk})
	teeth := flatten(c.ops[1].path)
	if len(teeth) != 4 {
		t.Fatalf("%d teeth", len(teeth))
	}
	for _, l := range teeth {
		if l[0].Y != 10 || math.Abs(l[1].Y-5) > 1e-9 || l[0].X != l[1].X {
			t.Errorf("a tooth from %v to %v", l[0], l[1])
		}
	}
	c = &canvas{}
	beads(c, polyline(pt{0, 10}, pt{20, 10}), 5, func(m, out pt) *path { return polyline(m, m.add(out)) })
	if got := shapeOf(c.ops[0].path); got != "M2.5 10L2.5 9M7.5 10L7.5 9M12.5 10L12.5 9M17.5 10L17.5 9" {
		t.Errorf("beads %s", got)
	}
}

// drawingOf is a drawing of a view, ready for one of its layers.
func drawingOf(v *view.View, o Options) *drawing {
	if o.Scale == 0 {
		o.Scale = DefaultScale
	}
	return &drawing{layout: newLayout(v.Board, o.Scale, o.Frame), c: &canvas{}, v: v, o: o}
}

// pile is a view with a stack of n own units in one hex.
func pile(t *testing.T, n int) *view.View {
	v := &view.View{Board: plainBoard(t, hex.Grid{ColMin: 1, ColMax: 5, RowMin: 1, RowMax: 5}, nil), Side: "GERMAN"}
	for i := range n {
		v.Units = append(v.Units, view.Unit{ID: string(rune('z' - i)), Name: string(rune('A' + i)), Hex: 303, Type: "INF", Attack: 1 + i/2, Defence: 1, Moves: 5})
	}
	return v
}

func TestStacksFromTheTopOfTheMap(t *testing.T) {
	v := pile(t, 3)
	v.Allies = []view.Unit{{ID: "0", Name: "Ally", Hex: 303, Attack: 9}, {Hex: 202, Name: "Other"}, {Hex: 9901}}
	v.Enemy = []view.Stack{{Hex: 505, Side: "SOVIET"}, {Hex: 101, Side: "SOVIET", Units: []view.Sight{{Type: "INF"}, {Type: "ARM"}}}, {Hex: 601}}
	var got []string
	for _, s := range drawingOf(v, Options{}).stacks() {
		line := s.hex.String()
		for _, k := range s.counters {
			line += " " + k.name + k.kind
		}
		got = append(got, line)
	}
	// Of equals the lower id lies on top: C is stronger, B has a lower one than A.
	want := []string{"0101 ARM INF", "0202 Other", "0303 Ally CINF BINF AINF", "0505 ?"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// On the whole map a pile shows the top counter and its number.
func TestStacksLieInPiles(t *testing.T) {
	for n := 1; n <= 6; n++ {
		d := drawingOf(pile(t, n), Options{Scale: 44})
		d.drawStack(d.stacks()[0])
		if feet, badges := printed(d.c.ops, n); feet != 1 || badges != min(n-1, 1) {
			t.Errorf("%d units: %d strengths, %d badges", n, feet, badges)
		}
		hexagon := d.shape(303, 1).bounds()
		// They lie a little low, for the number of the hex is above them.
		if got := reach(d.c.ops); got.X0 < hexagon.X0 || got.X1 > hexagon.X1 || got.Y0 < hexagon.Y0 || got.Y1 > hexagon.Y1+44*0.06 {
			t.Errorf("%d units stand out of their hex: %v, not in %v", n, got, hexagon)
		}
	}
}

// printed counts the strengths and the numbers of n counters in a drawing.
func printed(ops []op, n int) (feet, badges int) {
	for _, o := range ops {
		if o.kind == opText && strings.HasSuffix(o.text, "-5") {
			feet++
		} else if o.kind == opText && o.text == strconv.Itoa(n) {
			badges++
		}
	}
	return feet, badges
}

// A close-up names each unit in letters of eight pixels and more: on the map up to two in
// a hex, the whole of a larger stack and of what has a long name in the list below.
func TestCloseUpsOpenStacks(t *testing.T) {
	long := func(v *view.View) { v.Units[0].Name = "Grossdeutschland" }
	parted := func(v *view.View) { v.Units[0].Name = "Art. panc./VII ARM" }
	as := func(*view.View) {}
	for _, c := range []struct {
		n            int
		change       func(*view.View)
		here, listed int // counters on the map, in the list
	}{{1, as, 1, 0}, {2, as, 2, 0}, {3, as, 1, 3}, {9, as, 1, 9}, {1, long, 1, 1}, {2, long, 2, 2}, {1, parted, 1, 1}} {
		for _, scale := range []float64{48, 100} {
			v := pile(t, c.n)
			c.change(v)
			d := drawingOf(v, Options{Scale: scale})
			d.drawStack(d.stacks()[0])
			if feet, badges := printed(d.c.ops, c.n); feet != c.here || (badges == 1) != (c.n > 2) {
				t.Errorf("%d units at %v: %d strengths, %d badges", c.n, scale, feet, badges)
			}
			if got := reach(d.c.ops); !d.shape(303, 1).bounds().grow(1).encloses(got) {
				t.Errorf("%d units at %v stand out of their hex: %v", c.n, scale, got)
			}
			p := Render(v, Options{Scale: scale, Bare: true})
			feet, _ := printed(p.ops, c.n)
			if feet != c.here+c.listed {
				t.Errorf("%d units at %v: %d strengths in all", c.n, scale, feet)
			}
			for _, u := range v.Units {
				if !slices.Contains(p.Named(), u.Name) {
					t.Errorf("%d units at %v: %q is not named", c.n, scale, u.Name)
				}
			}
			if o := p.Overlaps(); len(o) > 0 {
				t.Errorf("%d units at %v: %q", c.n, scale, o)
			}
			_, high := p.Size()
			if _, plain := Render(v, Options{Scale: 44, Bare: true}).Size(); c.listed > 0 && p.below == 0 || p.below > 0 && high <= plain {
				t.Errorf("%d units at %v: the list takes %d pixels", c.n, scale, p.below)
			}
			for _, o := range p.ops {
				if at := reach([]op{o}); o.kind == opText && o.font == bold && p.below > 0 && at.X1 > float64(p.base.l.w) {
					t.Errorf("%q leaves the picture", o.text)
				}
				isName := o.kind == opText && slices.ContainsFunc(v.Units, func(u view.Unit) bool { return u.Name == o.text })
				if isName && o.size < 8 {
					t.Errorf("%q has letters of %v", o.text, o.size)
				}
			}
		}
	}
}

// The number of a hex is printed above its counters.
func TestCountersLeaveTheNumberOfTheHex(t *testing.T) {
	for _, scale := range []float64{44, 60, 100} {
		d := drawingOf(pile(t, 1), Options{Scale: scale})
		d.drawNumbers(d.c)
		number := texts(d.c.ops)["0303"]
		d.c = &canvas{}
		d.drawStack(d.stacks()[0])
		most := number.area() * 0.25
		if scale >= closeUp {
			most = 1
		}
		if o := reach(d.c.ops).overlap(number); number.area() == 0 || o > most {
			t.Errorf("at %v the counter covers %.0f of %.0f", scale, o, number.area())
		}
	}
}

func TestNumbersOfASmallMap(t *testing.T) {
	b := plainBoard(t, hex.Grid{ColMin: 1, ColMax: 12, RowMin: 1, RowMax: 12}, nil)
	for scale, want := range map[float64]int{44: 144, 20: 27} {
		d := drawingOf(&view.View{Board: b}, Options{Scale: scale})
		d.drawNumbers(d.c)
		words := texts(d.c.ops)
		if _, fifth := words["0505"]; len(words) != want || !fifth {
			t.Errorf("at %v %d hexes have their numbers", scale, len(words))
		}
	}
}
