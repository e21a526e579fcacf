package steppe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
)

// follow lets the attackers advance into the hex that is empty now.
//
// Steppe 10.4/1
// Steppe 10.4/2
// Steppe 10.4/4
// Steppe 10.4/6
// Steppe 10.4/7
// Steppe 10.4/8
// Steppe 9.3/7
// Steppe 9.3/8
//
// reading Steppe 10.4: at once, and by any attackers; the programme says who, else
// doctrine. By doctrine the strongest infantry that is in supply takes a place of points,
// a city or a town, and nobody goes on to a second hex.
func (c *combat) follow() {
	for _, u := range c.advancers() {
		if c.mayAdvance(u) != "" {
			continue
		}
		proposal, source, ordered := c.goesOn(u)
		d := adjudicator.Decision{Label: fmt.Sprintf("advance %s %s", strings.TrimPrefix(c.label, "combat "), u.c.Name), Kind: kindAdvance, Side: c.side, Clause: "Steppe 10.4",
			Proposal: proposal, Source: source, Ordered: ordered,
			Options: []adjudicator.Option{{Answer: answerNo, Means: u.c.Name + " stays"}, {Answer: c.target.String(), Means: u.c.Name + " advances to " + c.s.spot(c.target)}}}
		for _, h := range c.seconds(u) {
			d.Options = append(d.Options, adjudicator.Option{Answer: h.String(), Means: fmt.Sprintf("%s advances through %v to %s", u.c.Name, c.target, c.s.spot(h))})
		}
		if !slices.ContainsFunc(d.Options, func(o adjudicator.Option) bool { return o.Answer == d.Proposal }) {
			d.Proposal = c.target.String() // the second hex is closed
		}
		answer := c.r.Ask(d)[0]
		if answer == answerNo {
			continue
		}
		to, _ := hex.Parse(answer) // one of the options
		way := []hex.Hex{u.Hex, c.target}
		if to != c.target {
			way = append(way, to)
		}
		from := u.Hex
		c.s.march(u, way)
		c.tellMove("advance", u, from, way)
	}
	c.s.trimAll(c.r)
}

// advancers are the attackers in the order in which they are asked: those that the order
// names first.
func (c *combat) advancers() []*Unit {
	us := c.living()
	slices.SortStableFunc(us, func(a, b *Unit) int {
		return cmp.Or(first(slices.Contains(c.in.advance, a), slices.Contains(c.in.advance, b)), first(!a.c.Mech, !b.c.Mech), b.face().Attack-a.face().Attack)
	})
	return us
}

// mayAdvance says why an attacker may not advance.
//
// Steppe 10.4/3
// Steppe 10.4/5
// Steppe 8.0/11
func (c *combat) mayAdvance(u *Unit) string {
	i := c.s.ix(u.Hex)
	d, ok := c.s.sc.land.grid.Direction(u.Hex, c.target)
	switch {
	case !ok:
		return "is not beside the hex"
	case c.s.barred(i, d):
		return "may not cross a Major River without a bridge"
	case !c.s.room(c.s.ix(c.target), u):
		return "finds no room"
	}
	return ""
}

// seconds are the hexes that a motorized unit may go on to.
//
// Steppe 10.4/3
// Steppe 3.1/9
//
// reading Steppe 10.4: any hex beside the first that no enemy holds; zones of control do
// not matter for either; in mud there is no second hex.
func (c *combat) seconds(u *Unit) []hex.Hex {
	if !u.c.Mech && !u.c.Motorized || c.s.Ground == mud {
		return nil
	}
	var out []hex.Hex
	i := c.s.ix(c.target)
	for d := hex.N; d <= hex.NW; d++ {
		j := int(c.s.sc.land.near[i][d])
		if j >= 0 && !c.s.barred(i, d) && c.s.hexAt(j) != u.Hex && c.s.room(j, u) {
			out = append(out, c.s.hexAt(j))
		}
	}
	return out
}

// goesOn is whether a unit advances by order or doctrine.
func (c *combat) goesOn(u *Unit) (answer, source string, ordered bool) {
	switch {
	case c.in.noAdvance:
		return answerNo, "your order", true
	case slices.Contains(c.in.advance, u):
		if c.in.second != hex.None && (u.c.Mech || u.c.Motorized) {
			return c.in.second.String(), "your order", true
		}
		return c.target.String(), "your order", true
	case len(c.in.advance) > 0:
		return answerNo, "your order", true
	}
	place := c.s.isObjective(c.target) || c.s.sc.land.place[c.s.ix(c.target)]
	key := c.doc.isKey(c.target) || c.in.key
	taken := len(c.s.unitsAt(c.target)) > 0
	switch c.doc.advance {
	case "NO":
		return answerNo, "standing order", false
	case "ALL":
		return c.target.String(), "standing order", false
	case "KEY":
		if key && !taken {
			return c.target.String(), "standing order", false
		}
		return answerNo, "standing order", false
	}
	if place && !taken && (!u.c.Mech || !slices.ContainsFunc(c.living(), func(o *Unit) bool { return !o.c.Mech })) && c.s.linked(c.side, c.s.ix(u.Hex)) {
		return c.target.String(), "doctrine", false
	}
	return answerNo, "doctrine", false
}
