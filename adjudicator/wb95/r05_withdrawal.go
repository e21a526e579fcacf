package wb95

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"fieldpost/adjudicator/hex"
)

// proposeRetreat finds the answer of units that leave a hex together: by the
// attack's own order, the most special standing order, or the default.
//
// WB-95 5.3.7
func (c *combat) proposeRetreat(back retreating) (answer, source string) {
	if c.differ(back.side, back.us) {
		return answerSplit, "standing orders for single units"
	}
	for _, d := range c.sources(back.side, back.us) {
		if !d.onRetreat() {
			continue
		}
		answer, why := c.retreatBy(d, back)
		if answer != "" {
			return answer, d.source
		}
		c.skipped(back.side, d, "WB-95 5.3.7", why)
	}
	return c.defaultRetreat(back), defaultSource
}

// differ tells whether one of several units has a standing order of its own.
func (c *combat) differ(side Side, us []*Unit) bool {
	if len(us) < 2 {
		return false
	}
	if side == c.side && c.order.how.onRetreat() {
		return false
	}
	return slices.ContainsFunc(c.inForce(side), func(o standingOrder) bool {
		return o.scope() == forUnit && o.how.onRetreat() && o.covers(us, c.stood)
	})
}

// goes is how many of the hexes demanded the doctrine falls back.
func (d doctrine) goes(n int) int {
	switch d.retreat {
	case retreatFull:
		return n
	case retreatHold:
		return 0
	case "":
		if d.pay != nil && n <= *d.pay {
			return 0
		}
		return n
	}
	k, _ := strconv.Atoi(d.retreat)
	return min(n, k)
}

// retreatBy finds what a doctrine answers, or why it cannot be obeyed.
func (c *combat) retreatBy(d doctrine, back retreating) (answer, why string) {
	n := back.n
	far := d.goes(n)
	if d.pay != nil && n-far > *d.pay {
		return "", fmt.Sprintf("it would cost %s, the order pays at most %d", howMany(n-far, "step", "steps"), *d.pay)
	}
	if far == 0 {
		return answerStay, ""
	}
	back.ways = slices.DeleteFunc(slices.Clone(back.ways), func(w way) bool { return len(w.path) != far })
	if len(back.ways) == 0 {
		return "", fmt.Sprintf("no legal retreat of %s", howMany(far, "hex", "hexes"))
	}
	return trail(c.best(back, d.toward).from(back.from)), ""
}

// defaultRetreat is the published default: go the whole way if that costs
// nothing; pay one step to keep a vital hex; else what loses least.
func (c *combat) defaultRetreat(back retreating) string {
	us, pay := back.us, back.n-c.relief(back.from)
	if c.ratherStays(back, pay) {
		return answerStay
	}
	answer, cost := answerStay, price(us, 0, pay)
	if len(back.ways) > 0 {
		w := c.best(back, hex.None)
		if together := price(us, w.cost, back.n-len(w.path)); !together.worse(cost) {
			answer, cost = trail(w.from(back.from)), together
		}
	}
	if cost.steps > 0 && len(us) > 1 && cost.worse(c.apart(back)) {
		return answerSplit
	}
	return answer
}

// ratherStays tells whether the default stays for so many steps: for none, or for one
// step that no unit dies of, in works or on a vital hex.
func (c *combat) ratherStays(back retreating, pay int) bool {
	switch pay {
	case 0:
		return true
	case 1:
		// WB-95 7.3.6: works have taken off the rest
		worthIt := pay < back.n || c.vital(back.side, back.from)
		return worthIt && steps(back.us) > len(back.us)
	}
	return false
}

// bill is what a choice costs: units that it eliminates, then steps.
type bill struct{ units, steps int }

func (b bill) worse(o bill) bool {
	return cmp.Or(cmp.Compare(b.units, o.units), cmp.Compare(b.steps, o.steps)) > 0
}

// price reckons a toll for each unit and a payment that they share.
func price(us []*Unit, toll, pay int) bill {
	var b bill
	spare, left := 0, 0
	for _, u := range us {
		b.steps += min(toll, u.Steps)
		if u.Steps <= toll {
			b.units++
			continue
		}
		left += u.Steps - toll
		spare += u.Steps - toll - 1
	}
	b.steps += min(pay, left)
	b.units += max(0, min(pay, left)-spare)
	return b
}

// apart reckons what it costs if each unit goes its own way.
func (c *combat) apart(back retreating) bill {
	var b bill
	short := 0
	var shortOf []*Unit
	for _, u := range back.us {
		missing := back.n
		if alone := c.retreating(back.side, back.from, []*Unit{u}, back.n); len(alone.ways) > 0 {
			w := c.best(alone, hex.None)
			p := price(alone.us, w.cost, 0)
			b.units, b.steps = b.units+p.units, b.steps+p.steps
			missing = back.n - len(w.path)
		}
		if short = max(short, missing); missing > 0 {
			shortOf = append(shortOf, u)
		}
	}
	p := price(shortOf, 0, short)
	return bill{b.units + p.units, b.steps + p.steps}
}

// best is the way that an owner without further orders takes: fewest losses, the
// farthest, nearest to what the order names, into own works, into good ground,
// toward the own supply, the lowest hexes.
func (c *combat) best(back retreating, toward hex.Hex) way {
	s, side, ways := c.s, back.side, back.ways
	merit := func(w way) [7]int {
		p, away := price(back.us, w.cost, back.n-len(w.path)), 0
		if toward != hex.None {
			away = s.sc.Board.Grid.Distance(w.end(), toward)
		}
		return [7]int{p.units, p.steps, -len(w.path), away, -btoi(s.fortified(w.end(), side)), -s.groundCM(w.end()), s.toRear(w.end(), side)}
	}
	best, least := ways[0], merit(ways[0])
	for _, w := range ways[1:] {
		if m := merit(w); cmp.Or(slices.Compare(m[:], least[:]), slices.Compare(w.path, best.path)) < 0 {
			best, least = w, m
		}
	}
	return best
}
