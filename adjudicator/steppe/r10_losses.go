package steppe

import (
	"cmp"
	"fmt"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// The kinds of decisions. KindActivation and the Backhand Blow may be asked by mail; the
// others are answered from doctrine, STALWART by a game's choice.
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
	kindBackhand   = "backhand"
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
	if len(defenders) > 0 {
		if res.Retreat == 0 || !c.drive(defenders, res.Retreat) {
			return
		}
	}
	for _, u := range c.overrun {
		if u.Where == OnMap {
			c.markOverrun(u)
		}
	}
	c.follow()
}

// markOverrun gives a unit an overrun marker: all defenders are gone. It keeps it
// whether it advances or not.
//
// Steppe 9.3/6
// Steppe 9.3/8
func (c *combat) markOverrun(u *Unit) {
	c.marked = append(c.marked, u)
	c.s.Marked[sideIndex(c.side)] = true
	e := c.eventHere("overrun", "Steppe 9.3", c.side, view.Pairs{"unit", u.c.Name, "hex", c.s.spot(c.target)})
	e.Hexes = []hex.Hex{u.Hex}
	c.r.Tell(e)
}

// loss is a question that waits: which unit of a side takes a step.
type loss struct {
	side Side
	d    adjudicator.Decision
}

// losses takes the steps of both sides, one by one; neither side sees the other's
// choice of the same step.
//
// Steppe 10.2/6
//
// reading Steppe 10.2: a result of 2 is two steps of the side, spread as its owner likes;
// what exceeds the steps present is void. Any loss that falls on a lone headquarters
// eliminates it.
func (c *combat) losses(res Result) {
	for n := 1; n <= max(res.ALoss, res.DLoss); n++ {
		var asked []loss
		if us := takers(c.living()); n <= res.ALoss && len(us) > 0 {
			d := c.lossOf(attacker, us, n)
			d.Proposal, d.Source, d.Ordered = c.attackersLoss(us)
			asked = append(asked, loss{c.side, d})
		}
		if us := takers(c.defenders()); n <= res.DLoss && len(us) > 0 {
			d := c.lossOf(defender, us, n)
			d.Proposal, d.Source = c.loser(us, c.def, res.Retreat > 0)
			asked = append(asked, loss{c.enemy, d})
		}
		if len(asked) == 0 {
			return
		}
		c.takeSteps(asked)
	}
}

// takeSteps puts the questions to both sides at once and takes the steps.
func (c *combat) takeSteps(asked []loss) {
	var ds []adjudicator.Decision
	for _, l := range asked {
		ds = append(ds, l.d)
	}
	for i, name := range c.r.Ask(ds...) {
		c.s.loseStep(c.r, c.s.byName(asked[i].side, name)) // Steppe 10.2/5
	}
}

// lossOf asks the owner of a stack for the n-th step of a result.
//
// Steppe 10.2/7
func (c *combat) lossOf(k role, us []*Unit, n int) adjudicator.Decision {
	return adjudicator.Decision{Label: fmt.Sprintf("loss %s %v %d", c.base, k, n), Kind: kindLoss, Side: c.sideOf(k),
		Clause: "Steppe 10.2", Options: stepOptions(us)}
}

// living are the attackers that are left.
func (c *combat) living() []*Unit {
	return slices.DeleteFunc(slices.Clone(c.units), func(u *Unit) bool { return u.Where != OnMap })
}

// takers are the units that may take a loss: combat units; a headquarters only where
// nothing else is left.
//
// Steppe 10.2/9
// Steppe 2.4/13
func takers(us []*Unit) []*Unit {
	if hasCombat(us) {
		return slices.DeleteFunc(slices.Clone(us), func(u *Unit) bool { return !u.combat() })
	}
	return us
}

// attackersLoss is the attacker that takes a step: by the order of the attack if it
// says, else as for any loss.
func (c *combat) attackersLoss(us []*Unit) (name, source string, ordered bool) {
	if name, source := byList(us, c.in.losses); name != "" {
		return name, source, true
	}
	name, source = c.loser(us, c.doc, false)
	return name, source, false
}

// byList is the unit that a list of losses names first, "" if none of them is there.
func byList(us []*Unit, list []string) (name, source string) {
	if len(list) == 0 {
		return "", ""
	}
	switch list[0] {
	case "WEAKEST":
		return slices.MinFunc(us, byStrength).c.Name, "standing order: weakest first"
	case "STRONGEST":
		strongest := slices.MinFunc(us, func(a, b *Unit) int { return byStrength(b, a) })
		return strongest.c.Name, "standing order: strongest first"
	}
	for _, n := range list {
		if slices.ContainsFunc(us, func(u *Unit) bool { return u.c.Name == n }) {
			return n, yourOrder
		}
	}
	return "", ""
}

// byStrength orders units by their printed strengths, the weaker first.
func byStrength(a, b *Unit) int {
	return a.face().Attack + a.face().Defence - b.face().Attack - b.face().Defence
}

// loser is the unit that takes a step by doctrine: what the standing order says, else
// Kampfgruppen first, then units that only flip before units that die, then lowest
// points; never the unit that is to be kept; in a hex that must retreat, one that cannot
// first.
func (c *combat) loser(us []*Unit, d *doctrine, retreat bool) (name, source string) {
	if name, source := byList(us, d.losses); name != "" {
		return name, source
	}
	kept := func(u *Unit) bool { return slices.Contains(d.keep, u.c.Name) }
	trapped := func(u *Unit) bool { return retreat && len(c.s.retreats(u, 2)) == 0 }
	best := slices.MinFunc(us, func(a, b *Unit) int {
		return cmp.Or(
			first(kept(b), kept(a)),
			first(trapped(a), trapped(b)),
			first(a.c.KG, b.c.KG),
			first(a.Steps > 1, b.Steps > 1),
			c.s.worth(a)-c.s.worth(b),
			byStrength(a, b))
	})
	return best.c.Name, "doctrine"
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
