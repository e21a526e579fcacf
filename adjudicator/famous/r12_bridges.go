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
// GD 16.0/4: pioneers are engineers
// reading GD 12.0: the engineer itself must not be in an enemy zone of control; one try an activation each.
func (s *State) engineerAt(u *Unit, o workOrder, clause rule.Clause) *rule.Violation {
	if v := s.engineerAble(u, clause); v != nil {
		return v
	}
	no := func(why string) *rule.Violation { return &rule.Violation{Clause: clause, Why: u.c.Name + " " + why} }
	switch {
	case !s.standsAt(u, o): // GD 12.0/1
		return no(fmt.Sprintf("is not beside %s", o.where()))
	case s.threatened(u.idx, u.c.side):
		// GD 12.0/2
		// GD 12.1/2
		return no("is in an enemy zone of control")
	}
	return nil
}

// engineerAble tells why a unit may not work on bridges, wherever it stands.
func (s *State) engineerAble(u *Unit, clause rule.Clause) *rule.Violation {
	no := func(why string) *rule.Violation { return &rule.Violation{Clause: clause, Why: u.c.Name + " " + why} }
	switch {
	case !u.c.Engineer:
		return no("is not an engineer")
	case !u.canAct():
		return no("cannot work")
	case !u.did.active:
		return no("is not activated")
	case u.Pinned: // GD 12.1/4
		return no("is pinned")
	case u.did.worked: // GD 12.0/3
		return no("has worked on a bridge in this activation")
	}
	return nil
}

// standsAt tells whether a unit stands at what is to be worked on.
func (s *State) standsAt(u *Unit, o workOrder) bool {
	if o.inRiver() {
		return s.sc.Board.Grid.Distance(u.Hex, o.hex) <= 1
	}
	return touches(o.edge, u.Hex)
}

// touches: the hexside is one of the hex.
func touches(e hex.Edge, h hex.Hex) bool { return e.A == h || e.B == h }

// inRiver: the work is on a hex of a major river, not on a hexside.
func (o workOrder) inRiver() bool { return o.hex != hex.None }

// at tells whether a bridge over that hexside is what is to be worked on.
func (o workOrder) at(e hex.Edge) bool {
	if o.inRiver() {
		return touches(e, o.hex)
	}
	return e == o.edge
}

// pontoon tells whether a pontoon is what is to be worked on.
func (o workOrder) pontoon(p Pontoon) bool {
	if o.inRiver() {
		return p.Hex == o.hex
	}
	return p.Edge == o.edge
}

// bridgesAt are the standing bridges of the map at a hexside, or of a river hex.
func (s *State) bridgesAt(o workOrder) (out []hex.Edge) {
	for _, b := range s.sc.Board.Bridges {
		if o.at(b.Edge) && !s.blown[b.Edge] {
			out = append(out, b.Edge)
		}
	}
	return out
}

// blow rolls to demolish a bridge.
//
// GD 2.6/1: blown bridges are marked
// GD 12.0/7: pontoons are demolished alike
func (s *State) blow(r *adjudicator.Run, o workOrder) *rule.Violation {
	u := o.unit
	if v := s.engineerAt(u, o, "GD 12.0"); v != nil {
		return v
	}
	if v := s.demolishable(o); v != nil {
		return v
	}
	found := s.bridgesAt(o)
	u.did.worked = true
	if r == nil {
		return nil // whether it goes up is a matter of the die
	}
	label := s.label("demolition %s", o.where())
	die := r.Roll("GD 12.0", label, 1, 6)[0] // GD 12.0/6: nothing modifies it
	// GD 12.0/4: a 1 does nothing
	// GD 12.0/5: a 2 or more blows it
	down := die >= 2
	if down {
		for _, side := range s.sc.Sides {
			s.news(side, newsBridge)
		}
		s.Blown = append(s.Blown, found...)
		slices.SortFunc(s.Blown, func(a, b hex.Edge) int { return int(a.A)*10000 + int(a.B) - int(b.A)*10000 - int(b.B) })
		if len(found) == 0 {
			s.Pontoons = slices.DeleteFunc(s.Pontoons, o.pontoon)
		}
		s.works()
	}
	r.Tell(view.Event{Kind: "demolition", Clause: "GD 12.0", Hexes: []hex.Hex{u.Hex}, Rolls: []string{label},
		Facts: view.Pairs{"unit", u.c.Name, "bridge", o.where(), "dice", fmt.Sprint(die), "label", label, "blown", yesNo(down)}})
	return nil
}

