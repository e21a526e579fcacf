package wb95

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/hex"
)

func TestCostString(t *testing.T) {
	for c, want := range map[Cost]string{0: "0", 12: "1", 78: "6 1/2", 4: "1/3", 3: "1/4", 30: "2 1/2", 20: "1 2/3", 1: "1/12", 10: "5/6", Closed: "closed"} {
		if got := c.String(); got != want {
			t.Errorf("%d twelfths: %q, want %q", int(c), got, want)
		}
	}
}

// WB-95 3.1.11
func TestEntryCost(t *testing.T) {
	g := clearGround(6, 6)
	g.rows[2] = ".hwfs." // 0203 hills, 0303 hills and forest, 0403 forest, 0503 swamps
	g.rows[4] = ".tcc.." // 0205 town, 0305 and 0405 city
	g.rivers = map[string]string{"river": "0202/0203 0104/0204 0105/0205", "Doniec": "0302/0303"}
	g.roads = map[string]string{"main road": "0101-0201-0301 0104-0204 0105-0205", "side road": "0404-0504-0503"}
	g.bridges = "0104/0204 0202/0203"
	s := g.position(t, tankAt("T", red, 101), staffAt("H", red, 101), infAt("F", red, 101), truckAt("M", red, 101))
	for _, c := range []struct {
		name     string
		unit     string
		from, to hex.Hex
		want     string
	}{
		{"clear ground", "M", 102, 202, "2"},
		{"clear ground, tracked", "T", 102, 202, "1"},
		{"hills, tracked", "T", 103, 203, "1 1/2"},
		{"through the Doniec into hills and forest", "T", 302, 303, "4 1/2"},
		{"forest on foot", "F", 402, 403, "2"},
		{"swamps on foot", "F", 502, 503, "2"},
		{"swamps for trucks", "M", 502, 503, "closed"},
		{"swamps for headquarters (9.1.3)", "H", 502, 503, "5"},
		{"swamps along a road", "M", 504, 503, "1/2"},
		{"main road", "M", 101, 201, "1/3"},
		{"main road, tracked", "T", 101, 201, "1/2"},
		{"road over a river by a bridge", "M", 104, 204, "1/3"},
		{"road over a river without a bridge", "M", 105, 205, "2"},
		{"a bridge without a road", "M", 202, 203, "2"},
		{"town", "M", 204, 205, "1"},
		{"inside a city", "M", 305, 405, "1/3"},
		{"not adjacent", "F", 101, 103, "closed"},
		{"off the map", "F", 101, 100, "closed"},
	} {
		if got := s.entryCost(s.unit(c.unit).c, c.from, c.to).String(); got != c.want {
			t.Errorf("%s: %s costs %s, want %s", c.name, c.unit, got, c.want)
		}
		if s.passable(s.unit(c.unit).c, c.from, c.to) != (c.want != "closed") {
			t.Errorf("%s: passable is wrong", c.name)
		}
	}
}

// The worked example of 3.1.12: base 2, forest +1, stream +2.
func TestTerrainCostsAddUp(t *testing.T) {
	g := clearGround(3, 3)
	g.rows[1] = ".f."
	g.rivers = map[string]string{"stream": "0102/0202"}
	sc := g.scenario(t)
	sc.terrain["clear"] = Terrain{Name: "clear", Use: "base", Cost: map[Class]Cost{Tracked: 2 * One}}
	sc.terrain["stream"] = Terrain{Name: "stream", Use: "hexside", Cost: map[Class]Cost{Tracked: 2 * One}}
	s := putOn(t, sc, tankAt("T", red, 102))
	if got := s.entryCost(s.unit("T").c, 102, 202); got != 5*One {
		t.Errorf("WB-95 3.1.12: %v MP, want 5", got)
	}
}

// The worked examples of 3.1.13.
func TestMinimumStep(t *testing.T) {
	g := clearGround(3, 3)
	g.rows[1] = ".f."
	g.rivers = map[string]string{"stream": "0102/0202"}
	sc := g.scenario(t)
	sc.terrain["stream"] = Terrain{Name: "stream", Use: "hexside", Cost: map[Class]Cost{Tracked: 7 * One, Foot: One}}
	s := putOn(t, sc, newPiece("T", red, ARM, Tracked, 7, 2, 102), infAt("F", red, 102).oos(1))
	for _, c := range []struct {
		order, want string
		at          hex.Hex
	}{
		{"T 0102-0202", "0102-0202, 7 of 7 MP", 202}, // the hex costs 9
		{"F 0102-0202", "0102-0202, 2 of 2 MP", 202}, // the hex costs 3
	} {
		got, v := obey(t, s, c.order)
		if v != nil || got != c.want || whereIs(s, c.order[:1]) != c.at {
			t.Errorf("WB-95 3.1.13: %s: %q, %v", c.order, got, v)
		}
	}
	if oos := s.unit("F").OoS; oos != 1 {
		t.Errorf("WB-95 3.1.13: the level is %d, want 1", oos)
	}
}

