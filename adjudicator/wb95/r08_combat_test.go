package wb95

import (
	"fmt"
	"strings"
	"testing"
)

// WB-95 8.2.7: twenty points against two modifiers of hills are sixteen.
func TestAirAttackGround(t *testing.T) {
	g := clearGround(9, 9)
	g.rows[4] = strings.Repeat("h", 9)
	s := skies(t, g, 30, infAt("a", red, 108), tankAt("x", blue, 505))
	hills := s.sc.terrain["hills"]
	hills.CM = 2
	s.sc.terrain["hills"] = hills
	s.setFort(505, IF, blue) // works do not help against aircraft
	o := scripted(t, s, airPhase, "air RED", "ATTACK 0505 20", "air BLUE", "", "air-attack 0505", "1 2")
	want(t, "story", strings.Join(o.told(t, "air-attack", blue), ""),
		"0505: air attack of the Red, 20 SP less 4 for hills, row 13-16: dice 1 2 (air-attack 0505), 1 step lost, disorganized.")
	want(t, "x", o.at("x"), "x 0505/1")
	want(t, "disorganized", o.unit("x").Disorganized, Clock{1, 1})
	o = scripted(t, s, airPhase, "air RED", "ATTACK 0505 4", "air BLUE", "")
	want(t, "too weak", strings.Join(o.told(t, "air-attack", red), ""), "0505: air attack of the Red, 4 SP less 4 for hills: too weak to do harm.")
}

// WB-95 8.2.6: every cell of the table.
func TestAirAttackTable(t *testing.T) {
	rows := strings.Split(`1 - - - - - - - - - - -1
2 - - - - - - - - - - -1
3 -1 - - - - - - - - -1 -1
5 -1 - - - - - - - - -1 -1
6 -1D -1 - - - - - - -1 -1 -1D
8 -1D -1 - - - - - - -1 -1 -1D
9 -1D -1D -1 -1 - - - -1 -1 -1D -1D
12 -1D -1D -1 -1 - - - -1 -1 -1D -1D
13 - -1D -1D -1 -1 -1 -1 -1 -1 -1D -
16 - -1D -1D -1 -1 -1 -1 -1 -1 -1D -
17 -2D - -1D -1 -1 -1 -1 -1 -1D - -2D
99 -2D - -1D -1 -1 -1 -1 -1 -1D - -2D`, "\n")
	k := kharkov(t)
	for _, line := range rows {
		cells := strings.Fields(line)
		var sp int
		fmt.Sscan(cells[0], &sp)
		for roll := 2; roll <= 12; roll++ {
			s := skies(t, clearGround(9, 9), 100, infAt("a", red, 108), newPiece("x", blue, INF, Foot, 4, 4, 505))
			o := scripted(t, s, airPhase, "air RED", fmt.Sprintf("ATTACK 0505 %d", sp), "air BLUE", "", "air-attack 0505", fmt.Sprintf("%d %d", roll/2, roll-roll/2))
			cell := cells[roll-1]
			loss := strings.Count(cell, "1") + 2*strings.Count(cell, "2")
			x := o.unit("x")
			if x.Steps != 4-loss || x.disorganized() != strings.Contains(cell, "D") {
				t.Errorf("%d SP, roll %d: %d steps, disorganized %v, want %s", sp, roll, x.Steps, x.disorganized(), cell)
			}
		}
	}
	if k.AirAttack.row(0) != nil || k.Objects.row(17).name() != "17+" || k.Objects.row(4).name() != "3-5" {
		t.Error("rows")
	}
}

