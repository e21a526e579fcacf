package wb95

import (
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// muster is the units that a player may name: their own.
type muster struct {
	s    *State
	side Side
}

var _ phrase.Army[*Unit] = (*muster)(nil)

// units resolves a list of units, separated by commas: short names, unambiguous
// beginnings of them, formations, or ALL AT a hex. Each unit is named once.
func (s *State) units(side Side, list []orders.Word) ([]*Unit, *rule.Violation) {
	m := s.room.musters.One()
	*m = muster{s, side}
	return phrase.Units(m, s.sc.Board, list)
}

// foreign refuses an order for a unit that another commander of the side leads.
func (s *State) foreign(u *Unit) *rule.Violation { return phrase.Foreign(s.leads, u.ID, u.c.Name) }

// Whole implements phrase.Army: of two of the name it is nobody's. Most orders name their
// units so.
func (m muster) Whole(name string) []*Unit {
	var found *Unit
	for _, c := range m.s.sc.register().named[name] {
		u := m.s.unitOf(c)
		if u == nil || !m.s.mayOrder(m.side, u) {
			continue
		}
		if found != nil {
			return nil
		}
		found = u
	}
	if found == nil {
		return nil
	}
	return append(m.s.room.units.Take(1), found)
}

// Roll implements phrase.Army.
func (m muster) Roll() *phrase.Roll {
	return m.s.sc.rolls.Of(string(m.side), func() (out []phrase.Called) {
		for i := range m.s.sc.Counters {
			if c := &m.s.sc.Counters[i]; m.s.sc.owner(c) == m.side || m.s.sc.mayJoin(c, m.side) {
				out = append(out, c.called(m.side))
			}
		}
		return out
	})
}

// mayJoin tells whether a counter of another side may go over to the player.
func (sc *Scenario) mayJoin(c *Counter, player Side) bool {
	return sc.Notes.Defection != nil && sc.Notes.Defection.To == player && c.Side != player
}

// called is whom the counter is called under a player.
func (c *Counter) called(side Side) phrase.Called {
	return phrase.Called{ID: c.ID, Name: c.Name, Type: string(c.Type), Of: phrase.Formations(c.Parent, c.Formation), Side: string(side), Nation: c.Nation}
}

// Unit implements phrase.Army.
func (m muster) Unit(id string) (*Unit, bool) {
	u := m.s.unit(id)
	return u, u != nil && m.s.sc.owner(u.c) == m.side
}

// ID implements phrase.Army.
func (m muster) ID(u *Unit) string { return u.ID }

// Hex implements phrase.Army.
func (m muster) Hex(u *Unit) hex.Hex {
	if u.Where != OnMap {
		return hex.None
	}
	return u.Hex
}

// Lost implements phrase.Army.
func (m muster) Lost(u *Unit) bool { return u.Where == Gone }

// Meant implements phrase.Army: the roll knows all.
func (m muster) Meant(string) []phrase.Reading[*Unit] { return nil }

// mayOrder tells whether the unit is one of the player's that is not lost.
func (s *State) mayOrder(player Side, u *Unit) bool {
	return s.sc.owner(u.c) == player && u.Where != Gone
}

// At implements phrase.Army: those who could move.
func (m muster) At(h hex.Hex) (out []*Unit) {
	for _, u := range m.s.unitsAt(h) {
		if m.s.sc.owner(u.c) == m.side && u.c.Type != RG {
			out = append(out, u)
		}
	}
	return out
}

// Barred implements phrase.Army.
func (m muster) Barred(u *Unit) *rule.Violation {
	if u.Where == Gone {
		return &rule.Violation{Why: u.c.Name + " has been lost"}
	}
	return m.s.foreign(u)
}

// place reads a hex number or the name of a place of one hex.
func (s *State) place(rest *phrase.Reader) (hex.Hex, *rule.Violation) {
	return phrase.Place(s.sc.Board, rest)
}

// onBoard reads a hex by its number.
//
// WB-95 1.1/2
func (s *State) onBoard(w string) (hex.Hex, *rule.Violation) { return phrase.Hex(s.sc.Board, w) }
