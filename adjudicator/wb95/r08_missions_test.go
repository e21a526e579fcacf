package wb95

import (
	"fmt"
	"strings"
	"testing"
)

// WB-95 8.2.2, 8.2.4: 13 points defend with 7; the story names them.
func TestAirSupportInCombat(t *testing.T) {
	for _, c := range []struct {
		clause          string
		red, blue       int
		attack, defence string
		units, enemy    string
		ground          string
	}{
		{"8.2.4 thirteen points defend with seven", 0, 13, "6", "12", "a 6", "x 5 + 7 air", "."},
		{"8.2.2 added to the attack", 3, 0, "9", "5", "a 6 + 3 air", "x 5", "."},
		{"8.2.2 halved with the rest before a swamp", 3, 2, "5", "6", "a 6 + 3 air", "x 5 + 1 air", "s"},
	} {
		g := clearGround(9, 9)
		g.rows[4] = strings.Repeat(c.ground, 9)
		s := skies(t, g, 20, infAt("a", red, 506).sp(3, 6), infAt("x", blue, 505).sp(5, 5)).after(4)
		s.sc.Combat = always(CombatResult{Text: "-"})
		if c.red > 0 {
			s.aloft(red, airSupport, 505, c.red)
		}
		if c.blue > 0 {
			s.aloft(blue, airDefend, 505, c.blue)
		}
		o := scripted(t, s, combatPhase, "attack", "0505 WITH A", "combat 0505", "3 4")
		want(t, c.clause+": attack", o.fact("combat", "attack"), c.attack)
		want(t, c.clause+": defence", o.fact("combat", "defence"), c.defence)
		want(t, c.clause+": attackers", o.fact("combat", "units"), c.units)
		want(t, c.clause+": defenders", o.fact("combat", "enemy"), c.enemy)
		o.State.Phase = 7
		next := scripted(t, o.State, airPhase, "air RED", "", "air BLUE", "")
		want(t, c.clause+": it is over", next.flown(), "")
		want(t, c.clause+": nothing was wasted", len(next.told(t, "air-wasted", red))+len(next.told(t, "air-wasted", blue)), 0)
	}
}

// reading WB-95 8.2.2: support that finds no combat is wasted, and its owner is told.
func TestWastedSupport(t *testing.T) {
	s := skies(t, clearGround(9, 9), 20, infAt("a", red, 506), infAt("x", blue, 808)).after(7).aloft(red, airSupport, 808, 3)
	o := scripted(t, s, airPhase, "air RED", "", "air BLUE", "")
	want(t, "RED", strings.Join(o.told(t, "air-wasted", red), ""), "In vain: attack support 0808, 3 SP: no combat there.")
	want(t, "BLUE", len(o.told(t, "air-wasted", blue)), 0)
}

// WB-95 8.2.2: MIN counts our own support and no more than we know.
func TestSupportCountsForTheLowestColumn(t *testing.T) {
	for sp, fought := range map[int]bool{0: false, 6: true} {
		s := skies(t, clearGround(9, 9), 20, infAt("a", red, 506).sp(3, 6), infAt("x", blue, 505).sp(3, 6)).after(4)
		s.setFort(506, FF, red)
		if sp > 0 {
			s.aloft(red, airSupport, 505, sp)
		}
		s.aloft(blue, airDefend, 505, 20)
		s.sc.Combat = always(CombatResult{Text: "-"})
		pairs := []string{"attack", "0505 WITH A; MIN 2:1"}
		if fought {
			pairs = append(pairs, "combat 0505", "3 4")
		}
		o := scripted(t, s, combatPhase, pairs...)
		want(t, fmt.Sprintf("with %d air", sp), strings.Contains(o.kinds(), "attack-off"), !fought)
	}
}

