package wb95

import (
	"fmt"
	"strings"
	"testing"

	"fieldpost/adjudicator/phrase"
)

// cannon is a gun with two values.
func cannon(name string, side Side, at int, attack, defence int) piece {
	p := gunAt(name, side, hx(at))
	p.c.Strength, p.c.Defence = []int{attack}, []int{defence}
	return p
}

// starred gives a piece stars.
func (p piece) starred(stars ...Star) piece { p.c.Stars = stars; return p }

// order reads an attack order of RED and weighs it as its side sees it.
func weighed(t testing.TB, s *State, text string) summary {
	t.Helper()
	o, v := s.parseAttack(red, phrase.Read(strings.ToUpper(text)))
	if v != nil {
		t.Fatal(v)
	}
	p := &plan{s: s, side: red}
	kept, fell, v := p.declare(o)
	if v != nil || len(fell) > 0 {
		t.Fatal(v, fell)
	}
	return s.weighOrder(red, kept, false)
}

// WB-95 6.6.3: the book's example
func TestExample663(t *testing.T) {
	place := func(more ...piece) *State {
		return arena(t, clearGround(8, 8), append(more, infAt("a", red, 304).sp(2, 6), newPiece("cav", blue, CAV, Foot, 6, 2, 305).sp(2, 5),
			cannon("g1", blue, 205, 5, 3), cannon("g2", blue, 205, 5, 3))...)
	}
	want(t, "cavalry and a hex of guns", weighed(t, place(), "0305, 0205 WITH a").defence, 6)
	want(t, "a regular unit beside the guns", weighed(t, place(infAt("r", blue, 205).sp(1, 2)), "0305, 0205 WITH a").defence, 5+2+6)
	s := arena(t, clearGround(8, 8), newPiece("cav", red, CAV, Foot, 6, 2, 304).sp(2, 5), cannon("g1", red, 204, 5, 3), cannon("g2", red, 204, 5, 3), infAt("x", blue, 305))
	o := weighed(t, s, "0305 WITH cav; ART g1, g2")
	want(t, "in attack", o.attack, 15)
	want(t, "told as", o.attackTold(), "5 + 10 guns")
}

// WB-95 6.3.1
// WB-95 6.3.2
// WB-95 6.1.4
func TestWhoSupportsAnAttack(t *testing.T) {
	far := func(n int) piece { return cannon("g", red, 302-n, 5, 3) }
	for _, c := range []struct {
		name   string
		gun    piece
		text   string
		clause string
	}{
		{"three hexes behind the attackers, four from the enemy", cannon("g", red, 301, 5, 3), "0305 WITH a; ART g", ""},
		{"four hexes behind them", cannon("g", red, 801, 5, 3), "0305 WITH a; ART g", "6.1.2"},
		{"in transport set-up", cannon("g", red, 303, 5, 3).limbered(), "0305 WITH a; ART g", "6.3.1"},
		{"after a barrage", func() piece { p := far(0); p.u.Barraged = 1; return p }(), "0305 WITH a; ART g", "6.5.6"},
		{"having fired", func() piece { p := far(0); p.u.Fired = true; return p }(), "0305 WITH a; ART g", "6.1.4"},
	} {
		s := arena(t, clearGround(9, 9), infAt("a", red, 304), infAt("x", blue, 305), c.gun)
		o, v := s.parseAttack(red, phrase.Read(strings.ToUpper(c.text)))
		if v != nil {
			t.Fatal(v)
		}
		kept, fell, _ := (&plan{s: s, side: red}).declare(o)
		if c.clause == "" && (len(fell) > 0 || len(kept.art) != 1) || c.clause != "" && (len(fell) != 1 || len(kept.art) != 0) {
			t.Errorf("a gun %s: %v", c.name, fell)
		}
	}
	s := arena(t, clearGround(9, 9), infAt("a", red, 304), infAt("b", red, 604), infAt("x", blue, 305), infAt("y", blue, 605), cannon("g", red, 403, 5, 3))
	s.sc.Combat = always(CombatResult{})
	o := battleOf(t, s, "1: 0305 WITH A; ART G\n2: 0605 WITH B; ART G; PURSUE NO", "combat 0305", "3 3", "combat 0605", "3 3")
	want(t, "one combat for a gun", strings.Count(o.kinds(), "attack-part"), 1)
	want(t, "nobody stays marked", o.unit("g").Fired, false)
	if _, v := s.parseAttack(red, phrase.Read("0305 WITH A; ART B")); v == nil || v.Clause != "WB-95 6.3.1" {
		t.Errorf("infantry as a gun: %v", v)
	}
}

// WB-95 6.3.4
// WB-95 6.3.5
// WB-95 5.6.3: the attackers disorganize, guns two hexes away do not, guns beside the enemy do
func TestExample563(t *testing.T) {
	for _, c := range []struct {
		at   int
		hurt bool
	}{{303, false}, {205, true}} {
		s := arena(t, clearGround(8, 8), infAt("a", red, 304), cannon("g", red, c.at, 5, 3), infAt("x", blue, 305))
		s.sc.Combat = always(CombatResult{ATest: true})
		o := battleOf(t, s, "0305 WITH A; ART G", "combat 0305", "1 2", "attack-test 0305", "6 6")
		want(t, fmt.Sprint("a gun on ", c.at), o.unit("g").disorganized(), c.hurt)
		s.sc.Combat = always(CombatResult{ALoss: 1})
		pairs := []string{"combat 0305", "1 2"}
		if c.hurt {
			pairs = append(pairs, "loss 0305 RED 1", "g")
		}
		o = battleOf(t, s, "0305 WITH A; ART G", pairs...)
		want(t, fmt.Sprint("a loss of the gun on ", c.at), o.unit("g").Where == Gone, c.hurt)
	}
}

