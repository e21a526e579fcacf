package wb95

import (
	"slices"

	"fieldpost/adjudicator/hex"
)

// works are the hexsides of fixed positions (7.3) and of fortified lines (19), by
// grid index: bit d, an attack in through hexside d meets them.
type works struct {
	fixed, line []uint8
	cms         map[hex.Hex]int // modifiers of fixed positions where they are not 3 (7.3.3)
	owner       Side            // whose the fortified lines are
}

// buildWorks gathers them from the data.
//
// WB-95 7.3.1
// WB-95 7.2.1
func buildWorks(sc *Scenario) *works {
	g := sc.Board.Grid
	w := &works{fixed: make([]uint8, g.Len()), line: make([]uint8, g.Len()), cms: map[hex.Hex]int{}}
	for _, f := range sc.Fortified {
		if d, ok := g.Direction(f.Hex, f.From); ok {
			w.line[g.Index(f.Hex)] |= 1 << d
			w.owner = f.Side
		}
	}
	for _, f := range sc.Fixed {
		if d, ok := g.Direction(f.Hex, f.From); ok {
			w.fixed[g.Index(f.Hex)] |= 1 << d
			w.cms[f.Hex] = f.CMs
		}
	}
	return w
}

// FixedSide is a hexside of fixed positions: Hex is behind it, From before it.
type FixedSide struct {
	Hex, From hex.Hex
	CMs       int // 3 unless the hex has its own (7.3.3)
}

// inFixed tells whether the hex has fixed positions.
func (s *State) inFixed(h hex.Hex) bool {
	return s.sc.Board.On(h) && s.sc.network().works.fixed[s.sc.Board.Grid.Index(h)] != 0
}

// inPosition tells whether units of the side on the hex are fortified by what
// stands on the map: fixed positions serve both sides, lines their own.
//
// WB-95 7.3.5
// WB-95 7.2.5
// reading WB-95 7.3.5: fortified in all other rules too are units in fixed
// positions, and those in fortified lines of their own side.
func (s *State) inPosition(h hex.Hex, side Side) bool {
	if !s.sc.Board.On(h) {
		return false
	}
	w, i := s.sc.network().works, s.sc.Board.Grid.Index(h)
	return w.fixed[i] != 0 || w.line[i] != 0 && w.owner == side
}

// frontal is how much of the attackers' strength meets works on a hexside of the
// hex, and how much they have in all: on the ground, without support.
func (s *State) frontal(attackers []*Unit, h hex.Hex, sides []uint8, full bool) (through, all int) {
	for _, u := range attackers {
		sp := u.attackSP(full)
		all += sp
		if s.meetsWorks(u, h, sides) {
			through += sp
		}
	}
	return through, all
}

// meetsWorks tells whether an attacker has works on the hexside before it.
func (s *State) meetsWorks(u *Unit, h hex.Hex, sides []uint8) bool {
	g := s.sc.Board.Grid
	d, beside := g.Direction(h, u.Hex)
	return beside && sides[g.Index(h)]&(1<<d) != 0
}

// whoMeets names the attackers that works halve, "" if they are all.
func (s *State) whoMeets(attackers []*Unit, h hex.Hex) string {
	var out []*Unit
	for _, u := range attackers {
		if s.meetsWorks(u, h, s.worksOf(h)) {
			out = append(out, u)
		}
	}
	if len(out) == len(attackers) {
		return ""
	}
	return names(out)
}

// worksOf are the hexsides with works that count for the holder of a hex.
func (s *State) worksOf(h hex.Hex) []uint8 {
	w := s.sc.network().works
	switch {
	case s.inFixed(h):
		return w.fixed
	case w.owner == s.holder(h):
		return w.line
	}
	return nil
}

// positionHolds tells whether fixed positions of the hex count as such; attacked
// from the rear by more than half they are field fortifications only.
//
// WB-95 7.3.4
// WB-95 7.2.4
// reading WB-95 7.3.4: the nominal strength on the ground decides, and half of it suffices.
func (s *State) positionHolds(attackers []*Unit, h hex.Hex, full bool) bool {
	if !s.inFixed(h) {
		return false
	}
	through, all := s.frontal(attackers, h, s.sc.network().works.fixed, full)
	return 2*through >= all
}

// positionCMs are the modifiers of fixed positions and fortified lines.
func (s *State) positionCMs(attackers []*Unit, h hex.Hex, full bool) []modifier {
	switch {
	case !s.inFixed(h):
		return s.lineCMs(attackers, h, full)
	// WB-95 7.3.2: three for the defender
	// WB-95 7.2.2: the same in the other books
	// WB-95 7.3.3: unless the hex has its own number
	// WB-95 7.2.3: the same in the other books
	case s.positionHolds(attackers, h, full):
		return []modifier{{s.sc.network().works.cms[h], "fixed positions", "WB-95 7.3.2"}}
	// WB-95 7.3.4: from the rear they are field fortifications
	// WB-95 7.2.4: the same in the other books
	case s.fort(h) == nil:
		return []modifier{{s.fieldCM(h), "fixed positions from the rear", "WB-95 7.3.4"}}
	}
	return nil
}

// throughWorks is the sum of an attack when part of it meets works: that part is
// halved together with guns (and support from the air), once; the rest is not.
//
// reading WB-95 7.3.4: as soon as one unit attacks through the positions.
func (s *State) throughWorks(attackers []*Unit, h hex.Hex, support int, full bool) int {
	sides := s.worksOf(h)
	all := 0
	for _, u := range attackers {
		all += u.attackSP(full)
	}
	if sides == nil {
		return all + support
	}
	// WB-95 7.3.4: what comes through the positions
	// WB-95 7.2.4: the same in the other books
	through, _ := s.frontal(attackers, h, sides, full)
	if through == 0 {
		return all + support
	}
	// WB-95 7.3.2: is halved with its support
	// WB-95 7.2.2: the same in the other books
	return halved(through+support) + all - through
}

// relief is what fixed positions take off the price of a retreat that is not made.
//
// WB-95 7.3.6
// WB-95 7.2.6
func (c *combat) relief(h hex.Hex) int {
	if !c.s.inFixed(h) {
		return 0
	}
	return btoi(slices.Contains(c.firm, h))
}

// alwaysSupplied: units in fixed positions are.
//
// WB-95 7.3.7
// reading WB-95 7.3.7: in the Kharkov book only, the others have no such clause.
func (s *State) alwaysSupplied(u *Unit) bool { return s.sc.Profile.Book == "KH" && s.inFixed(u.Hex) }
