package wb95

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/phrase"
	"fieldpost/orders"
)

// secretly answers turn decisions by side.
type secretly map[Side]string

func (a secretly) Answer(d adjudicator.Decision) (string, string, bool) {
	text, ok := a[d.Side]
	return text, "sheet", ok
}

func TestSetUpIsChosen(t *testing.T) {
	g := gameOf(t, "kharkov-1942", map[string]string{"set-up": "choose"})
	opening, err := g.Opening()
	if err != nil {
		t.Fatal(err)
	}
	if at, err := g.At(opening); err != nil || at.Turn != 0 || at.Side != "" || at.Label != "turn 0 phase 0" {
		t.Fatalf("%+v, %v", at, err)
	}
	half, err := g.Play(opening, nil, nil, secretly{"SOVIET": ""})
	if err != nil || len(half.Pending) != 1 || half.Pending[0].Side != "GERMAN" || !half.Pending[0].Turn {
		t.Fatalf("one side is waited for: %+v, %v", half.Pending, err)
	}
	// The first unit of each side with a choice goes to its last hex.
	answers, chosen := secretly{}, map[Side][2]string{}
	for _, side := range g.sc.Sides {
		v, err := g.View(opening, side)
		if err != nil || len(v.Choices) == 0 || v.Turn != 0 {
			t.Fatalf("%s: %d choices on turn %d, %v", side, len(v.Choices), v.Turn, err)
		}
		for _, c := range v.Choices {
			line := c.Unit + " AT " + c.Hexes[len(c.Hexes)-1].String()
			sheet, faults := orders.Parse(orders.Canonical("GAME: X SIDE: "+string(side)+" TURN: 0 SERIAL: 1\nSETUP\n"+line+"\n"+c.Unit+" AT 0101\nMOVE\n"+c.Unit+" TO 0101\nDONE\n"), Vocabulary)
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			f := g.Check(v, sheet)
			stand, refused := f.Accepted()
			if len(c.Hexes) < 2 || stand != 1 || refused != 2 || !f.Done {
				continue
			}
			answers[side], chosen[side] = f.Answers[kindSetUp]+"\nNOBODY AT 0101", [2]string{c.Unit, c.Hexes[len(c.Hexes)-1].String()}
			break
		}
	}
	if len(chosen) != 2 {
		t.Fatalf("choices that stand: %v", chosen)
	}
	out, err := g.Play(opening, nil, nil, answers)
	if err != nil || len(out.Pending) > 0 {
		t.Fatal(err)
	}
	s, err := g.decode(out.Position)
	if err != nil || s.Turn != 1 || s.Phase != 1 {
		t.Fatalf("turn %d phase %d, %v", s.Turn, s.Phase, err)
	}
	for side, c := range chosen {
		for i := range s.Units {
			u := &s.Units[i]
			if u.c.Side != side || u.c.Name != c[0] {
				continue
			}
			if u.Hex.String() != c[1] || s.controller(u.Hex) != side {
				t.Errorf("%s stands on %v, controlled by %s; it chose %s", c[0], u.Hex, s.controller(u.Hex), c[1])
			}
			if p := s.sc.placement(u.ID); p.Fort != "" && s.fort(u.Hex) == nil {
				t.Errorf("%s left its works behind", c[0])
			}
		}
	}
	skipped := 0
	for _, e := range out.Events {
		if e.Kind == "set-up-skipped" && strings.Contains(e.Facts.Get("order"), "NOBODY") {
			skipped++
		}
	}
	if skipped != 2 {
		t.Errorf("%d orders were skipped, want one of each side", skipped)
	}
}

// Who chooses nothing begins as printed: the game goes on as one without choices.
func TestSetUpByDefault(t *testing.T) {
	for _, id := range []string{"kharkov-1942", "kursk", "nysa-1945", "two-stars"} {
		g := gameOf(t, id, map[string]string{"set-up": "choose"})
		opening, err := g.Opening()
		if err != nil {
			t.Fatal(err)
		}
		if at, _ := g.At(opening); at.Turn != 0 {
			t.Logf("%s leaves no choice", id)
			continue
		}
		out, err := g.Play(opening, nil, nil, secretly{g.sc.Sides[0]: "", g.sc.Sides[1]: ""})
		if err != nil {
			t.Fatal(err)
		}
		printed, err := gameOf(t, id, nil).Opening()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Replace(string(out.Position), `,"options":{"set-up":"choose"}`, "", 1); got != string(printed) {
			i := 0
			for i < len(got) && i < len(printed) && got[i] == printed[i] {
				i++
			}
			t.Errorf("%s: the default differs from the printed set-up at %.80q, want %.80q", id, got[max(0, i-30):], printed[max(0, i-30):])
		}
	}
}

// The losses of an entry may be spread otherwise, never raised or given back.
func TestLossesAreSpread(t *testing.T) {
	for _, id := range []string{"kharkov-1942", "kharkov-1943", "black-snow"} {
		sc := loadNamed(t, id)
		s := sc.opening()
		for _, p := range sc.Setup {
			u := s.unit(p.Counter)
			if p.Losses == 0 {
				continue
			}
			for _, q := range sc.Setup {
				w := s.unit(q.Counter)
				if w == u || w.c.Side != u.c.Side || s.entryOf(p) != s.entryOf(q) || q.Losses > 0 || w.Steps < 2 {
					continue
				}
				for i, text := range []string{u.c.Name + " STEPS 2", w.c.Name + " STEPS 1"} {
					if _, v := s.setUp(u.c.Side, phrase.Read(text)); v != nil {
						t.Fatalf("%s: %v", text, v)
					}
					if bad := s.clone().evenLosses(u.c.Side); (len(bad) > 0) != (i == 0) {
						t.Errorf("after %q: %v", text, bad)
					}
				}
				return
			}
		}
	}
	t.Error("no scenario has losses to spread")
}

// A line of the set-up finds what the lines before it did, and a refused one does
// nothing.
//
// WB-95 3.2.1
func TestSetUpLinesFollowEachOther(t *testing.T) {
	g := gameOf(t, "black-snow", map[string]string{"set-up": "choose"})
	opening, err := g.Opening()
	if err != nil {
		t.Fatal(err)
	}
	v, err := g.View(opening, "GERMAN")
	if err != nil {
		t.Fatal(err)
	}
	// Six steps begin on 2232: there is room for two more.
	sheet, _ := orders.Parse(orders.Canonical("GAME: X SIDE: GERMAN TURN: 0 SERIAL: 1\nSETUP\n1/GD ARM AT 2232\nGren./GD AT 2232\nStuG/GD AT 2331\nGren./GD AT 2232\nDONE\n"), Vocabulary)
	var got []string
	for _, l := range g.Check(v, sheet).Lines {
		if l.Pos.Line == 0 {
			continue
		}
		verdict := "stands"
		if l.Refused != nil {
			verdict = string(l.Refused.Clause)
		}
		got = append(got, verdict)
	}
	if want := []string{"stands", "WB-95 3.2.1", "stands", "stands"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
