package practice

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/systems"
	"fieldpost/playtest"
	"fieldpost/report"
	"fieldpost/scenarios"
	"fieldpost/staff"
	"fieldpost/umpire/judge"
)

// library loads built-in scenarios.
type library map[string]adjudicator.Game

func (l library) Load(id string) (adjudicator.Game, adjudicator.System, error) {
	pack, err := scenarios.Open(id)
	if err != nil {
		return nil, nil, err
	}
	system, _ := systems.Get(pack.System)
	if l[id] == nil {
		l[id], err = system.Load(pack)
	}
	return l[id], system, err
}

func (l library) Hash(id string) (string, error) {
	pack, err := scenarios.Open(id)
	if err != nil {
		return "", err
	}
	return pack.Hash()
}

var builtin = library{}

// until plays on until the game waits or is over.
func until(t *testing.T, g *Game) State {
	t.Helper()
	for range 200 {
		state, _, err := g.Next()
		if err != nil {
			t.Fatal(err)
		}
		if state != Playing {
			return state
		}
	}
	t.Fatal("the game does not stop")
	return Over
}

func begin(t *testing.T, c Choice) *Game {
	t.Helper()
	g, err := Begin(builtin, c)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A person who sends what a staff officer would is one: the game is that of two staff officers
// on the engine alone, also when it is put away and taken out again at each stop.
func TestAPersonWhoPlaysAsTheStaffWould(t *testing.T) {
	for _, c := range []Choice{{Scenario: "kharkov-1942", Side: "SOVIET", Seed: 7}, {Scenario: "kharkov-1942", Side: "GERMAN", Seed: 7}, {Scenario: "star-and-gallop", Side: "SOVIET", Seed: 3}, {Scenario: "gd-akhtyrka", Side: "GERMAN", Seed: 3}} {
		const turns = 2
		rules, system, err := builtin.Load(c.Scenario)
		if err != nil {
			t.Fatal(err)
		}
		var want []byte
		_, err = playtest.Match{Game: rules, Vocabulary: system.Vocabulary(), Number: c.Seed, Turns: turns,
			Each: func(_ []byte, out adjudicator.Outcome) error { want = out.Position; return nil }}.Play(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		g, stops, told := begin(t, c), 0, 0
		for !bytes.Equal(g.Position, want) {
			state := until(t, g)
			if at, _ := rules.At(g.Position); state == Over || at.Turn > turns+1 {
				t.Fatalf("%v: another game than that of the staff alone: %s in turn %d", c, state, at.Turn)
			}
			if bytes.Equal(g.Position, want) {
				break
			}
			v, err := g.View()
			if err != nil {
				t.Fatal(err)
			}
			items, err := (&report.Report{View: v, Wording: rules.Wording()}).Items()
			if err != nil {
				t.Fatal(err)
			}
			stops, told = stops+1, told+len(items)
			text, err := g.Save()
			if err != nil {
				t.Fatal(err)
			}
			if g, err = Resume(builtin, text); err != nil {
				t.Fatal(err)
			}
			if until(t, g) != Waiting {
				t.Fatal("a game that was taken out again does not stand where it stood")
			}
			sheet, err := g.Proposal()
			if err != nil {
				t.Fatal(err)
			}
			if err := g.File(sheet); err != nil {
				t.Fatal(err)
			}
			// Up to the end of what was compared with, phase by phase.
			for state := Playing; state == Playing && !bytes.Equal(g.Position, want); {
				if state, _, err = g.Next(); err != nil {
					t.Fatal(err)
				}
			}
		}
		t.Logf("%v: %d stops, %d items told, %d bytes kept", c, stops, told, len(g.Position))
		if stops < turns || told < 3 {
			t.Errorf("%v: %d stops with %d items told", c, stops, told)
		}
	}
}

// Whoever asks is asked, with the legal answers; the answer counts.
func TestWhoeverAsksIsAsked(t *testing.T) {
	g := begin(t, Choice{Scenario: "kharkov-1942", Side: "SOVIET", Seed: 7})
	until(t, g)
	sheet, err := g.Proposal()
	if err != nil {
		t.Fatal(err)
	}
	if err := g.File(strings.Replace(sheet, "SERIAL: 1\n", "SERIAL: 1\nMODE: ASK\n", 1)); err != nil {
		t.Fatal(err)
	}
	if state := until(t, g); state != Waiting {
		t.Fatal(state)
	}
	v, err := g.View()
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Asked) == 0 || v.Begun == nil || len(v.Asked[0].Options) < 2 {
		t.Fatalf("the view asks %+v", v.Asked)
	}
	q := v.Asked[0]
	answer := q.Options[len(q.Options)-1].Answer
	if err := g.File("GAME: PRACTICE\nSIDE: SOVIET\nTURN: 1\nSERIAL: 2\n\nANSWER\n" + q.Label + ": " + answer + "\n"); err != nil {
		t.Fatal(err)
	}
	before := len(g.Journal)
	until(t, g)
	found := false
	for _, e := range g.Journal {
		found = found || e.Label == q.Label && e.Answer == answer && e.Source == "your answer, sheet 2"
	}
	if len(g.Journal) <= before || !found {
		t.Errorf("the answer %q to %q does not count: %d entries, then %d", answer, q.Label, before, len(g.Journal))
	}
}

// A programme that asks is asked about without a MODE line, in the midst of its activation; the desk
// judges the orders for the rest by what has been done, and they are carried out.
func TestProgrammesAskTheirOwner(t *testing.T) {
	for _, c := range []struct {
		scenario         string
		side             adjudicator.Side
		programme, rest  string
		chit, unit, goes string
	}{
		{"gd-kursk", "GERMAN", "FIRST CHIT 2Pz\nCHIT 2Pz\n  MOVE 5K TO 3428\n  ASK HERE\n  MOVE 6K TO 3428\n", "CHIT 2Pz\n  MOVE 5K TO 3429\n  MOVE 7K TO 3528\n", "2Pz", "7K/2Pz", "3528"},
		{"star-and-gallop", "GERMAN", "CHIT SS Pz\n  MOVE LAH TO 2612\n  ASK HERE\n  MOVE DR- TO 2711\n", "CHIT SS Pz\n  MOVE LAH TO 2611\n  MOVE DR- TO 2011\n", "SS Pz", "DR-", "2011"},
	} {
		g := begin(t, Choice{Scenario: c.scenario, Side: c.side, Seed: 7})
		until(t, g)
		head := fmt.Sprintf("GAME: PRACTICE\nSIDE: %s\nTURN: 1\nSERIAL: ", c.side)
		if err := g.File(head + "1\n" + c.programme + "DONE\n"); err != nil {
			t.Fatal(err)
		}
		until(t, g)
		v, err := g.View()
		if err != nil {
			t.Fatal(err)
		}
		if len(v.Asked) != 1 || v.Asked[0].Label != "orders for the rest of "+c.chit || v.Acting == nil {
			t.Fatalf("%s: asked is %+v", c.scenario, v.Asked)
		}
		bench, err := judge.For(builtin, v)
		if err != nil {
			t.Fatal(err)
		}
		sheet := head + "2\n" + c.rest + "DONE\n"
		ack, _ := bench.Check(judge.Given{Text: sheet, Typed: true})
		if text := ack.Text(); !strings.Contains(text, "movement") && !strings.Contains(text, "has moved in this activation") {
			t.Errorf("%s: nothing is said of who has moved already:\n%s", c.scenario, text)
		}
		if err := g.File(sheet); err != nil {
			t.Fatal(err)
		}
		until(t, g)
		if v, err = g.View(); err != nil {
			t.Fatal(err)
		}
		for _, u := range v.Units {
			if u.Name == c.unit && u.Hex.String() != c.goes {
				t.Errorf("%s: %s is on %v, not on %s", c.scenario, u.Name, u.Hex, c.goes)
			}
		}
	}
}

// What cannot be played says why.
func TestWhatCannotBePlayedSaysWhy(t *testing.T) {
	if _, err := Begin(builtin, Choice{Scenario: "kharkov-1942", Side: "FRENCH", Seed: 1}); err == nil || !strings.Contains(err.Error(), "SOVIET") {
		t.Error(err)
	}
	if _, err := Begin(builtin, Choice{Scenario: "waterloo", Side: "FRENCH", Seed: 1}); err == nil {
		t.Error("Waterloo is played")
	}
	g := begin(t, Choice{Scenario: "kharkov-1942", Side: "SOVIET", Seed: 1})
	until(t, g)
	if err := g.File("GAME: PRACTICE\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\n"); err == nil || !strings.Contains(err.Error(), "DONE") {
		t.Error(err)
	}
	text, err := g.Save()
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{"other files": {g.hash, strings.Repeat("0", 64)}, "no seat": {`"GERMAN":`, `"FRENCH":`}, "half": {`"reports":0`, `"reports`}} {
		if _, err := Resume(builtin, []byte(strings.Replace(string(text), change[0], change[1], 1))); err == nil {
			t.Errorf("a game with %s goes on", name)
		} else if name == "other files" && !errors.Is(err, ErrOtherRules) {
			t.Error(err)
		}
	}
}

// A staff officer who looks ahead writes the orders of a chit when it is drawn; for a cadet what they
// filed holds.
func TestTheStaffAnswersAtItsChits(t *testing.T) {
	for strength, want := range map[staff.Strength]string{staff.Cadet: "doctrine", staff.Captain: "the staff's answer"} {
		g := begin(t, Choice{Scenario: "star-and-gallop", Side: "SOVIET", Seed: 3, Strength: strength, Units: 200})
		until(t, g)
		if err := g.File("GAME: " + ID + "\nSIDE: SOVIET\nTURN: 1\nSERIAL: 1\nDONE!\n"); err != nil {
			t.Fatal(err)
		}
		for !g.Seats["GERMAN"].Filed {
			if _, _, err := g.Next(); err != nil {
				t.Fatal(err)
			}
		}
		if kept := g.Seats["GERMAN"].Plan; (kept != "") != (strength == staff.Captain) {
			t.Errorf("%s: the plan of the turn is %q", strength, kept)
		}
		tab := &table{game: g}
		orders, source, known := tab.Answer(adjudicator.Decision{Side: "GERMAN", Kind: adjudicator.KindActivation, Label: "orders SS Pz",
			Entry: "orders SS Pz", Proposal: "as filed", Source: "doctrine"})
		if !known || source != want || tab.err != nil || strength == staff.Captain && !strings.HasPrefix(orders, "CHIT SS PZ") {
			t.Errorf("%s: %q by %s, %v", strength, orders, source, tab.err)
		}
	}
}

// The staff officers of a game are of the strength that was chosen, and stay so when it is kept.
func TestStrength(t *testing.T) {
	c := Choice{Scenario: "star-and-gallop", Side: "SOVIET", Seed: 3, Strength: "Chief", Units: 200}
	g := begin(t, c)
	until(t, g)
	text, err := g.Save()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Resume(builtin, text)
	if err != nil || again.officer(c.Side).Strength != staff.Chief || again.officer(c.Side).Units != 200 {
		t.Fatalf("%+v, %v", again, err)
	}
	v, err := again.View()
	if err != nil {
		t.Fatal(err)
	}
	thought, err := again.officer(c.Side).Think(v, 1)
	if err != nil || thought.Units < 100 {
		t.Errorf("a chief worked %d units on a sheet, %v", thought.Units, err)
	}
	if proposal, err := g.Proposal(); err != nil || proposal != thought.Sheet {
		t.Errorf("another sheet is proposed than a chief would write, %v:\n%s", err, proposal)
	}
	c.Strength = "general"
	if _, err := Begin(builtin, c); err == nil || !strings.Contains(err.Error(), "chief") {
		t.Errorf("a general took the staff: %v", err)
	}
}
