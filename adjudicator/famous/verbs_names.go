package famous

import (
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

var _ phrase.Army[*Unit] = (*parser)(nil)

// units resolves a list of names: 5K or 5K/2PZ, (1)WSP, HQ, HQ 2PZ, ALL, ALL AT
// 2133, a battalion.
func (p *parser) units(list []orders.Word) ([]*Unit, *rule.Violation) {
	return phrase.Units(p, p.s.sc.Board, list)
}

// one resolves the name of a single unit.
func (p *parser) one(list []orders.Word) (*Unit, *rule.Violation) {
	return phrase.One(p, p.s.sc.Board, list)
}

// foreign refuses an order for a unit that another commander of the side leads.
func (s *State) foreign(u *Unit) *rule.Violation { return phrase.Foreign(s.leads, u.ID, u.c.Name) }

// Roll implements phrase.Army.
func (p *parser) Roll() *phrase.Roll {
	return p.s.sc.rolls.Of(string(p.side), func() (out []phrase.Called) {
		for i := range p.s.sc.Counters {
			if c := &p.s.sc.Counters[i]; c.Side == p.side {
				out = append(out, c.called())
			}
		}
		return out
	})
}

// called is whom the counter is called.
func (c *Counter) called() phrase.Called {
	return phrase.Called{ID: c.ID, Name: c.Name, Type: typeOf(c), Of: []string{c.Battalion}, Side: string(c.Side), Nation: nation(c.Side), Short: c.base}
}

// Unit implements phrase.Army.
func (p *parser) Unit(id string) (*Unit, bool) {
	u := p.s.unit(id)
	return u, u != nil && u.c.Side == p.side
}

// ID implements phrase.Army.
func (p *parser) ID(u *Unit) string { return u.ID }

// Hex implements phrase.Army.
func (p *parser) Hex(u *Unit) hex.Hex { return u.Hex }

// Lost implements phrase.Army: they take no orders any more.
func (p *parser) Lost(u *Unit) bool { return u.outOfPlay() }

// Whole implements phrase.Army: the unit whose whole name it is, and nobody else's.
func (p *parser) Whole(name string) []*Unit {
	c := p.s.sc.named[p.s.sc.number(p.side)][name]
	if c == nil {
		return nil
	}
	u, found := p.Unit(c.ID)
	if !found {
		return nil
	}
	return []*Unit{u}
}

// enroll lists the counters by id and, of each side, by whole name: nil where two share one.
func (sc *Scenario) enroll() {
	sc.named, sc.written = [2]map[string]*Counter{{}, {}}, [2]map[string]*Counter{{}, {}}
	for i := range sc.Counters {
		c := &sc.Counters[i]
		c.capitals()
		sc.byID[c.ID] = i
		sc.written[c.side][c.Name] = c
		if _, shared := sc.named[c.side][c.upper]; shared {
			sc.named[c.side][c.upper] = nil
		} else {
			sc.named[c.side][c.upper] = c
		}
	}
}

// Meant implements phrase.Army: the whole name of a unit before its short one, a
// battalion and the beginning of a name before those of other battalions.
func (p *parser) Meant(name string) []phrase.Reading[*Unit] {
	var exact, short, prefix, battalion []*Unit
	for u := range p.s.army(p.side) {
		own := p.own(u)
		switch {
		case u.c.upper == name:
			exact = append(exact, u)
		case own && u.shortly(name):
			short = append(short, u)
		case own && u.Where != Gone && strings.HasPrefix(u.c.upper, name):
			prefix = append(prefix, u)
		}
		if u.outOfPlay() {
			continue
		}
		if all := own && name == "ALL"; all || strings.EqualFold(u.c.Battalion, name) {
			battalion = append(battalion, u)
		}
	}
	return []phrase.Reading[*Unit]{{Units: exact}, {Units: short}, {Units: battalion, Group: true}, {Units: prefix}}
}

// own: the unit is of the battalion whose programme is read.
func (p *parser) own(u *Unit) bool { return p.bn != "" && strings.EqualFold(u.c.Battalion, p.bn) }

// shortly: what its own battalion calls the unit.
func (u *Unit) shortly(name string) bool {
	return u.c.base == name || name == "HQ" && u.c.HQ
}

// At implements phrase.Army: those who could act.
func (p *parser) At(h hex.Hex) []*Unit {
	return slices.DeleteFunc(p.s.on(h), func(u *Unit) bool {
		if u.c.Side != p.side || u.rides() {
			return true
		}
		return p.bn != "" && !p.own(u)
	})
}

// Barred implements phrase.Army.
func (p *parser) Barred(u *Unit) *rule.Violation {
	if u.outOfPlay() {
		return &rule.Violation{Why: u.c.Name + " is not in play any more"}
	}
	return p.s.foreign(u)
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
func (p *parser) works(r *phrase.Reader) (o workOrder, v *rule.Violation) {
	if strings.ContainsAny(r.Peek(), "/-") {
		o.edge, _, v = phrase.Hexside(p.s.sc.Board, r)
	} else {
		o.hex, v = p.hex(r.Next())
	}
	return o, v
}
