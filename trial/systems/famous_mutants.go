package systems

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
	"fieldpost/adjudicator/view"
)

// famousCase makes the section and text of one mutant, "" where the View offers no case.
type famousCase func(s *scene) (section, text string)

// famousMutant makes a Mutation of a case.
func famousMutant(kind string, clause rule.Clause, make famousCase) Mutation {
	return Mutation{Kind: kind, Clause: clause, Make: func(_ adjudicator.Game, v *view.View, r *rand.Rand) (Order, []Order, bool) {
		section, text := make(&scene{v: v, r: r, g: &v.Board.Grid})
		return Order{section, text, "mutant"}, nil, text != ""
	}}
}

// chit is the section of a unit's battalion, "" if its chit is not in the cup.
func (s *scene) chit(u view.Unit) string {
	if !slices.Contains(chitsOf(s.v), u.Formation) {
		return ""
	}
	return "CHIT " + strings.ToUpper(u.Formation)
}

// own is a random unit on the map whose chit is in the cup, under its headquarters.
func (s *scene) own(fits func(view.Unit) bool) (view.Unit, bool) {
	return s.unit(func(u view.Unit) bool {
		return u.Hex != hex.None && s.chit(u) != "" && u.Formation != "Div" && fits(u)
	})
}

func (s *scene) marked(u view.Unit, m string) bool { return slices.Contains(u.Marks, m) }

func (s *scene) enemyAt(h hex.Hex) bool {
	return slices.ContainsFunc(s.v.Enemy, func(st view.Stack) bool { return st.Hex == h })
}

// with writes an order for a unit that fits.
func with(fits func(s *scene, u view.Unit) bool, write func(s *scene, u view.Unit) string) famousCase {
	return func(s *scene) (string, string) {
		u, ok := s.own(func(u view.Unit) bool { return fits(s, u) })
		if !ok {
			return "", ""
		}
		return s.chit(u), write(s, u)
	}
}

func anyone(*scene, view.Unit) bool         { return true }
func fighter(_ *scene, u view.Unit) bool    { return u.Type != "HQ" }
func artillery(_ *scene, u view.Unit) bool  { return u.Type == "ART" }
func noEngineer(_ *scene, u view.Unit) bool { return u.Type != "ENG" }
func tracked(_ *scene, u view.Unit) bool    { return u.Class == "tracked" }
func onLegs(s *scene, u view.Unit) bool     { return u.Class == "leg" && !s.marked(u, "debarked") }
func noGun(_ *scene, u view.Unit) bool      { return u.Type != "ART" }
func upright(s *scene, u view.Unit) bool    { return !s.marked(u, "debarked") }
func ridesNot(_ *scene, u view.Unit) bool   { return u.Aboard == "" }
func (s *scene) open(h hex.Hex) bool        { return s.on(h) && !s.enemyAt(h) }

// far is a hex at least so far from another one.
func (s *scene) farFrom(h hex.Hex, d int) (hex.Hex, bool) {
	return s.hexAt(func(k hex.Hex) bool { return s.g.Distance(h, k) >= d })
}

