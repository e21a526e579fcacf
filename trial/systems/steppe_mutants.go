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

// steppeCase makes one mutant: its section and its text, "" where the View offers no case.
type steppeCase func(s *scene) (section, text string)

func steppeMutant(kind string, clause rule.Clause, make steppeCase) Mutation {
	return Mutation{Kind: kind, Clause: clause, Make: func(_ adjudicator.Game, v *view.View, r *rand.Rand) (Order, []Order, bool) {
		section, text := make(&scene{v: v, r: r, g: &v.Board.Grid})
		return Order{section, text, "mutant"}, nil, section != "" && text != ""
	}}
}

func isHQ(u view.Unit) bool     { return u.Type == "HQ" }
func fighting(u view.Unit) bool { return u.Type != "HQ" }
func mechanized(u view.Unit) bool {
	return slices.Contains([]string{"ARM", "MECH", "MOT", "CAV"}, u.Type)
}

// headquarters is one of the own on the map, and the section of an own headquarters on the map of a formation.
func (s *scene) headquarters(fits func(view.Unit) bool) (hq view.Unit, section string) {
	hq, ok := s.unit(func(u view.Unit) bool { return isHQ(u) && fits(u) })
	if !ok {
		return hq, ""
	}
	return hq, "CHIT " + hq.Name
}

// led is a headquarters and a unit that it may activate.
func (s *scene) led(fits func(view.Unit) bool) (hq, u view.Unit, section string) {
	u, ok := s.unit(func(u view.Unit) bool { return fighting(u) && u.Formation != "Hungarian" && fits(u) })
	if !ok {
		return hq, u, ""
	}
	hq, section = s.headquarters(func(h view.Unit) bool { return h.Formation == u.Formation })
	return hq, u, section
}

// enemyHex is a hex with an enemy combat unit.
func (s *scene) enemyHex(fits func(hex.Hex) bool) (hex.Hex, bool) {
	st, ok := one(s, s.v.Enemy, func(st view.Stack) bool { return fits(st.Hex) })
	return st.Hex, ok
}

func anyHex(hex.Hex) bool { return true }

func (s *scene) ground(h hex.Hex) string {
	if k := s.v.Board.Kinds(h); len(k) > 0 {
		return k[0]
	}
	return ""
}

// steppeMutants lists the mutations chapter by chapter; each kind breaks one clause.
var steppeMutants = slices.Concat(steppeChitMutants, steppeMoveMutants, steppeAttackMutants)

