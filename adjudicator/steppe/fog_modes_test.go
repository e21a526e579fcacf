package steppe

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/phrase"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

func underFog(t *testing.T, mode adjudicator.Fog) (*Game, *State) {
	t.Helper()
	g, err := newGame(load(t, "star-and-gallop")).With(map[string]string{"fog": string(mode)})
	if err != nil {
		t.Fatal(err)
	}
	game := g.(*Game)
	b, err := game.Opening()
	if err != nil {
		t.Fatal(err)
	}
	s, err := decodeState(game.sc, b)
	if err != nil {
		t.Fatal(err)
	}
	return game, s
}

// What each mode shows of the enemy at the opening.
func TestFogModes(t *testing.T) {
	stacks := map[adjudicator.Fog]int{}
	for _, mode := range []adjudicator.Fog{adjudicator.FogRulebook, adjudicator.FogBlind, adjudicator.FogOpen} {
		_, s := underFog(t, mode)
		v := s.view(German)
		stacks[mode] = len(v.Enemy)
		for _, st := range v.Enemy {
			if len(st.Units) == 0 || st.Units[0].Name == "" {
				t.Errorf("%s: nothing of what stands in %v", mode, st.Hex)
			}
			if !s.overlooks(German, st.Hex) {
				t.Errorf("%s: %v is out of sight", mode, st.Hex)
			}
		}
		if shown := v.Options["fog"]; mode != adjudicator.FogRulebook && shown != string(mode) || mode == adjudicator.FogRulebook && shown != "" {
			t.Errorf("%s: the view says fog = %q", mode, shown)
		}
	}
	if stacks[adjudicator.FogRulebook] != stacks[adjudicator.FogOpen] || stacks[adjudicator.FogBlind] == 0 || stacks[adjudicator.FogBlind] >= stacks[adjudicator.FogRulebook] {
		t.Errorf("stacks shown: %v", stacks)
	}
	if _, err := newGame(load(t, "star-and-gallop")).With(map[string]string{"fog": "thick"}); err == nil {
		t.Error("fog = thick is taken")
	}
}

// lonely leaves of each side one unit on the map, four hexes apart in the open: u
// would find its way to e's hex.
func lonely(t *testing.T, s *State) (u, e *Unit, from, to hex.Hex) {
	t.Helper()
	for i := range s.Units {
		x := &s.Units[i]
		switch {
		case x.Where != OnMap:
		case x.c.Side == German && x.c.Motorized && x.combat() && u == nil:
			u = x
		case x.c.Side == Soviet && x.combat() && e == nil:
			e = x
		default:
			x.Where, x.Hex = Later, hex.None
		}
	}
	s.index()
	for i := range s.at.slot {
		from = s.hexAt(i)
		to = hex.New(from.Col(), from.Row()+4)
		ok := from.Row() > 1 && from.Col() > 1 && s.sc.Board.On(from-1) && s.sc.Board.On(to+6) && s.sc.Board.On(hex.New(to.Col()-1, to.Row()+3))
		for h := from; ok && h <= to; h++ {
			ok = s.sc.Board.On(h) && slices.Equal(s.sc.Board.Kinds(h), []string{"clear"}) && !s.isObjective(h)
		}
		for h := from; ok && h < to; h++ {
			ok = s.sc.land.water[s.ix(h)][hex.S] == dry
		}
		if ok {
			s.put(u, from)
			s.put(e, to)
			return u, e, from, to
		}
	}
	t.Fatal("no four open hexes in a row")
	return
}

