package staff

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
	"fieldpost/adjudicator/wb95"
	"fieldpost/orders"
)

func kharkov(t testing.TB) *wb95.Game { return game(t, "kharkov-1942") }

// look is a side's View of a position.
func look(t testing.TB, g adjudicator.Game, pos []byte, side adjudicator.Side) *view.View {
	t.Helper()
	v, err := g.View(pos, side)
	if err != nil {
		t.Fatal(err)
	}
	v.Game = "TESTGAME"
	return v
}

// file writes and checks a sheet. It fails on what a sheet may never be, and
// returns the refused lines and what is left to the rules.
func file(t testing.TB, g adjudicator.Game, v *view.View) (f *adjudicator.Filing, refused, open []string, text string) {
	t.Helper()
	text, err := Officer{Game: g}.Sheet(v, v.Turn)
	if err != nil {
		t.Fatal(err)
	}
	sheet, errs := orders.Parse(text, wb95.Vocabulary)
	for _, e := range errs {
		t.Errorf("turn %d of %s: %v\n%s", v.Turn, v.Side, e, text)
	}
	if !sheet.Done || sheet.Header("SIDE") != v.Side {
		t.Errorf("turn %d: the sheet of %s is not whole:\n%s", v.Turn, v.Side, text)
	}
	f = g.Check(v, sheet)
	for _, l := range f.Lines {
		if l.Refused != nil {
			refused = append(refused, fmt.Sprintf("%s: %v", l.Text, l.Refused.Why))
		}
		if l.Warning != "" {
			open = append(open, l.Text+" "+l.Warning)
		}
	}
	return f, refused, open, text
}

func TestOpeningSheets(t *testing.T) {
	g := kharkov(t)
	pos, err := g.Opening()
	if err != nil {
		t.Fatal(err)
	}
	for _, side := range g.Sides() {
		v := look(t, g, pos, side)
		f, refused, open, text := file(t, g, v)
		stand, _ := f.Accepted()
		if stand < 30 {
			t.Errorf("%s: only %d lines stand:\n%s", side, stand, text)
		}
		for _, r := range refused {
			t.Errorf("%s: refused: %s", side, r)
		}
		for _, o := range open {
			t.Errorf("%s: left to the rules: %s", side, o)
		}
		if again, _ := (Officer{Game: g}).Sheet(look(t, g, pos, side), v.Turn); again != text {
			t.Errorf("%s: the same View gives another sheet", side)
		}
	}
}

// sheets answers decisions from the filings of both sides.
type sheets map[adjudicator.Side]*adjudicator.Filing

func (s sheets) Answer(d adjudicator.Decision) (string, string, bool) {
	if !d.Turn && !d.Filed {
		return d.Proposal, d.Source, true
	}
	if f := s[d.Side]; f != nil {
		return f.Answers[d.Answers()], "sheet", true
	}
	return "", "", true
}

// campaign is the record of a game between two officers.
type campaign struct {
	lines, refused int
	troubles       []string       // refused lines and duties left to the rules
	changed        int            // objectives that changed hands
	points         []int          // of the side with the initiative, before each turn
	lost           map[string]int // steps lost in combat, by the side's name
	steps          [2]int         // on the map at the end
	shots          int            // ranged attacks
	supports       int            // combats with guns in support
	view           *view.View     // at the end
}

// play plays up to so many turns between two officers.
func play(t testing.TB, g adjudicator.Game, turns, seed int) *campaign {
	t.Helper()
	pos, err := g.Opening()
	if err != nil {
		t.Fatal(err)
	}
	c := &campaign{lost: map[string]int{}}
	filed := sheets{}
	owner := map[string]string{}
	for {
		ph, err := g.At(pos)
		if err != nil {
			t.Fatal(err)
		}
		if ph.Number == 1 || ph.Over {
			c.count(look(t, g, pos, g.Sides()[0]), owner)
		}
		if ph.Over || ph.Turn > turns {
			for i, side := range g.Sides() {
				for _, u := range look(t, g, pos, side).Units {
					c.steps[i] += u.Steps
				}
			}
			return c
		}
		if ph.Number%6 == 1 {
			f, refused, open, _ := file(t, g, look(t, g, pos, ph.Side))
			filed[ph.Side] = f
			c.lines += len(f.Lines)
			c.refused += len(refused)
			for _, r := range append(refused, open...) {
				c.troubles = append(c.troubles, fmt.Sprintf("turn %d, %s: %s", ph.Turn, ph.Side, r))
			}
		}
		out, err := g.Play(pos, nil, hashDice{seed, ph.Label}, filed)
		if err != nil {
			t.Fatalf("%s: %v", ph.Label, err)
		}
		if len(out.Pending) > 0 {
			t.Fatalf("%s: still asked: %v", ph.Label, out.Pending)
		}
		for _, e := range out.Events {
			if e.Kind == "combat-loss" {
				c.lost[e.Facts.Get("side")]++
			}
			if e.Kind == "fire" {
				c.shots++
			}
			if e.Facts.Get("gunsA") != "" || e.Facts.Get("gunsD") != "" {
				c.supports++
			}
		}
		pos = out.Position
	}
}

