package report

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// sheetOf reads an order sheet, which must be without a fault.
func sheetOf(t *testing.T, text string, v orders.Vocabulary) *orders.Sheet {
	t.Helper()
	s, faults := orders.Parse(text, v)
	for _, f := range faults {
		t.Errorf("%v in\n%s", f, text)
	}
	return s
}

func headers(s *orders.Sheet) string {
	return strings.Join([]string{s.Header("GAME"), s.Header("SIDE"), s.Header("TURN"), s.Header("SERIAL")}, " ")
}

// ordersOf are the sections of a sheet and their orders, as text.
func ordersOf(s *orders.Sheet) []string {
	var out []string
	for _, part := range s.Sections {
		out = append(out, part.Name)
		for _, o := range part.Orders {
			out = append(out, "  "+o.String())
		}
	}
	return out
}

var plainSections = orders.Vocabulary{Sections: []string{"MOVE", "ATTACK", "STANDING", "SETUP", "ANSWER", "SUPPLY"}}

func TestTemplatesAreSheets(t *testing.T) {
	for _, c := range []struct {
		side         string
		serial       int
		sections     []string
		head         string
		wantSections []string
	}{
		{"german", 0, nil, "K7QX2MPA GERMAN 3 1", []string{"MOVE", "ATTACK", "STANDING"}},
		{"SOVIET", 7, []string{"SUPPLY", "MOVE"}, "K7QX2MPA SOVIET 3 7", []string{"SUPPLY", "MOVE"}},
	} {
		s := sheetOf(t, Template("K7QX2MPA", c.side, 3, c.serial, c.sections), plainSections)
		if headers(s) != c.head || s.Done {
			t.Errorf("head %q, done: %v", headers(s), s.Done)
		}
		if got := ordersOf(s); !slices.Equal(got, c.wantSections) {
			t.Errorf("sections %q", got)
		}
	}
}

// uncommented is a sheet with the # taken away from its lines.
func uncommented(text string) string { return strings.ReplaceAll(text, "  # ", "  ") }

// marchers have a unit of two formations, an independent one, and arrivals.
func marchers() *view.View {
	return &view.View{Game: "K7QX2MPA", Side: "GERMAN",
		Units: []view.Unit{
			{Name: "513/294", Formation: "294 INF", Hex: 302, Attack: 3, Moves: 5, Steps: 1, MaxSteps: 2, OutOfSupply: 1},
			{Name: "23 ARM tank", Formation: "23 ARM", Hex: 504, Attack: 6, Moves: 10, Steps: 2, MaxSteps: 2, Disorganized: true},
			{Name: "514/294", Formation: "294 INF", Hex: 402, Attack: 4, Moves: 5, Steps: 2, MaxSteps: 2},
			{Name: "HQ XVII", Hex: 604, Moves: 10, Steps: 1, MaxSteps: 1}},
		Arrivals: []view.Unit{{Name: "3 Pz", Attack: 8, Moves: 10, Steps: 4, MaxSteps: 4, Ready: true, Entry: []string{"C", "D"}}, {Name: "late", Entry: []string{"A"}}}}
}

func TestFilledSheetListsEveryUnit(t *testing.T) {
	got := Filled(marchers(), 3, 4, nil)
	want := `GAME: K7QX2MPA
SIDE: GERMAN
TURN: 3
SERIAL: 4

MOVE
  # HQ XVII              TO ....    at 0604, 0-10, 1 of 1 steps
  # 23 ARM
  # 23 ARM tank          TO ....    at 0504, 6-10, 2 of 2 steps, disorganized
  # 294 INF
  # 513/294              TO ....    at 0302, 3-5, 1 of 2 steps, out of supply 1
  # 514/294              TO ....    at 0402, 4-5, 2 of 2 steps
  # 3 Pz                 ENTER C (or) D TO ....    8-10, 4 of 4 steps


ATTACK


STANDING


# DONE
`
	if got != want {
		t.Errorf("%s", got)
	}
	if s := sheetOf(t, got, plainSections); len(ordersOf(s)) != 3 || headers(s) != "K7QX2MPA GERMAN 3 4" || s.Done {
		t.Errorf("as it is the sheet orders %q", ordersOf(s))
	}
	if got := Filled(marchers(), 3, 4, []string{"SUPPLY"}); got != Template("K7QX2MPA", "GERMAN", 3, 4, []string{"SUPPLY"}) {
		t.Errorf("a sheet without movement: %s", got)
	}
}

