package wb95

import (
	"strings"
	"testing"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
)

// routesOf are the ways that a unit was offered.
func (o outcome) routesOf(label string) []string { return strings.Fields(o.options(label)) }

// WB-95 5.4.2
// WB-95 5.4.4
// WB-95 5.4.5
// WB-95 5.4.6
func TestPursuit(t *testing.T) {
	s := beaten(t, CombatResult{DRetreat: 4}, clearGround(15, 15), infAt("x", blue, 708).sp(1, 1, 3), infAt("z", blue, 610))
	o := battleOf(t, s, "0708 WITH A; PURSUE FULL", "combat 0708", "3 4", "retreat 0708 0708", "0708-0709-0710-0711",
		"retreat-test x 2", "1 1", "retreat-test x 3", "1 1")
	want(t, "D4, retreated 3: up to 3 hexes, the emptied one first", o.at("a"), "a 0710/5")
	for _, r := range o.routesOf("pursuit 0708 a")[1:] {
		if !strings.HasPrefix(r, "0708") || len(strings.Split(r, "-")) > 3 {
			t.Errorf("route %s", r)
		}
	}
	want(t, "a step aside from the path", strings.Contains(o.options("pursuit 0708 a"), "0708-0709-0809"), true)
	want(t, "two steps aside", strings.Contains(o.options("pursuit 0708 a"), "0708-0808-"), false)
	want(t, "no enemy hex", strings.Contains(o.options("pursuit 0708 a"), "0610"), false)
}

// WB-95 5.4.1: a defender follows a beaten attacker, by default only into an objective
func TestDefenderPursues(t *testing.T) {
	s := beaten(t, CombatResult{ARetreat: 1}, clearGround(15, 15), infAt("x", blue, 708))
	o := battleOf(t, s, "0708 WITH A", "combat 0708", "3 4")
	want(t, "it stays", o.at("x"), "x 0708/2")
	o = battleOf(t, s, "0708 WITH A", "combat 0708", "3 4", "standing BLUE", "ALL PURSUE OCCUPY")
	want(t, "by order", o.at("x"), "x 0707/2")
	s.sc.Objectives = []Objective{{Hex: 707, Name: "Hill", Points: 1}}
	o = battleOf(t, s, "0708 WITH A", "combat 0708", "3 4", "retreat 0708 0707", "0707-0706")
	want(t, "for an objective", o.at("x"), "x 0707/2")
}

// WB-95 5.4.7
// WB-95 5.4.8
// WB-95 5.4.9
func TestPursuitOverRiversAndClosedGround(t *testing.T) {
	g := clearGround(15, 15)
	g.rivers = map[string]string{"big river": "0707/0708"}
	s := beaten(t, CombatResult{DRetreat: 3}, g, infAt("x", blue, 708), infAt("b", red, 608))
	o := battleOf(t, s, "0708 WITH A, B; PURSUE FULL WITH A, B", "combat 0708", "3 4", "retreat 0708 0708", "0708-0709-0710-0711", "retreat-test x 2", "1 1", "retreat-test x 3", "1 1")
	want(t, "it stops behind the river", o.at("a", "b"), "a 0708/5, b 0710/2")
	g = clearGround(15, 15)
	g.rows[7] = "......s........"
	s = beaten(t, CombatResult{DRetreat: 1}, g, infAt("x", blue, 708), tankAt("b", red, 807))
	o = battleOf(t, s, "0708 WITH A, B; PURSUE FULL WITH A, B", "combat 0708", "3 4")
	want(t, "closed ground", o.at("a", "b"), "a 0708/5, b 0807/2")
}

// WB-95 5.4.10
func TestAdvanceAfterElimination(t *testing.T) {
	s := beaten(t, CombatResult{DLoss: 1}, clearGround(15, 15), infAt("x", blue, 708).sp(2))
	o := battleOf(t, s, "0708 WITH A", "combat 0708", "3 4")
	want(t, "the default enters the hex", o.at("a"), "a 0708/5")
	want(t, "and may go one farther", len(o.routesOf("pursuit 0708 a")), 1+1+5)
	o = battleOf(t, s, "0708 WITH A; PURSUE OCCUPY TOWARD 0715; ADVANCE", "combat 0708", "3 4")
	want(t, "by order", o.at("a"), "a 0709/5")
	s = beaten(t, CombatResult{DLoss: 1}, clearGround(15, 15), infAt("x", blue, 708).sp(2), infAt("z", blue, 809))
	o = battleOf(t, s, "0708 WITH A; ADVANCE", "combat 0708", "3 4")
	want(t, "it stops in an enemy zone", strings.Join(o.routesOf("pursuit 0708 a"), " "), "NO 0708")
}

// WB-95 5.4.3
func TestOnePathOfSeveral(t *testing.T) {
	s := beaten(t, CombatResult{DRetreat: 1}, clearGround(15, 15), infAt("x", blue, 708), infAt("y", blue, 708))
	o := battleOf(t, s, "0708 WITH A", "combat 0708", "3 4", "retreat 0708 0708", "SPLIT", "retreat 0708 x", "0708-0709", "retreat 0708 y", "0708-0809")
	want(t, "the paths", o.options("pursuit 0708"), "NO 0708-0709 0708-0809")
}

// WB-95 5.4.1: a headquarters goes only where a unit of the combat went
// WB-95 3.2.1
func TestPursuitOfStacksAndHeadquarters(t *testing.T) {
	place := func() *State {
		return beaten(t, CombatResult{DRetreat: 1}, clearGround(15, 15), infAt("x", blue, 708), staffAt("hq", red, 707),
			infAt("b", red, 707), infAt("c", red, 707))
	}
	attack := "0708 WITH A, B, C"
	o := battleOf(t, place(), attack+"; PURSUE OCCUPY WITH A, HQ", "combat 0708", "3 4")
	want(t, "with its unit", o.at("a", "b", "hq"), "a 0708/5, b 0707/2, hq 0708/1")
	o = battleOf(t, place(), attack+"; PURSUE OCCUPY WITH HQ", "combat 0708", "3 4")
	want(t, "not alone", o.at("a", "hq"), "a 0707/5, hq 0707/1")
	o = battleOf(t, place(), attack+"; PURSUE OCCUPY WITH A, B, C", "combat 0708", "3 4")
	want(t, "eight steps at most", o.at("a", "b", "c"), "a 0708/5, b 0708/2, c 0707/2")
}

// WB-95 5.4.1: by default no vital hex is left empty
func TestDefaultPursuitHoldsTowns(t *testing.T) {
	g := clearGround(15, 15)
	g.places = []board.Place{{Name: "Volchansk", Hexes: []hex.Hex{707}, Size: "town"}}
	s := beaten(t, CombatResult{DRetreat: 1}, g, infAt("x", blue, 708))
	o := battleOf(t, s, "0708 WITH A", "combat 0708", "3 4")
	want(t, "the town is kept", o.at("a"), "a 0707/5")
}
