package wb95

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// believe builds the position that a View describes: own units as they are, and
// for the enemy what the contact reports say, else one infantry unit a stack. The
// rules judge orders on it exactly as on a true position, so a refusal can tell
// the sender nothing new. Counters' printed values are public.
func (sc *Scenario) believe(v *view.View) (*State, error) {
	if v.Scenario != sc.ID {
		return nil, fmt.Errorf("the view is of scenario %s, not %s", v.Scenario, sc.ID)
	}
	s := &State{Format: stateFormat, Turn: v.Turn, Verdict: v.Verdict, Winner: Side(v.Winner)}
	// An order sheet is judged as from the side's movement on.
	s.Phase = 3
	for i, p := range sc.players() {
		if string(p) == v.Side {
			s.Phase = 3 + i*halfTurn
		}
	}
	if v.Turn == 0 {
		s.Turn, s.Phase = 1, 0
	}
	s.Units = make([]Unit, 0, len(v.Units)+len(v.Arrivals)+len(v.Lost)+len(v.Allies)+2*len(v.Enemy))
	for _, list := range [][]view.Unit{v.Units, v.Arrivals, v.Lost, v.Allies} {
		for _, u := range list {
			s.Units = append(s.Units, sc.ownBelief(u, v))
		}
	}
	means := map[branch]*Counter{}
	for _, st := range v.Enemy {
		s.Units = append(s.Units, sc.enemyBelief(st, means)...)
	}
	slices.SortFunc(s.Units, func(a, b Unit) int { return strings.Compare(a.ID, b.ID) })
	for _, f := range v.Forts {
		s.Forts = append(s.Forts, Fort{f.Hex, FortKind(f.Kind), sc.camp(Side(f.Side))})
	}
	slices.SortFunc(s.Forts, byHex)
	for _, b := range v.Bridges {
		s.Bridges = append(s.Bridges, Bridge{b.Edge, b.Stands, Side(b.Side)})
	}
	if v.Air != nil {
		for _, m := range v.Air.Flown {
			f := Mission{Side: sc.camp(Side(v.Side)), Kind: m.Kind, Hex: m.Hex, SP: m.Strength, Counters: m.Counters, White: m.White}
			if m.Edge != nil {
				f.Edge = *m.Edge
			}
			s.Missions = append(s.Missions, f)
		}
	}
	for _, u := range v.Units {
		if u.Work != nil {
			s.Works = append(s.Works, Work{HQ: u.ID, From: u.Hex, Edge: *u.Work})
		}
	}
	for _, c := range v.Crowded {
		if c.MayStay > stackLimit {
			s.Crowds = append(s.Crowds, Crowd{c.Hex, c.MayStay})
		}
	}
	s.Control = sc.controlFrom(v.Control)
	s.sc, s.belief, s.leads = sc, true, v.Leads
	s.believeAssets(v)
	return s, s.attach(sc)
}

func (sc *Scenario) ownBelief(u view.Unit, v *view.View) Unit {
	b := Unit{ID: u.ID, Steps: u.Steps, OoS: u.OutOfSupply, Supplied: u.OutOfSupply == 0, Retreated: u.Retreated, Firing: u.Gun == "firing", Barraged: int8(u.Silent), Camp: u.Camp}
	if u.Disorganized {
		b.Disorganized = clock(v.Turn, 1)
	}
	side := sc.camp(Side(v.Side))
	b.Turned = sc.find(func(c *Counter) bool { return c.ID == u.ID && c.Side != side }) != nil
	switch {
	case u.Hex != hex.None:
		b.Where, b.Hex = OnMap, u.Hex
	case u.Steps == 0:
		b.Where = Gone
	default:
		b.Where, b.Due, b.Left = Later, u.Turn, u.Left
		if u.Ready && u.Turn == 0 {
			b.Due = v.Turn
		}
	}
	return b
}

// branch is a side's counters of a type.
type branch struct {
	side Side
	kind string
}

