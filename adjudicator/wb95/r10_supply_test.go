package wb95

import (
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator/hex"
)

// supplyOf checks RED's lines and lists the units that have one.
func supplyOf(s *State) string {
	l := s.linesOfSupply(red)
	var out []string
	for _, u := range s.onMap(red) {
		if l.reaches(u) {
			out = append(out, u.ID)
		}
	}
	return strings.Join(out, " ")
}

// RED is supplied from the west edge, column 01, for 10 points: five clear hexes.
func TestLinesOfSupply(t *testing.T) {
	plain := clearGround(14, 8)
	road := plain
	road.roads = map[string]string{"side road": "0102-0202-0302-0402-0502-0602-0702-0802-0902-1002"}
	river := road
	river.rivers = map[string]string{"river": "0402/0502"}
	bridge := river
	bridge.bridges = "0402/0502"
	strip := clearGround(9, 3)
	swamp := strip
	swamp.rows = []string{"...s.....", "...s.....", "...s....."}
	causeway := swamp
	causeway.roads = map[string]string{"side road": "0302-0402-0502"}
	town := strip
	town.rows = []string{".........", "...t.....", "........."}
	ally := infAt("R", red, 1007)
	ally.c.Nation = "ROM"
	limbered := gunAt("E", blue, 402)
	limbered.u.Firing = false
	a := infAt("A", red, 602)
	for _, c := range []struct {
		clause string
		g      ground
		ps     []piece
		want   string
	}{
		{"10.1.6 five clear hexes", plain, []piece{infAt("A", red, 606), infAt("B", red, 702)}, "A"},
		{"10.1.5 by road without limit, and on from it", road, []piece{infAt("A", red, 1007)}, "A"},
		{"10.1.6 and no farther", road, []piece{infAt("B", red, 1008)}, ""},
		{"10.1.9 nothing between neighbours", road, []piece{infAt("A", red, 1007), infAt("B", red, 1008)}, "A B"},
		{"10.1.7 the limit is the nation's", road, []piece{infAt("A", red, 1007), ally}, "A"},
		{"10.1.10 not through units", road, []piece{infAt("A", red, 1006), staffAt("E", blue, 602)}, ""},
		{"10.1.10 but around them", road, []piece{infAt("A", red, 1005), staffAt("E", blue, 602)}, "A"},
		{"10.1.10 not through zones", strip, []piece{a, infAt("E", blue, 402)}, ""},
		{"10.1.10 but where regular units stand", strip, []piece{a, infAt("E", blue, 402), infAt("B", red, 401), infAt("C", red, 301), infAt("D", red, 501)}, "A B C D"},
		{"10.1.10 which a headquarters is not", strip, []piece{a, infAt("E", blue, 402), staffAt("B", red, 401), infAt("C", red, 301), infAt("D", red, 501)}, "B C"},
		{"10.1.11 guns ready to fire have a zone", strip, []piece{a, gunAt("E", blue, 402)}, ""},
		{"10.1.11 guns in transport have not", strip, []piece{a, limbered}, "A"},
		{"10.1.11 headquarters have not", strip, []piece{a, staffAt("E", blue, 402)}, "A"},
		{"10.1.11 resilience groups have", strip, []piece{a, newPiece("E", blue, RG, Foot, 0, 1, 402)}, ""},
		{"10.1.11 enemy towns have", town, []piece{a}, ""},
		{"10.1.11 a town that we stand in has not", town, []piece{a, infAt("T", red, 402)}, "A T"},
		{"10.1.8 not through swamps", swamp, []piece{a, infAt("S", red, 402)}, "S"},
		{"10.1.8 but along a road", causeway, []piece{a}, "A"},
		{"10.1.8 a river without a bridge", river, []piece{infAt("A", red, 1005), infAt("B", red, 1007)}, "A"},
		{"10.1.8 a river without a bridge", river, []piece{infAt("A", red, 1006)}, ""},
		{"10.1.8 a river with a bridge", bridge, []piece{infAt("A", red, 1006)}, "A"},
	} {
		s := c.g.position(t, c.ps...)
		s.sc.Allowance["ROM"] = 7 * One
		s.setController(map[hex.Hex]Side{402: blue})
		if got := supplyOf(s); got != c.want {
			t.Errorf("WB-95 %s: supplied: %q, want %q", c.clause, got, c.want)
		}
	}
	// WB-95 10.1.4: a town is a source while it is controlled.
	s := town.position(t, a)
	s.sc.Supply[red] = Supply{Places: []string{"Mill"}}
	s.sc.Board.Places = append(s.sc.Board.Places, place402)
	if got := supplyOf(s); got != "" {
		t.Errorf("WB-95 10.1.4: supplied by nobody's town: %q", got)
	}
	s.setController(map[hex.Hex]Side{402: red})
	if got := supplyOf(s); got != "A" {
		t.Errorf("WB-95 10.1.4: supplied: %q, want A", got)
	}
}

