package wb95

import (
	"strings"
	"testing"

	"fieldpost/adjudicator"
	"fieldpost/adjudicator/hex"
)

// allies makes RED a side of Americans and Germans.
func allies(t testing.TB, g ground, ps ...piece) *State {
	for i := range ps {
		if ps[i].c.Side == red {
			ps[i].c.Nation = map[byte]string{'a': "American", 'g': "German", 'p': "Polish"}[ps[i].c.Name[0]]
		}
	}
	s := arena(t, g, ps...)
	s.Phase = 3
	s.sc.Notes.Apart = &Apart{First: []string{"American"}, Second: []string{"German"}, Penalty: 3, Text: "Americans and Germans together"}
	return s
}

func TestAlliesApart(t *testing.T) {
	for _, c := range []struct {
		name   string
		ps     []piece
		orders string
		want   string // unit and hex
	}{
		{"Americans pass through Germans", []piece{truckAt("a", red, 302), infAt("g", red, 303)}, "A 0302-0303-0304", "a 0304"},
		{"Germans not through Americans", []piece{tankAt("g", red, 302), infAt("a", red, 303)}, "G 0302-0303-0304", "g 0302"},
		{"they go around", []piece{tankAt("g", red, 302), infAt("a", red, 303)}, "G TO 0304", "g 0304"},
		{"Americans do not stay with Germans", []piece{tankAt("a", red, 302), infAt("g", red, 303)}, "A TO 0303", "a 0302"},
		{"unless those go", []piece{tankAt("a", red, 302), infAt("g", red, 303)}, "G TO 0304\nA TO 0303", "a 0303"},
		{"Americans move first, whatever the sheet", []piece{tankAt("g", red, 301), infAt("a", red, 303)}, "G 0301-0302-0303\nA TO 0304", "g 0303"},
		{"and not together", []piece{tankAt("g", red, 301), tankAt("a", red, 303)}, "G, A TO 0305", "a 0303"},
	} {
		s := allies(t, clearGround(8, 8), c.ps...)
		s, _ = referee{answers: map[string]string{kindMove: c.orders}}.play(t, s, movementPhase)
		name, at, _ := strings.Cut(c.want, " ")
		if got := whereIs(s, name).String(); got != at {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

func TestJointAttack(t *testing.T) {
	for _, c := range []struct {
		who  []string
		want int
	}{{[]string{"a"}, 0}, {[]string{"g"}, 0}, {[]string{"a", "b"}, 0}, {[]string{"a", "g"}, -3}} {
		s := allies(t, clearGround(8, 8), infAt("a", red, 303), infAt("ab", red, 304), infAt("g", red, 404), infAt("x", blue, 403))
		s.Phase = 4
		var us []*Unit
		for _, n := range c.who {
			us = append(us, s.unit(map[string]string{"a": "a", "b": "ab", "g": "g"}[n]))
		}
		o := s.odds(red, us, []hex.Hex{403})
		if sum(o.forA) != c.want || o.column != s.sc.Combat.shift(o.first, c.want, sum(o.forD)) {
			t.Errorf("%v: %+v", c.who, o.forA)
		}
		if c.want != 0 && !strings.Contains(o.String(), "Americans and Germans together -3") {
			t.Error(o.String())
		}
	}
}

// On the first day Germans stand, defend, and attack only if they are bound.
func TestStillOnTheFirstDay(t *testing.T) {
	for _, c := range []struct {
		name  string
		turn  int
		ps    []piece
		moves bool
		fault bool
	}{
		{"first day, unbound", 1, []piece{infAt("g", red, 303), newPiece("x", blue, ART, Trucked, 4, 1, 304)}, false, true},
		{"first day, bound", 1, []piece{infAt("g", red, 303), infAt("x", blue, 304)}, false, false},
		{"second day", 2, []piece{infAt("g", red, 303), infAt("x", blue, 304)}, true, false},
		{"Americans", 1, []piece{infAt("a", red, 303), infAt("x", blue, 304)}, true, false},
	} {
		s := allies(t, clearGround(8, 8), c.ps...)
		s.Turn = c.turn
		s.sc.Notes.Limits = []Limit{{Nations: []string{"German"}, Still: 1, Text: "on the first day only Americans are activated"}}
		u := s.unit(c.ps[0].u.ID)
		for _, o := range []moveOrder{{to: 302}, {entrench: true}} {
			if v := s.mayMove(u, &o); (v == nil) != c.moves {
				t.Errorf("%s: %v", c.name, v)
			}
		}
		p := &plan{s: s, side: red}
		if v := p.badAttacker(u, []hex.Hex{304}); (v != nil) != c.fault {
			t.Errorf("%s: attack %v", c.name, v)
		}
	}
}

// Each face of the die, for a Polish unit of two steps and for one of one.
func TestDefection(t *testing.T) {
	for _, c := range []struct {
		die    int
		steps  int
		side   Side
		hex    hex.Hex
		left   int
		shaken bool
	}{
		{1, 2, red, 305, 2, false}, {2, 2, red, 305, 1, false}, {3, 2, blue, 707, 1, false}, {4, 2, blue, 707, 2, true},
		{5, 2, blue, 707, 2, false}, {6, 2, blue, 707, 2, false}, {2, 1, red, 305, 1, false}, {3, 1, blue, 707, 1, false},
	} {
		q, w, p := staffAt("aq", red, 302), staffAt("aw", red, 305), newPiece("p", blue, INF, Foot, 4, c.steps, 707)
		q.c.Nation, w.c.Nation, p.c.Nation = "American", "American", "Polish"
		s := clearGround(8, 8).position(t, q, w, p)
		s.Phase = 1
		s.sc.Notes.Defection = &Defection{Nation: "Polish", To: red, Host: "American"}
		s.sc.ByNation = map[string]Supply{"American": {Edges: []string{"north"}}}
		in := &script{answers: map[string]string{"defector p": "0305"}, dice: map[string][]int{"defection p": {c.die}}, used: map[string]bool{}}
		run, err := adjudicator.Play(s.clone(), func(r *adjudicator.Run, s *State) { s.defect(r) }, nil, in, in)
		if err != nil {
			t.Fatal(err)
		}
		after, err := decodeState(s.sc, run.State.encode())
		if err != nil {
			t.Fatal(err)
		}
		u := after.unit("p")
		if u.c.Side != c.side || u.Hex != c.hex || u.Steps != c.left || u.disorganized() != c.shaken {
			t.Errorf("die %d: %s %v, %d steps, %v", c.die, u.c.Side, u.Hex, u.Steps, u.Disorganized)
		}
		// Its new owner knows it as their own, and it is lost as one of theirs.
		if c.side == red {
			known, err := s.sc.believe(after.view(red))
			if err != nil {
				t.Fatal(err)
			}
			if k := known.unit("p"); k == nil || k.c.Side != red {
				t.Errorf("die %d: the sheet's position has %+v", c.die, k)
			}
			if after.linesOfSupply(red).apart["American"] == nil || after.supplyNation(u) != "American" {
				t.Error("a defector is supplied like the Americans")
			}
			after.remove(u)
			if after, err = decodeState(s.sc, after.encode()); err != nil || after.lostUnits(&Award{Nations: []string{"Polish"}}, red) != 1 {
				t.Errorf("%v: it does not count as lost", err)
			}
		}
	}
}

// All the Poles of Two Stars change sides in one night.
func TestAWholeArmyDefects(t *testing.T) {
	s := built(t, "two-stars").opening()
	run, err := adjudicator.Play(s.clone(), func(r *adjudicator.Run, s *State) { s.defect(r) }, nil, ones{}, adjudicator.Standing{})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, u := range run.State.onMap("AMERICAN") {
		if n += btoi(u.c.Nation == "Polish"); u.c.Nation == "Polish" && (run.State.stackSteps(u.Hex) > stackLimit || run.State.mixedAt(u.Hex)) {
			t.Errorf("%s in %v: %d steps", u.c.Name, u.Hex, run.State.stackSteps(u.Hex))
		}
	}
	want(t, "defectors", n, 24)
}

// ones throws nothing else.
type ones struct{}

func (ones) Throw(_ string, count, _ int) ([]int, []byte, error) {
	out := make([]int, count)
	for i := range out {
		out[i] = 1
	}
	return out, nil, nil
}

func TestSavedAir(t *testing.T) {
	a := SavedAir{Keep: 10, Most: 20}
	for _, c := range []struct{ saved, strength, flown, want int }{
		{0, 30, 30, 0}, {0, 30, 25, 5}, {0, 30, 0, 10}, {10, 26, 0, 20}, {20, 24, 0, 20}, {20, 24, 30, 14}, {20, 15, 35, 0}, {5, 10, 12, 3},
	} {
		if got := a.after(c.saved, c.strength, c.flown); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	s := built(t, "two-stars").opening()
	want(t, "day 1", s.airLeft("AMERICAN", 1), 30)
	want(t, "day 2 if nothing flies", s.airLeft("AMERICAN", 2), 36)
	s.Flown[0] = 28
	s.endAirDay()
	s.Turn, s.Flown = 2, [2]int{}
	want(t, "day 2 with 2 kept", s.airLeft("AMERICAN", 2), 28)
	want(t, "the Soviets keep nothing", s.airLeft("SOVIET", 2), 25)
}
