package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
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
		t.Errorf("%s differs (go test -update writes it anew); got:\n%s", name, got)
	}
}

// situation is a made-up position on a small map.
func situation(t *testing.T) *view.View {
	t.Helper()
	b := &board.Board{ID: "test", Title: "Test", Grid: hex.Grid{ColMin: 1, ColMax: 6, RowMin: 1, RowMax: 4, OddLow: true},
		Compass: board.Compass{North: "top", East: "right", South: "bottom", West: "left"},
		Rows:    []string{"......", "......", "......", "......"}, Legend: []board.Terrain{{Code: ".", Kinds: []string{"clear"}}}}
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	return &view.View{
		Game: "K7QX2MPA", System: "wb95", Scenario: "kharkov-1942", Title: "Kharkov 1942", Side: "GERMAN", Turn: 3, Turns: 17,
		Date: "14 May 1942", Phase: "Movement of the Germans", Mover: "GERMAN", Due: []string{"move"},
		Air: &view.Air{Phases: []view.AirPhase{
			{Turn: 3, Phase: 7, Date: "14 May 1942", Strength: []view.Score{{Side: "SOVIET", Points: 6}, {Side: "GERMAN", Points: 4}}, Left: 1},
			{Turn: 4, Phase: 1, Date: "15 May 1942", Strength: []view.Score{{Side: "SOVIET", Points: 5}, {Side: "GERMAN", Points: 5}}, Left: 5}}},
		Score:      []view.Score{{Side: "SOVIET", Points: 3}, {Side: "GERMAN", Points: 10, Note: "needs 12"}},
		Objectives: []view.Objective{{Hex: 101, Name: "Lipcy", Points: 1, Owner: "GERMAN"}, {Hex: 201, Name: "Kharkov", Points: 1, Owner: "GERMAN"}, {Hex: 202, Name: "Kharkov", Points: 1, Owner: "SOVIET"}},
		Units: []view.Unit{
			{ID: "1", Name: "513/294", Formation: "294 INF", Nation: "German", Type: "INF", Size: "R", Hex: 302, Attack: 3, Defence: 3, Moves: 5, Steps: 1, MaxSteps: 2, Retreated: true},
			{ID: "2", Name: "514/294", Formation: "294 INF", Nation: "German", Type: "INF", Size: "R", Hex: 402, Attack: 4, Defence: 4, Moves: 5, Steps: 2, MaxSteps: 2},
			{ID: "3", Name: "HQ XVII", Nation: "German", Type: "HQ", Hex: 604, Moves: 10, Steps: 1, MaxSteps: 1},
			{ID: "4", Name: "23 ARM tank", Formation: "23 ARM", Nation: "German", Type: "ARM", Size: "R", Hex: 504, Attack: 6, Defence: 5, Moves: 10, Steps: 2, MaxSteps: 2},
			{ID: "5", Name: "Ł 2 Rom", Formation: "2 Rom INF", Nation: "Romanian", Type: "INF", Hex: 604, Attack: 3, Defence: 3, Moves: 5, Steps: 2, MaxSteps: 2, OutOfSupply: 1, Disorganized: true},
		},
		Arrivals: []view.Unit{
			{Name: "3 Bersaglieri", Type: "MOT", Attack: 3, Defence: 3, Moves: 10, Due: "16 May", Entry: []string{"D"}},
			{Name: "3 Pz", Type: "ARM", Attack: 8, Defence: 8, Moves: 10, Ready: true, Entry: []string{"C", "D"}, Note: "by rail"},
		},
		Lost: []view.Unit{{Name: "515/294", Type: "INF"}},
		Enemy: []view.Stack{
			{Hex: 301, Side: "SOVIET", Closer: true, Units: []view.Sight{{Nation: "Soviet", Type: "ARM", Steps: 1}, {Nation: "Soviet", Type: "INF", Steps: 2}, {Nation: "Soviet", Type: "INF", Steps: 2}}, Fort: "FF"},
			{Hex: 102, Side: "SOVIET", Seen: "13 May", Units: []view.Sight{{Type: "CAV"}}},
			{Hex: 103, Side: "SOVIET"},
		},
		Board: b,
	}
}

// withStory is a View whose report tells of a phase.
func withStory(v *view.View, c view.Chapter) *view.View {
	v.Story = &view.Story{Key: "6f1c22", Root: "9a0b77", Phases: []view.Chapter{c}}
	return v
}

// withEvents is one with events that tell of no dice.
func withEvents(v *view.View, events ...view.Event) *view.View {
	return withStory(v, view.Chapter{Events: events})
}

// tell adds events to those of a report.
func (r *Report) tell(events ...view.Event) {
	c := &r.View.Story.Phases[0]
	c.Events = append(c.Events, events...)
}

