package systems

import (
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// wb95AttackMutants break chapters 5 and 15 and the words of standing orders.
var wb95AttackMutants = []Mutation{
	mutant("ATTACK", "an attack on nobody", "WB-95 5.1.2", func(s *scene) (string, []string) {
		u, ok := s.unit(able)
		if h, none := s.beside(u.Hex, func(h hex.Hex) bool { return s.foe(h) == nil }); ok && none {
			return text("1: %v WITH %s", h, u.Name)
		}
		return no()
	}),
	mutant("ATTACK", "an attack on friends", "WB-95 5.1.2", func(s *scene) (string, []string) {
		u, ok := s.unit(able)
		if v, two := s.unit(func(x view.Unit) bool { return x.ID != u.ID }); ok && two {
			return text("1: %v WITH %s", v.Hex, u.Name)
		}
		return no()
	}),
	mutant("ATTACK", "an attack from afar", "WB-95 5.1.2", func(s *scene) (string, []string) {
		u, ok := s.unit(able)
		if f, far := one(s, s.v.Enemy, func(f view.Stack) bool { return s.g.Distance(f.Hex, u.Hex) > 1 }); ok && far {
			return text("1: %v WITH %s", f.Hex, u.Name)
		}
		return no()
	}),
	mutant("ATTACK", "towed guns attack", "WB-95 5.1.10", attackBy(func(u view.Unit) bool { return u.Gun != "" })),
	mutant("ATTACK", "headquarters attack", "WB-95 5.1.2", attackBy(func(u view.Unit) bool { return u.Type == "HQ" })),
	mutant("ATTACK", "a resilience group attacks", "WB-95 5.1.2", attackBy(func(u view.Unit) bool { return u.Type == "RG" })),
	mutant("ATTACK", "a unit off the map attacks", "WB-95 5.2.1", func(s *scene) (string, []string) {
		u, ok := s.arrival(anyUnit)
		if f, has := one(s, s.v.Enemy, func(view.Stack) bool { return true }); ok && has {
			return text("1: %v WITH %s", f.Hex, u.Name)
		}
		return no()
	}),
	mutant("ATTACK", "a unit attacks twice", "WB-95 5.1.1", func(s *scene) (string, []string) {
		u, h, ok := s.touching(able)
		if k, two := s.beside(u.Hex, func(k hex.Hex) bool { return k != h && s.foe(k) != nil }); ok && two {
			first, _ := text("1: %v WITH %s", h, u.Name)
			bad, _ := text("2: %v WITH %s", k, u.Name)
			return bad, []string{first}
		}
		return no()
	}),
	mutant("ATTACK", "a hex is attacked twice", "WB-95 5.1.1", func(s *scene) (string, []string) {
		u, h, ok := s.touching(able)
		if v, two := s.unit(func(x view.Unit) bool { return able(x) && x.ID != u.ID && s.g.Adjacent(x.Hex, h) }); ok && two {
			first, _ := text("1: %v WITH %s", h, u.Name)
			bad, _ := text("2: %v WITH %s", h, v.Name)
			return bad, []string{first}
		}
		return no()
	}),
	mutant("ATTACK", "both sides on several hexes", "WB-95 5.1.5", func(s *scene) (string, []string) {
		for _, i := range s.r.Perm(len(s.v.Enemy)) {
			a := s.v.Enemy[i].Hex
			b, ok := s.beside(a, func(h hex.Hex) bool { return s.foe(h) != nil })
			both := func(x view.Unit) bool { return able(x) && s.g.Adjacent(x.Hex, a) && s.g.Adjacent(x.Hex, b) }
			u, one := s.unit(both)
			v, two := s.unit(func(x view.Unit) bool { return both(x) && x.Hex != u.Hex })
			if ok && one && two {
				return text("1: %v, %v WITH %s, %s", a, b, u.Name, v.Name)
			}
		}
		return no()
	}),
	mutant("ATTACK", "an attack without units", "WB-95 5.2.1", func(s *scene) (string, []string) {
		if _, h, ok := s.touching(able); ok {
			return text("1: %v", h)
		}
		return no()
	}),
	mutant("ATTACK", "an attack without a hex", "WB-95 5.2.1", order(able, "1: WITH %s")),
	mutant("ATTACK", "a column that the table has not", "WB-95 1.5", attackWith("MIN 11:1")),
	mutant("ATTACK", "steps paid without a number", "WB-95 5.3.7", attackWith("HOLD, PAY SOME")),
	mutant("ATTACK", "stars of no colour", "WB-95 15.1.6", attackWith("STARS GREEN")),
	mutant("ATTACK", "modifiers without a number", "WB-95 9.1.6", attackWith("HQCM SOME")),
	mutant("STANDING", "an ability half used", "WB-95 15.4.2", func(*scene) (string, []string) { return text("ALL FU PERHAPS") }),
	mutant("STANDING", "guns within no distance", "WB-95 6.3.3", func(*scene) (string, []string) { return text("ART SUPPORT WITHIN SOME OF VITAL") }),
}

// attackBy orders an attack by a unit that may not make one, at what is nearest.
func attackBy(fits func(view.Unit) bool) wb95Case {
	return func(s *scene) (string, []string) {
		u, ok := s.unit(fits)
		if !ok || len(s.v.Enemy) == 0 {
			return no()
		}
		f := slices.MinFunc(s.v.Enemy, func(a, b view.Stack) int { return s.g.Distance(a.Hex, u.Hex) - s.g.Distance(b.Hex, u.Hex) })
		return text("1: %v WITH %s", f.Hex, u.Name)
	}
}

// attackWith orders an attack with something added that is none.
func attackWith(more string) wb95Case {
	return func(s *scene) (string, []string) {
		if u, h, ok := s.touching(able); ok {
			return text("1: %v WITH %s; %s", h, u.Name, more)
		}
		return no()
	}
}

// gunRange is how far guns fire (6.1.2).
const gunRange = 3

// wb95FireMutants break chapter 6.
var wb95FireMutants = []Mutation{
	mutant("ATTACK", "what is no gun supports", "WB-95 6.3.1", func(s *scene) (string, []string) {
		u, h, ok := s.touching(able)
		if v, two := s.unit(func(x view.Unit) bool { return line(x) && x.ID != u.ID }); ok && two {
			return text("1: %v WITH %s; ART %s", h, u.Name, v.Name)
		}
		return no()
	}),
	mutant("ATTACK", "what is no gun fires", "WB-95 6.3.1", fireOf(line, func(int) bool { return true }, "FIRE %s AT %v")),
	mutant("ATTACK", "guns fire in transport set-up", "WB-95 6.3.1", fireOf(func(u view.Unit) bool { return u.Gun == "transport" }, func(int) bool { return true }, "FIRE %s AT %v")),
	mutant("ATTACK", "guns fire too far", "WB-95 6.1.2", fireOf(gun, func(d int) bool { return d > gunRange }, "FIRE %s AT %v")),
	mutant("ATTACK", "guns fire at neighbours", "WB-95 6.4.3", fireOf(gun, func(d int) bool { return d == 1 }, "FIRE %s AT %v")),
	mutant("ATTACK", "silent guns fire", "WB-95 6.5.6", fireOf(func(u view.Unit) bool { return u.Silent > 0 }, func(int) bool { return true }, "FIRE %s AT %v")),
	mutant("ATTACK", "guns fire at nothing", "WB-95 6.4.2", order(gun, "FIRE %s")),
	mutant("ATTACK", "guns fire at an empty hex", "WB-95 6.4.1", func(s *scene) (string, []string) {
		u, ok := s.unit(gun)
		if h, none := s.hexAt(func(h hex.Hex) bool { return s.foe(h) == nil && s.g.Distance(h, u.Hex) <= 8 }); ok && none {
			return text("FIRE %s AT %v", u.Name, h)
		}
		return no()
	}),
	mutant("ATTACK", "guns fire at what is attacked", "WB-95 6.4.5", func(s *scene) (string, []string) {
		u, h, ok := s.touching(able)
		if v, two := s.unit(func(x view.Unit) bool { return gun(x) && s.g.Distance(x.Hex, h) <= gunRange }); ok && two {
			first, _ := text("1: %v WITH %s", h, u.Name)
			bad, _ := text("FIRE %s AT %v", v.Name, h)
			return bad, []string{first}
		}
		return no()
	}),
	mutant("ATTACK", "a gun fires twice", "WB-95 6.1.4", func(s *scene) (string, []string) {
		u, ok := s.unit(func(u view.Unit) bool { return u.Gun == "firing" })
		near := func(f view.Stack) bool {
			d := s.g.Distance(f.Hex, u.Hex)
			return d > 1 && d <= gunRange
		}
		a, near1 := one(s, s.v.Enemy, near)
		if b, two := one(s, s.v.Enemy, func(f view.Stack) bool { return near(f) && f.Hex != a.Hex }); ok && near1 && two {
			first, _ := text("FIRE %s AT %v", u.Name, a.Hex)
			bad, _ := text("FIRE %s AT %v", u.Name, b.Hex)
			return bad, []string{first}
		}
		return no()
	}),
	mutant("ATTACK", "guns fire at no bridge", "WB-95 6.4.7", func(s *scene) (string, []string) {
		u, ok := s.unit(gun)
		h, near := s.hexAt(func(h hex.Hex) bool { return s.g.Distance(h, u.Hex) <= gunRange })
		if e, none := s.bare(h); ok && near && none {
			return text("FIRE %s AT %v", u.Name, e)
		}
		return no()
	}),
	mutant("BARRAGE", "a barrage without leave", "WB-95 6.5.1", func(s *scene) (string, []string) {
		if s.asset("ammunition units") > 0 {
			return no()
		}
		u, ok := s.unit(gun)
		if f, has := one(s, s.v.Enemy, func(view.Stack) bool { return true }); ok && has {
			return text("%s AT %v", u.Name, f.Hex)
		}
		return no()
	}),
	mutant("BARRAGE", "a barrage on a condition", "WB-95 6.5.3", func(s *scene) (string, []string) {
		u, ok := s.unit(gun)
		if f, has := one(s, s.v.Enemy, func(view.Stack) bool { return true }); ok && has {
			return text("%s AT %v IF 1 WON", u.Name, f.Hex)
		}
		return no()
	}),
	mutant("BARRAGE", "a barrage at neighbours", "WB-95 6.4.3", fireOf(gun, func(d int) bool { return d == 1 }, "%s AT %v")),
	mutant("BARRAGE", "a barrage too far", "WB-95 6.1.2", fireOf(gun, func(d int) bool { return d > gunRange }, "%s AT %v")),
}

// fireOf has a unit fire at an enemy hex at some distance.
func fireOf(fits func(view.Unit) bool, at func(d int) bool, format string) wb95Case {
	return func(s *scene) (string, []string) {
		u, ok := s.unit(func(u view.Unit) bool {
			return fits(u) && slices.ContainsFunc(s.v.Enemy, func(f view.Stack) bool { return at(s.g.Distance(f.Hex, u.Hex)) })
		})
		if !ok {
			return no()
		}
		f, _ := one(s, s.v.Enemy, func(f view.Stack) bool { return at(s.g.Distance(f.Hex, u.Hex)) })
		return text(format, u.Name, f.Hex)
	}
}

// asset is how much the side has of something to be spent.
func (s *scene) asset(kind string) int {
	n := 0
	for _, a := range s.v.Assets {
		if a.Kind == kind {
			n += a.Count
		}
	}
	return n
}
