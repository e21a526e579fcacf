package wb95

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
)

// depot is a plain on which RED repairs, has Panthers and meets mines, with a line of
// BLUE's before 0303.
func depot(t testing.TB, ps ...piece) *State {
	t.Helper()
	s := lined(t, ps...)
	s.sc.Scorer = red
	s.sc.Special = Special{Repairs: 1, MineDice: 4, MinesLast: 7}
	s.Phase = 6
	return s
}

func (p piece) losing(n int) piece { p.u.Steps -= n; return p }

// supplyDay plays the Supply Phase of the side on move and returns what was asked.
func supplyDay(t testing.TB, s *State, pairs ...string) outcome {
	t.Helper()
	p := &script{answers: map[string]string{}, dice: map[string][]int{}, used: map[string]bool{}}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i] == "mines" || pairs[i] == "mines south" || strings.HasPrefix(pairs[i], "panthers ") {
			for _, c := range pairs[i+1] {
				p.dice[pairs[i]] = append(p.dice[pairs[i]], int(c-'0'))
			}
			continue
		}
		p.answers[pairs[i]] = pairs[i+1]
	}
	done, err := adjudicator.Play(s.clone(), supplyPhase, nil, p, p)
	if err != nil {
		t.Fatal(err)
	}
	return outcome{State: done.State, events: done.Events, asked: p.asked}
}

// turnOver plays a day on which nothing happens but the supply of RED.
func turnOver(t testing.TB, s *State) outcome {
	t.Helper()
	s.Turn++
	return supplyDay(t, s)
}

// 17.1.2 and 17.1.3: who may be repaired.
func TestWhoIsRepaired(t *testing.T) {
	for _, tc := range []struct {
		name string
		p    piece
		can  bool
	}{
		{"tanks with a loss", tankAt("x", red, 101).losing(1), true},
		{"tanks without", tankAt("x", red, 101), false},
		{"infantry", infAt("x", red, 101).losing(1), false},
		{"in an enemy zone", tankAt("x", red, 505).losing(1), false},
		{"assault guns", newPiece("x", red, AG, Tracked, 7, 2, 101).losing(1), false},
	} {
		s := depot(t, tc.p, infAt("e", blue, 605))
		want(t, tc.name, s.repairable(s.unit("x")), tc.can)
	}
	for _, change := range []func(*Unit){
		func(u *Unit) { u.c.Panther = true }, func(u *Unit) { u.c.Ferdinand = true }, func(u *Unit) { u.Supplied = false },
	} {
		s := depot(t, tankAt("x", red, 101).losing(1))
		change(s.unit("x"))
		want(t, "barred", s.repairable(s.unit("x")), false)
	}
}

func TestRepairBringsAStepBack(t *testing.T) {
	for _, tc := range []struct {
		name    string
		disturb func(*State)
		steps   int
	}{
		{"at rest", func(*State) {}, 2},
		{"moved", func(s *State) { s.Phase = 3; s.enter(s.unit("x"), 201, nil) }, 1},
		{"attacked", func(s *State) { s.disturb(s.unit("x")) }, 1},
		{"an enemy came near", func(s *State) { s.enter(s.unit("e"), 202, nil); s.enter(s.unit("e"), 605, nil) }, 1},
		{"cut off later", func(s *State) { s.sc.Supply = map[Side]Supply{} }, 2},
	} {
		o := supplyDay(t, depot(t, tankAt("x", red, 101).losing(1), infAt("e", blue, 605)))
		want(t, tc.name+": options", o.options("repair 1"), "NONE x")
		want(t, tc.name+": marker", o.unit("x").Repair, underRepair)
		tc.disturb(o.State)
		o.Phase = 6
		o = turnOver(t, o.State)
		want(t, tc.name, o.unit("x").Steps, tc.steps)
	}
}

func TestRepairByOrder(t *testing.T) {
	ps := func() *State {
		return depot(t, tankAt("x", red, 101).losing(1), tankAt("y", red, 102).sp(3, 9).losing(1))
	}
	want(t, "default: the strongest", supplyDay(t, ps()).unit("y").Repair, underRepair)
	o := supplyDay(t, ps(), "standing RED", "REPAIR x, y")
	want(t, "by standing order", o.unit("x").Repair+o.unit("y").Repair, underRepair)
	want(t, "none", supplyDay(t, ps(), "repair 1", "NONE").unit("y").Repair, notInRepair)
	if said := heard(o.events, blue, "hex"); !slices.Contains(said, "repair-seen 0101") {
		t.Errorf("the enemy hears %q", said)
	}
}

// 18.1.2 and 18.1.3.
func TestMines(t *testing.T) {
	mined := func() *State {
		s := depot(t, tankAt("a", red, 302), newPiece("g", red, AG, Tracked, 7, 2, 302), infAt("i", red, 101))
		s.unit("a").Mined, s.unit("g").Mined = true, true
		return s
	}
	for _, tc := range []struct {
		dice    string
		a, g, i int
	}{
		{"4566", 2, 2, 2},
		{"3456", 2, 1, 2}, // assault guns before tanks
		{"1256", 1, 1, 2}, // most steps first
		{"1233", 0, 0, 2}, // no more than they have
	} {
		o := supplyDay(t, mined(), "mines", tc.dice)
		want(t, tc.dice, [3]int{o.unit("a").Steps, o.unit("g").Steps, o.unit("i").Steps}, [3]int{tc.a, tc.g, tc.i})
		want(t, "the mark", o.unit("a").Mined, false)
	}
	o := supplyDay(t, mined(), "mines", "1666", "mines 1", "a")
	want(t, "the owner picks", o.unit("a").Steps, 1)
	o = supplyDay(t, mined(), "mines", "1666", "standing RED", "MINES a FIRST")
	want(t, "by standing order", o.unit("a").Steps, 1)
	s := mined()
	s.Turn = 8
	want(t, "after 11 July", len(supplyDay(t, s).events), 0)
	s = mined()
	s.unit("a").Mined, s.unit("g").Mined = false, false
	want(t, "nobody in the lines", len(supplyDay(t, s).events), 0)
	s = mined()
	s.sc.Special.Fronts = []Front{{Name: "north", From: 1, To: 2, MineDice: 4}, {Name: "south", From: 3, To: 6, MineDice: 2}}
	want(t, "front by front", supplyDay(t, s, "mines south", "16").unit("g").Steps, 1)
}

