package steppe

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/view"
)

// antiTankHit is the highest die that hits.
//
// Steppe 13.0/6
func antiTankHit(s Side) int {
	if s == German {
		return 4
	}
	return 2
}

// antiTank lets anti-tank guns in the target hex fire before aircraft and artillery. It
// reports whether the attack goes on.
//
// Steppe 13.0/4
// Steppe 13.0/10
//
// reading Steppe 13.0: no line of the book names an anti-tank gun, so the rule sleeps
// until an owner's counters have some. Targets are armor, motorized, mechanized and
// armored cavalry. An attack that is cancelled is used up all the same.
func (c *combat) antiTank() bool {
	hit := false
	for _, g := range c.defenders() {
		if !g.c.AT {
			continue
		}
		targets := c.gunTargets()
		if len(targets) == 0 {
			break
		}
		if c.fireGun(g, targets) {
			hit = true
		}
	}
	c.units = c.living() // Steppe 13.0/7
	switch {
	case !hit: // Steppe 13.0/9
		return true
	case len(c.units) == 0:
		return false
	}
	return !c.calledOff()
}

// gunTargets are the attackers that a gun may fire at, in the order of the owner's
// doctrine. A gun that attacks is an ordinary unit, and no other kind is a target.
//
// Steppe 13.0/1
// Steppe 13.0/11
func (c *combat) gunTargets() []*Unit {
	targets := slices.DeleteFunc(c.living(), func(u *Unit) bool { return !u.c.Mech })
	slices.SortStableFunc(targets, func(a, b *Unit) int {
		n := b.face().Attack - a.face().Attack
		if c.def.antiTank == weakestFirst {
			n = -n
		}
		return cmp.Or(n, a.Steps-b.Steps)
	})
	return targets
}

// fireGun fires a gun at the attacker that its owner names, and tells whether it hits.
//
// Steppe 13.0/2
func (c *combat) fireGun(g *Unit, targets []*Unit) bool {
	label := fmt.Sprintf("anti-tank %s %s", c.base, g.c.Name)
	name := c.r.Ask(adjudicator.Decision{Label: label, Kind: kindAntiTank, Side: c.enemy, Clause: "Steppe 13.0",
		Options: stepOptions(targets), Proposal: targets[0].c.Name, Source: "doctrine: the strongest first"})[0]
	u := c.s.byName(c.side, name)
	die := c.r.Roll("Steppe 13.0", label+" die", 1, 6)[0] // Steppe 13.0/3
	outcome, hit := "misses", die <= antiTankHit(c.enemy)
	if hit {
		outcome = "hits"
	}
	e := c.eventHere("anti-tank", "Steppe 13.0", c.enemy, view.Pairs{"gun", g.c.Name, "unit", u.c.Name,
		"die", strconv.Itoa(die), "label", label + " die", "outcome", outcome})
	e.Rolls = []string{label + " die"}
	c.r.Tell(e)
	if hit {
		c.s.loseStep(c.r, u) // Steppe 13.0/5
	}
	return hit
}

// calledOff asks the attacker whether an attack that was hit is cancelled.
//
// Steppe 13.0/8
func (c *combat) calledOff() bool {
	proposal := answerNo
	if c.doc.cancel && c.odds().level < c.s.sc.levelOf(c.in.floor()) {
		proposal = answerYes
	}
	answer := c.r.Ask(adjudicator.Decision{Label: "cancel " + c.base, Kind: kindCancel, Side: c.side,
		Clause: "Steppe 13.0", Options: []adjudicator.Option{
			{Answer: answerYes, Means: "the attack is called off"},
			{Answer: answerNo, Means: "the attack goes on"}},
		Proposal: proposal, Source: "doctrine: MIN"})[0]
	if answer == answerNo {
		return false
	}
	c.tellHere("cancelled", "Steppe 13.0", c.side, view.Pairs{"hex", c.s.spot(c.target)})
	return true
}
