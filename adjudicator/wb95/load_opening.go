package wb95

import (
	"cmp"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
)

// control reads what is laid down about the first control of hexes.
func (l *loader) control() {
	l.sc.Control = map[hex.Hex]Side{}
	for _, r := range l.Rows("control.tsv", "hex", "side") {
		h, side := r.Hex("hex"), Side(r.Text("side"))
		switch {
		case !l.sc.Board.On(h):
			r.Fault("hex", "hex %v is not on the map", h)
		case l.sc.Control[h] != "":
			r.Fault("hex", "%v stands twice", h)
		case !l.side(side):
			r.Fault("side", "%q is not a side of the scenario", side)
		case l.at[h] != "" && l.at[h] != side:
			r.Fault("side", "%v begins with units of the other side", h)
		}
		l.sc.Control[h] = side
	}
}

// opening is the position before the first phase, set up by default.
func (sc *Scenario) opening() *State {
	s := &State{Format: stateFormat, Turn: 1, Phase: 1, Forts: []Fort{}, Contact: []Contact{}, sc: sc}
	at, due := map[string]Placement{}, map[string]Arrival{}
	for _, p := range sc.Setup {
		at[p.Counter] = p
	}
	for _, a := range sc.Arrivals {
		due[a.Counter] = a
	}
	for i := range sc.Counters {
		c := &sc.Counters[i]
		u := Unit{ID: c.ID, Steps: c.Steps() - due[c.ID].Losses, Where: Later, Due: due[c.ID].Turn, c: c}
		if p, ok := at[c.ID]; ok {
			u.Where, u.Hex, u.Steps = OnMap, p.Hexes[0], c.Steps()-p.Losses
			u.Supplied = true       // reading WB-95 4.3.5: a unit begins in supply
			u.Firing = c.hasSetup() // reading WB-95 6.2.2: guns begin in combat set-up
			if p.Fort != "" {
				s.setFort(u.Hex, p.Fort, c.Side)
			}
		}
		s.Units = append(s.Units, u)
	}
	s.index()
	for _, b := range sc.Board.Bridges {
		s.Bridges = append(s.Bridges, Bridge{Edge: b.Edge, Stands: !slices.Contains(sc.Broken, b.Edge)})
	}
	for _, e := range sc.Bridges {
		s.Bridges = append(s.Bridges, Bridge{Edge: e, Stands: true})
	}
	slices.SortFunc(s.Bridges, func(a, b Bridge) int {
		return cmp.Or(cmp.Compare(a.Edge.A, b.Edge.A), cmp.Compare(a.Edge.B, b.Edge.B))
	})
	s.firstControl()
	s.holdBridges()
	s.camp(s.onMap(sc.Sides[0]))
	s.camp(s.onMap(sc.Sides[1]))
	return s
}

// firstControl gives every hex its first owner.
//
// reading WB-95 4.3.1: the front line runs midway between the units of the set-up:
// a hex belongs to the side with the nearest unit, to nobody where both are
// equally near; what the scenario lays down comes first .
func (s *State) firstControl() {
	g := s.sc.Board.Grid
	s.Control = strings.Repeat(".", g.Len())
	var near [2][]int // by grid index: how far the side's nearest stack is
	for k, side := range s.sc.Sides {
		near[k] = g.Nearest(s.hexesOf(side), g.Len())
	}
	change := map[hex.Hex]Side{}
	for i := range g.Len() {
		h := g.At(i)
		if !s.sc.Board.On(h) {
			continue
		}
		if side, ok := s.sc.Control[h]; ok {
			change[h] = side
			continue
		}
		switch {
		case near[0][i] < near[1][i]:
			change[h] = s.sc.Sides[0]
		case near[1][i] < near[0][i]:
			change[h] = s.sc.Sides[1]
		}
	}
	s.setController(change)
	s.firstTakers()
}
