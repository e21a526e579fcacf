package famous

import (
	"fmt"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// clear removes the fortification chits of a hex.
//
// GD 16.1/1: an activated engineer does
// GD 16.1/7: not under the enemy, nor in a zone of control
// reading GD 16.1: the combat that keeps an engineer from clearing is an attack in which it takes part; that it was attacked keeps it from nothing.
func (s *State) clear(r *adjudicator.Run, u *Unit, h hex.Hex) *rule.Violation {
	no := func(why string) *rule.Violation { return &rule.Violation{Clause: "GD 16.1", Why: u.c.Name + " " + why} }
	i := s.sc.Board.Grid.Index(h)
	side := u.c.side
	switch {
	case !u.c.Engineer:
		return no("is not an engineer")
	case !u.canAct():
		return no("cannot work")
	case !u.did.active:
		return no("is not activated")
	case u.Pinned: // GD 16.1/5
		return no("is pinned")
	case s.sc.Board.Grid.Distance(u.Hex, h) > 1: // GD 16.1/2
		return no(fmt.Sprintf("is not beside %v", h))
	case !s.fortified(i):
		return &rule.Violation{Clause: "GD 16.1", Why: fmt.Sprintf("no fortification chits are on %v", h), Instead: "What the map prints cannot be cleared."}
	case s.enemyOn(i, side):
		return &rule.Violation{Clause: "GD 16.1", Why: fmt.Sprintf("the enemy holds %v", h)}
	case s.threatened(i, side):
		return &rule.Violation{Clause: "GD 16.1", Why: fmt.Sprintf("%v is in an enemy zone of control", h)}
	}
	// GD 16.1/3: half the allowance printed on the counter
	half := u.printed() / 2
	if s.sc.before(3) {
		half = min(half, s.allowance(u)) // in older games all that night and weather had left was enough
	}
	if v := s.afford(u, half, "GD 16.1"); v != nil {
		return v
	}
	u.did.cleared, u.did.started = true, true
	s.clearForts(h) // GD 16.1/4
	if r != nil {
		r.Tell(view.Event{Kind: "cleared", Clause: "GD 16.1", Hexes: []hex.Hex{h}, Facts: view.Pairs{"unit", u.c.Name, "hex", h.String()}})
	}
	return nil
}
