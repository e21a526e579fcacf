package wb95

import (
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
)

// beaten is one stack under attack from 0707, with the result as given.
func beaten(t *testing.T, c CombatResult, g ground, ps ...piece) *State {
	s := arena(t, g, append(ps, infAt("a", red, 707).sp(1, 1, 1, 1, 9))...)
	s.sc.Combat = always(c)
	return s
}

// WB-95 5.3.7
func TestSustainedRetreat(t *testing.T) {
	s := beaten(t, CombatResult{DRetreat: 3}, clearGround(15, 15), infAt("x", blue, 708).sp(1, 1, 1, 1, 5))
	for _, c := range []struct {
		answer string
		tests  int
		where  string
	}{
		{"0708-0709-0710-0711", 2, "x 0711/5"},
		{"0708-0709-0710", 1, "x 0710/4"},
		{"0708-0709", 0, "x 0709/3"},
		{"STAY", 0, "x 0708/2"},
	} {
		// WB-95 5.3.9
		pairs := []string{"combat 0708", "3 4", "retreat 0708 0708", c.answer}
		for n := range c.tests {
			pairs = append(pairs, "retreat-test x "+string(rune('2'+n)), "1 1")
		}
		o := battleOf(t, s, "0708 WITH A; PURSUE NO", pairs...)
		want(t, c.answer, o.at("x"), c.where)
		want(t, "5.3.10: the mark", o.unit("x").Retreated, c.answer != "STAY")
	}
}

// WB-95 5.3.9
func TestRetreatTests(t *testing.T) {
	// b: D4, retreated 3: two tests; the unit fails the second.
	s := beaten(t, CombatResult{DRetreat: 4}, clearGround(15, 15), infAt("x", blue, 708).sp(1, 1, 3))
	o := battleOf(t, s, "0708 WITH A; PURSUE NO", "combat 0708", "3 4", "retreat 0708 0708", "0708-0709-0710-0711",
		"retreat-test x 2", "5 5", "retreat-test x 3", "5 6")
	want(t, "b", o.at("x"), "x 0711/2")
	want(t, "at the limit", o.unit("x").disorganized(), true)
	// a: an attacker's A2 in full: one test.
	s = beaten(t, CombatResult{ARetreat: 2}, clearGround(15, 15), infAt("x", blue, 708))
	o = battleOf(t, s, "0708 WITH A", "combat 0708", "3 4", "retreat-test a 2", "5 5")
	want(t, "a", s.sc.Board.Grid.Distance(707, o.unit("a").Hex), 2)
}

// WB-95 5.3.8
func TestThreeBattalions(t *testing.T) {
	place := func() *State {
		s := arena(t, clearGround(15, 15), tankAt("b1", red, 706), tankAt("b2", red, 707), tankAt("b3", red, 806), infAt("x", blue, 807))
		s.sc.Combat = always(CombatResult{ARetreat: 1})
		return s
	}
	attack := "0807 WITH B1, B2, B3"
	back := func(n string) string {
		return map[string]string{"b1": "0706-0606", "b2": "0707-0607", "b3": "0806-0805"}[n]
	}
	o := battleOf(t, place(), attack, "combat 0807", "3 4", "retreat 0807 0706", "STAY", "retreat 0807 0707", "STAY", "retreat 0807 0806", "STAY", "price 0807 RED 1", "b3")
	want(t, "hold all: one step from any", o.at("b1", "b2", "b3"), "b1 0706/2, b2 0707/2, b3 0806/1")
	o = battleOf(t, place(), attack, "combat 0807", "3 4", "retreat 0807 0706", back("b1"), "retreat 0807 0707", back("b2"), "retreat 0807 0806", back("b3"))
	want(t, "all retreat: nothing", o.at("b1", "b2", "b3"), "b1 0606/2, b2 0607/2, b3 0805/2")
	o = battleOf(t, place(), attack, "combat 0807", "3 4", "retreat 0807 0706", back("b1"), "retreat 0807 0707", "STAY", "retreat 0807 0806", "STAY", "price 0807 RED 1", "b2")
	want(t, "two stay: one step from the two", o.at("b1", "b2", "b3"), "b1 0606/2, b2 0707/1, b3 0806/2")
	want(t, "who can pay", o.options("price 0807 RED 1"), "b2 b3")
}