var steppeChitMutants = []Mutation{
	steppeMutant("an unknown unit", "", func(s *scene) (string, string) {
		_, sec := s.headquarters(anyUnit)
		return sec, "MOVE QQQXXX TO 2020"
	}),
	steppeMutant("a unit of the enemy", "", func(s *scene) (string, string) {
		_, sec := s.headquarters(anyUnit)
		st, ok := one(s, s.v.Enemy, func(st view.Stack) bool { return len(st.Units) > 0 && !s.sharesName(st.Units[0].Name) })
		if !ok {
			return "", ""
		}
		return sec, fmt.Sprintf("MOVE %s TO 2020", st.Units[0].Name)
	}),
	steppeMutant("a lost unit", "Steppe 2.3", func(s *scene) (string, string) {
		_, sec := s.headquarters(anyUnit)
		u, ok := one(s, s.v.Lost, fighting)
		if !ok {
			return "", ""
		}
		return sec, fmt.Sprintf("MOVE %s TO 2020", u.Name)
	}),
	steppeMutant("another headquarters", "Steppe 6.0", func(s *scene) (string, string) {
		hq, sec := s.headquarters(anyUnit)
		u, ok := s.unit(func(u view.Unit) bool { return isHQ(u) && u.Name != hq.Name })
		if !ok {
			return "", ""
		}
		return sec, fmt.Sprintf("MOVE %s TO %v", u.Name, s.anyBeside(u.Hex))
	}),
	steppeMutant("a unit of another colour", "Steppe 6.0", func(s *scene) (string, string) {
		hq, sec := s.headquarters(func(h view.Unit) bool { return h.Nation != "Soviet" })
		u, ok := s.unit(func(u view.Unit) bool {
			return fighting(u) && u.Formation != hq.Formation && u.Formation != "Hungarian"
		})
		if !ok {
			return "", ""
		}
		return sec, fmt.Sprintf("MOVE %s TO %v", u.Name, s.anyBeside(u.Hex))
	}),
	steppeMutant("a unit of the other front", "Steppe 6.2", func(s *scene) (string, string) {
		hq, sec := s.headquarters(func(h view.Unit) bool { return h.Nation == "Soviet" })
		u, ok := s.unit(func(u view.Unit) bool { return fighting(u) && u.Formation != hq.Formation })
		if !ok {
			return "", ""
		}
		return sec, fmt.Sprintf("MOVE %s TO %v", u.Name, s.anyBeside(u.Hex))
	}),
	steppeMutant("Hungarians under a headquarters", "Steppe 6.3", func(s *scene) (string, string) {
		_, sec := s.headquarters(anyUnit)
		u, ok := s.unit(func(u view.Unit) bool { return u.Formation == "Hungarian" })
		if !ok {
			return "", ""
		}
		return sec, fmt.Sprintf("MOVE %s TO %v", u.Name, s.anyBeside(u.Hex))
	}),
	steppeMutant("a chit of a combat unit", "Steppe 2.6", func(s *scene) (string, string) {
		u, ok := s.unit(fighting)
		if !ok {
			return "", ""
		}
		return "CHIT " + u.Name, fmt.Sprintf("MOVE %s TO %v", u.Name, s.anyBeside(u.Hex))
	}),
	steppeMutant("a Kampfgruppe of another type", "Steppe 14.0", func(s *scene) (string, string) {
		_, sec := s.headquarters(anyUnit)
		kg, ok := s.arrival(func(u view.Unit) bool { return strings.HasPrefix(u.Name, "KG ") && u.Type == "ARM" })
		div, ok2 := s.unit(func(u view.Unit) bool { return u.Type == "INF" && u.Size == "D" })
		if !ok || !ok2 {
			return "", ""
		}
		return sec, fmt.Sprintf("%s FROM %s", kg.Name, div.Name)
	}),
	steppeMutant("a Kampfgruppe off a regiment or an SS division", "Steppe 14.0", func(s *scene) (string, string) {
		_, sec := s.headquarters(anyUnit)
		kg, ok := s.arrival(func(u view.Unit) bool { return strings.HasPrefix(u.Name, "KG ") })
		u, ok2 := s.unit(func(u view.Unit) bool { return fighting(u) && (u.Size != "D" || u.Nation == "German SS") })
		if !ok || !ok2 {
			return "", ""
		}
		return sec, fmt.Sprintf("%s FROM %s", kg.Name, u.Name)
	}),
}

// sharesName: both sides have a unit of the name, or one that it could stand for.
func (s *scene) sharesName(name string) bool {
	squeeze := func(n string) string { return strings.ToUpper(strings.NewReplacer(" ", "", ".", "").Replace(n)) }
	for _, list := range [][]view.Unit{s.v.Units, s.v.Arrivals, s.v.Lost} {
		for _, u := range list {
			if strings.HasPrefix(squeeze(u.Name), squeeze(name)) || strings.HasPrefix(squeeze(name), squeeze(u.Name)) {
				return true
			}
		}
	}
	return false
}

