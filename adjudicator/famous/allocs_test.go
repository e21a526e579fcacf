package famous

import "testing"

// The inner loops of movement take no memory: a search, the step of a unit with the zones
// of control that go with it, and the look whether anybody may fire at it.
func TestMovementTakesNoMemory(t *testing.T) {
	s := load(t, "gd-kursk").opening()
	s.Phase, s.Weather = 3, 2
	u := s.unit("ger-1fus-1k")
	if u == nil || !u.onMap() {
		t.Fatal("no such unit on the map")
	}
	here, g := u.Hex, &s.sc.Board.Grid
	to := here
	for _, h := range g.Neighbours(here) {
		if i := g.Index(h); s.sc.ground[i].on && s.holds(i) < 0 {
			to = h
		}
	}
	if to == here {
		t.Fatal("the unit is shut in")
	}
	for what, do := range map[string]func(){
		"a search":                func() { s.sc.done(s.search(u, u.idx, false)) },
		"a search for a goal":     func() { s.sc.done(s.searchOn(u, u.idx, terms{goal: to})) },
		"a step there and back":   func() { s.put(u, to); s.put(u, here) },
		"a look for who may fire": func() { s.watchers(u.c.side, g.Index(to)) },
		"a look for who sees it":  func() { s.watches(s.sc.Other(u.c.Side), to) },
	} {
		do() // lines of sight are drawn once
		if n := testing.AllocsPerRun(50, do); n >= 1 {
			t.Errorf("%s takes memory %v times", what, n)
		}
	}
}
