package steppe

import (
	"slices"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/rule"
)

// guard is a single condition of a programme. It reads only what both sides can see.
type guard struct {
	not  bool
	kind guardKind
	hex  hex.Hex
	side Side // who holds a hex, whose strength or chits are counted
	unit *Unit
	word string // of the weather or the ground
	n    int
}

// guardKind is what a condition is about.
type guardKind uint8

// The kinds.
const (
	guardHolds    guardKind = iota // a side holds a hex
	guardEmpty                     // nobody stands on a hex
	guardWeak                      // the enemy on a hex is weaker than n
	guardSupply                    // a unit is in supply
	guardReduced                   // a unit has lost steps
	guardWeather                   // as the word says
	guardGround                    // likewise
	guardPlayed                    // n chits of a side have been played
	guardLeft                      // n chits of a side are to come
	guardSecond                    // the chit is drawn again
	guardBackhand                  // it is the turn of the Backhand Blow
)

// readGuards reads conditions joined by AND, up to THEN or the end.
func (x *sheetReader) readGuards(r *phrase.Reader) ([]guard, *rule.Violation) {
	var out []guard
	for {
		not := r.Skip("NOT")
		g, v := x.readGuard(r)
		if v != nil {
			return nil, v
		}
		g.not = g.not != not
		out = append(out, g)
		if !r.Skip("AND") {
			r.Skip("THEN")
			return out, nil
		}
	}
}

// condition is what an IF, an UNLESS or a HOLD asks: conditions joined by AND, all of
// which hold, or with not: not all of them do.
type condition struct {
	not bool
	all []guard
}

const guardHelp = "Conditions are: SOVIET HOLDS 2512, 2512 EMPTY, ENEMY AT 2512 UNDER 9, " +
	"LAH IN SUPPLY, LAH OUT OF SUPPLY, LAH REDUCED, WEATHER SNOW, GROUND MUD, " +
	"2 OWN CHITS PLAYED, 1 ENEMY CHITS LEFT, SECOND CHIT, BACKHAND."

// noGuard refuses what is no condition.
func noGuard(why string, a ...any) *rule.Violation {
	v := refuse("", why, a...)
	v.Instead = guardHelp
	return v
}

// readGuard reads one condition, by its first word.
func (x *sheetReader) readGuard(r *phrase.Reader) (guard, *rule.Violation) {
	w := r.Peek()
	switch {
	case phrase.SaysChits(r):
		return x.readChitCount(r)
	case w == "WEATHER":
		return readSky(r, guardWeather)
	case w == "GROUND":
		return readSky(r, guardGround)
	case w == "SECOND":
		r.Next()
		r.Skip("CHIT")
		return guard{kind: guardSecond}, nil
	case w == "BACKHAND":
		r.Next()
		return guard{kind: guardBackhand}, nil
	case phrase.SaysHolds(r, string(Soviet), string(German), "ENEMY", "WE"):
		return x.readHolds(r)
	case w == "ENEMY":
		return x.readWeak(r)
	case isHex(w):
		return x.readEmpty(r)
	}
	return x.readUnitGuard(r)
}

// helped refuses what is no condition, and says what is.
func helped(v *rule.Violation) *rule.Violation {
	if v != nil && v.Instead == "" {
		v.Instead = guardHelp
	}
	return v
}

// readChitCount reads 2 OWN CHITS PLAYED and 1 ENEMY CHITS LEFT.
func (x *sheetReader) readChitCount(r *phrase.Reader) (guard, *rule.Violation) {
	c, v := phrase.ReadChits(r, false, "PLAYED", "LEFT")
	g := guard{kind: guardPlayed, side: x.side, n: c.N}
	if c.State == "LEFT" {
		g.kind = guardLeft
	}
	if c.Enemy {
		g.side = other(x.side)
	}
	return g, helped(v)
}

// readSky reads WEATHER SNOW and GROUND MUD.
func readSky(r *phrase.Reader, kind guardKind) (guard, *rule.Violation) {
	what := lower(r.Next())
	g := guard{kind: kind, word: lower(r.Next())}
	if !slices.Contains(skies, g.word) {
		return g, noGuard("%q is no %s", g.word, what)
	}
	return g, nil
}

