package steppe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// The kinds of decisions. KindActivation may be asked by mail; the others are answered
// from doctrine, STALWART by a game's choice.
const (
	KindOrders     = "turn orders"
	KindActivation = adjudicator.KindActivation
	kindLoss       = "loss"
	kindAir        = "air"
	kindDogfight   = "dogfight-loss"
	kindArtillery  = "artillery"
	kindStalwart   = "stalwart"
	kindRetreat    = "retreat"
	kindAdvance    = "advance"
	kindAntiTank   = "anti-tank"
	kindCancel     = "cancel"
	kindOverstack  = "overstack"
)

// The answers yes and no.
const (
	answerYes = "YES"
	answerNo  = "NO"
)

// stepOptions are the units that may take a loss.
func stepOptions(us []*Unit) []adjudicator.Option {
	var out []adjudicator.Option
	for _, u := range us {
		means := u.c.Name + " is turned over"
		if u.Steps == 1 {
			means = u.c.Name + " is eliminated"
		}
		out = append(out, adjudicator.Option{Answer: u.c.Name, Means: means})
	}
	return out
}

// implement carries out a result: losses of both sides, stalwart defence, retreat and
// advance, in that order.
//
// Steppe 10.2/3
// Steppe 10.2/4
func (c *combat) implement(res Result) {
	c.sashed = slices.DeleteFunc(c.defenders(), func(u *Unit) bool { return !u.red() })
	c.losses(res)
	defenders := c.defenders()
	gone := len(defenders) == 0
	if res.Retreat > 0 && !gone {
		gone = c.drive(defenders, res.Retreat)
	}
	if !gone {
		return
	}
	for _, u := range c.overrun {
		if u.Where == OnMap {
			// Steppe 9.3/6
			c.marked = append(c.marked, u)
			c.s.Marked[sideIndex(c.side)] = true
			c.r.Tell(view.Event{Kind: "overrun", Clause: "Steppe 9.3", Side: string(c.side), Hexes: []hex.Hex{u.Hex}, Facts: map[string]string{"unit": u.c.Name, "hex": c.s.spot(c.target)}})
		}
	}
	c.follow()
}

// losses takes the steps of both sides, one by one; neither side sees the other's
// choice of the same step.
//
// Steppe 10.2/5
// Steppe 10.2/6
// Steppe 10.2/7
// Steppe 10.2/8
// Steppe 10.2/9
// Steppe 2.4/13
//
// reading Steppe 10.2: a result of 2 is two steps of the side, spread as its owner likes;
// what exceeds the steps present is void. Any loss that falls on a lone headquarters
// eliminates it.
func (c *combat) losses(res Result) {
	for n := 1; n <= max(res.ALoss, res.DLoss); n++ {
		var ds []adjudicator.Decision
		var sides []Side
		ask := func(side Side, who string, us []*Unit, d *doctrine, order []string) {
			us = takers(us)
			if len(us) == 0 {
				return
			}
			dec := adjudicator.Decision{Label: fmt.Sprintf("loss %s %s %d", strings.TrimPrefix(c.label, "combat "), who, n), Kind: kindLoss, Side: side, Clause: "Steppe 10.2",
				Options: stepOptions(us)}
			dec.Proposal, dec.Source, dec.Ordered = c.loser(us, d, order, who == "defender" && res.Retreat > 0)
			ds, sides = append(ds, dec), append(sides, side)
		}
		if n <= res.ALoss {
			ask(c.side, "attacker", c.living(), c.doc, c.in.losses)
		}
		if n <= res.DLoss {
			ask(c.enemy, "defender", c.defenders(), c.def, nil)
		}
		if len(ds) == 0 {
			return
		}
		for i, name := range c.r.Ask(ds...) {
			c.s.loseStep(c.r, c.s.byName(sides[i], name))
		}
	}
}

// living are the attackers that are left.
func (c *combat) living() []*Unit {
	return slices.DeleteFunc(slices.Clone(c.units), func(u *Unit) bool { return u.Where != OnMap })
}

// takers are the units that may take a loss: combat units; a headquarters only where
// nothing else is left.
func takers(us []*Unit) []*Unit {
	if hasCombat(us) {
		return slices.DeleteFunc(slices.Clone(us), func(u *Unit) bool { return !u.combat() })
	}
	return us
}

// loser is the unit that takes a step by orders or doctrine: Kampfgruppen first, then
// units that only flip before units that die, then lowest points; never the unit that
// is to be kept; in a hex that must retreat, one that cannot first.
func (c *combat) loser(us []*Unit, d *doctrine, order []string, retreat bool) (name, source string, ordered bool) {
	source = "doctrine"
	for k, list := range [][]string{order, d.losses} {
		switch {
		case len(list) == 0:
			continue
		case list[0] == "WEAKEST" || list[0] == "STRONGEST":
			us = slices.Clone(us)
			slices.SortStableFunc(us, func(a, b *Unit) int {
				n := a.face().Attack + a.face().Defence - b.face().Attack - b.face().Defence
				if list[0] == "STRONGEST" {
					return -n
				}
				return n
			})
			return us[0].c.Name, "standing order: " + strings.ToLower(list[0]) + " first", k == 0
		}
		for _, n := range list {
			if i := slices.IndexFunc(us, func(u *Unit) bool { return u.c.Name == n }); i >= 0 {
				return n, "your order", k == 0
			}
		}
	}
	best := slices.MinFunc(us, func(a, b *Unit) int {
		return cmp.Or(first(slices.Contains(d.keep, b.c.Name), slices.Contains(d.keep, a.c.Name)), first(c.trapped(a, retreat), c.trapped(b, retreat)),
			first(a.c.KG, b.c.KG), first(a.Steps > 1, b.Steps > 1), c.s.worth(a)-c.s.worth(b), a.face().Attack+a.face().Defence-b.face().Attack-b.face().Defence)
	})
	return best.c.Name, source, false
}

// trapped tells whether a unit that must retreat has no way.
func (c *combat) trapped(u *Unit, retreat bool) bool {
	return retreat && len(c.s.retreats(u, 2)) == 0
}

// first orders what is true before what is false.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}
