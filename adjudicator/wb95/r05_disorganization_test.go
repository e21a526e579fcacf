package wb95

import (
	"strings"
	"testing"
)

// WB-95 5.6.5 a: disorganized in its own Combat Phase, fit after the next one
// WB-95 5.6.5 b: disorganized by air in phase 7, fit at the end of phase 7 next turn
func TestRest(t *testing.T) {
	for _, phase := range []int{4, 7} {
		s := arena(t, clearGround(5, 5), infAt("a", red, 303))
		s.Turn, s.Phase = 2, phase
		u := s.unit("a")
		s.disorganize(u)
		for range 11 {
			s.reorganize()
			want(t, "rests", u.disorganized(), true)
			if s.Phase++; s.Phase > 12 {
				s.Turn, s.Phase = 3, 1
			}
		}
		s.reorganize()
		want(t, "one phase early", u.disorganized(), true)
		if s.Phase++; s.Phase > 12 {
			s.Turn, s.Phase = 3, 1
		}
		want(t, "phase", s.Phase, phase)
		s.reorganize()
		want(t, "fit", !u.disorganized(), true)
	}
}

// WB-95 5.6.5
func TestDisturbance(t *testing.T) {
	s := arena(t, clearGround(5, 5), infAt("a", red, 303).shaken(), infAt("b", red, 303))
	s.Turn, s.Phase = 1, 9
	s.disturb(s.unit("a"))
	s.disturb(s.unit("b"))
	want(t, "the clock begins anew", s.unit("a").Disorganized, Clock{1, 9})
	want(t, "a fit unit", !s.unit("b").disorganized(), true)
	s.Turn, s.Phase = 2, 8
	s.reorganize()
	want(t, "not yet", s.unit("a").disorganized(), true)
	s.Phase = 9
	s.reorganize()
	want(t, "fit", !s.unit("a").disorganized(), true)
}

// WB-95 5.6.1
// WB-95 5.6.2
// WB-95 5.6.3
func TestTests(t *testing.T) {
	// One roll for all attackers, each compares it with its own limit; an idle gun is not asked.
	s := arena(t, clearGround(8, 8), infAt("a", red, 303).morale(9), infAt("b", red, 303).morale(10), gunAt("g", red, 303).morale(2), infAt("x", blue, 304))
	s.sc.Combat = always(CombatResult{ATest: true})
	o := battleOf(t, s, "0304 WITH A, B", "combat 0304", "3 4", "attack-test 0304", "4 5")
	want(t, "at the limit", o.unit("a").disorganized(), true)
	want(t, "below it", o.unit("b").disorganized(), false)
	want(t, "a gun that did not fire", o.unit("g").disorganized(), false)
	want(t, "told", o.fact("combat-test", "verdict"), "a disorganized")
	// A printed D strikes all defenders in contact, but no headquarters.
	s = arena(t, clearGround(8, 8), infAt("a", red, 303), infAt("x", blue, 304), infAt("y", blue, 304), staffAt("hq", blue, 304))
	s.sc.Combat = always(CombatResult{DDisorg: true})
	o = battleOf(t, s, "0304 WITH A", "combat 0304", "3 4")
	want(t, "told", o.fact("combat-disorganized", "units"), "x, y")
	want(t, "the attacker", o.unit("a").disorganized(), false)
}

// WB-95 5.3.9: labels name the side where both sides have a unit of that name
func TestLabelsOfNamesakes(t *testing.T) {
	x := infAt("x", blue, 708).sp(1, 1, 3)
	y := infAt("y", red, 101)
	y.c.Name = "x"
	s := beaten(t, CombatResult{DRetreat: 2}, clearGround(15, 15), x, y)
	o := battleOf(t, s, "0708 WITH A; PURSUE NO", "combat 0708", "3 4", "retreat-test x BLUE 2", "1 1")
	want(t, "rolled", strings.Contains(o.kinds(), "combat-test"), true)
}