// enemyBelief makes stand-ins for an enemy stack. Means keeps mean counters.
func (sc *Scenario) enemyBelief(st view.Stack, means map[branch]*Counter) []Unit {
	sights := st.Units
	if len(sights) == 0 {
		sights = []view.Sight{{Type: string(INF)}}
	}
	out := make([]Unit, 0, len(sights))
	for i, g := range sights {
		c := *sc.typical(sc.camp(Side(st.Side)), g, means)
		c.ID = fmt.Sprintf("?%v-%d", st.Hex, i)
		u := Unit{ID: c.ID, Where: OnMap, Hex: st.Hex, Steps: g.Steps, Supplied: true, Firing: true, c: &c}
		if u.Steps == 0 || u.Steps > c.Steps() {
			u.Steps = c.Steps()
		}
		out = append(out, u)
	}
	return out
}

// typical is the counter of the order of battle that fits a contact report: the
// named one, or one with the mean strength of its type. It must not be changed.
func (sc *Scenario) typical(side Side, g view.Sight, means map[branch]*Counter) *Counter {
	if g.Name != "" {
		if c := sc.find(func(c *Counter) bool { return c.Side == side && c.Name == g.Name }); c != nil {
			return c
		}
	}
	of := branch{side, g.Type}
	if means[of] == nil {
		means[of] = sc.mean(of)
	}
	return means[of]
}

// find is the first counter that fits, nil for none.
func (sc *Scenario) find(fits func(*Counter) bool) *Counter {
	for i := range sc.Counters {
		if c := &sc.Counters[i]; fits(c) {
			return c
		}
	}
	return nil
}

// mean is a counter with the mean strength of its branch.
func (sc *Scenario) mean(b branch) *Counter {
	var of []*Counter
	for i := range sc.Counters {
		if c := &sc.Counters[i]; c.Side == b.side && string(c.Type) == b.kind {
			of = append(of, c)
		}
	}
	if len(of) == 0 {
		return &Counter{Name: "?", Side: b.side, Type: INF, Class: Foot, Strength: []int{2, 4}, Moves: 4 * One}
	}
	cp := *of[0]
	cp.Name = "?"
	cp.Parent = ""
	cp.Strength = slices.Clone(cp.Strength)
	for i := range cp.Strength {
		sum, n := 0, 0
		for _, c := range of {
			if i < len(c.Strength) {
				sum, n = sum+c.Strength[i], n+1
			}
		}
		cp.Strength[i] = (2*sum + n) / (2 * n)
	}
	return &cp
}

// controlFrom reads the rows of a View back.
func (sc *Scenario) controlFrom(rows []string) string {
	g := sc.Board.Grid
	out := make([]byte, g.Len())
	for i := range out {
		out[i] = '.'
		h := g.At(i)
		r, c := h.Row()-g.RowMin, h.Col()-g.ColMin
		if r >= len(rows) || c >= len(rows[r]) {
			continue
		}
		for _, p := range sc.players() {
			if p[0] == rows[r][c] {
				out[i] = "AB"[sc.number(p)]
			}
		}
	}
	return string(out)
}

// Supply implements adjudicator.Supplier: the hexes that a truck of the side reaches from its sources,
// within the greatest allowance of its nations.
func (g *Game) Supply(v *view.View) ([]hex.Hex, error) {
	s, err := g.believe(v)
	if err != nil {
		return nil, err
	}
	side, allowed := Side(v.Side), Cost(0)
	for _, u := range s.onMap(side) {
		allowed = max(allowed, s.sc.Allowance[u.c.Nation])
	}
	out := []hex.Hex{}
	for i, cost := range s.linesOfSupply(side).cost {
		h := g.sc.Board.Grid.At(i)
		if cost.within(allowed) && g.sc.Board.On(h) && s.holder(h) != g.sc.Other(side) {
			out = append(out, h)
		}
	}
	return out, nil
}

// Zones are the hexes in zones of control of both sides, as the View's reader may
// reckon them: their own as they are, the enemy's from contact reports.
func (g *Game) Zones(v *view.View) ([]view.Zone, error) {
	s, err := g.believe(v)
	if err != nil {
		return nil, err
	}
	var out []view.Zone
	for _, side := range g.sc.Sides {
		z := view.Zone{Side: string(side)}
		on := s.zonesOf(side).on
		for i := range on {
			if h := g.sc.Board.Grid.At(i); on[i] && g.sc.Board.On(h) {
				z.Hexes = append(z.Hexes, h)
			}
		}
		out = append(out, z)
	}
	return out, nil
}
