package wb95

import (
	"fmt"
	"strings"
	"testing"
)

// WB-95 5.2.1: every cell of the table, fought once
func TestEveryCell(t *testing.T) {
	table := kharkov(t).Combat
	for col, name := range table.Columns {
		for roll := 2; roll <= 12; roll++ {
			t.Run(fmt.Sprintf("%s %d", name, roll), func(t *testing.T) { fightCell(t, col, roll) })
		}
	}
}

func fightCell(t *testing.T, col, roll int) {
	attack, defence := max(1, col-2), max(1, 4-col)
	s := arena(t, clearGround(15, 15), infAt("a", red, 707).sp(1, 1, 1, 1, attack), infAt("x", blue, 708).sp(1, 1, 1, 1, defence))
	c := s.sc.Combat.cell(roll, col)
	dice := []string{"combat 0708", fmt.Sprintf("%d %d", roll/2, roll-roll/2)}
	loser := map[bool]string{true: "a", false: "x"}[c.ARetreat > 0]
	for n := 2; n <= c.ARetreat+c.DRetreat; n++ {
		dice = append(dice, fmt.Sprintf("retreat-test %s %d", loser, n), "5 5")
	}
	if c.ATest {
		dice = append(dice, "attack-test 0708", "5 6")
	}
	o := battleOf(t, s, "0708 WITH A", dice...)
	a, x := o.unit("a"), o.unit("x")
	grid := s.sc.Board.Grid
	want(t, "steps of the attacker", a.Steps, 5-c.ALoss)
	want(t, "steps of the defender", x.Steps, 5-c.DLoss)
	want(t, "the defender's retreat", grid.Distance(708, x.Hex), c.DRetreat)
	want(t, "the defender's mark", x.Retreated, c.DRetreat > 0)
	want(t, "disorganized defender", x.disorganized(), c.DDisorg)
	want(t, "disorganized attacker", a.disorganized(), c.ADisorg || c.ATest)
	switch {
	case c.ARetreat > 0:
		want(t, "the attacker's retreat", grid.Distance(707, a.Hex), c.ARetreat)
	case c.DRetreat > 0:
		want(t, "the attacker's pursuit", a.Hex, hx(708))
	default:
		want(t, "the attacker", a.Hex, hx(707))
	}
	want(t, "nobody stays marked", a.Fought || x.Fought, false)
}

// WB-95 5.2.1: the book's example, its result fed directly
func TestExample521(t *testing.T) {
	g := clearGround(12, 12)
	g.rows[5] = "....fff....." // row 06
	place := func() *State {
		arm := func(name string, sp int) piece { return tankAt(name, red, 605).sp(1, sp).of("3 ARM") }
		cav := func(name string) piece {
			return newPiece(name, blue, CAV, Foot, 6, 2, 606).sp(2, 4).morale(10)
		}
		return arena(t, g, arm("a", 7), arm("b", 5), arm("c", 5), cav("x"), cav("y"))
	}
	s := place()
	sum := s.odds(red, []*Unit{s.unit("a"), s.unit("b"), s.unit("c")}, hexList(t, "0606"))
	want(t, "sums", fmt.Sprintf("%d:%d %s, %s -> %s", sum.attack, sum.defence, sum.ratio, sum.shifts(), sum.final),
		"17:8 2:1, concentration of 3 ARM +1, forest -1 -> 2:1") // and 3:1 with the black star of chapter 15
	feed := func(pairs ...string) outcome {
		s := place()
		s.sc.Combat = always(CombatResult{ALoss: 1, DRetreat: 2})
		return battleOf(t, s, "0606 WITH A, B, C; PURSUE NO; LOSSES C FIRST", append([]string{"combat 0606", "1 2"}, pairs...)...)
	}
	o := feed("retreat 0606 0606", "STAY", "price 0606 BLUE 1", "x", "price 0606 BLUE 2", "y")
	want(t, "lose 2 and stay", o.at("c", "x", "y"), "c 0605/1, x 0606/1, y 0606/1")
	o = feed("retreat 0606 0606", "0606-0607", "price 0606 BLUE 1", "x")
	want(t, "lose 1 and retreat 1", o.at("x", "y"), "x 0607/1, y 0607/2")
	o = feed("retreat 0606 0606", "0606-0607-0608", "retreat-test x 2", "5 5")
	want(t, "retreat 2 with one test for both", o.at("x", "y"), "x 0608/2, y 0608/2")
	want(t, "the test", o.unit("x").disorganized() && o.unit("y").disorganized(), true)
}

// WB-95 5.1.9
// WB-95 9.1.4
func TestLoneHeadquartersDies(t *testing.T) {
	for roll := 2; roll <= 12; roll++ {
		dice := []string{"combat 0304", fmt.Sprintf("%d %d", roll/2, roll-roll/2)}
		s := arena(t, clearGround(8, 8), infAt("a", red, 303).sp(1, 1), staffAt("hq", blue, 304), staffAt("far", blue, 305))
		if s.sc.Combat.cell(roll, 12).ATest {
			dice = append(dice, "attack-test 0304", "1 1")
		}
		o := battleOf(t, s, "0304 WITH A; PURSUE NO", dice...)
		want(t, fmt.Sprint("roll ", roll), o.at("hq"), "hq gone")
		want(t, "column", o.fact("combat", "column"), "10:1")
		want(t, "no headquarters modifies the dice", o.fact("combat", "roll"), fmt.Sprint(roll))
	}
}

