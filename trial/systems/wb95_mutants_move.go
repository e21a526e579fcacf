package systems

import (
	"slices"
	"strings"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// wb95MoveMutants break chapters 1, 3, 4, 11 and 12.
var wb95MoveMutants = []Mutation{
	mutant("MOVE", "goal off the map", "WB-95 1.1", func(s *scene) (string, []string) {
		if u, ok := s.unit(able); ok {
			return text("%s TO %v", u.Name, hex.New(s.g.ColMax+1+s.r.IntN(3), s.g.RowMin))
		}
		return no()
	}),
	mutant("MOVE", "a lost unit", "WB-95 1.2", func(s *scene) (string, []string) {
		u, ok := one(s, s.v.Lost, func(u view.Unit) bool { return s.unique(u.Name) })
		h, _ := s.hexAt(s.clear)
		if ok {
			return text("%s TO %v", u.Name, h)
		}
		return no()
	}),
	mutant("MOVE", "a unit of the enemy's", "WB-95 3.1.3", func(s *scene) (string, []string) {
		for _, f := range s.v.Enemy {
			if g, ok := one(s, f.Units, func(g view.Sight) bool { return g.Name != "" && s.unique(g.Name) }); ok {
				return text("%s TO %v", g.Name, s.anyBeside(f.Hex))
			}
		}
		return no()
	}),
	mutant("MOVE", "a path with a gap", "WB-95 3.1.4", func(s *scene) (string, []string) {
		u, ok := s.unit(able)
		h, far := s.hexAt(func(h hex.Hex) bool { return s.g.Distance(u.Hex, h) > 1 })
		if ok && far {
			return text("%s %v-%v", u.Name, u.Hex, h)
		}
		return no()
	}),
	mutant("MOVE", "a path that begins elsewhere", "WB-95 3.1.4", func(s *scene) (string, []string) {
		u, ok := s.unit(able)
		h, far := s.hexAt(func(h hex.Hex) bool { return s.g.Distance(u.Hex, h) > 1 })
		if ok && far {
			return text("%s %v-%v", u.Name, h, s.anyBeside(h))
		}
		return no()
	}),
	mutant("MOVE", "farther than the points reach", "WB-95 3.1.5", func(s *scene) (string, []string) {
		u, ok := s.unit(able)
		h, far := s.hexAt(func(h hex.Hex) bool { return s.beyond(u, h) })
		if ok && far {
			return text("%s TO %v", u.Name, h)
		}
		return no()
	}),
	mutant("MOVE", "two orders for a unit", "WB-95 3.1.6", func(s *scene) (string, []string) {
		if u, a, b, ok := s.free(); ok {
			bad, _ := text("%s TO %v", u.Name, b)
			first, _ := text("%s TO %v", u.Name, a)
			return bad, []string{first}
		}
		return no()
	}),
	mutant("MOVE", "into a hex of the enemy's", "WB-95 3.1.8", func(s *scene) (string, []string) {
		if u, h, ok := s.touching(able); ok && s.solid(h) {
			return text("%s %v-%v", u.Name, u.Hex, h)
		}
		return no()
	}),
	mutant("MOVE", "into closed ground", "WB-95 3.1.11", func(s *scene) (string, []string) {
		u, ok := s.unit(func(u view.Unit) bool {
			_, wet := s.beside(u.Hex, func(h hex.Hex) bool { return s.swamp(h) && !s.road(h) })
			return able(u) && u.Class != "foot" && wet && !s.winter()
		})
		if h, wet := s.beside(u.Hex, func(h hex.Hex) bool { return s.swamp(h) && !s.road(h) }); ok && wet {
			return text("%s %v-%v", u.Name, u.Hex, h)
		}
		return no()
	}),
	mutant("MOVE", "on through an enemy zone", "WB-95 4.2.1", func(s *scene) (string, []string) {
		for _, i := range s.r.Perm(len(s.v.Units)) {
			u := s.v.Units[i]
			if !able(u) {
				continue
			}
			a, ok := s.beside(u.Hex, func(a hex.Hex) bool {
				_, held := s.beside(a, func(e hex.Hex) bool { return s.solid(e) && s.dry(e, a) })
				return held && s.foe(a) == nil
			})
			b, on := s.beside(a, func(b hex.Hex) bool { return b != u.Hex && s.foe(b) == nil })
			if ok && on {
				return text("%s %v-%v-%v", u.Name, u.Hex, a, b)
			}
		}
		return no()
	}),
	mutant("MOVE", "from zone to zone of one enemy", "WB-95 4.2.3", func(s *scene) (string, []string) {
		for _, i := range s.r.Perm(len(s.v.Units)) {
			u := s.v.Units[i]
			e, ok := s.beside(u.Hex, func(e hex.Hex) bool { return s.solid(e) && s.dry(e, u.Hex) })
			b, near := s.beside(u.Hex, func(b hex.Hex) bool { return s.dry(e, b) && s.foe(b) == nil })
			if ok && near && able(u) {
				return text("%s %v-%v", u.Name, u.Hex, b)
			}
		}
		return no()
	}),
	mutant("MOVE", "a reinforcement before its day", "WB-95 11.1.1", func(s *scene) (string, []string) {
		if u, ok := s.arrival(func(u view.Unit) bool { return !u.Ready && u.Turn > s.v.Turn && len(u.Entry) > 0 }); ok {
			return text("%s ENTER %s", u.Name, u.Entry[0])
		}
		return no()
	}),
	mutant("MOVE", "a reinforcement that does not enter", "WB-95 11.1.2", func(s *scene) (string, []string) {
		h, _ := s.hexAt(s.clear)
		if u, ok := s.arrival(anyUnit); ok {
			return text("%s TO %v", u.Name, h)
		}
		return no()
	}),
	mutant("MOVE", "a unit of the map enters", "WB-95 11.1.2", func(s *scene) (string, []string) {
		u, ok := s.unit(able)
		if z, has := one(s, s.v.Board.Zones, func(board.Zone) bool { return true }); ok && has {
			return text("%s ENTER %s", u.Name, z.ID)
		}
		return no()
	}),
	mutant("MOVE", "a zone far from the printed one", "WB-95 11.2.2", func(s *scene) (string, []string) {
		zones := s.v.Board.Zones
		place := func(id string) int {
			return slices.IndexFunc(zones, func(z board.Zone) bool { return z.ID == id })
		}
		u, ok := s.arrival(func(u view.Unit) bool { return u.Turn == s.v.Turn && len(u.Entry) == 1 && place(u.Entry[0]) >= 0 })
		if !ok {
			return no()
		}
		z, far := one(s, zones, func(z board.Zone) bool {
			d := abs(place(z.ID) - place(u.Entry[0]))
			return min(d, len(zones)-d) >= 3
		})
		if far {
			return text("%s ENTER %s", u.Name, z.ID)
		}
		return no()
	}),
	mutant("MOVE", "a zone that the enemy controls", "WB-95 11.1.4", func(s *scene) (string, []string) {
		u, ok := s.arrival(func(u view.Unit) bool { return u.Ready && len(u.Entry) == 1 })
		if !ok {
			return no()
		}
		i := slices.IndexFunc(s.v.Board.Zones, func(z board.Zone) bool { return z.ID == u.Entry[0] })
		if i < 0 || slices.ContainsFunc(s.v.Board.Zones[i].Hexes, func(h hex.Hex) bool { return s.foe(h) == nil }) {
			return no() // taken for sure only where the enemy stands on all of it
		}
		return text("%s ENTER %s", u.Name, u.Entry[0])
	}),
	mutant("MOVE", "off the map by no zone", "WB-95 11.2.3", order(able, "%s EXIT QQ")),
	mutant("MOVE", "off the map by a zone out of reach", "WB-95 11.2.3", func(s *scene) (string, []string) {
		u, ok := s.unit(able)
		z, far := one(s, s.v.Board.Zones, func(z board.Zone) bool {
			return !slices.ContainsFunc(z.Hexes, func(h hex.Hex) bool { return !s.beyond(u, h) })
		})
		if ok && far {
			return text("%s EXIT %s", u.Name, z.ID)
		}
		return no()
	}),
	mutant("MOVE", "movement beside strategic movement", "WB-95 12.1.2", func(s *scene) (string, []string) {
		if u, a, b, ok := s.free(); ok {
			bad, _ := text("%s TO %v", u.Name, b)
			first, _ := text("%s TO %v STRATEGIC", u.Name, a)
			return bad, []string{first}
		}
		return no()
	}),
	mutant("MOVE", "a resilience group moves", "WB-95 15.2.1", func(s *scene) (string, []string) {
		if u, ok := s.unit(func(u view.Unit) bool { return u.Type == "RG" }); ok {
			return text("%s TO %v", u.Name, s.anyBeside(u.Hex))
		}
		return no()
	}),
	mutant("MOVE", "a step from no Volkssturm", "WB-95 15.3.3", func(s *scene) (string, []string) {
		u, ok := s.unit(func(u view.Unit) bool { return line(u) && u.Type != "VS" })
		if v, two := s.unit(func(x view.Unit) bool { return x.ID != u.ID && x.Type == "INF" }); ok && two {
			return text("%s REINFORCE %s", u.Name, v.Name)
		}
		return no()
	}),
	mutant("MOVE", "a step to two units", "WB-95 15.3.4", func(s *scene) (string, []string) {
		u, ok := s.unit(func(u view.Unit) bool { return u.Type == "VS" })
		a, one := s.unit(func(x view.Unit) bool { return x.ID != u.ID && x.Type == "INF" })
		if b, two := s.unit(func(x view.Unit) bool { return x.ID != u.ID && x.ID != a.ID && x.Type == "INF" }); ok && one && two {
			return text("%s REINFORCE %s, %s", u.Name, a.Name, b.Name)
		}
		return no()
	}),
}

// winter: swamps are frozen, and open to all.
func (s *scene) winter() bool {
	return slices.ContainsFunc([]string{"November", "December", "January", "February", "March"}, func(m string) bool { return strings.Contains(s.v.Date, m) })
}

// unique tells whether no own unit or formation could be meant by the name.
func (s *scene) unique(name string) bool {
	return !slices.ContainsFunc(slices.Concat(s.v.Units, s.v.Arrivals), func(u view.Unit) bool {
		return strings.HasPrefix(strings.ToUpper(u.Name), strings.ToUpper(name)) || strings.EqualFold(u.Parent, name) || strings.EqualFold(u.Formation, name)
	})
}

func abs(n int) int { return max(n, -n) }
