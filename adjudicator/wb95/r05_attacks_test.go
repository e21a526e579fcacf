package wb95

import (
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/phrase"
)

// dutiesOf writes the duties of RED: units, then hexes.
func dutiesOf(s *State) string {
	bound, due := s.duties(s.mover())
	return names(bound) + " | " + list(due)
}

// WB-95 5.1.3
// WB-95 5.1.4
func TestDuties(t *testing.T) {
	plain := clearGround(8, 8)
	for _, c := range []struct {
		name string
		s    *State
		want string
	}{
		{"side by side", arena(t, plain, infAt("a", red, 303), infAt("x", blue, 304)), "a | 0304"},
		{"two apart", arena(t, plain, infAt("a", red, 303), infAt("x", blue, 305)), " | "},
		{"guns and headquarters neither bind nor are bound", arena(t, plain, gunAt("g", red, 303), staffAt("hq", red, 303), infAt("x", blue, 304)), " | "},
		{"nor do they make a hex due", arena(t, plain, infAt("a", red, 303), gunAt("g", blue, 304)), " | "},
		{"unsupplied and disorganized units are bound", arena(t, plain, infAt("a", red, 303).oos(3).shaken(), infAt("x", blue, 304)), "a | 0304"},
	} {
		want(t, c.name, dutiesOf(c.s), c.want)
	}
	s := arena(t, plain, infAt("a", red, 303), infAt("x", blue, 304))
	s.setFort(303, FF, red)
	want(t, "7.1.11: fortified", dutiesOf(s), " | ")
}

// WB-95 5.1.5 a: who enters a zone is bound and the enemy due, not against each other
func TestExample515a(t *testing.T) {
	s := arena(t, clearGround(8, 8), tankAt("us", red, 303), infAt("b", red, 305), infAt("de", blue, 304), infAt("de2", blue, 203))
	want(t, "duties", dutiesOf(s), "b, us | 0203, 0304")
	o := battleOf(t, s, "1: 0203 WITH US\n2: 0304 WITH B", "combat 0203", "3 4", "combat 0304", "3 4")
	want(t, "no attack was added", strings.Contains(o.kinds(), "attack-added"), false)
}

// WB-95 5.1.5 b: a zone that ends at a swamp binds one side only
func TestExample515b(t *testing.T) {
	g := clearGround(6, 6)
	g.rows[3] = "..s..."
	cav := newPiece("cav", blue, CAV, Foot, 6, 2, 304)
	s := arena(t, g, tankAt("mech", red, 303), cav)
	want(t, "the Soviets' turn", dutiesOf(s), "mech | 0304")
	s.Phase = 10
	want(t, "the Axis' turn", dutiesOf(s), " | ")
}

// example515c: A and B face 1, 2 and 3; 2 and 3 are dug in; 1 is also in B's zone.
func example515c(t *testing.T) *State {
	s := arena(t, clearGround(8, 8), infAt("1", red, 403), infAt("2", red, 302), infAt("3", red, 204), infAt("a", blue, 303), infAt("b", blue, 503))
	s.setFort(302, FF, red)
	s.setFort(204, FF, red)
	return s
}

// WB-95 5.1.5 c
func TestExample515c(t *testing.T) {
	s := example515c(t)
	want(t, "duties", dutiesOf(s), "1 | 0303, 0503")
	for _, c := range []struct {
		orders string
		legal  bool
	}{
		{"0303, 0503 WITH 1", true},
		{"0503 WITH 1\n0303 WITH 2", true},
		{"0503 WITH 1\n0303 WITH 3", true},
		{"0503 WITH 1\n0303 WITH 2, 3", true},
		{"0503 WITH 1", false},
		{"0303, 0503 WITH 1, 2", false},
	} {
		var given []attackOrder
		for _, l := range phrase.Lines(c.orders) {
			o, v := s.parseAttack(red, phrase.Read(l))
			if v != nil {
				t.Fatal(v)
			}
			given = append(given, o)
		}
		legal, refused, missing, _ := s.judgeAttacks(given)
		whole := len(legal) == len(given) && len(missing) == 0
		want(t, c.orders, whole, c.legal)
		for i, v := range refused {
			if v != nil && c.legal {
				t.Errorf("%s: %s refused: %v", c.orders, given[i].text, v)
			}
		}
	}
}

