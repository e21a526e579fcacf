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

// scene is a View to take the values of a mutant from. It asks no rule: what it
// says follows from the board and the lists of the View alone.
type scene struct {
	v *view.View
	r *rand.Rand
	g *hex.Grid
}

// wb95Case makes the text of one mutant, "" where the View offers no case. With
// are orders that must stand for the mutant to be illegal.
type wb95Case func(s *scene) (text string, with []string)

// wb95Mutants lists the mutations chapter by chapter; each kind breaks one clause.
var wb95Mutants = slices.Concat(wb95MoveMutants, wb95WorkMutants, wb95AttackMutants, wb95FireMutants, wb95AirMutants, wb95SetUpMutants)

// mutant makes a Mutation of a case in a section, for a turn of the game.
func mutant(section, kind string, clause rule.Clause, make wb95Case) Mutation {
	return mutation(section, kind, clause, func(v *view.View) bool { return v.Turn > 0 }, make)
}

// setUpMutant makes one for the set-up, which is turn 0.
func setUpMutant(section, kind string, clause rule.Clause, make wb95Case) Mutation {
	return mutation(section, kind, clause, func(v *view.View) bool { return v.Turn == 0 }, make)
}

func mutation(section, kind string, clause rule.Clause, when func(*view.View) bool, make wb95Case) Mutation {
	return Mutation{Kind: kind, Clause: clause, Make: func(_ adjudicator.Game, v *view.View, r *rand.Rand) (Order, []Order, bool) {
		if !when(v) {
			return Order{}, nil, false
		}
		s := &scene{v: v, r: r, g: &v.Board.Grid}
		text, before := make(s)
		if text == "" {
			return Order{}, nil, false
		}
		name := section
		if section == "AIR" {
			if v.Air == nil {
				name = "AIR"
			} else if at, rest, ok := strings.Cut(text, "|"); ok {
				name, text = "AIR "+at, rest
			}
		}
		var with []Order
		for _, w := range before {
			with = append(with, Order{name, w, "with"})
		}
		return Order{name, text, "mutant"}, with, true
	}}
}

// one picks a thing at random of those that fit.
func one[T any](s *scene, list []T, fits func(T) bool) (out T, ok bool) {
	for _, i := range s.r.Perm(len(list)) {
		if fits(list[i]) {
			return list[i], true
		}
	}
	return out, false
}

// unit picks an own unit on the map.
func (s *scene) unit(fits func(view.Unit) bool) (view.Unit, bool) { return one(s, s.v.Units, fits) }

func (s *scene) arrival(fits func(view.Unit) bool) (view.Unit, bool) {
	return one(s, s.v.Arrivals, func(u view.Unit) bool { return u.Steps > 0 && fits(u) })
}

// able: an ordinary unit that nothing holds back but what the mutant is about.
func able(u view.Unit) bool { return line(u) && u.Moves >= 2 && u.Note == "" }

// line: neither guns nor headquarters nor a resilience group.
func line(u view.Unit) bool {
	return u.Gun == "" && !slices.Contains([]string{"ART", "HQ", "RG", "AT", "AA"}, u.Type)
}

func anyUnit(view.Unit) bool { return true }

func gun(u view.Unit) bool { return u.Type == "ART" && u.Gun != "" }

func (s *scene) on(h hex.Hex) bool { return s.g.Contains(h) && s.v.Board.On(h) }

// hexes are all hexes of the map that fit.
func (s *scene) hexAt(fits func(hex.Hex) bool) (hex.Hex, bool) {
	for range 400 {
		if h := s.g.At(s.r.IntN(s.g.Len())); s.on(h) && fits(h) {
			return h, true
		}
	}
	return hex.None, false
}

// beside picks a neighbour on the map.
func (s *scene) beside(h hex.Hex, fits func(hex.Hex) bool) (hex.Hex, bool) {
	return one(s, s.g.Neighbours(h), func(k hex.Hex) bool { return s.on(k) && fits(k) })
}

func (s *scene) anyBeside(h hex.Hex) hex.Hex {
	k, _ := s.beside(h, func(hex.Hex) bool { return true })
	return k
}

func (s *scene) foe(h hex.Hex) *view.Stack {
	for i := range s.v.Enemy {
		if s.v.Enemy[i].Hex == h {
			return &s.v.Enemy[i]
		}
	}
	return nil
}

