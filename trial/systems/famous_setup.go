package systems

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// setUp places units at random in the set-up: on a hex where another unit of the same
// area stands, or beside its own; and turns fortifications.
func (f *famousRandom) setUp() {
	f.section = "SETUP"
	add := func(kind, format string, args ...any) {
		f.out = append(f.out, Order{f.section, fmt.Sprintf(format, args...), kind})
	}
	for _, u := range f.v.Units {
		if u.Hex == hex.None || !f.in(3) {
			continue
		}
		var at []hex.Hex
		for _, o := range f.v.Units {
			if o.Note == u.Note && o.Hex != hex.None {
				at = append(at, o.Hex)
			}
		}
		if f.in(2) {
			at = f.a.Grid().Neighbours(u.Hex)
		}
		add("set-up on a hex", "%s %v", u.Name, at[f.r.IntN(len(at))])
	}
	for _, x := range f.v.Forts {
		if x.Side == f.v.Side && f.in(2) {
			add("set-up of a fortification", "%s %v FACE %d FROM %v", strings.ToUpper(x.Kind), x.Hex, 1+f.r.IntN(6), x.Hex)
		}
	}
}

// within is the area of a unit in the set-up, as its note tells it.
var within = regexp.MustCompile(`^begins within (\d+) of (entry )?(.+)$`)

// area is what the note of a unit says: how far from which hexes it begins.
func (s *scene) area(u view.Unit) (n int, of []hex.Hex) {
	m := within.FindStringSubmatch(u.Note)
	if m == nil {
		return 0, nil
	}
	n, _ = strconv.Atoi(m[1])
	for _, z := range s.v.Board.Zones {
		if m[2] != "" && z.ID == m[3] {
			of = append(of, z.Hexes...)
		}
	}
	for _, p := range s.v.Board.Places {
		if m[2] == "" && p.Name == m[3] {
			of = append(of, p.Hexes...)
		}
	}
	return n, of
}

// ownFort picks a fortification of the side.
func (s *scene) ownFort() (view.Fort, bool) {
	return one(s, s.v.Forts, func(f view.Fort) bool { return f.Side == s.v.Side })
}

// count is how many own units are such ones.
func (s *scene) count(such func(view.Unit) bool) (n int) {
	for _, u := range s.v.Units {
		if such(u) {
			n++
		}
	}
	return n
}

// unheld is a hex where nobody of the side stands.
func (s *scene) unheld() (hex.Hex, bool) {
	return s.hexAt(func(h hex.Hex) bool {
		return !slices.ContainsFunc(s.v.Units, func(u view.Unit) bool { return u.Hex == h })
	})
}