// The example of WB-95 8.2.16 in the Kharkov book: seven hexes of one point.
func TestDisorganizedMovementKharkov(t *testing.T) {
	road := clearGround(9, 12)
	road.roads = map[string]string{"main road": "0501-0502-0503-0504-0505-0506-0507-0508-0509-0510"}
	for _, c := range []struct {
		clause string
		p      piece
		each   int
		order  string
		story  string
	}{
		{"a brigade along the road pays 1 more for each of the hexes", tankAt("a", red, 501), 1, "A TO 0506", "0501-0502-0503-0504-0505-0506, 7 1/2 of 8 MP"},
		{"a division that starts inside has 1 less, and pays 2 a hex", infAt("a", red, 504), 1, "A 0504-0604", "0504-0604, 1 of 3 MP"},
		{"inside all the way", infAt("a", red, 504), 1, "A 0504-0505", "0504-0505, 1 1/2 of 3 MP"},
		{"none of it for a German", newPiece("b", blue, ARM, Tracked, 8, 2, 501), 1, "B TO 0509", "0501-0502-0503-0504-0505-0506-0507-0508-0509, 4 of 8 MP"},
	} {
		s := skies(t, road, 20, c.p, infAt("z", blue, 912)).after(3)
		if c.p.c.Side == blue {
			s.Phase = 9
		}
		for h := 502; h <= 508; h++ {
			s.aloft(blue, airDisrupt, hx(h), c.each)
		}
		text, v := obey(t, s, c.order)
		if v != nil {
			t.Errorf("%s: %v", c.clause, v)
		}
		want(t, c.clause, text, c.story)
	}
	// The staff finds ways without knowing what flies: the unit stops when its points are spent.
	far := skies(t, road, 20, tankAt("a", red, 501), infAt("z", blue, 912)).after(3)
	for h := 502; h <= 508; h++ {
		far.aloft(blue, airDisrupt, hx(h), 1)
	}
	_, v := obey(t, far, "A TO 0508")
	if v == nil || v.Error() != "WB-95 3.1.5: the step to 0507 costs 1 1/2 MP, 1/2 of 8 are left, enemy aircraft counted. It can get to 0506: write TO 0506." {
		t.Error(v)
	}
	// Two points on a hex: +2, -2, and a throw for each hex.
	s := skies(t, road, 20, infAt("a", red, 504).sp(1, 2, 3, 4)).after(3)
	s.sc.Counters[0].Moves = 8 * One
	for _, h := range []int{504, 505, 506} {
		s.aloft(blue, airDisrupt, hx(h), 2)
	}
	o := scripted(t, s, movementPhase, "move", "A 0504-0505-0506", "harass a 0504", "1 3", "harass a 0505", "1 4", "harass a 0506", "1 1")
	want(t, "two points", o.at("a"), "a 0506/2")
	want(t, "cost", heard(o.events, red, "text")[len(heard(o.events, red))-1], "moved 0504-0505-0506, 5 of 6 MP")
	want(t, "the owner hears", strings.Join(o.told(t, "air-harass", red), "|"), "Enemy aircraft over 0504: dice 1 3 (harass a 0504), a: loses a step, 3 of 4 left.|"+
		"Enemy aircraft over 0505: dice 1 4 (harass a 0505), a: no loss.|Enemy aircraft over 0506: dice 1 1 (harass a 0506), a: loses a step, 2 of 4 left.")
	want(t, "the enemy hears", strings.Join(o.told(t, "air-caught", blue), "|"), "0504: our aircraft caught moving troops, 1 step lost.|0506: our aircraft caught moving troops, 1 step lost.")
	want(t, "and nothing else of it", len(o.told(t, "air-harass", blue)), 0)
	// A unit may die on its way; who stays where it is throws for nothing.
	s.sc.Counters[0].Strength = []int{2}
	s.unit("a").Steps = 1
	o = scripted(t, s, movementPhase, "move", "A 0504-0505-0506", "harass a 0504", "6 6", "harass a 0505", "2 2")
	want(t, "lost on the way", o.at("a"), "a gone")
	o = scripted(t, s, movementPhase, "move", "")
	want(t, "not moved", o.at("a"), "a 0504/1")
}

