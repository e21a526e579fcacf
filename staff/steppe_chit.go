package staff

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/view"
)

// ofLoneHex is the question about the stack that acts without a headquarters after the last chit.
const ofLoneHex = "orders individual hex"

// acting is who is asked about, for an officer who looks ahead: they plan for those alone who may act now.
func (d *steppePlan) acting() string {
	if !d.as.craft {
		return ""
	}
	for _, q := range d.v.Asked {
		if strings.HasPrefix(q.Label, "orders ") {
			return q.Label
		}
	}
	return ""
}

// comes tells whether a headquarters still acts in this turn.
func (d *steppePlan) comes(hq *steppeUnit) bool {
	if d.now == "" || d.now == "orders "+hq.Name {
		return true
	}
	return slices.ContainsFunc(d.v.Chits.Groups, func(g view.ChitGroup) bool { return slices.Contains(g.Own, hq.Name) })
}

// leaveOthers leaves out of the plan who does not act now, and finds out where the others could
// move to.
func (d *steppePlan) leaveOthers() {
	for _, u := range d.pieces {
		leads := u.HQ && d.now == "orders "+u.Name
		led := u.hq != nil && d.now == "orders "+u.hq.Name
		if !led {
			u.hq = nil
		}
		if u.onMap() && (leads || led) {
			u.reach = d.a.Reach(u.ID)
		}
	}
}

// alone plans for the stack that acts without a headquarters when all chits are drawn: the one with
// the best attack, else the one that gets on most.
func (d *steppePlan) alone() {
	if d.now != "" && d.now != ofLoneHex {
		return
	}
	best := unless[*steppeUnit](nil, 0)
	stacks := d.stacksAlone()
	for _, s := range stacks {
		best.offer(s, d.useAlone(s))
	}
	for _, s := range stacks {
		if s != best.best {
			d.disband(s)
		}
	}
	if d.lone = best.best; d.lone == nil {
		return
	}
	d.attacks(d.lone)
	for _, u := range d.pieces {
		if u.hq == d.lone {
			d.goOn(u)
		}
	}
}

// stacksAlone are those who could act together without a headquarters: units of one colour in a hex
// that no headquarters moves. Each has a unit that stands for its headquarters.
func (d *steppePlan) stacksAlone() (out []*steppeUnit) {
	for _, u := range d.pieces {
		idle := u.hq == nil && !u.HQ && !u.busy && !u.Acted
		if !idle || !u.onMap() {
			continue
		}
		k := slices.IndexFunc(out, func(s *steppeUnit) bool { return s.Hex == u.Hex && s.Command == u.Command })
		if k < 0 {
			k = len(out)
			s := &steppeUnit{at: u.Hex}
			s.Hex, s.Command, s.HQ, s.Range = u.Hex, u.Command, true, fixed
			out = append(out, s)
		}
		u.hq = out[k]
		if d.now != "" {
			u.reach = d.a.Reach(u.ID)
		}
	}
	return out
}

// useAlone is how much a stack could do without a headquarters.
func (d *steppePlan) useAlone(s *steppeUnit) (n int) {
	for i := range d.foes {
		if a := d.attackOn(s, &d.foes[i]); a != nil && a.worth > 0 && d.as.most(1) > 0 {
			n = max(n, 1000+a.worth)
		}
	}
	for _, u := range d.pieces {
		if u.hq == s {
			n += u.Steps * max(0, d.gainOf(u))
		}
	}
	return n
}

// gainOf is how much better a unit would stand after its march.
func (d *steppePlan) gainOf(u *steppeUnit) int {
	switch d.as.stance {
	case press:
		to, goal := d.marchOf(u)
		if to == u.Hex {
			return 0
		}
		return d.worth(u, to, goal) - d.worth(u, u.Hex, goal)
	case leave:
		to := d.refugeOf(u)
		return d.refuge(u, to) - d.refuge(u, u.Hex)
	}
	return 0
}

// disband leaves a stack where it is.
func (d *steppePlan) disband(s *steppeUnit) {
	for _, u := range d.pieces {
		if u.hq == s {
			u.hq = nil
		}
	}
}

// writeLone writes the section of the stack that acts without a headquarters.
func (d *steppePlan) writeLone(b *sheet) {
	if d.lone != nil {
		b.section(fmt.Sprintf("SOLO HEX %v MOVE THEN ATTACK", d.lone.Hex), d.lone.programme())
	}
}

// answer answers the questions that the game waits with: orders for the chit that was
// drawn, on the map as it is now.
func (d *steppePlan) answer(b *sheet) {
	var plain []string
	for _, q := range d.v.Asked {
		switch hq := d.asked(q); {
		case q.Label == ofLoneHex && d.lone != nil:
			d.writeLone(b)
		case hq != nil && len(hq.programme()) > 0:
			b.section(hq.chit(), hq.programme())
		case hq != nil && d.as.craft: // what was filed was for the map as it was then
			b.line("CHIT %s HOLD", hq.Name)
		case len(q.Options) == 0:
			plain = append(plain, q.Label+": AS FILED")
		case q.Kind == "backhand" && d.strikesBack():
			plain = append(plain, q.Label+": YES")
		default:
			plain = append(plain, q.Label+": "+q.Proposal)
		}
	}
	b.section("ANSWER", plain)
}

// asked is the headquarters for whose chit a question wants orders, nil if it wants
// something else.
func (d *steppePlan) asked(q view.Question) *steppeUnit {
	for _, hq := range d.hqs {
		if q.Label == "orders "+hq.Name {
			return hq
		}
	}
	return nil
}
