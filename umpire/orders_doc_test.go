package umpire

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/adjudicator/wb95"
	"fieldpost/orders"
	"fieldpost/report"
	"fieldpost/store"
	"fieldpost/umpire/judge"
	"fieldpost/umpire/match"
)

// staged is a game on the engine alone that stands before a side's turn.
type staged struct {
	game adjudicator.Game
	side adjudicator.Side
	turn int
	at   match.Progress
	v    *view.View
	// idle are finished sheets without orders, for everybody else's turns.
	idle []match.Filing
}

// stage plays a scenario with empty sheets until the side is to move.
func stage(t testing.TB, scenario string, side adjudicator.Side, turn int) *staged {
	t.Helper()
	game, err := match.Scenario(scenario)
	if err != nil {
		t.Fatal(err)
	}
	if turn == 0 {
		if game, err = adjudicator.Under(game, map[string]string{"set-up": "choose"}); err != nil {
			t.Fatal(err)
		}
	}
	s := &staged{game: game, side: side, turn: turn}
	for n := min(1, turn); n <= turn; n++ {
		for _, who := range game.Sides() {
			if who != side || n < turn {
				s.idle = append(s.idle, match.Filing{Side: who, Turn: n, Serial: n, Done: true})
			}
		}
	}
	opening, err := game.Opening()
	if err != nil {
		t.Fatal(err)
	}
	if s.at, err = s.play(opening, nil, nil); err != nil {
		t.Fatal(err)
	}
	if s.at.At.Turn != turn || turn > 0 && s.at.At.Side != side {
		t.Fatalf("%s waits for %s in turn %d, not for %s in turn %d", scenario, s.at.At.Side, s.at.At.Turn, side, turn)
	}
	if s.v, err = game.View(s.at.Position, side); err != nil {
		t.Fatal(err)
	}
	s.v.Game = "X"
	return s
}

func (s *staged) play(position []byte, open *store.OpenPhase, more []match.Filing) (match.Progress, error) {
	g := store.Game{ID: "X", DiceKey: make([]byte, 32), Root: make([]byte, 32)}
	m := match.Match{Position: store.Position{Game: g, Latest: &store.Phase{Snapshot: position}, Open: open}, Rules: s.game}
	return m.Play(func(at adjudicator.Phase) (match.Filings, error) {
		return match.Collect(append(slices.Clone(s.idle), more...), at.Turn, at.Label, match.Settings{}), nil
	})
}

// judge checks orders as a sheet of the side for its turn.
func (s *staged) judge(t *testing.T, text string) *adjudicator.Filing {
	t.Helper()
	sheet, faults := orders.Parse(orders.Canonical(text), wb95.Vocabulary)
	if len(faults) > 0 {
		t.Errorf("%v in\n%s", faults, text)
	}
	return s.game.Check(s.v, sheet)
}

// echo is the judgement as the player reads it.
func echo(f *adjudicator.Filing) string {
	a := report.Ack{Checked: true}
	for _, l := range f.Lines {
		if l.Text == "" {
			continue // remarks on duties that no order speaks of
		}
		a.Lines = append(a.Lines, judge.Line(l))
	}
	_, text, _ := strings.Cut(a.Text(), " line  ")
	text, _, _ = strings.Cut(text, "\nThe enemy learns nothing")
	text, _, _ = strings.Cut(text, "\nXX = not")
	return " line  " + strings.TrimRight(text, "\n") + "\n"
}

// carryOut plays on with the orders and returns what the side is told.
func (s *staged) carryOut(t *testing.T, f *adjudicator.Filing) (story string, events []view.Event) {
	t.Helper()
	p, err := s.play(s.at.Position, s.at.Open, []match.Filing{{Side: s.side, Turn: s.turn, Serial: 1000, Answers: f.Answers, Done: true}})
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.game.View(p.Position, s.side)
	if err != nil {
		t.Fatal(err)
	}
	v.Story = &view.Story{Phases: match.StoryFor(string(s.side), p.Events)}
	events = v.Story.Events()
	r := report.Report{View: v, Wording: s.game.Wording()}
	items, err := r.Items()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, it := range items {
		// What the rules and the enemy do besides is for other tests.
		made := it.Event.Kind == "combat" && it.Event.Facts.Get("made") != ""
		if !made && slices.Contains(deeds, it.Event.Kind) {
			b.WriteString(it.Head + "\n")
		}
		for _, d := range it.Detail {
			if strings.Contains(d, "By your ") || strings.Contains(d, "By standing ") || strings.Contains(d, "Passed over") {
				b.WriteString("  " + strings.TrimSpace(d) + "\n")
			}
		}
	}
	return b.String(), events
}

