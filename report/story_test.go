package report

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// said is an event of a kind and phase with facts in pairs.
func said(kind, phase string, facts ...string) view.Event {
	e := view.Event{Kind: kind, Phase: phase, Facts: facts}
	return e
}

// storyOf puts events into words, a line an item and below it its details.
func storyOf(t *testing.T, w view.Wording, events ...view.Event) string {
	t.Helper()
	items, err := (&Report{View: withEvents(&view.View{}, events...), Wording: w}).Items()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i, it := range items {
		if it.Number != i+1 {
			t.Errorf("item %d has the number %d", i+1, it.Number)
		}
		b.WriteString(it.Head + "\n")
		for _, d := range it.Detail {
			b.WriteString("| " + d + "\n")
		}
	}
	return b.String()
}

var storyWording = view.Wording{
	"attack": "Attack on {{.hex}}.\n  odds {{.odds}}\n\n    closer look  \n",
	"choice": "  By {{.source}}: {{.means}}.",
	"move":   "{{.unit}} {{.path}}", "move:all": "Moves:",
	"loss": "{{.unit}}", "loss:all": "Lost:",
	"secret": "{{if .seen}}Seen.{{end}}",
	"quiet":  " ",
}

func TestDetailsStandBelowTheirHeadline(t *testing.T) {
	got := storyOf(t, storyWording, said("attack", "Combat", "hex", "0301", "odds", "3:1"),
		said("quiet", "Combat"), said("choice", "Combat", "source", "the default", "means", "stand"))
	if want := "Attack on 0301.\n| odds 3:1\n|   closer look\n| By the default: stand.\n"; got != want {
		t.Errorf("%s", got)
	}
}

// A detail without an item of its phase before it has one of its own.
func TestDetailsOfAnotherPhaseStandAlone(t *testing.T) {
	got := storyOf(t, storyWording, said("attack", "Combat", "hex", "0301", "odds", "3:1"),
		said("choice", "Supply", "source", "the default", "means", "stand"))
	if !strings.HasSuffix(got, "\nBy the default: stand.\n") {
		t.Errorf("%s", got)
	}
}

