package steppe

import (
	"strings"
	"testing"

	"fieldpost/adjudicator"
)

// By how much a side must be ahead can be agreed, with the fog or without; what is no choice is
// refused.
func TestWinBy(t *testing.T) {
	g := newGame(load(t, "winter-campaign"))
	for _, x := range []struct {
		values        map[string]string
		german        int
		winner        Side
		says, options string
	}{
		{nil, 7, Soviet, "8 ahead would have won", ""},
		{nil, 8, German, "8 ahead where 8 were wanted", ""},
		{map[string]string{"win-by": "printed"}, 7, Soviet, "8 ahead would have won", ""},
		{map[string]string{"win-by": "4"}, 4, German, "4 ahead where 4 were wanted", "4"},
		{map[string]string{"win-by": "0"}, 0, German, "even where even was enough", "0"},
		{map[string]string{"win-by": "0"}, -1, Soviet, "even would have won", "0"},
		{map[string]string{"win-by": "-12", "fog": "blind"}, -11, German, "11 behind where 12 behind was enough", "-12"},
		{map[string]string{"win-by": "-12"}, -13, Soviet, "12 behind would have won", "-12"},
	} {
		with, err := g.With(x.values)
		if err != nil {
			t.Fatal(err)
		}
		s := with.(*Game).sc.opening()
		lead := s.points(German) - s.points(Soviet)
		s.Points[sideIndex(German)] += max(0, x.german-lead)
		s.Points[sideIndex(Soviet)] += max(0, lead-x.german)
		winner, says := s.verdict()
		if winner != x.winner || !strings.Contains(says, x.says) || with.(*Game).sc.options()[winByOption] != x.options {
			t.Errorf("%v, %d ahead: %s, %s, options %v", x.values, x.german, winner, says, with.(*Game).sc.options())
		}
	}
	if same, err := g.With(nil); err != nil || same != adjudicator.Game(g) {
		t.Errorf("a game without options is another one, %v", err)
	}
	if _, err := g.With(map[string]string{"win-by": "99"}); err == nil {
		t.Error("win-by = 99 is taken")
	}
}
