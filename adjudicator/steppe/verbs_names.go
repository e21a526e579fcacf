package steppe

import (
	"fmt"
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
func (s *State) foreign(u *Unit) *rule.Violation {
	if s.leads == nil {
		return nil
	}
	if by := s.leads(u.ID); by != "" {
		return rule.NotYours(u.c.Name, by)
	}
	return nil
}

// named finds the unit of a side that a player means: by its name, by what is printed
// on its counter where only one has that, or by the beginning of its name.
func (s *State) named(side Side, name string) (*Unit, *rule.Violation) {
	if u := s.byName(side, name); u != nil {
		return u, s.foreign(u)
	}
	want := squeeze(name)
	var printed, prefix []*Unit
	for i := range s.Units {
		u := &s.Units[i]
		if u.c.Side != side {
			continue
		}
		if u.c.keyPrinted == want {
			printed = append(printed, u)
		}
		if want != "" && strings.HasPrefix(u.c.key, want) {
			prefix = append(prefix, u)
		}
	}
	for _, list := range [][]*Unit{printed, prefix} {
		switch {
		case len(list) == 1:
			return list[0], s.foreign(list[0])
		case len(list) > 1:
			v := refuse("", "%s may be %s", name, names(list))
			v.Instead = "Write the whole name."
			return nil, v
		}
	}
	v := &rule.Violation{Why: fmt.Sprintf("you have no unit %s", name)}
	near, found := phrase.Nearest(want, func(yield func(string, *Unit) bool) {
		for i := range s.Units {
			if u := &s.Units[i]; u.c.Side == side && !yield(u.c.key, u) {
				return
			}
		}
	})
	if found {
		v.Instead = "Did you mean " + near.c.Name + "?"
	}
	return nil, v
}

// units reads a list of units parted by commas.
func (s *State) units(side Side, list []orders.Word) ([]*Unit, *rule.Violation) {
	return phrase.Each(list, func(item []orders.Word) ([]*Unit, *rule.Violation) { return s.meant(side, item) },
		func(u *Unit) string { return u.c.Name })
}

// meant reads one item of a list: a unit, or ALL AT a hex.
func (s *State) meant(side Side, item []orders.Word) ([]*Unit, *rule.Violation) {
	if len(item) == 3 && item[0].Text == "ALL" && item[1].Text == "AT" {
		h, v := phrase.Hex(s.sc.Board, item[2].Text)
		if v != nil {
			return nil, v
		}
		var out []*Unit
		for _, u := range s.unitsAt(h) {
			if u.c.Side != side {
				continue
			}
			if v := s.foreign(u); v != nil {
				return nil, v
			}
			out = append(out, u)
		}
		if len(out) == 0 {
			return nil, &rule.Violation{Why: fmt.Sprintf("no unit of yours stands on %v", h)}
		}
		return out, nil
	}
	u, v := s.named(side, phrase.Join(item))
	return []*Unit{u}, v
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
