package wb95

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
)

// WB-95 7.1.2 to 7.1.9
func TestEntrench(t *testing.T) {
	g := clearGround(6, 6)
	g.rows[3] = "..s..." // 0304
	retreated := infAt("A", red, 302)
	retreated.u.Retreated = true
	acted := infAt("A", red, 302)
	acted.u.Active = true
	corner := infAt("A", red, 101)
	corner.u.Retreated = true
	for _, c := range []struct {
		clause string
		ps     []piece
		order  string
		refuse string // clause, or "" for built
	}{
		{"7.1.1", []piece{infAt("A", red, 302)}, "A ENTRENCH", ""},
		{"7.1.2", []piece{gunAt("A", red, 302)}, "A ENTRENCH", "WB-95 7.1.2"},
		{"7.1.2", []piece{staffAt("A", red, 302)}, "A ENTRENCH", "WB-95 7.1.2"},
		{"7.1.2 b", []piece{retreated}, "A ENTRENCH", "WB-95 7.1.2"},
		{"7.1.2 b: another unit of the hex", []piece{retreated, infAt("B", red, 302)}, "B ENTRENCH", ""},
		{"7.1.3 in an enemy zone, but it could leave", []piece{retreated, infAt("E", blue, 402)}, "A ENTRENCH", "WB-95 7.1.2"},
		{"7.1.3 cannot leave", []piece{corner, infAt("E1", blue, 102), infAt("E2", blue, 201)}, "A ENTRENCH", ""}, // 0202 is barred by 4.2.3
		{"7.1.3 cannot leave", []piece{corner, infAt("E1", blue, 102), infAt("E2", blue, 201), infAt("E3", blue, 202)}, "A ENTRENCH", ""},
		{"7.1.4", []piece{acted}, "A ENTRENCH", "WB-95 3.1.6"},
		{"7.1.8", []piece{infAt("A", red, 304)}, "A ENTRENCH", "WB-95 7.1.8"},
	} {
		s := g.position(t, c.ps...)
		got, v := obey(t, s, c.order)
		at := s.unit(c.order[:1]).Hex
		built := s.fortified(at, red)
		if built != (c.refuse == "") || v != nil && string(v.Clause) != c.refuse {
			t.Errorf("WB-95 %s: %q, %v", c.clause, got, v)
		}
		if built && (s.fortified(at, blue) || !s.unit(c.order[:1]).Active) {
			t.Errorf("WB-95 %s: whose is it, and is the unit active?", c.clause)
		}
	}
	s := g.position(t, infAt("A", red, 302), infAt("B", red, 302), gunAt("C", red, 302))
	got, v := obey(t, s, "A, B, C ENTRENCH")
	if v != nil || got != "A: builds field fortifications in 0302; B, C: joins in" || s.unit("B").Active {
		t.Errorf("a stack digs: %q, %v", got, v)
	}
	if _, v := obey(t, s, "B ENTRENCH"); v == nil || !strings.Contains(v.Why, "already") {
		t.Errorf("digging twice: %v", v)
	}
	// The others of the stack may still go, and the unit that dug may not.
	if _, v := obey(t, s, "B TO 0301"); v != nil {
		t.Errorf("WB-95 7.1.2: %v", v)
	}
	if _, v := obey(t, s, "A TO 0301"); v == nil {
		t.Error("WB-95 7.1.4: the unit that dug moves")
	}
}

// WB-95 7.1.5, 7.1.6, 7.1.7, 7.2.1
func TestFortsComeAndGo(t *testing.T) {
	s := clearGround(6, 6).position(t, infAt("A", red, 302), infAt("B", red, 303), infAt("E", blue, 602))
	s.setFort(302, FF, red)
	s.setFort(505, FF, red)
	s.setFort(506, IF, red)
	obey(t, s, "A TO 0402")
	obey(t, s, "B TO 0302") // takes the place over within the phase
	s.sweepForts(nil)
	if !s.fortified(302, red) || s.fort(505) != nil || s.fort(506) == nil {
		t.Errorf("WB-95 7.1.5: left are %v", s.Forts)
	}
	s.remove(s.unit("B"))
	s.setFort(402, IF, red)
	s.enter(s.unit("E"), 302, nil)
	s.remove(s.unit("A"))
	s.enter(s.unit("E"), 402, nil)
	if s.fort(302) != nil || s.fort(402) != nil {
		t.Errorf("WB-95 7.1.6, 7.2.1: left are %v", s.Forts)
	}
	s.setFort(402, FF, blue)
	if !s.fortified(402, blue) || s.fortified(402, red) {
		t.Error("WB-95 7.1.7: the new owner cannot build again")
	}
	var kinds []string
	s.setFort(505, FF, red)
	s.sweepForts(func(e view.Event) { kinds = append(kinds, e.Kind) })
	if !slices.Equal(kinds, []string{"fort-left"}) {
		t.Errorf("told: %q", kinds)
	}
}

// WB-95 7.1.10, 7.2.1, 7.1.12
func TestFortModifiers(t *testing.T) {
	g := clearGround(6, 6)
	g.rows[1] = ".ct..."
	s := g.position(t, infAt("A", red, 101))
	for h, want := range map[hex.Hex]int{202: 2, 302: 1, 402: 1} {
		s.setFort(h, FF, red)
		if got := s.fortCM(s.fort(h)); got != want {
			t.Errorf("WB-95 7.1.10: field fortifications in %v give %d, want %d", h, got, want)
		}
		s.setFort(h, IF, red)
		if got := s.fortCM(s.fort(h)); got != 2 {
			t.Errorf("WB-95 7.2.1: improved fortifications in %v give %d", h, got)
		}
	}
	if s.fortCMs(505, red) != nil || s.entryCost(s.unit("A").c, 402, 302) != One {
		t.Error("WB-95 7.1.12: fortifications cost movement, or give something where there are none")
	}
}