func TestWhoComesIntoTheMines(t *testing.T) {
	for _, tc := range []struct {
		name     string
		phase    int
		from, to hex.Hex
		mined    bool
	}{
		{"into the line", 3, 302, 303, true},
		{"into it from the rear", 3, 304, 303, true},
		{"out over its edge", 3, 303, 203, true},
		{"out to the rear", 3, 303, 304, false},
		{"past it", 3, 302, 402, false},
		{"driven into it by the enemy", 10, 302, 303, false},
	} {
		s := depot(t, tankAt("a", red, tc.from))
		s.Phase = tc.phase
		s.enter(s.unit("a"), tc.to, nil)
		want(t, tc.name, s.unit("a").Mined, tc.mined)
	}
	s := depot(t, tankAt("a", red, 304), infAt("d", blue, 303))
	s.noteAttack([]*Unit{s.unit("a")}, []hex.Hex{303})
	want(t, "attacking the line", s.unit("a").Mined && s.unit("a").Ran, true)
}

// 22.1.1.
func TestPanthers(t *testing.T) {
	for _, tc := range []struct {
		die       string
		ran, dug  bool
		steps     int
		asks, eve string
	}{
		{"3", true, false, 1, "", "panthers panther-loss"},
		{"4", true, false, 2, "", "panthers"},
		{"1", false, true, 2, "", ""},
	} {
		s := depot(t, tankAt("p", red, 101))
		s.unit("p").c.Panther = true
		s.unit("p").Ran, s.unit("p").Active = tc.ran, tc.dug
		o := supplyDay(t, s, "panthers p", tc.die)
		want(t, tc.die, o.unit("p").Steps, tc.steps)
		want(t, tc.die, o.kinds(), tc.eve)
	}
}

// The withdrawal of a division, or as many steps.
func TestWithdrawal(t *testing.T) {
	of := func(p piece, parent string) piece { p.c.Parent = parent; return p }
	position := func() *State {
		s := depot(t, of(tankAt("a", red, 101), "4 ARM"), of(truckAt("b", red, 101), "4 ARM").due(1),
			of(tankAt("c", red, 201), "12 ARM"), of(truckAt("d", red, 202), "12 ARM"), of(tankAt("e", red, 301), "9 ARM"))
		s.sc.Withdrawals = []Withdrawal{{red, "4 ARM", 1}}
		s.Phase = 3
		return s
	}
	end := func(s *State, answers ...string) outcome {
		p := &script{answers: map[string]string{"move": ""}, used: map[string]bool{}}
		for i := 0; i < len(answers); i += 2 {
			p.answers[answers[i]] = answers[i+1]
		}
		done, err := adjudicator.Play(s.clone(), movementPhase, nil, p, p)
		if err != nil {
			t.Fatal(err)
		}
		return outcome{State: done.State, events: done.Events, asked: p.asked}
	}
	o := end(position())
	want(t, "default", o.at("a", "b", "c", "d"), "a gone, b gone, c 0201/2, d 0202/2")
	want(t, "not enough steps in 9 ARM", o.options("withdrawal"), "4 ARM 12 ARM")
	want(t, "not lost", o.lostUnits(&Award{}, red), 0)
	want(t, "by order", end(position(), "standing RED", "WITHDRAW 12 ARM").at("a", "c", "d"), "a 0101/2, c gone, d gone")
	want(t, "by answer", end(position(), "withdrawal", "12 ARM").at("a", "c", "d"), "a 0101/2, c gone, d gone")
	s := position()
	s.Turn = 2
	want(t, "another day", end(s).at("a", "b"), "a 0101/2, b gone") // b is still to come
	want(t, "another day", s.unit("b").Where, Later)
}

// The 7 Guards Army and the Siewiernyj Doniec north of 5125.
func TestRiverClosedToAnArmy(t *testing.T) {
	sc := loadNamed(t, "prokhorovka")
	c := Counter{Formation: "7 Guards Army", Class: Foot}
	other := Counter{Formation: "6 Guards Army", Class: Foot}
	s := sc.opening()
	for _, tc := range []struct {
		from, to hex.Hex
		open     bool
	}{
		{5225, 5124, false}, {5124, 5225, false}, {5620, 5519, false}, {5126, 5026, true}, {5125, 5126, true}, {5128, 5028, true},
	} {
		want(t, tc.from.String()+"-"+tc.to.String(), s.passable(&c, tc.from, tc.to), tc.open)
		want(t, "another army", s.passable(&other, tc.from, tc.to), true)
	}
	u := s.unit("sov-81-inf-g")
	s.Phase = 9
	s.put(u, 5225)
	_, v := obey(t, s, "81 INF (G) 5225-5124")
	if v == nil || !strings.Contains(v.Why, "may not cross the Siewiernyj Doniec") {
		t.Errorf("the step is refused with %v", v)
	}
}
