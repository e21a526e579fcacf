package wb95

import (
	"testing"

	"fieldpost/adjudicator/hex"
)

// 20.1.1: one modifier in any terrain, two in towns.
func TestFieldFortificationsOfKursk(t *testing.T) {
	s := arena(t, ground{rows: []string{".htc", "...."}}, infAt("d", blue, 101))
	s.sc.Profile = loadNamed(t, "kursk").Profile
	for at, cm := range map[hex.Hex]int{101: 1, 201: 1, 301: 2, 401: 2} {
		s.put(s.unit("d"), at)
		s.setFort(at, FF, blue)
		want(t, at.String(), sum(s.fortCMs(at, blue)), cm)
	}
}