// A blind side orders its units on to what it does not see; they halt beside it.
// The note of it keeps its date until somebody looks.
func TestBlindMarch(t *testing.T) {
	for _, mode := range []adjudicator.Fog{adjudicator.FogRulebook, adjudicator.FogBlind} {
		g, s := underFog(t, mode)
		u, e, from, to := lonely(t, s)
		s.Notes, s.Known, s.Step, s.Phase = nil, [2]letters{}, StepOrders, 2
		s.look()
		hq := ""
		for i := range s.Units {
			if x := &s.Units[i]; x.c.Type == HQ && x.c.Side == German && x.c.Command == u.c.Command && hq == "" {
				x.Due, hq = 0, x.c.Name
				s.put(x, hex.New(from.Col(), from.Row()-1))
			}
		}
		s.look()
		v := s.view(German)
		sheet, faults := orders.Parse("GAME: X\nSIDE: GERMAN\nTURN: 1\nSERIAL: 1\nCHIT "+strings.ToUpper(hq)+"\nMOVE "+u.c.Name+" TO "+to.String()+"\nDONE\n", Vocabulary)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		why := ""
		for _, l := range g.Check(v, sheet).Lines {
			if l.Refused != nil || l.Warning != "" {
				why += l.Text + ": " + l.Warning
				if l.Refused != nil {
					why += l.Refused.Why
				}
			}
		}
		if mode == adjudicator.FogBlind && why != "" {
			t.Errorf("blind: %s", why)
		}
		if shown := s.noteOf(German, to) != nil || len(v.Enemy) > 0; shown != (mode == adjudicator.FogRulebook) {
			t.Errorf("%s: the enemy on %v is shown: %v", mode, to, shown)
		}
		if mode == adjudicator.FogRulebook {
			continue
		}
		way, short := s.grope(u, s.newWalk(u), course{to: to})
		if end := way[len(way)-1]; !short || s.sc.land.grid.Distance(end, to) != 1 {
			t.Fatalf("the way from %v to %v is %v", from, to, way)
		}
		if s.holds([]phrase.Condition{{Any: [][]phrase.Fact{{{Kind: phrase.FactEmpty, Hex: to}}}}}, German, drawnNow) != true {
			t.Error("a condition tells what stands out of sight")
		}
		s.march(u, way)
		s.look()
		if n := s.noteOf(German, to); n == nil || len(n.Units) != 1 || n.Units[0].ID != e.ID {
			t.Fatalf("the note of %v: %+v", to, n)
		}
		date := s.sc.date(s.Turn)
		s.put(u, from)
		s.put(e, hex.New(to.Col()-1, to.Row()+3))
		s.Turn++
		s.look()
		var noted *view.Stack
		for _, st := range s.view(German).Enemy {
			if st.Hex == to {
				noted = &st
			}
		}
		if noted == nil || noted.Seen != date || noted.Closer {
			t.Errorf("the note of the old contact: %+v", noted)
		}
		s.put(u, hex.New(to.Col(), to.Row()-2))
		s.look()
		if s.noteOf(German, to) != nil {
			t.Errorf("%v is seen to be empty, and the note stands", to)
		}
	}
}

// In a blind game the enemy hears of a march where they look, and only of its end.
func TestBlindSightings(t *testing.T) {
	_, s := underFog(t, adjudicator.FogBlind)
	u, e, from, to := lonely(t, s)
	way := []hex.Hex{from, from + 1, from + 2}
	heard := func(e view.Event) map[string]view.Event {
		out := map[string]view.Event{}
		for _, x := range (&listener{s: s}).hear(e) {
			for _, side := range s.sc.sides() {
				if x.For(string(side)) {
					out[string(side)] = x
				}
			}
		}
		return out
	}
	move := view.Event{Kind: "move", Side: string(German), Hexes: way, Facts: view.Pairs{"unit", u.c.Name, "from", s.spot(from), "to", s.spot(from + 2)}}
	s.put(u, from+2)
	got := heard(move)
	if x := got["SOVIET"]; len(x.Hexes) != 1 || x.Facts.Get("from") != "out of sight" {
		t.Errorf("seen from %v: %+v", to, x)
	}
	if x := got["GERMAN"]; len(x.Hexes) != 3 || x.Facts.Get("from") != s.spot(from) {
		t.Errorf("the owner is told %+v", x)
	}
	s.put(e, to+6)
	if _, ok := heard(move)["SOVIET"]; ok {
		t.Error("a march out of sight is told")
	}
	chit := heard(view.Event{Kind: "chit", Side: string(German), Hexes: way[:1], Facts: view.Pairs{"hq", "X", "hex", "1010", "units", "3"}})
	if x := chit["SOVIET"]; x.Facts.Get("hex") != "" || x.Facts.Get("units") != "" || len(x.Hexes) > 0 || chit["GERMAN"].Facts.Get("hex") != "1010" {
		t.Errorf("a chit tells the enemy %+v", x)
	}
}

// By the rulebook what is sealed changes nothing that the enemy sees; in a blind
// game what is out of sight neither.
func TestDisguisedPositionsLookAlike(t *testing.T) {
	for _, mode := range []adjudicator.Fog{adjudicator.FogRulebook, adjudicator.FogBlind} {
		g, s := underFog(t, mode)
		for k := range 20 {
			for _, side := range s.sc.sides() {
				b, err := Tried{g}.Disguise(s.encode(), side, rand.New(rand.NewPCG(uint64(k), 16)).IntN)
				if err != nil {
					t.Fatal(err)
				}
				o, err := decodeState(g.sc, b)
				if err != nil {
					t.Fatal(err)
				}
				if mode == adjudicator.FogBlind && slices.EqualFunc(s.Units, o.Units, func(a, b Unit) bool { return a.Hex == b.Hex }) {
					t.Errorf("blind: nobody stands elsewhere for %s", side)
				}
				if a, b := asJSON(s.view(side)), asJSON(o.view(side)); a != b {
					t.Fatalf("%s: %s sees the difference", mode, side)
				}
			}
		}
	}
}

func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}