// reading WB-95 8.2.6 (D-2): who loses a step, and who hears of it.
func TestAirAttackLosses(t *testing.T) {
	stack := func() []piece {
		return []piece{infAt("a", red, 108), infAt("big", blue, 505).sp(3, 6), infAt("small", blue, 505).sp(1, 2), gunAt("gun", blue, 505), staffAt("hq", blue, 505)}
	}
	for _, c := range []struct{ standing, lost string }{
		{"", "small"},
		{"ALL LOSSES STRONGEST FIRST", "big"},
		{"ALL LOSSES STRONGEST FIRST\nAT 0505 LOSSES GUN FIRST", "gun"},
		{"AT 0506 LOSSES GUN FIRST", "small"},
	} {
		s := skies(t, clearGround(9, 9), 30, stack()...)
		o := scripted(t, s, airPhase, "air RED", "ATTACK 0505 17", "air BLUE", "", "standing BLUE", c.standing, "air-attack 0505", "3 3")
		u := o.unit(c.lost)
		if want := s.unit(c.lost).Steps - 1; u.Steps != want {
			t.Errorf("%q: %s has %d steps, want %d", c.standing, c.lost, u.Steps, want)
		}
		want(t, "the attacker does not hear who", len(o.told(t, "air-loss", red)), 0)
		want(t, "the owner does", len(o.told(t, "air-loss", blue)), 1)
	}
	// WB-95 8.2.6: a hex that has been left is attacked in vain.
	s := skies(t, clearGround(9, 9), 30, stack()...)
	o := scripted(t, s, airPhase, "air RED", "ATTACK 0506 17", "air BLUE", "")
	want(t, "nobody", strings.Join(o.told(t, "air-wasted", red), ""), "In vain: air attack 0506, 17 SP: no enemy there.")
	want(t, "unheard", len(o.told(t, "air-wasted", blue)), 0)
}

// WB-95 5.6.5, second example: disorganized from the air in phase 7.
func TestAirDisorganizationLasts(t *testing.T) {
	s := skies(t, clearGround(9, 9), 30, infAt("a", red, 108), infAt("x", blue, 505), infAt("y", blue, 909)).after(7)
	o := scripted(t, s, phase, "air RED", "ATTACK 0505 17", "air BLUE", "", "air-attack 0505", "2 2")
	for _, c := range []struct {
		turn, phase int
		shaken      bool
	}{{1, 7, true}, {1, 12, true}, {2, 1, true}, {2, 6, true}, {2, 7, false}} {
		at := o.State.clone()
		at.Turn, at.Phase = c.turn, c.phase
		at.reorganize()
		want(t, fmt.Sprintf("end of phase %d of turn %d", c.phase, c.turn), at.unit("x").disorganized(), c.shaken)
	}
}

// WB-95 8.2.8, 8.2.9: bridges by the table of objects, whatever the ground.
func TestBridgesFromTheAir(t *testing.T) {
	g := clearGround(9, 9)
	g.rows[4] = strings.Repeat("h", 9)
	g.rivers, g.bridges = map[string]string{"river": "0504/0505"}, "0504/0505"
	for _, c := range []struct {
		sp, d1, d2 int
		down       bool
	}{{4, 1, 1, true}, {4, 1, 2, true}, {4, 2, 2, false}, {4, 5, 6, true}, {8, 2, 2, true}, {9, 1, 1, false}, {17, 3, 3, true}, {17, 6, 6, false}} {
		s := skies(t, g, 30, infAt("a", red, 108), infAt("x", blue, 909))
		o := scripted(t, s, airPhase, "air RED", fmt.Sprintf("BRIDGE 0505/0504 %d", c.sp), "air BLUE", "", "air-bridge 0504/0505", fmt.Sprintf("%d %d", c.d1, c.d2))
		if o.bridgeStands(edgeList(t, g.bridges)[0]) == c.down {
			t.Errorf("%+v: stands %v", c, !c.down)
		}
	}
	s := skies(t, g, 30, infAt("a", red, 108), infAt("x", blue, 909))
	o := scripted(t, s, airPhase, "air RED", "BRIDGE 0505/0504 4\nBRIDGE 0504/0505 5\nBRIDGE 0505/0605 4", "air BLUE", "", "air-bridge 0504/0505", "1 2")
	want(t, "both ends together", strings.Join(o.told(t, "air-bridge", blue), "|"), "Bridge 0504/0505: air attack of the Red, 9 SP, row 9-12: dice 1 2 (air-bridge 0504/0505), destroyed.")
	want(t, "no bridge", strings.Join(o.told(t, "air-wasted", red), "|"), "In vain: attack on the bridge 0505/0605, 4 SP: no bridge stands there.")
}
