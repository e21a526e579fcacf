package famous

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
	"fieldpost/adjudicator/view"
	"fieldpost/orders"
)

// underFog is a scenario's opening under a mode of fog.
func underFog(t *testing.T, id string, mode adjudicator.Fog) (*Game, *State) {
	t.Helper()
	g, err := newGame(load(t, id)).With(map[string]string{"fog": string(mode)})
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

// What each mode shows of the enemy at the opening of gd-kursk.
func TestFogModes(t *testing.T) {
	stacks, told := map[adjudicator.Fog]int{}, map[adjudicator.Fog]int{}
	for _, mode := range []adjudicator.Fog{adjudicator.FogRulebook, adjudicator.FogBlind, adjudicator.FogOpen} {
		_, s := underFog(t, "gd-kursk", mode)
		v := s.view("GERMAN")
		stacks[mode] = len(v.Enemy)
		for _, st := range v.Enemy {
			if len(st.Units) > 0 {
				told[mode]++
			}
			if mode == adjudicator.FogBlind && !s.overlooks("GERMAN", st.Hex) {
				t.Errorf("blind: %v is shown, and nobody looks there", st.Hex)
			}
		}
		if mode != adjudicator.FogRulebook && v.Options["fog"] != string(mode) || mode == adjudicator.FogRulebook && v.Options != nil {
			t.Errorf("%s: the view names the options %v", mode, v.Options)
		}
	}
	if stacks[adjudicator.FogRulebook] != stacks[adjudicator.FogOpen] || stacks[adjudicator.FogBlind] == 0 || stacks[adjudicator.FogBlind] >= stacks[adjudicator.FogRulebook] {
		t.Errorf("stacks shown: %v", stacks)
	}
	if told[adjudicator.FogOpen] != stacks[adjudicator.FogOpen] || told[adjudicator.FogRulebook] >= stacks[adjudicator.FogRulebook] {
		t.Errorf("stacks whose units are told: %v of %v", told, stacks)
	}
	if _, err := newGame(load(t, "gd-kursk")).With(map[string]string{"fog": "thick"}); err == nil {
		t.Error("fog = thick is taken")
	}
}

// alone leaves one unit a side on the map, both on clear ground: u is on its way to
// e's hex over open country, out of sight of each other.
func alone(t *testing.T, s *State) (u, e *Unit) {
	t.Helper()
	for i := range s.Units {
		x := &s.Units[i]
		if x.Where != OnMap {
			continue
		}
		switch {
		case x.c.Side == "GERMAN" && x.c.Class == Tracked && !x.c.HQ && u == nil:
			u = x
		case x.c.Side == "SOVIET" && x.fights() && x.c.Class == Leg && e == nil:
			e = x
		default:
			s.lift(x)
			x.Where, x.Hex = Later, hex.None
		}
	}
	s.Forts = nil
	s.index()
	return u, e
}

// A blind march goes towards what its side does not see, and ends beside it; the
// note that it leaves stays until somebody looks.
func TestBlindMarch(t *testing.T) {
	for _, mode := range []adjudicator.Fog{adjudicator.FogRulebook, adjudicator.FogBlind} {
		g, s := underFog(t, "gd-kursk", mode)
		u, e := alone(t, s)
		// Somewhere an own hex and one within a march of it do not see each other.
		found := false
		for i := range s.at {
			h := s.sc.Board.Grid.At(i)
			if !s.sc.ground[i].on || s.sc.ground[i].major || found {
				continue
			}
			u.did.active = true
			s.put(u, h)
			u.did.spent, u.did.started = 0, false
			for _, j := range s.search(u, i, false).order {
				d := s.sc.Board.Grid.Distance(h, s.sc.Board.Grid.At(j))
				if d >= 3 && !s.sc.sees(i, j) && !s.sc.ground[j].major {
					s.put(e, s.sc.Board.Grid.At(j))
					found = true
					break
				}
			}
		}
		if !found {
			t.Fatal("no two such hexes")
		}
		to := e.Hex
		s.Contacts, s.Known = nil, [2]string{}
		s.Turn, s.Phase, s.Weather, s.Cup = 1, 2, 1, []string{chitKey("GERMAN", u.c.Battalion)}
		s.noteContacts()
		v := s.view("GERMAN")
		shown := slices.ContainsFunc(v.Enemy, func(st view.Stack) bool { return st.Hex == to })
		if shown != (mode == adjudicator.FogRulebook) {
			t.Errorf("%s: the stack on %v is shown: %v", mode, to, shown)
		}
		order := "MOVE " + u.c.Name + " TO " + to.String()
		sheet, faults := orders.Parse("GAME: X\nSIDE: GERMAN\nTURN: 1\nSERIAL: 1\nCHIT "+u.c.Battalion+"\n"+order+"\nDONE\n", Vocabulary)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		why := ""
		for _, l := range g.Check(v, sheet).Lines {
			if l.Refused != nil {
				why = l.Refused.Why
			}
		}
		if refused := strings.Contains(why, "holds the enemy"); refused != (mode == adjudicator.FogRulebook) {
			t.Errorf("%s: %s is refused: %q", mode, order, why)
		}
		if mode == adjudicator.FogRulebook {
			continue
		}
		s.Phase, s.First = 3, []string{chitKey("GERMAN", u.c.Battalion)}
		s.Cup = nil
		p, err := adjudicator.Play(s.clone(), phase, nil, plain{rand.New(rand.NewPCG(1, 1))}, plotted{"GERMAN chit " + u.c.Battalion: order})
		if err != nil {
			t.Fatal(err)
		}
		after := p.State
		at := after.unit(u.ID)
		if at.Hex == u.Hex || at.Hex == to || !after.overlooks("GERMAN", to) {
			t.Errorf("the march from %v to the enemy on %v ended on %v", u.Hex, to, at.Hex)
		}
		note := func(s *State) *view.Stack {
			for _, st := range s.view("GERMAN").Enemy {
				if st.Hex == to {
					return &st
				}
			}
			return nil
		}
		if n := note(after); n == nil || !n.Closer || len(n.Units) == 0 {
			t.Fatalf("seen from %v: %+v", at.Hex, n)
		}
		// Both part; the note keeps its date until somebody looks.
		back := u.Hex
		after.Turn += 2
		after.put(at, back)
		foe := after.unit(e.ID)
		after.lift(foe)
		foe.Where, foe.Hex = Later, hex.None
		after.index()
		after.noteContacts()
		if n := note(after); n == nil || n.Closer || n.Seen != after.date(1) {
			t.Errorf("the note of the old contact: %+v", n)
		}
		after.put(at, to)
		after.noteContacts()
		if n := note(after); n != nil {
			t.Errorf("%v is empty for all to see, and the note stands: %+v", to, n)
		}
	}
}

// Who works where nobody looks is nobody's name to the enemy, and in a blind game
// it is not told at all.
func TestWhoWorksUnseen(t *testing.T) {
	for _, mode := range []adjudicator.Fog{adjudicator.FogRulebook, adjudicator.FogBlind, adjudicator.FogOpen} {
		_, s := underFog(t, "gd-kursk", mode)
		var e *Unit
		for i := range s.Units {
			if x := &s.Units[i]; x.Where == OnMap && x.c.Side == "SOVIET" && !s.watches("GERMAN", x.Hex) && !(mode == adjudicator.FogBlind && s.overlooks("GERMAN", x.Hex)) {
				e = x
			}
		}
		told := map[string]string{}
		for _, ev := range s.audience(view.Event{Kind: "cleared", Hexes: []hex.Hex{e.Hex}, Facts: view.Pairs{"unit", e.c.Name}}) {
			for _, side := range s.sc.Sides {
				if ev.For(string(side)) {
					told[string(side)] += ev.Facts.Get("unit")
				}
			}
		}
		want := map[adjudicator.Fog]string{adjudicator.FogRulebook: "an engineer", adjudicator.FogBlind: "", adjudicator.FogOpen: e.c.Name}[mode]
		if told["SOVIET"] != e.c.Name || told["GERMAN"] != want {
			t.Errorf("%s: told was %v of %s", mode, told, e.c.Name)
		}
	}
}

// A View names every option that differs from the default, that of the set-up too.
func TestTheViewNamesTheOptions(t *testing.T) {
	for _, want := range []map[string]string{nil, {"set-up": "choose"}, {"set-up": "choose", "fog": "blind"}} {
		g, err := newGame(load(t, "gd-kursk")).With(want)
		if err != nil {
			t.Fatal(err)
		}
		position, err := g.Opening()
		if err != nil {
			t.Fatal(err)
		}
		for _, side := range g.Sides() {
			v, err := g.View(position, side)
			if err != nil || !maps.Equal(v.Options, want) {
				t.Errorf("%s: the view names %v of %v, %v", side, v.Options, want, err)
			}
		}
	}
}
