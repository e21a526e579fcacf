package systems

import (
	"fmt"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// wb95AirMutants break chapter 8. A case writes the number of the Air Phase before
// its mission, parted by a bar.
var wb95AirMutants = []Mutation{
	mutant("AIR", "aircraft where there are none", "WB-95 8.1.1", func(s *scene) (string, []string) {
		if f, ok := one(s, s.v.Enemy, func(view.Stack) bool { return true }); ok && s.v.Air == nil {
			return text("ATTACK %v 3", f.Hex)
		}
		return no()
	}),
	sorties("more strength than the day has", "WB-95 8.1.5", true, func(s *scene, p view.AirPhase) string {
		return fmt.Sprintf("ATTACK %v %d", s.someFoe(), p.Left+1+s.r.IntN(4))
	}),
	sorties("a mission that there is not", "WB-95 8.2.1", true, func(s *scene, _ view.AirPhase) string {
		return fmt.Sprintf("STRAFE %v 1", s.someFoe())
	}),
	sorties("a mission without strength", "WB-95 8.1.1", true, func(s *scene, _ view.AirPhase) string {
		return fmt.Sprintf("ATTACK %v", s.someFoe())
	}),
	mutant("AIR", "an Air Phase that is none", "WB-95 8.1.4", func(s *scene) (string, []string) {
		if s.v.Air == nil || len(s.v.Enemy) == 0 {
			return no()
		}
		return text("%d|ATTACK %v 1", 2+s.r.IntN(5), s.someFoe())
	}),
	sorties("support where we do not attack", "WB-95 8.2.2", false, func(s *scene, _ view.AirPhase) string {
		return fmt.Sprintf("SUPPORT %v 1", s.someFoe())
	}),
	sorties("defence where we attack", "WB-95 8.2.4", true, func(s *scene, _ view.AirPhase) string {
		if u, ok := s.unit(anyUnit); ok {
			return fmt.Sprintf("DEFEND %v 1", u.Hex)
		}
		return ""
	}),
	sorties("Soviet aircraft defend", "WB-95 8.2.5", false, func(s *scene, _ view.AirPhase) string {
		if u, ok := s.unit(anyUnit); ok && s.nation("Soviet") {
			return fmt.Sprintf("DEFEND %v 1", u.Hex)
		}
		return ""
	}),
	sorties("an attack on an empty hex", "WB-95 8.2.6", true, func(s *scene, p view.AirPhase) string {
		if h, ok := s.hexAt(func(h hex.Hex) bool { return s.foe(h) == nil }); ok {
			return fmt.Sprintf("ATTACK %v 1", h)
		}
		return ""
	}),
	sorties("a bridge with too little", "WB-95 8.2.10", true, func(s *scene, p view.AirPhase) string {
		// Where aircraft come in counters a whole one flies, and one is enough.
		if b, ok := one(s, s.v.Bridges, func(b view.Bridge) bool { return b.Stands }); ok && p.Ready == nil {
			return fmt.Sprintf("BRIDGE %v %d", b.Edge, 1+s.r.IntN(3))
		}
		return ""
	}),
	sorties("a bridge that does not stand", "WB-95 8.2.8", true, func(s *scene, _ view.AirPhase) string {
		h, ok := s.hexAt(func(hex.Hex) bool { return true })
		if e, none := s.bare(h); ok && none {
			return fmt.Sprintf("BRIDGE %v 4", e)
		}
		return ""
	}),
	sorties("against movement where the enemy does not move", "WB-95 8.2.11", true, func(s *scene, _ view.AirPhase) string {
		return fmt.Sprintf("DISRUPT %v 7", s.someFoe())
	}),
	sorties("against the movement of others than Soviets", "WB-95 8.2.11", false, func(s *scene, _ view.AirPhase) string {
		if s.nation("Soviet") {
			return fmt.Sprintf("DISRUPT %v 7", s.someFoe())
		}
		return ""
	}),
	sorties("against a crossing of no river", "WB-95 8.2.17", false, func(s *scene, _ view.AirPhase) string {
		h, ok := s.hexAt(func(h hex.Hex) bool {
			_, wet := s.beside(h, func(k hex.Hex) bool { return s.v.Board.River(hex.Between(h, k)) != "" })
			return !wet
		})
		if ok {
			return fmt.Sprintf("CROSSING %v 2", h)
		}
		return ""
	}),
	sorties("supplies of aircraft that fly none", "WB-95 8.2.23", true, func(s *scene, _ view.AirPhase) string {
		if u, ok := s.unit(anyUnit); ok && !s.nation("American", "British") {
			return fmt.Sprintf("SUPPLY %v 7", u.Hex)
		}
		return ""
	}),
	sorties("supplies with too little", "WB-95 8.2.24", true, func(s *scene, _ view.AirPhase) string {
		if u, ok := s.unit(anyUnit); ok {
			return fmt.Sprintf("SUPPLY %v %d", u.Hex, 1+s.r.IntN(6))
		}
		return ""
	}),
}

// sorties makes a mutant of a mission in an own or a foreign Air Phase.
func sorties(kind string, clause rule.Clause, own bool, mission func(s *scene, p view.AirPhase) string) Mutation {
	return mutant("AIR", kind, clause, func(s *scene) (string, []string) {
		if s.v.Air == nil || len(s.v.Enemy) == 0 {
			return no()
		}
		for _, p := range s.v.Air.Phases {
			// The own Air Phase is the one whose half turn the View is of.
			if mine := s.v.Mover == s.v.Side && p.Turn == s.v.Turn && p.Phase == s.v.Air.Phases[0].Phase; mine == own {
				if m := mission(s, p); m != "" {
					return text("%d|%s", p.Phase, m)
				}
			}
		}
		return no()
	})
}

func (s *scene) someFoe() hex.Hex {
	f, _ := one(s, s.v.Enemy, func(view.Stack) bool { return true })
	return f.Hex
}
