package wb95

import (
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
)

// defaultSource names the published defaults.
const defaultSource = "the default"

// sources lists the doctrines that may answer for the units, the first that says
// something wins: the attack's own order, standing orders for one of the units,
// for a hex they stood on, for the whole side.
func (c *combat) sources(side Side, us []*Unit) []doctrine {
	var out []doctrine
	if side == c.side {
		out = append(out, c.order.how)
	}
	scope := func(ok func(standingOrder) bool) {
		for _, o := range c.inForce(side) {
			if ok(o) && o.guns == nil && o.speaksFor(c.s, us) {
				out = append(out, o.how)
			}
		}
	}
	scope(func(o standingOrder) bool { return o.unit != "" && covers(o, us) })
	scope(func(o standingOrder) bool {
		return o.at != hex.None && slices.ContainsFunc(us, func(u *Unit) bool { return c.stood(u) == o.at })
	})
	scope(func(o standingOrder) bool { return o.unit == "" && o.at == hex.None })
	return out
}

func covers(o standingOrder, us []*Unit) bool {
	return slices.ContainsFunc(us, func(u *Unit) bool { return u.c.Name == o.unit })
}

// skipped tells the owner that an order of his could not be obeyed.
func (c *combat) skipped(side Side, d doctrine, clause rule.Clause, why string) {
	c.toOwner(side, "standing-skipped", clause, []hex.Hex{c.at}, "source", d.source, "why", why)
}

// onRetreat tells whether the doctrine says anything on retreats.
func (d doctrine) onRetreat() bool {
	return d.retreat != "" || d.pay != nil || d.toward != hex.None && d.pursue == ""
}

// vital tells whether the default pays a step to keep the hex, and does not leave
// it empty to pursue: places, objectives, ends of bridges.
func (s *State) vital(h hex.Hex) bool {
	if s.objective(h) || s.sc.Board.Place(h) != nil {
		return true
	}
	return slices.ContainsFunc(s.Bridges, func(b Bridge) bool { return b.Stands && (b.Edge.A == h || b.Edge.B == h) })
}

// vital tells whether the hex is to be held: by s.vital, or by the side's mark.
func (b *battle) vital(side Side, h hex.Hex) bool {
	return b.s.vital(h) || slices.ContainsFunc(b.inForce(side), func(o standingOrder) bool { return o.at == h && o.how.vital })
}

// objective tells whether the victory conditions name the hex.
func (s *State) objective(h hex.Hex) bool {
	return slices.ContainsFunc(s.sc.Objectives, func(o Objective) bool { return o.Hex == h }) ||
		slices.ContainsFunc(s.sc.Strategic, func(o Strategic) bool { return slices.Contains(o.Hexes, h) })
}

// toRear is the distance from a hex to the nearest source of the side's supply.
func (s *State) toRear(h hex.Hex, side Side) int {
	return int(s.sc.network().rear[s.sc.number(side)][s.sc.Board.Grid.Index(h)])
}

// buildRear works it out for every hex.
func buildRear(sc *Scenario, side Side) []int16 {
	g, sources := &sc.Board.Grid, []hex.Hex(nil)
	for _, e := range sc.Supply[side].Edges {
		sources = append(sources, sc.Board.MapEdge(e)...)
	}
	for _, name := range sc.Supply[side].Places {
		if p := sc.Board.Named(name); p != nil {
			sources = append(sources, p.Hexes...)
		}
	}
	out := make([]int16, g.Len())
	for i := range out {
		out[i] = int16(g.Nearest(g.At(i), sources, 1000))
	}
	return out
}