// WB-95 5.3.4
func TestRetreatOverFriendsInEnemyZone(t *testing.T) {
	s := beaten(t, CombatResult{DRetreat: 1}, clearGround(15, 15), infAt("x", blue, 708), infAt("friend", blue, 808), infAt("b", red, 908))
	o := battleOf(t, s, "0708 WITH A; PURSUE NO", "combat 0708", "3 4", "combat 0808", "3 4", "retreat 0708 0708", "0708-0808")
	want(t, "on the friendly unit", o.at("x"), "x 0808/1")
	if strings.Contains(" "+o.options("retreat 0708 0708")+" ", " 0708-0807 ") {
		t.Error("5.3.3: a hex in the attacker's zone without friends is offered")
	}
}

// WB-95 5.3.3
// WB-95 5.3.5
// WB-95 5.3.6
func TestRetreatPathRules(t *testing.T) {
	has := func(o outcome, way string) bool {
		return strings.Contains(" "+o.options("retreat 0708 0708")+" ", " "+way+" ")
	}
	g := clearGround(15, 15)
	g.rows[8] = "......s........" // 0709
	s := beaten(t, CombatResult{DRetreat: 1}, g, tankAt("x", blue, 708))
	o := battleOf(t, s, "0708 WITH A", "combat 0708", "3 4")
	want(t, "closed ground", has(o, "0708-0709"), false)
	g = clearGround(15, 15)
	g.rivers = map[string]string{"big river": "0708/0709 0708/0809"}
	g.bridges = "0708/0809"
	s = beaten(t, CombatResult{DRetreat: 1}, g, infAt("x", blue, 708))
	o = battleOf(t, s, "0708 WITH A", "combat 0708", "3 4")
	want(t, "over a big river", has(o, "0708-0709"), false)
	want(t, "over its bridge", has(o, "0708-0809"), true)
	full := []piece{infAt("x", blue, 708), infAt("f1", blue, 709), infAt("f2", blue, 709), infAt("f3", blue, 709), infAt("f4", blue, 709)}
	s = beaten(t, CombatResult{DRetreat: 2}, clearGround(15, 15), full...)
	o = battleOf(t, s, "0708 WITH A", "combat 0708", "3 4", "retreat-test x 2", "1 1")
	want(t, "into a full hex", has(o, "0708-0709"), false)
	want(t, "through it", has(o, "0708-0709-0710"), true)
	s = beaten(t, CombatResult{DRetreat: 2}, clearGround(7, 9), infAt("x", blue, 708))
	o = battleOf(t, s, "0708 WITH A", "combat 0708", "3 4", "retreat-test x 2", "1 1")
	want(t, "not off the map", o.options("retreat 0708 0708"), "STAY 0708-0609 0708-0709 0708-0609-0508 0708-0609-0509")
}

// WB-95 5.3.7: a unit without a way pays; if it cannot, it is eliminated
func TestNoWayOut(t *testing.T) {
	ring := []piece{infAt("x", blue, 708).sp(2), infAt("r1", red, 607), infAt("r2", red, 609), infAt("r3", red, 710), infAt("r4", red, 809), infAt("r5", red, 807)}
	s := beaten(t, CombatResult{DRetreat: 3}, clearGround(15, 15), ring...)
	o := battleOf(t, s, "0708 WITH A, R1", "combat 0708", "3 4")
	want(t, "the unit", o.at("x"), "x gone")
	want(t, "nobody was asked where to", o.options("retreat 0708 0708"), "")
}

// WB-95 6.2.4
func TestGunsLeftBehind(t *testing.T) {
	place := func() *State {
		return beaten(t, CombatResult{DRetreat: 2}, clearGround(15, 15), infAt("x", blue, 708), gunAt("g", blue, 708))
	}
	attack := "0708 WITH A"
	o := battleOf(t, place(), attack, "combat 0708", "3 4", "retreat 0708 0708", "0708-0709-0710", "retreat-test x 2", "1 1")
	want(t, "a: the guns die in pursuit", o.at("a", "g", "x"), "a 0708/5, g gone, x 0710/2")
	o = battleOf(t, place(), attack, "combat 0708", "3 4", "retreat 0708 0708", "0708-0709", "price 0708 BLUE 1", "g")
	want(t, "b: the guns pay one", o.at("g", "x"), "g gone, x 0709/2")
	o = battleOf(t, place(), attack, "combat 0708", "3 4", "retreat 0708 0708", "STAY", "price 0708 BLUE 1", "g")
	want(t, "c: both pay one, the hex is held", o.at("a", "g", "x"), "a 0707/5, g gone, x 0708/1")
	o = battleOf(t, place(), attack, "combat 0708", "3 4", "retreat 0708 0708", "STAY", "price 0708 BLUE 1", "x", "price 0708 BLUE 2", "x")
	want(t, "killing the foot unit does not save the guns", o.at("a", "g", "x"), "a 0708/5, g gone, x gone")
}

