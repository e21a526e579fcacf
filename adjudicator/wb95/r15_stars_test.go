package wb95

import (
	"fmt"
	"testing"
)

// WB-95 5.2.1: the book's example with its black star
func TestExample521WithItsStar(t *testing.T) {
	g := clearGround(12, 12)
	g.rows[5] = "....fff....." // row 06
	arm := func(name string, sp int, stars ...Star) piece {
		return tankAt(name, red, 605).sp(1, sp).of("3 ARM").starred(stars...)
	}
	cav := func(name string) piece {
		return newPiece(name, blue, CAV, Foot, 6, 2, 606).sp(2, 4).morale(10)
	}
	s := arena(t, g, arm("a", 7, Black), arm("b", 5), arm("c", 5), cav("x"), cav("y"))
	o := weighed(t, s, "0606 WITH a, b, c; STARS yes")
	want(t, "sums", fmt.Sprintf("%d:%d %s -> %s", o.attack, o.defence, o.ratio, o.final), "17:8 2:1 -> 3:1")
	want(t, "without", weighed(t, s, "0606 WITH a, b, c; STARS no").final, "2:1")
	want(t, "an order that says nothing", weighed(t, s, "0606 WITH a, b, c").final, "3:1")
	// WB-95 15.1.7
	s.sc.Combat = always(CombatResult{ALoss: 1})
	want(t, "the user of the star pays", battleOf(t, s, "0606 WITH A, B, C; LOSSES C FIRST", "combat 0606", "1 2").at("a", "b", "c"), "a 0605/1, b 0605/2, c 0605/2")
	want(t, "who uses none chooses", battleOf(t, s, "0606 WITH A, B, C; LOSSES C FIRST; STARS NO", "combat 0606", "1 2").at("a", "b", "c"), "a 0605/2, b 0605/2, c 0605/1")
	s.sc.Combat = always(CombatResult{ALoss: 2})
	want(t, "the second step is free", battleOf(t, s, "0606 WITH A, B, C; LOSSES C FIRST", "combat 0606", "1 2").at("a", "b", "c"), "a 0605/1, b 0605/2, c 0605/1")
}

// WB-95 15.1.2
// WB-95 15.1.3
// WB-95 15.1.4
// WB-95 15.1.5
// WB-95 15.1.6
func TestStars(t *testing.T) {
	for _, c := range []struct {
		name   string
		a, d   []Star
		change func(s *State)
		sum    string // modifiers of both sides
	}{
		{"black attacks", []Star{Black}, nil, nil, "1 0"},
		{"black defends", nil, []Star{Black}, nil, "0 1"},
		{"two black", []Star{Black, Black}, nil, nil, "2 0"},
		{"both black", []Star{Black}, []Star{Black}, nil, "1 1"},
		{"black against works", []Star{Black}, []Star{Black}, func(s *State) { s.setFort(606, FF, blue) }, "0 1"},
		{"white without tanks against it", []Star{White}, nil, nil, "0 0"},
		{"white against tanks", []Star{White}, nil, func(s *State) { s.unit("x").c.Type = ARM }, "1 0"},
		{"white against armoured cars", []Star{White}, nil, func(s *State) { s.unit("x").c.Type, s.unit("x").c.Class = REC, Trucked }, "1 0"},
		{"white puts out black", []Star{Black}, []Star{White}, func(s *State) { s.unit("a").c.Class = Tracked }, "0 1"},
		{"white in attack puts out black", []Star{White}, []Star{Black}, func(s *State) { s.unit("x").c.Class = Tracked }, "1 0"},
		{"white with nothing to act on puts out nothing", []Star{Black}, []Star{White}, nil, "1 0"},
		{"yellow attacks", []Star{Yellow}, nil, nil, "1 0"},
		{"yellow attacks works", []Star{Yellow}, nil, func(s *State) { s.setFort(606, FF, blue) }, "1 0"},
		{"yellow does not defend", nil, []Star{Yellow}, nil, "0 0"},
		{"black puts out yellow", []Star{Yellow}, []Star{Black}, nil, "0 1"},
		{"black that white has put out does not", []Star{Yellow, White}, []Star{Black}, func(s *State) { s.unit("x").c.Class = Tracked }, "2 0"},
		{"white puts out yellow", []Star{Yellow}, []Star{White}, func(s *State) { s.unit("a").c.Class = Tracked }, "0 1"},
		{"blue is put out by none", []Star{Blue}, []Star{White, Black, Blue}, func(s *State) { s.unit("a").c.Class = Tracked }, "1 3"},
		{"towed guns use theirs in defence", nil, []Star{White}, func(s *State) { s.unit("a").c.Class = Tracked; s.unit("x").c.Type = AT }, "0 1"},
	} {
		s := arena(t, clearGround(12, 12), infAt("a", red, 605).starred(c.a...), infAt("x", blue, 606).starred(c.d...))
		if c.change != nil {
			c.change(s)
		}
		a, d := s.starsIn([]*Unit{s.unit("a")}, []*Unit{s.unit("x")}, 606, colours, colours)
		want(t, c.name, fmt.Sprint(sum(starCMs(a)), sum(starCMs(d))), c.sum)
	}
}