// turnReport is a report with a bit of everything.
func turnReport(t *testing.T) *Report {
	return &Report{
		View: withStory(situation(t), view.Chapter{Phase: "turn 3 phase 4", Events: []view.Event{
			{Kind: "air", Phase: "Air of the Soviets", Facts: view.Pairs{"points", "6", "hex", "0301"}},
			{Kind: "silent", Phase: "Movement of the Soviets"},
			{Kind: "combat", Phase: "Combat of the Soviets", Hexes: []hex.Hex{301}, Rolls: []string{"combat 0301"}, Facts: view.Pairs{
				"hex", "0301", "place", "<Nepokrytaja>", "who", "XXII Armoured Corps and 81 INF against our 294 INF (2 stacks seen) with guns behind them, before noon.",
				"attack", "14 + 5 guns + 3 air = 22", "defence", "6 + 2 guns = 8", "odds", "3:1", "dice", "4 1", "label", "combat 0301", "after", "513/294 fell back to 0302."}},
			{Kind: "combat", Phase: "Combat of the Soviets", Rolls: []string{"fire (1)Wsp 0402"}, Facts: view.Pairs{"hex", "0402", "place", "Lipcy", "who", "Guns.", "dice", "6", "label", "fire (1)Wsp 0402"}},
		}, Rolls: []view.Roll{
			{Label: "combat 0301", Dice: []int{4, 1}, Sides: 6, Proof: bytes.Repeat([]byte{2, 0xa9}, 40)},
			{Label: "fire (1)Wsp 0402", Dice: []int{6}, Sides: 6, Proof: bytes.Repeat([]byte{7, 0x1c}, 40)},
		}}), Number: 11, Due: "movement, attacks of turn 3", By: "Mon 23 Nov 2026, 20:00 Europe/Prague, in 2 days 4 hours",
		Wording: view.Wording{
			"air":    "{{.points}} SP of Soviet air over {{.hex}}. No air battle.",
			"combat": "{{.hex}}, by {{.place}}. {{.who}}\n  attack {{.attack}}      defence {{.defence}}      {{.odds}}\n  dice {{.dice}} ({{.label}}) = 5 -> test/D2\n{{if .after}}  {{.after}}{{end}}",
			"silent": "",
		},
		Notes:    []string{"The staff acted for you: 4 standing orders fired, 1 default (pursuit declined)."},
		ViewHash: "9f3104c2aa", Commitment: "5e8077aa01",
		Roster:   []Player{{"SOVIET", "FQ3L-6ZTA-AAAA (SSH)"}, {"GERMAN", "77PD-KX2Q-BBBB (OpenPGP)"}},
		Files:    []File{{"map.png", strings.Repeat("ab", 32)}, {"view.json", strings.Repeat("cd", 32)}},
		Pictures: []Picture{{"map.1@fieldpost", "The whole map as your side knows it"}, {"close.1@fieldpost", "Where it happened: hexes 0101 to 0604"}}, Serial: 4,
	}
}

func TestReportGolden(t *testing.T) {
	r := turnReport(t)
	text, err := r.Text()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "report.txt", text)
	html, err := r.HTML()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "report.html", html)
	if got, want := r.Subject(), "[K7QX2MPA] Kharkov 1942, turn 3, 14 May 1942: your orders by Mon 23 Nov 2026, 20:00 Europe/Prague"; got != want {
		t.Errorf("subject %q, want %q", got, want)
	}
}

func TestTextKeepsItsColumns(t *testing.T) {
	text, _ := turnReport(t).Text()
	for i, l := range strings.Split(text, "\n") {
		if n := utf8.RuneCountInString(l); n > 100 {
			t.Errorf("line %d has %d columns: %s", i+1, n, l)
		}
		if strings.HasSuffix(l, " ") {
			t.Errorf("line %d ends with a blank", i+1)
		}
	}
}

