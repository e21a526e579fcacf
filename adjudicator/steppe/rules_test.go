package steppe

import (
	"fmt"
	"testing"

	"fieldpost/adjudicator/hex"
)

// piece is a unit of a test: its counter and how it stands.
func piece(side Side, kind Type, cut int, faces ...Ratings) *Unit {
	c := &Counter{Side: side, Type: kind, Command: Army, Faces: faces}
	if side == Soviet {
		c.Command = Voronezh
	}
	switch kind {
	case ARM, MECH, MOT, CAV:
		c.Mech, c.Motorized = true, true
	}
	return &Unit{Where: OnMap, Steps: len(faces), Cut: cut, c: c}
}

// The ground and the state of supply slow units down: mud halves, down for Germans and up
// for Soviets; lack of supply slows what has wheels, and headquarters (3.1, 5.2, 9.1).
func TestAllowance(t *testing.T) {
	for _, x := range []struct {
		side   Side
		kind   Type
		ground string
		cut    int
		moves  int
		want   int
	}{
		{German, INF, normal, 0, 5, 5},
		{German, INF, frozen, 0, 5, 5},
		{German, INF, mud, 0, 5, 2},
		{Soviet, INF, mud, 0, 5, 3},
		{German, ARM, mud, 0, 10, 5},
		{Soviet, ARM, mud, 0, 9, 5},
		{German, ARM, mud, 0, 9, 4},
		// Low Supply: nothing but in mud, where wheels are halved again, rounded up.
		{German, INF, normal, 1, 5, 5},
		{German, ARM, normal, 1, 10, 10},
		{German, ARM, mud, 1, 10, 3},
		{Soviet, ARM, mud, 1, 9, 3},
		{German, INF, mud, 1, 5, 2},
		{German, HQ, mud, 1, 6, 2},
		// Out of Supply: wheels are halved, rounded up, and in mud move one hex.
		{German, ARM, normal, 2, 9, 5},
		{German, ARM, frozen, 2, 10, 5},
		{German, HQ, normal, 2, 5, 3},
		{German, INF, normal, 2, 5, 5},
		{German, ARM, mud, 2, 10, 1},
		{Soviet, CAV, mud, 3, 8, 1},
		{German, HQ, mud, 2, 6, 1},
		{German, INF, mud, 4, 5, 2},
	} {
		u := piece(x.side, x.kind, x.cut, Ratings{4, 4, x.moves})
		if mp := (&State{Ground: x.ground}).allowance(u); mp != x.want {
			t.Errorf("%s %s of %d on %s ground, %s: %d, want %d",
				x.side, x.kind, x.moves, x.ground, supplyWords(x.cut), mp, x.want)
		}
	}
}

// Strengths as a unit is supplied (5.2): Low Supply halves the attack, rounded up; Out
// of Supply halves both, rounded down. A headquarters Out of Supply has no guns.
func TestStrengths(t *testing.T) {
	for _, x := range []struct {
		kind                   Type
		face                   Ratings
		cut                    int
		attack, defence, gunsN int
	}{
		{INF, Ratings{7, 5, 5}, 0, 7, 5, 0},
		{INF, Ratings{7, 5, 5}, 1, 4, 5, 0},
		{INF, Ratings{7, 5, 5}, 2, 3, 2, 0},
		{INF, Ratings{7, 5, 5}, 5, 3, 2, 0},
		{ARM, Ratings{12, 10, 10}, 1, 6, 10, 0},
		{ARM, Ratings{1, 1, 10}, 1, 1, 1, 0},
		{ARM, Ratings{1, 1, 10}, 2, 0, 0, 0},
		{HQ, Ratings{0, 4, 5}, 0, 0, 4, 4},
		{HQ, Ratings{0, 4, 5}, 1, 0, 4, 4},
		{HQ, Ratings{0, 4, 5}, 2, 0, 2, 0},
	} {
		u := piece(German, x.kind, x.cut, x.face)
		if x.kind == HQ {
			u.c.Artillery = x.face.Defence
		}
		if a, d, n := u.attack(), u.defence(), u.support(); a != x.attack || d != x.defence || n != x.gunsN {
			t.Errorf("%s %v, %s: %d-%d and %d guns, want %d-%d and %d", x.kind, x.face, supplyWords(x.cut), a, d, n, x.attack, x.defence, x.gunsN)
		}
	}
}

