package wb95

import (
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
)

// groupCMs is what a resilience group gives its hex.
//
// WB-95 15.2.3
// reading WB-95 15.2.3: one modifier for a hex, however many groups it holds, for the text gives it
// to the hex (option resilience).
func (s *State) groupCMs(h hex.Hex) []modifier {
	n := 0
	for _, u := range s.unitsAt(h) {
		n += btoi(u.c.Type == RG)
	}
	switch {
	case n == 0:
		return nil
	case n > 1 && s.sc.Readings.EachGroup:
		return []modifier{{n, "resilience groups", "WB-95 15.2.3"}}
	}
	return []modifier{{1, "resilience group", "WB-95 15.2.3"}}
}

// volkssturm is what the enemy of Volkssturm gains, for attackers as for defenders.
//
// WB-95 15.3.1
// WB-95 15.3.2
// reading WB-95 15.3.1: two for a hex with such units, less one for each other
// regular unit on it; of several hexes the worst, once for a combat.
func (s *State) volkssturm(units []*Unit) []modifier {
	worst := 0
	for _, u := range units {
		if u.c.Type != VS {
			continue
		}
		n := 2
		for _, v := range s.unitsAt(u.Hex) {
			n -= btoi(v.regular() && v.c.Type != VS)
		}
		worst = max(worst, n)
	}
	if worst == 0 {
		return nil
	}
	return []modifier{{worst, "Volkssturm", "WB-95 15.3.1"}}
}

// fortUnits are the fortification units that can use their ability.
//
// WB-95 15.4.1
// reading WB-95 15.4.1: only in the hex that decides, and only in fortifications;
// two modifiers for a combat, however many units.
func (s *State) fortUnits(decisive hex.Hex) []*Unit {
	if !s.fortified(decisive, s.holder(decisive)) {
		return nil
	}
	return slices.DeleteFunc(s.fresh(decisive), func(u *Unit) bool { return u.c.Type != FU })
}

// callFortUnits lets the defender use the ability of their fortification units.
//
// WB-95 15.4.2
func (c *combat) callFortUnits() {
	if c.s.allLone(c.order.targets) {
		return
	}
	users := c.s.fortUnits(c.s.decisive(c.units, c.order.targets, c.order.full))
	if len(users) == 0 {
		return
	}
	d := adjudicator.Decision{Label: "fortification units " + c.at.String(), Kind: kindFU, Side: c.s.chief(c.other, users), Clause: "WB-95 15.4.2",
		Options: []adjudicator.Option{{Answer: answerYes, Means: names(users) + " fight with their special ability"}, {Answer: answerNo, Means: "no special ability is used"}}}
	proposal, source := answerYes, defaultSource
	for _, o := range c.sources(c.other, users) {
		if o.fu != "" {
			proposal, source = o.fu, o.source
			break
		}
	}
	if c.aid.fu = c.decide(d, proposal, source) == answerYes; c.aid.fu {
		c.pledge(c.other, users)
	}
}

// reinforce gives a step of Volkssturm to infantry on its hex.
//
// WB-95 15.3.3
// WB-95 15.3.4
// reading WB-95 15.3.3: neither of them does anything else in this phase; the
// Volkssturm loses the step that the infantry regains.
// reading WB-95 15.3.4: the clause limits what a unit of infantry gains; other
// Volkssturm may reinforce another unit in the same turn.
func (s *State) reinforce(from, to *Unit) (string, *rule.Violation) {
	refuse := func(why string) (string, *rule.Violation) {
		return "", &rule.Violation{Clause: "WB-95 15.3.3", Why: why}
	}
	switch {
	case from.c.Type != VS, to.c.Type != INF, to.c.Class != Foot:
		return refuse("only Volkssturm reinforces, and only infantry on foot")
	case from.Where != OnMap, from.Hex != to.Hex:
		return refuse(from.c.Name + " and " + to.c.Name + " are not on one hex")
	case s.strategicNow(), to.Active, to.Strategic:
		return refuse("one of them moves in this phase or has acted already")
	case to.Steps >= to.c.Steps():
		return refuse(to.c.Name + " has all its steps")
	}
	to.Steps++
	from.Active, to.Active = true, true
	s.loseStep(from)
	return "gives a step to " + to.c.Name, nil
}
