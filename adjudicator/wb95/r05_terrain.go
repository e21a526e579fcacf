package wb95

import (
	"cmp"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/rule"
)

// modifier is a shift of the column in favour of one side, and why.
type modifier struct {
	cm     int // always positive
	why    string
	clause rule.Clause
}

// sum adds modifiers up.
func sum(ms []modifier) int {
	n := 0
	for _, m := range ms {
		n += m.cm
	}
	return n
}

// groundCMs lists what the ground of a hex gives its defender.
//
// WB-95 5.5.1
// WB-95 5.5.2
func (s *State) groundCMs(h hex.Hex) []modifier {
	var out []modifier
	for _, kind := range s.sc.Board.Kinds(h) {
		if t := s.sc.terrainOf(kind); t.CM > 0 {
			out = append(out, modifier{t.CM, kind, "WB-95 5.5.1"})
		}
	}
	return out
}

// groundCM is the sum of them.
func (s *State) groundCM(h hex.Hex) int {
	n := 0
	for _, kind := range s.sc.Board.Kinds(h) {
		n += max(0, s.sc.terrainOf(kind).CM)
	}
	return n
}

// fortCMs lists what a fortification gives the side that defends the hex.
//
// WB-95 7.1.10
// WB-95 7.2.1/3
func (s *State) fortCMs(h hex.Hex, side Side) []modifier {
	f := s.fort(h)
	switch {
	case f == nil, f.Side != side:
		return nil
	}
	return []modifier{{s.fortCM(f), fortName(f.Kind), "WB-95 7.1.10"}}
}

// halvesAttack tells whether the ground of the hex halves who attacks it.
//
// WB-95 5.5.1
func (s *State) halvesAttack(h hex.Hex) bool {
	for _, kind := range s.sc.Board.Kinds(h) {
		if s.sc.terrainOf(kind).Half {
			return true
		}
	}
	return false
}

// decisive is the hex of several whose ground and works count: the one with the
// most strength of its own.
//
// WB-95 5.5.3
// reading WB-95 5.5.3: the strength of a hex is that of the ground units on it as they are;
// guns that fire for it, on it or from elsewhere, are support and do not count.
// reading WB-95 5.5.3: what units bring by themselves, stars and concentration, counts from
// every hex; ground, water, works, resilience and fortification units from the one that decides.
// reading WB-95 5.5.3: of equal hexes the one that gives the defender more, then the one with the
// lower number; it is for the side that cannot choose where it is attacked (option decisive-tie).
func (s *State) decisive(attackers []*Unit, targets []hex.Hex, full bool) hex.Hex {
	if len(targets) == 1 {
		return targets[0]
	}
	best, most, cms := hex.None, -1, 0
	for _, h := range sorted(targets) {
		sp, n := s.baseSP(h), sum(s.hexCMs(attackers, h, full))
		better := n - cms
		if s.sc.Readings.TieForAttacker {
			better = -better
		}
		if cmp.Or(sp-most, better) > 0 {
			best, most, cms = h, sp, n
		}
	}
	return best
}

// baseSP is the strength of a hex that decides which one of several counts.
//
// WB-95 5.5.3
func (s *State) baseSP(h hex.Hex) int {
	sp := s.hexSP(h)
	if s.sc.before(2) {
		return sp
	}
	return sp - fireInDefence(s.gunsOn(h)) // of guns alone gunsOn has none: their point stays
}

// hexCMs lists all that the hex gives its defender against these attackers.
//
// WB-95 5.5.2
func (s *State) hexCMs(attackers []*Unit, h hex.Hex, full bool) []modifier {
	out := s.groundCMs(h)
	out = append(out, s.fortCMs(h, s.holder(h))...)
	out = append(out, s.groupCMs(h)...)
	out = append(out, s.positionCMs(attackers, h, full)...)
	return append(out, s.riverCMs(attackers, h, full)...)
}

// riverCMs is what the water before the hex gives its defender.
//
// WB-95 5.5.4
// reading WB-95 5.5.4: strengths count as halved for supply and disorganization;
// exactly half is not more than half; a bridge does not help. Several kinds of
// water are added up, and the kind that most cross counts, of equals the weaker. Guns and
// aircraft in support are not among the attacking units.
func (s *State) riverCMs(attackers []*Unit, h hex.Hex, full bool) []modifier {
	all, wet := 0, 0
	var kinds []string
	through := map[string]int{}
	for _, u := range attackers {
		sp := u.attackSP(full)
		all += sp
		if kind := s.sc.Board.River(hex.Between(u.Hex, h)); kind != "" {
			if _, seen := through[kind]; !seen {
				kinds = append(kinds, kind)
			}
			through[kind] += sp
			wet += sp
		}
	}
	if 2*wet <= all {
		return nil
	}
	best := kinds[0]
	for _, k := range kinds[1:] {
		if cmp.Or(through[k]-through[best], s.sc.terrainOf(best).CM-s.sc.terrainOf(k).CM) > 0 {
			best = k
		}
	}
	if cm := s.sc.terrainOf(best).CM; cm > 0 {
		return []modifier{{cm, best, "WB-95 5.5.4"}}
	}
	return nil
}