// A line whose # is taken away is an order.
func TestLinesOfAFilledSheetAreOrders(t *testing.T) {
	s := sheetOf(t, uncommented(Filled(marchers(), 3, 4, nil)), plainSections)
	got := ordersOf(s)
	for _, want := range []string{"  513/294 TO .... AT 0302, 3-5, 1 OF 2 STEPS, OUT OF SUPPLY 1", "  3 PZ ENTER C (OR) D TO .... 8-10, 4 OF 4 STEPS"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not among %q", want, got)
		}
	}
}

func TestSheetOfTheSetUp(t *testing.T) {
	var many []hex.Hex
	for row := range 15 {
		many = append(many, hex.New(7, row+1))
	}
	v := &view.View{Game: "K7QX2MPA", Side: "SOVIET", Choices: []view.Choice{
		{Unit: "28A", Hexes: []hex.Hex{101}, Steps: 2, Most: 4},
		{Unit: "9A", Hexes: []hex.Hex{201, 202, 203}, Steps: 1, Most: 1},
		{Unit: "6A", Hexes: many, Steps: 3, Most: 3}}}
	got := Filled(v, 1, 0, []string{"MOVE"})
	want := `GAME: K7QX2MPA
SIDE: SOVIET
TURN: 1
SERIAL: 1

SETUP
  # 28A                  AT 0101    STEPS 2 of 4
  # 9A                   AT 0201    or 0202, 0203    STEPS 1 of 1
  # 6A                   AT 0701    or 0702, 0703, 0704, 0705, 0706, 0707, 0708, 0709, 0710, 0711, 0712 or 3 more (choices in view.json)    STEPS 3 of 3


# DONE
`
	if got != want {
		t.Errorf("%s", got)
	}
	if s := sheetOf(t, got, plainSections); !slices.Equal(ordersOf(s), []string{"SETUP"}) {
		t.Errorf("as it is the sheet orders %q", ordersOf(s))
	}
}

// chitView has two headquarters of one command and one of another, with units in and
// out of their ranges and one that comes on.
func chitView(t *testing.T) *view.View {
	t.Helper()
	return &view.View{Game: "K7QX2MPA", Side: "AXIS", Board: riverBoard(t),
		Chits: &view.Chits{Groups: []view.ChitGroup{{Name: "NORTH", Draws: 1, Own: []string{"OKH", "IV"}}, {Name: "SOUTH", Draws: 1, Own: []string{"VI"}}, {Name: "ENEMY"}}},
		Units: []view.Unit{
			{Name: "OKH", Formation: "NORTH", Type: "HQ", Hex: 101, Range: 2, Support: 2, Moves: 6},
			{Name: "IV", Formation: "NORTH", Type: "HQ", Hex: 301, Range: 1, Support: 1, Moves: 6},
			{Name: "VI", Formation: "SOUTH", Type: "HQ", Hex: 501, Range: 1, Moves: 6, OutOfSupply: 1},
			{Name: "near OKH", Formation: "NORTH", Hex: 102, Attack: 3, Moves: 4, Steps: 1, MaxSteps: 1},
			{Name: "near IV", Formation: "NORTH", Hex: 302, Attack: 3, Moves: 4, Steps: 1, MaxSteps: 1},
			{Name: "alone", Formation: "NORTH", Hex: 504, Attack: 3, Moves: 4},
			{Name: "other", Formation: "SOUTH", Hex: 302, Attack: 2, Moves: 4},
			{Name: "southern", Formation: "SOUTH", Hex: 502, Attack: 1, Moves: 4, Steps: 1, MaxSteps: 2}},
		Arrivals: []view.Unit{{Name: "new", Formation: "NORTH", Ready: true, Entry: []string{"A", "B"}, Attack: 5, Moves: 8, Steps: 2, MaxSteps: 2},
			{Name: "later", Formation: "NORTH", Entry: []string{"A"}}}}
}

