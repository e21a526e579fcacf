package steppe

import "fieldpost/adjudicator/hex"

// barred tells whether a hexside is a Major River without a bridge that stands. Over
// a frozen river everything goes as over a minor one.
//
// Steppe 3.1/13
//
// reading Steppe 3.1: frozen ground makes blown bridges and all major rivers minor
// rivers: zones of control, supply, advances and retreats cross.
func (s *State) barred(i int, d hex.Dir) bool {
	if s.sc.land.water[i][d] != major {
		return false
	}
	return s.Ground != frozen && !s.intact(i, d)
}

// zones finds the zones of control of a side: by grid index, how many of its hexes
// exert one there. What was found is kept, and put right by restack as units come and
// go; what else could change them (ground, bridges) calls changed.
//
// Steppe 8.0/1
//
// reading Steppe 8.0: units in a city exert a zone of control, nobody exerts one into it.
func (s *State) zones(side Side) []int8 {
	k := sideIndex(side)
	if s.zoc[k] == nil {
		s.zoc[k] = make([]int8, len(s.at.slot))
		for _, us := range s.at.list {
			if exerter(us) == side {
				s.shade(s.ix(us[0].Hex), side, 1)
			}
		}
	}
	return s.zoc[k]
}

// exerter is the side that exerts a zone of control with a stack, "" for none: of
// headquarters alone.
//
// Steppe 2.4/10
func exerter(us []*Unit) Side {
	if !hasCombat(us) {
		return ""
	}
	return us[0].c.Side
}

// shade adds to the zones of control that were found those that a hex exerts.
func (s *State) shade(i int, side Side, by int8) {
	if side == "" {
		return
	}
	l, z := s.sc.land, s.zoc[sideIndex(side)]
	if z == nil {
		return
	}
	for d, j := range l.near[i] {
		switch {
		case j < 0:
		case l.city[j]: // Steppe 8.0/2
		case s.barred(i, hex.Dir(d)): // Steppe 8.0/3
		default:
			z[j] += by
		}
	}
}

func hasCombat(us []*Unit) bool {
	for _, u := range us {
		if u.combat() {
			return true
		}
	}
	return false
}

// inZone tells whether a hex lies in a zone of control of the enemy of a side.
//
// reading Steppe 8.0: "not negated by an enemy unit" means that a friendly unit in the
// hex does not cancel it, except for a supply path.
//
// Steppe 8.0/4
func (s *State) inZone(i int, side Side) bool { return s.zones(other(side))[i] > 0 }

// The conditions of the ground and kinds of weather.
const (
	normal = "normal"
	mud    = "mud"
	frozen = "frozen"
	fair   = "clear"
	rain   = "rain"
	snow   = "snow"
)

// skies are the words for weather and ground.
var skies = []string{fair, rain, snow, normal, mud, frozen}
