package wb95

import (
	"testing"
)

// WB-95 5.5.1
// WB-95 5.5.2
func TestGroundAndWaterAddUp(t *testing.T) {
	g := clearGround(10, 10)
	g.rows[5] = "...wws...." // 0406 and 0506 hills and forest, 0606 swamps
	g.rivers = map[string]string{"Doniec": "0405/0406"}
	s := arena(t, g, infAt("a", red, 405).sp(9), infAt("x", blue, 406).sp(3), infAt("b", red, 605).sp(9), infAt("y", blue, 606).sp(3))
	o := s.odds(red, []*Unit{s.unit("a")}, hexList(t, "0406"))
	want(t, "hills, forest and Doniec", o.shifts(), "hills -1, forest -1, Doniec -1")
	want(t, "the column", o.ratio+" "+o.final, "3:1 1:2")
	o = s.odds(red, []*Unit{s.unit("b")}, hexList(t, "0606"))
	want(t, "a swamp halves", o.attack, 5)
	want(t, "5:3", o.final, "2:1")
}

// WB-95 5.5.4
func TestMoreThanHalfThroughWater(t *testing.T) {
	g := clearGround(10, 10)
	g.rivers = map[string]string{"river": "0405/0406", "Doniec": "0305/0406"}
	for _, c := range []struct {
		river, doniec, dry int
		want               string
	}{
		{4, 0, 4, ""}, {4, 0, 3, "river -2"}, {2, 2, 3, "Doniec -1"}, {3, 2, 4, "river -2"}, {2, 3, 4, "Doniec -1"}, {1, 1, 2, ""},
	} {
		s := arena(t, g, infAt("x", blue, 406), infAt("r", red, 405).sp(c.river), infAt("d", red, 305).sp(c.doniec), infAt("e", red, 306).sp(c.dry))
		us := []*Unit{s.unit("r"), s.unit("e")}
		if c.doniec > 0 {
			us = append(us, s.unit("d"))
		}
		want(t, "water", s.odds(red, us, hexList(t, "0406")).shifts(), c.want)
	}
}

// WB-95 5.5.3
// WB-95 7.1.10
// WB-95 7.2.1
func TestTheStrongestHexDecides(t *testing.T) {
	g := clearGround(10, 10)
	g.rows[4] = "....h....." // 0505
	place := func(x, y int) *State {
		s := arena(t, g, infAt("a", red, 405).sp(9), infAt("x", blue, 505).sp(x), infAt("y", blue, 406).sp(y))
		s.setFort(406, IF, blue)
		return s
	}
	both := hexList(t, "0406-0505")
	for _, c := range []struct {
		x, y int
		want string
	}{{4, 3, "hills -1"}, {3, 4, "improved fortifications -2"}, {3, 3, "improved fortifications -2"}} {
		s := place(c.x, c.y)
		want(t, "the decisive hex", s.odds(red, []*Unit{s.unit("a")}, both).shifts(), c.want)
	}
}

// WB-95 13.1.1
// WB-95 13.1.2
// WB-95 13.1.3
// WB-95 13.1.4
func TestConcentration(t *testing.T) {
	units := func(s *State) (us []*Unit) {
		for i := range s.Units {
			us = append(us, &s.Units[i])
		}
		return us
	}
	for _, c := range []struct {
		formations string
		nation     string
		kind       Type
		want       int
	}{
		{"aaabbbccc", "German", INF, 3}, {"aaaaaa", "German", INF, 2}, {"aaaaa", "German", INF, 1}, {"aabb", "German", INF, 0},
		{"aaa", "Romanian", INF, 1}, {"aaa", "Soviet", INF, 0}, {"aaa", "Soviet", CAV, 0}, {"aaa", "Soviet", ARM, 1},
	} {
		var ps []piece
		for i, f := range c.formations {
			p := newPiece(string(rune('a'+i))+"/"+string(f), red, c.kind, Foot, 4, 1, hx(303)).of(string(f))
			p.c.Nation = c.nation
			ps = append(ps, p)
		}
		s := arena(t, clearGround(6, 6), ps...)
		want(t, c.formations+" "+c.nation+" "+string(c.kind), sum(s.concentration(units(s))), c.want)
	}
}

// WB-95 9.2.1
// WB-95 9.2.2
// WB-95 9.2.3
// WB-95 9.2.4
func TestHeadquartersLead(t *testing.T) {
	lead := func(ps ...piece) int {
		ps = append(ps, infAt("a", red, 505), infAt("b", red, 505), infAt("x", blue, 506))
		s := arena(t, clearGround(12, 12), ps...)
		return s.odds(red, []*Unit{s.unit("a"), s.unit("b")}, hexList(t, "0506")).dice
	}
	want(t, "nobody", lead(), 0)
	want(t, "the attacker, 4 away", lead(staffAt("hq", red, 501)), -1)
	want(t, "two are not more", lead(staffAt("hq", red, 501), staffAt("hq2", red, 502)), -1)
	want(t, "the defender, 3 away", lead(staffAt("hq", blue, 509)), 1)
	want(t, "the defender, 4 away", lead(staffAt("hq", blue, 510)), 0)
	want(t, "both", lead(staffAt("hq", blue, 509), staffAt("hq2", red, 501)), 0)
}

// WB-95 9.2.1: a modified roll stays in the table
func TestRollsStayInTheTable(t *testing.T) {
	s := arena(t, clearGround(8, 8), infAt("a", red, 303).sp(1, 2), staffAt("hq", red, 302), infAt("x", blue, 304).sp(1, 2))
	o := battleOf(t, s, "0304 WITH A", "combat 0304", "1 1", "retreat-test x 2", "1 1")
	want(t, "row", o.fact("combat", "roll"), "2")
	want(t, "said", o.fact("combat", "hq"), "headquarters of the attacker -1")
	chances := s.odds(red, []*Unit{s.unit("a")}, hexList(t, "0304"))
	// At 1:1 led: rolls 3 to 7 retreat (rows 2 to 6), with 2; 36 ways less those of 8 to 12.
	want(t, "retreats of 36", chances.retreats, 1+2+3+4+5+6)
}
