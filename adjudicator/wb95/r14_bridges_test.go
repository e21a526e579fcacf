package wb95

import (
	"strings"
	"testing"

	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
)

// banks is a plain with a river and a big river, a bridge over each.
func banks() ground {
	g := clearGround(9, 9)
	g.rivers = map[string]string{"river": "0304/0305 0404/0405", "big river": "0607/0608 0707/0708"}
	g.bridges = "0304/0305 0607/0608"
	return g
}

// The example of WB-95 14.1.3: A is 0304, B is 0305.
func TestBridgeControl(t *testing.T) {
	s := banks().position(t, infAt("garrison", blue, 305), infAt("allied", red, 201), infAt("z", red, 901))
	e := hex.Between(304, 305)
	owner := func(what string, side Side) {
		t.Helper()
		s.holdBridges()
		want(t, what, s.bridge(e).Holder, side)
	}
	owner("the garrison on B owns it", blue)
	s.put(s.unit("allied"), 304)
	owner("allies come to A", blue)
	s.put(s.unit("garrison"), 307)
	owner("the garrison is forced back", red)
	s.put(s.unit("garrison"), 305)
	owner("it comes back to B", red)
	s.put(s.unit("allied"), 201)
	owner("A is emptied, B held", blue)
	// Nobody there: control of the ends decides.
	s.put(s.unit("garrison"), 909)
	s.setController(map[hex.Hex]Side{304: red, 305: blue})
	owner("nobody there", blue)
	s.setController(map[hex.Hex]Side{305: red})
	owner("and both ends lost", red)
}

// WB-95 14.2 and 14.3.1: demolition and rebuilding.
func TestWorkOnBridges(t *testing.T) {
	e, big := hex.Between(304, 305), hex.Between(607, 608)
	for _, c := range []struct {
		clause string
		ps     []piece
		down   bool
		order  string
		story  string // or why not
		edge   hex.Edge
		stands bool
	}{
		{"14.2.1 one point", []piece{infAt("a", red, 304)}, false, "A BLOW 0304/0305", "stays in 0304, 1 of 4 MP, blows up the bridge 0304/0305", e, false},
		{"14.2.1 after a way", []piece{infAt("a", red, 302)}, false, "A TO 0304 BLOW 0305/0304", "0302-0303-0304, 3 of 4 MP, blows up the bridge 0304/0305", e, false},
		{"14.2.1 before a way", []piece{infAt("a", red, 304)}, false, "A BLOW 0304/0305 TO 0302", "0304-0303-0302, 3 of 4 MP, blows up the bridge 0304/0305", e, false},
		{"14.2.1 over it, then blow it", []piece{infAt("a", red, 304)}, false, "A TO 0305 BLOW 0304/0305", "0304-0305, 2 of 4 MP, blows up the bridge 0304/0305", e, false},
		{"14.2.1 by headquarters", []piece{staffAt("a", red, 304)}, false, "A BLOW 0304/0305", "stays in 0304, 1 of 10 MP, blows up the bridge 0304/0305", e, false},
		{"14.2.1 not enough left", []piece{infAt("a", red, 301)}, false, "A TO 0305 BLOW 0304/0305", "WB-95 14.2.1: the work costs 1 MP, 0 of 4 are left", e, true},
		{"14.2.1 not beside it", []piece{infAt("a", red, 304), infAt("b", red, 302)}, false, "B BLOW 0304/0305", "WB-95 14.2.1: 0302 is not beside 0304/0305. Go to 0304 or 0305 first.", e, true},
		{"14.1.4 the enemy's", []piece{infAt("x", blue, 305), infAt("a", red, 304)}, false, "A BLOW 0304/0305", "WB-95 14.1.4: the enemy controls the bridge 0304/0305. Drive them from the other end first.", e, true},
		{"14.2.1 none", []piece{infAt("a", red, 404)}, false, "A BLOW 0404/0405", "WB-95 14.2.1: no bridge stands at 0404/0405", hex.Between(404, 405), false},
		{"14.3.1 a big river takes three", []piece{infAt("a", red, 607)}, false, "A BLOW 0607/0608", "stays in 0607, 3 of 4 MP, blows up the bridge 0607/0608", big, false},
		{"14.3.1 and no less", []piece{infAt("a", red, 605)}, false, "A TO 0607 BLOW 0607/0608", "WB-95 14.2.1: the work costs 3 MP, 2 of 4 are left", big, true},
		{"14.2.2 rebuilt for three", []piece{infAt("a", red, 304), staffAt("hq", red, 303)}, true, "A REBUILD 0304/0305", "stays in 0304, 3 of 4 MP, rebuilds the bridge 0304/0305", e, true},
		{"14.2.2 and used at once", []piece{infAt("a", red, 304), staffAt("hq", red, 303)}, true, "A REBUILD 0304/0305 TO 0305", "0304-0305, 4 of 4 MP, rebuilds the bridge 0304/0305", e, true},
		{"14.2.2 by the headquarters itself", []piece{staffAt("hq", red, 304)}, true, "HQ REBUILD 0304/0305", "stays in 0304, 3 of 10 MP, rebuilds the bridge 0304/0305", e, true},
		{"14.2.2 out of range", []piece{infAt("a", red, 304), staffAt("hq", red, 309)}, true, "A REBUILD 0304/0305", "WB-95 14.2.2: no headquarters is in range of 0304", e, false},
		{"14.2.3 none to rebuild", []piece{infAt("a", red, 404), staffAt("hq", red, 303)}, true, "A REBUILD 0404/0405", "WB-95 14.2.3: there never was a bridge at 0404/0405", hex.Between(404, 405), false},
		{"14.3.2 not over a big river", []piece{infAt("a", red, 607), staffAt("hq", red, 606)}, true, "A REBUILD 0607/0608", "WB-95 14.3.2: over a big river only a headquarters builds, in two turns. A headquarters on the bank: BUILD 0607/0608.", big, false},
		{"14.3.2 not on a river", []piece{staffAt("hq", red, 404)}, true, "HQ BUILD 0404/0405", "WB-95 14.2.3: 0404/0405 is not a big river: bridges there can only be rebuilt. Write REBUILD 0404/0405.", hex.Between(404, 405), false},
	} {
		s := banks().position(t, append(c.ps, infAt("far", blue, 909))...)
		s.sc.HQRange = map[string]int{"RED": 4}
		if c.down {
			s.setBridge(e, false)
			s.setBridge(big, false)
		}
		s.bridge(e).Holder = s.holder(305) // who was there first
		s.holdBridges()
		text, v := obey(t, s, c.order)
		if v != nil {
			text = v.Error()
		}
		want(t, c.clause, text, c.story)
		want(t, c.clause+": stands", s.bridgeStands(c.edge), c.stands)
	}
	s := banks().position(t, infAt("a", red, 304), infAt("b", red, 304))
	if _, v := s.parseMove(red, phrase.Read("ALL AT 0304 BLOW 0304/0305")); v == nil {
		t.Error("two units blow one bridge")
	}
}