func TestLeadersAreTheNearestOfTheirCommand(t *testing.T) {
	v := chitView(t)
	heads := v.Units[:3]
	for i, want := range []string{"OKH", "IV", "VI", "OKH", "IV", "", "", "VI"} {
		if got := leader(v, heads, v.Units[i]); got != want {
			t.Errorf("%s is led by %q", v.Units[i].Name, got)
		}
	}
	if got := leader(v, heads, v.Arrivals[0]); got != "OKH" {
		t.Errorf("the arrival is led by %q", got)
	}
	away := slices.Clone(heads)
	away[0].Hex = hex.None
	if got := leader(v, away, v.Units[3]); got != "" {
		t.Errorf("a headquarters off the map leads by %q", got)
	}
	if got := leader(v, away, v.Arrivals[0]); got != "OKH" {
		t.Errorf("a headquarters off the map brings in %q", got)
	}
}

func TestSheetOfProgrammes(t *testing.T) {
	got := Filled(chitView(t), 3, 4, nil)
	_, got, _ = strings.Cut(got, "ATTACK\n\n")
	want := `# CHITS OKH, IV    1 of them

CHIT OKH MOVE THEN ATTACK
  # HQ                 TO ....    at 0101, 2 guns, range 2, moves 6
  # MOVE near OKH      TO ....    at 0102, 3-4, 1 of 1 steps
  # ENTER new          TO ....    by A or B, 5-8, 2 of 2 steps
  # ATTACK .... WITH ....; MIN 1:1

CHIT IV MOVE THEN ATTACK
  # HQ                 TO ....    at 0301, 1 guns, range 1, moves 6
  # MOVE near IV       TO ....    at 0302, 3-4, 1 of 1 steps
  # ATTACK .... WITH ....; MIN 1:1

CHIT VI MOVE THEN ATTACK
  # HQ                 TO ....    at 0501, 0 guns, range 1, moves 6, out of supply 1
  # MOVE southern      TO ....    at 0502, 1-4, 1 of 2 steps
  # ATTACK .... WITH ....; MIN 1:1

STANDING


# DONE
`
	if got != want {
		t.Errorf("%s", got)
	}
	chitSections := orders.Vocabulary{Sections: []string{"CHIT", "MOVE", "ATTACK", "STANDING"}, Inside: map[string][]string{"CHIT": {"MOVE", "ATTACK"}}}
	s := sheetOf(t, uncommented(Filled(chitView(t), 3, 4, nil)), chitSections)
	if lines := ordersOf(s); !slices.Contains(lines, "  MOVE NEAR IV TO .... AT 0302, 3-4, 1 OF 1 STEPS") {
		t.Errorf("%q", lines)
	}
}

// The answers of the sheet are what holds without one.
func TestAnswerSheetAnswersEveryQuestion(t *testing.T) {
	v := fullReport(t).View
	text := AnswerSheet(v, 3, 0)
	want := "GAME: K7QX2MPA\nSIDE: GERMAN\nTURN: 3\nSERIAL: 1\n\nANSWER\n  PURSUIT 0301: NO\n  RETREAT: AS FILED\n  RESERVE: AS FILED\n"
	if text != want {
		t.Errorf("%s", text)
	}
	s := sheetOf(t, text, plainSections)
	if got := ordersOf(s); !slices.Equal(got, []string{"ANSWER", "  PURSUIT 0301: NO", "  RETREAT: AS FILED", "  RESERVE: AS FILED"}) || s.Done {
		t.Errorf("%q, done: %v", got, s.Done)
	}
}

// Who is only asked gets a sheet of answers, for the turn that it counts for.
func TestSheetOfAReport(t *testing.T) {
	r := fullReport(t)
	if got := r.sheet(); got != Template("K7QX2MPA", "GERMAN", 3, 4, nil) {
		t.Errorf("orders are due: %s", got)
	}
	r.View.Due, r.Turn = nil, 5
	if got := r.sheet(); got != AnswerSheet(r.View, 5, 4) {
		t.Errorf("answers are due: %s", got)
	}
	r.View.Asked = nil
	if got := r.sheet(); got != Template("K7QX2MPA", "GERMAN", 5, 4, nil) {
		t.Errorf("nothing is due: %s", got)
	}
}

// The sheet at the end of the text part is cut out and parsed as it is.
func TestSheetOfTheTextPart(t *testing.T) {
	text := textOf(t, fullReport(t))
	_, rest, _ := strings.Cut(text, "replaces it.\n")
	sheet, _, _ := strings.Cut(rest, fold)
	if s := sheetOf(t, sheet, plainSections); headers(s) != "K7QX2MPA GERMAN 3 4" || s.Done {
		t.Errorf("%q", headers(s))
	}
}