func TestMoveOrders(t *testing.T) {
	g := clearGround(8, 6)
	g.rows[2] = "...s...."
	enemy := infAt("E", blue, 704)
	for _, c := range []struct {
		clause, order, want string
		why                 string // part of the refusal
		instead             string
		at                  hex.Hex
		ps                  []piece
	}{
		{"3.1.4", "T 0102-0202-0301", "0102-0202-0301, 2 of 8 MP", "", "", 301, []piece{tankAt("T", red, 102)}},
		{"3.1.4", "T 0202-0301", "0102-0202-0301, 2 of 8 MP", "", "", 301, []piece{tankAt("T", red, 102)}},
		{"3.1.4", "T 0102-0302", "", "0102 and 0302 are not neighbours", "Write TO 0302", 102, []piece{tankAt("T", red, 102)}},
		{"3.1.4", "T 0203-0303-0505", "", "0303 and 0505 are not neighbours", "Write TO 0505", 303, []piece{tankAt("T", red, 102)}},
		{"3.1.4", "T 0406-0506", "", "it stands in 0102", "Write TO 0506", 102, []piece{tankAt("T", red, 102)}},
		{"3.1.5", "F TO 0701", "", "the step to 0601 costs 1 MP, 0 of 4 are left", "It can get to 0501: write TO 0501.", 501, []piece{infAt("F", red, 102)}},
		{"3.1.5", "M TO 0502", "", "1 of 7 are left", "It can get to 0402", 402, []piece{truckAt("M", red, 102)}},
		{"3.1.11", "M 0402-0403", "", "the ground of 0403 is closed to trucked units", "", 402, []piece{truckAt("M", red, 402)}},
		{"3.1.8", "F 0604-0704", "", "0704 holds enemy units", "To fight it, stop in 0604 and ATTACK 0704.", 604, []piece{infAt("F", red, 604)}},
		{"3.1.8", "T TO 0704", "", "0704 holds enemy units", "To fight it, stop in 0604 and ATTACK 0704.", 604, []piece{tankAt("T", red, 504)}},
		{"4.2.1", "T TO 0604", "0504-0604, 1 of 8 MP, ends in enemy ZOC: must attack", "", "", 604, []piece{tankAt("T", red, 504)}},
		{"4.2.1", "T 0505-0605-0606", "", "it enters an enemy zone of control in 0605 and must stop", "Stop in 0605.", 605, []piece{tankAt("T", red, 505)}},
		{"15.2.1", "G TO 0604", "", "resilience groups never move", "", 504, []piece{newPiece("G", red, RG, Foot, 0, 2, 504)}},
		{"TO its own hex", "F TO 0102", "stays in 0102, 0 of 4 MP", "", "", 102, []piece{infAt("F", red, 102)}},
		{"VIA", "F TO 0302 VIA 0203", "0102-0203-0302, 2 of 4 MP", "", "", 302, []piece{infAt("F", red, 102)}},
	} {
		s := g.position(t, append(c.ps, enemy)...)
		got, v := obey(t, s, c.order)
		name := strings.Fields(c.order)[0]
		if at := whereIs(s, name); at != c.at {
			t.Errorf("WB-95 %s: %s: ends in %v, want %v", c.clause, c.order, at, c.at)
		}
		switch {
		case c.why == "" && (v != nil || got != c.want):
			t.Errorf("WB-95 %s: %s: %q, %v; want %q", c.clause, c.order, got, v, c.want)
		case c.why != "" && (v == nil || !strings.Contains(v.Why, c.why) || !strings.Contains(v.Instead, c.instead)):
			t.Errorf("WB-95 %s: %s: refused with %+v, want %q, %q", c.clause, c.order, v, c.why, c.instead)
		}
	}
}

