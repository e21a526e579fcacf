package famous

import (
	"fmt"
	"slices"

	"fieldpost/adjudicator/rule"
)

// mayOverrun tells why the attack cannot be an overrun.
func (b *battle) mayOverrun() *rule.Violation {
	if !b.overrun {
		return nil
	}
	for _, u := range b.tanks() {
		d, _ := b.s.sc.Board.Grid.Direction(u.Hex, b.target)
		switch p, _ := b.s.step(gait{class: Tracked, side: u.c.side}, u.idx, d); {
		case b.s.rider(u) != nil: // GD 9.5/7: a tank with a rider does not overrun
			return &rule.Violation{Clause: "GD 9.5", Why: u.c.Name + " carries a leg unit and cannot overrun"}
		case p.Closed: // GD 9.4/4: nor where tracks may not go
			return &rule.Violation{Clause: "GD 9.4", Why: fmt.Sprintf("%v is closed to tracks from %v", b.target, u.Hex)}
		}
	}
	// GD 9.4/1: tracked units overrun
	// GD 9.4/2: others may take part
	// reading GD 9.4: the others that "may participate in an attack beforehand" take part in the overrun's own attack, or make one before it; beforehand is before the movement that follows.
	if len(b.tanks()) == 0 {
		return &rule.Violation{Clause: "GD 9.4", Why: "an overrun needs a tracked unit"}
	}
	return nil
}

// tanks are the attackers that overrun.
func (b *battle) tanks() []*Unit {
	return slices.DeleteFunc(slices.Clone(b.units), func(u *Unit) bool { return u.c.Class != Tracked })
}
