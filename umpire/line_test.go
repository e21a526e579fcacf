package umpire

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/store"
	"fieldpost/umpire/match"
)

// recordOf makes the phases of a game: "." is one that was played, a number sets the game to
// the end of that phase, "e" is an edit.
func recordOf(steps string) (phases []store.Phase) {
	for i, s := range strings.Fields(steps) {
		p := store.Phase{Number: uint64(i) + 1, Journal: []byte("[]")}
		switch s {
		case ".":
		case "e":
			p.Journal = fmt.Appendf(nil, `[{"kind":%q,"label":%q,"answer":"PUT X 0101"}]`, adjudicator.EntryAnswer, match.EditLabel)
		default:
			p.Journal = fmt.Appendf(nil, `[{"kind":%q,"label":%q,"answer":%q}]`, adjudicator.EntryAnswer, match.RestoreLabel, s)
		}
		phases = append(phases, p)
	}
	return phases
}

func TestLine(t *testing.T) {
	for _, c := range []struct {
		record string
		want   []uint64
	}{
		{"", nil},
		{". . .", []uint64{1, 2, 3}},
		{". . . 1", []uint64{1}},
		{". . . 1 . .", []uint64{1, 5, 6}},
		{". . . 1 . 3 .", []uint64{1, 2, 3, 7}},     // forward again
		{". . . 2 . 1 . 5 .", []uint64{1, 2, 5, 9}}, // to a branch that was left
		{". . . e . 2 .", []uint64{1, 2, 7}},        // the edit is undone
		{". . . e . 4 .", []uint64{1, 2, 3, 4, 7}},  // it stands
		{". . . 4 .", []uint64{1, 2, 3, 4, 5}},      // of the phase itself: damaged, passed over
		{". . 1 . 3 .", []uint64{1, 6}},             // to where the game was set back
		{". . . 0 .", []uint64{1, 2, 3, 4, 5}},      // a number that no phase has
		{". . . 1 . . 6 . 2 .", []uint64{1, 2, 10}}, // back, on, to its own end, back
	} {
		phases := recordOf(c.record)
		var got []uint64
		for _, p := range match.Line(phases) {
			got = append(got, p.Number)
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %v, not %v", c.record, got, c.want)
		}
	}
}

func TestPhaseEnd(t *testing.T) {
	at := func(turn int, side, name string) adjudicator.Phase {
		return adjudicator.Phase{Turn: turn, Side: adjudicator.Side(side), Name: name}
	}
	all := []match.PlayedPhase{
		{Number: 1},
		{Number: 2, Phase: at(1, "SOVIET", "Movement of the Soviets")},
		{Number: 3, Phase: at(1, "GERMAN", "Movement of the Germans")},
		{Number: 4, Phase: at(1, "", "Supply")},
		{Number: 5, Phase: at(2, "SOVIET", "Movement of the Soviets"), Undone: true},
		{Number: 6, Act: "the game was set to the end of phase 4", SetTo: 4},
		{Number: 7, Phase: at(2, "SOVIET", "Movement of the Soviets")},
		{Number: 8, Phase: at(2, "GERMAN", "Movement of the Germans"), Open: true},
	}
	for where, want := range map[string]uint64{
		"3": 3, "phase 5": 5, "before GERMAN turn 1": 2, "BEFORE TURN 1": 1, `"before turn 2"`: 4, "after turn 1": 4,
		"after soviet turn 2": 7, "before german turn 2": 7, "before GERMAN": 2, "after Supply": 4, "before movement of the germans, turn 2": 7,
	} {
		if n, err := match.PhaseEnd(all, where); err != nil || n != want {
			t.Errorf("%s: %d, %v; not %d", where, n, err, want)
		}
	}
	for where, says := range map[string]string{
		"8": "from 1 to 7", "0": "from 1 to 7", "GERMAN turn 1": "BEFORE or AFTER", "": "BEFORE or AFTER",
		"before FRENCH turn 1": "say, for example, before GERMAN turn 2", "after turn 9": "say, for example", "after GERMAN turn 2": "not over yet",
	} {
		if n, err := match.PhaseEnd(all, where); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %d, %v", where, n, err)
		}
	}
	numbers := func(phases []match.PlayedPhase) (all []uint64) {
		for _, p := range phases {
			all = append(all, p.Number)
		}
		return all
	}
	for number, want := range map[uint64]struct{ undone, again []uint64 }{
		2: {undone: []uint64{3, 4, 7}},
		5: {undone: []uint64{7}, again: []uint64{5}},
		6: {undone: []uint64{7}},
		7: {},
	} {
		b := match.NewSetBack(all, number, "a try")
		if undone, again := numbers(b.Undone), numbers(b.Again); !reflect.DeepEqual(undone, want.undone) || !reflect.DeepEqual(again, want.again) {
			t.Errorf("to the end of %d: %v undone, %v again", number, undone, again)
		}
	}
}
