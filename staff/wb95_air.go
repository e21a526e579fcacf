package staff

import (
	"cmp"
	"fmt"
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// writeAir writes the AIR sections. In our own half turn the aircraft support the
// two largest attacks, or without any attack strike at what stands next to us; for
// the enemy's half turn a third of the day's strength guards the goal that is
// most in danger, if our aircraft may.
func (p *plan) writeAir() {
	if p.v.Air == nil {
		return
	}
	var own, next view.AirPhase // zero where none comes any more
	for _, c := range p.v.Air.Phases {
		if c.Phase == p.a.AirPhase() {
			own = c
		} else {
			next = c
		}
	}
	p.air = map[int][]string{}
	add := func(phase int, verb string, h hex.Hex, sp int) {
		if sp > 0 {
			p.air[phase] = append(p.air[phase], fmt.Sprintf("%s %v %d", verb, h, sp))
		}
	}
	big := slices.Clone(p.war)
	size := func(s *assault) (n int) {
		for _, u := range s.units {
			n += u.Attack
		}
		return n
	}
	slices.SortStableFunc(big, func(a, b *assault) int {
		return cmp.Or(size(b)-size(a), cmp.Compare(a.target, b.target))
	})
	wings := p.a.Wings(own.Turn)
	switch {
	case wings != nil && len(big) > 0:
		for i, s := range big[:min(len(big), len(wings))] {
			add(own.Phase, "SUPPORT", s.target, wings[i])
		}
	case len(big) > 1:
		add(own.Phase, "SUPPORT", big[0].target, (own.Left+1)/2)
		add(own.Phase, "SUPPORT", big[1].target, own.Left/2)
	case len(big) == 1:
		add(own.Phase, "SUPPORT", big[0].target, own.Left)
	default:
		for _, h := range p.foeAt {
			if p.beside(h) && !p.foes[h].Lone {
				sp := own.Left
				if len(wings) > 0 {
					sp = wings[0]
				}
				add(own.Phase, "ATTACK", h, sp)
				break
			}
		}
	}
	if !p.a.GuardsFromTheAir() || next.Turn == own.Turn {
		return // the own half has all of that day
	}
	var worst *goal
	for _, g := range p.goals {
		if g.Ours && p.load[g.Hex] > 0 && (worst == nil || p.toFoe(g.Hex) < p.toFoe(worst.Hex)) {
			worst = g
		}
	}
	if worst != nil && p.toFoe(worst.Hex) <= 3 {
		add(next.Phase, "DEFEND", worst.Hex, next.Left/3)
	}
}

// beside tells whether one of our units stands next to the hex in the plan.
func (p *plan) beside(h hex.Hex) bool {
	return slices.ContainsFunc(p.pieces, func(u *piece) bool { return u.at != hex.None && p.g.Adjacent(u.at, h) })
}

// airSections writes them on the sheet.
func (p *plan) airSections(b *sheet) {
	if p.v.Air == nil {
		return
	}
	for _, c := range p.v.Air.Phases {
		b.section(fmt.Sprintf("AIR %d", c.Phase), p.air[c.Phase])
	}
}