var steppeMoveMutants = []Mutation{
	steppeMutant("off the map", "", func(s *scene) (string, string) {
		_, u, sec := s.led(anyUnit)
		return sec, fmt.Sprintf("MOVE %s TO %d", u.Name, 4300+s.r.IntN(50))
	}),
	steppeMutant("a way with a gap", "Steppe 9.0", func(s *scene) (string, string) {
		_, u, sec := s.led(anyUnit)
		to, ok := s.hexAt(func(h hex.Hex) bool { return s.g.Distance(h, u.Hex) > 1 })
		if !ok {
			return "", ""
		}
		return sec, fmt.Sprintf("MOVE %s %v-%v", u.Name, u.Hex, to)
	}),
	steppeMutant("nowhere", "", func(s *scene) (string, string) {
		_, u, sec := s.led(anyUnit)
		return sec, fmt.Sprintf("MOVE %s PUSH", u.Name)
	}),
	steppeMutant("a unit named twice", "", func(s *scene) (string, string) {
		_, u, sec := s.led(anyUnit)
		return sec, fmt.Sprintf("MOVE %s, %s TO %v", u.Name, u.Name, s.anyBeside(u.Hex))
	}),
	steppeMutant("entering from the map", "Steppe 4.0", func(s *scene) (string, string) {
		_, u, sec := s.led(anyUnit)
		return sec, fmt.Sprintf("ENTER %s 1007 TO 1107", u.Name)
	}),
	steppeMutant("entering before the time", "Steppe 3.2", func(s *scene) (string, string) {
		u, ok := s.arrival(func(u view.Unit) bool { return !u.Ready && len(u.Entry) > 0 && fighting(u) })
		_, sec := s.headquarters(func(h view.Unit) bool { return h.Formation == u.Formation })
		if !ok {
			return "", ""
		}
		return sec, fmt.Sprintf("ENTER %s TO 2020", u.Name)
	}),
	steppeMutant("entering by another zone", "Steppe 4.0", func(s *scene) (string, string) {
		u, ok := s.arrival(func(u view.Unit) bool { return u.Ready && len(u.Entry) == 1 && fighting(u) })
		_, sec := s.headquarters(func(h view.Unit) bool { return h.Formation == u.Formation })
		z, ok2 := one(s, s.v.Board.Zones, func(z board.Zone) bool { return ok && z.ID != u.Entry[0] })
		if !ok || !ok2 {
			return "", ""
		}
		return sec, fmt.Sprintf("ENTER %s %v TO 2020", u.Name, z.Hexes[s.r.IntN(len(z.Hexes))])
	}),
	steppeMutant("by rail to a village", "Steppe 4.2", func(s *scene) (string, string) {
		u, ok := s.arrival(func(u view.Unit) bool { return u.Ready && len(u.Entry) == 1 && fighting(u) })
		_, sec := s.headquarters(func(h view.Unit) bool { return h.Formation == u.Formation })
		h, ok2 := s.hexAt(func(h hex.Hex) bool { return s.v.Board.Place(h) == nil })
		if !ok || !ok2 {
			return "", ""
		}
		return sec, fmt.Sprintf("RAIL %s TO %v", u.Name, h)
	}),
	steppeMutant("by rail from the map", "Steppe 4.2", func(s *scene) (string, string) {
		_, u, sec := s.led(anyUnit)
		return sec, fmt.Sprintf("RAIL %s TO 1115", u.Name)
	}),
	steppeMutant("a bridge where none is", "Steppe 12.0", func(s *scene) (string, string) {
		_, u, sec := s.led(anyUnit)
		h := s.anyBeside(u.Hex)
		if s.v.Board.Bridge(hex.Between(u.Hex, h)) {
			return "", ""
		}
		return sec, fmt.Sprintf("BLOW %v BY %s", hex.Between(u.Hex, h), u.Name)
	}),
	steppeMutant("a bridge that is down", "Steppe 12.0", func(s *scene) (string, string) {
		_, u, sec := s.led(anyUnit)
		b, ok := one(s, s.v.Bridges, func(b view.Bridge) bool { return !b.Stands })
		if !ok {
			return "", ""
		}
		return sec, fmt.Sprintf("BLOW %v BY %s", b.Edge, u.Name)
	}),
	steppeMutant("reinforcements with an individual hex", "Steppe 6.1", func(s *scene) (string, string) {
		at, ok := s.unit(fighting)
		u, ok2 := s.arrival(func(u view.Unit) bool { return u.Ready && len(u.Entry) == 1 })
		if !ok || !ok2 {
			return "", ""
		}
		return fmt.Sprintf("SOLO HEX %v", at.Hex), fmt.Sprintf("ENTER %s TO 2020", u.Name)
	}),
}