// WB-95 14.2.1: both sides hear of a bridge that is blown, and of nobody who did it.
func TestWhoBlowsABridgeIsNotTold(t *testing.T) {
	s := banks().position(t, infAt("a", red, 304), infAt("x", blue, 101))
	edge := hex.Between(304, 305)
	s.setBridge(edge, true)
	r := referee{answers: map[string]string{kindMove: "A BLOW 0304/0305"}}
	_, events := r.play(t, s, movementPhase)
	want(t, "the enemy hears", strings.Join(heard(events, blue, "bridge", "unit"), "|"), "bridge-blown 0304/0305")
}

// The example of WB-95 14.3.2: on the bank in one turn, declared in the next, usable in the third.
func TestBigRiverBridge(t *testing.T) {
	e := hex.Between(707, 708)
	for _, c := range []struct {
		clause string
		after  func(*State) // between the declaration and the next Movement Phase
		stands bool
		why    string
	}{
		{"regular units on both ends", func(s *State) { s.put(s.unit("a"), 707); s.put(s.unit("b"), 708) }, true, ""},
		{"the far hex controlled and free", func(s *State) { s.setController(map[hex.Hex]Side{708: red}) }, true, ""},
		{"the far hex not controlled", func(*State) {}, false, "0708 is not under our control"},
		{"the far hex in an enemy zone", func(s *State) { s.setController(map[hex.Hex]Side{708: red}); s.put(s.unit("x"), 709) }, false, "0708 is not under our control"},
		{"forced back", func(s *State) { s.setController(map[hex.Hex]Side{708: red}); s.put(s.unit("hq"), 706) }, false, "it is not on its bank any more"},
		{"lost", func(s *State) { s.setController(map[hex.Hex]Side{708: red}); s.remove(s.unit("hq")) }, false, "it is not on its bank any more"},
	} {
		s := banks().position(t, staffAt("hq", red, 705), infAt("a", red, 706), infAt("b", red, 606), infAt("x", blue, 101))
		s.put(s.unit("hq"), 707)
		if _, v := obey(t, s.clone(), "HQ BUILD 0707/0708"); v == nil || v.Clause != "WB-95 14.3.2" {
			t.Errorf("built without having stood there: %v", v)
		}
		s.camp(s.onMap(red))
		r := referee{answers: map[string]string{kindMove: "HQ BUILD 0708/0707"}}
		mid, events := r.play(t, s, movementPhase)
		want(t, c.clause+": the owner", strings.Join(heard(events, red, "bridge"), "|"), "bridge-begun 0707/0708|moved")
		want(t, c.clause+": secret", len(heard(events, blue)), 0)
		want(t, c.clause+": spent", mid.unit("hq").Active, true)
		want(t, c.clause+": in its view", *mid.view(red).Units[2].Work, e)
		mid.unit("hq").Active = false
		c.after(mid)
		name := ""
		if mid.unit("hq").Where == OnMap {
			name = "HQ TO 0705"
		}
		end, events := referee{answers: map[string]string{kindMove: name}}.play(t, mid, movementPhase)
		want(t, c.clause, end.bridgeStands(e), c.stands)
		want(t, c.clause+": works", len(end.Works), 0)
		if c.stands {
			want(t, c.clause+": both hear", strings.Contains(strings.Join(heard(events, blue), " "), "bridge-built"), true)
			want(t, c.clause+": the headquarters stays", end.unit("hq").Hex, hex.Hex(707))
		} else {
			want(t, c.clause+": why", strings.Contains(strings.Join(heard(events, red, "why"), "|"), c.why), true)
		}
	}
}

// WB-95 14.3.3
func TestOneHeadquartersOneBridge(t *testing.T) {
	s := banks().position(t, staffAt("hq", red, 707), staffAt("staff", red, 708), infAt("x", blue, 101))
	s.camp(s.onMap(red))
	if _, v := obey(t, s, "HQ BUILD 0707/0708"); v != nil {
		t.Fatal(v)
	}
	if _, v := obey(t, s, "STAFF BUILD 0707/0708"); v == nil || v.Clause != "WB-95 14.3.3" {
		t.Errorf("two build one bridge: %v", v)
	}
}
