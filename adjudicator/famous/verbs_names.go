package famous

import (
	"fmt"
	"slices"
	"strings"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
	"fieldpost/orders"
)

// parser reads the orders of one side, for one battalion if it is a programme.
type parser struct {
	s    *State
	side Side
	bn   string
}

// units resolves a list of names: 5K or 5K/2PZ, (1)WSP, HQ, HQ 2PZ, ALL, ALL AT
// 2133, a battalion.
func (p *parser) units(list []orders.Word) ([]*Unit, *rule.Violation) {
	return phrase.Each(list, p.ordered, func(u *Unit) string { return u.c.Name })
}

// ordered resolves a name to units that the writer may order.
func (p *parser) ordered(spec []orders.Word) ([]*Unit, *rule.Violation) {
	us, v := p.named(spec)
	if v != nil {
		return us, v
	}
	for _, u := range us {
		if v := p.s.foreign(u); v != nil {
			return us, v
		}
	}
	return us, nil
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

// one resolves the name of a single unit.
func (p *parser) one(list []orders.Word) (*Unit, *rule.Violation) {
	us, v := p.units(list)
	if v != nil {
		return nil, v
	}
	if len(us) != 1 {
		return nil, &rule.Violation{Why: fmt.Sprintf("%s names %d units", phrase.Join(list), len(us)), Instead: "Name one."}
	}
	return us[0], nil
}

// named resolves one name: the whole name of a unit before its short one, a battalion
// before the beginning of a name.
func (p *parser) named(spec []orders.Word) ([]*Unit, *rule.Violation) {
	if h, ok := allAt(spec); ok {
		return p.standingAt(h)
	}
	name := phrase.Join(spec)
	m := p.matches(name)
	for _, list := range [][]*Unit{m.exact, m.short} {
		if len(list) != 1 {
			continue
		}
		if list[0].outOfPlay() {
			return nil, &rule.Violation{Why: list[0].c.Name + " is not in play any more"}
		}
		return list, nil
	}
	switch {
	case len(m.battalion) > 0:
		return m.battalion, nil
	case len(m.prefix) == 1:
		return m.prefix, nil
	case len(m.prefix) > 1:
		return nil, &rule.Violation{Why: fmt.Sprintf("%s may be %s", name, names(m.prefix)), Instead: "Write the whole name."}
	}
	return nil, p.unknown(name)
}

// allAt reads ALL AT 2133.
func allAt(spec []orders.Word) (h string, ok bool) {
	if len(spec) != 3 || phrase.Join(spec[:2]) != "ALL AT" {
		return "", false
	}
	return spec[2].Text, true
}

// standingAt are the units on a hex that could act.
func (p *parser) standingAt(at string) ([]*Unit, *rule.Violation) {
	h, v := p.hex(at)
	if v != nil {
		return nil, v
	}
	us := slices.DeleteFunc(p.s.on(h), func(u *Unit) bool {
		if u.c.Side != p.side || u.rides() {
			return true
		}
		return p.bn != "" && !p.own(u)
	})
	if len(us) == 0 {
		return nil, &rule.Violation{Why: fmt.Sprintf("no unit of yours that could act stands on %v", h)}
	}
	return us, nil
}

// own: the unit is of the battalion whose programme is read.
func (p *parser) own(u *Unit) bool { return p.bn != "" && strings.EqualFold(u.c.Battalion, p.bn) }

// matches are the units that a name could mean.
type matches struct{ exact, short, prefix, battalion []*Unit }

func (p *parser) matches(name string) (m matches) {
	for u := range p.s.army(p.side) {
		own := p.own(u)
		switch {
		case u.c.upper == name:
			m.exact = append(m.exact, u)
		case own && u.shortly(name):
			m.short = append(m.short, u)
		case u.Where != Gone && strings.HasPrefix(u.c.upper, name):
			if own || p.bn == "" {
				m.prefix = append(m.prefix, u)
			}
		}
		if u.outOfPlay() {
			continue
		}
		if all := own && name == "ALL"; all || strings.EqualFold(u.c.Battalion, name) {
			m.battalion = append(m.battalion, u)
		}
	}
	return m
}

// shortly: what its own battalion calls the unit.
func (u *Unit) shortly(name string) bool {
	return u.c.base == name || name == "HQ" && u.c.HQ
}

// unknown refuses a name and offers the nearest one.
func (p *parser) unknown(name string) *rule.Violation {
	v := &rule.Violation{Why: fmt.Sprintf("you have no unit %s", name)}
	if near, found := phrase.Nearest(name, p.callSigns); found {
		v.Instead = "Did you mean " + near.c.Name + "?"
	}
	return v
}

// callSigns are all names of units that are not lost, the whole ones and the short ones.
func (p *parser) callSigns(yield func(string, *Unit) bool) {
	for u := range p.s.army(p.side) {
		if u.Where == Gone {
			continue
		}
		if !yield(u.c.upper, u) || !yield(u.c.base, u) {
			return
		}
	}
}

// hex reads a hex number on the map, or the name of a place of one hex.
func (p *parser) hex(w string) (hex.Hex, *rule.Violation) {
	place := p.s.sc.Board.Named(strings.ReplaceAll(w, "_", " "))
	if place != nil && len(place.Hexes) == 1 {
		return place.Hexes[0], nil
	}
	return phrase.Hex(p.s.sc.Board, w)
}

// place reads a hex, or a place of one hex by its name of up to three words.
func (p *parser) place(r *phrase.Reader) (hex.Hex, *rule.Violation) {
	return phrase.Place(p.s.sc.Board, r)
}

// works reads a hexside or a major river hex.
func (p *parser) works(r *phrase.Reader) (workOrder, *rule.Violation) {
	w := r.Next()
	if strings.ContainsAny(w, "/-") {
		e, err := hex.ParseEdge(w)
		if err != nil {
			return workOrder{}, &rule.Violation{Why: err.Error()}
		}
		if !hexsideOf(p.s.sc.Board, e) {
			return workOrder{}, &rule.Violation{Why: fmt.Sprintf("%v is not a hexside of the map", e)}
		}
		return workOrder{edge: e}, nil
	}
	h, v := p.hex(w)
	return workOrder{hex: h}, v
}

// hexsideOf: both its hexes are on the map, and side by side.
func hexsideOf(b *board.Board, e hex.Edge) bool {
	return b.On(e.A) && b.On(e.B) && b.Grid.Adjacent(e.A, e.B)
}
