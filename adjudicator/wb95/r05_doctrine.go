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
	for _, rank := range []scope{forUnit, forHex, forAll} {
		for _, o := range c.inForce(side) {
			if o.guns != nil || o.scope() != rank {
				continue
			}
			if o.covers(us, c.stood) && o.speaksFor(c.s, us) {
				out = append(out, o.how)
			}
		}
	}
	return out
}

// scope is whom a standing order is for; the narrower one goes before the wider.
type scope int

const (
	forUnit scope = iota
	forHex
	forAll
)

func (o standingOrder) scope() scope {
	switch {
	case o.unit != "":
		return forUnit
	case o.at != hex.None:
		return forHex
	}
	return forAll
}

// covers tells whether one of the units, by where they stood, is in the order's scope.
func (o standingOrder) covers(us []*Unit, stood func(*Unit) hex.Hex) bool {
	switch o.scope() {
	case forUnit:
		return slices.ContainsFunc(us, func(u *Unit) bool { return u.c.Name == o.unit })
	case forHex:
		return slices.ContainsFunc(us, func(u *Unit) bool { return stood(u) == o.at })
	}
	return true
}

// skipped tells the owner that one of their orders could not be obeyed.
func (c *combat) skipped(side Side, d doctrine, clause rule.Clause, why string) {
	c.toOwner(side, "standing-skipped", clause, []hex.Hex{c.at}, "source", d.source, "why", why)
}

// onRetreat tells whether the doctrine says anything on retreats.
func (d doctrine) onRetreat() bool {
	switch {
	case d.retreat != "", d.pay != nil:
		return true
	}
	return d.toward != hex.None && d.pursue == ""
}

// vital tells whether the default pays a step to keep the hex, and does not leave
// it empty to pursue: places, objectives, ends of bridges.
func (s *State) vital(h hex.Hex) bool {
	if s.objective(h) || s.sc.Board.Place(h) != nil {
		return true
	}
	return slices.ContainsFunc(s.Bridges, func(b Bridge) bool { return b.Stands && b.touches(h) })
}

// touches tells whether the bridge leads to the hex.
func (b Bridge) touches(h hex.Hex) bool { return b.Edge.A == h || b.Edge.B == h }

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
	for i, n := range g.Nearest(sources, 1000) {
		out[i] = int16(n)
	}
	return out
}
