package wb95

import (
	"slices"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/scenarios"
)

// WB-95 3.2.1: a printed set-up is law. With empty sheets of both sides nobody is lost for
// the limit in the first turn, and each side is told of its stacks over it beforehand.
func TestThePrintedSetUpLosesNobody(t *testing.T) {
	crowds := 0
	for _, info := range scenarios.List() {
		if info.System != "wb95" {
			continue
		}
		p, err := scenarios.Open(info.ID)
		if err != nil {
			t.Fatal(err)
		}
		game, err := System{}.Load(p)
		if err != nil {
			t.Fatal(err)
		}
		opening, err := game.Opening()
		if err != nil {
			t.Fatal(err)
		}
		s, err := game.(*Game).decode(opening)
		if err != nil {
			t.Fatal(err)
		}
		crowds += toldCrowds(t, info.ID, s)
		for s.Turn == 1 && s.Verdict == "" {
			s = emptySheets(t, info.ID, s)
		}
	}
	if crowds < 10 {
		t.Errorf("only %d stacks over the limit are told: the test looks in the wrong place", crowds)
	}
}

// toldCrowds counts the stacks over the limit that the sides' reports tell of, which are all.
func toldCrowds(t *testing.T, id string, s *State) int {
	told := map[hex.Hex]int{}
	for _, side := range s.sc.players() {
		for _, c := range s.view(side).Crowded {
			told[c.Hex] = c.Steps
			if c.MayStay != c.Steps || len(c.Loses) > 0 {
				t.Errorf("%s: %v may keep %d of %d steps and loses %v", id, c.Hex, c.MayStay, c.Steps, c.Loses)
			}
		}
	}
	for h := range s.stacks() {
		if n := s.stackSteps(h); n > stackLimit && told[h] != n {
			t.Errorf("%s: %d steps on %v, told are %d", id, n, h, told[h])
		}
	}
	return len(told)
}

// emptySheets plays a phase in which nobody orders anything.
func emptySheets(t *testing.T, id string, s *State) *State {
	p, err := adjudicator.Play(s.clone(), phase, nil, hashDice{1, s.phaseInfo().Label}, referee{})
	if err != nil {
		t.Fatalf("%s, %s: %v", id, s.phaseName(), err)
	}
	for _, e := range p.Events {
		if e.Kind == "crowded" {
			t.Errorf("%s, %s: %v", id, s.phaseName(), e.Facts.Map())
		}
	}
	stage := stageOf(s.Phase)
	for i := range s.Units {
		was, is := &s.Units[i], &p.State.Units[i]
		if moved := stage == stageMovement || stage == stageStrategic; moved && is.Steps < was.Steps && !is.Away {
			t.Errorf("%s, %s: %s had %d steps and has %d", id, s.phaseName(), was.c.Name, was.Steps, is.Steps)
		}
	}
	return p.State
}

// A game of the first version is played as it was begun; taken over, its printed stacks stay.
func TestAnEarlierVersionCutsStacks(t *testing.T) {
	p, err := scenarios.Open("kharkov-1943")
	if err != nil {
		t.Fatal(err)
	}
	present, err := System{}.Load(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range []string{"0", "4", "x", ""} {
		if _, ok := present.(*Game).AsOf(version); ok {
			t.Errorf("version %q is played as an earlier one", version)
		}
	}
	first, ok := present.(*Game).AsOf("1")
	if !ok {
		t.Fatal("the first version is no longer played")
	}
	opening, err := first.Opening()
	if err != nil {
		t.Fatal(err)
	}
	s, err := first.(*Game).decode(opening)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Crowds) > 0 || len(s.view("GERMAN").Crowded) > 0 {
		t.Errorf("the first version knows of printed stacks: %v", s.Crowds)
	}
	for s.Phase != 3 {
		s.Phase++
	}
	for s.player() != "GERMAN" {
		s.Phase += halfTurn
	}
	_, events := referee{}.play(t, s, phase)
	if n := len(heard(events, "GERMAN", "hex")); n == 0 || !slices.Contains(heard(events, "GERMAN", "hex"), "crowded 6303") {
		t.Errorf("nothing of 6303 was cut: %q", heard(events, "GERMAN", "hex"))
	}
	taken, err := present.(*Game).Migrate(opening, "1")
	if err != nil {
		t.Fatal(err)
	}
	if s, err = present.(*Game).decode(taken); err != nil || len(s.Crowds) != 1 {
		t.Errorf("taken over: %+v, %v", s.Crowds, err)
	}
}
