package wb95

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
)

// losses takes what the table demands, the attacker's first.
//
// WB-95 5.1.8
// reading WB-95 5.1.8: the units in contact and headquarters on their hexes may
// lose steps, and guns that support from beside the enemy (6.3.5); of the
// attacker's hexes only the units that attack.
// reading WB-95 5.2.1: both sides lose at once; each owner knows both results.
func (c *combat) losses() {
	byTable := payment{what: "loss", why: "by the table", clause: "WB-95 5.1.8"}
	attacker, defender := byTable, byTable
	attacker.side, attacker.steps = c.side, c.result.ALoss
	attacker.payers = func() []*Unit { return c.s.alive(c.s.all(c.units, c.staff, c.exposed[c.side])) }
	defender.side, defender.steps = c.other, c.result.DLoss
	defender.payers = func() []*Unit { return c.s.alive(c.s.all(c.defenders, c.exposed[c.other])) }
	c.lose(attacker)
	c.lose(defender)
}

// payment is steps that a side has to lose.
type payment struct {
	side   Side
	steps  int
	payers func() []*Unit // who may lose the next one
	what   string         // in the label of the choice
	why    string         // in words
	clause rule.Clause
}

// lose takes the steps, each from a unit of the owner's choice. Where there is nothing
// to choose nobody is asked.
func (c *combat) lose(p payment) {
	for i := 1; i <= p.steps; i++ {
		// WB-95 9.1.4: a headquarters may be given for a unit
		all := p.payers()
		if len(all) == 0 {
			return
		}
		// WB-95 15.1.7: who used a star pays first
		us := c.owing(p.side, all)
		u := us[0]
		allDie := len(us) == len(all) && steps(us) <= p.steps-i+1
		if len(us) > 1 && !allDie {
			label := fmt.Sprintf("%s %v %s %d", p.what, c.at, p.side, i)
			// WB-95 5.1.8: the owner decides whose steps are lost
			u = c.askLoss(p.side, label, p.clause, us)
		}
		c.hit(u, p.why)
	}
}

func (c *combat) askLoss(side Side, label string, clause rule.Clause, us []*Unit) *Unit {
	d := adjudicator.Decision{Label: label, Kind: kindLoss, Side: c.s.chief(side, us), Clause: clause}
	d.Options = c.s.room.options.Take(len(us))
	for _, u := range us {
		d.Options = append(d.Options, adjudicator.Option{Answer: u.c.Name, Means: c.s.join(u.c.Name, " ", afterLoss(u, u.Steps-1))})
	}
	p, source := c.proposeLoss(side, us)
	answer := c.decide(d, p.c.Name, source)
	return us[slices.IndexFunc(us, func(u *Unit) bool { return u.c.Name == answer })]
}

// hit takes one step of a unit.
func (c *combat) hit(u *Unit, why string) {
	h, left := u.Hex, u.Steps-1
	text := afterLoss(u, left)
	c.settle(u)
	if c.s.loseStep(u) {
		c.struck = append(c.struck, c.stood(u))
	}
	c.toBoth("combat-loss", "WB-95 5.1.8", []hex.Hex{h}, "unit", u.c.Name, "side", c.s.sc.nameOf(u.c.Side), "left", text, "why", why, "steps", strconv.Itoa(left))
}

func afterLoss(u *Unit, left int) string {
	if left <= 0 {
		return "is eliminated"
	}
	return "loses a step, " + strconv.Itoa(left) + " of " + strconv.Itoa(u.c.Steps()) + " left"
}

func steps(us []*Unit) int {
	n := 0
	for _, u := range us {
		n += u.Steps
	}
	return n
}

// decide asks a reaction with its proposal, and tells the owner what their orders
// or the doctrine chose for them.
func (c *combat) decide(d adjudicator.Decision, proposal, source string) string {
	d.Proposal, d.Source = proposal, source
	d.Ordered = c.s.sc.camp(d.Side) == c.side && source == c.order.how.source
	answer := c.r.Ask(d)[0]
	c.tellChoice(d, answer)
	return answer
}

func (c *combat) tellChoice(d adjudicator.Decision, answer string) {
	source := d.Source
	if answer != d.Proposal {
		source = "your answer"
	}
	i := slices.IndexFunc(d.Options, func(o adjudicator.Option) bool { return o.Answer == answer })
	means := answer
	if i >= 0 {
		means = d.Options[i].Means
	}
	c.toOwner(d.Side, "combat-choice", d.Clause, []hex.Hex{c.at}, "kind", d.Kind, "label", d.Label, "answer", answer, "means", means, "source", source)
}

// proposeLoss finds whom the side would have lose a step: by the attack's own
// order, the most special standing order, or the default.
//
// WB-95 5.1.8
func (c *combat) proposeLoss(side Side, us []*Unit) (*Unit, string) {
	for _, d := range c.sources(side, us) {
		if len(d.losses) == 0 {
			continue
		}
		if u := lossBy(d, us); u != nil {
			return u, d.source
		}
		c.skipped(side, d, "WB-95 5.1.8", "none of the units it names can lose a step here")
	}
	return defaultLoss(us), defaultSource
}

func lossBy(d doctrine, us []*Unit) *Unit {
	plain := slices.DeleteFunc(slices.Clone(us), func(u *Unit) bool { return u.c.Type == HQ })
	if len(plain) == 0 {
		plain = us
	}
	for _, name := range d.losses {
		switch name {
		case lossWeakest:
			return slices.MinFunc(plain, byStrength)
		case lossStrongest:
			return slices.MinFunc(plain, strongestFirst)
		}
		if i := slices.IndexFunc(us, func(u *Unit) bool { return strings.EqualFold(u.c.Name, name) }); i >= 0 {
			return us[i]
		}
	}
	return nil
}

// byStrength puts the weaker unit first, of equals the lower id.
func byStrength(a, b *Unit) int {
	return cmp.Or(a.attackSP(true)-b.attackSP(true), strings.Compare(a.ID, b.ID))
}

// defaultLoss is the published default: full units that survive it first, then
// others that do, then guns, then the last step of a regular unit, headquarters
// never if anybody else is there; of equals the weakest.
func defaultLoss(us []*Unit) *Unit {
	class := func(u *Unit) int {
		switch {
		case u.c.Type == HQ:
			return 4
		case u.Steps > 1 && u.Steps == u.c.Steps():
			return 0
		case u.Steps > 1:
			return 1
		case u.towedGun():
			return 2
		}
		return 3
	}
	return slices.MinFunc(us, func(a, b *Unit) int { return cmp.Or(class(a)-class(b), byStrength(a, b)) })
}