// WB-95 6.6.3
// WB-95 6.6.4
func TestDefenceOfGuns(t *testing.T) {
	gun := func(name string) piece {
		p := gunAt(name, blue, 205)
		p.c.Strength, p.c.Defence = []int{5}, []int{3}
		return p
	}
	s := arena(t, clearGround(8, 8), infAt("a", red, 304).sp(2, 6), newPiece("cav", blue, CAV, Foot, 6, 2, 305).sp(2, 5), gun("g1"), gun("g2"))
	o := s.odds(red, []*Unit{s.unit("a")}, hexList(t, "0305-0205"))
	want(t, "cavalry and two guns", o.defence, 6)
	s.unit("g1").Firing, s.unit("g2").Firing = false, false
	o = s.odds(red, []*Unit{s.unit("a")}, hexList(t, "0205"))
	want(t, "limbered guns alone", o.final, "10:1")
}

// WB-95 10.2.3
// WB-95 10.2.4
func TestSupplyLevels(t *testing.T) {
	s := arena(t, clearGround(8, 8), infAt("a", red, 303).oos(1), infAt("x", blue, 304).oos(3))
	o := battleOf(t, s, "0304 WITH A FULL", "combat 0304", "4 4") // -1 / -1
	want(t, "a failed full attack", o.unit("a").OoS, 3)
	want(t, "its target", o.unit("x").OoS, 3)
	o = battleOf(t, s, "0304 WITH A FULL", "combat 0304", "3 3") // - / D1
	want(t, "a full attack", o.unit("a").OoS, 2)
	want(t, "hit with Dx", o.unit("x").OoS, 4)
	for _, e := range o.events {
		if e.Kind == "combat-oos" && len(e.To) != 1 {
			t.Errorf("a level is told to %v", e.To)
		}
	}
}

// WB-95 5.1.8
// WB-95 9.1.4
func TestLossesAreTheOwnersChoice(t *testing.T) {
	place := func() *State {
		s := arena(t, clearGround(8, 8), infAt("a", red, 303).sp(1, 2), infAt("b", red, 303).sp(2, 8), staffAt("hq", red, 303), gunAt("g", red, 303),
			infAt("x", blue, 304).sp(1, 2), infAt("y", blue, 304).sp(3, 9), gunAt("z", blue, 304))
		s.sc.Combat = always(CombatResult{ALoss: 1, DLoss: 1})
		return s
	}
	o := battleOf(t, place(), "0304 WITH A, B", "combat 0304", "3 4")
	want(t, "the default spares headquarters and takes the weakest", o.at("a", "b", "hq", "x", "y", "z"), "a 0303/1, b 0303/2, hq 0303/1, x 0304/1, y 0304/2, z 0304/1")
	want(t, "who may lose: attackers and their headquarters, no idle gun", o.options("loss 0304 RED 1"), "a b hq")
	want(t, "all defenders may", o.options("loss 0304 BLUE 1"), "x y z")
	o = battleOf(t, place(), "0304 WITH A, B; LOSSES B FIRST", "combat 0304", "3 4", "standing BLUE", "ALL LOSSES STRONGEST FIRST")
	want(t, "by orders", o.at("a", "b", "x", "y"), "a 0303/2, b 0303/1, x 0304/2, y 0304/1")
	o = battleOf(t, place(), "0304 WITH A, B", "combat 0304", "3 4", "standing BLUE", "ALL LOSSES STRONGEST FIRST\nAT 0304 LOSSES X FIRST\nY LOSSES Z FIRST")
	want(t, "the unit's own standing order wins", o.at("x", "y", "z"), "x 0304/2, y 0304/2, z gone")
	o = battleOf(t, place(), "0304 WITH A, B", "combat 0304", "3 4", "loss 0304 RED 1", "hq")
	want(t, "an answer", o.at("a", "b", "hq"), "a 0303/2, b 0303/2, hq gone")
}

// WB-95 5.1.1: who fought and lands in a hex attacked later adds nothing to it
func TestLateArrivals(t *testing.T) {
	s := arena(t, clearGround(10, 10), infAt("a", red, 505), infAt("b", red, 607),
		infAt("x", blue, 506).sp(1, 2), infAt("y", blue, 606).sp(4, 4))
	s.sc.Combat = always(CombatResult{DRetreat: 1})
	o := battleOf(t, s, "1: 0506 WITH A; PURSUE NO\n2: 0606 WITH B", "combat 0506", "3 4", "combat 0606", "3 4", "retreat 0506 0506", "0506-0606")
	if !strings.Contains(o.kinds(), "combat combat-retreat") {
		t.Fatal(o.kinds())
	}
	second := 0
	for _, e := range o.events {
		if e.Kind == "combat" {
			if second++; second == 2 {
				want(t, "the defence", e.Facts.Get("defence"), "4")
			}
		}
	}
	want(t, "both fall back", o.unit("x").Hex != 606 && o.unit("y").Hex != 606, true)
}
