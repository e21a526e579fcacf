package wb95

import (
	"encoding/json"
	"strings"
	"testing"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
)

// limbered puts a gun in transport set-up.
func (p piece) limbered() piece { p.u.Firing = false; return p }

// WB-95 6.2.3
// WB-95 6.2.4
func TestSetupOfGuns(t *testing.T) {
	type end struct {
		hex    int
		firing bool
	}
	slow := gunAt("G", red, 102)
	slow.c.Moves = 2 * One
	for _, c := range []struct {
		name, order string
		gun         piece
		end         end
		refusal     string
	}{
		{"limbers, goes and unlimbers", "G LIMBER, TO 0302, UNLIMBER", gunAt("G", red, 102), end{302, true}, ""},
		{"may not go in combat set-up", "G TO 0202", gunAt("G", red, 102), end{102, true}, "6.2.3"},
		{"goes in transport set-up", "G TO 0302", gunAt("G", red, 102).limbered(), end{302, false}, ""},
		{"unlimbers where it stands", "G UNLIMBER", gunAt("G", red, 102).limbered(), end{102, true}, ""},
		{"limbers and stays", "G LIMBER", gunAt("G", red, 102), end{102, false}, ""},
		{"keeps a point for it or stays limbered", "G LIMBER, TO 0402, UNLIMBER", gunAt("G", red, 102), end{402, false}, "6.2.4"},
		{"has no point to leave 3.1.13 after limbering", "G LIMBER, TO 0202", slow, end{102, false}, "3.1.5"},
		{"cannot go strategically from combat set-up", "G TO 0302 STRATEGIC", gunAt("G", red, 102), end{102, true}, "6.2.3"},
		{"unsupplied has half the points", "G LIMBER, TO 0202, UNLIMBER", gunAt("G", red, 102).oos(1), end{202, false}, "6.2.4"},
	} {
		s := clearGround(8, 6).position(t, c.gun)
		_, v := obey(t, s, c.order)
		if (v != nil) != (c.refusal != "") || v != nil && !strings.HasSuffix(string(v.Clause), c.refusal) {
			t.Errorf("a gun %s: %v", c.name, v)
		}
		if g := s.unit("G"); int(g.Hex) != c.end.hex || g.Firing != c.end.firing {
			t.Errorf("a gun %s: it ends in %v, firing %v", c.name, g.Hex, g.Firing)
		}
	}
	s := clearGround(8, 6).position(t, gunAt("G", red, 102))
	if _, v := s.parseMove(red, phrase.Read("G LIMBER, TO 0302, STRATEGIC")); v == nil {
		t.Error("set-up is changed for strategic movement")
	}
}

// WB-95 6.2.1
// WB-95 6.2.4: ALL AT takes along the guns that can move; all, if it says LIMBER
func TestStackWithGuns(t *testing.T) {
	place := func() *State {
		return clearGround(8, 6).position(t, tankAt("T", red, 102), gunAt("G", red, 102), gunAt("L", red, 102).limbered())
	}
	s := place()
	if said, v := obey(t, s, "ALL AT 0102 TO 0302"); v != nil || s.unit("L").Hex != 302 || s.unit("G").Hex != 102 || s.unit("T").Hex != 302 {
		t.Errorf("%q %v", said, v)
	}
	s = place()
	if said, v := obey(t, s, "ALL AT 0102 LIMBER, TO 0302, UNLIMBER"); v != nil || !s.unit("L").Firing || !s.unit("G").Firing || s.unit("G").Hex != 302 {
		t.Errorf("%q %v", said, v)
	}
	s = place()
	if said, v := obey(t, s, "ALL AT 0102 UNLIMBER"); v != nil || !s.unit("L").Firing || s.unit("T").Active {
		t.Errorf("%q %v", said, v)
	}
}

// WB-95 6.1.7: the book's example
func TestRidingDownGuns(t *testing.T) {
	for _, c := range []struct {
		fort  bool
		spent Cost
	}{{false, 4 * One}, {true, 5 * One}} {
		s := clearGround(8, 6).position(t, tankAt("T", red, 102), gunAt("x", blue, 202), gunAt("y", blue, 202), gunAt("z", blue, 202))
		if c.fort {
			s.setFort(202, FF, blue)
		}
		m := s.newMarch(s.unit("T"), false)
		if v := m.step(202, nil); v != nil || m.spent != c.spent {
			t.Errorf("fortified %v: %v, spent %v", c.fort, v, m.spent)
		}
		if s.unit("x").Where != Gone {
			t.Error("the guns live")
		}
	}
}

// I-3 of the reports: the set-up of enemy guns is not told, and what hangs on it
// (the check of orders, the sums) does not give it away.
func TestSetupIsHidden(t *testing.T) {
	read := func(firing bool) (string, string) {
		s := arena(t, clearGround(12, 12), infAt("a", red, 605), infAt("x", blue, 606), gunAt("g", blue, 606), gunAt("h", blue, 608))
		s.unit("g").Firing, s.unit("h").Firing = firing, firing
		s.noteContacts()
		v := s.view(red)
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		known, err := s.sc.believe(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(text), weighed(t, known, "0606 WITH a").String()
	}
	v1, o1 := read(true)
	v2, o2 := read(false)
	want(t, "the View", v1, v2)
	want(t, "the sums", o1, o2)
}

// WB-95 6.2.2: anti-tank guns are towed but have no set-up: they go and fall back
func TestAntiTankGunsHaveNoSetup(t *testing.T) {
	at := func(side Side, h hex.Hex) piece { return newPiece("t", side, AT, Trucked, 6, 1, h) }
	s := clearGround(8, 6).position(t, at(red, 102))
	if _, v := obey(t, s, "T TO 0302"); v != nil {
		t.Error(v)
	}
	s = arena(t, clearGround(12, 12), infAt("a", red, 605), at(blue, 606))
	s.sc.Combat = always(CombatResult{DRetreat: 1})
	o := battleOf(t, s, "0606 WITH A; PURSUE NO", "combat 0606", "1 2", "retreat 0606 0606", "0606-0607")
	want(t, "falls back", o.at("t"), "t 0607/1")
}
