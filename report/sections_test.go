package report

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// part is the section of a text that begins with a title, up to the next empty line.
func part(t *testing.T, text, title string) string {
	t.Helper()
	at := strings.Index("\n"+text, "\n"+title)
	if at < 0 {
		t.Fatalf("there is no %q in\n%s", title, text)
	}
	out, _, _ := strings.Cut(text[at:], "\n\n")
	return out
}

func textOf(t *testing.T, r *Report) string {
	t.Helper()
	text, err := r.Text()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestSectionsComeInTheirOrder(t *testing.T) {
	rest := textOf(t, fullReport(t))
	for _, title := range []string{"KHARKOV 1942 ", "YOUR TURN ", "SCORE ", "TO SPEND ", "CONDITIONS ", "  held by German ", "CHITS ", "AIR STRENGTH ",
		"ASKED OF YOU", "AFTER-ACTION SUMMARY ", "WHAT THE STAFF OF THE GERMAN SIDE THOUGHT", "WHAT HAPPENED", "REMARKS", "YOUR ARMY ", " In trouble", " In contact with the enemy", " The rest ",
		" Lost ", " Allies, ", "CONTACTS ", "COMING", "SKETCHES ", "HOW TO ANSWER", "GAME: ", "# DONE", fold, "DICE OF THIS REPORT ", "SEALS", "FILES "} {
		_, after, ok := strings.Cut(rest, "\n"+title)
		if title == "KHARKOV 1942 " {
			after, ok = strings.CutPrefix(rest, title)
		}
		if !ok {
			t.Fatalf("%q does not come in its turn", title)
		}
		rest = after
	}
}

// What is not there has no section.
func TestSectionsOfNothingAreLeftOut(t *testing.T) {
	text := textOf(t, &Report{View: &view.View{Title: "X", Side: "A", Phase: "Supply"}})
	for _, title := range []string{"BY ", "SCORE", "TO SPEND", "CONDITIONS", "held by", "CHITS", "AIR", "ASKED", "AFTER", "WHAT THE STAFF", "IN YOUR NAME", "REMARKS", " In trouble",
		" In contact", " The rest", " Lost", " Allies", "CONTACTS", "COMING", "SKETCHES", "DICE", "FILES"} {
		if strings.Contains(text, "\n"+title) {
			t.Errorf("there is a section %q", title)
		}
	}
	for _, want := range []string{"NOTHING TO DO NOW   Supply\n", "YOUR ARMY   0 units on the map\n", "Nothing has been fought yet."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

func TestWhatIsDue(t *testing.T) {
	asked := []view.Question{{Label: "retreat"}}
	for _, c := range []struct {
		name               string
		r                  Report
		text, page, mailed string
	}{
		{"by a day", Report{View: &view.View{Date: "14 May"}, Due: "orders", By: "Mon 23 Nov 2026, 20:00 Rome, in 1 day"},
			"YOUR TURN      orders\nBY             Mon 23 Nov 2026, 20:00 Rome, in 1 day\n", "By: Mon 23 Nov 2026, 20:00 Rome, in 1 day",
			", 14 May: your orders by Mon 23 Nov 2026, 20:00 Rome"},
		{"without a day", Report{View: &view.View{}, Due: "orders"},
			"YOUR TURN      orders\nBY             No deadline: the game goes on when you send DONE.\n", "Your turn: orders", ": your orders are due"},
		{"an answer", Report{View: &view.View{Asked: asked}, Due: "a question: who takes the loss at 1503?"},
			"YOUR TURN      a question: who takes the loss at 1503?\nBY             No deadline: the game goes on when you answer.\n", "By: No deadline: the game goes on when you answer.",
			": a question: who takes the loss at 1503?"},
		{"an answer by a day", Report{View: &view.View{Asked: asked}, Due: "a question: who takes the loss at 1503?", By: "Mon 23 Nov 2026, 20:00 Rome, in 1 day"},
			"BY             Mon 23 Nov 2026, 20:00 Rome, in 1 day\n", "By: Mon 23 Nov 2026, 20:00 Rome, in 1 day",
			": a question to answer by Mon 23 Nov 2026, 20:00 Rome: who takes the loss at 1503?"},
		{"an answer beside orders", Report{View: &view.View{Asked: asked, Due: []string{"move"}}, Due: "orders", By: "soon"},
			"BY             soon\n", "By: soon", ": your orders by soon"},
		{"nothing", Report{View: &view.View{Phase: "Supply"}, Number: 7},
			"NOTHING TO DO NOW   Supply\n", "Nothing to do now. Next: Supply", ": report 7"},
		{"no more", Report{View: &view.View{Verdict: "A draw."}, Due: "orders", By: "soon"},
			"THE GAME IS OVER   A draw.\n", "The game is over. A draw.", ": the game is over"},
	} {
		if text := textOf(t, &c.r); !strings.Contains(text, c.text) {
			t.Errorf("%s: the text is\n%s", c.name, text)
		}
		page, _ := c.r.HTML()
		if got := strings.Join(strings.Fields(wellFormed(t, page)), " "); !strings.Contains(got, c.page) {
			t.Errorf("%s: the page is %s", c.name, got)
		}
		if got := c.r.Subject(); !strings.HasSuffix(got, c.mailed) {
			t.Errorf("%s: the subject is %q", c.name, got)
		}
	}
}

func TestShortTimeKeepsDayAndHour(t *testing.T) {
	for by, want := range map[string]string{"Mon 23 Nov 2026, 20:00 Rome, in 2 days": "Mon 23 Nov 2026, 20:00 Rome", "soon, I say": "soon, I say", "": ""} {
		if got := shortTime(by); got != want {
			t.Errorf("%q: %q", by, got)
		}
	}
}

// A finished game has neither a sheet nor a word about signing.
func TestLastReportAsksForNothing(t *testing.T) {
	r := fullReport(t)
	r.View.Verdict = "The Germans have won."
	text := textOf(t, r)
	if strings.Contains(text, "HOW TO ANSWER") || !strings.Contains(text, "\nThe game is over. Thank you for playing.\n"+fold) {
		t.Errorf("%s", text)
	}
	page, _ := r.HTML()
	if body := wellFormed(t, page); strings.Contains(body, "SERIAL") || !strings.Contains(body, "Thank you for playing.") {
		t.Errorf("%s", body)
	}
}

func TestChitsOfBothSides(t *testing.T) {
	v := &view.View{Chits: &view.Chits{Groups: []view.ChitGroup{{Name: "GERMAN", Draws: 1, Own: []string{"OKH"}}, {Name: "SOUTH", Draws: 2}, {Name: "NORTH"}}}}
	if got := chits(v); !slices.Equal(got, []string{"German: 1 draw in this turn; yours: OKH", "South: 2 draws in this turn"}) {
		t.Errorf("before the first: %q", got)
	}
	v.Chits.Played = []view.Chit{{Name: "28A", Side: "SOVIET"}, {Name: "OKH", Side: "GERMAN"}}
	v.Chits.Groups[1].Left = 2
	want := []string{"German: 1 draw in this turn, 0 left; yours: OKH", "South: 2 draws in this turn, 2 left", "played: 28A (Soviet), OKH (German)"}
	if got := chits(v); !slices.Equal(got, want) {
		t.Errorf("later: %q", got)
	}
	if chits(&view.View{}) != nil {
		t.Error("a game without chits has some")
	}
}

func TestQuestionsAreToldWithWhatHolds(t *testing.T) {
	text := part(t, textOf(t, fullReport(t)), "ASKED OF YOU")
	want := `ASKED OF YOU
  PURSUIT 0301 (WB-95 5.3): you wished to be asked
   * NO             stay where you are
     0301 AND 0302  follow with all units
    * holds without an answer, by the default.
  RETREAT
    Answer with a section of orders of its own, or AS FILED: 513/294 0302 /
    514/294 0303
  RESERVE
    Answer with a section of orders of its own. Without one nothing is done.`
	if text != want {
		t.Errorf("%s", text)
	}
	if got := otherwise(view.Question{Options: []view.Option{{Answer: "NO"}}}); got != "* holds without an answer." {
		t.Errorf("without a source: %q", got)
	}
}

// A long answer does not push what it means off the page.
func TestLongAnswersKeepTheirMeaning(t *testing.T) {
	r := &Report{View: &view.View{Asked: []view.Question{{Label: "x", Options: []view.Option{
		{Answer: strings.Repeat("A", 40), Means: strings.Repeat("word ", 20)}, {Answer: "NO", Means: "nothing"}}}}}}
	for _, l := range strings.Split(part(t, textOf(t, r), "ASKED OF YOU"), "\n") {
		if len(l) > columns {
			t.Errorf("%d columns: %s", len(l), l)
		}
		if strings.Contains(l, "nothing") && l != "     NO"+strings.Repeat(" ", 30)+"nothing" {
			t.Errorf("%q", l)
		}
	}
}

func TestPlacesThatWereTaken(t *testing.T) {
	before := []view.Objective{{Hex: 101, Name: "Lipcy", Owner: "GERMAN"}, {Hex: 201, Name: "Izjum", Owner: "SOVIET"}, {Hex: 301, Name: "Merefa"}}
	now := []view.Objective{{Hex: 101, Name: "Lipcy", Owner: "SOVIET"}, {Hex: 201, Name: "Izjum"}, {Hex: 301, Name: "Merefa"}, {Hex: 401, Name: "New", Owner: "SOVIET"}}
	if got := Taken(before, now); !slices.Equal(got, []string{"Lipcy 0101 to Soviet", "Izjum 0201 to nobody"}) {
		t.Errorf("%q", got)
	}
	if got := Taken(now, now); got != nil {
		t.Errorf("%q", got)
	}
}

func TestSummaryOfAGame(t *testing.T) {
	r := fullReport(t)
	want := []string{"Soviet: 3 points, from 0; 3 units lost; 30 steps on the map, 40 when it began.",
		"German: 10 points, from 5; 5 units lost; 28 steps on the map, 30 when it began.",
		"The bloodiest turn: 13 May, when the German side lost 4 units."}
	if got := r.summary(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for i := range r.History {
		r.History[i].Lost = []int{2, 1}
	}
	if got := r.summary(); len(got) != 2 || !strings.Contains(got[1], "1 unit lost;") {
		t.Errorf("without losses in any turn: %q", got)
	}
	r.History = nil
	if head, rows := r.after(); r.summary() != nil || head != nil || rows != nil {
		t.Error("a game that goes on has a summary")
	}
	if page, _ := r.HTML(); strings.Contains(page, "AFTER-ACTION") {
		t.Error("a game that goes on has a summary on the page")
	}
}

// riverBoard is a map of 5 by 5 hexes with a river, a town, a wood and hexes off the map.
func riverBoard(t *testing.T) *board.Board {
	t.Helper()
	b := &board.Board{ID: "river", Title: "River", Grid: hex.Grid{ColMin: 1, ColMax: 5, RowMin: 1, RowMax: 5, OddLow: true},
		Compass: board.Compass{North: "top", East: "right", South: "bottom", West: "left"},
		Rows:    []string{".....", ".f...", "..c..", ".....", ".    "},
		Legend:  []board.Terrain{{Code: ".", Kinds: []string{"clear"}}, {Code: "f", Kinds: []string{"clear", "forest"}}, {Code: "c", Kinds: []string{"town"}}},
		Rivers:  []board.River{{Kind: "river", Name: "Donets", Edges: []hex.Edge{hex.Between(302, 303)}}},
		Places:  []board.Place{{Name: "Izjum", Hexes: []hex.Hex{303}, Size: "town"}}}
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestSketchOfAStackInContact(t *testing.T) {
	v := &view.View{Board: riverBoard(t),
		Units: []view.Unit{{Name: "A", Hex: 302, Defence: 3}, {Name: "B", Hex: 302, Defence: 2}},
		Enemy: []view.Stack{{Hex: 301}, {Hex: 402, Units: []view.Sight{{Type: "INF"}, {Type: "ARM"}, {Type: "INF"}}}},
		Forts: []view.Fort{{Hex: 302, Kind: "IF"}}, Allies: []view.Unit{{Name: "Friend with a very long name", Hex: 203, Defence: 1}}}
	got := written(func(p *page) { newSketcher(v).draw(p, 302) })
	want := "" +
		"                            0301 ENEMY ?\n" +
		"   0202 forest                                       0402 ENEMY 2 INF+1 ARM\n" +
		"                           [0302 A +1 = 5 IF]\n" +
		"   0203 Friend with a ver                            0403\n" +
		"                           ~0303 Izjum\n\n"
	if got != want {
		t.Errorf("%s", got)
	}
	// A hex off the map is left blank.
	if corner := written(func(p *page) { newSketcher(v).draw(p, 101) }); strings.Count(corner, "\n") != 5 || !strings.Contains(corner, "[0101]") {
		t.Errorf("%s", corner)
	}
}

func TestKnownEnemiesOfASketch(t *testing.T) {
	s := &sketcher{}
	for _, c := range []struct {
		units []view.Sight
		want  string
	}{
		{nil, "?"},
		{[]view.Sight{{Name: "5 Gds", Type: "INF"}}, "5 Gds"},
		{[]view.Sight{{Name: "5 Gds", Type: "INF"}, {Type: "ARM"}}, "5 Gds +1"},
		{[]view.Sight{{Type: "ARM"}, {Type: "INF"}, {Type: "ARM"}}, "2 ARM+1 INF"},
	} {
		if got := s.known(&view.Stack{Units: c.units}); got != c.want {
			t.Errorf("%+v: %q", c.units, got)
		}
	}
}

func TestOnlyTheFirstStacksAreSketched(t *testing.T) {
	b := &board.Board{Grid: hex.Grid{ColMin: 1, ColMax: 20, RowMin: 1, RowMax: 3}, Legend: []board.Terrain{{Code: ".", Kinds: []string{"clear"}}},
		Compass: board.Compass{North: "top", East: "right", South: "bottom", West: "left"},
		Rows:    slices.Repeat([]string{strings.Repeat(".", 20)}, 3)}
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	v := &view.View{Board: b}
	for col := 15; col >= 1; col-- {
		v.Units = append(v.Units, view.Unit{Name: "U", Hex: hex.New(col, 2)})
		v.Enemy = append(v.Enemy, view.Stack{Hex: hex.New(col, 1)})
	}
	text := written(func(p *page) { (&Report{View: v}).textSketches(p) })
	if n := strings.Count(text, "["); n != sketches {
		t.Errorf("%d sketches", n)
	}
	if !strings.HasSuffix(text, "\n  also in contact  1302 1402 1502\n\n") {
		t.Errorf("%s", text[len(text)-100:])
	}
}

func TestCellsAreCutToTheirWidth(t *testing.T) {
	for in, want := range map[string]string{
		"":                      strings.Repeat(" ", 25),
		"Łódź":                  "Łódź" + strings.Repeat(" ", 21),
		strings.Repeat("Ł", 24): strings.Repeat("Ł", 24) + " ",
		strings.Repeat("Ł", 25): strings.Repeat("Ł", 23) + "  ",
	} {
		if got := fit(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}

// The key's kind stands on a line of its own, so that its digits fit.
func TestTheTextSaysWhatItsDiceAreCheckedWith(t *testing.T) {
	r := turnReport(t)
	r.View.Story.Key = "ecvrf-ed25519:" + strings.Repeat("6a", 32)
	want := `DICE OF THIS REPORT   2 events; proofs in view.json, for fieldpost verify
  game K7QX2MPA
  key ecvrf-ed25519:
    ` + strings.Repeat("6a", 32) + `
  root 9a0b77`
	if got := part(t, textOf(t, r), diceTitle); got != want {
		t.Errorf("%s", got)
	}
}

// Reports from before the View had a story have their proofs in the text: a beacon's value
// stands before the events that it binds.
func TestDiceWithABeacon(t *testing.T) {
	value := view.Digits{0xde, 0xad, 0xbe, 0xef}
	want := []Proof{
		{"turn 3 phase 4", view.Roll{Label: "a: b", Dice: []int{4, 1}, Sides: 6, Proof: view.Digits{1}, Round: 77, Value: value}},
		{"turn 3 phase 4", view.Roll{Label: "c", Dice: []int{10}, Sides: 10, Proof: view.Digits{2}, Round: 77, Value: value}},
		{"turn 3 phase 4", view.Roll{Label: "d", Dice: []int{3}, Sides: 6, Proof: view.Digits{3}, Round: 78, Value: value[:2]}},
		{"turn 3 phase 5", view.Roll{Label: "e", Dice: []int{2}, Sides: 6, Proof: view.Digits{4}, Round: 78, Value: value[:2]}},
	}
	text := `DICE OF THIS REPORT   4 events; check with: fieldpost verify this-mail.eml
  game K7QX2MPA
  key ecvrf-ed25519:
    ` + strings.Repeat("6a", 32) + `
  root 9a0b77
 phase turn 3 phase 4
  drand 77
    deadbeef
  a: b: 4 1 (d6), proof
    01
  c: 10 (d10), proof
    02
  drand 78
    dead
  d: 3 (d6), proof
    03
 phase turn 3 phase 5
  drand 78
    dead
  e: 2 (d6), proof
    04`
	proved, _, _, err := ParseDice(text)
	if err != nil || !reflect.DeepEqual(proved, want) {
		t.Errorf("%v %+v", err, proved)
	}
}

// A question is put in words: what is asked, and where.
func TestQuestionsInWords(t *testing.T) {
	for _, c := range []struct{ label, kind, want string }{
		{"retreat 2306 2106", "retreat", "a question: where does 2106 retreat to?"},
		{"price 1503 SOVIET 1", "loss", "a question: who takes the loss at 1503?"},
		{"pursuit 2505", "pursuit", "a question: do you pursue at 2505?"},
		{"orders for 2Pz", "activation", "a question: what are your orders for 2Pz?"},
		{"backhand", "backhand", "a question: what do you decide on BACKHAND?"},
		{"loss of the bank", "loss", "a question: what do you decide on LOSS OF THE BANK?"},
	} {
		one := view.Question{Label: c.label, Kind: c.kind}
		if got := InWords([]view.Question{one}); got != c.want {
			t.Errorf("%s: %q, want %q", c.label, got, c.want)
		}
	}
	two := []view.Question{{Label: "loss 1503", Kind: "loss"}, {Label: "backhand"}}
	if got := InWords(two); got != "two questions, the first: who takes the loss at 1503?" {
		t.Error(got)
	}
}

// The first report of a game with charts says how to get them; the later ones do not.
func TestTheFirstReportNamesTheCharts(t *testing.T) {
	for _, c := range []struct {
		number int
		charts bool
		said   bool
	}{{1, true, true}, {1, false, false}, {2, true, false}} {
		r := &Report{View: &view.View{Side: "GERMAN"}, Number: c.number, Due: "your sheet", Charts: c.charts}
		text, err := r.Text()
		if err != nil {
			t.Fatal(err)
		}
		page, _ := r.HTML()
		for _, part := range []string{text, page} {
			if got := strings.Contains(part, "Mail us CHARTS for"); got != c.said {
				t.Errorf("%+v: %v", c, got)
			}
		}
	}
}

// A report that is told short has its long form below the line, with the dice that verify
// reads, once.
func TestTheLongFormStandsBelowTheLine(t *testing.T) {
	r := &Report{View: withEvents(&view.View{Side: "GERMAN"}, said("shot", "Activation 1", "dice", "3 4")),
		Wording: view.Wording{"shot": "Shot: dice {{.dice}} (shot 1): missed."}, Number: 2}
	r.Brief = func(_ *view.View, told []view.Said) view.Brief { return view.Brief{} }
	text, err := r.Text()
	if err != nil {
		t.Fatal(err)
	}
	above, below, _ := strings.Cut(text, foldInFull)
	if !strings.Contains(above, "Shot: dice 3 4: missed.") || !strings.Contains(below, "Shot: dice 3 4 (shot 1): missed.") {
		t.Errorf("%s", text)
	}
	if n := LinesToRead(text); n != strings.Count(above, "\n") {
		t.Errorf("%d lines to read, not %d", n, strings.Count(above, "\n"))
	}
	page, _ := r.HTML()
	for _, part := range []string{text, page} {
		if _, told, _, _ := ParseDice(part); len(told) != 1 {
			t.Errorf("the dice are told %d times", len(told))
		}
	}
}