// WB-95 5.3.7: orders and defaults
func TestRetreatDoctrine(t *testing.T) {
	place := func() *State {
		return beaten(t, CombatResult{DRetreat: 2}, clearGround(15, 15), infAt("x", blue, 708).sp(1, 1, 1, 4), infAt("y", blue, 708).sp(1, 1, 1, 4))
	}
	for _, c := range []struct {
		standing, where string
		tests           int
		skipped         bool
	}{
		{"", "x 0908/4, y 0908/4", 1, false}, // the default: the whole way, toward its own supply
		{"ALL HOLD", "x 0708/3, y 0708/3", 0, false},
		{"ALL HOLD PAY 1", "x 0908/4, y 0908/4", 1, true},
		{"AT 0708 RETREAT 1 TOWARD 0715\nALL HOLD", "x 0709/3, y 0709/4", 0, false},
		{"X HOLD", "x 0708/2, y 0908/4", 1, false},
	} {
		var pairs []string
		if c.tests > 0 {
			pairs = []string{"retreat-test x 2", "1 1"}
			if c.standing == "X HOLD" {
				pairs[0] = "retreat-test y 2"
			}
		}
		if c.standing != "" {
			pairs = append(pairs, "standing BLUE", c.standing)
		}
		o := battleOf(t, place(), "0708 WITH A; PURSUE NO", append(pairs, "combat 0708", "3 4")...)
		want(t, c.standing, o.at("x", "y"), c.where)
		want(t, c.standing+": skipped", strings.Contains(o.kinds(), "standing-skipped"), c.skipped)
		for _, e := range o.events {
			if (e.Kind == "combat-choice" || e.Kind == "standing-skipped") && len(e.To) != 1 {
				t.Errorf("%s is told to %v", e.Kind, e.To)
			}
		}
	}
}

// WB-95 5.3.7: what the default does
func TestDefaultRetreat(t *testing.T) {
	town := clearGround(15, 15)
	town.places = []board.Place{{Name: "Liptsy", Hexes: []hex.Hex{708}, Size: "town"}}
	o := battleOf(t, beaten(t, CombatResult{DRetreat: 1}, town, infAt("x", blue, 708)), "0708 WITH A", "combat 0708", "3 4")
	want(t, "a town is held for one step", o.at("x"), "x 0708/1")
	o = battleOf(t, beaten(t, CombatResult{DRetreat: 1}, town, infAt("x", blue, 708).sp(4)), "0708 WITH A; PURSUE NO", "combat 0708", "3 4")
	want(t, "but not with the last one", o.at("x"), "x 0809/1")
	o = battleOf(t, beaten(t, CombatResult{DRetreat: 2}, town, infAt("x", blue, 708)), "0708 WITH A; PURSUE NO", "combat 0708", "3 4", "retreat-test x 2", "1 1")
	want(t, "and not for two", o.at("x"), "x 0908/2")
	forest := clearGround(15, 15)
	forest.rows[8] = "......f........"
	o = battleOf(t, beaten(t, CombatResult{DRetreat: 1}, forest, infAt("x", blue, 708)), "0708 WITH A; PURSUE NO", "combat 0708", "3 4")
	want(t, "into the forest", o.at("x"), "x 0709/2")
	s := beaten(t, CombatResult{DRetreat: 1}, forest, infAt("x", blue, 708), infAt("z", blue, 809))
	s.setFort(809, FF, blue)
	o = battleOf(t, s, "0708 WITH A; PURSUE NO", "combat 0708", "3 4")
	want(t, "rather into own works", o.at("x"), "x 0809/2")
}