// deeds are the kinds of events that tell what became of orders.
var deeds = []string{"moved", "halt", "move-off", "combat", "attack-off", "attack-void", "fire", "fire-nothing", "fire-bridge", "standing-skipped",
	"air-sent", "air-skipped", "air-wasted", "air-attack", "bridge-blown", "pontoon-laid", "repaired", "withdrawn", "left-map"}

// The sheet that the README shows must be one that stands, line by line.
func TestTheReadmesSheetStands(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, sheet, ok := strings.Cut(string(text), "The answer is one sheet for the whole turn, signed, in any mail program:\n")
	if !ok {
		t.Fatal("the README has no sheet")
	}
	sheet, _, _ = strings.Cut(sheet, "\nWithin a minute")
	f := stage(t, "kharkov-1942", "SOVIET", 1).judge(t, sheet)
	if n, refused := f.Accepted(); n < 8 || refused > 0 || !f.Done {
		t.Errorf("the sheet does not stand:\n%s", echo(f))
	}
}

// boxes are the examples of docs/ORDERS.md, each with the scenario, side and turn
// that the comment before it names.
var boxComment = regexp.MustCompile(`(?m)^<!-- ([a-z0-9-]+) ([A-Z]+)(?: turn (\d+))?( refused)? -->\n\n((?:(?: {4}.*)?\n)+)`)

// Every example of docs/ORDERS.md goes from its text to the echo, then through the
// phases to the report: testdata/orders.txt holds both.
func TestTheOrdersOfTheDocument(t *testing.T) {
	doc, err := os.ReadFile("../docs/ORDERS.md")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	words := map[string]bool{}
	stages := map[string]*staged{}
	for _, m := range boxComment.FindAllStringSubmatch(string(doc), -1) {
		turn := 1
		fmt.Sscan(m[3], &turn)
		key := fmt.Sprint(m[1], m[2], turn)
		if stages[key] == nil {
			stages[key] = stage(t, m[1], adjudicator.Side(m[2]), turn)
		}
		s := stages[key]
		text := strings.TrimRight(m[5], "\n ") + "\n"
		f := s.judge(t, text)
		for _, l := range f.Lines {
			if l.Text != "" && (l.Refused != nil) != (m[4] != "") {
				t.Errorf("%s does not come out as it should:\n%s", l.Text, echo(f))
			}
			if l.Text != "" && l.Refused == nil && l.Understood == "" {
				t.Errorf("%s has no echo", l.Text)
			}
		}
		story, events := s.carryOut(t, f)
		for _, e := range events {
			if slices.Contains([]string{"refused", "attack-refused", "barrage-refused", "air-refused"}, e.Kind) {
				t.Errorf("an example stands and is not carried out: %v in\n%s", e.Facts.Map(), text)
			}
		}
		fmt.Fprintf(&out, "== %s, %s, turn %d\n%s\n-- echo\n%s\n-- report\n%s\n", m[1], m[2], turn, orders.Canonical(text), echo(f), story)
		for _, w := range strings.Fields(strings.NewReplacer(",", " ", ";", " ").Replace(orders.Canonical(text))) {
			words[w] = true
		}
	}
	for _, verb := range wb95.Words() {
		if !words[verb] {
			t.Errorf("docs/ORDERS.md has no example with %s", verb)
		}
	}
	path := filepath.Join("testdata", "orders.txt")
	if *update {
		if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, _ := os.ReadFile(path)
	if string(want) != out.String() {
		t.Errorf("the examples come out otherwise than %s says (go test ./umpire -run Document -update writes it)\n%s", path, firstDifference(string(want), out.String()))
	}
}

// firstDifference shows where two texts part.
func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			return fmt.Sprintf("line %d\n  want %s\n  got  %s", i+1, w[i], g[i])
		}
	}
	return fmt.Sprintf("%d lines, %d are wanted", len(g), len(w))
}
