package wb95

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/board"
	"fieldpost/adjudicator/hex"
)

// border is a map with the zones A to J down its west edge, a hex each; zone C is
// forest, zone D has a main road.
func border() ground {
	g := clearGround(8, 10)
	g.rows[2] = "f......." // 0103
	g.roads = map[string]string{"main road": "0104-0204-0304"}
	for i := range 10 {
		g.zones = append(g.zones, board.Zone{ID: string(rune('A' + i)), Hexes: []hex.Hex{hex.New(1, 1+i)}})
	}
	g.places = []board.Place{{Name: "Mill", Hexes: []hex.Hex{505, 506}, Size: "town"}}
	return g
}

// arriving lets pieces come by the entries, from turn 2 on.
func arriving(t *testing.T, g ground, entry []string, ps ...piece) *State {
	s := g.position(t, ps...)
	s.Turn = 2
	for i := range s.Units {
		if u := &s.Units[i]; u.Where == Later {
			s.sc.Arrivals = append(s.sc.Arrivals, Arrival{Counter: u.ID, Turn: u.Due, Entry: entry})
		}
	}
	return s
}

// The worked examples of 11.1.5: what each next stack through a hex pays.
func TestEntryOfManyStacks(t *testing.T) {
	var ps []piece
	for i := range 10 {
		ps = append(ps, infAt(fmt.Sprintf("R%d", i), red, 0).due(2))
	}
	s := arriving(t, border(), []string{"C"}, ps...)
	for i, want := range []string{"2", "2", "2", "2", "4", "4", "4", "4", "", ""} {
		got, v := obey(t, s, fmt.Sprintf("R%d ENTER C", i))
		if want != "" && (v != nil || got != "enters 0103, "+want+" of 4 MP") || want == "" && (v == nil || v.Clause != "WB-95 11.1.5") {
			t.Errorf("WB-95 11.1.5: unit %d in a wood: %q, %v; want %s MP", i, got, v, want)
		}
	}
	s = arriving(t, border(), []string{"D"}, ps...)
	for i, want := range []string{"1/2", "1/2", "1/2", "1/2", "1", "1", "1", "1", "1 1/2", "1 1/2"} {
		if got, v := obey(t, s, fmt.Sprintf("R%d ENTER D", i)); v != nil || got != "enters 0104, "+want+" of 4 MP" {
			t.Errorf("WB-95 11.1.5: unit %d by road: %q, %v; want %s MP", i, got, v, want)
		}
	}
}

// The worked examples of 11.2.1 and 11.2.2: zones A to J, due at C.
func TestChangeOfZone(t *testing.T) {
	for waited, zones := range []map[string]string{
		{"C": "7", "B": "3 1/2", "D": "3 1/2", "A": "", "E": "", "J": ""},
		{"A": "7", "B": "7", "F": "7", "G": "3 1/2", "H": "", "J": ""},
		{"G": "7", "H": "7", "I": "7", "J": "3 1/2"},
		{"J": "7"},
	} {
		for zone, want := range zones {
			s := arriving(t, border(), []string{"C"}, truckAt("M", red, 0).due(2))
			s.Turn += waited
			got, v := obey(t, s, "M ENTER "+zone)
			if want == "" && v == nil || want != "" && (v != nil || !strings.Contains(got, " of "+want+" MP")) {
				t.Errorf("WB-95 11.2: zone %s after %d turns: %q, %v; want %s MP", zone, waited, got, v, want)
			}
		}
	}
}

