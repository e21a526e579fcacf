package wb95

import (
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
)

// sightRange is how far, in hexes, a unit sees a stack in a blind game. What it
// sees is that something is there; what it is, only contact tells.
const sightRange = 2

// sees tells whether a side sees what stands on a hex. By the rulebook it always
// does (reading WB-95 16.1.1).
func (s *State) sees(side Side, h hex.Hex) bool {
	if s.sc.Readings.Fog != adjudicator.FogBlind {
		return true
	}
	for _, u := range s.onMap(side) {
		if s.sc.Board.Grid.Distance(u.Hex, h) <= sightRange {
			return true
		}
	}
	return false
}

// knowsFort tells whether a side knows of a fortification: it is its own, in sight, or
// printed in the set-up, which both have read.
func (s *State) knowsFort(side Side, f Fort) bool {
	switch {
	case f.Side == side, s.sees(side, f.Hex):
		return true
	}
	return s.sc.printedFort(f)
}

// printedFort tells whether the set-up has the fortification.
func (sc *Scenario) printedFort(f Fort) bool {
	ofSide := func(id string) bool {
		return slices.ContainsFunc(sc.Counters, func(c Counter) bool { return c.ID == id && c.Side == f.Side })
	}
	return slices.ContainsFunc(sc.Setup, func(p Placement) bool {
		return p.Fort == f.Kind && p.Hexes[0] == f.Hex && ofSide(p.Counter)
	})
}

// believedPlan is the way that a unit's order takes by what its side knows: in a
// blind game it does not go around what nobody has seen. Where the truth is
// otherwise the walk stops and says why.
func (s *State) believedPlan(m *march, o *moveOrder) ([]hex.Hex, *rule.Violation) {
	side := m.u.c.Side
	b := s.clone()
	b.dice = nil
	b.Units = slices.DeleteFunc(b.Units, func(u Unit) bool {
		if u.c.Side == side || u.Where != OnMap {
			return false
		}
		return !s.sees(side, u.Hex) && s.contact(side, u.Hex) == nil
	})
	if err := b.attach(s.sc); err != nil {
		return nil, &rule.Violation{Why: err.Error()}
	}
	i := slices.IndexFunc(b.Units, func(u Unit) bool { return u.ID == m.u.ID })
	bm := b.newMarch(&b.Units[i], o.full)
	if v := bm.limber(o); v != nil {
		return nil, v
	}
	return bm.plan(o, bm.seeds(), true)
}