// Ratios are rounded down in the defender's favour, shifts come first, what is above 4:1
// is added to the dice, and nothing is worse than 1:3 (10.1).
func TestSettle(t *testing.T) {
	sc := load(t, "star-and-gallop")
	for _, x := range []struct {
		attack, defence, shift int
		gross, column          string
		drm                    int
	}{
		{1, 1, 0, "1:1", "1:1", 0},
		{2, 3, 0, "2:3", "2:3", 0},
		{5, 8, 0, "1:2", "1:2", 0},
		{1, 2, 0, "1:2", "1:2", 0},
		{9, 20, 0, "1:3", "1:3", 0},
		{1, 3, 0, "1:3", "1:3", 0},
		{1, 9, 0, "1:9", "1:3", 0},
		{0, 4, 0, "0:1", "1:3", 0},
		{0, 4, 3, "0:1", "1:3", 0},
		{2, 7, 0, "1:4", "1:3", 0},
		{2, 7, 1, "1:4", "1:3", 0},
		{2, 7, 2, "1:4", "1:2", 0},
		{10, 9, 0, "1:1", "1:1", 0},
		{14, 10, 0, "1:1", "1:1", 0},
		{15, 10, 0, "3:2", "3:2", 0},
		{19, 10, 0, "3:2", "3:2", 0},
		{20, 10, 0, "2:1", "2:1", 0},
		{29, 10, 0, "2:1", "2:1", 0},
		{30, 10, 0, "3:1", "3:1", 0},
		{39, 10, 0, "3:1", "3:1", 0},
		{40, 10, 0, "4:1", "4:1", 0},
		{49, 10, 0, "4:1", "4:1", 0},
		// The book's own: 5:1 is 4:1 and +1.
		{50, 10, 0, "5:1", "4:1", 1},
		{60, 10, 0, "6:1", "4:1", 2},
		{100, 10, 0, "10:1", "4:1", 6},
		// Shifts come before the bonus.
		{50, 10, -1, "5:1", "4:1", 0},
		{50, 10, -2, "5:1", "3:1", 0},
		{60, 10, -1, "6:1", "4:1", 1},
		{40, 10, 1, "4:1", "4:1", 1},
		{10, 10, -1, "1:1", "2:3", 0},
		{10, 10, -3, "1:1", "1:3", 0},
		{10, 10, -9, "1:1", "1:3", 0},
		{10, 10, 1, "1:1", "3:2", 0},
		{20, 10, -2, "2:1", "1:1", 0},
	} {
		o := sc.settle(x.attack, x.defence, x.shift)
		if sc.ratioName(o.gross) != x.gross || o.name != x.column || o.drm != x.drm {
			t.Errorf("%d against %d, shifted %d: %s, column %s, dice %+d; want %s, %s, %+d",
				x.attack, x.defence, x.shift, sc.ratioName(o.gross), o.name, o.drm, x.gross, x.column, x.drm)
		}
	}
}

// More strength is never worse, and a shift to the right neither.
func TestSettleRises(t *testing.T) {
	sc := load(t, "star-and-gallop")
	for defence := 1; defence <= 30; defence++ {
		for attack := range 90 {
			for shift := -3; shift <= 1; shift++ {
				o := sc.settle(attack, defence, shift)
				if more := sc.settle(attack+1, defence, shift); more.level < o.level {
					t.Fatalf("%d against %d is %s, %d is %s", attack, defence, o.name, attack+1, more.name)
				}
				if right := sc.settle(attack, defence, shift+1); right.level < o.level || right.drm < o.drm {
					t.Fatalf("%d against %d shifted %d is %s, shifted %d %s", attack, defence, shift, o.name, shift+1, right.name)
				}
			}
		}
	}
}

