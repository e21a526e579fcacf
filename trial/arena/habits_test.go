package arena

import (
	"strings"
	"testing"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// Each habit is counted where it is seen, and nothing else is.
func TestHabitsAreCounted(t *testing.T) {
	b := &board.Board{Grid: hex.Grid{ColMin: 1, ColMax: 40, RowMin: 1, RowMax: 40}}
	seen := func(turn int, lone, gun hex.Hex) *view.View {
		return &view.View{Turn: turn, Side: "RED", Board: b,
			Units: []view.Unit{{ID: "lone", Hex: lone}, {ID: "gun", Hex: gun, Gun: "transport", OutOfSupply: 1}},
			Chits: &view.Chits{Groups: []view.ChitGroup{{Side: "RED", Own: []string{"1Fus", "2Fus", "3Fus"}}}}}
	}
	sheet := strings.Join([]string{"GAME: X", "CHIT 1FUS", "  MOVE 1K TO 2331", "  ATTACK 2332 WITH 1K; MIN 2-1",
		"CHIT 2FUS IF RED HOLDS 2134", "  ATTACK 2332 WITH 2K, 3K", "CHIT 2FUS", "  MOVE 2K TO 2331", "DONE!"}, "\n")
	s := &observer{}
	s.look(seen(1, 2020, 2020), sheet)
	s.look(seen(2, 2022, 2021), sheet)
	last := seen(3, 2020, 101)
	last.Lost = []view.Unit{{Type: "HQ"}, {Type: "INF"}}
	s.look(last, sheet)
	s.hear("RED", []view.Event{{Kind: "dropped", To: []string{"RED"}}, {Kind: "dropped", To: []string{"BLUE"}}, {Kind: "moved", To: []string{"RED"}}})
	got := s.total()
	want := counted{3, [habits]int{toAndFro: 1, intoCorner: 1, single: 3, passed: 3, unguarded: 3, notDone: 1, outOfSupply: 3, onTheRoad: 3, hqLost: 1, unitLost: 2}}
	if got != want {
		t.Errorf("counted %+v, want %+v", got, want)
	}
	table := habitsTable([]Contender{{Strength: "cadet"}, {Strength: "chief", Units: 40}}, []counted{got, {}})
	if !strings.Contains(table, "| for 100 sheets | cadet | chief@40 |\n") || !strings.Contains(table, "| units lost | 66.7 | 0.0 |\n") {
		t.Error(table)
	}
}
