package staff

import (
	"cmp"
	"fmt"
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// The guard from the air: within how many hexes of the enemy a goal gets it, and its part
// of the day's strength.
const (
	airGuardWithin = 3
	airGuardPart   = 3
)

// writeAir writes the AIR sections. In our own half turn the aircraft support the
// two largest attacks, or without any attack strike at what stands next to us; for
// the enemy's half turn a third of the day's strength guards the goal that is
// most in danger, if our aircraft may.
func (p *wb95Plan) writeAir() {
	if p.v.Air == nil {
		return
	}
	p.air = map[int][]string{}
	own, next := p.airPhases()
	if big := p.largest(); len(big) > 0 {
		p.supportFromTheAir(own, big)
	} else {
		p.strikeFromTheAir(own)
	}
	// Where the enemy's half turn is on the same day the own half has all of it.
	if p.a.GuardsFromTheAir() && next.Turn != own.Turn {
		p.guardFromTheAir(next)
	}
}

// airPhases are those of our own half turn and of the enemy's, zero where none comes any more.
func (p *wb95Plan) airPhases() (own, next view.AirPhase) {
	if p.v.Air == nil {
		return own, next
	}
	for _, c := range p.v.Air.Phases {
		if c.Phase == p.a.AirPhase() {
			own = c
		} else {
			next = c
		}
	}
	return own, next
}

// fly orders a mission.
func (p *wb95Plan) fly(phase view.AirPhase, verb string, h hex.Hex, strength int) {
	if strength > 0 {
		p.air[phase.Phase] = append(p.air[phase.Phase], fmt.Sprintf("%s %v %d", verb, h, strength))
	}
}

// largest lists the assaults, the one with most strength points first.
func (p *wb95Plan) largest() []*assault {
	big := slices.Clone(p.assaults)
	size := func(s *assault) (n int) {
		for _, u := range s.units {
			n += u.Attack
		}
		return n
	}
	slices.SortStableFunc(big, func(a, b *assault) int {
		return cmp.Or(size(b)-size(a), cmp.Compare(a.target, b.target))
	})
	return big
}

// supportFromTheAir flies for the largest assaults: each wing of counters for one, or the
// points halved between two.
func (p *wb95Plan) supportFromTheAir(own view.AirPhase, big []*assault) {
	if p.as.craft && p.a.Wings(own.Turn) != nil {
		p.flyFor(own, big)
		return
	}
	wings := p.a.Wings(own.Turn)
	switch {
	case wings != nil:
	case len(big) == 1:
		wings = []int{own.Left}
	default:
		wings = []int{(own.Left + 1) / 2, own.Left / 2}
	}
	for i, s := range big[:min(len(big), len(wings))] {
		p.fly(own, "SUPPORT", s.target, wings[i])
	}
}

// flyFor flies for the assaults that were planned with a wing, and with what is left for those that gain most by it.
func (p *wb95Plan) flyFor(own view.AirPhase, big []*assault) {
	for len(p.wings) > 0 {
		best := unless[*assault](nil, 0)
		for _, s := range big {
			if p.flights[s.target] == 0 {
				best.offer(s, p.onWings(s, p.wings[0])-p.onFoot(s))
			}
		}
		if best.best == nil {
			break
		}
		p.flyTo(best.best)
	}
	for _, s := range big {
		p.fly(own, "SUPPORT", s.target, p.flights[s.target])
	}
}

// flyTo has the next wing fly for an assault.
func (p *wb95Plan) flyTo(s *assault) { p.flights[s.target], p.wings = p.wings[0], p.wings[1:] }

// onWings is what an assault brings with support of a strength from the air.
func (p *wb95Plan) onWings(s *assault, strength int) int {
	defer p.a.SupposeAir(s.target, strength)()
	return p.onFoot(s)
}

// strikeFromTheAir flies against the first enemy stack that stands next to us.
func (p *wb95Plan) strikeFromTheAir(own view.AirPhase) {
	strength := own.Left
	if wings := p.a.Wings(own.Turn); len(wings) > 0 {
		strength = wings[0]
	}
	for _, h := range p.foeAt {
		if p.beside(h) && !p.foes[h].Lone {
			p.fly(own, "ATTACK", h, strength)
			return
		}
	}
}

// guardFromTheAir flies over the goal of ours that the enemy is nearest to.
func (p *wb95Plan) guardFromTheAir(next view.AirPhase) {
	var worst choice[*wb95Goal]
	for _, g := range p.goals {
		if g.Ours && p.load[g.Hex] > 0 {
			worst.offer(g, -p.toFoe(g.Hex))
		}
	}
	if g := worst.best; g != nil && p.toFoe(g.Hex) <= airGuardWithin {
		p.fly(next, "DEFEND", g.Hex, next.Left/airGuardPart)
	}
}

// beside tells whether one of our units stands next to the hex in the plan.
func (p *wb95Plan) beside(h hex.Hex) bool {
	return slices.ContainsFunc(p.pieces, func(u *wb95Unit) bool { return u.onMap() && p.g.Adjacent(u.at, h) })
}

// airSections writes them on the sheet.
func (p *wb95Plan) airSections(b *sheet) {
	if p.v.Air == nil {
		return
	}
	for _, c := range p.v.Air.Phases {
		b.section(fmt.Sprintf("AIR %d", c.Phase), p.air[c.Phase])
	}
}
