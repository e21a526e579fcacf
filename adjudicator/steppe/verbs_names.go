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
	sc.rolls = &phrase.Rolls{}
	sc.byID, sc.byName = map[string]*Counter{}, map[Side]map[string]string{German: {}, Soviet: {}}
	for i := range sc.Counters {
		c := &sc.Counters[i]
		c.key = squeeze(c.Name)
		c.shown = c.card()
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
func (m muster) Whole(name string) []*Unit {
	if u := m.s.byName(m.side, name); u != nil {
		return []*Unit{u}
	}
	return nil
}

// Roll implements phrase.Army.
func (m muster) Roll() *phrase.Roll {
	return m.s.sc.rolls.Of(string(m.side), func() (out []phrase.Called) {
		for i := range m.s.sc.Counters {
			if c := &m.s.sc.Counters[i]; c.Side == m.side {
				out = append(out, c.called())
			}
		}
		return out
	})
}

// called is whom the counter is called.
func (c *Counter) called() phrase.Called {
	return phrase.Called{ID: c.ID, Name: c.Name, Type: string(c.Type), Of: []string{c.Command.title()},
		Side: string(c.Side), Nation: nation(c), Short: c.Printed}
}

// Unit implements phrase.Army.
func (m muster) Unit(id string) (*Unit, bool) {
	u := m.s.unit(id)
	return u, u != nil && u.c.Side == m.side
}

// ID implements phrase.Army.
func (m muster) ID(u *Unit) string { return u.ID }

// Hex implements phrase.Army.
func (m muster) Hex(u *Unit) hex.Hex { return u.Hex }

// Lost implements phrase.Army.
func (m muster) Lost(u *Unit) bool { return u.Where == Gone }

// Meant implements phrase.Army: the roll knows all.
func (m muster) Meant(string) []phrase.Reading[*Unit] { return nil }

// At implements phrase.Army.
func (m muster) At(h hex.Hex) []*Unit {
	return slices.DeleteFunc(slices.Clone(m.s.unitsAt(h)), func(u *Unit) bool { return u.c.Side != m.side })
}

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
