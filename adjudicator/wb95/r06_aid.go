package wb95

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
)

// gatherAid settles all that joins the combat: what the attacker's order says,
// then the defender's choices, who knows them. Each choice is made on the sums as
// they stand then.
//
// WB-95 5.2.1/c
func (c *combat) gatherAid() {
	if !c.s.allLone(c.order.targets) {
		c.aid = aid{starsA: starChoice(c.order.stars)}
		if c.s.deservesSupport(c.units) {
			c.aid.gunsA = c.order.art
		}
	}
	c.attackersMarks()
	c.callGuns()
	c.callStars()
	c.callFortUnits()
	c.callMarks()
	c.exposed = map[Side][]*Unit{
		c.side:  c.s.exposed(c.aid.gunsA, c.order.targets),
		c.other: c.s.exposed(c.aid.gunsD, hexesUnder(c.units)),
	}
}

// pledgeStars notes the steps that both sides owe for stars that counted.
//
// WB-95 15.1.7
func (c *combat) pledgeStars() {
	c.pledge(c.side, usersOf(c.sum.starsA))
	c.pledge(c.other, usersOf(c.sum.starsD))
}

// gunsBeside are the towed guns in support that stand with the units in contact
// of a side: they cannot fall back with them, and may be given as their price.
//
// WB-95 6.2.4
// WB-95 6.3.5
func (c *combat) gunsBeside(side Side) []*Unit {
	return slices.DeleteFunc(c.onCombatHex(side), func(u *Unit) bool { return !rooted(u) })
}

// movableGuns are the self-propelled ones, which fall back with the others.
//
// WB-95 6.6.5
func (c *combat) movableGuns(side Side) []*Unit {
	return slices.DeleteFunc(c.onCombatHex(side), rooted)
}

func (c *combat) onCombatHex(side Side) []*Unit {
	fought := func(h hex.Hex) bool {
		return slices.ContainsFunc(c.from, func(p *position) bool { return p.hex == h && p.unit.c.Side == side })
	}
	return slices.DeleteFunc(c.s.alive(c.exposed[side]), func(u *Unit) bool { return !fought(u.Hex) })
}

// gunsTold lists guns in support as both sides are told of them: "2 Art./6A 5 on 2205".
//
// WB-95 16.1.3
func gunsTold(guns []*Unit, sp func(*Unit) int) string {
	words := make([]string, len(guns))
	for i, u := range guns {
		words[i] = fmt.Sprintf("%s %d on %v", u.c.Name, sp(u), u.Hex)
	}
	return strings.Join(words, ", ")
}