// famousMutants lists the mutations; each breaks one duty.
var famousMutants = []Mutation{
	famousMutant("move beyond any allowance", "GD 9.0", with(anyone, func(s *scene, u view.Unit) string {
		// A highway costs half a point, and one hex is always possible.
		if h, ok := s.farFrom(u.Hex, 2*u.Moves+2); ok {
			return fmt.Sprintf("MOVE %s TO %v", u.Name, h)
		}
		return ""
	})),
	famousMutant("move into an enemy hex", "GD 7.0", with(anyone, func(s *scene, u view.Unit) string {
		if st, ok := one(s, s.v.Enemy, func(view.Stack) bool { return true }); ok {
			return fmt.Sprintf("MOVE %s TO %v", u.Name, st.Hex)
		}
		return ""
	})),
	famousMutant("a path with a gap", "GD 9.0", with(anyone, func(s *scene, u view.Unit) string {
		if h, ok := s.farFrom(u.Hex, 3); ok {
			return fmt.Sprintf("MOVE %s %v-%v", u.Name, u.Hex, h)
		}
		return ""
	})),
	famousMutant("off the map", "GD 2.1", with(anyone, func(s *scene, u view.Unit) string {
		return fmt.Sprintf("MOVE %s TO %02d%02d", u.Name, 50+s.r.IntN(40), 60+s.r.IntN(30))
	})),
	famousMutant("a unit of another battalion", "GD 6.0", func(s *scene) (string, string) {
		u, ok := s.own(func(u view.Unit) bool { return fighter(s, u) })
		o, other := s.unit(func(o view.Unit) bool { return o.Hex != hex.None && o.Formation != u.Formation })
		n, free := s.beside(o.Hex, s.open)
		if !ok || !other || !free {
			return "", ""
		}
		return s.chit(u), fmt.Sprintf("MOVE %s TO %v", o.Name, n)
	}),
	famousMutant("a unit that nobody has", "GD 2.3", with(anyone, func(s *scene, u view.Unit) string {
		return fmt.Sprintf("MOVE 99K/XX TO %v", u.Hex)
	})),
	famousMutant("a lost unit", "GD 2.3", func(s *scene) (string, string) {
		u, ok := one(s, s.v.Lost, func(u view.Unit) bool { return s.chit(u) != "" })
		h, at := s.hexAt(s.on)
		if !ok || !at {
			return "", ""
		}
		return s.chit(u), fmt.Sprintf("MOVE %s TO %v", u.Name, h)
	}),
	famousMutant("a chit of no battalion", "GD 2.5", func(s *scene) (string, string) {
		return "CHIT 17XY", "PASS"
	}),
	famousMutant("no verb", "GD 6.0", with(anyone, func(s *scene, u view.Unit) string { return fmt.Sprintf("MARCH %s TO %v", u.Name, u.Hex) })),
	famousMutant("no goal", "GD 9.0", with(anyone, func(s *scene, u view.Unit) string { return "MOVE " + u.Name })),
	famousMutant("a stack that does not begin together", "GD 9.3", func(s *scene) (string, string) {
		u, ok := s.own(func(u view.Unit) bool { return fighter(s, u) })
		o, other := s.unit(func(o view.Unit) bool {
			return o.Hex != hex.None && o.Formation == u.Formation && o.Hex != u.Hex && o.Aboard == ""
		})
		n, free := s.beside(u.Hex, s.open)
		if !ok || !other || !free {
			return "", ""
		}
		return s.chit(u), fmt.Sprintf("MOVE %s, %s TO %v", u.Name, o.Name, n)
	}),
	famousMutant("a unit named twice", "GD 9.3", with(anyone, func(s *scene, u view.Unit) string {
		return fmt.Sprintf("MOVE %s, %s TO %v", u.Name, u.Name, u.Hex)
	})),
	famousMutant("wheels or tracks into a major river", "GD 9.1", with(anyone, func(s *scene, u view.Unit) string {
		h, ok := s.beside(u.Hex, func(h hex.Hex) bool {
			return s.v.Board.Is(h, "major river") && !slices.ContainsFunc(s.v.Bridges, func(b view.Bridge) bool { return b.Edge == hex.Between(u.Hex, h) }) && len(s.v.Pontoons) == 0
		})
		if !ok {
			return ""
		}
		return fmt.Sprintf("MOVE %s %v-%v", u.Name, u.Hex, h)
	})),
	famousMutant("vehicles through a river", "GD 9.1", with(func(s *scene, u view.Unit) bool { return u.Class != "leg" }, func(s *scene, u view.Unit) string {
		h, ok := s.beside(u.Hex, func(h hex.Hex) bool {
			return s.v.Board.River(hex.Between(u.Hex, h)) == "river" && !s.v.Board.Bridge(hex.Between(u.Hex, h)) && len(s.v.Pontoons) == 0
		})
		if !ok {
			return ""
		}
		return fmt.Sprintf("MOVE %s %v-%v", u.Name, u.Hex, h)
	})),
	famousMutant("wheels into forest", "GD 9.0", with(func(s *scene, u view.Unit) bool { return u.Class != "leg" }, func(s *scene, u view.Unit) string {
		h, ok := s.beside(u.Hex, func(h hex.Hex) bool { return s.v.Board.Is(h, "forest") && s.v.Board.Road(hex.Between(u.Hex, h)) == "" })
		if !ok {
			return ""
		}
		return fmt.Sprintf("MOVE %s %v-%v", u.Name, u.Hex, h)
	})),
	famousMutant("by road where there is none", "GD 9.2", with(anyone, func(s *scene, u view.Unit) string {
		h, ok := s.beside(u.Hex, func(h hex.Hex) bool {
			return s.open(h) && !slices.ContainsFunc(s.v.Board.Roads, func(r board.Road) bool { return slices.Contains(r.Path, h) })
		})
		if !ok {
			return ""
		}
		return fmt.Sprintf("MOVE %s TO %v BY ROAD", u.Name, h)
	})),
	famousMutant("attack from afar", "GD 10.0", with(fighter, func(s *scene, u view.Unit) string {
		if st, ok := one(s, s.v.Enemy, func(st view.Stack) bool { return s.g.Distance(st.Hex, u.Hex) > 1 }); ok {
			return fmt.Sprintf("ATTACK %v WITH %s", st.Hex, u.Name)
		}
		return ""
	})),
	famousMutant("attack on nobody", "GD 10.1", with(fighter, func(s *scene, u view.Unit) string {
		if h, ok := s.beside(u.Hex, s.open); ok {
			return fmt.Sprintf("ATTACK %v WITH %s", h, u.Name)
		}
		return ""
	})),
	famousMutant("a headquarters attacks", "GD 2.4", with(func(_ *scene, u view.Unit) bool { return u.Type == "HQ" }, func(s *scene, u view.Unit) string {
		if st, ok := one(s, s.v.Enemy, func(view.Stack) bool { return true }); ok {
			return fmt.Sprintf("ATTACK %v WITH %s", st.Hex, u.Name)
		}
		return ""
	})),
	famousMutant("attack with nobody", "GD 10.0", with(anyone, func(s *scene, u view.Unit) string {
		if st, ok := one(s, s.v.Enemy, func(view.Stack) bool { return true }); ok {
			return fmt.Sprintf("ATTACK %v", st.Hex)
		}
		return ""
	})),
	famousMutant("a column that is none", "GD 10.1", with(fighter, func(s *scene, u view.Unit) string {
		return fmt.Sprintf("ATTACK AT-WILL MIN %d-%d", 6+s.r.IntN(9), 1+s.r.IntN(2))
	})),
	famousMutant("support by no gun", "GD 10.2", func(s *scene) (string, string) {
		u, ok := s.own(func(u view.Unit) bool {
			return fighter(s, u) && slices.ContainsFunc(s.g.Neighbours(u.Hex), s.enemyAt)
		})
		o, gun := s.unit(func(o view.Unit) bool { return o.Type != "ART" && o.Hex != hex.None && o.ID != u.ID })
		if !ok || !gun {
			return "", ""
		}
		h, _ := s.beside(u.Hex, s.enemyAt)
		return s.chit(u), fmt.Sprintf("ATTACK %v WITH %s; ARTILLERY %s", h, u.Name, o.Name)
	}),
	famousMutant("overrun on foot", "GD 9.4", with(func(s *scene, u view.Unit) bool { return fighter(s, u) && u.Class == "leg" }, func(s *scene, u view.Unit) string {
		if h, ok := s.beside(u.Hex, s.enemyAt); ok {
			return fmt.Sprintf("OVERRUN %v WITH %s", h, u.Name)
		}
		return ""
	})),
	famousMutant("overrun with artillery", "GD 9.4", with(tracked, func(s *scene, u view.Unit) string {
		if h, ok := s.beside(u.Hex, s.enemyAt); ok {
			return fmt.Sprintf("OVERRUN %v WITH %s; ARTILLERY ANY", h, u.Name)
		}
		return ""
	})),
	famousMutant("movement after a plain attack", "GD 9.4", with(fighter, func(s *scene, u view.Unit) string {
		if h, ok := s.beside(u.Hex, s.enemyAt); ok {
			return fmt.Sprintf("ATTACK %v WITH %s; THEN TO %v", h, u.Name, u.Hex)
		}
		return ""
	})),
	famousMutant("direct fire beyond five hexes", "GD 11.3", with(fighter, func(s *scene, u view.Unit) string {
		if st, ok := one(s, s.v.Enemy, func(st view.Stack) bool { return s.g.Distance(st.Hex, u.Hex) > 5 }); ok {
			return fmt.Sprintf("FIRE %s AT %v", u.Name, st.Hex)
		}
		return ""
	})),
	famousMutant("direct fire at nobody", "GD 11.3", with(fighter, func(s *scene, u view.Unit) string {
		if h, ok := s.beside(u.Hex, s.open); ok {
			return fmt.Sprintf("FIRE %s AT %v", u.Name, h)
		}
		return ""
	})),
	famousMutant("direct fire of a headquarters", "GD 11.3", with(func(_ *scene, u view.Unit) bool { return u.Type == "HQ" || u.Type == "ART" }, func(s *scene, u view.Unit) string {
		if st, ok := one(s, s.v.Enemy, func(view.Stack) bool { return true }); ok {
			return fmt.Sprintf("FIRE %s AT %v", u.Name, st.Hex)
		}
		return ""
	})),
	famousMutant("direct fire at night, in fog or storm", "GD 11.3", func(s *scene) (string, string) {
		w := s.v.Fact("weather")
		u, ok := s.own(func(u view.Unit) bool { return fighter(s, u) })
		st, foe := one(s, s.v.Enemy, func(view.Stack) bool { return true })
		if !ok || !foe || s.v.Fact("time") != "Night" && w != "Foggy" && w != "Stormy" {
			return "", ""
		}
		return s.chit(u), fmt.Sprintf("FIRE %s AT %v", u.Name, st.Hex)
	}),
	famousMutant("barrage by no gun", "GD 11.2", with(func(s *scene, u view.Unit) bool { return noGun(s, u) }, func(s *scene, u view.Unit) string {
		if st, ok := one(s, s.v.Enemy, func(view.Stack) bool { return true }); ok {
			return fmt.Sprintf("BARRAGE %v WITH %s", st.Hex, u.Name)
		}
		return ""
	})),
	famousMutant("barrage out of range", "GD 11.2", with(artillery, func(s *scene, u view.Unit) string {
		if st, ok := one(s, s.v.Enemy, func(st view.Stack) bool { return s.g.Distance(st.Hex, u.Hex) > 15 }); ok {
			return fmt.Sprintf("BARRAGE %v WITH %s", st.Hex, u.Name)
		}
		return ""
	})),
	famousMutant("barrage on nobody", "GD 11.2", with(artillery, func(s *scene, u view.Unit) string {
		if h, ok := s.hexAt(s.open); ok {
			return fmt.Sprintf("BARRAGE %v WITH %s", h, u.Name)
		}
		return ""
	})),
	famousMutant("barrage by a gun that has fired", "GD 11.2", with(func(s *scene, u view.Unit) bool { return artillery(s, u) && s.marked(u, "fired") }, func(s *scene, u view.Unit) string {
		if st, ok := one(s, s.v.Enemy, func(view.Stack) bool { return true }); ok {
			return fmt.Sprintf("BARRAGE %v WITH %s", st.Hex, u.Name)
		}
		return ""
	})),
	famousMutant("riding on no tank", "GD 9.5", func(s *scene) (string, string) {
		u, ok := s.own(ridesNotOf(s))
		t, tank := s.unit(func(t view.Unit) bool { return t.Class != "tracked" && t.Hex == u.Hex && t.ID != u.ID })
		if !ok || !tank {
			return "", ""
		}
		return s.chit(u), fmt.Sprintf("MOUNT %s ON %s", u.Name, t.Name)
	}),
	famousMutant("riding from another hex", "GD 9.5", func(s *scene) (string, string) {
		u, ok := s.own(ridesNotOf(s))
		t, tank := s.unit(func(t view.Unit) bool { return t.Class == "tracked" && t.Hex != u.Hex && t.Hex != hex.None })
		if !ok || !tank {
			return "", ""
		}
		return s.chit(u), fmt.Sprintf("MOUNT %s ON %s", u.Name, t.Name)
	}),
	famousMutant("dismounting from nothing", "GD 9.5", with(ridesNot, func(s *scene, u view.Unit) string { return "DISMOUNT " + u.Name })),
	famousMutant("debarking tracks or legs", "GD 9.6", with(func(s *scene, u view.Unit) bool { return tracked(s, u) || onLegs(s, u) }, func(s *scene, u view.Unit) string { return "DEBARK " + u.Name })),
	famousMutant("debarking twice", "GD 9.6", with(func(s *scene, u view.Unit) bool { return s.marked(u, "debarked") }, func(s *scene, u view.Unit) string { return "DEBARK " + u.Name })),
	famousMutant("embarking who is not on foot", "GD 9.6", with(upright, func(s *scene, u view.Unit) string { return "EMBARK " + u.Name })),
	famousMutant("clearing without an engineer", "GD 16.1", with(noEngineer, func(s *scene, u view.Unit) string { return fmt.Sprintf("CLEAR %v WITH %s", u.Hex, u.Name) })),
	famousMutant("clearing nothing", "GD 16.1", with(anyone, func(s *scene, u view.Unit) string {
		h, ok := s.beside(u.Hex, func(h hex.Hex) bool {
			return s.on(h) && !slices.ContainsFunc(s.v.Forts, func(f view.Fort) bool { return f.Hex == h })
		})
		if !ok {
			return ""
		}
		return fmt.Sprintf("CLEAR %v WITH %s", h, u.Name)
	})),
	famousMutant("demolition without an engineer", "GD 12.0", with(noEngineer, func(s *scene, u view.Unit) string {
		if b, ok := one(s, s.v.Bridges, func(view.Bridge) bool { return true }); ok {
			return fmt.Sprintf("BLOW %v WITH %s", b.Edge, u.Name)
		}
		return ""
	})),
	famousMutant("demolition from afar", "GD 12.0", with(anyone, func(s *scene, u view.Unit) string {
		if b, ok := one(s, s.v.Bridges, func(b view.Bridge) bool { return b.Edge.A != u.Hex && b.Edge.B != u.Hex }); ok {
			return fmt.Sprintf("BLOW %v WITH %s", b.Edge, u.Name)
		}
		return ""
	})),
	famousMutant("a pontoon on dry land", "GD 12.1", with(anyone, func(s *scene, u view.Unit) string {
		if h, ok := s.beside(u.Hex, func(h hex.Hex) bool { return s.on(h) && s.v.Board.River(hex.Between(h, u.Hex)) == "" }); ok {
			return fmt.Sprintf("PONTOON %v WITH %s", hex.Between(u.Hex, h), u.Name)
		}
		return ""
	})),
	famousMutant("a pontoon in storm or snow", "GD 14.1", func(s *scene) (string, string) {
		w := s.v.Fact("weather")
		u, ok := s.own(func(u view.Unit) bool { return true })
		h, at := s.beside(u.Hex, func(h hex.Hex) bool { return s.on(h) && s.v.Board.River(hex.Between(h, u.Hex)) == "river" })
		if !ok || !at || w != "Stormy" && w != "Snowy" {
			return "", ""
		}
		return s.chit(u), fmt.Sprintf("PONTOON %v WITH %s", hex.Between(u.Hex, h), u.Name)
	}),
	famousMutant("a reinforcement that is not due", "GD 4.0", func(s *scene) (string, string) {
		u, ok := s.arrival(func(u view.Unit) bool { return !u.Ready && len(u.Entry) > 0 })
		if !ok {
			return "", ""
		}
		return "CHIT " + strings.ToUpper(u.Formation), fmt.Sprintf("ENTER %s AT %s", u.Name, u.Entry[0])
	}),
	famousMutant("a reinforcement by a wrong letter", "GD 4.0", func(s *scene) (string, string) {
		u, ok := s.arrival(func(u view.Unit) bool { return u.Ready })
		if !ok {
			return "", ""
		}
		for _, z := range s.v.Board.Zones {
			if !slices.Contains(u.Entry, z.ID) {
				return "CHIT " + strings.ToUpper(u.Formation), fmt.Sprintf("ENTER %s AT %s", u.Name, z.ID)
			}
		}
		return "", ""
	}),
	famousMutant("entering who is on the map", "GD 4.0", with(anyone, func(s *scene, u view.Unit) string {
		return fmt.Sprintf("ENTER %s AT %s", u.Name, s.v.Board.Zones[0].ID)
	})),
	famousMutant("first chits after turn 1", "GD 18.1", func(s *scene) (string, string) {
		c := chitsOf(s.v)
		if s.v.Turn == 1 || len(c) == 0 {
			return "", ""
		}
		return "SUPPLY", "FIRST " + c[0]
	}),
	famousMutant("set-up after turn 1", "GD 17.0", func(s *scene) (string, string) {
		u, ok := s.own(func(u view.Unit) bool { return fighter(s, u) })
		if !ok || s.v.Turn == 1 {
			return "", ""
		}
		return "SETUP", fmt.Sprintf("%s %v", u.Name, u.Hex)
	}),
	famousMutant("a fortification of the set-up that nobody has", "GD 18.4", func(s *scene) (string, string) {
		u, ok := s.own(func(u view.Unit) bool { return fighter(s, u) })
		if !ok || s.v.Turn > 1 {
			return "", ""
		}
		return "SETUP", fmt.Sprintf("DRAGON'S TEETH %v FACE 1", u.Hex)
	}),
	famousMutant("a standing order of no kind", "GD 11.4", func(s *scene) (string, string) { return "STANDING", "PANIC ALL" }),
	famousMutant("a black chit that does not exist", "GD 10.3", func(s *scene) (string, string) { return "STANDING", "BLACK CHIT APATHY ALWAYS" }),
	famousMutant("a column of no table", "GD 10.2", func(s *scene) (string, string) { return "STANDING", "DEFENSIVE ARTILLERY IF ODDS >= 9-1" }),
	famousMutant("fire without a number", "GD 11.4", func(s *scene) (string, string) { return "STANDING", "OPPORTUNITY ALL WITHIN TANKS" }),
	famousMutant("a supply stack of no battalion", "GD 5.1", func(s *scene) (string, string) { return "SUPPLY", "STACK XX9 2020" }),
}

func ridesNotOf(s *scene) func(view.Unit) bool {
	return func(u view.Unit) bool { return u.Aboard == "" && u.Type != "HQ" }
}
