package wb95

import "slices"

// hqRange is how far a headquarters leads.
//
// WB-95 9.2.2
func (s *State) hqRange(u *Unit) int {
	if n, ok := s.sc.HQRange[u.c.Nation]; ok {
		return n
	}
	return 3
}

// led tells whether every one of the units is in range of a headquarters of its side.
//
// WB-95 9.2.1
// WB-95 9.2.3
// reading WB-95 9.2.1: it need not be the same headquarters for all, nor one of
// the unit's nation; the bonus is always taken. Guns that support from elsewhere need not
// be in range.
func (s *State) led(units []*Unit) bool {
	for _, u := range units {
		if !slices.ContainsFunc(s.hqs, func(i uint16) bool {
			hq := &s.Units[i]
			return hq.Where == OnMap && hq.c.Side == u.c.Side && s.sc.Board.Grid.Distance(u.Hex, hq.Hex) <= s.hqRange(hq)
		}) {
			return false
		}
	}
	return len(units) > 0
}

// leadDice is the modifier of the dice: -1 for a led attacker, +1 for a led
// defender; together they cancel.
//
// WB-95 9.2.1
// WB-95 9.2.4
func leadDice(attacker, defender bool) int { return btoi(defender) - btoi(attacker) }
