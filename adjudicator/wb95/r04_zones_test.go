package wb95

import (
	"slices"
	"testing"

	"fieldpost/adjudicator/hex"
)

// Section 4.1.
func TestZones(t *testing.T) {
	g := clearGround(6, 6)
	g.rows[2] = "...s.." // 0403
	g.rivers = map[string]string{"big river": "0303/0304"}
	g.bridges = "0303/0304"
	s := g.position(t, tankAt("T", red, 303), infAt("F", red, 503), gunAt("G", red, 101), staffAt("H", red, 102),
		newPiece("R", red, RG, Foot, 0, 1, 106), newPiece("P", red, AT, Trucked, 6, 1, 606))
	for _, c := range []struct {
		clause string
		unit   string
		at     hex.Hex
		want   bool
	}{
		{"4.1.1", "T", 302, true},
		{"4.1.1 not two hexes away", "T", 301, false},
		{"4.1.3 nor over a big river, bridge or not", "T", 304, false},
		{"4.1.4 motorized beside swamps", "T", 403, false},
		{"4.1.4 foot beside swamps", "F", 403, true},
		{"6.1.5 guns have none", "G", 102, false},
		{"9.1.1 nor headquarters", "H", 101, false},
		{"15.2.2 nor resilience groups", "R", 105, false},
		{"reading 4.1.2: anti-tank guns have", "P", 605, true},
	} {
		if got := s.zoneOf(s.unit(c.unit), c.at); got != c.want {
			t.Errorf("WB-95 %s: zone of %s on %v: %v", c.clause, c.unit, c.at, got)
		}
	}
	if got := s.zonesOn(403, red); len(got) != 1 || got[0].ID != "F" {
		t.Errorf("WB-95 4.1.5: zones on 0403: %v", names(got))
	}
	if !s.inEnemyZone(403, blue) || s.inEnemyZone(403, red) || s.inEnemyZone(101, blue) {
		t.Error("inEnemyZone is wrong")
	}
	z := s.zonesOf(red)
	for i := range g.position(t).sc.Board.Grid.Len() {
		h := s.sc.Board.Grid.At(i)
		if z.on[i] != (len(s.zonesOn(h, red)) > 0) {
			t.Errorf("zones at once and one by one differ in %v", h)
		}
	}
}

// Section 4.2.
func TestMovingInZones(t *testing.T) {
	for _, c := range []struct {
		clause, order, want string // want "" for refused
		at                  hex.Hex
		enemies             []piece
	}{
		{"4.2.2 entering costs nothing more", "T TO 0303", "0203-0303, 1 of 8 MP, ends in enemy ZOC: must attack", 303, []piece{infAt("E", blue, 404)}},
		{"4.2.3 along the zone of one unit", "T 0303-0304", "", 303, []piece{infAt("E", blue, 404)}},
		{"4.2.4 out and in again", "T 0303-0204-0304", "0303-0204-0304, 3 of 8 MP, ends in enemy ZOC: must attack", 304, []piece{infAt("E", blue, 404)}},
		{"4.2.5 from zone to zone of another unit", "T 0303-0203", "0303-0203, 2 of 8 MP, ends in enemy ZOC: must attack", 203, []piece{infAt("E1", blue, 404), infAt("E2", blue, 102)}},
		{"4.2.6 one point whatever the number of zones", "T 0303-0203", "0303-0203, 2 of 8 MP", 203, []piece{infAt("E1", blue, 404), infAt("E2", blue, 403), infAt("E3", blue, 403)}},
		{"4.2.3 one and the same unit of several", "T 0303-0302", "", 303, []piece{infAt("E1", blue, 404), infAt("E2", blue, 403)}},
	} {
		start := hex.Hex(303)
		if c.clause[:5] == "4.2.2" {
			start = 203
		}
		s := clearGround(6, 6).position(t, append(c.enemies, tankAt("T", red, start))...)
		got, v := obey(t, s, c.order)
		if (v == nil) != (c.want != "") || v == nil && got != c.want || whereIs(s, "T") != c.at {
			t.Errorf("WB-95 %s: %q, %v, in %v; want %q, %v", c.clause, got, v, whereIs(s, "T"), c.want, c.at)
		}
		if c.want == "" && v != nil && v.Clause != "WB-95 4.2.3" {
			t.Errorf("WB-95 %s: refused by %s", c.clause, v.Clause)
		}
	}
}

// Section 4.3.
func TestControl(t *testing.T) {
	lost := tankAt("L", red, 406)
	lost.u.Supplied = false
	s := clearGround(8, 6).position(t, infAt("A", red, 202), lost, staffAt("H", red, 801), infAt("E", blue, 203), infAt("X", blue, 606))
	s.setController(map[hex.Hex]Side{203: blue, 201: blue, 102: blue, 302: blue, 301: blue, 406: blue, 405: blue, 801: blue, 701: blue, 506: blue})
	s.claim(red, nil)
	for _, c := range []struct {
		clause string
		at     hex.Hex
		want   Side
	}{
		{"4.3.2 stands on it", 202, red},
		{"4.3.3 zone", 201, red},
		{"4.3.3 zone", 301, red},
		{"4.3.3 both zones: as it was", 102, blue},
		{"4.3.3 enemy on it", 203, blue},
		{"4.3.2 unsupplied but on it", 406, red},
		{"4.3.5 zone of an unsupplied unit", 405, blue},
		{"4.3.2 headquarters on it", 801, red},
		{"4.3.2 headquarters beside it", 701, blue},
	} {
		if got := s.controller(c.at); got != c.want {
			t.Errorf("WB-95 %s: %v is controlled by %q, want %q", c.clause, c.at, got, c.want)
		}
	}
	if got := s.held(102); got != "" {
		t.Errorf("WB-95 4.3.6: 0102 counts for %q, want nobody", got)
	}
	s.remove(s.unit("E"))
	if got := s.held(102); got != blue {
		t.Errorf("reading WB-95 4.3.6: the last owner of 0102 should revive, got %q", got)
	}
}

func TestControlIsTold(t *testing.T) {
	g := clearGround(8, 6)
	s := g.position(t, infAt("A", red, 202))
	s.sc.Objectives = []Objective{{Hex: 202, Name: "Mill", Points: 1}}
	s.setController(map[hex.Hex]Side{202: blue, 203: blue})
	_, events := referee{}.play(t, s, supplyPhase)
	if got := heard(events, blue, "name", "side", "points"); !slices.Equal(got, []string{"control Mill Red 1 point"}) {
		t.Errorf("told: %q", got)
	}
}