// Points for what leaves the map (16.1): two for a red-sash counter, one for any other,
// nothing for a Kampfgruppe.
func TestPointsOfLosses(t *testing.T) {
	sc := load(t, "star-and-gallop")
	for _, x := range []struct {
		side  Side
		name  string
		steps int
		next  int // of the step that it loses next
		all   int // until it is gone
	}{
		{German, "LAH", 4, 0, 3},
		{German, "LAH", 3, 2, 3},
		{German, "LAH", 2, 0, 1},
		{German, "LAH", 1, 1, 1},
		{German, "298 ID", 2, 0, 1},
		{German, "298 ID", 1, 1, 1},
		{German, "10 SS", 1, 1, 1},
		{German, "KG A", 1, 0, 0},
		{Soviet, "15 TC", 2, 0, 1},
		{Soviet, "15 TC", 1, 1, 1},
		{Soviet, "173 TB", 1, 1, 1},
		{Soviet, "3TA", 1, sc.Switches.HQPoints, sc.Switches.HQPoints},
	} {
		s := sc.opening()
		u := s.byName(x.side, x.name)
		u.Steps = x.steps
		if n := s.worth(u); n != x.next {
			t.Errorf("the next step of %s with %d is worth %d, want %d", x.name, x.steps, n, x.next)
		}
		gained := 0
		for ; u.Steps > 0; u.Steps-- {
			gained += s.worth(u)
		}
		if gained != x.all {
			t.Errorf("%s with %d steps is worth %d in all, want %d", x.name, x.steps, gained, x.all)
		}
	}
}

// What a red-sash division shows with each step, and when it is depleted (7.2, 14.0).
func TestRedSash(t *testing.T) {
	u := piece(German, ARM, 0, Ratings{3, 2, 10}, Ratings{5, 4, 10}, Ratings{7, 5, 10}, Ratings{9, 7, 10})
	u.c.Red = 2
	for _, x := range []struct {
		steps    int
		red      bool
		depleted bool
		figures  string
	}{{4, true, false, "9-7-10"}, {3, true, true, "7-5-10"}, {2, false, false, "5-4-10"}, {1, false, true, "3-2-10"}} {
		u.Steps = x.steps
		if u.red() != x.red || u.depleted() != x.depleted || u.figures() != x.figures {
			t.Errorf("%d steps: red %t, depleted %t, %s; want %t, %t, %s", x.steps, u.red(), u.depleted(), u.figures(), x.red, x.depleted, x.figures)
		}
	}
}

