package famous

import (
	"fmt"
	"slices"
	"strings"

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
	return phrase.Each(list, func(spec []orders.Word) ([]*Unit, *rule.Violation) {
		us, v := p.named(spec)
		for _, u := range us {
			if v == nil {
				v = p.s.foreign(u)
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

// one resolves the name of a single unit.
func (p *parser) one(list []orders.Word) (*Unit, *rule.Violation) {
	us, v := p.units(list)
	if v == nil && len(us) != 1 {
		v = &rule.Violation{Why: fmt.Sprintf("%s names %d units", phrase.Join(list), len(us)), Instead: "Name one."}
	}
	if v != nil {
		return nil, v
	}
	return us[0], nil
}

func (p *parser) named(spec []orders.Word) ([]*Unit, *rule.Violation) {
	name := phrase.Join(spec)
	if len(spec) == 3 && spec[0].Text == "ALL" && spec[1].Text == "AT" {
		h, v := p.hex(spec[2].Text)
		if v != nil {
			return nil, v
		}
		us := slices.DeleteFunc(p.s.on(h), func(u *Unit) bool {
			return u.c.Side != p.side || u.Aboard != "" || p.bn != "" && !strings.EqualFold(u.c.Battalion, p.bn)
		})
		if len(us) == 0 {
			return nil, &rule.Violation{Why: fmt.Sprintf("no unit of yours that could act stands on %v", h)}
		}
		return us, nil
	}
	var exact, short, prefix, battalion []*Unit
	for i := range p.s.Units {
		u := &p.s.Units[i]
		if u.c.Side != p.side {
			continue
		}
		n, base := u.c.upper, u.c.base
		own := p.bn != "" && strings.EqualFold(u.c.Battalion, p.bn)
		switch {
		case n == name:
			exact = append(exact, u)
		case own && (base == name || name == "HQ" && u.c.HQ):
			short = append(short, u)
		case u.Where != Gone && strings.HasPrefix(n, name) && (own || p.bn == ""):
			prefix = append(prefix, u)
		}
		if u.Where != Gone && u.Where != Exited && (name == "ALL" && own || strings.EqualFold(u.c.Battalion, name)) {
			battalion = append(battalion, u)
		}
	}
	for _, list := range [][]*Unit{exact, short} {
		if len(list) == 1 {
			if w := list[0].Where; w == Gone || w == Exited {
				return nil, &rule.Violation{Why: list[0].c.Name + " is not in play any more"}
			}
			return list, nil
		}
	}
	switch {
	case len(battalion) > 0:
		return battalion, nil
	case len(prefix) == 1:
		return prefix, nil
	case len(prefix) > 1:
		return nil, &rule.Violation{Why: fmt.Sprintf("%s may be %s", name, names(prefix)), Instead: "Write the whole name."}
	}
	return nil, p.unknown(name)
}

// unknown refuses a name and offers the nearest one.
func (p *parser) unknown(name string) *rule.Violation {
	v := &rule.Violation{Why: fmt.Sprintf("you have no unit %s", name)}
	near, found := phrase.Nearest(name, func(yield func(string, *Unit) bool) {
		for i := range p.s.Units {
			u := &p.s.Units[i]
			if u.c.Side == p.side && u.Where != Gone && !(yield(u.c.upper, u) && yield(u.c.base, u)) {
				return
			}
		}
	})
	if found {
		v.Instead = "Did you mean " + near.c.Name + "?"
	}
	return v
}

// hex reads a hex number on the map, or the name of a place of one hex.
func (p *parser) hex(w string) (hex.Hex, *rule.Violation) {
	if place := p.s.sc.Board.Named(strings.ReplaceAll(w, "_", " ")); place != nil && len(place.Hexes) == 1 {
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
		b := p.s.sc.Board
		if !b.On(e.A) || !b.On(e.B) || !b.Grid.Adjacent(e.A, e.B) {
			return workOrder{}, &rule.Violation{Why: fmt.Sprintf("%v is not a hexside of the map", e)}
		}
		return workOrder{edge: e}, nil
	}
	h, v := p.hex(w)
	return workOrder{hex: h}, v
}
