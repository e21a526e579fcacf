package famous

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/casebook"
	"fieldpost/adjudicator/caserun"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

var updateOrders = flag.Bool("update-orders", false, "write testdata/orders.txt, what comes of the examples of the guide")

const guide = "../../docs/ORDERS-FAMOUS.md"

var (
	sheetMark = regexp.MustCompile(`(?m)^<!-- sheet (gd-[a-z-]+) ([A-Z]+) turn 1( idle)? -->\n\n((?:    .*\n)+)`)
	stageMark = regexp.MustCompile(`(?ms)^<!-- stage\n(.*?)-->\n\n((?:    [^\n]*\n)+)`)
)

// Every sheet of the guide stands line by line on the first turn of its scenario or
// in the position of its own, with an echo, and is carried out without a word
// against it. testdata/orders.txt holds the echo and what happened.
func TestTheSheetsOfTheGuideStand(t *testing.T) {
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	said := string(text)
	sheets, stages := sheetMark.FindAllStringSubmatch(said, -1), stageMark.FindAllStringSubmatch(said, -1)
	if len(sheets) < 8 || len(stages) < 8 {
		t.Fatalf("the guide has %d sheets and %d positions of its own", len(sheets), len(stages))
	}
	var out strings.Builder
	var used []string
	for _, m := range sheets {
		used = append(used, m[4])
		onScenario(t, &out, m[1], m[2], m[4])
	}
	for n, m := range stages {
		used = append(used, m[2])
		onStage(t, &out, n+1, m[1], m[2])
	}
	words := strings.Fields(strings.NewReplacer(";", " ", ",", " ").Replace(strings.Join(used, " ")))
	for _, v := range slices.Concat(verbWords, moveWords, []string{"OPPORTUNITY", "DEFENSIVE", "BLACK", "LOSSES", "RETREAT", "ADVANCE", "KEY", "REPLACE",
		"SETUP", "FIRST", "SUPPLY", "DIVISION", "AT-WILL", "MIN", "ARTILLERY", "THEN", "PREF"}) {
		if !slices.Contains(words, v) {
			t.Errorf("no example of the guide has %s", v)
		}
	}
	path := filepath.Join("testdata", "orders.txt")
	if *updateOrders {
		if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, _ := os.ReadFile(path)
	if w, g := strings.Split(string(want), "\n"), strings.Split(out.String(), "\n"); !slices.Equal(w, g) {
		for i := range min(len(w), len(g)) {
			if w[i] != g[i] {
				t.Fatalf("the examples come out otherwise than %s says (-update-orders writes it), line %d:\n  want %s\n  got  %s", path, i+1, w[i], g[i])
			}
		}
		t.Fatalf("%s has %d lines, the examples make %d", path, len(w), len(g))
	}
}

// judged checks a sheet in the sender's view, writes the echo and returns the
// accepted orders.
func judged(t *testing.T, out *strings.Builder, name string, g *Game, v *view.View, side, text string) map[string]string {
	t.Helper()
	sheet, faults := orders.Parse(orders.Canonical("GAME: X\nSIDE: "+side+"\nTURN: 1\nSERIAL: 1\n"+text+"DONE\n"), Vocabulary)
	for _, f := range faults {
		t.Errorf("%s: %v", name, f)
	}
	f := g.Check(v, sheet)
	fmt.Fprintf(out, "== %s\n%s\n-- echo\n", name, strings.ReplaceAll(strings.TrimRight(text, "\n"), "    ", ""))
	for _, l := range f.Lines {
		switch {
		case l.Refused != nil:
			t.Errorf("%s: %s: %v", name, l.Text, l.Refused)
		case l.Text != "" && l.Understood == "":
			t.Errorf("%s: %s has no echo", name, l.Text)
		case l.Text != "":
			fmt.Fprintf(out, "%s\n    %s\n", l.Text, strings.TrimSpace(l.Understood+" "+l.Warning))
		}
	}
	if len(f.Lines) == 0 {
		t.Errorf("%s: a sheet without lines", name)
	}
	return f.Answers
}

// told writes what happened, as far as the side may know it, and complains of
// orders that were passed over.
func told(t *testing.T, out *strings.Builder, name, side string, events []view.Event) {
	t.Helper()
	out.WriteString("-- what came of it\n")
	for _, e := range events {
		if e.Kind == "skipped" {
			t.Errorf("%s: not done: %v", name, e.Facts.Map())
		}
		if !e.For(side) || slices.Contains([]string{"weather", "chit", "turn", "supply"}, e.Kind) {
			continue
		}
		fmt.Fprintf(out, "%s %v", e.Kind, e.Hexes)
		for _, k := range slices.Sorted(maps.Keys(e.Facts.Map())) {
			fmt.Fprintf(out, "; %s = %s", k, e.Facts.Get(k))
		}
		out.WriteString("\n")
	}
	out.WriteString("\n")
}

// onScenario carries a sheet through the first turn of a scenario.
func onScenario(t *testing.T, out *strings.Builder, scenario, side, text string) {
	name := scenario + ", " + side + ", turn 1"
	g := newGame(load(t, scenario))
	r := rand.New(rand.NewPCG(1, 1))
	p, err := adjudicator.Play(g.sc.opening().clone(), phase, nil, plain{r}, plotted{})
	if err != nil {
		t.Fatal(err)
	}
	p.State.Weather = 1
	answers := plotted{}
	for k, a := range judged(t, out, name, g, p.State.view(Side(side)), side, strings.ReplaceAll(text, "    ", "")) {
		answers[side+" "+k] = a
	}
	q, err := adjudicator.Play(p.State.clone(), phase, nil, plain{r}, answers)
	if err != nil {
		t.Fatal(err)
	}
	told(t, out, name, side, q.Events)
}

// onStage carries the programme of one chit through a position written as those of
// the numbered cases are.
func onStage(t *testing.T, out *strings.Builder, n int, position, text string) {
	name := fmt.Sprintf("position %d", n)
	text = strings.ReplaceAll(text, "    ", "")
	head, programme, _ := strings.Cut(text, "\n")
	head, _, _ = strings.Cut(head, "#")
	layout, dice, _ := strings.Cut(position, "DICE\n")
	if dice != "" {
		dice = "DICE\n" + dice
	}
	body := layout + "CHIT RED " + strings.TrimPrefix(strings.TrimSpace(head), "CHIT ") + "\n"
	for line := range strings.Lines(programme) {
		line, _, _ = strings.Cut(line, "#")
		body += "  " + strings.TrimSpace(line) + "\n"
	}
	cases, err := casebook.Parse("ORDERS-FAMOUS.md", "CASE 0.0/0-1 \""+name+"\"\n"+body+dice)
	if err != nil || len(cases) != 1 {
		t.Fatalf("%s: %v", name, err)
	}
	// Once for the layout, to judge the sheet in, once to carry it out.
	bare := cases[0]
	bare.Body = slices.Clone(bare.Body)
	if i := slices.IndexFunc(bare.Body, func(l casebook.Line) bool { return l.Head && strings.HasPrefix(l.Text, "CHIT ") }); i > 0 {
		bare.Body = bare.Body[:i]
	}
	book := load(t, "gd-kursk")
	r := newCaseRun(caserun.New(t, bare), book)
	r.run()
	if len(r.Faults) == 0 {
		r.s.Phase, r.s.Cup = 3, r.s.chits()
		judged(t, out, name, newGame(r.s.sc), r.s.view("RED"), "RED", text)
	}
	played := newCaseRun(caserun.New(t, cases[0]), book)
	played.run()
	for _, f := range append(r.Faults, played.Faults...) {
		t.Errorf("%s: %s", name, f)
	}
	told(t, out, name, "RED", played.Events)
}
