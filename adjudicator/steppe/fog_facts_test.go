package steppe

import (
	"strings"
	"testing"

	"fieldpost/adjudicator/view"
)

// What a View says of aircraft and the Backhand Blow reads again as it was.
func TestFactsReadAgain(t *testing.T) {
	sc := load(t, "star-and-gallop")
	for _, step := range []Step{StepWeather, StepOrders, StepChit} {
		for _, backhand := range []int{0, 3} {
			s := &State{Step: step, Weather: rain, Ground: mud, Backhand: backhand, sc: sc}
			s.Air = [3]Pool{{Fighters: 3, CAS: 4, FreeF: 1, FreeC: 2}, {Fighters: 12}, {CAS: 7, FreeC: 7}}
			read := &State{sc: sc}
			if err := read.readFacts(&view.View{Facts: s.facts()}); err != nil {
				t.Fatal(err)
			}
			want := s.Air
			if step == StepWeather { // nobody knows yet who may fly
				for i := range want {
					want[i].FreeF, want[i].FreeC = 0, 0
				}
			}
			if read.Air != want || read.Backhand != backhand {
				t.Errorf("%s: %+v and turn %d are read from %v", step, read.Air, read.Backhand, s.facts())
			}
		}
	}
}

// A View whose facts cannot be read is refused, not taken for one without aircraft.
func TestFactsThatCannotBeRead(t *testing.T) {
	sc := load(t, "star-and-gallop")
	for name, figures := range map[string][]int{
		"air german":    nil,
		"air voronezh":  {12},
		"air southwest": {3, 2, 1},
		"backhand blow": {2, 3},
	} {
		s := sc.opening()
		s.Backhand, s.Step = 2, StepOrders
		v := s.view(German)
		found := false
		for i := range v.Facts {
			if v.Facts[i].Name == name {
				v.Facts[i].Numbers, found = figures, true
				if figures == nil { // neither figures nor words with any
					v.Facts[i].Text = "many fighters"
				}
			}
		}
		_, err := sc.believe(v)
		if !found || err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s %v: %v", name, figures, err)
		}
	}
	v := sc.opening().view(German)
	s, err := sc.believe(v)
	if err != nil {
		t.Errorf("a view of the opening: %v", err)
	}
	for i := range v.Facts { // as it was mailed before there were figures
		v.Facts[i].Numbers = nil
	}
	if old, err := sc.believe(v); err != nil || old.Air != s.Air {
		t.Errorf("a view of before: %v, %v", old.Air, err)
	}
	v.Facts = v.Facts[:2]
	if _, err := sc.believe(v); err == nil {
		t.Error("a view without aircraft is taken")
	}
}

// Who is off the map is known from what a View has in fields, whatever its note says.
func TestBelievedPlaces(t *testing.T) {
	sc := load(t, "star-and-gallop")
	s := sc.opening()
	s.Step = StepOrders
	hq := s.byName(German, "SS Pz")
	s.remove(hq)
	v := s.view(German)
	for _, list := range [][]view.Unit{v.Units, v.Arrivals, v.Lost} {
		for i := range list {
			list[i].Note = ""
		}
	}
	b, err := sc.believe(v)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[Where]int{}
	for i := range s.Units {
		u := &s.Units[i]
		if u.c.Side != German {
			continue
		}
		seen[u.Where]++
		if x := b.unit(u.ID); x.Where != u.Where || x.Back != u.Back || x.Hex != u.Hex {
			t.Errorf("%s is %v on %v (back: %v), believed %v on %v (back: %v)", u.c.Name, u.Where, u.Hex, u.Back, x.Where, x.Hex, x.Back)
		}
	}
	if seen[OnMap] == 0 || seen[Later] == 0 || seen[InPool] == 0 {
		t.Errorf("units were seen in %v", seen)
	}
}
