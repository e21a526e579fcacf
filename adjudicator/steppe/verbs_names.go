package steppe

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// blanks are what a name may leave out.
var blanks = strings.NewReplacer(" ", "", ".", "")

// squeeze is a name without blanks and dots, in capitals: 7PD is 7 PD.
func squeeze(name string) string { return blanks.Replace(strings.ToUpper(name)) }

// prepare builds the look-up tables of the counters.
func (sc *Scenario) prepare() {
	sc.byID, sc.byName = map[string]*Counter{}, map[Side]map[string]string{German: {}, Soviet: {}}
	for i := range sc.Counters {
		c := &sc.Counters[i]
		c.key, c.keyPrinted = squeeze(c.Name), squeeze(c.Printed)
		sc.byID[c.ID], sc.byName[c.Side][c.key], sc.byName[c.Side][c.Name] = c, c.ID, c.ID
	}
}

// byName is the unit of a side with that very name, nil if there is none.
func (s *State) byName(side Side, name string) *Unit {
	id, ok := s.sc.byName[side][name]
	if !ok {
		if id, ok = s.sc.byName[side][squeeze(name)]; !ok {
			return nil
		}
	}
	return s.unit(id)
}

// foreign refuses an order for a unit that another commander of the side leads.
func (s *State) foreign(u *Unit) *rule.Violation { return phrase.Foreign(s.leads, u.ID, u.c.Name) }

// muster is the units that a player may name: those of their side.
type muster struct {
	s    *State
	side Side
}

var _ phrase.Army[*Unit] = muster{}

// Whole implements phrase.Army.
func (m muster) Whole(name string) (*Unit, bool) {
	u := m.s.byName(m.side, name)
	return u, u != nil
}

// Meant implements phrase.Army: what is printed on a counter, then the beginning of a
// name.
func (m muster) Meant(name string) []phrase.Reading[*Unit] {
	want := squeeze(name)
	var printed, prefix []*Unit
	for u := range m.units {
		if u.c.keyPrinted == want {
			printed = append(printed, u)
		}
		if want != "" && strings.HasPrefix(u.c.key, want) {
			prefix = append(prefix, u)
		}
	}
	if len(printed) > 0 {
		return []phrase.Reading[*Unit]{{Units: printed}}
	}
	return []phrase.Reading[*Unit]{{Units: prefix}}
}

// units are those of the side.
func (m muster) units(yield func(*Unit) bool) {
	for i := range m.s.Units {
		if u := &m.s.Units[i]; u.c.Side == m.side && !yield(u) {
			return
		}
	}
}

// At implements phrase.Army.
func (m muster) At(h hex.Hex) []*Unit {
	return slices.DeleteFunc(slices.Clone(m.s.unitsAt(h)), func(u *Unit) bool { return u.c.Side != m.side })
}

// Near implements phrase.Army.
func (m muster) Near(name string) (*Unit, bool) {
	return phrase.Nearest(squeeze(name), func(yield func(string, *Unit) bool) {
		for u := range m.units {
			if !yield(u.c.key, u) {
				return
			}
		}
	})
}

// Name implements phrase.Army.
func (m muster) Name(u *Unit) string { return u.c.Name }

// Shown implements phrase.Army.
func (m muster) Shown(u *Unit) string { return u.c.Name }

// Barred implements phrase.Army.
func (m muster) Barred(u *Unit) *rule.Violation { return m.s.foreign(u) }

// named reads the name of a unit of a side.
func (s *State) named(side Side, name []orders.Word) (*Unit, *rule.Violation) {
	return phrase.One(muster{s, side}, s.sc.Board, name)
}

// units reads a list of units of a side parted by commas.
func (s *State) units(side Side, list []orders.Word) ([]*Unit, *rule.Violation) {
	return phrase.Units(muster{s, side}, s.sc.Board, list)
}

// place reads a hex number or the name of a place of one hex.
func (s *State) place(r *phrase.Reader) (hex.Hex, *rule.Violation) {
	return phrase.Place(s.sc.Board, r)
}

// spot is a hex with its place in words: "2616 (Zmiev)".
func (s *State) spot(h hex.Hex) string {
	if s.sc.land.grid.Contains(h) {
		return s.sc.land.spots[s.ix(h)]
	}
	return h.String()
}

// figures are the ratings that the unit shows.
func (u *Unit) figures() string {
	f := u.face()
	if u.c.Type == HQ {
		return fmt.Sprintf("%d-%d-%d", u.c.Artillery, u.c.Range, f.Moves)
	}
	return fmt.Sprintf("%d-%d-%d", f.Attack, f.Defence, f.Moves)
}
