package steppe

import (
	"cmp"
	"fmt"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
)

// follow lets the attackers advance into the hex that is empty now: units that did not
// attack, and headquarters, are not among them.
//
// Steppe 10.4/7
// Steppe 10.4/8
//
// reading Steppe 10.4: the advance is made at once, and by any attackers; the programme says who,
// else doctrine. By doctrine the strongest infantry that is in supply takes a place of points, a
// city or a town, and nobody goes on to a second hex.
func (c *combat) follow() {
	for _, u := range c.advancers() {
		if c.mayAdvance(u) != "" {
			continue
		}
		answer := c.askAdvance(u)
		if answer == answerNo {
			continue // Steppe 10.4/4
		}
		to, _ := hex.Parse(answer) // one of the options
		way := []hex.Hex{u.Hex, c.target}
		if to != c.target {
			way = append(way, to)
		}
		from := u.Hex
		c.s.march(u, way)
		c.r.Tell(c.moveEvent("advance", u, from, way))
	}
}

// askAdvance asks whether a unit advances, and where to.
//
// Steppe 9.3/7
func (c *combat) askAdvance(u *Unit) string {
	proposal, source := c.goesOn(u)
	d := adjudicator.Decision{Label: fmt.Sprintf("advance %s %s", c.base, u.c.Name), Kind: kindAdvance, Side: c.side,
		Clause: "Steppe 10.4", Proposal: proposal, Source: source, Ordered: source == yourOrder,
		Options: []adjudicator.Option{
			{Answer: answerNo, Means: u.c.Name + " stays"},
			{Answer: c.target.String(), Means: u.c.Name + " advances to " + c.s.spot(c.target)}}}
	for _, h := range c.seconds(u) {
		d.Options = append(d.Options, adjudicator.Option{Answer: h.String(),
			Means: fmt.Sprintf("%s advances through %v to %s", u.c.Name, c.target, c.s.spot(h))})
	}
	if !slices.ContainsFunc(d.Options, func(o adjudicator.Option) bool { return o.Answer == d.Proposal }) {
		d.Proposal = c.target.String() // the second hex is closed
	}
	return c.r.Ask(d)[0]
}

// advancers are the attackers in the order in which they are asked: those that the order
// names first.
//
// Steppe 10.4/1
// Steppe 10.4/6
func (c *combat) advancers() []*Unit {
	us := c.living()
	slices.SortStableFunc(us, func(a, b *Unit) int {
		return cmp.Or(
			first(slices.Contains(c.in.advance, a), slices.Contains(c.in.advance, b)),
			first(!a.c.Mech, !b.c.Mech),
			b.face().Attack-a.face().Attack)
	})
	return us
}

// mayAdvance says why an attacker may not advance. Enemy zones of control are no reason.
//
// Steppe 10.4/2
func (c *combat) mayAdvance(u *Unit) string {
	d, _ := c.s.sc.land.grid.Direction(u.Hex, c.target)
	switch {
	// Steppe 10.4/5
	// Steppe 8.0/11
	case c.s.barred(c.s.ix(u.Hex), d):
		return "may not cross a Major River without a bridge"
	case !c.s.room(c.s.ix(c.target), u):
		return "finds no room"
	}
	return ""
}

// seconds are the hexes that a motorized unit may go on to.
//
// Steppe 10.4/3
// Steppe 10.4/9
//
// reading Steppe 10.4: the second hex is any beside the first that no enemy holds; zones of control
// do not matter for either; in mud there is no second hex.
func (c *combat) seconds(u *Unit) []hex.Hex {
	switch {
	case !u.fast():
		return nil
	case c.s.Ground == mud: // Steppe 3.1/9
		return nil
	}
	var out []hex.Hex
	i := c.s.ix(c.target)
	for d, n := range c.s.sc.land.near[i] {
		j := int(n)
		if j < 0 || c.s.barred(i, hex.Dir(d)) {
			continue
		}
		if h := c.s.hexAt(j); h != u.Hex && c.s.room(j, u) {
			out = append(out, h)
		}
	}
	return out
}

// fast: of a mechanized type or motorized.
func (u *Unit) fast() bool { return u.c.Mech || u.c.Motorized }

// yourOrder is the source of a proposal that an order of this very case gives.
const yourOrder = "your order"

// goesOn is whether a unit advances by order or doctrine.
func (c *combat) goesOn(u *Unit) (answer, source string) {
	if answer := c.orderedAdvance(u); answer != "" {
		return answer, yourOrder
	}
	takesIt := false
	source = "standing order"
	free := len(c.s.unitsAt(c.target)) == 0
	switch c.doc.advance {
	case advanceNever:
	case advanceAll:
		takesIt = true
	case advanceToKey:
		takesIt = free && (c.in.key || c.doc.isKey(c.target))
	default:
		takesIt, source = free && c.takesPlace(u), "doctrine"
	}
	if takesIt {
		return c.target.String(), source
	}
	return answerNo, source
}

// orderedAdvance is what the order of the attack says about a unit's advance, "" if it
// says nothing.
func (c *combat) orderedAdvance(u *Unit) string {
	switch {
	case c.in.noAdvance:
		return answerNo
	case len(c.in.advance) == 0:
		return ""
	case !slices.Contains(c.in.advance, u):
		return answerNo
	case c.in.second != hex.None && u.fast():
		return c.in.second.String()
	}
	return c.target.String()
}

// takesPlace tells whether a unit takes the hex by doctrine: a place of points, a city
// or a town, infantry before armor, and only in supply.
func (c *combat) takesPlace(u *Unit) bool {
	if !c.s.isObjective(c.target) && !c.s.sc.land.place[c.s.ix(c.target)] {
		return false
	}
	if u.c.Mech && slices.ContainsFunc(c.living(), func(o *Unit) bool { return !o.c.Mech }) {
		return false
	}
	return c.s.linked(c.side, c.s.ix(u.Hex))
}