// The worked examples of 6.1.7, and 9.1.5.
func TestRidingDown(t *testing.T) {
	guns := []piece{gunAt("E1", blue, 304), gunAt("E2", blue, 304), gunAt("E3", blue, 304)}
	for _, c := range []struct {
		name  string
		fort  bool
		moves int
		ps    []piece
		order string
		want  string // how understood; "" for refused
		left  int    // enemies left
	}{
		{"three guns", false, 8, guns, "T TO 0304", "0204-0304, 4 of 8 MP", 0},
		{"three guns in fortifications", true, 8, guns, "T TO 0304", "0204-0304, 5 of 8 MP", 0},
		{"points are short", true, 4, guns, "T TO 0304", "", 3},
		{"and on", false, 8, guns[:1], "T 0204-0304-0404", "0204-0304-0404, 3 of 8 MP", 0},
		{"headquarters", false, 8, []piece{staffAt("EH", blue, 304)}, "T TO 0304", "0204-0304, 1 of 8 MP", 0},
		{"headquarters with a gun", false, 8, []piece{staffAt("EH", blue, 304), guns[0]}, "T TO 0304", "0204-0304, 2 of 8 MP", 0},
		{"guns with infantry", false, 8, []piece{infAt("EI", blue, 304), guns[0]}, "T TO 0304", "", 2},
	} {
		s := clearGround(6, 6).position(t, append(c.ps, newPiece("T", red, ARM, Tracked, c.moves, 2, 204))...)
		if c.fort {
			s.setFort(304, FF, blue)
		}
		got, v := obey(t, s, c.order)
		if left := len(s.onMap(blue)); got != c.want && c.want != "" || (v == nil) != (c.want != "") || left != c.left {
			t.Errorf("%s: %q, %v, %d enemies left; want %q, %d", c.name, got, v, left, c.want, c.left)
		}
		if c.fort && (s.fort(304) == nil) != (c.want != "") {
			t.Errorf("%s: WB-95 7.1.6: the fortification is %v", c.name, s.fort(304))
		}
	}
	// Only regular units ride down.
	s := clearGround(6, 6).position(t, guns[0], staffAt("H", red, 204))
	if _, v := obey(t, s, "H TO 0304"); v == nil || v.Clause != "WB-95 3.1.8" {
		t.Errorf("headquarters into guns: %v", v)
	}
}

func TestSideRoadBonus(t *testing.T) {
	g := clearGround(8, 4)
	g.roads = map[string]string{"side road": "0102-0202-0302-0402-0502-0602-0702", "main road": "0104-0204"}
	for _, c := range []struct{ order, want string }{
		{"F TO 0602", "0102-0202-0302-0402-0502-0602, 4 of 4 MP and a free hex of side road"},
		{"F TO 0702", ""},
		{"F 0102-0202-0302-0402-0502-0602", "0102-0202-0302-0402-0502-0602, 4 of 4 MP and a free hex of side road"},
		{"F 0103-0202-0302-0402-0502", ""}, // a step beside the road spoils it
	} {
		s := g.position(t, infAt("F", red, 102), tankAt("T", red, 102))
		got, v := obey(t, s, c.order)
		if c.want != "" && (v != nil || got != c.want) || c.want == "" && v == nil {
			t.Errorf("%s: %q, %v; want %q", c.order, got, v, c.want)
		}
	}
	s := g.position(t, newPiece("T", red, ARM, Tracked, 4, 2, 102))
	if _, v := obey(t, s, "T TO 0602"); v == nil {
		t.Error("KH: only foot has the bonus")
	}
}

// WB-95 3.1.3, 3.1.6: orders in their order, each unit once, others go on.
func TestMovementPhase(t *testing.T) {
	s := clearGround(8, 6).position(t, infAt("A", red, 102), infAt("B", red, 103), infAt("C", red, 103), infAt("E", blue, 404), gunAt("G", red, 103), staffAt("EH", blue, 801))
	s.unit("B").Retreated = true
	end, events := referee{answers: map[string]string{kindMove: "A TO 0601\nB TO 0303\nB TO 0302\nALL AT 0103 TO 0104\nG TO 0104"}}.play(t, s, movementPhase)
	for name, want := range map[string]hex.Hex{"A": 501, "B": 303, "C": 104, "G": 103} {
		if got := whereIs(end, name); got != want {
			t.Errorf("%s is in %v, want %v", name, got, want)
		}
	}
	if end.unit("B").Retreated {
		t.Error("reading WB-95 5.3.10: the mark of the retreat should be gone")
	}
	if got, want := heard(events, blue, "from", "to"), []string{"seen-moving 0102 0501", "seen-moving 0103 0104", "seen-moving 0103 0303"}; !slices.Equal(got, want) {
		t.Errorf("the enemy sees %q, want %q", got, want)
	}
	want := []string{"moved", "halt A", "moved", "refused B", "moved", "moved", "refused G"}
	if got := heard(events, red, "unit"); !slices.Equal(got, want) {
		t.Errorf("the owner reads %q, want %q", got, want)
	}
	for _, u := range []string{"A", "B", "C"} {
		if !end.unit(u).Active {
			t.Errorf("%s is not marked as active", u)
		}
	}
}