func TestHTMLIsSafeForMail(t *testing.T) {
	html, _ := turnReport(t).HTML()
	for _, bad := range []string{"<script", "http://", "https://", "<style", "<link", "<Nepokrytaja>", "javascript:"} {
		if strings.Contains(html, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	for _, good := range []string{`src="cid:map.1@fieldpost"`, `src="cid:close.1@fieldpost"`, "&lt;Nepokrytaja&gt;"} {
		if !strings.Contains(html, good) {
			t.Errorf("the page lacks %q", good)
		}
	}
}

func TestGameOver(t *testing.T) {
	r := turnReport(t)
	r.View.Verdict, r.View.Winner, r.Due, r.By = "The Germans have won.", "GERMAN", "", ""
	text, _ := r.Text()
	if !strings.Contains(text, "THE GAME IS OVER   The Germans have won.") || strings.Contains(text, "SERIAL") {
		t.Errorf("a finished game reads:\n%s", text)
	}
	if !strings.HasSuffix(r.Subject(), "the game is over") {
		t.Error(r.Subject())
	}
}

func TestEmptyReport(t *testing.T) {
	r := &Report{View: &view.View{Title: "X", Side: "A"}}
	text, err := r.Text()
	if err != nil || !strings.Contains(text, "Nothing has been fought yet.") {
		t.Errorf("%v\n%s", err, text)
	}
	if _, err := r.HTML(); err != nil {
		t.Error(err)
	}
}

func TestWordingFaults(t *testing.T) {
	r := turnReport(t)
	r.Wording = view.Wording{
		"air":    "{{.points",                     // does not parse
		"combat": "{{.hex}} {{index .who 99999}}", // fails when it is executed
	}
	r.tell(view.Event{Kind: "unheard-of", Hexes: []hex.Hex{402}, Facts: view.Pairs{"b", "2", "a", "1"}},
		view.Event{Kind: "air", Facts: nil})
	for _, out := range []func() (string, error){r.Text, r.HTML} {
		text, err := out()
		if err == nil {
			t.Fatal("no error")
		}
		for _, want := range []string{`wording of "air"`, `wording of "combat"`, `no wording for an event of kind "unheard-of"`, `"silent"`} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("the error %q does not tell of %s", err, want)
			}
		}
		// What happened is told all the same.
		for _, want := range []string{"unheard-of at 0402", "a: 1", "points: 6"} {
			if !strings.Contains(text, want) {
				t.Errorf("the report lacks %q", want)
			}
		}
	}
	if err := CheckWording(r.Wording); err == nil || !strings.Contains(err.Error(), "combat") {
		t.Errorf("CheckWording: %v", err)
	}
}

func TestMissingFactIsEmpty(t *testing.T) {
	r := &Report{View: withEvents(&view.View{}, view.Event{Kind: "x"}), Wording: view.Wording{"x": "got {{.thing}}."}}
	items, err := r.Items()
	if err != nil || len(items) != 1 || items[0].Head != "got ." {
		t.Errorf("%v %+v", err, items)
	}
}

