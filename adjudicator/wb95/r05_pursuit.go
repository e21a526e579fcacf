package wb95

import (
	"cmp"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// chase is a way on which the winner may follow: a retreat path, or, after an
// elimination, the advance into an emptied hex.
type chase struct {
	hexes   []hex.Hex // from the emptied hex on, as many as may be entered
	advance bool      // 5.4.10
	answer  string    // how a decision names it
	// open are the routes along it that are open to each of the winner's units.
	open [][][]hex.Hex
}

// pursue lets the winner follow: the attacker, or the defender if the attack was
// beaten back or died.
//
// WB-95 3.1.2: pursuit is movement with limits of its own
// reading WB-95 5.4.1: the units of the combat may, and a headquarters that was
// stacked with them.
// reading WB-95 5.4.1: units that pursued owe no attack in this phase (5.1.1).
func (c *combat) pursue() {
	side, loser, us := c.side, c.other, c.units
	if c.result.ARetreat > 0 || len(c.s.alive(c.units)) == 0 {
		side, loser, us = c.other, c.side, c.defenders
	}
	// WB-95 5.4.9: towed units do not pursue
	us = slices.DeleteFunc(c.s.alive(us), func(u *Unit) bool { return !u.fights() })
	// WB-95 5.4.1: who has won may follow
	chases := c.chases(loser)
	if len(chases) == 0 {
		return
	}
	us = append(us, c.staffsWith(side, us)...)
	if !c.openRoutes(us, chases) {
		return
	}
	if t, yes := c.chooseChase(side, us, chases); yes {
		c.follow(side, us, t)
	}
}

// staffsWith lists the side's headquarters that are stacked with the units.
func (c *combat) staffsWith(side Side, us []*Unit) []*Unit {
	var out []*Unit
	for _, h := range hexesUnder(us) {
		for _, u := range c.s.unitsAt(h) {
			if u.c.Type == HQ && u.c.Side == side {
				out = append(out, u)
			}
		}
	}
	return out
}

// openRoutes notes in each chase the routes that are open to each unit. It reports false
// if none is open to any but headquarters.
func (c *combat) openRoutes(us []*Unit, chases []chase) bool {
	able := false
	for i := range chases {
		t := &chases[i]
		for _, u := range us {
			routes := c.routes(u, *t)
			t.open = append(t.open, routes)
			if u.c.Type != HQ && len(routes) > 0 {
				able = true
			}
		}
	}
	return able
}

// chases lists what may be followed.
//
// reading WB-95 5.4.10: where some units of a hex died and others retreated, the
// winner may use either rule; guns that were left behind are overrun by it.
func (c *combat) chases(loser Side) []chase {
	var out []chase
	for _, f := range c.fallen {
		// WB-95 5.4.4: it begins in a hex that was emptied
		if f.units[0].c.Side != loser || !c.emptied(f.from) {
			continue
		}
		// WB-95 5.4.2: it follows the way of the retreat
		// WB-95 5.4.6: and is no longer than that
		t := chase{hexes: append([]hex.Hex{f.from}, f.walked[:len(f.walked)-1]...), answer: trail(append([]hex.Hex{f.from}, f.walked...))}
		if !slices.ContainsFunc(out, func(o chase) bool { return o.answer == t.answer }) {
			// WB-95 5.4.3: of several ways the winner chooses
			out = append(out, t)
		}
	}
	// WB-95 5.4.10: after an elimination the winner advances into the hex
	for _, h := range sorted(append(c.diedOn(loser), c.leftGuns(loser)...)) {
		if c.emptied(h) {
			out = append(out, chase{hexes: []hex.Hex{h}, advance: true, answer: h.String()})
		}
	}
	return out
}

// diedOn lists the hexes of the combat where units of the side were eliminated.
func (c *combat) diedOn(side Side) []hex.Hex {
	return slices.DeleteFunc(slices.Clone(c.struck), func(h hex.Hex) bool {
		return !slices.ContainsFunc(c.from, func(p *position) bool { return p.hex == h && p.unit.c.Side == side })
	})
}

// leftGuns lists the hexes where guns of a side that had to retreat could not move.
func (c *combat) leftGuns(side Side) []hex.Hex {
	if c.result.DRetreat == 0 {
		return nil
	}
	var out []hex.Hex
	for _, p := range c.from {
		if p.unit.c.Side == side && p.unit.Hex == p.hex && rooted(p.unit) {
			out = append(out, p.hex)
		}
	}
	return out
}

// chooseChase asks which of several ways is followed, one for a combat.
//
// WB-95 5.4.3
func (c *combat) chooseChase(side Side, us []*Unit, chases []chase) (chase, bool) {
	if len(chases) == 1 {
		return chases[0], true
	}
	d := adjudicator.Decision{Label: "pursuit " + c.at.String(), Kind: kindPursuit, Side: c.s.chief(side, us), Clause: "WB-95 5.4.3",
		Options: []adjudicator.Option{{Answer: answerNo, Means: "no pursuit"}}}
	for _, t := range chases {
		means := "follow the retreat " + t.answer
		if t.advance {
			means = "advance into " + t.answer
		}
		d.Options = append(d.Options, adjudicator.Option{Answer: t.answer, Means: means})
	}
	proposal, source := c.proposeChase(side, us, chases)
	answer := c.decide(d, proposal, source)
	i := slices.IndexFunc(chases, func(t chase) bool { return t.answer == answer })
	if i < 0 {
		return chase{}, false
	}
	return chases[i], true
}

// follow asks for every unit that may go how far it goes, all at once, and moves
// them in order of id, headquarters last.
//
// WB-95 5.4.6
func (c *combat) follow(side Side, us []*Unit, t chase) {
	plan := c.pursuitPlan(side, us, t)
	var ds []adjudicator.Decision
	var who []*Unit
	for i, u := range us {
		routes := t.open[i]
		if len(routes) == 0 {
			continue
		}
		d := adjudicator.Decision{Label: c.s.join("pursuit ", c.at.String(), " ", c.s.labelName(u)), Kind: kindPursuit, Side: c.s.sc.owner(u.c), Clause: "WB-95 5.4.1",
			Options: append(c.s.room.options.Take(len(routes)+1), adjudicator.Option{Answer: answerNo, Means: u.c.Name + " stays"}), Proposal: plan[i].answer, Source: plan[i].source,
			Ordered: side == c.side && plan[i].source == c.order.how.source}
		for _, r := range routes {
			d.Options = append(d.Options, adjudicator.Option{Answer: c.s.trail(r), Means: c.s.join(u.c.Name, " goes to ", r[len(r)-1].String())})
		}
		ds, who = append(ds, d), append(who, u)
	}
	if len(ds) == 0 {
		return
	}
	answers := c.r.Ask(ds...)
	c.tellPursuit(ds, answers)
	var ended []hex.Hex // where units that fight have ended
	for i, u := range who {
		if answers[i] == answerNo {
			continue
		}
		r := c.routeOf(u, t, answers[i])
		if u.c.Type != HQ {
			if c.advanceAlong(side, u, r) {
				ended = append(ended, u.Hex)
			}
			continue
		}
		// reading WB-95 9.1.1: a headquarters goes only where a unit of the combat went.
		if r != nil && slices.Contains(ended, r[len(r)-1]) {
			c.advanceAlong(side, u, r)
		}
	}
}

// tellPursuit tells the owner who goes, and once if by default nobody does.
func (c *combat) tellPursuit(ds []adjudicator.Decision, answers []string) {
	told := false
	for i, d := range ds {
		switch {
		case answers[i] != answerNo, d.Proposal != answerNo, d.Source != defaultSource:
			c.tellChoice(d, answers[i])
			told = true
		}
	}
	if !told {
		c.toOwner(ds[0].Side, "combat-choice", "WB-95 5.4.1", []hex.Hex{c.at}, "kind", kindPursuit, "label", ds[0].Label,
			"answer", answerNo, "means", "no pursuit", "source", defaultSource)
	}
}

// routeOf is the route that the answer names, nil if others have since filled its end.
func (c *combat) routeOf(u *Unit, t chase, answer string) []hex.Hex {
	for _, r := range c.routes(u, t) {
		if c.s.trail(r) == answer {
			return r
		}
	}
	return nil
}

// advanceAlong moves a unit. Where the stack is full it stays.
func (c *combat) advanceAlong(side Side, u *Unit, r []hex.Hex) bool {
	// WB-95 3.2.1: where the stack is full the unit stays
	if r == nil {
		c.toOwner(side, "pursuit-full", "WB-95 3.2.1", []hex.Hex{u.Hex}, "unit", u.c.Name)
		return false
	}
	from := u.Hex
	for _, h := range r {
		// WB-95 5.4.5: enemy zones do not stop it
		// WB-95 5.4.7: nor does it spend points
		c.s.enter(u, h, c.tell)
	}
	u.Active = side == c.side
	c.tell(view.Event{Kind: "combat-pursuit", Clause: "WB-95 5.4.1", Hexes: append([]hex.Hex{from}, r...), Mark: "move", Side: string(side),
		Facts: view.Pairs{"unit", u.c.Name, "from", from.String(), "to", u.Hex.String(), "path", c.s.trail(r)}})
	return true
}

// someRoutes is how many routes along a chase a unit has at the most as a rule.
const someRoutes = 8

// routes lists the ways a unit may go along a chase: part or all of it, the last
// step also to a hex beside it.
func (c *combat) routes(u *Unit, t chase) [][]hex.Hex {
	out := c.s.room.routes.Take(someRoutes)
	cur := u.Hex
	for i, h := range t.hexes {
		// WB-95 5.4.7: never on to closed ground or off the map
		if !c.mayFollow(u, cur, h) {
			break
		}
		along := t.hexes[: i+1 : i+1]
		out = append(out, along)
		// WB-95 5.4.8: a big river ends it
		if c.s.bigRiver(cur, h) {
			break
		}
		farther := i+1 < len(t.hexes)
		// WB-95 5.4.10: after an elimination the next hex is ordinary movement
		if t.advance {
			// reading WB-95 5.4.10: such an advance ends in the first hex if that lies in an enemy
			// zone; the second step is not paid for.
			farther = !c.s.inEnemyZone(h, u.c.Side)
		}
		if farther {
			// WB-95 5.4.2: the way of the retreat may be left by a hex
			out = c.aside(out, u, along, t)
		}
		cur = h
	}
	return slices.DeleteFunc(out, func(r []hex.Hex) bool { return !c.roomAt(r[len(r)-1], u) })
}

// aside adds to routes those that leave the chase with the next step.
func (c *combat) aside(out [][]hex.Hex, u *Unit, along []hex.Hex, t chase) [][]hex.Hex {
	last, next := along[len(along)-1], hex.None
	if len(along) < len(t.hexes) {
		next = t.hexes[len(along)]
	}
	for _, k := range c.s.besideInOrder(last) {
		switch {
		case k == u.Hex, k == next, slices.Contains(along, k):
			continue
		}
		if c.mayFollow(u, last, k) {
			out = append(out, append(append(c.s.room.hexes.Take(len(along)+1), along...), k))
		}
	}
	return out
}

// mayFollow judges one step of a pursuit. In games begun under versions 1 and 2 of the
// rules self-propelled guns ride down guns and headquarters alone.
//
// WB-95 5.4.7
// reading WB-95 5.4.4: guns and headquarters alone on the way are ridden down;
// hexes of other enemies are closed.
func (c *combat) mayFollow(u *Unit, from, to hex.Hex) bool {
	if !c.s.passable(u.c, from, to) {
		return false
	}
	switch holder := c.s.holder(to); {
	case holder == "", holder == u.c.Side:
		return true
	case u.c.Type == HQ:
		return false
	// WB-95 6.1.7/2: only regular units ride guns down
	// WB-95 9.1.5: and headquarters
	case !u.regular() && !c.s.sc.before(3):
		return false
	}
	return c.emptied(to)
}

// roomAt tells whether the unit may end its pursuit in the hex.
//
// WB-95 3.2.1
func (c *combat) roomAt(h hex.Hex, u *Unit) bool {
	if c.s.holder(h) != u.c.Side {
		return true
	}
	return c.s.roomFor(h, u)
}

// strongestFirst puts the unit first that is strongest in attack, of equals the lower id.
func strongestFirst(a, b *Unit) int {
	return cmp.Or(b.attackSP(true)-a.attackSP(true), strings.Compare(a.ID, b.ID))
}