var steppeAttackMutants = []Mutation{
	steppeMutant("an attack of nobody", "Steppe 10.1", func(s *scene) (string, string) {
		_, sec := s.headquarters(anyUnit)
		h, ok := s.enemyHex(anyHex)
		if !ok {
			return "", ""
		}
		return sec, fmt.Sprintf("ATTACK %v; MIN 1:1", h)
	}),
	steppeMutant("a headquarters that attacks", "Steppe 2.4", func(s *scene) (string, string) {
		hq, sec := s.headquarters(anyUnit)
		h, ok := s.enemyHex(anyHex)
		if !ok {
			return "", ""
		}
		return sec, fmt.Sprintf("ATTACK %v WITH %s", h, hq.Name)
	}),
	steppeMutant("two colours in an individual attack", "Steppe 10.1", func(s *scene) (string, string) {
		a, ok := s.unit(fighting)
		b, ok2 := s.unit(func(u view.Unit) bool { return fighting(u) && u.Formation != a.Formation })
		h, ok3 := s.enemyHex(anyHex)
		if !ok || !ok2 || !ok3 {
			return "", ""
		}
		return fmt.Sprintf("SOLO HEX %v", a.Hex), fmt.Sprintf("ATTACK %v WITH %s, %s", h, a.Name, b.Name)
	}),
	steppeMutant("odds that no column has", "Steppe 10.1", func(s *scene) (string, string) {
		_, u, sec := s.led(anyUnit)
		h, ok := s.enemyHex(anyHex)
		if !ok {
			return "", ""
		}
		return sec, fmt.Sprintf("ATTACK %v WITH %s; MIN %d:1", h, u.Name, 5+s.r.IntN(5))
	}),
	steppeMutant("infantry that overruns", "Steppe 9.3", func(s *scene) (string, string) {
		_, u, sec := s.led(func(u view.Unit) bool { return !mechanized(u) })
		h, ok := s.enemyHex(anyHex)
		if !ok {
			return "", ""
		}
		return sec, fmt.Sprintf("ATTACK %v WITH %s OVERRUN", h, u.Name)
	}),
	steppeMutant("an overrun into town, city, marsh or heavy woods", "Steppe 9.3", func(s *scene) (string, string) {
		_, u, sec := s.led(mechanized)
		closed := []string{"town", "city", "heavy-woods"}
		if s.v.Fact("ground") != "frozen" { // frozen marsh is clear terrain
			closed = append(closed, "marsh")
		}
		h, ok := s.hexAt(func(h hex.Hex) bool { return slices.Contains(closed, s.ground(h)) })
		if !ok {
			return "", ""
		}
		return sec, fmt.Sprintf("ATTACK %v WITH %s OVERRUN", h, u.Name)
	}),
	steppeMutant("an overrun in mud", "Steppe 3.1", func(s *scene) (string, string) {
		_, u, sec := s.led(mechanized)
		h, ok := s.enemyHex(func(h hex.Hex) bool { return s.ground(h) == "clear" })
		if !ok || s.v.Fact("ground") != "mud" {
			return "", ""
		}
		return sec, fmt.Sprintf("ATTACK %v WITH %s OVERRUN", h, u.Name)
	}),
	steppeMutant("an overrun movement of infantry", "Steppe 9.3", func(s *scene) (string, string) {
		_, u, sec := s.led(func(u view.Unit) bool { return !mechanized(u) })
		return sec, fmt.Sprintf("OVERRUN-MOVE %s TO %v", u.Name, s.anyBeside(u.Hex))
	}),
	steppeMutant("an advance of a bystander", "Steppe 10.4", func(s *scene) (string, string) {
		hq, a, sec := s.led(anyUnit)
		b, ok := s.unit(func(u view.Unit) bool { return fighting(u) && u.Formation == hq.Formation && u.Name != a.Name })
		h, ok2 := s.enemyHex(anyHex)
		if !ok || !ok2 {
			return "", ""
		}
		return sec, fmt.Sprintf("ATTACK %v WITH %s; ADVANCE %s", h, a.Name, b.Name)
	}),
	steppeMutant("more artillery than there is", "Steppe 2.4", func(s *scene) (string, string) {
		hq, u, sec := s.led(anyUnit)
		h, ok := s.enemyHex(anyHex)
		if !ok {
			return "", ""
		}
		return sec, fmt.Sprintf("ATTACK %v WITH %s; ARTILLERY %d", h, u.Name, hq.Support+1+s.r.IntN(4))
	}),
	steppeMutant("artillery of an individual hex", "Steppe 2.4", func(s *scene) (string, string) {
		u, ok := s.unit(fighting)
		h, ok2 := s.enemyHex(anyHex)
		if !ok || !ok2 {
			return "", ""
		}
		return fmt.Sprintf("SOLO HEX %v", u.Hex), fmt.Sprintf("ATTACK %v WITH %s; ARTILLERY 1", h, u.Name)
	}),
	steppeMutant("Soviet aircraft choice of the Germans", "Steppe 3.1", func(s *scene) (string, string) {
		if s.v.Side != "GERMAN" {
			return "", ""
		}
		return "STANDING", "AIR RAIN SW"
	}),
	steppeMutant("a standing order of nothing", "", func(s *scene) (string, string) { return "STANDING", "DANCE ALL NIGHT" }),
	steppeMutant("stalwart nowhere", "Steppe 10.5", func(s *scene) (string, string) { return "STANDING", "STALWART SOMETIMES" }),
	steppeMutant("a retreat into no terrain", "Steppe 10.3", func(s *scene) (string, string) { return "STANDING", "RETREAT NOT INTO JUNGLE" }),
	steppeMutant("a chance above a hundred", "Steppe 11.0", func(s *scene) (string, string) { return "STANDING", "AIR ATTACK WANT 170%" }),
}