// WB-95 15.1.6: the defender's choice and its default
func TestStarsInDefence(t *testing.T) {
	place := func(steps int) *State {
		s := arena(t, clearGround(12, 12), infAt("a", red, 605), infAt("x", blue, 606).starred(Black))
		s.unit("x").Steps = steps
		s.sc.Combat = always(CombatResult{})
		return s
	}
	o := battleOf(t, place(2), "0606 WITH A", "combat 0606", "1 2")
	want(t, "used", o.fact("combat", "shifts"), "black star -1")
	want(t, "spared", battleOf(t, place(1), "0606 WITH A", "combat 0606", "1 2").fact("combat", "shifts"), "")
	want(t, "by order", battleOf(t, place(2), "0606 WITH A", "combat 0606", "1 2", "standing BLUE", "ALL STARS NO").fact("combat", "shifts"), "")
	want(t, "by another", battleOf(t, place(1), "0606 WITH A", "combat 0606", "1 2", "standing BLUE", "X STARS YES").fact("combat", "shifts"), "black star -1")
	want(t, "completed attacks use none", func() string {
		s := arena(t, clearGround(12, 12), infAt("a", red, 605).starred(Black), infAt("x", blue, 606))
		s.sc.Combat = always(CombatResult{})
		return battleOf(t, s, "", "combat 0606", "1 2").fact("combat", "shifts")
	}(), "")
}

// WB-95 15.1.8
func TestNoStarsThroughBigRivers(t *testing.T) {
	g := clearGround(12, 12)
	g.rivers = map[string]string{"big river": "0605/0606"}
	s := arena(t, g, infAt("a", red, 605).starred(Black), infAt("b", red, 506).starred(Blue), infAt("x", blue, 606))
	a, _ := s.starsIn([]*Unit{s.unit("a"), s.unit("b")}, []*Unit{s.unit("x")}, 606, colours, colours)
	want(t, "only who stands before the river loses theirs", names(usersOf(a)), "b")
}

// WB-95 15.2.3
// WB-95 15.3.1
// WB-95 15.3.2: Volkssturm with none, one and two regular units
// WB-95 15.4.1
func TestSpecialUnits(t *testing.T) {
	unit := func(name string, kind Type, side Side, at int) piece {
		return newPiece(name, side, kind, Foot, 4, 2, hx(at))
	}
	shifts := func(ps ...piece) string {
		s := arena(t, clearGround(12, 12), append(ps, infAt("a", red, 605))...)
		return weighed(t, s, "0606 WITH a").shifts()
	}
	want(t, "a resilience group", shifts(unit("rg", RG, blue, 606)), "resilience group -1")
	want(t, "two of them", shifts(unit("rg", RG, blue, 606), unit("rh", RG, blue, 606)), "resilience group -1")
	want(t, "Volkssturm alone", shifts(unit("v", VS, blue, 606), unit("w", VS, blue, 606)), "Volkssturm +2")
	want(t, "with one regular unit", shifts(unit("v", VS, blue, 606), infAt("x", blue, 606)), "Volkssturm +1")
	want(t, "with two", shifts(unit("v", VS, blue, 606), infAt("x", blue, 606), infAt("y", blue, 606)), "")
	s := arena(t, clearGround(12, 12), unit("v", VS, red, 605), infAt("x", blue, 606))
	want(t, "Volkssturm attacks", weighed(t, s, "0606 WITH v").shifts(), "Volkssturm -2")
	s = arena(t, clearGround(12, 12), infAt("a", red, 605), unit("f", FU, blue, 606), infAt("x", blue, 606))
	s.sc.Combat = always(CombatResult{DLoss: 1})
	want(t, "fortification units in the open", battleOf(t, s, "0606 WITH A", "combat 0606", "1 2", "loss 0606 BLUE 1", "x").fact("combat", "shifts"), "")
	s.setFort(606, IF, blue)
	o := battleOf(t, s, "0606 WITH A", "combat 0606", "1 2")
	want(t, "in works", o.fact("combat", "shifts"), "improved fortifications -2, fortification units -2")
	// WB-95 15.4.3
	want(t, "pay for it", o.at("f", "x"), "f 0606/1, x 0606/2")
	o = battleOf(t, s, "0606 WITH A", "combat 0606", "1 2", "standing BLUE", "ALL FU NO LOSSES X FIRST")
	want(t, "by order not", o.fact("combat", "shifts")+" "+o.at("f", "x"), "improved fortifications -2 f 0606/2, x 0606/1")
}

// WB-95 15.3.3
// WB-95 15.3.4
func TestVolkssturmReinforces(t *testing.T) {
	place := func() *State {
		v := newPiece("v", red, VS, Foot, 4, 2, 605)
		a := infAt("a", red, 605)
		a.u.Steps = 1
		return clearGround(12, 12).position(t, v, a, truckAt("m", red, 605))
	}
	s := place()
	said, v := obey(t, s, "V REINFORCE A")
	want(t, said, fmt.Sprint(v, s.unit("v").Steps, s.unit("a").Steps), "<nil> 1 2")
	_, v = obey(t, s, "A TO 0604")
	want(t, "neither moves", v != nil, true)
	s = place()
	obey(t, s, "A TO 0604")
	if _, v = obey(t, s, "V REINFORCE A"); v == nil {
		t.Error("infantry moves and takes a step")
	}
	if _, v = obey(t, place(), "V REINFORCE M"); v == nil {
		t.Error("motorized infantry takes a step")
	}
}
