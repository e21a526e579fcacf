package staff

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/wb95"
)

// writeAttacks writes the ATTACK section: what is planned and what the duties
// still ask for, the best odds first.
func (p *wb95Plan) writeAttacks() {
	var given []wb95.Attack
	for _, s := range p.assaults {
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
		who := "  WITH " + fit(p.named(at.Units), lineRoom-len("  WITH "))
		text := fmt.Sprintf("%d: %s\n%s", n+1, hexes(at.Targets), who)
		if optional(at, bound, due) {
			text += "\n  MIN 1:1"
		}
		last := "  " + p.pursuit(at)
		if guns := support[n]; len(guns) > 0 {
			last += "; ART " + fit(p.named(guns), lineRoom-len(last)-len("; ART "))
		}
		p.attacks = append(p.attacks, text+"\n"+last)
	}
	p.shoot(all, due)
}

// hexes lists hexes as a sheet does.
func hexes(list []hex.Hex) string {
	var out []string
	for _, h := range list {
		out = append(out, h.String())
	}
	return strings.Join(out, ", ")
}

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
	return !overlap(at.Units, bound) && !overlap(at.Targets, due)
}

// overlap tells whether two lists have anything in common.
func overlap[T comparable](a, b []T) bool {
	return slices.ContainsFunc(a, func(x T) bool { return slices.Contains(b, x) })
}

// pursuers is the room for the names of those who follow: guns stand in the same line.
const pursuers = 110

// pursuit is how the attackers go on when the enemy runs: those who came for the
// attack follow, those who hold a place or works stay there.
func (p *wb95Plan) pursuit(at wb95.Attack) string {
	target := at.Targets[0]
	fast, slow := p.followers(at)
	switch {
	case len(fast) > 0 && p.a.Odds(at.Units, at.Targets).Level > 0:
		how := "PURSUE FULL"
		if g := p.ahead(target); g != nil {
			how += " TOWARD " + g.Hex.String()
		}
		return how + " WITH " + fit(fast, pursuers)
	case len(slow)+len(fast) > 0:
		return "PURSUE OCCUPY WITH " + fit(append(fast, slow...)[:min(3, len(slow)+len(fast))], pursuers)
	case p.goalAt(target) != nil:
		return "PURSUE OCCUPY"
	}
	return "PURSUE NO"
}

// followers lists the attackers who may follow, those on wheels and tracks apart from those
// who are slow or hold something.
func (p *wb95Plan) followers(at wb95.Attack) (fast, slow []string) {
	for _, id := range at.Units {
		u := p.byID[id]
		holds := p.holds(u)
		switch {
		case holds && p.mustStay(u):
		case holds, u.Class == "foot":
			slow = append(slow, u.Name)
		default:
			fast = append(fast, u.Name)
		}
	}
	return fast, slow
}

// holds tells whether a unit is in works or on a place, to be dug there or keep it.
func (p *wb95Plan) holds(u *wb95Unit) bool {
	return u.digs || p.a.Fort(u.at) || p.goalAt(u.at) != nil
}

// mustStay tells whether a unit that holds something stays with it: it digs there, it did not
// come for the attack, or nobody else would stay.
func (p *wb95Plan) mustStay(u *wb95Unit) bool {
	return u.digs || u.at == u.Hex || p.alone(u)
}

// ahead is the nearest goal that the enemy has, nil if they have none.
func (p *wb95Plan) ahead(h hex.Hex) *wb95Goal {
	var best choice[*wb95Goal]
	for _, g := range p.goals {
		if !g.Ours {
			best.offer(g, -p.g.Distance(h, g.Hex))
		}
	}
	return best.best
}

// writeStanding writes the STANDING section: objectives are held at the price of
// a step, everybody else gives way.
func (p *wb95Plan) writeStanding() {
	for _, g := range p.goals {
		if g.Ours && p.load[g.Hex] >= p.leastHeld(g) && p.toFoe(g.Hex) <= 6 {
			p.standing = append(p.standing, "AT "+g.Hex.String()+" HOLD, PAY 1")
		}
	}
	p.standing = append(p.standing, "ALL "+p.as.retreat())
}

// leastHeld is how many steps on a goal hold it at the price of one: where every lost unit
// counts only a strong garrison does, but on what the game hangs on anybody.
func (p *wb95Plan) leastHeld(g *wb95Goal) int {
	if p.a.Thrift() && !g.Strategic {
		return 4
	}
	return 1
}
