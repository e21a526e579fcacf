package wb95

import (
	"fmt"
	"testing"

	"fieldpost/adjudicator/hex"
)

// facing puts fixed positions on a hex, towards some of its neighbours.
func facing(s *State, h hex.Hex, from ...hex.Hex) *State {
	for _, f := range from {
		s.sc.Fixed = append(s.sc.Fixed, FixedSide{h, f, 3})
	}
	return s
}

// WB-95 7.3.4: the book's example: 15 through the line, 5 and 10 past it
func TestExample734(t *testing.T) {
	place := func(b int) *State {
		s := arena(t, clearGround(12, 12), infAt("a", red, 605).sp(8, 15), infAt("b", red, 506).sp(3, b), infAt("c", red, 706).sp(5, 10),
			cannon("g", red, 604, 5, 3), infAt("x", blue, 606).sp(5, 10))
		return facing(s, 606, 605)
	}
	o := weighed(t, place(5), "0606 WITH a, b, c")
	want(t, "half of 15, 5 and 10", o.attack, 23)
	want(t, "half is enough", o.shifts(), "fixed positions -3")
	want(t, "guns are halved with those who go through", weighed(t, place(5), "0606 WITH a, b, c; ART g").attack, (15+5)/2+15)
	o = weighed(t, place(6), "0606 WITH a, b, c")
	want(t, "one point more in the rear", fmt.Sprint(o.attack, " ", o.shifts()), "24 fixed positions from the rear -1")
	s := place(5)
	want(t, "all from the rear", weighed(t, s, "0606 WITH b, c; ART g").attack, 20)
	// WB-95 7.3.5
	s = facing(arena(t, clearGround(12, 12), infAt("a", red, 605), infAt("x", blue, 606)), 605, 606)
	bound, due := s.duties(red)
	want(t, "units in fixed positions need not attack", len(bound)+len(due), 0)
	// WB-95 7.1.9
	s.Phase = 3
	_, v := obey(t, s, "A ENTRENCH")
	want(t, "nor entrench", v != nil && v.Clause == "WB-95 7.1.9", true)
}

// WB-95 7.3.6: to hold costs 0, 1 and 2 steps on D1, D2 and D3
func TestPriceInFixedPositions(t *testing.T) {
	for n := 1; n <= 3; n++ {
		s := facing(arena(t, clearGround(12, 12), infAt("a", red, 605), infAt("x", blue, 606).sp(1, 2, 3, 4)), 606, 605)
		s.sc.Combat = always(CombatResult{DRetreat: n})
		o := battleOf(t, s, "0606 WITH A; PURSUE NO", "combat 0606", "1 2", "retreat 0606 0606", "STAY")
		want(t, fmt.Sprint("steps after D", n), o.unit("x").Steps, 4-(n-1))
	}
}

// WB-95 7.3.7
func TestAlwaysSuppliedInFixedPositions(t *testing.T) {
	s := facing(clearGround(12, 12).position(t, infAt("a", red, 605), infAt("x", blue, 604), infAt("y", blue, 506), infAt("z", blue, 706)), 605, 604)
	s.checkSupply(red, nil)
	want(t, "in the Kharkov book", s.unit("a").Supplied, true)
}

// WB-95 19.1.4: the book's example, without its air support: 20 + 5 against 7 in a line
func TestExample1914(t *testing.T) {
	place := func(sp int) *State {
		s := arena(t, clearGround(12, 12), tankAt("a", red, 605).sp(10, 20), cannon("g", red, 604, 9, 3), infAt("x", blue, 606).sp(3, sp))
		s.sc.Fortified = []FortifiedSide{{606, 605, blue}}
		return s
	}
	o := weighed(t, place(7), "0606 WITH a; ART g")
	want(t, "29 halved", fmt.Sprintf("%d:%d %s -> %s", o.attack, o.defence, o.ratio, o.final), "15:7 2:1 -> 1:2")
	want(t, "a weak unit", weighed(t, place(4), "0606 WITH a").shifts(), "fortified line -1")
	s := place(7)
	s.unit("a").Hex = 506
	s.index()
	o = weighed(t, s, "0606 WITH a")
	want(t, "from the rear", fmt.Sprint(o.attack, o.shifts()), "20")
	s = place(7)
	s.sc.Fortified[0].Side = red
	o = weighed(t, s, "0606 WITH a")
	want(t, "a captured line", fmt.Sprint(o.attack, o.shifts()), "20captured fortified line -1")
	want(t, "is not a fortification for those who took it", s.fortified(606, blue), false)
	want(t, "and is one for its owner", place(7).fortified(606, blue), true)
}
