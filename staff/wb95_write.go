package staff

import (
	"fmt"
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/wb95"
	"fieldpost/orders"
)

// writeAttacks writes the ATTACK section: what is planned and what the duties
// still ask for, the best odds first.
func (p *plan) writeAttacks() {
	var given []wb95.Attack
	for _, s := range p.war {
		at := wb95.Attack{Targets: []hex.Hex{s.target}}
		for _, u := range s.units {
			at.Units = append(at.Units, u.ID)
		}
		given = append(given, at)
	}
	all := p.a.Complete(given)
	bound, due := p.a.Bound()
	level := func(at wb95.Attack) int { return p.a.Odds(at.Units, at.Targets).Level }
	slices.SortStableFunc(all, func(a, b wb95.Attack) int { return level(b) - level(a) })
	support := p.support(all)
	for n, at := range all {
		var names []string
		for _, id := range at.Units {
			names = append(names, p.byID[id].Name)
		}
		var hexes string
		for k, h := range at.Targets {
			if k > 0 {
				hexes += ", "
			}
			hexes += h.String()
		}
		text := fmt.Sprintf("%d: %s\n  WITH %s", n+1, hexes, fit(names, lineRoom-len("  WITH ")))
		if optional(at, bound, due) {
			text += "\n  MIN 1:1"
		}
		last := "  " + p.pursuit(at)
		if guns := support[n]; len(guns) > 0 {
			last += "; ART " + fit(p.named(guns), lineRoom-len(last)-len("; ART "))
		}
		text += "\n" + last
		p.attacks = append(p.attacks, text)
	}
	p.shoot(all, due)
}

// lineRoom is the length of a line of an order below its section.
const lineRoom = orders.MaxLine - len("  ")

// fit lists as many names as there is room for, and at least the first. What does
// not fit stays out: the rules add who must attack.
func fit(names []string, room int) string {
	text := names[0]
	for _, n := range names[1:] {
		if len(text)+len(", ")+len(n) > room {
			break
		}
		text += ", " + n
	}
	return text
}

// optional tells whether nothing in the attack is a duty, so that it may be
// called off if the enemy proves too strong.
func optional(at wb95.Attack, bound []string, due []hex.Hex) bool {
	return !slices.ContainsFunc(at.Units, func(id string) bool { return slices.Contains(bound, id) }) &&
		!slices.ContainsFunc(at.Targets, func(h hex.Hex) bool { return slices.Contains(due, h) })
}

// pursuers is the room for the names of those who follow: guns stand in the same line.
const pursuers = 110

// pursuit is how the attackers go on when the enemy runs: those who came for the
// attack follow, those who hold a place or works stay there.
func (p *plan) pursuit(at wb95.Attack) string {
	target := at.Targets[0]
	var fast, slow []string
	for _, id := range at.Units {
		u := p.byID[id]
		switch {
		case u.digs || p.a.Fort(u.at) || p.goalAt(u.at) != nil:
			if n, _ := p.others(u.at, u); n == 0 || u.digs || u.at == u.Hex {
				continue
			}
			slow = append(slow, u.Name)
		case u.Class == "foot":
			slow = append(slow, u.Name)
		default:
			fast = append(fast, u.Name)
		}
	}
	how := "PURSUE OCCUPY"
	switch {
	case len(fast) > 0 && p.a.Odds(at.Units, at.Targets).Level > 0:
		how = "PURSUE FULL"
		if g := p.ahead(target); g != nil {
			how += " TOWARD " + g.Hex.String()
		}
		return how + " WITH " + fit(fast, pursuers)
	case len(slow)+len(fast) > 0:
		return how + " WITH " + fit(append(fast, slow...)[:min(3, len(slow)+len(fast))], pursuers)
	case p.goalAt(target) != nil:
		return how
	}
	return "PURSUE NO"
}

// ahead is the nearest goal that the enemy has, nil if he has none.
func (p *plan) ahead(h hex.Hex) *goal {
	var best *goal
	for _, g := range p.goals {
		if !g.Ours && (best == nil || p.g.Distance(h, g.Hex) < p.g.Distance(h, best.Hex)) {
			best = g
		}
	}
	return best
}

// writeStanding writes the STANDING section: objectives are held at the price of
// a step, everybody else gives way.
func (p *plan) writeStanding() {
	least := 1 // steps on a hex that is held at the price of one
	if p.a.Thrift() {
		least = 4
	}
	for _, g := range p.goals {
		if g.Ours && p.toFoe(g.Hex) <= 6 && (p.load[g.Hex] >= least || g.Strategic && p.load[g.Hex] > 0) {
			p.standing = append(p.standing, "AT "+g.Hex.String()+" HOLD, PAY 1")
		}
	}
	p.standing = append(p.standing, "ALL RETREAT FULL")
}
