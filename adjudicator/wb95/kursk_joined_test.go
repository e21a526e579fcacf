package wb95

import (
	"slices"
	"testing"
)

func TestBothFrontsOfKursk(t *testing.T) {
	sc, north, south := loadNamed(t, "kursk-joined"), loadNamed(t, "kursk"), loadNamed(t, "prokhorovka")
	want(t, "turns", sc.Turns, 19)
	want(t, "set up", len(sc.Setup), len(north.Setup)+len(south.Setup))
	want(t, "counters: XVIII ARM once", len(sc.Counters), len(north.Counters)+len(south.Counters)-4)
	want(t, "arrivals", len(sc.Arrivals), len(north.Arrivals)+len(south.Arrivals)-4)
	want(t, "lines", len(sc.Fortified), len(north.Fortified)+len(south.Fortified))
	want(t, "air", sc.Air["GERMAN"][0], 30)
	want(t, "air after 20 July", sc.Air["GERMAN"][16], 10)
	want(t, "no points for XVIII ARM", slices.ContainsFunc(sc.Awards, func(a Award) bool { return slices.Contains(a.Formations, "XVIII ARM") }), false)
	s := sc.opening()
	want(t, "points at the start", s.points("GERMAN")+s.points("SOVIET"), 0)
	// Both maps begin as they do alone: who is in supply, who holds what.
	for _, part := range []*Scenario{north, south} {
		alone := part.opening()
		for _, side := range part.Sides {
			a, b := alone.linesOfSupply(side), s.linesOfSupply(side)
			for _, u := range alone.onMap(side) {
				if v := s.unit(u.ID); v.Hex != u.Hex || a.reaches(u) && !b.reaches(v) {
					t.Errorf("%s stands on %v, supplied %v; joined on %v, supplied %v", u.c.Name, u.Hex, a.reaches(u), v.Hex, b.reaches(v))
				}
			}
		}
		for i := range part.Board.Grid.Len() {
			h := part.Board.Grid.At(i)
			if part.Board.On(h) && slices.Contains([]Side{"GERMAN", "SOVIET"}, alone.controller(h)) && s.controller(h) != alone.controller(h) {
				// Only near the seam may a unit of the other map be nearer.
				if north := h.Col() < 32; north && h.Row() < 14 || !north && h.Row() > 14 {
					t.Errorf("%v belongs to %s, alone to %s", h, s.controller(h), alone.controller(h))
				}
			}
		}
	}
	// The edges are those of the joined ground.
	want(t, "north", len(sc.Board.MapEdge("north")), 31)
	want(t, "south", len(sc.Board.MapEdge("south")), 31)
	want(t, "east", len(sc.Board.MapEdge("east")), 28+37)
}

// A unit walks from one map to the other.
func TestWalkOverTheSeam(t *testing.T) {
	sc := loadNamed(t, "kursk-joined")
	s := sc.opening()
	s.Phase = 9
	u := s.unit("sov-309-inf")
	s.put(u, 1026)
	if text, v := obey(t, s, "309 INF TO 4200"); v != nil {
		t.Fatalf("%s: %v", text, v)
	}
	want(t, "arrived", u.Hex.String(), "4200")
	want(t, "one way back", s.sc.Board.Grid.Distance(u.Hex, 1026), 2)
}

// The reserves of the STAWKA come on either map, or not at all.
func TestReservesOnEitherMap(t *testing.T) {
	for _, zone := range []string{"E", "ES"} {
		s := loadNamed(t, "kursk-joined").opening()
		s.Turn, s.Phase = 8, 9
		if _, v := obey(t, s, "18/II MOT ENTER "+zone); v != nil {
			t.Errorf("%s: %v", zone, v)
		}
		want(t, zone, s.points("GERMAN"), 3)
	}
}