// A stack goes without its guns; units of different classes go the same way at their own price.
func TestStackOrder(t *testing.T) {
	s := clearGround(8, 6).position(t, infAt("A", red, 102), tankAt("B", red, 102), gunAt("G", red, 102))
	got, v := obey(t, s, "A, B, G TO 0302")
	if want := "A: 0102-0202-0302, 2 of 4 MP; B: 0102-0202-0302, 2 of 8 MP; G: stays: it is in combat set-up and cannot move"; v != nil || got != want {
		t.Errorf("%q, %v; want %q", got, v, want)
	}
	if _, v := obey(t, clearGround(8, 6).position(t, infAt("A", red, 102), tankAt("B", red, 102)), "B, A TO 0701"); v == nil || !strings.HasPrefix(v.Why, "A: the step to 0601") {
		t.Errorf("the refusal does not say of whom it speaks: %v", v)
	}
	s = clearGround(8, 6).position(t, infAt("A", red, 102), infAt("B", red, 102))
	if got, v := obey(t, s, "A, B TO 0302"); v != nil || got != "0102-0202-0302, 2 of 4 MP" {
		t.Errorf("%q, %v", got, v)
	}
}

// WB-95 10.2.2, 10.2.3 in movement; 12.2.3.
func TestAllowance(t *testing.T) {
	s := clearGround(8, 6).position(t, infAt("A", red, 102).oos(1), truckAt("B", red, 102), truckAt("C", red, 102).oos(3), staffAt("H", red, 102))
	for _, c := range []struct {
		unit  string
		full  bool
		phase int
		want  string
	}{{"A", false, 3, "2"}, {"A", true, 3, "4"}, {"B", false, 5, "5"}, {"C", false, 3, "3 1/2"}, {"C", false, 5, "1 1/2"}, {"A", false, 5, "0"}, {"H", false, 3, "10"}} {
		s.Phase = c.phase
		if got := s.allowance(s.unit(c.unit), c.full).String(); got != c.want {
			t.Errorf("%s in phase %d: %s MP, want %s", c.unit, c.phase, got, c.want)
		}
	}
	s.Phase = 3
	if got, v := obey(t, s, "A TO 0501 FULL"); v != nil || s.unit("A").OoS != 2 {
		t.Errorf("WB-95 10.2.3: %q, %v, level %d", got, v, s.unit("A").OoS)
	}
	if _, v := obey(t, s, "C TO 0302 FULL"); v != nil || s.unit("C").OoS != 4 {
		t.Errorf("reading WB-95 10.2.3: paid even if unused: level %d, %v", s.unit("C").OoS, v)
	}
	if _, v := obey(t, s, "B TO 0302 FULL"); v != nil || s.unit("B").OoS != 0 {
		t.Error("a supplied unit pays nothing")
	}
}

// WB-95 3.1.9, 3.1.10, 3.2.1.
func TestStacking(t *testing.T) {
	four := []piece{infAt("A", red, 303), infAt("B", red, 303), infAt("C", red, 303), infAt("D", red, 303)}
	if s := clearGround(6, 6).position(t, append(four, staffAt("H", red, 304))...); s.stackSteps(303) != 8 || s.roomFor(303, s.unit("H")) || !s.roomFor(303, s.unit("A")) || s.stackSteps(304) != 1 {
		t.Error("WB-95 3.2.2: steps are counted wrongly")
	}
	moves := func(s *State, orders string) *State {
		end, _ := referee{answers: map[string]string{kindMove: orders}}.play(t, s, movementPhase)
		if full := end.overfull(red); full != nil {
			t.Errorf("%s: overfull at the end: %v", orders, full)
		}
		return end
	}
	// Through a full stack.
	s := moves(clearGround(6, 6).position(t, append(four, infAt("F", red, 203))...), "F 0203-0303-0403")
	if whereIs(s, "F") != 403 {
		t.Errorf("WB-95 3.1.10: F is in %v", whereIs(s, "F"))
	}
	// The last one goes back to the last hex of its way with room.
	s = moves(clearGround(6, 6).position(t, append(four, infAt("F", red, 102))...), "F 0102-0203-0303")
	if whereIs(s, "F") != 203 {
		t.Errorf("WB-95 3.2.1: F is in %v, want 0203", whereIs(s, "F"))
	}
	// A later order makes room.
	s = moves(clearGround(6, 6).position(t, append(four, infAt("F", red, 202))...), "F TO 0303\nA TO 0402")
	if whereIs(s, "F") != 303 {
		t.Errorf("WB-95 3.2.1: F is in %v, want 0303", whereIs(s, "F"))
	}
	// reading 3.2.1: what is too much loses steps, headquarters last.
	s = moves(clearGround(6, 6).position(t, append(four, staffAt("H", red, 303))...), "")
	if s.stackSteps(303) != 8 || s.unit("H").Where != OnMap || s.unit("A").Steps != 1 {
		t.Errorf("of 9 steps there are %d left", s.stackSteps(303))
	}
}