// A bridge, a river and frozen ground change the price of a step and the shift of an
// attack (9.0, 10.1, 3.1).
func TestRiversAndBridges(t *testing.T) {
	r := staged(t, "rivers", "MAP minor 1305/1405, major 1505/1605 1504/1604, bridge 1504/1604, marsh 1307\nUNITS\n  G a: INF 4-4-5 at 1205\nEXPECT a at 1205\n")
	s := r.s
	at := func(a, b hex.Hex) (int, hex.Dir) {
		d, ok := s.sc.land.grid.Direction(a, b)
		if !ok {
			t.Fatalf("%v is not beside %v", b, a)
		}
		return s.ix(a), d
	}
	chart := s.sc.Terrain
	step := func(side string, motorized bool) int { return chart[side].price(motorized) }
	for _, x := range []struct {
		a, b   hex.Hex
		ground string
		blown  bool
		side   string // line of the chart, "" for none
		barred bool
		shift  string
	}{
		{hex.New(12, 5), hex.New(13, 5), normal, false, "", false, ""},
		{hex.New(13, 5), hex.New(14, 5), normal, false, minorRiver, false, minorRiver},
		{hex.New(13, 5), hex.New(14, 5), mud, false, minorRiver, false, minorRiver},
		{hex.New(13, 5), hex.New(14, 5), frozen, false, "", false, minorRiver},
		{hex.New(15, 5), hex.New(16, 5), normal, false, "", true, majorRiver},
		{hex.New(15, 5), hex.New(16, 5), frozen, false, "", false, minorRiver},
		{hex.New(15, 4), hex.New(16, 4), normal, false, majorBridge, false, majorBridge},
		{hex.New(15, 4), hex.New(16, 4), normal, true, "", true, majorRiver},
		{hex.New(15, 4), hex.New(16, 4), frozen, true, "", false, minorRiver},
	} {
		s.Ground, s.Blown = x.ground, nil
		if x.blown {
			s.demolish(hex.Between(x.a, x.b))
		}
		i, d := at(x.a, x.b)
		for _, motorized := range []bool{false, true} {
			want := chart[clear].price(motorized)
			if x.side != "" {
				want += step(x.side, motorized)
			}
			cost, barred := s.price(i, d, motorized)
			if barred != x.barred || !barred && cost != want {
				t.Errorf("%v to %v, %s, blown %t: %d (barred %t), want %d (%t)", x.a, x.b, x.ground, x.blown, cost, barred, want, x.barred)
			}
		}
		shift := 0
		if x.shift != "" {
			shift = chart[x.shift].Shift
		}
		if got := s.hexsideCover(i, d).shift; got != shift {
			t.Errorf("an attack over %v/%v, %s, blown %t, is shifted %d, want %d", x.a, x.b, x.ground, x.blown, got, shift)
		}
	}
	marshy := s.ix(hex.New(13, 7))
	for ground, want := range map[string]string{normal: marsh, mud: marsh, frozen: clear} {
		s.Ground = ground
		if got := s.groundAt(marshy); got != chart[want] {
			t.Errorf("%s ground: marsh is %s, want %s", ground, got.Name, want)
		}
	}
}

// The highest shift counts, and a hexside only if every attacker crosses one.
func TestShelter(t *testing.T) {
	r := staged(t, "shelter", "MAP town 1506, city 1508, minor 1505/1605 1506/1606\nUNITS\n  G a: INF 4-4-5 at 1205\nEXPECT a at 1205\n")
	s := r.s
	chart := s.sc.Terrain
	river := chart[minorRiver].Shift
	for _, x := range []struct {
		target hex.Hex
		from   []hex.Hex
		want   int
	}{
		{hex.New(14, 4), nil, 0},
		{hex.New(16, 5), []hex.Hex{hex.New(15, 5)}, river},
		{hex.New(16, 5), []hex.Hex{hex.New(15, 5), hex.New(17, 5)}, 0},
		{hex.New(15, 6), []hex.Hex{hex.New(15, 7)}, chart[town].Shift},
		{hex.New(15, 6), []hex.Hex{hex.New(16, 6)}, max(chart[town].Shift, river)},
		{hex.New(15, 8), []hex.Hex{hex.New(15, 7), hex.New(14, 8)}, chart[city].Shift},
		{hex.New(15, 8), []hex.Hex{hex.New(11, 1)}, chart[city].Shift}, // not beside it: it takes nothing off
	} {
		if got := s.shelter(x.target, x.from).shift; got != x.want {
			t.Errorf("an attack on %v from %v loses %d columns, want %d", x.target, x.from, got, x.want)
		}
	}
}

