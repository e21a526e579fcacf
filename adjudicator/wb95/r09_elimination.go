package wb95

import (
	"fmt"
	"slices"
	"strconv"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// What the elimination of a headquarters brings its enemy.
const (
	hqPrize = 5 // combat modifiers
	hqUses  = 2 // Combat Phases in which they may be used
	hqReach = 8 // hexes
)

// winPool gives the enemy of a headquarters that is being eliminated the modifiers for it.
//
// WB-95 9.1.6
// reading WB-95 9.1.6: every elimination counts, by combat, by being ridden down, as
// a loss of choice or by surrender. They are for the next two Combat Phases, of
// whichever side, in attack and in defence; pools add up.
func (s *State) winPool(hq *Unit) {
	if hq.c.Type == HQ {
		s.Pools = append(s.Pools, Pool{s.sc.Other(hq.c.Side), hq.Hex, hqPrize, s.now(), hqUses})
	}
}

// usable tells whether the pool may serve a combat for the hexes.
//
// WB-95 9.1.7
// reading WB-95 9.1.7: a hex that is attacked must be within 8 hexes.
func (s *State) usable(p Pool, side Side, targets []hex.Hex) bool {
	switch {
	case p.Side != side, s.isNow(p.Won):
		return false
	}
	return s.distanceTo(p.Hex, targets) <= hqReach
}

// isNow tells whether the clock stands at the phase that is played.
func (s *State) isNow(c Clock) bool { return c == s.now() }

// lastUse counts the modifiers that the side could use in a combat for the hexes now and
// never again.
func (s *State) lastUse(side Side, targets []hex.Hex) int {
	n := 0
	for _, p := range s.Pools {
		if p.Left == 1 && s.usable(p, side, targets) {
			n += p.CMs
		}
	}
	return n
}

// poolFor counts the modifiers that a side could use in a combat for the hexes.
//
// WB-95 9.1.6
func (s *State) poolFor(side Side, targets []hex.Hex) int {
	n := 0
	for _, p := range s.Pools {
		if s.usable(p, side, targets) {
			n += p.CMs
		}
	}
	return n
}

// spendPool takes modifiers out of the pools, those that end first.
func (s *State) spendPool(side Side, targets []hex.Hex, n int) {
	for left := 1; left <= hqUses; left++ {
		for i := range s.Pools {
			if p := &s.Pools[i]; p.Left == left && s.usable(*p, side, targets) {
				k := min(n, p.CMs)
				p.CMs, n = p.CMs-k, n-k
			}
		}
	}
}

// agePools ends a Combat Phase for the pools that could be used in it.
func (s *State) agePools() {
	for i := range s.Pools {
		if p := &s.Pools[i]; !s.isNow(p.Won) {
			p.Left--
		}
	}
	s.Pools = slices.DeleteFunc(s.Pools, func(p Pool) bool { return p.Left <= 0 || p.CMs == 0 })
	if len(s.Pools) == 0 {
		s.Pools = nil
	}
}

// tellPools tells everybody what the headquarters lost in this phase have brought.
func (s *State) tellPools(tell teller) {
	for _, p := range s.Pools {
		if s.isNow(p.Won) {
			tell.tell(view.Event{Kind: "hq-lost", Clause: "WB-95 9.1.6", Hexes: []hex.Hex{p.Hex}, Facts: view.Pairs{
				"side", s.sc.nameOf(p.Side), "hex", p.Hex.String(), "cms", strconv.Itoa(p.CMs), "reach", strconv.Itoa(hqReach)}})
		}
	}
}

// attackersMarks is what the attacker uses of their pool: what the order says, as
// far as it is there.
//
// WB-95 9.1.6
func (c *combat) attackersMarks() {
	have := c.s.poolFor(c.side, c.order.targets)
	if c.s.allLone(c.order.targets) || c.order.hqcm == 0 {
		return
	}
	c.aid.hqA = min(c.order.hqcm, have)
	if c.aid.hqA < c.order.hqcm {
		c.toOwner(c.side, "hqcm-short", "WB-95 9.1.7", []hex.Hex{c.at}, "attack", c.order.called(),
			"want", strconv.Itoa(c.order.hqcm), "have", strconv.Itoa(have))
	}
	c.s.spendPool(c.side, c.order.targets, c.aid.hqA)
}

// callMarks lets the defender use their pool, before the dice.
//
// WB-95 9.1.6
// reading WB-95 9.1.6: by default one for a vital hex; the rest is kept for the last
// Combat Phase in which it may be used, and there goes to the first combats that
// stand at 1:1 or better, as many as bring them below.
func (c *combat) callMarks() {
	have := c.s.poolFor(c.other, c.order.targets)
	if have == 0 || c.s.allLone(c.order.targets) {
		return
	}
	d := adjudicator.Decision{Label: "hqcm " + c.at.String(), Kind: kindMarks, Side: c.s.chiefAt(c.other, c.order.targets), Clause: "WB-95 9.1.6"}
	for n := 0; n <= have; n++ {
		d.Options = append(d.Options, adjudicator.Option{Answer: strconv.Itoa(n), Means: fmt.Sprintf("%d of %d modifiers for a lost headquarters are used", n, have)})
	}
	want, source := c.proposeMarks(have), defaultSource
	for _, o := range c.sources(c.other, c.defenders) {
		if o.hqcm != nil {
			want, source = *o.hqcm, o.source
			break
		}
	}
	d.Proposal, d.Source = strconv.Itoa(max(0, min(want, have))), source
	answer := c.r.Ask(d)[0]
	if answer != "0" || source != defaultSource {
		c.tellChoice(d, answer)
	}
	c.aid.hqD, _ = strconv.Atoi(answer)
	c.s.spendPool(c.other, c.order.targets, c.aid.hqD)
}

// proposeMarks is the default.
func (c *combat) proposeMarks(have int) int {
	column := c.s.weighWith(c.side, c.units, c.order.targets, c.order.full, c.aid).column
	even := slices.Index(c.s.sc.Combat.Columns, "1:1")
	if last := c.s.lastUse(c.other, c.order.targets); last > 0 && column >= even {
		return min(last, column-even+1)
	}
	if column > 0 && slices.ContainsFunc(c.order.targets, func(h hex.Hex) bool { return c.vital(c.other, h) }) {
		return 1
	}
	return 0
}

// lastChance has an attacker who does not speak of the pool use what would be
// lost otherwise: in the strongest of the attacks that it reaches.
//
// reading WB-95 9.1.6: what a pool still holds in its last Combat Phase goes to the strongest of
// the attacks that it reaches, for it is lost afterwards.
func (b *battle) lastChance(p *plan) {
	var best *planned
	most, n := 0, 0
	for _, c := range p.combats {
		if c.order.hqcm > 0 {
			return
		}
		have := b.s.lastUse(b.side, c.order.targets)
		if c.made || have == 0 {
			continue
		}
		if sp := fireInAttack(c.order.units, c.order.full); sp > most {
			best, most, n = c, sp, have
		}
	}
	if best != nil {
		best.order.hqcm = n
	}
}
