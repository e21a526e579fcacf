package wb95

import (
	"fmt"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// leave is the scenario's leave for the side to fire a barrage in this turn, nil
// for none.
//
// WB-95 6.5.1
func (s *State) leave(side Side) *Barrage {
	for i := range s.sc.Barrages {
		if b := &s.sc.Barrages[i]; b.Side == side && b.From <= s.Turn && s.Turn <= b.To && s.ammo(side) > 0 {
			return b
		}
	}
	return nil
}

// ammo is the ammunition units that a side has left for the barrages it may
// still fire.
//
// WB-95 6.5.7
func (s *State) ammo(side Side) int {
	n := -s.Ammo[side]
	for _, b := range s.sc.Barrages {
		if b.Side == side && s.Turn <= b.To {
			n += b.Ammo
		}
	}
	return max(0, n)
}

// barragePhase is phases 2 and 8.
func barragePhase(r *adjudicator.Run, s *State) {
	side := s.mover()
	// WB-95 6.5.1: only where the scenario allows one
	if s.leave(side) == nil {
		return
	}
	other := s.sc.Other(side)
	b := &battle{r: r, s: s, side: side, other: other, standing: map[Side][]standingOrder{}}
	ask := append([]adjudicator.Decision{{Label: "barrage", Kind: kindBarrage, Side: s.player(), Turn: true, Clause: "WB-95 6.5.2"}}, s.standing(other, "WB-95 6.4.2")...)
	// WB-95 6.5.2: it is fired in this phase
	// WB-95 6.5.8: but nobody has to fire
	answers := r.Ask(ask...)
	for i, d := range ask[1:] {
		b.readStanding(d.Side, answers[i+1])
	}
	p := &plan{s: s, side: side}
	for _, w := range phrase.ReadAll(answers[0]) {
		o, fell, v := p.barrage(w)
		if v != nil {
			b.toOwner(side, "barrage-refused", v.Clause, nil, "order", w.Text, "why", v.Why)
			continue
		}
		for _, v := range fell {
			b.toOwner(side, "barrage-part", v.Clause, []hex.Hex{o.target}, "order", w.Text, "why", v.Why)
		}
		// WB-95 6.5.3
		fire{r: r, s: s, side: side, target: o.target, guns: o.guns, factor: 2, label: "barrage", standing: b.inForce(other)}.resolve()
	}
}

// barrage judges a line of the BARRAGE section, and if it is legal takes its
// ammunition and silences its guns.
//
// reading WB-95 6.5.3: as in ranged attacks no target is adjacent, and each hex is
// fired at once; a hex under barrage may be attacked directly in the same turn.
func (p *plan) barrage(w phrase.Written) (o fireOrder, fell []*rule.Violation, v *rule.Violation) {
	if o, v = p.s.parseFire(p.s.player(), w); v != nil {
		return o, nil, v
	}
	switch {
	case o.bridge != nil || len(o.when) > 0:
		return o, nil, &rule.Violation{Clause: "WB-95 6.5.3", Why: "a barrage is fired at a hex with enemies, without conditions"}
	case p.s.leave(p.side) == nil:
		return o, nil, &rule.Violation{Clause: "WB-95 6.5.1", Why: "the scenario allows no barrage now"}
	}
	if v = p.badShot(o, nil); v != nil {
		return o, nil, v
	}
	var guns []*Unit
	for _, u := range o.guns {
		if bad := p.badBarrageGun(u, o); bad != nil {
			fell = append(fell, bad)
			continue
		}
		guns = append(guns, u)
	}
	have := p.s.ammo(p.side)
	switch {
	// WB-95 6.5.4: two guns on a hex at least
	case len(guns) < 2:
		return o, nil, first(fell, "WB-95 6.5.4", "a barrage on a hex takes at least two guns")
	// WB-95 6.5.7: an ammunition unit for each
	case len(guns) > have:
		return o, nil, &rule.Violation{Clause: "WB-95 6.5.7", Why: fmt.Sprintf("%d guns take %d ammunition units, %d are left", len(guns), len(guns), have)}
	}
	o.guns = guns
	p.fireOrders = append(p.fireOrders, &o)
	if p.s.Ammo == nil {
		p.s.Ammo = map[Side]int{}
	}
	p.s.Ammo[p.side] += len(guns)
	for _, u := range guns {
		// WB-95 6.5.5: they do not move in this turn
		// WB-95 6.5.6: and are silent for two Combat Phases
		u.Barraged = silentPhases
		p.s.disturb(u)
	}
	return o, fell, nil
}

// badBarrageGun says why a gun cannot take part in a barrage.
func (p *plan) badBarrageGun(u *Unit, o fireOrder) *rule.Violation {
	if v := u.mayFire(); v != nil {
		return v
	}
	switch d := p.s.sc.Board.Grid.Distance(u.Hex, o.target); {
	case d > gunRange:
		return &rule.Violation{Clause: "WB-95 6.1.2", Why: fmt.Sprintf("%s on %v is %d hexes away from the target, guns fire over %d", u.c.Name, u.Hex, d, gunRange)}
	case d < 2:
		return &rule.Violation{Clause: "WB-95 6.4.3", Why: fmt.Sprintf("%v is adjacent to %s", o.target, u.c.Name)}
	}
	return nil
}

// assets lists what a side may spend: ammunition, and modifiers for eliminated
// headquarters.
func (s *State) assets(side Side) []view.Asset {
	var out []view.Asset
	if n := s.ammo(side); n > 0 {
		out = append(out, view.Asset{Kind: assetAmmo, Count: n})
	}
	if d := s.sc.Notes.AirDays; s.Phase == 0 && d != nil && d.Side == side {
		out = append(out, view.Asset{Kind: assetDays, Count: len(d.Points)})
	}
	for _, p := range s.Pools {
		if p.Side == side {
			out = append(out, view.Asset{Kind: assetMarks, Hex: p.Hex, Count: p.CMs, Left: p.Left, Turn: int(p.Won.Turn), Phase: int(p.Won.Phase)})
		}
	}
	return out
}

// Kinds of assets, in words.
const (
	assetAmmo  = "ammunition units"
	assetMarks = "combat modifiers for a lost headquarters"
	assetDays  = "days with air strength, to be chosen by DAYS under SETUP"
)

// believeAssets takes what a View says of them into a position.
func (s *State) believeAssets(v *view.View) {
	side := s.sc.camp(Side(v.Side))
	for _, a := range v.Assets {
		switch a.Kind {
		case assetAmmo:
			if used := s.ammo(side) - a.Count; used > 0 {
				s.Ammo = map[Side]int{side: used}
			}
		case assetMarks:
			s.Pools = append(s.Pools, Pool{side, a.Hex, a.Count, clock(a.Turn, a.Phase), a.Left})
		}
	}
	if slices.ContainsFunc(s.sc.Barrages, func(b Barrage) bool { return b.Side == side }) && len(v.Assets) == 0 {
		s.Ammo = map[Side]int{side: s.ammo(side)}
	}
}