// readHolds reads SOVIET HOLDS 2512, ENEMY HOLDS 2512 and WE HOLD 2512.
func (x *sheetReader) readHolds(r *phrase.Reader) (guard, *rule.Violation) {
	who, h, v := phrase.Holds(x.s.sc.Board, r)
	g := guard{kind: guardHolds, side: Side(who), hex: h}
	switch who {
	case "ENEMY":
		g.side = other(x.side)
	case "WE":
		g.side = x.side
	}
	return g, v
}

// anyStrength is more than any strength.
const anyStrength = 1 << 20

// readWeak reads ENEMY AT 2512 UNDER 9; without a number any enemy there will do.
func (x *sheetReader) readWeak(r *phrase.Reader) (g guard, v *rule.Violation) {
	r.Next()
	g.kind, g.side, g.n = guardWeak, other(x.side), anyStrength
	r.Skip("AT")
	if g.hex, v = x.s.place(r); v != nil {
		return g, v
	}
	if r.Skip("UNDER", "BELOW") {
		g.n, v = number(r)
	}
	return g, v
}

// readEmpty reads 2512 EMPTY.
func (x *sheetReader) readEmpty(r *phrase.Reader) (guard, *rule.Violation) {
	h, _, v := phrase.HexIs(x.s.sc.Board, r, "EMPTY")
	return guard{kind: guardEmpty, hex: h}, helped(v)
}

func number(r *phrase.Reader) (int, *rule.Violation) { return phrase.Number(r, anyStrength) }

// readUnitGuard reads LAH IN SUPPLY, LAH OUT OF SUPPLY and LAH REDUCED.
func (x *sheetReader) readUnitGuard(r *phrase.Reader) (g guard, v *rule.Violation) {
	list := r.Take("IN", "OUT", "REDUCED")
	if len(list) == 0 || r.End() {
		return g, noGuard("the condition is not understood")
	}
	if g.unit, v = x.s.named(x.side, list); v != nil {
		return g, helped(v)
	}
	state := r.Next()
	if state == "REDUCED" {
		g.kind = guardReduced
		return g, nil
	}
	g.kind, g.not = guardSupply, state == "OUT"
	if state == "OUT" {
		r.Skip("OF")
	}
	if !r.Skip("SUPPLY") {
		return g, noGuard("a unit is IN SUPPLY, OUT OF SUPPLY or REDUCED")
	}
	return g, nil
}

// holds tells whether the conditions of a programme of a side are met. count is how often
// the chit has been drawn in this turn, this time included.
func (s *State) holds(conditions []condition, side Side, count int) bool {
	s = s.believed(side)
	for _, c := range conditions {
		fails := func(g guard) bool { return s.met(g, count) == g.not }
		allHold := !slices.ContainsFunc(c.all, fails)
		if allHold == c.not {
			return false
		}
	}
	return true
}

// met tells whether a condition holds, its NOT aside.
func (s *State) met(g guard, count int) bool {
	switch g.kind {
	case guardHolds:
		if h := s.holder(g.hex); h != "" {
			return h == g.side
		}
		return s.controller(g.hex) == g.side
	case guardEmpty:
		return s.holder(g.hex) == ""
	case guardWeak:
		return s.holder(g.hex) == g.side && s.defenceAt(g.hex) < g.n
	case guardSupply:
		return g.unit.Where == OnMap && g.unit.Cut == 0
	case guardReduced:
		return g.unit.Where != OnMap || g.unit.Steps < g.unit.c.Steps()
	case guardWeather:
		return s.Weather == g.word
	case guardGround:
		return s.Ground == g.word
	case guardSecond:
		return count > 1
	case guardBackhand:
		return s.Backhand == s.Turn
	case guardPlayed:
		return s.chitsPlayed(g.side) >= g.n
	}
	return s.chitsLeft(g.side) >= g.n
}

// chitsPlayed counts the chits of a side that have been drawn in this turn.
func (s *State) chitsPlayed(side Side) int {
	n := 0
	for _, c := range s.Played {
		if c.Side == side {
			n++
		}
	}
	return n
}

// chitsLeft counts those that are still to come.
func (s *State) chitsLeft(side Side) int {
	n := 0
	for _, p := range s.Cup {
		if poolSide(p.Name) == side {
			n += p.Left
		}
	}
	return n
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