func TestEntry(t *testing.T) {
	for _, c := range []struct {
		clause, order, want, why string
		turn                     int
		enemies                  []piece
		control                  map[hex.Hex]Side
	}{
		{"11.1.1", "M ENTER C TO 0303", "", "it comes on 13 May 1942", 1, nil, nil},
		{"11.1.1 later", "M ENTER C TO 0203", "0103-0203, 6 of 7 MP", "", 5, []piece{infAt("E", blue, 801)}, nil},
		{"11.1.2", "M TO 0303", "", "it is not on the map yet", 2, nil, nil},
		{"11.1.2", "M ENTER X", "", "X is not where it may enter", 2, nil, nil},
		{"11.1.2 a hex of the zone", "M ENTER 0104", "0104, 1/3 of 7 MP, half", "", 2, nil, nil},
		{"11.1.4 under an enemy zone", "M ENTER C", "", "zone C is controlled by the enemy", 2, []piece{infAt("E", blue, 203)}, nil},
		{"11.1.4 enemy hex", "M ENTER C", "", "zone C is controlled by the enemy", 2, []piece{staffAt("E", blue, 103)}, nil},
		{"11.1.4 enemy control", "M ENTER C", "", "zone C is controlled by the enemy", 2, nil, map[hex.Hex]Side{103: blue}},
		{"11.1.2 place", "M ENTER MILL TO 0507", "0505-0506-0507, 4 of 7 MP", "", 2, nil, map[hex.Hex]Side{505: red, 506: blue}},
		{"11.1.2 place", "M ENTER MILL", "0505, 0 of 7 MP", "", 2, nil, map[hex.Hex]Side{505: red, 506: red}},
		{"11.1.2 place lost", "M ENTER MILL", "", "no hex of MILL is controlled", 2, nil, map[hex.Hex]Side{505: blue, 506: blue}},
		{"11.1.2 place with an enemy", "M ENTER MILL", "0506, 0 of 7 MP, ends in enemy ZOC", "", 2, []piece{infAt("E", blue, 505)}, map[hex.Hex]Side{505: red, 506: red}},
	} {
		s := arriving(t, border(), []string{"C", "Mill"}, append(c.enemies, truckAt("M", red, 0).due(2))...)
		s.Turn = c.turn
		if c.clause == "11.1.2 a hex of the zone" {
			c.want = "0104, 1/3 of 3 1/2 MP, half the points for another zone"
		}
		s.setController(c.control)
		got, v := obey(t, s, c.order)
		switch {
		case c.why == "" && (v != nil || !strings.HasPrefix(got, "enters "+c.want)):
			t.Errorf("WB-95 %s: %s: %q, %v; want %q", c.clause, c.order, got, v, c.want)
		case c.why != "" && (v == nil || !strings.Contains(v.Why, c.why)):
			t.Errorf("WB-95 %s: %s: %q, %v; want %q", c.clause, c.order, got, v, c.why)
		}
	}
}

// A reinforcement may be led hex by hex, from its first hex or from the next.
func TestEntryByPath(t *testing.T) {
	for _, c := range []struct{ enter, path, want, why string }{
		{"C", "0103-0203", "enters 0103-0203, 6 of 7 MP", ""},
		{"C", "0203", "enters 0103-0203, 6 of 7 MP", ""},
		{"C", "0203-0303", "enters 0103-0203, 6 of 7 MP", "the step to 0303 costs 2 MP"},
		{"C", "0505-0506", "", "it cannot come on to the map in 0505"},
		{"MILL", "0506-0507", "enters 0506-0507, 2 of 7 MP", ""},
		{"0506", "0507", "enters 0506-0507, 2 of 7 MP", ""},
		{"0505", "", "", "no hex of 0505 is controlled"},
	} {
		s := arriving(t, border(), []string{"C", "Mill"}, truckAt("M", red, 0).due(2), infAt("E", blue, 801))
		s.setController(map[hex.Hex]Side{506: red})
		o := moveOrder{units: []*Unit{s.unit("M")}, enter: c.enter}
		if c.path != "" {
			o.path = hexList(t, c.path)
		}
		got, v := s.carryOut(o, nil)
		if got != c.want || (v == nil) != (c.why == "") || v != nil && !strings.Contains(v.Why, c.why) {
			t.Errorf("ENTER %s %s: %q, %v; want %q, %q", c.enter, c.path, got, v, c.want, c.why)
		}
	}
}

