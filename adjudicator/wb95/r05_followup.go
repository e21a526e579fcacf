package wb95

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator/hex"
)

// reply is a proposed answer and where it comes from.
type reply struct{ answer, source string }

// zeal is how a doctrine, or the default, wants a unit to pursue.
type zeal struct {
	hexes   int // at most
	toward  hex.Hex
	advance bool // the second step of 5.4.10
	source  string
}

// zealOf finds how far a unit is to go: its side's order for the attack or the
// most special standing order that speaks of pursuit, else the default. An order
// that names no units sends the one that the default would send, the chosen one.
//
// WB-95 5.4.1
func (c *combat) zealOf(side Side, u, chosen *Unit, t chase) zeal {
	for _, d := range c.sources(side, []*Unit{u}) {
		if d.pursue == "" && !d.advance {
			continue
		}
		z := zeal{toward: d.toward, advance: d.advance, source: d.source}
		if c.sends(d, side, u, chosen) {
			z.hexes = d.reach()
		}
		return z
	}
	z := zeal{source: defaultSource}
	if u == chosen && (side == c.side || c.s.objective(t.hexes[0])) {
		z.hexes = 1
	}
	return z
}

// sends tells whether an order on pursuit is for the unit: it names it, was given to it
// alone, or names nobody and the unit is the one that would go by default.
func (c *combat) sends(d doctrine, side Side, u, chosen *Unit) bool {
	switch {
	case slices.ContainsFunc(d.with, func(n string) bool { return strings.EqualFold(n, u.c.Name) }):
		return true
	case c.ownOrder(side, u, d):
		return true
	}
	return len(d.with) == 0 && u == chosen
}

// ownOrder tells whether the doctrine is a standing order for this very unit.
func (c *combat) ownOrder(side Side, u *Unit, d doctrine) bool {
	return slices.ContainsFunc(c.inForce(side), func(o standingOrder) bool { return o.unit == u.c.Name && o.how.source == d.source })
}

// reach is how many hexes the doctrine goes at most.
func (d doctrine) reach() int {
	switch d.pursue {
	case pursueNo:
		return 0
	case pursueFull:
		return 99
	case pursueOccupy, "":
		return 1
	}
	n, _ := strconv.Atoi(d.pursue)
	return n
}

// chosen is the unit that goes if no order names one: the strongest that can
// and leaves no vital hex empty; nil if there is none.
func (c *combat) chosen(us []*Unit, t chase) *Unit {
	var best *Unit
	for i, u := range us {
		if u.c.Type == HQ || len(t.open[i]) == 0 {
			continue
		}
		if len(c.s.unitsAt(u.Hex)) == 1 && c.s.vital(u.Hex) {
			continue
		}
		if best == nil || strongestFirst(u, best) < 0 {
			best = u
		}
	}
	return best
}

// pursuitPlan proposes for each unit what it does.
//
// WB-95 5.4.1
// reading WB-95 5.4.1: without orders the attacker's strongest unit takes the
// emptied hex and the defender stays, unless the hex is an objective. An order to pursue
// that names nobody sends the strongest unit alone.
func (c *combat) pursuitPlan(side Side, us []*Unit, t chase) []reply {
	out, chosen := make([]reply, len(us)), c.chosen(us, t)
	for i, u := range us {
		z := c.zealOf(side, u, chosen, t)
		out[i] = reply{answerNo, z.source}
		if r := c.routeBy(t.open[i], t, z); r != nil {
			out[i].answer = trail(r)
		}
	}
	return out
}

// routeBy is the one of the routes that fits best, nil for none.
func (c *combat) routeBy(routes [][]hex.Hex, t chase, z zeal) []hex.Hex {
	limit := z.hexes
	if t.advance {
		limit = min(limit, 1)
		if z.hexes > 0 && z.advance {
			limit = 2
		}
	}
	fit := slices.DeleteFunc(slices.Clone(routes), func(r []hex.Hex) bool { return len(r) > limit })
	if len(fit) == 0 {
		return nil
	}
	g := c.s.sc.Board.Grid
	return slices.MinFunc(fit, func(a, b []hex.Hex) int {
		d := 0
		if z.toward != hex.None {
			d = g.Distance(a[len(a)-1], z.toward) - g.Distance(b[len(b)-1], z.toward)
		}
		onChase := func(r []hex.Hex) int { return btoi(len(r) <= len(t.hexes) && slices.Equal(r, t.hexes[:len(r)])) }
		return cmp.Or(d, len(b)-len(a), onChase(b)-onChase(a), slices.Compare(a, b))
	})
}

// proposeChase proposes which of several ways is followed: the one on which the
// orders get farthest and nearest to what they name; an objective first.
//
// WB-95 5.4.3
func (c *combat) proposeChase(side Side, us []*Unit, chases []chase) (answer, source string) {
	type merit struct {
		length, away, objective int
		source                  string
	}
	best, at := merit{}, -1
	for i, t := range chases {
		chosen := c.chosen(us, t)
		for j, u := range us {
			z := c.zealOf(side, u, chosen, t)
			r := c.routeBy(t.open[j], t, z)
			if r == nil {
				continue
			}
			m := merit{length: len(r), objective: btoi(c.s.objective(t.hexes[0])), source: z.source}
			if z.toward != hex.None {
				m.away = c.s.sc.Board.Grid.Distance(r[len(r)-1], z.toward)
			}
			if at < 0 || cmp.Or(best.objective-m.objective, m.away-best.away, best.length-m.length) < 0 {
				best, at = m, i
			}
		}
	}
	if at < 0 {
		return answerNo, defaultSource
	}
	return chases[at].answer, best.source
}