// solid: the enemies of a hex are in contact and known to be ordinary units.
func (s *scene) solid(h hex.Hex) bool {
	f := s.foe(h)
	return f != nil && f.Closer && slices.ContainsFunc(f.Units, func(g view.Sight) bool { return slices.Contains([]string{"INF", "ARM", "MOT", "MECH", "CAV"}, g.Type) })
}

// dry: clear ground on both sides and nothing between two neighbours, so that
// whoever stands on one has its zone of control on the other.
func (s *scene) dry(a, b hex.Hex) bool {
	return s.g.Adjacent(a, b) && s.v.Board.River(hex.Between(a, b)) == "" && s.clear(a) && s.clear(b)
}

func (s *scene) clear(h hex.Hex) bool { return slices.Equal(s.v.Board.Kinds(h), []string{"clear"}) }

func (s *scene) swamp(h hex.Hex) bool {
	return slices.ContainsFunc(s.v.Board.Kinds(h), func(k string) bool { return strings.HasPrefix(k, "swamp") })
}

func (s *scene) empty(h hex.Hex) bool {
	return s.foe(h) == nil && !slices.ContainsFunc(s.v.Units, func(u view.Unit) bool { return u.Hex == h })
}

// beyond: farther than a unit can go if every step cost the least there is.
func (s *scene) beyond(u view.Unit, h hex.Hex) bool { return s.g.Distance(u.Hex, h) > 4*u.Moves+3 }

func (s *scene) fort(h hex.Hex) bool {
	return slices.ContainsFunc(s.v.Forts, func(f view.Fort) bool { return f.Hex == h })
}

// quiet: no enemy within some hexes.
func (s *scene) quiet(h hex.Hex, n int) bool {
	return !slices.ContainsFunc(s.v.Enemy, func(f view.Stack) bool { return s.g.Distance(f.Hex, h) <= n })
}

// road tells whether any road touches the hex.
func (s *scene) road(h hex.Hex) bool {
	return slices.ContainsFunc(s.v.Board.Roads, func(r board.Road) bool { return slices.Contains(r.Path, h) })
}

// nation tells whether the side has units of a nation.
func (s *scene) nation(names ...string) bool {
	return slices.ContainsFunc(slices.Concat(s.v.Units, s.v.Arrivals, s.v.Lost), func(u view.Unit) bool { return slices.Contains(names, u.Nation) })
}

// free is an able unit in the rear, and two clear hexes beside it.
func (s *scene) free() (u view.Unit, a, b hex.Hex, ok bool) {
	open := func(h hex.Hex) bool { return s.dry(u.Hex, h) && s.empty(h) }
	u, ok = s.unit(func(x view.Unit) bool {
		u = x
		if !able(x) || x.OutOfSupply > 0 || x.Disorganized || !s.quiet(x.Hex, 3) {
			return false
		}
		n := 0
		for _, h := range s.g.Neighbours(x.Hex) {
			if s.on(h) && open(h) {
				n++
			}
		}
		return n >= 2
	})
	if !ok {
		return
	}
	a, _ = s.beside(u.Hex, open)
	b, _ = s.beside(u.Hex, func(h hex.Hex) bool { return h != a && open(h) })
	return u, a, b, true
}

// touching is an own unit with an enemy beside it.
func (s *scene) touching(fits func(view.Unit) bool) (u view.Unit, foe hex.Hex, ok bool) {
	u, ok = s.unit(func(x view.Unit) bool {
		_, near := s.beside(x.Hex, func(h hex.Hex) bool { return s.foe(h) != nil })
		return fits(x) && near
	})
	if ok {
		foe, _ = s.beside(u.Hex, func(h hex.Hex) bool { return s.foe(h) != nil })
	}
	return
}

// text is Sprintf, and what a case without orders beside it returns.
func text(format string, a ...any) (string, []string) { return fmt.Sprintf(format, a...), nil }

func no() (string, []string) { return "", nil }

// order makes a case of one unit that fits and a format with its name.
func order(fits func(view.Unit) bool, format string) wb95Case {
	return func(s *scene) (string, []string) {
		if u, ok := s.unit(fits); ok {
			return text(format, u.Name)
		}
		return no()
	}
}