// WB-95 6.2.4: the book's example
func TestExample624(t *testing.T) {
	feed := func(pairs ...string) outcome {
		s := arena(t, clearGround(12, 12), infAt("a", red, 605).sp(3, 6), infAt("x", blue, 606).sp(2, 4), cannon("g", blue, 606, 5, 3))
		s.sc.Combat = always(CombatResult{DRetreat: 2})
		return battleOf(t, s, "0606 WITH A; PURSUE FULL", append([]string{"combat 0606", "1 2"}, pairs...)...)
	}
	o := feed("retreat 0606 0606", "0606-0607-0608", "retreat-test x 2", "1 1")
	want(t, "a) infantry goes, the guns die in pursuit", o.at("x", "g"), "x 0608/2, g gone")
	o = feed("retreat 0606 0606", "0606-0607", "price 0606 BLUE 1", "g")
	want(t, "b) the guns pay, infantry goes one hex", o.at("x", "g"), "x 0607/2, g gone")
	o = feed("retreat 0606 0606", "STAY", "price 0606 BLUE 1", "g")
	want(t, "c) both pay and hold", o.at("a", "x", "g"), "a 0605/2, x 0606/1, g gone")
}

// WB-95 6.3.3
// WB-95 6.6.1
func TestGunsInDefence(t *testing.T) {
	place := func() *State {
		return arena(t, clearGround(12, 12), infAt("a", red, 605).sp(4, 8), infAt("x", blue, 606).sp(2, 4),
			cannon("near", blue, 608, 5, 3), cannon("next", blue, 609, 5, 3), cannon("away", blue, 610, 5, 3))
	}
	s := place()
	s.sc.Combat = always(CombatResult{})
	o := battleOf(t, s, "0606 WITH A", "combat 0606", "1 2")
	want(t, "8:4 is 2:1, with one gun 1:1, with both the same", o.fact("combat", "defence"), "4 + 3 guns")
	want(t, "the nearest fires", o.fact("combat", "gunsD"), "near 3 on 0608")
	want(t, "who may be chosen", o.options("support 0606"), "NONE near next near, next")
	want(t, "asked of", o.asked[3].Side, blue)
	o = battleOf(t, s, "0606 WITH A", "combat 0606", "1 2", "support 0606", "near, next")
	want(t, "both", o.fact("combat", "defence"), "4 + 6 guns")
	for _, c := range []struct{ standing, defence string }{
		{"ART SUPPORT NO", "4"}, {"ART SUPPORT ALL", "4 + 6 guns"}, {"ART SUPPORT ALL, KEEP 1", "4 + 3 guns"},
		{"ART SUPPORT DEFENCE WITHIN 2 OF VITAL, KEEP 1", "4"},
		{"ART SUPPORT DEFENCE WITHIN 2 OF VITAL, KEEP 1\nAT 0607 VITAL", "4 + 3 guns"},
		{"ART SUPPORT ALL WITHIN 1 OF 0607", "4 + 6 guns"}, {"ART SUPPORT ALL WITHIN 1 OF 0609", "4"},
	} {
		o = battleOf(t, s.clone(), "0606 WITH A", "combat 0606", "1 2", "standing BLUE", c.standing)
		want(t, c.standing, o.fact("combat", "defence"), c.defence)
	}
}

// WB-95 6.4.6
// WB-95 5.6.4
func TestDisorganizedGunsSupportWithHalf(t *testing.T) {
	s := arena(t, clearGround(12, 12), infAt("a", red, 605).sp(4, 8), infAt("x", blue, 606).sp(2, 4), cannon("g", blue, 608, 5, 3).shaken())
	s.sc.Combat = always(CombatResult{})
	o := battleOf(t, s, "0606 WITH A", "combat 0606", "1 2", "support 0606", "g")
	want(t, "half of 3", o.fact("combat", "defence"), "4 + 2 guns")
	want(t, "firing begins its rest anew", o.unit("g").Disorganized, Clock{1, 4})
}

// WB-95 13.1.5
func TestOrganicGunsConcentrate(t *testing.T) {
	s := arena(t, clearGround(12, 12), tankAt("a", red, 605).of("3 ARM"), tankAt("b", red, 605).of("3 ARM"), cannon("g", red, 603, 5, 3).of("3 ARM"), infAt("x", blue, 606))
	want(t, "two tank units and their guns", weighed(t, s, "0606 WITH a, b; ART g").shifts(), "concentration of 3 ARM +1")
}

// WB-95 6.6.5
func TestSelfPropelledGuns(t *testing.T) {
	sp := func(name string, side Side, at int) piece {
		p := newPiece(name, side, ART, Tracked, 7, 1, hx(at))
		p.c.SelfPro, p.c.Strength, p.c.Defence = true, []int{4}, []int{2}
		return p
	}
	s := arena(t, clearGround(12, 12), infAt("a", red, 605).sp(2, 4), sp("s", red, 603), infAt("x", blue, 606))
	want(t, "supports without a set-up", weighed(t, s, "0606 WITH a; ART s").attack, 8)
	s = arena(t, clearGround(12, 12), sp("s", red, 605), infAt("x", blue, 606))
	bound, _ := s.duties(red)
	want(t, "is bound in a zone", len(bound), 1)
	s = arena(t, clearGround(12, 12), infAt("a", red, 605), sp("s", blue, 606))
	want(t, "defends with its own strength, without a regular unit", weighed(t, s, "0606 WITH a").defence, 2)
}