// WB-95 5.1.1
// WB-95 5.1.2
// WB-95 5.1.5
// WB-95 5.1.10
func TestRefusals(t *testing.T) {
	s := arena(t, clearGround(8, 8), infAt("a", red, 303), infAt("b", red, 205), infAt("c", red, 707), gunAt("g", red, 303), staffAt("hq", red, 303),
		infAt("x", blue, 304), infAt("y", blue, 204))
	for _, c := range []struct{ orders, clause string }{
		{"0505 WITH A", "WB-95 5.1.2"},
		{"0304 WITH C", "WB-95 5.1.2"},
		{"0304 WITH G", "WB-95 5.1.10"},
		{"0304 WITH HQ", "WB-95 5.1.2"},
		{"0304 WITH A\n0204 WITH A", "WB-95 5.1.1"},
		{"0304 WITH A\n0304 WITH B", "WB-95 5.1.1"},
		{"0304, 0204 WITH A, B", "WB-95 5.1.5"},
	} {
		var given []attackOrder
		for _, l := range phrase.Lines(c.orders) {
			o, v := s.parseAttack(red, phrase.Read(l))
			if v != nil {
				t.Fatal(v)
			}
			given = append(given, o)
		}
		_, refused, _, _ := s.judgeAttacks(given)
		v := refused[len(refused)-1]
		if v == nil || string(v.Clause) != c.clause {
			t.Errorf("%s: %v, want %s", c.orders, v, c.clause)
		}
	}
}

// WB-95 5.1.7: what is due and not ordered is added, and the player is told
func TestRulesMadeAttack(t *testing.T) {
	s := arena(t, clearGround(8, 8), infAt("a", red, 303), infAt("x", blue, 304))
	_, _, missing, _ := s.judgeAttacks(nil)
	want(t, "the warning", said(missing), "0304 must be attacked. If you leave it, the rules attack it with a at 1:1 (5.1.4)")
	want(t, "a second look", missing[0].Doubt, true)
	o := battleOf(t, s, "", "combat 0304", "3 4")
	want(t, "events", o.kinds(), "attack-added combat combat-loss combat-loss")
	want(t, "told", o.fact("attack-added", "what"), "0304 must be attacked (5.1.4): attacked with a at 1:1")
}

// WB-95 5.1.6: conditions; what is due is made up for in the end
func TestConditions(t *testing.T) {
	orders := "1: 0304 WITH A\n2: 0604 WITH B; IF 1 WON\n3: 0804 WITH C; MIN 3:1"
	place := func() *State {
		return arena(t, clearGround(9, 9), infAt("a", red, 303), infAt("x", blue, 304), infAt("b", red, 603), infAt("y", blue, 604), infAt("c", red, 903), infAt("z", blue, 804))
	}
	// Attack 1 loses (1:1, 9): 2 and 3 are called off, and made because they are due.
	o := battleOf(t, place(), orders, "combat 0304", "4 5", "combat 0604", "4 5", "combat 0804", "4 5")
	want(t, "beaten", o.kinds(), "combat combat-loss attack-off attack-off attack-added attack-added combat combat-loss combat combat-loss")
	// Attack 1 wins (1:1, 6): 2 is fought as ordered.
	o = battleOf(t, place(), orders, "combat 0304", "3 3", "combat 0604", "4 5", "combat 0804", "4 5")
	want(t, "won", o.kinds(), "combat combat-retreat combat-pursuit combat combat-loss attack-off attack-added combat combat-loss")
}

// judged reads and judges orders of RED.
func judged(t *testing.T, s *State, orders string) (legal []attackOrder, missing string) {
	var given []attackOrder
	for _, l := range phrase.Lines(orders) {
		o, v := s.parseAttack(red, phrase.Read(l))
		if v != nil {
			t.Fatal(v)
		}
		given = append(given, o)
	}
	legal, _, list, _ := s.judgeAttacks(given)
	return legal, said(list)
}

// said are remarks on a sheet in one line.
func said(remarks []adjudicator.Line) string {
	var all []string
	for _, r := range remarks {
		all = append(all, r.Warning)
	}
	return strings.Join(all, "; ")
}

// What the check of a sheet says on receipt.
func TestJudgement(t *testing.T) {
	s := arena(t, clearGround(8, 8), infAt("a", red, 303).sp(1, 7), infAt("c", red, 707), infAt("x", blue, 304), infAt("y", blue, 204))
	legal, missing := judged(t, s, "1: 0304, 0204 WITH A, C")
	want(t, "who cannot take part falls away", len(legal[0].units), 1)
	want(t, "and is named", missing, "attack 1 goes on without this: c on 0707 is not adjacent to 0204 (5.1.2)")
	_, missing = judged(t, s, "1: 0304 WITH A")
	want(t, "a due hex", missing, "0204 must be attacked. If you leave it, the rules add it to attack 1, then at 1:1 (5.1.4)")
	_, missing = judged(t, s, "1: 0304, 0204 WITH A; MIN 3:1")
	want(t, "a condition", missing, "should a condition fail: 0204, 0304 must be attacked. If you leave it, the rules attack it with a at 1:1 (5.1.4)")
	o := s.odds(red, legal[0].units, legal[0].targets)
	want(t, "in words", o.String(), "7 against about 8: 1:1; they retreat 42 %, lose a step 33 %, we lose a step 53 %, fall back 17 %")
}