// What ladders and the published doctrine commit, step by step (11.0).
func TestAirLadders(t *testing.T) {
	sc := load(t, "star-and-gallop")
	even := sc.settle(10, 10, 0)
	all := ladder{set: true, maxC: 9, maxF: 9, want: 100, escort: true}
	with := func(change func(*ladder)) ladder { l := all; change(&l); return l }
	for k, x := range []struct {
		role      role
		ladder    ladder
		mine, foe sortie
		own       Pool
		key       bool
		overrun   bool
		want      string
	}{
		{attacker, all, sortie{}, sortie{}, Pool{FreeF: 2, FreeC: 2}, false, false, answerCAS},
		{attacker, all, sortie{}, sortie{}, Pool{FreeF: 2}, false, false, answerPass},
		{attacker, all, sortie{c: 1}, sortie{f: 1}, Pool{FreeF: 2, FreeC: 2}, false, false, answerFighter},
		{attacker, all, sortie{c: 1, f: 1}, sortie{f: 1}, Pool{FreeF: 2, FreeC: 2}, false, false, answerCAS},
		{attacker, all, sortie{}, sortie{c: 1}, Pool{FreeF: 2}, false, false, answerFighter},
		{attacker, all, sortie{f: 1}, sortie{c: 1}, Pool{FreeF: 2}, false, false, answerPass},
		{attacker, with(func(l *ladder) { l.escort = false }), sortie{c: 1}, sortie{f: 1}, Pool{FreeF: 2}, false, false, answerPass},
		{attacker, with(func(l *ladder) { l.maxC = 1 }), sortie{c: 1}, sortie{}, Pool{FreeC: 2}, false, false, answerPass},
		{attacker, with(func(l *ladder) { l.maxF = 0 }), sortie{c: 1}, sortie{f: 1}, Pool{FreeF: 2}, false, false, answerPass},
		{attacker, with(func(l *ladder) { l.keep = 2 }), sortie{c: 1}, sortie{f: 1}, Pool{FreeF: 2}, false, false, answerPass},
		{attacker, with(func(l *ladder) { l.keep = 1 }), sortie{c: 1}, sortie{f: 1}, Pool{FreeF: 2}, false, false, answerFighter},
		{attacker, with(func(l *ladder) { l.want = 0 }), sortie{}, sortie{}, Pool{FreeC: 2}, false, false, answerPass},
		{attacker, with(func(l *ladder) { l.noMission = true }), sortie{}, sortie{}, Pool{FreeC: 2}, true, false, answerPass},
		{attacker, with(func(l *ladder) { l.keyOnly = true }), sortie{}, sortie{}, Pool{FreeC: 2}, false, false, answerPass},
		{attacker, with(func(l *ladder) { l.keyOnly = true }), sortie{}, sortie{}, Pool{FreeC: 2}, true, false, answerCAS},
		{attacker, all, sortie{}, sortie{}, Pool{FreeC: 2}, false, true, answerPass},
		{defender, all, sortie{}, sortie{c: 1}, Pool{FreeF: 1, FreeC: 1}, false, false, answerCAS},
		{defender, with(func(l *ladder) { l.maxC = 0 }), sortie{}, sortie{c: 1}, Pool{FreeF: 1, FreeC: 1}, false, false, answerFighter},
		{defender, with(func(l *ladder) { l.want = 0 }), sortie{}, sortie{}, Pool{FreeF: 1, FreeC: 1}, false, false, answerPass},
		// Doctrine: aircraft help key attacks at middling odds, a fighter with them if the
		// enemy has any, and the defender fights close air support.
		{attacker, ladder{}, sortie{}, sortie{}, Pool{FreeC: 1}, false, false, answerPass},
		{attacker, ladder{}, sortie{}, sortie{}, Pool{FreeC: 1}, true, false, answerCAS},
		{attacker, ladder{}, sortie{c: 1}, sortie{}, Pool{FreeC: 1, FreeF: 1}, true, false, answerPass},
		{attacker, ladder{}, sortie{c: 1}, sortie{f: 1}, Pool{FreeF: 1}, true, false, answerFighter},
		{attacker, ladder{}, sortie{}, sortie{}, Pool{FreeC: 1}, true, true, answerPass},
		{defender, ladder{}, sortie{}, sortie{c: 1}, Pool{FreeF: 1}, false, false, answerFighter},
		{defender, ladder{}, sortie{f: 1}, sortie{c: 1}, Pool{FreeF: 1, FreeC: 1}, false, false, answerPass},
		{defender, ladder{}, sortie{}, sortie{}, Pool{FreeF: 1, FreeC: 1}, false, false, answerPass},
	} {
		s := sc.opening()
		target := s.byName(Soviet, "111 RD").Hex // no place of points, no red sash
		a := &activation{s: s, side: German, doc: &doctrine{}}
		c := &combat{activation: a, target: target, enemy: Soviet, def: &doctrine{}, in: instruction{key: x.key}}
		a.doc.attack, c.def.defend = x.ladder, x.ladder
		if x.overrun {
			c.overrun = s.sideUnits(German)[:1]
		}
		c.flown[x.role], c.flown[x.role.foe()] = x.mine, x.foe
		turn := airTurn{combat: c, role: x.role, own: &x.own, their: &Pool{}, odds: even}
		if got, _ := turn.speak(); got != x.want {
			t.Errorf("%d: the %v with %+v, %+v over the target and %+v against it says %s, want %s", k, x.role, x.own, x.mine, x.foe, got, x.want)
		}
	}
}

