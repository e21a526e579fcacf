package wb95

import (
	"fmt"
	"strings"
	"testing"
)

// WB-95 9.1.6: the book's example: lost in phase 4 of turn 5, used in phase 10 of it and in phase 4 of turn 6
func TestExample916(t *testing.T) {
	s := arena(t, clearGround(20, 20), infAt("a", red, 605), staffAt("hq", blue, 606))
	s.Turn, s.Phase = 5, 4
	s.sc.Combat = always(CombatResult{DRetreat: 1})
	o := battleOf(t, s, "0606 WITH A; PURSUE NO", "combat 0606", "1 2")
	want(t, "gone", o.at("hq"), "hq gone")
	pool := func(turn, phase int) int {
		o.State.Turn, o.State.Phase = turn, phase
		return o.poolFor(red, hexList(t, "0610"))
	}
	want(t, "not in the same phase", pool(5, 4), 0)
	want(t, "in phase 10", pool(5, 10), 5)
	want(t, "not for the loser", o.poolFor(blue, hexList(t, "0610")), 0)
	// WB-95 9.1.7
	want(t, "eight hexes away", o.poolFor(red, hexList(t, "0614")), 5)
	want(t, "nine", o.poolFor(red, hexList(t, "0615")), 0)
	o.spendPool(red, hexList(t, "0610"), 2)
	o.agePools()
	want(t, "the rest in phase 4 of turn 6", pool(6, 4), 3)
	o.agePools()
	want(t, "no longer in phase 10", pool(6, 10), 0)
}

// WB-95 9.1.6: by whatever way it dies
func TestEveryEliminationCounts(t *testing.T) {
	s := clearGround(12, 12).position(t, tankAt("T", red, 605), staffAt("H", blue, 606))
	if _, v := obey(t, s, "T TO 0606"); v != nil {
		t.Fatal(v)
	}
	want(t, "ridden down in phase 3", fmt.Sprint(s.Pools), "[{RED 0606 5 {1 3} 2}]")
	s.Phase = 4
	want(t, "for phase 4", s.poolFor(red, hexList(t, "0608")), 5)
	s.agePools()
	s.Phase = 10
	want(t, "and phase 10", s.poolFor(red, hexList(t, "0608")), 5)
	s.agePools()
	want(t, "then it is over", len(s.Pools), 0)
}

// WB-95 9.1.6
// WB-95 9.1.7
func TestUseOfThePool(t *testing.T) {
	place := func(side Side, left int) *State {
		s := arena(t, clearGround(20, 20), infAt("a", red, 605), infAt("x", blue, 606), infAt("b", red, 1005).sp(3, 6), infAt("y", blue, 1006))
		s.sc.Combat = always(CombatResult{})
		s.Turn = 2
		s.Pools = []Pool{{side, 607, 5, Clock{1, 10}, left}}
		return s
	}
	both := "1: 0606 WITH A%s\n2: 1006 WITH B%s"
	dice := []string{"combat 0606", "1 2", "combat 1006", "1 2"}
	shifts := func(o outcome) string {
		var out []string
		for _, e := range o.events {
			if e.Kind == "combat" {
				out = append(out, e.Facts.Get("shifts"))
			}
		}
		return strings.Join(out, " | ")
	}
	o := battleOf(t, place(red, 2), fmt.Sprintf(both, "; HQCM 2", "; HQCM 4"), dice...)
	want(t, "divided as ordered, as far as there are", shifts(o), "for a lost headquarters +2 | for a lost headquarters +3")
	want(t, "told", strings.Count(o.kinds(), "hqcm-short"), 1)
	o = battleOf(t, place(red, 2), fmt.Sprintf(both, "", ""), dice...)
	want(t, "kept", shifts(o), " | ")
	o = battleOf(t, place(red, 1), fmt.Sprintf(both, "", ""), dice...)
	want(t, "the last time: in the strongest attack", shifts(o), " | for a lost headquarters +5")
	o = battleOf(t, place(blue, 2), fmt.Sprintf(both, "", ""), dice...)
	want(t, "the defender keeps", shifts(o), " | ")
	o = battleOf(t, place(blue, 1), fmt.Sprintf(both, "", ""), dice...)
	want(t, "the last time: below 1:1", shifts(o), "for a lost headquarters -1 | for a lost headquarters -2")
	o = battleOf(t, place(blue, 2), fmt.Sprintf(both, "", ""), append(dice, "hqcm 0606", "4")...)
	want(t, "as answered", shifts(o), "for a lost headquarters -4 | ")
	o = battleOf(t, place(blue, 2), fmt.Sprintf(both, "", ""), append(dice, "standing BLUE", "AT 1006 HQCM 3")...)
	want(t, "by standing order", shifts(o), " | for a lost headquarters -3")
}

// Own pools and ammunition travel with the View and come back from it.
func TestAssetsInTheView(t *testing.T) {
	s := arena(t, clearGround(12, 12), infAt("a", red, 605), infAt("x", blue, 606))
	s.Pools = []Pool{{red, 607, 4, Clock{1, 3}, 2}, {blue, 605, 5, Clock{1, 3}, 1}}
	s.sc.Barrages = []Barrage{{red, 1, 2, 8}}
	s.Ammo = map[Side]int{red: 3}
	back, err := s.sc.believe(s.view(red))
	if err != nil {
		t.Fatal(err)
	}
	want(t, "pools", fmt.Sprint(back.Pools), fmt.Sprint(s.Pools[:1]))
	want(t, "ammunition", back.ammo(red), 5)
}
