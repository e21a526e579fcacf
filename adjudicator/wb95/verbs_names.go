package wb95

import (
	"fmt"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// units resolves a list of units, separated by commas: short names, unambiguous
// beginnings of them, formations, or ALL AT a hex. Each unit is named once.
func (s *State) units(side Side, list []orders.Word) ([]*Unit, *rule.Violation) {
	return phrase.Each(list, func(spec []orders.Word) ([]*Unit, *rule.Violation) {
		us, v := s.named(side, spec)
		for _, u := range us {
			if v == nil {
				v = s.foreign(u)
			}
		}
		return us, v
	}, func(u *Unit) string { return u.c.Name })
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

func (s *State) named(side Side, spec []orders.Word) ([]*Unit, *rule.Violation) {
	if isAllAt(spec) {
		return s.allAt(side, spec[2].Text)
	}
	name := phrase.Join(spec)
	if u := s.called(side, name); u != nil {
		return []*Unit{u}, nil
	}
	var exact, prefix, formation []*Unit
	for i := range s.Units {
		u := &s.Units[i]
		if !s.mayOrder(side, u) {
			continue
		}
		switch n := strings.ToUpper(u.c.Name); {
		case n == name:
			exact = append(exact, u)
		case strings.HasPrefix(n, name):
			prefix = append(prefix, u)
		}
		if u.c.belongsTo(name) {
			formation = append(formation, u)
		}
	}
	switch {
	case len(exact) == 1:
		return exact, nil
	case len(formation) > 0:
		return formation, nil
	case len(prefix) == 1:
		return prefix, nil
	case len(prefix) > 1:
		return nil, &rule.Violation{Why: fmt.Sprintf("%s may be %s", name, s.nameList(prefix)), Instead: "Write the whole name."}
	}
	return nil, s.unknown(side, name)
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

// called is the one unit whose whole name it is, nil if there is none or another
// of the name. Most orders name their units so.
func (s *State) called(side Side, name string) *Unit {
	var found *Unit
	for _, id := range s.sc.register().named[strings.ToUpper(name)] {
		u := s.unit(id)
		if u == nil || !s.mayOrder(side, u) {
			continue
		}
		if found != nil {
			return nil
		}
		found = u
	}
	return found
}

func (s *State) allAt(side Side, at string) ([]*Unit, *rule.Violation) {
	h, v := s.onBoard(at)
	if v != nil {
		return nil, v
	}
	var out []*Unit
	for _, u := range s.unitsAt(h) {
		if s.sc.owner(u.c) == side && u.c.Type != RG {
			out = append(out, u)
		}
	}
	if len(out) == 0 {
		return nil, &rule.Violation{Why: fmt.Sprintf("no unit of yours that could move stands on %v", h)}
	}
	return out, nil
}

// unknown refuses a name and offers the nearest one.
func (s *State) unknown(side Side, name string) *rule.Violation {
	v := &rule.Violation{Why: fmt.Sprintf("you have no unit %s", name)}
	near, found := phrase.Nearest(name, func(yield func(string, *Unit) bool) {
		for i := range s.Units {
			u := &s.Units[i]
			if s.sc.owner(u.c) != side {
				continue
			}
			n := strings.ToUpper(u.c.Name)
			switch {
			case u.Where != Gone:
				if !yield(n, u) {
					return
				}
			case n == name:
				v.Why = u.c.Name + " has been lost"
			}
		}
	})
	if found && !strings.HasSuffix(v.Why, "lost") {
		v.Instead = "Did you mean " + s.nameList([]*Unit{near}) + "?"
	}
	return v
}

func (s *State) nameList(us []*Unit) string {
	var names []string
	for i, u := range us {
		if i == 6 {
			names = append(names, fmt.Sprintf("%d more", len(us)-i))
			break
		}
		if u.Where == OnMap {
			names = append(names, fmt.Sprintf("%s at %v", u.c.Name, u.Hex))
		} else {
			names = append(names, u.c.Name+" (not on the map)")
		}
	}
	return strings.Join(names, ", ")
}

// place reads a hex number or the name of a place of one hex.
func (s *State) place(rest *phrase.Reader) (hex.Hex, *rule.Violation) {
	return phrase.Place(s.sc.Board, rest)
}

// onBoard reads a hex by its number.
//
// WB-95 1.1/2
func (s *State) onBoard(w string) (hex.Hex, *rule.Violation) { return phrase.Hex(s.sc.Board, w) }
