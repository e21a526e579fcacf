package wb95

import (
	"fmt"
	"strings"

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

var _ phrase.Army[*Unit] = muster{}

// units resolves a list of units, separated by commas: short names, unambiguous
// beginnings of them, formations, or ALL AT a hex. Each unit is named once.
func (s *State) units(side Side, list []orders.Word) ([]*Unit, *rule.Violation) {
	return phrase.Units(muster{s, side}, s.sc.Board, list)
}

// foreign refuses an order for a unit that another commander of the side leads.
func (s *State) foreign(u *Unit) *rule.Violation { return phrase.Foreign(s.leads, u.ID, u.c.Name) }

// Whole implements phrase.Army: of two of the name it is nobody's. Most orders name their
// units so.
func (m muster) Whole(name string) (found *Unit, ok bool) {
	for _, id := range m.s.sc.register().named[name] {
		u := m.s.unit(id)
		if u == nil || !m.s.mayOrder(m.side, u) {
			continue
		}
		if found != nil {
			return nil, false
		}
		found = u
	}
	return found, found != nil
}

// Meant implements phrase.Army: a formation before the beginning of a name, and a unit
// that is lost after all others.
func (m muster) Meant(name string) []phrase.Reading[*Unit] {
	var prefix, formation, lost []*Unit
	for u := range m.units {
		n := strings.ToUpper(u.c.Name)
		switch {
		case u.Where == Gone:
			if n == name {
				lost = []*Unit{u}
			}
			continue
		case n != name && strings.HasPrefix(n, name):
			prefix = append(prefix, u)
		}
		if u.c.belongsTo(name) {
			formation = append(formation, u)
		}
	}
	return []phrase.Reading[*Unit]{{Units: formation, Group: true}, {Units: prefix}, {Units: lost}}
}

// units are all of the player's, the lost ones among them.
func (m muster) units(yield func(*Unit) bool) {
	for i := range m.s.Units {
		if u := &m.s.Units[i]; m.s.sc.owner(u.c) == m.side && !yield(u) {
			return
		}
	}
}

// mayOrder tells whether the unit is one of the player's that is not lost.
func (s *State) mayOrder(player Side, u *Unit) bool {
	return s.sc.owner(u.c) == player && u.Where != Gone
}

// belongsTo tells whether the counter is one of a division or formation, in any case
// of letters.
func (c *Counter) belongsTo(name string) bool {
	return strings.EqualFold(c.Parent, name) || strings.EqualFold(c.Formation, name)
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

// Near implements phrase.Army.
func (m muster) Near(name string) (*Unit, bool) {
	return phrase.Nearest(name, func(yield func(string, *Unit) bool) {
		for u := range m.units {
			if u.Where != Gone && !yield(strings.ToUpper(u.c.Name), u) {
				return
			}
		}
	})
}

// Name implements phrase.Army.
func (m muster) Name(u *Unit) string { return u.c.Name }

// Shown implements phrase.Army.
func (m muster) Shown(u *Unit) string {
	if u.Where == OnMap {
		return fmt.Sprintf("%s at %v", u.c.Name, u.Hex)
	}
	return u.c.Name + " (not on the map)"
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
