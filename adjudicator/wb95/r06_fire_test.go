package wb95

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
)

// gunnery is an arena with the tables of chapter 6.
func gunnery(t testing.TB, g ground, ps ...piece) *State {
	s := arena(t, g, ps...)
	k := builtin(t, "kharkov-1942")
	s.sc.Fire, s.sc.Objects = k.Fire, k.Objects
	return s
}

// WB-95 6.4.2/d: cells of the printed table
func TestFireTable(t *testing.T) {
	k := kharkov(t)
	for _, c := range []struct {
		sp, roll int
		text     string
	}{{1, 2, "-1"}, {2, 12, "•"}, {3, 3, "D"}, {5, 7, "-"}, {6, 4, "•"}, {8, 12, "-1D"}, {12, 5, "•"}, {13, 2, "-"}, {16, 6, "•"}, {17, 5, "-1•"}, {40, 9, "-1•"}} {
		if got := k.Fire.at(c.sp, c.roll); got.Text != c.text {
			t.Errorf("%d points, roll %d: %q, want %q", c.sp, c.roll, got.Text, c.text)
		}
	}
	for _, c := range []struct {
		sp, roll int
		gone     bool
	}{{1, 2, true}, {1, 3, false}, {8, 12, true}, {9, 2, false}, {16, 7, false}, {17, 7, true}} {
		if got := k.Objects.row(c.sp).Cells[c.roll].Wreck; got != c.gone {
			t.Errorf("object, %d points, roll %d: %v", c.sp, c.roll, got)
		}
	}
	want(t, "a cell with everything", fmt.Sprintf("%+v", k.Fire.at(17, 9)), "{Loss:1 Disorg:false Test:true Text:-1•}")
}

// WB-95 6.4.1
// WB-95 6.4.2
func TestRangedAttack(t *testing.T) {
	g := clearGround(12, 12)
	g.rows[7] = "....fff....." // row 08
	place := func() *State {
		return gunnery(t, g, cannon("g1", red, 605, 5, 3), cannon("g2", red, 604, 5, 3).oos(1), infAt("x", blue, 607).sp(2, 4), infAt("y", blue, 607).sp(1, 3).morale(9),
			infAt("z", blue, 608).sp(2, 4))
	}
	o := battleOf(t, place(), "FIRE G1, G2 AT 0607", "fire 0607", "6 6") // 5 + 3 (out of supply): 6-8, row 12: -1D
	want(t, "strength", o.fact("fire", "sp"), "8")
	want(t, "a step of the weaker one, both disorganized", fmt.Sprint(o.at("x", "y"), o.unit("x").disorganized(), o.unit("y").disorganized()), "x 0607/2, y 0607/1true true")
	o = battleOf(t, place(), "FIRE G1 AT 0607", "fire 0607", "2 2", "fire-test 0607", "4 5") // 3-5, row 4: dot
	want(t, "the test", fmt.Sprint(o.unit("x").disorganized(), o.unit("y").disorganized()), "false true")
	o = battleOf(t, place(), "FIRE G1 AT 0608", "fire 0608", "1 1") // 5 - 2: 3, row 2: -1D
	want(t, "less twice the forest", o.fact("fire", "sp"), "3")
	want(t, "one unit is not asked for", o.at("z"), "z 0608/1")
	o = battleOf(t, place(), "FIRE G2 AT 0607", "fire 0607", "1 1", "standing BLUE", "AT 0607 LOSSES X FIRST") // 3
	want(t, "by standing order", o.at("x", "y"), "x 0607/1, y 0607/2")
	for _, e := range o.events {
		if (e.Kind == "fire-hit" || e.Kind == "fire-test") && e.For("RED") {
			t.Error("who fires from afar reads who was hit")
		}
	}
	s := place()
	s.unit("g1").c.Strength = []int{2}
	o = battleOf(t, s, "FIRE G1 AT 0608")
	want(t, "nothing is left of 2 less 2", o.kinds(), "fire-nothing")
}

// WB-95 6.4.3
// WB-95 6.4.5
// WB-95 6.1.4
func TestIllegalFire(t *testing.T) {
	place := func() *State {
		return gunnery(t, clearGround(12, 12), infAt("a", red, 606), cannon("g", red, 605, 5, 3), cannon("h", red, 604, 5, 3), cannon("b", red, 406, 5, 3),
			infAt("x", blue, 607).sp(1, 1), infAt("far", blue, 608), staffAt("hq", blue, 405))
	}
	for _, c := range []struct{ name, text, clause string }{
		{"a hex that must be attacked", "FIRE G AT 0607", "6.4.5"},
		{"an adjacent hex", "FIRE B AT 0405", "6.4.3"},
		{"out of range", "FIRE H AT 0608", "6.1.2"},
		{"nobody there", "FIRE G AT 0609", "6.4.1"},
		{"legal", "FIRE G AT 0608", ""},
	} {
		s := place()
		o, v := s.parseAttack(red, phrase.Read(c.text))
		if v != nil {
			t.Fatal(v)
		}
		if _, _, v = (&plan{s: s, side: red}).declare(o); (v != nil) != (c.clause != "") || v != nil && string(v.Clause) != "WB-95 "+c.clause {
			t.Errorf("%s: %v", c.name, v)
		}
	}
	// The set as a whole: fire before an attack shuts the hex, fire after it falls.
	s := place()
	s.setFort(606, FF, red)
	s.sc.Combat = always(CombatResult{})
	o := battleOf(t, s, "FIRE G AT 0607\n0607 WITH A", "fire 0607", "3 4")
	want(t, "fire first", o.kinds(), "attack-refused fire")
	o = battleOf(t, s, "0607 WITH A\nFIRE G AT 0607", "combat 0607", "3 4")
	want(t, "attack first", o.kinds(), "attack-refused combat")
	o = battleOf(t, s, "0607 WITH A; ART G\nFIRE G, H AT 0608\nFIRE G AT 0405", "combat 0607", "3 4")
	want(t, "a gun fires once", o.kinds(), "attack-refused attack-refused combat")
}

