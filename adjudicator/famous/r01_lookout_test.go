package famous

import (
	"slices"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
)

// What a side is told to look at is what its units see: every hex of the map is or is
// not among them, and a clear line leads to each stack that it can inspect, by none of
// which a nearer unit could look. In every mode of the fog it is reckoned from the View.
func TestLookout(t *testing.T) {
	for _, id := range ids {
		for _, mode := range []adjudicator.Fog{adjudicator.FogRulebook, adjudicator.FogBlind, adjudicator.FogOpen} {
			g, s := underFog(t, id, mode)
			s.noteContacts()
			for k, side := range g.sc.Sides {
				lookout(t, g, s, k, s.view(side))
			}
		}
	}
}

func lookout(t *testing.T, g *Game, s *State, k int, v *view.View) {
	t.Helper()
	sight, err := g.Lookout(v)
	if err != nil {
		t.Fatal(err)
	}
	grid, side := g.sc.Board.Grid, Side(v.Side)
	for i := range grid.Len() {
		seen := false
		for j := range s.Units {
			u := &s.Units[j]
			seen = seen || u.Where == OnMap && u.c.Side == side && g.sc.ground[i].on && grid.Distance(u.Hex, grid.At(i)) <= 10 && brute(g.sc, u.Hex, grid.At(i))
		}
		if got := slices.Contains(sight.Hexes, grid.At(i)); got != seen {
			t.Errorf("%s %s: %v in sight: %v", g.sc.ID, side, grid.At(i), got)
		}
	}
	lines := map[bool]int{}
	for _, st := range v.Enemy {
		at := slices.IndexFunc(sight.Lines, func(l view.SightLine) bool { return l.To == st.Hex })
		near := 99 // the nearest own unit, and the nearest that can inspect the stack
		best := 99
		for j := range s.Units {
			if u := &s.Units[j]; u.Where == OnMap && u.c.Side == side {
				d := grid.Distance(u.Hex, st.Hex)
				if near = min(near, d); s.inspects(u.idx, grid.Index(st.Hex)) {
					best = min(best, d)
				}
			}
		}
		switch {
		case at < 0 && near <= 10:
			t.Errorf("%s %s: no line to %v", g.sc.ID, side, st.Hex)
		case at >= 0:
			l := sight.Lines[at]
			want := near
			if l.Clear {
				want = best
			}
			if l.Clear != (best < 99) || grid.Distance(l.From, l.To) != want || s.holder(l.From) != side {
				t.Errorf("%s %s: %+v, with units %d and %d hexes off", g.sc.ID, side, l, near, best)
			}
			lines[l.Clear]++
		}
	}
	if g.sc.ID == "gd-kursk" && g.sc.Fog == "" && (lines[true] == 0 || lines[false] == 0) {
		t.Errorf("%s: %v lines", side, lines)
	}
}

// Zones of control on the map are those of the units, as far as the side knows of them.
func TestZonesOnTheMap(t *testing.T) {
	g, s := underFog(t, "gd-kursk", adjudicator.FogOpen)
	for _, side := range g.sc.Sides {
		zones, err := g.Zones(s.view(side))
		if err != nil || len(zones) != 2 {
			t.Fatal(zones, err)
		}
		for k, z := range zones {
			if z.Side != string(g.sc.Sides[k]) {
				t.Errorf("the zones of %s are told as those of %s", g.sc.Sides[k], z.Side)
			}
			for i := range g.sc.Board.Grid.Len() {
				h := g.sc.Board.Grid.At(i)
				if on := s.zone[k][i] > 0; on != slices.Contains(z.Hexes, h) {
					t.Errorf("%s knows of zones of %s on %v: %v", side, z.Side, h, !on)
				}
			}
		}
	}
}
