package chart

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/view"
)

// The legend has what is on the map and nothing else: what is taken off the map leaves it.
func TestLegendIsWhatIsDrawn(t *testing.T) {
	told := func(change func(v *view.View, o *Options)) []string {
		v, o := layersView(t)
		change(v, &o)
		p := Render(v, o)
		for _, sign := range p.told {
			if !p.signs[sign] {
				t.Errorf("the legend has %q, which is not drawn", sign)
			}
		}
		for sign := range p.signs {
			kind, unit := strings.CutPrefix(sign, "unit ")
			if lettered := unit && kindWords[kind] == ""; !lettered && !slices.Contains(p.told, sign) {
				t.Errorf("%q is drawn, and the legend has no word for it", sign)
			}
		}
		return p.told
	}
	all := told(func(*view.View, *Options) {})
	for _, want := range []string{"river", "front", "own counter", "enemy counter", "unknown", "enemy move", "own retreat", "fight", "steps lost", "tag U", "tag D", "unit ARM", "works IF"} {
		if !slices.Contains(all, want) {
			t.Errorf("the legend of everything has no %q: %q", want, all)
		}
	}
	less := func(kind MarkKind) func(*view.View, *Options) {
		return func(_ *view.View, o *Options) {
			o.Marks = slices.DeleteFunc(slices.Clone(o.Marks), func(m Mark) bool { return m.Kind == kind })
		}
	}
	for name, c := range map[string]struct {
		change func(*view.View, *Options)
		gone   []string
	}{
		"no control":      {func(v *view.View, _ *Options) { v.Control = nil }, []string{"front"}},
		"no worn unit":    {func(v *view.View, _ *Options) { v.Units = v.Units[1:2] }, []string{"steps lost", "tag U", "tag D", "unit CAV", "stack"}},
		"no works":        {func(v *view.View, _ *Options) { v.Forts = nil }, []string{"works IF", "works Trench", "works Bunker", "works Minefield", "works Dragon's Teeth"}},
		"no moves":        {less(MarkMove), []string{"enemy move"}},
		"no fights":       {func(v *view.View, o *Options) { less(MarkCombat)(v, o); less(MarkFire)(v, o) }, []string{"fight"}},
		"no objectives":   {func(v *view.View, _ *Options) { v.Objectives = nil }, []string{"own prize", "enemy prize", "free prize"}},
		"arrows left out": {func(_ *view.View, o *Options) { o.Layers = []Layer{LayerUnits} }, []string{"front", "enemy move", "fight", "works IF", "own prize"}},
		"no enemy":        {func(v *view.View, _ *Options) { v.Enemy = nil }, []string{"enemy counter", "unknown", "steps seen"}},
	} {
		got := told(c.change)
		for _, sign := range c.gone {
			if slices.Contains(got, sign) {
				t.Errorf("%s: the legend still has %q", name, sign)
			}
		}
	}
}

// The legend of a part of the map has the ground and the roads of that part.
func TestLegendOfAPart(t *testing.T) {
	v := smallView(t)
	whole := Render(v, Options{}).signs
	for h := range v.Board.Grid.Len() {
		at := v.Board.Grid.At(h)
		if !v.Board.On(at) {
			continue
		}
		f := around(v.Board.Grid, at)
		part := Render(v, Options{Frame: f, Layers: []Layer{LayerNames}})
		if got, want := part.signs["river"], v.Board.Grid.Len() > 0 && slices.ContainsFunc(v.Board.Rivers[0].Edges, part.base.l.beside); len(v.Board.Rivers) == 1 && got != want {
			t.Errorf("%v has a river: %v", at, want)
		}
		for sign := range maps.Keys(part.signs) {
			if !whole[sign] {
				t.Errorf("%v has %q, the whole map has not", at, sign)
			}
		}
		if len(part.signs) >= len(whole) {
			t.Errorf("%v has all of %d signs", at, len(whole))
		}
	}
}

// On a close-up the numbers of hexes with counters are written over all that would cross
// them: fronts, ways and what happened.
func TestNumbersAreWrittenOverFronts(t *testing.T) {
	v, o := layersView(t)
	o.Scale = closeUp
	p := Render(v, o)
	at := map[string]int{}
	for i, op := range p.ops {
		if op.kind == opGroup && op.text != "" {
			at[op.text] = i
		}
	}
	for _, below := range []string{"front", "forts", "moves", "counters", "marks"} {
		if at["numbers-now"] <= at[below] {
			t.Errorf("numbers are drawn at %d, %s at %d", at["numbers-now"], below, at[below])
		}
	}
	again := texts(opsOf(p.ops, "numbers-now"))
	for _, hex := range []string{"0202", "0104", "0403", "0504", "0601"} {
		if _, ok := again[hex]; !ok {
			t.Errorf("%s is not written again: %v", hex, again)
		}
	}
	o.Scale = DefaultScale
	if opsOf(Render(v, o).ops, "numbers-now") != nil {
		t.Error("a whole map has its numbers twice")
	}
}