// One search of the lines finds what relaxing every step again and again finds,
// written in the words of the rules.
func TestSupplyAgainstBruteForce(t *testing.T) {
	truck := &Counter{Class: Trucked}
	for seed := range uint64(60) {
		s := wilderness(t, seed, 8)
		g := s.sc.Board.Grid
		blocked := func(h hex.Hex) bool {
			if s.holder(h) == blue {
				return true
			}
			for _, u := range s.unitsAt(h) {
				if u.regular() {
					return false
				}
			}
			for _, n := range g.Neighbours(h) {
				for _, e := range s.unitsAt(n) {
					if e.c.Side == blue && e.c.Type != HQ && s.reaches(e, h) {
						return true
					}
				}
			}
			return false
		}
		cost := map[hex.Hex]Cost{}
		for _, h := range s.sc.Board.MapEdge("west") {
			cost[h] = 0
		}
		for again := true; again; {
			again = false
			for i := range g.Len() {
				h := g.At(i)
				c, ok := cost[h]
				if !ok || blocked(h) {
					continue
				}
				for _, n := range g.Neighbours(h) {
					p := s.entryCost(truck, h, n)
					e := hex.Between(h, n)
					switch {
					case p == Closed:
						continue
					case s.holder(h) == red && s.holder(n) == red:
						p = 0
					case s.sc.roadOn(h, n) != "" && (s.sc.Board.River(e) == "" || s.bridgeStands(e)):
						p = 0
					}
					if old, ok := cost[n]; !ok || c+p < old {
						cost[n], again = c+p, true
					}
				}
			}
		}
		l := s.linesOfSupply(red)
		for i := range g.Len() {
			want, ok := cost[g.At(i)]
			if !ok {
				want = Closed
			}
			if l.cost[i] != want {
				t.Errorf("seed %d: a line to %v costs %v, by brute force %v", seed, g.At(i), l.cost[i], want)
			}
		}
	}
}

// Section 10.2.
func TestSupplyPhase(t *testing.T) {
	at := func(name string, oos int, h hex.Hex) piece { return infAt(name, red, h).oos(oos) }
	// Column 12 is out of reach, column 02 within.
	s := clearGround(13, 8).position(t, at("A", 0, 1201), at("B", 5, 1202), at("C", 5, 1205), at("D", 2, 1208), at("E", 5, 201), at("F", 3, 202), infAt("X", blue, 802), at("X2", 6, 1108))
	s.setController(map[hex.Hex]Side{1203: blue})
	dice := referee{dice: map[string][]int{"surrender B": {1, 3}, "surrender C": {4, 1}, "surrender X2": {6, 6}}}
	end, events := dice.play(t, s, supplyPhase)
	for name, want := range map[string]int{"A": 1, "B": 0, "C": 5, "D": 2, "E": 1, "F": 0} {
		if got := end.unit(name).OoS; got != want {
			t.Errorf("WB-95 10.2: %s has level %d, want %d", name, got, want)
		}
	}
	if end.unit("B").Where != Gone || end.unit("C").Where != OnMap {
		t.Error("WB-95 10.2.6: 5 - 4 > 0 surrenders, 5 - 5 does not")
	}
	if got := end.controller(1203); got != blue {
		t.Error("WB-95 4.3.4: a unit that surrenders controls nothing")
	}
	if end.unit("A").Supplied || !end.unit("F").Supplied {
		t.Error("the units do not know whether they have a line")
	}
	if got, want := heard(events, red, "unit", "level", "gives"), []string{"cut-off A 1", "resupplied E 1", "resupplied F ",
		"surrender B 5 yes", "surrender C 5 ", "surrender X2 6 "}; !slices.Equal(got, want) {
		t.Errorf("the owner reads %q, want %q", got, want)
	}
	if got, want := heard(events, blue, "hex", "side", "unit", "level"), []string{"seen-surrender 1202 Red"}; !slices.Equal(got, want) {
		t.Errorf("the enemy reads %q, want %q", got, want)
	}
	// The worked example of 10.2.8: level 5, two Supply Phases with a line.
	end, _ = dice.play(t, end, supplyPhase)
	if got := end.unit("E").OoS; got != 0 {
		t.Errorf("WB-95 10.2.8: level %d, want 0", got)
	}
	if end.unit("A").OoS != 1 {
		t.Error("reading WB-95 10.2.1: time alone raises the level")
	}
}

// The chances of 10.2.6: a roll below the level.
func TestSurrenderTable(t *testing.T) {
	for level, ways := range map[int]int{1: 0, 2: 0, 3: 1, 4: 3, 5: 6, 6: 10, 7: 15, 8: 21, 9: 26, 10: 30, 11: 33, 12: 35, 13: 36} {
		n := 0
		for a := 1; a <= 6; a++ {
			for b := 1; b <= 6; b++ {
				s := clearGround(13, 3).position(t, infAt("A", red, 1202).oos(level))
				end, _ := referee{dice: map[string][]int{"surrender A": {a, b}}}.play(t, s, supplyPhase)
				if end.unit("A").Where == Gone {
					n++
				}
			}
		}
		if n != ways {
			t.Errorf("WB-95 10.2.6: level %d surrenders in %d of 36, want %d", level, n, ways)
		}
	}
}

func TestEndOfHalfTurn(t *testing.T) {
	u := infAt("A", red, 101)
	u.u.Active, u.u.Strategic = true, true
	end, _ := referee{}.play(t, clearGround(5, 5).position(t, u), supplyPhase)
	if a := end.unit("A"); a.Active || a.Strategic {
		t.Errorf("marks of the half turn are left: %+v", a)
	}
}

// On the first day of Kharkov 1942 every unit has a line of supply, no stack is
// too large, and nobody has won.
func TestKharkovOpens(t *testing.T) {
	s := kharkov(t).opening()
	for _, side := range s.sc.Sides {
		l := s.linesOfSupply(side)
		for _, u := range s.onMap(side) {
			if !l.reaches(u) {
				t.Errorf("%s %s in %v is out of supply", side, u.c.Name, u.Hex)
			}
		}
		if full := s.overfull(side); full != nil {
			t.Errorf("%s is overfull in %v", side, full)
		}
	}
	if winner, verdict := s.checkVictory(true, false); verdict != "" {
		t.Errorf("decided: %s %s", winner, verdict)
	}
}