func TestListsHoldNeighboursOfOneKind(t *testing.T) {
	move := func(phase, unit, path string) view.Event { return said("move", phase, "unit", unit, "path", path) }
	for _, c := range []struct {
		name   string
		events []view.Event
		want   string
	}{
		{"one", []view.Event{move("M", "A", "0101-0102")}, "Moves: A 0101-0102.\n"},
		{"three", []view.Event{move("M", "A", "0101"), move("M", "B", "0102"), move("M", "C", "0103")}, "Moves: A 0101; B 0102; C 0103.\n"},
		{"parted by a phase", []view.Event{move("M", "A", "0101"), move("N", "B", "0102")}, "Moves: A 0101.\nMoves: B 0102.\n"},
		{"parted by an event", []view.Event{move("M", "A", "0101"), said("secret", "M", "seen", "yes"), move("M", "B", "0102")},
			"Moves: A 0101.\nSeen.\nMoves: B 0102.\n"},
		{"beside another list", []view.Event{move("M", "A", "0101"), said("loss", "M", "unit", "B"), said("loss", "M", "unit", "C")},
			"Moves: A 0101.\nLost: B; C.\n"},
		{"behind a silent one", []view.Event{move("M", "A", "0101"), said("loss", "M"), said("loss", "M", "unit", "B")}, "Moves: A 0101.\nLost: B.\n"},
		{"parted by a silent event", []view.Event{move("M", "A", "0101"), said("secret", "M"), move("M", "B", "0102")},
			"Moves: A 0101.\nMoves: B 0102.\n"},
	} {
		if got := storyOf(t, storyWording, c.events...); got != c.want {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

// The hexes of a list are those of all its events; the events themselves stay as they are.
func TestListsJoinTheirHexes(t *testing.T) {
	first, second := said("move", "M", "unit", "A"), said("move", "M", "unit", "B")
	first.Hexes, second.Hexes = []hex.Hex{101, 102}[:1], []hex.Hex{201}
	r := &Report{View: withEvents(&view.View{}, first, second), Wording: storyWording}
	items, err := r.Items()
	if err != nil || len(items) != 1 || !slices.Equal(items[0].Event.Hexes, []hex.Hex{101, 201}) {
		t.Errorf("%v %+v", err, items)
	}
	told := r.View.Story.Events()
	if whole := told[0].Hexes[:2]; len(told[0].Hexes) != 1 || whole[1] != 102 {
		t.Errorf("the first event's hexes are now %v", whole)
	}
}

func TestWaysAreToldByTheirEnds(t *testing.T) {
	for text, want := range map[string]string{
		" A 0101-0102-0103-0104 ":         "A 0101 to 0104",
		"A 0101-0102-0103":                "A 0101-0102-0103",
		"A 0101-0102-0103-0104-0105, B":   "A 0101 to 0105, B",
		"A 10101-0102-0103-0104":          "A 10101-0102-0103-0104",
		"A 1-2-3-4 B 0101-0201-0301-0401": "A 1-2-3-4 B 0101 to 0401",
	} {
		if got := ends(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestChaptersFollowThePhases(t *testing.T) {
	var items []Item
	for i, phase := range []string{"Air", "Air", "Move", "Air"} {
		items = append(items, Item{Number: i + 1, Event: view.Event{Phase: phase}})
	}
	var got []string
	for _, c := range chapters(items) {
		got = append(got, c.phase+strings.Repeat("+", len(c.items)))
	}
	if !slices.Equal(got, []string{"Air++", "Move+", "Air+"}) {
		t.Error(got)
	}
	if chapters(nil) != nil {
		t.Error("a story without items has a chapter")
	}
}

func TestWhatWasChosenInYourName(t *testing.T) {
	choice := func(kind, source string) view.Event {
		return view.Event{Kind: kind, Facts: view.Pairs{"source", source}}
	}
	items := []Item{
		{Number: 1, Below: []view.Event{choice("x", "standing order 3"), choice("x", "the default")}},
		{Number: 2, Below: []view.Event{choice("x", "standing order 4"), choice("x", "standing order 5"), choice("x", "")}},
		{Number: 3},
		{Number: 7, Below: []view.Event{choice("x-skipped", "standing order 9"), choice("x-skipped", "anything")}},
	}
	want := []string{"3 by a standing order: items 1, 2", "1 filled in by the default: item 1", "2 passed over, for a reason told there: item 7"}
	if got := acted(items); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := acted(items[2:3]); got != nil {
		t.Errorf("nothing was chosen: %q", got)
	}
}

func TestPlainWordsOfAnEvent(t *testing.T) {
	e := view.Event{Kind: "storm", Hexes: []hex.Hex{101, 202}, Facts: view.Pairs{"wind", "west", "force", "9"}}
	if got := plain(e); got != "storm at 0101 0202\n  force: 9\n  wind: west" {
		t.Errorf("%q", got)
	}
	if got := plain(view.Event{Kind: "calm"}); got != "calm" {
		t.Errorf("%q", got)
	}
}

func TestDetailsKeepTheirColumns(t *testing.T) {
	got := details("  a   b  \r\n\n \t\n    deeper\nflush")
	if !slices.Equal(got, []string{"a   b", "  deeper", "flush"}) {
		t.Errorf("%q", got)
	}
}

func TestMarksCarryTheNumbersOfTheirItems(t *testing.T) {
	r := &Report{Wording: view.Wording{"fight": "Fight.", "go": "Goes.", "nothing": ""}, View: withEvents(&view.View{}, []view.Event{
		{Kind: "go", Mark: "move", Side: "A", Hexes: []hex.Hex{101, 102}},
		{Kind: "fight", Mark: "combat", Side: "B", Hexes: []hex.Hex{201, 202}},
		{Kind: "go", Hexes: []hex.Hex{101}},
		{Kind: "go", Mark: "retreat"},
		{Kind: "fight", Mark: "combat", Hexes: []hex.Hex{301}},
	}...)}
	got := r.Marks()
	if len(got) != 3 {
		t.Fatalf("%+v", got)
	}
	if m := got[0]; m.Kind != "move" || m.Side != "A" || !slices.Equal(m.Hexes, []hex.Hex{101, 102}) || m.Label != "" {
		t.Errorf("the move: %+v", m)
	}
	if m := got[1]; m.Kind != "combat" || m.Side != "B" || m.To != 201 || m.Hexes != nil || m.Label != "2" {
		t.Errorf("the first combat: %+v", m)
	}
	if m := got[2]; m.To != 301 || m.Label != "5" {
		t.Errorf("the second combat: %+v", m)
	}
}

// A combat that no item tells of is marked all the same, without a number.
func TestMarksOfUnreportedCombats(t *testing.T) {
	r := &Report{View: withEvents(&view.View{}, view.Event{Kind: "fight", Mark: "combat", Hexes: []hex.Hex{201}}), Wording: view.Wording{"fight": ""}}
	if got := r.Marks(); len(got) != 1 || got[0].To != 201 || got[0].Label != "" {
		t.Errorf("%+v", got)
	}
}

// What happened in an activation of a game of chits carries its title to the map.
func TestMarksOfAnActivation(t *testing.T) {
	shot := said("shot", "Activation 2", "what", "Shot")
	shot.Mark, shot.Hexes = "fire", []hex.Hex{201, 202}
	early := shot
	early.Phase = "Bombardment"
	drawn, chit := said("drawn", "Activation 2", "what", "Drawn among three"), said("chit", "Activation 2", "what", "Chit 6A of the Soviets, 3 units")
	r := &Report{View: &view.View{Chits: &view.Chits{}, Story: &view.Story{Phases: []view.Chapter{
		{Phase: "Bombardment", Events: []view.Event{early}}, {Phase: "Activation 2", Events: []view.Event{drawn, chit, shot}}}}},
		Wording: view.Wording{"shot": "{{.what}}.", "drawn": "{{.what}}.", "chit": "{{.what}}."}}
	got := r.Marks()
	if len(got) != 2 || got[0].Part != "" || got[1].Part != "Activation 2, item 3: Chit 6A of the Soviets" || got[1].Label != "4" {
		t.Errorf("%+v", got)
	}
}

// The strip of chits shows in which order they were drawn, whose they are, and what came of each.
func TestTimelineOfChits(t *testing.T) {
	ours, theirs := said("chit", "", "chit", "2Pz"), said("chit", "", "hq", "6A")
	ours.Facts, theirs.Facts = ours.Facts.With("side", "GERMAN"), theirs.Facts.With("side", "Soviet")
	lost := said("chit-wasted", "", "hq", "40A")
	lost.Facts = lost.Facts.With("side", "Soviet")
	r := &Report{View: &view.View{Side: "GERMAN", Chits: &view.Chits{}, Story: &view.Story{Phases: []view.Chapter{{Events: []view.Event{
		said("weather", ""), ours, said("move", ""), said("combat", ""), said("loss", ""), said("loss", ""), theirs, said("pass", ""), lost}}}}}}
	var m markup
	r.htmlTimeline(&m)
	text := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(strings.ReplaceAll(m.String(), "</span></span>", "|"), " ")
	if got, want := strings.Join(strings.Fields(text), " "), "2Pz ⚔1 †2&nbsp;| 6A -&nbsp;| 40A -&nbsp;| Chits in the order"; !strings.HasPrefix(got, want) {
		t.Errorf("the strip says %q, expected %q ...", got, want)
	}
	if square, round := strings.Count(m.String(), "solid #a07a2c"), strings.Count(m.String(), "border-radius"); square != 1 || round != 2 {
		t.Errorf("%d chits are shown as ours and %d as theirs, expected 1 and 2", square, round)
	}
}