// count notes how the objectives stand.
func (c *campaign) count(v *view.View, owner map[string]string) {
	for _, o := range v.Objectives {
		if was, ok := owner[o.Hex.String()]; ok && was != o.Owner {
			c.changed++
		}
		owner[o.Hex.String()] = o.Owner
	}
	c.points = append(c.points, v.Score[0].Points)
	c.view = v
}

// A game between two officers goes on to its end and looks like a campaign.
func TestCampaign(t *testing.T) {
	g := kharkov(t)
	turns := 17
	if testing.Short() {
		turns = 5
	}
	c := play(t, g, turns, 1)
	t.Logf("%q; points %v; %d lines, %d refused; objectives changed hands %d times; steps lost in combat %v, left %v",
		c.view.Verdict, c.points, c.lines, c.refused, c.changed, c.lost, c.steps)
	for _, s := range c.troubles {
		t.Log(s)
	}
	if 100*c.refused > c.lines || 100*len(c.troubles) > 2*c.lines {
		t.Errorf("%d of %d lines are refused, %d left to the rules", c.refused, c.lines, len(c.troubles)-c.refused)
	}
	if len(c.points) < 5 || slices.Max(c.points[:5]) <= c.points[0] {
		t.Errorf("the Soviets gain no ground in the first turns: points %v", c.points)
	}
	if testing.Short() {
		return
	}
	if c.view.Verdict == "" {
		t.Error("the game ends without a verdict")
	}
	if c.changed < 5 {
		t.Errorf("objectives changed hands %d times only", c.changed)
	}
	for i, name := range []string{"Soviets", "Germans"} {
		if c.lost[name] < 40 || c.steps[i] < 50 {
			t.Errorf("%s lost %d steps, %d are left", name, c.lost[name], c.steps[i])
		}
	}
}

// What the officer does not see the officer does not use, and a View that went through
// JSON says as much as the one it was made from.
func TestSheetFromJSON(t *testing.T) {
	g := kharkov(t)
	pos, err := g.Opening()
	if err != nil {
		t.Fatal(err)
	}
	v := look(t, g, pos, "GERMAN")
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var back view.View
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	want, err := Officer{Game: g}.Sheet(v, 1)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Officer{Game: g}.Sheet(&back, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("from JSON:\n%s\nfrom the View:\n%s", got, want)
	}
}

// Reinforcements that are ready come on to the map.
func TestReinforcementsEnter(t *testing.T) {
	g := kharkov(t)
	c := play(t, g, 6, 2)
	for _, u := range c.view.Arrivals {
		if u.Ready && u.Turn > 0 && u.Turn < 6 && u.Gun == "" {
			t.Errorf("%s waits since turn %d for %v", u.Name, u.Turn, u.Entry)
		}
	}
}

func TestNobodyPlaysOtherGames(t *testing.T) {
	if _, err := (Officer{}).Sheet(&view.View{System: "draughts"}, 1); err == nil {
		t.Error("an officer writes orders for a game that no officer knows")
	}
}

func TestSheetKeepsItsLimits(t *testing.T) {
	b := &sheet{}
	b.section("MOVE", slices.Repeat([]string{"a\nb"}, 400))
	b.line("DONE")
	if n := strings.Count(b.String(), "\n"); n > orders.MaxLines || !strings.HasSuffix(b.String(), "DONE\n") {
		t.Errorf("a sheet of %d lines", n)
	}
}

func BenchmarkSheet(b *testing.B) {
	g := kharkov(b)
	pos, err := g.Opening()
	if err != nil {
		b.Fatal(err)
	}
	for _, side := range g.Sides() {
		v := look(b, g, pos, side)
		b.Run(string(side), func(b *testing.B) {
			for b.Loop() {
				if _, err := (Officer{Game: g}).Sheet(v, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Guns come up, unlimber and are named in attacks and ranged fire.
func TestGunsAreUsed(t *testing.T) {
	g := kharkov(t)
	pos, err := g.Opening()
	if err != nil {
		t.Fatal(err)
	}
	_, _, _, text := file(t, g, look(t, g, pos, "SOVIET"))
	if !strings.Contains(text, "; ART ") {
		t.Errorf("no attack has guns:\n%s", text)
	}
	c := play(t, g, 4, 3)
	ready := 0
	for _, u := range c.view.Units {
		if u.Gun == "firing" {
			ready++
		}
	}
	if ready < 5 || c.shots == 0 || c.supports == 0 {
		t.Errorf("%d guns in combat set-up, %d ranged attacks, %d supports", ready, c.shots, c.supports)
	}
	t.Logf("%d guns in combat set-up, %d ranged attacks, %d supports", ready, c.shots, c.supports)
}