func TestParseDiceRoundTrip(t *testing.T) {
	r := turnReport(t)
	text, _ := r.Text()
	text = asBefore(text, Head{"K7QX2MPA", "6f1c22", "9a0b77"}, Proofs(r.View.Story))
	want := []Told{{"combat 0301", []int{4, 1}}, {"fire (1)Wsp 0402", []int{6}}}
	check := func(name, text string) {
		t.Helper()
		proved, told, head, err := ParseDice(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !reflect.DeepEqual(proved, Proofs(r.View.Story)) {
			t.Errorf("%s: proved %+v", name, proved)
		}
		if !reflect.DeepEqual(told, want) {
			t.Errorf("%s: told %+v", name, told)
		}
		if (head != Head{Game: "K7QX2MPA", Key: "6f1c22", Root: "9a0b77"}) {
			t.Errorf("%s: head %+v", name, head)
		}
	}
	check("plain", text)
	check("CRLF", strings.ReplaceAll(text, "\n", "\r\n"))
	check("quoted", "> "+strings.ReplaceAll(text, "\n", "\n> "))
	check("quoted twice", "> > "+strings.ReplaceAll(text, "\n", "\n> > "))
	check("double-spaced", strings.ReplaceAll(text, "\n", "\n\n"))
	check("proof on one line", strings.ReplaceAll(text, "proof\n    ", "proof "))

	html, _ := r.HTML()
	proved, told, _, err := ParseDice(html)
	if err != nil || len(proved) != 0 || !reflect.DeepEqual(told, want) {
		t.Errorf("HTML: %v %+v %+v", err, proved, told)
	}
}

func TestParseFiles(t *testing.T) {
	r := turnReport(t)
	text, _ := r.Text()
	for _, text := range []string{text, strings.ReplaceAll(text, "\n", "\r\n")} {
		if got := ParseFiles(text); !reflect.DeepEqual(got, r.Files) {
			t.Errorf("files %+v", got)
		}
	}
	if got := ParseFiles(strings.Repeat("ab", 32) + "  stray"); got != nil {
		t.Errorf("outside of the section: %+v", got)
	}
}

func TestNoDiceStillNamesTheGame(t *testing.T) {
	r := turnReport(t)
	r.View.Story.Phases = nil
	text, _ := r.Text()
	proved, told, head, err := ParseDice(text)
	if err != nil || proved != nil || told != nil || head.Game != "K7QX2MPA" || head.Root != "9a0b77" {
		t.Errorf("%v %v %+v %v", proved, told, head, err)
	}
}

func TestParseDiceBroken(t *testing.T) {
	r := turnReport(t)
	text, _ := r.Text()
	text = asBefore(text, Head{"K7QX2MPA", "6f1c22", "9a0b77"}, Proofs(r.View.Story))
	for _, bad := range []string{
		strings.Replace(text, "    02a9", "    02a", 1),
		strings.Replace(text, "    02a9", "    xyz!", 1),
		strings.Replace(text, "(d6), proof", "(six)", 1),
	} {
		if _, _, _, err := ParseDice(bad); err == nil {
			t.Error("a damaged section was taken")
		}
	}
	if proved, told, _, err := ParseDice("nothing of dice (at all)"); err != nil || proved != nil || told != nil {
		t.Errorf("%v %v %v", proved, told, err)
	}
}

func FuzzParseDice(f *testing.F) {
	f.Add("DICE OF THIS REPORT\n  combat 1: 4 1 (d6), proof 02a9\n")
	f.Add("dice 4 1 (x) <html> dice 3 (y")
	f.Fuzz(func(t *testing.T, s string) {
		proved, _, _, _ := ParseDice(s)
		for _, p := range proved {
			if p.Proof == nil {
				t.Errorf("%q: no proof for %q", s, p.Label)
			}
		}
	})
}

// wideReport has everything long that a report may hold.
func wideReport(t *testing.T) *Report {
	r := turnReport(t)
	r.View.Story.Key = "ecvrf-ed25519:" + strings.Repeat("6a", 32)
	r.View.Story.Root, r.ViewHash, r.Commitment = strings.Repeat("ba", 32), strings.Repeat("0d", 32), strings.Repeat("e2", 32)
	for i := range r.View.Units {
		u := &r.View.Units[i]
		u.Steps, u.OutOfSupply, u.Disorganized, u.Retreated, u.Gun = 1, 2, true, true, "transport"
	}
	r.tell(view.Event{Kind: "combat-choice", Phase: "Combat of the Soviets", To: []string{"GERMAN"}, Facts: view.Pairs{"source", "standing order ALL", "means", "fall back 2 hexes"}},
		view.Event{Kind: "combat-choice", Phase: "Combat of the Soviets", To: []string{"GERMAN"}, Facts: view.Pairs{"source", "the default", "means", "support of the defence by Art./VIII"}})
	r.Wording["combat-choice"] = "  By {{.source}}: {{.means}}."
	return r
}

// The text part fits a terminal of 80 columns, in all its lines.
func TestTextFits80Columns(t *testing.T) {
	r := wideReport(t)
	text, err := r.Text()
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range strings.Split(text, "\n") {
		if n := utf8.RuneCountInString(l); n > 80 {
			t.Errorf("line %d has %d characters: %s", i+1, n, l)
		}
	}
	for _, want := range []string{"IN YOUR NAME\n  - 1 by a standing order: item 3\n  - 1 filled in by the default: item 3", "ENEMY 1 ARM+2 INF"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if _, _, head, err := ParseDice(text); err != nil || head.Key != r.View.Story.Key {
		t.Errorf("the key reads as %q, %v", head.Key, err)
	}
}

func TestDeadline(t *testing.T) {
	at := time.Date(2026, 11, 23, 19, 0, 0, 0, time.UTC)
	zone := time.FixedZone("Europe/Prague", 3600)
	for left, want := range map[time.Duration]string{
		52 * time.Hour:   "Mon 23 Nov 2026, 20:00 Europe/Prague, in 2 days 4 hours",
		48 * time.Hour:   "Mon 23 Nov 2026, 20:00 Europe/Prague, in 2 days",
		90 * time.Minute: "Mon 23 Nov 2026, 20:00 Europe/Prague, in 1 hour",
		-time.Minute:     "Mon 23 Nov 2026, 20:00 Europe/Prague, which is past",
	} {
		if got := Deadline(at, at.Add(-left), zone); got != want {
			t.Errorf("%v before: %q", left, got)
		}
	}
}

// Of the marches of a list only the ends are told: the map draws the rest.
func TestListedMarchesAreShort(t *testing.T) {
	r := &Report{View: withEvents(&view.View{}), Wording: view.Wording{"move": "{{.unit}} {{.path}}", "move:all": "Moves:"}}
	for _, path := range []string{"3019-3020-3021-3121-3222", "1905-1806", "2105-2205-2305"} {
		r.tell(view.Event{Kind: "move", Facts: view.Pairs{"unit", "244", "path", path}})
	}
	items, err := r.Items()
	if err != nil || len(items) != 1 || items[0].Head != "Moves: 244 3019 to 3222; 244 1905-1806; 244 2105-2205-2305." {
		t.Errorf("%v: %+v", err, items)
	}
}