// WB-95 5.1.6: ranged attacks come in the order of the sheet
func TestFireInOrder(t *testing.T) {
	s := gunnery(t, clearGround(12, 12), infAt("a", red, 606), cannon("g", red, 605, 5, 3), infAt("x", blue, 607).sp(1, 1), infAt("far", blue, 707))
	s.sc.Combat = always(CombatResult{DRetreat: 1})
	o := battleOf(t, s, "1: 0607 WITH A; PURSUE NO\nFIRE G AT 0707 IF 1 WON", "combat 0607", "3 4", "retreat 0607 0607", "0607-0608", "fire 0707", "3 4")
	want(t, "won first", o.kinds(), "combat combat-retreat fire")
	s.sc.Combat = always(CombatResult{})
	o = battleOf(t, s, "1: 0607 WITH A\nFIRE G AT 0707 IF 1 WON", "combat 0607", "3 4")
	want(t, "not won", o.kinds(), "combat attack-off")
	o = battleOf(t, s, "FIRE G AT 0707\n1: 0607 WITH A", "combat 0607", "3 4", "fire 0707", "3 4")
	want(t, "fire first", o.kinds(), "fire combat")
}

// WB-95 6.4.7
func TestFireAtBridges(t *testing.T) {
	g := clearGround(12, 12)
	g.rivers = map[string]string{"river": "0605/0606"}
	g.bridges = "0605/0606"
	s := gunnery(t, g, cannon("g", red, 605, 5, 3))
	o := battleOf(t, s, "FIRE G AT 0605/0606", "fire 0605/0606", "1 1")
	want(t, "the bridge", o.bridgeStands(hex.Between(605, 606)), false)
	o = battleOf(t, s, "FIRE G AT 0605/0606", "fire 0605/0606", "3 4")
	want(t, "the bridge", o.bridgeStands(hex.Between(605, 606)), true)
}

// WB-95 6.5.4
// WB-95 6.5.6
// WB-95 6.5.7: eight units over two turns, as the player likes
func TestBarrage(t *testing.T) {
	place := func(names ...string) *State {
		ps := []piece{infAt("x", blue, 607).sp(2, 4)}
		for _, n := range names {
			ps = append(ps, cannon(n, red, 605, 5, 3))
		}
		s := gunnery(t, clearGround(12, 12), ps...)
		s.sc.Barrages = []Barrage{{red, 1, 2, 8}}
		s.Phase = 2
		return s
	}
	fire := func(s *State, orders string, dice ...int) *State {
		c := referee{answers: map[string]string{kindBarrage: orders}, dice: map[string][]int{"barrage 0607": dice}}
		first, err := adjudicator.Play(s.clone(), barragePhase, nil, c, c)
		if err != nil {
			t.Fatal(err)
		}
		again, err := adjudicator.Play(s.clone(), barragePhase, first.Journal, nil, nil)
		if err != nil || !bytes.Equal(first.State.encode(), again.State.encode()) || !reflect.DeepEqual(first.Events, again.Events) {
			t.Fatal("the audit comes to another end", err)
		}
		return first.State
	}
	s := fire(place("a", "b", "c"), "A, B, C AT 0607", 3, 4) // 30: 17+, row 7: -1
	want(t, "steps", s.unit("x").Steps, 1)
	want(t, "ammunition", s.ammo(red), 5)
	want(t, "silent", s.unit("a").Barraged, int8(2))
	s.Phase = 3
	if _, v := obey(t, s, "A LIMBER, TO 0604"); v == nil || v.Clause != "WB-95 6.5.5" {
		t.Errorf("a gun moves after its barrage: %v", v)
	}
	for _, left := range []int8{1, 0} {
		(&battle{s: s}).cleanUp()
		want(t, "silent for", s.unit("a").Barraged, left)
	}
	s.Turn, s.Phase = 2, 2
	s.put(s.unit("x"), 607)
	s = fire(s, "A, B AT 0607", 1, 1)
	want(t, "ammunition", s.ammo(red), 3)
	s.Turn, s.Phase = 3, 2
	if s.leave(red) != nil {
		t.Error("a barrage in the third turn")
	}
	want(t, "one gun is too few", fire(place("a"), "A AT 0607").unit("a").Barraged, int8(0))
	s = place("a", "b")
	s.sc.Barrages[0].Ammo = 1
	want(t, "no ammunition for two", fire(s, "A, B AT 0607").unit("a").Barraged, int8(0))
	v := place("a", "b").view(red)
	want(t, "the View asks for it", strings.Join(v.Due, ","), "barrage")
	want(t, "and counts the ammunition", v.Assets[0].Count, 8)
}
