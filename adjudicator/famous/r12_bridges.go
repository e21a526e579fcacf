package famous

import (
	"fmt"
	"slices"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// engineerAt tells why a unit may not work on a bridge at a hexside or hex.
//
// GD 12.0/1
// GD 12.0/2
// GD 12.1/1
// GD 12.1/2
// GD 12.1/4
// GD 16.0/4
// reading GD 12.0: the engineer himself must not be in an enemy zone of control; one try an activation each.
func (s *State) engineerAt(u *Unit, o workOrder, clause rule.Clause) *rule.Violation {
	no := func(why string) *rule.Violation { return &rule.Violation{Clause: clause, Why: u.c.Name + " " + why} }
	g := s.sc.Board.Grid
	beside := o.hex != hex.None && (g.Adjacent(u.Hex, o.hex) || u.Hex == o.hex) || o.hex == hex.None && (u.Hex == o.edge.A || u.Hex == o.edge.B)
	switch {
	case !u.c.Engineer:
		return no("is no engineer")
	case u.Where != OnMap || u.Aboard != "":
		return no("cannot work")
	case !u.active:
		return no("is not activated")
	case u.Pinned:
		return no("is pinned")
	case u.worked:
		return no("has worked on a bridge in this activation")
	case !beside:
		return no(fmt.Sprintf("is not beside %s", o.where()))
	case s.threatened(u.idx, u.c.side):
		return no("is in an enemy zone of control")
	}
	return nil
}

// bridgesAt are the standing bridges of the map at a hexside, or of a river hex.
func (s *State) bridgesAt(o workOrder) (out []hex.Edge) {
	for _, b := range s.sc.Board.Bridges {
		if !s.blown[b.Edge] && (b.Edge == o.edge && o.hex == hex.None || o.hex != hex.None && (b.Edge.A == o.hex || b.Edge.B == o.hex)) {
			out = append(out, b.Edge)
		}
	}
	return out
}

func (o workOrder) pontoon(p Pontoon) bool {
	return o.hex != hex.None && p.Hex == o.hex || o.hex == hex.None && p.Edge == o.edge
}

// blow rolls to demolish a bridge.
//
// GD 2.6/1
// GD 12.0/3
// GD 12.0/4
// GD 12.0/5
// GD 12.0/6
// GD 12.0/7
func (s *State) blow(r *adjudicator.Run, o workOrder) *rule.Violation {
	u := o.unit
	if v := s.engineerAt(u, o, "GD 12.0"); v != nil {
		return v
	}
	found := s.bridgesAt(o)
	onPontoon := slices.ContainsFunc(s.Pontoons, o.pontoon)
	if len(found) == 0 && !onPontoon {
		return &rule.Violation{Clause: "GD 12.0", Why: fmt.Sprintf("no bridge stands at %s", o.where())}
	}
	u.worked = true
	if r == nil {
		return nil // whether it goes up is a matter of the die
	}
	label := s.label("demolition %s", o.where())
	die := r.Roll("GD 12.0", label, 1, 6)[0]
	if die >= 2 {
		for _, side := range s.sc.Sides {
			s.news(side, "BRIDGE")
		}
		s.Blown = append(s.Blown, found...)
		slices.SortFunc(s.Blown, func(a, b hex.Edge) int { return int(a.A)*10000 + int(a.B) - int(b.A)*10000 - int(b.B) })
		if len(found) == 0 {
			s.Pontoons = slices.DeleteFunc(s.Pontoons, o.pontoon)
		}
		s.works()
	}
	r.Tell(view.Event{Kind: "demolition", Clause: "GD 12.0", Hexes: []hex.Hex{u.Hex}, Rolls: []string{label},
		Facts: map[string]string{"unit": u.c.Name, "bridge": o.where(), "dice": fmt.Sprint(die), "label": label, "blown": yesNo(die >= 2)}})
	return nil
}

// bridge begins a pontoon bridge.
//
// GD 2.6/2
// GD 12.1/3
// GD 12.1/7
// GD 12.1/8
// GD 14.1/10
// GD 14.1/14
// reading GD 12.1: it costs no movement points, and there are always enough pontoons.
func (s *State) bridge(r *adjudicator.Run, o workOrder) *rule.Violation {
	u := o.unit
	if v := s.engineerAt(u, o, "GD 12.1"); v != nil {
		return v
	}
	if !s.weather().Pontoons {
		return &rule.Violation{Clause: "GD 14.1", Why: "no pontoon bridge is placed in this weather"}
	}
	b := s.sc.Board
	p := Pontoon{Side: u.c.Side}
	if o.hex != hex.None {
		i := b.Grid.Index(o.hex)
		if !s.sc.ground[i].major {
			return &rule.Violation{Clause: "GD 12.1", Why: fmt.Sprintf("%v is no river hex", o.hex)}
		}
		if !s.bankBeside(o.hex) {
			return &rule.Violation{Clause: "GD 12.1", Why: fmt.Sprintf("%v is beside neither bank nor a completed pontoon", o.hex)}
		}
		p.Hex = o.hex
	} else {
		e := s.edge(o.edge.A, o.edge.B)
		if e == nil || e.water == nil || !e.water.Price[Wheeled].Closed || e.water.Name == "dragon's teeth" {
			return &rule.Violation{Clause: "GD 12.1", Why: fmt.Sprintf("%v is no river or canal", o.edge)}
		}
		p.Edge = o.edge
	}
	if slices.ContainsFunc(s.Pontoons, o.pontoon) {
		return &rule.Violation{Clause: "GD 12.1", Why: "a pontoon is there already"}
	}
	u.worked = true
	s.Pontoons = append(s.Pontoons, p)
	slices.SortFunc(s.Pontoons, func(a, b Pontoon) int {
		return int(a.Hex)*100000 + int(a.Edge.A)*10 + int(a.Edge.B) - int(b.Hex)*100000 - int(b.Edge.A)*10 - int(b.Edge.B)
	})
	if r != nil {
		r.Tell(view.Event{Kind: "pontoon", Clause: "GD 12.1", Hexes: []hex.Hex{u.Hex}, Facts: map[string]string{"unit": u.c.Name, "bridge": o.where(), "side": string(u.c.Side)}})
	}
	return nil
}

// bankBeside: a hex of land or a completed pontoon is beside the river hex.
func (s *State) bankBeside(h hex.Hex) bool {
	for _, n := range s.sc.Board.Grid.Neighbours(h) {
		i := s.sc.Board.Grid.Index(n)
		if s.sc.ground[i].on && (!s.sc.ground[i].major || s.deck[i]) {
			return true
		}
	}
	return false
}

// spoilPontoons takes away bridges under construction that a unit has come beside.
//
// GD 12.1/5
// GD 12.1/6
func (s *State) spoilPontoons(r *adjudicator.Run, u *Unit) {
	if len(s.Pontoons) == 0 {
		return
	}
	g := s.sc.Board.Grid
	s.Pontoons = slices.DeleteFunc(s.Pontoons, func(p Pontoon) bool {
		var near bool
		if p.Hex != hex.None {
			near = g.Distance(u.Hex, p.Hex) <= 1
		} else {
			near = u.Hex == p.Edge.A || u.Hex == p.Edge.B
		}
		spoilt := !p.Done && p.Side != u.c.Side && near
		if spoilt && r != nil {
			o := workOrder{edge: p.Edge, hex: p.Hex}
			r.Tell(view.Event{Kind: "pontoon-spoilt", Clause: "GD 12.1", Hexes: []hex.Hex{u.Hex}, Facts: map[string]string{"bridge": o.where(), "side": string(p.Side)}})
		}
		return spoilt
	})
}

// finishPontoons completes the bridges under construction at the end of the turn.
//
// GD 3.5/2
// GD 12.1/3
func (s *State) finishPontoons(r *adjudicator.Run) {
	for i := range s.Pontoons {
		p := &s.Pontoons[i]
		if !p.Done {
			p.Done = true
			o := workOrder{edge: p.Edge, hex: p.Hex}
			r.Tell(view.Event{Kind: "pontoon-built", Clause: "GD 12.1", Facts: map[string]string{"bridge": o.where(), "side": string(p.Side)}})
		}
	}
	s.works()
}
