package steppe

import "fieldpost/adjudicator/hex"

// barred tells whether a hexside is a Major River without a bridge that stands. Over
// a frozen river everything goes as over a minor one.
//
// Steppe 8.0/3
// Steppe 3.1/13
//
// reading Steppe 3.1: frozen ground makes blown bridges and all major rivers minor
// rivers: zones of control, supply, advances and retreats cross.
func (s *State) barred(i int, d hex.Dir) bool {
	return s.sc.land.water[i][d] == major && s.Ground != frozen && !s.intact(i, d)
}

// zones finds the zones of control of a side, by grid index.
//
// Steppe 8.0/1
// Steppe 8.0/2
// Steppe 2.4/10
//
// reading Steppe 8.0: units in a city exert a zone of control, nobody exerts one into it.
func (s *State) zones(side Side) []bool {
	k := sideIndex(side)
	if s.zoc[k] != nil {
		return s.zoc[k]
	}
	l := s.sc.land
	z := make([]bool, len(s.at))
	for i, us := range s.at {
		if len(us) == 0 || us[0].c.Side != side || !hasCombat(us) {
			continue
		}
		for d := hex.N; d <= hex.NW; d++ {
			if j := l.near[i][d]; j >= 0 && !l.city[j] && !s.barred(i, d) {
				z[j] = true
			}
		}
	}
	s.zoc[k] = z
	return z
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
func (s *State) inZone(i int, side Side) bool { return s.zones(other(side))[i] }

// The conditions of the ground and kinds of weather.
const (
	normal = "normal"
	mud    = "mud"
	frozen = "frozen"
	rain   = "rain"
	snow   = "snow"
)
