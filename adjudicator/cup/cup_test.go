package cup

import (
	"slices"
	"strings"
	"testing"
)

func TestMoreDrawsThanChits(t *testing.T) {
	g := New("SW", []string{"6A", "1GA", "AGP"}, 6)
	var drawn []string
	for g.Left > 0 {
		if want := min(g.Left, len(g.In)); g.Inside() != want {
			t.Fatalf("%d inside, want %d", g.Inside(), want)
		}
		drawn = append(drawn, g.Draw(1))
	}
	if got := strings.Join(drawn, " "); got != "6A 1GA AGP 6A 1GA AGP" {
		t.Error(got)
	}
	// Four draws: after the third one chit goes back, any of the three.
	seen := map[string]bool{}
	for die := 1; die <= 3; die++ {
		g := New("SW", []string{"6A", "1GA", "AGP"}, 4)
		for range 3 {
			g.Draw(1)
		}
		if g.Inside() != 1 || g.Faces() != 3 {
			t.Fatalf("%d inside, %d faces", g.Inside(), g.Faces())
		}
		seen[g.Draw(die)] = true
		if g.Left != 0 || g.Inside() != 0 {
			t.Error("the group is not empty")
		}
	}
	if len(seen) != 3 {
		t.Errorf("only %v can come back", seen)
	}
}

func TestAGroupIsDrawnByTheChitsInTheCup(t *testing.T) {
	c := Cup{New("GERMAN", []string{"a", "b"}, 2), New("V", nil, 3), New("SW", []string{"x"}, 3)}
	if c.Inside() != 3 || c.Left() != 5 {
		t.Errorf("%d inside, %d left", c.Inside(), c.Left())
	}
	var got []int
	for die := 1; die <= 3; die++ {
		got = append(got, c.Group(die))
	}
	if !slices.Equal(got, []int{0, 0, 2}) {
		t.Error(got)
	}
	if !c[0].Take("b") || c[0].Take("b") || c[0].Inside() != 1 {
		t.Error("a named chit is taken once")
	}
}
