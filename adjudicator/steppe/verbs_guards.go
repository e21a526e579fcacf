package steppe

import (
	"fmt"
	"slices"
	"strconv"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
)

// guard is a condition of a programme. It reads only what both sides can see.
type guard struct {
	not  bool
	kind string // holds, empty, strength, supply, reduced, weather, ground, chits, second, backhand
	hex  hex.Hex
	side Side
	unit *Unit
	word string
	own  bool
	left bool
	n    int
}

// readGuards reads conditions joined by AND, up to THEN or the end.
func (s *State) readGuards(side Side, r *phrase.Reader) ([]guard, *rule.Violation) {
	var out []guard
	for {
		g, v := s.readGuard(side, r)
		if v != nil {
			return nil, v
		}
		out = append(out, g)
		if r.Skip("AND") {
			continue
		}
		r.Skip("THEN")
		return out, nil
	}
}

// negated turns a list of conditions round: not all of them hold. Only one condition
// can be turned round by itself; of several each is.
func negated(g []guard, not bool) []guard {
	for i := range g {
		g[i].not = g[i].not != not
	}
	return g
}

const guardHelp = "Conditions are: SOVIET HOLDS 2512, 2512 EMPTY, ENEMY AT 2512 UNDER 9, LAH IN SUPPLY, LAH OUT OF SUPPLY, LAH REDUCED, WEATHER SNOW, GROUND MUD, 2 OWN CHITS PLAYED, 1 ENEMY CHITS LEFT, SECOND CHIT, BACKHAND."

func (s *State) readGuard(side Side, r *phrase.Reader) (g guard, v *rule.Violation) {
	g.not = r.Skip("NOT")
	w := r.Peek()
	n, numeric := 0, false
	if len(w) > 0 && len(w) <= 2 {
		var err error
		n, err = strconv.Atoi(w)
		numeric = err == nil
	}
	switch {
	case numeric:
		r.Next()
		g.kind, g.n, g.own = "chits", n, r.Peek() == "OWN"
		if !r.Skip("OWN", "ENEMY") || !r.Skip("CHITS", "CHIT") {
			return g, &rule.Violation{Why: "a number in a condition counts OWN CHITS or ENEMY CHITS", Instead: guardHelp}
		}
		g.left = r.Peek() == "LEFT"
		if !r.Skip("PLAYED", "LEFT") {
			return g, &rule.Violation{Why: "chits are PLAYED or LEFT", Instead: guardHelp}
		}
	case w == "WEATHER" || w == "GROUND":
		r.Next()
		g.kind = map[string]string{"WEATHER": "weather", "GROUND": "ground"}[w]
		g.word = lower(r.Next())
		if !slices.Contains([]string{"clear", rain, snow, normal, mud, frozen}, g.word) {
			return g, &rule.Violation{Why: fmt.Sprintf("%q is no %s", g.word, g.kind), Instead: guardHelp}
		}
	case w == "SECOND":
		r.Next()
		r.Skip("CHIT")
		g.kind = "second"
	case w == "BACKHAND":
		r.Next()
		g.kind = "backhand"
	case (w == "SOVIET" || w == "GERMAN" || w == "ENEMY" || w == "WE") && len(r.Words) > 2 && (r.Words[1].Text == "HOLDS" || r.Words[1].Text == "HOLD"):
		r.Next()
		r.Next()
		g.kind, g.side = "holds", Side(w)
		switch w {
		case "ENEMY":
			g.side = other(side)
		case "WE":
			g.side = side
		}
		g.hex, v = s.place(r)
	case w == "ENEMY":
		r.Next()
		g.kind, g.side = "strength", other(side)
		r.Skip("AT")
		if g.hex, v = s.place(r); v != nil {
			return g, v
		}
		g.n = 1 << 20
		if r.Skip("UNDER", "BELOW") {
			if g.n, v = number(r); v != nil {
				return g, v
			}
		}
	case isHex(w):
		if g.hex, v = s.place(r); v == nil && !r.Skip("EMPTY") {
			v = &rule.Violation{Why: "a hex in a condition is EMPTY", Instead: guardHelp}
		}
		g.kind = "empty"
	default:
		return s.unitGuard(g, side, r)
	}
	return g, v
}

func number(r *phrase.Reader) (int, *rule.Violation) {
	w := r.Next()
	n, err := strconv.Atoi(w)
	if err != nil || n < 0 {
		return 0, &rule.Violation{Why: fmt.Sprintf("%q stands where a number was expected", w)}
	}
	return n, nil
}

// unitGuard reads LAH IN SUPPLY, LAH OUT OF SUPPLY and LAH REDUCED.
func (s *State) unitGuard(g guard, side Side, r *phrase.Reader) (guard, *rule.Violation) {
	list := r.Take("IN", "OUT", "REDUCED")
	if len(list) == 0 || r.End() {
		return g, &rule.Violation{Why: "the condition is not understood", Instead: guardHelp}
	}
	u, v := s.named(side, phrase.Join(list))
	if v != nil {
		v.Instead = guardHelp
		return g, v
	}
	g.unit, g.kind = u, "supply"
	switch r.Next() {
	case "REDUCED":
		g.kind = "reduced"
	case "OUT":
		g.not = !g.not
		r.Skip("OF")
		fallthrough
	case "IN":
		if !r.Skip("SUPPLY") {
			return g, &rule.Violation{Why: "a unit is IN SUPPLY, OUT OF SUPPLY or REDUCED", Instead: guardHelp}
		}
	}
	return g, nil
}

// holds tells whether the conditions of a programme are met. count is how often the
// chit has been drawn in this turn, this time included.
func (s *State) holds(guards []guard, side Side, count int) bool {
	s = s.believed(side)
	for _, g := range guards {
		if s.true(g, side, count) == g.not {
			return false
		}
	}
	return true
}

func (s *State) true(g guard, side Side, count int) bool {
	switch g.kind {
	case "holds":
		if h := s.holder(g.hex); h != "" {
			return h == g.side
		}
		return s.controller(g.hex) == g.side
	case "empty":
		return s.holder(g.hex) == ""
	case "strength":
		return s.holder(g.hex) == g.side && s.defenceAt(g.hex) < g.n
	case "supply":
		return g.unit.Where == OnMap && g.unit.Cut == 0
	case "reduced":
		return g.unit.Where != OnMap || g.unit.Steps < g.unit.c.Steps()
	case "weather":
		return s.Weather == g.word
	case "ground":
		return s.Ground == g.word
	case "second":
		return count > 1
	case "backhand":
		return s.Backhand == s.Turn
	case "chits":
		who, n := side, 0
		if !g.own {
			who = other(side)
		}
		if g.left {
			for _, p := range s.Cup {
				if poolSide(p.Name) == who {
					n += p.Left
				}
			}
		} else {
			for _, c := range s.Played {
				if c.Side == who {
					n++
				}
			}
		}
		return n >= g.n
	}
	return false
}

// choose is the programme that runs: the first guarded one whose conditions hold,
// else the first without any; nil is HOLD.
func (s *State) choose(all []*programme, side Side, count int) *programme {
	for _, p := range all {
		if len(p.guards) > 0 && s.holds(p.guards, side, count) {
			return p
		}
	}
	for _, p := range all {
		if len(p.guards) == 0 && !p.hold {
			return p
		}
	}
	return nil
}