// Reinforcements of a condition come one a turn, from the turn after it came true.
func TestConditionalArrivals(t *testing.T) {
	s := arriving(t, border(), []string{"C"}, truckAt("M", red, 0).due(0), truckAt("N", red, 0).due(0), infAt("E", blue, 505))
	for i := range s.sc.Arrivals {
		s.sc.Arrivals[i].When = "mill"
	}
	s.sc.Conditions = []Condition{{Key: "mill", Side: blue, Hexes: []hex.Hex{505, 506}}}
	enter := func(name string) string {
		_, v := obey(t, s, name+" ENTER C")
		if v != nil {
			return v.Why
		}
		return ""
	}
	s.setController(map[hex.Hex]Side{506: blue})
	if why := enter("M"); !strings.Contains(why, "only when mill is lost") {
		t.Errorf("before: %s", why)
	}
	s.Phase = 12
	s, _ = referee{}.play(t, s, supplyPhase)
	s.Phase = 3
	if s.Opened["mill"] != 2 {
		t.Fatalf("the condition came true in %v", s.Opened)
	}
	if why := enter("M"); why == "" {
		t.Error("it enters in the same turn")
	}
	s.Turn = 3
	if why := enter("M"); why != "" {
		t.Error(why)
	}
	if why := enter("N"); !strings.Contains(why, "one of these units comes a turn") {
		t.Errorf("the second of a turn: %q", why)
	}
	s.Turn = 4
	if why := enter("N"); why != "" {
		t.Error(why)
	}
}

// What finds no room goes off the map again, and the enemy sees new stacks.
func TestArrivalIsSeen(t *testing.T) {
	s := arriving(t, border(), []string{"D"}, truckAt("M", red, 0).due(2), truckAt("N", red, 0).due(2),
		infAt("A", red, 304), infAt("B", red, 304), infAt("C", red, 304))
	end, events := referee{answers: map[string]string{kindMove: "M ENTER D TO 0304\nN ENTER D TO 0204\nC TO 0303"}}.play(t, s, movementPhase)
	if whereIs(end, "M") != 304 || whereIs(end, "N") != 204 || end.unit("M").Through != 0 {
		t.Errorf("M is in %v, N in %v", whereIs(end, "M"), whereIs(end, "N"))
	}
	if got := strings.Join(heard(events, blue, "from", "to"), ", "); got != "seen-arriving ---- 0204, seen-arriving ---- 0304, seen-moving 0304 0303" {
		t.Errorf("the enemy sees %q", got)
	}
	four := []piece{infAt("A", red, 103), infAt("B", red, 103), infAt("C", red, 103), infAt("D", red, 103)}
	s = arriving(t, border(), []string{"C"}, append(four, truckAt("M", red, 0).due(2))...)
	end, _ = referee{answers: map[string]string{kindMove: "M ENTER C"}}.play(t, s, movementPhase)
	if m := end.unit("M"); m.Where != Later || m.Active || m.Due != 2 {
		t.Errorf("WB-95 3.2.1: %+v", *m)
	}
}

// Every reinforcement of Kharkov 1942 that is not a gun can come in on its day.
func TestKharkovArrivals(t *testing.T) {
	s := kharkov(t).opening()
	for _, c := range s.sc.Conditions {
		s.Opened = map[string]int{c.Key: 1}
	}
	for i := range s.Units {
		u := &s.Units[i]
		if u.Where != Later || u.towedGun() {
			continue
		}
		for _, name := range s.sc.arrival(u.ID).Entry {
			c := s.clone()
			c.Turn = max(u.Due, 2)
			c.Phase = 3
			if u.c.Side == c.sc.Sides[1] {
				c.Phase = 9
			}
			v := c.unit(u.ID)
			if got, why := c.carryOut(moveOrder{units: []*Unit{v}, enter: name}, nil); why != nil || v.Hex == hex.None {
				t.Errorf("%s %s on turn %d at %s: %q, %v", u.c.Side, u.c.Name, c.Turn, name, got, why)
			}
		}
	}
}

// WB-95 11.1.5, 6.1.7: guns that are ridden down on the hex of entry are gone for who entered;
// what all units of a side march by is written to by nobody.
func TestEnteringLeavesTheSharedListAlone(t *testing.T) {
	s := clearGround(8, 6).position(t, tankAt("T", red, 102), gunAt("x", blue, 202))
	m := s.newMarch(s.unit("T"), false)
	_, shared, _ := s.sighted(red)
	before := slices.Clone(shared)
	m.comeOn(202, outset{}, nil)
	if i := s.sc.Board.Grid.Index(202); before[i] == heldNot || m.held[i] != heldNot {
		t.Errorf("0202 was held as %d, and is held as %d", before[i], m.held[i])
	}
	want(t, "the shared list", fmt.Sprint(shared), fmt.Sprint(before))
}