// famousSetUpMutants break the set-up of a game with a turn 0.
var famousSetUpMutants = []Mutation{
	setUpMutant("SETUP", "a place outside the unit's area", "GD 17.0", func(s *scene) (string, []string) {
		u, ok := s.unit(func(u view.Unit) bool { _, of := s.area(u); return len(of) > 0 })
		n, of := s.area(u)
		h, found := s.hexAt(func(h hex.Hex) bool {
			return !slices.ContainsFunc(of, func(o hex.Hex) bool { return s.g.Distance(h, o) <= n })
		})
		if ok && found {
			return text("%s %v", u.Name, h)
		}
		return no()
	}),
	setUpMutant("SETUP", "a place on the enemy", "GD 7.0", func(s *scene) (string, []string) {
		u, ok := s.unit(anyUnit)
		st, seen := one(s, s.v.Enemy, func(view.Stack) bool { return true })
		if ok && seen {
			return text("%s %v", u.Name, st.Hex)
		}
		return no()
	}),
	setUpMutant("SETUP", "a place off the map", "GD 2.1", func(s *scene) (string, []string) {
		if u, ok := s.unit(anyUnit); ok {
			return text("%s %02d%02d", u.Name, 50+s.r.IntN(40), 60+s.r.IntN(30))
		}
		return no()
	}),
	setUpMutant("SETUP", "a placement of a unit that comes later", "GD 17.0", func(s *scene) (string, []string) {
		u, ok := s.arrival(func(u view.Unit) bool { return u.Hex == hex.None })
		h, found := s.hexAt(s.clear)
		if ok && found {
			return text("%s %v", u.Name, h)
		}
		return no()
	}),
	setUpMutant("SETUP", "a placement of a unit that nobody has", "GD 2.3", func(s *scene) (string, []string) {
		if h, ok := s.hexAt(s.clear); ok {
			return text("99K/XX %v", h)
		}
		return no()
	}),
	setUpMutant("SETUP", "a placement without a hex", "GD 17.0", func(s *scene) (string, []string) {
		if u, ok := s.unit(anyUnit); ok {
			return text("%s", u.Name)
		}
		return no()
	}),
	setUpMutant("SETUP", "more than a hex holds", "GD 7.1", famousCrowd),
	setUpMutant("SETUP", "a fortification where nobody stands", "GD 18.4", func(s *scene) (string, []string) {
		f, ok := s.ownFort()
		h, found := s.unheld()
		if ok && found {
			return text("%s %v FROM %v", f.Kind, h, f.Hex)
		}
		return no()
	}),
	setUpMutant("SETUP", "a fortification that is left alone", "GD 18.4", func(s *scene) (string, []string) {
		f, ok := s.ownFort()
		garrison := func(u view.Unit) bool { return u.Hex == f.Hex }
		guard, manned := s.unit(garrison)
		h, found := one(s, s.v.Units, func(u view.Unit) bool { return u.Note == guard.Note && u.Hex != f.Hex && u.Hex != hex.None })
		if !ok || !manned || !found || s.count(garrison) > 1 {
			return no()
		}
		return text("%s %v", guard.Name, h.Hex)
	}),
	setUpMutant("SETUP", "a fortification that is not there", "GD 18.4", func(s *scene) (string, []string) {
		f, ok := s.ownFort()
		h, found := s.unheld()
		if ok && found {
			return text("%s %v FROM %v", f.Kind, f.Hex, h)
		}
		return no()
	}),
	setUpMutant("SETUP", "a fortification of the enemy", "GD 18.4", func(s *scene) (string, []string) {
		f, ok := one(s, s.v.Forts, func(f view.Fort) bool { return f.Side != s.v.Side })
		if ok {
			return text("%s %v FACE 1", f.Kind, f.Hex)
		}
		return no()
	}),
	setUpMutant("SETUP", "a fortification that faces no hexside", "GD 15.1", func(s *scene) (string, []string) {
		if f, ok := s.ownFort(); ok {
			return text("%s %v FACE %d FROM %v", f.Kind, f.Hex, 7+s.r.IntN(3), f.Hex)
		}
		return no()
	}),
	setUpMutant("SUPPLY", "chits before the set-up is over", "GD 17.0", func(s *scene) (string, []string) {
		if u, ok := s.unit(anyUnit); ok {
			return text("FIRST %s", u.Formation)
		}
		return no()
	}),
	setUpMutant("SUPPLY", "supply before the set-up is over", "GD 17.0", func(s *scene) (string, []string) {
		if u, ok := s.unit(func(u view.Unit) bool { return u.Hex != hex.None }); ok {
			return text("STACK %s %v", u.Formation, u.Hex)
		}
		return no()
	}),
	setUpMutant("CHIT", "a programme before the set-up is over", "GD 17.0", func(s *scene) (string, []string) {
		u, ok := s.unit(func(u view.Unit) bool { return u.Hex != hex.None })
		if ok {
			return text("MOVE %s TO %v", u.Name, s.anyBeside(u.Hex))
		}
		return no()
	}),
	mutant("SETUP", "a set-up after turn 0", "GD 17.0", func(s *scene) (string, []string) {
		u, ok := s.unit(func(u view.Unit) bool { return u.Hex != hex.None })
		if ok && s.v.Options["set-up"] == "choose" {
			return text("%s %v", u.Name, u.Hex)
		}
		return no()
	}),
}

// famousCrowd sends whole units of one area to a hex where one of them stands, until the
// next one is too many: a hex holds four.
func famousCrowd(s *scene) (string, []string) {
	first, ok := s.unit(func(u view.Unit) bool { return u.Hex != hex.None && u.Note != "" })
	if !ok || len(s.v.Board.Kinds(first.Hex)) != 1 || !s.clear(first.Hex) {
		return no()
	}
	load := 0
	for _, u := range s.v.Units {
		if u.Hex == first.Hex {
			load += u.Steps * 2 / u.MaxSteps
		}
	}
	var with []string
	for _, u := range s.v.Units {
		if u.Hex == first.Hex || u.Note != first.Note || u.Steps < u.MaxSteps || u.Size == "D" {
			continue
		}
		order, _ := text("%s %v", u.Name, first.Hex)
		if load += 2; load > 8 {
			return order, with
		}
		with = append(with, order)
	}
	return no()
}
