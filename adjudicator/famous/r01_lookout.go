package famous

import (
	"maps"
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// Lookout implements adjudicator.Observer: every hex in a line of sight of an own
// unit, and for each enemy stack within its reach the line from the nearest unit,
// if there is one from which the stack can be inspected.
func (g *Game) Lookout(v *view.View) (*view.Lookout, error) {
	s, err := g.sc.believe(v)
	if err != nil {
		return nil, err
	}
	grid := g.sc.Board.Grid
	side := Side(v.Side)
	out := &view.Lookout{Side: v.Side}
	var own []int
	for i := range s.at {
		if s.holds(i) == g.sc.number(side) {
			own = append(own, i)
		}
	}
	for i := range grid.Len() {
		if g.sc.ground[i].on && slices.ContainsFunc(own, func(from int) bool { return g.sc.sees(from, i) }) {
			out.Hexes = append(out.Hexes, grid.At(i))
		}
	}
	for _, st := range v.Enemy {
		if l := s.lineTo(st.Hex, own); l.From != hex.None {
			out.Lines = append(out.Lines, l)
		}
	}
	return out, nil
}

// lineTo is the line to a hex from the nearest of some, one from which it can be
// inspected before all others; from nowhere if all are too far off.
func (s *State) lineTo(to hex.Hex, own []int) view.SightLine {
	g := s.sc.Board.Grid
	best, near := view.SightLine{To: to}, sightRange+1
	for _, from := range own {
		d, clear := g.Distance(g.At(from), to), s.inspects(from, g.Index(to))
		if d > sightRange {
			continue
		}
		nearer := clear == best.Clear && d < near
		if nearer || clear && !best.Clear {
			best, near = view.SightLine{From: g.At(from), To: to, Clear: clear}, d
		}
	}
	return best
}

// Supply implements adjudicator.Supplier: the hexes that a path joins to a headquarters that is supplied
// itself.
func (g *Game) Supply(v *view.View) ([]hex.Hex, error) {
	s, err := g.sc.believe(v)
	if err != nil {
		return nil, err
	}
	side := g.sc.number(Side(v.Side))
	p := s.supplyPaths(int8(side))
	hqs := slices.Collect(maps.Values(s.commanded(Side(v.Side), p)))
	out := []hex.Hex{}
	for i := range s.at {
		joins := func(hq *Unit) bool { return s.joined(p, i, hq.idx) }
		open := g.sc.ground[i].on && s.holds(i) != 1-side
		if open && slices.ContainsFunc(hqs, joins) {
			out = append(out, g.sc.Board.Grid.At(i))
		}
	}
	return out, nil
}

// Zones implements adjudicator.Zoner.
func (g *Game) Zones(v *view.View) ([]view.Zone, error) {
	s, err := g.sc.believe(v)
	if err != nil {
		return nil, err
	}
	var out []view.Zone
	for k, side := range g.sc.Sides {
		z := view.Zone{Side: string(side)}
		for i, n := range s.zone[k] {
			if h := g.sc.Board.Grid.At(i); n > 0 && g.sc.Board.On(h) {
				z.Hexes = append(z.Hexes, h)
			}
		}
		out = append(out, z)
	}
	return out, nil
}