// The example of WB-95 8.2.15 in the Nysa and Kursk books: the hex and its ring, cumulative.
func TestDisorganizedMovementNysa(t *testing.T) {
	for _, c := range []struct {
		missions int
		story    string
	}{
		{1, "0505-0506-0507-0508, 5 of 7 MP"},
		{2, "0505-0506, 3 of 6 MP"},
	} {
		s := skies(t, clearGround(12, 12), 20, newPiece("a", red, ARM, Tracked, 8, 2, 505)).after(3)
		s.sc.Profile = Profile{Book: "NY", FieldCity: 1, FieldTown: 1, FieldElse: 1, DisruptSP: 7, DisruptRing: 1}
		s.aloft(blue, airDisrupt, 506, 7*c.missions)
		path := "A " + c.story[:strings.Index(c.story, ",")]
		text, v := obey(t, s, path)
		if v != nil {
			t.Fatal(v)
		}
		want(t, fmt.Sprintf("%d missions", c.missions), text, c.story)
	}
	s := skies(t, clearGround(12, 12), 20, infAt("a", red, 505), infAt("x", blue, 1010))
	s.sc.Profile = Profile{Book: "NY", FieldCity: 1, FieldTown: 1, FieldElse: 1, DisruptSP: 7, DisruptRing: 1}
	o := scripted(t, s, airPhase, "air RED", "", "air BLUE", "DISRUPT 0505 6\nDISRUPT 0505 7\nDISRUPT 0505 7")
	want(t, "cumulative", o.flown(), "BLUE DISRUPT 0505 14")
	want(t, "too few", strings.Join(o.told(t, "air-skipped", blue), ""), "Not flown: DISRUPT 0505 6: a mission takes 7 SP.")
}

// WB-95 8.2.18, 8.2.20, 8.2.22: one point is two attacks, a 6 costs a step, bridges are safe.
func TestCrossingAttacks(t *testing.T) {
	g := clearGround(9, 9)
	g.rivers, g.bridges = map[string]string{"big river": "0504/0505 0604/0605"}, "0604/0605"
	s := skies(t, g, 20, newPiece("a", red, INF, Foot, 8, 3, 504), newPiece("b", red, INF, Foot, 8, 3, 604), infAt("z", blue, 909)).after(3)
	s.aloft(blue, airCrossing, 505, 1).aloft(blue, airCrossing, 605, 4)
	o := scripted(t, s, movementPhase, "move", "A 0504-0505\nB 0604-0605", "crossing a 0505", "6 3")
	want(t, "after", o.at("a", "b"), "a 0505/2, b 0605/3")
	o = scripted(t, s, movementPhase, "move", "A 0504-0505", "crossing a 0505", "6 6")
	want(t, "twice", o.at("a"), "a 0505/1")
}

// The example of WB-95 8.2.26 (8.2.25 in the other books).
func TestSupplyMissions(t *testing.T) {
	s := skies(t, clearGround(9, 9), 30, infAt("a", red, 101), infAt("x", blue, 505).oos(4), infAt("y", blue, 505).oos(4), infAt("z", blue, 505).oos(1))
	for i := range s.sc.Counters {
		if s.sc.Counters[i].Side == blue {
			s.sc.Counters[i].Nation = "American"
		}
	}
	if err := s.reattach(); err != nil {
		t.Fatal(err)
	}
	o := scripted(t, s, airPhase, "air RED", "", "air BLUE", "SUPPLY 0505 6\nSUPPLY 0505 21", "air-supply 0505 BLUE", "1 4 6")
	for name, level := range map[string]int{"x": 2, "y": 2, "z": 0} {
		want(t, name, o.unit(name).OoS, level)
	}
	want(t, "told", strings.Join(o.told(t, "air-supply", blue), ""), "0505: dice 1 4 6 (air-supply 0505 BLUE), 2 loads dropped for x, y, z.")
	want(t, "secret", len(o.told(t, "air-supply", red)), 0)
}