// WB-95 5.3.7: where the ground parts a stack, the default splits it only if that costs less
func TestDefaultSplits(t *testing.T) {
	g := clearGround(15, 15)
	g.rows[8] = "......s........" // 0709 swamps
	ring := []piece{infAt("x", blue, 708), infAt("b", red, 608), infAt("c", red, 909)}
	o := battleOf(t, beaten(t, CombatResult{DRetreat: 1}, g, append(ring, tankAt("y", blue, 708))...), "0708 WITH A, B; PURSUE NO", "combat 0708", "3 4")
	want(t, "one step for both, as for one", o.at("x", "y"), "x 0708/1, y 0708/2")
	s := beaten(t, CombatResult{DRetreat: 2}, g, append(ring, infAt("y", blue, 708).sp(3), infAt("y2", blue, 709), infAt("y3", blue, 709), infAt("y4", blue, 709), infAt("y5", blue, 709).sp(3))...)
	o = battleOf(t, s, "0708 WITH A, B; PURSUE NO", "combat 0708", "3 4", "retreat-test x 2", "1 1")
	want(t, "a full hex is passed", o.at("x", "y"), "x 0710/2, y 0710/1")
}

// A reply that is still to come stops the phase; with it the phase goes on from its journal.
func TestPhaseWaitsForAReply(t *testing.T) {
	s := beaten(t, CombatResult{DRetreat: 1}, clearGround(15, 15), infAt("x", blue, 708))
	ask := &waits{script: script{answers: map[string]string{"attack": "0708 WITH A; PURSUE NO"}, dice: map[string][]int{"combat 0708": {3, 4}}, used: map[string]bool{}}}
	first, err := adjudicator.Play(s.clone(), combatPhase, nil, ask, ask)
	if err != nil || len(first.Pending) != 1 || first.Pending[0].Label != "retreat 0708 0708" {
		t.Fatalf("%v, %v", first.Pending, err)
	}
	ask.reply = "0708-0809"
	second, err := adjudicator.Play(s.clone(), combatPhase, first.Journal, ask, ask)
	if err != nil || len(second.Pending) != 0 {
		t.Fatalf("%v, %v", second.Pending, err)
	}
	want(t, "the reply", second.State.unit("x").Hex, hx(809))
}

// waits answers retreats only when it has a reply.
type waits struct {
	script
	reply string
}

func (w *waits) Answer(d adjudicator.Decision) (string, string, bool) {
	if d.Kind == kindRetreat {
		return w.reply, "reply", w.reply != ""
	}
	return w.script.Answer(d)
}

// Units that fall back onto another hex of their combat have retreated: when that
// hex's turn comes they stay.
func TestNobodyRetreatsTwice(t *testing.T) {
	s := arena(t, clearGround(12, 12), infAt("a", red, 605).sp(1, 2, 3, 4), infAt("b", red, 706).sp(1, 2, 3, 4), infAt("c", red, 705).sp(1, 2, 3, 4), infAt("x", blue, 606))
	s.sc.Combat = always(CombatResult{ARetreat: 2, Text: "A2 / -"})
	p := &script{answers: map[string]string{"attack": "0606 WITH A, B, C"}, dice: map[string][]int{"combat 0606": {3, 4}}, used: map[string]bool{}}
	onto := ""
	answer := answererFunc(func(d adjudicator.Decision) (string, string, bool) {
		if d.Label == "retreat 0606 0605" {
			for _, o := range d.Options {
				if strings.HasSuffix(o.Answer, "-0706") {
					onto = o.Answer
					return onto, "test", true
				}
			}
		}
		return p.Answer(d)
	})
	dice := diceFunc(func(label string, count, sides int) ([]int, []byte, error) {
		if strings.HasPrefix(label, "retreat-test") {
			return []int{1, 1}, nil, nil
		}
		return p.Throw(label, count, sides)
	})
	o := playAudited(t, s, dice, answer)
	if onto == "" {
		t.Fatal("no way for a leads onto the hex of b")
	}
	want(t, "a", o.unit("a").Hex, hx(706))
	if h := o.unit("b").Hex; h == 706 {
		t.Error("b has not retreated")
	}
}

type answererFunc func(adjudicator.Decision) (string, string, bool)

func (f answererFunc) Answer(d adjudicator.Decision) (string, string, bool) { return f(d) }

type diceFunc func(string, int, int) ([]int, []byte, error)

func (f diceFunc) Throw(label string, count, sides int) ([]int, []byte, error) {
	return f(label, count, sides)
}
