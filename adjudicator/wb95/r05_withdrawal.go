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
func (c *combat) proposeRetreat(side Side, h hex.Hex, us []*Unit, n int, ways []way) (answer, source string) {
	if c.differ(side, us) {
		return answerSplit, "standing orders for single units"
	}
	for _, d := range c.sources(side, us) {
		if !d.onRetreat() {
			continue
		}
		answer, why := c.retreatBy(d, side, h, us, n, ways)
		if answer != "" {
			return answer, d.source
		}
		c.skipped(side, d, "WB-95 5.3.7", why)
	}
	return c.defaultRetreat(side, h, us, n, ways), defaultSource
}

// differ tells whether one of several units has a standing order of its own.
func (c *combat) differ(side Side, us []*Unit) bool {
	if len(us) < 2 || side == c.side && c.order.how.onRetreat() {
		return false
	}
	return slices.ContainsFunc(c.inForce(side), func(o standingOrder) bool {
		return o.unit != "" && o.how.onRetreat() && covers(o, us)
	})
}

// retreatBy finds what a doctrine answers, or why it cannot be obeyed.
func (c *combat) retreatBy(d doctrine, side Side, h hex.Hex, us []*Unit, n int, ways []way) (answer, why string) {
	far := n
	switch d.retreat {
	case retreatHold:
		far = 0
	case "":
		if d.pay != nil && n <= *d.pay {
			far = 0
		}
	case retreatFull:
	default:
		k, _ := strconv.Atoi(d.retreat)
		far = min(n, k)
	}
	if d.pay != nil && n-far > *d.pay {
		return "", fmt.Sprintf("it would cost %s, the order pays at most %d", howMany(n-far, "step", "steps"), *d.pay)
	}
	if far == 0 {
		return answerStay, ""
	}
	fit := slices.DeleteFunc(slices.Clone(ways), func(w way) bool { return len(w.path) != far })
	if len(fit) == 0 {
		return "", fmt.Sprintf("no legal retreat of %s", howMany(far, "hex", "hexes"))
	}
	return trail(c.best(fit, side, us, n, d.toward).from(h)), ""
}

// defaultRetreat is the published default: go the whole way if that costs
// nothing; pay one step to keep a vital hex; else what loses least.
func (c *combat) defaultRetreat(side Side, h hex.Hex, us []*Unit, n int, ways []way) string {
	// WB-95 7.3.6
	pay := n - c.relief(h)
	if pay == 0 || pay == 1 && (pay < n || c.vital(side, h)) && steps(us) > len(us) {
		return answerStay
	}
	answer, cost := answerStay, price(us, 0, pay)
	if len(ways) > 0 {
		w := c.best(ways, side, us, n, hex.None)
		if together := price(us, w.cost, n-len(w.path)); !together.worse(cost) {
			answer, cost = trail(w.from(h)), together
		}
	}
	if cost.steps > 0 && len(us) > 1 && cost.worse(c.apart(side, h, us, n)) {
		return answerSplit
	}
	return answer
}

// bill is what a choice costs: units that it eliminates, then steps.
type bill struct{ units, steps int }

func (b bill) worse(o bill) bool {
	return b.units > o.units || b.units == o.units && b.steps > o.steps
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
func (c *combat) apart(side Side, h hex.Hex, us []*Unit, n int) bill {
	var b bill
	short := 0
	var shortOf []*Unit
	for _, u := range us {
		one, missing := []*Unit{u}, n
		if ways := c.s.ways(one, h, n); len(ways) > 0 {
			w := c.best(ways, side, one, n, hex.None)
			p := price(one, w.cost, 0)
			b.units, b.steps = b.units+p.units, b.steps+p.steps
			missing = n - len(w.path)
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
// toward his own supply, the lowest hexes.
func (c *combat) best(ways []way, side Side, us []*Unit, n int, toward hex.Hex) way {
	s := c.s
	merit := func(w way) [7]int {
		p, away := price(us, w.cost, n-len(w.path)), 0
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
