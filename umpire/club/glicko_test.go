package club

import (
	"math"
	"testing"
)

// The figures are those of the example in Glickman's paper: 1500 with a deviation of 200 wins
// against 1400 (30), loses against 1550 (100) and 1700 (300).
func TestGlickmansExample(t *testing.T) {
	games := []bout{
		{Rating{1400, 30, 0.06}, 1},
		{Rating{1550, 100, 0.06}, 0},
		{Rating{1700, 300, 0.06}, 0},
	}
	got := Rating{1500, 200, 0.06}.After(games)
	for _, c := range []struct{ got, want, near float64 }{
		{got.Value, 1464.06, 0.01}, {got.Deviation, 151.52, 0.01}, {got.Volatility, 0.05999, 0.00001},
	} {
		if math.Abs(c.got-c.want) > c.near {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
}

// Who wins rises and who loses falls, by as much if they are alike; who does not play is only less
// known, and at most as little as a newcomer.
func TestRatingsMoveAsResultsSay(t *testing.T) {
	won, lost := newcomer.After([]bout{{newcomer, 1}}), newcomer.After([]bout{{newcomer, 0}})
	if rise, fall := won.Value-1500, 1500-lost.Value; rise <= 0 || math.Abs(rise-fall) > 1e-9 {
		t.Errorf("two newcomers: up by %v, down by %v", rise, fall)
	}
	if drawn := newcomer.After([]bout{{newcomer, 0.5}}); math.Abs(drawn.Value-1500) > 1e-9 || drawn.Deviation >= newcomer.Deviation {
		t.Errorf("a draw of newcomers: %+v", drawn)
	}
	upset := Rating{1500, 60, 0.06}.After([]bout{{Rating{2200, 60, 0.06}, 1}, {Rating{2200, 60, 0.06}, 1}, {Rating{2200, 60, 0.06}, 1}})
	if upset.Volatility <= 0.06 {
		t.Errorf("three wins against much stronger players leave the volatility at %v", upset.Volatility)
	}
	idle := won
	for range 10_000 {
		idle = idle.After(nil)
	}
	if idle.Value != won.Value || idle.Deviation != newcomer.Deviation {
		t.Errorf("who does not play comes to %+v", idle)
	}
}
