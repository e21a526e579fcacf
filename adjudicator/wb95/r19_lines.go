package wb95

import (
	"slices"

	"fieldpost/adjudicator/hex"
)

// lineCMs are the modifiers of fortified lines.
//
// reading WB-95 19.1.2: more than half of the nominal strength on the ground. Two
// modifiers if a defending unit of the hex has more than 4 points as it stands
// now, else one. They add to field fortifications and ground.
// reading WB-95 19.1.4: who holds a line of the enemy gains one, wherever the attack
// comes from, and the attack is not halved.
func (s *State) lineCMs(attackers []*Unit, h hex.Hex, full bool) []modifier {
	w := s.sc.network().works
	if w.line[s.sc.Board.Grid.Index(h)] == 0 {
		return nil
	}
	// WB-95 19.1.4: in enemy hands it gives one
	if s.holder(h) != w.owner {
		return []modifier{{1, "captured fortified line", "WB-95 19.1.4"}}
	}
	// WB-95 19.1.2: they help if more than half of the attack comes through, with two modifiers
	if through, all := s.frontal(attackers, h, w.line, full); 2*through <= all {
		return nil
	}
	if slices.ContainsFunc(s.contributing(s.fresh(h)), func(u *Unit) bool { return u.defenceSP() > 4 }) {
		return []modifier{{2, "fortified line", "WB-95 19.1.2"}}
	}
	// WB-95 19.1.3: defenders of four points or less gain one
	return []modifier{{1, "fortified line", "WB-95 19.1.3"}}
}
