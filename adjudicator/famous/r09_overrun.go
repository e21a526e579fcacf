package famous

import (
	"fmt"
	"slices"

	"fieldpost/adjudicator/rule"
)

// mayOverrun tells why the attack cannot be an overrun.
//
// GD 9.4/1
// GD 9.4/2
// GD 9.4/4
// GD 9.5/7
func (b *battle) mayOverrun() *rule.Violation {
	if !b.overrun {
		return nil
	}
	for _, u := range b.tanks() {
		d, _ := b.s.sc.Board.Grid.Direction(u.Hex, b.target)
		switch p, _ := b.s.step(Tracked, u.c.side, u.idx, d, false, false); {
		case b.s.rider(u) != nil:
			return &rule.Violation{Clause: "GD 9.5", Why: u.c.Name + " carries a leg unit and cannot overrun"}
		case p.Closed:
			return &rule.Violation{Clause: "GD 9.4", Why: fmt.Sprintf("%v is closed to tracks from %v", b.target, u.Hex)}
		}
	}
	if len(b.tanks()) == 0 {
		return &rule.Violation{Clause: "GD 9.4", Why: "an overrun needs a tracked unit"}
	}
	return nil
}

// tanks are the attackers that overrun.
func (b *battle) tanks() []*Unit {
	return slices.DeleteFunc(slices.Clone(b.units), func(u *Unit) bool { return u.c.Class != Tracked })
}