// The loser of a dogfight loses as many air units as the high throw holds the low one
// (11.1), and close air support alone destroys nothing.
func TestKills(t *testing.T) {
	for _, x := range []struct {
		fighters, high, low, want int
	}{
		{1, 5, 4, 1}, {1, 6, 3, 2}, {2, 9, 3, 3}, {2, 11, 1, 11}, {2, 8, 5, 1}, {3, 12, 0, 12}, {0, 6, 1, 0},
	} {
		c := &combat{}
		c.flown[defender] = sortie{f: x.fighters, c: 1}
		thrown := [2]airDice{attacker: {sum: x.low}, defender: {sum: x.high}}
		if got := c.kills(defender, thrown); got != x.want {
			t.Errorf("%d against %d with %d fighters: %d are lost, want %d", x.high, x.low, x.fighters, got, x.want)
		}
	}
}

// Guns in the order of the owner's doctrine, and the die that hits (13.0).
func TestAntiTankDice(t *testing.T) {
	if antiTankHit(German) != 4 || antiTankHit(Soviet) != 2 {
		t.Errorf("German guns hit up to %d, Soviet ones up to %d", antiTankHit(German), antiTankHit(Soviet))
	}
	s := load(t, "star-and-gallop").opening()
	strong, weak, foot := s.byName(German, "LAH"), s.byName(German, "Fhr/DR"), s.byName(German, "10 SS")
	for target, want := range map[gunTarget]*Unit{strongestFirst: strong, weakestFirst: weak} {
		c := &combat{activation: &activation{s: s}, units: []*Unit{foot, weak, strong}, def: &doctrine{antiTank: target}}
		if got := c.gunTargets(); len(got) != 2 || got[0] != want {
			t.Errorf("guns fire at %s", names(got))
		}
	}
}

// The sequence of play: which phase follows which.
func TestSequence(t *testing.T) {
	s := load(t, "star-and-gallop").opening()
	var got []string
	for range 9 {
		got = append(got, fmt.Sprintf("%d.%d %s", s.Turn, s.Phase, s.phaseName()))
		switch s.Step {
		case StepOrders:
			s.Cup = append(s.Cup, s.fill(string(German), nil))
			s.Cup[0].Left = 2
		case StepChit:
			s.Cup[0].Left--
			s.Played = append(s.Played, Chit{"OKH", German})
		case StepSolo:
			s.Solo[sideIndex(s.soloSide())] = true
		case StepEnd:
			s.clearTurn()
		}
		s.advance(nil)
	}
	want := []string{"1.1 Weather, reinforcements, air", "1.2 Turn orders of both sides", "1.3 Activation 1", "1.4 Activation 2",
		"1.5 Individual hex of the Soviets", "1.6 Individual hex of the Germans", "1.7 End of Turn",
		"2.1 Weather, reinforcements, air", "2.2 Turn orders of both sides"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the phases are\n%q\nwant\n%q", got, want)
	}
}