// demolishable tells why nothing can be demolished at a place.
func (s *State) demolishable(o workOrder) *rule.Violation {
	if len(s.bridgesAt(o)) > 0 || slices.ContainsFunc(s.Pontoons, o.pontoon) {
		return nil
	}
	return &rule.Violation{Clause: "GD 12.0", Why: fmt.Sprintf("no bridge stands at %s", o.where())}
}

// bridge begins a pontoon bridge.
//
// GD 12.1/1
// reading GD 12.1: laying a pontoon costs no movement points, and there are always enough pontoons.
func (s *State) bridge(r *adjudicator.Run, o workOrder) *rule.Violation {
	u := o.unit
	if v := s.engineerAt(u, o, "GD 12.1"); v != nil {
		return v
	}
	// GD 12.1/8: not in storm or snow
	// GD 14.1/10: a storm
	// GD 14.1/14: snow
	if !s.weather().Pontoons {
		return &rule.Violation{Clause: "GD 14.1", Why: "no pontoon bridge is placed in this weather"}
	}
	if v := s.bridgeable(o); v != nil {
		return v
	}
	if slices.ContainsFunc(s.Pontoons, o.pontoon) {
		return &rule.Violation{Clause: "GD 12.1", Why: "a pontoon is there already"}
	}
	u.did.worked = true
	s.Pontoons = append(s.Pontoons, Pontoon{Side: u.c.Side, Edge: o.edge, Hex: o.hex}) // GD 2.6/2
	slices.SortFunc(s.Pontoons, func(a, b Pontoon) int {
		return int(a.Hex)*100000 + int(a.Edge.A)*10 + int(a.Edge.B) - int(b.Hex)*100000 - int(b.Edge.A)*10 - int(b.Edge.B)
	})
	if r != nil {
		r.Tell(view.Event{Kind: "pontoon", Clause: "GD 12.1", Hexes: []hex.Hex{u.Hex}, Facts: view.Pairs{"unit", u.c.Name, "bridge", o.where(), "side", string(u.c.Side)}})
	}
	return nil
}

// bridgeable tells why a place cannot have a pontoon bridge.
func (s *State) bridgeable(o workOrder) *rule.Violation {
	if !o.inRiver() {
		if e := s.edge(o.edge.A, o.edge.B); e == nil || e.barrier != river {
			return &rule.Violation{Clause: "GD 12.1", Why: fmt.Sprintf("%v is not a river or canal", o.edge)}
		}
		return nil
	}
	if !s.sc.ground[s.sc.Board.Grid.Index(o.hex)].major {
		return &rule.Violation{Clause: "GD 12.1", Why: fmt.Sprintf("%v is not a river hex", o.hex)}
	}
	if !s.bankBeside(o.hex) {
		return &rule.Violation{Clause: "GD 12.1", Why: fmt.Sprintf("%v is beside neither bank nor a completed pontoon", o.hex)}
	}
	return nil
}

// bankBeside: a hex of land or a completed pontoon is beside the river hex.
//
// GD 12.1/7
func (s *State) bankBeside(h hex.Hex) bool {
	for _, n := range s.sc.Board.Grid.Neighbours(h) {
		i := s.sc.Board.Grid.Index(n)
		if !s.sc.ground[i].on {
			continue
		}
		if land := !s.sc.ground[i].major; land || s.deck[i] {
			return true
		}
	}
	return false
}

// spoilPontoons takes away bridges under construction that a unit has come beside.
//
// GD 12.1/5
// GD 12.1/6: they must be begun anew
func (s *State) spoilPontoons(r *adjudicator.Run, u *Unit) {
	if len(s.Pontoons) == 0 {
		return
	}
	s.Pontoons = slices.DeleteFunc(s.Pontoons, func(p Pontoon) bool {
		if p.Done || p.Side == u.c.Side {
			return false
		}
		o := p.work()
		if !s.standsAt(u, o) {
			return false
		}
		if r != nil {
			r.Tell(view.Event{Kind: "pontoon-spoilt", Clause: "GD 12.1", Hexes: []hex.Hex{u.Hex}, Facts: view.Pairs{"bridge", o.where(), "side", string(p.Side)}})
		}
		return true
	})
}

// work is the order that builds the pontoon, but for who does.
func (p Pontoon) work() workOrder { return workOrder{edge: p.Edge, hex: p.Hex} }

// finishPontoons completes the bridges under construction at the end of the turn.
//
// GD 3.5/2
func (s *State) finishPontoons(r *adjudicator.Run) {
	for i := range s.Pontoons {
		p := &s.Pontoons[i]
		if !p.Done {
			p.Done = true
			r.Tell(view.Event{Kind: "pontoon-built", Clause: "GD 12.1", Facts: view.Pairs{"bridge", p.work().where(), "side", string(p.Side)}})
		}
	}
	s.works()
}
