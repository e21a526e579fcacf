package systems

import (
	"slices"
	"strings"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// wb95WorkMutants break chapters 6.2 (set-up of guns), 7 and 14.
var wb95WorkMutants = []Mutation{
	mutant("MOVE", "a gun moves in combat set-up", "WB-95 6.2.3", func(s *scene) (string, []string) {
		if u, ok := s.unit(func(u view.Unit) bool { return u.Gun == "firing" }); ok {
			return text("%s TO %v", u.Name, s.anyBeside(u.Hex))
		}
		return no()
	}),
	mutant("MOVE", "combat set-up twice", "WB-95 6.2.4", order(func(u view.Unit) bool { return u.Gun == "firing" }, "%s UNLIMBER")),
	mutant("MOVE", "transport set-up twice", "WB-95 6.2.4", order(func(u view.Unit) bool { return u.Gun == "transport" }, "%s LIMBER")),
	mutant("MOVE", "a set-up of what has none", "WB-95 6.2.2", order(line, "%s LIMBER")),
	mutant("MOVE", "headquarters entrench", "WB-95 7.1.2", order(func(u view.Unit) bool { return u.Type == "HQ" }, "%s ENTRENCH")),
	mutant("MOVE", "guns entrench", "WB-95 7.1.2", order(gun, "%s ENTRENCH")),
	mutant("MOVE", "who is not on the map entrenches", "WB-95 7.1.2", func(s *scene) (string, []string) {
		if u, ok := s.arrival(line); ok {
			return text("%s ENTRENCH", u.Name)
		}
		return no()
	}),
	mutant("MOVE", "who retreated entrenches", "WB-95 7.1.2", func(s *scene) (string, []string) {
		// Who cannot get away may dig in all the same.
		if u, ok := s.unit(func(u view.Unit) bool { return u.Retreated && s.quiet(u.Hex, 2) }); ok {
			return text("%s ENTRENCH", u.Name)
		}
		return no()
	}),
	mutant("MOVE", "works where works stand", "WB-95 7.1.1", func(s *scene) (string, []string) {
		if u, ok := s.unit(func(u view.Unit) bool { return line(u) && s.fort(u.Hex) }); ok {
			return text("%s ENTRENCH", u.Name)
		}
		return no()
	}),
	mutant("MOVE", "works in a swamp", "WB-95 7.1.8", func(s *scene) (string, []string) {
		if u, ok := s.unit(func(u view.Unit) bool { return s.swamp(u.Hex) }); ok {
			return text("%s ENTRENCH", u.Name)
		}
		return no()
	}),
	mutant("MOVE", "entrenching and moving", "WB-95 7.1.4", func(s *scene) (string, []string) {
		if u, a, _, ok := s.free(); ok {
			return text("%s TO %v ENTRENCH", u.Name, a)
		}
		return no()
	}),
	mutant("MOVE", "a bridge named by strangers", "WB-95 14.1.1", func(s *scene) (string, []string) {
		u, ok := s.unit(able)
		if h, far := s.hexAt(func(h hex.Hex) bool { return s.g.Distance(u.Hex, h) > 1 }); ok && far {
			return text("%s BLOW %v/%v", u.Name, u.Hex, h)
		}
		return no()
	}),
	mutant("MOVE", "a bridge far away is blown", "WB-95 14.2.1", func(s *scene) (string, []string) {
		u, ok := s.unit(able)
		if b, has := one(s, s.v.Bridges, func(b view.Bridge) bool { return b.Edge.A != u.Hex && b.Edge.B != u.Hex }); ok && has {
			return text("%s BLOW %v", u.Name, b.Edge)
		}
		return no()
	}),
	mutant("MOVE", "a bridge that does not stand is blown", "WB-95 14.2.1", func(s *scene) (string, []string) {
		if u, ok := s.unit(able); ok {
			if e, none := s.bare(u.Hex); none {
				return text("%s BLOW %v", u.Name, e)
			}
		}
		return no()
	}),
	mutant("MOVE", "two units on one bridge", "WB-95 14.2.1", func(s *scene) (string, []string) {
		u, ok := s.unit(able)
		v, two := s.unit(func(x view.Unit) bool { return able(x) && x.ID != u.ID })
		if b, has := one(s, s.v.Bridges, func(view.Bridge) bool { return true }); ok && two && has {
			return text("%s, %s BLOW %v", u.Name, v.Name, b.Edge)
		}
		return no()
	}),
	mutant("MOVE", "a bridge of the enemy's is blown", "WB-95 14.1.4", func(s *scene) (string, []string) {
		b, ok := one(s, s.v.Bridges, func(b view.Bridge) bool {
			enemy := slices.ContainsFunc(s.v.Enemy, func(st view.Stack) bool { return st.Side == b.Side })
			return b.Stands && enemy && (s.ours(b.Edge.A) || s.ours(b.Edge.B))
		})
		u, at := s.unit(func(u view.Unit) bool { return able(u) && (u.Hex == b.Edge.A || u.Hex == b.Edge.B) })
		if ok && at {
			return text("%s BLOW %v", u.Name, b.Edge)
		}
		return no()
	}),
	mutant("MOVE", "guns blow a bridge", "WB-95 14.2.1", func(s *scene) (string, []string) {
		u, ok := s.unit(gun)
		if b, has := one(s, s.v.Bridges, func(view.Bridge) bool { return true }); ok && has {
			return text("%s BLOW %v", u.Name, b.Edge)
		}
		return no()
	}),
	mutant("MOVE", "a bridge that stands is rebuilt", "WB-95 14.2.2", func(s *scene) (string, []string) {
		u, ok := s.unit(able)
		if b, has := one(s, s.v.Bridges, func(b view.Bridge) bool { return b.Stands }); ok && has {
			return text("%s REBUILD %v", u.Name, b.Edge)
		}
		return no()
	}),
	mutant("MOVE", "a bridge that never was is rebuilt", "WB-95 14.2.3", func(s *scene) (string, []string) {
		if u, ok := s.unit(able); ok {
			if e, none := s.bare(u.Hex); none {
				return text("%s REBUILD %v", u.Name, e)
			}
		}
		return no()
	}),
	mutant("MOVE", "guns rebuild a bridge", "WB-95 14.2.2", func(s *scene) (string, []string) {
		u, ok := s.unit(gun)
		if b, has := one(s, s.v.Bridges, func(b view.Bridge) bool { return !b.Stands }); ok && has {
			return text("%s REBUILD %v", u.Name, b.Edge)
		}
		return no()
	}),
	mutant("MOVE", "no headquarters builds a bridge", "WB-95 14.3.2", func(s *scene) (string, []string) {
		if u, ok := s.unit(able); ok {
			if e, wet := s.bare(u.Hex); wet {
				return text("%s BUILD %v", u.Name, e)
			}
		}
		return no()
	}),
	mutant("MOVE", "a new bridge over no big river", "WB-95 14.2.3", func(s *scene) (string, []string) {
		if u, ok := s.unit(func(u view.Unit) bool { return u.Type == "HQ" }); ok {
			if e, none := s.bare(u.Hex); none && s.v.Board.River(e) == "" {
				return text("%s BUILD %v", u.Name, e)
			}
		}
		return no()
	}),
	mutant("ATTACK", "pontoons over no river", "WB-95 14.3.2", func(s *scene) (string, []string) {
		h, ok := s.hexAt(func(h hex.Hex) bool { e, none := s.bare(h); return none && s.v.Board.River(e) == "" })
		if e, none := s.bare(h); ok && none && s.v.Board.River(e) == "" {
			return text("PONTOON %v", e)
		}
		return no()
	}),
	mutant("ATTACK", "pontoons of an army that has none", "WB-95 14.3.2", func(s *scene) (string, []string) {
		for _, r := range s.v.Board.Rivers {
			if strings.Contains(r.Kind, "big") && len(r.Edges) > 0 {
				return text("PONTOON %v FOR 99 ARMY", r.Edges[s.r.IntN(len(r.Edges))])
			}
		}
		return no()
	}),
}

// bare is a hexside of the hex where no bridge is, was or could have been built.
func (s *scene) bare(h hex.Hex) (hex.Edge, bool) {
	known := func(e hex.Edge) bool {
		_, ok := one(s, s.v.Bridges, func(b view.Bridge) bool { return b.Edge == e })
		return ok || s.v.Board.Bridge(e)
	}
	k, ok := s.beside(h, func(k hex.Hex) bool { return !known(hex.Between(h, k)) })
	return hex.Between(h, k), ok
}

// ours tells whether an own unit stands on the hex.
func (s *scene) ours(h hex.Hex) bool {
	_, ok := s.unit(func(u view.Unit) bool { return u.Hex == h })
	return ok
}
