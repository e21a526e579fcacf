package wb95

import (
	"fmt"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
)

// strategicPhase is phases 5 and 11: the marked units move, and reinforcements
// may enter.
//
// WB-95 12.1.1
// WB-95 12.1.3
func strategicPhase(r *adjudicator.Run, s *State) {
	p := s.mover()
	answer := r.Ask(adjudicator.Decision{Label: "strategic", Kind: kindStrategic, Side: s.player(), Turn: true, Clause: "WB-95 12.1.1"})[0]
	s.moveAll(r, p, answer)
}

// maySM tells who may move in the Strategic Movement Phase.
//
// WB-95 12.1.2
// reading WB-95 12.1.2: entrenching, fighting and pursuit activate a unit; a
// reinforcement that has not entered yet needs no mark.
func (s *State) maySM(u *Unit) *rule.Violation {
	switch {
	case u.Active:
		return &rule.Violation{Clause: "WB-95 12.1.2", Why: "it has moved, entrenched or fought in this half turn"}
	// WB-95 12.1.4
	case u.Where == OnMap && !u.Strategic:
		return &rule.Violation{Clause: "WB-95 12.1.4", Why: "it was not marked for strategic movement"}
	// WB-95 12.2.1
	case s.inEnemyZone(u.Hex, u.c.Side):
		return &rule.Violation{Clause: "WB-95 12.2.1", Why: fmt.Sprintf("%v is in an enemy zone of control", u.Hex)}
	}
	return nil
}

// keepForLater marks the unit in the Movement Phase. Where it will be able to go
// shows after combat; how it looks now is said for the player.
//
// WB-95 12.1.4
func (s *State) keepForLater(u *Unit, o *moveOrder) string {
	u.Strategic = true
	return "kept for strategic movement; as things stand " + s.foresee(u, o)
}

// foresee tries the strategic move on a copy of the position.
func (s *State) foresee(u *Unit, o *moveOrder) string {
	c := s.clone()
	c.later()
	v := c.unit(u.ID)
	if why := c.maySM(v); why != nil {
		return "impossible: " + why.Why
	}
	m, note, why := c.walkOrder(v, *o, nil)
	switch {
	case why == nil:
		return m.told(note)
	case !m.hasMoved():
		return "impossible: " + why.Why
	}
	return m.told(note) + ", no farther: " + why.Why
}

// hasMoved tells whether the unit is on another hex than it was, or has come on to the map.
func (m *march) hasMoved() bool {
	if len(m.path) == 1 {
		return m.u.Through != hex.None
	}
	return len(m.path) > 1
}
